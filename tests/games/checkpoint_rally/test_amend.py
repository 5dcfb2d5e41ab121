"""Amendments: what a moderator may make of a position is what could also have been given explicitly."""

from dataclasses import replace

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkpoint_rally.components import Frame, Laid
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Position, SeatAt, Stage, TileAt

BOARD = (TileAt(cell="C3", tile="HC1"), TileAt(cell="B4", tile="HC2"))
RED = SeatAt(seat="red", cell="C3", card="K1", hand=("HC3", "HC4"))
BLUE = SeatAt(seat="blue", cell="B4", card="K2")
FIRST = SeatAt(seat="red", card="K3", marked=("B2",), place=1, minutes=9)
RETIRED = replace(BLUE, has_chance=False)
STARTING = SeatAt(seat="red", card="K1", hand=("HC3", "HC4"))


@pytest.fixture
def config(parts):
    options = {"map": "auto", "layout": "diamond", "last-chance": "turns"}
    options |= {
        f"{name}.{seat}": value for seat in ("red", "blue") for name, value in (("car", "random"), ("corner", "auto"))
    }
    maps = {"K1": ("A3", "C1"), "K2": ("E3", "C5"), "K3": ("B2",)}
    return RULESET.configure(Setup((Player("red"), Player("blue")), options, parts(maps=maps), None), RULESET.meta.version)


def position(config, *seats):
    return RULESET.initial(replace(config, position=Position(seats=seats, board=BOARD)))


@pytest.fixture
def racing(config):
    return position(config, RED, BLUE)


@pytest.fixture
def starting(config):
    return position(config, STARTING, BLUE)


@pytest.fixture
def over(config):
    return position(config, FIRST, RETIRED)


def change(state, fields, seats):
    for seat, changes in seats.items():
        state = state.with_racer(seat, **changes)
    return replace(state, **fields)


def refused(config, state, fields=None, **seats):
    with pytest.raises(SetupError) as caught:
        RULESET.validated_amendment(config, change(state, fields or {}, seats))
    assert {problem.code for problem in caught.value.problems} == {"checkpoint-rally/impossible-amendment"}
    return [problem.message for problem in caught.value.problems]


IN_THE_RACE = {
    "over": ({"stage": Stage.OVER}, {}, "the game is not over while a seat may still act"),
    "acting": ({"acting": "red"}, {}, "there is a last chance to act in only after somebody has finished"),
    "nobody acting": ({"acting": "nobody"}, {}, "there is no seat nobody in this game"),
    "no chance": ({}, {"red": {"chance_over": True}}, "a last chance can be over only after somebody has finished"),
    "no border": ({"border": ()}, {}, "the border has a piece on each of its 4 sides, not 0"),
    "no order": ({"order": ("red",)}, {}, "the order of the markers must name every seat once"),
    "no card": ({}, {"red": {"card": None}}, "red has no card"),
    "no car": ({}, {"red": {"car": None}}, "red has no car"),
    "unknown car": ({}, {"red": {"car": "tractor"}}, "red: there is no car tractor in this game"),
    "another's card": ({}, {"red": {"card": "K2"}}, "card K2 is given to 2 seats"),
    "minutes": ({}, {"red": {"minutes": 100_001}}, "red: 100001 minutes are too many, 100000 are the most"),
    "bare cell": ({}, {"red": {"cell": "D4"}}, "red: the car stands on D4, where no tile lies"),
    "marked": (
        {},
        {"red": {"marked": ("B2",)}},
        "red: B2 cannot be marked: the card asks for A3 C1, each once",
    ),
    "no cell": (
        {},
        {"red": {"cell": None}},
        "red: without a cell or a place it has still to start: the stage is starting, not racing",
    ),
}


def test_what_cannot_be_in_the_race(config, racing):
    told = {what: refused(config, racing, fields, **seats) for what, (fields, seats, _) in IN_THE_RACE.items()}
    assert told == {what: [message] for what, (_, _, message) in IN_THE_RACE.items()}


AFTER_THE_END = {
    "a gap": ({}, {"red": {"place": 4}}, "places in the finish must be 1, 2, … without a gap"),
    "asked again": ({}, {"blue": {"chance_over": False}}, "the game is not over"),
    "on the board": ({}, {"red": {"cell": "B4"}}, "red: a car that has finished stands on no cell"),
    "acting": ({"acting": "blue", "stage": Stage.RACING}, {}, "blue cannot act: its chance is over"),
    "not first": ({}, {"red": {"place": None}}, "red: a seat has a place once every checkpoint is marked, and not before"),
    "two firsts": ({}, {"blue": {"place": 1}}, "places in the finish"),
}


def test_what_cannot_be_after_the_end(config, over):
    """It is among what is told."""
    told = {what: refused(config, over, fields, **seats) for what, (fields, seats, _) in AFTER_THE_END.items()}
    assert [what for what, (_, _, words) in AFTER_THE_END.items() if words not in " ".join(told[what])] == []


def test_a_winner_who_never_was(config, over):
    messages = refused(config, over, red={"place": None, "marked": ()})
    assert any("somebody has finished" in message for message in messages)


def test_only_who_has_to_start_starts(config, starting):
    """Who that is follows from the cells: it is not said besides."""
    assert starting.starting == ("red",)
    assert change(starting, {}, {"red": {"cell": "C3"}}).starting == ()
    assert change(starting, {}, {"red": {"cell": "C3"}, "blue": {"cell": None}}).starting == ("blue",)


