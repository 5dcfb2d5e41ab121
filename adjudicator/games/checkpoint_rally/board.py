"""Show the table: the board, and the things beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.game import At, Seat, View, count, drawing
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import CELLS, SIDES, SIZE, Cell, Config, Road, Terrain, TileId
from adjudicator.games.checkpoint_rally.facts import DIAL, dial_of, stack_size
from adjudicator.games.checkpoint_rally.picture import grid_scene, legend, shelf_scene
from adjudicator.games.checkpoint_rally.squares import Edge, Grid, Marker, Square
from adjudicator.games.checkpoint_rally.state import Racer, State
from adjudicator.scenes import Scene, Sign, dial_scene

Seen = View[Config, State, Racer]
_SEATS: Final = ("due", "seat", "min", "dial", "car", "hwy", "grv", "urb", "at", "hand", "GPS", "checkpoints")


def draw(view: Seen) -> drawing.Drawing:
    """Return what ``view`` shows: the board, the stopwatch, the row and the hands that may be seen, the seats, the piles."""
    state = view.state
    order = state.order or view.config.seats
    seats = ((due, *_seat_row(view.config, state.of(seat))) for due, seat in enumerate(order, 1))
    stopwatch = drawing.table("Stopwatch (least time first)", _SEATS, seats)
    board, dial = grid_scene(_grid(view.config, state), view.config.seats), _stopwatch(state, order)
    tables = stopwatch, _piles(view.config, state), *_faces(view.config, state)
    return drawing.Drawing((board, legend(has_signs=True), dial, *tables))


def catalogue(components: parts.Components) -> drawing.Drawing:
    """Return the content of the box: every tile as printed, the border pieces, the map cards, the cars."""
    tiles, width = components.tiles, 6
    filler = -len(tiles) % width
    squares = (*map(_printed, tiles), *[Square()] * filler)
    grid = Grid(("",) * width, ("",) * (len(squares) // width), squares, is_apart=True)
    cards = [(card.id, card.upper, card.lower) for card in components.cards]
    borders = [(piece.id, piece.front, piece.back) for piece in components.borders]
    cars = [(car.name, car.highway, car.gravel, car.urban) for car in components.cars]
    return drawing.box(
        components,
        drawing.Fields(f"Tiles ({len(tiles)}) at rot 0", ()),
        grid_scene(grid),
        legend(has_signs=False),
        drawing.table("Border pieces", ("piece", "front", "back"), borders, is_counted=True),
        drawing.table("Map cards", ("card", "upper map", "lower map"), cards, is_counted=True),
        drawing.table("Cars", ("car", "hwy", "grv", "urb"), cars, is_counted=True),
    )


def _printed(tile: parts.Tile) -> Square:
    return Square(_edges(tile.road, tile.sides, (side in tile.exits for side in SIDES)), tile.id)


def _edges(road: Road, sides: Iterable[Terrain], exits: Iterable[bool]) -> tuple[Edge, ...]:
    """Return the sides of a tile, north, east, south, west, each with the road that leaves by it."""
    return tuple(Edge(side, road if has_exit else None) for side, has_exit in zip(sides, exits, strict=True))


def _grid(config: Config, state: State) -> Grid:
    frame = tuple(
        tuple(config.frame_terrain(state.border, side, along) for along in range(SIZE)) for side in range(len(state.border))
    )
    goals = {racer.seat: racer.left(config) or () for racer in state.racers}
    squares = tuple(_square(config, state, goals, cell) for cell in CELLS)
    return Grid(tuple("ABCDE"), tuple("12345"), squares, frame)


def _square(config: Config, state: State, goals: Mapping[Seat, tuple[Cell, ...]], cell: Cell) -> Square:
    markers = [Marker(racer.seat, Sign.PIECE) for racer in state.racers if racer.cell == cell]
    markers += [Marker(racer.seat, Sign.MARK) for racer in state.racers if cell in racer.marked]
    markers += [Marker(seat, Sign.GOAL) for seat, cells in goals.items() if cell in cells]
    laid = state.at(cell)
    if laid is None:
        return Square(markers=tuple(markers))
    face = config.face(laid)
    return Square(_edges(face.road, face.sides, face.exits), laid.tile, f"{laid.rot}°", tuple(markers))


def _stopwatch(state: State, order: Iterable[Seat]) -> Scene:
    """Return the dial with the markers, in each stack the one that is due first on the top (CR-T1)."""
    stacks: dict[int, tuple[Seat, ...]] = {}
    for seat in order:
        at = dial_of(state.of(seat).minutes)
        stacks[at] = (*stacks.get(at, ()), seat)
    return dial_scene("dial", "Stopwatch dial", DIAL, dict(sorted(stacks.items())))


def _seat_row(config: Config, racer: Racer) -> tuple[object, ...]:
    car = config.cars[racer.car] if racer.car else None
    costs = (car.highway, car.gravel, car.urban) if car else ("", "", "")
    marked, left = " ".join(racer.marked) or "–", racer.left(config)
    return (
        racer.seat,
        racer.minutes,
        dial_of(racer.minutes),
        car.name if car else "–",
        *costs,
        racer.cell or ("finished" if racer.place else "–"),
        len(racer.hand),
        racer.gps,
        marked if left is None else f"{marked}, left {' '.join(left) or '–'}",
    )


def _piles(config: Config, state: State) -> drawing.Fields:
    return drawing.Fields(
        "Tiles",
        (
            ("row", " ".join(state.row) or "empty"),
            ("stack", count(stack_size(At(config, state)), "tile")),
            ("discard pile", " ".join(state.discard) or "empty"),
        ),
    )


def _faces(config: Config, state: State) -> tuple[drawing.Shape, ...]:
    """Return the tiles one may see off the board, at rot 0, as pictures and as a table: the row, then the hands."""
    hands = [(f"hand of {racer.seat}", racer.hand) for racer in state.racers if None not in racer.hand]
    rows = [(where, [_face(config, tile) for tile in tiles]) for where, tiles in (("row", state.row), *hands)]
    cells = [(where, *_face_cells(square)) for where, squares in rows for square in squares]
    title = "Faces at rot 0"
    shelves = (shelf_scene(title, where, squares) for where, squares in rows)
    return *shelves, drawing.table(title, ("where", "tile", "road", "exits", *"NESW"), cells)


def _face_cells(square: Square) -> tuple[str, ...]:
    roads = dict.fromkeys(edge.road for edge in square.edges if edge.road)
    exits = "".join(side for side, edge in zip("NESW", square.edges, strict=True) if edge.road)
    return (square.label, " ".join(roads), exits, *(edge.ground for edge in square.edges))


def _face(config: Config, tile: TileId) -> Square:
    face = config.faces[tile][0]
    return Square(_edges(face.road, face.sides, face.exits), tile)
