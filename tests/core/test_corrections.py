"""The journal read from its beginning: what an undo leaves, and what counts after several."""

from __future__ import annotations

from typing import Any

from adjudicator.core.corrections import SeatHanded, SecretRevealed, Undone, holders, undone_entries
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import Player


def entries(*events: Any) -> list[Entry]:
    """Return entries from 0, each with one of ``events`` (``None``: an order with none)."""
    return [
        Entry(
            n=n,
            turn=n,
            seat=MODERATOR if event else Seat("red"),
            order="",
            written=None,
            notes=(),
            events=(event,) if event else (),
            drawn=0,
        )
        for n, event in enumerate(events)
    ]


def undo(to: int) -> Undone:
    return Undone(to=to, reason="x")


def hand(seat: str, holder: str) -> SeatHanded:
    return SeatHanded(seat=Seat(seat), before="", holder=holder, reason="x")


def test_an_undo_takes_back_all_between_and_not_itself() -> None:
    assert undone_entries(entries(None, None, None, None, undo(1))) == {2: 4, 3: 4}


def test_what_was_undone_first_stays_undone_by_the_first() -> None:
    """A second undo that goes farther back takes back the first undo, too, but not again what that had taken back."""
    assert undone_entries(entries(None, None, None, undo(1), None, undo(0))) == {1: 5, 2: 3, 3: 5, 4: 5}


def test_what_is_played_after_an_undo_counts_until_it_is_undone() -> None:
    assert undone_entries(entries(None, None, undo(0), None)) == {1: 2}
    assert undone_entries(entries(None, None, undo(0), None, undo(2))) == {1: 2, 3: 4}


def test_a_seat_stays_handed_over_and_a_secret_published() -> None:
    told = SecretRevealed(secret="0" * 64, is_early=True, reason="x")
    record = entries(None, hand("red", "Cid"), told, None, undo(0))
    assert undone_entries(record) == {3: 4}
    assert holders((Player(Seat("red"), "Ann"), Player(Seat("blue"), "Bob")), record) == {"red": "Cid", "blue": "Bob"}


def test_who_was_handed_a_seat_last_holds_it() -> None:
    assert holders((Player(Seat("red"), "Ann"),), entries(None, hand("red", "Cid"), hand("red", ""))) == {"red": ""}
