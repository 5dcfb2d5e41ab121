"""Until reading, script and testing use ``Grammar`` themselves: the reader of lines as it was."""

from __future__ import annotations

from functools import lru_cache

from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.orders.build import ParsedLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH
from adjudicator.orders.grammar import Grammar, grammar_of
from adjudicator.orders.line_problem import UNEXPLAINED, LineProblem, fault_problem


class LineReader:
    """Reads lines in the language of one ruleset."""

    def __init__(self, grammar: Grammar) -> None:
        """Read by ``grammar``."""
        self.grammar, self.rules, self.english = grammar, grammar.rules, grammar.english

    def parse(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or ``UNEXPLAINED`` or another problem."""
        try:
            parsed = self.grammar.parse(line)
        except Exception as fault:
            return fault_problem(line, fault)
        return (self._too_much(line) or UNEXPLAINED) if parsed is None else parsed

    def read(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or the problem with it."""
        parsed = self.parse(line)
        if parsed is UNEXPLAINED:
            from adjudicator.orders.explain import explain

            try:
                return explain(self.rules, line)
            except Exception as fault:
                return fault_problem(line, fault)
        return parsed

    def _too_much(self, line: str) -> LineProblem | None:
        if len(line) > MOST_COLUMNS:
            message = f"the line has {len(line):,} characters; an order may have at most {MOST_COLUMNS:,}"
            return LineProblem(Problem("orders/line-too-long", message), MOST_COLUMNS + 1, len(line) - MOST_COLUMNS)
        if self.grammar.depth(line) > MOST_DEPTH:
            message = f"more than {MOST_DEPTH} levels of brackets and conditions on one line"
            first = len(line) - len(line.lstrip())
            return LineProblem(Problem("orders/too-deep", message), first + 1, len(line) - first)
        return None


@lru_cache(64)
def _reader(grammar: Grammar) -> LineReader:
    return LineReader(grammar)


def reader(rules: AnyRules) -> LineReader:
    """Return the line reader of ``rules``."""
    return _reader(grammar_of(rules))
