"""Cut one section of the route out of a map, in parts as wide as a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.core.drawing import Drawing, Legend, Roadmap, Spot

WIDTH: Final = 400
"""The width of a phone in pixels."""
ALL: Final = "all"
"""The name that means every section, one below the other."""
_MOST_COLUMNS: Final = 8


def section_names(drawing: Drawing) -> tuple[str, ...]:
    """Return the names of the sections of the maps in ``drawing``."""
    maps = (shape for shape in drawing.shapes if isinstance(shape, Roadmap))
    return tuple(name for roadmap in maps for name, _ in roadmap.sections)


def section_drawing(drawing: Drawing, wanted: str) -> Drawing | None:
    """Return the part of the map around the section ``wanted``, in parts; ``None`` if there is no such section.

    The name of a section is its end, ``TC3``, or its number alone, ``3``; ``all`` means every section.
    """
    parts = [
        part
        for roadmap in drawing.shapes
        if isinstance(roadmap, Roadmap)
        for name, labels in roadmap.sections
        if _is_meant(name, wanted)
        for part in _parts(roadmap, name, labels)
    ]
    if not parts:
        return None
    return Drawing((*parts, *(shape for shape in drawing.shapes if isinstance(shape, Legend))))


def _is_meant(name: str, wanted: str) -> bool:
    asked = wanted.casefold().strip()
    return asked in (ALL, name.casefold()) or (asked.isdecimal() and re.sub(r"\D", "", name) == asked)


def _parts(roadmap: Roadmap, name: str, labels: Sequence[str]) -> Iterator[Roadmap]:
    """Yield the section to ``name`` in parts of a few columns, each starting with the last column of the previous part."""
    lying = {spot.label: spot for spot in roadmap.spots}
    route = [lying[label] for label in labels if label in lying]
    if not route:
        return
    first, last = min(spot.x for spot in route), max(spot.x for spot in route)
    many = max(1, -(-(last - first) // (_MOST_COLUMNS - 1)))
    wide = -(-(last - first) // many)
    columns = [(first + at * wide, min(last, first + (at + 1) * wide)) for at in range(many)]
    if route[0].x > route[-1].x:
        columns.reverse()
    for at, (west, east) in enumerate(columns, 1):
        own = [spot for spot in route if west <= spot.x <= east]
        if own:
            title = f"To {name}" + (f", part {at} of {many}" if many > 1 else "")
            yield _cropped(roadmap, title, own, labels)


def _cropped(roadmap: Roadmap, title: str, own: Sequence[Spot], labels: Sequence[str]) -> Roadmap:
    """Return the part of ``roadmap`` around the spots ``own``, with the route of this section only."""
    xs, ys = [spot.x for spot in own], [spot.y for spot in own]
    spots = tuple(
        spot for spot in roadmap.spots if min(xs) - 1 <= spot.x <= max(xs) + 1 and min(ys) - 1 <= spot.y <= max(ys) + 1
    )
    return replace(roadmap, title=title, spots=spots, route=tuple(labels), sections=())
