"""The set-up in the rulebook's order, and the stack that tiles are drawn from (CR-S1 to CR-S5, CR-T3)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from adjudicator.game import Chance, Seat, piles
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import Cell, Config, Frame, TileId
from adjudicator.games.checkpoint_rally.state import State

Moves = Generator[Any, State, State]
_ROTATIONS: Final = {str(rotation): rotation for rotation in parts.ROTATIONS}


def deal(config: Config, state: State, chance: Chance) -> Moves:
    """Lay the table: the last marker drawn lies on top and plays first (CR-S5)."""
    yield _border(config, chance)
    for cell in (*parts.EDGE_MIDDLES, *config.layout, parts.CENTRE):
        state = yield _dealt(config, state, chance, cell, "CR-S2")
    state = yield from fill_row(config, state, chance, "CR-S3")
    for cell in parts.CORNERS:
        if cell not in config.corners.values():
            state = yield _dealt(config, state, chance, cell, "CR-S3")
    yield from _prepare_seats(config, chance)
    left, drawn = list(config.seats), []
    while left:
        drawn.append(Seat(_picked(chance, "the next marker of the stack", left)))
    return (yield happened.MarkersStacked(seats=tuple(drawn)))


def _picked(chance: Chance, purpose: str, among: list[Any]) -> str:
    """Return one of ``among`` by chance, and remove it from there."""
    picked = chance.pick(purpose, among)
    among.remove(picked)
    return picked


def _border(config: Config, chance: Chance) -> happened.BorderLaid:
    """CR-S1: random pieces in random order, random side up."""
    left, frames = list(config.pieces), []
    for side in happened.SIDE_NAMES:
        piece = _picked(chance, f"the border piece in the {side}", left)
        face = chance.pick(f"the side up of border piece {piece}", ("front", "back"))
        frames.append(Frame(piece, "front" if face == "front" else "back"))
    north, east, south, west = frames
    return happened.BorderLaid(frames=(north, east, south, west))


def _dealt(config: Config, state: State, chance: Chance, cell: Cell, rule: str) -> happened.TileDealt:
    """CR-S2, CR-S3: a random tile, randomly turned."""
    tile = TileId(chance.pick(f"a tile of the stack for {cell}", state.stack(config)))
    turned = chance.pick(f"the rotation of {tile}", tuple(_ROTATIONS))
    return happened.TileDealt(tile=tile, cell=cell, rot=_ROTATIONS[turned], rule=rule)


def _prepare_seats(config: Config, chance: Chance) -> Generator[Any, State, None]:
    """CR-S4: a car (drawn among those not chosen) and a secret card each."""
    cars = [car for car in config.cars if car not in config.chosen_cars.values()]
    cards = list(config.maps)
    for seat in config.seats:
        car = config.chosen_cars.get(seat) or _picked(chance, f"the car of {seat}", cars)
        yield happened.SeatPrepared(seat=seat, car=car, card=_picked(chance, f"the checkpoint card of {seat}", cards))


def fill_row(config: Config, state: State, chance: Chance, rule: str) -> Moves:
    """Fill the row from the stack, by ``rule``."""
    tiles, state = yield from _draw(config, state, chance, parts.ROW - len(state.row), "a tile of the stack for the row")
    return (yield happened.RowFilled(tiles=tiles, rule=rule)) if tiles else state


def draw_into_hand(config: Config, state: State, chance: Chance, seat: Seat, count: int, rule: str) -> Moves:
    """Draw ``count`` tiles into the hand of ``seat``, by ``rule``."""
    tiles, state = yield from _draw(config, state, chance, count, f"a tile of the stack for {seat}")
    return (yield happened.TilesDrawn(seat=seat, tiles=tiles, rule=rule)) if tiles else state


def _draw(
    config: Config, state: State, chance: Chance, count: int, purpose: str
) -> Generator[Any, State, tuple[tuple[TileId, ...], State]]:
    """Pick ``count`` tiles of the stack for ``purpose``; return them and the state, in which they are still in the stack.

    When the stack ends on the way, the discard pile becomes the stack; if that is empty, too, there is less to draw (CR-T3).
    """

    def renewal(state: State) -> happened.StackRenewed | None:
        return happened.StackRenewed(tiles=config.sorted(state.discard)) if state.discard else None

    tiles, state = yield from piles.draw_from(lambda state: state.stack(config), renewal, state, count, purpose, chance)
    if len(tiles) < count:
        state = yield happened.StackRanOut(missing=count - len(tiles))
    return tiles, state
