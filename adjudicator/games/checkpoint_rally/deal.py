"""The set-up in the rulebook's order, and the stack that tiles are drawn from (CR-S1 to CR-S5, CR-T3)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from adjudicator.game import Chance, Seat, piles
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import Cell, Config, Frame, TileId
from adjudicator.games.checkpoint_rally.state import Here

Moves = Generator[Any, Here, Here]
_ROTATIONS: Final = {str(rotation): rotation for rotation in parts.ROTATIONS}


def deal(at: Here, chance: Chance) -> Moves:
    """Lay the table: the last marker drawn lies on top and plays first (CR-S5)."""
    yield _border(at.config, chance)
    for cell in (*parts.EDGE_MIDDLES, *at.config.layout, parts.CENTRE):
        at = yield _dealt(at, chance, cell, "CR-S2")
    at = yield from fill_row(at, chance, "CR-S3")
    for cell in parts.CORNERS:
        if cell not in at.config.corners.values():
            at = yield _dealt(at, chance, cell, "CR-S3")
    yield from _prepare_seats(at.config, chance)
    left, drawn = list(at.config.seats), []
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


def _dealt(at: Here, chance: Chance, cell: Cell, rule: str) -> happened.TileDealt:
    """CR-S2, CR-S3: a random tile, randomly turned."""
    tile = TileId(chance.pick(f"a tile of the stack for {cell}", at.state.stack(at.config)))
    turned = chance.pick(f"the rotation of {tile}", tuple(_ROTATIONS))
    return happened.TileDealt(tile=tile, cell=cell, rot=_ROTATIONS[turned], rule=rule)


def _prepare_seats(config: Config, chance: Chance) -> Generator[Any, Here, None]:
    """CR-S4: a car (drawn among those not chosen) and a secret card each."""
    cars = [car for car in config.cars if car not in config.chosen_cars.values()]
    cards = list(config.maps)
    for seat in config.seats:
        car = config.chosen_cars.get(seat) or _picked(chance, f"the car of {seat}", cars)
        yield happened.SeatPrepared(seat=seat, car=car, card=_picked(chance, f"the checkpoint card of {seat}", cards))


def fill_row(at: Here, chance: Chance, rule: str) -> Moves:
    """Fill the row from the stack, by ``rule``."""
    tiles, at = yield from _draw(at, chance, parts.ROW - len(at.state.row), "a tile of the stack for the row")
    return (yield happened.RowFilled(tiles=tiles, rule=rule)) if tiles else at


def draw_into_hand(at: Here, chance: Chance, seat: Seat, count: int, rule: str) -> Moves:
    """Draw ``count`` tiles into the hand of ``seat``, by ``rule``."""
    tiles, at = yield from _draw(at, chance, count, f"a tile of the stack for {seat}")
    return (yield happened.TilesDrawn(seat=seat, tiles=tiles, rule=rule)) if tiles else at


def _draw(at: Here, chance: Chance, count: int, purpose: str) -> Generator[Any, Here, tuple[tuple[TileId, ...], Here]]:
    """Pick ``count`` tiles of the stack for ``purpose``; return them and the position, in which they are still in the stack.

    When the stack ends on the way, the discard pile becomes the stack; if that is empty, too, there is less to draw (CR-T3).
    """

    def renewal(at: Here) -> happened.StackRenewed | None:
        return happened.StackRenewed(tiles=at.config.sorted(at.state.discard)) if at.state.discard else None

    tiles, at = yield from piles.draw_from(lambda at: at.state.stack(at.config), renewal, at, count, purpose, chance)
    if len(tiles) < count:
        at = yield happened.StackRanOut(missing=count - len(tiles))
    return tiles, at
