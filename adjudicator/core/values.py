"""Frozen values: plain structs of msgspec, the names and numbers in them, and the canonical JSON that is hashed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NewType,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import NODEFAULT, Meta, Struct, field
from msgspec.structs import replace

if TYPE_CHECKING:
    from typing import TypeVar as TypeOf
else:

    def TypeOf(name, **_default):  # noqa: N802
        """Return a type variable; type checkers know its default, which Python 3.13 has."""
        return TypeVar(name)


__all__ = ["Meta", "TypeOf", "field", "replace"]

T = TypeVar("T")

_VARARGS: Final = 4
"""The flag of code that takes any number of arguments."""
LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON takes exactly (RFC 8259, section 6)."""
Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""A whole number in a file."""
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
"""A whole number from 0 on."""
Positive = Annotated[int, Meta(ge=1, le=LARGEST)]
"""A whole number from 1 on."""

Seat = NewType("Seat", str)
"""A place at the table, such as ``red``: lower case, unique in its game."""
Viewer = Seat | None
"""The reader of a view: a seat, ``MODERATOR`` (who sees everything), or ``None`` for the public."""
USUAL_SEATS: Final = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
"""The default names of seats, in order."""
MODERATOR: Final = Seat("moderator")
"""The viewer who sees everything. No seat of a player may have this name."""

DIGEST_PATTERN: Final = "^[0-9a-f]{64}$"
Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern=DIGEST_PATTERN)]
"""A SHA-256 value as 64 lower-case hexadecimal digits. ``$`` alone would accept a line end; the length does not."""
Name = Annotated[str, Meta(min_length=1, max_length=80)]
"""A short text that names something: an id, a label, a person."""
Holder = Annotated[str, Meta(max_length=80)]
"""The name of a player; empty if the seat has none."""
LONGEST_NOTE: Final = 400
Note = Annotated[str, Meta(max_length=LONGEST_NOTE)]
"""A reason or a remark, possibly empty."""
Line = Annotated[str, Meta(max_length=2000)]
"""One line of text, such as the canonical text of an order."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of everything that is stored, compared or returned. ``replace(value, field=…)`` makes a changed copy.

    Fields that are added to stored values later need ``omit_defaults=True`` on the class: a file without them is older, and
    a field with its default is left out wherever a value is written or hashed, so that older hashes stay valid. In such a
    class, the defaults of the other fields are ``kept``.
    """


def kebab(name: str) -> str:
    """Return the name of a class in lower case, with hyphens between its words."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Tagged(Value, tag=kebab, tag_field="kind"):
    """The base of values whose ``kind`` says in files which of several classes they have: ``TurnLost`` is ``turn-lost``."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" not in vars(cls):
            cls.kind = kebab(cls.__name__)


class _ByFields(type):
    union: Any

    def __instancecheck__(cls, value: object) -> bool:
        return True  # msgspec asks this about what the reader of files has made


if TYPE_CHECKING:
    ByFields = Annotated[T, "by fields"]
else:

    class ByFields(metaclass=_ByFields):
        """``ByFields[A | B]`` is the type of a value of one of several classes without a tag: its fields say which."""

        def __class_getitem__(cls, union):
            return _ByFields("ByFields", (cls,), {"union": union})


class Places(Value):
    """The names of the places of a list, in order, noted in its type: ``Annotated[tuple[Tile, ...], Places(CELLS)]``."""

    names: tuple[str, ...]


def kept(default: Any) -> Any:
    """Return a field with a ``default`` that is written into files, in a class that leaves out those added later."""
    return field(default_factory=lambda: default)


_EVALUATED: Final = set[type]()
"""The classes whose annotations are types by now, and no longer text."""


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Return the type of each field of ``kind``, base classes first, including the notes in ``Annotated``.

    Raises ``NameError`` for a type that the module of ``kind`` does not define.
    """
    hints, is_evaluated = dict[str, Any](), True
    for cls in reversed(kind.__mro__):
        written = getattr(cls, "__annotations__", {})
        if written and all(type(hint) is str for hint in written.values()):
            # All types of a class at once: `typing` and msgspec evaluate one by one, which takes long at the start.
            whole = {"types": f"tuple[{', '.join(written.values())}]"}
            holder = type(cls.__name__, (), {"__module__": cls.__module__, "__annotations__": whole})
            with suppress(NameError):  # the class itself may define a name
                types = get_args(get_type_hints(holder, include_extras=True)["types"])
                written = cls.__annotations__ = dict(zip(written, types, strict=True))
                _EVALUATED.add(cls)
        hints |= written
        is_evaluated = is_evaluated and (cls in _EVALUATED or not written)
    if not is_evaluated:  # or an author has written types, perhaps with text in them
        hints = get_type_hints(kind, include_extras=True)
    return {name: _plain_union(hints[name]) for name in kind.__struct_fields__}  # type: ignore[attr-defined]


