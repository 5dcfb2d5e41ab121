"""Draw the table and define the facts for conditions: the board, and the things beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from adjudicator.game import MODERATOR, Seat, Sign, Value, View, count, drawing, fact, fact_at, fact_of_own, fact_of_seat
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, SIDES, SIZE, Cell, Config, Road, Terrain, TileId
from adjudicator.games.checkpoint_rally.state import Racer, State

Seen = View[State]
DIAL: Final = 30
"""Minutes on the dial of the stopwatch (CR-T2)."""
_LEGEND: Final = drawing.Legend(
    entries=tuple((terrain.value[0], terrain.value) for terrain in Terrain),
    textures=(
        (Terrain.CITY.value, drawing.Texture.TOWN),
        (Terrain.MOUNTAINS.value, drawing.Texture.PEAKS),
        (Terrain.GRASSLAND.value, drawing.Texture.GRASS),
        (Terrain.DESERT.value, drawing.Texture.SAND),
    ),
    pieces=drawing.Figure.CAR,
    roads=(
        (Road.HIGHWAY.value, drawing.Stroke.DOUBLE),
        (Road.GRAVEL.value, drawing.Stroke.DOTTED),
        (Road.URBAN.value, drawing.Stroke.SINGLE),
    ),
    signs=((Sign.PIECE, "car"), (Sign.MARK, "checkpoint marked"), (Sign.GOAL, "own checkpoint still to visit")),
)
_SEATS: Final = ("due", "seat", "min", "dial", "car", "hwy", "grv", "urb", "at", "hand", "GPS", "checkpoints")


def draw(config: Config, view: Seen) -> drawing.Drawing:
    """Return what ``view`` shows: the board, the stopwatch, the row and the hands that may be seen, the seats, the piles."""
    state = view.state
    order = state.order or config.seats
    seats = ((due, *_seat_row(config, state.racer(seat))) for due, seat in enumerate(order, 1))
    stopwatch = drawing.table("Stopwatch (least time first)", _SEATS, seats)
    board, dial = _grid(config, state), _stopwatch(state, order)
    return drawing.Drawing((board, _LEGEND, dial, stopwatch, _piles(config, state), _faces(config, state)))


def catalogue(components: parts.Components) -> drawing.Drawing:
    """Return the content of the box: every tile as printed, the border pieces, the map cards, the cars."""
    tiles, width = components.tiles, 6
    filler = -len(tiles) % width
    squares = (*map(_printed, tiles), *[drawing.Square()] * filler)
    grid = drawing.Grid(("",) * width, ("",) * (len(squares) // width), squares, is_apart=True)
    cards = [(card.id, card.upper, card.lower) for card in components.cards]
    borders = [(piece.id, piece.front, piece.back) for piece in components.borders]
    cars = [(car.name, car.highway, car.gravel, car.urban) for car in components.cars]
    return drawing.box(
        components,
        drawing.Fields(f"Tiles ({len(tiles)}) at rot 0", ()),
        grid,
        replace(_LEGEND, signs=()),
        drawing.table("Border pieces", ("piece", "front", "back"), borders, is_counted=True),
        drawing.table("Map cards", ("card", "upper map", "lower map"), cards, is_counted=True),
        drawing.table("Cars", ("car", "hwy", "grv", "urb"), cars, is_counted=True),
    )


def _printed(tile: parts.Tile) -> drawing.Square:
    return drawing.Square(_edges(tile.road, tile.sides, (side in tile.exits for side in SIDES)), tile.id)


def _edges(road: Road, sides: Iterable[Terrain], exits: Iterable[bool]) -> tuple[drawing.Edge, ...]:
    """Return the sides of a tile, north, east, south, west, each with the road that leaves by it."""
    return tuple(
        drawing.Edge(side.value, road.value if has_exit else "") for side, has_exit in zip(sides, exits, strict=True)
    )


def _grid(config: Config, state: State) -> drawing.Grid:
    frame = tuple(
        tuple(config.frame_terrain(state.border, side, along).value for along in range(SIZE))
        for side in range(len(state.border))
    )
    goals = {racer.seat: left_of(config, racer) or () for racer in state.racers}
    squares = tuple(_square(config, state, goals, cell) for cell in CELLS)
    return drawing.Grid(tuple("ABCDE"), tuple("12345"), squares, frame)


def _square(config: Config, state: State, goals: Mapping[Seat, tuple[Cell, ...]], cell: Cell) -> drawing.Square:
    cars = drawing.of_seats((racer.seat for racer in state.racers if racer.cell == cell), Sign.PIECE)
    marks = drawing.of_seats((racer.seat for racer in state.racers if cell in racer.marked), Sign.MARK)
    badges = cars + marks + drawing.of_seats((seat for seat, cells in goals.items() if cell in cells), Sign.GOAL)
    laid = state.at(cell)
    if laid is None:
        return drawing.Square(badges=badges)
    face = config.face(laid)
    return drawing.Square(_edges(face.road, face.sides, face.exits), laid.tile, f"{laid.rot}°", badges)


def _stopwatch(state: State, order: Iterable[Seat]) -> drawing.Dial:
    """Return the dial with the markers, in each stack the one that is due first on the top (CR-T1)."""
    stacks: dict[int, tuple[Seat, ...]] = {}
    for seat in order:
        at = _dial(state.racer(seat).minutes)
        stacks[at] = (*stacks.get(at, ()), seat)
    markers = (drawing.Stack(at, drawing.of_seats(seats, Sign.PIECE)) for at, seats in sorted(stacks.items()))
    return drawing.Dial("Stopwatch dial", DIAL, tuple(markers))


def left_of(config: Config, racer: Racer) -> tuple[Cell, ...] | None:
    """Return the checkpoints that ``racer`` has still to visit, in the order of its card; ``None`` where that is secret."""
    return tuple(cell for cell in config.maps[racer.card] if cell not in racer.marked) if racer.card else None


def _seat_row(config: Config, racer: Racer) -> tuple[object, ...]:
    car = config.cars[racer.car] if racer.car else None
    costs = (car.highway, car.gravel, car.urban) if car else ("", "", "")
    marked, left = " ".join(racer.marked) or "–", left_of(config, racer)
    return (
        racer.seat,
        racer.minutes,
        _dial(racer.minutes),
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
            ("stack", count(_stack_size(config, state), "tile")),
            ("discard pile", " ".join(state.discard) or "empty"),
        ),
    )


def _stack_size(config: Config, state: State) -> int:
    # The tiles of a hidden hand are counted, though they are not named.
    return len(config.rank) - len(state.tiles)


def _faces(config: Config, state: State) -> drawing.Shelf:
    """Return the tiles one may see off the board, at rot 0: the row, then the hands."""
    hands = [(f"hand of {racer.seat}", racer.hand) for racer in state.racers if None not in racer.hand]
    rows = tuple((where, tuple(_face(config, tile) for tile in tiles)) for where, tiles in (("row", state.row), *hands))
    return drawing.Shelf("Faces at rot 0", rows)


def _face(config: Config, tile: TileId) -> drawing.Square:
    face = config.faces[tile][0]
    return drawing.Square(_edges(face.road, face.sides, face.exits), tile)


def _dial(minutes: int) -> int:
    """Return the minute a marker shows on the dial: 30 at the start of every lap (CR-T2)."""
    return minutes % DIAL or DIAL


def _hand(_config: Config, view: Seen, seat: Seat) -> Value:
    hand = view.state.racer(seat).hand
    return hand if view.viewer in (seat, MODERATOR) else len(hand)


def _tile_at(_config: Config, view: Seen, argument: str) -> Value:
    index = INDEX.get(Cell(argument.upper()))
    laid = None if index is None else view.state.board[index]
    return None if laid is None else laid.tile


FACTS: Final = {
    "minutes": fact_of_own("minutes spent; `minutes of SEAT` for another seat", "minutes"),
    "dial": fact_of_own("the minute the marker shows, 1 to 30; `dial of SEAT`", lambda _config, racer: _dial(racer.minutes)),
    "hand": fact_of_seat("the tiles of your hand, or how many; `hand of SEAT`: how many", _hand),
    "row": fact("the tiles of the row, or how many", lambda _config, view: view.state.row),
    "stack": fact("tiles left in the stack", lambda config, view: _stack_size(config, view.state)),
    "discards": fact("the tiles of the discard pile, or how many", lambda _config, view: view.state.discard),
    "gps": fact_of_own("GPS updates left; `gps of SEAT`", "gps"),
    "checkpoints": fact_of_own("the checkpoints marked, or how many; `checkpoints of SEAT`", "marked"),
    "left": fact_of_own("your checkpoints not marked yet, or how many", left_of),
    "car": fact_of_own("the cell of the car; `car of SEAT`", "cell"),
    "tile": fact_at("`tile at CELL`: the tile on that cell", _tile_at),
}
"""The facts that conditions can use."""
