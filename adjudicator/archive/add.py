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

from adjudicator.archive.find import Source, Unopened, find, public_name
from adjudicator.archive.old import OLD
from adjudicator.archive.store import ENDING, LARGEST, Archive, change_archive, is_archive, leads_out
from adjudicator.core.values import Value, replace
from adjudicator.files import typed
from adjudicator.files.atomic import write_atomic
from adjudicator.files.errors import CannotWrite, Untrusted
from adjudicator.files.lock import locked
from adjudicator.files.reading import MEGABYTE
from adjudicator.library.game import Game
from adjudicator.results import ArchivedGame
from adjudicator.script.read import is_script

_LONGEST_NAME: Final = 1000
_CONTAINER: Final = re.compile(rf"[^/]*({re.escape(ENDING)}|{re.escape(OLD)})#", re.IGNORECASE)
_FACTS: Final = ("game", "ruleset", "players", "begun", "ended", "result", "head")
_LATEST: Final = 253402300799
"""The last second of the year 9999."""


class GameCopy(Value):
    """The result for a game that was copied from ``source`` to ``name``, or that is there already (``is_same``)."""

    source: str
    name: str
    is_same: bool = False


class Omission(Value):
    """The result for a ``source`` that was not copied, and ``why``; it may be a game only if it ``is_wrong``."""

    source: str
    why: str
    is_wrong: bool = True


def misnamed(path: str) -> str:
    """Return what to say about ``path`` as the name of a new archive; empty if it is good."""
    if is_archive(path):
        return ""
    if path.lower().endswith(OLD):
        return f"name it {path[: -len(OLD)]}{ENDING}: archives of this version are SQLite databases"
    return f"give the archive a name like NAME{ENDING}, not {path}"


Notify = Callable[[GameCopy | Omission], object]
File = tuple[Any, str, bytes]
"""What a game is to the caller, such as its source; its name in the archive; its file."""


def write_archive(path: str, sources: Sequence[str], notify: Notify, *, add: bool = False, force: bool = False) -> None:
    """Write the games at ``sources`` (files, folders, archives) into a new archive ``path``, or ``add`` them to it.

    ``notify`` gets the result for each of them: a ``GameCopy`` or an ``Omission``. The name of a game is its place below its
    source. All else as `write_games`.
    """
    write_games(path, _files_at(sources, path), notify, add=add, force=force)


def _files_at(sources: Sequence[str], path: str) -> Iterator[File | Omission]:
    """Yield the games at ``sources``, but not those of the archive at ``path``."""
    for found in find(sources, without=path):
        if isinstance(found, Unopened):
            yield Omission(found.name, found.why, found.kind is not None)
        elif not is_game(found.data):
            yield Omission(found.name, "this is neither a game file nor a script", found.is_named)
        elif len(found.data) > LARGEST:
            words = f"it has {len(found.data) // MEGABYTE:,} MB, and the limit is {LARGEST // MEGABYTE} MB"
            yield Omission(found.name, f"the game is too large: {words}")
        else:
            yield found.name, _name(found, sources), found.data


def write_games(
    path: str, games: Iterable[File | Omission], notify: Notify = lambda _: None, *, add: bool = False, force: bool = False
) -> None:
    """Write ``games`` into a new archive ``path``, or ``add`` them to it; ``force`` replaces an archive.

    A game that the archive has already is not added again; if two other games have the same name, the second gets a number.
    An interrupted run leaves the archive unchanged. Raises ``CannotRead``, ``CannotWrite``, ``Untrusted``.
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
            with change_archive(made) as archive:
                fill(archive, games, notify)
            with open(made, "rb") as stream:
                write_atomic(path, iter(lambda: stream.read(MEGABYTE), b""))


def fill(archive: Archive, games: Iterable[File | Omission], notify: Notify = lambda _: None) -> None:
    """Add ``games`` to ``archive``, which `change_archive` has opened."""
    for game in games:
        if isinstance(game, Omission):
            notify(game)
            continue
        source, wanted, data = game
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
        result = {one.seat: one.place for one in game.standings} if game.is_over else None
    except (Exception, SystemExit):  # an audit names the problem of the file, or of its ruleset
        return row
    times = [one.received for one in game.record.receipts if one.received is not None and 0 <= one.received <= _LATEST]
    begun, ended = (datetime.fromtimestamp(one(times), UTC).date().isoformat() if times else None for one in (min, max))
    ended = None if result is None else ended
    return replace(row, players=game.players, begun=begun, ended=ended, result=result, head=game.record.head)


def is_game(data: bytes) -> bool:
    """Return whether ``data`` looks like a game file or a script; only an audit checks it."""
    return is_script(data) or all(word in data for word in (b'"format"', b'"ruleset"', b'"journal"'))


def _name(source: Source, paths: Sequence[str]) -> str:
    """Return the name of the game at ``source`` in an archive; a game of another archive keeps its name."""
    name = _CONTAINER.sub("", public_name(source.name, paths).replace(os.sep, "/"), count=1).removesuffix(".zst")
    return name[-_LONGEST_NAME:].encode(errors="replace").decode()


def check_archive(archive: Archive) -> Iterator[GameCopy | Omission]:
    """Check the file of ``archive``, unpack each game and compare it with its row; yield the results.

    The facts of a row are compared if both this program and the one that wrote it could load the game.
    """
    if damage := archive.damage():
        yield Omission(archive.name, f"the archive is damaged: {damage}")
    for row in archive.rows():
        try:
            if isinstance(row, Untrusted):
                raise row
            there = facts(row.name, archive.file_of(row))
        except Untrusted as error:
            yield Omission(error.file, error.violations[0].message)
            continue
        known = _FACTS if row.head and there.head else ("game", "ruleset")
        wrong = [f"its {fact} is {getattr(there, fact)}, but the archive says {getattr(row, fact)}"
                 for fact in known if getattr(there, fact) != getattr(row, fact)]  # fmt: skip
        source = f"{archive.name}#{row.name}"
        yield Omission(source, wrong[0]) if wrong else GameCopy(source, row.name)


def extract_games(
    archive: Archive, folder: str | Path, games: Sequence[str] = (), *, force: bool = False
) -> Iterator[GameCopy | Omission]:
    """Write the ``games`` (name, id or number; without any, all) into ``folder``, each under its name; yield each result.

    Existing files stay, unless with ``force``. Raises ``CannotRead`` for an unknown game, ``CannotWrite``, ``InUse``.
    """
    for row in [archive.find(which) for which in games] if games else archive.rows():
        if isinstance(row, Untrusted):
            yield Omission(row.file, row.violations[0].message)
            continue
        source = f"{archive.name}#{row.name}"
        parts = row.name.replace("\\", "/").split("/")
        try:
            if leads_out(row.name) or not all(parts) or not row.name.isprintable():
                source = f"{archive.name}#{row.n}"
                raise ValueError("its name leads out of the folder, or is not a valid file name")
            data, target = archive.file_of(row), Path(folder, *parts)
            if target.exists() and not force:
                is_same = target.is_file() and target.read_bytes() == data
                yield (
                    GameCopy(source, str(target), is_same=True) if is_same else Omission(source, f"{target} already exists")
                )
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
        except Untrusted as error:
            yield Omission(source, error.violations[0].message)
        except (OSError, ValueError) as error:
            yield Omission(source, f"the file cannot be written: {getattr(error, 'strerror', None) or error}")
        else:
            write_atomic(target, data)
            yield GameCopy(source, str(target))
