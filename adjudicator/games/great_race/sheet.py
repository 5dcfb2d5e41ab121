"""Lay a chart out on paper: the middles of its regions, the bends of its lines, and the places of their prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product
from math import hypot
from typing import Final

from adjudicator.games.great_race.chart import Passage, Region
from adjudicator.scenes import Box, Point, Taken, corners, pitch, text_width

RADIUS: Final = 34
"""From the middle of a region to its corners, in pixels."""
STRIP: Final = 76
"""The width of the strip with the lanes beside the chart."""
EDGE: Final = 14
PRICE: Final = 12
"""The size of the letters of a price."""
SHORT, LONG = pitch(RADIUS, is_across=False)
LABEL: Final = -13
"""The base line of a label above marks, from the middle of its region."""
VEHICLE: Final = 19
"""The middles of vehicles, from the middle of their region."""
APART: Final = 17
"""From one vehicle in a region to the next."""
_MARKS: Final = 28
"""Half the width of the marks of most regions."""
_CITY_SIZES: Final = (12, 11, 10, 9)
_LABEL_SIZES: Final = (12, 11, 10, 9)
_BENDS: Final = tuple((across / 20, along / 5) for across in range(-16, 17) for along in (-2, -1, 0, 1, 2))
"""Where a line may bend: how far across from its middle, and how far along it, as parts of its length."""
_PARTS: Final = tuple((part / 60, 1 - part / 60) for part in range(61))
"""The points of a line at which it is tried."""
_CELL: Final = 3
"""The size of the cells of a sheet in pixels."""
_LAND, _MARK, _WORD, _OFF, _OWN = 1, 3, 60, 20, 6
"""The cost of a point of a line on land, on marks, on words, beside the sheet, and at most in the regions of its ends."""
_HIGH: Final = 15

Layout = tuple[tuple[str, int, int], ...]
"""The layout of a chart: labels, columns and rows of its regions."""
Bow = tuple[Point, Point, Point]
"""A passage on paper: its start, the point towards which it bends, and its end."""


class Sheet:
    """The regions of a chart on paper: their ``middles`` by label, and the size of the whole, including the lanes.

    Charts with the same layout share a sheet, so that its values are computed once for all pictures of a game. The strip
    with the lanes is in the west, or in the north of a chart that leads across.
    """

    def __init__(self, layout: Layout, is_across: bool) -> None:
        """Lay out the regions of ``layout``."""
        across, down = pitch(RADIUS, is_across=is_across)
        strip_x, strip_y = (0, STRIP) if is_across else (STRIP, 0)
        self.layout, self.is_across = layout, is_across
        left, top = min((x for _, x, _ in layout), default=1), min((y for _, _, y in layout), default=1)
        self.first = left if is_across else top
        self.middles: Mapping[str, Point] = {
            label: (
                round(strip_x + EDGE + RADIUS + (x - left) * across, 1),
                round(strip_y + EDGE + RADIUS + (y - top) * down, 1),
            )
            for label, x, y in layout
        }
        wide, high = (max((middle[side] for middle in self.middles.values()), default=0) for side in (0, 1))
        self.width, self.height = round(wide + RADIUS + EDGE, 1), round(high + RADIUS + EDGE, 1)

    def corners(self, label: str) -> tuple[Point, ...]:
        """Return the corners of a region."""
        return corners(self.middles[label], RADIUS, self.is_across)

    @cached_property
    def costs(self) -> Mapping[tuple[int, int], int]:
        """What a point of a line costs in each cell of the sheet: on land, on marks, and on words, wherever they may be."""
        costs: dict[tuple[int, int], int] = {}
        for label, (x, y) in self.middles.items():
            wide = text_width(label, _LABEL_SIZES[0] + 2, is_bold=True) / 2 + 4
            for half, top, bottom, cost in (
                (SHORT, -SHORT, SHORT, _LAND),
                (_MARKS, -10, 11, _MARK),
                (wide, LABEL - _LABEL_SIZES[0] - 1, LABEL + 4, _WORD),
                (wide, -9, 7, _WORD),
            ):
                for cell in product(_cells(x - half, x + half), _cells(y + top, y + bottom)):
                    costs[cell] = max(cost, costs.get(cell, 0))
        return costs

    def lane_middle(self, at: int) -> float:
        """Return the middle of the lane that lies ``at`` a distance south (or east)."""
        return round(EDGE + RADIUS + (at - self.first) * LONG, 1)


sheet_of: Final = lru_cache(maxsize=16)(Sheet)


def label_size(regions: Iterable[Region], *, are_cities: bool) -> int:
    """Return the one size of the labels of all cities, or of all other ``regions`` with marks."""
    labels = [region.label for region in regions if region.is_city == are_cities]
    sizes, room = (_CITY_SIZES, 2.4 * RADIUS) if are_cities else (_LABEL_SIZES, 1.7 * RADIUS)
    fitting = (size for size in sizes if all(text_width(label, size, is_bold=True) <= room for label in labels))
    return next(fitting, sizes[-1])


def taken_boxes(regions: tuple[Region, ...], size: int, sheet: Sheet) -> Iterator[Box]:
    """Yield the boxes of labels, marks and vehicles; ``size`` is that of the labels of cities."""
    for region in regions:
        (x, y), many = sheet.middles[region.label], len(region.marks)
        is_alone = not many and not region.vehicles
        wide, base = text_width(region.label, size, is_bold=True) / 2, y + (4 if is_alone else LABEL)
        yield Box(x - wide, base - size, x + wide, base + 3)
        if many:
            yield Box(x - many * 9.5, y - 10, x + many * 9.5, y + 11)
        if region.vehicles:
            half = APART * (len(region.vehicles) - 1) / 2 + 9
            yield Box(x - half, y + VEHICLE - 9, x + half, y + VEHICLE + 9)


@lru_cache(maxsize=1 << 8)
def bow_of(passage: Passage, sheet: Sheet) -> Bow:
    """Return ``passage`` on paper with the bend that covers least of the regions."""
    (x1, y1), (x2, y2) = (sheet.middles[end] for end in passage.ends)
    (x, y), (wide, high) = ((x1 + x2) / 2, (y1 + y2) / 2), (x2 - x1, y2 - y1)
    turns = ((x + high * across + wide * along, y - wide * across + high * along) for across, along in _BENDS)
    return min((((x1, y1), (round(x, 1), round(y, 1)), (x2, y2)) for x, y in turns), key=lambda bow: _cost(bow, sheet))


def _cells(start: float, end: float) -> range:
    return range(int(start // _CELL), int(end // _CELL) + 1)


def _cost(bow: Bow, sheet: Sheet) -> float:
    """Return what ``bow`` covers of the sheet; a point beside the sheet and a long detour cost something, too."""
    (x1, y1), (x2, y2), (x3, y3) = bow
    covered, costs, right, bottom = 0, sheet.costs, sheet.width - 8, sheet.height - 8
    for part, rest in _PARTS:
        x = rest * rest * x1 + 2 * rest * part * x2 + part * part * x3
        y = rest * rest * y1 + 2 * rest * part * y2 + part * part * y3
        cost = costs.get((int(x // _CELL), int(y // _CELL)), 0) if 8 < x < right and 8 < y < bottom else _OFF
        is_own = min(hypot(x - x1, y - y1), hypot(x - x3, y - y3)) < RADIUS
        covered += min(cost, _OWN) if is_own else cost
    return covered + hypot(x2 - (x1 + x3) / 2, y2 - (y1 + y3) / 2) / 3


def _at(bow: Bow, part: float) -> Point:
    """Return the point at ``part`` (0 to 1) of the way along ``bow``."""
    rest = 1 - part
    x, y = (rest * rest * bow[0][side] + 2 * rest * part * bow[1][side] + part * part * bow[2][side] for side in (0, 1))
    return round(x, 1), round(y, 1)


def _nearest(point: Point, sheet: Sheet) -> float:
    """Return the distance from ``point`` to the words of the nearest region, broad letters slightly above its middle."""
    return min(hypot(0.7 * (point[0] - x), point[1] - y + 8) for x, y in sheet.middles.values())


@lru_cache(maxsize=64)
def price_boxes(bows: tuple[tuple[Passage, Bow], ...], taken: tuple[Box, ...], sheet: Sheet) -> tuple[Box, ...]:
    """Return the boxes of the prices of passages, each beside or on its line where it covers nothing of ``taken``."""
    index, found = Taken(taken), list[Box]()
    for passage, bow in bows:
        wide = text_width(passage.text, PRICE, is_bold=True) + 8
        found.append(index.best(_price_places(bow, wide, sheet)))
        index.add(found[-1])
    return tuple(found)


def _price_places(bow: Bow, wide: float, sheet: Sheet) -> Iterator[Box]:
    """Yield the places for a price of a width: on the line far from the labels first, then beside the line."""
    parts = sorted((part / 40 for part in range(8, 33)), key=lambda part: -_nearest(_at(bow, part), sheet))
    for off_x, off_y in ((0, 0), (0, -6), (0, 6), (-8, 0), (8, 0), (0, -12), (0, 12), (-16, 0), (16, 0), (-24, 0), (24, 0)):
        for part in parts:
            x, y = _at(bow, part)
            box = Box(x + off_x - wide / 2, y + off_y - _HIGH / 2, x + off_x + wide / 2, y + off_y + _HIGH / 2)
            if box.left > 2 and box.top > 2 and box.right < sheet.width - 2 and box.bottom < sheet.height - 2:
                yield box
