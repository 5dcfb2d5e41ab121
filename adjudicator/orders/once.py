"""What is made of a ruleset once, and kept for the next who asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.parser import kept_as

V = TypeVar("V")


def once_for_each(make: Callable[[AnyRuleset], V]) -> Callable[[AnyRuleset], V]:
    """Return ``make``, which is called once for each ruleset with its languages; one that is loaded anew gets its own."""
    made: dict[str, tuple[AnyRuleset, V]] = {}

    def kept(rules: AnyRuleset) -> V:
        known = made.get(kept_as(rules))
        if known is None or known[0] is not rules:
            known = made[kept_as(rules)] = rules, make(rules)
        return known[1]

    kept.__doc__ = make.__doc__
    return kept
