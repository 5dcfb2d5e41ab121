"""Report to the moderator: events in the club since a time, players who are late, what needs a decision, and messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.manage import known_games, open_matters, unsent_letters
from adjudicator.club.results import ClubMessage, ClubMessages, ClubReport, LateSeat, RecordedChange
from adjudicator.files.errors import FileProblem

_REPORT: Final = "report"
"""The task under which the ledger records when the moderator last read a report."""


def report_of(club: ClubFolder, ledger: Ledger, now: int, since: int | None = None) -> ClubReport:
    """Return the report at the time ``now`` about everything after ``since``.

    Without ``since``, it begins at the last report, or with the club; and the next one begins here.
    """
    begin = ledger.last_change(_REPORT) if since is None else since
    rows = {game: row for game, row in ledger.games().items() if game in club.games}
    continued = ledger.reported_games(begin)
    found = ClubReport(
        name=club.settings.name,
        since=begin,
        until=now,
        club_mails=ledger.mails_since(begin),
        letters=ledger.letters_since(begin),
        continued=continued,
        games_over=tuple(game for game in continued if game in rows and rows[game].is_over),
        changes=tuple(
            RecordedChange(changed_at=one.at, task=one.task, what=one.words)
            for one in ledger.changes(begin)
            if one.task != _REPORT
        ),
        late=tuple(_late(club, ledger, rows, now)),
        stopped_games={game: row.stopped for game, row in sorted(rows.items()) if row.stopped},
        matters=open_matters(ledger),
        unsent=unsent_letters(ledger),
    )
    if since is None:
        with ledger.change():
            ledger.record_change(now, _REPORT, "the moderator has read a report")
    return found


def messages_of(club: ClubFolder, ledger: Ledger, game: str) -> ClubMessages:
    """Return the messages of the players of ``game``, the oldest first. Raises ``ClubError``."""
    known_games(club, [game])
    found = (
        ClubMessage(
            written_at=one.written,
            seat=one.seat,
            player=one.sender,
            is_anonymous=one.is_anonymous,
            message_to=one.recipients,
            waiting_seats=one.waiting,
            state=one.state,
            text=one.text,
        )
        for one in ledger.messages(game)
    )
    return ClubMessages(game=game, club_messages=tuple(found))


def _late(club: ClubFolder, ledger: Ledger, rows: dict[str, GameRow], now: int) -> Iterator[LateSeat]:
    """Yield the seats whose orders are missing after the deadline, the longest wait first."""
    sent = ledger.waiting_seats()
    for row in sorted(rows.values(), key=lambda row: (row.due, row.id)):
        if row.is_running and row.due <= now:
            for seat in row.awaited:
                if seat not in sent.get(row.id, ()):
                    yield LateSeat(game=row.id, seat=seat, player=_player(club, row.id, seat), deadline=row.due)


def _player(club: ClubFolder, game: str, seat: str) -> str:
    """Return the name of a player, empty if the settings of the game cannot be read."""
    try:
        return club.seat_of(game, seat).name
    except FileProblem:
        return ""
