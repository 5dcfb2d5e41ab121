"""Frozen values: a decorator that makes structs of msgspec, and quick copies of them with some fields changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final, Generic, Literal, Protocol, TypeVar, cast, dataclass_transform, get_type_hints, overload

import msgspec

D = TypeVar("D")

TAG: Final = "kind"
"""The field that distinguishes the members of a union."""
_ADDED_LATER: Final = "added later"
"""The mark, among the metadata of a field, that it was added to the format later."""


@overload
def frozen(kind: type[D], /) -> type[D]: ...
@overload
def frozen(*, kw_only: bool = False, per_game: tuple[str, ...] = ()) -> Callable[[type[D]], type[D]]: ...
@dataclass_transform(frozen_default=True)
def frozen(
    kind: type[D] | None = None, /, *, kw_only: bool = False, per_game: tuple[str, ...] = ()
) -> type[D] | Callable[[type[D]], type[D]]:
    """Turn a class into a frozen struct of msgspec; with ``kw_only`` all fields must be named when a value is built.

    The fields ``per_game`` have another type in each game; whoever reads a file gives these types (see ``typed_as``).

    ``dataclasses.fields``, ``replace`` and ``is_dataclass`` know it as a dataclass. A field ``kind`` with one possible value
    becomes the tag by which a union of classes is read; it cannot be given. Raises ``TypeError`` for a field with
    ``init=False``: use a property instead.
    """
    if kind is None:
        return lambda decorated: _struct(decorated, kw_only, per_game)
    return _struct(kind, kw_only, per_game)


def typed_as(kind: type, *types: Any) -> Any:
    """Return ``kind`` with the ``types`` of its fields ``per_game``, in their order, for reading it from a file."""
    generic: Any = kind
    return generic[types]


def added_later(default: Any) -> Any:
    """Return a field that was added to the format later: older files do not have it, which means ``default``.

    A field with its default is left out wherever a value is written or hashed, so that older hashes stay valid.
    """
    return dataclasses.field(default=default, metadata={_ADDED_LATER: True})


def is_added_later(field: dataclasses.Field[Any]) -> bool:
    """Return whether ``field`` is optional in files, although the program always writes the other fields."""
    return _ADDED_LATER in field.metadata


class _Change(Protocol):
    def __call__(self, value: D, /, **changes: Any) -> D: ...


change: Final = cast("_Change", msgspec.structs.replace)
"""Return a copy of a frozen value with some fields changed. Raises ``TypeError`` for an unknown field."""


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Return the type of each field of ``kind``, base classes first, including the notes in ``Annotated``.

    Raises ``NameError`` for a type that the module of ``kind`` does not define.
    """
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        own = {name: field.type for name, field in vars(base).get("__dataclass_fields__", {}).items() if name not in found}
        if own:  # `get_type_hints` looks names up in the module of a class.
            holder = type(base.__name__, (), {"__annotations__": own, "__module__": base.__module__})
            found |= get_type_hints(holder, include_extras=True)
    return found


def _struct(kind: type[D], kw_only: bool, per_game: tuple[str, ...]) -> type[D]:
    own = _own_fields(kind, kw_only)
    every = {name: field for base in kind.__mro__[:0:-1] for name, field in _fields_of(base).items()} | own
    tag = _tag(every)
    leaves_out = any(map(is_added_later, every.values()))
    body = {name: value for name, value in vars(kind).items() if name not in _MADE and name not in own}
    body["__annotations__"] = {name: field.type for name, field in own.items() if name != TAG or tag is None}
    body |= {name: _default(own[name], leaves_out) for name in body["__annotations__"] if not _is_required(own[name])}
    if not all(field.compare for field in every.values()):
        body = {**_comparisons([field.name for field in every.values() if field.compare]), **body}
    bases = tuple(base for base in kind.__bases__ if base is not object)
    if not isinstance(kind, _META):
        bases = (*bases, msgspec.Struct)
    variables = {name: TypeVar(name) for name in per_game}
    if variables:
        body["__orig_bases__"] = (*bases, Generic[tuple(variables.values())])  # type: ignore[index]
        bases = (*bases, Generic)
    made: Any = _META(
        kind.__name__,
        bases,
        body,
        frozen=True,
        kw_only=kw_only,
        omit_defaults=leaves_out,
        forbid_unknown_fields=True,
        tag=tag,
        tag_field=None if tag is None else TAG,
    )
    made.__annotations__ = {name: field.type for name, field in own.items()}
    made.__dataclass_fields__ = every
    made.__per_game__ = variables
    if tag is not None:
        made.kind = tag
    found: type[D] = made
    return found


