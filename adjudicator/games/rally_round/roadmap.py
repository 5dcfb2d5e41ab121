"""Describe a map for its picture and its text: squares with signs and names, roads, hidden tracks, the marked route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.game import Seat, Value, Whole, replace
from adjudicator.games.rally_round.components import Colour

_MOST: Final = (5, 11)
"""The greatest number of columns and rows of a part of a section: it is as wide as a phone, and as high as a window."""


class Spot(Value):
    """A square of a map, in column ``x`` and row ``y``, both from 1: its colour, its sign and its name.

    ``sign`` is short; in text only its first character appears. ``is_marker`` says that the sign is a marker on the map and
    no part of the map. ``name`` is the name of the place, if it has one.
    """

    x: Whole
    y: Whole
    label: str
    ground: Colour
    sign: str = ""
    name: str = ""
    is_marker: bool = False


class Roadmap(Value):
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
    """Yield the section to ``name`` in parts of a few squares, each starting with the last square of the previous part.

    The part with the car of the reader is first, and the parts behind the car are last.
    """
    lying = {spot.label: spot for spot in roadmap.spots}
    route = [lying[label] for label in labels if label in lying]
    if not route:
        return
    parts = _parts(route)
    many, shown = len(parts), []
    for at, own in enumerate(parts, 1):
        title = f"To {name}" + (f", part {at} of {many}" if many > 1 else "")
        shown.append(_cropped(roadmap, title, own, labels))
    here = (at for at, own in enumerate(parts) if roadmap.here in (spot.label for spot in own))
    first = max(here, default=0)
    yield from (*shown[first:], *shown[:first])


def _parts(route: Sequence[Spot]) -> list[list[Spot]]:
    """Return ``route`` in as few parts as possible, all about as large."""
    columns, rows = _MOST
    fewest = len(_cut(route, columns, rows))
    rows = next(most for most in range(1, rows + 1) if len(_cut(route, columns, most)) == fewest)
    columns = next(most for most in range(1, columns + 1) if len(_cut(route, most, rows)) == fewest)
    return _cut(route, columns, rows)


def _cut(route: Sequence[Spot], columns: int, rows: int) -> list[list[Spot]]:
    """Return ``route`` in parts of at most so many ``columns`` and ``rows`` (one step can be longer)."""
    parts = [[route[0]]]
    for spot in route[1:]:
        xs, ys = [one.x for one in (*parts[-1], spot)], [one.y for one in (*parts[-1], spot)]
        is_long = max(xs) - min(xs) >= columns or max(ys) - min(ys) >= rows
        if is_long and len(parts[-1]) > 1:
            parts.append([parts[-1][-1], spot])
        else:
            parts[-1].append(spot)
    return parts


def _cropped(roadmap: Roadmap, title: str, own: Sequence[Spot], labels: Sequence[str]) -> Roadmap:
    """Return the part of ``roadmap`` around the spots ``own``, with the route of this section only."""
    xs, ys = [spot.x for spot in own], [spot.y for spot in own]
    spots = tuple(
        spot for spot in roadmap.spots if min(xs) - 1 <= spot.x <= max(xs) + 1 and min(ys) - 1 <= spot.y <= max(ys) + 1
    )
    return replace(roadmap, title=title, spots=spots, route=tuple(labels), sections=(), current="", here="")
