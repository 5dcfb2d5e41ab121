"""Draw text on a sheet of terminal cells: styled characters, including wide and combining ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from adjudicator.core.values import replace
from adjudicator.core.width import display_width, graphemes
from adjudicator.scenes.scene import Run

_BLANK: Final = " "
_PLAIN: Final = Run("")


class Canvas:
    """A sheet of ``width`` × ``height`` cells, blank at first. The style of text is that of a run."""

    def __init__(self, width: int, height: int) -> None:
        """Make a blank sheet."""
        self.width, self.height = width, height
        # The characters and the styles apart: most neighbours share a style, and lists of one kind are fast.
        self._rows = [[_BLANK] * width for _ in range(height)]
        self._styles = [[_PLAIN] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Run = _PLAIN) -> None:
        """Write ``text`` from column ``x`` of row ``y`` (both from 0) to the right; text beyond the sheet is dropped."""
        characters = graphemes(text)
        if characters is text:  # each character takes one column
            self._write(x, y, text[: max(self.width - x, 0)], style)
            return
        for character in characters:
            width = display_width(character)
            if x + width > self.width:
                return
            if width:
                self._write(x, y, [character, *[""] * (width - 1)], style)
                x += width

    def _write(self, x: int, y: int, cells: Sequence[str], style: Run) -> None:
        """Replace cells from column ``x`` of row ``y``; the second cell of a wide character is empty."""
        if cells:
            end = x + len(cells)
            self._clear(y, x, end)
            self._rows[y][x:end] = cells
            self._styles[y][x:end] = [style] * len(cells)

    def at(self, x: int, y: int) -> str:
        """Return the character in column ``x`` of row ``y``, empty for the second half of a wide one."""
        return self._rows[y][x]

    def free(self, y: int, left: int, right: int) -> list[tuple[int, int]]:
        """Return the blank stretches of row ``y`` between columns ``left`` and ``right`` (excluded), as (start, length)."""
        stretches, start = [], left
        cells = zip(self._rows[y][left:right], self._styles[y][left:right], strict=True)
        for is_blank, stretch in groupby([text == _BLANK and style == _PLAIN for text, style in cells]):
            length = len([*stretch])
            if is_blank:
                stretches.append((start, length))
            start += length
        return stretches

    def lines(self) -> list[str]:
        """Return the rows without styles and without trailing blanks."""
        return ["".join(row).rstrip() for row in self._rows]

    def runs(self, left: int = 0, right: int | None = None) -> tuple[tuple[Run, ...], ...]:
        """Return the rows from column ``left`` to column ``right`` (excluded), each as runs of one style."""
        rows = zip(self._rows, self._styles, strict=True)
        return tuple(tuple(_joined(row[left:right], styles[left:right])) for row, styles in rows)

    def _clear(self, y: int, start: int, end: int) -> None:
        """Blank the other half of each wide character that text from ``start`` to ``end`` (excluded) would cut."""
        row = self._rows[y]
        if not row[start]:
            self._blank(start - 1, y)
        if end < self.width and not row[end]:
            self._blank(end, y)

    def _blank(self, x: int, y: int) -> None:
        self._rows[y][x], self._styles[y][x] = _BLANK, _PLAIN


def _joined(row: Sequence[str], styles: Iterable[Run]) -> Iterator[Run]:
    start = 0
    for style, cells in groupby(styles):
        end = start + len([*cells])
        yield replace(style, text="".join(row[start:end]))
        start = end
