"""Functions generated for a class, field by field, as ``dataclasses`` does for ``__init__``: the one place that does so.

What is generated from are names and types of fields, known when the program is written; nothing a user says ever comes here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def generate_function(parameters: str, lines: Iterable[str], names: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function of ``parameters`` with the body ``lines``, which may use ``names``."""
    scope = dict(names)
    exec(f"def generated({parameters}):\n " + "\n ".join(lines), scope)
    made: Callable[..., Any] = scope["generated"]
    return made
