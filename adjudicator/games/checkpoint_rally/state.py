"""The state of a game: everything that changes, an explicit position, and what neither can be (CR-T, CR-F, CR-S6)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final

from adjudicator.core.piles import Pieces
from adjudicator.game import (
    OWNER,
    PUBLIC,
    At,
    Count,
    Flaw,
    Meta,
    Name,
    Public,
    Said,
    Seat,
    Value,
    count,
    fill,
    listed,
    of_seat,
    ordinal,
    replace,
    several,
)
from adjudicator.game import State as BaseState
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, Cell, Config, Frame, Laid, Rotation, TileId


class Stage(StrEnum):
    """The stage last announced: start tiles are placed, the race is on, the game is over."""

    STARTING = "starting"
    RACING = "racing"
    OVER = "over"


_CARD: Final = Said(lambda config, card: f"{card}: visit {listed(config.maps[card])}" if card else "", "map card")
MOST_MINUTES: Final = 100_000
"""Minutes up to which a clock can be set by hand."""
MOST_IN_HAND: Final = 12
"""Tiles up to which a hand can be filled by hand."""

SQUARES: Final = Pieces("cell", "CR-C1", lambda _config: CELLS, named_by=Cell)
STACK: Final = Pieces(
    "tile", "CR-C2", lambda config: config.rank, "board.tile", "racers.hand", "discard", "row", named_by=TileId
)
CARS: Final = Pieces("car", "CR-C5", lambda config: config.cars)
CARDS: Final = Pieces("card", "CR-C4", lambda config: config.maps)
PIECES: Final = (SQUARES, STACK, CARS, CARDS, parts.BORDER)
"""What a state names: each tile and each border piece lies in one place of it, the other tiles in the stack."""
CarName = Annotated[Name, CARS]
CardName = Annotated[Name, CARDS]


class Racer(Value, kw_only=True):
    """The values of one seat.

    ``cell`` is where the car stands (``None``: not started, or finished), ``marked`` the checkpoints visited in order,
    ``minutes`` the time spent. ``place`` is the order of finishing from 1, which nothing else tells. ``chance_over`` turns
    true with the last chance of a seat that has not finished (CR-F2): when that was, no clock tells afterwards.
    """

    seat: Public[Seat]
    car: Public[CarName | None] = None
    card: Annotated[CardName | None, OWNER, _CARD] = None
    cell: Public[Cell | None] = None
    hand: Annotated[tuple[TileId, ...], OWNER.counted] = ()
    marked: Public[tuple[Cell, ...]] = ()
    gps: Annotated[int, Meta(ge=0, le=parts.GPS_UPDATES), PUBLIC] = parts.GPS_UPDATES
    minutes: Annotated[Count, PUBLIC] = 0
    place: Public[Annotated[int, Meta(ge=1, le=4)] | None] = None
    chance_over: Public[bool] = False

    @property
    def has_chance(self) -> bool:
        """Whether the seat may still act (CR-F1, CR-F2)."""
        return self.place is None and not self.chance_over

    @property
    def has_to_start(self) -> bool:
        """Whether its start tile is not placed yet (CR-S6)."""
        return self.cell is None and self.place is None

    @property
    def rank(self) -> tuple[int, int, int]:
        """CR-F3: finishers by minutes, ties by who finished first; then the others by checkpoints marked, and minutes."""
        return (1, -len(self.marked), self.minutes) if self.place is None else (0, self.minutes, self.place)

    def note(self, *, is_over: bool) -> str:
        """Describe its public progress, without the number of checkpoints on a secret card."""
        if self.place is not None:
            return f"finished {ordinal(self.place)}"
        marked = count(len(self.marked), "checkpoint")
        return f"not classified, {marked}" if is_over else marked

    @property
    def excess(self) -> int:
        """How many tiles the hand has beyond its limit (CR-T2), 0 or more."""
        return max(0, len(self.hand) - parts.HAND_LIMIT)


class State(BaseState[Racer], Value, kw_only=True):
    """The whole position.

    ``board`` goes row by row from A1 to E5. The stack is a bag of unseen tiles, those that are nowhere else: no state holds
    a hidden order. ``order`` lists the markers as they are due: least time first, which the clocks tell, and the top of a
    stack first, which they do not (CR-T1); it is empty until the table is laid. ``acting`` has the turn in its last chance
    (CR-F2): that it has begun shows in no other value, since a discard may come before. ``stage`` is the last one announced:
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

    def stack(self, config: Config) -> tuple[TileId, ...]:
        """Return the tiles that may be drawn, in the order of the component set."""
        return STACK.left(config, self)

    @property
    def finishers(self) -> tuple[Racer, ...]:
        """The seats that have finished, in the order of finishing."""
        return tuple(sorted([racer for racer in self.racers if racer.place], key=lambda racer: racer.place or 0))

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


