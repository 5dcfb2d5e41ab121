"""The orders of Rally Round."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Order, Term, order
from adjudicator.games.rally_round.components import CardId

AT_CONTROL: Final = -1
"""The value for ``/`` in a line of speeds: there the car reaches a passage control."""


@order("PICK D3", "KIT D1 N1 E4 S2 A2 B5")
class Pick(Order):
    """Take the kit ``card``, and ``then`` others."""

    card: CardId
    then: tuple[CardId, ...] = ()

    @property
    def cards(self) -> tuple[CardId, ...]:
        """All its cards, in order."""
        return self.card, *self.then

    @classmethod
    def read(cls, children: list[Any]) -> Pick:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return " ".join(("KIT" if self.then else "PICK", *self.cards))


@order(
    "SPEED 40",
    "SPEED 40 via mill lane",
    "SPEED 30 via D10 via mill lane using H7",
    "SPEED 40 behind",
    "SPEED 10 20 30",
    "TC3: 10 20 30 30 30",
    "TC5: 10 30 / 20 30 20",
)
class Speed(Order):
    """Drive a turn at ``speed`` mph, ``then`` at others, one a turn; ``to`` is the number of the control they lead to.

    ``via`` are places to pass, ``using`` is a kept hazard card: both are for the first turn. A 0 among the others is a
    missed turn, ``AT_CONTROL`` a PC. ``lands`` says where the move ends if its square is taken: ``ahead`` or ``behind``
    (empty: ahead).
    """

    speed: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    then: tuple[int, ...] = ()
    to: int | None = None
    lands: str = ""

    @classmethod
    def read(cls, children: list[Any]) -> Speed:
        given: dict[str, list[Any]] = {}
        for name, value in filter(None, children):
            given.setdefault(name, []).append(value)
        to, using = given.get("section", [None])[0], given.get("using", [None])[0]
        first, *then = given["step"]
        return cls(first, tuple(given.get("via", ())), using, tuple(then), to, given.get("lands", [""])[0])

    def text(self) -> str:
        if self.to is None and not (self.then or self.via or self.using or self.lands):  # nearly every order at a table
            return f"SPEED {self.speed}"
        steps = ("/" if step == AT_CONTROL else str(step) for step in (self.speed, *self.then))
        ways = (f"via {name.upper() if re.search('[0-9]', name) else name}" for name in self.via)
        card = (f"using {self.using}",) if self.using else ()
        lands = (self.lands,) if self.lands else ()
        return " ".join(("SPEED" if self.to is None else f"TC{self.to}:", *steps, *ways, *card, *lands))


@order("TURN ROUND")
class TurnRound(Order):
    """Miss a turn and face the other way."""

    def text(self) -> str:
        return "TURN ROUND"


@order("START at A4")
class Start(Order):
    """Put the start on ``square``."""

    square: str

    def text(self) -> str:
        return f"START at {self.square}"


@order("FINISH at G16")
class Finish(Order):
    """Put the finish on ``square``."""

    square: str

    def text(self) -> str:
        return f"FINISH at {self.square}"


@order(
    "PLACE BLACKSPOT at D6",
    "PLACE PC at E3 from N",
    "PLACE TC4 at K2 from S regularity 24",
    "PLACE TC at T8 from S selective",
)
class Place(Order):
    """Place a marker.

    ``what`` is ``tc``, ``pc`` or ``blackspot``; cars enter a control from ``side``; its ``number`` is optional.
    A TC ends a road section unless ``section`` names another kind; a regularity has a ``speed`` in mph.
    """

    what: str
    square: str
    side: str | None = None
    section: str | None = None
    speed: int | None = None
    number: int | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Place:
        given = dict(filter(None, children))
        what, number = given["marker"]
        section, speed = given.get("kind", (None, None))
        return cls(what, given["at"], given.get("from"), section, speed, number)

    def text(self) -> str:
        what = f"{self.what.upper()}{self.number or ''}"
        side = (f"from {self.side}",) if self.side else ()
        section = (self.section,) if self.section else ()
        speed = (str(self.speed),) if self.speed is not None else ()
        return " ".join(("PLACE", what, "at", self.square, *side, *section, *speed))


@order("PASS")
class Pass(Order):
    """Place no marker."""


@order("CHOOSE red")
class Choose(Order):
    """Choose a lone player's own crew."""

    crew: str


@order("BLOCK never", "BLOCK ask")
class Block(Order):
    """Say whether to let others overtake, with a card against it: ``always`` or ``never`` block, or ``ask`` each time.

    A crew that chose ``ask`` answers each question: ``yes`` blocks, ``no`` lets the other crew pass.
    """

    when: str


ORDERS: Final = (Pick, Speed, TurnRound, Start, Finish, Place, Pass, Choose, Block)

_NUMBER: Final = re.compile(r"[0-9]+")


def _marker(written: str) -> tuple[str, int | None]:
    """Read a marker and its number."""
    letters, number = written.replace(" ", "").lower(), _NUMBER.search(written)
    what = "pc" if letters.startswith("pc") else "tc" if "c" in letters[:3] or letters.startswith("ssf") else "blackspot"
    return ("blackspot" if letters.startswith("black") else what), int(number[0]) if number else None


def _number(name: str) -> Term:
    """Return a part of the grammar that is a number with a ``name`` for its order."""
    return Term("", lambda children: (name, int(_NUMBER.findall(children[0])[-1])))


TERMS: Final = {
    "card": Term("a card such as D3", lambda children: CardId(children[0].upper()), "RR-C3"),
    "section": _number("section"),
    "miles": Term("a speed such as 30", lambda children: ("step", int(children[0])), "RR-M1"),
    "passage": Term("", lambda _children: ("step", AT_CONTROL)),
    "via": Term("", lambda children: ("via", " ".join(children[0].lower().replace("’", "'").split()[1:]))),
    "lands": Term("", lambda children: ("lands", children[0].lower())),
    "square": Term("a square such as K12", lambda children: children[0].upper(), "RR-C1"),
    "at": Term("", lambda children: ("at", children[0])),
    "side": Term("N, E, S or W", lambda children: ("from", children[0].split()[-1][:1].upper()), "RR-C4"),
    "marker": Term("TC, PC or BLACKSPOT", lambda children: ("marker", _marker(str(children[0]))), "RR-L1"),
    "kind": Term("", lambda children: ("kind", (children[0].split()[0].lower(), int(children[1]) if children[1] else None))),
    "crew": Term("a seat", lambda children: children[0].lower()),
    "blocking": Term("always, never, ask, yes or no", lambda children: children[0].lower(), "RR-O1"),
    "hazard_card": Term("a hazard card such as H7", lambda children: ("using", CardId(children[0].upper())), "RR-F8"),
}
"""The parts of the grammar."""
