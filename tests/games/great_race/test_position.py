"""What no position can be, told in words with its rule; the same for positions and amendments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.frozen import change
from adjudicator.core.problem import SetupError
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import (
    Assistants,
    Drive,
    Help,
    Keeping,
    Laid,
    Laying,
    Reaction,
    Stage,
    Threat,
)

IN_CONVOY = "a seat has the turn in the convoy, and only then"
TILES = "E2 sand D2 track"


def reasons(config: Any, state: Any) -> list[tuple[str, str]]:
    """Return why ``state`` cannot be, as (message, rule); nothing where it can."""
    try:
        RULESET.validated_amendment(config, state)
    except SetupError as refused:
        return [(problem.message, problem.rule) for problem in refused.problems]
    return []


@pytest.fixture
def table(race):
    return race(red={"mechanics": 1, "hand": "ranger"}, tiles=TILES)


def of_red(**changes: Any) -> Any:
    return lambda state: state.with_crew("red", **changes)


@pytest.mark.parametrize(
    ("amended", "message", "rule"),
    [
        (lambda state: change(state, order=("red", "red")), "the turn order must name red and blue, each once", "GR-N1"),
        (
            lambda state: change(state, markers=("red",)),
            "the order of the markers must name red and blue, each once",
            "GR-N2",
        ),
        (lambda state: change(state, turn="pink"), "there is no seat pink in this game", ""),
        (of_red(space="Q9"), "red: there is no space Q9 in this game", "GR-C1"),
        (of_red(space="E3"), "red: E3 has neither a city nor a tile", "GR-D1"),
        (of_red(fuel=11), "red: fuel goes up to 10, not to 11", "GR-C4"),
        (of_red(engine=7), "red: engine goes up to 6, not to 7", "GR-C4"),
        (of_red(chassis=7), "red: chassis goes up to 6, not to 7", "GR-C4"),
        (of_red(active=Assistants(scouts=6)), "red: a seat has 5 assistants, not 6", "GR-C4"),
        (of_red(has_passed=True), "red: after passing, a seat has only escorts left", "GR-V1"),
        (of_red(plan=Assistants(5)), "red: a plan has 5 assistants, and exists only while seats plan", "GR-L1"),
        (of_red(arrival=1), "red has an arrival but is not in the finish city", "GR-F1"),
        (of_red(space="Cape-Town"), "red is in the finish city but has no arrival", "GR-F1"),
        (
            of_red(space="Cape-Town", arrival=1),
            "red has arrived, so it cannot have cards or assistants",
            "GR-F1",
        ),
        (
            of_red(space="Cape-Town", arrival=2, hand=(), active=Assistants()),
            "arrivals must be 1, 2 and so on, without gaps",
            "GR-F2",
        ),
        (of_red(hand=(CardId.RANGER,) * 4), "the game has 3 cards “ranger”, not 4", "GR-C3"),
        (
            of_red(to_cards=Reaction((Help.CARAVAN,))),
            "red: a standing answer uses an escort, a Ranger, or both, each once",
            "GR-K4",
        ),
        (
            of_red(to_tiles=Reaction((), 2)),
            "red: a standing answer with no help has no limit of parts",
            "GR-K4",
        ),
        (lambda state: change(state, laid=(Laid("Cairo", "sand"),)), "Cairo is a city: it cannot have a tile", "GR-A1"),
        (lambda state: change(state, laid=(*state.laid, Laid("E2", "road"))), "2 tiles lie at E2", "GR-C1"),
        (lambda state: change(state, removed=("lava",)), "there is no tile lava in this game", "GR-C2"),
        (lambda state: change(state, turn=None), IN_CONVOY, "GR-V1"),
        (lambda state: change(state, offered=(CardId.TRACKER,)), "cards lie open only in the bivouac", "GR-B1"),
        (lambda state: change(state, stage=Stage.OVER), "the race cannot be over before a vehicle has arrived", "GR-F1"),
        (
            lambda state: change(state, stage=Stage.PLANNING),
            IN_CONVOY,
            "GR-V1",
        ),
    ],
)
def test_what_cannot_be_is_told_with_its_rule(table, amended, message, rule):
    assert (message, rule) in reasons(table.config, amended(table.state))


PENDING = [
    (Laying(seat="blue", tiles=("pass",)), "blue does not have the turn, so nothing can be pending for it", "GR-V1"),
    (Keeping(seat="red", cards=()), "red: there is no card to keep", "GR-K1"),
    (Keeping(seat="red", cards=(CardId.TOOLBOX,)), "red: the pending thing does not belong to the card in play", "GR-H9"),
    (Laying(seat="red", tiles=()), "red: there is no tile to lay", "GR-A1"),
    (Laying(seat="red", tiles=("pass",), to=("E2",)), "red: tiles go on blank spaces, one on each", "GR-A1"),
    (Laying(seat="red", tiles=("pass",), to=("Cairo",)), "red: tiles go on blank spaces, one on each", "GR-A1"),
    (Laying(seat="red", tiles=("pass",), to=("F1", "F2")), "red: tiles go on blank spaces, one on each", "GR-A1"),
    (Laying(seat="red", tiles=("pass", "mud"), to=("F1", "F1")), "red: tiles go on blank spaces, one on each", "GR-A1"),
    (Drive(seat="red", path=("F9",), steps=3), "red: F9 is not beside Algiers", "GR-D1"),
    (Drive(seat="red", path=("E2", "F9"), steps=3), "red: F9 is not beside E2", "GR-D1"),
    (Drive(seat="red", path=("Cairo", "J3"), steps=3), "red: the drive ends in Cairo", "GR-D4"),
    (Drive(seat="red", path=("F1",), steps=3, is_fresh=True), "red: the way has no tile to pay for", "GR-D3"),
    (Drive(seat="red", path=(), steps=3, is_fresh=True), "red: the way has no tile to pay for", "GR-D3"),
    (Drive(seat="red", path=("E2",), steps=0, is_fresh=True), "red: the way has no tile to pay for", "GR-D3"),
    (
        Drive(seat="red", path=("E2",), steps=3, is_asked=True),
        "red: only a tile just drawn raises the question how to pay",
        "GR-D3",
    ),
    (
        Threat(seat="red", card=CardId.CHEATER, spaces=("E2", "E3")),
        "a Cheater needs tiles that lie on the board",
        "GR-K1",
    ),
    (Threat(seat="red", card=CardId.CHEATER, spaces=("E2",)), "a Cheater needs tiles that lie on the board", "GR-K1"),
    (Threat(seat="red", card=CardId.TRACKER, spaces=("E2", "D2")), "a Tracker needs tiles that lie on the board", "GR-K1"),
    (Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), engine=1), "a Tracker harms no vehicle", "GR-K1"),
    (Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), chassis=1), "a Tracker harms no vehicle", "GR-K1"),
    (Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), target="blue"), "a Tracker harms no vehicle", "GR-K1"),
    (
        Threat(seat="red", card=CardId.SABOTEUR, target="red"),
        "a Saboteur needs another player who has not arrived",
        "GR-H7",
    ),
    (Threat(seat="red", card=CardId.SABOTEUR), "a Saboteur needs another player who has not arrived", "GR-H7"),
    (
        Threat(seat="red", card=CardId.SABOTEUR, target="blue", spaces=("E2",)),
        "a Saboteur needs another player who has not arrived",
        "GR-H7",
    ),
    (
        Threat(seat="red", card=CardId.SABOTEUR, target="blue", engine=7),
        "blue does not have that many parts to lose",
        "GR-K1",
    ),
    (
        Threat(seat="red", card=CardId.SABOTEUR, target="blue", chassis=7),
        "blue does not have that many parts to lose",
        "GR-K1",
    ),
    (
        Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), left=("red",)),
        "only other seats that have not arrived may cancel a danger card, each once",
        "GR-K4",
    ),
    (
        Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), left=("blue", "blue")),
        "only other seats that have not arrived may cancel a danger card, each once",
        "GR-K4",
    ),
    (
        Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), asked="blue"),
        "the seat asked about a danger card must be the next that may cancel it",
        "GR-K4",
    ),
    (Threat(seat="red", card=CardId.RANGER), "ranger is not a danger card", "GR-K1"),
]


@pytest.mark.parametrize(("pending", "message", "rule"), PENDING)
def test_what_is_pending_belongs_to_the_sequence_and_is_aimed_at_what_it_can_be(table, pending, message, rule):
    in_play = pending.card if isinstance(pending, Threat) else None
    assert (message, rule) in reasons(table.config, change(table.state, pending=pending, in_play=in_play))


@pytest.mark.parametrize(
    ("card", "pending"),
    [
        (None, Laying(seat="red", tiles=("pass",), to=("F1",))),
        (None, Drive(seat="red", path=("E2", "E3"), steps=2)),
        (None, Drive(seat="red", path=("F1", "E2"), steps=2)),
        (None, Drive(seat="red", path=("E2", "D2"), steps=6, is_fresh=True, is_asked=True)),
        (CardId.DRIVER, Drive(seat="red", path=("E2",), steps=6)),
        (CardId.CARTOGRAPHER, Laying(seat="red", tiles=("pass", "mud"), to=("F1", "F2"))),
        (CardId.TRAIL_HUNTER, Keeping(seat="red", cards=(CardId.TOOLBOX,))),
        (CardId.CHEATER, Threat(seat="red", card=CardId.CHEATER, spaces=("E2", "D2"), left=("blue",), asked="blue")),
        (CardId.TRACKER, Threat(seat="red", card=CardId.TRACKER, spaces=("E2",), left=("blue",))),
        (CardId.SABOTEUR, Threat(seat="red", card=CardId.SABOTEUR, target="blue", engine=6, left=("blue",))),
        (CardId.SABOTEUR, Threat(seat="red", card=CardId.SABOTEUR, target="blue", chassis=6)),
    ],
)
def test_what_can_be_pending_is_not_refused(table, card, pending):
    assert reasons(table.config, change(table.state, pending=pending, in_play=card)) == []


def test_gr_d6_a_vehicle_that_has_broken_down_is_asked_nothing(table):
    asked = Drive(seat="red", path=("E2",), steps=3, is_fresh=True, is_asked=True)
    broken = change(table.state.with_crew("red", engine=0), pending=asked)
    assert reasons(table.config, broken) == [("red has broken down: its drive is over", "GR-D6")]


def test_gr_h9_tiles_cannot_be_drawn_where_no_space_is_free(race, narrow):
    table = race(parts=narrow, tiles="E2 sand")
    laying = change(table.state, pending=Laying(seat="red", tiles=("pass",)))
    assert reasons(table.config, laying) == [("red: there is no free space for the tiles", "GR-H9")]


def test_gr_f1_a_vehicle_that_has_arrived_has_nothing_pending(race):
    table = race(red={"space": "Cape-Town", "arrival": 1}, blue={"mechanics": 1}, turn="blue")
    arrived = change(table.state, turn="red", pending=Keeping(seat="red", cards=(CardId.TOOLBOX,)), in_play="trail-hunter")
    assert ("red does not have the turn, so nothing can be pending for it", "GR-V1") in reasons(table.config, arrived)


RANGER, TOOLBOX = CardId.RANGER, CardId.TOOLBOX


@pytest.mark.parametrize(
    ("amended", "message", "rule"),
    [
        ({"takers": ("red",)}, "cards lie open exactly as long as a seat has to take one", "GR-B1"),
        ({"offered": (RANGER,)}, "cards lie open exactly as long as a seat has to take one", "GR-B1"),
        (
            {"takers": ("red", "blue"), "offered": (RANGER, TOOLBOX)},
            "takers must be in reverse turn order, each once",
            "GR-B1",
        ),
        (
            {"takers": ("blue", "red"), "offered": (RANGER,)},
            "the bivouac has fewer cards than seats that must take one",
            "GR-B1",
        ),
        ({"turn": "red"}, IN_CONVOY, "GR-V1"),
        ({"pending": Keeping(seat="red", cards=())}, "something can be pending only in the convoy", "GR-V1"),
        ({"in_play": TOOLBOX}, "a card can be in play only in the convoy", "GR-V1"),
    ],
)
def test_gr_b1_what_a_bivouac_cannot_be(start, amended, message, rule):
    table = start(2, "jerrycan caravan driver")
    bivouac = change(table.state, **{"offered": (), "takers": (), **amended})
    assert (message, rule) in reasons(table.config, bivouac)


def test_gr_v1_assistants_and_passing_are_for_the_convoy(start):
    table = start(2, "jerrycan caravan driver")
    for changes, message in (
        ({"active": Assistants(1)}, "red: assistants are on the dashboard only in the convoy"),
        ({"has_passed": True}, "red: after passing, a seat has only escorts left"),
    ):
        assert reasons(table.config, table.state.with_crew("red", **changes)) == [(message, "GR-V1")]


def test_gr_f1_the_round_of_the_first_arrival_is_the_last(start):
    table = start(2, "jerrycan caravan driver")
    arrived = table.state.with_crew("red", space="Cape-Town", arrival=1)
    told = [("the race ends with the round in which a vehicle arrives", "GR-F1")]
    assert reasons(table.config, arrived) == told


def test_a_tracker_takes_no_tile_under_a_vehicle(race):
    table = race(blue={"space": "E2"}, tiles=TILES)
    threat = Threat(seat="red", card=CardId.TRACKER, spaces=("E2",))
    told = reasons(table.config, change(table.state, pending=threat, in_play=CardId.TRACKER))
    assert told == [("a Tracker removes no tile with a vehicle on it", "GR-H7")]


def test_a_position_and_an_amendment_are_refused_in_the_same_words(table, position):
    placed = position(red={"mechanics": 1, "fuel": 11}, blue={"space": "E3"}, turn="red")
    with pytest.raises(SetupError) as refused:
        RULESET.initial(replace(table.config, position=placed))
    amended = change(table.state.with_crew("red", fuel=11, hand=()), laid=()).with_crew("blue", space="E3")
    assert [(one.message, one.rule) for one in refused.value.problems] == reasons(table.config, amended)


def test_a_position_says_whose_turn_it_is_in_the_convoy_alone(table, position):
    for fields, message in (
        ({"turn": "red", "stage": Stage.PLANNING}, "in the stage “planning” no seat has a turn"),
        ({"stage": Stage.CONVOY}, "in the convoy a seat must have the turn: name it in “turn”"),
    ):
        with pytest.raises(SetupError, match=message):
            RULESET.initial(replace(table.config, position=position(red={}, blue={}, **fields)))


def test_a_position_begins_a_round_where_nothing_else_is_said(race):
    begun = race(red={}, blue={"fuel": 3}, turn=None, round=4, outcomes="jerrycan ranger toolbox")
    assert begun.state.stage is Stage.BIVOUAC
    assert begun.due() == [("blue", "take")]
    assert (begun.state.round, begun.gauges("red"), begun.crew("blue").fuel) == (4, (10, 6, 6), 3)


def test_who_has_assistants_on_the_dashboard_is_in_the_convoy(table, position):
    with pytest.raises(SetupError, match="has the turn"):
        RULESET.initial(replace(table.config, position=position(red={"mechanics": 1}, blue={})))
