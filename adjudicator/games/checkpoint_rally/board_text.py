"""Draw the board with characters, with roads that continue from one square into the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.game import Seat, Value
from adjudicator.games.checkpoint_rally.components import CELLS, NEIGHBOURS, SIZE, Face, Road, Terrain
from adjudicator.scenes import FAINT, SIGNS, STRONG, Canvas, Run, Sign, Strip, Strips, display_width, short_name


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

_FAINT, _STRONG = Run("", FAINT), Run("", STRONG)
_MIDDLE_X, _MIDDLE_Y = WIDTH // 2, HEIGHT // 2
_BADGE_ROWS: Final = (3, 1, 4, 0)
"""The rows of a square in the order in which markers take them; row 2 has the road across."""
_NAME_LENGTHS: Final = ((80, 4), (4,), (1,))
"""The lengths of names on markers: whole where there is room, else cut; if not all fit, all cut, then very short."""
_TOP: Final = 2
"""The first row of the squares on the canvas, below the names of columns and the frame."""
_BESIDE: Final = frozenset("┃" + "".join(pen.across + pen.down + pen.joints for pen in PENS.values()))
"""Characters that may be next to a badge: the frame, roads and blanks."""
_OVER: Final = ALLEY - 1
"""The columns of the gap to the next square into which a badge may reach."""


def board_text(
    squares: Sequence[Square], frame: Sequence[Sequence[Terrain]] | None, seats: Sequence[str], _width: int | None = None
) -> Strips:
    """Return the ``squares`` of a board in its ``frame`` as text, or separate tiles without one.

    The frame has the terrains of the border in the north, east, south and west. ``seats`` are all seats, sorted: short
    names differ from those of others.
    """
    across, left = (APART, 3) if frame is None else (SIZE, 4)
    corners = [left + column * (WIDTH + ALLEY) for column in range(across)]
    tops = [_TOP + row * (HEIGHT + 1) for row in range(len(squares) // across)]
    right, bottom = corners[-1] + WIDTH, tops[-1] + HEIGHT
    canvas = Canvas(right + 2, bottom + 1)
    if frame is not None:
        _draw_frame(canvas, left - 2, right + 1, corners, tops)
    for side, y in zip((0, 2), (_TOP - 1, bottom), strict=True):
        for x, ground in zip(corners, frame[side] if frame else (), strict=False):
            canvas.put(x + _MIDDLE_X - 2, y, "   ")
            _put_ground(canvas, x + _MIDDLE_X - 1, y, ground)
    # The terrains at the sides are left out where a part of a board is cut off.
    cut_before, cut_after = Strip(canvas.runs(0, left)), Strip(canvas.runs(right))
    for side, x in ((1, right + 1), (3, left - 2)):
        for y, ground in zip(tops, frame[side] if frame else (), strict=False):
            _put_ground(canvas, x, y + _MIDDLE_Y - 1, ground)
    remarks = [[""] * len(tops) for _ in corners]
    for at, square in enumerate(squares):
        row, column = divmod(at, across)
        x, y = corners[column], tops[row]
        if face := square.face:
            _draw_tile(canvas, face, x, y)
        elif frame is not None:
            canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, "·", _FAINT)
        if face and frame is not None:  # Roads lead across the gaps where one can drive on.
            _, east, south, _ = (None if there is None else squares[there].face for there in NEIGHBOURS[at])
            if east and face.exits[1] and east.exits[3]:
                gap = PENS[face.road].across * (ALLEY // 2) + PENS[east.road].across * (ALLEY - ALLEY // 2)
                canvas.put(x + WIDTH, y + _MIDDLE_Y, gap)
            if south and face.exits[2] and south.exits[0]:
                canvas.put(x + _MIDDLE_X, y + HEIGHT, PENS[face.road].down)
        canvas.put(x, y, square.tile, _STRONG)
        canvas.put(x + WIDTH - display_width(square.rot), y + HEIGHT - 1, square.rot, _FAINT)
        if left_out := _draw_markers(canvas, x, y, square.markers, seats):
            remarks[column][row] = f"also on {CELLS[at]}: {' '.join(SIGNS[sign] + seat for seat, sign in left_out)}"
    strips = (
        Strip(canvas.runs(x, x + WIDTH), canvas.runs(x + WIDTH, x + WIDTH + ALLEY), tuple(beside))
        for x, beside in zip(corners, remarks, strict=True)
    )
    return Strips(tuple(strips), Strip(canvas.runs(0, left)), Strip(canvas.runs(right)), cut_before, cut_after)


def _draw_frame(canvas: Canvas, west: int, east: int, corners: Sequence[int], tops: Sequence[int]) -> None:
    """Draw the names of columns and rows, the line around the board, and a small cross between each four squares."""
    bottom = tops[-1] + HEIGHT
    across = "━" * (east - west - 1)
    canvas.put(west, _TOP - 1, f"┏{across}┓", _FAINT)
    canvas.put(west, bottom, f"┗{across}┛", _FAINT)
    for y in range(_TOP, bottom):
        canvas.put(west, y, "┃", _FAINT)
        canvas.put(east, y, "┃", _FAINT)
    for y in tops[1:]:
        for x in corners[1:]:
            canvas.put(x - ALLEY // 2 - 1, y - 1, "+", _FAINT)
    for x, cell in zip(corners, CELLS, strict=False):
        canvas.put(x + _MIDDLE_X, 0, cell[0], _STRONG)
    for y, cell in zip(tops, CELLS[::SIZE], strict=True):
        canvas.put(0, y + _MIDDLE_Y, cell[1], _STRONG)


def _draw_tile(canvas: Canvas, face: Face, x: int, y: int) -> None:
    """Draw roads from the middle to each side with an exit, and the letters of the terrains beside them."""
    pen, (north, east, south, west) = PENS[face.road], face.exits
    for dy in range(HEIGHT):
        if dy != _MIDDLE_Y and (north if dy < _MIDDLE_Y else south):
            canvas.put(x + _MIDDLE_X, y + dy, pen.down)
    for dx in range(WIDTH):
        if dx != _MIDDLE_X and (west if dx < _MIDDLE_X else east):
            canvas.put(x + dx, y + _MIDDLE_Y, pen.across)
    joint = sum(1 << side for side, is_exit in enumerate(face.exits) if is_exit)
    canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, pen.joints[joint])
    # Beside the road in the north and south, above it in the west and east.
    places = (_MIDDLE_X - 1, 0), (WIDTH - 1, _MIDDLE_Y - 1), (_MIDDLE_X - 1, HEIGHT - 1), (0, _MIDDLE_Y - 1)
    for (dx, dy), ground in zip(places, face.sides, strict=True):
        _put_ground(canvas, x + dx, y + dy, ground)


def _put_ground(canvas: Canvas, x: int, y: int, ground: Terrain) -> None:
    canvas.put(x, y, ground[0], Run("", word=ground, place=[*Terrain].index(ground)))


def _draw_markers(
    canvas: Canvas, x: int, y: int, markers: Sequence[tuple[Seat, Sign]], seats: Sequence[str]
) -> list[tuple[Seat, Sign]]:
    """Write the ``markers`` of a square with the longest names that fit; return those without room."""
    places, left_out = list[tuple[int, int, str, Seat]](), list[tuple[Seat, Sign]]()
    for lengths in _NAME_LENGTHS if markers else ():
        rooms = [room for dy in _BADGE_ROWS for room in _rooms(canvas, x, y + dy)]
        places, left_out = [], []
        for seat, sign in markers:
            texts = [SIGNS[sign] + short_name(seat, seats, longest) for longest in lengths]
            fitting = ((at, text) for text in texts for at, room in enumerate(rooms) if display_width(text) <= room[2])
            at, text = next(fitting, (-1, ""))
            if at < 0:
                left_out.append((seat, sign))
            else:
                (start, line, length), used = rooms[at], display_width(text) + 1
                places.append((start, line, text, seat))
                rooms[at] = (start + used, line, length - used)
        if not left_out:
            break
    for start, line, text, seat in places:
        canvas.put(start, line, text, Run("", seat=seat))
    return left_out


def _rooms(canvas: Canvas, x: int, y: int) -> list[tuple[int, int, int]]:
    """Return the free parts of a line of a square and of the gap to the east, as (column, row, length)."""
    rooms = []
    for start, length in canvas.free(y, x, x + WIDTH + _OVER):
        end = start + length
        if start > x and canvas.at(start - 1, y) not in _BESIDE:
            start += 1
        if end < x + WIDTH + _OVER and canvas.at(end, y) not in _BESIDE:
            end -= 1
        rooms.append((start, y, end - start))
    return rooms
