"""The orders of Rally Round."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Order, Term, order
from adjudicator.games.rally_round.components import CardId

AT_CONTROL: Final = -1
"""What stands in a line of speeds for ``/``: there a passage control is due."""


@order("PICK D3", "KIT D1 N1 E4 S2 A2 B5")
class Pick(Order):
    """Take the kit ``card``, and ``then`` others."""

    card: CardId
    then: tuple[CardId, ...] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Pick:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return " ".join(("KIT" if self.then else "PICK", self.card, *self.then))


@order(
    "SPEED 40",
    "SPEED 40 via mill lane",
    "SPEED 30 via D10 via mill lane using H7",
    "SPEED 10 20 30",
    "TC3: 10 20 30 30 30",
    "TC5: 10 30 / 20 30 20",
)
class Speed(Order):
    """Drive a turn at ``speed`` mph, ``then`` at others, one a turn; ``to`` is the number of the control they lead to.

    ``via`` are places to be passed, ``using`` is a kept hazard card: both are for the first turn. A 0 among the others is a
    turn that is missed, ``AT_CONTROL`` stands for a PC.
    """

    speed: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    then: tuple[int, ...] = ()
    to: int | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Speed:
        given: dict[str, list[Any]] = {}
        for name, value in filter(None, children):
            given.setdefault(name, []).append(value)
        to, using = given.get("section", [None])[0], given.get("using", [None])[0]
        first, *then = given["step"]
        return cls(first, tuple(given.get("via", ())), using, tuple(then), to)

    def text(self) -> str:
        steps = ("/" if step == AT_CONTROL else str(step) for step in (self.speed, *self.then))
        ways = (f"via {name.upper() if re.search('[0-9]', name) else name}" for name in self.via)
        card = (f"using {self.using}",) if self.using else ()
        return " ".join(("SPEED" if self.to is None else f"TC{self.to}:", *steps, *ways, *card))


@order("TURN ROUND")
class TurnRound(Order):
    """Miss a turn and face the other way."""

    def text(self) -> str:
        return "TURN ROUND"


ORDERS: Final = (Pick, Speed, TurnRound)

_NUMBER: Final = re.compile(r"[0-9]+")


def _number(name: str) -> Term:
    """Return a part that is a number, known as ``name`` to the order it is a part of."""
    return Term("", lambda children: (name, int(_NUMBER.findall(children[0])[-1])))


TERMS: Final = {
    "card": Term("a card such as D3", lambda children: CardId(children[0].upper())),
    "section": _number("section"),
    "miles": Term("a speed such as 30", lambda children: ("step", int(children[0]))),
    "passage": Term("", lambda _children: ("step", AT_CONTROL)),
    "via": Term("", lambda children: ("via", " ".join(children[0].lower().replace("’", "'").split()[1:]))),
    "hazard_card": Term("a hazard card such as H7", lambda children: ("using", CardId(children[0].upper()))),
}
"""The parts of the grammar."""
