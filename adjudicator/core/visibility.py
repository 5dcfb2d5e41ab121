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


def shown_instead(mark: Mark, config: Any, value: Any) -> Any:
    """Return what viewers see instead of ``value``, as the ``mark`` of its field says."""
    return mark.instead(config, value)


@cache
def redactor(kind: type, hide: Hide = shown_instead) -> Redact | None:
    """Return the function that redacts values of ``kind`` by its marks, ``None`` if all fields are public.

    ``hide`` gives the replacements of hidden values.
    """
    steps = [(name, mark, inner) for name, mark, inner in _marked(kind, hide) if mark not in (None, PUBLIC) or inner]
    if not steps:
        return None

    def redact(config: Any, whole: Any, value: Any, viewer: Viewer) -> Any:
        changes = {}
        for name, mark, inner in steps:
            own = getattr(value, name)
            if mark is not None and not mark.sees(config, whole, value, viewer):
                changes[name] = hide(mark, config, own)
            elif inner is not None:
                changes[name] = inner(config, whole, own, viewer)
        return replace(value, **changes) if changes else value

    return lambda config, whole, value, viewer: value if viewer == MODERATOR else redact(config, whole, value, viewer)


def has_secrets(kinds: tuple[type, ...]) -> bool:
    """Return whether any field of ``kinds``, or of their parts, is hidden from some viewers."""
    return any(redactor(kind) is not None for kind in kinds)


@cache
def secret_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of the class ``kind`` that are hidden from some viewers."""
    return tuple(name for name, hint in _hints(kind).items() if mark_of(hint) not in (None, PUBLIC))


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
    for name, hint in _hints(kind).items():
        if is_asked and mark_of(hint) is None and not _is_fixed(hint):
            yield name
        for inner in _classes_in(hint):
            has_marks = any(mark_of(other) for other in _hints(inner).values())
            yield from (f"{name}.{deeper}" for deeper in _unmarked(inner, seen, is_asked=has_marks))


def _is_fixed(hint: Any) -> bool:
    """Return whether a field can have only one value, such as the kind of a thing, so that there is nothing to hide."""
    return get_origin(hint) is Literal and len(get_args(hint)) == 1


def _marked(kind: type, hide: Hide) -> Iterator[tuple[str, Mark | None, Redact | None]]:
    """Yield each field of ``kind``: its name, its mark, and the function that redacts its contents.

    Raises ``TypeError`` for a mark without effect: inside the type of a field, or ``OWNER`` in a class without a seat.
    """
    for name, hint in _hints(kind).items():
        mark = mark_of(hint)
        if any(_marks_in(argument) for argument in get_args(bare_type(hint))):
            raise TypeError(
                f"{kind.__name__}.{name}: a mark inside a type hides nothing; mark the field, or those of a class"
            )
        if mark is not None and mark.sees is OWNER.sees and not hasattr(kind, "seat") and "seat" not in _hints(kind):
            raise TypeError(f"{kind.__name__}.{name} is a secret of its seat, and {kind.__name__} has no seat")
        yield name, mark, _inner(hint, hide)


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the types of the fields of the class ``kind``."""
    return hints_of(kind)


def _marks_in(hint: Any) -> bool:
    if isinstance(hint, NewType):
        return _marks_in(hint.__supertype__)
    return isinstance(hint, Mark) or mark_of(hint) is not None or any(_marks_in(argument) for argument in get_args(hint))


def mark_of(hint: Any) -> Mark | None:
    """Return the mark that the type ``hint`` of a field carries, or ``None``."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint, *notes = (hint.__supertype__,) if isinstance(hint, NewType) else get_args(hint)
        found = next((note for note in notes if isinstance(note, Mark)), None)
        if found is not None:
            return found
    return None


def bare_type(hint: Any) -> Any:
    """Return the type ``hint`` without its annotations."""
    while isinstance(hint, NewType) or get_origin(hint) is Annotated:
        hint = hint.__supertype__ if isinstance(hint, NewType) else get_args(hint)[0]
    return hint


def _classes_in(hint: Any) -> Iterator[type]:
    bare = bare_type(hint)
    if isinstance(bare, type) and issubclass(bare, Value):
        yield bare
    for argument in get_args(bare):
        if argument is not ...:
            yield from _classes_in(argument)


def _inner(hint: Any, hide: Hide) -> Redact | None:
    """Return the function that redacts a visible value of type ``hint``: structs, alone, optional or in tuples."""
    bare = bare_type(hint)
    if isinstance(bare, type) and issubclass(bare, Value):
        return redactor(bare, hide)
    if get_origin(bare) is tuple and len(get_args(bare)) == 2 and get_args(bare)[1] is ...:
        each = _inner(get_args(bare)[0], hide)
        return None if each is None else _each(each)
    if get_origin(bare) in (Union, UnionType):
        inner = {bare_type(argument): _inner(argument, hide) for argument in get_args(bare) if argument is not NoneType}
        found = {kind: redact for kind, redact in inner.items() if redact is not None}
        return _by_kind(found) if found else None
    if any(redactor(kind) for kind in _classes_in(bare)):
        raise TypeError(f"marks inside {hint} have no effect: only values, tuples of them and optional ones can have marks")
    return None


def _each(redact: Redact) -> Redact:
    return lambda config, whole, values, viewer: tuple([redact(config, whole, value, viewer) for value in values])


def _by_kind(found: Mapping[Any, Redact]) -> Redact:
    """Return a function that redacts a value by its class, and leaves values without secrets unchanged."""
    tuples = next((redact for kind, redact in found.items() if get_origin(kind) is tuple), None)

    def redact(config: Any, whole: Any, value: Any, viewer: Viewer) -> Any:
        chosen = tuples if isinstance(value, tuple) else found.get(type(value))
        return value if chosen is None else chosen(config, whole, value, viewer)

    return redact
