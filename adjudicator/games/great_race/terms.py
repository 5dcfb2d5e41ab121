"""The parts of orders: how the grammar's parts are read and called, losses, helps on the way, repairs' numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from adjudicator.game import Term, Value, replace
from adjudicator.games.great_race.cards import CARD_SPELLINGS, HARM_SPELLINGS, card_called, card_words
from adjudicator.games.great_race.state import Help, Use

_SHORT: Final = re.compile(r"[A-Za-z]{1,3}[0-9]{1,3}")
_HELPS: Final = tuple(Help)
_LINES: Final = {"boat": "sea", "ship": "sea", "plane": "air"}


class Losing(Value):
    """The gauge that loses parts ``first``, or (empty) how many parts each gauge loses."""

    first: str = ""
    engine: int = 0
    chassis: int = 0

    def text(self) -> str:
        """Return the words after ``losing``."""
        return self.first or " ".join(numbered(engine=self.engine or None, chassis=self.chassis or None)) or "engine 0"

    def fits(self, engine: int, chassis: int) -> bool:
        """Return whether it allows the loss of so many parts of each gauge."""
        return bool(self.first) or (self.engine, self.chassis) == (engine, chassis)


def numbered(**given: int | None) -> list[str]:
    """Return the words for what is ``given`` with a number: ``engine 2``."""
    return [f"{name} {many}" for name, many in given.items() if many is not None]


def summed(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the sum of the numbers for each name in ``pairs``."""
    given = Counter[str]()
    for name, many in pairs:
        given[name] += many
    return dict(given)


def exact(losses: list[Any]) -> dict[str, int]:
    """Return the numbers of ``losses``, pairs of gauge and number, without those that have no number."""
    return {gauge: many for gauge, many in losses if many is not None}


def engine_first(order: Any, points: int, most: int) -> tuple[int, int]:
    """Split ``points`` between engine and chassis: as ``order`` says, or else the engine first, up to ``most``."""
    if order.engine is None and order.chassis is None:
        engine = min(points, most)
        return engine, points - engine
    return order.engine or 0, order.chassis or 0


def cards_text(name: str, cards: tuple[str, ...]) -> str:
    """Return the words of an order that names ``cards``."""
    return f"{name} {', '.join(map(card_words, cards))}"


def using_words(using: tuple[Use, ...] | None, fares: int = 0) -> tuple[str, ...]:
    """Return the words for the helps on the way, and for so many Transport cards."""
    words = [use.text() for use in using or ()]
    if fares:
        words.append(f"transport {fares}")
    return (f"using {', '.join(words)}",) if words else ("using nothing",) if using is not None else ()


def losing_of(losses: list[Any]) -> Losing:
    """Read ``losses``: a gauge without a number loses parts first."""
    many = exact(losses)
    return Losing("", many.get("engine", 0), many.get("chassis", 0)) if many else Losing(losses[0][0])


def _without_article(name: str) -> str:
    return re.sub("^(an?|the) +", "", name, flags=re.IGNORECASE)


def _card(children: list[Any]) -> str:
    return card_called(_without_article(children[0]))


def _space(children: list[Any]) -> str:
    """Return the id of a space: ``k4`` is K4; the names of cities match in any case later."""
    name = str(children[0])
    return name.upper() if _SHORT.fullmatch(name) else name


def _share(children: list[Any]) -> tuple[str, int]:
    slot, many = children if not str(children[0]).isdigit() else children[::-1]
    word = _singular(slot)
    return {"scout": "scouts", "mechanic": "mechanics", "escort": "escort"}.get(word, "funding"), int(many)


def _scope(children: list[Any]) -> tuple[str, str]:
    word = _singular(str(children[0]).split()[-1])
    return "scope", word if word == "danger" else f"{word}s"


def _singular(word: str) -> str:
    return word.lower().rstrip("s")


def _stock(children: list[Any]) -> tuple[str, int]:
    word, many = str(children[0]).lower(), children[1]
    name = "buy" if word.startswith("buy") else "toolbox" if word.startswith("tool") else "parts"
    return name, 1 if many is None else int(many)


def _using(children: list[Any]) -> tuple[str, tuple[tuple[Use, ...] | None, int]]:
    """Return the helps, each once and in their order, and how many Transport cards; Transport alone leaves helps open."""
    fares = sum(child for child in children if isinstance(child, int))
    uses = sorted(
        {child for child in children if isinstance(child, Use)}, key=lambda use: (_HELPS.index(use.help), use.at or "")
    )
    return "using", (tuple(uses) if uses or not fares else None, fares)


def _aid(children: list[Any]) -> Any:
    if isinstance(children[0], int):
        return children[0]
    word = _singular(_without_article(children[0]).lower())
    return Use(Help(card_called(word)), children[1])


def _line(children: list[Any]) -> tuple[str, str]:
    words = [word for word in str(children[0]).lower().split() if word not in ("by", "to")]
    return "line", _LINES.get(words[0], words[0])


_CARD: Final = Term("a card such as Jerrycan", _card, "GR-C3", CARD_SPELLINGS)
_SPACE: Final = Term("a space such as K4", _space, "GR-C1")
TERMS: Final = {
    "card": _CARD,
    "harm": replace(_CARD, spellings=HARM_SPELLINGS),
    "played": _CARD,
    **{f"bare_{card}": Term.constant(card) for card in ("saboteur", "tracker", "cheater", "driver")},
    "keeping": Term("", tuple),
    "share": Term("assistants such as scouts 2", _share, "GR-L1"),
    "scope": Term("", _scope),
    "limit": Term("", lambda children: ("over", int(children[0]))),
    "never": Term.constant(("answer", ())),
    "ask": Term.constant(("answer", None)),
    "levels": Term.number("a number of levels", rule="GR-C4"),
    "goods": Term.constant("parts"),
    "guard": Term("escort or ranger", lambda children: _singular(children[0].split()[-1]), "GR-A3"),
    "target": Term("a seat", lambda children: children[0].lower()),
    "space": _SPACE,
    "where": _SPACE,
    "tile": Term("a tile such as sand", lambda children: children[0].lower(), "GR-C2"),
    "laying": Term("", lambda children: (children[0] or "", tuple(children[1:]))),
    "manner": Term("", lambda children: {"f": "first", "c": "cheap", "d": "dear"}[children[0][0].lower()]),
    "mend": Term("", lambda children: children[0] if len(children) == 1 else (children[0].lower(), int(children[1]))),
    "stock": Term("", _stock),
    "way": Term("sea or air", _line, "GR-D5"),
    "losing": Term("", losing_of),
    "loss": Term("", lambda children: (children[0].lower(), None if children[1] is None else int(children[1]))),
    "using": Term("", _using),
    "no_help": Term.constant(None),
    "aid": Term("", _aid),
    "fares": Term("", lambda children: 1 if children[0] is None else int(children[0])),
}
"""The parts of the grammar."""
