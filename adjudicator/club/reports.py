"""Make the contents of reports, the club's lines in them, and the first letter to a player."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlencode

import adjudicator as adj
from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.letters import UNTIL, Content, LetterRow, content_of, template, write
from adjudicator.club.tokens import page_name, token_line
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, digest
from adjudicator.library.letters import few_names, player_name, report_subject
from adjudicator.reports.forms import picture_form, write_report
from adjudicator.reports.png import NoPictureError
from adjudicator.reports.report_html import report_html
from adjudicator.reports.report_text import report_text

_KINDS: Final = {"png": "image/png", "svg": "image/svg+xml"}


def contents(turn: adj.Turn, pictures: str) -> dict[Seat, Content]:
    """Return the report to each seat and to `MODERATOR`; for players with slots, a page, ``pictures`` (png, svg, none)."""
    found = dict[Seat, Content]()
    form = picture_form() if pictures == "png" else pictures
    for report in turn.reports:
        if report.viewer == MODERATOR:
            found[MODERATOR] = Content(text=report_text(report))
        elif report.viewer is not None:
            picture = None
            with suppress(NoPictureError):  # the game has none
                picture = write_report(report, form) if form in _KINDS else None
            found[report.viewer] = Content(
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
    key, subject = f"report/{row.id}/{seal}/{MODERATOR}", report_subject(game, None)
    write(club, "report", MODERATOR, key, game=row, seal=seal, content=found[MODERATOR], subject=subject)


def slots_of(club: Club, row: GameRow, seat: SeatRow, game: adj.Game) -> dict[str, str]:
    """Return the club's lines in a report to the player of ``seat``: whose orders are due, the secret address, the token.

    ``row`` has the deadline of the position in ``game``. At the address, the player opens the last report in the desk; it
    ends with the club's address and the token, for mails that begin in the desk: no server sees this part.
    """
    is_own, due, until, board, desk = seat.seat in game.due_seats, "", "", "", club.settings.desk
    if row.due and row.paused:
        due = "The game is paused."
    elif row.due:
        whose = "Your orders" if is_own else f"The orders of {few_names(game, game.due_seats)}"
        due = f"{whose} are due {club.moment(row.due)}."
        until = f"{', by' if is_own else ' until'} {club.moment(row.due)}"
    if desk is not None and row.paged:
        name = page_name(club.secret, row.name, seat.seat, seat.token)
        given = {"file": f"{name}/{row.name}.json", "to": club.settings.address, "token": seat.token}
        board = f"{desk.address.rstrip('/')}/#{urlencode(given, safe='/@')}"
    return {"due": due, "until": until, "board": board, "form": token_line(row.name, seat.seat, seat.token)}


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
        players=listed(player_name(game, one) for one in game.seats),
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
