"""Why a line cannot be read, in words: what stands there, what could stand there, what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.expected import Expected
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parse_failure import ParseFailure, parse_failure
from adjudicator.orders.parser import LineProblem
from adjudicator.orders.repair import repairs, respelled

_MOST_SHOWN: Final = 40
MOST_DIGITS: Final = 6
"""Digits a number may have: as the grammar says."""
_REMEMBERED: Final = 2_048
"""Lines of which is remembered what is wrong with them."""


def explain(rules: AnyRuleset, line: str) -> LineProblem:
    """Return why the cleaned ``line`` is not in the language of ``rules``.

    Codes: ``orders/unknown-order``, ``orders/unexpected``, ``orders/two-orders``, ``orders/incomplete``.
    """
    return _explaining(rules)(line)


@once_for_each
def _explaining(rules: AnyRuleset) -> Callable[[str], LineProblem]:
    """Return what explains lines: the same one in a hundred mails is explained once."""
    return lru_cache(_REMEMBERED)(partial(_explained, rules))


def _explained(rules: AnyRuleset, line: str) -> LineProblem:
    failure = parse_failure(rules, line)
    if failure.is_at_end:
        message = f"the line ends too early: {_wanted(failure.expected)}"
        return LineProblem(Problem("orders/incomplete", message, failure.expected.rule), len(line.rstrip()) + 1)
    if failure.is_unknown_order:
        return _unknown_order(failure)
    second = failure.second_order()
    if second is not None:
        message = f"“{second.word}” begins a second order: each order needs a line of its own"
        return second.unreadable("orders/two-orders", message)
    return failure.unreadable("orders/unexpected", _unexpected(failure), repairs(failure), failure.expected.rule)


def _unknown_order(failure: ParseFailure) -> LineProblem:
    message = f"{_quoted(failure.word)} is no order; orders are: {_orders(failure.rules)}{_foreign(failure.word)}"
    return failure.unreadable("orders/unknown-order", message, respelled(failure))


@once_for_each
def _orders(rules: AnyRuleset) -> str:
    return ", ".join(dict.fromkeys(example.split()[0] for example in rules.language.examples))


def _unexpected(failure: ParseFailure) -> str:
    if failure.word.isdecimal() and len(failure.word) > MOST_DIGITS:
        return f"{_quoted(failure.word)} is too large: a number may have {MOST_DIGITS} digits"
    message = f"{_quoted(failure.word)} does not fit here: {_wanted(failure.expected)}{_foreign(failure.word)}"
    if failure.word.casefold() == "or" and "THEN" in failure.expected.spellings:
        message += "; an OR between conditions needs brackets around them"
    return message


def _wanted(expected: Expected) -> str:
    if not expected.words:
        return "nothing more is expected"
    *others, last = expected.words
    return f"expected {', '.join(others)} or {last}" if others else f"expected {last}"


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + '…'}”"


def _foreign(word: str) -> str:
    """Return a remark about a letter that only looks like one of the alphabet, as “С” from a Cyrillic keyboard does."""
    letter = next((letter for letter in word if letter.isalpha() and not letter.isascii()), "")
    return f" (“{letter}” is not one of the letters A to Z)" if letter else ""
