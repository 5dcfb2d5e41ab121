"""Draw on a sheet of terminal cells: styled characters, including wide and combining ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from adjudicator.scenes.width import character_width

_BLANK = (" ", "")


class Canvas:
    """A sheet of ``width`` × ``height`` cells, blank at first. A style is the inside of an ANSI colour code, or empty."""

    def __init__(self, width: int, height: int) -> None:
        """Make a blank sheet."""
        self.width, self.height = width, height
        self._rows = [[_BLANK] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write ``text`` from column ``x`` of row ``y`` (both from 0) to the right; text beyond the sheet is dropped."""
        row = self._rows[y]
        start = x
        for character in text:
            width = character_width(character)
            if x + width > self.width:
                return
            if width:
                self._clear(row, x, x + width)
                row[x : x + width] = [(character, style), ("", style)][:width]
                x += width
            elif x > start:
                self._combine(row, x - 1, character)

    def at(self, x: int, y: int) -> str:
        """Return the character in column ``x`` of row ``y``, empty for the second half of a wide one."""
        return self._rows[y][x][0]

    def free(self, y: int, left: int, right: int) -> list[tuple[int, int]]:
        """Return the blank stretches of row ``y`` between columns ``left`` and ``right`` (excluded), as (start, length)."""
        stretches = []
        for is_blank, columns in groupby(range(left, right), lambda x: self._rows[y][x] == _BLANK):
            stretch = list(columns)
            if is_blank:
                stretches.append((stretch[0], len(stretch)))
        return stretches

    def lines(self, *, color: bool = False) -> list[str]:
        """Return the rows without trailing blanks; with ``color``, in ANSI colours."""
        if color:
            return [_coloured(row) for row in self._rows]
        return ["".join(character for character, _ in row).rstrip() for row in self._rows]

    def _clear(self, row: list[tuple[str, str]], start: int, end: int) -> None:
        """Blank the other half of each wide character that text from ``start`` to ``end`` (excluded) would cut."""
        if not row[start][0]:
            row[start - 1] = _BLANK
        if end < self.width and not row[end][0]:
            row[end] = _BLANK

    @staticmethod
    def _combine(row: list[tuple[str, str]], x: int, mark: str) -> None:
        while x and not row[x][0]:
            x -= 1
        row[x] = (row[x][0] + mark, row[x][1])


def _coloured(row: Iterable[tuple[str, str]]) -> str:
    cells = list(row)
    while cells and cells[-1] == _BLANK:
        cells.pop()
    runs = ((style, "".join(character for character, _ in run)) for style, run in groupby(cells, lambda cell: cell[1]))
    return "".join(f"\x1b[{style}m{text}\x1b[0m" if style else text for style, text in runs)
