"""The types of the fields of a class, worked out from the words in which they are written."""

from __future__ import annotations

import sys
from functools import cache
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from adjudicator.core.codegen import value_of

_known: Final[dict[tuple[str, str], Any]] = {}


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Return the type of each field of ``kind``, those of base classes first, with what ``Annotated`` says of it.

    The same as ``typing.get_type_hints`` with ``include_extras``. That compiles the same words again for every field, and
    looks for types in quotes within types: this is felt at every start of a program. Raises ``NameError``.
    """
    found: dict[str, Any] = {}
    try:
        for base in reversed(kind.__mro__):
            for name, hint in base.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 - inspect takes long to load
                found[name] = _meant(base.__module__, hint)
    except (NameError, KeyError, _QuotedError):
        return get_type_hints(kind, include_extras=True)
    return found


class _QuotedError(Exception):
    """A type may be written in quotes within another."""


def _meant(module: str, hint: Any) -> Any:
    if not isinstance(hint, str):
        if get_args(hint) and get_origin(hint) is not Literal:
            raise _QuotedError
        return NoneType if hint is None else hint
    if (module, hint) not in _known:
        if "'" in hint or '"' in hint:
            raise _QuotedError
        meant = value_of(hint, vars(sys.modules[module]))
        _known[module, hint] = NoneType if meant is None else meant
    return _known[module, hint]
