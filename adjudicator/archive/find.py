"""Find and read the games in files, folders, archives and behind URLs, in one pass and within limits."""

from __future__ import annotations

import os
import re
import stat
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from gzip import BadGzipFile, GzipFile
from importlib import import_module
from io import BufferedReader, BytesIO
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from adjudicator.archive.store import ENDING, LARGEST, OLD, Unpacker, leads_out, old_games, open_archive
from adjudicator.core.problem import Violation
from adjudicator.core.values import Value
from adjudicator.files.errors import CannotRead, FileProblem, Untrusted, system_words
from adjudicator.files.reading import MEGABYTE, TooLarge, bounded, read
from adjudicator.verdict import Kind

TEXT: Final = ".txt"
"""The file extension of games kept by hand; other texts are ignored."""
INNER: Final = "#"
"""The character between an archive of many games and the name of one of them."""
MEMBERS: Final = 100_000
"""The largest number of members of a zip or tar archive."""
TOTAL: Final = 8 * 1024 * MEGABYTE
"""The limit in bytes for a zip or tar archive, unpacked, and for an archive of many games behind a URL."""
RATIO: Final = 100
"""The largest ratio of unpacked to packed size beyond a megabyte. Games shrink to about a tenth."""
HEADERS: Final = 4 * MEGABYTE
"""The limit in bytes for headers, long names and other extras of a tar archive, or five times its packed size."""
_HEADER: Final = MEGABYTE // 8
"""The limit in bytes for the header of one file in a tar archive, with its extras, which tarfile reads in a recursion."""
_PACKED: Final = ".json.zst"
_ARCHIVES: Final = (ENDING, OLD)
_CONTAINERS: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", *_ARCHIVES)
_URL: Final = "://"
_BLOCK: Final = 4 * MEGABYTE
_Member = tuple[str, str, Callable[[], Any], int]
"""A member of a zip or tar archive: its name, why it is not opened (empty: it is), what opens it, and its packed size."""


class Source(Value):
    """A file that may contain a game: its ``data``, and the ``name`` that messages call it.

    One that ``is_named`` was given by the user himself and is always judged; others may turn out to be no games. ``folder``
    is where a script finds the files that it names (``None``: nowhere).
    """

    name: str
    data: bytes
    is_named: bool = False
    folder: str | None = None


class Unopened(Value):
    """A file that is not opened, with the reason; without a ``kind`` if it cannot be a game."""

    name: str
    why: str
    kind: Kind | None = Kind.UNREAD


Found = Source | Unopened


def find(paths: Iterable[str], *, without: str = "") -> Iterator[Found]:
    """Yield what may be a game at ``paths``, in order, folders sorted by name, each read as it is reached.

    A path is a file, a folder, an archive, a URL, ``ARCHIVE#GAME``, or ``-`` for standard input. In folders and archives
    only files with the extensions of games, scripts and archives are read. Links to folders are followed where ``paths``
    name them, and nowhere else. The file at the path ``without`` is skipped and never opened, under any name.
    """
    skipped = _identity(without) if without else None
    for path in paths:
        is_listed = _URL in path and INNER not in path
        for file in _listed(path) if is_listed else _below(path) if os.path.isdir(path) else (path,):
            try:
                if isinstance(file, Unopened):
                    yield file
                elif skipped is None or skipped != _identity(file):
                    yield from _games_in(file, is_named=file == path)
            except FileProblem as error:
                yield _unopened(error)


