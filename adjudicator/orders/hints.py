"""Why a line cannot be read, in words: what stands there, what could stand there, what was probably meant."""

from __future__ import annotations

from typing import Final

from adjudicator.core.problem import Problem
from adjudicator.orders.expected import END, Expected
from adjudicator.orders.fault import Fault
from adjudicator.orders.grammar import AnyRuleset
from adjudicator.orders.repair import repairs, respelled
from adjudicator.orders.stop import Stop, stop_of, verbs

_MOST_SHOWN: Final = 40
MOST_DIGITS: Final = 6
"""Digits a number may have: as the grammar says."""


def explain(rules: AnyRuleset, line: str) -> Fault:
    """Return why the cleaned ``line`` is not in the language of ``rules``.

    Codes: ``orders/unknown-order``, ``orders/unexpected``, ``orders/two-orders``, ``orders/incomplete``.
    """
    stop = stop_of(rules, line)
    if stop.is_at_end:
        message = f"the line ends too early: {_wanted(stop.expected)}"
        return Fault(Problem("orders/incomplete", message), len(line.rstrip()) + 1)
    if stop.expected.is_order and stop.word[0].isalnum():
        return _unknown_order(stop)
    second = stop.verb_ahead() if END in stop.expected.accepted else None
    if second is not None:
        message = f"“{second.word}” begins a second order: each order needs a line of its own"
        return second.unreadable("orders/two-orders", message)
    return stop.unreadable("orders/unexpected", _unexpected(stop), repairs(stop))


def _unknown_order(stop: Stop) -> Fault:
    named = ", ".join(example.split()[0] for example in verbs(stop.rules).values())
    message = f"{_quoted(stop.word)} is no order; orders are: {named}{_foreign(stop.word)}"
    return stop.unreadable("orders/unknown-order", message, respelled(stop))


def _unexpected(stop: Stop) -> str:
    if stop.word.isdecimal() and len(stop.word) > MOST_DIGITS:
        return f"{_quoted(stop.word)} is too large: a number may have {MOST_DIGITS} digits"
    message = f"{_quoted(stop.word)} does not fit here: {_wanted(stop.expected)}{_foreign(stop.word)}"
    if stop.word.casefold() == "or" and "THEN" in stop.expected.spellings:
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
