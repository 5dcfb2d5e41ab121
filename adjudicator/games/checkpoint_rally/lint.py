"""Warnings: what is legal but may not be meant."""

from __future__ import annotations

from adjudicator.games.checkpoint_rally.components import INDEX, NEIGHBOURS, Cell
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.state import State


def lint(config: Config, state: State) -> tuple[str, ...]:
    """Return a warning for each car whose tile has no exit onto the board: it is locked in for good (CR-S6, CR-P1)."""
    return tuple(
        f"{racer.seat}: no road leaves {racer.cell} onto the board, and a tile under a car stays: it is locked in (CR-S6)"
        for racer in state.racers
        if racer.cell is not None and _is_locked_in(config, state, racer.cell)
    )


def _is_locked_in(config: Config, state: State, cell: Cell) -> bool:
    laid = state.board[INDEX[cell]]
    if laid is None:
        return False
    exits = config.face(laid).exits
    return not any(
        has_exit and neighbour is not None for has_exit, neighbour in zip(exits, NEIGHBOURS[INDEX[cell]], strict=True)
    )
