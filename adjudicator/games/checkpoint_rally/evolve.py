"""What an event changes in the state: never refuses, never rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.change import change
from adjudicator.core.event import Spent
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import INDEX, Cell, TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.state import Laid, Racer, Stage, State


def evolve(config: Config, state: State, event: Any) -> State:
    """Return ``state`` after ``event``."""
    return _EVOLVED[type(event)](config, state, event)


def _border_laid(_config: Config, state: State, event: happened.BorderLaid) -> State:
    return change(state, border=event.frames)


def _tile_dealt(_config: Config, state: State, event: happened.TileDealt) -> State:
    board = _with(state, event.cell, Laid(event.tile, event.rot))
    return change(state, board=board, stack=_without(state.stack, (event.tile,)))


def _seat_prepared(_config: Config, state: State, event: happened.SeatPrepared) -> State:
    return state.with_racer(change(state.racer(event.seat), car=event.car, card=event.card))


def _markers_stacked(_config: Config, state: State, event: happened.MarkersStacked) -> State:
    order = tuple(reversed(event.seats))
    return change(state, order=order, starting=order, stage=Stage.STARTING)


def _tiles_drawn(config: Config, state: State, event: happened.TilesDrawn) -> State:
    racer = state.racer(event.seat)
    tiles = tuple(tile for tile in event.tiles if tile is not None)
    drawn = change(racer, hand=config.sorted(racer.hand + tiles))
    return state.with_racer(drawn, stack=_without(state.stack, tiles))


def _stack_renewed(config: Config, state: State, event: happened.StackRenewed) -> State:
    return change(state, stack=config.sorted(state.stack + event.tiles), discard=())


def _row_filled(_config: Config, state: State, event: happened.RowFilled) -> State:
    return change(state, row=state.row + event.tiles, stack=_without(state.stack, event.tiles))


def _row_cleared(_config: Config, state: State, event: happened.RowCleared) -> State:
    return change(state, row=(), discard=state.discard + event.tiles)


def _tile_taken(config: Config, state: State, event: happened.TileTaken) -> State:
    racer = state.racer(event.seat)
    holding = change(racer, hand=config.sorted((*racer.hand, event.tile)), gps=racer.gps - 1)
    return state.with_racer(holding, row=_without(state.row, (event.tile,)))


def _tile_placed(config: Config, state: State, event: happened.TilePlaced) -> State:
    racer = state.racer(event.seat)
    hand = _without(racer.hand, (event.tile,))
    gps, discard = racer.gps, state.discard
    if event.replaced is not None and event.is_kept:
        hand, gps = config.sorted((*hand, event.replaced)), gps - 1
    elif event.replaced is not None:
        discard = (*discard, event.replaced)
    board = _with(state, event.cell, Laid(event.tile, event.rot))
    return state.with_racer(change(racer, hand=hand, gps=gps), board=board, discard=discard)


def _car_driven(_config: Config, state: State, event: happened.CarDriven) -> State:
    moved = change(state.racer(event.seat), cell=event.cell)
    if event.came_from is None and event.seat in state.starting:
        return state.with_racer(moved, starting=tuple(seat for seat in state.starting if seat != event.seat))
    return state.with_racer(moved)


def _checkpoint_marked(_config: Config, state: State, event: happened.CheckpointMarked) -> State:
    racer = state.racer(event.seat)
    return state.with_racer(change(racer, marked=(*racer.marked, event.cell)))


def _spent(_config: Config, state: State, event: Spent) -> State:
    racer = state.racer(event.seat)
    if event.before == event.after:
        return state  # An action of 0 minutes leaves the marker where it is (CR-T1).
    return state.with_racer(change(racer, minutes=event.after), order=_arrived(state, event.seat, event.after))


def _arrived(state: State, seat: Seat, minutes: int) -> tuple[Seat, ...]:
    """Return the markers with that of ``seat`` on top of the stack at ``minutes``: due before all that lie there (CR-T1)."""
    clocks = {racer.seat: racer.minutes for racer in state.racers}
    others = [other for other in state.order if other != seat]
    earlier = [other for other in others if clocks[other] < minutes]
    return (*earlier, seat, *others[len(earlier) :])


def _car_finished(_config: Config, state: State, event: happened.CarFinished) -> State:
    finished = change(state.racer(event.seat), cell=None, place=event.place, has_chance=False)
    return state.with_racer(finished, acting=None if state.acting == event.seat else state.acting)


def _tiles_discarded(_config: Config, state: State, event: happened.TilesDiscarded) -> State:
    racer = state.racer(event.seat)
    left = change(racer, hand=_without(racer.hand, event.tiles))
    return state.with_racer(left, discard=state.discard + event.tiles)


def _race_started(_config: Config, state: State, _event: happened.RaceStarted) -> State:
    return change(state, stage=Stage.RACING)


def _last_chance_begun(_config: Config, state: State, event: happened.LastChanceBegun) -> State:
    return change(state, acting=event.seat)


def _last_chance_ended(_config: Config, state: State, event: happened.LastChanceEnded) -> State:
    spent: Racer = change(state.racer(event.seat), has_chance=False)
    return state.with_racer(spent, acting=None)


def _game_ended(_config: Config, state: State, _event: happened.GameEnded) -> State:
    return change(state, stage=Stage.OVER)


def _unchanged(_config: Config, state: State, _event: Any) -> State:
    return state


def _without(tiles: tuple[TileId, ...], gone: tuple[TileId, ...]) -> tuple[TileId, ...]:
    return tuple(tile for tile in tiles if tile not in gone)


def _with(state: State, cell: Cell, laid: Laid) -> tuple[Laid | None, ...]:
    index = INDEX[cell]
    return (*state.board[:index], laid, *state.board[index + 1 :])


_EVOLVED: Final[dict[type, Callable[[Config, State, Any], State]]] = {
    happened.BorderLaid: _border_laid,
    happened.TileDealt: _tile_dealt,
    happened.SeatPrepared: _seat_prepared,
    happened.MarkersStacked: _markers_stacked,
    happened.TilesDrawn: _tiles_drawn,
    happened.StackRenewed: _stack_renewed,
    happened.StackRanOut: _unchanged,
    happened.RowFilled: _row_filled,
    happened.RowCleared: _row_cleared,
    happened.TileTaken: _tile_taken,
    happened.TilePlaced: _tile_placed,
    happened.CarDriven: _car_driven,
    happened.CheckpointMarked: _checkpoint_marked,
    happened.CarFinished: _car_finished,
    happened.TilesDiscarded: _tiles_discarded,
    happened.RaceStarted: _race_started,
    happened.LastChanceBegun: _last_chance_begun,
    happened.LastChanceEnded: _last_chance_ended,
    happened.GameEnded: _game_ended,
    Spent: _spent,
}
