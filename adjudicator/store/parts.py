"""Build single parts of a game file, settings and similar objects from plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from adjudicator.core.rules import AnyRules
from adjudicator.core.values import canonical_bytes
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import TOO_DEEP

T = TypeVar("T")


def build_part(kind: Callable[..., T], document: Any, data: bytes, name: str, words: str) -> T:
    """Return the ``kind`` in ``data``, the JSON of ``document``; ``name`` is its source, for messages.

    Raises ``Untrusted`` with all problems, under the heading ``words``. Of nested problems it reports only the innermost:
    a list is wrong only because one of its values is.
    """
    from adjudicator.store import checking

    try:
        built: T = typed.read(kind, data)
    except typed.Misfit as misfit:
        found = checking.part_violations(kind, document) or (misfit.violation,)
        innermost = (one for one in found if not any(is_within(other.path, one.path, strictly=True) for other in found))
        raise Untrusted(name, innermost, words) from misfit
    except RecursionError as error:
        raise Untrusted(name, [Violation("$", TOO_DEEP)]) from error
    return built


def build_state(rules: AnyRules, document: Any) -> Any:
    """Return the state that ``document`` (plain values) describes. Raises ``Untrusted`` as ``build_part`` does."""
    return build_part(rules.types.state, document, canonical_bytes(document), "the amended state", "this is not a state")


def is_within(path: str, outer: str, *, strictly: bool = False) -> bool:
    """Return whether the JSON path ``path`` is inside ``outer``, or, unless ``strictly``, equal to it."""
    return path.startswith((f"{outer}.", f"{outer}[")) or (path == outer and not strictly)
