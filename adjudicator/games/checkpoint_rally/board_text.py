"""Draw the board with characters, with roads that continue from one square into the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.game import Seat, Value
from adjudicator.games.checkpoint_rally.components import Face, Road, Terrain
from adjudicator.scenes import FAINT, SIGNS, STRONG, Canvas, Run, Sign, Strip, Strips, display_width, short_name


class Square(Value):
    """A square: the ``face`` of its tile as it lies (``None``: it is free), the tile, its rotation, the markers of seats."""

    face: Face | None = None
    tile: str = ""
    rot: str = ""
    markers: tuple[tuple[Seat, Sign], ...] = ()


class Grid(Value):
    """Squares row by row, with the names of columns and rows, and the terrains of the border: north, east, south, west.

    Without names the squares are separate tiles and no board: no road leads from one square to the next.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    squares: tuple[Square, ...]
    frame: tuple[tuple[Terrain, ...], ...] = ()

    @property
    def is_apart(self) -> bool:
        """Whether the squares are separate tiles."""
        return not any(self.columns)


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
WIDTH: Final = 11
HEIGHT: Final = 5
"""The size of a square in columns and rows of characters."""
ALLEY: Final = 3
"""The number of columns between two squares side by side; between a square and the one below it is one row."""

_NORTH, _EAST, _SOUTH, _WEST = range(4)
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


def board_text(grid: Grid, seats: Sequence[str], width: int | None = None) -> Strips:
    """Return ``grid`` as text; ``seats`` are all seats, sorted: short names differ from those of others."""
    left = max(map(display_width, grid.rows), default=0) + 3
    corners = [left + column * (WIDTH + ALLEY) for column in range(len(grid.columns))]
    right = left + len(corners) * (WIDTH + ALLEY) - ALLEY
    canvas = _framed(grid, left, right, corners)
    narrow = canvas if width is None else _framed(grid, left, right, corners, is_cut=True)
    remarks = [[""] * len(grid.rows) for _ in corners]
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, len(corners))
        x, y = corners[column], _TOP + row * (HEIGHT + 1)
        if square.face is not None:
            _draw_tile(canvas, grid, at, square.face, x, y)
        elif not grid.is_apart:
            canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, "·", _FAINT)
        canvas.put(x, y, square.tile, _STRONG)
        canvas.put(x + WIDTH - display_width(square.rot), y + HEIGHT - 1, square.rot, _FAINT)
        if left_out := _draw_markers(canvas, x, y, square.markers, seats):
            told = " ".join(SIGNS[sign] + seat for seat, sign in left_out)
            remarks[column][row] = f"also on {grid.columns[column]}{grid.rows[row]}: {told}"
    strips = (
        Strip(canvas.runs(x, x + WIDTH), canvas.runs(x + WIDTH, x + WIDTH + ALLEY), tuple(beside))
        for x, beside in zip(corners, remarks, strict=True)
    )
    before, cut_before = (Strip(one.runs(0, left)) for one in (canvas, narrow))
    after, cut_after = (Strip(one.runs(right)) for one in (canvas, narrow))
    return Strips(tuple(strips), before, after, cut_before, cut_after)


def _framed(grid: Grid, left: int, right: int, corners: Sequence[int], *, is_cut: bool = False) -> Canvas:
    """Return a canvas with the names of columns and rows, the line around the board, and the terrains of the border.

    A small cross marks each corner between four squares. ``is_cut`` leaves out the terrains at the sides, for a part of a
    board.
    """
    tops = [_TOP + row * (HEIGHT + 1) for row in range(len(grid.rows))]
    bottom = _TOP + len(tops) * (HEIGHT + 1) - 1
    canvas = Canvas(right + 2, bottom + 1)
    if not grid.is_apart:
        west, east = left - 2, right + 1
        across = "━" * (east - west - 1)
        canvas.put(west, _TOP - 1, f"┏{across}┓", _FAINT)
        canvas.put(west, bottom, f"┗{across}┛", _FAINT)
        for y in range(_TOP, bottom):
            canvas.put(west, y, "┃", _FAINT)
            canvas.put(east, y, "┃", _FAINT)
        for y in tops[1:]:
            for x in corners[1:]:
                canvas.put(x - ALLEY // 2 - 1, y - 1, "+", _FAINT)
        for side, grounds in enumerate(grid.frame):
            for along, ground in enumerate(grounds):
                if side in (_NORTH, _SOUTH):
                    x, y = corners[along] + _MIDDLE_X - 1, _TOP - 1 if side == _NORTH else bottom
                    canvas.put(x - 1, y, "   ")
                    _put_ground(canvas, x, y, ground)
                elif not is_cut:
                    _put_ground(canvas, east if side == _EAST else west, tops[along] + _MIDDLE_Y - 1, ground)
    for x, name in zip(corners, grid.columns, strict=True):
        canvas.put(x + _MIDDLE_X, 0, name, _STRONG)
    for y, name in zip(tops, grid.rows, strict=True):
        canvas.put(0, y + _MIDDLE_Y, name, _STRONG)
    return canvas


def _draw_tile(canvas: Canvas, grid: Grid, at: int, face: Face, x: int, y: int) -> None:
    """Draw roads from the middle to each side with an exit, across the gap where one can drive on, and the terrains."""
    pen, exits, many = PENS[face.road], face.exits, len(grid.columns)
    for dy in range(HEIGHT):
        if dy != _MIDDLE_Y and exits[_NORTH if dy < _MIDDLE_Y else _SOUTH]:
            canvas.put(x + _MIDDLE_X, y + dy, pen.down)
    for dx in range(WIDTH):
        if dx != _MIDDLE_X and exits[_WEST if dx < _MIDDLE_X else _EAST]:
            canvas.put(x + dx, y + _MIDDLE_Y, pen.across)
    joint = sum(1 << side for side, is_exit in enumerate(exits) if is_exit)
    canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, pen.joints[joint])
    if not grid.is_apart:
        east = grid.squares[at + 1].face if (at + 1) % many else None
        south = grid.squares[at + many].face if at + many < len(grid.squares) else None
        if exits[_EAST] and east is not None and east.exits[_WEST]:
            there = PENS[east.road].across
            canvas.put(x + WIDTH, y + _MIDDLE_Y, pen.across * (ALLEY // 2) + there * (ALLEY - ALLEY // 2))
        if exits[_SOUTH] and south is not None and south.exits[_NORTH]:
            canvas.put(x + _MIDDLE_X, y + HEIGHT, pen.down)
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
