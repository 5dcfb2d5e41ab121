"""What is made of a ruleset once, and kept for the next who asks for it: parsers, readers, words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from adjudicator.core.ruleset import AnyRuleset

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


class Once(Protocol[V_co]):
    """A function of a ruleset that keeps what it gave."""

    def __call__(self, rules: AnyRuleset, /) -> V_co:
        """Return what is kept for ``rules``."""
        ...

    def forget(self) -> None:
        """Make everything anew from here on: for tests, and for what measures."""
        ...


def once_for_each(make: Callable[[AnyRuleset], V]) -> Once[V]:
    """Return ``make``, which is called once for each ruleset with its languages; one that is loaded anew gets its own."""
    made: dict[str, tuple[AnyRuleset, V]] = {}

    def kept(rules: AnyRuleset) -> V:
        name = "+".join((rules.meta.id, *rules.language.codes))
        known = made.get(name)
        if known is None or known[0] is not rules:
            known = made[name] = rules, make(rules)
        return known[1]

    found: Any = kept
    found.__doc__, found.forget = make.__doc__, made.clear
    return cast("Once[V]", found)
