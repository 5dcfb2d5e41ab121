"""Draw the table: the board with its border, cars and marks, the tiles beside it, the stopwatch; and the content of a box.

A picture defines common parts of tiles once, such as a side with its ground or a road with its joints, and refers to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, hypot, pi, sin
from typing import Any, Final

from adjudicator.game import Seat, Value, View, count, drawing, listed, replace
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.board_text import APART, PENS, Square, board_text
from adjudicator.games.checkpoint_rally.components import CELLS, SIDE_NAMES, SIDES, SIZE, Config, Face, Road, Terrain
from adjudicator.games.checkpoint_rally.state import DIAL, STACK, Racer, State
from adjudicator.scenes import (
    SEAT,
    SIGNS,
    Element,
    Entry,
    Frame,
    Group,
    Later,
    Legend,
    Path,
    Point,
    Scene,
    Sign,
    Symbol,
    Token,
    circle,
    fitting,
    ground_ink,
    group,
    line,
    number,
    rect,
    text_width,
    way,
    words,
)


def draw(view: View[Config, State, Racer]) -> drawing.Drawing:
    """Return what ``view`` shows: the board, the stopwatch, the row and the hands that may be seen, the seats, the piles."""
    config, state = view.config, view.state
    order = state.order or config.seats
    seats = []
    for due, racer in enumerate(map(state.of, order), 1):
        car = config.cars[racer.car] if racer.car else None
        name, minutes = (car.name, (car.highway, car.gravel, car.urban)) if car else ("–", ("", "", ""))
        where = racer.cell or ("finished" if racer.place else "–")
        goals, left = " ".join(racer.marked) or "–", racer.left(config)
        if left is not None:
            goals += f", left {' '.join(left) or '–'}"
        seats.append((due, racer.seat, racer.minutes, racer.dial, name, *minutes, where, len(racer.hand), racer.gps, goals))
    headings = ("due", "seat", "min", "dial", "car", "hwy", "grv", "urb", "at", "hand", "GPS", "checkpoints")
    piles = drawing.Fields(
        "Tiles",
        (
            ("row", " ".join(state.row) or "empty"),
            ("stack", count(STACK.many_left(config, state), "tile")),
            ("discard pile", " ".join(state.discard) or "empty"),
        ),
    )
    # The tiles that one may see off the board, as pictures and as a table.
    hands = [(f"hand of {racer.seat}", racer.hand) for racer in state.racers if None not in racer.hand]
    shelves = [(where, [(tile, config.faces[tile][0]) for tile in tiles]) for where, tiles in (("row", state.row), *hands)]
    title, cells = "Faces at rot 0", []
    for where, tiles in shelves:
        for tile, face in tiles:
            exits = "".join(side for side, is_exit in zip(SIDES, face.exits, strict=True) if is_exit)
            cells.append((where, tile, face.road if exits else "", exits, *face.sides))
    return drawing.Drawing(
        (
            _board_scene(config, state),
            Legend((*_KINDS, _SIGN_ENTRIES)),
            stopwatch(state, order),
            drawing.table("Stopwatch (least time first)", headings, seats),
            piles,
            *(_shelf_scene(title, where, tiles) for where, tiles in shelves),
            drawing.table(title, ("where", "tile", "road", "exits", *SIDES), cells),
        )
    )


def catalogue(components: parts.Components) -> drawing.Drawing:
    """Return the content of the box: every tile as printed, the border pieces, the map cards, the cars."""
    tiles = components.tiles
    squares = (*(Square(parts.faces_of(tile)[0], tile.id) for tile in tiles), *[Square()] * (-len(tiles) % APART))
    pitch, drawn = SIDE + _GAP, list[Element]()
    for at, tile in enumerate(tiles):
        corner = _EDGE + at % APART * pitch, _EDGE + at // APART * pitch
        drawn.append(group((_tile(squares[at].face, tile.id),), *corner, id=tile.id))
    width, height = (many * pitch + 2 * _EDGE for many in (APART, len(squares) // APART))
    cards = [(card.id, card.upper, card.lower) for card in components.cards]
    borders = [(piece.id, piece.front, piece.back) for piece in components.borders]
    cars = [(car.name, car.highway, car.gravel, car.urban) for car in components.cars]
    return drawing.box(
        components,
        drawing.Fields(f"Tiles ({len(tiles)}) at rot 0", ()),
        Scene("board", "", tuple(drawn), width, height, text=Later(board_text, (squares, None, ()))),
        Legend(_KINDS),
        drawing.table("Border pieces", ("piece", "front", "back"), borders, is_counted=True),
        drawing.table("Map cards", ("card", "upper map", "lower map"), cards, is_counted=True),
        drawing.table("Cars", ("car", "hwy", "grv", "urb"), cars, is_counted=True),
    )


# The scenes: the board, and tiles beside it

SIDE: Final = 100
"""Pixels along one side of a square."""
MIDDLE: Final[Point] = (SIDE / 2, SIDE / 2)
_GAP: Final = 16
"""The gap between separate tiles, which are no board."""
_STRIP: Final = 24
"""The width of the frame."""
_NAMES: Final = 20
"""Room for the names of columns and rows, beyond the frame."""
_EDGE: Final = _STRIP + _NAMES
_BOARD: Final = SIZE * SIDE + 2 * _EDGE
"""Pixels along one side of the board with all that is around it."""
_ACROSS: Final = 3
"""The number of tiles side by side in a panel."""
_PITCH: Final = SIDE + 8
_TITLE: Final = 20
WIDTH: Final = _ACROSS * _PITCH - 8
"""The width of a panel of tiles in pixels."""
_FRAME: Final = Frame(SIDE / 2, SIDE / 2, SIDE, SIDE)
_SIGN_NAMES: Final = {Sign.PIECE: "car", Sign.MARK: "checkpoint marked", Sign.GOAL: "own checkpoint still to visit"}
_GREY: Final = "#555555"


def _board_scene(config: Config, state: State) -> Scene:
    """Return the board in its border, with the cars, the marked checkpoints, and the goals that may be seen."""
    sides = range(len(state.border))
    frame = tuple(tuple(config.frame_terrain(state.border, side, along) for along in range(SIZE)) for side in sides)
    goals = {racer.seat: racer.left(config) or () for racer in state.racers}
    drawn, tokens, squares = [_around(frame)], list[Group](), list[Square]()
    for at, cell in enumerate(CELLS):
        markers = [(racer.seat, Sign.PIECE) for racer in state.racers if racer.cell == cell]
        markers += [(racer.seat, Sign.MARK) for racer in state.racers if cell in racer.marked]
        markers += [(seat, Sign.GOAL) for seat, cells in goals.items() if cell in cells]
        tile = Square(config.face(laid), laid.tile, f"{laid.rot}°") if (laid := state.board[at]) else Square()
        squares.append(replace(tile, markers=tuple(markers)))
        corner = _EDGE + at % SIZE * SIDE, _EDGE + at // SIZE * SIDE
        face, name, rot = tile.face, tile.tile, tile.rot
        inner = _tile(face, name, rot) if face else _free(cell)
        told = f"{name} {rot}, {_told(face)}" if face else "empty"
        drawn.append(group((inner,), *corner, id=cell, frame=_FRAME, holds=(face, name, rot), told=told))
        tokens += _tokens(cell, squares[at], corner)
    text = Later(board_text, (tuple(squares), frame, tuple(sorted(config.seats))))
    told = "Board of 5 columns and 5 rows, A to E from west to east, 1 to 5 from north to south"
    return Scene("board", "", (*drawn, *tokens), _BOARD, _BOARD, text=text, told=told)


def _told(face: Face) -> str:
    sides = zip(SIDE_NAMES, face.sides, face.exits, strict=True)
    return ", ".join(f"{side} {ground}{f' with {face.road}' * is_exit}" for side, ground, is_exit in sides)


@lru_cache(maxsize=64)
def _free(name: str) -> Group:
    """Return a free square with its ``name``, which players need to place something there."""
    inner = rect(SIDE - 8, SIDE - 8, 4, 4, 6, fill="#ffffff", stroke="#b5b1a6", stroke_width=1.2, stroke_dasharray="4 4")
    return group((rect(SIDE, SIDE, fill="#f4f2ec"), inner, words(name, SIDE / 2, SIDE / 2 + 26 / 3, 26, fill="#6b675e")))


@lru_cache(maxsize=64)
def _around(frame: tuple[tuple[Terrain, ...], ...]) -> Group:
    """Return the names of columns and rows, on both sides of the board, and the terrains that frame it."""
    drawn: list[Element] = []
    for at, name in enumerate("ABCDE"):
        x = _EDGE + (at + 0.5) * SIDE
        drawn += [words(name, x, y, 15, is_bold=True) for y in (_NAMES - 6, _BOARD - 5)]
    for at, name in enumerate("12345"):
        y = _EDGE + (at + 0.5) * SIDE + 5
        drawn += [words(name, x, y, 15, is_bold=True) for x in (_NAMES / 2, _BOARD - _NAMES / 2)]
    for side, grounds in enumerate(frame):
        named = zip("12345" if side % 2 else "ABCDE", grounds, strict=True)
        border = listed(f"{name} {ground}" for name, ground in named)
        drawn.append(group((), name=f"the {SIDE_NAMES[side]} border", told=border))
        is_across = side % 2 == 0
        wide, tall = (SIDE, _STRIP) if is_across else (_STRIP, SIDE)
        beside = _EDGE + SIZE * SIDE if side in (1, 2) else _NAMES
        for along, ground in enumerate(grounds):
            x, y = (_EDGE + along * SIDE, beside) if is_across else (beside, _EDGE + along * SIDE)
            drawn.append(rect(wide, tall, x, y, fill=_ink(ground), stroke="#7d7d7d", stroke_width=0.8))
            x, y = x + wide / 2, y + tall / 2
            drawn += [_figure(ground, *((x + far, y + 1) if is_across else (x, y + far))) for far in (-27, 27)]
            drawn.append(words(ground[0], x, y + 5, 14, fill="#333333"))
    return group(drawn)


def _shelf_scene(title: str, name: str, tiles: Sequence[tuple[str, Face]]) -> Scene:
    """Return tiles as a panel under their ``name``, with a ``title`` at its right."""
    drawn: list[Element] = [words(title, WIDTH, 14, 11, "end", fill="#555555")]
    drawn.append(words(name, 0, 14, 13, "start", is_bold=True))
    for at, (tile, face) in enumerate(tiles):
        corner, place = (at % _ACROSS * _PITCH, _TITLE + at // _ACROSS * _PITCH), f"{tile} ({name})"
        drawn.append(group((_tile(face, tile),), *corner, id=tile, name=place, frame=_FRAME, holds=face, told=_told(face)))
    height = _TITLE + -(-len(tiles) // _ACROSS) * _PITCH
    return Scene(f"tiles: {name}", name, tuple(drawn), WIDTH, height, is_beside=True)


# A tile: its grounds, its roads and its name

_SIDES: Final = ("M0 0H100L50 50Z", "M100 0V100L50 50Z", "M100 100H0L50 50Z", "M0 100V0L50 50Z")
_FIGURES: Final[tuple[tuple[Point, Point], ...]] = (
    ((35, 26), (70, 20)),
    ((79, 34), (81, 67)),
    ((31, 82), (70, 79)),
    ((23, 38), (25, 67)),
)
"""The places of the figures of the ground at each side, away from the roads."""
_LETTERS: Final[tuple[Point, ...]] = ((66, 13), (92, 40), (66, 96), (8, 71))
"""The place of the letter of each side, beside a road and within a frame."""
_EXITS: Final[tuple[Point, ...]] = ((50, 0), (100, 50), (50, 100), (0, 50))
_DIAGONALS: Final = ("M50 50L100 0", "M50 50L100 100", "M50 50L0 100", "M50 50L0 0")
"""Between each side and the next, clockwise from the north."""
_PLATE: Final = 33
"""The room for the name of a tile, between its corner and the road to the north."""
_BEND: Final = 0.55
"""How far a bend leads towards the middle of its tile."""


def _drawn(along: str, ink: str, width: float = 1.5) -> Path:
    return Path(along, stroke=ink, stroke_width=width, stroke_linecap="round")


_FIGURE_PARTS: Final[dict[Terrain, tuple[Element, ...]]] = {
    Terrain.CITY: (
        Path("M-9 6V-1L-5 -5L-1 -1V6Z", fill="#a6452e"),
        Path("M0 6V-8H6V6ZM7 6V-3H10V6Z", fill="#7e3120"),
        Path(
            "M-6 6V2H-4V6ZM1.5 -6H3V-4.5H1.5ZM1.5 -3H3V-1.5H1.5ZM3.8 -6H5.2V-4.5H3.8ZM3.8 -3H5.2V-1.5H3.8Z", fill="#ffffff"
        ),
    ),
    Terrain.MOUNTAINS: (
        Path("M-10 6L-3.5 -7L0.5 0.5L3.5 -4L10 6Z", fill="#62627c"),
        Path("M-3.5 -7L-6 -2L-4.4 -3L-3.3 -1.6L-2.2 -3L-0.9 -2.2ZM3.5 -4L1.9 -1.6L3.4 -2.2L5 -1.7Z", fill="#ffffff"),
    ),
    Terrain.GRASSLAND: (
        _drawn("M-8 5Q-8 0 -10 -3M-7 5V-4M-6 5Q-6 0 -4 -3M-1 1Q-1 -3 -2.6 -5M0 1V-6M1 1Q1 -3 2.6 -5", "#47792f"),
        _drawn("M5 6Q5 1 3 -2M6 6V-3M7 6Q7 1 9 -2", "#47792f"),
    ),
    Terrain.DESERT: (
        _drawn("M-10 5Q-6 0 -1 4Q4 1 10 5", "#a8781c"),
        _drawn("M3 2V-7M3 -1H-0.5V-4M3 -2.5H6.2V-5.5", "#5d7a2c", 2),
        _drawn("M-8 -1H-7.9M-5 -4H-4.9M-7 -6H-6.9M8 1H8.1", "#a8781c", 1.6),
    ),
}


class _Look(Value):
    """The layers of a road: an ``edge`` of ``width`` pixels, ``ink`` on it, a ``line`` along its middle; dashes of them."""

    name: str
    edge: str
    width: float
    ink: str
    inner: float
    line: str
    thin: float
    dash: str = ""
    edge_dash: str = ""


_LOOKS: Final = {
    Road.HIGHWAY: _Look("double", "#2f2f2f", 18, "#ffffff", 13, "#2f2f2f", 2.4),
    Road.GRAVEL: _Look("dotted", "#5e4420", 12, "#d8b98a", 7.5, "#5e4420", 1.6, "1.6 5", "2.4 2.6"),
    Road.URBAN: _Look("single", "#ffffff", 15, "#4a4a4a", 12, "#ffffff", 1.4, "5 4"),
}
"""Three parallel lines, one broad line, a light line with dotted edges: readers can distinguish them without colour."""


@lru_cache(maxsize=1 << 11)
def _tile(face: Face, name: str, rot: str = "") -> Group:
    """Return a tile with its corner at 0, 0: grounds, roads, and its name above its rotation."""
    drawn: list[Element] = [_side(ground, side) for side, ground in enumerate(face.sides)]
    lines = [line for side, line in enumerate(_DIAGONALS) if face.sides[side] != face.sides[(side + 1) % 4]]
    if lines:
        drawn.append(Path("".join(lines), stroke="#ffffff", stroke_width=1.5))
    drawn.append(rect(SIDE, SIDE, stroke="#7d7d7d", stroke_width=0.8))
    if any(face.exits):
        drawn.append(_road(face.road, face.exits))
    # The name is on a plate that is legible on every ground and covers no road.
    size = fitting([name], _PLATE - 4, range(14, 8, -1), is_bold=True)
    room = max(text_width(name, size, is_bold=True), text_width(rot, 12)) + 4
    drawn.append(rect(round(room, 1), 29 if rot else 17, 1.5, 1.5, 3, fill="#ffffff", fill_opacity=0.88))
    drawn.append(words(name, 3.5, 14.5, size, "start", is_bold=True))
    if rot:
        drawn.append(words(rot, 3.5, 27, 12, "start", fill="#333333"))
    return group(drawn)


@lru_cache(maxsize=64)
def _side(ground: Terrain, side: int) -> Symbol:
    """Return a side of a square: its ground, figures on it, and its letter."""
    drawn = Path(_SIDES[side], fill=_ink(ground), stroke=_ink(ground), stroke_width=0.6)
    letter = words(ground[0], *_LETTERS[side], 14, fill="#333333")
    return Symbol(f"{ground}-{'nesw'[side]}", (drawn, *(_figure(ground, x, y) for x, y in _FIGURES[side]), letter))


def _figure(terrain: Terrain, x: float, y: float) -> Symbol:
    """Return the small figure of ``terrain`` around ``x``, ``y``, about 18 pixels wide and 14 high."""
    return Symbol(terrain.value, _FIGURE_PARTS[terrain], x, y)


def _ink(terrain: Terrain) -> str:
    return ground_ink(terrain, tuple(Terrain))


@lru_cache(maxsize=64)
def _road(road: Road, exits: tuple[bool, ...]) -> Symbol:
    """Return a road to ``exits``: its ways join smoothly, because each layer of all of them is above the last."""
    sides = [side for side, is_exit in enumerate(exits) if is_exit]
    if len(sides) == 1:
        drawn = _layers(road, way((_EXITS[sides[0]], MIDDLE)), is_ended=True)
    elif len(sides) == 2:
        drawn = _layers(road, _way(sides[0], sides[1], _BEND))
    else:
        ways = "".join(_way(one, other, 0.8) for one, other in combinations(sides, 2))
        middle = "".join(way((_EXITS[side], _inwards(_EXITS[side], 0.54))) for side in sides)
        crossing = way((_inwards(_EXITS[side], 0.62) for side in sides), closed=True)
        drawn = _layers(road, ways, middle, crossing)
    joined = sum(1 << side for side in sides)  # 1 north, 2 east, 4 south, 8 west
    return Symbol(f"{_LOOKS[road].name}{joined}", tuple(drawn))


def _layers(road: Road, ways: str, middle: str = "", crossing: str = "", *, is_ended: bool = False) -> Iterator[Element]:
    """Yield the layers of a road along ``ways``, with a line along its ``middle`` if that is different.

    ``crossing`` is the area between ways that join. A road that ``is_ended`` leads nowhere.
    """
    look, path = _LOOKS[road], {"stroke_linecap": "round"} if is_ended else dict[str, Any]()
    if look.edge_dash:  # a light line below makes dots visible on every ground
        yield Path(ways, stroke="#ffffff", stroke_width=look.width + 1, **path)
    dots = {"stroke_dasharray": look.edge_dash} if look.edge_dash else path
    yield Path(ways, stroke=look.edge, stroke_width=look.width, **dots)
    yield Path(ways, stroke=look.ink, stroke_width=look.inner, **path)
    if crossing:
        yield Path(crossing, fill=look.ink)
    yield Path(middle or ways, stroke=look.line, stroke_width=look.thin, stroke_dasharray=look.dash)


def _way(one: int, other: int, pull: float) -> str:
    """Return the way from one exit to another: straight, or a bend that leads as far as ``pull`` towards the middle."""
    start, end = _EXITS[one], _EXITS[other]
    if other - one == 2:
        return way((start, end))
    points = _inwards(start, pull), _inwards(end, pull), end
    return f"{way((start,))}C" + " ".join(f"{number(x)} {number(y)}" for x, y in points)


def _inwards(start: Point, part: float) -> Point:
    return start[0] + (MIDDLE[0] - start[0]) * part, start[1] + (MIDDLE[1] - start[1]) * part


# Cars and marks on a square

_SPOTS: Final[tuple[Point, ...]] = ((14, 86), (86, 86), (86, 14), (36, 86))
"""The places of the marks of four seats."""
_ALONG: Final = ((0.5,), (0.3, 0.7), (0.18, 0.5, 0.82), (0.12, 0.37, 0.63, 0.88))
"""The places of one, two, three or four cars along a road."""
_BODY: Final = (
    "M-12.5 4v-5q0 -2.5 2.5 -3l3 -.6l3.2 -4.2q.8 -1 2 -1h5.2q1.2 0 2 1l3.2 4.2q3.4 .6 3.4 3v5.6q0 1 -1 1h-23q-1 0 -1 -1z"
)
"""The outline of a car from the side."""
_WHEELS: Final = "M-6.5 5.5h0.1M6.5 5.5h0.1"


def _car_body(ink: str = SEAT) -> tuple[Element, ...]:
    """Return a car from the side, in the colour of its seat."""
    body = Path(_BODY, fill=ink, stroke="#ffffff", stroke_width=2.4, paint_order="stroke")
    rims = (("#ffffff", 8), ("#1d1d1d", 6))
    return body, *(Path(_WHEELS, stroke=rim, stroke_width=wide, stroke_linecap="round") for rim, wide in rims)


_CAR: Final = _car_body()


def _tokens(place: str, square: Square, corner: Point) -> Iterator[Group]:
    """Yield the markers of ``square``, called ``place``, at ``corner``: cars on the road, others in the corners."""
    cars = [marker for marker in square.markers if marker[1] is Sign.PIECE]
    others = [marker for marker in square.markers if marker[1] is not Sign.PIECE]
    exits = tuple(side for side, is_exit in enumerate(square.face.exits) if is_exit) if square.face else ()
    placed = (*zip(cars, _car_points(exits, len(cars)), strict=False), *zip(others, _SPOTS, strict=False))
    for (seat, sign), (x, y) in placed:
        look: dict[str, Any] = {"size": 26, "body": _CAR, "drop": 2.5} if sign is Sign.PIECE else {}
        token = Token(seat, 0, 0, place, seat, seat, sign, told=_SIGN_NAMES[sign], **look)
        yield group((token,), round(corner[0] + x, 1), round(corner[1] + y, 1), scale=1.15 if sign is Sign.PIECE else 1.3)


def _car_points(exits: tuple[int, ...], many: int) -> tuple[Point, ...]:
    """Return the places of ``many`` cars on a road to ``exits``: along it, or on its arms if it has three or four.

    On a tile without exits they stand side by side.
    """
    exits = exits or (3, 1)
    if not many:
        return ()
    if len(exits) > 2:
        arms = [_inwards(_EXITS[side], 0.45) for side in exits]
        return (MIDDLE,) if many == 1 else (*arms, MIDDLE)[:many]
    ends = _EXITS[exits[0]], _EXITS[exits[1]] if len(exits) == 2 else MIDDLE
    return tuple(_on_way(*ends, part) for part in _ALONG[many - 1])


def _on_way(start: Point, end: Point, part: float) -> Point:
    """Return the point at ``part`` (0 to 1) of the way between two exits, which bends as its road does."""
    rest = 1 - part
    weights = rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3
    points = start, _inwards(start, _BEND), _inwards(end, _BEND), end
    x, y = (sum(weight * point[side] for weight, point in zip(weights, points, strict=True)) for side in (0, 1))
    return round(x, 1), round(y, 1)


# The stopwatch: its figures in a circle, and the markers in stacks, with the top of each outermost (CR-T1, CR-T2)

_DIAL: Final = "Stopwatch dial"
_DIAL_WIDTH: Final = 316
_DIAL_RADIUS: Final = 118
_DIAL_MIDDLE: Final[Point] = (_DIAL_WIDTH / 2, 22 + _DIAL_RADIUS + 6)
_STACK_TOP: Final = 80
"""From the middle to the top of a stack, its outermost marker."""
_MARKER_PITCH: Final = 17
"""From one marker of a stack to the next: they lie side by side, towards the middle."""
_STACKS_APART: Final = 15.5
"""The least distance between the markers of two stacks."""
_DARK: Final = "#3a3a3a"
_GROUND: Final = "#fbfaf6"
_NAMED: Final = 5
"""The dial shows every figure that is a multiple of this; between them are strokes."""


def stopwatch(state: State, order: Iterable[Seat]) -> Scene:
    """Return the dial with the markers; ``order`` lists them as they are due, the top of a stack first."""
    stacks: dict[int, list[Seat]] = {}
    for seat in order:
        stacks.setdefault(state.of(seat).dial, []).append(seat)
    drawn, markers, lines = [*_DIAL_FACE], list[Token](), list[str]()
    wide = max((len(str(at)) for at in stacks), default=0)
    for at, seats in sorted(stacks.items()):
        drawn.append(line((_on_dial(at, _STACK_TOP - 6), _on_dial(at, _DIAL_RADIUS - 2)), stroke=_DARK, stroke_width=1.2))
        far, stack = float(_STACK_TOP), list[Token]()
        for left, seat in zip(range(len(seats) - 1, -1, -1), seats, strict=True):
            # Each marker lies as far out as its stack and the markers of other stacks let it be.
            choices = (far - step for step in range(max(1, int(far - left * _MARKER_PITCH) + 1)))
            for one in choices:
                x, y = _on_dial(at, one)
                if all(hypot(x - other.x, y - other.y) >= _STACKS_APART for other in markers):
                    far = one
                    break
            stack.append(Token(seat, *_on_dial(at, far), f"dial {at}", seat, seat, told="marker"))
            far -= _MARKER_PITCH
        markers += reversed(stack)  # the lowest first, below the others
        lines.append(f"{at:>{wide}}  {' '.join(seats)}")
    # Lines and marks of changes are below figures and markers.
    over: tuple[Element, ...] = (_DIAL_FIGURES, *markers)
    height = _DIAL_MIDDLE[1] + _DIAL_RADIUS + 4
    told = f"{_DIAL}, each stack from its lowest marker to its top"
    return Scene("dial", _DIAL, tuple(drawn), _DIAL_WIDTH, height, over, tuple(lines), told=told, is_beside=True)


def _on_dial(minute: int, far: float) -> Point:
    """Return the point ``far`` from the middle towards a minute of the dial, the last one at its top."""
    turn = 2 * pi * minute / DIAL
    return round(_DIAL_MIDDLE[0] + far * sin(turn), 1), round(_DIAL_MIDDLE[1] - far * cos(turn), 1)


_DIAL_FACE: Final[tuple[Element, ...]] = (
    words(_DIAL, 0, 14, 13, "start", is_bold=True),
    rect(14, 10, _DIAL_MIDDLE[0] - 7, _DIAL_MIDDLE[1] - _DIAL_RADIUS - 7, 2, fill=_DARK),
    circle(*_DIAL_MIDDLE, _DIAL_RADIUS, fill=_GROUND, stroke=_DARK, stroke_width=4),
    group(
        line(
            (_on_dial(minute, _DIAL_RADIUS - (4 if small else 7)), _on_dial(minute, _DIAL_RADIUS - 1)),
            stroke=_DARK,
            stroke_width=1 if small else 2,
        )
        for minute in range(1, DIAL + 1)
        for small in (minute % _NAMED,)
    ),
)
_DIAL_FIGURES: Final = group(
    words(str(minute), x, y + 4, is_bold=True, halo=5, halo_ink=_GROUND)
    for minute in range(_NAMED, DIAL + 1, _NAMED)
    for x, y in [_on_dial(minute, 98)]
)
"""The figures have a halo that interrupts the lines below them."""


# The legend

_KINDS: Final = (
    tuple(Entry(name, sign=name[0], ink=name) for name in Terrain),
    tuple(
        Entry(f"{one} ({one[0]})", (rect(28, 20, 0, -3, 2, fill=_ink(one), stroke="#888888"), _figure(one, 14, 7)), 34)
        for one in Terrain
    ),
    tuple(Entry(road, tuple(_layers(road, "M0 7H30")), 36, PENS[road].across * 2) for road in Road),
)
_SIGN_ENTRIES: Final = tuple(
    Entry(name, (Token("", middle, 7, sign=sign, body=body, ink=_GREY, is_key=True),), room, SIGNS[sign])
    for sign, name in _SIGN_NAMES.items()
    for middle, room, body in [(14, 34, _car_body(_GREY)) if sign is Sign.PIECE else (8, 22, ())]
)
