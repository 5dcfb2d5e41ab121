"""Draw a map as text: each spot with the letter of its ground, its sign and its pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from adjudicator.core.drawing import Badge, Roadmap, Spot
from adjudicator.reports.legend import Key
from adjudicator.reports.sanitize import printable
from adjudicator.scenes.names import SIGNS
from adjudicator.scenes.width import padded

MOST_COLUMNS: Final = 40
"""A wider map does not fit into a mail."""
_CELL: Final = 3
_ROUTE: Final = "capital letters: the marked route"
_LABEL: Final = re.compile(r"(?P<column>[^\W\d_]{1,2})(?P<row>\d{1,3})", re.ASCII)
"""A label that is also the place of its spot: `K12`."""


def roadmap_lines(roadmap: Roadmap, key: Key) -> list[str]:
    """Return the rows of ``roadmap``, with capital letters for spots of the marked route and small letters for others.

    If the labels of the spots name columns and rows, as `K12` does, these frame the map.
    """
    columns = [spot.x for spot in roadmap.spots]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    if wide > MOST_COLUMNS:
        return [f"too wide for text, {wide} columns: see the picture"]
    route = frozenset(roadmap.route)
    rows: dict[int, dict[int, str]] = {}
    for spot in roadmap.spots:
        rows.setdefault(spot.y, {})[spot.x - left] = _cell(spot, key, is_marked=spot.label in route)
    top, bottom = min(rows, default=1), max(rows, default=0)
    heads, sides = _headings(roadmap.spots)
    margin = max(map(len, sides.values()), default=-1) + 1
    ruler = [_line(margin, "", {x - left: padded(head, _CELL) for x, head in heads.items()}, wide)] if heads else []
    lines = [_line(margin, sides.get(y, ""), rows.get(y, {}), wide) for y in range(top, bottom + 1)]
    return [*ruler, *lines, *ruler, *([_ROUTE] if route else [])]


def _line(margin: int, side: str, cells: Mapping[int, str], wide: int) -> str:
    return (side.rjust(margin - 1).ljust(margin) + "".join(cells.get(x, " " * _CELL) for x in range(wide))).rstrip()


def _headings(spots: Iterable[Spot]) -> tuple[dict[int, str], dict[int, str]]:
    """Return the names of columns and rows; empty if the labels of the spots do not contain them."""
    heads: dict[int, str] = {}
    sides: dict[int, str] = {}
    for spot in spots:
        parts = _LABEL.fullmatch(spot.label)
        if parts is None or heads.setdefault(spot.x, parts["column"]) != parts["column"]:
            return {}, {}
        if sides.setdefault(spot.y, parts["row"]) != parts["row"]:
            return {}, {}
    return heads, sides


def _cell(spot: Spot, key: Key, *, is_marked: bool) -> str:
    letter = key.letter(spot.ground) or "·"
    sign = printable(spot.sign)[:1] or " "
    piece = next((SIGNS[badge.sign] for badge in spot.badges if isinstance(badge, Badge)), "")
    return padded(f"{letter.upper() if is_marked else letter.lower()}{sign}{piece}", _CELL)
