"""Draw a chart: hexagonal regions with their contents, the passages between them, and the lanes beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, hypot, pi, sin, sqrt
from operator import attrgetter
from typing import Any, Final

from adjudicator.core.drawing import Chart, Mark, Passage, Region, Stroke
from adjudicator.core.frozen import frozen
from adjudicator.reports.changes import lane_name, passage_name
from adjudicator.reports.chart import touch
from adjudicator.reports.kept import Kept
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.picture_icons import HATCHES, RING, WALL, hatch_definition, mark_parts
from adjudicator.reports.sketch import Anchor, Part, Point, badge_anchors, badges_at, road_curve
from adjudicator.reports.svg import element, text_width, words

RADIUS: Final = 30
"""From the middle of a region to its corners, in pixels."""
_STRIP: Final = 76
"""The width of the strip with the lanes beside the chart."""
_STACK: Final = 32
"""The height of a stack of markers from the middle of the lowest to the middle of the highest."""
_EDGE: Final = 10
_SEA: Final = ("#dfeaf0", "#e9f1f5")
_SHORT, _LONG = RADIUS * sqrt(3) / 2, RADIUS * 1.5


_Layout = tuple[tuple[str, int, int], ...]
"""The layout of a chart: labels, columns and rows of its regions."""


class _Sheet:
    """The regions of a chart on paper: their ``middles`` by label, and the size of the whole, including the lanes.

    Charts with the same layout share a sheet, so that its values are computed once for all pictures of a game. The strip
    with the lanes is in the west, or in the north of a chart that leads across.
    """

    def __init__(self, layout: _Layout, *, is_across: bool) -> None:
        across, down = (_LONG, _SHORT) if is_across else (_SHORT, _LONG)
        strip_x, strip_y = (0, _STRIP) if is_across else (_STRIP, 0)
        self.layout, self.is_across = layout, is_across
        left, top = min((x for _, x, _ in layout), default=1), min((y for _, _, y in layout), default=1)
        self.first = left if is_across else top
        self.middles: Mapping[str, Point] = {
            label: (
                round(strip_x + _EDGE + RADIUS + (x - left) * across, 1),
                round(strip_y + _EDGE + RADIUS + (y - top) * down, 1),
            )
            for label, x, y in layout
        }
        wide, high = (max((middle[side] for middle in self.middles.values()), default=0) for side in (0, 1))
        room = 2 * _SHORT - 6
        self.places = tuple([Anchor(label, None, x, y, room, room) for label, (x, y) in self.middles.items()])
        self.width, self.height = round(wide + RADIUS + _EDGE, 1), round(high + RADIUS + _EDGE, 1)


@lru_cache(maxsize=16)
def _sheet_of(layout: _Layout, is_across: bool) -> _Sheet:
    return _Sheet(layout, is_across=is_across)


def chart_parts(chart: Chart, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``chart`` drawn in the colours for ``grounds`` and ``key``."""
    sheet = _sheet(chart)
    markers = [*_markers(chart, sheet)]
    passages = _passages(chart.passages, sheet)
    strokes = tuple([(passage.kind, key.strokes.get(passage.kind, Stroke.SINGLE)) for passage, _ in passages.bows])
    bare = tuple(map(_BARE, chart.regions))
    drawn = [_lanes(tuple([(lane.label, lane.at) for lane in chart.lanes]), sheet), *badges_at(markers, key)]
    drawn.append(_LYING.of(sheet, bare, chart.ways, passages.bows, strokes, sheet, tuple(grounds)))
    drawn.append(_TOLD.of(sheet, bare, tuple([bool(region.badges) for region in chart.regions]), sheet))
    drawn.append(passages.written)
    pieces = [piece for region in chart.regions if region.badges for piece in _pieces(region, sheet.middles[region.label])]
    drawn += badges_at(pieces, key)
    return Part(tuple(drawn), sheet.width, sheet.height, (*sheet.places, *passages.places, *markers, *pieces))


