"""Tables of text: columns as wide as their widest cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from adjudicator.reports.width import display_width, padded

GAP: Final = "  "
"""What stands between two columns."""

_NUMBER: Final = re.compile(r"[+−-]?[0-9]+(?::[0-9]{2})?")


def column_widths(rows: Sequence[Sequence[str]], least: Sequence[int] = ()) -> tuple[int, ...]:
    """Return how wide each column of ``rows`` (all of one length) is, in terminal columns and never under ``least``."""
    widest = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    narrow = [*least, *([0] * (len(widest) - len(least)))]
    return tuple(map(max, widest, narrow))


def row_text(cells: Sequence[str], widths: Sequence[int], right: Collection[int] = ()) -> str:
    """Return ``cells`` side by side in columns of ``widths``; those with an index in ``right`` end where the column ends."""
    filled = (padded(cell, width, right=at in right) for at, (cell, width) in enumerate(zip(cells, widths, strict=True)))
    return GAP.join(filled).rstrip()


def table_lines(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: ``headings`` (none: no line for them), then ``rows``; columns of numbers end together."""
    everything = [headings, *rows] if headings else list(rows)
    if not everything:
        return []
    right = [at for at, cells in enumerate(zip(*rows, strict=True)) if _are_numbers(cells)]
    widths = column_widths(everything)
    return [row_text(cells, widths, right) for cells in everything]


def signed(amount: int, unit: Sequence[str] = ()) -> str:
    """Return ``amount`` with the minus sign that the reports use, in the form that its ``unit`` asks for."""
    return counted(amount, unit) if amount >= 0 else f"−{counted(-amount, unit)}"


def counted(amount: int, unit: Sequence[str] = ()) -> str:
    """Return an ``amount`` of 0 or more in the form that its ``unit`` asks for: a number, or seconds as ``m:ss``."""
    return f"{amount // 60}:{amount % 60:02}" if unit[3:] == ("m:ss",) else str(amount)


def _are_numbers(cells: Sequence[str]) -> bool:
    return any(cells) and all(not cell or _NUMBER.fullmatch(cell) for cell in cells)
