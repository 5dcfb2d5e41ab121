"""Read orders: the classes of all of them, and the parts of their grammar."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Order, Term, replace
from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, SuspectId
from adjudicator.games.checkpoint_charlie.markers import Announce, Pass, Swap
from adjudicator.games.checkpoint_charlie.rounds import Accuse, Clue, Wait

_STAMP: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\D+(\d{1,2}):(\d{2})(?::(\d{2}))?")
ORDERS: Final = (Clue, Accuse, Wait, Announce, Swap, Pass)


def _face(children: list[Any]) -> str:
    no, name = children
    words = str(name).lower().replace("gray", "grey").replace("coloured", "")
    return f"no_{words}" if no else words


def _who(children: list[Any]) -> str:
    name = str(children[0])
    return name.capitalize() if name.capitalize() in INVESTIGATORS else name.lower()


def _received(children: list[Any]) -> str:
    """Return the time as ``YYYY-MM-DDTHH:MM`` with seconds where there are any: such strings sort by time."""
    found = _STAMP.search(children[0])
    assert found is not None
    year, month, day, hour, minute, second = found.groups()
    written = f"{year}-{month:0>2}-{day:0>2}T{hour:0>2}:{minute}"
    return written if second is None else f"{written}:{second}"


def _instruction(children: list[Any]) -> tuple[Any, tuple[str, ...]]:
    """Return a line's expression and recorded outcomes; a time at its end is that of all its accusations without one.

    In the record, each accusation has its own.
    """
    expression, received, draws = children
    *_, last = Order.all_in(expression)
    received = received or (last.received if isinstance(last, Accuse) else None)
    stamped = Order.changed_in(
        expression, lambda one: replace(one, received=one.received or received) if isinstance(one, Accuse) else one
    )
    return (stamped if received else expression), draws or ()


TERMS: Final = {
    "instruction": Term("", _instruction),
    "face": Term("a face of the clue counter such as `no hat`", _face, "CC-S2"),
    "suspect": Term("a suspect such as Boris", lambda children: SuspectId(children[0].capitalize()), "CC-C1"),
    "colour": Term("gold, white or black", lambda children: children[0].lower(), "CC-C3"),
    "investigator": Term("an investigator such as Laces", _who, "CC-C2"),
    "times": Term.number("a number of windows", rule="CC-P1"),
    "received": Term("a time such as `received 2026-11-20 18:05`", _received),
    "of_round": Term.number(""),
}
"""The parts of the grammar."""
