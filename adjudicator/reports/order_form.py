"""Write the form for orders: a text that the player fills in and sends back, and that the program reads unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.values import Seat
from adjudicator.reports.fold import folded
from adjudicator.reports.heading import question
from adjudicator.reports.legal import choices_named, kind_of
from adjudicator.reports.sanitize import printable
from adjudicator.results import Decision, LegalRow

_WIDTH: Final = 56
"""Columns of a line: a mail program that answers puts something before each, and breaks those that get too long."""
_HELP: Final = ("Write your orders below, one on a line,", "or remove the # before one of these:")


def order_form(
    game: str,
    turn: int | None,
    seat: Seat,
    asked: Iterable[Decision],
    legal: Sequence[LegalRow],
    choices: Iterable[tuple[str, str]] = (),
) -> str:
    """Return the form for ``seat``, which is ``asked`` for something: the question, and one order of each kind.

    The first line names game, ``turn`` (``None``: the orders may wait) and seat; by it and the last one, the program finds
    the form in any mail. The orders are among those that are ``legal``, behind ``#``, so that nothing is ordered until the
    player takes a ``#`` away or writes something. Below them the form explains those of the ``choices`` that they name.
    """
    short = [row.order for row in legal if len(row.order) <= _WIDTH]
    first = {kind_of(order): order for order in reversed(short)}
    orders = [order for order in short if first[kind_of(order)] == order]
    examples = [f"  # {order}" for order in map(printable, orders)]
    questions = _comments([*map(question, asked), *(_HELP if orders else ())])
    named = _comments(f"{name}: {what}" for name, what in choices_named(choices, orders))
    head = f"orders of {game}, {'' if turn is None else f'turn {turn}, '}as {seat}"
    return "\n".join([head, *questions, *examples, *named, "END of orders", ""])


def form_notes(asked: Iterable[Decision], choices: Iterable[tuple[str, str]]) -> list[str]:
    """Return what a form may say besides orders."""
    return [*map(question, asked), *_HELP, *(f"{name}: {what}" for name, what in choices)]


def _comments(lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines`` after ``#``, each short enough that no mail program breaks it."""
    for line in lines:
        yield from (f"  # {piece}" for piece in folded(printable(line), _WIDTH - 4, 2))
