"""What happens in Checkpoint Rally, in the past tense. Each event carries its outcome and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from annotated_types import Ge, Le, Len

from adjudicator.core.event import Spent
from adjudicator.core.ids import Name, Seat
from adjudicator.games.checkpoint_rally.components import Cell, Rotation, TileId
from adjudicator.games.checkpoint_rally.state import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class BorderLaid:
    """The border pieces lie around the board: north, east, south, west."""

    frames: tuple[Frame, Frame, Frame, Frame]
    rule: Name = "CR-S1"
    kind: Literal["border-laid"] = "border-laid"


@dataclass(frozen=True, slots=True, kw_only=True)
class TileDealt:
    """A tile of the stack was laid on the board at the set-up."""

    tile: TileId
    cell: Cell
    rot: Rotation
    rule: Name = "CR-S2"
    kind: Literal["tile-dealt"] = "tile-dealt"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPrepared:
    """A seat got its car and its secret checkpoint card (``None`` to those who may not see it)."""

    seat: Seat
    car: Name
    card: Name | None
    rule: Name = "CR-S4"
    kind: Literal["seat-prepared"] = "seat-prepared"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkersStacked:
    """The markers were drawn onto the 30-minute mark: ``seats`` from the bottom to the top of the stack."""

    seats: tuple[Seat, ...]
    rule: Name = "CR-S5"
    kind: Literal["markers-stacked"] = "markers-stacked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesDrawn:
    """A seat drew tiles from the stack; each is ``None`` to those who may not see it."""

    seat: Seat
    tiles: Annotated[tuple[TileId | None, ...], Len(1)]
    rule: Name
    kind: Literal["tiles-drawn"] = "tiles-drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRenewed:
    """The discard pile became the new stack."""

    tiles: tuple[TileId, ...]
    rule: Name = "CR-T3"
    kind: Literal["stack-renewed"] = "stack-renewed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRanOut:
    """``missing`` tiles could not be drawn: stack and discard pile were both empty."""

    missing: Annotated[int, Ge(1)]
    rule: Name = "CR-T3"
    kind: Literal["stack-ran-out"] = "stack-ran-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilled:
    """Tiles of the stack were laid into the row."""

    tiles: tuple[TileId, ...]
    rule: Name
    kind: Literal["row-filled"] = "row-filled"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCleared:
    """The row went to the discard pile."""

    tiles: tuple[TileId, ...]
    rule: Name = "CR-R1"
    kind: Literal["row-cleared"] = "row-cleared"


@dataclass(frozen=True, slots=True, kw_only=True)
class TileTaken:
    """A seat spent a GPS update and took a tile of the row."""

    seat: Seat
    tile: TileId
    rule: Name = "CR-G1"
    kind: Literal["tile-taken"] = "tile-taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePlaced:
    """A seat laid a tile; the tile it ``replaced`` was discarded, or kept in the hand for a GPS update."""

    seat: Seat
    tile: TileId
    cell: Cell
    rot: Rotation
    replaced: TileId | None
    is_kept: bool
    rule: Name = "CR-P1"
    kind: Literal["tile-placed"] = "tile-placed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarDriven:
    """A car entered a cell; ``came_from`` is ``None`` when it entered the board."""

    seat: Seat
    came_from: Cell | None
    cell: Cell
    rule: Name
    kind: Literal["car-driven"] = "car-driven"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointMarked:
    """A seat put a checkpoint token on a cell."""

    seat: Seat
    cell: Cell
    rule: Name = "CR-K1"
    kind: Literal["checkpoint-marked"] = "checkpoint-marked"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarFinished:
    """A seat marked its last checkpoint as the ``place``-th; its car left the board."""

    seat: Seat
    place: Annotated[int, Ge(1), Le(4)]
    rule: Name = "CR-F1"
    kind: Literal["car-finished"] = "car-finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesDiscarded:
    """A seat discarded down to the hand limit."""

    seat: Seat
    tiles: tuple[TileId, ...]
    rule: Name = "CR-T2"
    kind: Literal["tiles-discarded"] = "tiles-discarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceStarted:
    """All start tiles lie: the race is on."""

    rule: Name = "CR-T1"
    kind: Literal["race-started"] = "race-started"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChanceBegun:
    """A seat began its unbroken run of turns after somebody finished."""

    seat: Seat
    rule: Name = "CR-F2"
    kind: Literal["last-chance-begun"] = "last-chance-begun"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChanceEnded:
    """A seat's run of turns is over; its marker passed that of ``passed``."""

    seat: Seat
    passed: Seat
    rule: Name = "CR-F2"
    kind: Literal["last-chance-ended"] = "last-chance-ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """Nobody may act any more; ``winner`` has the least time of the finishers."""

    winner: Seat
    rule: Name = "CR-F3"
    kind: Literal["game-ended"] = "game-ended"


Event = (
    BorderLaid
    | TileDealt
    | SeatPrepared
    | MarkersStacked
    | TilesDrawn
    | StackRenewed
    | StackRanOut
    | RowFilled
    | RowCleared
    | TileTaken
    | TilePlaced
    | CarDriven
    | CheckpointMarked
    | CarFinished
    | TilesDiscarded
    | RaceStarted
    | LastChanceBegun
    | LastChanceEnded
    | GameEnded
    | Spent
)
"""Every event of this game, the shared ones included."""

EVENTS: Final = get_args(Event)
"""The kinds of ``Event``, for the codec."""
