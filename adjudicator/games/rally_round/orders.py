"""All orders of Rally Round, and the parts of their grammar."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.game import Term
from adjudicator.games.rally_round.components import CardId
from adjudicator.games.rally_round.driving import AT_CONTROL
from adjudicator.games.rally_round.kits import Choose, Pick
from adjudicator.games.rally_round.laying import Finish, Pass, Place, Start
from adjudicator.games.rally_round.turns import Block, Speed, TurnRound

ORDERS: Final = (Pick, Speed, TurnRound, Start, Finish, Place, Pass, Choose, Block)

_NUMBER: Final = re.compile(r"[0-9]+")


def _marker(written: str) -> tuple[str, int | None]:
    """Read a marker and its number."""
    letters, number = written.replace(" ", "").lower(), _NUMBER.search(written)
    what = "pc" if letters.startswith("pc") else "tc" if "c" in letters[:3] or letters.startswith("ssf") else "blackspot"
    return ("blackspot" if letters.startswith("black") else what), int(number[0]) if number else None


TERMS: Final = {
    "card": Term("a card such as D3", lambda children: CardId(children[0].upper()), "RR-C3"),
    "section": Term("", lambda children: ("section", int(_NUMBER.findall(children[0])[-1]))),
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
