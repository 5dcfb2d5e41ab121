"""Recorded orders read again; what was read once is remembered, since archives say the same lines over and over."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.parser import read_expression

_REMEMBERED: Final = 16_384


class RecordedOrder(NamedTuple):
    """What a recorded text says, and the canonical words for it."""

    instruction: Instruction
    canonical: str


Reader = Callable[[str], RecordedOrder | None]


def reader(rules: AnyRuleset) -> Reader:
    """Return the reader of recorded orders of ``rules``: ``None`` for text that is no order."""
    known = _READERS.get(rules.meta.id)
    if known is None or known[0] is not rules:
        known = _READERS[rules.meta.id] = (rules, lru_cache(_REMEMBERED)(lambda text: _read(rules, text)))
    return known[1]


def _read(rules: AnyRuleset, text: str) -> RecordedOrder | None:
    try:
        expression, draws = read_expression(rules, text)
    except ValueError:
        return None
    instruction = Instruction(expression, draws)
    return RecordedOrder(instruction, instruction_text(instruction, rules.language.text))


_READERS: Final[dict[str, tuple[AnyRuleset, Reader]]] = {}
