"""Parts of a game file built by themselves, from plain values."""

from __future__ import annotations

from typing import Any

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.store.errors import Untrusted, Violation


def build_state(rules: AnyRuleset, document: Any) -> Any:
    """Return the state that ``document`` (plain values) holds. Raises ``Untrusted`` with everything that is wrong.

    Of things inside each other only the innermost are told: that a list is amiss follows from what is amiss in it.
    """
    from pydantic import ValidationError

    from adjudicator.store import adapters
    from adjudicator.store.messages import pydantic_messages

    try:
        return adapters.adapter(rules.types.state).validate_json(canonical_bytes(document))
    except ValidationError as error:
        found = tuple(pydantic_messages(error, document))
        innermost = (one for one in found if not any(is_within(other.path, one.path, strictly=True) for other in found))
        raise Untrusted("the amended state", innermost, "this cannot be a state") from error
    except RecursionError as error:
        raise Untrusted("the amended state", [Violation("$", "lists and objects are nested too deeply")]) from error


def is_within(path: str, outer: str, *, strictly: bool = False) -> bool:
    """Return whether the JSON path ``path`` leads into what is at ``outer``, or, unless ``strictly``, to it."""
    return path.startswith((f"{outer}.", f"{outer}[")) or (path == outer and not strictly)