def read_game(path: str) -> tuple[str, bytes]:
    """Return the name and the bytes of the game file at ``path``, a file, a URL or ``ARCHIVE#GAME``.

    Raises ``CannotRead``, ``InUse``, ``Untrusted``.
    """
    if not _is_inner(path):
        if path.lower().endswith(_ARCHIVES):
            raise CannotRead(path, f"name one game of this archive, such as {path}{INNER}GAME")
        if _URL not in path:
            name, data = read(path)
        else:
            with _opened(path) as stream:
                name, data = path, bounded(stream)
        return name, _limited(name, partial(BytesIO, data), len(data)) if name.lower().endswith(_PACKED) else data
    archive, _, which = path.rpartition(INNER)
    if archive.lower().endswith(ENDING):
        with _reading(archive), _local(archive) as file, open_archive(file) as opened:
            name, data = opened.read(which)
            return f"{archive}{INNER}{name}", data
    named = (path, f"{path}.json")
    games = (one for n, one in enumerate(_games_in(archive, True), start=1) if one.name in named or str(n) == which)
    none = Unopened(archive, f"no game in this archive has the name or number {which}")
    found = min(games, key=lambda one: one.name not in named, default=none)
    if isinstance(found, Unopened):
        raise CannotRead(found.name, found.why)
    return found.name, found.data


def public_name(source: str, paths: Iterable[str]) -> str:
    """Return ``source`` relative to the folder or archive in which it was found, for privacy."""
    for path in sorted(paths, key=len, reverse=True):
        inner = source.removeprefix(path)
        if inner != source and (inner[:1] in ("/", os.sep, INNER) or path.endswith(("/", os.sep))):
            return inner.lstrip("/" + os.sep + INNER)
    return os.path.basename(source)


# Files, folders and URLs ---------------------------------------------------------------------------------------------


def _listed(url: str) -> list[str | Unopened]:
    """Return ``url``, or those of the files below it that may contain games, by name."""
    try:
        with _reading(url):
            system, inner = _storage(url)
            found = [inner] if system.isfile(inner) else sorted(map(str, system.find(inner)))
            if not found:
                raise CannotRead(url, "there is nothing there")
    except FileProblem as error:
        return [_unopened(error)]
    names = (url.rstrip("/") + name.removeprefix(inner.rstrip("/")) for name in found)
    return [name for name in names if name == url or _is_wanted(name)]


def _below(top: str) -> Iterator[str | Unopened]:
    """Yield the files in the folder ``top`` and below that may contain games; memory holds the names on the current path."""
    left = [top]
    while left:
        path, what = left.pop(), "the file"
        try:
            mode = os.stat(path).st_mode
            if stat.S_ISREG(mode):
                yield path
            elif not stat.S_ISDIR(mode):
                yield Unopened(path, "not opened: this is not an ordinary file", None)
            elif path != top and os.path.islink(path):
                yield Unopened(path, "not opened: this is a link to a folder", None)
            else:
                what = "this folder"
                with os.scandir(path) as entries:
                    is_folder = partial(os.DirEntry.is_dir, follow_symlinks=False)
                    below = [one.path for one in entries if _is_wanted(one.name) or is_folder(one) or os.path.isdir(one)]
                left += sorted(below, reverse=True)
        except OSError as error:
            yield Unopened(path, f"{what} cannot be read: {error.strerror or error}")


def _is_wanted(name: str) -> bool:
    """Return whether a file with this ``name`` may contain games."""
    base = name.rpartition("/")[2].lower()
    return base.endswith((".json", _PACKED, TEXT, *_CONTAINERS)) and not base.startswith("._")


def _games_in(path: str, is_named: bool) -> Iterator[Found]:
    """Yield what may be a game in the file at ``path``, in order. Raises ``FileProblem`` for what is wrong with the rest."""
    ending, is_inner = path.lower(), _is_inner(path)
    if is_inner or not ending.endswith(_CONTAINERS):
        folder = None if is_inner or path == "-" or _URL in path else os.path.dirname(path) or "."
        yield Source(*read_game(path), is_named, folder)
    elif ending.endswith(OLD):
        with _opened(path) as stream:
            yield from _archived(path, old_games(stream, path))
    elif ending.endswith(ENDING):
        with _reading(path), _local(path) as file, open_archive(file) as archive:
            yield from _archived(path, archive.games())
    else:
        with _opened(path) as stream:
            yield from _unpacked(path, _zipped(path, stream) if ending.endswith(".zip") else _tarred(path, stream))


