"""Draw a grid of squares with characters, with roads that continue from one square into the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Badge, Edge, Grid, Square, Stroke
from adjudicator.core.scene import Sign
from adjudicator.reports.legend import Key, as_badge, road_entries
from adjudicator.reports.sanitize import printable
from adjudicator.reports.strokes import EAST, NORTH, PENS, SOUTH, WEST, Pen
from adjudicator.reports.terminal_colors import FAINT, STRONG
from adjudicator.scenes.canvas import Canvas
from adjudicator.scenes.names import SIGNS
from adjudicator.scenes.width import clip, display_width

WIDTH: Final = 11
HEIGHT: Final = 5
"""The size of a square in columns and rows of characters."""
ALLEY: Final = 3
"""The number of columns between two squares side by side; between a square and the one below it is one row."""

_MIDDLE_X, _MIDDLE_Y = WIDTH // 2, HEIGHT // 2
_BADGE_ROWS: Final = (3, 1, 4, 0)
"""The rows of a square in the order in which badges take them; row 2 has the road across."""
_NAME_LENGTHS: Final = (80, 4, 1)
"""The lengths of names on badges: whole if all badges of a square fit, else cut, else as short as possible."""
_TOP: Final = 2
"""The first row of the squares on the canvas, below the names of columns and the frame."""
_BESIDE: Final = frozenset("".join(pen.across + pen.down + pen.joints for pen in PENS.values()))
"""Characters that may be next to a badge: roads and blanks."""


_Placed = tuple[Badge, tuple[int, int, str]]
"""A badge with its column, its row and its text on the canvas."""


def board_lines(grid: Grid, key: Key, *, color: bool) -> list[str]:
    """Return the lines of ``grid`` with the characters of ``key``, then badges without room and unexplained roads."""
    return _Board(grid, key).lines(color=color)


class _Board:
    """The drawing of one grid on a canvas."""

    def __init__(self, grid: Grid, key: Key) -> None:
        self.grid, self.key = grid, key
        self.left = max(map(display_width, map(printable, grid.rows)), default=0) + 3
        self.right = self.left + len(grid.columns) * (WIDTH + ALLEY) - ALLEY
        self.bottom = _TOP + len(grid.rows) * (HEIGHT + 1) - 1
        self.canvas = Canvas(self.right + 2, self.bottom + 1)
        self.remarks: list[str] = []

    def lines(self, *, color: bool) -> list[str]:
        if not self.grid.is_apart:
            self._draw_frame()
        self._draw_names()
        for row, column, square in self._squares():
            self._draw_square(row, column, square)
        if self.key.unexplained:
            roads = ((road, self.key.strokes[road]) for road in self.key.unexplained)
            self.remarks.append("   ".join(road_entries(roads)))
        return self.canvas.lines(color=color) + self.remarks

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
        self.canvas.put(west, _TOP - 1, f"┏{across}┓", FAINT)
        self.canvas.put(west, self.bottom, f"┗{across}┛", FAINT)
        for y in range(_TOP, self.bottom):
            self.canvas.put(west, y, "┃", FAINT)
            self.canvas.put(east, y, "┃", FAINT)
        for row in range(1, len(self.grid.rows)):
            for column in range(1, len(self.grid.columns)):
                x, y = self._corner(row, column)
                self.canvas.put(x - ALLEY // 2 - 1, y - 1, "+", FAINT)
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
        for x, grounds in ((self.left - 2, west), (self.right + 1, east)):
            for row, ground in enumerate(grounds):
                self._put_ground(x, self._corner(row, 0)[1] + _MIDDLE_Y - 1, ground)

    def _draw_names(self) -> None:
        for column, name in enumerate(self.grid.columns):
            self.canvas.put(self._corner(0, column)[0] + _MIDDLE_X, 0, clip(printable(name), WIDTH), STRONG)
        for row, name in enumerate(self.grid.rows):
            self.canvas.put(0, self._corner(row, 0)[1] + _MIDDLE_Y, printable(name), STRONG)

    def _draw_square(self, row: int, column: int, square: Square) -> None:
        x, y = self._corner(row, column)
        if square.edges:
            self._draw_roads(x, y, square.edges)
            if not self.grid.is_apart:
                self._draw_ways_out(row, column, square.edges)
            self._draw_grounds(x, y, square.edges)
        elif not self.grid.is_apart:
            self.canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, "·", FAINT)
        corner = clip(printable(square.corner), _MIDDLE_X - 1)
        self.canvas.put(x, y, clip(printable(square.label), _MIDDLE_X - 1), STRONG)
        self.canvas.put(x + WIDTH - display_width(corner), y + HEIGHT - 1, corner, FAINT)
        self._draw_badges(row, column, [as_badge(badge) for badge in square.badges])

    def _draw_roads(self, x: int, y: int, edges: tuple[Edge, ...]) -> None:
        """Draw a road from the middle to each side with an exit, and their joint."""
        north, east, south, west = (edge.road for edge in edges)
        for dy in range(HEIGHT):
            road = north if dy < _MIDDLE_Y else south
            if road and dy != _MIDDLE_Y:
                self.canvas.put(x + _MIDDLE_X, y + dy, self._pen(road).down)
        for dx in range(WIDTH):
            road = west if dx < _MIDDLE_X else east
            if road and dx != _MIDDLE_X:
                self.canvas.put(x + dx, y + _MIDDLE_Y, self._pen(road).across)
        kinds = {self.key.strokes[edge.road] for edge in edges if edge.road}
        pen = PENS[kinds.pop() if len(kinds) == 1 else Stroke.SINGLE]
        self.canvas.put(x + _MIDDLE_X, y + _MIDDLE_Y, pen.joint([bool(edge.road) for edge in edges]))

    def _draw_ways_out(self, row: int, column: int, edges: tuple[Edge, ...]) -> None:
        """Draw the roads across the gaps to the east and south if the next square has an exit there, too."""
        x, y = self._corner(row, column)
        east, south = self._road(row, column + 1, WEST), self._road(row + 1, column, NORTH)
        if east and edges[EAST].road:
            here, there = self._pen(edges[EAST].road).across, self._pen(east).across
            self.canvas.put(x + WIDTH, y + _MIDDLE_Y, here * (ALLEY // 2) + there * (ALLEY - ALLEY // 2))
        if south and edges[SOUTH].road:
            self.canvas.put(x + _MIDDLE_X, y + HEIGHT, self._pen(edges[SOUTH].road).down)

    def _draw_grounds(self, x: int, y: int, edges: tuple[Edge, ...]) -> None:
        """Write the ground of each side: beside the road in the north and south, above it in the west and east."""
        self._put_ground(x + _MIDDLE_X - 1, y, edges[NORTH].ground)
        self._put_ground(x + WIDTH - 1, y + _MIDDLE_Y - 1, edges[EAST].ground)
        self._put_ground(x + _MIDDLE_X - 1, y + HEIGHT - 1, edges[SOUTH].ground)
        self._put_ground(x, y + _MIDDLE_Y - 1, edges[WEST].ground)

    def _draw_badges(self, row: int, column: int, badges: list[Badge]) -> None:
        """Write the badges with the longest names that fit; badges without room go below the board."""
        x, y = self._corner(row, column)
        left_out = badges
        for longest in _NAME_LENGTHS:
            places, left_out = self._plan(x, y, badges, longest)
            if not left_out:
                break
        for badge, place in places:
            self.canvas.put(*place, self.key.seat_style(badge))
        if left_out:
            cell = printable(self.grid.columns[column] + self.grid.rows[row])
            self.remarks.append(f"also on {cell}: {' '.join(map(_badge_text, left_out))}")

    def _plan(self, x: int, y: int, badges: list[Badge], longest: int) -> tuple[list[_Placed], list[Badge]]:
        """Return the places of the badges that fit, with names cut to ``longest``, and the badges that do not fit."""
        rooms = [room for dy in _BADGE_ROWS for room in self._rooms(x, y + dy)]
        places: list[_Placed] = []
        left_out = []
        for badge in badges:
            text = self._shortened(badge, longest)
            width = display_width(text)
            at = next((at for at, (_, _, length) in enumerate(rooms) if width <= length), None)
            if at is None:
                left_out.append(badge)
            else:
                start, line, length = rooms[at]
                places.append((badge, (start, line, text)))
                rooms[at] = (start + width + 1, line, length - width - 1)
        return places, left_out

    def _rooms(self, x: int, y: int) -> list[tuple[int, int, int]]:
        """Return the free parts of the lines of a square, as (column, row, length)."""
        rooms = []
        for start, length in self.canvas.free(y, x, x + WIDTH):
            end = start + length
            if start > x and self.canvas.at(start - 1, y) not in _BESIDE:
                start += 1
            if end < x + WIDTH and self.canvas.at(end, y) not in _BESIDE:
                end -= 1
            rooms.append((start, y, end - start))
        return rooms

    def _shortened(self, badge: Badge, longest: int) -> str:
        """Return the text of ``badge`` with its name cut to ``longest``; plain words stay whole."""
        if badge.sign is Sign.NOTE:
            return badge.text
        return SIGNS[badge.sign] + self.key.short_name(badge.text, longest)

    def _road(self, row: int, column: int, side: int) -> str:
        """Return the road from the square at ``row`` and ``column`` to ``side``, empty for none."""
        if row >= len(self.grid.rows) or column >= len(self.grid.columns):
            return ""
        edges = self.grid.squares[row * len(self.grid.columns) + column].edges
        return edges[side].road if edges else ""

    def _pen(self, road: str) -> Pen:
        return PENS[self.key.strokes[road]]

    def _put_ground(self, x: int, y: int, ground: str) -> None:
        """Write the letter of ``ground``; a wide letter begins a column earlier so that it covers no road."""
        letter = self.key.letter(ground)
        self.canvas.put(x + 1 - max(display_width(letter), 1), y, letter, self.key.style(ground))


def _badge_text(badge: Badge) -> str:
    return SIGNS[badge.sign] + badge.text
