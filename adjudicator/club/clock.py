"""Move deadlines, tell players about it, and notice jumps of the clock.

A clock alone does not show whether someone put it forward or the club did not run. After a long jump, the club resets
deadlines, as if each turn began now. So players have time to read and answer their mails.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.club.deadlines import Deadlines, duration, next_deadline, shifted
from adjudicator.club.failures import contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.letters import SeatLetter, write_to_moderator, write_to_seat
from adjudicator.core.values import replace

_HOUR: Final = 3600
LONGEST_GAP: Final = 14 * 24 * 3600
"""The longest usual time between two rounds, forwards or backwards, in seconds."""


def with_deadline(rule: Deadlines, row: GameRow, due: int, time_zone: str) -> GameRow:
    """Return ``row`` with the deadline ``due`` (0: none) and the time of the reminder before it."""
    return replace(row, due=due, wake=max(1, shifted(due, rule.warn, time_zone, back=True)) if due else 0, stopped="")


def end_pause(row: GameRow, now: int) -> GameRow:
    """Return the ``row`` of a paused game that continues ``now``: its deadline moves by the length of the pause."""
    pause = max(0, now - row.paused) if row.paused and row.due else 0
    return replace(row, due=row.due + pause, paused=0)


def deadline_words(club: ClubFolder, row: GameRow) -> str:
    """Return when the game takes a player's orders, as a sentence for the player."""
    if row.is_paused:
        return "The game is paused. Your orders wait until the moderator resumes it."
    at = f", or at the deadline ({club.moment(row.due)})" if row.due else ""
    return f"The game continues when all players whose turn it is have sent their orders{at}."


def notify_players(
    club: ClubFolder, ledger: Ledger, game: str, text: str, now: int, *, subject: str, seats: Iterable[str] | None = None
) -> None:
    """Queue a letter about a new deadline or a pause to the players of a game, or of some of its ``seats``."""
    with contain(lambda _failure: None):  # the club reports unreadable settings when it looks at the game
        for seat in club.settings_of(game).seats if seats is None else seats:
            key = f"due/{game}/{now}/{subject}/{seat}"
            words = f"{game}: {subject}"
            letter = SeatLetter(key=key, kind="deadline", game=game, seat=seat, subject=words, text=f"{text}\n")
            write_to_seat(club, ledger, letter, now)


def keep_time(club: ClubFolder, ledger: Ledger, now: int) -> None:
    """Record the time ``now``, once an hour; after a long jump, reset the deadlines and write to the awaited players.

    After a jump forward, no deadline comes earlier than before; after a jump backward, none comes later.
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
        gap = f"The club did not run from {club.moment(before)} to {club.moment(now)}, or its clock was wrong."
        games = "\n".join(moved)
        write_to_moderator(
            club,
            ledger,
            key=f"clock/{before}/{now}",
            game="",
            subject="new deadlines after a jump of the clock",
            text=f"{gap}\n\nThe club has reset these deadlines, as if the turns began now:\n\n{games}\n",
            now=now,
        )


def _moved(club: ClubFolder, ledger: Ledger, row: GameRow, before: int, now: int) -> str:
    """Reset the deadline of a game if the jump of the clock is long for it; return the new one as text, or nothing."""
    rule = club.settings.deadlines
    with contain(lambda _failure: None):  # the club reports unreadable settings when it looks at the game
        rule = club.deadlines_of(row.id)
    if row.is_paused and now > before:  # its deadline moves when it continues
        return ""
    # A club with long turns may have long times between rounds.
    if not row.due or abs(now - before) <= 2 * int(duration(rule.every).total_seconds()):
        return ""
    due = (max if now > before else min)(row.due, next_deadline(rule, now, club.settings.time_zone))
    if due == row.due:
        return ""
    ledger.set_game(with_deadline(rule, replace(row, paused=min(row.paused, now)), due, club.settings.time_zone))
    words = f"orders due {club.moment(due)}"
    text = f"The club did not run for some time, or its clock was wrong. So {row.id} has a new deadline: {words}."
    notify_players(club, ledger, row.id, text, now, subject=words, seats=row.awaited)
    return f"{row.id}: {words}"
