"""Whether an order is legal: all legality lives here, and every refusal names its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem
from adjudicator.core.suggestions import suggest
from adjudicator.games.checkpoint_rally.components import (
    CELLS,
    HAND_LIMIT,
    INDEX,
    NEIGHBOURS,
    ROTATIONS,
    Cell,
    TileId,
)
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.orders import Discard, Draw, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.state import Racer, State
from adjudicator.games.checkpoint_rally.turn import ACTION, DISCARD, START, awaiting, decision_kind, eliminated, excess

_MOST_STEPS: Final = 2


def validate(config: Config, order: Any) -> Problem | None:
    """Return what is wrong with ``order`` in every position, or ``None``.

    Codes: ``unknown-tile``, ``unknown-cell``, ``bad-rotation``, ``three-steps``, ``tile-twice``.
    """
    return _VETTED[type(order)](config, order)


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` may not do ``order`` now, or ``None`` if it may."""
    problem = validate(config, order)
    if problem is not None:
        return problem
    kind = decision_kind(state, seat)
    checked = _CHECKED.get((kind, type(order)))
    if checked is None:
        return _not_due(config, state, seat, kind)
    return checked(config, state, state.racer(seat), order)


def _problem(code: str, message: str, rule: str, part: str = "", suggestions: tuple[str, ...] = ()) -> Problem:
    return Problem(f"checkpoint-rally/{code}", message, rule, part, suggestions)


def _not_due(config: Config, state: State, seat: Seat, kind: str) -> Problem:
    """Say what is asked instead of this kind of order."""
    gone = eliminated(config, state, seat)
    if gone is not None:
        return gone
    racer = state.racer(seat)
    if kind == START:
        message = f"first a start tile is placed in the own corner, {racer.corner}"
        return _problem("start-first", message, "CR-S6", suggestions=(f"PLACE {racer.hand[0]} at {racer.corner} rot 0",))
    if kind == DISCARD:
        message = f"first {_tiles(excess(racer))} must go: the hand holds {' '.join(racer.hand)}, {HAND_LIMIT} may stay"
        return _problem("discard-first", message, "CR-T2", suggestions=(f"KEEP {' '.join(racer.hand[:HAND_LIMIT])}",))
    if kind == ACTION:
        message = f"there is nothing to discard: the hand holds {_tiles(len(racer.hand))}, {HAND_LIMIT} may stay"
        return _problem("no-discard-due", message, "CR-T2")
    due = " and ".join(decision.seat for decision in awaiting(config, state)) or "nobody"
    return _problem("not-your-turn", f"it is not the turn of {seat}: {due} is to act", "CR-T1")


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


# What no position can change ----------------------------------------------------------------------------------------


def _validate_place(config: Config, order: Place) -> Problem | None:
    problem = _validate_tile(config, order.tile, "tile") or _validate_cell(order.cell, "cell")
    if problem is None and order.rot not in ROTATIONS:
        message = f"a tile is turned by 0, 90, 180 or 270 degrees clockwise, not {order.rot}"
        # 27 is more likely 270 with a digit lost than anything else.
        near = suggest(str(order.rot), map(str, ROTATIONS)) or map(str, ROTATIONS)
        return _problem("bad-rotation", message, "CR-C2", "turned", tuple(f"rot {rotation}" for rotation in near))
    return problem


def _validate_move(_config: Config, order: Move) -> Problem | None:
    for number, cell in enumerate(order.path):
        problem = _validate_cell(cell, f"cell:{number}")
        if problem is not None:
            return problem
    if not 1 <= len(order.path) <= _MOST_STEPS:
        message = f"a move is one or two steps, not {len(order.path)}"
        short = " ".join(order.path[:_MOST_STEPS])
        return _problem("three-steps", message, "CR-M1", f"cell:{_MOST_STEPS}", (f"MOVE {short}",))
    return None


def _validate_tiles(config: Config, order: Discard | Keep) -> Problem | None:
    for tile in order.tiles:
        problem = _validate_tile(config, tile, f"tile={tile}")
        if problem is not None:
            return problem
        if order.tiles.count(tile) > 1:
            return _problem("tile-twice", f"{tile} is named twice", "CR-T2", f"tile={tile}")
    return None


def _validate_tile(config: Config, tile: TileId, part: str) -> Problem | None:
    if tile in config.rank:
        return None
    return _problem("unknown-tile", f"there is no tile {tile}", "CR-C2", part, suggest(tile, config.rank))


def _validate_cell(cell: Cell, part: str) -> Problem | None:
    if cell in INDEX:
        return None
    return _problem("unknown-cell", f"{cell} is not on the board (A1 to E5)", "CR-C1", part, suggest(cell, CELLS))


def _validate_nothing(_config: Config, _order: Any) -> None:
    return None


# What depends on the position ---------------------------------------------------------------------------------------


def _check_start(_config: Config, _state: State, racer: Racer, order: Place) -> Problem | None:
    """CR-S6: one of the four tiles drawn, in the own corner, which is empty."""
    if order.cell != racer.corner:
        message = f"the start tile goes into the own corner, {racer.corner}"
        return _problem("not-your-corner", message, "CR-S6", "cell", (racer.corner,))
    if order.gps:
        return _problem("nothing-to-keep", "no tile is replaced at the start", "CR-P5", "gps")
    return _in_hand(racer, order.tile, "tile")


