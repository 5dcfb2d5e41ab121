"""Convert frozen values to plain JSON values and to canonical bytes, the form that is hashed and written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec


def json_value(value: Any) -> Any:
    """Return ``value`` as dictionaries, lists, strings, integers, booleans and ``None``.

    Frozen values become dictionaries of their fields, without those ``added_later`` that have their default. Tuples become
    lists, enums their values.
    """
    try:
        return _DECODER.decode(_ENCODER.encode(value))
    except UnicodeEncodeError:
        return json.loads(_lenient_text(value))


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical JSON of ``value`` as UTF-8: keys sorted, no spaces, integers and strings only.

    Raises ``UnicodeEncodeError`` for half a character (a lone surrogate), which no file can hold.
    ``json.dumps`` gives the same bytes for ``json_value(value)`` with sorted keys, no spaces and no ASCII escapes.
    """
    return _SORTED.encode(value)


def canonical_text(value: Any) -> str:
    """Return the canonical JSON of ``value`` as text; it may contain half characters, such as those of a file's name."""
    try:
        return _SORTED.encode(value).decode()
    except UnicodeEncodeError:
        return _lenient_text(value)


def digest(*parts: bytes) -> str:
    """Return the SHA-256 of ``parts`` joined, as 64 hexadecimal digits."""
    return sha256(b"".join(parts)).hexdigest()


def _plain(value: Any) -> Any:
    """Return a mapping or a sequence of the program's own as a dictionary or a tuple."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return tuple(value)
    raise TypeError(f"{type(value).__name__} has no place in a file")


def _lenient_text(value: Any) -> str:
    plain = msgspec.to_builtins(value, enc_hook=_plain)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain)
_SORTED: Final = msgspec.json.Encoder(enc_hook=_plain, order="sorted")
_DECODER: Final = msgspec.json.Decoder()