_META: Final[Any] = type(msgspec.Struct)
_MADE: Final = frozenset(("__dict__", "__weakref__", "__slots__", "__parameters__", "__annotate_func__", "__annotate__"))
"""What Python itself adds to a class."""


def _fields_of(kind: type) -> dict[str, dataclasses.Field[Any]]:
    found: dict[str, dataclasses.Field[Any]] = vars(kind).get("__dataclass_fields__", {})
    return found


def _own_fields(kind: type, kw_only: bool) -> dict[str, dataclasses.Field[Any]]:
    """Return the fields that ``kind`` itself declares."""
    defaults = dict(vars(kind))
    if isinstance(kind, _META):  # a class with a struct among its bases is a struct already
        made: Any = kind
        defaults = dict(zip(reversed(made.__struct_fields__), reversed(made.__struct_defaults__), strict=False))
    defaults = {name: default for name, default in defaults.items() if default is not msgspec.NODEFAULT}
    types = {name: hint for name, hint in kind.__annotations__.items() if not str(hint).startswith(_CLASS_VARIABLE)}
    declared = {name: defaults[name] for name in types if isinstance(defaults.get(name), dataclasses.Field)}
    # This class only gives the fields their names; in the text of types, dataclasses would search for `ClassVar`.
    holder: Any = type("_", (), {"__doc__": "A holder of fields.", "__annotations__": dict.fromkeys(types, Any), **declared})
    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(holder)
    fields = {field.name: field for field in dataclasses.fields(holder)}
    for name, hint in types.items():
        fields[name].type = hint
    for name in types.keys() & defaults.keys() - declared.keys():
        fields[name].default = defaults[name]
    if not all(field.init for field in fields.values()):
        raise TypeError(f"{kind.__name__} has a field that cannot be given: make it a property")
    return fields


_CLASS_VARIABLE: Final = ("ClassVar", "typing.ClassVar")


def _tag(own: dict[str, dataclasses.Field[Any]]) -> str | None:
    """Return the only value that the field ``kind`` can have, ``None`` for a class without such a field."""
    field = own.get(TAG)
    if field is None or not isinstance(field.default, str):
        return None
    if field.type not in (Literal[field.default], f"Literal[{field.default!r}]"):
        return None
    field.init = False  # it is the same for every value of the class
    return field.default


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(field: dataclasses.Field[Any], leaves_out: bool) -> Any:
    """Return the default of ``field`` for msgspec; if its class ``leaves_out`` defaults, only of fields added later."""
    is_kept = leaves_out and not is_added_later(field)
    if field.default is dataclasses.MISSING:
        make: Any = field.default_factory
        # Msgspec itself leaves out an empty default, but not the result of a function that it does not know.
        return msgspec.field(default_factory=(lambda: make()) if is_kept else make)
    default = field.default
    return msgspec.field(default_factory=lambda: default) if is_kept else default


def _comparisons(compared: list[str]) -> dict[str, Callable[..., Any]]:
    values: Callable[[Any], Any] = attrgetter(*compared)

    def is_equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return {"__eq__": is_equal, "__hash__": lambda self: hash(values(self))}
