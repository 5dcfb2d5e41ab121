"""The orders of Checkered Flag."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, Final

from adjudicator.game import Order, Term, constant, number, order
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES


class Plan(StrEnum):
    """What a seat says about braking before it knows what it spins."""

    ASK = "ask"
    GO = "go"
    BRAKE = "brake before danger"


@order("GEAR 2", "GEAR 3 go", "GEAR 3 brake before danger")
class Shift(Order):
    """Shift to ``gear`` (0: neutral), or stay in it, and spin; ``plan`` answers beforehand whether to brake."""

    gear: int
    plan: Plan = Plan.ASK

    def text(self) -> str:
        # A gear that does not exist keeps its number, so that a refusal can name it.
        name = GEAR_LETTERS[self.gear] if self.gear < len(GEAR_LETTERS) else str(self.gear)
        return f"GEAR {name}" if self.plan is Plan.ASK else f"GEAR {name} {self.plan.value}"


@order("BRAKE 2", "BRAKE before danger")
class Brake(Order):
    """Give up ``spaces`` of the spin, forced braking included; ``None``: as many as stop before the first danger zone."""

    spaces: int | None = None

    def text(self) -> str:
        return "BRAKE before danger" if self.spaces is None else f"BRAKE {self.spaces}"


@order("GO")
class Go(Order):
    """Do not brake by choice."""


ORDERS: Final = (Shift, Brake, Go)

_GEAR_WORDS: Final = {"n": 0} | {name.split()[0]: gear for gear, name in enumerate(GEAR_NAMES)}


def _box(children: list[Any]) -> int:
    word = str(children[0]).lower().split()[0]  # "third gear"
    return _GEAR_WORDS[word] if word in _GEAR_WORDS else int(re.sub(r"\D", "", word))


TERMS: Final = {
    "box": Term("a gear: N, 1, 2 or 3", _box),
    "plan_go": constant(Plan.GO, "`go`"),
    "plan_brake": constant(Plan.BRAKE, "`brake before danger`"),
    "spaces": number("how many spaces, such as 2"),
    "brake_before": constant(Brake()),
}
"""The parts of the grammar."""
