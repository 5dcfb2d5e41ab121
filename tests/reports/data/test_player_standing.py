"""The standing of a player: turns on time, misses, holidays, stand-ins, from the entries of a journal alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.corrections import MissedDeadline, MissedPolicy, SeatHanded, Undone, WentOnHoliday
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import Player
from adjudicator.core.step import SKIPPED
from adjudicator.outputs.standings import SeatRecord
from adjudicator.reports.data.player_standing import (
    SIMULATED,
    ConditionError,
    PlayerStanding,
    has_room,
    meets,
    places_of,
    player_standing,
    seat_records,
)

RED, BLUE = Seat("red"), Seat("blue")
PLAYERS = (Player(RED, "Ann"), Player(BLUE, "Bob"))
DUE = "Thursday 2026-03-05 20:00 UTC"


def journal(*parts: tuple[int, Any]) -> list[Entry]:
    """Return a journal: pairs of a turn with a seat that gives an order, or with an event of the moderator."""
    about = {"order": "GO", "written": None, "notes": (), "drawn": 0}
    found = [Entry(n=0, turn=0, seat=None, events=(), **{**about, "order": ""})]
    for n, (turn, what) in enumerate(parts, 1):
        is_order = isinstance(what, str)
        found.append(
            Entry(n=n, turn=turn, seat=what if is_order else MODERATOR, events=() if is_order else (what,), **about)
        )
    return found


def missed(seat: Seat = RED, due: str = DUE) -> MissedDeadline:
    return MissedDeadline(seat=seat, due=due, policy=MissedPolicy.BOT, missed=1)


def handed(before: str, holder: str, seat: Seat = RED) -> SeatHanded:
    return SeatHanded(seat=seat, before=before, holder=holder, reason="x")


def away(first: str, last: str) -> WentOnHoliday:
    return WentOnHoliday(seat=RED, first=first, last=last)


def counts(*parts: tuple[int, Any], player: str = "Ann", **more: Any) -> tuple[int, int, int]:
    """Return the turns of ``player`` on time, missed, and excused."""
    (one,) = (one for one in seat_records("g", PLAYERS, journal(*parts), **more) if one.player == player)
    return one.on_time, one.missed, one.excused


def test_a_turn_counts_once_however_many_orders_it_has() -> None:
    assert counts((1, RED), (1, RED), (1, BLUE), (2, RED)) == (2, 0, 0)


def test_skipped_orders_do_not_count() -> None:
    entries = journal((1, RED), (1, RED))
    entries[2] = replace(entries[2], order=SKIPPED, turn=2)
    assert seat_records("g", PLAYERS, entries)[0].on_time == 1


@pytest.mark.parametrize("decided", [[(1, RED), (1, BLUE)], [(1, BLUE), (1, RED)], [(1, RED), (2, RED), (3, BLUE)]])
def test_orders_decided_after_a_miss_are_not_the_players(decided: list[tuple[int, Any]]) -> None:
    assert counts((0, missed()), *decided, (4, RED), (5, RED)) == (2, 1, 0)
    assert counts((0, missed()), *decided, (4, RED), player="Bob") == (1, 0, 0)


def test_a_holiday_excuses_misses_on_its_days_if_it_was_known_before() -> None:
    assert counts((0, away("2026-03-01", "2026-03-05")), (0, missed()), (1, RED)) == (0, 0, 1)
    assert counts((0, away("2026-03-01", "2026-03-04")), (0, missed()), (1, RED)) == (0, 1, 0)
    assert counts((0, missed()), (1, RED), (1, away("2026-03-01", "2026-03-09"))) == (0, 1, 0)
    assert counts((0, away("2026-03-01", "2026-03-09")), (0, missed(due="noon")), (1, RED)) == (0, 1, 0)


def test_what_an_undo_takes_back_does_not_count() -> None:
    assert counts((1, RED), (1, missed()), (2, RED), (2, BLUE), (3, Undone(to=1, reason="x")), (4, RED)) == (2, 0, 0)


def test_a_player_who_leaves_before_the_end_abandons_the_seat() -> None:
    parts = ((1, RED), (2, handed("Ann", SIMULATED)), (3, RED), (4, handed(SIMULATED, "Cleo")), (5, RED))
    ann, bob, cleo = seat_records("g", PLAYERS, journal(*parts))
    assert (ann.is_begun, ann.has_left, ann.on_time) == (True, True, 1)
    assert (bob.has_left, cleo.player, cleo.is_begun, cleo.has_left, cleo.on_time) == (False, "Cleo", False, False, 1)
    assert not seat_records("g", PLAYERS, journal((1, RED), (2, handed("Ann", "Cleo"))), places={RED: 1})[0].has_left


def test_a_player_who_comes_back_has_not_abandoned_the_seat() -> None:
    parts = ((1, RED), (2, handed("Ann", "Cleo")), (3, RED), (4, handed("Cleo", "Ann")), (5, RED))
    ann, _, cleo = seat_records("g", PLAYERS, journal(*parts))
    assert (ann.has_left, ann.on_time, cleo.has_left) == (False, 2, True)
    assert player_standing([cleo]).abandoned == 0


def test_names_of_one_address_are_one_player() -> None:
    names = {(RED, "Ann"): "ann@x", (RED, "Anne"): "ann@x"}
    found = seat_records("g", PLAYERS, journal((1, RED), (2, handed("Ann", "Anne")), (3, RED)), names=names)
    assert [(one.player, one.has_left, one.on_time) for one in found] == [("ann@x", False, 2), ("Bob", False, 0)]


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
    over = [record(f"g{n}", is_over=True, finished=n, on_time=1) for n in range(12)]
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
    ],
)
def test_conditions_compare_exactly(condition: str, is_met: bool) -> None:
    found = player_standing([record("a", on_time=9, missed=1), record("b", has_left=True)])
    assert meets(found, condition) is is_met


def test_a_newcomer_meets_usual_conditions() -> None:
    assert meets(PlayerStanding(), "reliability>=100 abandoned<=0")


@pytest.mark.parametrize(
    "condition", ["", "reliability", "reliability=90", "rating>=1500", "reliability>=9000", "abandoned<=x"]
)
def test_a_condition_that_makes_no_sense_is_named(condition: str) -> None:
    with pytest.raises(ConditionError, match="is not a condition"):
        meets(PlayerStanding(), condition)


def test_players_who_drop_out_have_a_limit_until_they_stand_in() -> None:
    left, running = record("a", has_left=True), [record("b"), record("c")]
    assert not has_room(player_standing([left, *running]), 2) and has_room(player_standing([left, *running]), 3)
    assert has_room(player_standing(running), 0)
    assert has_room(player_standing([left, *running, record("d", is_begun=False, on_time=1)]), 0)


def test_games_rate_neither_stand_ins_nor_players_who_left() -> None:
    ann, bob = record("a", place=2), record("a", player="Bob", seat=BLUE, place=1)
    stand_in = record("a", player="Cleo", seat=Seat("green"), is_begun=False, place=3)
    assert places_of([ann, bob, stand_in]) == {"Ann": 2, "Bob": 1}
    assert places_of([replace(ann, has_left=True), bob]) == {"Bob": 1}
    assert places_of([replace(ann, player=""), bob]) == places_of([replace(ann, player="Bob"), bob]) == {}
