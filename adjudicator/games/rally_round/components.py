"""Define the parts of the game (RR-C): squares, roads and hidden tracks, kit and hazard cards, and marked maps."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Final, NewType

from adjudicator.game import GameMeta, Meta, Name, Positive, Problem, Value, piles

SquareId = NewType("SquareId", str)
CardId = NewType("CardId", str)

Mph = Annotated[int, Meta(ge=0, le=200)]
"""A speed, or a part of one, in miles per hour."""
Label = Annotated[str, Meta(min_length=1, max_length=32)]
"""A name for people to read."""
SquareName = Annotated[SquareId, Meta(min_length=1, max_length=8)]
CardName = Annotated[CardId, Meta(min_length=1, max_length=8)]


class _KitCards(piles.Pieces):
    def unknown(self, meta: GameMeta, config: Any, name: str, part: str, words: Callable[[Any, Any], Any]) -> Problem:
        """Refuse a card that the game does not have; a name such as `Snorkel` means the cards that begin so."""
        named = [card.id for card in config.kit.values() if card.name.casefold().startswith(name.casefold())]
        if not named:
            return super().unknown(meta, config, name, part, words)
        return meta.problem("unknown-card", f"there is no card {name}", self.rule, part, named[:3])


KIT_CARDS: Final = _KitCards("card", "RR-C3", lambda config: config.kit)
HAZARD_CARDS: Final = piles.Pieces("hazard card", "RR-C3", lambda config: config.hazards)
SQUARES: Final = piles.Pieces("square", "RR-C1", lambda config: config.network.links)
"""The squares where a marker can be: not those of hidden tracks."""
PLACES: Final = piles.Pieces("square", "RR-C1", lambda config: config.network.squares)
"""The squares where a car can be."""
KitId = Annotated[CardId, KIT_CARDS]
HazardId = Annotated[CardId, HAZARD_CARDS]
MarkerSquare = Annotated[SquareId, SQUARES]


class Colour(StrEnum):
    """The kinds of road: A road, B road, minor road, track without a surface (RR-C1)."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    WHITE = "white"


_YELLOW: Final = Colour.YELLOW
_WHITE: Final = Colour.WHITE


