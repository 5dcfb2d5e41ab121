"""Draw the board with characters, with roads that continue from one square into the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.values import Value
from adjudicator.games.checkpoint_rally.components import Road, Terrain
from adjudicator.games.checkpoint_rally.squares import STROKES, TERRAINS, Edge, Grid, Marker, Square, Stroke
from adjudicator.scenes import FAINT, SIGNS, STRONG, Canvas, Run, Strip, Strips, display_width, short_name

NORTH, EAST, SOUTH, WEST = range(4)


class Pen(Value):
    """The characters of a stroke: ``across``, ``down``, and ``joints`` by the sum of 1 north, 2 east, 4 south, 8 west."""

    across: str
    down: str
    joints: str

    def joint(self, exits: Sequence[bool]) -> str:
        """Return the joint of roads to ``exits`` (north, east, south, west), a blank for none."""
        return self.joints[sum(1 << side for side, is_exit in enumerate(exits) if is_exit)]


PENS: Final = {
    Stroke.DOUBLE: Pen("═", "║", " ║═╚║║╔╠═╝═╩╗╣╦╬"),
    Stroke.SINGLE: Pen("─", "│", " ╵╶└╷│┌├╴┘─┴┐┤┬┼"),
    Stroke.DOTTED: Pen("∙", "∙", " ∙∙∙∙∙∙∙∙∙∙∙∙∙∙∙"),
}
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


_Placed = tuple[Marker, tuple[int, int, str]]
"""A marker with its column, its row and its text on the canvas."""


def board_text(grid: Grid, seats: Sequence[str], width: int | None = None) -> Strips:
    """Return ``grid`` as text; ``seats`` are all seats, sorted: short names differ from those of others."""
    board = _Board(grid, seats)
    narrow = board if width is None else _Board(grid, seats, is_cut=True)
    left, right, many = board.left, board.right, len(grid.columns)
    corners = [left + column * (WIDTH + ALLEY) for column in range(many)]
    strips = (
        Strip(board.canvas.runs(x, x + WIDTH), board.canvas.runs(x + WIDTH, x + WIDTH + ALLEY), tuple(board.remarks[column]))
        for column, x in enumerate(corners)
    )
    before, cut_before = (Strip(one.canvas.runs(0, left)) for one in (board, narrow))
    after, cut_after = (Strip(one.canvas.runs(right)) for one in (board, narrow))
    return Strips(tuple(strips), before, after, cut_before, cut_after)


class _Board:
    """The drawing of one grid on a canvas; ``is_cut`` leaves out the grounds at its sides, for a part of a board."""

    def __init__(self, grid: Grid, seats: Sequence[str], *, is_cut: bool = False) -> None:
        self.grid, self.seats, self.is_cut = grid, seats, is_cut
        self.left = max(map(display_width, grid.rows), default=0) + 3
        self.right = self.left + len(grid.columns) * (WIDTH + ALLEY) - ALLEY
        self.bottom = _TOP + len(grid.rows) * (HEIGHT + 1) - 1
        self.canvas = Canvas(self.right + 2, self.bottom + 1)
        self.remarks = [[""] * len(grid.rows) for _ in grid.columns]
        if not grid.is_apart:
            self._draw_frame()
        self._draw_names()
        if not is_cut:
            for row, column, square in self._squares():
                self._draw_square(row, column, square)

    def _squares(self) -> Iterator[tuple[int, int, Square]]:
        for at, square in enumerate(self.grid.squares):
            row, column = divmod(at, len(self.grid.columns))
            yield row, column, square

    def _corner(self, row: int, column: int) -> tuple[int, int]:
        """Return the column and row of the upper left character of a square on the canvas."""
        return self.left + column * (WIDTH + ALLEY), _TOP + row * (HEIGHT + 1)

    def _draw_frame(self) -> None:
        """Draw the line around the board, and a small cross at each corner between four squares."""
        west, east = self.left - 2, self.right + 1
        across = "━" * (east - west - 1)
        self.canvas.put(west, _TOP - 1, f"┏{across}┓", _FAINT)
        self.canvas.put(west, self.bottom, f"┗{across}┛", _FAINT)
        for y in range(_TOP, self.bottom):
            self.canvas.put(west, y, "┃", _FAINT)
            self.canvas.put(east, y, "┃", _FAINT)
        for row in range(1, len(self.grid.rows)):
            for column in range(1, len(self.grid.columns)):
                x, y = self._corner(row, column)
                self.canvas.put(x - ALLEY // 2 - 1, y - 1, "+", _FAINT)
        self._draw_frame_grounds()

    def _draw_frame_grounds(self) -> None:
        if not self.grid.frame:
            return
        north, east, south, west = self.grid.frame
        for y, grounds in ((_TOP - 1, north), (self.bottom, south)):
            for column, ground in enumerate(grounds):
                x = self._corner(0, column)[0] + _MIDDLE_X - 1
                self.canvas.put(x - 1, y, "   ")
                self._put_ground(x, y, ground)
        for x, grounds in ((self.left - 2, west), (self.right + 1, east)) if not self.is_cut else ():
            for row, ground in enumerate(grounds):
                self._put_ground(x, self._corner(row, 0)[1] + _MIDDLE_Y - 1, ground)

    def _draw_names(self) -> None:
        for column, name in enumerate(self.grid.columns):
            self.canvas.put(self._corner(0, column)[0] + _MIDDLE_X, 0, name, _STRONG)
        for row, name in enumerate(self.grid.rows):
            self.canvas.put(0, self._corner(row, 0)[1] + _MIDDLE_Y, name, _STRONG)

    def _draw_square(self, row: int, column: int, square: Square) -> None:
        x, y = self._corner(row, column)
        if square.edges:
            self._draw_roads(x, y, square.edges)
            if not self.grid.is_apart:
                self._draw_ways_out(row, column, square.edges)
            self._draw_grounds(x, y, square.edges)
        elif not self.grid.is_apart:
            self.canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, "·", _FAINT)
        corner = square.corner
        self.canvas.put(x, y, square.label, _STRONG)
        self.canvas.put(x + WIDTH - display_width(corner), y + HEIGHT - 1, corner, _FAINT)
        self._draw_markers(row, column, square.markers)

    def _draw_roads(self, x: int, y: int, edges: tuple[Edge, ...]) -> None:
        """Draw a road from the middle to each side with an exit, and their joint."""
        north, east, south, west = (edge.road for edge in edges)
        for dy in range(HEIGHT):
            road = north if dy < _MIDDLE_Y else south
            if road is not None and dy != _MIDDLE_Y:
                self.canvas.put(x + _MIDDLE_X, y + dy, _pen(road).down)
        for dx in range(WIDTH):
            road = west if dx < _MIDDLE_X else east
            if road is not None and dx != _MIDDLE_X:
                self.canvas.put(x + dx, y + _MIDDLE_Y, _pen(road).across)
        kinds = {STROKES[edge.road] for edge in edges if edge.road}
        pen = PENS[kinds.pop() if len(kinds) == 1 else Stroke.SINGLE]
        self.canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, pen.joint([bool(edge.road) for edge in edges]))

    def _draw_ways_out(self, row: int, column: int, edges: tuple[Edge, ...]) -> None:
        """Draw the roads across the gaps to the east and south if the next square has an exit there, too."""
        x, y = self._corner(row, column)
        east, south = self._road(row, column + 1, WEST), self._road(row + 1, column, NORTH)
        if east and (road := edges[EAST].road):
            here, there = _pen(road).across, _pen(east).across
            self.canvas.put(x + WIDTH, y + _MIDDLE_Y, here * (ALLEY // 2) + there * (ALLEY - ALLEY // 2))
        if south and (road := edges[SOUTH].road):
            self.canvas.put(x + _MIDDLE_X, y + HEIGHT, _pen(road).down)

    def _draw_grounds(self, x: int, y: int, edges: tuple[Edge, ...]) -> None:
        """Write the ground of each side: beside the road in the north and south, above it in the west and east."""
        self._put_ground(x + _MIDDLE_X - 1, y, edges[NORTH].ground)
        self._put_ground(x + WIDTH - 1, y + _MIDDLE_Y - 1, edges[EAST].ground)
        self._put_ground(x + _MIDDLE_X - 1, y + HEIGHT - 1, edges[SOUTH].ground)
        self._put_ground(x, y + _MIDDLE_Y - 1, edges[WEST].ground)

    def _draw_markers(self, row: int, column: int, markers: Sequence[Marker]) -> None:
        """Write the markers with the longest names that fit; markers without room go below the board."""
        x, y = self._corner(row, column)
        places, left_out = list[_Placed](), list(markers)
        for lengths in _NAME_LENGTHS:
            places, left_out = self._plan(x, y, markers, lengths)
            if not left_out:
                break
        for marker, (start, line, text) in places:
            self.canvas.put(start, line, text, Run("", seat=marker.seat))
        if left_out:
            told = " ".join(SIGNS[marker.sign] + marker.seat for marker in left_out)
            self.remarks[column][row] = f"also on {self.grid.columns[column]}{self.grid.rows[row]}: {told}"

    def _plan(self, x: int, y: int, markers: Sequence[Marker], lengths: Sequence[int]) -> tuple[list[_Placed], list[Marker]]:
        """Return the places of the markers that fit, each with the first of ``lengths`` for which there is room.

        The markers that do not fit come second.
        """
        rooms = [room for dy in _BADGE_ROWS for room in self._rooms(x, y + dy)]
        places: list[_Placed] = []
        left_out = []
        for marker in markers:
            texts = [SIGNS[marker.sign] + short_name(marker.seat, self.seats, longest) for longest in lengths]
            fitting = ((at, text) for text in texts for at, room in enumerate(rooms) if display_width(text) <= room[2])
            found = next(fitting, None)
            if found is None:
                left_out.append(marker)
            else:
                at, text = found
                (start, line, length), used = rooms[at], display_width(text) + 1
                places.append((marker, (start, line, text)))
                rooms[at] = (start + used, line, length - used)
        return places, left_out

    def _rooms(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """Return the free parts of a line of a square and of the gap to the east, as (column, row, length)."""
        rooms = []
        for start, length in self.canvas.free(y, x, x + WIDTH + _OVER):
            end = start + length
            if start > x and self.canvas.at(start - 1, y) not in _BESIDE:
                start += 1
            if end < x + WIDTH + _OVER and self.canvas.at(end, y) not in _BESIDE:
                end -= 1
            rooms.append((start, y, end - start))
        return rooms

    def _road(self, row: int, column: int, side: int) -> Road | None:
        """Return the road from the square at ``row`` and ``column`` to ``side``."""
        if row >= len(self.grid.rows) or column >= len(self.grid.columns):
            return None
        edges = self.grid.squares[row * len(self.grid.columns) + column].edges
        return edges[side].road if edges else None

    def _put_ground(self, x: int, y: int, ground: Terrain) -> None:
        self.canvas.put(x, y, ground[0], Run("", word=ground, place=TERRAINS.index(ground)))


def _pen(road: Road) -> Pen:
    return PENS[STROKES[road]]
