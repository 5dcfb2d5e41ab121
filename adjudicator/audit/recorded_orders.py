"""Read recorded orders, with a cache because archives repeat the same lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from adjudicator.core.order import Instruction
from adjudicator.core.rules import AnyRules
from adjudicator.orders.parser import read_expression
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.stepper import UnreadableError

_REMEMBERED: Final = 16_384


Reader = Callable[[str], Instruction | None]


@per_ruleset
def reader(rules: AnyRules) -> Reader:
    """Return the reader of recorded orders of ``rules``; it returns ``None`` for text that is not an order."""
    return lru_cache(_REMEMBERED)(partial(_read, rules))


def _read(rules: AnyRules, text: str) -> Instruction | None:
    try:
        return Instruction(*read_expression(rules, text))
    except UnreadableError:
        return None
