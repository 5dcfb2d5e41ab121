"""Move deadlines, tell players about it, keep their holidays, and notice jumps of the clock."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import adjudicator as adj
from adjudicator.club2.club import Club, GameRow, Person, SeatRow


def set_deadline(club: Club, row: GameRow, due: int, *, begin: int | None = None, **columns: Any) -> None:
    """Set the deadline ``due`` of a game (0: none), the time of the reminder before it, and other ``columns`` of its row.

    A reminder that would come before ``begin`` of the turn, if this is given, does not come.
    """
    raise NotImplementedError


def give_full_turn(club: Club, row: GameRow) -> str:
    """Move the deadline as if the turn began now, but never to an earlier time; return the new one as text, or nothing."""
    raise NotImplementedError


def tell(club: Club, row: GameRow, template: str, seats: Iterable[str] | None = None, **words: str) -> None:
    """Queue the letter ``template`` about a deadline or a pause to the players of a game, or of some of its ``seats``."""
    raise NotImplementedError


def pause(club: Club, row: GameRow) -> None:
    """Stop the clock of a game and write to its players. The club answers its mails, and keeps their orders."""
    raise NotImplementedError


def resume(club: Club, row: GameRow) -> None:
    """Resume a game that is paused or has failed; the next round runs it.

    The deadline of a paused game moves by the length of the pause, and its players get a letter.
    """
    raise NotImplementedError


def extend(club: Club, row: GameRow, by: str) -> int:
    """Move the deadline of a game ``by`` a duration (`2 days`), from now if it is over, and tell its players; return it.

    Raises ``ClubError``, ``DeadlineError``.
    """
    raise NotImplementedError


def keep_time(club: Club) -> None:
    """Record the time, once an hour; after a long jump, reset the deadlines and write to the awaited players.

    After a jump forward, no deadline comes earlier than before; after a jump backward, none comes later.
    """
    raise NotImplementedError


def deadline_words(club: Club, row: GameRow) -> str:
    """Return when the game takes a player's orders, as a sentence for the player."""
    raise NotImplementedError


def away_until(club: Club, seat: SeatRow) -> int:
    """Return the end of the holiday that the player of ``seat`` has now, in seconds since 1970; 0 for none."""
    raise NotImplementedError


def holiday_flaw(club: Club, person: Person, first: date, last: date, at: int = 0) -> str:
    """Return why the club cannot accept a holiday, asked for ``at`` a time (0: now); empty if it can."""
    raise NotImplementedError


def note_holiday(club: Club, person: Person, first: date, last: date) -> None:
    """Record a holiday of a person for all their games, whose journals get it with their next step."""
    raise NotImplementedError


def with_holidays(club: Club, row: GameRow, game: adj.Game) -> adj.Game:
    """Return ``game`` with all present and future holidays of its players in its journal; save it if that changes it."""
    raise NotImplementedError
