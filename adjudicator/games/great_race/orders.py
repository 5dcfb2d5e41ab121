"""The orders of The Great Race."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import Order, Term, constant, frozen, number, order

_SHORT: Final = re.compile(r"[A-Za-z]{1,3}[0-9]{1,3}")
HELPS: Final = ("jerrycan", "escort", "ranger", "caravan")
"""The helps in the order in which they are written."""
_ALIASES: Final = {"pilot": "driver", "guide": "caravan", "geographer": "cartographer", "refueling": "refuelling"}
_JOINED: Final = {"trailhunter": "trail-hunter", "sparepart": "spare-parts", "spareparts": "spare-parts"}


@frozen
class Losing:
    """Which gauge loses parts: one ``first``, or exactly so many of each where ``first`` is empty."""

    first: str = ""
    engine: int = 0
    chassis: int = 0

    def text(self) -> str:
        """Return the words behind ``losing``."""
        return self.first or f"engine {self.engine} chassis {self.chassis}"


@frozen
class Aid:
    """A help that is given on the way; ``at`` one space alone, or (empty) wherever it is needed."""

    help: str
    at: str = ""

    def text(self) -> str:
        """Return its words."""
        return f"{self.help} at {self.at}" if self.at else self.help


def card_words(card: str) -> str:
    """Return how orders name a card: ``Trail hunter`` for ``trail-hunter``."""
    return card.replace("-", " ").capitalize()


@order("TAKE Jerrycan")
class Take(Order):
    """Take ``card``, which lies open in the bivouac."""

    card: str

    def text(self) -> str:
        return f"TAKE {card_words(self.card)}"


@order("PLAN mechanics 3 funding 2", "PLAN scouts 2 mechanics 2 escort 1")
class Plan(Order):
    """Place the assistants."""

    scouts: int = 0
    mechanics: int = 0
    escort: int = 0
    funding: int = 0

    @classmethod
    def read(cls, children: list[Any]) -> Plan:
        given: dict[str, int] = {}
        for slot, many in children:
            given[slot] = given.get(slot, 0) + many
        return cls(**given)

    def text(self) -> str:
        slots = {"scouts": self.scouts, "mechanics": self.mechanics, "escort": self.escort, "funding": self.funding}
        placed = [f"{slot} {many}" for slot, many in slots.items() if many]
        return " ".join(("PLAN", *(placed or ["scouts 0"])))


@order(
    "REACT danger with escort, ranger", "REACT danger never", "REACT danger ask", "REACT cards with ranger only if parts > 1"
)
class React(Order):
    """Answer danger from now on with ``helps`` (none: never; ``None``: ask), if more than ``over`` parts go.

    ``scope`` is ``danger``, or the ``cards`` of others or the ``tiles`` drawn alone.
    """

    helps: tuple[str, ...] | None
    over: int = -1
    scope: str = "danger"

    @classmethod
    def read(cls, children: list[Any]) -> React:
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        helps = tuple(dict.fromkeys(child for child in children if isinstance(child, str)))
        scope = given.get("scope", "danger")
        if "answer" in given:
            return cls(given["answer"], -1, scope)
        return cls(helps or ("escort", "ranger"), given.get("over", -1), scope)

    def text(self) -> str:
        if not self.helps:
            return f"REACT {self.scope} {'ask' if self.helps is None else 'never'}"
        over = f" only if parts > {self.over}" if self.over >= 0 else ""
        return f"REACT {self.scope} with {', '.join(self.helps)}{over}"


def _cards(name: str, cards: tuple[str, ...]) -> str:
    return f"{name} {', '.join(map(card_words, cards))}"


@order("DISCARD Caravan", "DISCARD Caravan, Toolbox")
class Discard(Order):
    """Discard ``card`` and others, as many as there are too many."""

    card: str
    more: tuple[str, ...] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Discard:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return _cards("DISCARD", (self.card, *self.more))


@order("KEEP Ranger, Toolbox")
class Keep(Order):
    """Keep ``cards`` of those that were drawn with a Trail hunter."""

    cards: tuple[str, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Keep:
        return cls(tuple(sorted(children)))

    def text(self) -> str:
        return _cards("KEEP", self.cards)


@order("BUY fuel 3")
class Buy(Order):
    """Buy ``levels`` of fuel."""

    levels: int

    def text(self) -> str:
        return f"BUY fuel {self.levels}"


@order("PLAY Refuelling", "PLAY Trail hunter")
class Play(Order):
    """Play a ``card`` of which nothing else need be said."""

    card: str

    def text(self) -> str:
        return f"PLAY {card_words(self.card)}"


@order("PLAY Saboteur on blue", "PLAY Saboteur on blue engine 1 chassis 1")
class PlaySaboteur(Order):
    """Take parts of ``target``: so many of ``engine`` and ``chassis``, or (``None``) of the engine first."""

    target: str
    engine: int | None = None
    chassis: int | None = None

    @classmethod
    def read(cls, children: list[Any]) -> PlaySaboteur:
        target, *losses = children
        return cls(target, **_exact(losses))

    def text(self) -> str:
        return " ".join((f"PLAY Saboteur on {self.target}", *_gauges(self.engine, self.chassis)))


@order("PLAY Tracker remove K7")
class PlayTracker(Order):
    """Remove the tile on ``space``."""

    space: str

    def text(self) -> str:
        return f"PLAY Tracker remove {self.space}"


@order("PLAY Cheater swap K4 with M2")
class PlayCheater(Order):
    """Swap the tiles on two spaces; the order of the two says nothing."""

    one: str
    other: str

    @classmethod
    def read(cls, children: list[Any]) -> PlayCheater:
        return cls(*sorted(children))

    def text(self) -> str:
        return f"PLAY Cheater swap {self.one} with {self.other}"


def _laying(manner: str, spaces: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{manner} {' then '.join(spaces)}".strip(),) if spaces and manner else spaces


@order("PLAY Cartographer", "PLAY Cartographer first K4 then K5 then K6")
class PlayCartographer(Order):
    """Draw tiles and lay them; where, may be said as in ``ScoutTiles``."""

    spaces: tuple[str, ...] = ()
    manner: str = ""

    @classmethod
    def read(cls, children: list[Any]) -> PlayCartographer:
        manner, spaces = children[0] or ("", ())
        return cls(spaces, manner)

    def text(self) -> str:
        words = _laying(self.manner, self.spaces)
        return " ".join(("PLAY Cartographer", *(("tiles",) if words and not self.manner else ()), *words))


@order("SCOUT tiles", "SCOUT tiles K4 K5", "SCOUT tiles first K4 then K5", "SCOUT tiles cheap K4 then K5")
class ScoutTiles(Order):
    """Draw tiles and lay them on ``spaces`` (none: to be said when they are seen).

    ``manner`` says which goes to the first: that drawn ``first``, the ``cheap`` one, the ``dear`` one (empty: to be said).
    """

    spaces: tuple[str, ...] = ()
    manner: str = ""

    @classmethod
    def read(cls, children: list[Any]) -> ScoutTiles:
        manner, spaces = children[0] or ("", ())
        return cls(spaces, manner)

    def text(self) -> str:
        return " ".join(("SCOUT tiles", *_laying(self.manner, self.spaces)))


@order("SCOUT card")
class ScoutCard(Order):
    """Draw a resource card."""

    def text(self) -> str:
        return "SCOUT card"


@order("LAY sand at K4")
class Lay(Order):
    """Lay a ``tile`` that was drawn on ``space``."""

    tile: str
    space: str

    def text(self) -> str:
        return f"LAY {self.tile} at {self.space}"


def _exact(losses: list[Any]) -> dict[str, int | None]:
    """Return the numbers of ``losses``, pairs of gauge and number; of a gauge without one, none."""
    return {gauge: many for gauge, many in losses if many is not None}


def _gauges(engine: int | None, chassis: int | None) -> tuple[str, ...]:
    given = (("engine", engine), ("chassis", chassis))
    return tuple(f"{gauge} {many}" for gauge, many in given if many is not None)


class _Mending(Order):
    """What a repair says: the points for each gauge (``None``: the engine first), and where they come from."""

    __slots__ = ()

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        given: dict[str, int] = {}
        for name, many in children:
            given[name] = given.get(name, 0) + many
        return cls(**given)

    def _words(self, name: str, engine: int | None, chassis: int | None, stock: dict[str, int]) -> str:
        used = [f"{what} {many}" for what, many in stock.items() if many and what != "buy"]
        bought = [f"buy {stock['buy']}"] if stock["buy"] else []
        return " ".join((name, *_gauges(engine, chassis), *(("using", *used) if used else ()), *bought))


@order("REPAIR using parts 2 buy 1", "REPAIR engine 2 chassis 1 using parts 2 buy 1", "REPAIR using toolbox 1")
class Repair(_Mending):
    """Repair with a mechanic."""

    engine: int | None = None
    chassis: int | None = None
    parts: int = 0
    toolbox: int = 0
    buy: int = 0

    def text(self) -> str:
        stock = {"parts": self.parts, "toolbox": self.toolbox, "buy": self.buy}
        return self._words("REPAIR", self.engine, self.chassis, stock)


@order("PLAY Mechanic using parts 1", "PLAY Mechanic engine 1 buy 1")
class PlayMechanic(_Mending):
    """Repair with a Mechanic card."""

    engine: int | None = None
    chassis: int | None = None
    parts: int = 0
    toolbox: int = 0
    buy: int = 0

    def text(self) -> str:
        stock = {"parts": self.parts, "toolbox": self.toolbox, "buy": self.buy}
        return self._words("PLAY Mechanic", self.engine, self.chassis, stock)


class _Driving(Order):
    """What a drive says."""

    __slots__ = ()

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        spaces = [child for child in children if isinstance(child, str)]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        losing = next((child for child in children if isinstance(child, Losing)), None)
        using, fares = given.get("using", (None, 0))
        kind: Any = cls
        return kind(spaces[0], tuple(spaces[1:]), given.get("line", ""), fares, losing, using)


def _drive_words(name: str, drive: Any) -> str:
    line = (drive.line,) if drive.line else ()
    losing = (f"losing {drive.losing.text()}",) if drive.losing is not None else ()
    return " ".join((name, *line, drive.space, *drive.then, *losing, *_using_words(drive.using, drive.transports)))


def _using_words(using: tuple[Aid, ...] | None, fares: int = 0) -> tuple[str, ...]:
    words = [aid.text() for aid in using or ()]
    if fares:
        words.append(f"transport {fares}")
    return (f"using {', '.join(words)}",) if words else ("using nothing",) if using is not None else ()


@order(
    "DRIVE K4",
    "DRIVE K4 K5 Tamanrasset losing chassis",
    "DRIVE K4 K5 using jerrycan, escort at K5, ranger",
    "DRIVE K4 losing engine 1 chassis 2 using nothing",
    "DRIVE sea Mombasa using transport 1",
)
class Drive(_Driving):
    """Drive with a mechanic to ``space``, ``then`` on; by sea or air along a ``line``, with so many Transport cards.

    ``losing`` says which gauge loses parts, ``using`` what help is given (none: nothing; ``None``: ask where it matters).
    """

    space: str
    then: tuple[str, ...] = ()
    line: str = ""
    transports: int = 0
    losing: Losing | None = None
    using: tuple[Aid, ...] | None = None

    def text(self) -> str:
        return _drive_words("DRIVE", self)


@order("PLAY Driver K4 K5", "PLAY Driver K4 K5 using ranger, caravan")
class PlayDriver(_Driving):
    """Drive with a Driver card, said as in ``Drive``."""

    space: str
    then: tuple[str, ...] = ()
    line: str = ""
    transports: int = 0
    losing: Losing | None = None
    using: tuple[Aid, ...] | None = None

    def text(self) -> str:
        return _drive_words("PLAY Driver", self)


@order("PAY", "PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using jerrycan")
class Pay(Order):
    """Pay for the tile that was drawn: ``losing`` and ``using`` as in ``Drive``."""

    losing: Losing | None = None
    using: tuple[Aid, ...] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Pay:
        losses = [child for child in children if isinstance(child, tuple) and child[0] in ("engine", "chassis")]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        using, _ = given.get("using", ((), 0))
        return cls(_losing(losses) if losses else None, using)

    def text(self) -> str:
        losing = () if self.losing is None else (self.losing.text(),)
        return " ".join(("PAY", *losing, *(_using_words(self.using) if self.using else ())))


@order("BACK")
class Back(Order):
    """Go back to where the vehicle came from, and pay nothing."""


@order("ESCORT remove K4")
class Escort(Order):
    """Remove the tile on ``space``, beside the vehicle, with an escort."""

    space: str

    def text(self) -> str:
        return f"ESCORT remove {self.space}"


@order("FUND")
class Fund(Order):
    """Play all assistants of the funding at once."""


@order("PASS")
class Pass(Order):
    """Play nothing more in this round."""


@order("CANCEL with ranger")
class Cancel(Order):
    """Cancel the danger card on the table with an escort or a Ranger, the ``guard``."""

    guard: str

    def text(self) -> str:
        return f"CANCEL with {self.guard}"


@order("ACCEPT")
class Accept(Order):
    """Let the danger card on the table happen."""


ORDERS: Final = (
    Take,
    Plan,
    React,
    Discard,
    Keep,
    Buy,
    Play,
    PlaySaboteur,
    PlayTracker,
    PlayCheater,
    PlayCartographer,
    PlayDriver,
    PlayMechanic,
    ScoutTiles,
    ScoutCard,
    Lay,
    Repair,
    Drive,
    Pay,
    Back,
    Escort,
    Fund,
    Pass,
    Cancel,
    Accept,
)


def _card(children: list[Any]) -> str:
    word = str(children[0]).lower()
    joined = re.sub("[ -]", "", word)
    return _JOINED.get(joined, _ALIASES.get(joined, joined if joined in ("jerrycan", "toolbox") else word))


def _space(children: list[Any]) -> str:
    """Return a space as it is known: ``k4`` is K4; the names of cities are found in any case."""
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
    joined = re.sub("[ -]", "", word.lower()).rstrip("s")
    return _ALIASES.get(joined, joined)


def _mend(children: list[Any]) -> tuple[str, int]:
    return children[0] if len(children) == 1 else (children[0].lower(), int(children[1]))


def _stock(children: list[Any]) -> tuple[str, int]:
    word, many = str(children[0]).lower(), children[1]
    name = "buy" if word.startswith("buy") else "toolbox" if word.startswith("tool") else "parts"
    return name, 1 if many is None else int(many)


def _losing(losses: list[Any]) -> Losing:
    """Return what ``losses`` say: a gauge without a number comes first."""
    exact = _exact(losses)
    return Losing("", exact.get("engine") or 0, exact.get("chassis") or 0) if exact else Losing(losses[0][0])


def _using(children: list[Any]) -> tuple[str, tuple[tuple[Aid, ...] | None, int]]:
    """Return the helps, each once and in their order, and how many Transport cards; those alone say nothing of helps."""
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
    "card": Term("a card such as Jerrycan", _card),
    "share": Term("", _share),
    "scope": Term("", _scope),
    "limit": Term("", lambda children: ("over", int(children[0]))),
    "never": constant(("answer", ())),
    "ask": constant(("answer", None)),
    "levels": number("a number of levels"),
    "guard": Term("escort or ranger", lambda children: _singular(children[0])),
    "target": Term("a seat", lambda children: children[0].lower()),
    "space": Term("a space such as K4", _space),
    "where": Term("a space such as K4", _space),
    "tile": Term("a tile such as sand", lambda children: children[0].lower()),
    "laying": Term("", lambda children: (children[0] or "", tuple(children[1:]))),
    "manner": Term("", lambda children: {"f": "first", "c": "cheap", "d": "dear"}[children[0][0].lower()]),
    "mend": Term("", _mend),
    "stock": Term("", _stock),
    "way": Term("sea or air", _line),
    "losing": Term("", _losing),
    "loss": Term("", lambda children: (children[0].lower(), None if children[1] is None else int(children[1]))),
    "using": Term("", _using),
    "no_help": constant(None),
    "aid": Term("", _aid),
    "fares": Term("", lambda children: 1 if children[0] is None else int(children[0])),
}
"""The parts of the grammar."""
