"""Make the contents of reports, the club's lines in them, and the first letter to a player."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlencode

import adjudicator as adj
from adjudicator.club.bank import bank_words
from adjudicator.club.clock import pause_words
from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.letters import UNTIL, Content, LetterRow, content_of, message_id, template, write
from adjudicator.club.settings import HIDDEN
from adjudicator.club.tokens import page_name, token_line
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, digest
from adjudicator.library.letters import few_names, player_name, report_subject
from adjudicator.reports.forms import report_text, write_report
from adjudicator.reports.images import NoPictureError, picture_form
from adjudicator.reports.report_html import report_html

OBSERVERS: Final = Seat("")
"""The readers of the report for the public."""
_OBSERVERS: Final = (
    "select people.* from people join observers on person = people.id where game = ? and joined > 0 and not exists"
    " (select 1 from seats where game = ? and seats.person = people.id and until = 0 and not is_dropped) order by people.id"
)
_NAMELESS: Final = ". Names stay hidden until the game is over"
_KINDS: Final = {"png": "image/png", "svg": "image/svg+xml"}


def contents(turn: adj.Turn, pictures: str, *, is_observed: bool = False) -> dict[Seat, Content]:
    """Return the report to each seat and to `MODERATOR`; for players with slots, a page, ``pictures`` (png, svg, none).

    If the game ``is_observed``, `OBSERVERS` get the report for the public.
    """
    found = dict[Seat, Content]()
    form = picture_form() if pictures == "png" else pictures
    for report in turn.reports:
        if report.viewer == MODERATOR:
            found[MODERATOR] = Content(text=report_text(report))
        elif report.viewer is not None or is_observed:
            picture = None
            with suppress(NoPictureError):  # the game has none
                picture = write_report(report, form) if form in _KINDS else None
            found[report.viewer or OBSERVERS] = Content(
                text=report_text(report, has_slots=True),
                html=report_html(report, has_slots=True),
                picture=picture,
                kind_of_picture=_KINDS[form] if picture is not None else "",
            )
    return found


def write_reports(club: Club, row: GameRow, game: adj.Game, found: dict[Seat, Content]) -> None:
    """Prepare the reports in ``found`` to the players and to the moderator, for the seal of ``game``.

    The first ones come after a welcome. The same report to the same player has the same key, because a second letter
    would reveal what others did.
    """
    seal = game.record.seal
    for seat in club.seats(row):
        content, line = found[Seat(seat.seat)], token_line(row.name, seat.seat, seat.token)
        if not row.seal:
            welcome(club, row, game, seat, seal)
        key = f"report/{row.id}/{digest(content.text.encode(), line.encode())}/{seat.seat}"
        subject = report_subject(game, Seat(seat.seat))
        write(club, "report", seat, key, game=row, seal=seal, content=content, subject=subject)
    for person in observers(club, row) if OBSERVERS in found else ():
        content, subject = found[OBSERVERS], report_subject(game, None)
        key = f"observed/{row.id}/{digest(content.text.encode())}/{person.id}"
        thread = (message_id(club, f"thread:{row.name}"),)
        write(club, "observed", person, key, game=row, thread=thread, seal=seal, content=content, subject=subject)
    key, subject = f"report/{row.id}/{seal}/{MODERATOR}", report_subject(game, None)
    write(club, "report", MODERATOR, key, game=row, seal=seal, content=found[MODERATOR], subject=subject)


def observers(club: Club, row: GameRow) -> list[Person]:
    """Return the people who get what the public may know of a game: those who observe it and do not play in it."""
    return club.db.all(Person, _OBSERVERS, row.id, row.id)


def slots_of(club: Club, row: GameRow, seat: SeatRow, game: adj.Game) -> dict[str, str]:
    """Return the club's lines in a report to the player of ``seat``: whose orders are due, time bank, board, token.

    ``row`` has the deadline of the position in ``game``. The address is that of the board on the club's pages, if it serves
    any, which is no secret. Otherwise the player opens the last report in the desk there; it ends with the club's address
    and the token, for mails that begin in the desk: no server sees this part.
    """
    is_own, until, board, desk = seat.seat in game.due_seats, "", "", club.settings.desk
    due = due_words(club, row, game, "Your orders" if is_own else "")
    if row.due and not row.paused:
        until = f"{', by' if is_own else ' until'} {club.moment(row.deadline)}"
    if club.settings.serve.address:
        board = f"{club.settings.serve.address.rstrip('/')}/g/{row.name}/{seat.seat}"
    elif desk is not None and row.paged:
        name = page_name(club.secret, row.name, seat.seat, seat.token)
        given = {"file": f"{name}/{row.name}.json", "to": club.settings.address, "token": seat.token}
        board = f"{desk.address.rstrip('/')}/#{urlencode(given, safe='/@')}"
    bank, form = bank_words(club, row, seat), token_line(row.name, seat.seat, seat.token)
    return {"due": due, "bank": bank, "until": until, "board": board, "form": form}


def due_words(club: Club, row: GameRow, game: adj.Game, whose: str = "") -> str:
    """Return the club's line about a deadline: ``whose`` orders (empty: those of the awaited players) are due.

    When a game that hides the names of its players is over, the line has the names instead.
    """
    if row.is_over and row.settings.names == HIDDEN:
        return f"The players were {listed(one.player for one in club.seats(row, former=True))}."
    if not row.due or row.paused:
        return pause_words(club, row) if row.due else ""
    are = "were" if row.overtime else "are"
    return f"{whose or f'The orders of {few_names(game, game.due_seats)}'} {are} due {club.moment(row.deadline)}."


def welcome(club: Club, row: GameRow, game: adj.Game, seat: SeatRow, seal: str = "") -> None:
    """Write the welcome letter to the player of ``seat``, of which each token gets one.

    With a ``seal``, it waits for the game with this seal, and for its deadline.
    """
    own, line = game.seen_by(Seat(seat.seat)), token_line(row.name, seat.seat, seat.token)
    is_due = seat.seat in game.due_seats
    write(
        club,
        "welcome",
        seat,
        f"welcome/{row.id}/{seat.seat}/{digest(line.encode())}",
        game=row,
        seal=seal,
        slots=None if seal else slots_of(club, row, seat, game),
        ruleset=game.meta.name,
        seat=seat.seat,
        players=listed(player_name(game, one) for one in game.seats) + _NAMELESS * row.hides_names,
        task=f"It is your turn now.{UNTIL}" if is_due else "It is not your turn yet. You will get a mail when it is.",
        line=line,
        order="" if own.example is None else template("order")[2].format(order=own.example),
    )


def resend(club: Club, row: GameRow, game: adj.Game, seat: SeatRow, key: str, thread: Sequence[str] = ()) -> None:
    """Queue the text of the last report to the player of ``seat`` once more, with the present deadline."""
    found, subject = last_report(club, seat), report_subject(game, Seat(seat.seat))
    content, slots = Content(text=found.text if found else "You have no report yet.\n"), slots_of(club, row, seat, game)
    write(club, "resent", seat, key, game=row, thread=thread, slots=slots, content=content, subject=subject)


def last_report(club: Club, seat: SeatRow) -> Content | None:
    """Return the newest report to the player of ``seat`` (also at an earlier address); ``None`` if there is none."""
    query = (
        "select * from letters where game = ? and seat = ? and kind = 'report' and state <> 'prepared' and length(content)"
        " and written >= ? and person not in (select person from seats where game = ? and seat = ? and until > 0)"
        " order by id desc limit 1"
    )
    found = club.db.first(LetterRow, query, seat.game, seat.seat, seat.since, seat.game, seat.seat)
    return content_of(found) if found else None
