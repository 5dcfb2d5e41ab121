"""Write the page of each player into the folder of a desk: the report and the own file, at a secret address.

A game has pages since its first reports with a desk (`games.paged`), of the position that its players know. Each round
writes what is new or lost, and removes the pages of earlier players.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final

import adjudicator as adj
from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.db import Failure, contain
from adjudicator.club.matters import raise_matter, settle_key
from adjudicator.club.reports import last_report
from adjudicator.club.tokens import is_page_name, page_name
from adjudicator.files.atomic import SHARED, write_atomic
from adjudicator.files.errors import CannotWrite
from adjudicator.reports.slots import filled_page

_WANTED: Final = "new"
_FIRST_PAGE: Final = "index.html"


def wanted(club: Club, row: GameRow, game: adj.Game) -> str:
    """Return what `games.paged` says with new reports about ``game``: that its pages are to be written, or that it has none.

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
        return _WANTED
    words = f"the players' pages of this game cannot be made: {failures[0].cause}"
    raise_matter(club, "note", words, key=key, game=row)
    return ""


def desk_problem(club: Club) -> str:
    """Return why the club cannot write pages into the folder of its desk; empty if it can, or if it has none."""
    if club.settings.desk is None:
        return ""
    folder = club.folder / club.settings.desk.folder
    if os.path.isfile(folder / _FIRST_PAGE):
        return ""
    lack = "this folder has no desk" if os.path.isdir(folder) else "this folder does not exist"
    return f"{folder}: {lack}; `adjudicator desk -o {folder}` builds one"


def write_missing(club: Club) -> list[str]:
    """Write the pages that are new or lost in the desk, and remove those of others; return what has failed."""
    problem, failures = desk_problem(club), list[Failure]()
    if club.settings.desk is None or problem:
        return [problem] if problem else []
    desk, secret = club.folder / club.settings.desk.folder, club.secret
    rows = [row for row in club.games() if row.paged]
    places = {row.id: {page_name(secret, row.name, seat.seat, seat.token): seat for seat in club.seats(row)} for row in rows}
    with contain(failures.append):
        known = {name for found in places.values() for name in found}
        for name in os.listdir(desk):
            if name not in known and is_page_name(secret, name):
                _remove(desk / name)
    for row in rows:
        pages = [(seat, desk / name / f"{row.name}.json") for name, seat in places[row.id].items()]
        lost = [one for one in pages if row.paged != row.seal or not _is_page(one[1])]
        game, failed = None, list[Failure]()
        with contain(failed.append):
            game = club.game(row) if lost else None
        if game is None or game.record.seal != row.seal:  # the next reports tell first what another command has changed
            failures += failed
            continue
        for seat, file in lost:
            with contain(failed.append):
                _write_page(club, seat, game, file)
        if row.paged != row.seal and not failed:
            club.db.update("games", row.id, paged=row.seal)
        failures += failed
    return [f"the club could not write all pages of players: {failures[0].cause}"] if failures else []


def _is_page(own: Path) -> bool:
    return _is_file(own) and _is_file(own.with_suffix(".html"))


def _is_file(path: Path) -> bool:
    with suppress(OSError):
        return S_ISREG(path.lstat().st_mode)
    return False


def _write_page(club: Club, seat: SeatRow, game: adj.Game, own: Path) -> None:
    """Write the ``own`` file and the report of ``seat``, unless they are there. Raises ``CannotWrite``, ``OSError``."""
    report = last_report(club, seat)
    page = filled_page(report.html, {}, has_script=True) if report else ""
    with suppress(FileExistsError):
        own.parent.mkdir()
    for path, data in ((own, game.seen_by(seat.seat).own_file()), (own.with_suffix(".html"), page.encode())):
        if not _is_file(path) or path.read_bytes() != data:
            write_atomic(path, data, SHARED, follows=False)


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise CannotWrite(str(folder), f"it cannot be removed: {error.strerror or error}") from error
