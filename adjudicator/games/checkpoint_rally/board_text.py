"""Draw the board with characters, with roads that continue from one square into the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from adjudicator.core.phrases import display_width, graphemes
from adjudicator.game import Seat, Value
from adjudicator.games.checkpoint_rally.components import CELLS, NEIGHBOURS, SIZE, Face, Road, Terrain
from adjudicator.scenes import FAINT, SIGNS, STRONG, Sign, bare, in_parts, inked, short_name


class Square(Value):
    """A square: the ``face`` of its tile as it lies (``None``: it is free), the tile, its rotation, the markers of seats."""

    face: Face | None = None
    tile: str = ""
    rot: str = ""
    markers: tuple[tuple[Seat, Sign], ...] = ()


class Pen(Value):
    """The characters of a road: ``across``, ``down``, and ``joints`` by the sum of 1 north, 2 east, 4 south, 8 west."""

    across: str
    down: str
    joints: str


PENS: Final = {
    Road.HIGHWAY: Pen("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬"),
    Road.GRAVEL: Pen("∙", "∙", " ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙"),
    Road.URBAN: Pen("─", "│", " ╵╶└╷│┌├╴┘─┴┐┤┬┼"),
}
"""The pens of the kinds of roads, which readers can distinguish without colour."""
APART: Final = 6
"""Squares side by side, if they are separate tiles and no board."""
WIDTH: Final = 11
HEIGHT: Final = 5
"""The size of a square in columns and rows of characters."""
ALLEY: Final = 3
"""The number of columns between two squares side by side; between a square and the one below it is one row."""

_X, _Y = WIDTH // 2, HEIGHT // 2
"""The middle of a square."""
_BADGE_ROWS: Final = (3, 1, 4, 0)
"""The rows of a square in the order in which markers take them; row 2 has the road across."""
_NAME_LENGTHS: Final = ((80, 4), (4,), (1,))
"""The lengths of names on markers: whole where there is room, else cut; if not all fit, all cut, then very short."""
_BESIDE: Final = frozenset("┃" + "".join(pen.across + pen.down + pen.joints for pen in PENS.values()))
"""Characters that may be next to a badge: the frame, roads and blanks."""
_REACH: Final = WIDTH + ALLEY - 1
"""The columns of a square and of the gap to the next one into which a badge may reach."""
_WALL: Final = inked("┃", FAINT)


def board_text(
    squares: Sequence[Square], frame: Sequence[Sequence[Terrain]] | None, seats: Sequence[str], width: int | None = None
) -> list[str]:
    """Return the ``squares`` of a board in its ``frame`` as lines, or separate tiles without one, in parts for a ``width``.

    The frame has the terrains of the border in the north, east, south and west. ``seats`` are all seats, sorted: short
    names differ from those of others.
    """
    across, aside, pitch = SIZE if frame else APART, 6 if frame else 3, WIDTH + ALLEY
    is_whole = width is None or aside + across * pitch - ALLEY <= width
    most = across if is_whole or width is None else (width - aside) // pitch

    def part(first: int, last: int) -> list[str]:
        lines, remarks, is_cut = list[str](), list[str](), last < across
        for north in range(0, len(squares), across):
            row = []
            for at in range(north + first, north + last):
                cells, left_out = _square(squares, at, frame, seats)
                row.append(cells)
                if left_out:
                    remarks.append(f"also on {CELLS[at]}: {' '.join(SIGNS[sign] + seat for seat, sign in left_out)}")
            for y, drawn in enumerate(zip(*row, strict=True)):
                west = "   "
                if frame:  # the terrains at the sides are left out where the board is cut off
                    name = inked(CELLS[north][1], STRONG) if y == _Y else " "
                    west = f"{name} {_WALL if first or y != _Y - 1 else _ground(frame[3][north // SIZE])} "
                lines.append(west + "".join("".join(cells) for cells in drawn) + f" {_WALL}" * bool(frame and is_cut))
        if not frame:
            return lines[:-1]
        heads = "".join(f"{'':{_X}}{inked(cell[0], STRONG)}{'':{pitch - _X - 1}}" for cell in CELLS[first:last])
        edges = []
        for side, (west, east) in ((0, "┏┓"), (2, "┗┛")):
            grounds = (f"{inked('━━━', FAINT)} {_ground(one)} {inked('━━━━━', FAINT)}" for one in frame[side][first:last])
            line = inked("━━━", FAINT).join(grounds) + inked("━━━" * is_cut, FAINT)
            edges.append(f"  {inked(west + '━', FAINT)}{line}{inked('━' + east, FAINT)}")
        return [f"    {heads}", edges[0], *lines[:-1], edges[1], *remarks]

    return in_parts(across, most, part)


def _square(
    squares: Sequence[Square], at: int, frame: Sequence[Sequence[Terrain]] | None, seats: Sequence[str]
) -> tuple[list[list[str]], list[tuple[Seat, Sign]]]:
    """Return a square with the gaps in its east and south as rows of characters, and the markers without room on it."""
    square, pitch = squares[at], WIDTH + ALLEY
    face, rows = square.face, [[" "] * pitch for _ in range(HEIGHT + 1)]
    if frame and at % SIZE == SIZE - 1:
        for y, row in enumerate(rows):
            row[WIDTH + 1] = _ground(frame[1][at // SIZE]) if y == _Y - 1 else _WALL
    elif frame:
        rows[HEIGHT][WIDTH + 1] = inked("+", FAINT)
    if face:
        pen, (north, east, south, west) = PENS[face.road], face.exits
        for y in range(HEIGHT):
            if north if y < _Y else south:
                rows[y][_X] = pen.down
        for x in range(WIDTH):
            if west if x < _X else east:
                rows[_Y][x] = pen.across
        rows[_Y][_X] = pen.joints[sum(1 << side for side, is_exit in enumerate(face.exits) if is_exit)]
        # Beside the road in the north and south, above it in the west and east.
        places = (_X - 1, 0), (WIDTH - 1, _Y - 1), (_X - 1, HEIGHT - 1), (0, _Y - 1)
        for (x, y), ground in zip(places, face.sides, strict=True):
            rows[y][x] = _ground(ground)
    elif frame:
        rows[_Y][_X] = inked("·", FAINT)
    if face and frame:  # Roads lead across the gaps where one can drive on.
        _, beyond, below, _ = (None if there is None else squares[there].face for there in NEIGHBOURS[at])
        if beyond and face.exits[1] and beyond.exits[3]:
            rows[_Y][WIDTH:] = [PENS[face.road].across, *PENS[beyond.road].across * (ALLEY - 1)]
        if below and face.exits[2] and below.exits[0]:
            rows[HEIGHT][_X] = PENS[face.road].down
    _put(rows[0], 0, square.tile, STRONG)
    _put(rows[HEIGHT - 1], WIDTH - display_width(square.rot), square.rot, FAINT)
    return rows, _put_markers(rows, square.markers, seats)


def _ground(ground: Terrain) -> str:
    return inked(ground[0], ground)


def _put(row: list[str], x: int, text: str, ink: str = "", seat: str = "") -> None:
    for one in graphemes(text):
        wide = display_width(one)
        if x + wide > len(row):
            return
        row[x : x + wide] = [inked(one, ink, seat=seat), *[""] * (wide - 1)]
        x += wide


def _put_markers(
    rows: Sequence[list[str]], markers: Sequence[tuple[Seat, Sign]], seats: Sequence[str]
) -> list[tuple[Seat, Sign]]:
    """Write the ``markers`` of a square with the longest names that fit; return those without room."""
    places, left_out = list[tuple[int, int, str, Seat]](), list[tuple[Seat, Sign]]()
    for lengths in _NAME_LENGTHS if markers else ():
        rooms = [(x, y, length) for y in _BADGE_ROWS for x, length in _rooms(rows[y])]
        places, left_out = [], []
        for seat, sign in markers:
            texts = [SIGNS[sign] + short_name(seat, seats, longest) for longest in lengths]
            fitting = ((at, text) for text in texts for at, room in enumerate(rooms) if display_width(text) <= room[2])
            at, text = next(fitting, (-1, ""))
            if at < 0:
                left_out.append((seat, sign))
            else:
                (x, y, length), used = rooms[at], display_width(text) + 1
                places.append((x, y, text, seat))
                rooms[at] = (x + used, y, length - used)
        if not left_out:
            break
    for x, y, text, seat in places:
        _put(rows[y], x, text, seat=seat)
    return left_out


def _rooms(row: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the free parts of a line of a square and of the gap in its east, as (column, length)."""
    start = 0
    for is_free, cells in groupby(row[:_REACH], lambda cell: cell == " "):
        end = start + len([*cells])
        if is_free:
            left = start + (start > 0 and bare(row[start - 1]) not in _BESIDE)
            yield left, end - (end < _REACH and bare(row[end]) not in _BESIDE) - left
        start = end
