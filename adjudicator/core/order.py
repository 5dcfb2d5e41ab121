"""The contents of a sheet: single orders of a game, with alternatives and conditions around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from adjudicator.core.conditions import Condition, condition_text
from adjudicator.core.problem import Place, written_at
from adjudicator.core.values import Seat, Value

_DRAWS: Final = " ["
"""The text between an order and its recorded outcomes; no order contains a bracket."""


class FirstOf(Value):
    """Alternatives (``… OR …``): the first of ``options`` that is legal is carried out."""

    options: tuple[Expression, ...]


class When(Value):
    """A conditional order: ``then`` if ``condition`` holds, else ``otherwise`` (``None``: nothing)."""

    condition: Condition
    then: Expression
    otherwise: Expression | None = None


Expression = Any
"""A game's order, a ``FirstOf`` or a ``When``."""


class Instruction(Value):
    """One order of a sheet: its expression, the outcomes ``draws`` recorded beside it, and its place in the text.

    ``line`` counts from 1 in the turn file ``source``; ``text`` is that line as written, ``place`` the order's part of it.
    """

    expression: Expression
    draws: tuple[str, ...] = ()
    line: int = 0
    text: str = ""
    source: str = ""
    place: Place | None = None

    @property
    def written(self) -> str:
        """The order as written, without the rest of its line but in the same columns."""
        return written_at(self.text, self.place)


Cause = Literal["replaced", "withdrawn", "refused", "over", "undone"]
"""Why orders are no longer pending: a new sheet, a withdrawal, a refused order before them, the end, an undo."""


class Withdrawal(Value):
    """``WITHDRAW``: take back the seat's pending orders from number ``first`` on (from 1); the rest as in `Instruction`."""

    first: int = 1
    line: int = 0
    text: str = ""
    source: str = ""
    place: Place | None = None


class SheetWord(Value):
    """``WORD umbrella``: a word for chance in its standard form (empty: not valid), with its place in the text."""

    word: str
    line: int = 0
    text: str = ""
    source: str = ""


class Sheet(Value):
    """One seat's orders in sequence; ``turn`` is the adjudication in which they came, ``None`` for the present one.

    ``check_only`` holds the orders after an unreadable line: they are checked for mistakes, but never applied. ``is_begun``
    says that the first order is the rest of one that was begun in an earlier adjudication. A ``withdrawal`` comes before all
    orders: it has taken effect when they are adjudicated.
    """

    seat: Seat
    instructions: tuple[Instruction, ...]
    turn: int | None = None
    check_only: tuple[Instruction, ...] = ()
    is_begun: bool = False
    withdrawal: Withdrawal | None = None


def leaves(expression: Expression) -> Iterator[Any]:
    """Yield the single orders of ``expression`` that may be carried out."""
    match expression:
        case FirstOf(options=options):
            for option in options:
                yield from leaves(option)
        case When(then=then, otherwise=otherwise):
            yield from leaves(then)
            if otherwise is not None:
                yield from leaves(otherwise)
        case _:
            yield expression


def with_orders(expression: Expression, change: Callable[[Any], Any]) -> Expression:
    """Return ``expression`` with each single order that may be carried out replaced by the result of ``change``."""
    match expression:
        case FirstOf(options=options):
            return FirstOf(tuple(with_orders(option, change) for option in options))
        case When(condition=condition, then=then, otherwise=otherwise):
            return When(condition, with_orders(then, change), None if otherwise is None else with_orders(otherwise, change))
        case _:
            return change(expression)


def conditions(expression: Expression) -> Iterator[Condition]:
    """Yield the conditions of ``expression``."""
    match expression:
        case FirstOf(options=options):
            for option in options:
                yield from conditions(option)
        case When(condition=condition, then=then, otherwise=otherwise):
            yield condition
            yield from conditions(then)
            if otherwise is not None:
                yield from conditions(otherwise)


def expression_text(expression: Expression, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``expression``; ``order_text`` gives that of a single order."""
    if isinstance(expression, FirstOf):
        return " OR ".join(_nested_text(option, order_text) for option in expression.options)
    if isinstance(expression, When):
        words = f"IF {condition_text(expression.condition, order_text)} THEN {_nested_text(expression.then, order_text)}"
        if expression.otherwise is None:
            return words
        return f"{words} ELSE {_nested_text(expression.otherwise, order_text)}"
    return order_text(expression)


def instruction_text(instruction: Instruction, order_text: Callable[[Any], str]) -> str:
    """Return the canonical text of ``instruction``, including recorded outcomes."""
    words = expression_text(instruction.expression, order_text)
    return f"{words}{_DRAWS}{' '.join(instruction.draws)}]" if instruction.draws else words


def without_draws(text: str) -> str:
    """Return the result of ``instruction_text`` without its recorded outcomes."""
    return text.partition(_DRAWS)[0]


def _nested_text(expression: Expression, order_text: Callable[[Any], str]) -> str:
    words = expression_text(expression, order_text)
    return f"({words})" if isinstance(expression, (FirstOf, When)) else words
