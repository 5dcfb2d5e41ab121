"""Decide who may see what: marks on the fields of states and events, and the views that follow from them.

A game without secrets marks nothing. A game with secrets marks *every* field of its state and its events; a field without a
mark is an error when the game is loaded, never a leak.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin

from adjudicator.core.values import MODERATOR, Value, Viewer, hints_of, replace

T = TypeVar("T")

Sees = Callable[[Any, Any, Any, Viewer], bool]
"""A function that says whether a viewer sees a field.

Its arguments are the configuration, the whole state or event, the object with the field (the state or event or a part of it,
such as one seat's things), and the viewer."""
Instead = Callable[[Any, Any], Any]
"""A function that gives the replacement of a hidden value, from the configuration and the value."""


class UnmarkedFieldError(Exception):
    """A game with secrets has fields without a mark, which would say who may see them."""

    def __init__(self, missing: list[str]) -> None:
        """Name the ``missing`` fields as ``Class.field``."""
        super().__init__(f"in a game with secrets every field needs a mark (PUBLIC, OWNER, NOBODY): {', '.join(missing)}")


def nothing(_config: Any, _value: Any) -> None:
    """Return what others see of a hidden value by default: nothing."""


def as_count(_config: Any, value: tuple[Any, ...]) -> tuple[None, ...]:
    """Return what others see of a hidden tuple if they may count its things."""
    return (None,) * len(value)


class Mark(Value):
    """Who sees a field (the moderator always does), and what others see ``instead``: by default ``None``.

    If the replacements are members of an enumeration, ``among`` is that enumeration, so that files can be read back.
    """

    sees: Sees
    instead: Instead = nothing
    among: type[Enum] | None = None

    @property
    def counted(self) -> Mark:
        """The same mark, but all viewers can count the things: each thing of the hidden tuple becomes ``None``."""
        return self.shown_as(as_count)

    def shown_as(self, instead: Instead, among: type[Enum] | None = None) -> Mark:
        """Return the same mark, but others see what ``instead`` makes of the configuration and the hidden value.

        If the result is a member, or several members, of an enumeration, ``among`` is that enumeration.
        """
        return replace(self, instead=instead, among=among)


PUBLIC: Final = Mark(lambda _config, _whole, _holder, _viewer: True)
"""Every viewer sees the field and its contents, except for parts with other marks."""
OWNER: Final = Mark(lambda _config, _whole, holder, viewer: viewer == holder.seat)
"""Only the ``seat`` of the thing with this field sees the field, and the moderator."""
NOBODY: Final = Mark(lambda _config, _whole, _holder, _viewer: False)
"""Only the moderator sees the field."""

Public = Annotated[T, PUBLIC]
"""``Public[int]`` is ``Annotated[int, PUBLIC]``."""
Secret = Annotated[T, OWNER]
"""``Secret[Card | None]`` is ``Annotated[Card | None, OWNER]``: a secret of its seat."""

Redact = Callable[[Any, Any, Any, Viewer], Any]
"""A function that gives a viewer's version of a value, from the configuration, the whole state or event, and the value."""
Hide = Callable[[Mark, Any, Any], Any]
"""A function that gives the replacement of a hidden value, from the mark of its field, the configuration, and the value."""


def _shown(mark: Mark, config: Any, value: Any) -> Any:
    return mark.instead(config, value)


@cache
def redactor(kind: type, hide: Hide = _shown) -> Redact | None:
    """Return the function that redacts values of ``kind`` by its marks, ``None`` if all fields are public.

    ``hide`` gives the replacements of hidden values. Raises ``TypeError`` for a mark without effect: inside the type of a
    field, or ``OWNER`` in a class without a seat.
    """
    steps = list[tuple[str, Mark | None, Redact | None]]()
    for name, hint in hints_of(kind).items():
        mark = note_in(hint, Mark)
        if any(_marks_in(argument) for argument in get_args(bare_type(hint))):
            raise TypeError(
                f"{kind.__name__}.{name}: a mark inside a type hides nothing; mark the field, or those of a class"
            )
        if mark is not None and mark.sees is OWNER.sees and not hasattr(kind, "seat") and "seat" not in hints_of(kind):
            raise TypeError(f"{kind.__name__}.{name} is a secret of its seat, and {kind.__name__} has no seat")
        inside = _inside(hint, hide)
        if inside is not None or mark not in (None, PUBLIC):
            steps.append((name, mark, inside))
    if not steps:
        return None

    def redact(config: Any, whole: Any, value: Any, viewer: Viewer) -> Any:
        if viewer == MODERATOR:
            return value
        changes = {}
        for name, mark, inside in steps:
            own = getattr(value, name)
            if mark is not None and not mark.sees(config, whole, value, viewer):
                changes[name] = hide(mark, config, own)
            elif inside is not None:
                changes[name] = inside(config, whole, own, viewer)
        return replace(value, **changes) if changes else value

    return redact


def _inside(hint: Any, hide: Hide) -> Redact | None:
    """Return the function that redacts a visible value of type ``hint``: structs, alone, optional or in tuples."""
    bare = bare_type(hint)
    if isinstance(bare, type) and issubclass(bare, Value):
        return redactor(bare, hide)
    if get_origin(bare) is tuple and get_args(bare)[1:] == (...,):
        each = _inside(get_args(bare)[0], hide)
        if each is None:
            return None
        return lambda config, whole, values, viewer: tuple([each(config, whole, value, viewer) for value in values])
    if get_origin(bare) in (Union, UnionType):
        members = {bare_type(argument): _inside(argument, hide) for argument in get_args(bare) if argument is not NoneType}
        tuples = next((redact for kind, redact in members.items() if get_origin(kind) is tuple), None)

        def redact_member(config: Any, whole: Any, value: Any, viewer: Viewer) -> Any:
            redact = tuples if isinstance(value, tuple) else members.get(type(value))
            return value if redact is None else redact(config, whole, value, viewer)

        return redact_member if any(members.values()) else None
    if any(redactor(kind) for kind in classes_in(bare)):
        raise TypeError(f"marks inside {hint} have no effect: only values, tuples of them and optional ones can have marks")
    return None


@cache
def secret_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of the class ``kind`` that are hidden from some viewers."""
    return tuple(name for name, hint in hints_of(kind).items() if note_in(hint, Mark) not in (None, PUBLIC))


def require_marks(kinds: Mapping[type, Collection[str]]) -> None:
    """Raise ``UnmarkedFieldError`` if a field of ``kinds`` has no mark; each is given with the fields that need none."""
    found = ((kind, name) for kind in kinds for name in _unmarked(kind, set()))
    missing = [f"{kind.__name__}.{name}" for kind, name in found if name not in kinds[kind]]
    if missing:
        raise UnmarkedFieldError(missing)


def _unmarked(kind: type, seen: set[type], *, is_asked: bool = True) -> Iterator[str]:
    """Yield the fields without a mark, also of nested classes at any depth that have marks."""
    if kind in seen:
        return
    seen.add(kind)
    for name, hint in hints_of(kind).items():
        is_fixed = get_origin(hint) is Literal and len(get_args(hint)) == 1  # there is nothing to hide
        if is_asked and not is_fixed and note_in(hint, Mark) is None:
            yield name
        for inner in classes_in(hint):
            has_marks = any(note_in(other, Mark) for other in hints_of(inner).values())
            yield from (f"{name}.{deeper}" for deeper in _unmarked(inner, seen, is_asked=has_marks))


def _marks_in(hint: Any) -> bool:
    return isinstance(hint, Mark) or note_in(hint, Mark) is not None or any(map(_marks_in, get_args(bare_type(hint))))


def classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes of values in the type ``hint``."""
    bare = bare_type(hint)
    if isinstance(bare, type) and issubclass(bare, Value):
        yield bare
    for argument in get_args(bare):
        yield from classes_in(argument)


def note_in(hint: Any, kind: type[T]) -> T | None:
    """Return the first note of that ``kind`` in the ``Annotated`` of the type ``hint``, or ``None``."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        for note in getattr(hint, "__metadata__", ()):
            if isinstance(note, kind):
                return note
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    return None


def bare_type(hint: Any) -> Any:
    """Return the type ``hint`` without its annotations."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    return hint