class TileAt(Value, kw_only=True):
    """A tile on the board, turned ``rot`` degrees clockwise."""

    cell: Cell
    tile: TileId
    rot: Rotation = 0


class SeatAt(Value, kw_only=True):
    """The place of a seat.

    Without ``cell`` the seat has still to place its start tile (or has finished, with ``place``). ``car`` and ``card``
    default to the first of the component set that are free. ``has_chance`` is false for a seat whose last chance is over.
    """

    seat: Seat
    car: CarName | None = None
    card: CardName | None = None
    cell: Cell | None = None
    hand: Annotated[tuple[TileId, ...], Meta(max_length=MOST_IN_HAND)] = ()
    marked: Annotated[tuple[Cell, ...], Meta(max_length=4)] = ()
    gps: Annotated[int, Meta(ge=0, le=2)] = 2
    minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] = 0
    place: Annotated[int, Meta(ge=1, le=4)] | None = None
    has_chance: bool = True


class Position(Value, kw_only=True):
    """The whole table.

    ``border`` (north, east, south, west) defaults to the first four pieces, front up. ``stack`` is every tile that is
    nowhere else, named or not. ``order`` lists the markers as they are due (least time first, the top of a stack first) and
    defaults to the clocks, ties in the order of the seats. ``acting`` has the turn in its last chance.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=4)]
    board: Annotated[tuple[TileAt, ...], Meta(max_length=25)] = ()
    row: Annotated[tuple[TileId, ...], Meta(max_length=3)] = ()
    discard: tuple[TileId, ...] = ()
    stack: tuple[TileId, ...] | None = None
    border: tuple[Frame, Frame, Frame, Frame] | None = None
    order: tuple[Seat, ...] | None = None
    acting: Seat | None = None


def _placed(config: Config, position: Position) -> State:
    """Return the state that ``position`` describes, with all its errors."""
    board = {at.cell: Laid(at.tile, at.rot) for at in position.board}
    by_clocks = tuple(at.seat for at in sorted(position.seats, key=lambda at: at.minutes))
    racers = tuple(_racers(config, position))
    going_on = Stage.RACING if any(racer.has_chance for racer in racers) else Stage.OVER
    return State(
        stage=Stage.STARTING if any(racer.has_to_start for racer in racers) else going_on,
        border=position.border or tuple(Frame(piece.id, "front") for piece in config.components.borders[:4]),
        board=tuple(board.get(cell) for cell in CELLS),
        discard=position.discard,
        row=position.row,
        racers=racers,
        order=by_clocks if position.order is None else position.order,
        acting=position.acting,
    )


def _racers(config: Config, position: Position) -> Iterator[Racer]:
    cars = [car for car in config.cars if car not in {at.car for at in position.seats}]
    cards = [card for card in config.maps if card not in {at.card for at in position.seats}]
    for seat in config.seats:
        at = of_seat(position.seats, seat)
        car, card = at.car or cars.pop(0), at.card or cards.pop(0)
        racer = replace(fill(Racer(seat=seat), at), car=car, card=card, chance_over=not at.has_chance)
        yield racer if at.card else replace(racer, marked=())  # of no card


def place(config: Config, position: Position | State) -> State:
    """Return the state with the markers in the order of the clocks, hands sorted, and no chance of a finisher."""
    state = position if isinstance(position, State) else _placed(config, position)
    clocks = {racer.seat: racer.minutes for racer in state.racers}
    racers = tuple(
        replace(racer, hand=config.sorted(racer.hand), chance_over=racer.chance_over and racer.place is None)
        for racer in state.racers
    )
    # Markers keep their order within a stack; only a clock that was changed moves its marker.
    order = sorted(state.order, key=clocks.__getitem__)
    return replace(state, racers=racers, order=tuple(order))


def _misplaced(config: Config, position: Position) -> Iterator[Flaw]:
    """Yield the errors of ``position`` that the state does not show."""
    yield from (Flaw(f"{cell} has {times} tiles", "CR-P5") for cell, times in several(at.cell for at in position.board))
    state = _placed(config, position)
    if position.stack is not None:
        everywhere = replace(state, discard=(*state.discard, *position.stack))
        yield from STACK.in_several_places(config, everywhere)
        missing = everywhere.stack(config)
        yield from Flaw.where((missing, f"these tiles are missing: {', '.join(missing)}", "CR-C2"))
    for at in position.seats:
        if at.marked and at.card is None:
            yield Flaw(f"{at.seat}: checkpoints are marked, so the card must be named", "CR-C4")
    clocks = [state.of(seat).minutes for seat in state.order]
    if _is_complete(config, state.order) and clocks != sorted(clocks):
        yield Flaw("the order of the markers must go by the clocks, the least time first", "CR-T1")


def impossible(config: Config, state: State, position: Position | None) -> Iterator[Flaw]:
    """Yield why ``state`` is impossible; the explicit ``position`` may have errors that no state can show."""
    if position is not None:
        yield from _misplaced(config, position)
    if len(state.row) > parts.ROW:
        yield Flaw(f"the row has {len(state.row)} tiles, {parts.ROW} are the most", "CR-C6")
    if len(state.border) != len(parts.SIDES):
        yield Flaw(f"the border has a piece on each of its {len(parts.SIDES)} sides, not {len(state.border)}", "CR-S1")
    for racer in state.racers:
        yield from _impossible_racer(config, state, racer)
    for what, owned in (("car", [racer.car for racer in state.racers]), ("card", [racer.card for racer in state.racers])):
        for name, times in several(owned):
            if name is not None:
                yield Flaw(f"{what} {name} is given to {times} seats", "CR-S4")
    if not _is_complete(config, state.order):
        yield Flaw("the order of the markers must name every seat once", "CR-T1")
    places = sorted(racer.place for racer in state.racers if racer.place is not None)
    if places != list(range(1, len(places) + 1)):
        yield Flaw("places in the finish must be 1, 2, … without a gap", "CR-F1")
    if not places and any(racer.chance_over for racer in state.racers):
        yield Flaw("a last chance can be over only after somebody has finished", "CR-F2")
    if state.acting is not None:
        yield from _impossible_last_chance(state, state.acting)
    yield from _impossible_start(config, state)
    if state.stage is Stage.OVER and any(racer.has_chance for racer in state.racers):
        yield Flaw("the game is not over while a seat may still act", "CR-F2")


def _is_complete(config: Config, order: tuple[Seat, ...]) -> bool:
    return sorted(order) == sorted(config.seats)


def _impossible_racer(config: Config, state: State, racer: Racer) -> Iterator[Flaw]:
    seat = racer.seat
    is_off = racer.cell is not None and state.at(racer.cell) is None
    yield from Flaw.where(
        (racer.car is None, f"{seat} has no car", "CR-S4"),
        (racer.card is None, f"{seat} has no card", "CR-S4"),
        (is_off, f"{seat}: the car stands on {racer.cell}, where no tile lies", "CR-M1"),
    )
    if len(racer.hand) > MOST_IN_HAND:
        yield Flaw(f"{seat}: a hand of {len(racer.hand)} tiles is too many, {MOST_IN_HAND} are the most")
    if racer.minutes > MOST_MINUTES:
        yield Flaw(f"{seat}: {racer.minutes} minutes are too many, {MOST_MINUTES} are the most")
    if racer.card is not None:
        marked, asked = set(racer.marked), config.maps[racer.card]
        if not marked <= set(asked) or len(marked) < len(racer.marked):
            message = f"{seat}: {' '.join(racer.marked)} cannot be marked: the card asks for {' '.join(asked)}, each once"
            yield Flaw(message, "CR-K1")
        elif (len(marked) == len(asked)) != (racer.place is not None):
            yield Flaw(f"{seat}: a seat has a place once every checkpoint is marked, and not before", "CR-F1")
    if racer.place is not None and racer.cell is not None:
        yield Flaw(f"{seat}: a car that has finished stands on no cell", "CR-F1")


def _impossible_last_chance(state: State, acting: Seat) -> Iterator[Flaw]:
    """Yield why the ``acting`` seat cannot be in its last chance (CR-F2)."""
    is_starting = any(racer.has_to_start for racer in state.racers)
    return Flaw.where(
        (not state.finishers, "there is a last chance to act in only after somebody has finished", "CR-F2"),
        (not state.of(acting).has_chance, f"{acting} cannot act: its chance is over", "CR-F2"),
        (is_starting, f"{acting} cannot act before all have started", "CR-S6"),
    )


def _impossible_start(config: Config, state: State) -> Iterator[Flaw]:
    """Yield why the seats that have not started cannot place their start tile (CR-S6)."""
    due = [racer for racer in state.racers if racer.has_to_start]
    for racer in due:
        corner = config.corners[racer.seat]
        laid = state.at(corner)
        if laid is not None:
            cars = [other.seat for other in state.racers if other.cell == corner]
            under = f" under the car of {listed(cars)}" if cars else ""
            message = f"{racer.seat}: its start tile has still to be placed in {corner}, where {laid.tile} lies{under}"
            yield Flaw(message, "CR-P1" if cars else "CR-S6")
        if racer.chance_over:
            yield Flaw(f"{racer.seat}: its last chance cannot be over before it has started", "CR-F2")
        if state.stage is not Stage.STARTING:
            stage = f"the stage is starting, not {state.stage}"
            yield Flaw(f"{racer.seat}: without a cell or a place it has still to start: {stage}", "CR-S6")
    without = [racer.seat for racer in due if not racer.hand]
    if without and len(state.stack(config)) + len(state.discard) <= parts.HAND_DEALT * (len(without) - 1):
        yield Flaw(f"there are not enough tiles for {' and '.join(without)} to start with", "CR-S6")
