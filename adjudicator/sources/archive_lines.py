"""Convert a game to one line of JSON, and back to its file, byte for byte.

A line end becomes a tab: JSON allows that, and no file that this program writes has a tab. A line leaves out the hashes of
journal entries that follow from the text before: hashes cannot be packed, and would take two thirds of a packed game.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any, Final

from adjudicator.core.values import Value
from adjudicator.files.reading import MEGABYTE
from adjudicator.results import ArchivedGame
from adjudicator.sources.candidates import LARGEST

_ENTRY: Final = b'{"entry":'
_HASH: Final = b',"hash":"'
_DIGITS: Final = 64
_LINE: Final = re.compile(rb'\{"hash":"([0-9a-f]{64})","name":("(?:[^"\\]|\\.)*"),"(game|text)":(.*)\}', re.DOTALL)


class BadLineError(ValueError):
    """Report a bad line of an archive; the message describes the problem."""


class PackedGame(Value):
    """A game as a ``line`` of an archive, without its line end, and its ``row`` in the index, still without a number."""

    row: ArchivedGame
    line: bytes


def pack_game(name: str, data: bytes) -> PackedGame:
    """Return the file ``data`` as a line, under ``name``. Raises ``BadLineError`` if no archive can hold it."""
    if len(data) > LARGEST:
        raise BadLineError(
            f"the game is too large: it has {len(data) // MEGABYTE:,} MB, and the limit is {LARGEST // MEGABYTE} MB"
        )
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise BadLineError("the file is not text in UTF-8") from None
    hash_ = sha256(data).hexdigest()
    document = _game_in(text)
    head = f'{{"hash":"{hash_}","name":{json.dumps(name, ensure_ascii=False)},'.encode()
    kind, body = b"game", _shorten(data) if document is not None else b""
    if document is None or restore_file(body) != data:
        kind, body = b"text", json.dumps(text).encode()
    line = b'%b"%b":%b}' % (head, kind, body)
    game, rules = ids_of(document)
    return PackedGame(ArchivedGame(n=0, name=name, game=game, ruleset=rules, hash=hash_, size=len(data)), line)


def unpack_game(line: bytes) -> tuple[str, str, bytes]:
    """Return the name, the hash and the file of the game in ``line``. Raises ``BadLineError``."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadLineError("this is not a line of an archive")
    hash_, name = found[1].decode(), _text(found[2])
    data = restore_file(found[4]) if found[3] == b"game" else _text(found[4]).encode(errors="replace")
    if sha256(data).hexdigest() != hash_:
        raise BadLineError("the game does not fit its hash in the archive: somebody has changed it")
    return name, hash_, data


def name_in(line: bytes) -> tuple[str, str]:
    """Return the name and the hash of the game in ``line``, without other checks. Raises ``BadLineError``."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise BadLineError("this is not a line of an archive")
    return _text(found[2]), found[1].decode()


def ids_of(document: Any) -> tuple[str, str]:
    """Return the ids of the game in ``document`` and of its ruleset, empty where they are missing."""
    if not isinstance(document, dict):
        return "", ""
    named = document.get("ruleset")
    rules = named.get("id") if isinstance(named, dict) else None
    name = document.get("id")
    return (name if isinstance(name, str) else ""), (rules if isinstance(rules, str) else "")


def restore_file(packed: bytes) -> bytes:
    """Return the game file for the ``packed`` text of a line, with its line ends and all hashes of its journal."""
    lines, before = packed.split(b"\t"), b""
    for at, line in enumerate(lines):
        if not line.startswith(_ENTRY):
            continue
        entry, hash_, rest = _parted(line)
        if hash_ == b"" and before:
            hash_ = sha256(before + entry).hexdigest().encode()
            lines[at] = b"".join((_ENTRY, entry, _HASH, hash_, rest))
        before = hash_ or b""
    return b"\n".join(lines)


def _shorten(data: bytes) -> bytes:
    """Return the file ``data`` on one line, without the hashes that ``restore_file`` can find again."""
    lines, before = data.split(b"\n"), b""
    for at, line in enumerate(lines):
        if not line.startswith(_ENTRY):
            continue
        entry, hash_, rest = _parted(line)
        if hash_ and before and sha256(before + entry).hexdigest().encode() == hash_:
            lines[at] = b"".join((_ENTRY, entry, _HASH, rest))
        before = hash_ or b""
    return b"\t".join(lines)


def _parted(line: bytes) -> tuple[bytes, bytes | None, bytes]:
    """Return the entry in the ``line`` of a journal, its hash (``None`` if it has no place for one), and the rest."""
    rest = b'"},' if line.endswith(b",") else b'"}'
    end = len(line) - len(rest)
    for digits in (_DIGITS, 0):
        at = end - digits - len(_HASH)
        if line[end:] == rest and line[at : at + len(_HASH)] == _HASH:
            return line[len(_ENTRY) : at], line[end - digits : end], rest
    return b"", None, b""


def _game_in(text: str) -> dict[str, Any] | None:
    """Return the JSON in ``text`` if a line can contain it unchanged: without tabs, and unambiguous for every reader."""
    if not text.startswith("{") or "\t" in text or "\r" in text:
        return None
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _refuse(written: str) -> None:
    raise ValueError(f"{written} is not JSON")


def _text(written: bytes) -> str:
    try:
        text = json.loads(written)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise BadLineError("this is not a line of an archive")
    return text
