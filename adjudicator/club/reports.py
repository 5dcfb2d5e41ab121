"""Make the reports about a game, and bring them to each reader: by mail, when the reader wants them, and as a page.

A reader may want reports at once, in place of a reminder, or once a day (`SET mail`). Until then, the ledger keeps them as
letters with the state `kept`. The first and the last report of a game do not wait, and nor does one about a turn that would
be over before.

The page of a player, in the folder of a desk, is the report and the own file, at a secret address. A game has pages since
its first reports with a desk (`games.paged`), of the position that its players know. Each round writes new and lost pages,
and removes the pages of earlier players.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import adjudicator as adj
from adjudicator.club.clock import acts_at, bank_words, pause_words, task_words
from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.db import Failure, contain
from adjudicator.club.deadlines import next_morning
from adjudicator.club.letters import (
    UNTIL,
    Content,
    LetterRow,
    content_of,
    is_page_name,
    message_id,
    page_name,
    report_lines,
    template,
    token_line,
    write,
)
from adjudicator.club.matters import raise_matter, settle_key
from adjudicator.club.settings import HIDDEN
from adjudicator.core.phrases import count, listed
from adjudicator.core.values import MODERATOR, Seat, digest, replace
from adjudicator.files.writing import SHARED, write_atomic
from adjudicator.library.results import few_names, player_name, report_subject
from adjudicator.reports.forms import report_text, write_report
from adjudicator.reports.images import NoPictureError, picture_form
from adjudicator.reports.web import filled_page, report_html

OBSERVERS: Final = Seat("")
"""The readers of the report for the public."""
_OBSERVERS: Final = (
    "select people.* from people join observers on person = people.id where game = ? and joined > 0 and not exists"
    " (select 1 from seats where game = ? and seats.person = people.id and until = 0 and not is_dropped) order by people.id"
)
_NAMELESS: Final = ". Names stay hidden until the game is over"
_KINDS: Final = {"png": "image/png", "svg": "image/svg+xml"}
_NEVER: Final = 1 << 40
"""The time at which a report goes out that waits for a reminder."""
_NEWEST: Final = (
    "select * from letters where game = ? and seat = ? and person = ? and state = 'queued'"
    " and kind in ('report', 'observed') order by id desc limit 1"
)
_KEPT: Final = "select * from letters where game = ? and seat = ? and person = ? and state = 'kept' order by id"
_DUE: Final = "select distinct person from letters where state = 'kept' and next_try <= ? order by person"
_ALL: Final = (
    "select letters.* from letters join games on games.id = game where person = ? and state = 'kept'"
    " order by games.name, seat, letters.id"
)
_RULE: Final = "=" * 72
_RELEASE: Final = re.compile(r'data-release="([0-9a-f]{12})" data-version="([^"]*)"')
"""In the first page of a built desk: its release, and the version of the program."""


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


def keep_for_later(club: Club, row: GameRow, game: adj.Game, seats: Sequence[SeatRow], new: Collection[str]) -> None:
    """Keep those reports about ``game`` whose readers want them later; they have just been queued.

    ``row`` has the deadline, ``seats`` are as before the turn, ``new`` those that have got a report. If one does not wait,
    earlier ones go out before it.
    """
    has_reminder = bool(row.due) and row.wake < acts_at(club, row, row.due, row.overtime)
    morning, readers = next_morning(club.now, club.settings.time_zone), list[tuple[str, int, str, bool]]()
    for seat in seats:
        if seat.seat in new and seat.prefs.mail != "turn":
            is_due = seat.seat in game.due_seats
            waits = not is_due or has_reminder
            if seat.prefs.mail == "late":
                waits = waits and bool(row.due)
                if seat.is_due and seat.is_ready:  # who has sent orders knows the position for which they were
                    for letter in club.db.all(LetterRow, _KEPT, row.id, seat.seat, seat.person):
                        club.db.update("letters", letter.id, state="dropped")
            else:
                waits = waits or not row.due or morning <= row.due
            is_own = seat.sitter is None  # what a sitter does, the player learns at once
            readers.append((seat.seat, seat.person, seat.prefs.mail, waits and is_own and not game.is_over))
    for one in observers(club, row):
        readers.append(("", one.id, one.prefs.mail, one.prefs.mail == "digest" and not game.is_over))
    for place, person, mode, waits in readers:
        if waits and (newest := club.db.first(LetterRow, _NEWEST, row.id, place, person)):
            club.db.update("letters", newest.id, state="kept", next_try=morning if mode == "digest" else _NEVER)
        elif not waits:
            _queue_kept(club, club.db.all(LetterRow, _KEPT, row.id, place, person), "")


def remind(club: Club, row: GameRow, seat: SeatRow, key: str, *, turn: str, player: str, why: str, due: str) -> int:
    """Queue the reminder to the player of ``seat``, or the reports that wait, the newest with its words.

    Return 0 if the reminder with this ``key`` has gone out before.
    """
    letters = club.db.all(LetterRow, _KEPT, row.id, seat.seat, seat.person)
    if not letters or seat.sitter is not None:
        return write(club, "reminder", seat, key, game=row, turn=turn, player=player, why=why, due=due)
    _, subject, text = template("reminder")
    named = {"game": row.name, "turn": turn, "player": player, "why": why, "due": due}
    _queue_kept(club, letters, " ".join(text.format_map(named).partition("\n\n")[0].split()))
    head = letters[-1].subject.partition("] ")[0]
    club.db.update("letters", letters[-1].id, subject=f"{head}] {subject.format_map(named)}")
    return letters[-1].id


def send_daily(club: Club) -> None:
    """Queue one letter with the texts of all reports of a reader whose morning has come."""
    for number in club.db.all(int, _DUE, club.now):
        with club.db.transaction():
            person, letters = club.person(number), club.db.all(LetterRow, _ALL, number)
            if len(letters) == 1:
                send_kept(club, person)
                continue
            places = dict.fromkeys((letter.game, letter.seat) for letter in letters)
            rows = {game: club.row(game) for game, _ in places if game is not None}
            held = {(seat.game, seat.seat): (club.row(seat.game), seat) for seat in club.seats_of(number)}
            own = {place: one for place, one in held.items() if place in places or (one[1].is_due and not one[0].is_over)}
            lines = [f"{row.name} ({seat.seat}): {task_words(club, row, seat)}" for row, seat in own.values()]
            if len(own) > 1:
                lines += ["", "To send orders, write a mail for each game, with the line of the game above them:", ""]
                lines += [f"    {token_line(row.name, seat.seat, seat.token)}" for row, seat in own.values()]
            texts = (report_lines(replace(one, slots=_undated(one))) for one in letters)
            write(
                club,
                "reports",
                next(iter(own.values()))[1] if len(own) == 1 else person.address if own else person,
                f"reports/{number}/{letters[-1].id}",
                about=person,
                games=listed(row.name for row in rows.values()),
                reports=count(len(letters), "report"),
                text="\n".join(lines).strip() or "You observe these games.",
                texts=f"\n\n{_RULE}\n\n".join(texts),
            )
            for letter in letters:
                club.db.update("letters", letter.id, state="sent")


def send_kept(club: Club, person: Person) -> int:
    """Queue all reports that wait for a ``person``; return their number."""
    letters = club.db.all(LetterRow, _ALL, person.id)
    seats = {(seat.game, seat.seat): seat for seat in club.seats_of(person.id)}
    for game, place in dict.fromkeys((letter.game, letter.seat) for letter in letters):
        own = [letter for letter in letters if (letter.game, letter.seat) == (game, place)]
        seat = seats.get((game or 0, place))
        _queue_kept(club, own, task_words(club, club.row(seat.game), seat) if seat else "")
    return len(letters)


def _queue_kept(club: Club, letters: Sequence[LetterRow], due: str) -> None:
    """Queue ``letters`` of one place, the newest with the line ``due``: deadlines and addresses in them may be old."""
    for letter in letters:
        slots = {**letter.slots, "due": due, "until": ""} if letter is letters[-1] else _undated(letter)
        to = club.person(letter.person).address if letter.person is not None else letter.recipient
        club.db.update("letters", letter.id, state="queued", recipient=to, slots=slots, next_try=club.now)


def _undated(letter: LetterRow) -> dict[str, str]:
    return {**letter.slots, "due": "", "until": "", "bank": ""}


def pages_wanted(club: Club, row: GameRow, game: adj.Game) -> str:
    """Return what `games.paged` says with new reports about ``game``: that its pages must be written, or that it has none.

    A bug in an own file is a matter for the moderator: until the next report, the players have no pages.
    """
    key, failures = f"pages/{row.id}", list[Failure]()
    if club.settings.desk is None:
        return ""
    with contain(failures.append):
        for seat in game.seats:
            game.seen_by(seat).own_file()
    if not failures:
        settle_key(club, key)
        return "new"
    words = f"the players' pages of this game cannot be made: {failures[0].cause}"
    raise_matter(club, "note", words, key=key, game=row)
    return ""


def desk_problem(club: Club) -> str:
    """Return why the club cannot write pages into the folder of its desk; empty if it can, or if it has none."""
    if club.settings.desk is None:
        return ""
    folder = club.folder / club.settings.desk.folder
    if os.path.isfile(folder / "index.html"):
        return ""
    lack = "this folder has no desk" if os.path.isdir(folder) else "this folder does not exist"
    return f"{folder}: {lack}; `adjudicator desk -o {folder}` builds one"


def desk_folder(club: Club) -> Path | None:
    """Return the folder with the built desk; ``None`` if the club has none."""
    desk = club.settings.desk
    return None if desk is None or desk_problem(club) else club.folder / desk.folder


def desk_release(club: Club) -> str:
    """Return the release of the built desk; empty if there is none, or if another version of this program has built it."""
    folder = desk_folder(club)
    found = _RELEASE.search((folder / "index.html").read_text("utf-8", "replace")) if folder else None
    return found[1] if found and found[2] == adj.__version__ else ""


def write_pages(club: Club) -> list[str]:
    """Write the pages that are new or lost in the desk, and remove those of others; return what has failed."""
    desk, failures, rows = desk_folder(club), list[Failure](), [row for row in club.games() if row.paged]
    if desk is None:
        return list(filter(None, [desk_problem(club)]))
    own = {
        row.id: [(seat, page_name(club.secret, row.name, seat.seat, seat.token)) for seat in club.seats(row)] for row in rows
    }
    with contain(failures.append):
        known = {name for pages in own.values() for _, name in pages}
        for name in os.listdir(desk):
            if name not in known and is_page_name(club.secret, name):
                shutil.rmtree(desk / name)
    for row in rows:
        pages = [(seat, desk / name / f"{row.name}.json") for seat, name in own[row.id]]
        is_new = row.paged != row.seal
        lost = [
            (seat, file) for seat, file in pages if is_new or not (_is_file(file) and _is_file(file.with_suffix(".html")))
        ]
        game, failed = None, list[Failure]()
        with contain(failed.append):
            game = club.game(row) if lost else None
        if game is None or game.record.seal != row.seal:  # the next reports tell first what another command has changed
            failures += failed
            continue
        for seat, file in lost:
            with contain(failed.append):
                report = last_report(club, seat)
                page = filled_page(report.html, {}, has_script=True) if report else ""
                file.parent.mkdir(exist_ok=True)
                for path, data in ((file, game.seen_by(seat.seat).own_file()), (file.with_suffix(".html"), page.encode())):
                    if not _is_file(path) or path.read_bytes() != data:
                        write_atomic(path, data, SHARED, follows=False)
        if is_new and not failed:
            club.db.update("games", row.id, paged=row.seal)
        failures += failed
    return [f"the club could not write all pages of players: {failures[0].cause}"] if failures else []


def _is_file(path: Path) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)
