"""Parts of a game file built by themselves, from plain values."""

from __future__ import annotations

from typing import Any

from adjudicator.core.plain import canonical
from adjudicator.core.ruleset import Ruleset
from adjudicator.store.errors import Untrusted


def build_state(rules: Ruleset[Any, Any, Any], document: Any) -> Any:
    """Return the state that ``document`` (plain values) holds. Raises ``Untrusted`` with everything that is wrong."""
    from pydantic import ValidationError

    from adjudicator.store import adapters
    from adjudicator.store.words import pydantic_words

    try:
        return adapters.adapter(rules.types.state).validate_json(canonical(document))
    except ValidationError as error:
        raise Untrusted("the amended state", pydantic_words(error, document), "this cannot be a state") from error
    except TypeError as error:
        raise Untrusted("the amended state", (), str(error)) from error
