"""Explicit positions, and what neither they nor an amended state can be (CR-C, CR-S6, CR-F1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from adjudicator.game import Flaw, Meta, Seat, Seen, Value, listed, of_seat, replace, several
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import last_chance
from adjudicator.games.checkpoint_rally.components import CELLS, Cell, Config, Frame, Laid, Rotation, TileId
from adjudicator.games.checkpoint_rally.orders import CarDriven
from adjudicator.games.checkpoint_rally.state import STACK, CardName, CarName, Racer, Stage, State

if TYPE_CHECKING:
    from adjudicator.game import advice

MOST_MINUTES: Final = 100_000
"""Minutes up to which a clock can be set by hand."""
MOST_IN_HAND: Final = 12
"""Tiles up to which a hand can be filled by hand."""


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


def place(config: Config, state: State, position: Position | State) -> State:
    """Return ``state``, the fields of ``position`` over the beginning of the game, with all that follows from them.

    The markers are in the order of the clocks, hands sorted, and a finisher has no chance.
    """
    order = state.order
    if isinstance(position, Position):
        cars = [car for car in config.cars if car not in {at.car for at in position.seats}]
        cards = [card for card in config.maps if card not in {at.card for at in position.seats}]
        racers = list[Racer]()
        for racer in state.racers:
            at = of_seat(position.seats, racer.seat)
            racer = replace(racer, car=at.car or cars.pop(0), chance_over=not at.has_chance)
            # Marks without a card are marks of no card: they are an error of the position.
            racers.append(racer if at.card else replace(racer, card=cards.pop(0), marked=()))
        board = {at.cell: Laid(at.tile, at.rot) for at in position.board}
        is_racing = any(racer.has_chance for racer in racers)
        is_starting = any(racer.has_to_start for racer in racers)
        state = replace(
            state,
            stage=Stage.STARTING if is_starting else Stage.RACING if is_racing else Stage.OVER,
            border=position.border or tuple(Frame(piece.id, "front") for piece in config.components.borders[:4]),
            board=tuple(board.get(cell) for cell in CELLS),
            racers=tuple(racers),
        )
        order = tuple(at.seat for at in position.seats) if position.order is None else position.order
    # Markers keep their order within a stack; only a clock that was changed moves its marker.
    order = tuple(sorted(order, key=lambda seat: state.of(seat).minutes))
    placed = (
        replace(racer, hand=config.sorted(racer.hand), chance_over=racer.chance_over and racer.place is None)
        for racer in state.racers
    )
    return replace(state, racers=tuple(placed), order=order)


def with_cards(config: Config, state: State, known: Seen, luck: advice.Luck) -> State:
    """Return ``state`` with a possible card for each seat that hides its own.

    A seat has marked each checkpoint of its card that it came to (CR-K1), and finished with the last one (CR-F1).
    """
    came = [(event.seat, event.cell) for event in known.events if isinstance(event, CarDriven)]
    free = [card for card in config.maps if card not in {racer.card for racer in state.racers}]

    def possible(racer: Racer, *, remembers: bool) -> list[CardName]:
        passed = {cell for seat, cell in came if seat == racer.seat and remembers} - {*racer.marked}
        fits = (card for card in free if {*racer.marked} <= {*config.maps[card]} and not passed & {*config.maps[card]})
        return [card for card in fits if (len(racer.marked) == len(config.maps[card])) == (racer.place is not None)]

    hidden = [racer for racer in state.racers if racer.card is None]
    for racer in sorted(hidden, key=lambda racer: len(possible(racer, remembers=True))):
        # A moderator may have changed cards or marks: then what a car passed tells nothing.
        cards = possible(racer, remembers=True) or possible(racer, remembers=False)
        if cards:
            free.remove(card := luck.choice(cards))
            state = state.with_own(racer.seat, card=card)
    return state


def impossible(config: Config, state: State, position: Position | None) -> Iterator[Flaw]:
    """Yield why ``state`` is impossible; the explicit ``position`` may have errors that no state can show."""
    is_complete = sorted(state.order) == sorted(config.seats)
    if position is not None:
        yield from (Flaw(f"{cell} has {times} tiles", "CR-P5") for cell, times in several(at.cell for at in position.board))
        if position.stack is not None:
            everywhere = replace(state, discard=(*state.discard, *position.stack))
            yield from STACK.in_several_places(config, everywhere)
            if missing := everywhere.stack(config):
                yield Flaw(f"these tiles are missing: {', '.join(missing)}", "CR-C2")
        for at in position.seats:
            if at.marked and at.card is None:
                yield Flaw(f"{at.seat}: checkpoints are marked, so the card must be named", "CR-C4")
        if is_complete and position.order not in (None, state.order):
            yield Flaw("the order of the markers must go by the clocks, the least time first", "CR-T1")
    if len(state.row) > parts.ROW:
        yield Flaw(f"the row has {len(state.row)} tiles, {parts.ROW} are the most", "CR-C6")
    if len(state.border) != len(parts.SIDES):
        yield Flaw(f"the border has a piece on each of its {len(parts.SIDES)} sides, not {len(state.border)}", "CR-S1")
    for racer in state.racers:
        yield from _impossible_racer(config, state, racer)
    for what, owned in (("car", [racer.car for racer in state.racers]), ("card", [racer.card for racer in state.racers])):
        for name, times in several(filter(None, owned)):
            yield Flaw(f"{what} {name} is given to {times} seats", "CR-S4")
    if not is_complete:
        yield Flaw("the order of the markers must name every seat once", "CR-T1")
    places = sorted(racer.place for racer in state.racers if racer.place)
    if places != list(range(1, len(places) + 1)):
        yield Flaw("places in the finish must be 1, 2, … without a gap", "CR-F1")
    yield from last_chance.impossible(state)
    without = [racer.seat for racer in state.racers if racer.has_to_start and not racer.hand]
    if without and len(state.stack(config)) + len(state.discard) <= parts.HAND_DEALT * (len(without) - 1):
        yield Flaw(f"there are not enough tiles for {' and '.join(without)} to start with", "CR-S6")


def _impossible_racer(config: Config, state: State, racer: Racer) -> Iterator[Flaw]:
    seat, corner = racer.seat, config.corners[racer.seat]
    is_off = racer.cell is not None and state.at(racer.cell) is None
    hand, has_finished = len(racer.hand), racer.place is not None
    yield from Flaw.where(
        (racer.car is None, f"{seat} has no car", "CR-S4"),
        (racer.card is None, f"{seat} has no card", "CR-S4"),
        (is_off, f"{seat}: the car stands on {racer.cell}, where no tile lies", "CR-M1"),
        (hand > MOST_IN_HAND, f"{seat}: a hand of {hand} tiles is too many, {MOST_IN_HAND} are the most", ""),
        (racer.minutes > MOST_MINUTES, f"{seat}: {racer.minutes} minutes are too many, {MOST_MINUTES} are the most", ""),
        (has_finished and racer.cell, f"{seat}: a car that has finished stands on no cell", "CR-F1"),
    )
    if racer.card is not None:
        marked, asked = set(racer.marked), config.maps[racer.card]
        if not marked <= set(asked) or len(marked) < len(racer.marked):
            message = f"{seat}: {' '.join(racer.marked)} cannot be marked: the card asks for {' '.join(asked)}, each once"
            yield Flaw(message, "CR-K1")
        elif (len(marked) == len(asked)) != has_finished:
            yield Flaw(f"{seat}: a seat has a place once every checkpoint is marked, and not before", "CR-F1")
    if not racer.has_to_start:
        return
    if laid := state.at(corner):
        cars = [other.seat for other in state.racers if other.cell == corner]
        under = f" under the car of {listed(cars)}" if cars else ""
        message = f"{seat}: its start tile has still to be placed in {corner}, where {laid.tile} lies{under}"
        yield Flaw(message, "CR-P1" if cars else "CR-S6")
    if state.stage is not Stage.STARTING:
        stage = f"the stage is starting, not {state.stage}"
        yield Flaw(f"{seat}: without a cell or a place it has still to start: {stage}", "CR-S6")
