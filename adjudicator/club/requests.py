"""Carry out the commands of players: holidays, messages, votes, another copy of a report, resignations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import adjudicator as adj
from adjudicator.club.commands import Holiday, MemberCommand, Message, Resend, Resign, Vote, Wait
from adjudicator.club.deadlines import holiday_span
from adjudicator.club.folder import ClubFolder
from adjudicator.club.holidays import note_holiday, seated_member
from adjudicator.club.ledger import Ledger, StoredMail
from adjudicator.club.letters import SeatLetter
from adjudicator.club.member_requests import answer_seat
from adjudicator.club.messages import take_message, tell_moderator
from adjudicator.club.register import member_at
from adjudicator.club.replies import Reply
from adjudicator.club.reports import report_letter
from adjudicator.club.turns import WAIT
from adjudicator.core.values import Seat
from adjudicator.files.outbox import report_name
from adjudicator.library.letters import player_name, report_subject

_RESIGNS: Final = """
`club seat` gives the seat to another player. `club accept`, with the number in `club status`, gives it to a
simulated player, and the club asks the members who stand in.
"""


def carry_out(
    club: ClubFolder,
    ledger: Ledger,
    game: adj.Game,
    mail: StoredMail,
    seat: Seat,
    replies: Sequence[Reply],
    references: tuple[str, ...],
    now: int,
) -> adj.Game:
    """Carry out the commands of ``mail``, each once, even if the call is repeated; return the game afterwards.

    The caller has locked the game file.
    """
    for number, reply in enumerate(reply for reply in replies if reply.is_done):
        key = f"{mail.identity}/{number}"
        match reply.command:
            case Holiday(first=first, last=last):
                game = _away(club, ledger, game, seat, first, last)
            case Message() as command:
                take_message(club, ledger, game, seat, command, key, now)
            case Resend():
                resend(club, ledger, game, seat, key, references, now)
            case Wait(is_on=is_on):
                with ledger.change():
                    ledger.vote(game.id, seat, WAIT, game.position_hash if is_on else "")
                    ledger.look_at(game.id)
            case Vote(motion=motion):
                _voted(club, ledger, game, seat, motion, now)
            case Resign():
                words = f"{player_name(game, seat)} wants to resign"
                tell_moderator(club, ledger, game.id, f"resign/{game.id}/{seat}/{key}", words, now, advice=_RESIGNS)
            case _:
                pass
    asked = [reply.command for reply in replies if reply.is_done and isinstance(reply.command, MemberCommand)]
    if asked:
        with ledger.change():
            settings = club.seat_of(game.id, seat)
            person = member_at(club, ledger, settings.addresses, settings.name, now)
            answer_seat(club, ledger, person, asked, mail.identity, references, now)
    return game


def _away(club: ClubFolder, ledger: Ledger, game: adj.Game, seat: Seat, first: date, last: date) -> adj.Game:
    """Record a holiday in the journal, which everybody can read, and in the ledger, for the deadlines.

    If the player is a member of the club, the holiday is for all their games.
    """
    after = game.take_holiday(seat, first.isoformat(), last.isoformat())
    if after is not game:
        club.save(after)
    span, person = holiday_span(first, last, club.settings.time_zone), seated_member(club, ledger, game.id, seat)
    with ledger.change():
        ledger.add_holiday(game.id, seat, *span)
        if person is not None:
            note_holiday(club, ledger, person, span)
    return after


def resend(
    club: ClubFolder, ledger: Ledger, game: adj.Game, seat: Seat, key: str, references: tuple[str, ...], now: int
) -> None:
    """Queue another copy of the last report to ``seat``, under a new ``key``."""
    path = club.path(game.id, "reports", report_name(seat))
    text = path.read_text("utf-8") if path.is_file() else "You have no report yet.\n"
    letter = SeatLetter(
        key=f"resend/{key}",
        kind="resent",
        game=game.id,
        seat=seat,
        subject=f"{report_subject(game, seat)} (sent again)",
        text=text,
        references=references,
    )
    with ledger.change():
        row = ledger.game(game.id)
        ledger.queue(report_letter(club, ledger, letter, game, row, row.due, now))


def _voted(club: ClubFolder, ledger: Ledger, game: adj.Game, seat: Seat, motion: str, now: int) -> None:
    seal = game.record.seal
    with ledger.change():
        agreed = ledger.vote(game.id, seat, motion, seal)
    if agreed >= set(game.seats):
        tell_moderator(club, ledger, game.id, f"vote/{game.id}/{seal}/{motion}", f"all players vote for {motion}", now)
