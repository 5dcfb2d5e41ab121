"""Read a path or standard input as bytes and plain JSON; reject odd JSON and name the place."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from adjudicator.core.problem import Violation
from adjudicator.files.errors import CannotRead, Untrusted

MEGABYTE: Final = 1024 * 1024
LIMIT: Final = 256 * MEGABYTE
"""The size limit of a file in bytes. A game of 10,000 orders has about 5 million."""
DENSITY: Final = 8
"""The fewest bytes for each list or object in a file larger than a megabyte, since each takes some hundred bytes of memory.
Game files have twenty and more."""

TOO_DENSE: Final = "the file holds far more brackets than any adjudicator file"

TOO_DEEP: Final = "the brackets are nested too deeply"

MOST_NESTED: Final = 100
"""The limit for nested lists and objects in a file. Python's own limit differs from version to version."""

Source = str | os.PathLike[str] | bytes
"""A path, ``-`` for standard input, or the bytes themselves."""

_SYNTAX: Final = {
    "Expecting value": "a value is expected here",
    "Expecting property name enclosed in double quotes": "a name in double quotes is expected here",
    "Expecting ',' delimiter": "a comma is missing here",
    "Expecting ':' delimiter": "a colon is missing here",
    "Illegal trailing comma before end of object": "remove this comma",
    "Illegal trailing comma before end of array": "remove this comma",
    "Extra data": "there is more text after the last closing bracket",
    "Invalid control character at": "this character must be written with a backslash",
    "Invalid \\escape": "a backslash is followed by a wrong character",
    "Invalid \\uXXXX escape": "a backslash and `u` must be followed by four digits 0–9 and a–f",
}
"""The messages of Python's JSON reader in plain English."""
_BAD_SYNTAX: Final = "something is wrong here"
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SIMPLE_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_BOM: Final = b"\xef\xbb\xbf"


def read(source: Source, opener: Callable[[str, int], int] | None = None) -> tuple[str, bytes]:
    """Return the name of ``source`` for messages, and its bytes; ``opener`` is an opener as ``open`` takes it.

    Raises ``CannotRead``.
    """
    if isinstance(source, bytes):
        return "the file", source
    if source == "-":
        return "standard input", _standard_input(sys.stdin.buffer)
    name = os.fspath(source)
    try:
        with Path(name).open("rb") if opener is None else open(name, "rb", opener=opener) as stream:
            return name, _limited(name, stream)
    except FileNotFoundError:
        raise CannotRead(name, "there is no such file") from None
    except IsADirectoryError:
        raise CannotRead(name, "this is a folder, not a file") from None
    except PermissionError:
        raise CannotRead(name, "you have no permission to read this file") from None
    except ValueError:  # a name with a NUL in it
        raise CannotRead(name, "this is not a valid file name") from None
    except OSError as error:
        raise CannotRead(name, f"the file cannot be read: {error.strerror or error}") from error


def parse(name: str, data: bytes) -> tuple[bytes, Any]:
    """Return ``data`` without a byte order mark, and the plain JSON in it: whole numbers and text only.

    ``name`` is the name of the file, for messages. Raises ``Untrusted`` if the data is not UTF-8 or not JSON, or if two
    programs might read it differently: duplicate names in an object, fractions, NaN, half characters.
    """
    data = data.removeprefix(_BOM)
    require_sparse(name, data)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Untrusted(name, [Violation("$", _undecodable(data, error))]) from None
    if is_deep(data):
        raise Untrusted(name, [Violation("$", TOO_DEEP)])
    reader = _Reader()
    try:
        value = reader.read(text)
        odd = tuple(_oddities("$", value)) if reader.is_odd or _SURROGATE.search(text) else ()
    except json.JSONDecodeError as error:
        raise Untrusted(name, [Violation("$", _syntax(error, text))]) from None
    except ValueError:  # more digits than Python is willing to convert
        raise Untrusted(name, [Violation("$", "a number in the file has thousands of digits")]) from None
    if odd:
        raise Untrusted(name, odd)
    return data, value


def require_sparse(name: str, data: bytes) -> None:
    """Raise ``Untrusted`` before parsing if the JSON in ``data`` would take many times its size in memory."""
    if len(data) > MEGABYTE and (data.count(b"[") + data.count(b"{")) * DENSITY > len(data):
        raise Untrusted(name, [Violation("$", TOO_DENSE)])