def _identity(path: str) -> tuple[int, int] | None:
    """Return what tells the file at ``path`` from all others on this machine; ``None`` if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _is_inner(path: str) -> bool:
    """Return whether ``path`` names one game of an archive, and not a file with such a name."""
    return path.rpartition(INNER)[0].lower().endswith(_ARCHIVES) and not os.path.lexists(path)


def _unopened(error: FileProblem) -> Unopened:
    if isinstance(error, Untrusted):
        return Unopened(error.file, error.violations[0].message, Kind.DAMAGED)
    return Unopened(error.file, error.words)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn what goes wrong while ``name`` is read into a problem of that file."""
    try:
        yield
    except FileProblem as error:
        error.rename(name)
        raise
    except Exception as error:
        if isinstance(error, OSError) and not isinstance(error, BadGzipFile):
            raise CannotRead(name, system_words(error, "file", "read this file")) from error
        if _URL in name:
            raise CannotRead(name, f"the file cannot be read: {error}") from error
        # Storages, and the libraries for archives that are damaged, raise errors that have no class in common.
        raise Untrusted(name, [Violation("$", f"the file is damaged or cut off: {error}")]) from error


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open ``path``, on a disk or at a URL, for reading at any position. Raises ``CannotRead``, ``Untrusted``."""
    with _reading(path):
        if _URL in path:
            system, inner = _storage(path)
            with BufferedReader(system.open(inner, "rb", block_size=_BLOCK)) as stream:
                yield cast(BinaryIO, stream)
        else:
            with Path(path).open("rb") as stream:
                yield stream


def _storage(url: str) -> tuple[Any, str]:
    """Return the storage of ``url`` as fsspec opens it, and the place in it."""
    try:
        return import_module("fsspec.core").url_to_fs(url)  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        words = "to read URLs, install the extra `cluster` (pip install 'pbem-adjudicator[cluster]')"
        raise CannotRead(url, f"{words}: {error}" if error.name != "fsspec" else words) from None
    except (ImportError, ValueError) as error:
        raise CannotRead(url, f"such URLs need another package, or cannot be read: {error}") from None


@contextmanager
def _local(path: str) -> Iterator[str]:
    """Yield the path of a file on this disk with the contents of ``path``: SQLite reads no URLs."""
    if _URL not in path:
        yield path
        return
    words = f"please download this archive first: it has more than {TOTAL // MEGABYTE:,} MB"
    with _opened(path) as stream, TemporaryDirectory() as folder:
        with (copy := Path(folder) / f"copy{ENDING}").open("wb") as file:
            copyfileobj(_Metered(stream, TOTAL, CannotRead(path, words)), file, _BLOCK)
        yield str(copy)


def _limited(name: str, opened: Callable[[], Any], packed: int) -> bytes:
    """Return what the file ``name`` with ``packed`` bytes unpacks to. Raises ``CannotRead``, ``Untrusted``."""
    most = min(LARGEST, max(MEGABYTE, RATIO * packed))
    with _reading(name), opened() as stream:
        try:
            return bounded(Unpacker(stream) if name.lower().endswith(_PACKED) else stream, most)
        except TooLarge:
            words = f"{LARGEST // MEGABYTE} MB" if most == LARGEST else f"{RATIO} times its size"
            raise CannotRead(name, f"not opened: it unpacks to more than {words}, so it is not a game") from None


# Archives ------------------------------------------------------------------------------------------------------------


class _Metered:
    """A ``stream`` from which up to ``left`` bytes are read, without the ``bad`` ones, whatever its headers claim."""

    def __init__(self, stream: Any, left: int, error: FileProblem, bad: str = "") -> None:
        self.stream, self.left, self.error, self.bad = stream, left, error, bad.encode()

    def read(self, size: int = -1) -> bytes:
        data: bytes = b"" if size > self.left else self.stream.read(self.left + 1 if size < 0 else size)
        self.left -= max(size, len(data))
        if self.left < 0 or (self.bad and re.search(self.bad, data)):
            raise self.error
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _archived(path: str, games: Iterable[tuple[str, bytes | FileProblem]]) -> Iterator[Found]:
    for inner, data in games:
        name = f"{path}{INNER}{inner}" if inner else path
        if isinstance(data, FileProblem):
            data.rename(name)
        yield _unopened(data) if isinstance(data, FileProblem) else Source(name, data)


def _unpacked(path: str, members: Iterable[_Member]) -> Iterator[Found]:
    """Yield those of the ``members`` of the zip or tar archive at ``path`` that may be games, within limits."""
    total = 0
    for number, (inner, why, opened, packed) in enumerate(members):
        if number >= MEMBERS:
            raise CannotRead(path, f"the rest was not opened: the archive has more than {MEMBERS:,} members")
        if not _is_wanted(inner):
            continue
        if leads_out(inner):
            why = "its name leads out of the archive: not opened"
        elif inner.lower().endswith(_CONTAINERS):
            why = "an archive within an archive: not opened; please unpack it first"
        name = f"{path}/{inner}"
        if why:
            yield Unopened(name, why)
            continue
        try:
            data = _limited(name, opened, packed)
        except FileProblem as error:
            yield _unopened(error)
            continue
        total += len(data)
        if total > TOTAL:
            raise CannotRead(path, f"the rest was not opened: the archive unpacks to more than {TOTAL // MEGABYTE:,} MB")
        yield Source(name, data)


def _zipped(path: str, stream: BinaryIO) -> Iterator[_Member]:
    size = stream.seek(0, os.SEEK_END)
    words = f"not opened: its list of members has more than {LARGEST // MEGABYTE} MB"
    meter: Any = _Metered(stream, LARGEST, CannotRead(path, words))
    archive = ZipFile(meter)
    # Members that share bytes could unpack to a thousand times the archive, so each byte is read once.
    meter.left, words = size, "its members overlap, which no normal archive does"
    meter.error = Untrusted(path, [Violation("$", words)])
    for info in archive.infolist():
        why = "it is encrypted: not opened" if info.flag_bits & 1 else ""
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            why = "it is packed in an unusual way: not opened; please use the ordinary one (deflate)"
        yield info.filename, why, partial(archive.open, info), info.compress_size
        if meter.left < 0:
            raise meter.error


def _tarred(path: str, stream: BinaryIO) -> Iterator[_Member]:
    packed, ending = stream.seek(0, os.SEEK_END), path.lower()
    stream.seek(0)
    # Tarfile's own decompression copies all that is left of a block, up to ten megabytes, at each header.
    plain: Any = (
        Unpacker(stream) if ending.endswith("zst") else GzipFile(fileobj=stream) if ending.endswith("gz") else stream
    )
    headers, most = max(HEADERS, 5 * packed), min(TOTAL, max(LARGEST, RATIO * packed))
    words = "its headers unpack to far more than those of games: the rest of it is not opened"
    # Before Python 3.11.10 and 3.12.6 tarfile needs an hour for a megabyte of digits.
    meter: Any = _Metered(plain, min(_HEADER, headers), CannotRead(path, words), r"\d{100}")

    def opened(member: tarfile.TarInfo) -> BytesIO:
        plain.seek(member.offset_data)
        data = plain.read(min(member.size, LARGEST + 1))
        if len(data) < min(member.size, LARGEST + 1):
            raise tarfile.ReadError("unexpected end of data")
        return BytesIO(data)

    tar: Any
    with tarfile.open(fileobj=meter, mode="r:") as tar:
        while member := tar.next():
            tar.members.clear()  # it would keep them all
            headers -= min(_HEADER, headers) - meter.left
            if member.issparse() or member.size < 0:
                raise tarfile.ReadError("it holds a file with holes (sparse), and no game is one")
            if member.offset_data + member.size > most:
                raise CannotRead(path, f"the rest was not opened: it unpacks to more than {most // MEGABYTE:,} MB")
            if member.isreg():
                yield member.name, "", partial(opened, member), member.size
            meter.left = min(_HEADER, headers)
