"""Write tables of text, with columns as wide as their widest cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import Final

from adjudicator.core.width import display_width, padded, wrapped

GAP: Final = "  "
"""The gap between two columns."""

_LEAST_COLUMN: Final = 5
"""The least width of a column; narrower ones would be hard to read."""
_NUMBER: Final = re.compile(r"[+−-]?[0-9]+(?::[0-9]{2})?")


def column_widths(rows: Sequence[Sequence[str]], least: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the width of each column of ``rows`` (all of the same length), in terminal columns and at least ``least``."""
    widest = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    narrow = [*least, *([0] * (len(widest) - len(least)))]
    return tuple(map(max, widest, narrow))


def row_text(cells: Sequence[str], widths: Sequence[int], right: Collection[int] = ()) -> str:
    """Return ``cells`` side by side in columns of ``widths``; columns with an index in ``right`` are aligned right."""
    filled = (padded(cell, width, right=at in right) for at, (cell, width) in enumerate(zip(cells, widths, strict=True)))
    return GAP.join(filled).rstrip()


def table_lines(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None, right: Collection[int] = ()
) -> list[str]:
    """Return the lines of a table: ``headings`` (no line if empty), then ``rows``; numbers are aligned right.

    So are the columns with an index in ``right``, which have other words between their numbers.

    If the table is wider than ``width``, the widest columns become narrower, and their cells have several lines. If this
    would break words of several columns, each row becomes a list of its cells.
    """
    everything = [headings, *rows] if headings else list(rows)
    if not everything:
        return []
    right = [at for at, cells in enumerate(zip(*rows, strict=True)) if at in right or are_numbers(cells)]
    widths = column_widths(everything)
    if width is None or sum(widths) + len(GAP) * (len(widths) - 1) <= width:
        return [row_text(cells, widths, right) for cells in everything]
    narrow = _narrowed(widths, _longest_words(everything), width - len(GAP) * (len(widths) - 1))
    broken = 0 if narrow is None else sum(map(int.__lt__, narrow, _longest_words(everything)))
    if narrow is None or broken > 1:
        return [line for cells in rows for line in _listed_cells(headings, cells, width)]
    return [line for cells in everything for line in _row_lines(cells, narrow, right)]


def _narrowed(widths: Sequence[int], words: Sequence[int], room: int) -> tuple[int, ...] | None:
    """Return ``widths`` reduced to a sum of ``room``, ``None`` if that is impossible: the widest shrink first.

    If possible, no column is narrower than its longest word.
    """
    narrow = list(widths)
    for least in (words, [min(word, _LEAST_COLUMN) for word in words]):
        while sum(narrow) > room:
            widest = max(range(len(narrow)), key=lambda at: (narrow[at] > least[at], narrow[at]))
            if narrow[widest] <= least[widest]:
                break
            narrow[widest] -= 1
    return tuple(narrow) if sum(narrow) <= room else None


def _longest_words(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(display_width(word) for cell in cells for word in cell.split(" ")) for cells in zip(*rows, strict=True)]


def _listed_cells(headings: Sequence[str], cells: Sequence[str], width: int) -> list[str]:
    """Return a row that is too wide for columns: its cells with their headings, one after the other."""
    named = zip_longest(headings, cells, fillvalue="")
    words = "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in named if cell)
    return wrapped(words, width, is_hard=True)


def _row_lines(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    """Return a row on as many lines as its longest cell needs."""
    stacks = [wrapped(cell, width, is_hard=True) for cell, width in zip(cells, widths, strict=True)]
    return [row_text(line, widths, right) for line in zip_longest(*stacks, fillvalue="")]


def count_of(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: ``1 game``, ``1,234 games``; ``many`` is the plural if it needs more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def signed(amount: int, unit: Sequence[str] = ()) -> str:
    """Return ``amount`` with the minus sign of the reports, in the format of its ``unit``."""
    return counted(amount, unit) if amount >= 0 else f"−{counted(-amount, unit)}"


def counted(amount: int, unit: Sequence[str] = ()) -> str:
    """Return an ``amount`` of 0 or more in the format of its ``unit``: a number, or seconds as ``m:ss``."""
    return f"{amount // 60}:{amount % 60:02}" if unit[3:] == ("m:ss",) else str(amount)


def are_numbers(cells: Sequence[str]) -> bool:
    """Return whether all ``cells`` of a column are numbers or empty."""
    return any(cells) and all(not cell or _NUMBER.fullmatch(cell) for cell in cells)
