"""Draw a map: hexagonal regions with their contents, the lines between them, and the lanes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import hypot
from typing import Any, Final

from adjudicator.game import change
from adjudicator.games.great_race.chart import (
    CITY,
    CLOSED,
    HATCHED,
    ICON_NAMES,
    ICON_SIGNS,
    MARKS,
    RINGED,
    TILE,
    Chart,
    Icon,
    Mark,
    Passage,
    Region,
)
from adjudicator.games.great_race.chart_text import chart_sentences, chart_text
from adjudicator.games.great_race.components import LineKind
from adjudicator.scenes import (
    SIGNS,
    Element,
    Entry,
    Frame,
    Group,
    Hatch,
    Kept,
    Later,
    Legend,
    Path,
    Point,
    Run,
    Scene,
    Sign,
    Token,
    border,
    corners,
    ground_ink,
    group,
    line,
    pitch,
    polygon,
    rect,
    text_width,
    words,
)

HATCHES: Final = Hatch("#555555", 1.2, 7, -45)
RING: Final = "#7d3c98"
WALL: Final[dict[str, Any]] = {"stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_DARK: Final = "#333333"
_OCTAGON: Final = ((-3.5, -8), (3.5, -8), (8, -3.5), (8, 3.5), (3.5, 8), (-3.5, 8), (-8, 3.5), (-8, -3.5))
_NUT: Final = ((-4, -8), (4, -8), (8, 0), (4, 8), (-4, 8), (-8, 0))
RADIUS: Final = 30
"""From the middle of a region to its corners, in pixels."""
_STRIP: Final = 76
"""The width of the strip with the lanes beside the chart."""
_STACK: Final = 32
"""The height of a stack of markers from the middle of the lowest to the middle of the highest."""
_EDGE: Final = 10
_SEA: Final = ("#dfeaf0", "#e9f1f5")
_SHORT, _LONG = pitch(RADIUS, is_across=False)
_GROUNDS: Final = (TILE, CITY)
_ROAD: Final = "#444444"


_Layout = tuple[tuple[str, int, int], ...]
"""The layout of a chart: labels, columns and rows of its regions."""


class _Sheet:
    """The regions of a chart on paper: their ``middles`` by label, and the size of the whole, including the lanes.

    Charts with the same layout share a sheet, so that its values are computed once for all pictures of a game. The strip
    with the lanes is in the west, or in the north of a chart that leads across.
    """

    def __init__(self, layout: _Layout, is_across: bool) -> None:
        across, down = pitch(RADIUS, is_across=is_across)
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
        self.width, self.height = round(wide + RADIUS + _EDGE, 1), round(high + RADIUS + _EDGE, 1)

    def corners(self, label: str) -> tuple[Point, ...]:
        """Return the corners of a region."""
        return corners(self.middles[label], RADIUS, self.is_across)


_sheet_of: Final = lru_cache(maxsize=16)(_Sheet)


def chart_scene(chart: Chart) -> Scene:
    """Return ``chart`` as a picture."""
    sheet = _sheet_of(tuple([(region.label, region.x, region.y) for region in chart.regions]), chart.is_across)
    bare = tuple([change(region, vehicles=()) if region.vehicles else region for region in chart.regions])
    passages = (passage for passage in chart.passages if all(end in sheet.middles for end in passage.ends))
    bows = tuple([(passage, _bow(passage, sheet)) for passage in passages])
    parts: list[Element] = [_lanes(tuple([(lane.label, lane.at) for lane in chart.lanes]), sheet)]
    parts.append(_LYING.of(sheet, bare, chart.ways, bows, sheet))
    parts.append(_TOLD.of(sheet, bare, tuple([bool(region.vehicles) for region in chart.regions]), sheet))
    parts += (_price(passage, bow, sheet) for passage, bow in bows)
    parts += (vehicle for region in chart.regions for vehicle in _vehicles(region, sheet.middles[region.label]))
    parts += _markers(chart, sheet)
    text, sentences = Later(chart_text, (chart,)), tuple(chart_sentences(chart))
    return Scene(chart.title, chart.title, tuple(parts), sheet.width, sheet.height, (), text, sentences)


def legend() -> Legend:
    """Return the legend: in text a line of grounds, one of lines, one of signs; in pictures also the look of borders."""
    grounds = [(name, ground_ink(name, _GROUNDS), place) for place, name in enumerate(_GROUNDS)]
    kinds = tuple(
        Entry(name, (rect(14, 14, fill=ink, stroke="#888888"),), 20, Run(name[0], word=name, place=place))
        for name, ink, place in grounds
    )
    lines = tuple(Entry(f"{kind} line", tuple(_flat(kind)), 36, Run(sign)) for kind, sign in LINE_SIGNS.items())
    car = Token("", 8, 7, ink="#555555", is_key=True)
    told = (("vehicle", SIGNS[Sign.PIECE]), *((ICON_NAMES[icon], sign) for icon, sign in ICON_SIGNS.items()), *MARKS.items())
    icons = tuple(Entry(name, (group(mark_parts(Mark(icon)), 8, 7),), 22) for icon, name in ICON_NAMES.items())
    edges = (
        Entry(HATCHED, (rect(14, 14, fill=HATCHES, stroke="#444444"),), 20),
        Entry(RINGED, (rect(10, 10, 2, 2, stroke=RING, stroke_width=4),), 20),
        Entry(CLOSED, (line(((3, 7), (19, 7)), **WALL),), 28),
    )
    text = tuple(Entry(name, sign=Run(sign)) for name, sign in told)
    return Legend((kinds, lines, text, icons, edges, (Entry("vehicle", (car,), 22),)))


LINE_SIGNS: Final = {LineKind.SEA: "∙∙", LineKind.AIR: "══"}
"""The signs of lines in text."""


def _flat(kind: LineKind) -> Iterator[Element]:
    """Yield a straight line of ``kind``, for the legend."""
    along = ((0, 7), (30, 7))
    if kind is LineKind.AIR:
        yield line(along, stroke=_ROAD, stroke_width=9)
        yield line(along, stroke="#ffffff", stroke_width=3)
    else:
        yield line(along, stroke=_ROAD, stroke_width=5, stroke_dasharray="2 5", stroke_linecap="round")


def _curve(kind: LineKind, along: str) -> Iterator[Element]:
    """Yield a line of ``kind`` above other things, with bright sides."""
    yield Path(along, stroke="#ffffff", stroke_width=7, stroke_opacity=0.7)
    if kind is LineKind.AIR:
        yield Path(along, stroke=_ROAD, stroke_width=5)
        yield Path(along, stroke="#ffffff", stroke_width=2)
    else:
        yield Path(along, stroke=_ROAD, stroke_width=3.5, stroke_dasharray="1 6", stroke_linecap="round")


_Bow = tuple[Point, Point, Point]
"""A passage on paper: its start, the point towards which it bends, and its end."""


def _lying(
    regions: tuple[Region, ...], ways: tuple[tuple[str, str], ...], bows: tuple[tuple[Passage, _Bow], ...], sheet: _Sheet
) -> Group:
    """Return the bottom layer of the ``sheet``: grounds, ways, walls, rings, and passages."""
    chart = Chart("", regions, ways, is_across=sheet.is_across)
    drawn: list[Element] = [*_far_ways(chart, sheet)]
    drawn += (_ground(region, sheet) for region in regions)
    drawn += _walls(chart, sheet)
    drawn += (polygon(sheet.corners(one.label), stroke=RING, stroke_width=4) for one in regions if one.is_ringed)
    for passage, ((x1, y1), (x2, y2), (x3, y3)) in bows:
        drawn += _curve(passage.kind, f"M{x1} {y1}Q{x2} {y2} {x3} {y3}")
    return group(drawn)


def _all_told(regions: tuple[Region, ...], are_stood_on: tuple[bool, ...], sheet: _Sheet) -> Group:
    """Return the words in the regions; ``are_stood_on`` says for each region whether it has a vehicle."""
    told = zip(regions, are_stood_on, strict=True)
    return group(_told(one, is_stood_on, sheet.middles[one.label]) for one, is_stood_on in told)


_LYING: Final = Kept(_lying, 16)
_TOLD: Final = Kept(_all_told, 16)


def _ground(region: Region, sheet: _Sheet) -> Group:
    """Return the area of a region, as a place."""
    points, room = sheet.corners(region.label), 2 * _SHORT - 6
    drawn = [polygon(points, fill=ground_ink(region.ground, _GROUNDS), stroke="#8a8a8a")]
    if region.is_hatched:
        drawn.append(polygon(points, fill=HATCHES, stroke="#444444"))
    frame = Frame(*sheet.middles[region.label], room, room)
    holds = (region.ground, region.marks, region.is_hatched, region.is_ringed)
    return group(drawn, id=region.label, frame=frame, holds=holds)


def _told(region: Region, is_stood_on: bool, middle: Point) -> Group:
    """Return the label of a region above its marks; a long label in smaller letters, so that it fits."""
    (x, y), marks = middle, region.marks
    is_alone = not marks and not is_stood_on
    sizes = (13, 12, 11, 10, 9, 8) if is_alone else (11, 10, 9, 8)
    size = next((size for size in sizes if text_width(region.label, size, is_bold=True) <= RADIUS * 2.2), 7)
    drawn: list[Element] = [words(region.label, x, y + 4 if is_alone else y - 11, size, is_bold=True, halo=2.5)]
    apart = min(17, (RADIUS * 1.7) / max(len(marks), 1))
    for at, mark in enumerate(marks):
        drawn.append(group(mark_parts(mark), round(x + (at - (len(marks) - 1) / 2) * apart, 1), y + 2))
    return Group(tuple(drawn), id=region.label)


def _vehicles(region: Region, middle: Point) -> Iterator[Token]:
    """Yield the vehicles in ``region``, side by side."""
    (x, y), many = middle, len(region.vehicles)
    apart = min(17, RADIUS * 1.4 / max(many, 1))
    for at, seat in enumerate(region.vehicles):
        yield Token(seat, round(x + (at - (many - 1) / 2) * apart, 1), y + 18, region.label, seat, seat)


@lru_cache(maxsize=64)
def _lanes(lanes: tuple[tuple[str, int], ...], sheet: _Sheet) -> Group:
    """Return ``lanes`` (labels and places) as bands over the whole sheet."""
    drawn: list[Element] = [rect(sheet.width, sheet.height, rx=8, fill=_SEA[0])]
    for number, (name, at) in enumerate(lanes):
        middle = _lane_middle(sheet, at)
        start = round(middle - _LONG / 2, 1)
        if number % 2:
            box = (_LONG, sheet.height, start, 0) if sheet.is_across else (sheet.width, _LONG, 0, start)
            drawn.append(rect(*box, fill=_SEA[1]))
        x, y = (middle, 16) if sheet.is_across else (14, middle + 4)
        drawn.append(words(name, x, y, 12, is_bold=True, fill="#445566"))
    return group(drawn)


def _lane_middle(sheet: _Sheet, at: int) -> float:
    return round(_EDGE + RADIUS + (at - sheet.first) * _LONG, 1)


def _markers(chart: Chart, sheet: _Sheet) -> Iterator[Token]:
    """Yield the markers in the stacks on the lanes."""
    for lane in chart.lanes:
        middle, many = _lane_middle(sheet, lane.at), len(lane.markers)
        apart = min(16, _STACK / max(many - 1, 1))
        for at, seat in enumerate(lane.markers):
            far = round(at * apart, 1)
            point = (middle, _STRIP - 12 - far) if chart.is_across else (32 + far, middle)
            yield Token(seat, *point, f"lane {lane.label}", seat, seat, field="lanes")


def _far_ways(chart: Chart, sheet: _Sheet) -> Iterator[Element]:
    """Yield the ways between regions without a common border."""
    regions = {region.label: region for region in chart.regions}
    for one, other in chart.ways:
        if one in regions and other in regions and not chart.do_touch(regions[one], regions[other]):
            yield line((sheet.middles[one], sheet.middles[other]), stroke="#8a8a8a", stroke_width=5)


def _walls(chart: Chart, sheet: _Sheet) -> Iterator[Element]:
    """Yield the common borders of regions that no way crosses."""
    for one, other in chart.closed:
        yield line(border(sheet.corners(one.label), sheet.corners(other.label)), **WALL)


_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5)


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
    points = (_at(bow, part / 20) for part in range(3, 18))
    inner = ((x, y) for x, y in points if 8 < x < sheet.width - 8 and 8 < y < sheet.height - 8)
    clear = sum(min(_nearest(point, sheet), RADIUS) for point in inner)
    return clear - hypot(bow[1][0] - (bow[0][0] + bow[2][0]) / 2, bow[1][1] - (bow[0][1] + bow[2][1]) / 2)


@lru_cache(maxsize=64)
def _price(passage: Passage, bow: _Bow, sheet: _Sheet) -> Group:
    """Return the price of ``passage``, at the place that covers least of the regions; it is the place of the passage."""
    x, y = _written_at(bow, sheet)
    wide = text_width(passage.text, 10, is_bold=True)
    box = rect(round(wide + 8, 1), 14, round(x - wide / 2 - 4, 1), round(y - 7, 1), 3, fill="#ffffff", stroke="#333333")
    text = words(passage.text, x, round(y + 3.5, 1), 10, is_bold=True)
    frame = Frame(x, y, wide + 12, 20)
    return group((box, text), name=passage.name, frame=frame, holds=passage)


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


def mark_parts(mark: Mark) -> Iterator[Element]:
    """Yield ``mark`` around 0, 0: its icon, 16 pixels wide and high, with its number on it."""
    match mark.icon:
        case Icon.DROP:
            yield Path("M0 -10C4 -4 7 -1 7 3A7 7 0 0 1 -7 3C-7 -1 -4 -4 0 -10Z", fill="#1f4e79")
            yield from _number(mark, 7, "#ffffff")
        case Icon.NUT:
            yield polygon(_NUT, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
            yield from _number(mark, 4, _DARK)
        case Icon.BOLT:
            triangle = ((0, -9), (9, 7), (-9, 7))
            yield polygon(triangle, fill="#f2c230", stroke=_DARK, stroke_width=1.4, stroke_linejoin="round")
            yield words("!", 0, 6, 12, is_bold=True, fill="#111111")
        case Icon.STOP:
            yield polygon(_OCTAGON, fill="#b3261e", stroke="#ffffff")
            yield rect(10, 4, -5, -2, fill="#ffffff")
        case Icon.CARD:
            yield rect(12, 16, -6, -8, 2, fill="#ffffff", stroke=_DARK, stroke_width=1.4)
            yield from _number(mark, 4, _DARK)


def _number(mark: Mark, y: float, ink: str) -> Iterator[Element]:
    if mark.number:
        yield words(str(mark.number), 0, y, is_bold=True, fill=ink)