def member(path: str, key: str | int) -> str:
    """Return the JSON path of ``key`` in the value at ``path``."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if _SIMPLE_KEY.fullmatch(key) else f"{path}[{quoted(key)}]"


def trail(keys: Iterable[str | int]) -> str:
    """Return the JSON path made of ``keys``, from the top of the file."""
    path = "$"
    for key in keys:
        path = member(path, key)
    return path


def quoted(text: str, most: int = 60) -> str:
    """Return ``text`` in quotation marks, cut to ``most`` characters, with control characters escaped."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "“" + "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in cut) + "”"


def is_deep(data: bytes) -> bool:
    """Return whether brackets are nested more than ``MOST_NESTED`` deep in the JSON ``data``, which may be broken.

    The parser must not find out: some versions of Python, such as those in browsers, do not survive it.
    """
    signs = data.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _NO_BRACKETS)
    brackets = b"".join(signs.split(b'"')[::2])  # those outside of strings
    for _ in range(MOST_NESTED):
        inner = brackets
        brackets = _PAIR.sub(b"", inner)
        if len(brackets) == len(inner):  # the brackets do not match: the parser names the place
            break
    return len(brackets) > MOST_NESTED or _PAIR.search(brackets) is not None


_NO_BRACKETS: Final = bytes(set(range(256)) - set(b'[]{}"'))
_PAIR: Final = re.compile(rb"\[\]|\{\}")


class _Doubled(dict[str, Any]):
    """An object with the duplicate key ``name``."""

    name = ""


class _Reader:
    """Reads one JSON text; ``is_odd`` says whether it contains a duplicate key or a fraction."""

    def __init__(self) -> None:
        self.is_odd = False

    def read(self, text: str) -> Any:
        return json.loads(text, object_pairs_hook=self.object, parse_float=self.fraction, parse_constant=self.fraction)

    def fraction(self, written: str) -> float:
        self.is_odd = True
        return float(written)

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self.is_odd = True
        doubled, seen = _Doubled(found), set[str]()
        for name, _ in pairs:
            if name in seen:
                doubled.name = name
            seen.add(name)
        return doubled


@lru_cache(1)
def _standard_input(stream: BinaryIO) -> bytes:
    """Return all of standard input, also to whoever asks again: a command looks at a file first, and then reads it."""
    return _limited("standard input", stream)


def _limited(name: str, stream: BinaryIO) -> bytes:
    pieces, left = list[bytes](), LIMIT + 1
    # One large read would reserve the memory first.
    while left and (piece := stream.read(min(left, MEGABYTE))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise CannotRead(name, f"the file is larger than {LIMIT // MEGABYTE} MB: it is not an adjudicator file")
    return b"".join(pieces)


def _undecodable(data: bytes, error: UnicodeDecodeError) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "save the file as UTF-8: it is in UTF-16, which some editors and Windows PowerShell write"
    return f"this is not text in UTF-8: byte {error.start + 1} of {len(data)} is wrong"


def _syntax(error: json.JSONDecodeError, text: str) -> str:
    if not text.strip():
        return "the file is empty"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"this is not complete JSON: it ends too early, in line {text.count(chr(10)) + 1}; is the file cut off?"
    if not text[: error.pos].strip():
        return f"this is not JSON: it begins with {quoted(text.strip().splitlines()[0])}"
    return f"this is not JSON: line {error.lineno}, column {error.colno}: {_SYNTAX.get(error.msg, _BAD_SYNTAX)}"


def _oddities(path: str, value: Any) -> Iterator[Violation]:
    """Yield the duplicate keys, fractions and half characters in ``value``, which no file may contain."""
    if isinstance(value, dict):
        if isinstance(value, _Doubled):
            yield Violation(path, f"the name {quoted(value.name)} appears twice")
        for key, item in value.items():
            yield from _half_characters(path, key)
            yield from _oddities(member(path, key), item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _oddities(member(path, index), item)
    elif isinstance(value, float):
        yield Violation(path, _fraction(value))
    elif isinstance(value, str):
        yield from _half_characters(path, value)


def _fraction(value: float) -> str:
    if not math.isfinite(value):
        return "must be a whole number"
    if value.is_integer() and abs(value) < 1e15:
        return f"must be written as a whole number: {int(value)}"
    return f"must be a whole number, not {value:g}"


def _half_characters(path: str, text: str) -> Iterator[Violation]:
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        yield Violation(path, f"{quoted(text)} contains half a character (a lone surrogate)")
