"""Read JSON into the classes of the core and of a ruleset: msgspec checks every type and bound while it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin

import msgspec

from adjudicator.core.bounds import LARGEST, Len, limits_of
from adjudicator.core.corrections import OUTSIDE, Amended
from adjudicator.core.frozen import hints_of, typed_as
from adjudicator.core.ids import DIGEST_PATTERN
from adjudicator.core.journal import Entry, Link
from adjudicator.core.ruleset import Setup, Types
from adjudicator.store.errors import Violation
from adjudicator.store.game import GameFile, PreparedFile
from adjudicator.store.kinds import FileKind


class Misfit(ValueError):
    """Report JSON that a class cannot hold."""

    def __init__(self, violation: Violation) -> None:
        """Keep the first ``violation`` found."""
        super().__init__(str(violation))
        self.violation = violation


def read(kind: Any, data: bytes | str) -> Any:
    """Return the ``kind``, a frozen class or a type made of such, in the JSON ``data``.

    Raises ``Misfit``, and ``TypeError`` for a type that no file can hold, such as ``float``.
    """
    try:
        return _decoder(kind).decode(data)
    except msgspec.DecodeError as error:
        raise _misfit(error) from error


def convert(kind: Any, value: Any) -> Any:
    """Return the ``kind`` made of the plain JSON ``value``; errors as ``read``."""
    try:
        return msgspec.convert(value, _adapted(kind), dec_hook=_by_fields)
    except msgspec.ValidationError as error:
        raise _misfit(error) from error


@cache
def type_of(types: Types, kind: FileKind) -> Any:
    """Return the type of files of ``kind`` of the ruleset with these ``types``."""
    if kind is FileKind.COMPONENTS:
        return types.components
    if kind is FileKind.POSITION:
        return types.position
    if kind is FileKind.PREPARED:
        return typed_as(PreparedFile, setup_type(types))
    corrections = (typed_as(one, types.state, types.state) if one is Amended else one for one in OUTSIDE)
    event: Any = Union[(*types.events, *corrections)]
    link: Any = typed_as(Link, typed_as(Entry, tuple[event, ...]))
    return typed_as(GameFile, setup_type(types), Annotated[tuple[link, ...], Len(1)], types.state)


def require_readable(types: Types) -> None:
    """Raise ``TypeError`` if no file can hold the values of a ruleset with these ``types``, such as a ``float``."""
    for kind in FileKind:
        _adapted(type_of(types, kind))


def setup_type(types: Types) -> Any:
    """Return the type of the set-up in a file of the ruleset with these ``types``."""
    return typed_as(Setup, types.components | None, types.position | None)


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_adapted(kind), dec_hook=_by_fields)


@cache
def _adapted(kind: Any) -> Any:
    return _plain(kind)


def _misfit(error: msgspec.DecodeError) -> Misfit:
    """Return the same ``error`` with its place; only a class's own complaint is in plain English."""
    words, _, place = str(error).partition(" - at ")
    if type(error.__cause__) is not ValueError:
        words = _IMPOSSIBLE
    path = place[place.find("$") : -1] if place else "$"
    return Misfit(Violation(path, words[:1].lower() + words[1:]))


_IMPOSSIBLE: Final = "a name or a value is not possible here, or is missing"


def _plain(hint: Any, limits: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return ``hint`` as msgspec takes it: within ``limits``, without marks, and with every class in it prepared."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        if isinstance(hint, NewType):
            hint = hint.__supertype__
        else:
            hint, *notes = get_args(hint)
            limits = {**limits, **limits_of(notes)}
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union(inner, limits)
    if hint is int:
        return Annotated[int, msgspec.Meta(**_whole(limits))]
    if hint is str or origin is tuple:
        kind = str if hint is str else tuple[tuple(part if part is ... else _plain(part) for part in inner)]  # type: ignore[misc]
        lengths = {name: limit for name, limit in limits.items() if name in ("min_length", "max_length", "pattern")}
        if hint is str and lengths.get("min_length") == lengths.get("max_length") == 64:
            lengths["pattern"] = DIGEST_PATTERN
        return Annotated[kind, msgspec.Meta(**lengths)] if lengths else kind
    if origin is Literal or hint in (bool, NoneType, None, Any) or isinstance(hint, TypeVar):
        return hint
    if isinstance(origin, type) and issubclass(origin, (Mapping, Sequence)):
        return (dict if issubclass(origin, Mapping) else list)[tuple(map(_plain, inner))]
    if is_dataclass(origin) and isinstance(origin, type):  # with the types of a game
        _prepare(origin)
        return origin[tuple(map(_plain, inner))]  # type: ignore[index]
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, (Enum, dict, msgspec.Struct))):
        if is_dataclass(hint):
            _prepare(hint)
        return hint
    raise TypeError(f"{getattr(hint, '__name__', hint)} has no place in a file")


def _whole(limits: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bounds of a whole number, which every reader of JSON must take exactly."""
    found = {name: limit for name, limit in limits.items() if name in ("ge", "gt", "le", "lt")}
    if not found.keys() & {"ge", "gt"}:
        found["ge"] = -LARGEST
    if not found.keys() & {"le", "lt"}:
        found["le"] = LARGEST
    return found


def _union(kinds: Sequence[Any], limits: Mapping[str, Any]) -> Any:
    """Return one of ``kinds``; the names of the fields distinguish classes without a tag."""
    untagged = [kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind) and _tag(kind) is None]
    plain = [_plain(kind, limits) for kind in kinds if len(untagged) < 2 or kind not in untagged]
    if len(untagged) > 1:
        plain.append(_OneOf("_OneOf", (), {"kinds": {frozenset(hints_of(kind)): _plain(kind) for kind in untagged}}))
    return reduce(or_, plain[1:], plain[0]) if len(plain) > 1 else plain[0]


class _OneOf(type):
    """The type of a value of one of several classes; ``kinds`` has the class by the names of its fields."""

    kinds: Mapping[frozenset[str], type]

    def __instancecheck__(cls, value: object) -> bool:
        return type(value) in cls.kinds.values()


def _by_fields(kind: Any, value: Any) -> Any:
    """Return the ``value`` of a ``_OneOf`` as the class that has its fields. Raises ``TypeError`` if none can hold it."""
    found = kind.kinds.get(frozenset(value)) if isinstance(value, dict) else None
    if found is None:
        raise TypeError(_IMPOSSIBLE)
    try:
        return msgspec.convert(value, found, dec_hook=_by_fields)
    except msgspec.ValidationError as error:
        raise TypeError(_IMPOSSIBLE) from error


def _tag(kind: Any) -> str | None:
    config = getattr(get_origin(kind) or kind, "__struct_config__", None)
    return None if config is None else config.tag


_PREPARED: Final[set[type]] = set()
"""The classes whose annotations msgspec can take."""


def _prepare(kind: type) -> None:
    """Give ``kind`` and its bases annotations that msgspec can take; ``hints_of`` still knows the original ones."""
    if kind in _PREPARED:
        return
    if not issubclass(kind, msgspec.Struct):
        raise TypeError(f"{kind.__name__} has no place in a file: it needs @frozen, not @dataclass")
    _PREPARED.add(kind)  # before its fields: a class may contain itself
    try:
        hints = hints_of(kind)
        for base in filter(is_dataclass, reversed(kind.__mro__)):
            variables = vars(base).get("__per_game__", {})
            own = (name for name in base.__annotations__ if name in hints)
            base.__annotations__ = {name: variables.get(name) or _plain(hints[name]) for name in own}
    except BaseException:
        _PREPARED.discard(kind)
        raise
