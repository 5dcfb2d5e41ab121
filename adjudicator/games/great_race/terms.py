"""Define the parts of the grammar: their names in messages, and how to read them."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Term, constant, number
from adjudicator.games.great_race.order_parts import Aid, losing_of

HELPS: Final = ("jerrycan", "escort", "ranger", "caravan")
"""The helps in the order of canonical orders."""
_SHORT: Final = re.compile(r"[A-Za-z]{1,3}[0-9]{1,3}")
_ALIASES: Final = {"pilot": "driver", "guide": "caravan", "geographer": "cartographer", "refueling": "refuelling"}
_JOINED: Final = {"trailhunter": "trail-hunter", "sparepart": "spare-parts", "spareparts": "spare-parts"}


def _card(children: list[Any]) -> str:
    word = str(children[0]).lower()
    joined = re.sub("[ -]", "", word)
    return _JOINED.get(joined, _ALIASES.get(joined, joined if joined in ("jerrycan", "toolbox") else word))


def _space(children: list[Any]) -> str:
    """Return the id of a space: ``k4`` is K4; the names of cities match in any case later."""
    name = str(children[0])
    return name.upper() if _SHORT.fullmatch(name) else name


def _share(children: list[Any]) -> tuple[str, int]:
    slot, many = children if not str(children[0]).isdigit() else children[::-1]
    word = str(slot).lower().rstrip("s")
    return {"scout": "scouts", "mechanic": "mechanics", "escort": "escort"}.get(word, "funding"), int(many)


def _scope(children: list[Any]) -> tuple[str, str]:
    word = _singular(str(children[0]).split()[-1])
    return "scope", word if word == "danger" else f"{word}s"


def _singular(word: str) -> str:
    return word.lower().rstrip("s")


def _help(word: str) -> str:
    joined = re.sub("^(an?|the) |[ -]", "", word.lower()).rstrip("s")
    return _ALIASES.get(joined, joined)


def _mend(children: list[Any]) -> tuple[str, int]:
    return children[0] if len(children) == 1 else (children[0].lower(), int(children[1]))


def _stock(children: list[Any]) -> tuple[str, int]:
    word, many = str(children[0]).lower(), children[1]
    name = "buy" if word.startswith("buy") else "toolbox" if word.startswith("tool") else "parts"
    return name, 1 if many is None else int(many)


def _using(children: list[Any]) -> tuple[str, tuple[tuple[Aid, ...] | None, int]]:
    """Return the helps, each once and in their order, and how many Transport cards; Transport alone leaves helps open."""
    fares = sum(child for child in children if isinstance(child, int))
    aids = sorted({child for child in children if isinstance(child, Aid)}, key=lambda aid: (HELPS.index(aid.help), aid.at))
    return "using", (tuple(aids) if aids or not fares else None, fares)


def _aid(children: list[Any]) -> Any:
    return children[0] if isinstance(children[0], int) else Aid(_help(str(children[0])), children[1] or "")


_LINES: Final = {"boat": "sea", "ship": "sea", "plane": "air"}


def _line(children: list[Any]) -> tuple[str, str]:
    words = [word for word in str(children[0]).lower().split() if word not in ("by", "to")]
    return "line", _LINES.get(words[0], words[0])


TERMS: Final = {
    "card": Term("a card such as Jerrycan", _card, "GR-C3"),
    "played": Term("a card such as Jerrycan", _card, "GR-C3"),
    **{f"bare_{card}": constant(card) for card in ("saboteur", "tracker", "cheater", "driver")},
    "keeping": Term("", tuple),
    "share": Term("assistants such as scouts 2", _share, "GR-L1"),
    "scope": Term("", _scope),
    "limit": Term("", lambda children: ("over", int(children[0]))),
    "never": constant(("answer", ())),
    "ask": constant(("answer", None)),
    "levels": number("a number of levels", rule="GR-C4"),
    "goods": constant("parts"),
    "guard": Term("escort or ranger", lambda children: _singular(children[0].split()[-1]), "GR-A3"),
    "target": Term("a seat", lambda children: children[0].lower()),
    "space": Term("a space such as K4", _space, "GR-C1"),
    "where": Term("a space such as K4", _space, "GR-C1"),
    "tile": Term("a tile such as sand", lambda children: children[0].lower(), "GR-C2"),
    "laying": Term("", lambda children: (children[0] or "", tuple(children[1:]))),
    "manner": Term("", lambda children: {"f": "first", "c": "cheap", "d": "dear"}[children[0][0].lower()]),
    "mend": Term("", _mend),
    "stock": Term("", _stock),
    "way": Term("sea or air", _line, "GR-D5"),
    "losing": Term("", losing_of),
    "loss": Term("", lambda children: (children[0].lower(), None if children[1] is None else int(children[1]))),
    "using": Term("", _using),
    "no_help": constant(None),
    "aid": Term("", _aid),
    "fares": Term("", lambda children: 1 if children[0] is None else int(children[0])),
}
"""The parts of the grammar."""
