"""Build values from the rules of the common grammar, with one small function for each rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, Either, FactOf, Not, Number, Word
from adjudicator.core.order import FirstOf, When
from adjudicator.core.values import Value


class GameHeader(Value):
    """``game NAME``, perhaps with ``turn N``: the following sheets are for that game and that adjudication."""

    game: str
    turn: int | None = None


class TurnHeader(Value):
    """``turn N``: the following sheets are for that adjudication."""

    turn: int


class OrderLine(Value):
    """An order line, or the head of a sheet: ``seat`` as written or ``None``, ``expression`` or ``None`` (a bare head)."""

    seat: str | None
    expression: Any
    draws: tuple[str, ...]


class WithdrawalLine(Value):
    """``WITHDRAW``, perhaps after a ``seat``: it takes back the pending orders from the ``first`` on, counted from 1."""

    seat: str | None
    first: int = 1


ParsedLine = GameHeader | TurnHeader | OrderLine | WithdrawalLine


def _withdrawal(children: list[Any]) -> WithdrawalLine:
    seat, first = children
    return WithdrawalLine(seat, 1 if first is None else int(first))


def _first(children: list[Any]) -> Any:
    return children[0]


def _fact(children: list[Any]) -> FactOf:
    name, link, argument = children
    return FactOf(name.lower(), argument or "", link.lower() if link else "")


_RELATIONS: Final[Mapping[str, Comparison]] = {
    **{how.value: how for how in Comparison},
    **dict.fromkeys(("is", "=="), Comparison.EQUAL),
    **dict.fromkeys(("is not", "≠", "<>"), Comparison.UNEQUAL),
    **dict.fromkeys(("less than", "fewer than"), Comparison.LESS),
    **dict.fromkeys(("at most", "≤", "=<"), Comparison.AT_MOST),
    **dict.fromkeys(("more than",), Comparison.MORE),
    **dict.fromkeys(("at least", "≥", "=>"), Comparison.AT_LEAST),
    **dict.fromkeys(("contains", "includes"), Comparison.HAS),
}


def _relation(children: list[Any]) -> Comparison:
    words = children[0].lower().split()
    return _RELATIONS[" ".join(words[1:] if len(words) == 3 else words)]  # “is at least” means “at least”


def _several(kind: Callable[[tuple[Any, ...]], Any]) -> Callable[[list[Any]], Any]:
    return lambda children: children[0] if len(children) == 1 else kind(tuple(children))


COMMON_BUILDERS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "game_header": lambda children: GameHeader(str(children[0]), None if children[1] is None else int(children[1])),
    "turn_header": lambda children: TurnHeader(int(children[0])),
    "sheet_line": lambda children: OrderLine(children[0], *(children[1] or (None, ()))),
    "order_line": lambda children: OrderLine(None, *children[0]),
    "withdrawal": _withdrawal,
    "common__withdrawal": _withdrawal,  # its name in a grammar that imports the other rules by name
    "seat_name": lambda children: children[0].lower(),
    "instruction": lambda children: (children[0], children[1] or ()),
    "choice": _several(FirstOf),
    "when": lambda children: When(children[0], children[1], children[2]),
    "when_after": lambda children: When(children[1], children[0], children[2]),
    "bracketed": _first,
    "order": _first,
    "draws": tuple,
    "draw": lambda children: str(children[0]),
    "condition": _several(Both),
    "either": _several(Either),
    "not_condition": lambda children: Not(children[0]),
    "compare": lambda children: Compare(children[0], children[1], children[2]),
    "is_in": lambda children: Compare(children[0], Comparison.IN, children[1]),
    "is_not_in": lambda children: Not(Compare(children[0], Comparison.IN, children[1])),
    "fact": _fact,
    "cost_of": lambda children: CostOf(children[1]),
    "number": lambda children: Number(int(children[0])),
    "word": lambda children: Word(str(children[0])),
    "name": lambda children: Word(str(children[0])),
    "argument": lambda children: str(children[0]),
    "relation": _relation,
}
"""Builders for the rules of ``common.lark``."""
