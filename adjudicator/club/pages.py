"""Write the page of each player into the folder of a desk: the report and the own file, at a secret address.

The own file is made with the report, of the same position, and kept beside it in the folder of the game. Each round copies
both into the desk. A copy has the time of its original, so a round reads only files that have changed, and the next round
completes one that was interrupted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import adjudicator as adj
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import REPORTS, ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.tokens import is_page_name, page_name
from adjudicator.core.values import Seat
from adjudicator.files.atomic import SHARED, write_atomic
from adjudicator.files.errors import CannotWrite
from adjudicator.files.outbox import deliver, report_name

_OWN: Final = "json"
_FORMS: Final = (_OWN, "html")
_FIRST_PAGE: Final = "index.html"


def make_own_files(club: ClubFolder, ledger: Ledger, game: adj.Game, now: int) -> None:
    """Write the own file of each seat beside its report, if the club has a desk; the position is that of the reports.

    A bug is a matter for the moderator: until the next report, the players of ``game`` have no pages. Raises
    ``CannotWrite``; then the next round makes the files.
    """
    key, files = f"pages/{game.id}", dict[str, bytes]()

    def forget() -> None:
        for seat in game.seats:
            _source(club, game.id, seat, _OWN).unlink(missing_ok=True)

    def fail(failure: Failure) -> None:
        forget()
        words = f"the players' pages of this game cannot be made: {failure.cause}"
        with ledger.change():
            ledger.raise_matter(key, game.id, now, words)

    if club.settings.desk is None:
        forget()
        return
    with contain(fail):
        files = {report_name(seat, _OWN): game.seen_by(seat).own_file() for seat in game.seats}
        with ledger.change():
            ledger.settle_by_key(key)
    deliver(str(club.path(game.id, REPORTS)), files)


def page_address(club: ClubFolder, ledger: Ledger, game: str, seat: Seat) -> str:
    """Return the address at which the player of ``seat`` opens the last report in the desk; empty if there is no page.

    It ends with the club's address and the seat's token, for mails that begin in the desk: no server sees this part.
    """
    desk = club.settings.desk
    if desk is None or not _source(club, game, seat, _OWN).is_file():
        return ""
    token = club.seat_of(game, seat).token
    given = {
        "file": f"{page_name(ledger.secret(), game, seat, token)}/{game}.{_OWN}",
        "to": club.settings.address,
        "token": token,
    }
    return f"{desk.address.rstrip('/')}/#{urlencode(given, safe='/@')}"


def desk_problem(club: ClubFolder) -> str:
    """Return why the club cannot write pages into the folder of its desk; empty if it can, or if it has none."""
    folder = _folder(club)
    if folder is None or os.path.isfile(folder / _FIRST_PAGE):
        return ""
    lack = "this folder has no desk" if os.path.isdir(folder) else "this folder does not exist"
    return f"{folder}: {lack}; `adjudicator desk -o {folder}` builds one"


def publish(club: ClubFolder, ledger: Ledger) -> Iterator[str]:
    """Copy all pages that have changed into the desk, and remove those of earlier players; yield what has failed."""
    folder, problem = _folder(club), desk_problem(club)
    if folder is None or problem:
        yield from [problem] if problem else ()
        return
    failures: list[Failure] = []
    secret, wanted = ledger.secret(), dict[str, tuple[str, Seat]]()
    for game in club.games:
        with contain(failures.append):
            for seat, settings in club.settings_of(game).seats.items():
                if _source(club, game, Seat(seat), _OWN).is_file():
                    wanted[page_name(secret, game, seat, settings.token)] = game, Seat(seat)
    if not failures:  # else the pages of a game are unknown, because its settings cannot be read
        with contain(failures.append):
            _remove_others(folder, secret, wanted)
    for name, (game, one) in wanted.items():
        with contain(failures.append):
            _copy_page(club, game, one, folder / name)
    if failures:
        yield f"the club could not write all pages of players: {failures[0].cause}"


def _folder(club: ClubFolder) -> Path | None:
    return None if club.settings.desk is None else club.folder / club.settings.desk.folder


def _source(club: ClubFolder, game: str, seat: Seat, form: str) -> Path:
    return club.path(game, REPORTS, report_name(seat, form))


def _copy_page(club: ClubFolder, game: str, seat: Seat, folder: Path) -> None:
    """Copy the own file and the report of ``seat`` into ``folder``. Raises ``CannotWrite``, ``OSError``."""
    with suppress(FileExistsError):
        folder.mkdir()
    for form in _FORMS:
        source, target = _source(club, game, seat, form), folder / f"{game}.{form}"
        made = source.stat()
        if _stamp(target) == (made.st_size, made.st_mtime_ns):
            continue
        data = source.read_bytes()
        if target.is_symlink() or not target.is_file() or target.read_bytes() != data:
            write_atomic(target, data, SHARED, follows=False)
        os.utime(target, ns=(made.st_mtime_ns, made.st_mtime_ns))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


def _remove_others(folder: Path, secret: bytes, wanted: Collection[str]) -> None:
    """Remove the pages of this club in ``folder`` that are not ``wanted``. Raises ``CannotWrite``."""
    for name in os.listdir(folder):
        if name not in wanted and is_page_name(secret, name):
            try:
                shutil.rmtree(folder / name)
            except OSError as error:
                raise CannotWrite(str(folder / name), f"it cannot be removed: {error.strerror or error}") from error
