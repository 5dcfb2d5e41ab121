"""Classes made slotted dataclasses in a fifth of the time that ``dataclasses`` takes, which at a start of a program is felt.

What comes out is the same. Anything but plain fields (``ClassVar``, ``InitVar``, ``KW_ONLY``, a metaclass, slots of its own,
what ``dataclasses`` refuses) is left to ``dataclasses`` itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, MISSING, Field, InitVar, dataclass, field
from types import MemberDescriptorType
from typing import Any, ClassVar, Final, get_origin

_SPECIAL: Final = ("ClassVar", "InitVar", "KW_ONLY")
_FIELDS: Final = "__dataclass_fields__"
_LEFT_OUT: Final = ("__dict__", "__weakref__")


class _UnusualError(Exception):
    """The class has something that only ``dataclasses`` knows how to deal with."""


def dataclassed(kind: type[Any], *, kw_only: bool) -> Any:
    """Return ``kind`` as a dataclass with slots, without methods. Raises ``TypeError`` and ``ValueError`` as that does."""
    try:
        return _made(kind, _fields_of(kind, kw_only=kw_only), _LIKE[kw_only])
    except _UnusualError:
        return dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(kind)


def _fields_of(kind: type[Any], *, kw_only: bool) -> dict[str, Field[Any]]:
    """Return the fields of ``kind`` by name, those of its bases first, among which may be some of their classes alone."""
    found: dict[str, Field[Any]] = {}
    for base in reversed(kind.__mro__[1:]):
        found |= getattr(base, _FIELDS, {})
    hints = kind.__annotations__
    if type(kind) is not type or "__slots__" in vars(kind):
        raise _UnusualError
    for name, hint in hints.items():
        if _is_special(hint):
            raise _UnusualError
        found[name] = _field(getattr(kind, name, MISSING), name, hint, kw_only=kw_only)
    if any(isinstance(value, Field) and name not in hints for name, value in vars(kind).items()):
        raise _UnusualError
    return found


def _is_special(hint: Any) -> bool:
    """Return whether ``hint``, as text or not, marks something else than a field."""
    if type(hint) is str:
        return any(word in hint for word in _SPECIAL)
    return hint in (ClassVar, InitVar, KW_ONLY) or get_origin(hint) is ClassVar or type(hint) is InitVar


def _field(default: Any, name: str, hint: Any, *, kw_only: bool) -> Field[Any]:
    one: Any = default
    if not isinstance(default, Field):
        one = field(default=MISSING if isinstance(default, MemberDescriptorType) else default)
    if one.default is not MISSING and type(one.default).__hash__ is None:
        raise _UnusualError
    one.name, one.type, one._field_type = name, hint, _PLAIN
    one.kw_only = kw_only if one.kw_only is MISSING else one.kw_only
    return one  # type: ignore[no-any-return]


def _made(kind: type[Any], own: dict[str, Field[Any]], like: type[Any]) -> type[Any]:
    """Return ``kind`` defined again with the fields ``own`` as slots, and what else belongs to a dataclass ``like`` it."""
    inherited = {slot for base in kind.__mro__[1:-1] for slot in _slots_of(base)}
    stored = {name: one for name, one in own.items() if one._field_type is _PLAIN}  # type: ignore[attr-defined]
    body = {name: value for name, value in vars(kind).items() if name not in stored and name not in _LEFT_OUT}
    body[_FIELDS] = own
    body["__slots__"] = tuple([name for name in stored if name not in inherited])
    body.setdefault("__match_args__", tuple([one.name for one in stored.values() if one.init and not one.kw_only]))
    for name in ("__dataclass_params__", "__replace__"):  # the second since Python 3.13
        if name in vars(like):
            body[name] = vars(like)[name]
    made = type(kind.__name__, kind.__bases__, body)
    made.__qualname__ = kind.__qualname__
    return made


def _slots_of(base: type[Any]) -> Iterable[str]:
    slots: Any = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots


@dataclass(init=False, repr=False, eq=False, slots=True)
class _Positional:
    """One that ``dataclasses`` has made: what is the same in all of them is taken from it."""

    plain: int


@dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)
class _Named:
    """The same for those whose fields are to be named."""

    plain: int


_LIKE: Final[dict[bool, type[Any]]] = {False: _Positional, True: _Named}
_PLAIN: Final[Any] = vars(_LIKE[False])[_FIELDS]["plain"]._field_type