_BARE: Final = attrgetter("x", "y", "label", "ground", "marks", "is_hatched", "is_ringed")
_Bare = tuple[tuple[int, int, str, str, tuple[Mark, ...], bool, bool], ...]
"""The regions of a chart without pieces: their drawing is the same for most pictures of a game."""


def _regions(bare: _Bare) -> tuple[Region, ...]:
    return tuple(
        [Region(x, y, label, ground, marks, (), hatched, ringed) for x, y, label, ground, marks, hatched, ringed in bare]
    )


def _lying(
    bare: _Bare,
    ways: tuple[tuple[str, str], ...],
    bows: tuple[tuple[Passage, _Bow], ...],
    strokes: tuple[tuple[str, Stroke], ...],
    sheet: _Sheet,
    grounds: tuple[str, ...],
) -> str:
    """Return the bottom layer of the ``sheet``: grounds, ways, walls, rings, and passages in their ``strokes``."""
    regions = _regions(bare)
    drawn = [*_far_ways(regions, ways, sheet)]
    for region in regions:
        corners = _corners(sheet.is_across, sheet.middles[region.label])
        drawn.append(_ground(corners, ground_ink(region.ground, grounds), region.is_hatched))
    drawn += _walls(sheet, ways)
    drawn += (_ring(sheet, region) for region in regions if region.is_ringed)
    for (_, bow), (_, stroke) in zip(bows, strokes, strict=True):
        (x1, y1), (x2, y2), (x3, y3) = bow
        drawn += road_curve(stroke, f"M{x1} {y1} Q{x2} {y2} {x3} {y3}")
    return "".join(drawn)


def _all_told(bare: _Bare, are_stood_on: tuple[bool, ...], sheet: _Sheet) -> str:
    """Return the words in the regions; ``are_stood_on`` says for each region whether it has a piece."""
    told = zip(_regions(bare), are_stood_on, strict=True)
    return "".join([_told(one.label, one.marks, is_stood_on, sheet.middles[one.label]) for one, is_stood_on in told])


_LYING: Final = Kept(_lying, 16)
_TOLD: Final = Kept(_all_told, 16)


@frozen
class _Passages:
    """Passages on paper: their ``bows``, their words (``written``), and their ``places`` along the bows."""

    bows: tuple[tuple[Passage, _Bow], ...]
    written: str
    places: tuple[Anchor, ...]


@lru_cache(maxsize=64)
def _passages(passages: tuple[Passage, ...], sheet: _Sheet) -> _Passages:
    bows = tuple([(passage, _bow(passage, sheet)) for passage in passages if _is_drawn(passage, sheet)])
    written = "".join([part for passage, bow in bows for part in _written(passage, bow, sheet)])
    rooms = (text_width(passage.text, 10, is_bold=True) + 12 for passage, _ in bows)
    places = (Anchor(passage_name(one), None, *_written_at(bow, sheet), next(rooms)) for one, bow in bows)
    return _Passages(bows, written, tuple(places))


def _sheet(chart: Chart) -> _Sheet:
    return _sheet_of(tuple([(region.label, region.x, region.y) for region in chart.regions]), chart.is_across)


@lru_cache(maxsize=1 << 10)
def _corners(is_across: bool, middle: Point) -> tuple[Point, ...]:
    turn = 0 if is_across else pi / 6
    turns = [turn + at * pi / 3 for at in range(6)]
    return tuple([(round(middle[0] + RADIUS * cos(one), 1), round(middle[1] + RADIUS * sin(one), 1)) for one in turns])


def _points(corners: Iterable[Point]) -> str:
    return " ".join(f"{x},{y}" for x, y in corners)


@lru_cache(maxsize=1 << 10)
def _ground(corners: tuple[Point, ...], ink: str, is_hatched: bool) -> str:
    points = _points(corners)
    ground = element("polygon", points=points, fill=ink, stroke="#8a8a8a", stroke_width=1)
    if not is_hatched:
        return ground
    return ground + element("polygon", points=points, fill=f"url(#{HATCHES})", stroke="#444444", stroke_width=1)


