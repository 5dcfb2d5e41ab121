"""The events of the set-up and of tiles; those of driving, laying, a finish and the last chance are with their rules."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, Event, Meta, Name, Positive, Public, Said, Seat, Secret, replace
from adjudicator.games.checkpoint_rally.components import Cell, Config, Frame, Laid, Rotation, TileId
from adjudicator.games.checkpoint_rally.state import Stage, State

SIDE_NAMES: Final = ("north", "east", "south", "west")
_NAMED: Final = Said(lambda _config, tiles: " ".join(tiles))
Tiles = Annotated[tuple[TileId, ...], _NAMED]
"""Tiles that all may see, with the names that orders use."""


class BorderLaid(Event):
    """The border pieces lie around the board: north, east, south, west."""

    sets = {"border": "frames"}
    frames: Public[tuple[Frame, Frame, Frame, Frame]]
    rule: Name = "CR-S1"

    def tell(self, config: Config) -> str:
        sides = zip(SIDE_NAMES, self.frames, strict=True)
        return "border: " + ", ".join(f"{side} {frame.piece} ({frame.face})" for side, frame in sides)


class TileDealt(Event):
    """A tile of the stack was laid on the board at the set-up."""

    says = "{tile} is dealt to {cell}, turned {rot}°"
    tile: Public[TileId]
    cell: Public[Cell]
    rot: Public[Rotation]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return replace(state, board=state.with_tile(self.cell, Laid(self.tile, self.rot)))


class SeatPrepared(Event):
    """A seat got its car and its secret checkpoint card."""

    sets = {"own.car": "car", "own.card": "card"}
    seat: Public[Seat]
    car: Public[Name]
    card: Secret[Name | None]
    rule: Name = "CR-S4"

    def tell(self, config: Config) -> str:
        car = config.cars[self.car]
        cost = f"highway {car.highway}, gravel {car.gravel}, urban {car.urban}"
        card = f"; checkpoints {' '.join(config.maps[self.card])} (card {self.card})" if self.card else ""
        return f"{self.seat} starts in {config.corners[self.seat]} and drives the {car.name} ({cost}){card}"


class MarkersStacked(Event):
    """The markers were drawn onto the 30-minute mark: ``seats`` from the bottom to the top of the stack."""

    seats: Public[tuple[Seat, ...]]
    rule: Name = "CR-S5"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, order=tuple(reversed(self.seats)))

    def tell(self, config: Config) -> str:
        return f"order of play: {' '.join(reversed(self.seats))}"


class TilesDrawn(Event):
    """A seat drew tiles from the stack: by an order, for a draw line, to start with; the rule says which it was."""

    says = "{seat} draws {tiles} ({rule})"
    unseen = "{seat} draws {number:tile} ({rule})"
    moves = "tiles: > own.hand"
    seat: Public[Seat]
    tiles: Annotated[tuple[TileId | None, ...], Meta(min_length=1), OWNER.counted, _NAMED]
    rule: Name

    @property
    def number(self) -> int:
        """The number of tiles, which is public."""
        return len(self.tiles)


class StackRenewed(Event):
    """The discard pile became the new stack."""

    says = "the discard pile becomes the new stack: {tiles:tile}"
    becomes = {"discard": ()}
    tiles: Public[tuple[TileId, ...]]
    rule: Name = "CR-T3"


class StackRanOut(Event):
    """``missing`` tiles could not be drawn: stack and discard pile were both empty."""

    says = "stack and discard pile are empty: {missing:tile} not drawn"
    missing: Public[Positive]
    rule: Name = "CR-T3"


class RowFilled(Event):
    """Tiles of the stack were laid into the row."""

    says = "the row gets {tiles}"
    moves = "tiles: > row"
    tiles: Public[Tiles]
    rule: Name


class RowCleared(Event):
    """The row went to the discard pile."""

    says = "the row is discarded: {tiles}"
    moves = "row > discard"
    tiles: Public[Tiles]
    rule: Name = "CR-R1"


class TileTaken(Event):
    """A seat spent a GPS update and took a tile of the row."""

    says = "{seat} takes {tile} out of the row for a GPS update"
    moves = "tile: row > own.hand"
    adds = {"own.gps": -1}
    seat: Public[Seat]
    tile: Public[TileId]
    rule: Name = "CR-G1"


class TilesDiscarded(Event):
    """A seat discarded down to the hand limit."""

    says = "{seat} discards {tiles}"
    moves = "tiles: own.hand > discard"
    seat: Public[Seat]
    tiles: Public[Tiles]
    rule: Name = "CR-T2"


class RaceStarted(Event):
    """All start tiles lie: the race is on."""

    says = "all start tiles lie: the race is on"
    becomes = {"stage": Stage.RACING}
    rule: Name = "CR-T1"
