"""Archives: many games in one SQLite file, each with its facts in columns, and its file packed in the last one.

A file from somebody else is never trusted: its tables must be exactly those of an archive, each row is checked, and damage
costs only the games that it hits.

Archives of version 1.0.0, NAME.jsonl.zst, have games as lines of JSON in blocks, which are Zstandard frames. They are read
block by block, without the index in the end, so a damaged block costs only its games.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final, cast
from urllib.parse import quote

from adjudicator.core.problem import Violation
from adjudicator.core.values import canonical_text
from adjudicator.files import typed
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse, Untrusted, system_words
from adjudicator.files.reading import MEGABYTE, TooLarge, bounded
from adjudicator.results import ArchivedGame

ENDING: Final = ".adjudicator.db"
"""The file extension of archives."""
LARGEST: Final = 64 * MEGABYTE
"""The limit in bytes for a game."""
UNLIMITED: Final = 1024 * MEGABYTE
RATIO: Final = 200
"""The largest ratio of an archive's contents to its file, beyond ``UNLIMITED`` bytes."""
_APPLICATION: Final = 0x61646A75
_VERSION: Final = 2
_COLUMNS: Final = "n, name, id, ruleset, players, begun, ended, result, head, hash, size"
"""The columns of a game, which are the fields of ``ArchivedGame``, without its file."""
_SCHEMA: Final = (
    """CREATE TABLE game (
  n integer primary key, name text not null, id text not null, ruleset text not null, players text not null,
  begun text, ended text, result text, head text not null, hash text not null, size integer not null, body blob not null
)""",
    "CREATE UNIQUE INDEX game_name on game (name)",
    "CREATE INDEX game_id on game (id)",
    "CREATE INDEX game_ruleset on game (ruleset, size)",
    "CREATE TABLE dictionary (ruleset text primary key, body blob not null) without rowid",
    f"CREATE VIEW games as select {_COLUMNS} from game",
)
"""The tables, indexes and the view, as SQLite writes them down."""
_MODELS: Final = 8
"""The number of games of a ruleset that make its dictionary."""
_DICTIONARY: Final = 256 * 1024
"""The size of the largest dictionary in bytes."""
_MOST_CODECS: Final = 64
_PATIENCE: Final = 10.0
"""Seconds to wait for another program that uses the file."""
_CACHE: Final = "pragma cache_size = -65536"
"""Set the size of SQLite's cache, 64 MB, which a file could otherwise choose."""
_BATCH: Final = 100
_LONGEST: Final = 256 * 1024
"""The length of the longest text in a row in bytes."""
_MOST: Final = 1_000_000
"""The largest number of games of one name."""
_SHOWN: Final = 5
_LINK: Final = re.compile(rb'^(\{"entry":(.*),"hash":")(.{64}|)"\},?$', re.MULTILINE)
"""The line of a journal entry: what comes before its hash, the entry in it, and the hash or nothing."""
_JOURNAL: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""The beginning of a journal, and the end of one that names a file for SQLite to delete: no archive has such a one."""
LEVEL: Final = 12
"""The level of compression: a higher one is many times slower and saves a twentieth."""
_WINDOW_LOG: Final = 26
"""The largest window of a frame, as a power of two: the unpacker keeps up to 64 MB in memory."""
_MISSING: Final = (
    "archives need the extra `archive`: pip install 'pbem-adjudicator[archive]'"
    if sys.version_info < (3, 14)
    else "this Python was built without compression.zstd: pip install zstandard"
)


def is_archive(path: str) -> bool:
    """Return whether ``path`` has the file extension of an archive."""
    return path.lower().endswith(ENDING)


def leads_out(name: str) -> bool:
    """Return whether the ``name`` of a game leads out of its archive, or out of the folder for it."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or re.match("[A-Za-z]:", name) is not None


