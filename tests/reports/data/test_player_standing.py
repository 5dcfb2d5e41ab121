"""The standing of a player: turns on time, misses, holidays, stand-ins, from the entries of a journal alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.ids import Seat
from adjudicator.outputs.standings import SeatRecord
from adjudicator.reports.data.player_standing import (
    ConditionError,
    PlayerStanding,
    has_room,
    meets,
    places_of,
    player_standing,
)

RED, BLUE = Seat("red"), Seat("blue")


def record(game: str, **more: Any) -> SeatRecord:
    return SeatRecord(**{"game": game, "seat": RED, "player": "Ann", "is_begun": True, **more})


def test_stand_ins_risk_nothing_and_work_off_their_misses() -> None:
    own = [record("a", on_time=7, missed=3), record("b", has_left=True)]
    stood_in = record("c", is_begun=False, on_time=10, missed=5, has_left=True)
    idle = record("d", is_begun=False, missed=5)
    before, after = player_standing(own), player_standing([*own, stood_in, idle])
    assert (before.on_time, before.due, before.abandoned, before.begun + before.taken_over) == (7, 10, 1, 2)
    assert (after.on_time, after.due, after.abandoned, after.begun + after.taken_over) == (17, 20, 1, 3)


def test_only_the_last_ten_games_count_and_running_ones_are_the_last() -> None:
    over = [record(f"g{n}", is_over=True, finished_at=n, on_time=1) for n in range(12)]
    found = player_standing([record("now", on_time=1), *reversed(over)])
    assert [one.game for one in found.seats] == [*(f"g{n}" for n in range(3, 12)), "now"]
    assert (found.due, found.running) == (10, 1)


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ("reliability>=90", True),
        ("reliability >= 91%", False),
        ("abandoned<=49", False),
        ("abandoned<=50", True),
        ("RELIABILITY>=80 abandoned<=10", False),
        ("reliability<=90", True),
        ("rating>=1420 rating <= 1420", True),
        ("rating>=1421", False),
    ],
)
def test_conditions_compare_exactly(condition: str, is_met: bool) -> None:
    found = player_standing([record("a", on_time=9, missed=1), record("b", has_left=True)])
    assert meets(found, condition, 1420) is is_met


def test_a_newcomer_meets_usual_conditions() -> None:
    assert meets(PlayerStanding(), "reliability>=100 abandoned<=0 rating>=1500 rating<=1500")


@pytest.mark.parametrize(
    "condition", ["", "reliability", "reliability=90", "rating=1500", "rating>=15000", "reliability>=9000", "abandoned<=x"]
)
def test_a_condition_that_makes_no_sense_is_named(condition: str) -> None:
    with pytest.raises(ConditionError, match="not a condition"):
        meets(PlayerStanding(), condition)


def test_players_who_drop_out_have_a_limit_until_they_stand_in() -> None:
    left, running = record("a", has_left=True), [record("b"), record("c")]
    assert not has_room(player_standing([left, *running]), 2) and has_room(player_standing([left, *running]), 3)
    assert has_room(player_standing(running), 0)
    assert has_room(player_standing([left, *running, record("d", is_begun=False, on_time=1)]), 0)


def test_games_rate_no_stand_ins_and_who_leaves_a_seat_by_its_final_place() -> None:
    ann, bob = record("a", place=2), record("a", player="Bob", seat=BLUE, place=1)
    stand_in = record("a", player="Cleo", seat=Seat("green"), is_begun=False, place=3)
    assert places_of([ann, bob, stand_in]) == {"Ann": 2, "Bob": 1}
    assert places_of([replace(ann, has_left=True), replace(stand_in, seat=RED), bob]) == {"Ann": 2, "Bob": 1}
    assert places_of([replace(ann, player=""), bob]) == places_of([replace(ann, player="Bob"), bob]) == {}
