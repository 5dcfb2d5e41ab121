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
        (lambda state: change(state, turn=None), "a seat has the turn in the convoy, and only then", "GR-V1"),
        (lambda state: change(state, offered=(CardId.TRACKER,)), "cards lie open only in the bivouac", "GR-B1"),
        (lambda state: change(state, stage=Stage.OVER), "the race cannot be over before a vehicle has arrived", "GR-F1"),
        (
            lambda state: change(state, stage=Stage.PLANNING),
            "a seat has the turn in the convoy, and only then",
            "GR-V1",
        ),
    ],
)
def test_what_cannot_be_is_told_with_its_rule(table, amended, message, rule):
    assert (message, rule) in reasons(table.config, amended(table.state))


PENDING = {
    "nothing can be pending for it": Laying(seat="blue", tiles=("pass",)),
    "there is no card to keep": Keeping(seat="red", cards=()),
    "the drive ends in Cairo": Drive(seat="red", path=("Cairo", "J3"), steps=3),
    "there is no tile to lay": Laying(seat="red", tiles=()),
    "tiles go on blank spaces, one on each": Laying(seat="red", tiles=("pass",), to=("E2",)),
    "does not belong to the card": Keeping(seat="red", cards=(CardId.TOOLBOX,)),
    "F9 is not beside Algiers": Drive(seat="red", path=("F9",), steps=3),
    "the way has no tile to pay for": Drive(seat="red", path=("F1",), steps=3, is_fresh=True),
    "only a tile just drawn": Drive(seat="red", path=("E2",), steps=3, is_asked=True),
}


@pytest.mark.parametrize("words", PENDING)
def test_what_is_pending_belongs_to_the_sequence(table, words):
    told = reasons(table.config, change(table.state, pending=PENDING[words]))
    assert any(words in message for message, _ in told), told


THREATS = {
    "needs tiles that lie on the board": {"card": CardId.CHEATER, "spaces": ("E2", "E3")},
    "a Tracker harms no vehicle": {"card": CardId.TRACKER, "spaces": ("E2",), "engine": 1},
    "a Saboteur needs another player": {"card": CardId.SABOTEUR, "target": "red"},
    "blue does not have that many parts to lose": {"card": CardId.SABOTEUR, "target": "blue", "engine": 9},
    "seats that have not arrived may cancel a danger card": {
        "card": CardId.TRACKER,
        "spaces": ("E2",),
        "left": ("red",),
    },
    "must be the next that may cancel it": {"card": CardId.TRACKER, "spaces": ("E2",), "asked": "blue"},
    "ranger is not a danger card": {"card": CardId.RANGER},
}


@pytest.mark.parametrize("words", THREATS)
def test_a_danger_card_is_played_on_what_it_can_be(table, words):
    threat = Threat(seat="red", **THREATS[words])
    told = reasons(table.config, change(table.state, pending=threat, in_play=threat.card))
    assert any(words in message for message, _ in told), told


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
    with pytest.raises(SetupError, match="a seat has the turn in the convoy"):
        RULESET.initial(replace(table.config, position=position(red={"mechanics": 1}, blue={})))