def open_archive(path: str) -> Archive:
    """Open the archive at ``path`` for reading; close it afterwards. Raises ``CannotRead``, ``InUse``, ``Untrusted``."""
    mode, beside = "ro", f"{os.path.realpath(path)}-journal"
    for file in (path, beside):
        if os.path.exists(file) and not os.path.isfile(file):
            raise CannotRead(file, "this is not an ordinary file")
    try:
        with open(path, "rb") as stream:
            head = stream.read(100)
        with suppress(FileNotFoundError), open(beside, "rb") as stream:
            begin = stream.read(28)
            pages, size = int.from_bytes(begin[16:20], "big"), int.from_bytes(begin[24:28], "big")
            if begin.startswith(_JOURNAL) and pages * max(size, 512) > os.path.getsize(path):
                # SQLite would make the file as large as the journal says.
                raise _untrusted(path, f"the journal beside it, {beside}, is of another file: delete it")
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - len(_JOURNAL)))
            # Only a connection that may write takes back what an interrupted run has left.
            mode = "ro" if stream.read() in (b"", _JOURNAL) else "rw"
    except (OSError, ValueError) as error:
        raise CannotRead(path, system_words(error, "file", "read this file")) from error
    version, kind = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if not head.startswith(b"SQLite format 3\0") or head[18:20] != b"\1\1" or kind != _APPLICATION:
        raise _untrusted(path, "this is not an archive, or its beginning is damaged")
    if version != _VERSION:
        raise CannotRead(path, f"install a newer adjudicator: this archive has version {version}, not {_VERSION}")
    archive = Archive(path, mode)
    try:
        archive.query("pragma query_only = on")
        archive.query(_CACHE)
        if sorted(archive.query("select sql from sqlite_schema where sql is not null limit 20")) != sorted(
            (statement,) for statement in _SCHEMA
        ):
            raise _untrusted(path, "this is not an archive: it has the tables of something else")
    except BaseException:
        archive.close()
        raise
    return archive


@contextmanager
def change_archive(path: str) -> Iterator[Archive]:
    """Open the archive at ``path``, or make it, for `add`; all changes inside are one transaction.

    Raises ``CannotRead``, ``CannotWrite``, ``InUse``, ``Untrusted``.
    """
    is_new = not os.path.exists(path)
    if not is_new:
        open_archive(path).close()
    with Archive(path, "rwc") as archive:  # closing takes back what is not committed
        archive.query("pragma page_size = 8192")  # most games fit: this is a tenth smaller than with the usual 4096
        archive.query(_CACHE)
        archive.query("begin immediate")
        if is_new:
            for statement in (f"pragma application_id = {_APPLICATION}", f"pragma user_version = {_VERSION}", *_SCHEMA):
                archive.query(statement)
        yield archive
        archive.query("commit")
        if is_new:
            archive.query("vacuum")  # the first games of each ruleset were packed twice


