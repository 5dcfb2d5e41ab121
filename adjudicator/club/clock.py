"""The clock that a club goes by, which may be wrong, and the times in which the club does not run.

A clock alone does not show whether it was put forward or the club did not run. After a long jump, the club resets deadlines,
as if each turn began now: so players can read what was sent meanwhile, and answer it.
"""

from __future__ import annotations

from typing import Final

from adjudicator.club.deadlines import duration, moment, next_deadline
from adjudicator.club.failures import contained
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.letters import ToSeat, write_to_moderator, write_to_seat
from adjudicator.club.turns import with_deadline

_HOUR: Final = 3600
LONGEST_GAP: Final = 14 * 24 * 3600
"""Seconds between two rounds, forwards or backwards, that are nothing unusual for a club."""


def keep_time(club: ClubFolder, ledger: Ledger, now: int) -> None:
    """Record that it is ``now``, once an hour; after a long jump, reset the deadlines and write to the awaited players.

    After a jump forward no deadline comes earlier, after one backward none comes later than it was.
    """
    before = ledger.clock()
    if before is not None and abs(now - before) < _HOUR:
        return
    with ledger.change():
        ledger.set_clock(now)
        if before is None or abs(now - before) <= LONGEST_GAP:
            return
        moved = [words for row in ledger.games().values() if (words := _moved(club, ledger, row, before, now))]
        if not moved:
            return
        gap = f"The club did not run from {_moment(club, before)} to {_moment(club, now)}, or its clock was wrong."
        games = "\n".join(moved)
        write_to_moderator(
            club,
            ledger,
            key=f"clock/{before}/{now}",
            game="",
            subject="deadlines have changed",
            text=f"{gap}\n\nThe club has reset these deadlines, as if the turns began now:\n\n{games}\n",
            now=now,
        )


def _moved(club: ClubFolder, ledger: Ledger, row: GameRow, before: int, now: int) -> str:
    """Reset the deadline of a game if the clock has jumped far for it; return the new one as text, empty if it did not."""
    rule = club.settings.deadlines
    with contained(lambda _failure: None):  # the club reports unreadable settings when it looks at the game
        rule = club.deadlines_of(row.id)
    # A club with long turns may have rounds that are far apart.
    if not row.due or abs(now - before) <= 2 * int(duration(rule.every).total_seconds()):
        return ""
    due = (max if now > before else min)(row.due, next_deadline(rule, now, club.settings.time_zone))
    if due == row.due:
        return ""
    ledger.set_game(with_deadline(rule, row, due))
    words = f"orders due {_moment(club, due)}"
    text = f"The club did not run for some time, or its clock was wrong. So the deadline of {row.id} has changed: {words}.\n"
    for seat in row.awaited:
        key = f"due/{row.id}/{now}/{seat}"
        letter = ToSeat(key=key, kind="deadline", game=row.id, seat=seat, subject=words, text=text)
        with contained(lambda _failure: None):
            write_to_seat(club, ledger, letter, now)
    return f"{row.id}: {words}"


def _moment(club: ClubFolder, seconds: int) -> str:
    return moment(seconds, club.settings.time_zone)
