"""Describe a map for its picture and its text: squares with signs and names, roads, hidden tracks, the marked route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.game import Seat, frozen
from adjudicator.games.rally_round.components import Colour

_MOST_COLUMNS: Final = 5
"""The greatest number of columns of a part of a section, so that it is as wide as a phone."""


@frozen
class Spot:
    """A square of a map, in column ``x`` and row ``y``, both from 1: its colour, its sign and its name.

    ``sign`` is short; in text only its first character appears. ``is_marker`` says that the sign is a marker on the map and
    no part of the map. ``name`` is the name of the place, if it has one.
    """

    x: int
    y: int
    label: str
    ground: Colour
    sign: str = ""
    name: str = ""
    is_marker: bool = False


@frozen
class Roadmap:
    """A map: ``roads`` connect two squares each, by their labels, hidden ``tracks`` too; their third label is their name.

    ``cars`` lists them by the label of their square, ``route`` the squares along the marked route in order, ``sections`` its
    parts by name, ``current`` the name of the part that the reader needs now, ``here`` the square of its car.
    """

    title: str
    spots: tuple[Spot, ...]
    roads: tuple[tuple[str, str], ...]
    tracks: tuple[tuple[str, str, str], ...] = ()
    cars: tuple[tuple[str, tuple[Seat, ...]], ...] = ()
    route: tuple[str, ...] = ()
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    current: str = ""
    here: str = ""


def section_maps(roadmap: Roadmap, name: str, labels: Sequence[str]) -> Iterator[Roadmap]:
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
    return replace(roadmap, title=title, spots=spots, route=tuple(labels), sections=(), current="", here="")
