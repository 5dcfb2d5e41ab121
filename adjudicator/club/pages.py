"""Write the page of each player into the folder of a desk: the report and the own file, at a secret address.

A game has pages since its first reports with a desk (`games.paged`), of the position that its players know. Each round
writes new and lost pages, and removes the pages of earlier players.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

import adjudicator as adj
from adjudicator.club.club import Club, GameRow
from adjudicator.club.db import Failure, contain
from adjudicator.club.matters import raise_matter, settle_key
from adjudicator.club.reports import last_report
from adjudicator.club.tokens import is_page_name, page_name
from adjudicator.files.writing import SHARED, write_atomic
from adjudicator.reports.web import filled_page

_WANTED: Final = "new"
_FIRST_PAGE: Final = "index.html"


def wanted(club: Club, row: GameRow, game: adj.Game) -> str:
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
    desk, rows = club.folder / club.settings.desk.folder, [row for row in club.games() if row.paged]
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
