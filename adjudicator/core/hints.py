"""Look up the types of the fields of a class."""

from __future__ import annotations

from functools import cache
from typing import Any, get_type_hints


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """Return the type of each field of ``kind``, base classes first, including the notes in ``Annotated``.

    Raises ``NameError`` for a type that the module of ``kind`` does not define.
    """
    return get_type_hints(kind, include_extras=True)
