"""Frozen values to plain JSON values and canonical bytes: the form that is hashed and written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any

_encode_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def plain(value: Any) -> Any:
    """Return ``value`` as dictionaries, lists, strings, integers, booleans and ``None``.

    Dataclasses become dictionaries of all their fields, tuples lists, enums their values. Raises ``TypeError`` for anything
    else, floats included: files hold integers and strings only.
    """
    encoder = _ENCODERS.get(type(value))
    if encoder is None:
        encoder = _ENCODERS[type(value)] = _encoder(type(value))
    return encoder(value)


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of ``value`` as UTF-8: keys sorted, no spaces, integers and strings only."""
    return _encode_json(plain(value)).encode()


def canonical_text(value: Any) -> str:
    """Return the canonical JSON of an already plain ``value`` as text."""
    return _encode_json(value)


def digest(*parts: bytes) -> str:
    """Return the SHA-256 of ``parts`` joined, as 64 hexadecimal digits."""
    return sha256(b"".join(parts)).hexdigest()


def _same(value: Any) -> Any:
    return value


def _sequence(value: Any) -> Any:
    # The inner look-up is written out: this runs for every field of every event.
    return [_ENCODERS[type(item)](item) if type(item) in _ENCODERS else plain(item) for item in value]


def _mapping(value: Mapping[str, Any]) -> Any:
    return {str(key): plain(item) for key, item in value.items()}


def _encoder(kind: type) -> Callable[[Any], Any]:
    if is_dataclass(kind):
        return _dataclass_encoder(kind)
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Mapping):
        return _mapping
    raise TypeError(f"{kind.__name__} has no place in a file")


def _dataclass_encoder(kind: type) -> Callable[[Any], Any]:
    names = tuple(field.name for field in fields(kind))

    def encode(value: Any) -> Any:
        result = {}
        for name in names:
            item = getattr(value, name)
            encoder = _ENCODERS.get(type(item))
            result[name] = plain(item) if encoder is None else encoder(item)
        return result

    return encode


_ENCODERS: dict[type, Callable[[Any], Any]] = {
    str: _same,
    int: _same,
    bool: _same,
    type(None): _same,
    tuple: _sequence,
    list: _sequence,
    dict: _mapping,
}
