"""Draw text on a sheet of terminal cells: styled characters, including wide and combining ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from adjudicator.core.frozen import change
from adjudicator.core.scene import Run
from adjudicator.core.width import display_width, graphemes

_PLAIN: Final = Run("")
_BLANK: Final = (" ", _PLAIN)


class Canvas:
    """A sheet of ``width`` × ``height`` cells, blank at first. The style of text is that of a run."""

    def __init__(self, width: int, height: int) -> None:
        """Make a blank sheet."""
        self.width, self.height = width, height
        self._rows = [[_BLANK] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Run = _PLAIN) -> None:
        """Write ``text`` from column ``x`` of row ``y`` (both from 0) to the right; text beyond the sheet is dropped."""
        row = self._rows[y]
        for character in graphemes(text):
            width = display_width(character)
            if x + width > self.width:
                return
            if width:
                self._clear(row, x, x + width)
                row[x : x + width] = [(character, style), *[("", style)] * (width - 1)]
                x += width

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

    def lines(self) -> list[str]:
        """Return the rows without styles and without trailing blanks."""
        return ["".join(character for character, _ in row).rstrip() for row in self._rows]

    def runs(self, left: int = 0, right: int | None = None) -> tuple[tuple[Run, ...], ...]:
        """Return the rows from column ``left`` to column ``right`` (excluded), each as runs of one style."""
        return tuple(tuple(_joined(row[left:right])) for row in self._rows)

    def _clear(self, row: list[tuple[str, Run]], start: int, end: int) -> None:
        """Blank the other half of each wide character that text from ``start`` to ``end`` (excluded) would cut."""
        if not row[start][0]:
            row[start - 1] = _BLANK
        if end < self.width and not row[end][0]:
            row[end] = _BLANK


def _joined(cells: Iterable[tuple[str, Run]]) -> Iterable[Run]:
    for style, cells_of in groupby(cells, lambda cell: cell[1]):
        yield change(style, text="".join(character for character, _ in cells_of))
