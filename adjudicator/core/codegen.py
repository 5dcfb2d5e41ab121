"""Generate functions for a class, field by field, as ``dataclasses`` does for ``__init__``; no other module does so.

The code is made of names and types of fields, which the program itself defines; no input of a user ever gets here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def generate_function(parameters: str, lines: Iterable[str], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function with the given ``parameters`` and the body ``lines``, which may use ``names``."""
    scope = dict(names)
    exec(f"def generated({parameters}):\n " + "\n ".join(lines), scope)
    made: Callable[..., Any] = scope["generated"]
    return made
