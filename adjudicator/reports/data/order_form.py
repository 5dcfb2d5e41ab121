"""Write the form for orders: a text that the player fills in and sends back, and that the program reads unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Decision
from adjudicator.outputs.orders import LegalRow
from adjudicator.reports.data.heading import question
from adjudicator.reports.data.legal import choices_named, kind_of
from adjudicator.reports.text.fold import folded
from adjudicator.reports.text.sanitize import printable

_WIDTH: Final = 72
"""Columns of a line: a mail program that answers puts something before each."""


def order_form(
    game: str,
    turn: int | None,
    seat: Seat,
    asked: Iterable[Decision],
    legal: Sequence[LegalRow],
    choices: Iterable[tuple[str, str]] = (),
) -> str:
    """Return the form for ``seat``, which is ``asked`` for something: heads, the question, and one order of each kind.

    The orders are among those that are ``legal``, behind ``#``, so that nothing is ordered until the player takes a ``#``
    away or writes something. Below them the form explains those of the ``choices`` that they name. ``turn`` is the number
    above the orders (``None``: the player writes no number).
    """
    head = [f"game {game}", *([] if turn is None else [f"turn {turn}"]), f"{seat}:"]
    first = {kind_of(row.order): row.order for row in reversed(legal)}
    orders = [row.order for row in legal if first[kind_of(row.order)] == row.order]
    help_ = ["Write your orders below, one on a line, or take the # away before one of these:"] if orders else []
    examples = [f"  # {order}" for order in map(printable, orders)]
    named = [f"{name}: {what}" for name, what in choices_named(choices, orders)]
    return "\n".join([*head, *_comments(map(question, asked)), *_comments(help_), *examples, *_comments(named), ""])


def _comments(lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines`` after ``#``, each short enough that no mail program breaks it."""
    for line in lines:
        for piece in folded(printable(line), _WIDTH - 4):
            yield f"  # {piece.strip()}"
