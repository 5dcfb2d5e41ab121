"""Explain why a line cannot be read: the wrong word, the words that fit there, the probable meaning."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.orders.expected import Expected
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parse_failure import ParseFailure, parse_failure
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.repair import repairs, respell

_MOST_SHOWN: Final = 40
MOST_DIGITS: Final = 6
"""The most digits of a number, as in the grammar."""
_REMEMBERED: Final = 2_048
"""The most explained lines in the cache."""


def explain(rules: AnyRules, line: str) -> LineProblem:
    """Return why the cleaned ``line`` is not in the language of ``rules``.

    Codes: ``orders/unknown-order``, ``orders/unexpected``, ``orders/two-orders``, ``orders/incomplete``.
    """
    return _explaining(rules)(line)


@per_ruleset
def _explaining(rules: AnyRules) -> Callable[[str], LineProblem]:
    """Return a function that explains lines, with a cache: the same line may be in a hundred mails."""
    return lru_cache(_REMEMBERED)(partial(_explained, rules))


def _explained(rules: AnyRules, line: str) -> LineProblem:
    failure = parse_failure(rules, line)
    if failure.is_at_end:
        message = f"the line ends too early: {_wanted(failure.expected)}"
        return LineProblem(Problem("orders/incomplete", message, failure.expected.rule), len(line.rstrip()) + 1)
    if failure.is_unknown_order:
        return _unknown_order(failure)
    second = failure.second_order()
    if second is not None:
        message = f"“{second.word}” begins a second order: write each order on its own line"
        return second.unreadable("orders/two-orders", message)
    return failure.unreadable("orders/unexpected", _unexpected(failure), repairs(failure), failure.expected.rule)


def _unknown_order(failure: ParseFailure) -> LineProblem:
    message = f"{_quoted(failure.word)} is not an order; orders are: {_orders(failure.rules)}{_foreign(failure.word)}"
    return failure.unreadable("orders/unknown-order", message, respell(failure))


@per_ruleset
def _orders(rules: AnyRules) -> str:
    return ", ".join(dict.fromkeys(example.split()[0] for example in rules.language.examples))


def _unexpected(failure: ParseFailure) -> str:
    if failure.word.isdecimal() and len(failure.word) > MOST_DIGITS:
        return f"{_quoted(failure.word)} is too large: a number has at most {MOST_DIGITS} digits"
    message = f"{_quoted(failure.word)} does not fit here: {_wanted(failure.expected)}{_foreign(failure.word)}"
    if failure.word.casefold() == "or" and "THEN" in failure.expected.spellings:
        message += "; put brackets around conditions with OR between them"
    return message


def _wanted(expected: Expected) -> str:
    if not expected.words:
        return "nothing more is expected"
    *others, last = expected.words
    return f"expected {', '.join(others)} or {last}" if others else f"expected {last}"


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + '…'}”"


def _foreign(word: str) -> str:
    """Return a remark about a letter that only looks like one of A to Z, such as “С” from a Cyrillic keyboard."""
    letter = next((letter for letter in word if letter.isalpha() and not letter.isascii()), "")
    return f" (“{letter}” is not one of the letters A to Z)" if letter else ""