class Side(StrEnum):
    """A side of a square: the one a car comes from, or the one a sign points to."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


class Does(StrEnum):
    """What a card can do (RR-C3).

    Speeds to start with, and changes of speed, in mph by colour; more than the limit over bridges, bends, rough and quiet
    zones, likewise; a waterproof engine; the right to pass Black Spots, to use hidden tracks, to pass PCs and Give Ways
    without stopping, not to be overtaken. And setbacks: turns to miss, a stop.
    """

    words: str

    def __new__(cls, name: str, words: str) -> Does:
        """Make the effect of that ``name``."""
        does = str.__new__(cls, name)
        does._value_, does.words = name, words
        return does

    START = "start", "start at up to"
    ACCELERATE = "accelerate", "speed up by up to"
    DECELERATE = "decelerate", "slow down by up to"
    BRIDGE = "bridge", "take bridges faster by"
    BEND = "bend", "take bends faster by"
    ROUGH = "rough", "cross rough ground faster by"
    QUIET = "quiet-zone", "drive through Quiet Zones faster by"
    WATERPROOF = "waterproof", "stop in fords without flooding the engine"
    BLACK_SPOT = "black-spot", "pass Black Spots"
    HIDDEN_TRACK = "hidden-track", "use hidden tracks"
    PASSAGE = "passage", "pass PCs without stopping"
    GIVE_WAY = "give-way", "pass Give Ways without stopping"
    UNOVERTAKEN = "unovertaken", "let no one overtake"
    MISS = "miss", "miss"
    STOP = "stop", "stop here"


SETBACKS: Final = frozenset((Does.MISS, Does.STOP))
BY_COLOUR: Final = frozenset(
    (Does.START, Does.ACCELERATE, Does.DECELERATE, Does.BRIDGE, Does.BEND, Does.ROUGH, Does.QUIET),
)
"""The effects with an amount in mph for each colour of road."""


class Feature(StrEnum):
    """The features of squares (RR-C2); ``steep`` is a double gradient."""

    sign: str
    """The sign on the map; a gradient has one for each side, in the order of the compass."""
    limits: tuple[int, int, int] | None
    """The limits in mph on red and orange, yellow, and white roads (RR-F10, RR-F11)."""
    raised_by: Does | None
    """What a card does that raises them."""

    def __new__(
        cls, name: str, sign: str, limits: tuple[int, int, int] | None = None, raised_by: Does | None = None
    ) -> Feature:
        """Make the feature of that ``name``."""
        feature = str.__new__(cls, name)
        feature._value_, feature.sign, feature.limits, feature.raised_by = name, sign, limits, raised_by
        return feature

    CHEQUERED = "chequered", "#"
    GIVE_WAY = "give-way", "GW"
    QUIET = "quiet-zone", "QZ", (40, 30, 20), Does.QUIET
    BRIDGE = "bridge", "HB", (50, 40, 30), Does.BRIDGE
    BEND = "bend", "", (40, 30, 20), Does.BEND
    ROUGH = "rough", ":", (20, 20, 20), Does.ROUGH
    FORD = "ford", "~"
    HAZARD = "hazard", "!"
    GRADIENT = "gradient", "↑→↓←"
    STEEP = "steep", "⇑⇒⇓⇐"


POINTING: Final = frozenset((Feature.GIVE_WAY, Feature.GRADIENT, Feature.STEEP))
"""The features that have a direction."""
ROLLING: Final = {Feature.GRADIENT: 1, Feature.STEEP: 2}
"""How many squares a car rolls from each gradient (RR-F9)."""


class Square(Value, kw_only=True):
    """A square of road, a sixth of a mile (RR-C1)."""

    id: SquareName
    """The name of the square, which orders use."""
    x: Annotated[int, Meta(ge=1, le=200)]
    """The column, from 1 in the west."""
    y: Annotated[int, Meta(ge=1, le=200)]
    """The row, from 1 in the north."""
    colour: Colour
    """The kind of road."""
    place: Label | None = None
    """The name of a place on it, for people."""
    feature: Feature | None = None
    """What is special about it."""
    toward: Side | None = None
    """The side of the major road before which a Give Way asks to stop, or the downhill side of a gradient."""
    limit: Mph | None = None
    """What the sign of a bend says, in mph; without it, the limit of the colour holds."""


class Road(Value):
    """A road."""

    name: Label
    """The name for people; orders may use it."""
    squares: Annotated[tuple[SquareName, ...], Meta(min_length=2, max_length=200)]
    """Its squares in order; each is linked with the next."""


class Track(Value):
    """A hidden track: one white square between two squares of road (RR-C2)."""

    id: SquareName
    """The name of its square."""
    name: Label
    """The name for people."""
    ends: Annotated[tuple[SquareName, ...], Meta(min_length=2, max_length=2)]
    """The two squares of road that it joins."""


class Effect(Value, kw_only=True):
    """One thing that a card does."""

    does: Does
    """What the card does."""
    red: Mph = 0
    """Mph on red and orange roads."""
    yellow: Mph = 0
    """Mph on yellow roads."""
    white: Mph = 0
    """Mph on white roads."""
    turns: Annotated[int, Meta(ge=0, le=9)] = 0
    """Turns to miss."""

    def on(self, colour: Colour) -> int:
        """Return the mph on a road of ``colour``; red and orange share all limits (RR-C1)."""
        if colour is _YELLOW:
            return self.yellow
        return self.white if colour is _WHITE else self.red


class Rights(Value):
    """The rights of a kit and the card in use: the best of the ``effects`` of each kind counts (RR-K)."""

    effects: tuple[Effect, ...] = ()

    def can(self, what: Does) -> bool:
        """Return whether a card gives the right to ``what``."""
        return what in [effect.does for effect in self.effects]

    def mph(self, what: Does, colour: Colour) -> int:
        """Return the mph of the best card for ``what`` on a road of ``colour``, 0 without one."""
        best = 0
        for effect in self.effects:
            if effect.does is what:
                best = max(best, effect.on(colour))
        return best


class Kind(StrEnum):
    """The six kinds of kit cards, in the order in which a kit names them (RR-C3)."""

    DRIVER = "driver"
    NAVIGATOR = "navigator"
    EQUIPMENT = "equipment"
    START = "start"
    ACCEL = "accel"
    DECEL = "decel"


class KitCard(Value, kw_only=True):
    """A Rally Kit card: a lasting advantage."""

    id: CardName
    """The name that orders use."""
    kind: Kind
    """The kind; a kit has one card of each."""
    name: Label
    """The name for people."""
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=6)]
    """What the card does."""


class HazardCard(Value, kw_only=True):
    """A Hazard! card: a setback that is suffered at once, or an advantage kept for one turn (RR-F8)."""

    id: CardName
    """The name that orders use."""
    name: Label
    """The name for people."""
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=6)]
    """What the card does."""

    @property
    def is_kept(self) -> bool:
        """Whether the card is an advantage."""
        return not any(effect.does in SETBACKS for effect in self.effects)

    @property
    def turns(self) -> int:
        """The turns that the card makes a crew miss."""
        return sum(effect.turns for effect in self.effects if effect.does is Does.MISS)


class Timing(StrEnum):
    """How a section is timed (RR-T)."""

    ROAD = "road"
    SELECTIVE = "selective"
    STAGE = "stage"
    REGULARITY = "regularity"


PREFIXES: Final = {Timing.ROAD: "TC", Timing.SELECTIVE: "STC", Timing.STAGE: "SSF", Timing.REGULARITY: "RTC"}
"""What the time control at the end of a section is called."""


class Control(Value, kw_only=True):
    """A control of a marked map."""

    square: Annotated[SquareName, SQUARES]
    """Where the control is."""
    side: Side | None = None
    """The side from which a car enters; the start has none."""
    section: Timing | None = None
    """The timing of the section that ends here; a passage control has none."""
    speed: Annotated[int, Meta(ge=20, le=30)] | None = None
    """The average of a regularity, in mph."""


class Rally(Value, kw_only=True):
    """A marked map (RR-C4)."""

    id: Annotated[str, Meta(min_length=1, max_length=32)]
    """The name that the option uses."""
    name: Label
    """The name for people."""
    controls: Annotated[tuple[Control, ...], Meta(min_length=2, max_length=99)]
    """The controls in order, the start first."""
    black_spots: Annotated[tuple[SquareName, ...], Meta(max_length=99)] = ()
    """The squares that a car may pass only with a card for it."""


class Components(Value, kw_only=True):
    """A component set: the map, the cards, and the rallies that are marked on the map."""

    id: Name
    """The name of the set, which a game file records."""
    version: Positive
    """The version of the set, from 1; raise it when a game has begun with an earlier one."""
    name: Name
    """The name for people."""
    note: Annotated[str, Meta(max_length=500)]
    """Where the set comes from, for people."""
    squares: Annotated[tuple[Square, ...], Meta(min_length=2, max_length=20_000)]
    """The squares of road."""
    roads: Annotated[tuple[Road, ...], Meta(min_length=1, max_length=400)]
    """The roads, which link squares."""
    tracks: Annotated[tuple[Track, ...], Meta(max_length=100)] = ()
    """The hidden tracks."""
    kit: Annotated[tuple[KitCard, ...], Meta(min_length=6, max_length=200)]
    """The Rally Kit cards."""
    hazards: Annotated[tuple[HazardCard, ...], Meta(max_length=200)]
    """The Hazard! cards."""
    rallies: Annotated[tuple[Rally, ...], Meta(max_length=50)] = ()
    """The rallies that are marked on the map."""
