"""Define the parts of the game (RR-C): squares, roads and hidden tracks, kit and hazard cards, and marked maps."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, NewType

from adjudicator.game import Ge, Le, Len, Name, frozen

SquareId = NewType("SquareId", str)
CardId = NewType("CardId", str)

Mph = Annotated[int, Ge(0), Le(200)]
"""A speed, or a part of one, in miles per hour."""
Label = Annotated[Name, Len(1, 32)]
"""A name for people to read."""
SquareName = Annotated[SquareId, Len(1, 8)]
CardName = Annotated[CardId, Len(1, 8)]


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


class Feature(StrEnum):
    """The features of squares (RR-C2); ``steep`` is a double gradient."""

    CHEQUERED = "chequered"
    GIVE_WAY = "give-way"
    QUIET = "quiet-zone"
    BRIDGE = "bridge"
    BEND = "bend"
    ROUGH = "rough"
    FORD = "ford"
    HAZARD = "hazard"
    GRADIENT = "gradient"
    STEEP = "steep"


POINTING: Final = frozenset((Feature.GIVE_WAY, Feature.GRADIENT, Feature.STEEP))
"""The features that have a direction."""
ROLLING: Final = {Feature.GRADIENT: 1, Feature.STEEP: 2}
"""How many squares a car rolls from each gradient (RR-F9)."""


@frozen(kw_only=True)
class Square:
    """A square of road, a sixth of a mile, drawn at column ``x`` and row ``y``, counted from the north-west (RR-C1).

    ``toward`` is the side of the major road before which a Give Way asks to stop, or the downhill side of a gradient.
    ``limit`` is what the sign of a bend says; without one it is that of its colour.
    """

    id: SquareName
    x: Annotated[int, Ge(1), Le(200)]
    y: Annotated[int, Ge(1), Le(200)]
    colour: Colour
    place: Label | None = None
    feature: Feature | None = None
    toward: Side | None = None
    limit: Mph | None = None


@frozen
class Road:
    """A road with its squares in order; each is linked with the next."""

    name: Label
    squares: Annotated[tuple[SquareName, ...], Len(2, 200)]


@frozen
class Track:
    """A hidden track: one white square that joins two squares of road (RR-C2)."""

    id: SquareName
    name: Label
    ends: Annotated[tuple[SquareName, ...], Len(2, 2)]


class Does(StrEnum):
    """What a card can do (RR-C3).

    Speeds to start with, and changes of speed, in mph by colour; more than the limit over bridges, bends, rough and quiet
    zones, likewise; a waterproof engine; the right to pass Black Spots, to use hidden tracks, to pass PCs and Give Ways
    without stopping, not to be overtaken. And setbacks: turns to miss, a stop.
    """

    START = "start"
    ACCELERATE = "accelerate"
    DECELERATE = "decelerate"
    BRIDGE = "bridge"
    BEND = "bend"
    ROUGH = "rough"
    QUIET = "quiet-zone"
    WATERPROOF = "waterproof"
    BLACK_SPOT = "black-spot"
    HIDDEN_TRACK = "hidden-track"
    PASSAGE = "passage"
    GIVE_WAY = "give-way"
    UNOVERTAKEN = "unovertaken"
    MISS = "miss"
    STOP = "stop"


SETBACKS: Final = frozenset((Does.MISS, Does.STOP))
BY_COLOUR: Final = frozenset(
    (Does.START, Does.ACCELERATE, Does.DECELERATE, Does.BRIDGE, Does.BEND, Does.ROUGH, Does.QUIET),
)
"""The effects with an amount in mph for each colour of road."""


@frozen(kw_only=True)
class Effect:
    """One thing that a card ``does``: mph on ``red`` (and orange), ``yellow`` and ``white`` roads, or ``turns`` to miss."""

    does: Does
    red: Mph = 0
    yellow: Mph = 0
    white: Mph = 0
    turns: Annotated[int, Ge(0), Le(9)] = 0

    def on(self, colour: Colour) -> int:
        """Return the mph on a road of ``colour``; red and orange share all limits (RR-C1)."""
        if colour is _YELLOW:
            return self.yellow
        return self.white if colour is _WHITE else self.red


@frozen
class Rights:
    """The rights of a kit and the card in use: the best of the ``effects`` of each kind counts (RR-K)."""

    effects: tuple[Effect, ...] = ()

    def can(self, what: Does) -> bool:
        """Return whether a card gives the right to ``what``."""
        return any(effect.does is what for effect in self.effects)

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


@frozen(kw_only=True)
class KitCard:
    """A Rally Kit card: a lasting advantage."""

    id: CardName
    kind: Kind
    name: Label
    effects: Annotated[tuple[Effect, ...], Len(1, 6)]


@frozen(kw_only=True)
class HazardCard:
    """A Hazard! card: a setback that is suffered at once, or an advantage kept for one turn (RR-F8)."""

    id: CardName
    name: Label
    effects: Annotated[tuple[Effect, ...], Len(1, 6)]

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


@frozen(kw_only=True)
class Control:
    """A control of a marked map: where, and from which ``side`` it is entered (the start has none).

    A time control ends a section of ``section`` timing, a regularity at ``speed`` mph; a passage control has neither.
    """

    square: SquareName
    side: Side | None = None
    section: Timing | None = None
    speed: Annotated[int, Ge(20), Le(30)] | None = None


@frozen(kw_only=True)
class Rally:
    """A marked map: the controls in order, the start first, and the Black Spots (RR-C4)."""

    id: Annotated[Name, Len(1, 32)]
    name: Label
    controls: Annotated[tuple[Control, ...], Len(2, 99)]
    black_spots: Annotated[tuple[SquareName, ...], Len(0, 99)] = ()


@frozen(kw_only=True)
class Components:
    """A component set: the map, the cards, and the rallies that are marked on the map."""

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    squares: Annotated[tuple[Square, ...], Len(2, 20_000)]
    roads: Annotated[tuple[Road, ...], Len(1, 400)]
    tracks: Annotated[tuple[Track, ...], Len(0, 100)] = ()
    kit: Annotated[tuple[KitCard, ...], Len(6, 200)]
    hazards: Annotated[tuple[HazardCard, ...], Len(0, 200)]
    rallies: Annotated[tuple[Rally, ...], Len(0, 50)] = ()
