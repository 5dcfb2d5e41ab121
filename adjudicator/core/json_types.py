"""Translate the annotations of frozen classes into types for msgspec: with bounds, without marks of visibility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin

import msgspec

from adjudicator.core.bounds import LARGEST, limits_of
from adjudicator.core.frozen import hints_of
from adjudicator.core.ids import DIGEST_PATTERN
from adjudicator.core.ruleset import Types

IMPOSSIBLE: Final = "a name or a value is not possible here, or is missing"
"""The words for JSON that a class cannot hold."""


@cache
def json_type(kind: Any) -> Any:
    """Return ``kind`` as msgspec takes it. Raises ``TypeError`` for a type that no file can hold, such as ``float``."""
    return _plain(kind)


def require_readable(types: Types) -> None:
    """Raise ``TypeError`` if no file can hold the values of a ruleset with these ``types``, such as a ``float``."""
    for kind in (types.components, types.position, types.state, *types.events):
        json_type(kind)


def _plain(hint: Any, limits: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """Return ``hint`` as msgspec takes it: within ``limits``, without marks, each class in it defined for msgspec."""
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
        _define(origin)
        return origin[tuple(map(_plain, inner))]  # type: ignore[index]
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, (Enum, dict, msgspec.Struct))):
        if is_dataclass(hint):
            _define(hint)
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


def by_fields(kind: Any, value: Any) -> Any:
    """Return the ``value`` of a ``_OneOf`` as the class that has its fields. Raises ``TypeError`` if none can hold it."""
    found = kind.kinds.get(frozenset(value)) if isinstance(value, dict) else None
    if found is None:
        raise TypeError(IMPOSSIBLE)
    try:
        return msgspec.convert(value, found, dec_hook=by_fields)
    except msgspec.ValidationError as error:
        raise TypeError(IMPOSSIBLE) from error


def _tag(kind: Any) -> str | None:
    config = getattr(get_origin(kind) or kind, "__struct_config__", None)
    return None if config is None else config.tag


_DEFINED: Final[set[type]] = set()
"""The classes whose annotations msgspec can take."""


def _define(kind: type) -> None:
    """Give ``kind`` and its bases annotations that msgspec can take; ``hints_of`` still knows the original ones."""
    if kind in _DEFINED:
        return
    if not issubclass(kind, msgspec.Struct):
        raise TypeError(f"{kind.__name__} has no place in a file: it needs @frozen, not @dataclass")
    _DEFINED.add(kind)  # before its fields: a class may contain itself
    try:
        hints = hints_of(kind)
        for base in filter(is_dataclass, reversed(kind.__mro__)):
            variables = vars(base).get("__per_game__", {})
            own = (name for name in base.__annotations__ if name in hints)
            base.__annotations__ = {name: variables.get(name) or _plain(hints[name]) for name in own}
    except BaseException:
        _DEFINED.discard(kind)
        raise
