"""Build the objects of the core and of a ruleset from plain JSON that the schema check has accepted.

For the quick way of loading. The careful way builds with pydantic; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin

from adjudicator.core.bounds import Bound
from adjudicator.core.codegen import generate_function
from adjudicator.core.corrections import OUTSIDE, Amended
from adjudicator.core.frozen import blank_of, defaults_left_out
from adjudicator.core.hints import hints_of
from adjudicator.core.journal import Entry, Link
from adjudicator.core.naming import Places
from adjudicator.core.phrases import Said
from adjudicator.core.ruleset import Setup, Types
from adjudicator.core.visibility import Mark
from adjudicator.store.game import GameFile
from adjudicator.store.shape import TAG

Build = Callable[[Any], Any]

_PLAIN: Final = (str, int, bool, NoneType)
_IN_SCHEMA: Final = (Bound, Mark, Said, Places)
"""Bounds that the schemas state, who sees a field, how it and its places are said: here nothing is left to check."""
_BOUNDS: Final = frozenset({"Ge", "Gt", "Le", "Lt", "Len", "MinLen", "MaxLen"})
"""The bounds of ``annotated_types`` that the schemas state as well: rulesets of other packages may have them."""


class NotQuickError(Exception):
    """Report a class of a ruleset that only pydantic can build."""


@cache
def game_file_builder(types: Types) -> Callable[[Mapping[str, Any]], GameFile]:
    """Return a function that makes a ``GameFile`` of plain JSON, for the ruleset with these ``types``.

    Raises ``NotQuickError`` if they hold anything but dataclasses, tuples, string enums, string mappings, tagged unions,
    numbers and texts.
    """
    event = reduce(or_, (*types.events, *OUTSIDE))
    own: dict[tuple[type, str], Any] = {
        (GameFile, "setup"): Setup,
        (GameFile, "journal"): tuple[Link, ...],
        (GameFile, "state"): types.state,
        (Setup, "components"): types.components | None,
        (Setup, "position"): types.position | None,
        (Entry, "events"): tuple[event, ...],  # type: ignore[valid-type]
        (Amended, "before"): types.state,
        (Amended, "after"): types.state,
    }
    return Compiler(own).of_class(GameFile)


@cache
def components_builder(types: Types) -> Build:
    """Return a function that makes a component set of plain JSON with every field, even those with a default.

    Raises ``NotQuickError`` as ``game_file_builder`` does. The builder raises ``KeyError`` if a field is left out.
    """
    return Compiler({}).of_class(types.components)


class Compiler:
    """Makes builders of types; ``own`` says which type a field of a class has where the core says ``Any``."""

    def __init__(self, own: Mapping[tuple[type, str], Any]) -> None:
        """Take those types."""
        self.own = own
        self.made: dict[type, Build] = {}
        self.underway: set[type] = set()

    def of(self, kind: Any) -> Build | None:
        """Return the builder of a ``kind``, or ``None`` if the plain value is one already."""
        while isinstance(kind, NewType) or get_origin(kind) is Annotated:
            kind = kind.__supertype__ if isinstance(kind, NewType) else _unbounded(kind)
        origin, inner = get_origin(kind), get_args(kind)
        if kind in _PLAIN or origin is Literal:
            return None
        if origin is tuple:
            return self.of_tuple(inner)
        if origin in (Union, UnionType):
            return self.of_union(inner)
        if isinstance(origin, type) and issubclass(origin, Mapping) and self.of(inner[0]) is None and _is_any_text(inner[0]):
            return self.of_mapping(inner[1])
        if isinstance(kind, type) and issubclass(kind, Enum) and all(isinstance(item.value, str) for item in kind):
            return {item.value: item for item in kind}.__getitem__
        if isinstance(kind, type) and is_dataclass(kind):
            return self.of_class(kind)
        raise NotQuickError(kind)

    def of_field(self, kind: type, name: str, hint: Any) -> Build | None:
        """Return the builder of the field ``name`` of ``kind``, or ``None`` if the plain value is one already."""
        return self.of(self.own.get((kind, name), hint))

    def of_tuple(self, kinds: Sequence[Any]) -> Build:
        """Return the builder of a tuple of ``kinds``; see ``of``."""
        builds = [self.of(kind) for kind in kinds if kind is not ...]
        build = builds[0] if builds else None
        if not any(builds):
            return tuple
        if len(kinds) == 2 and kinds[1] is ... and build is not None:
            return lambda values: tuple([build(value) for value in values])
        return lambda values: tuple(
            [value if make is None else make(value) for make, value in zip(builds, values, strict=True)]
        )

    def of_mapping(self, kind: Any) -> Build | None:
        """Return the builder of a mapping to values of ``kind``; see ``of``."""
        build = self.of(kind)
        return None if build is None else lambda values: {key: build(value) for key, value in values.items()}

    def of_union(self, kinds: Sequence[Any]) -> Build | None:
        """Return the builder of one of ``kinds``; see ``of``."""
        tagged = self.of_kinds([kind for kind in kinds if kind is not NoneType])
        if tagged is not None:
            return tagged if NoneType not in kinds else lambda value: None if value is None else tagged(value)
        builds = {kind: self.of(kind) for kind in kinds if kind is not NoneType}
        made = [build for build in builds.values() if build is not None]
        if not made:
            return None
        if len(made) < len(builds):  # a text or a class: only pydantic tells which
            raise NotQuickError(kinds)
        build = made[0] if len(made) == 1 else self.of_named(builds)
        return build if NoneType not in kinds else lambda value: None if value is None else build(value)

    def of_kinds(self, kinds: Sequence[Any]) -> Build | None:
        """Return the builder of one of the tagged classes ``kinds``, ``None`` if they are something else.

        It is worked out for each when the first of it comes: of all events that there are few games show half.
        """
        by_tag = {_tag(kind): kind for kind in kinds}
        if len(kinds) < 2 or len(by_tag) < len(kinds) or None in by_tag:
            return None
        made = _Made(lambda tag: self.of_class(by_tag[tag]))
        return lambda value: made[value[TAG]](value)

    def of_named(self, builds: Mapping[Any, Build | None]) -> Build:
        """Return the builder of one of the classes in ``builds`` that differ in the names of their fields; see ``of``.

        It raises ``KeyError`` where not every field is named.
        """
        if not all(is_dataclass(kind) and isinstance(kind, type) and not defaults_left_out(kind) for kind in builds):
            raise NotQuickError(tuple(builds))
        by_names = {frozenset(field.name for field in fields(kind)): build for kind, build in builds.items()}
        if len(by_names) < len(builds):
            raise NotQuickError(tuple(builds))
        return lambda value: by_names[frozenset(value)](value)  # type: ignore[misc]

    def of_class(self, kind: type) -> Build:
        """Return the builder of the dataclass ``kind``, made once."""
        if kind in self.underway:  # it holds itself
            raise NotQuickError(kind)
        if kind not in self.made:
            self.underway.add(kind)
            hints = hints_of(kind)
            if not all(field.init for field in fields(kind)):
                raise NotQuickError(kind)
            builds = {field.name: self.of_field(kind, field.name, hints[field.name]) for field in fields(kind)}
            self.made[kind] = _constructor(kind, builds)
            self.underway.discard(kind)
        return self.made[kind]


class _Made(dict[str, Build]):
    """Builds by their tag, each made by ``make`` when it is first asked for."""

    def __init__(self, make: Callable[[str], Build]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, tag: str) -> Build:
        self[tag] = self._make(tag)
        return self[tag]


def _constructor(kind: type, builds: Mapping[str, Build | None]) -> Build:
    """Return a function that makes a ``kind`` of a dictionary with just its fields, each through its build.

    Only fields that were added later may be left out.
    """
    names = {f"build_{name}": build for name, build in builds.items() if build is not None}
    values = {name: f"build_{name}(given[{name!r}])" if build else f"given[{name!r}]" for name, build in builds.items()}
    for name, default in defaults_left_out(kind).items():
        names[f"default_{name}"] = default
        values[name] = f"{values[name]} if {name!r} in given else default_{name}"
    if "__slots__" in vars(kind) and not hasattr(kind, "__post_init__"):
        # Filling a blank one takes half the time that a frozen dataclass takes to fill its slots itself.
        names["blank"] = blank_of(kind)
        filled = (f"made.{name} = {value}" for name, value in values.items())
        lines = ["made = new(blank)", *filled, "made.__class__ = kind", "return made"]
    else:
        lines = [f"return kind({', '.join(f'{name}={value}' for name, value in values.items())})"]
    return generate_function("given", lines, {"new": object.__new__, "kind": kind, **names})


def _unbounded(kind: Any) -> Any:
    bare, *bounds = get_args(kind)
    if not all(isinstance(bound, _IN_SCHEMA) or _is_bound(type(bound)) for bound in bounds):
        raise NotQuickError(kind)
    return bare


def _is_bound(kind: type) -> bool:
    return kind.__module__ == "annotated_types" and kind.__name__ in _BOUNDS


def _is_any_text(kind: Any) -> bool:
    """Return whether keys may be of ``kind``: no schema states the bounds of keys."""
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    return kind is str


def _tag(kind: Any) -> str | None:
    hint = hints_of(kind).get(TAG) if isinstance(kind, type) and is_dataclass(kind) else None
    return get_args(hint)[0] if get_origin(hint) is Literal else None
