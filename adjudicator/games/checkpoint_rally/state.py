"""The state of a game: everything that changes (CR-T)."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, At, Count, InOrder, Meta, Name, Public, Said, Seat, Value, listed, piles
from adjudicator.game import State as BaseState
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, Cell, Config, Frame, Laid, TileId


class Stage(StrEnum):
    """The stage last announced: start tiles are placed, the race is on, the game is over."""

    STARTING = "starting"
    RACING = "racing"
    OVER = "over"


DIAL: Final = 30
"""Minutes on the dial of the stopwatch (CR-T2)."""
_SORTED: Final = InOrder(lambda config: config.rank_of)
_CARD: Final = Said(lambda config, card: f"{card}: visit {listed(config.maps[card])}" if card else "", "map card")

SQUARES: Final = piles.Pieces("cell", "CR-C1", lambda _config: CELLS, named_by=Cell)
STACK: Final = piles.Pieces(
    "tile", "CR-C2", lambda config: config.rank, "board.tile", "racers.hand", "discard", "row", named_by=TileId
)
CARS: Final = piles.Pieces("car", "CR-C5", lambda config: config.cars)
CARDS: Final = piles.Pieces("card", "CR-C4", lambda config: config.maps)
PIECES: Final = (SQUARES, STACK, CARS, CARDS, parts.BORDER)
"""What a state names: each tile and each border piece lies in one place of it, the other tiles in the stack."""
CarName = Annotated[Name, CARS]
CardName = Annotated[Name, CARDS]


class Racer(Value, kw_only=True):
    """The values of one seat.

    ``cell`` is where the car stands (``None``: not started, or finished), ``marked`` the checkpoints visited in order,
    ``minutes`` the time spent. ``place`` is the order of finishing from 1, which nothing else tells. ``chance_over`` turns
    true with the last chance of a seat that has not finished: when that was, no clock tells afterwards.
    """

    seat: Public[Seat]
    car: Public[CarName | None] = None
    card: Annotated[CardName | None, OWNER, _CARD] = None
    cell: Public[Cell | None] = None
    hand: Annotated[tuple[TileId, ...], OWNER.counted, _SORTED] = ()
    marked: Public[tuple[Cell, ...]] = ()
    gps: Annotated[int, Meta(ge=0, le=parts.GPS_UPDATES), PUBLIC] = parts.GPS_UPDATES
    minutes: Annotated[Count, PUBLIC] = 0
    place: Public[Annotated[int, Meta(ge=1, le=4)] | None] = None
    chance_over: Public[bool] = False

    @property
    def has_chance(self) -> bool:
        """Whether the seat may still act: it has not finished (CR-F1), and its last chance is not over."""
        return self.place is None and not self.chance_over

    @property
    def has_to_start(self) -> bool:
        """Whether its start tile is not placed yet (CR-S6)."""
        return self.cell is None and self.place is None

    def left(self, config: Config) -> tuple[Cell, ...] | None:
        """Return the checkpoints still to visit, in the order of the card; ``None`` where that is secret."""
        marked = self.marked
        return tuple([cell for cell in config.maps[self.card] if cell not in marked]) if self.card else None

    @property
    def dial(self) -> int:
        """The minute that its marker shows on the stopwatch (CR-T2): 30 at the start of every lap."""
        return self.minutes % DIAL or DIAL

    @property
    def rank(self) -> tuple[int, int, int]:
        """CR-F3: finishers by minutes, ties by who finished first; then the others by checkpoints marked, and minutes."""
        return (1, -len(self.marked), self.minutes) if self.place is None else (0, self.minutes, self.place)

    @property
    def excess(self) -> int:
        """How many tiles the hand has beyond its limit (CR-T2), 0 or more."""
        return max(0, len(self.hand) - parts.HAND_LIMIT)


class State(BaseState[Racer], kw_only=True):
    """The whole position.

    ``board`` goes row by row from A1 to E5. The stack is a bag of unseen tiles, those that are nowhere else: no state holds
    a hidden order. ``order`` lists the markers as they are due: least time first, which the clocks tell, and the top of a
    stack first, which they do not (CR-T1); it is empty until the table is laid. ``acting`` has the turn in its last chance:
    that it has begun shows in no other value, since a discard may come before. ``stage`` is the last one announced:
    after an amendment that starts the race or ends the game the next event announces it.
    """

    own_in, account = "racers", "minutes"

    stage: Public[Stage] = Stage.STARTING
    border: Public[Annotated[tuple[Frame, ...], Meta(max_length=4)]] = ()
    board: Public[Annotated[tuple[Laid | None, ...], Meta(min_length=25, max_length=25), parts.BY_CELL]] = (None,) * len(
        CELLS
    )
    discard: Public[tuple[TileId, ...]] = ()
    row: Public[tuple[TileId, ...]] = ()
    racers: Public[tuple[Racer, ...]]
    order: Public[tuple[Seat, ...]] = ()
    acting: Public[Seat | None] = None

    def spent(self, seat: str, after: int) -> State:
        """Set the clock of ``seat``; its marker lies on top of its stack then, so it is due before all that are there."""
        if self.of(seat).minutes == after:
            return self  # An action of 0 minutes leaves the marker where it is (CR-T1).
        others = [other for other in self.order if other != seat]
        at = bisect_left(others, after, key=lambda other: self.of(other).minutes)
        return self.with_own(seat, {"order": (*others[:at], Seat(seat), *others[at:])}, minutes=after)

    def at(self, cell: Cell) -> Laid | None:
        """Return the tile on ``cell``."""
        return self.board[INDEX[cell]]

    def with_tile(self, cell: Cell, laid: Laid) -> tuple[Laid | None, ...]:
        """Return the board with ``laid`` on ``cell``."""
        index = INDEX[cell]
        return (*self.board[:index], laid, *self.board[index + 1 :])

    def stack(self, config: Config) -> tuple[TileId, ...]:
        """Return the tiles that may be drawn, in the order of the component set."""
        return STACK.left(config, self)

    @property
    def finishers(self) -> tuple[Racer, ...]:
        """The seats that have finished (CR-F1)."""
        return tuple([racer for racer in self.racers if racer.place])

    @property
    def starting(self) -> tuple[Seat, ...]:
        """The seats that have still to place their start tile, as they are due (CR-S6)."""
        return tuple([seat for seat in self.order if self.of(seat).has_to_start])

    @property
    def next_to_act(self) -> Seat | None:
        """The seat with the least time of those that may act, the top of a stack first (CR-T1)."""
        for seat in self.order:
            if self.of(seat).has_chance:
                return seat
        return None


Here = At[Config, State, Racer]
"""A position of the game."""
