"""Define the state of a race: everything that changes, and who may see it.

The state stores nothing that follows from the rest: the deck has the cards that are nowhere else, the bag the tiles.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, TypeVar

from adjudicator.game import (
    OWNER,
    PUBLIC,
    At,
    ByFields,
    Count,
    GameMeta,
    Meta,
    Problem,
    Public,
    Said,
    Seat,
    Value,
    count,
    listed,
    piles,
    remember_last,
    suggest,
)
from adjudicator.game import State as BaseState
from adjudicator.games.great_race.components import CardId, Config, SpaceId, TileId, cards_told, tiles_told

SEALED: Final = OWNER.shown_as(lambda _config, value: None if value is None else "sealed")
"""The mark of a plan, and of choices for a drive: all may know that it exists."""
SHOWN: Final = Said(lambda _config, _value: "")
"""The mark of secrets that the report shows with the board."""
_HAND, _CARDS, _TILES = Said(cards_told, "hand"), Said(cards_told, "cards drawn"), Said(tiles_told, "tiles drawn")
_PLAN: Final = Said(lambda _config, plan: "" if plan is None else plan.text())
_LOSS: Final = Said(lambda _config, loss: "" if loss is None else loss.text(), "loss of parts")
_USING: Final = Said(
    lambda _config, using: "" if using is None else listed([use.text() for use in using]) or "nothing", "help on the way"
)


class Stage(StrEnum):
    """The stages of a round: seats take cards, plan assistants, play the convoy; or the race is over."""

    BIVOUAC = "bivouac"
    PLANNING = "planning"
    CONVOY = "convoy"
    OVER = "over"


BIVOUAC, PLANNING, CONVOY, OVER = Stage
"""The stages as constants: the engine compares them after every event, and looking one up in the enumeration is slow."""


class Slot(StrEnum):
    """The slots for assistants (GR-L1)."""

    SCOUTS = "scouts"
    MECHANICS = "mechanics"
    ESCORT = "escort"
    FUNDING = "funding"


class Help(StrEnum):
    """The helps on the way: a can of fuel, a guard against a danger, a Caravan against a stop (GR-K2, GR-K3)."""

    JERRYCAN = "jerrycan"
    ESCORT = "escort"
    RANGER = "ranger"
    CARAVAN = "caravan"


class Gauge(StrEnum):
    """The gauges that lose parts (GR-C4)."""

    ENGINE = "engine"
    CHASSIS = "chassis"


_Few = Annotated[int, Meta(ge=0, le=9), PUBLIC]
_Level = Annotated[int, Meta(ge=0, le=99)]
_Cash = Annotated[int, Meta(ge=0, le=9_999)]


class _Spaces(piles.Pieces):
    def unknown(self, meta: GameMeta, config: Any, name: str, part: str, words: Any) -> Problem:
        """Suggest also a word after spaces: with a typo it looks like one more space (no one means “losing” by “Lyonn”)."""
        near = suggest(name, ("losing", "using", "then"), alike=0.7) + suggest(name, self.of(config))
        return meta.problem("unknown-space", f"{config.roads.board.name} has no space {name}", self.rule, part, near, name)


class _Cards(piles.Pieces):
    def known(self, config: Any) -> frozenset[str]:
        """Return the cards of the component set, and the slots: orders are given by cards or assistants."""
        return frozenset((*config.cards, *Slot))


SPACES: Final = _Spaces("space", "GR-C1", lambda config: config.roads.spaces, named_by=SpaceId)
BAG: Final = piles.Pieces(
    "tile", "GR-C2", lambda config: config.bag, "laid.tile", "removed", "pending.tiles", named_by=TileId
)
_CARDS_LIE: Final = ("offered", "discards", "crews.hand", "pending.cards", "in_play")
DECK: Final = _Cards("card", "GR-C3", lambda config: config.deck, *_CARDS_LIE, named_by=CardId)
PIECES: Final = (SPACES, BAG, DECK)
"""What a state names: each tile and each card lies in one place of it, or else in the bag or the deck."""


class Assistants(Value):
    """How many assistants are in each slot."""

    scouts: _Few = 0
    mechanics: _Few = 0
    escort: _Few = 0
    funding: _Few = 0

    @property
    def total(self) -> int:
        """The number of assistants in all slots."""
        return self.scouts + self.mechanics + self.escort + self.funding

    def __str__(self) -> str:
        return self.text()

    def text(self, without: str = "nothing") -> str:
        """Return the number in each slot as orders write it, ``scouts 2, escort 1``, or ``without`` if all are 0."""
        slots = ((slot, getattr(self, slot)) for slot in Slot)
        return ", ".join(f"{slot} {many}" for slot, many in slots if many) or without


NOT_PLANNED: Final = Assistants()
"""The plan of a seat that may replace its earlier plan."""


class Reaction(Value):
    """A standing answer to danger: the helps against it (none: let it happen), if it costs more than ``over`` parts."""

    helps: Public[tuple[Help, ...]] = ()
    over: Annotated[int, Meta(ge=-1, le=99), PUBLIC] = -1

    def against(self, parts: int) -> tuple[Help, ...]:
        """Return the helps against a danger that costs ``parts``."""
        return self.helps if parts > self.over else ()


USUAL: Final = Reaction((Help.ESCORT, Help.RANGER), 0)
"""The standing answer to danger cards of a crew that has chosen none: it saves its own parts."""


def reaction_text(reaction: Reaction | None) -> str:
    """Describe a standing answer."""
    if reaction is None:
        return "when asked"
    if not reaction.helps:
        return "with nothing"
    parts = f"more than {count(reaction.over, 'part')}" if reaction.over > 0 else "parts"
    over = f", if it would lose {parts}" if reaction.over >= 0 else ""
    return f"with {listed([one.value for one in reaction.helps], 'or else')}{over}"


class Use(Value):
    """A help on the way: wherever the vehicle needs it, or only ``at`` one space."""

    help: Public[Help]
    at: Public[SpaceId | None] = None

    def text(self) -> str:
        """Return the words of an order for it: ``escort at K5``."""
        return f"{self.help} at {self.at}" if self.at else str(self.help)


class Loss(Value):
    """The gauge that loses parts first; for an exact split, ``most`` is how many the chassis loses at most."""

    first: Public[Gauge] = Gauge.CHASSIS
    most: Annotated[Count | None, PUBLIC] = None

    def after(self, chassis: int) -> Loss:
        """Return the rest of this loss after the chassis has lost so many parts."""
        return self if self.most is None else Loss(self.first, self.most - chassis)

    def text(self) -> str:
        """Describe which gauge loses parts."""
        return f"{self.first} first" if self.most is None else f"{self.first} first, at most {self.most} from the chassis"


class Crew(Value, kw_only=True):
    """The belongings of one seat.

    ``plan`` is sealed until all have planned; ``active`` are the assistants on the dashboard then. ``arrival`` is its
    place among those in the finish city. ``to_cards`` and ``to_tiles`` are its standing answers to danger (``None``: ask).
    """

    seat: Public[Seat]
    space: Public[SpaceId]
    fuel: Public[_Level]
    engine: Public[_Level]
    chassis: Public[_Level]
    cash: Public[_Cash]
    hand: Annotated[tuple[CardId, ...], OWNER.counted, _HAND] = ()
    plan: Annotated[Assistants | None, SEALED, _PLAN] = None
    active: Public[Assistants] = Assistants()
    has_passed: Public[bool] = False
    arrival: Annotated[Annotated[int, Meta(ge=1, le=4)] | None, PUBLIC] = None
    to_cards: Annotated[Reaction | None, OWNER, SHOWN] = USUAL
    to_tiles: Annotated[Reaction | None, OWNER, SHOWN] = None

    @property
    def is_playing(self) -> bool:
        """Whether it has something left to play in this round."""
        return self.arrival is None and not self.has_passed and self.active.total > 0

    @property
    def excess(self) -> int:
        """How many cards it has too many (GR-H1)."""
        many = len(self.hand) - self.chassis
        return many if many > 0 and self.arrival is None else 0

    def has(self, one: Help) -> int:
        """Return how many of a help it has: escorts on the dashboard, cards in the hand."""
        return self.active.escort if one is Help.ESCORT else self.hand.count(CardId(one.value))

    @property
    def parts(self) -> int:
        """Levels of engine and chassis together."""
        return self.engine + self.chassis


class Laid(Value):
    """A terrain tile on the board."""

    space: Public[SpaceId]
    tile: Public[TileId]


class Laying(Value, kw_only=True):
    """Tiles drawn that ``seat`` must still lay: where it likes, or on the spaces it named (``to``)."""

    seat: Public[Seat]
    tiles: Annotated[tuple[TileId, ...], OWNER.counted, _TILES]
    to: Public[tuple[SpaceId, ...]] = ()


class Keeping(Value, kw_only=True):
    """Cards drawn with a Trail hunter: ``seat`` keeps all but one of them."""

    seat: Public[Seat]
    cards: Annotated[tuple[CardId, ...], OWNER.counted, _CARDS]


class Drive(Value, kw_only=True):
    """A drive on its way: the rest of its ``path``, and how many ``steps`` it may still make.

    ``loss`` and ``using`` are the choices that its order named (``None``: none). ``is_fresh``: the tile ahead has just been
    drawn; ``is_asked``: the crew must say how to pay for it.
    """

    seat: Public[Seat]
    path: Public[tuple[SpaceId, ...]]
    steps: Annotated[int, Meta(ge=0, le=99), PUBLIC]
    loss: Annotated[Loss | None, SEALED, _LOSS] = None
    using: Annotated[tuple[Use, ...] | None, SEALED, _USING] = None
    is_fresh: Public[bool] = False
    is_asked: Public[bool] = False

    @property
    def loss_ahead(self) -> Loss | None:
        """The choice of ``loss`` for the tile ahead: the exact split of an older game is only for tiles that were known."""
        is_for_known = self.loss is not None and self.loss.most is not None
        return None if self.is_fresh and is_for_known else self.loss


class Threat(Value, kw_only=True):
    """A danger card on the table: its target, the seats ``left`` that may still cancel it, and the one ``asked`` now."""

    seat: Public[Seat]
    card: Public[CardId]
    spaces: Public[tuple[SpaceId, ...]] = ()
    target: Public[Seat | None] = None
    engine: Public[_Level] = 0
    chassis: Public[_Level] = 0
    left: Public[tuple[Seat, ...]] = ()
    asked: Public[Seat | None] = None


Pending = Laying | Keeping | Drive | Threat
P = TypeVar("P", Laying, Keeping, Drive, Threat)


class State(BaseState[Crew], kw_only=True):
    """The whole race.

    ``order`` is the turn order, ``markers`` the seats in the order in which their markers came to their lanes (GR-N2).
    ``takers`` have still to take one of the cards ``offered``. ``turn`` is the seat whose sequence it is, which ``may_buy``
    until it has played a card and ``has_acted`` once its assistant is played. ``in_play`` is a card that is being played.
    ``removed`` tiles are out of the game.
    """

    own_in, account = "crews", "cash"

    stage: Public[Stage]
    round: Annotated[int, Meta(ge=1, le=9_999), PUBLIC] = 1
    order: Public[tuple[Seat, ...]]
    markers: Public[tuple[Seat, ...]]
    crews: Public[tuple[Crew, ...]]
    laid: Public[tuple[Laid, ...]] = ()
    removed: Public[tuple[TileId, ...]] = ()
    offered: Public[tuple[CardId, ...]] = ()
    takers: Public[tuple[Seat, ...]] = ()
    discards: Public[tuple[CardId, ...]] = ()
    in_play: Public[CardId | None] = None
    turn: Public[Seat | None] = None
    may_buy: Public[bool] = True
    has_acted: Public[bool] = False
    pending: Public[ByFields[Pending] | None] = None

    def pending_as(self, kind: type[P]) -> P:
        """Return what is pending, which is of that ``kind``."""
        assert isinstance(self.pending, kind)
        return self.pending

    @property
    def tiles(self) -> Mapping[SpaceId, TileId]:
        """The tile on each space that has one."""
        return _tiles_on(self.laid)

    @property
    def occupied(self) -> frozenset[SpaceId]:
        """The spaces with a vehicle."""
        return frozenset([crew.space for crew in self.crews])

    @property
    def arrived(self) -> int:
        """How many vehicles are in the finish city."""
        return sum(crew.arrival is not None for crew in self.crews)


Here = At[Config, State, Crew]
"""A position of the game."""
Moves = Generator[Any, Here, Any]
"""The events of an order, or of what follows without one: each ``yield`` returns the position after its event."""


@remember_last
def _tiles_on(laid: tuple[Laid, ...]) -> Mapping[SpaceId, TileId]:
    return {one.space: one.tile for one in laid}


def begun(config: Config) -> State:
    """Return the state before anything has happened (GR-S1, GR-S2, GR-C4)."""
    full, start = config.components.gauges, config.roads.start
    levels: dict[str, Any] = {"fuel": full.fuel, "engine": full.engine, "chassis": full.chassis}
    seats = zip(config.seats, config.cash, strict=True)
    crews = tuple([Crew(seat=seat, space=start, cash=cash, **levels) for seat, cash in seats])
    return State(stage=BIVOUAC, order=config.seats, markers=config.seats, crews=crews)


# Explicit positions


class SeatAt(Value, kw_only=True):
    """The place and belongings of a seat; a missing value is that of the beginning of the race.

    ``assistants`` are those still on the dashboard, in the convoy. ``arrival`` is its place among those in the finish city.
    """

    seat: Seat
    space: SpaceId | None = None
    fuel: _Level | None = None
    engine: _Level | None = None
    chassis: _Level | None = None
    cash: _Cash | None = None
    hand: Annotated[tuple[CardId, ...], Meta(max_length=99)] = ()
    assistants: Assistants = Assistants()
    has_passed: bool = False
    arrival: Annotated[int, Meta(ge=1, le=4)] | None = None


class Position(Value, kw_only=True):
    """The whole table: at the beginning of a round, or in its convoy if the position names a ``turn``.

    A round begins with the bivouac, and chance draws its cards, unless ``stage`` says that planning is next. ``order`` is
    the turn order (default: that of the seats), ``markers`` the order in which the markers came to their lanes (default:
    the turn order). Bag and deck hold what is nowhere else.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=4)]
    round: Annotated[int, Meta(ge=1, le=9_999)] = 1
    stage: Stage | None = None
    turn: Seat | None = None
    order: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    markers: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    tiles: Annotated[tuple[Laid, ...], Meta(max_length=400)] = ()
    removed: Annotated[tuple[TileId, ...], Meta(max_length=400)] = ()
    discards: Annotated[tuple[CardId, ...], Meta(max_length=400)] = ()
