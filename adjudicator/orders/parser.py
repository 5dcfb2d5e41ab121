"""Read one line of text: return its typed order, or the problem with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.frozen import frozen
from adjudicator.core.order import Expression
from adjudicator.core.problem import FAULT, Diagnostic, Place, Problem
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import parser_cache
from adjudicator.orders.build import COMMON_BUILDERS, OrderLine, ParsedLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, Nesting, clean, depth
from adjudicator.orders.grammar_source import key_of
from adjudicator.orders.lalr_loop import UnreadableError, UnusualError, accelerated, stored_loop
from adjudicator.orders.once import once_for_each
from adjudicator.orders.spelling import plain

if TYPE_CHECKING:
    from lark import Lark

_SURELY_SHORT: Final = 3 * MOST_DEPTH
"""The length up to which a line without brackets cannot be too long or too deep: ``NOT`` has three letters."""
_TOLD_BY_LINES: Final = ("game", "turn", "end", "word")
"""Words of lines that are not orders."""


@frozen
class LineProblem:
    """A problem with a line, and its place (``column`` from 1, ``width`` in characters).

    ``fault`` is the exception that reading the line raised, if that is the problem.
    """

    problem: Problem
    column: int = 1
    width: int = 1
    fault: Exception | None = None

    def diagnostic(self, line: int, text: str, source: str, seat: str = "", place: Place | None = None) -> Diagnostic:
        """Return the diagnostic for line number ``line`` (from 1) with this ``text`` in the turn file ``source``."""
        return Diagnostic(self.problem, seat, line, None, self.column, self.width, text, source, self.fault, place)


UNEXPLAINED: Final = LineProblem(Problem("orders/unreadable", "this cannot be read"))
"""The result of ``skim`` for an unreadable line, without a reason."""


class LineReader:
    """Reads lines in the language of one ruleset, with a cache."""

    def __init__(self, rules: AnyRuleset, remembered: int = 8192) -> None:
        """Read for ``rules``; cache at most ``remembered`` lines."""
        self.rules = rules
        self._parse = line_parser(rules)
        self._completed = rules.language.completed
        self._meant: Mapping[str, str] = {}
        self._nesting = Nesting()
        if rules.language.spoken is not None:
            from adjudicator.orders.synonyms import meanings, nesting

            self._meant = meanings(rules.language.spoken.words, _TOLD_BY_LINES)
            self._nesting = nesting(rules.language.spoken.words)
        self.skim = lru_cache(remembered)(self._skim)

    def read(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or the problem with it."""
        parsed = self.skim(line)
        if parsed is UNEXPLAINED:
            # The slow way with positions: it is needed only to explain a problem.
            from adjudicator.orders.hints import explain

            try:
                return explain(self.rules, line)
            except Exception as fault:
                return faulty(line, fault)
        return parsed

    def english(self, word: str) -> str:
        """Return the English of a word that is alone on a line or heads one; return other words unchanged."""
        return self._meant.get(plain(word), word) if self._meant else word

    def _skim(self, line: str) -> ParsedLine | LineProblem:
        """Return the parsed ``line``, which must be clean, or ``UNEXPLAINED``."""
        if len(line) > _SURELY_SHORT or "(" in line:
            problem = _too_much(line, self._nesting)
            if problem is not None:
                return problem
        try:
            parsed: ParsedLine = self._parse(line)
            if self._completed is not None and isinstance(parsed, OrderLine) and parsed.expression is not None:
                parsed = replace(parsed, expression=self._completed(parsed.expression))
        except UnreadableError:
            return UNEXPLAINED
        except Exception as fault:  # a bug in a builder must not stop the whole turn
            return faulty(line, fault)
        return parsed


def faulty(line: str, fault: Exception) -> LineProblem:
    """Return the problem with a ``line`` on which the program fails with ``fault``."""
    first = len(line) - len(line.lstrip())
    return LineProblem(FAULT, first + 1, max(1, len(line) - first), fault)


@once_for_each
def reader(rules: AnyRuleset) -> LineReader:
    """Return the line reader of ``rules``, always the same; a reloaded ruleset gets a new one."""
    return LineReader(rules)


def read_expression(rules: AnyRuleset, text: str) -> tuple[Expression, tuple[str, ...]]:
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


@once_for_each
def line_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return what reads one line and builds what it says, or raises ``UnreadableError``: the quick loop. Built once."""
    return _stored(rules) or accelerated(_fast(rules), _Builder(rules))


def _stored(rules: AnyRuleset) -> Callable[[str], Any] | None:
    """Return the loop with tables that are stored, for which Lark need not be loaded; ``None`` without sound ones."""
    if rules.language.spoken is not None:
        return None
    stored = parser_cache.load(rules.meta.id, key_of(rules))
    if stored is None or stored.get("loop") is None:
        return None
    try:
        return stored_loop(stored["loop"], _Builder(rules), lambda: _fast(rules))
    except (AttributeError, KeyError, TypeError, ValueError, UnusualError):
        return None


def fast_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return Lark's own parser of one line, which builds the order while it reads, without positions. Cached."""
    return _fast(rules).parse


@once_for_each
def position_parser(rules: AnyRuleset) -> Lark:
    """Return the parser of one line that returns a tree with positions, for lines with a problem. Cached."""
    return _built(rules, propagate_positions=True)


@once_for_each
def _fast(rules: AnyRuleset) -> Lark:
    return _built(rules, propagate_positions=False, transformer=_Builder(rules))


def _built(rules: AnyRuleset, **options: Any) -> Lark:
    from adjudicator.orders.grammar import build_parser

    return build_parser(rules, **options)


class _Builder:
    """The functions that Lark calls for each rule: the ruleset's builders, then the common ones."""

    def __init__(self, rules: AnyRuleset) -> None:
        for name, build in {**COMMON_BUILDERS, **rules.language.builders}.items():
            setattr(self, name, build)
        if rules.language.spoken is not None:
            from adjudicator.orders.synonyms import name_in_english

            for name, names in rules.language.spoken.names.items():
                setattr(self, name, _with_names(getattr(self, name), name_in_english(names)))


def _with_names(build: Callable[[list[Any]], Any], english: Callable[[Any], Any]) -> Callable[[list[Any]], Any]:
    return lambda children: build([english(child) for child in children])
