"""What could stand at a place in a line, in a player's words and never in the grammar's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Final

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from adjudicator.core.frozen import frozen
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.line_tables import END, States
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parser import position_parser

_TERMS: Final[Mapping[str, str]] = {
    "seat_name": "a seat",
    "fact": "a fact",
    "value": "a number or a name",
    "argument": "a name",
    "relation": "a comparison such as `=`, `<` or `has`",
    "draw": "an outcome",
    "order": "an order",
    "INT": "a number",
    "ID": "the name of a game",
}
"""What rules and terminals of the common grammar are called."""
_QUIET: Final = frozenset({"_OR", "_IF", "LSQB", "LPAR", "_NOT", "_FULL_STOP", END})
"""Possible nearly everywhere, so naming them helps nobody."""
_ANY_NAME: Final = "qxqzq"
"""What only a terminal for names of every kind takes."""
_REMEMBERED: Final = 1_024
"""Places of which is remembered what is expected there."""
_CAPITAL: Final = frozenset({"_AND", "_OR", "_NOT", "_IF", "_THEN", "_ELSE"})


@frozen
class Expected:
    """What may stand somewhere.

    ``accepted`` are the grammar's symbols and for the program alone. ``words`` say it to a player, ``keywords`` could be put
    in, ``spellings`` are all ways to write what could stand there. ``is_order`` tells that an order could. ``rule`` is the
    one of the game that all those parts of an order go by that could stand there, empty if they go by several or none.
    """

    accepted: frozenset[str]
    words: tuple[str, ...]
    keywords: tuple[str, ...]
    spellings: tuple[str, ...]
    is_order: bool
    rule: str = ""


def expected_after(rules: AnyRuleset, parser: Lark, state: Any) -> Expected:
    """Return what the interactive ``parser`` of ``rules`` in ``state`` could take next."""
    return _expected(rules, parser, (*state.parser_state.state_stack,))


def expected_in(rules: AnyRuleset, states: States) -> Expected:
    """Return what the parser of ``rules`` could take next in ``states``; wrong lines stop in the same few."""
    return _expecting(rules)(position_parser(rules), states)


@once_for_each
def _expecting(rules: AnyRuleset) -> Callable[[Lark, States], Expected]:
    return lru_cache(_REMEMBERED)(partial(_expected, rules))


def _expected(rules: AnyRuleset, parser: Lark, states: States) -> Expected:
    place = _Place(rules, parser, states)
    symbols = sorted(place.accepted, key=lambda symbol: (symbol != "NAME", symbol))
    parts = list(dict.fromkeys(part for symbol in symbols for part in place.parts(symbol)))
    terms = list(dict.fromkeys(map(place.called, parts)))
    is_order = _TERMS["order"] in terms
    keywords = tuple(word for symbol in symbols if (word := place.keyword(symbol)))
    if is_order:
        words = [_TERMS["order"]]
    else:
        words = terms + [f"`{word}`" for word in keywords]
        if END in place.accepted:
            words.append("the end of the line")
    spelled = tuple(word for symbol in symbols for word in spellings(parser, symbol))
    stand_by = {rules.language.rules.get(part, "") for part in parts}
    rule = "" if is_order or len(stand_by) != 1 else stand_by.pop()
    return Expected(place.accepted, tuple(words), keywords, spelled, is_order, rule)


class _Place:
    """A place in a line, as the parser sees it: by the states that it has come through and not left again."""

    def __init__(self, rules: AnyRuleset, parser: Lark, states: States) -> None:
        self._parser, self._states = parser, states
        conf = parser.parse_interactive("").parser_state.parse_conf
        self._ways: Any = conf.states
        self._end = conf.end_state
        facts = {"fact": f"a fact such as `{min(rules.fact_names)}`"} if rules.fact_names else {}
        self._names = {**_TERMS, **facts, **rules.language.terms}
        self._openings = _openings(parser)
        self.accepted = self._accepted(states)

    def parts(self, symbol: str) -> list[str]:
        """Return the rules of the grammar, or the terminal, that have a name and may begin here with ``symbol``."""
        if symbol in _QUIET:
            return []
        begun = [rule for rule in self._begun(symbol) if rule in self._names]
        # The order itself says more than its parts; a rule says more than the terminal it begins with.
        rules = ["order"] if "order" in begun else begun or [symbol]
        return [rule for rule in rules if rule in self._names]

    def called(self, part: str) -> str:
        """Return what a ``part`` is called in messages."""
        return self._names[part]

    def keyword(self, symbol: str) -> str:
        """Return how the keyword ``symbol`` is written, empty if it has a better name or need not be named."""
        if symbol in _QUIET or self.parts(symbol):
            return ""
        return "" if self._is_filler(symbol) else next(iter(spellings(self._parser, symbol)), "")

    def _begun(self, symbol: str) -> list[str]:
        """Return the rules that may begin here with the terminal ``symbol``: those for which the state has a way on."""
        before = self._after(self._states, symbol)[-2]
        ways = self._ways[before]
        return [rule for rule in ways if symbol in self._openings.get(rule, ())]

    def _is_filler(self, symbol: str) -> bool:
        """Return whether the keyword makes no difference: all that may follow it may as well stand here without it."""
        return self._accepted(self._after(self._states, symbol)) <= self.accepted

    def _accepted(self, states: States) -> frozenset[str]:
        """Return the terminals that lead on from ``states``."""
        ways = self._ways[states[-1]]
        return frozenset(symbol for symbol in ways if symbol.isupper() and self._after(states, symbol))

    def _after(self, states: States, symbol: str) -> States:
        """Return the states that come after ``states`` with the terminal ``symbol``; none if it cannot stand there."""
        stack = list(states)
        while True:
            action, to = self._ways[stack[-1]].get(symbol, (None, None))
            if action is None:
                return ()
            if action is Shift:
                return (*stack, to)
            del stack[len(stack) - len(to.expansion) :]
            stack.append(self._ways[stack[-1]][to.origin.name][1])
            if symbol == END and stack[-1] == self._end:
                return tuple(stack)


@lru_cache(8)
def _openings(parser: Lark) -> dict[str, frozenset[str]]:
    """Return for each rule the terminals it may begin with."""
    firsts: dict[str, set[str]] = {rule.origin.name: set() for rule in parser.rules}
    grown = True
    while grown:
        grown = False
        for rule in parser.rules:
            for symbol in rule.expansion[:1]:
                found = {symbol.name} if symbol.is_term else firsts[symbol.name]
                grown = grown or not found <= firsts[rule.origin.name]
                firsts[rule.origin.name] |= found
    return {name: frozenset(found) for name, found in firsts.items()}


@lru_cache(512)
def spellings(parser: Lark, symbol: str) -> tuple[str, ...]:
    """Return the ways to write the keyword ``symbol``, the usual one first; none for names and numbers."""
    if symbol == END or symbol in _TERMS or symbol == "NAME":
        return ()
    pattern = parser.get_terminal(symbol).pattern
    if pattern.type == "str":
        return (pattern.value,)
    readable = re.compile(pattern.to_regexp())
    if readable.fullmatch(_ANY_NAME):
        return ()
    words = dict.fromkeys(word for word in _literals(pattern.value) if readable.fullmatch(word))
    return tuple(word.upper() if symbol in _CAPITAL else word for word in words)


_AHEAD_OR_BEHIND: Final = re.compile(r"\(\?[!=<][^)]*\)")
_GROUP: Final = re.compile(r"\(\?:([^()|]*)(?:\|[^()]*)?\)(\??)")


def _literals(pattern: str) -> list[str]:
    """Return what a regular expression may stand for, taking the words and the signs in it for what they are."""
    bare = _AHEAD_OR_BEHIND.sub("", pattern)
    plain = bare.replace(" +", " ").replace("(?:", "(")
    found = re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", plain) + re.findall(r"[^\w\s()\[\]|\\]+", plain)
    return [*found, _shortest(bare)]


def _shortest(pattern: str) -> str:
    """Return what a regular expression is at its shortest: the first of several words, and none that may be left out."""
    before = ""
    while before != pattern:
        before, pattern = pattern, _GROUP.sub(lambda group: "" if group[2] else group[1], pattern)
    return pattern.replace(" +", " ").replace(" *", "")
