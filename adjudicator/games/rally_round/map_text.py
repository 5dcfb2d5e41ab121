"""Draw a map as text: each square with the letter of its colour, its sign and its car; and describe it in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.game import count
from adjudicator.games.rally_round.roadmap import Roadmap, Spot
from adjudicator.scenes import Lines, Run, Strip, Strips

MOST_COLUMNS: Final = 40
"""A wider map does not fit into a mail."""
_CELL: Final = 3
_ROUTE: Final = "capital letters: the marked route"
_LABEL: Final = re.compile(r"(?P<column>[^\W\d_]{1,2})(?P<row>\d{1,3})", re.ASCII)
"""A label that is also the place of its spot: `K12`."""


def map_text(roadmap: Roadmap, _width: int | None = None) -> Strips | Lines:
    """Return ``roadmap`` as text, with capital letters for squares of the marked route and small letters for others.

    If the labels of the squares name columns and rows, as `K12` does, these frame the map.
    """
    columns, rows = [spot.x for spot in roadmap.spots], [spot.y for spot in roadmap.spots]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    if wide > MOST_COLUMNS:
        return Lines(((Run(f"too wide for text, {wide} columns: see the picture"),),))
    top, bottom = min(rows, default=1), max(rows, default=0)
    route = frozenset(roadmap.route)
    cars = dict(roadmap.cars)
    cells = {(spot.x, spot.y): _cell(spot, spot.label in route, spot.label in cars) for spot in roadmap.spots}
    heads, sides = _headings(roadmap.spots)
    margin = max(map(len, sides.values()), default=-1) + 1

    def strip(head: str, lines: Iterable[str]) -> Strip:
        ruler = (head,) if heads else ()
        return Strip(tuple((Run(line),) for line in (*ruler, *lines, *ruler)))

    down = range(top, bottom + 1)
    before = strip(" " * margin, (sides.get(y, "").rjust(margin - 1).ljust(margin) for y in down))
    strips = (
        strip(heads.get(x, "").ljust(_CELL), (cells.get((x, y), " " * _CELL) for y in down))
        for x in range(left, left + wide)
    )
    after = strip("", ("" for _ in down))
    return Strips(tuple(strips), before, after, before, after, (_ROUTE,) if route else ())


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


def _cell(spot: Spot, is_marked: bool, has_car: bool) -> str:
    letter = spot.ground[0].upper() if is_marked else spot.ground[0]
    return f"{letter}{spot.sign[:1] or ' '}{'▲' if has_car else ''}".ljust(_CELL)


def map_sentences(roadmap: Roadmap) -> Iterator[str]:
    """Yield sentences about the map: its size, the route, and the squares with a name or a car."""
    title = f"{roadmap.title}: " if roadmap.title else ""
    yield f"{title}{count(len(roadmap.spots), 'spot')} and {count(len(roadmap.roads), 'road')} between them."
    if roadmap.route:
        yield f"The marked route begins at {roadmap.route[0]} and ends at {roadmap.route[-1]}."
    cars = dict(roadmap.cars)
    for spot in roadmap.spots:
        if spot.label in cars or spot.name:
            told = filter(None, (spot.name, f"on {spot.ground}", spot.sign))
            yield f"{spot.label}: {', '.join((*told, *(f'{seat} (car)' for seat in cars.get(spot.label, ()))))}."
