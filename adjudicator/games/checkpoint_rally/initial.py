"""The state a game begins with: an empty table, or the position that was given (CR-S)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from adjudicator.core.change import change
from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_rally.components import INDEX, TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.position import Position, SeatAt
from adjudicator.games.checkpoint_rally.possible import impossible
from adjudicator.games.checkpoint_rally.state import EMPTY_BOARD, Frame, Laid, Racer, Stage, State


def initial(config: Config) -> State:
    """Return the first state. Raises ``SetupError`` with everything that is wrong with an explicit position."""
    if config.position is not None:
        return _placed(config, config.position)
    return State(
        stage=Stage.DEALING,
        border=(),
        board=EMPTY_BOARD,
        stack=tuple(tile.id for tile in config.components.tiles),
        discard=(),
        row=(),
        racers=tuple(Racer(seat=seat, corner=config.corners[seat]) for seat in config.seats),
        order=(),
        starting=(),
        acting=None,
    )


def _placed(config: Config, position: Position) -> State:
    seats = [at.seat for at in position.seats]
    if sorted(seats) != sorted(config.seats):
        raise SetupError((_problem(f"the position is for the seats {_list(seats)}, the game for {_list(config.seats)}"),))
    state = _state(config, position)
    problems = (*_misspelt(position), *impossible(config, state))
    if problems:
        raise SetupError(tuple(map(_problem, problems)))
    racers = tuple(change(racer, hand=config.sorted(racer.hand)) for racer in state.racers)
    return change(state, racers=racers, stack=config.sorted(state.stack))


def _state(config: Config, position: Position) -> State:
    """Return the state that ``position`` describes, hands and stack as they are named, whatever may be wrong with it."""
    order = _order(position)
    # Of an order that names other seats something else is told: who has to start must not be blamed for it.
    due = order if sorted(order) == sorted(config.seats) else config.seats
    starting = tuple(seat for seat in due if _has_to_start(_seat(position, seat)))
    board = _board(position)
    over = all(seat.place is not None or not seat.has_chance for seat in position.seats)
    return State(
        stage=Stage.STARTING if starting else Stage.OVER if over else Stage.RACING,
        border=position.border or _default_border(config),
        board=board,
        stack=_stack(config, position, board),
        discard=position.discard,
        row=position.row,
        racers=tuple(_racers(config, position)),
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


def _default_border(config: Config) -> tuple[Frame, ...]:
    return tuple(Frame(piece.id, "front") for piece in config.components.borders[:4])


def _board(position: Position) -> tuple[Laid | None, ...]:
    board = list(EMPTY_BOARD)
    for at in position.board:
        if at.cell in INDEX:
            board[INDEX[at.cell]] = Laid(at.tile, at.rot)
    return tuple(board)


def _racers(config: Config, position: Position) -> Iterator[Racer]:
    cars = [car for car in config.cars if car not in {at.car for at in position.seats}]
    cards = [card for card in config.maps if card not in {at.card for at in position.seats}]
    for seat in config.seats:
        at = _seat(position, seat)
        yield Racer(
            seat=seat,
            corner=config.corners[seat],
            car=at.car or cars.pop(0),
            card=at.card or cards.pop(0),
            cell=at.cell,
            hand=at.hand,
            marked=at.marked if at.card else (),
            gps=at.gps,
            minutes=at.minutes,
            place=at.place,
            has_chance=at.has_chance and at.place is None,
        )


def _named_tiles(position: Position) -> list[TileId]:
    hands = [tile for at in position.seats for tile in at.hand]
    return [*(at.tile for at in position.board), *position.row, *position.discard, *hands, *(position.stack or ())]


def _stack(config: Config, position: Position, board: tuple[Laid | None, ...]) -> tuple[TileId, ...]:
    """Return the stack, and in it the tiles that found no cell: they are not missing besides."""
    named, laid = set(_named_tiles(position)), {square.tile for square in board if square is not None}
    stack = tuple(tile for tile in config.rank if tile not in named) if position.stack is None else position.stack
    return (*stack, *(at.tile for at in position.board if at.tile not in laid))


def _misspelt(position: Position) -> Iterator[str]:
    """Yield what a position says in a way that no state could have: the state does not show it any more."""
    for cell, count in Counter(at.cell for at in position.board).items():
        if cell not in INDEX:
            yield f"{cell} is not on the board (A1 to E5)"
        elif count > 1:
            yield f"{cell} has {count} tiles"
    for at in position.seats:
        if at.marked and at.card is None:
            yield f"{at.seat}: checkpoints are marked, so the card must be named"


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _problem(message: str) -> Problem:
    return Problem("checkpoint-rally/impossible-position", message)
