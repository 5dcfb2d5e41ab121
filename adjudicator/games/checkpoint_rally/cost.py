"""What orders cost, part by part with the rule behind each (CR-P, CR-M, CR-D, CR-R, CR-F1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.event import Part, total
from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_rally.components import INDEX, NEIGHBOURS, SIDES, SIZE, Cell
from adjudicator.games.checkpoint_rally.config import Config, Face
from adjudicator.games.checkpoint_rally.orders import Place
from adjudicator.games.checkpoint_rally.state import Laid, Racer, State

PLACE_MINUTES: Final = 4
DRAW_WHY: Final = (Part(2, "draw two tiles", "CR-D1"),)
REFRESH_WHY: Final = (Part(1, "refresh the row", "CR-R1"),)
_FINISHED: Final = ("first", "second", "third", "fourth")


def place_why(config: Config, state: State, order: Place) -> tuple[Part, ...]:
    """Return why laying a tile costs what it does: 4 minutes less the bonuses, never under 0 (CR-P1 to CR-P4)."""
    index = INDEX[order.cell]
    face = config.faces[order.tile][order.rot // 90]
    bonuses = [*_side_bonuses(config, state, index, face)]
    old = state.board[index]
    if old is not None:
        bonuses += _replacement_bonuses(config.face(old), face)
    parts = [Part(PLACE_MINUTES, "place a tile", "CR-P1"), *bonuses]
    below = len(bonuses) - PLACE_MINUTES
    if below > 0:
        parts.append(Part(below, "never under 0", "CR-P1"))
    return tuple(parts)


def _side_bonuses(config: Config, state: State, index: int, face: Face) -> list[Part]:
    roads: list[Part] = []
    terrains: list[Part] = []
    for side, neighbour in enumerate(NEIGHBOURS[index]):
        facing = (side + 2) % 4
        if neighbour is None:
            terrain = config.frame_terrain(state.border, side, _along(index, side))
        else:
            laid = state.board[neighbour]
            if laid is None:
                continue
            other = config.faces[laid.tile][laid.rot // 90]
            if face.road is other.road and face.exits[side] and other.exits[facing]:
                roads.append(Part(-1, f"{face.road.value} {SIDES[side].value}", "CR-P2"))
            terrain = other.sides[facing]
        if terrain is face.sides[side]:
            terrains.append(Part(-1, f"{terrain.value} {SIDES[side].value}", "CR-P3"))
    return roads + terrains


def _along(index: int, side: int) -> int:
    row, column = divmod(index, SIZE)
    return column if side % 2 == 0 else row


def _replacement_bonuses(old: Face, new: Face) -> list[Part]:
    both = [terrain for terrain in dict.fromkeys(new.sides) if terrain in old.terrains]
    parts = [Part(-1, f"{terrain.value} as before", "CR-P4") for terrain in both]
    if old.road is new.road:
        parts.append(Part(-1, f"{new.road.value} as before", "CR-P4"))
    return parts


def step_why(config: Config, racer: Racer, cell: Cell, laid: Laid, rule: str) -> Part:
    """Return why entering ``cell`` costs what it does: the car's minutes for the road there (CR-M1, CR-C5)."""
    road = config.faces[laid.tile][0].road
    return Part(config.minutes(racer.car or "", road), f"{road.value} {cell}", rule)


def move_why(config: Config, state: State, seat: Seat, path: tuple[Cell, ...]) -> tuple[Part, ...]:
    """Return why driving ``path`` costs what it does, the finish bonus included; steps after the finish are free."""
    racer = state.racer(seat)
    driven, finishes = driven_path(config, racer, path)
    parts = [step_why(config, racer, cell, _laid(state, cell), "CR-M1") for cell in driven]
    if finishes:
        parts += finish_why(config, state, racer.minutes + total(tuple(parts)))
    return tuple(parts)


def driven_path(config: Config, racer: Racer, path: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], bool]:
    """Return the cells of ``path`` that are really driven, and whether the last of them is the finish (CR-F1)."""
    left = set(config.maps[racer.card or ""]).difference(racer.marked)
    for count, cell in enumerate(path, 1):
        left.discard(cell)
        if not left:
            return path[:count], True
    return path, False


def start_why(config: Config, state: State, seat: Seat, order: Place) -> tuple[Part, ...]:
    """Return why the start costs what it does: the tile, then the car that enters it (CR-S6)."""
    racer = state.racer(seat)
    laid = Laid(order.tile, 0)
    parts = (*place_why(config, state, order), step_why(config, racer, order.cell, laid, "CR-S6"))
    if driven_path(config, racer, (order.cell,))[1]:
        parts += tuple(finish_why(config, state, racer.minutes + total(parts)))
    return parts


def finish_why(config: Config, state: State, minutes: int) -> Iterator[Part]:
    """Yield the bonus of the next to finish with ``minutes`` on the clock; the clock never falls below 0 (CR-F1)."""
    place = len(state.finishers) + 1
    bonus = config.bonus(place)
    if bonus:
        yield Part(-bonus, f"{_FINISHED[place - 1]} to finish", "CR-F1")
    if bonus > minutes:
        yield Part(bonus - minutes, "clock never below 0", "CR-F1")


def _laid(state: State, cell: Cell) -> Laid:
    laid = state.board[INDEX[cell]]
    if laid is None:
        raise KeyError(cell)
    return laid