def _ring(sheet: _Sheet, region: Region) -> str:
    corners = _corners(sheet.is_across, sheet.middles[region.label])
    return element("polygon", points=_points(corners), fill="none", stroke=RING, stroke_width=4)


@lru_cache(maxsize=1 << 10)
def _told(label: str, marks: tuple[Mark, ...], is_stood_on: bool, middle: Point) -> str:
    """Return the ``label`` of a region above its ``marks``; a long label in smaller letters, so that it fits."""
    x, y = middle
    is_alone = not marks and not is_stood_on
    sizes = (13, 12, 11, 10, 9, 8) if is_alone else (11, 10, 9, 8)
    size = next((size for size in sizes if text_width(label, size, is_bold=True) <= RADIUS * 2.2), 7)
    halo: dict[str, Any] = {"paint_order": "stroke", "stroke": "#ffffff", "stroke_width": 2.5, "stroke_linejoin": "round"}
    drawn = [words(label, x, y + 4 if is_alone else y - 11, size=size, font_weight="bold", **halo)]
    pitch = min(17, (RADIUS * 1.7) / max(len(marks), 1))
    for at, mark in enumerate(marks):
        drawn += mark_parts(mark, round(x + (at - (len(marks) - 1) / 2) * pitch, 1), y + 2)
    return "".join(drawn)


def _pieces(region: Region, middle: Point) -> Iterator[Anchor]:
    """Yield the places of the pieces in ``region``, side by side."""
    (x, y), many = middle, len(region.badges)
    pitch = min(17, RADIUS * 1.4 / max(many, 1))
    return badge_anchors(
        region.label, region.badges, ((round(x + (at - (many - 1) / 2) * pitch, 1), y + 18) for at in range(many))
    )


@lru_cache(maxsize=64)
def _lanes(lanes: tuple[tuple[str, int], ...], sheet: _Sheet) -> str:
    """Return ``lanes`` (labels and places) as bands over the whole sheet."""
    drawn = [hatch_definition()]
    drawn.append(element("rect", x=0, y=0, width=sheet.width, height=sheet.height, rx=8, fill=_SEA[0]))
    for number, (name, at) in enumerate(lanes):
        middle = _lane_middle(sheet, at)
        start = round(middle - _LONG / 2, 1)
        if number % 2:
            box = (start, 0, _LONG, sheet.height) if sheet.is_across else (0, start, sheet.width, _LONG)
            drawn.append(element("rect", **dict(zip(("x", "y", "width", "height"), box, strict=True)), fill=_SEA[1]))
        label = (middle, 16) if sheet.is_across else (14, middle + 4)
        drawn.append(words(name, *label, size=12, font_weight="bold", fill="#445566"))
    return "".join(drawn)


def _lane_middle(sheet: _Sheet, at: int) -> float:
    return round(_EDGE + RADIUS + (at - sheet.first) * _LONG, 1)


def _markers(chart: Chart, sheet: _Sheet) -> Iterator[Anchor]:
    """Yield the places of the markers in the stacks on the lanes."""
    for lane in chart.lanes:
        if not lane.badges:
            continue
        middle, many = _lane_middle(sheet, lane.at), len(lane.badges)
        pitch = min(16, _STACK / max(many - 1, 1))
        along = [round(at * pitch, 1) for at in range(many)]
        points = ((middle, _STRIP - 12 - far) if chart.is_across else (32 + far, middle) for far in along)
        yield from badge_anchors(lane_name(lane), lane.badges, points)


def _far_ways(lying: Iterable[Region], ways: Iterable[tuple[str, str]], sheet: _Sheet) -> Iterator[str]:
    """Yield the ways between regions without a common border."""
    regions = {region.label: region for region in lying}
    for one, other in ways:
        if one in regions and other in regions and not touch(regions[one], regions[other], is_across=sheet.is_across):
            (x1, y1), (x2, y2) = sheet.middles[one], sheet.middles[other]
            yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#8a8a8a", stroke_width=5)


