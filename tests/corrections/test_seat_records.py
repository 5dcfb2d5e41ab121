"""The record of a player on a seat, from the entries of a journal alone: turns on time, misses, holidays, other players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.corrections import MissedDeadline, MissedPolicy, SeatHanded, Undone, WentOnHoliday
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import Player
from adjudicator.core.step import SKIPPED
from adjudicator.corrections.seat_records import seat_records
from adjudicator.reports.data.player_standing import SIMULATED, player_standing

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
    assert counts((0, away("2026-03-01", "2026-03-09")), (0, handed("Ann", "Cleo")), (0, missed()), player="Cleo") == (
        0,
        1,
        0,
    )


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
