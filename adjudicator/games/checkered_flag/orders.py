"""The orders of Checkered Flag."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Order, Term, order
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES


@order("BRAKE 2", "BRAKE to 36", "BRAKE before danger")
class Brake(Order):
    """Give up ``spaces`` of the spin, forced braking included, or stop on ``to``: right before danger without either."""

    spaces: int | None = None
    to: int | None = None

    def text(self) -> str:
        how = self.spaces if self.to is None else f"to {self.to}"
        return "BRAKE before danger" if how is None else f"BRAKE {how}"


@order("GO")
class Go(Order):
    """Do not brake by choice."""


@order("GEAR 2", "GEAR 3 go", "GEAR 3 brake before danger", "GEAR 1 brake 2", "GEAR 2 brake to 36")
class Shift(Order):
    """Shift to ``gear`` (0: neutral), or stay in it, and spin; ``answer`` says beforehand whether and how to brake."""

    gear: int
    answer: Go | Brake | None = None

    def text(self) -> str:
        # A gear that does not exist keeps its number, so that a refusal can name it.
        name = GEAR_LETTERS[self.gear] if self.gear < len(GEAR_LETTERS) else str(self.gear)
        return f"GEAR {name} {self.answer.text().lower()}" if self.answer else f"GEAR {name}"


ORDERS: Final = (Shift, Brake, Go)

TERMS: Final = {
    "box": Term.number(
        "a gear: N, 1, 2 or 3", {"n": 0} | {name.split()[0]: at for at, name in enumerate(GEAR_NAMES)}, "CF-C3"
    ),
    "spaces": Term.number("how many spaces, such as 2", rule="CF-B2"),
    "place": Term.number("a position, such as 36", rule="CF-B2"),
    "brake_to": Term("", lambda children: Brake(to=children[0])),
    "brake_before": Term.constant(Brake()),
}
"""The parts of the grammar."""
