"""Pending orders of held seats: they stay pending though they are due."""

from __future__ import annotations

from dataclasses import replace

import pytest
from play import begin

from adjudicator.core.game import PendingOrder, PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.moderate.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.submission import Submission
from adjudicator.session import Session

RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(scope="module")
def begun() -> Session:
    """Return a race in which red is asked for a gear, then blue."""
    return begin("checkered-flag", secret="ab" * 32)


@pytest.fixture(scope="module")
def due(begun: Session) -> Session:
    """Return the race with pending orders of both seats; that of red is due."""
    pending = tuple(PendingSheet(seat, 0, (PendingOrder(1, "GEAR N"),)) for seat in (RED, BLUE))
    return begun.with_game(replace(begun.game, pending=pending))


def held(session: Session, *texts: str) -> AdjudicationResult:
    files = [(f"{number}.txt", text.encode()) for number, text in enumerate(texts, 1)]
    return adjudicate_files(session, files, held_seats={RED})


def test_a_pending_order_that_is_due_is_carried_out(due: Session) -> None:
    assert [link.entry.seat for link in adjudicate_files(due, ()).accepted] == [RED, BLUE]


def test_pending_orders_of_a_held_seat_stay_as_they_are(due: Session) -> None:
    result = held(due)
    assert not result.accepted
    assert not result.is_changed
    assert result.session.game.pending == due.game.pending


def test_a_new_sheet_of_a_held_seat_still_counts(due: Session) -> None:
    result = held(due, "red: WITHDRAW")
    assert not result.accepted
    assert [sheet.seat for sheet in result.session.game.pending] == [BLUE]


def test_the_game_drops_and_records_the_orders_of_held_seats_when_it_is_over(
    due: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(due.rules), "is_over", lambda *_given: True)
    after = held(due).session.game
    assert not after.pending
    assert {(one.sheet.seat, one.cause) for one in after.set_aside} == {(BLUE, "over"), (RED, "over")}


def test_a_seat_sees_the_problems_of_the_headers_in_its_own_text_only(begun: Session) -> None:
    text = Submission("mail", ("turn 9", "GEAR N"), BLUE)
    shared = Submission("mail", ("turn 9", "blue: GEAR N"))
    assert [found.problem.code for found in check_own(begun, [text], BLUE).diagnostics] == ["orders/wrong-turn"]
    assert check_own(begun, [shared], BLUE).diagnostics == ()
