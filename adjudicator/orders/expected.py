"""What could stand at a place in a line, in a player's words and never in the grammar's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from lark import Lark, Token

from adjudicator.core.frozen import frozen
from adjudicator.core.ruleset import AnyRuleset

END: Final = "$END"
"""What stands after the last word of a line."""
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
    """Return what the interactive parser in ``state`` could take next."""
    place = _Place(rules, parser, state)
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
    """A place in a line, as the interactive parser sees it."""

    def __init__(self, rules: AnyRuleset, parser: Lark, state: Any) -> None:
        self._parser, self._state = parser, state
        facts = {"fact": f"a fact such as `{min(rules.fact_names)}`"} if rules.fact_names else {}
        self._names = {**_TERMS, **facts, **rules.language.terms}
        self._openings = _openings(parser)
        self.accepted = frozenset(state.accepts())

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
        after = self._after(symbol)
        states = after.parser_state
        before = states.state_stack[-2]
        ways = states.parse_conf.parse_table.states[before]
        return [rule for rule in ways if symbol in self._openings.get(rule, ())]

    def _is_filler(self, symbol: str) -> bool:
        """Return whether the keyword makes no difference: all that may follow it may as well stand here without it."""
        return set(self._after(symbol).accepts()) <= self.accepted

    def _after(self, symbol: str) -> Any:
        state = self._state.copy(deepcopy_values=False)
        conf = state.parser_state.parse_conf
        state.parser_state.parse_conf = type(conf)(conf.parse_table, {}, conf.start)  # Nothing is built on trial.
        state.feed_token(Token(symbol, ""))
        return state


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
