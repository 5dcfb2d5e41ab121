"""The table as shapes: the board with roads, terrain, cars and tokens, and what lies beside it."""

from __future__ import annotations

from typing import Final

from adjudicator.core.drawing import Badge, Columns, Drawing, Edge, Fields, Grid, Legend, Shape, Sign, Square, Stroke
from adjudicator.games.checkpoint_rally.components import CELLS, SIZE, Cell, Road, Terrain, TileId
from adjudicator.games.checkpoint_rally.config import Config, Face
from adjudicator.games.checkpoint_rally.state import Laid
from adjudicator.games.checkpoint_rally.view import RacerView, View, dial

_STROKES: Final = {Road.HIGHWAY: Stroke.DOUBLE, Road.GRAVEL: Stroke.DOTTED, Road.URBAN: Stroke.SINGLE}
_LEGEND: Final = Legend(
    entries=tuple((terrain.value[0], terrain.value) for terrain in Terrain),
    roads=tuple((road.value, stroke) for road, stroke in _STROKES.items()),
    signs=((Sign.PIECE, "car"), (Sign.MARK, "checkpoint marked"), (Sign.GOAL, "own checkpoint still to visit")),
)


def draw(config: Config, seen: View) -> Drawing:
    """Return what ``seen`` shows: the board, the seats, the row, the piles, and the hands that may be seen."""
    shapes: list[Shape] = [_grid(config, seen), _LEGEND, _seats(config, seen), _piles(seen)]
    hands = [racer for racer in seen.racers if racer.hand]
    tiles = [(f"hand of {racer.seat}", racer.hand or ()) for racer in hands] + [("row", seen.row)]
    shapes.append(_tiles(config, tiles))
    return Drawing(tuple(shapes))


def _grid(config: Config, seen: View) -> Grid:
    frame = tuple(
        tuple(config.frame_terrain(seen.border, side, along).value for along in range(SIZE))
        for side in range(4)
        if seen.border
    )
    squares = tuple(_square(config, seen, cell, laid) for cell, laid in zip(CELLS, seen.board, strict=True))
    return Grid(tuple("ABCDE"), tuple("12345"), squares, frame)


def _square(config: Config, seen: View, cell: Cell, laid: Laid | None) -> Square:
    badges = tuple(_badges(seen, cell))
    if laid is None:
        return Square(badges=badges)
    return Square(_edges(config.face(laid)), laid.tile, f"{laid.rot}°", badges)


def _edges(face: Face) -> tuple[Edge, ...]:
    return tuple(
        Edge(terrain.value, face.road.value if has_exit else "")
        for terrain, has_exit in zip(face.sides, face.exits, strict=True)
    )


def _badges(seen: View, cell: Cell) -> list[Badge]:
    cars = [Badge(racer.seat, Sign.PIECE, racer.seat) for racer in seen.racers if racer.cell == cell]
    marks = [Badge(racer.seat, Sign.MARK, racer.seat) for racer in seen.racers if cell in racer.marked]
    goals = [
        Badge(racer.seat, Sign.GOAL, racer.seat)
        for racer in seen.racers
        if racer.checkpoints and cell in racer.checkpoints and cell not in racer.marked
    ]
    return cars + marks + goals


def _seats(config: Config, seen: View) -> Columns:
    headings = ("due", "seat", "minutes", "dial", "car", "hwy", "grv", "urb", "at", "hand", "GPS", "checkpoints")
    by_seat = {racer.seat: racer for racer in seen.racers}
    order = [by_seat[seat] for seat in seen.order] or list(seen.racers)
    rows = tuple((str(number), *_seat_row(config, racer)) for number, racer in enumerate(order, 1))
    return Columns("Stopwatch (least time first)", headings, rows)


def _seat_row(config: Config, racer: RacerView) -> tuple[str, ...]:
    car = config.cars[racer.car] if racer.car else None
    costs = (str(car.highway), str(car.gravel), str(car.urban)) if car else ("", "", "")
    where = racer.cell or ("finished" if racer.place else "–")
    marked = " ".join(racer.marked) or "–"
    if racer.checkpoints is not None:
        left = " ".join(cell for cell in racer.checkpoints if cell not in racer.marked)
        marked = f"{marked}, left {left or '–'}"
    return (
        racer.seat,
        str(racer.minutes),
        str(dial(racer.minutes)),
        car.name if car else "–",
        *costs,
        where,
        str(racer.hand_count),
        str(racer.gps),
        marked,
    )


def _piles(seen: View) -> Fields:
    return Fields(
        "Tiles",
        (
            ("row", " ".join(seen.row) or "empty"),
            ("stack", f"{seen.stack_count} tiles"),
            ("discard pile", " ".join(seen.discard) or "empty"),
        ),
    )


def _tiles(config: Config, places: list[tuple[str, tuple[TileId, ...]]]) -> Columns:
    """Tell the faces of the tiles one may see off the board, at rot 0."""
    rows = tuple(_tile_row(config, where, tile) for where, tiles in places for tile in tiles)
    return Columns("Faces at rot 0", ("where", "tile", "road", "exits", "N", "E", "S", "W"), rows)


def _tile_row(config: Config, where: str, tile: TileId) -> tuple[str, ...]:
    face = config.faces[tile][0]
    exits = "".join(side for side, has_exit in zip("NESW", face.exits, strict=True) if has_exit)
    return (where, tile, face.road.value, exits, *(terrain.value for terrain in face.sides))
