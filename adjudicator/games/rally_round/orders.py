"""All orders of Rally Round, and the parts of their grammar."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Given, Term
from adjudicator.games.rally_round.components import CardId, Timing
from adjudicator.games.rally_round.drive import AT_CONTROL
from adjudicator.games.rally_round.kits import Choose, Pick
from adjudicator.games.rally_round.laying import Finish, Pass, Place, Start
from adjudicator.games.rally_round.turns import Block, Speed, TurnRound

ORDERS: Final = (Pick, Speed, TurnRound, Start, Finish, Place, Pass, Choose, Block)
_NUMBER: Final = re.compile(r"[0-9]+")
_SECTIONS: Final = {"stc": Timing.SELECTIVE, "rtc": Timing.REGULARITY, "ssf": Timing.STAGE}
"""The section that the letters of a time control name; the letters TC name none (RR-C4)."""


def _marker(children: list[Any]) -> tuple[str, int | None, str | None]:
    """Read a marker, its number, and the section that its letters name."""
    letters, number = _NUMBER.sub("", children[0]).replace(" ", "").lower(), _NUMBER.search(children[0])
    what = letters if letters in ("pc", "blackspot") else "tc"
    return what, int(number[0]) if number else None, _SECTIONS.get(letters)


def _kind(children: list[Any]) -> tuple[str | None, int | None]:
    section, speed = children if len(children) > 1 else (None, *children)
    return section and section.split()[0].lower(), int(speed) if speed else None


TERMS: Final = {
    "card": Term("a card such as D3", lambda children: CardId(children[0].upper()), "RR-C3"),
    "section": Term("", lambda children: Given("to", int(_NUMBER.findall(children[0])[-1]))),
    "miles": Term("a speed such as 30", lambda children: int(children[0]), "RR-M1"),
    "passage": Term("", lambda _children: AT_CONTROL),
    "via": Term("", lambda children: Given("via", " ".join(children[0].lower().replace("’", "'").split()[1:]))),
    "lands": Term("", lambda children: Given("lands", children[0].lower())),
    "square": Term("a square such as K12", lambda children: children[0].upper(), "RR-C1"),
    "at": Term("", lambda children: children[0]),
    "side": Term("N, E, S or W", lambda children: children[0].split()[-1][:1].upper(), "RR-C4"),
    "marker": Term("TC, PC or BLACKSPOT", _marker, "RR-L1"),
    "kind": Term("", _kind),
    "crew": Term("a seat", lambda children: children[0].lower()),
    "blocking": Term("always or never", lambda children: children[0].lower(), "RR-O1"),
    "hazard_card": Term("a hazard card such as H7", lambda children: Given("using", CardId(children[0].upper())), "RR-F8"),
}
"""The parts of the grammar."""