def resolve_types(kind: Any) -> None:
    """Evaluate the types of all fields of the values in the type ``kind``, before somebody does it one by one."""
    met, left = set[Any](), [kind]
    while left:
        hint = left.pop()
        origin = get_origin(hint) or hint
        if isinstance(origin, type) and issubclass(origin, Value) and origin not in met:
            met.add(origin)
            left += hints_of(origin).values()
        left += get_args(hint)


def _plain_union(hint: Any) -> Any:
    """Return ``hint`` with a union in the place of one ``ByFields``."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[(_plain_union(inner[0]), *inner[1:])]
    if origin in (Union, UnionType):
        return Union[tuple(map(_plain_union, inner))]  # noqa: UP007
    return hint.union if isinstance(hint, _ByFields) else hint


def require_readable(*kinds: Any) -> None:
    """Raise ``TypeError`` if no file can hold the values of these ``kinds``: a ``float``, an ``int`` without bounds."""
    met: set[Any] = set()
    left = list(kinds)
    while left:
        hint = left.pop()
        bounds: set[str] = set()
        while isinstance(hint, NewType) or get_origin(hint) is Annotated:
            notes = getattr(hint, "__metadata__", ())
            bounds |= {
                name for note in notes if isinstance(note, Meta) for name in _BOUNDS if getattr(note, name) is not None
            }
            hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
        origin = get_origin(hint) or hint
        if hint is int and len(bounds) < 2:
            raise TypeError("an int in a file needs bounds: use Count, Positive or Whole")
        if origin is Literal or hint in (int, str, bool, NoneType, None, Any, ...) or isinstance(hint, TypeVar):
            continue
        if isinstance(origin, type) and issubclass(origin, Value):
            left += hints_of(origin).values() if origin not in met else ()
            met.add(origin)
        elif origin not in (Union, UnionType, tuple) and not (
            isinstance(origin, type) and issubclass(origin, (Enum, Mapping, Sequence)) and origin is not bytes
        ):
            raise TypeError(f"{getattr(hint, '__name__', hint)} has no place in a file")
        elif not get_args(hint) and not issubclass(origin, Enum):
            raise TypeError(f"{origin.__name__} must say what it holds, such as tuple[int, ...]")
        left += get_args(hint)


@cache
def defaults_of(kind: type[Struct]) -> dict[str, Any]:
    """Return the default of each optional field of ``kind``."""
    given = zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False)
    made = {name: default.factory() if hasattr(default, "factory") else default for name, default in given}
    return {name: made[name] for name in kind.__struct_fields__ if made.get(name, NODEFAULT) is not NODEFAULT}


@cache
def added_later(kind: type[Struct]) -> frozenset[str]:
    """Return the fields of ``kind`` that files of earlier versions do not have (see ``Value``)."""
    if not kind.__struct_config__.omit_defaults:
        return frozenset()
    given = zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False)
    return frozenset(name for name, default in given if default is not NODEFAULT and not hasattr(default, "factory"))


_BOUNDS: Final = ("ge", "gt", "le", "lt")
MISSING: Final = "nothing"
"""What ``differences`` gives for a member that one side does not have."""


def parameters(function: Any) -> tuple[str, ...] | None:
    """Return the names of the arguments of ``function``, with those that have defaults; ``None`` if it takes any number."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None or code.co_flags & _VARARGS:
        return None
    return tuple(code.co_varnames[: code.co_argcount])


def require_parameters(what: str, function: Any, wanted: tuple[str, ...]) -> None:
    """Raise ``TypeError`` if the program cannot call ``function`` with the arguments ``wanted``."""
    given = parameters(function)
    optional = len(getattr(getattr(function, "__func__", function), "__defaults__", None) or ())
    if given is not None and not len(given) - optional <= len(wanted) <= len(given):
        raise TypeError(f"{what} must take ({', '.join(wanted)}), and takes ({', '.join(given)})")


def json_value(value: Any) -> Any:
    """Return ``value`` as dictionaries, lists, strings, integers, booleans and ``None``.

    Values become dictionaries of their fields, without those added later that have their default. Tuples become lists,
    enums their values.
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


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path, the value before and the value after of each smallest part of two plain values that differs, in order.

    Lists with records in them are compared item by item if they have the same length, other lists as wholes: a hand or a
    row of names is easier to read as a whole. A member that only one side has is ``MISSING`` on the other.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(before.get(key, MISSING), after.get(key, MISSING), inner)
    elif (
        isinstance(before, list)
        and isinstance(after, list)
        and len(before) == len(after)
        and any(isinstance(item, (dict, list)) for item in (*before, *after))
    ):
        for index, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif before != after or type(before) is not type(after):
        yield path, before, after


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


def is_text(words: str) -> bool:
    """Return whether ``words`` fit into a file and on a line: no control characters, no half characters."""
    return not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in words)
