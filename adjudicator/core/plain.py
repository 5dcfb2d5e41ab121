"""Frozen values to plain JSON values and canonical bytes: the form that is hashed and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any


def plain(value: Any) -> Any:
    """Return ``value`` as dictionaries, lists, strings, integers, booleans and ``None``.

    Dataclasses become dictionaries of all their fields, tuples lists, enums their values. Raises ``TypeError`` for anything
    else, floats included: files hold integers and strings only.
    """
    return (_PLAIN.get(type(value)) or _plain_for(type(value)))(value)


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of ``value`` as UTF-8: keys sorted, no spaces, integers and strings only.

    The same bytes as ``json.dumps`` gives for ``plain(value)`` with sorted keys, no spaces and no ASCII escapes; written
    at once, since every journal entry is hashed so.
    """
    return canonical_text(value).encode()


def canonical_text(value: Any) -> str:
    """Return the canonical JSON of ``value`` as text. Raises ``TypeError`` as ``plain`` does."""
    return (_TEXT.get(type(value)) or _text_for(type(value)))(value)


def digest(*parts: bytes) -> str:
    """Return the SHA-256 of ``parts`` joined, as 64 hexadecimal digits."""
    return sha256(b"".join(parts)).hexdigest()


def _same(value: Any) -> Any:
    return value


def _plain_sequence(value: Any) -> Any:
    return [plain(item) for item in value]


def _plain_mapping(value: Mapping[str, Any]) -> Any:
    return {str(key): plain(item) for key, item in value.items()}


def _plain_for(kind: type) -> Callable[[Any], Any]:
    _PLAIN[kind] = _plain_dataclass(kind) if is_dataclass(kind) else _by_family(kind, _plain_enum, _plain_mapping)
    return _PLAIN[kind]


def _plain_enum(value: Enum) -> Any:
    return value.value


def _plain_dataclass(kind: type) -> Callable[[Any], Any]:
    names = tuple(field.name for field in fields(kind))
    return lambda value: {name: plain(getattr(value, name)) for name in names}


def _sequence_text(value: Any) -> str:
    return f"[{','.join([(_TEXT.get(type(item)) or _text_for(type(item)))(item) for item in value])}]"


def _mapping_text(value: Mapping[str, Any]) -> str:
    members = sorted((str(key), item) for key, item in value.items())
    return f"{{{','.join([f'{encode_basestring(key)}:{canonical_text(item)}' for key, item in members])}}}"


def _text_for(kind: type) -> Callable[[Any], str]:
    _TEXT[kind] = _dataclass_text(kind) if is_dataclass(kind) else _by_family(kind, _enum_text, _mapping_text)
    return _TEXT[kind]


def _enum_text(value: Enum) -> str:
    return canonical_text(value.value)


def _dataclass_text(kind: type) -> Callable[[Any], str]:
    names = sorted(field.name for field in fields(kind))
    if len(names) < 2:  # attrgetter gives no tuple then
        return lambda value: _mapping_text({name: getattr(value, name) for name in names})
    values = attrgetter(*names)
    template = "{" + ",".join(f"{encode_basestring(name)}:%s" for name in names) + "}"

    def write(value: Any) -> str:
        return template % tuple([(_TEXT.get(type(item)) or _text_for(type(item)))(item) for item in values(value)])

    return write


def _by_family(kind: type, enum: Callable[[Any], Any], mapping: Callable[[Any], Any]) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return enum
    if issubclass(kind, Mapping):
        return mapping
    raise TypeError(f"{kind.__name__} has no place in a file")


_PLAIN: dict[type, Callable[[Any], Any]] = {
    str: _same,
    int: _same,
    bool: _same,
    type(None): _same,
    tuple: _plain_sequence,
    list: _plain_sequence,
    dict: _plain_mapping,
}

_TEXT: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _value: "null",
    tuple: _sequence_text,
    list: _sequence_text,
    dict: _mapping_text,
}
