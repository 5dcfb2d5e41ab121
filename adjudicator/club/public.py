"""Write the public pages of a club: games as bystanders see them, rules, a feed of results, and a calendar.

The list of these files is in the folder of the club.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.letters import is_page_name
from adjudicator.club.lists import open_lists, places
from adjudicator.club.people import agrees
from adjudicator.club.settings import HIDDEN
from adjudicator.club.tournament import HEADINGS, TournamentRow, cells, page_of, ranked, table_of, tournaments
from adjudicator.core.values import Seat, Value, digest, replace
from adjudicator.reports.texts import count_of, printable
from adjudicator.site import HomeGame, SiteFolder, UnmadePage, build_home
from adjudicator.site.build import unmade_text
from adjudicator.site.page import HOME, INDEX, Cell, ListPage, ListTable, list_page, row_of

_OPEN: Final = ("ruleset", "players", "time for a turn", "options", "condition", "to join")
_HOUSE_RULES: Final = "house-rules.html"
_PLAYER: Final = "a player"
"""What a page calls a player whom it must not name."""
_CALENDAR: Final = "deadlines.ics"
_LONGEST: Final = 74
"""The bytes of a line of a calendar; the next line continues it."""
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


class ClubPublished(Value, kw_only=True):
    """The public pages of a club in ``folder``, with its ``index``, and the numbers of its games.

    ``changed_files`` counts the files that were written because they are new or changed, ``removed_files`` those of earlier
    runs that are gone. ``unmade`` are the pages that could not be made.
    """

    folder: str
    index: str
    running_games: int
    finished_games: int
    changed_files: int
    removed_files: int
    unmade: tuple[UnmadePage, ...]


def publish(club: Club, path: str, *, force: bool = False, notify: Callable[[], object] = lambda: None) -> ClubPublished:
    """Write the public pages of ``club`` into the folder ``path``, without pages that have not changed.

    A page that cannot be made says so, and the others are made as usual. Each page calls ``notify``. Raises ``CannotWrite``,
    also if the folder contains something else, unless with ``force``.
    """
    mark = digest(os.path.abspath(path).encode("utf-8", "surrogateescape"))[:16]
    folder = SiteFolder(path, force=force, manifest=str(club.folder / f"published-{mark}.json"))
    rows, url, rules = club.games(), club.settings.public.url, club.house_rules()
    games = [_home_game(club, row) for row in rows]
    links = [("Calendar of deadlines", _CALENDAR), *([("House rules", _HOUSE_RULES)] if rules else [])]
    held = tournaments(club)
    links += [(f"Tournament {one.name}", page_of(one.name)) for one in held]
    lists = _open_games(club)
    made = list(build_home(games, folder, club.settings.name, url=url, open_games=lists, links=links, notify=notify))
    pages = {game.game: f"{url}{game.file}" for game in games if url}
    files = {game.game: game.file for game in games}
    for one in held:
        name = page_of(one.name)
        folder.write(name, list_page(_tournament_page(club, one, files), url and f"{url}{name}").encode())
    if rules:
        points = (re.sub(r"(?m)^\s*(?=[-*•]|\d+[.)])", "\n\n", block) for block in rules.split("\n\n"))
        paragraphs = (printable(" ".join(part.split())) for block in points for part in block.split("\n\n"))
        page = ListPage("House rules", tuple(filter(None, paragraphs)), up=(Cell(HOME, INDEX),))
        folder.write(_HOUSE_RULES, list_page(page, url and f"{url}{_HOUSE_RULES}").encode())
    folder.write(_CALENDAR, _calendar(club, rows, pages))
    for file in Path(path).glob("*.ics"):
        if is_page_name(club.secret, file.stem):  # the calendar of a player, by version 1.0.0
            with suppress(OSError):
                file.unlink()
    folder.finish()
    unmade = tuple(one for one in made if isinstance(one, UnmadePage))
    finished = sum(not isinstance(one, UnmadePage) and one.is_over for one in made)
    return ClubPublished(
        folder=path,
        index=os.path.join(path, INDEX),
        running_games=len(games) - finished,
        finished_games=finished,
        changed_files=folder.written,
        removed_files=folder.removed,
        unmade=unmade,
    )


def published_text(done: ClubPublished) -> str:
    """Return what is on the public pages of a club, which of them have changed, and what went wrong."""
    games = f"{done.running_games:,} running, {done.finished_games:,} finished"
    removed = f", {done.removed_files:,} removed" if done.removed_files else ""
    is_same = not done.changed_files and not removed
    files = "nothing has changed" if is_same else f"{count_of(done.changed_files, 'file')} written{removed}"
    return "\n".join([*map(unmade_text, done.unmade), f"{done.index}: {games}; {files}"])


def _home_game(club: Club, row: GameRow) -> HomeGame:
    """Return the game of ``row`` for the public pages: they name the players who agree, earlier ones included.

    Those of a game that hides names come when it is over, and not from its file.
    """
    seats = [] if row.hides_names else club.seats(row, former=True)
    agreed = [one for one in seats if agrees(club, one)]
    hidden = seats if row.settings.names == HIDDEN else []
    due = "" if row.is_over or not row.due else club.moment(row.deadline)
    return HomeGame(
        game=row.name,
        path=str(club.file(row)),
        named=tuple(Seat(one.seat) for one in agreed if not one.until),
        agreed=frozenset((Seat(one.seat), one.name) for one in agreed),
        players=tuple((Seat(one.seat), known, one.name) for one in hidden for known in one.names),
        deadline="paused" if due and row.paused else due,
        stand_in=f"write STANDIN {row.name} to {club.settings.address}" if club.settings.people.join else "",
    )


def _open_games(club: Club) -> ListTable:
    """Return the table of the games that people can join by mail, without names of people."""
    rows = [
        row_of(
            one.ruleset,
            f"{len(places(club, one.id))} of {one.players}",
            one.deadline or club.settings.deadlines.every,
            ", ".join(
                [*(f"{name}={value}" for name, value in sorted(one.options.items()))]
                + ([f"language={one.language}"] if one.language else [])
                + ([f"names={one.names}"] if one.names else [])
            )
            or "–",
            f"reliability>={one.reliability}" if one.reliability else "–",
            f"write JOIN {one.ruleset} to {club.settings.address}",
        )
        for one in (open_lists(club) if club.settings.people.join else ())
    ]
    return ListTable("Open games", _OPEN, tuple(rows))


def _tournament_page(club: Club, one: TournamentRow, files: Mapping[str, str]) -> ListPage:
    """Return the page of a tournament: the table, with the players who agree in each of their games, and the games."""
    found, seats = table_of(club, one), defaultdict[int, list[SeatRow | Person]](list)
    for row in map(club.row, found.tournament_games):
        for seat in club.seats(row, former=True):
            seats[seat.person].append(seat)
    rows = []
    for entry, line in ranked(club, one):
        is_named = all(agrees(club, own) for own in seats.get(entry.person) or [club.person(entry.person)])
        rows.append(row_of(*cells(line if is_named else replace(line, player=_PLAYER))))
    state = "It is over." if found.is_over else f"Round {found.round} of {found.rounds}." if found.round else ""
    games = [
        row_of(Cell(game, files[game]), "over" if club.row(game).is_over else "running") for game in found.tournament_games
    ]
    can_enter = club.settings.people.join and not found.round
    how = f"To enter, write JOIN {one.name} to {club.settings.address}." if can_enter else ""
    return ListPage(
        f"Tournament {one.name}",
        tuple(filter(None, (state, how))),
        (ListTable("Table", HEADINGS, tuple(rows)), ListTable("Games", ("game", "state"), tuple(games))),
        (Cell(HOME, INDEX),),
    )


def _calendar(club: Club, rows: Sequence[GameRow], pages: Mapping[str, str]) -> bytes:
    """Return the calendar of the club: an event for the deadline of each game, which moves with the deadline."""
    title = printable(club.settings.name).translate(_ESCAPED)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//adjudicator//club//EN", f"X-WR-CALNAME:{title}"]
    for row in rows:
        if row.is_running:
            due, page = datetime.fromtimestamp(row.deadline, UTC).strftime("%Y%m%dT%H%M%SZ"), pages.get(row.name)
            lines += ("BEGIN:VEVENT", f"UID:{row.name}/{club.settings.address}")
            lines += (f"DTSTAMP:{due}", f"DTSTART:{due}")  # not the present time: the same deadlines make the same file
            lines += (f"SUMMARY:{row.name}: orders due", *([f"URL:{page}"] if page else []), "END:VEVENT")
    folded = ""
    for line in (*lines, "END:VCALENDAR"):
        part = ""
        for letter in line:  # a line has at most 75 bytes, each part after the first a blank before it
            if len((part + letter).encode()) > _LONGEST:
                folded, part = f"{folded}{part}\r\n", " "
            part += letter
        folded += f"{part}\r\n"
    return folded.encode()
