"""Read one line of text: return its typed order, or the problem with it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from adjudicator.core.order import Expression
from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import replace
from adjudicator.orders.build import OrderLine, ParsedLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, Nesting, clean, depth
from adjudicator.orders.line_parser import line_parser
from adjudicator.orders.line_problem import UNEXPLAINED, LineProblem, fault_problem
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.spelling import plain
from adjudicator.orders.stepper import UnreadableError

_SURELY_SHORT: Final = 3 * MOST_DEPTH
"""The length up to which a line without brackets cannot be too long or too deep: ``NOT`` has three letters."""
_NOT_ORDERS: Final = ("game", "turn", "end", "word")
"""Words that begin lines which are not orders."""


class LineReader:
    """Reads lines in the language of one ruleset, with a cache."""

    def __init__(self, rules: AnyRules, remembered: int = 8192) -> None:
        """Read for ``rules``; cache at most ``remembered`` lines."""
        self.rules = rules
        self._line_parser = line_parser(rules)
        self._completed = rules.language.completed
        self._meant: Mapping[str, str] = {}
        self._nesting = Nesting()
        if rules.language.spoken is not None:
            from adjudicator.orders.synonyms import meanings, nesting

            self._meant = meanings(rules.language.spoken.words, _NOT_ORDERS)
            self._nesting = nesting(rules.language.spoken.words)
        self.parse = lru_cache(remembered)(self._parse_anew)

    def read(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or the problem with it."""
        parsed = self.parse(line)
        if parsed is UNEXPLAINED:
            # The slow way with positions: it is needed only to explain a problem.
            from adjudicator.orders.explain import explain

            try:
                return explain(self.rules, line)
            except Exception as fault:
                return fault_problem(line, fault)
        return parsed

    def english(self, word: str) -> str:
        """Return the English of a word that is alone on a line or heads one; return other words unchanged."""
        return self._meant.get(plain(word), word) if self._meant else word

    def _parse_anew(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or ``UNEXPLAINED``."""
        if len(line) > _SURELY_SHORT or "(" in line:
            problem = _too_much(line, self._nesting)
            if problem is not None:
                return problem
        try:
            parsed: ParsedLine = self._line_parser(line)
            if self._completed is not None and isinstance(parsed, OrderLine) and parsed.expression is not None:
                parsed = replace(parsed, expression=self._completed(parsed.expression))
        except UnreadableError:
            return UNEXPLAINED
        except Exception as fault:  # a bug in a builder must not stop the whole turn
            return fault_problem(line, fault)
        return parsed


@per_ruleset
def reader(rules: AnyRules) -> LineReader:
    """Return the line reader of ``rules``, always the same; a reloaded ruleset gets a new one."""
    return LineReader(rules)


def read_expression(rules: AnyRules, text: str) -> tuple[Expression, tuple[str, ...]]:
    """Return the expression in canonical ``text`` and the outcomes recorded beside it.

    It is for text that this program wrote, which is longer and has more brackets than a player may write. Raises
    ``UnreadableError`` if it is not an order.
    """
    parsed: Any = None
    if len(text) <= _SURELY_SHORT or (len(text) <= 5 * MOST_COLUMNS and depth(text) <= 5 * MOST_DEPTH):
        with suppress(UnreadableError):
            parsed = line_parser(rules)(clean(text))
    if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.expression is None:
        raise UnreadableError(f"not an order: {text[:80]}")
    return parsed.expression, parsed.draws


def _too_much(line: str, nesting: Nesting) -> LineProblem | None:
    if len(line) > MOST_COLUMNS:
        message = f"the line has {len(line):,} characters; an order may have at most {MOST_COLUMNS:,}"
        return LineProblem(Problem("orders/line-too-long", message), MOST_COLUMNS + 1, len(line) - MOST_COLUMNS)
    if depth(line, nesting) > MOST_DEPTH:
        message = f"more than {MOST_DEPTH} levels of brackets and conditions on one line"
        first = len(line) - len(line.lstrip())
        return LineProblem(Problem("orders/too-deep", message), first + 1, len(line) - first)
    return None
