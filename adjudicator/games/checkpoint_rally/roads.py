"""Tiles and their roads: what a tile costs where it is laid, where a car can drive, and what that costs (CR-P, CR-M)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from adjudicator.game import Part, ordinal, total
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, SIDES, SIZE, Cell, Config, Face, TileId
from adjudicator.games.checkpoint_rally.state import Here, Racer, State

PLACE_MINUTES: Final = 4
"""Minutes for laying a tile, before the bonuses (CR-P1)."""
FINISH_BONUS: Final = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""Minutes off for the first, second … to finish, by number of players (CR-C7)."""


def place_why(config: Config, state: State, tile: TileId, cell: Cell, rot: int) -> tuple[Part, ...]:
    """Return why laying a tile costs what it does: 4 minutes less the bonuses, never under 0 (CR-P1 to CR-P4)."""
    index, face = INDEX[cell], config.faces[tile][rot // 90]
    bonuses = _side_bonuses(config, state, index, face)
    old = state.board[index]
    if old is not None:
        bonuses += _replacement_bonuses(config.face(old), face)
    below = len(bonuses) - PLACE_MINUTES
    floor = (Part(below, "never under 0", "CR-P1"),) if below > 0 else ()
    return (Part(PLACE_MINUTES, "place a tile", "CR-P1"), *bonuses, *floor)


def _side_bonuses(config: Config, state: State, index: int, face: Face) -> list[Part]:
    roads: list[Part] = []
    terrains: list[Part] = []
    for side, neighbour in enumerate(NEIGHBOURS[index]):
        facing = (side + 2) % 4
        if neighbour is None:
            row, column = divmod(index, SIZE)
            terrain = config.frame_terrain(state.border, side, column if side % 2 == 0 else row)
        else:
            laid = state.board[neighbour]
            if laid is None:
                continue
            other = config.face(laid)
            if face.road is other.road and face.exits[side] and other.exits[facing]:
                roads.append(_bonus(face.road, SIDES[side], "CR-P2"))
            terrain = other.sides[facing]
        if terrain is face.sides[side]:
            terrains.append(_bonus(terrain, SIDES[side], "CR-P3"))
    return roads + terrains


def _replacement_bonuses(old: Face, new: Face) -> list[Part]:
    same = [_bonus(terrain, "as before", "CR-P4") for terrain in dict.fromkeys(new.sides) if terrain in old.terrains]
    return [*same, _bonus(new.road, "as before", "CR-P4")] if old.road is new.road else same


@cache
def _bonus(what: str, where: str, rule: str) -> Part:
    return Part(-1, f"{what} {where}", rule)


def reachable(config: Config, state: State, here: Cell) -> Iterator[Cell]:
    """Yield the cells one step from ``here``: both tiles have a road exit on the shared side (CR-M1)."""
    index = INDEX[here]
    laid = state.board[index]
    if laid is None:
        return
    exits = config.face(laid).exits
    for side, neighbour in enumerate(NEIGHBOURS[index]):
        if neighbour is None or not exits[side]:
            continue
        other = state.board[neighbour]
        if other is not None and config.face(other).exits[(side + 2) % 4]:
            yield CELLS[neighbour]


def paths(config: Config, state: State, here: Cell) -> Iterator[tuple[Cell, ...]]:
    """Yield every path of one or two steps from ``here`` (CR-M1), each before those that go on with it."""
    for first in reachable(config, state, here):
        yield (first,)
        yield from ((first, second) for second in reachable(config, state, first))


def is_locked_in(config: Config, state: State, cell: Cell) -> bool:
    """Return whether the tile on ``cell`` has no exit onto the board, so that a car on it never leaves (CR-S6, CR-P1)."""
    laid = state.at(cell)
    if laid is None:
        return False
    sides = zip(config.face(laid).exits, NEIGHBOURS[INDEX[cell]], strict=True)
    return not any(has_exit and neighbour is not None for has_exit, neighbour in sides)


def driven_path(config: Config, racer: Racer, path: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], bool]:
    """Return the cells of ``path`` that are really driven, and whether the last of them is the finish (CR-F1)."""
    left = set(config.maps[racer.card or ""]).difference(racer.marked)
    for count, cell in enumerate(path, 1):
        left.discard(cell)
        if not left:
            return path[:count], True
    return path, False


def move_why(at: Here, path: tuple[Cell, ...]) -> tuple[Part, ...]:
    """Return why driving ``path`` costs what it does, the finish bonus included; steps after the finish are free."""
    racer = at.own
    driven, finishes = driven_path(at.config, racer, path)
    parts = []
    for cell in driven:
        laid = at.state.at(cell)
        if laid is None:
            raise KeyError(cell)
        parts.append(_step_why(at.config, racer, cell, laid.tile, "CR-M1"))
    return _finished_why(at.config, at.state, racer, tuple(parts)) if finishes else tuple(parts)


def start_why(at: Here, tile: TileId, cell: Cell, rot: int) -> tuple[Part, ...]:
    """Return why the start costs what it does: the tile, then the car that enters it (CR-S6)."""
    racer = at.own
    parts = (*place_why(at.config, at.state, tile, cell, rot), _step_why(at.config, racer, cell, tile, "CR-S6"))
    return _finished_why(at.config, at.state, racer, parts) if driven_path(at.config, racer, (cell,))[1] else parts


def _step_why(config: Config, racer: Racer, cell: Cell, tile: TileId, rule: str) -> Part:
    """Return why entering ``cell`` costs what it does: the car's minutes for the road there (CR-M1, CR-C5)."""
    road = config.faces[tile][0].road
    return Part(config.minutes[racer.car or ""][road], f"{road} {cell}", rule)


def _finished_why(config: Config, state: State, racer: Racer, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return ``parts`` with the bonus of the next to finish; the clock never falls below 0 (CR-F1)."""
    place = len(state.finishers) + 1
    bonus, minutes = FINISH_BONUS[len(config.seats)][place - 1], racer.minutes + total(parts)
    if bonus:
        parts += (Part(-bonus, f"{ordinal(place)} to finish", "CR-F1"),)
    return (*parts, Part(bonus - minutes, "clock never below 0", "CR-F1")) if bonus > minutes else parts
