"""Name the words that fit at a place in a line, in the language of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value
from adjudicator.orders.line_parser import stepper
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.stepper import END, States, Terminal

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
"""Names for rules and terminals of the common grammar."""
_QUIET: Final = frozenset({"_OR", "_IF", "LSQB", "LPAR", "_NOT", "_FULL_STOP", END})
"""Symbols that fit nearly everywhere: to name them would not help a player."""
_ANY_NAME: Final = "qxqzq"
"""A word that only a terminal for all names accepts."""
_REMEMBERED: Final = 1_024
"""The most places in the cache."""
_CAPITAL: Final = frozenset({"_AND", "_OR", "_NOT", "_IF", "_THEN", "_ELSE"})


class Expected(Value):
    """The words that fit at a place.

    ``accepted`` are the grammar's symbols, for the program. ``words`` are for players, ``keywords`` could be inserted there,
    ``spellings`` are all ways to write the words that fit. ``is_order`` says that an order fits. ``rule`` is the rule of the
    game behind all parts of an order that fit; it is empty if they have several rules or none.
    """

    accepted: frozenset[str]
    words: tuple[str, ...]
    keywords: tuple[str, ...]
    spellings: tuple[str, ...]
    is_order: bool
    rule: str = ""


def expected_at(rules: AnyRules, states: States) -> Expected:
    """Return the words that fit after ``states`` in the language of ``rules``; cached, because wrong lines stop in few."""
    return _expecting(rules)(states)


@per_ruleset
def _expecting(rules: AnyRules) -> Callable[[States], Expected]:
    return lru_cache(_REMEMBERED)(partial(_expected, rules))


def _expected(rules: AnyRules, states: States) -> Expected:
    place = _Place(rules, states)
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
    spelled = tuple(word for symbol in symbols for word in spellings(rules)[symbol])
    stand_by = {rules.language.rules.get(part, "") for part in parts}
    rule = "" if is_order or len(stand_by) != 1 else stand_by.pop()
    return Expected(place.accepted, tuple(words), keywords, spelled, is_order, rule)


class _Place:
    """A place in a line as the parser sees it: the stack of its states."""

    def __init__(self, rules: AnyRules, states: States) -> None:
        self._stepper, self._states, self._spellings = stepper(rules), states, spellings(rules)
        facts = {"fact": f"a fact such as `{min(rules.facts)}`"} if rules.facts else {}
        self._names = {**_TERMS, **facts, **rules.language.terms}
        self.accepted = self._accepted(states)

    def parts(self, symbol: str) -> list[str]:
        """Return the rules with a name that may begin here with ``symbol``, or else the terminal itself."""
        if symbol in _QUIET:
            return []
        begun = [rule for rule in self._begun(symbol) if rule in self._names]
        # The order itself says more than its parts; a rule says more than the terminal it begins with.
        rules = ["order"] if "order" in begun else begun or [symbol]
        return [rule for rule in rules if rule in self._names]

    def called(self, part: str) -> str:
        """Return the name of a ``part`` in messages."""
        return self._names[part]

    def keyword(self, symbol: str) -> str:
        """Return the spelling of the keyword ``symbol``; empty if it has a better name or messages need not name it."""
        if symbol in _QUIET or self.parts(symbol):
            return ""
        return "" if self._is_filler(symbol) else next(iter(self._spellings[symbol]), "")

    def _begun(self, symbol: str) -> list[str]:
        """Return the rules that may begin here with the terminal ``symbol``: those that the state can continue."""
        before, openings = self._stepper.after(self._states, symbol)[-2], self._stepper.tables.openings
        return [rule for rule in self._stepper.tables.gotos[before] if symbol in openings.get(rule, ())]

    def _is_filler(self, symbol: str) -> bool:
        """Return whether the keyword makes no difference: all words that may follow it also fit here without it."""
        return self._accepted(self._stepper.after(self._states, symbol)) <= self.accepted

    def _accepted(self, states: States) -> frozenset[str]:
        """Return the terminals that fit after ``states``."""
        kinds = self._stepper.tables.actions[states[-1]]
        return frozenset(kind for kind in kinds if kind.isupper() and self._stepper.after(states, kind))


@per_ruleset
def spellings(rules: AnyRules) -> Mapping[str, tuple[str, ...]]:
    """Return for each terminal the spellings of a keyword, the usual one first; none for names and numbers. Cached."""
    found = {kind: _spellings(kind, terminal) for kind, terminal in stepper(rules).terminals.items()}
    return {**found, END: ()}


def _spellings(kind: str, terminal: Terminal) -> tuple[str, ...]:
    if kind in _TERMS or kind == "NAME":
        return ()
    if terminal.is_text:
        return (terminal.pattern,)
    readable = re.compile(terminal.regexp)
    if readable.fullmatch(_ANY_NAME):
        return ()
    words = dict.fromkeys(word for word in _literals(terminal.pattern) if readable.fullmatch(word))
    return tuple(word.upper() if kind in _CAPITAL else word for word in words)


_AHEAD_OR_BEHIND: Final = re.compile(r"\(\?[!=<][^)]*\)")
_GROUP: Final = re.compile(r"\(\?:([^()|]*)(?:\|[^()]*)?\)(\??)")


def _literals(pattern: str) -> list[str]:
    """Return possible matches of a regular expression: the words and signs in it."""
    bare = _AHEAD_OR_BEHIND.sub("", pattern)
    plain = bare.replace(" +", " ").replace(" ?", " ").replace("(?:", "(")
    found = re.findall(r"[^\W\d_]+(?: [^\W\d_]+)*", plain) + re.findall(r"[^\w\s()\[\]|\\]+", plain)
    return [*found, _shortest(bare), _longest(bare)]


def _longest(pattern: str) -> str:
    """Return a long match of a regular expression: the first of several words, with optional ones."""
    before = ""
    while before != pattern:
        before, pattern = pattern, _GROUP.sub(r"\1", pattern)
    return re.sub(r"\[[^]]*\]\*", "", pattern).replace(" +", " ").replace(" *", "")


def _shortest(pattern: str) -> str:
    """Return the shortest match of a regular expression: the first of several words, without optional ones."""
    before = ""
    while before != pattern:
        before, pattern = pattern, _GROUP.sub(lambda group: "" if group[2] else group[1], pattern)
    return pattern.replace(" +", " ").replace(" *", "")