@lru_cache(maxsize=16)
def _walls(sheet: _Sheet, ways: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the common borders of regions that no way crosses."""
    open_ways = {frozenset(way) for way in ways}
    regions = [Region(x, y, label) for label, x, y in sheet.layout]
    walls = []
    for one, other in combinations(regions, 2):
        if touch(one, other, is_across=sheet.is_across) and frozenset((one.label, other.label)) not in open_ways:
            here, there = (_corners(sheet.is_across, sheet.middles[region.label]) for region in (one, other))
            walls.append(element("polyline", points=_points(_between(here, there)), **WALL))
    return tuple(walls)


def _between(ones: Iterable[Point], others: Sequence[Point]) -> list[Point]:
    """Return the common corners of two hexagons."""
    return [one for one in ones if any(hypot(one[0] - other[0], one[1] - other[1]) < 1 for other in others)]


_Bow = tuple[Point, Point, Point]
"""A passage on paper: its start, the point towards which it bends, and its end."""
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5)


def _is_drawn(passage: Passage, sheet: _Sheet) -> bool:
    return all(end in sheet.middles for end in passage.ends)


@lru_cache(maxsize=1 << 8)
def _bow(passage: Passage, sheet: _Sheet) -> _Bow:
    """Return ``passage`` on paper with the bend that covers least of the regions."""
    (x1, y1), (x2, y2) = (sheet.middles[end] for end in passage.ends)

    def bent(bend: float) -> _Bow:
        middle = ((x1 + x2) / 2 + (y2 - y1) * bend, (y1 + y2) / 2 + (x1 - x2) * bend)
        return (x1, y1), (round(middle[0], 1), round(middle[1], 1)), (x2, y2)

    return max(map(bent, _BENDS), key=lambda bow: _room(bow, sheet))


def _room(bow: _Bow, sheet: _Sheet) -> float:
    """Return how much of ``bow`` is on the sheet and covers no region; long detours count for less."""
    points = [_at(bow, part / 20) for part in range(3, 18)]
    clear = sum(min(_nearest(point, sheet), RADIUS) for point in points if _is_on(point, sheet))
    return clear - hypot(bow[1][0] - (bow[0][0] + bow[2][0]) / 2, bow[1][1] - (bow[0][1] + bow[2][1]) / 2)


def _is_on(point: Point, sheet: _Sheet) -> bool:
    return 8 < point[0] < sheet.width - 8 and 8 < point[1] < sheet.height - 8


def _written(passage: Passage, bow: _Bow, sheet: _Sheet) -> Iterator[str]:
    """Yield the words on ``passage``, at the place that covers least of the regions."""
    if not passage.text:
        return
    x, y = _written_at(bow, sheet)
    room = text_width(passage.text, 10, is_bold=True) + 4
    box = {"x": round(x - room / 2, 1), "y": round(y - 7, 1), "width": round(room, 1), "height": 14}
    yield element("rect", **box, rx=3, fill="#ffffff", stroke="#333333")
    yield words(passage.text, x, round(y + 3.5, 1), size=10, font_weight="bold")


@lru_cache(maxsize=1 << 8)
def _written_at(bow: _Bow, sheet: _Sheet) -> Point:
    return max((_at(bow, part / 20) for part in range(5, 16)), key=lambda point: _nearest(point, sheet))


def _at(bow: _Bow, part: float) -> Point:
    """Return the point at ``part`` (0 to 1) of the way along ``bow``."""
    rest = 1 - part
    x, y = (rest * rest * bow[0][side] + 2 * rest * part * bow[1][side] + part * part * bow[2][side] for side in (0, 1))
    return round(x, 1), round(y, 1)


def _nearest(point: Point, sheet: _Sheet) -> float:
    """Return the distance from ``point`` to the words of the nearest region, broad letters slightly above its middle."""
    return min(hypot(0.7 * (point[0] - x), point[1] - y + 8) for x, y in sheet.middles.values())
