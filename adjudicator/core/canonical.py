"""Convert frozen values to plain JSON values and to canonical bytes, the form that is hashed and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum, StrEnum
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any, Final, Literal, get_args, get_origin

from adjudicator.core.codegen import generate_function
from adjudicator.core.frozen import defaults_left_out


def json_value(value: Any) -> Any:
    """Return ``value`` as dictionaries, lists, strings, integers, booleans and ``None``.

    Dataclasses become dictionaries of their fields, without those ``added_later`` that have their default. Tuples become
    lists, enums their values. Raises ``TypeError`` for anything else, floats included: files hold integers and strings only.
    """
    return _JSON_VALUE[type(value)](value)


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical JSON of ``value`` as UTF-8: keys sorted, no spaces, integers and strings only.

    ``json.dumps`` gives the same bytes for ``json_value(value)`` with sorted keys, no spaces and no ASCII escapes. This
    function writes them directly, for speed: every journal entry is hashed this way.
    """
    return canonical_text(value).encode()


def canonical_text(value: Any) -> str:
    """Return the canonical JSON of ``value`` as text. Raises ``TypeError`` like ``json_value``."""
    text: str = _TEXT[type(value)](value)
    return text


def digest(*parts: bytes) -> str:
    """Return the SHA-256 of ``parts`` joined, as 64 hexadecimal digits."""
    return sha256(b"".join(parts)).hexdigest()


def _same(value: Any) -> Any:
    return value


def _sequence_value(value: Any) -> Any:
    return [json_value(item) for item in value]


def _mapping_value(value: Mapping[str, Any]) -> Any:
    return {str(key): json_value(item) for key, item in value.items()}


def _json_value_for(kind: type) -> Callable[[Any], Any]:
    return _dataclass_value(kind) if is_dataclass(kind) else _by_family(kind, _enum_value, _mapping_value, _sequence_value)


def _enum_value(value: Enum) -> Any:
    return value.value


def _dataclass_value(kind: type) -> Callable[[Any], Any]:
    written = _written_fields(kind)
    return lambda value: {name: json_value(item) for name, item in written(value).items()}


def _written_fields(kind: type) -> Callable[[Any], dict[str, Any]]:
    """Return a function that gives the fields of a ``kind`` with their values, without defaults that are not written."""
    names, left_out = tuple(field.name for field in fields(kind)), defaults_left_out(kind)
    if not left_out:
        return lambda value: {name: getattr(value, name) for name in names}
    every = tuple((name, left_out.get(name, _NEVER)) for name in names)
    return lambda value: {name: getattr(value, name) for name, default in every if getattr(value, name) != default}


_NEVER: Final = object()
"""A default for fields that are always written: no value equals it."""


def _sequence_text(value: Any) -> str:
    if not value:
        return "[]"
    writers = _TEXT
    return f"[{','.join([writers[type(item)](item) for item in value])}]"


def _mapping_text(value: Mapping[str, Any]) -> str:
    members = sorted((str(key), item) for key, item in value.items())
    return f"{{{','.join([f'{encode_basestring(key)}:{canonical_text(item)}' for key, item in members])}}}"


def _text_for(kind: type) -> Callable[[Any], str]:
    if is_dataclass(kind):
        return _dataclass_text(kind)
    # A member of a `StrEnum` is its value already.
    enum = encode_basestring if issubclass(kind, StrEnum) else _enum_text
    return _by_family(kind, enum, _mapping_text, _sequence_text)


def _enum_text(value: Enum) -> str:
    return canonical_text(value.value)


def _dataclass_text(kind: type) -> Callable[[Any], str]:
    """Return a function that writes a ``kind``, compiled with one expression for each field instead of a loop.

    It writes texts, numbers and ``None``, which most fields hold, directly, and anything else with the writer of its type.
    """
    own, left_out = {field.name: field for field in fields(kind)}, defaults_left_out(kind)
    names = sorted(own)
    shown = {name: f'"{name}":{{{_written_as(f"v_{name}", own[name].type)}}}' for name in names}
    only = _only_value(kind)
    shown |= {name: f'"{name}":{encode_basestring(value)}' for name, value in only.items()}
    lines = [f"v_{name} = value.{name}" for name in names if name not in only]
    if left_out:
        lines += [f"v_{name} = '' if v_{name} == default_{name} else f',{shown[name]}'" for name in left_out]
        members = "".join(f"{{v_{name}}}" if name in left_out else f",{shown[name]}" for name in names)
        lines += [f"members = f'{members}'", "return '{' + members[1:] + '}'"]
    else:
        lines.append(f"return f'{{{{{','.join(shown.values())}}}}}'")
    defaults = {f"default_{name}": default for name, default in left_out.items()}
    names_used = {"writers": _TEXT, "encode": encode_basestring, "sequence": _sequence_text, "null": "null", "empty": "[]"}
    return generate_function("value", lines, names_used | defaults)


def _written_as(value: str, declared: Any) -> str:
    """Return the expression that writes the variable ``value``; it tests for the ``declared`` type first."""
    ways = {
        "str": f"encode({value}) if type({value}) is str",
        "int": f"{value} if type({value}) is int",
        "None": f"null if {value} is None",
        "tuple": f"(sequence({value}) if {value} else empty) if type({value}) is tuple",
    }
    likely = [name for name in ("None", "tuple", "int") if type(declared) is str and name in declared]
    asked = " else ".join(ways[name] for name in dict.fromkeys((*likely, "str", "int", "None")))
    return f"{asked} else writers[type({value})]({value})"


def _only_value(kind: type) -> dict[str, str]:
    """Return the fields of the dataclass ``kind`` that have only one possible value, such as the ``kind`` of an event."""
    one = {field.name: get_args(field.type) for field in fields(kind) if get_origin(field.type) is Literal}
    return {name: found[0] for name, found in one.items() if len(found) == 1 and type(found[0]) is str}


def _by_family(
    kind: type, enum: Callable[[Any], Any], mapping: Callable[[Any], Any], sequence: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return enum
    if issubclass(kind, Mapping):
        return mapping
    if issubclass(kind, Sequence) and not issubclass(kind, (str, bytes)):
        return sequence
    raise TypeError(f"{kind.__name__} has no place in a file")


class _Writers(dict[type, Callable[[Any], Any]]):
    """The writer of each type; ``find`` makes the writer of a new type once, and later look-ups are plain."""

    def __init__(self, known: Mapping[type, Callable[[Any], Any]], find: Callable[[type], Callable[[Any], Any]]) -> None:
        super().__init__(known)
        self._find = find

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = self._find(kind)
        return self[kind]


_JSON_VALUE: Final = _Writers(
    {
        str: _same,
        int: _same,
        bool: _same,
        type(None): _same,
        tuple: _sequence_value,
        list: _sequence_value,
        dict: _mapping_value,
    },
    _json_value_for,
)

_TEXT: Final = _Writers(
    {
        str: encode_basestring,
        int: int.__repr__,
        bool: {False: "false", True: "true"}.__getitem__,
        type(None): {None: "null"}.__getitem__,
        tuple: _sequence_text,
        list: _sequence_text,
        dict: _mapping_text,
    },
    _text_for,
)
