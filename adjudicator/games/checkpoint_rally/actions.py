"""What follows from a legal order: the start, the actions, the end of a last chance (CR-S6, CR-T2, CR-F)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.game import Chance, Part, Seat, Spent, total
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import Cell, Config, TileId
from adjudicator.games.checkpoint_rally.deal import Moves, draw_into_hand, fill_row
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.roads import driven_path, move_why, place_why, start_why
from adjudicator.games.checkpoint_rally.state import START, Racer, State

DRAW_LINE: Final = 15
"""A tile is drawn for each so many minutes spent (CR-T2)."""
DRAW_WHY: Final = (Part(2, "draw two tiles", "CR-D1"),)
REFRESH_WHY: Final = (Part(1, "refresh the row", "CR-R1"),)


def carried_out(config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
    """Yield the events of ``order``; return the state after them."""
    if isinstance(order, (Discard, Keep)):
        return (yield happened.TilesDiscarded(seat=seat, tiles=discarded(config, state.racer(seat), order)))
    action = _start if state.due == (seat, START) else _ACTIONS[type(order)]
    begun = state
    state = yield from action(config, state, seat, order, chance)
    # CR-F2: an action of 0 minutes moves no marker, so that it passes none.
    may_end = state.acting == seat and (config.zero_ends_chance or state.racer(seat).minutes != begun.racer(seat).minutes)
    ended_by = _chance_ended_by(config, state, seat) if may_end else None
    if ended_by is not None:
        state = yield happened.LastChanceEnded(seat=seat, passed=ended_by)
    return state


def discarded(config: Config, racer: Racer, order: Discard | Keep) -> tuple[TileId, ...]:
    """Return the tiles that go, in the order of the component set."""
    return config.sorted(order.tiles if isinstance(order, Discard) else set(racer.hand).difference(order.tiles))


def why(config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...]:
    """Return why the legal ``order`` costs what it does, empty for a free one."""
    match order:
        case Place():
            is_start = state.due == (seat, START)
            return start_why(config, state, seat, order) if is_start else place_why(config, state, order)
        case Move(path=path):
            return move_why(config, state, seat, path)
        case DrawTwo():
            return DRAW_WHY
        case Refresh():
            return REFRESH_WHY
    return ()


def _chance_ended_by(config: Config, state: State, seat: Seat) -> Seat | None:
    """Return whose marker the acting ``seat`` has passed so that its last chance is over, or ``None`` (CR-F2).

    Markers count that belong to a finished car or to a seat that still has its chance; with ``last-chance=any-marker``
    every marker counts. A marker on the same minute is not passed.
    """
    minutes = state.racer(seat).minutes
    for other in state.order:
        racer = state.racer(other)
        if other != seat and racer.minutes < minutes and (not racer.chance_over or config.any_marker_ends_chance):
            return other
    return None


def _start(config: Config, state: State, seat: Seat, order: Place, chance: Chance) -> Moves:
    """CR-S6: lay the tile in the corner, drive onto it, clock both."""
    parts = start_why(config, state, seat, order)
    state = yield _placed(state, seat, order)
    state = yield from _drive(config, state, seat, (order.cell,), "CR-S6")
    return (yield from _spend(config, state, seat, parts, chance))


def _place(config: Config, state: State, seat: Seat, order: Place, chance: Chance) -> Moves:
    parts = place_why(config, state, order)
    state = yield _placed(state, seat, order)
    return (yield from _spend(config, state, seat, parts, chance))


def _placed(state: State, seat: Seat, order: Place) -> happened.TilePlaced:
    old = state.at(order.cell)
    return happened.TilePlaced(
        seat=seat,
        tile=order.tile,
        cell=order.cell,
        rot=order.rot,  # type: ignore[arg-type]  # check has seen to it that it is one of the four
        replaced=old.tile if old else None,
        is_kept=order.gps,
        rule="CR-P5" if old else "CR-P1",
    )


def _move(config: Config, state: State, seat: Seat, order: Move, chance: Chance) -> Moves:
    parts = move_why(config, state, seat, order.path)
    driven, _ = driven_path(config, state.racer(seat), order.path)
    state = yield from _drive(config, state, seat, driven, "CR-M1")
    return (yield from _spend(config, state, seat, parts, chance))


def _drive(config: Config, state: State, seat: Seat, path: tuple[Cell, ...], rule: str) -> Moves:
    """Enter each cell of ``path``, marking checkpoints on the way (CR-K1)."""
    checkpoints = config.maps[state.racer(seat).card or ""]
    for cell in path:
        racer = state.racer(seat)
        state = yield happened.CarDriven(seat=seat, came_from=racer.cell, cell=cell, rule=rule)
        if cell in checkpoints and cell not in racer.marked:
            state = yield happened.CheckpointMarked(seat=seat, cell=cell)
    return state


def _draw(config: Config, state: State, seat: Seat, _order: DrawTwo, chance: Chance) -> Moves:
    state = yield from draw_into_hand(config, state, chance, seat, 2, "CR-D1")
    return (yield from _spend(config, state, seat, DRAW_WHY, chance))


def _refresh(config: Config, state: State, seat: Seat, _order: Refresh, chance: Chance) -> Moves:
    if state.row:
        state = yield happened.RowCleared(tiles=state.row)
    state = yield from fill_row(config, state, chance, "CR-R1")
    return (yield from _spend(config, state, seat, REFRESH_WHY, chance))


def _take(config: Config, state: State, seat: Seat, order: Take, chance: Chance) -> Moves:
    state = yield happened.TileTaken(seat=seat, tile=order.tile)
    return (yield from fill_row(config, state, chance, "CR-G1"))


def _spend(config: Config, state: State, seat: Seat, parts: tuple[Part, ...], chance: Chance) -> Moves:
    """Move the marker; then finish, or draw for each draw line passed (CR-T2, CR-F1)."""
    racer = state.racer(seat)
    before, after = racer.minutes, racer.minutes + total(parts)
    state = yield Spent(seat=seat, before=before, after=after, why=parts)
    if len(racer.marked) == len(config.maps[racer.card or ""]):
        return (yield happened.CarFinished(seat=seat, place=len(state.finishers) + 1))
    lines = after // DRAW_LINE - before // DRAW_LINE
    return (yield from draw_into_hand(config, state, chance, seat, lines, "CR-T2")) if lines > 0 else state


_ACTIONS: Final[dict[type, Callable[[Config, State, Seat, Any, Chance], Moves]]] = {
    Place: _place,
    Move: _move,
    DrawTwo: _draw,
    Refresh: _refresh,
    Take: _take,
}
