"""One line of a turn file: to what it says, or to the problem with it and its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lark.exceptions import LarkError

from adjudicator.core.order import Expression
from adjudicator.core.problem import Finding, Problem
from adjudicator.orders.build import OrderLine, ParsedLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, clean, depth
from adjudicator.orders.grammar import AnyRuleset, fast_parser


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a line says nothing: the problem and where (``column`` from 1, ``width`` in characters)."""

    problem: Problem
    column: int = 1
    width: int = 1

    def finding(self, line: int, text: str, source: str, seat: str = "") -> Finding:
        """Return the finding for line number ``line`` (from 1) with this ``text`` in the turn file ``source``."""
        return Finding(self.problem, seat, line, None, self.column, self.width, text, source)


class LineReader:
    """Reads lines in the language of one ruleset; lines read before are remembered."""

    def __init__(self, rules: AnyRuleset, remembered: int = 8192) -> None:
        """Read for ``rules``; remember so many distinct lines."""
        self._rules = rules
        self._parse = fast_parser(rules)
        self.read = lru_cache(remembered)(self._read)

    def _read(self, line: str) -> ParsedLine | Unreadable:
        """Return what the cleaned ``line`` says, or why it says nothing."""
        if len(line) > MOST_COLUMNS:
            message = f"the line has {len(line):,} characters; an order may have {MOST_COLUMNS:,}"
            return Unreadable(Problem("orders/line-too-long", message), MOST_COLUMNS + 1)
        if depth(line) > MOST_DEPTH:
            return Unreadable(Problem("orders/too-deep", f"more than {MOST_DEPTH} brackets and conditions on one line"))
        try:
            parsed: ParsedLine = self._parse(line)
        except LarkError:
            # Only now are positions worth their price: the line is read again with them to say what is wrong.
            from adjudicator.orders.hints import explain

            return explain(self._rules, line)
        return parsed


def read_expression(rules: AnyRuleset, text: str) -> tuple[Expression, tuple[str, ...]]:
    """Return the expression in canonical ``text`` and the outcomes recorded beside it.

    For text that this program wrote: raises ``ValueError`` if it cannot be read.
    """
    parsed: Any = reader(rules).read(clean(text))
    if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.expression is None:
        raise ValueError(f"not an order: {text[:80]}")
    return parsed.expression, parsed.draws


_readers: dict[str, LineReader] = {}


def reader(rules: AnyRuleset) -> LineReader:
    """Return the line reader of ``rules``, always the same."""
    if rules.meta.id not in _readers:
        _readers[rules.meta.id] = LineReader(rules)
    return _readers[rules.meta.id]