class Archive:
    """An open archive; messages call it ``name``."""

    def __init__(self, name: str, mode: str) -> None:
        """Open the file ``name`` in a ``mode`` of SQLite: `open_archive` and `change_archive` do it with every check."""
        import sqlite3  # few commands need it

        self.name, self._sqlite = name, sqlite3
        self._codec = lru_cache(_MOST_CODECS)(self._prepared)
        self._numbered: dict[str, tuple[set[str], int]] = {}
        self._unpacked = 0
        path = Path(name).absolute().as_posix().lstrip("/")
        uri = f"file:///{quote(os.fsencode(path))}?mode={mode}"  # as_uri needs urllib.request, which the desk leaves out
        try:
            self._connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
        except sqlite3.DatabaseError as error:
            raise CannotRead(name, f"the file cannot be opened: {error}") from error
        self._limit(LARGEST + MEGABYTE if mode == "rwc" else _LONGEST)
        self._connection.execute("pragma trusted_schema = off")
        self.close = self._connection.close

    def __enter__(self) -> Archive:
        """Return the archive itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def query(self, statement: str, *values: object) -> list[Any]:
        """Return what a ``statement`` of SQL finds. Raises ``InUse``, ``CannotWrite``, or ``Untrusted`` for damage."""
        sqlite3 = self._sqlite
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # which a message may be that quotes damage
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise InUse(self.name, "another program uses this archive; try again when it has finished") from error
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
                raise CannotWrite(self.name, f"the archive cannot be written: {error}") from error
            raise _untrusted(self.name, f"the archive is damaged: {error}") from error

    def _limit(self, most: int) -> None:
        """Take no value of more than ``most`` bytes: pages of a damaged file may be parts of any number of values."""
        self._connection.setlimit(self._sqlite.SQLITE_LIMIT_LENGTH, most)

    # Reading

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return os.path.getsize(self.name)

    def totals(self) -> tuple[int, int]:
        """Return the number of games, and the size of their files in bytes; 0 if they are damaged. Raises ``InUse``."""
        with suppress(Untrusted):  # an index has the sizes, so that no game is read
            ((games, size),) = self.query(f"select count(*), total(size) from (select size from game limit {self.size})")
            return games, int(size)
        return 0, 0

    def rows(self) -> Iterator[ArchivedGame | Untrusted]:
        """Yield the row of each game by number; ``Untrusted`` for one that is damaged. Raises ``InUse``, ``Untrusted``."""
        last, query = -(2**63), f"select {_COLUMNS} from game where n"
        with suppress(Untrusted):  # a reader that waits between two batches keeps no writer waiting
            while batch := self.query(f"{query} > ? order by n limit {_BATCH}", last):
                for values in batch:
                    if values[0] <= last:
                        raise _untrusted(self.name, "the archive is damaged: its rows are not in order")
                    last = values[0]
                    yield self._checked(values)
            return
        names = f"select n, substr(name, 1, 200) from game indexed by game_name where n > ? limit {self.size // 100}"
        for n, name in sorted(self.query(names, last)):  # a part of the table is damaged, and this index is beside it
            try:
                found = self.query(f"{query} = ?", n)
                yield self._checked(found[0]) if found else _untrusted(f"{self.name}#{name}", "the game is missing")
            except Untrusted as error:
                error.rename(f"{self.name}#{name}")
                yield error

    def games(self) -> Iterator[tuple[str, bytes | FileProblem]]:
        """Yield the name and the file of each game, as `rows` does; the problem of a damaged one."""
        for one in self.files(self.rows()):
            yield (one.file[len(self.name) + 1 :], one) if isinstance(one, Untrusted) else (one[0].name, one[1])

    def files(self, rows: Iterable[ArchivedGame | Untrusted]) -> Iterator[tuple[ArchivedGame, bytes] | Untrusted]:
        """Yield each of the ``rows`` with the file of its game; ``Untrusted`` if one of both is damaged."""
        for row in rows:
            try:
                yield row if isinstance(row, Untrusted) else (row, self.file_of(row))
            except Untrusted as error:
                yield error

    def read(self, which: str) -> tuple[str, bytes]:
        """Return the name and the file of the game with the name ``which``, else with this id, else with this number.

        Raises ``CannotRead`` if there is no such game, or several with that id; ``InUse``, ``Untrusted``.
        """
        row = self.find(which)
        return row.name, self.file_of(row)

    def find(self, which: str) -> ArchivedGame:
        """Return the row of the game that ``read`` returns. Raises ``CannotRead``, ``InUse``, ``Untrusted``."""
        which = which.encode(errors="replace").decode()  # the command line may have half characters
        number = int(which) if which.isdecimal() and len(which) < 18 else 0
        for column, value in (("name", which), ("name", f"{which}.json"), ("id", which or None), ("n", number)):
            found = self.query(f"select n, name from game where {column} = ? order by n limit 1000", value)
            if found and len(found) > 1:
                names = ", ".join(str(name) for _, name in found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
                raise CannotRead(self.name, f"name one of the {len(found):,} games with the id {which}: {names}")
            for values in found and self.query(f"select {_COLUMNS} from game where n = ?", found[0][0]):
                row = self._checked(values)
                if isinstance(row, Untrusted):
                    raise row
                return row
        words = f"no game in this archive has the name, id or number {which}"
        raise CannotRead(self.name, f"{words}; `adjudicator archive {self.name}` lists its games")

    def file_of(self, row: ArchivedGame) -> bytes:
        """Return the file of the game with this ``row``. Raises ``InUse``, ``Untrusted``."""
        name = f"{self.name}#{row.name}"
        if self._unpacked > max(UNLIMITED, RATIO * self.size):
            raise _untrusted(name, f"not unpacked: the archive unpacks to more than {RATIO} times its size")
        try:
            self._limit(LARGEST + MEGABYTE)
            text = self._text(row.n, row.ruleset)
        except (TypeError, ValueError) as error:
            raise _untrusted(name, f"its file is damaged: {error}") from None
        except Untrusted as error:
            error.rename(name)
            raise
        finally:
            self._limit(_LONGEST)
        self._unpacked += len(text)
        for data in (restore(text), text):
            if len(data) == row.size and sha256(data).hexdigest() == row.hash:
                return data
        raise _untrusted(name, "its file does not fit its hash: somebody has changed it")

    def damage(self) -> str:
        """Return the first damage that SQLite finds in the file; empty if it is sound. Raises ``InUse``."""
        try:
            ((found,),) = self.query("pragma integrity_check(1)")
        except Untrusted as error:
            return error.violations[0].message
        return "" if found == "ok" else f"the archive is damaged: {found}"

    def _checked(self, values: tuple[Any, ...]) -> ArchivedGame | Untrusted:
        row = dict(zip(ArchivedGame.__struct_fields__, values, strict=True))
        try:
            for fact in ("players", "result"):
                row[fact] = row[fact] and typed.read(dict[str, Any], row[fact])
            return cast(ArchivedGame, typed.convert(ArchivedGame, row))
        except (TypeError, ValueError, RecursionError) as error:
            name = row["name"] if isinstance(row["name"], str) else row["n"]
            return _untrusted(f"{self.name}#{name}", f"its row is damaged: {error}")

    def _text(self, n: int, ruleset: str) -> bytes:
        """Return the unpacked text of game ``n``. Raises ``TypeError`` or ``ValueError`` for damage."""
        ((body,),) = self.query("select body from game where n = ?", n)
        return bounded(self._codec(ruleset).unpacker(body), LARGEST)

    def _prepared(self, ruleset: str) -> Codec:
        """Return what packs and unpacks the games of ``ruleset``, with its dictionary. Raises as `_text`."""
        try:
            codec = Codec()
        except CannotRead as error:
            error.rename(self.name)
            raise
        for (body,) in self.query("select body from dictionary where ruleset = ?", ruleset):
            codec = Codec(bounded(codec.unpacker(body), _DICTIONARY))
        return codec

    # Writing

    def add(self, row: ArchivedGame, data: bytes) -> str | None:
        """Add the file ``data`` of a game, and its facts in ``row``, inside of `change_archive`.

        Return its name: that of the row, with a number if another game has it; ``None`` if the game is there already.
        """
        name = self._free_name(row.name, row.hash)
        if name is None:
            return None
        text = _relinked(data, shortens=True)
        try:
            body = self._codec(row.ruleset).pack(text if restore(text) == data else data)
        except (TypeError, ValueError) as error:
            raise _untrusted(self.name, f"the dictionary of {row.ruleset} is damaged: {error}") from None
        players, result = canonical_text(row.players), row.result and canonical_text(row.result)
        facts = (row.game, row.ruleset, players, row.begun, row.ended, result, row.head, row.hash, row.size)
        self.query(f"insert into game values (null{', ?' * 11})", name, *facts, body)
        # Once there are enough games of a ruleset, its first ones become their dictionary, and are packed again with it.
        games = self.query(f"select n from game where ruleset = ? limit {_MODELS + 1}", row.ruleset)
        if row.ruleset and len(games) == _MODELS:
            try:
                texts = [(n, self._text(n, row.ruleset)) for (n,) in games]
            except (TypeError, ValueError) as error:
                raise _untrusted(self.name, f"a game of {row.ruleset} is damaged: {error}") from None
            dictionary = b"".join(text for _, text in texts)[:_DICTIONARY]
            self.query("insert into dictionary values (?, ?)", row.ruleset, self._codec(row.ruleset).pack(dictionary))
            self._codec.cache_clear()
            for n, text in texts:
                self.query("update game set body = ? where n = ?", self._codec(row.ruleset).pack(text), n)
        return name

    def _free_name(self, name: str, hash_: str) -> str | None:
        """Return ``name``, with a number if another game has it; ``None`` if the same game has one of these names."""
        query = "select hash from game where name = ?"
        if not (found := self.query(query, name)):
            return name
        stem, ending = os.path.splitext(name)
        if name not in self._numbered:  # once for all games of this name
            between = f"select name, hash from game where name > ? and name < ? limit {_MOST}"
            others = self.query(between, f"{stem}-", f"{stem}.")
            numbered = [hash_ for other, hash_ in others if re.fullmatch(r"-\d+", other[len(stem) :].removesuffix(ending))]
            self._numbered[name] = {*numbered, found[0][0]}, 2
        hashes, number = self._numbered[name]
        if hash_ in hashes:
            return None
        while self.query(query, f"{stem}-{number}{ending}"):
            number += 1
        hashes.add(hash_)
        self._numbered[name] = hashes, number + 1
        return f"{stem}-{number}{ending}"


def restore(text: bytes) -> bytes:
    """Return the game file for a packed ``text``: with the hashes of its journal that were left out."""
    return _relinked(text, shortens=False)


def _relinked(text: bytes, *, shortens: bool) -> bytes:
    """Return ``text`` without the hashes of entries that follow from the entry before, or with them again.

    Hashes do not compress: they would fill two thirds of a packed game.
    """
    relinked, last, before = bytearray(), 0, b""
    for found in _LINK.finditer(text):
        hash_, follows = found[3], sha256(before + found[2]).hexdigest().encode()
        if before and hash_ == (follows if shortens else b""):
            relinked += text[last : found.start(3)] + (b"" if shortens else follows)
            last, hash_ = found.end(3), follows
        before = hash_
    return bytes(relinked + text[last:])


def _untrusted(name: str, words: str) -> Untrusted:
    return Untrusted(name, [Violation("$", words)])


# Zstandard: with the standard library, or before Python 3.14 with the package ``zstandard``


class BadZstdError(ValueError):
    """Report bytes that are not Zstandard, are damaged, or need too much memory."""


class Unpacker:
    """Reads the contents of the frames in a stream, one after the other, and skips the skippable frames.

    The sizes that frames declare do not count: a read takes up to the bytes it was asked for, and no more memory.
    """

    def __init__(self, stream: Any, dictionary: Any = None) -> None:
        """Begin at the next byte of the binary ``stream``; `Codec` has the ``dictionary``. Raises ``CannotRead``."""
        zstd = _library()
        if hasattr(zstd, "ZstdFile"):
            limits = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
            self._stream = zstd.ZstdFile(stream, options=limits, zstd_dict=dictionary)
        else:
            unpacker = zstd.ZstdDecompressor(dict_data=dictionary, max_window_size=1 << _WINDOW_LOG)
            self._stream = unpacker.stream_reader(stream, read_across_frames=True, closefd=False)
        self.tell = self._stream.tell

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; none at the end. Raises ``BadZstdError``."""
        with _explained():
            return bytes(self._stream.read(size))

    def seek(self, offset: int) -> int:
        """Skip to byte ``offset`` of the contents, which must lie ahead, and return it. Raises ``BadZstdError``."""
        with _explained():
            return int(self._stream.seek(offset))


