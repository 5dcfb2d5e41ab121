"""What follows from a legal order: the events, one after the other (CR-S6, CR-T2, the actions, CR-F)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final

from adjudicator.core.chance import Chance
from adjudicator.core.event import Part, Spent, total
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_rally.components import INDEX, ROW, Cell, Rotation
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.cost import DRAW_WHY, REFRESH_WHY, driven_path, move_why, place_why, start_why
from adjudicator.games.checkpoint_rally.events import (
    CarDriven,
    CarFinished,
    CheckpointMarked,
    Event,
    LastChanceEnded,
    RowCleared,
    RowFilled,
    TilePlaced,
    TilesDiscarded,
    TilesDrawn,
    TileTaken,
)
from adjudicator.games.checkpoint_rally.orders import Discard, Draw, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.stack import draw_tiles
from adjudicator.games.checkpoint_rally.state import State
from adjudicator.games.checkpoint_rally.turn import START, chance_ended_by, decision_kind

DRAW_LINE: Final = 15
"""A tile is drawn for each so many minutes spent (CR-T2)."""

Moves = Generator[Event, State, State]


def decide(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Generator[Event, State, None]:
    """Yield the events of ``order``, which ``check`` has passed; to be handed the state after each."""
    if isinstance(order, (Discard, Keep)):
        yield TilesDiscarded(seat=seat, tiles=discarded(config, state, seat, order))
        return
    action = _start if decision_kind(state, seat) == START else _ACTIONS[type(order)]
    state = yield from action(config, state, seat, order, chance)
    ended_by = chance_ended_by(config, state, seat) if state.acting == seat else None
    if ended_by is not None:
        yield LastChanceEnded(seat=seat, passed=ended_by)


def discarded(config: Config, state: State, seat: Seat, order: Discard | Keep) -> tuple[Any, ...]:
    """Return the tiles that go, in the order of the component set."""
    if isinstance(order, Discard):
        return config.sorted(order.tiles)
    return config.sorted(set(state.racer(seat).hand).difference(order.tiles))


def _start(config: Config, state: State, seat: Seat, order: Place, chance: Chance) -> Moves:
    """CR-S6: lay the tile in the corner, drive onto it, clock both."""
    why = start_why(config, state, seat, order)
    state = yield _placed(state, seat, order)
    state = yield from _drive(config, state, seat, (order.cell,), "CR-S6")
    return (yield from _spend(config, state, seat, why, chance))


def _place(config: Config, state: State, seat: Seat, order: Place, chance: Chance) -> Moves:
    why = place_why(config, state, order)
    state = yield _placed(state, seat, order)
    return (yield from _spend(config, state, seat, why, chance))


def _placed(state: State, seat: Seat, order: Place) -> TilePlaced:
    old = state.board[INDEX[order.cell]]
    rot: Rotation = order.rot  # type: ignore[assignment]  # check has seen to it that it is one of the four
    return TilePlaced(
        seat=seat,
        tile=order.tile,
        cell=order.cell,
        rot=rot,
        replaced=old.tile if old else None,
        is_kept=order.gps,
        rule="CR-P5" if old else "CR-P1",
    )


def _move(config: Config, state: State, seat: Seat, order: Move, chance: Chance) -> Moves:
    why = move_why(config, state, seat, order.path)
    driven, _ = driven_path(config, state.racer(seat), order.path)
    state = yield from _drive(config, state, seat, driven, "CR-M1")
    return (yield from _spend(config, state, seat, why, chance))


def _drive(config: Config, state: State, seat: Seat, path: tuple[Cell, ...], rule: str) -> Moves:
    """Enter each cell of ``path``, marking checkpoints on the way (CR-K1)."""
    checkpoints = config.maps[state.racer(seat).card or ""]
    for cell in path:
        state = yield CarDriven(seat=seat, came_from=state.racer(seat).cell, cell=cell, rule=rule)
        if cell in checkpoints and cell not in state.racer(seat).marked:
            state = yield CheckpointMarked(seat=seat, cell=cell)
    return state


def _draw(config: Config, state: State, seat: Seat, _order: Draw, chance: Chance) -> Moves:
    state = yield from _draw_into_hand(config, state, seat, 2, "CR-D1", chance)
    return (yield from _spend(config, state, seat, DRAW_WHY, chance))


def _refresh(config: Config, state: State, seat: Seat, _order: Refresh, chance: Chance) -> Moves:
    if state.row:
        state = yield RowCleared(tiles=state.row)
    state = yield from _fill_row(config, state, "CR-R1", chance)
    return (yield from _spend(config, state, seat, REFRESH_WHY, chance))


def _take(config: Config, state: State, seat: Seat, order: Take, chance: Chance) -> Moves:
    state = yield TileTaken(seat=seat, tile=order.tile)
    return (yield from _fill_row(config, state, "CR-G1", chance))


def _fill_row(config: Config, state: State, rule: str, chance: Chance) -> Moves:
    tiles, state = yield from draw_tiles(config, state, chance, ROW - len(state.row), "a tile of the stack for the row")
    if tiles:
        state = yield RowFilled(tiles=tiles, rule=rule)
    return state


def _draw_into_hand(config: Config, state: State, seat: Seat, count: int, rule: str, chance: Chance) -> Moves:
    purpose = f"a tile of the stack for {seat}"
    tiles, state = yield from draw_tiles(config, state, chance, count, purpose)
    if tiles:
        state = yield TilesDrawn(seat=seat, tiles=tiles, rule=rule)
    return state


def _spend(config: Config, state: State, seat: Seat, why: tuple[Part, ...], chance: Chance) -> Moves:
    """Move the marker; then finish, or draw for each draw line passed (CR-T2, CR-F1)."""
    racer = state.racer(seat)
    before, after = racer.minutes, racer.minutes + total(why)
    state = yield Spent(seat=seat, before=before, after=after, why=why)
    if len(racer.marked) == len(config.maps[racer.card or ""]):
        return (yield CarFinished(seat=seat, place=len(state.finishers) + 1))
    lines = after // DRAW_LINE - before // DRAW_LINE
    if lines > 0:
        state = yield from _draw_into_hand(config, state, seat, lines, "CR-T2", chance)
    return state


_ACTIONS: Final[dict[type, Callable[[Config, State, Seat, Any, Chance], Moves]]] = {
    Place: _place,
    Move: _move,
    Draw: _draw,
    Refresh: _refresh,
    Take: _take,
}
