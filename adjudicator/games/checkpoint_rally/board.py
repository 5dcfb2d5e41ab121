"""The table as shapes, and what conditions may ask of it: the board, and what lies beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adjudicator.game import MODERATOR, Seat, Sign, Value, View, count, drawing, fact, fact_at, fact_of_own, fact_of_seat
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, SIDES, SIZE, Cell, Config, Road, Terrain, TileId
from adjudicator.games.checkpoint_rally.state import Racer, State

Seen = View[State]
_LEGEND: Final = drawing.Legend(
    entries=tuple((terrain.value[0], terrain.value) for terrain in Terrain),
    roads=(
        (Road.HIGHWAY.value, drawing.Stroke.DOUBLE),
        (Road.GRAVEL.value, drawing.Stroke.DOTTED),
        (Road.URBAN.value, drawing.Stroke.SINGLE),
    ),
    signs=((Sign.PIECE, "car"), (Sign.MARK, "checkpoint marked"), (Sign.GOAL, "own checkpoint still to visit")),
)
_SEATS: Final = ("due", "seat", "minutes", "dial", "car", "hwy", "grv", "urb", "at", "hand", "GPS", "checkpoints")


def draw(config: Config, view: Seen) -> drawing.Drawing:
    """Return what ``view`` shows: the board, the seats, the row, the piles, and the hands that may be seen."""
    state = view.state
    order = state.order or config.seats
    seats = ((due, *_seat_row(config, state.racer(seat))) for due, seat in enumerate(order, 1))
    stopwatch = drawing.table("Stopwatch (least time first)", _SEATS, seats)
    return drawing.Drawing((_grid(config, state), _LEGEND, stopwatch, _piles(config, state), _faces(config, state)))


def catalogue(components: parts.Components) -> drawing.Drawing:
    """Return what is in the box: every tile as printed, the border pieces, the map cards, the cars."""
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
        drawing.Legend(_LEGEND.entries, _LEGEND.roads),
        drawing.table("Border pieces", ("piece", "front", "back"), borders, is_counted=True),
        drawing.table("Map cards", ("card", "upper map", "lower map"), cards, is_counted=True),
        drawing.table("Cars", ("car", "hwy", "grv", "urb"), cars, is_counted=True),
    )


def _printed(tile: parts.Tile) -> drawing.Square:
    roads = (tile.road.value if side in tile.exits else "" for side in SIDES)
    return drawing.Square(tuple(drawing.Edge(*edge) for edge in zip(tile.sides, roads, strict=True)), tile.id)


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
    sides = zip(face.sides, face.exits, strict=True)
    edges = tuple(drawing.Edge(terrain.value, face.road.value if has_exit else "") for terrain, has_exit in sides)
    return drawing.Square(edges, laid.tile, f"{laid.rot}°", badges)


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


def _faces(config: Config, state: State) -> drawing.Columns:
    """Tell the faces of the tiles one may see off the board, at rot 0."""
    hands = [(f"hand of {racer.seat}", racer.hand) for racer in state.racers if None not in racer.hand]
    rows = (_face_row(config, where, tile) for where, tiles in (*hands, ("row", state.row)) for tile in tiles)
    return drawing.table("Faces at rot 0", ("where", "tile", "road", "exits", "N", "E", "S", "W"), rows)


def _face_row(config: Config, where: str, tile: TileId) -> tuple[str, ...]:
    face = config.faces[tile][0]
    exits = "".join(side.value for side, has_exit in zip(SIDES, face.exits, strict=True) if has_exit)
    return (where, tile, face.road.value, exits, *(terrain.value for terrain in face.sides))


def _dial(minutes: int) -> int:
    """Return the minute a marker shows on the 30-minute dial: 30 at the start of every lap (CR-T2)."""
    return minutes % 30 or 30


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
    "hand": fact_of_seat("the tiles of the own hand, or how many; `hand of SEAT`: how many", _hand),
    "row": fact("the tiles of the row, or how many", lambda _config, view: view.state.row),
    "stack": fact("tiles left in the stack", lambda config, view: _stack_size(config, view.state)),
    "discards": fact("the tiles of the discard pile, or how many", lambda _config, view: view.state.discard),
    "gps": fact_of_own("GPS updates left; `gps of SEAT`", "gps"),
    "checkpoints": fact_of_own("the checkpoints marked, or how many; `checkpoints of SEAT`", "marked"),
    "left": fact_of_own("the own checkpoints not marked yet, or how many", left_of),
    "car": fact_of_own("the cell the car stands on; `car of SEAT`", "cell"),
    "tile": fact_at("`tile at CELL`: the tile that lies there", _tile_at),
}
"""What conditions may ask for."""
