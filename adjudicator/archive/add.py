"""Put games into archives with their facts, check archives, and write their games as files again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from adjudicator.archive.find import Unopened, find, public_name
from adjudicator.archive.store import ENDING, LARGEST, OLD, Archive, change_archive, is_archive, leads_out
from adjudicator.core.values import Value, replace
from adjudicator.files import typed
from adjudicator.files.errors import CannotWrite, FileProblem, Untrusted
from adjudicator.files.reading import MEGABYTE
from adjudicator.files.writing import locked, write_atomic
from adjudicator.library.game import Game
from adjudicator.library.seat_records import dates_of
from adjudicator.results import ArchivedGame, ArchiveProblem
from adjudicator.script.read import is_script

_LONGEST_NAME: Final = 1000
_LONGEST_PART: Final = 255
"""The length in bytes of the longest name of a file or folder."""
_CONTAINER: Final = re.compile(rf"[^/]*({re.escape(ENDING)}|{re.escape(OLD)})#", re.IGNORECASE)
_FACTS: Final = ("game", "ruleset", "players", "begun", "ended", "result", "head")
_WORDS: Final = (b'"format"', b'"ruleset"', b'"journal"')
"""What is in every game file."""


class GameCopy(Value):
    """The result for a game that was copied from ``source`` to ``name``, or that is there already (``is_same``)."""

    source: str
    name: str
    is_same: bool = False


def misnamed(path: str) -> str:
    """Return what to say about ``path`` as the name of a new archive; empty if it is good."""
    if is_archive(path):
        return ""
    if path.lower().endswith(OLD):
        return f"name it {path[: -len(OLD)]}{ENDING}: archives of this version are SQLite databases"
    return f"give the archive a name like NAME{ENDING}, not {path}"


Copied = GameCopy | ArchiveProblem
"""The result for a game: a copy, or the reason why it is left out."""
File = tuple[Any, str, bytes]
"""What a game is to the caller, such as its source; its name in the archive; its file."""


def write_archive(
    path: str, sources: Sequence[str], notify: Callable[[Copied], object], *, add: bool = False, force: bool = False
) -> None:
    """Write the games at ``sources`` (files, folders, archives) into a new archive ``path``, or ``add`` them to it.

    The name of a game is its place below its source, or that in the archive that it comes from. All else as `write_games`.
    """

    def games() -> Iterator[File]:
        for found in find(sources, without=path):
            data, words = b"" if isinstance(found, Unopened) else found.data, ""
            if isinstance(found, Unopened):
                words = found.why if found.kind else ""
            elif not (is_script(data) or all(word in data for word in _WORDS)):  # only an audit checks what it is
                words = "this is neither a game file nor a script" if found.is_named else ""
            elif len(data) > LARGEST:
                size = f"it has {len(data) // MEGABYTE:,} MB, and the limit is {LARGEST // MEGABYTE} MB"
                words = f"the game is too large: {size}"
            else:
                name = _CONTAINER.sub("", public_name(found.name, sources).replace(os.sep, "/"), count=1)
                name = name.removesuffix(".zst")[-_LONGEST_NAME:].encode(errors="replace").decode()
                yield found.name, name, data
            if words:
                notify(ArchiveProblem(source=found.name, wrong=words))

    write_games(path, games(), notify, add=add, force=force)


def write_games(
    path: str,
    games: Iterable[File],
    notify: Callable[[GameCopy], object] = lambda _: None,
    *,
    add: bool = False,
    force: bool = False,
) -> None:
    """Write ``games`` into a new archive ``path``, or ``add`` them to it; ``force`` replaces an archive.

    ``notify`` gets the result for each. A game that the archive has already is not added again; if two other games have the
    same name, the second gets a number. An interrupted run leaves the archive unchanged. Raises ``CannotRead``,
    ``CannotWrite``, ``Untrusted``.
    """
    if words := misnamed(path):
        raise CannotWrite(path, words)
    with locked(path):
        is_there = os.path.lexists(path)
        if is_there and not (add or force):
            raise CannotWrite(path, "the archive already exists; use `add` to add games, or `force` to replace it")
        if add and is_there:
            with change_archive(path) as archive:
                fill(archive, games, notify)
            return
        folder = os.path.dirname(os.path.realpath(path))
        with TemporaryDirectory(prefix=".", dir=folder) as beside:
            made = os.path.join(beside, "new")
            try:
                with change_archive(made) as archive:
                    fill(archive, games, notify)
                    if not archive.query("select 1 from game limit 1"):
                        raise CannotWrite(path, "no archive was made: there is no game for it")
            except FileProblem as error:
                if error.file == made:
                    error.rename(path)
                raise
            with open(made, "rb") as stream:
                write_atomic(path, iter(lambda: stream.read(MEGABYTE), b""))


def fill(archive: Archive, games: Iterable[File], notify: Callable[[GameCopy], object] = lambda _: None) -> None:
    """Add ``games`` to ``archive``, which `change_archive` has opened."""
    for source, wanted, data in games:
        name = archive.add(facts(wanted, data), data)
        notify(GameCopy(source, wanted, is_same=True) if name is None else GameCopy(source, name))


class _Named(Value, forbid_unknown_fields=False):
    id: str


class _Ids(_Named, forbid_unknown_fields=False):
    ruleset: _Named


def facts(name: str, data: bytes) -> ArchivedGame:
    """Return the row of the game file ``data`` with this ``name``; it has few facts if the file cannot be loaded."""
    row = ArchivedGame(n=0, name=name, hash=sha256(data).hexdigest(), size=len(data))
    try:
        ids: _Ids = typed.read(_Ids, data)
        row = replace(row, game=ids.id, ruleset=ids.ruleset.id)
        game = Game.load(data)
        dates = [datetime.fromtimestamp(at, UTC).date().isoformat() for at in sorted(dates_of(game))]
        result = {one.seat: one.place for one in game.standings} if game.is_over else None
    except (Exception, SystemExit):  # an audit names the problem of the file, or of its ruleset
        return row
    begun, ended = (dates[0], dates[-1]) if dates else (None, None)
    ended = None if result is None else ended
    return replace(row, players=game.players, begun=begun, ended=ended, result=result, head=game.record.head)


def problem(error: Untrusted) -> ArchiveProblem:
    """Return the ``error`` of a game in an archive as a result."""
    return ArchiveProblem(source=error.file, wrong=error.violations[0].message)


def check_archive(archive: Archive) -> Iterator[Copied]:
    """Check the file of ``archive``, unpack each game and compare it with its row; yield the results.

    The facts of a row are compared if both this program and the one that wrote it could load the game.
    """
    if damage := archive.damage():
        yield ArchiveProblem(source=archive.name, wrong=damage)
    for found in archive.files(archive.rows()):
        if isinstance(found, Untrusted):
            yield problem(found)
            continue
        row, data = found
        there = facts(row.name, data)
        known = _FACTS if row.head and there.head else ("game", "ruleset")
        wrong = [f"its {fact} is {getattr(there, fact)}, but the archive says {getattr(row, fact)}"
                 for fact in known if getattr(there, fact) != getattr(row, fact)]  # fmt: skip
        source = f"{archive.name}#{row.name}"
        yield ArchiveProblem(source=source, wrong=wrong[0]) if wrong else GameCopy(source, row.name)


def extract_games(
    archive: Archive, folder: str | Path, games: Sequence[str] = (), *, force: bool = False
) -> Iterator[Copied]:
    """Write the ``games`` (name, id or number; without any, all) into ``folder``, each under its name; yield each result.

    Existing files stay, unless with ``force``. Raises ``CannotRead`` for an unknown game, ``CannotWrite``, ``InUse``.
    """
    for found in archive.files([archive.find(which) for which in games] if games else archive.rows()):
        if isinstance(found, Untrusted):
            yield problem(found)
            continue
        row, data = found
        source, parts = f"{archive.name}#{row.name}", row.name.replace("\\", "/").split("/")
        target = Path(folder, *parts)
        try:
            is_long = max(len(os.fsencode(part)) for part in parts) > _LONGEST_PART
            if leads_out(row.name) or not all(parts) or is_long or not row.name.isprintable():
                source = f"{archive.name}#{row.n}"
                raise ValueError("its name leads out of the folder, or is not a valid file name")
            is_same = target.is_file() and target.read_bytes() == data
            if target.is_dir() or (target.exists() and not (is_same or force)):
                yield ArchiveProblem(source=source, wrong=f"{target} already exists")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            words = f"the file cannot be written: {getattr(error, 'strerror', None) or error}"
            yield ArchiveProblem(source=source, wrong=words)
            continue
        if not is_same:
            write_atomic(target, data)
        yield GameCopy(source, str(target), is_same=is_same)
