"""The orders of Checkered Flag: what they are, how they are built from words, and their canonical words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from adjudicator.core.ruleset import Language
from adjudicator.games.checkered_flag.components import GEAR_LETTERS


class Plan(StrEnum):
    """What a seat says about braking before it knows what it spins."""

    ASK = "ask"
    GO = "go"
    BRAKE = "brake before danger"


@dataclass(frozen=True, slots=True)
class Shift:
    """Shift to ``gear`` (0: neutral), or stay in it, and spin; ``plan`` answers beforehand whether to brake."""

    gear: int
    plan: Plan = Plan.ASK


@dataclass(frozen=True, slots=True)
class Brake:
    """Give up ``spaces`` of the spin, forced braking included; ``None``: as many as stop before the first danger zone."""

    spaces: int | None = None


@dataclass(frozen=True, slots=True)
class Go:
    """Do not brake by choice."""


Order = Shift | Brake | Go

_GEAR_WORDS: Final = {"n": 0, "neutral": 0, "first": 1, "second": 2, "third": 3}


def _box(children: list[Any]) -> int:
    word = str(children[0]).lower().split()[0]  # "third gear"
    return _GEAR_WORDS[word] if word in _GEAR_WORDS else int(re.sub(r"\D", "", word))


BUILDERS: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "box": _box,
    "spaces": lambda children: int(children[0]),
    "plan_go": lambda _children: Plan.GO,
    "plan_brake": lambda _children: Plan.BRAKE,
    "shift": lambda children: Shift(children[0], children[1] or Plan.ASK),
    "brake": lambda children: Brake(children[0]),
    "brake_before": lambda _children: Brake(),
    "go": lambda _children: Go(),
}


def _shift_text(order: Shift) -> str:
    # A gear that is none keeps its number, so that a refusal can name it.
    name = GEAR_LETTERS[order.gear] if order.gear < len(GEAR_LETTERS) else str(order.gear)
    return f"GEAR {name}" if order.plan is Plan.ASK else f"GEAR {name} {order.plan.value}"


TEXTS: Final[Mapping[type, Callable[[Any], str]]] = {
    Shift: _shift_text,
    Brake: lambda order: "BRAKE before danger" if order.spaces is None else f"BRAKE {order.spaces}",
    Go: lambda _order: "GO",
}

LANGUAGE: Final = Language(
    grammar="checkered_flag.lark",
    builders=BUILDERS,
    texts=TEXTS,
    terms={
        "box": "a gear: N, 1, 2 or 3",
        "plan_go": "`go`",
        "plan_brake": "`brake before danger`",
        "spaces": "how many spaces, such as 2",
    },
    examples=("GEAR 2", "GEAR 3 go", "GEAR 3 brake before danger", "BRAKE 2", "BRAKE before danger", "GO"),
)