def _check_place(_config: Config, state: State, racer: Racer, order: Place) -> Problem | None:
    """CR-P1: a tile of the hand, on an empty cell or over a tile without a car; CR-P5 for the replaced tile."""
    problem = _in_hand(racer, order.tile, "tile")
    if problem is not None:
        return problem
    cars = [other.seat for other in state.racers if other.cell == order.cell]
    if cars:
        message = f"{order.cell} carries the car of {' and '.join(cars)}: a tile under a car stays"
        return _problem("car-on-cell", message, "CR-P1", "cell")
    if not order.gps:
        return None
    if state.board[INDEX[order.cell]] is None:
        message = f"{order.cell} is empty: there is no tile to keep with a GPS update"
        return _problem("nothing-to-keep", message, "CR-P5", "gps")
    return _has_gps(racer, "gps")


def _check_move(config: Config, state: State, racer: Racer, order: Move) -> Problem | None:
    """CR-M1: each step to a neighbouring tile, by a road that both tiles have on the shared side."""
    here = racer.cell or racer.corner  # Who is asked for an action has a car on the board.
    for number, cell in enumerate(order.path):
        problem = _check_step(config, state, here, cell, number)
        if problem is not None:
            return problem
        here = cell
    return None


def _check_step(config: Config, state: State, here: Cell, cell: Cell, number: int) -> Problem | None:
    part = f"cell:{number}"
    if INDEX[cell] not in NEIGHBOURS[INDEX[here]]:
        return _problem(
            "not-adjacent", f"{cell} does not touch {here}", "CR-M1", part, tuple(reachable(config, state, here))
        )
    if state.board[INDEX[cell]] is None:
        return _problem("no-tile", f"no tile lies on {cell}", "CR-M1", part, tuple(reachable(config, state, here)))
    if cell not in reachable(config, state, here):
        message = f"no road leads from {here} to {cell}: both tiles need an exit there"
        return _problem("no-road", message, "CR-M1", part, tuple(reachable(config, state, here)))
    return None


def reachable(config: Config, state: State, here: Cell) -> Iterator[Cell]:
    """Yield the cells one step from ``here``: both tiles have a road exit on the shared side (CR-M1)."""
    index = INDEX[here]
    laid = state.board[index]
    if laid is None:
        return
    exits = config.faces[laid.tile][laid.rot // 90].exits
    for side, neighbour in enumerate(NEIGHBOURS[index]):
        if neighbour is None or not exits[side]:
            continue
        other = state.board[neighbour]
        if other is not None and config.faces[other.tile][other.rot // 90].exits[(side + 2) % 4]:
            yield CELLS[neighbour]


def _check_take(_config: Config, state: State, racer: Racer, order: Take) -> Problem | None:
    """CR-G1: a tile of the row, for a GPS update."""
    if order.tile not in state.row:
        message = f"{order.tile} is not in the row: {' '.join(state.row) or 'it is empty'}"
        return _problem("not-in-row", message, "CR-G1", "tile", state.row)
    return _has_gps(racer, "tile")


def _check_discard(_config: Config, _state: State, racer: Racer, order: Discard) -> Problem | None:
    """CR-T2: exactly what is over the hand limit."""
    problem = _all_in_hand(racer, order.tiles)
    if problem is None and len(order.tiles) != excess(racer):
        message = f"{_tiles(excess(racer))} must go, not {len(order.tiles)}: the hand holds {' '.join(racer.hand)}"
        return _problem("wrong-count", message, "CR-T2")
    return problem


def _check_keep(_config: Config, _state: State, racer: Racer, order: Keep) -> Problem | None:
    """CR-T2: exactly the hand limit stays."""
    problem = _all_in_hand(racer, order.tiles)
    if problem is None and len(order.tiles) != HAND_LIMIT:
        message = f"exactly {HAND_LIMIT} tiles are kept, not {len(order.tiles)}: the hand holds {' '.join(racer.hand)}"
        return _problem("wrong-count", message, "CR-T2")
    return problem


def _all_in_hand(racer: Racer, tiles: tuple[TileId, ...]) -> Problem | None:
    return next((problem for tile in tiles if (problem := _in_hand(racer, tile, f"tile={tile}"))), None)


def _in_hand(racer: Racer, tile: TileId, part: str) -> Problem | None:
    if tile in racer.hand:
        return None
    message = f"{tile} is not in the hand: {' '.join(racer.hand) or 'it is empty'}"
    return _problem("not-in-hand", message, "CR-P1" if part == "tile" else "CR-T2", part, suggest(tile, racer.hand))


def _has_gps(racer: Racer, part: str) -> Problem | None:
    if racer.gps:
        return None
    return _problem("gps-spent", "both GPS updates are spent", "CR-C6", part)


def _check_nothing(_config: Config, _state: State, _racer: Racer, _order: Any) -> None:
    return None


_VETTED: Final[dict[type, Callable[[Config, Any], Problem | None]]] = {
    Place: _validate_place,
    Move: _validate_move,
    Draw: _validate_nothing,
    Refresh: _validate_nothing,
    Take: lambda config, order: _validate_tile(config, order.tile, "tile"),
    Discard: _validate_tiles,
    Keep: _validate_tiles,
}

_CHECKED: Final[dict[tuple[str, type], Callable[[Config, State, Racer, Any], Problem | None]]] = {
    (START, Place): _check_start,
    (ACTION, Place): _check_place,
    (ACTION, Move): _check_move,
    (ACTION, Draw): _check_nothing,
    (ACTION, Refresh): _check_nothing,
    (ACTION, Take): _check_take,
    (DISCARD, Discard): _check_discard,
    (DISCARD, Keep): _check_keep,
}
