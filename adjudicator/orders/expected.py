"""Until explanations use ``Grammar`` themselves: the words that fit at a place, as they were."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value
from adjudicator.orders.grammar import grammar_of


class Expected(Value):
    """What fits at a place: see ``Failure``."""

    accepted: frozenset[str]
    words: tuple[str, ...]
    keywords: tuple[str, ...]
    spellings: tuple[str, ...]
    is_order: bool
    rule: str = ""


def spellings(rules: AnyRules) -> Mapping[str, tuple[str, ...]]:
    """Return for each terminal the spellings of a keyword."""
    return grammar_of(rules).spellings