class Codec:
    """Packs and unpacks bytes, each as one frame with a checksum.

    What repeats a part of the ``dictionary``, any bytes, takes hardly any space.
    """

    def __init__(self, dictionary: bytes = b"") -> None:
        """Prepare the ``dictionary``. Raises ``CannotRead`` without a library for Zstandard."""
        zstd, self._dictionary = _library(), None
        if hasattr(zstd, "ZstdFile"):
            self._dictionary = zstd.ZstdDict(dictionary, is_raw=True) if dictionary else None
            options = {zstd.CompressionParameter.compression_level: LEVEL, zstd.CompressionParameter.checksum_flag: 1}
            prepared = self._dictionary and self._dictionary.as_digested_dict
            self.pack: Callable[[bytes], bytes] = partial(zstd.compress, options=options, zstd_dict=prepared)
        else:
            if dictionary:
                self._dictionary = zstd.ZstdCompressionDict(dictionary, dict_type=zstd.DICT_TYPE_RAWCONTENT)
            self.pack = zstd.ZstdCompressor(level=LEVEL, dict_data=self._dictionary, write_checksum=True).compress

    def unpacker(self, data: bytes) -> Unpacker:
        """Return a stream of the contents of ``data``, which may be damaged."""
        return Unpacker(BytesIO(data), self._dictionary)


