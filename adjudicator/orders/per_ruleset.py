"""Cache what is made from a ruleset, such as its parser, so that it is made once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import Language

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


class PerRuleset(Protocol[V_co]):
    """A function of a ruleset with a cache of its results."""

    def __call__(self, rules: AnyRules, /) -> V_co:
        """Return the cached result for ``rules``."""
        ...

    def forget(self) -> None:
        """Empty the cache, for tests and benchmarks."""
        ...


def per_ruleset(make: Callable[[Any], V]) -> PerRuleset[V]:
    """Return ``make`` with a cache: it is called once for each ruleset with its languages, and for each reload."""
    made: dict[tuple[str, tuple[str, ...]], tuple[Language, V]] = {}

    def kept(rules: Any) -> V:
        name = rules.meta.id, rules.language.codes
        known = made.get(name)
        if known is None or known[0] is not rules.language:
            known = made[name] = rules.language, make(rules)
        return known[1]

    found: Any = kept
    found.__doc__, found.forget = make.__doc__, made.clear
    return cast("PerRuleset[V]", found)
