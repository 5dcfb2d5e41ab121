"""Amendments: what a moderator may make of a position is what could also have been given explicitly."""

from dataclasses import replace

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkpoint_rally.position import Position, SeatAt, TileAt
from adjudicator.games.checkpoint_rally.ruleset import RULESET
from adjudicator.games.checkpoint_rally.state import Frame, Laid, Stage

BOARD = (TileAt(cell="C3", tile="HC1"), TileAt(cell="A1", tile="HC2"))
RED = SeatAt(seat="red", cell="C3", card="K1", hand=("HC3", "HC4"))
BLUE = SeatAt(seat="blue", cell="A1", card="K2")
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
    return RULESET.configure(Setup((Player("red"), Player("blue")), options, parts(maps=maps), None))


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
        state = state.with_racer(replace(state.racer(seat), **changes))
    return replace(state, **fields)


def refused(config, state, fields=None, **seats):
    with pytest.raises(SetupError) as caught:
        RULESET.validated_amendment(config, change(state, fields or {}, seats))
    assert {problem.code for problem in caught.value.problems} == {"checkpoint-rally/impossible-amendment"}
    return [problem.message for problem in caught.value.problems]


IN_THE_RACE = {
    "dealing": ({"stage": Stage.DEALING}, {}, "the table is laid: nothing is left to be dealt"),
    "over": ({"stage": Stage.OVER}, {}, "the game is not over while a seat may still act"),
    "acting": ({"acting": "red"}, {}, "there is a last chance to act in only after somebody has finished"),
    "nobody acting": ({"acting": "nobody"}, {}, "there is no seat nobody to have the turn"),
    "no chance": ({}, {"red": {"has_chance": False}}, "a last chance can be over only after somebody has finished"),
    "no border": ({"border": ()}, {}, "the border has a piece on each of its 4 sides, not 0"),
    "no order": ({"order": ("red",)}, {}, "the order of the markers must name every seat once"),
    "no card": ({}, {"red": {"card": None}}, "red: it has no card"),
    "no car": ({}, {"red": {"car": None}}, "red: it has no car"),
    "unknown car": ({}, {"red": {"car": "tractor"}}, "red: the component set has no car tractor"),
    "another's card": ({}, {"red": {"card": "K2"}}, "card K2 is given to 2 seats"),
    "minutes": ({}, {"red": {"minutes": 100_001}}, "red: 100001 minutes are too many, 100000 are the most"),
    "corner": ({}, {"red": {"corner": "Z9"}}, "red: it starts from A1, as it was set up, not from Z9"),
    "bare cell": ({}, {"red": {"cell": "D4"}}, "red: the car stands on D4, where no tile lies"),
    "marked": (
        {},
        {"red": {"marked": ("B2",)}},
        "red: marked are B2, the card asks for A3 C1, each once",
    ),
    "no cell": (
        {},
        {"red": {"cell": None}},
        "who has neither cell nor place has still to start, nobody else: `starting` must be red, is none",
    ),
}


@pytest.mark.parametrize(("fields", "seats", "message"), IN_THE_RACE.values(), ids=IN_THE_RACE.keys())
def test_what_cannot_be_in_the_race(config, racing, fields, seats, message):
    assert refused(config, racing, fields, **seats) == [message]


AFTER_THE_END = {
    "a gap": ({}, {"red": {"place": 4}}, "places in the finish must be 1, 2, … without a gap"),
    "asked again": ({"stage": Stage.RACING}, {"red": {"has_chance": True}}, "red: who has finished has no more turns"),
    "on the board": ({}, {"red": {"cell": "A1"}}, "red: a car that has finished stands on no cell"),
    "acting": ({"acting": "blue", "stage": Stage.RACING}, {}, "blue cannot act: its chance is over"),
    "not first": ({}, {"red": {"place": None}}, "red: who has marked every checkpoint has a place, and nobody else"),
    "two firsts": ({}, {"blue": {"place": 1}}, "places in the finish must be 1, 2, … without a gap"),
}


@pytest.mark.parametrize(("fields", "seats", "message"), AFTER_THE_END.values(), ids=AFTER_THE_END.keys())
def test_what_cannot_be_after_the_end(config, over, fields, seats, message):
    assert message in refused(config, over, fields, **seats)


def test_a_winner_who_never_was(config, over):
    messages = refused(config, over, red={"place": None, "marked": ()})
    assert "a last chance can be over only after somebody has finished" in messages


@pytest.mark.parametrize("seats", [("nobody",), ("red", "red"), ("red", "blue"), ()])
def test_only_who_has_to_start_starts(config, starting, seats):
    assert "`starting` must be red" in refused(config, starting, {"starting": seats})[0]


@pytest.mark.parametrize("stage", [Stage.RACING, Stage.OVER])
def test_nobody_starts_in_the_race(config, starting, stage):
    message = f"nobody starts any more while the stage is {stage}: `starting` must be none"
    assert message in refused(config, starting, {"stage": stage})


def test_who_starts_is_not_acting(config, starting):
    assert "red cannot act before all have started" in refused(config, starting, {"acting": "red"})


def test_too_many_tiles(config, racing):
    row, hand, rest = racing.stack[:4], racing.stack[4:15], racing.stack[15:]
    held = racing.racer("red").hand
    messages = refused(config, racing, {"row": row, "stack": rest}, red={"hand": (*held, *hand)})
    assert messages == [
        "the row has 4 tiles, 3 are the most",
        "red: a hand of 13 tiles is too many, 12 are the most",
    ]


def test_border_pieces_are_four_different_ones(config, racing):
    pieces = (Frame("P1", "front"), Frame("P1", "back"), Frame("P9", "front"), Frame("P2", "front"))
    assert refused(config, racing, {"border": pieces}) == [
        "border piece P1 lies on 2 sides",
        "the component set has no border piece P9",
    ]


def test_everything_wrong_is_told_at_once(config, racing):
    assert len(refused(config, racing, {"border": (), "acting": "nobody"}, red={"card": None, "minutes": 200_000})) == 4


def test_the_seats_stay(config, racing):
    assert refused(config, racing, {"racers": racing.racers[:1]}) == ["the seats of a game cannot be amended"]


def test_what_can_be_is_amended(config, racing):
    """A clock, which moves the marker; a hand; a tile; the row; GPS updates; checkpoints; who starts."""
    tile, other, *_ = racing.stack
    board = (*racing.board[:1], Laid(tile, 90), *racing.board[2:])
    changed = replace(racing, board=board, row=(other,), stack=racing.stack[2:])
    state = RULESET.validated_amendment(config, change(changed, {}, {"red": {"minutes": 14, "gps": 0, "marked": ("A3",)}}))
    assert (state.order, state.racer("red").gps, state.row) == (("blue", "red"), 0, (other,))


def test_who_has_started_by_mistake_starts_again(config, racing):
    state = change(racing, {"stage": Stage.STARTING, "starting": ("red",)}, {"red": {"cell": None}})
    assert RULESET.validated_amendment(config, state) == state


def test_a_finish_may_be_amended(config, racing):
    done = {"cell": None, "marked": ("C1", "A3"), "place": 1, "has_chance": False}
    state = change(racing, {}, {"red": done})
    assert RULESET.validated_amendment(config, state) == state


def test_a_last_chance_may_be_ended_by_hand(config, over):
    """The end of the game follows from it by itself."""
    state = replace(over, stage=Stage.RACING)
    assert RULESET.validated_amendment(config, state) == state