@pytest.mark.parametrize("stage", [Stage.RACING, Stage.OVER])
def test_nobody_starts_in_the_race(config, starting, stage):
    message = f"red: without a cell or a place it has still to start: the stage is starting, not {stage}"
    assert message in refused(config, starting, {"stage": stage})


def test_who_starts_is_not_acting(config, starting):
    assert "red cannot act before all have started" in refused(config, starting, {"acting": "red"})


def test_too_many_tiles(config, racing):
    stack = racing.stack(config)
    row, hand = stack[:4], stack[4:15]
    held = racing.racer("red").hand
    messages = refused(config, racing, {"row": row}, red={"hand": (*held, *hand)})
    assert messages == [
        "the row has 4 tiles, 3 are the most",
        "red: a hand of 13 tiles is too many, 12 are the most",
    ]


def test_border_pieces_are_four_different_ones(config, racing):
    pieces = (Frame("P1", "front"), Frame("P1", "back"), Frame("P9", "front"), Frame("P2", "front"))
    assert refused(config, racing, {"border": pieces}) == ["there is no border piece P9 in this game"]
    pieces = (*pieces[:2], Frame("P3", "front"), pieces[3])
    assert refused(config, racing, {"border": pieces}) == ["border piece P1 is in 2 places"]


def test_everything_wrong_is_told_at_once(config, racing):
    assert len(refused(config, racing, {"border": (), "acting": "red"}, red={"card": None, "minutes": 200_000})) == 4


def test_the_seats_stay(config, racing):
    (message,) = refused(config, racing, {"racers": racing.racers[:1]})
    assert "cannot be amended" in message


def test_what_can_be_is_amended(config, racing):
    """A clock, which moves the marker; a hand; a tile; the row; GPS updates; checkpoints; who starts."""
    tile, other, *rest = racing.stack(config)
    board = (*racing.board[:1], Laid(tile, 90), *racing.board[2:])
    changed = replace(racing, board=board, row=(other,))
    state = RULESET.validated_amendment(config, change(changed, {}, {"red": {"minutes": 14, "gps": 0, "marked": ("A3",)}}))
    assert (state.order, state.racer("red").gps, state.row) == (("blue", "red"), 0, (other,))
    assert state.stack(config) == tuple(rest)


def test_who_has_started_by_mistake_starts_again(config, racing):
    state = change(racing, {"stage": Stage.STARTING}, {"red": {"cell": None}})
    assert RULESET.validated_amendment(config, state) == state
    assert RULESET.awaiting(config, state)[0].kind == "start"


def test_who_starts_again_needs_an_empty_corner(config, racing):
    """A tile there would be replaced by the start tile, and a car stand on another tile than before."""
    fields = {"stage": Stage.STARTING, "board": (Laid("HC5", 0), *racing.board[1:])}
    where = "red: its start tile has still to be placed in A1, where HC5 lies"
    assert refused(config, racing, fields, red={"cell": None}) == [where]
    assert refused(config, racing, fields, red={"cell": None}, blue={"cell": "A1"}) == [f"{where} under the car of blue"]


def test_a_tile_is_in_one_place(config, racing):
    """What is taken into a hand is not in the stack any more; what is on the board cannot be in a hand as well."""
    tile = racing.stack(config)[0]
    amended = RULESET.validated_amendment(config, change(racing, {}, {"blue": {"hand": (tile,)}}))
    assert tile not in amended.stack(config)
    assert refused(config, racing, {"discard": (tile,)}, blue={"hand": (tile,)}) == [f"tile {tile} is in 2 places"]
    assert refused(config, racing, blue={"hand": ("HC1",)}) == ["tile HC1 is in 2 places"]
    assert refused(config, racing, blue={"hand": ("HC1", "X1")}) == ["blue: there is no tile X1 in this game"]


def test_a_finish_may_be_amended(config, racing):
    done = {"cell": None, "marked": ("C1", "A3"), "place": 1}
    state = change(racing, {}, {"red": done})
    assert RULESET.validated_amendment(config, state) == state
    assert not state.racer("red").has_chance


def test_who_has_finished_has_no_chance_to_lose(config, over):
    """Which is all the same to the game: it is written one way."""
    assert RULESET.validated_amendment(config, change(over, {}, {"red": {"chance_over": True}})) == over


def test_a_last_chance_may_be_ended_by_hand(config, over):
    """The end of the game follows from it by itself."""
    state = replace(over, stage=Stage.RACING)
    assert RULESET.validated_amendment(config, state) == state
    assert [event.kind for event in RULESET.proceed(config, state, None)] == ["game-ended"]


def test_a_start_may_be_made_by_hand(config, starting):
    """The race begins by itself."""
    state = change(starting, {}, {"red": {"cell": "C3"}})
    assert RULESET.validated_amendment(config, state) == state
    assert [event.kind for event in RULESET.proceed(config, state, None)] == ["race-started"]


def test_the_end_may_be_taken_back(config, over):
    """A last chance that is given again goes on when the stage says so, too."""
    state = change(over, {"stage": Stage.RACING}, {"blue": {"chance_over": False}})
    assert RULESET.validated_amendment(config, state) == state
    assert [(event.kind, event.seat) for event in RULESET.proceed(config, state, None)] == [("last-chance-begun", "blue")]
