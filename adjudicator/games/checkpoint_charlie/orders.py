"""The orders of Checkpoint Charlie."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Order, Term, change, order
from adjudicator.games.checkpoint_charlie.components import INVESTIGATORS, SuspectId

_STAMP: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\D+(\d{1,2}):(\d{2})(?::(\d{2}))?")


@order("CLUE no hat")
class Clue(Order):
    """Lay the clue counter with ``face`` up: the value of a ``Face``, or the unknown word in its place."""

    face: str

    def text(self) -> str:
        return f"CLUE {self.face.replace('no_', 'no ')}"


@order("ACCUSE Fleming")
class Accuse(Order):
    """Accuse ``suspect``; ``received`` is when the order came in, as ``2026-11-20T18:05`` with or without seconds."""

    suspect: SuspectId
    received: str | None = None

    def text(self) -> str:
        return f"ACCUSE {self.suspect}" + (f" received {self.received}" if self.received else "")


@order("WAIT 3")
class Wait(Order):
    """Do not accuse in this window and the next, ``times`` in all; with ``of_round`` only in that round."""

    times: int = 1
    of_round: int | None = None

    def text(self) -> str:
        times = "" if self.times == 1 else f" {self.times}"
        return f"WAIT{times}" + ("" if self.of_round is None else f" in round {self.of_round}")


@order("ANNOUNCE")
class Announce(Order):
    """Announce ten points or more."""


@order("SWAP white with Laces")
class Swap(Order):
    """Give the Café Adler marker of ``colour`` for a marker of ``who``: an investigator, or a seat."""

    colour: str
    who: str

    def text(self) -> str:
        return f"SWAP {self.colour} with {self.who}"


@order("PASS")
class Pass(Order):
    """Neither announce nor swap."""


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
    """Return a line's expression and recorded outcomes; a time at its end is that of every accusation in it."""
    expression, received, draws = children
    return (expression if received is None else _stamped(expression, received)), draws or ()


def completed(expression: Any) -> Any:
    """Return a line with a time after its last accusation moved to the end, where it holds for all accusations.

    Only so is it read of players: in the record each accusation has its own.
    """
    *others, last = Order.all_in(expression)
    is_stamped = isinstance(last, Accuse) and last.received is not None
    return _stamped(expression, last.received) if others and is_stamped else expression


def _stamped(expression: Any, received: str) -> Any:
    """Return ``expression`` with the time ``received`` for each accusation that has none."""

    def stamped(single: Any) -> Any:
        return change(single, received=received) if isinstance(single, Accuse) and single.received is None else single

    return Order.changed_in(expression, stamped)


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
