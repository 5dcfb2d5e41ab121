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
from typing import Any, BinaryIO, Final, Protocol

from adjudicator.core.problem import Violation
from adjudicator.files.errors import CannotRead, Untrusted, system_words

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


class Stream(Protocol):
    """Something to read bytes from."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes; none at the end."""


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
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SIMPLE_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_BOM: Final = b"\xef\xbb\xbf"


class TooLarge(ValueError):
    """Report a stream with more bytes than the reader wants."""


def bounded(stream: Stream, most: int = LIMIT) -> bytes:
    """Return the bytes of ``stream``, at most ``most``, whatever size it claims. Raises ``TooLarge`` if there are more."""
    pieces, left = list[bytes](), most + 1
    # One large read would reserve the memory first.
    while left and (piece := stream.read(min(left, MEGABYTE))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise TooLarge(f"more than {most:,} bytes")
    return b"".join(pieces)


def read(source: Source, opener: Callable[[str, int], int] | None = None) -> tuple[str, bytes]:
    """Return the name of ``source`` for messages, and its bytes; ``opener`` is an opener as ``open`` takes it.

    Raises ``CannotRead``.
    """
    if isinstance(source, bytes):
        return "the file", source
    name = "standard input" if source == "-" else os.fspath(source)
    try:
        if source == "-":
            return name, _standard_input(sys.stdin.buffer)
        with Path(name).open("rb") if opener is None else open(name, "rb", opener=opener) as stream:
            return name, bounded(stream)
    except TooLarge as error:
        raise CannotRead(name, f"the file is larger than {LIMIT // MEGABYTE} MB: it is not an adjudicator file") from error
    except (OSError, ValueError) as error:
        raise CannotRead(name, system_words(error, "file", "read this file")) from error


def parse(name: str, data: bytes) -> tuple[bytes, Any]:
    """Return ``data`` without a byte order mark, and the plain JSON in it: whole numbers and text only.

    ``name`` is the name of the file, for messages. Raises ``Untrusted`` if the data is not UTF-8 or not JSON, or if two
    programs might read it differently: duplicate names in an object, fractions, NaN, half characters.
    """
    data = data.removeprefix(_BOM)
    require_sparse(name, data)
    text, odd = "", list[object]()

    def fraction(written: str) -> float:
        odd.append(written)
        return float(written)

    def group(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        doubled, seen = _Doubled(found), set[str]()
        for name, _ in pairs:
            doubled.name = name if name in seen else doubled.name
            seen.add(name)
        odd.append(doubled)
        return doubled

    try:
        text = data.decode()
        words = TOO_DEEP if is_deep(data) else ""
        value = None if words else json.loads(text, object_pairs_hook=group, parse_float=fraction, parse_constant=fraction)
    except UnicodeDecodeError as error:
        words = f"this is not text in UTF-8: byte {error.start + 1} of {len(data)} is wrong"
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            words = "save the file as UTF-8: it is in UTF-16, which some editors and Windows PowerShell write"
    except json.JSONDecodeError as error:
        begun, line = text[: error.pos].strip(), f"line {error.lineno}, column {error.colno}"
        words = f"this is not JSON: {line}: {_SYNTAX.get(error.msg, 'something is wrong here')}"
        if not text.strip():
            words = "the file is empty"
        elif error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            last = text.count("\n") + 1
            words = f"this is not complete JSON: it ends too early, in line {last}; is the file cut off?"
        elif not begun:
            words = f"this is not JSON: it begins with {quoted(text.strip().splitlines()[0])}"
    except ValueError:  # more digits than Python is willing to convert
        words = "a number in the file has thousands of digits"
    wrong = [Violation("$", words)] if words else []
    if not words and (odd or _SURROGATE.search(text)):
        wrong += _oddities("$", value)
    if wrong:
        raise Untrusted(name, wrong)
    return data, value


def require_sparse(name: str, data: bytes) -> None:
    """Raise ``Untrusted`` before parsing if the JSON in ``data`` would take many times its size in memory."""
    if len(data) > MEGABYTE and (data.count(b"[") + data.count(b"{")) * DENSITY > len(data):
        raise Untrusted(name, [Violation("$", TOO_DENSE)])


def trail(keys: Iterable[str | int], path: str = "$") -> str:
    """Return the JSON path made of ``keys``, in the value at ``path``: from the top of the file, if not given."""
    for key in keys:
        simple = isinstance(key, str) and _SIMPLE_KEY.fullmatch(key)
        path += f".{key}" if simple else f"[{quoted(key) if isinstance(key, str) else key}]"
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


@lru_cache(1)
def _standard_input(stream: BinaryIO) -> bytes:
    """Return all of standard input, also to whoever asks again: a command looks at a file first, and then reads it."""
    return bounded(stream)


def _oddities(path: str, value: Any) -> Iterator[Violation]:
    """Yield the duplicate keys, fractions and half characters in ``value``, which no file may contain."""
    items: Iterable[tuple[str | int, Any]] = enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, _Doubled):
        yield Violation(path, f"the name {quoted(value.name)} appears twice")
    elif isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        yield Violation(path, f"must be written as a whole number: {int(value)}")
    elif isinstance(value, float):
        yield Violation(path, "must be a whole number" + (f", not {value:g}" if math.isfinite(value) else ""))
    elif isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
        yield Violation(path, f"{quoted(value)} contains half a character (a lone surrogate)")
    for key, item in value.items() if isinstance(value, dict) else items:
        if isinstance(key, str):
            yield from _oddities(path, key)
        yield from _oddities(trail((key,), path), item)
