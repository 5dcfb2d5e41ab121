"""Write the public pages of a club: games as bystanders see them, rules, a feed of results, and calendars of deadlines.

The list of these files is in the folder of the club. The names of the players' calendars are secrets, so it leaves them out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Final

from adjudicator.club.calendars import ALL_GAMES, SUFFIX, calendar_of_all, player_calendars
from adjudicator.club.consent import agreed_names, named_seats
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger
from adjudicator.club.results import ClubPublished
from adjudicator.club.tokens import is_page_name
from adjudicator.core.values import digest
from adjudicator.library.errors import CannotWrite
from adjudicator.reports.sanitize import printable
from adjudicator.site import HomeGame, SiteFolder, UnmadePage, build_home
from adjudicator.site.page import HOME, INDEX, Cell, ListPage, ListTable, list_page, row_of

_OPEN: Final = ("ruleset", "players", "time for a turn", "options", "condition", "to join")

_HOUSE_RULES: Final = "house-rules.html"


def write_public_pages(
    club: ClubFolder, ledger: Ledger, path: str, *, force: bool = False, notify: Callable[[], object] = lambda: None
) -> ClubPublished:
    """Write the public pages of ``club`` into the folder ``path``, without pages that have not changed.

    A page that cannot be made says so, and the others are made as usual. Each page calls ``notify``. Raises ``CannotWrite``,
    also if the folder contains something else, unless with ``force``.
    """
    mark = digest(os.path.abspath(path).encode("utf-8", "surrogateescape"))[:16]
    folder = SiteFolder(path, force=force, manifest=str(club.folder / f"published-{mark}.json"))
    known, url = ledger.games(), club.settings.public.url
    rows = [known.get(game, GameRow(id=game)) for game in club.games]
    readable, troubles = _readable(club, rows)
    games = [_shown(club, ledger, row, is_readable=row in readable) for row in rows]
    rules = club.house_rules()
    links = [("Calendar of deadlines", ALL_GAMES), *([("House rules", _HOUSE_RULES)] if rules else [])]
    lists = _open_games(club, ledger)
    made = list(build_home(games, folder, club.settings.name, url=url, open_games=lists, links=links, notify=notify))
    pages = {game.game: f"{url}{game.file}" for game in games if url}
    if rules:
        folder.write(_HOUSE_RULES, _rules_page(rules, url and f"{url}{_HOUSE_RULES}").encode())
    folder.write(ALL_GAMES, calendar_of_all(club, rows, pages))
    secret = ledger.secret()
    own = player_calendars(club, readable, secret, pages)
    for name, data in own.items():
        folder.write_unlisted(name, data)
    if not troubles:  # else the players of a game are unknown
        _remove_calendars(path, secret, own)
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
        troubles=tuple(troubles),
    )


def _rules_page(rules: str, url: str) -> str:
    """Return the page of the house ``rules``: blank lines and points begin paragraphs."""
    points = (re.sub(r"(?m)^\s*(?=[-*•]|\d+[.)])", "\n\n", block) for block in rules.split("\n\n"))
    paragraphs = (printable(" ".join(part.split())) for block in points for part in block.split("\n\n"))
    return list_page(ListPage("House rules", tuple(filter(None, paragraphs)), up=(Cell(HOME, INDEX),)), url)


def _readable(club: ClubFolder, rows: Sequence[GameRow]) -> tuple[list[GameRow], list[str]]:
    """Return the games whose settings can be read, and a sentence about each other one."""
    found: list[GameRow] = []
    troubles: list[str] = []
    failures: list[Failure] = []
    for row in rows:
        with contain(failures.append):
            club.settings_of(row.id)
            found.append(row)
        troubles += (
            f"{row.id}: its page names no player, because its settings cannot be read: {one.cause}" for one in failures
        )
        failures.clear()
    return found, troubles


def _shown(club: ClubFolder, ledger: Ledger, row: GameRow, *, is_readable: bool) -> HomeGame:
    """Return the game of ``row`` for the public pages."""
    named = named_seats(club, ledger, row.id) if is_readable else ()
    due = "" if row.is_over or not row.due else club.moment(row.due)
    deadline = "paused" if due and row.is_paused else due
    agreed = agreed_names(club, ledger, row.id) if is_readable else frozenset()
    path = str(club.game_file(row.id))
    words = f"write STANDIN {row.id} to {club.settings.address}" if club.settings.people.join else ""
    return HomeGame(game=row.id, path=path, named=named, agreed=agreed, deadline=deadline, stand_in=words)


def _open_games(club: ClubFolder, ledger: Ledger) -> ListTable:
    """Return the table of the games that people can join by mail, without names of people."""
    rows = [
        row_of(
            one.ruleset,
            f"{len(ledger.places(one.id))} of {one.players}",
            one.deadline or club.settings.deadlines.every,
            ", ".join([*one.options.splitlines(), *([f"language={one.language}"] if one.language else [])]) or "–",
            one.condition or "–",
            f"write JOIN {one.ruleset} to {club.settings.address}",
        )
        for one in (ledger.open_lists() if club.settings.people.join else ())
    ]
    return ListTable("Open games", _OPEN, tuple(rows))


def _remove_calendars(path: str, secret: bytes, own: dict[str, bytes]) -> None:
    """Remove the calendars of this club in ``path`` that are not among its players' ``own``. Raises ``CannotWrite``."""
    for name in os.listdir(path):
        if name.endswith(SUFFIX) and name not in own and is_page_name(secret, name.removesuffix(SUFFIX)):
            try:
                os.unlink(os.path.join(path, name))
            except OSError as error:
                words = f"it cannot be removed: {error.strerror or error}"
                raise CannotWrite(os.path.join(path, name), words) from error
