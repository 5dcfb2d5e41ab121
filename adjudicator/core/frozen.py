"""Frozen, slotted dataclasses that are quick to define and quick to build: the base of all values in the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from dataclasses import field as new_field
from functools import cache
from operator import attrgetter
from typing import Any, Final, Never, TypeVar, dataclass_transform, overload

from adjudicator.core.codegen import generate_function

D = TypeVar("D")


@overload
def frozen(kind: type[D], /) -> type[D]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[D]], type[D]]: ...
@dataclass_transform(frozen_default=True)
def frozen(kind: type[D] | None = None, /, *, kw_only: bool = False) -> type[D] | Callable[[type[D]], type[D]]:
    """Turn a class into a frozen, slotted dataclass; with ``kw_only`` all fields must be named when a value is built.

    It does what ``dataclasses.dataclass(frozen=True, slots=True)`` does, but faster: ``dataclasses`` compiles six functions
    for each class, which slows every start of the program, and sets each field through ``object.__setattr__``, which slows
    every order. This decorator compiles one function, which fills the slots directly. Raises ``TypeError`` for a field with
    ``init=False``: use a property instead.
    """
    if kind is None:
        return lambda decorated: _made(decorated, kw_only)
    return _made(kind, kw_only)


ADDED_LATER: Final = "x-added-later"
"""The mark of a field that is optional in files, although the program always writes the other fields."""


def added_later(default: Any) -> Any:
    """Return a field that was added to the format later: older files do not have it, which means ``default``.

    A field with its default is left out wherever a value is written or hashed, so that older hashes stay valid.
    """
    # Pydantic copies metadata of this form to the schema.
    return new_field(default=default, metadata={"json_schema_extra": {ADDED_LATER: True}})


def defaults_left_out(kind: type[Any]) -> dict[str, Any]:
    """Return the fields of the dataclass ``kind`` that were ``added_later``, each with the default that is not written."""
    return {one.name: one.default for one in fields(kind) if "json_schema_extra" in one.metadata}


@cache
def blank_of(kind: type[Any]) -> type[Any]:
    """Return a mutable class with the slots of ``kind``, for code that builds values of ``kind`` quickly.

    Such code sets the fields of a blank value and then changes its class to ``kind``. That takes half the time of bypassing
    the frozen ``__setattr__`` for each field. Raises ``TypeError`` if ``kind`` has no slots.
    """
    body = {name: vars(kind)[name] for name in ("__slots__", "__orig_bases__") if name in vars(kind)}
    meta: Any = type(kind)
    blank: type[Any] = meta(kind.__name__, kind.__bases__, {**body, "__setattr__": object.__setattr__})
    object.__new__(blank).__class__ = kind
    return blank


def _made(kind: type[D], kw_only: bool) -> type[D]:
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(kind)
    own = fields(made)
    if not all(field.init for field in own):
        raise TypeError(f"{kind.__name__} has a field that cannot be given: make it a property")
    made.__init__ = _initializer_later(made, own)
    written = vars(kind)
    for name, method in {**_SHARED, **_comparisons(own)}.items():
        if name not in written:
            setattr(made, name, method)
    found: type[D] = made
    return found


def _initializer_later(kind: type[Any], own: tuple[Field[Any], ...]) -> Callable[..., None]:
    """Return an initializer that compiles the real one when the first value of ``kind`` is built, and installs it.

    A command builds no value of most classes. Raises ``TypeError`` for a field without a default after one that has one.
    """
    positional = [field for field in own if not field.kw_only]
    optional = [field for field in positional if not _is_required(field)]
    if positional[len(positional) - len(optional) :] != optional:
        late = next(field for field in positional[positional.index(optional[0]) :] if _is_required(field))
        raise TypeError(f"{kind.__name__}.{late.name} has no default, and comes after {optional[0].name}, which has one")

    def first(self: Any, *given: Any, **named: Any) -> None:
        if kind.__init__ is first:
            kind.__init__ = _initializer(kind, own)
        kind.__init__(self, *given, **named)

    return _named(first, kind, own)


def _named(made: Callable[..., None], kind: type[Any], own: tuple[Field[Any], ...]) -> Callable[..., None]:
    made.__name__, made.__qualname__ = "__init__", f"{kind.__qualname__}.__init__"
    made.__annotations__ = {**{field.name: field.type for field in own}, "return": None}
    return made


def _initializer(kind: type[Any], own: tuple[Field[Any], ...]) -> Callable[..., None]:
    positional = [field for field in own if not field.kw_only]
    keywords = [field for field in own if field.kw_only]
    parameters = ["self", *map(_parameter, positional), *(["*"] if keywords else []), *map(_parameter, keywords)]
    names: dict[str, Any] = {"missing": MISSING}
    lines = []
    for field in own:
        # The descriptors of the slots can set fields of a frozen value.
        names[f"set_{field.name}"] = getattr(kind, field.name).__set__
        value = field.name
        if field.default_factory is not MISSING:
            names[f"make_{field.name}"] = field.default_factory
            value = f"make_{field.name}() if {field.name} is missing else {field.name}"
        elif field.default is not MISSING:
            names[f"default_{field.name}"] = field.default
        lines.append(f"set_{field.name}(self, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    return _named(generate_function(", ".join(parameters), lines or ["pass"], names), kind, own)


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _parameter(field: Field[Any]) -> str:
    if field.default_factory is not MISSING:
        return f"{field.name}=missing"
    return field.name if field.default is MISSING else f"{field.name}=default_{field.name}"


def _comparisons(own: tuple[Field[Any], ...]) -> dict[str, Callable[..., Any]]:
    compared = [field.name for field in own if field.compare]
    hashed_ = [field.name for field in own if (field.compare if field.hash is None else field.hash)]
    values: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda _value: ()
    to_hash: Callable[[Any], Any] = attrgetter(*hashed_) if hashed_ else lambda _value: ()

    def is_equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(to_hash(self))

    return {"__eq__": is_equal, "__hash__": hashed}


def _shown(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_change(_self: Any, name: str, *_value: Any) -> Never:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _pickled(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in fields(self)]


def _unpickled(self: Any, values: list[Any]) -> None:
    for field, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, field.name, value)


_SHARED: Final[dict[str, Callable[..., Any]]] = {
    "__repr__": _shown,
    "__setattr__": _refuse_change,
    "__delattr__": _refuse_change,
    "__getstate__": _pickled,
    "__setstate__": _unpickled,
}
