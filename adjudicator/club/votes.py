"""Votes of players: what they can decide together, how votes count, and what follows."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.club.clock import extend, pause, resume
from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.commands import Ask, Reply
from adjudicator.club.deadlines import DeadlineError, duration, require_positive, time_of
from adjudicator.club.matters import DAY, note_use, raise_matter
from adjudicator.core.values import Seat
from adjudicator.library.seat_records import SIMULATED

HINT: Final = "write VOTE draw, VOTE undo, VOTE extend 2 days, VOTE pause, VOTE pause until 2026-12-31 or VOTE resume"
_BY_MODERATOR: Final = frozenset({"draw", "undo"})
"""The motions after which the moderator decides; they count until anything in the game changes."""
_WAIT: Final = "wait"


def cast(club: Club, row: GameRow, seat: SeatRow, motion: str, mark: str) -> None:
    """Record the vote of ``seat`` for ``motion``, which counts as long as the game has this ``mark`` (empty: no longer).

    It replaces another one of this kind, such as for a longer extension.
    """
    kind, known = motion.partition(" ")[0], club.seat(row, seat.seat).votes
    votes = {one: at for one, at in known.items() if one.partition(" ")[0] != kind}
    club.db.update("seats", seat.id, votes={**votes, motion: mark} if mark else votes)
    club.db.update("games", row.id, changed=-1)


def own_votes(ask: Ask) -> list[str]:
    """Return the motions for which the seat of ``ask`` has voted, and which still count."""
    assert ask.game is not None
    assert ask.row is not None
    assert ask.seat is not None
    marks = (ask.game.record.seal, ask.game.position_hash)
    votes = ask.club.seat(ask.row, ask.seat.seat).votes
    return [motion for motion, mark in votes.items() if motion != _WAIT and mark in marks]


def take(ask: Ask, motion: str, term: str = "") -> Reply:
    """Count a vote in the present position. If all players vote for the same, it happens, or the moderator decides."""
    club, game = ask.club, ask.game
    assert game is not None
    assert ask.row is not None
    assert ask.seat is not None
    row, seat = club.row(ask.row.id), ask.seat
    wanted = f"pause until {term}" if motion == "pause" and term else f"{motion} {term}".rstrip()
    if flaw := _flaw(club, row, motion, term):
        return Reply(f"The club cannot count your vote for {wanted}: {flaw}.", is_done=False)
    if motion == "none":
        for known in own_votes(ask):
            cast(club, row, seat, known, "")
        return Reply("The club no longer counts your earlier votes.")
    voters = [one for one in club.seats(row) if game.players[Seat(one.seat)] != SIMULATED]
    if seat.seat not in [one.seat for one in voters]:
        return Reply("A simulated player has your seat, so your vote does not count.", is_done=False)
    mark = game.record.seal if motion in _BY_MODERATOR else game.position_hash
    cast(club, row, seat, wanted, mark)
    said = f"The club has counted your vote for {wanted}. It counts until the game continues, or you write VOTE none."
    if not all(one.id == seat.id or one.votes.get(wanted) == mark for one in voters):
        return Reply(said)
    if motion in _BY_MODERATOR:
        words = f"all players vote for {motion}"
        raise_matter(club, "note", words, key=f"vote/{row.id}/{mark}/{motion}", game=row, advice="")
        return Reply(said)
    for one in voters:
        cast(club, row, one, wanted, "")
    note_use(club, f"game/{row.id}", "vote", wanted)
    if motion == "extend":
        extend(club, row, term, is_voted=True)
    elif motion == "pause":
        pause(club, row, time_of(term, club.settings.time_zone) if term else 0, is_voted=True)
    else:
        resume(club, row, f"The players have resumed {row.name}.")
    return Reply(f"All players have voted for {wanted}.")


def _flaw(club: Club, row: GameRow, motion: str, term: str) -> str:
    """Return why the club cannot count a vote; empty if it can."""
    is_date, most = bool(re.match(r"\d{4}-", term)), club.settings.limits
    if row.is_over:
        return f"{row.name} is over"
    if (term and is_date != (motion == "pause")) or (bool(term) != (motion == "extend") and motion != "pause"):
        return f"please {HINT}"
    try:
        if motion == "extend":
            require_positive(term)
            if duration(term) > duration(most.extension):
                return f"a vote can extend a deadline by at most {most.extension}"
            if not row.due:
                return f"{row.name} has no deadline"
        elif term and not club.now < time_of(term, club.settings.time_zone) <= club.now + most.days_ahead * DAY:
            return f"a pause ends after today, and within {most.days_ahead} days"
    except DeadlineError as error:
        return str(error)
    if motion == "pause" and row.paused:
        return "the game is already paused"
    if motion == "resume" and not row.paused:
        return "the game is not paused"
    if motion == "resume" and not row.is_voted:
        return "the moderator has paused the game. Please write MESSAGE to moderator: and your text"
    return ""
