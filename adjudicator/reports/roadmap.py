"""A map as text: for every spot the letter of its ground and its sign, where it lies."""

from __future__ import annotations

from typing import Final

from adjudicator.core.drawing import Roadmap, Spot
from adjudicator.reports.legend import Key
from adjudicator.reports.sanitize import printable
from adjudicator.reports.width import padded

MOST_COLUMNS: Final = 40
"""A map that is wider finds no room in a mail; its picture shows it."""
_CELL: Final = 3


def roadmap_lines(roadmap: Roadmap, key: Key) -> list[str]:
    """Return the rows of ``roadmap``: spots of the marked route with a capital letter, others with a small one."""
    columns = [spot.x for spot in roadmap.spots]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    if wide > MOST_COLUMNS:
        return [f"{wide} columns wide: its picture shows it"]
    route = frozenset(roadmap.route)
    rows: dict[int, dict[int, str]] = {}
    for spot in roadmap.spots:
        rows.setdefault(spot.y, {})[spot.x - left] = _cell(spot, key, is_marked=spot.label in route)
    top, bottom = min(rows, default=1), max(rows, default=0)
    return [_row(rows.get(y, {}), wide) for y in range(top, bottom + 1)]


def _row(cells: dict[int, str], wide: int) -> str:
    return "".join(cells.get(x, " " * _CELL) for x in range(wide)).rstrip()


def _cell(spot: Spot, key: Key, *, is_marked: bool) -> str:
    letter = key.letter(spot.ground) or "·"
    sign = printable(spot.sign)[:1]
    return padded(f"{letter.upper() if is_marked else letter.lower()}{sign}", _CELL)
