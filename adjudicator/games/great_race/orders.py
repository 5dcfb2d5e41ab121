"""The orders of The Great Race."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.game import Order, order
from adjudicator.games.great_race.order_parts import (
    Aid,
    Driving,
    Losing,
    Mending,
    card_words,
    exact,
    gauges,
    losing_of,
    using_words,
)


@order("TAKE Jerrycan")
class Take(Order):
    """Take ``card`` from the bivouac."""

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
    """Answer danger from now on with ``helps`` (none: never; ``None``: ask), if it costs more than ``over`` parts.

    ``scope`` is ``danger`` (all), ``cards`` (danger cards of others) or ``tiles`` (tiles drawn).
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
    """Discard ``card`` and others, as many as the hand has too many."""

    card: str
    more: tuple[str, ...] = ()

    @classmethod
    def read(cls, children: list[Any]) -> Discard:
        return cls(children[0], tuple(children[1:]))

    def text(self) -> str:
        return _cards("DISCARD", (self.card, *self.more))


@order("KEEP Ranger, Toolbox")
class Keep(Order):
    """Keep ``cards`` of those drawn with a Trail hunter."""

    cards: tuple[str, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Keep:
        return cls(tuple(sorted(children)))

    def text(self) -> str:
        return _cards("KEEP", self.cards)


@order("BUY fuel 3")
class Buy(Order):
    """Buy ``levels`` of fuel. Parts are bought with a repair: as ``goods`` they are refused."""

    levels: int
    goods: str = "fuel"

    @classmethod
    def read(cls, children: list[Any]) -> Buy:
        goods = "parts" if "parts" in children else "fuel"
        return cls(next((child for child in children if child != goods), 1), goods)

    def text(self) -> str:
        return f"BUY {self.goods} {self.levels}"


@order("PLAY Refuelling", "PLAY Trail hunter", "PLAY Trail hunter keeping Ranger, Toolbox, Jerrycan")
class Play(Order):
    """Play a ``card`` alone; for a Trail hunter, name the cards worth ``keeping``, the best first."""

    card: str
    keeping: tuple[str, ...] = ()

    def text(self) -> str:
        return f"PLAY {card_words(self.card)}" + (_cards(" keeping", self.keeping) if self.keeping else "")


@order("PLAY Saboteur on blue", "PLAY Saboteur on blue engine 1 chassis 1")
class PlaySaboteur(Order):
    """Take parts of ``target``: so many of ``engine`` and ``chassis``, or (``None``) of the engine first."""

    target: str
    engine: int | None = None
    chassis: int | None = None

    @classmethod
    def read(cls, children: list[Any]) -> PlaySaboteur:
        target, *losses = children
        return cls(target, **exact(losses))

    def text(self) -> str:
        return " ".join((f"PLAY Saboteur on {self.target}", *gauges(self.engine, self.chassis)))


@order("PLAY Tracker remove K7")
class PlayTracker(Order):
    """Remove the tile on ``space``."""

    space: str

    def text(self) -> str:
        return f"PLAY Tracker remove {self.space}"


@order("PLAY Cheater swap K4 with M2")
class PlayCheater(Order):
    """Swap the tiles on two spaces; the order of the two has no meaning."""

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
    """Draw tiles and lay them; the order may name spaces like ``ScoutTiles``."""

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
    """Draw tiles and lay them on ``spaces`` (none: the crew decides when it sees them).

    ``manner`` says which goes to the first: that drawn ``first``, the ``cheap`` one, the ``dear`` one (empty: ask).
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


@order("REPAIR using parts 2 buy 1", "REPAIR engine 2 chassis 1 using parts 2 buy 1", "REPAIR using toolbox 1")
class Repair(Mending):
    """Repair with a mechanic."""

    verb = "REPAIR"


@order("PLAY Mechanic using parts 1", "PLAY Mechanic engine 1 buy 1")
class PlayMechanic(Mending):
    """Repair with a Mechanic card."""

    verb = "PLAY Mechanic"


@order(
    "DRIVE K4",
    "DRIVE K4 K5 Tamanrasset losing chassis",
    "DRIVE K4 K5 using jerrycan, escort at K5, ranger",
    "DRIVE K4 losing engine 1 chassis 2 using nothing",
    "DRIVE sea Mombasa using transport 1",
    obvious=("transports",),
)
class Drive(Driving):
    """Drive with a mechanic."""

    verb = "DRIVE"


@order("PLAY Driver K4 K5", "PLAY Driver K4 K5 using ranger, caravan", obvious=("transports",))
class PlayDriver(Driving):
    """Drive with a Driver card."""

    verb = "PLAY Driver"


@order("PAY", "PAY engine 1 chassis 1", "PAY engine using ranger", "PAY using nothing")
class Pay(Order):
    """Pay for the tile that was drawn: ``losing`` and ``using`` as in ``Drive`` (``None``: the help named before)."""

    losing: Losing | None = None
    using: tuple[Aid, ...] | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Pay:
        losses = [child for child in children if isinstance(child, tuple) and child[0] in ("engine", "chassis")]
        given: dict[str, Any] = dict(child for child in children if isinstance(child, tuple))
        using, _ = given.get("using", (None, 0))
        return cls(losing_of(losses) if losses else None, using)

    def text(self) -> str:
        losing = () if self.losing is None else (self.losing.text(),)
        return " ".join(("PAY", *losing, *using_words(self.using)))


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