def _library() -> Any:
    with suppress(ImportError):
        return import_module("compression.zstd")
    with suppress(ImportError):
        return import_module("zstandard")
    raise CannotRead("this file", _MISSING)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the errors of the library into ``BadZstdError``."""
    try:
        yield
    except (_library().ZstdError, EOFError, MemoryError, ValueError) as error:
        raise BadZstdError(str(error) or "it needs too much memory") from None


# Archives of version 1.0.0 --------------------------------------------------------------------------------------------


OLD: Final = ".jsonl.zst"
"""The file extension of archives of version 1.0.0."""
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_LARGEST_BLOCK: Final = LARGEST + 8 * MEGABYTE
_MOST_PIECES: Final = 2048
"""The most pieces of a frame: 72 MB have some 600."""
_MOST_DAMAGES: Final = 1000
_LINE: Final = re.compile(rb'\{"hash":"([0-9a-f]{64})","name":("(?:[^"\\]|\\.)*"),"(game|text)":(.*)\}', re.DOTALL)


def old_games(stream: BinaryIO, archive: str) -> Iterator[tuple[str, bytes | FileProblem]]:
    """Yield the name and the bytes of each game in ``stream``, an old file ``archive``; ``Untrusted`` for damage.

    The name is empty if it is unknown. Raises ``CannotRead`` without a library for Zstandard, ``OSError``.
    """
    size = stream.seek(0, 2)
    at = total = damages = 0
    while at < size and damages < _MOST_DAMAGES and total <= max(UNLIMITED, RATIO * size):
        end, is_block = _end_of_frame(stream, at, size), False
        if end is None:
            damages, end = damages + 1, _next_block(stream, at + 1, size)
            yield "", _untrusted(archive, f"{end - at:,} bytes from byte {at:,} on are damaged, or cut off")
        else:
            stream.seek(at)
            is_block = stream.read(4) == _MAGIC
            stream.seek(at)
        begin, at = at, end
        if not is_block:
            continue
        try:
            text = bounded(Unpacker(BytesIO(stream.read(end - begin))), _LARGEST_BLOCK)
        except (BadZstdError, TooLarge) as error:
            damages += 1
            yield "", _untrusted(archive, f"a block is damaged: {error}")
            continue
        total += len(text)
        for line in BytesIO(text or b"\n"):
            # A line has tabs as the line ends of its game, and no hashes that follow from the text before.
            name, game, found = "", b"", _LINE.fullmatch(line.removesuffix(b"\n"))
            try:
                if found is None:
                    raise ValueError
                name, packed = str(json.loads(found[2])), found[4]
                is_game = found[3] == b"game"
                game = restore(packed.replace(b"\t", b"\n")) if is_game else str(json.loads(packed)).encode(errors="replace")
            except (ValueError, RecursionError):
                name, wrong = "", "a line is no game"
            else:
                is_whole = sha256(game).hexdigest().encode() == found[1]
                wrong = "" if is_whole else "the game does not fit its hash in the archive: somebody has changed it"
            yield name, _untrusted(archive, wrong) if wrong else game
            damages += wrong != ""
            if damages >= _MOST_DAMAGES:
                break
    if at < size or damages >= _MOST_DAMAGES:
        yield "", _untrusted(archive, f"the rest was not read: too much is damaged, or it unpacks to {RATIO} times its size")


def _end_of_frame(stream: BinaryIO, at: int, size: int) -> int | None:
    """Return the end of the frame that begins ``at`` (RFC 8878, 3.1), or ``None`` if there is no whole frame."""
    stream.seek(at)
    head = stream.read(14)
    if head[1:4] == b"\x2a\x4d\x18" and len(head) >= 8:  # a frame that every Zstandard program skips
        end = at + 8 + int.from_bytes(head[4:8], "little")
        return end if end <= size else None
    if not head.startswith(_MAGIC) or len(head) < 8:
        return None
    is_single = head[4] >> 5 & 1
    place = at + 6 - is_single + (0, 1, 2, 4)[head[4] & 3] + (is_single, 2, 4, 8)[head[4] >> 6]
    for _ in range(_MOST_PIECES):
        stream.seek(place)
        piece = int.from_bytes(stream.read(3), "little")
        kind, length = piece >> 1 & 3, piece >> 3
        place += 3 + (1 if kind == 1 else length)
        if kind == 3 or place > min(size, at + 2 * _LARGEST_BLOCK):
            break
        if piece & 1:
            end = place + (head[4] & 4)  # the checksum
            return end if end <= size else None
    return None


def _next_block(stream: BinaryIO, at: int, size: int) -> int:
    """Return the next possible beginning of a block from ``at`` on, or ``size``."""
    stream.seek(at)
    data = stream.read(MEGABYTE)
    while (found := data.find(_MAGIC)) < 0 and at + len(data) < size:
        at += len(data) - 3
        data = data[-3:] + stream.read(MEGABYTE)
    return at + found if found >= 0 else size
