"""The state a game begins with: an empty table, or the position that was given (CR-S)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, INDEX, TileId
from adjudicator.games.checkpoint_rally.position import Position, SeatAt
from adjudicator.games.checkpoint_rally.state import EMPTY_BOARD, Frame, Laid, Racer, Stage, State
from adjudicator.games.checkpoint_rally.table import Table


def initial(table: Table) -> State:
    """Return the first state. Raises ``SetupError`` with everything that is wrong with an explicit position."""
    if table.position is not None:
        return _placed(table, table.position)
    return State(
        stage=Stage.DEALING,
        border=(),
        board=EMPTY_BOARD,
        stack=tuple(tile.id for tile in table.components.tiles),
        discard=(),
        row=(),
        racers=tuple(Racer(seat=seat, corner=table.corners[seat]) for seat in table.seats),
        order=(),
        starting=(),
        acting=None,
    )


def _placed(table: Table, position: Position) -> State:
    problems = tuple(_position_problems(table, position))
    if problems:
        raise SetupError(problems)
    order = _order(position)
    starting = tuple(seat for seat in order if _has_to_start(_seat(position, seat)))
    over = all(seat.place is not None or not seat.has_chance for seat in position.seats)
    return State(
        stage=Stage.OVER if over else Stage.STARTING if starting else Stage.RACING,
        border=position.border or _default_border(table),
        board=_board(position),
        stack=_rest(table, position) if position.stack is None else table.sorted(position.stack),
        discard=position.discard,
        row=position.row,
        racers=tuple(_racers(table, position)),
        order=order,
        starting=starting,
        acting=position.acting,
    )


def _seat(position: Position, seat: Seat) -> SeatAt:
    return next(at for at in position.seats if at.seat == seat)


def _has_to_start(at: SeatAt) -> bool:
    return at.cell is None and at.place is None


def _order(position: Position) -> tuple[Seat, ...]:
    if position.order is not None:
        return position.order
    return tuple(at.seat for at in sorted(position.seats, key=lambda at: at.minutes))


def _default_border(table: Table) -> tuple[Frame, ...]:
    return tuple(Frame(piece.id, "front") for piece in table.components.borders[:4])


def _board(position: Position) -> tuple[Laid | None, ...]:
    board = list(EMPTY_BOARD)
    for at in position.board:
        board[INDEX[at.cell]] = Laid(at.tile, at.rot)
    return tuple(board)


def _racers(table: Table, position: Position) -> Iterator[Racer]:
    cars = [car for car in table.cars if car not in {at.car for at in position.seats}]
    cards = [card for card in table.maps if card not in {at.card for at in position.seats}]
    for seat in table.seats:
        at = _seat(position, seat)
        yield Racer(
            seat=seat,
            corner=table.corners[seat],
            car=at.car or cars.pop(0),
            card=at.card or cards.pop(0),
            cell=at.cell,
            hand=table.sorted(at.hand),
            marked=at.marked,
            gps=at.gps,
            minutes=at.minutes,
            place=at.place,
            has_chance=at.has_chance and at.place is None,
        )


def _named_tiles(position: Position) -> list[TileId]:
    hands = [tile for at in position.seats for tile in at.hand]
    return [*(at.tile for at in position.board), *position.row, *position.discard, *hands, *(position.stack or ())]


def _rest(table: Table, position: Position) -> tuple[TileId, ...]:
    named = set(_named_tiles(position))
    return tuple(tile for tile in table.rank if tile not in named)


def _position_problems(table: Table, position: Position) -> Iterator[Problem]:
    """Yield everything that cannot be so in a position."""
    seats = [at.seat for at in position.seats]
    if sorted(seats) != sorted(table.seats):
        yield _problem(f"the position is for the seats {', '.join(seats)}, the game for {', '.join(table.seats)}")
        return
    yield from _tile_problems(table, position)
    yield from _board_problems(position)
    for at in position.seats:
        yield from _seat_problems(table, position, at)
    for what, values in (("car", [at.car for at in position.seats]), ("card", [at.card for at in position.seats])):
        for value, count in Counter(value for value in values if value).items():
            if count > 1:
                yield _problem(f"{what} {value} is given to {count} seats")
    yield from _start_problems(table, position)
    yield from _order_problems(position)
    yield from _finish_problems(position)
    yield from _border_problems(table, position)


def _tile_problems(table: Table, position: Position) -> Iterator[Problem]:
    named = Counter(_named_tiles(position))
    for tile, count in named.items():
        if tile not in table.rank:
            yield _problem(f"the component set has no tile {tile}")
        elif count > 1:
            yield _problem(f"tile {tile} is in {count} places")
    missing = [tile for tile in table.rank if tile not in named]
    if position.stack is not None and missing:
        yield _problem(f"a stack is given, but these tiles are nowhere: {', '.join(missing)}")


def _board_problems(position: Position) -> Iterator[Problem]:
    for cell, count in Counter(at.cell for at in position.board).items():
        if cell not in INDEX:
            yield _problem(f"{cell} is not on the board (A1 to E5)")
        elif count > 1:
            yield _problem(f"{cell} has {count} tiles")


def _seat_problems(table: Table, position: Position, at: SeatAt) -> Iterator[Problem]:
    if at.car is not None and at.car not in table.cars:
        yield _problem(f"{at.seat}: the component set has no car {at.car}")
    if at.card is not None and at.card not in table.maps:
        yield _problem(f"{at.seat}: the component set has no card {at.card}")
    if at.cell is not None and at.cell not in {tile.cell for tile in position.board}:
        yield _problem(f"{at.seat}: the car stands on {at.cell}, where no tile lies")
    if at.cell is not None and at.place is not None:
        yield _problem(f"{at.seat}: a car that has finished stands on no cell")
    if at.marked and at.card is None:
        yield _problem(f"{at.seat}: checkpoints are marked, so the card must be named")
    elif at.marked and at.card is not None and at.card in table.maps:
        checkpoints = table.maps[at.card]
        strange = [cell for cell in at.marked if cell not in checkpoints]
        if strange or len(set(at.marked)) < len(at.marked):
            yield _problem(f"{at.seat}: marked are {' '.join(at.marked)}, the card asks for {' '.join(checkpoints)}")
        if (set(at.marked) == set(checkpoints)) != (at.place is not None):
            yield _problem(f"{at.seat}: who has marked every checkpoint has a place, and nobody else")
    elif at.place is not None:
        yield _problem(f"{at.seat}: who has a place has marked every checkpoint of a card")


def _start_problems(table: Table, position: Position) -> Iterator[Problem]:
    """Who has still to start needs a tile to start with: in the hand, or to be dealt (CR-S6)."""
    without = [at.seat for at in position.seats if _has_to_start(at) and not at.hand]
    stack = _rest(table, position) if position.stack is None else position.stack
    if without and len(stack) + len(position.discard) <= HAND_DEALT * (len(without) - 1):
        yield _problem(f"there are not enough tiles for {' and '.join(without)} to start with")


def _order_problems(position: Position) -> Iterator[Problem]:
    minutes = {at.seat: at.minutes for at in position.seats}
    if position.acting is not None and position.acting not in minutes:
        yield _problem(f"there is no seat {position.acting} to have the turn")
    if position.order is None:
        return
    if sorted(position.order) != sorted(minutes):
        yield _problem("the order of the markers must name every seat once")
    elif any(minutes[left] > minutes[right] for left, right in zip(position.order, position.order[1:], strict=False)):
        yield _problem("the order of the markers must go by the clocks, the least time first")


def _finish_problems(position: Position) -> Iterator[Problem]:
    places = sorted(at.place for at in position.seats if at.place is not None)
    if places != list(range(1, len(places) + 1)):
        yield _problem("places in the finish must be 1, 2, … without a gap")
    if not places and any(not at.has_chance for at in position.seats):
        yield _problem("a last chance can be over only after somebody has finished")
    if not places and position.acting is not None:
        yield _problem("there is a last chance to act in only after somebody has finished")
    if position.acting is not None:
        acting = [at for at in position.seats if at.seat == position.acting]
        if acting and (acting[0].place is not None or not acting[0].has_chance):
            yield _problem(f"{position.acting} cannot act: its chance is over")


def _border_problems(table: Table, position: Position) -> Iterator[Problem]:
    pieces = [frame.piece for frame in position.border or ()]
    for piece in pieces:
        if piece not in table.pieces:
            yield _problem(f"the component set has no border piece {piece}")
    if len(set(pieces)) < len(pieces):
        yield _problem("a border piece lies on two sides")


def _problem(message: str) -> Problem:
    return Problem("checkpoint-rally/impossible-position", message)
