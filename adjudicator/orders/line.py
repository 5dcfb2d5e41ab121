"""One line of a turn file: to what it says, or to the problem with it and its place."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from lark.exceptions import LarkError

from adjudicator.core.order import Expression
from adjudicator.core.problem import Problem
from adjudicator.orders.build import OrderLine, ParsedLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, clean, depth
from adjudicator.orders.grammar import AnyRuleset, line_parser
from adjudicator.orders.problems import UNEXPLAINED, LineProblem


class LineReader:
    """Reads lines in the language of one ruleset; lines read before are remembered."""

    def __init__(self, rules: AnyRuleset, remembered: int = 8192) -> None:
        """Read for ``rules``; remember so many distinct lines."""
        self.rules = rules
        self._parse = line_parser(rules)
        self.skim = lru_cache(remembered)(self._skim)

    def read(self, line: str) -> ParsedLine | LineProblem:
        """Return what the cleaned ``line`` says, or why it says nothing."""
        parsed = self.skim(line)
        if parsed is UNEXPLAINED:
            # Only now are positions worth their price: the line is read again with them to say what is wrong.
            from adjudicator.orders.hints import explain

            return explain(self.rules, line)
        return parsed

    def _skim(self, line: str) -> ParsedLine | LineProblem:
        """Return what the cleaned ``line`` says, or ``UNEXPLAINED``."""
        if len(line) > _SURELY_SHORT or "(" in line:
            problem = _too_much(line)
            if problem is not None:
                return problem
        try:
            parsed: ParsedLine = self._parse(line)
        except LarkError:
            return UNEXPLAINED
        return parsed


_SURELY_SHORT: Final = 3 * MOST_DEPTH
"""Characters that without brackets are neither too many nor too deep: ``NOT``, the shortest that nests, has three."""


def _too_much(line: str) -> LineProblem | None:
    if len(line) > MOST_COLUMNS:
        message = f"the line has {len(line):,} characters; an order may have {MOST_COLUMNS:,}"
        return LineProblem(Problem("orders/line-too-long", message), MOST_COLUMNS + 1, len(line) - MOST_COLUMNS)
    if depth(line) > MOST_DEPTH:
        message = f"more than {MOST_DEPTH} brackets and conditions stand within each other"
        first = len(line) - len(line.lstrip())
        return LineProblem(Problem("orders/too-deep", message), first + 1, len(line) - first)
    return None


def read_expression(rules: AnyRuleset, text: str) -> tuple[Expression, tuple[str, ...]]:
    """Return the expression in canonical ``text`` and the outcomes recorded beside it.

    For text that this program wrote: raises ``ValueError`` if it cannot be read. Canonical words are longer and have more
    brackets than what a player may write, so the limits are wider.
    """
    parsed: Any = None
    if len(text) <= 5 * MOST_COLUMNS and depth(text) <= 5 * MOST_DEPTH:
        with suppress(LarkError):
            parsed = line_parser(rules)(clean(text))
    if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.expression is None:
        raise ValueError(f"not an order: {text[:80]}")
    return parsed.expression, parsed.draws


_readers: dict[str, LineReader] = {}


def reader(rules: AnyRuleset) -> LineReader:
    """Return the line reader of ``rules``, always the same; a ruleset loaded anew gets its own."""
    known = _readers.get(rules.meta.id)
    if known is None or known.rules is not rules:
        known = _readers[rules.meta.id] = LineReader(rules)
    return known
