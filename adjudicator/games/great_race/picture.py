"""Draw a map: hexagonal regions with their contents, the lines between them, and the lanes beside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from adjudicator.game import replace
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
from adjudicator.games.great_race.sheet import (
    APART,
    LABEL,
    LONG,
    PRICE,
    RADIUS,
    SHORT,
    STRIP,
    VEHICLE,
    Bow,
    Sheet,
    bow_of,
    label_size,
    price_boxes,
    sheet_of,
    taken_boxes,
)
from adjudicator.scenes import (
    SIGNS,
    Box,
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
    ground_ink,
    group,
    line,
    polygon,
    rect,
    way,
    words,
)

HATCHES: Final = Hatch("#555555", 1.2, 7, -45)
RING: Final = "#7d3c98"
WALL: Final[dict[str, Any]] = {"stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_INSIDE: Final = 0.92
"""How much smaller than a region its frame is."""
_DARK: Final = "#333333"
_LAND: Final = "#f5efdc"
_COAST: Final = (("#c3dae6", 22), ("#7896a8", 7))
"""The shallow water and the coast around the regions: colours and widths."""
_OCTAGON: Final = ((-3.5, -8), (3.5, -8), (8, -3.5), (8, 3.5), (3.5, 8), (-3.5, 8), (-8, 3.5), (-8, -3.5))
_NUT: Final = ((-4, -8), (4, -8), (8, 0), (4, 8), (-4, 8), (-8, 0))
_STACK: Final = 45
"""The height of a stack of markers from the middle of the lowest to the middle of the highest."""
_SEA: Final = ("#dfeaf0", "#e9f1f5")
_GROUNDS: Final = (TILE, CITY)
_ROAD: Final = "#444444"


def chart_scene(chart: Chart) -> Scene:
    """Return ``chart`` as a picture."""
    sheet = sheet_of(tuple([(region.label, region.x, region.y) for region in chart.regions]), chart.is_across)
    bare = tuple([replace(region, vehicles=()) if region.vehicles else region for region in chart.regions])
    passages = (passage for passage in chart.passages if all(end in sheet.middles for end in passage.ends))
    bows = tuple([(passage, bow_of(passage, sheet)) for passage in passages])
    prices = price_boxes(bows, tuple(taken_boxes(chart.regions, label_size(chart.regions, are_cities=True), sheet)), sheet)
    lanes = _lanes(tuple([(lane.label, lane.at) for lane in chart.lanes]), sheet)
    parts = (lanes, _LYING.of(sheet, bare, chart.ways, bows, sheet))
    over: list[Element] = [_TOLD.of(sheet, bare, tuple([bool(region.vehicles) for region in chart.regions]), sheet)]
    over += (_price(passage, box) for (passage, _), box in zip(bows, prices, strict=True))
    over += (vehicle for region in chart.regions for vehicle in _vehicles(region, sheet.middles[region.label]))
    over += _markers(chart, sheet)
    text, sentences = Later(chart_text, (chart,)), tuple(chart_sentences(chart))
    return Scene(chart.title, chart.title, parts, sheet.width, sheet.height, tuple(over), text, sentences)


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


def _lying(
    regions: tuple[Region, ...], ways: tuple[tuple[str, str], ...], bows: tuple[tuple[Passage, Bow], ...], sheet: Sheet
) -> Group:
    """Return the bottom layer of the ``sheet``: grounds, ways, walls, rings, and passages."""
    chart = Chart("", regions, ways, is_across=sheet.is_across)
    drawn: list[Element] = [*_coast(regions, sheet), *_far_ways(chart, sheet)]
    drawn += (_ground(region, sheet) for region in regions)
    drawn += _walls(chart, sheet)
    drawn += (polygon(sheet.corners(one.label), stroke=RING, stroke_width=4) for one in regions if one.is_ringed)
    for passage, ((x1, y1), (x2, y2), (x3, y3)) in bows:
        drawn += _curve(passage.kind, f"M{x1} {y1}Q{x2} {y2} {x3} {y3}")
    return group(drawn)


def _coast(regions: tuple[Region, ...], sheet: Sheet) -> Iterator[Path]:
    """Yield the water along the outer borders of the regions."""
    around = "".join(way(sheet.corners(region.label), closed=True) for region in regions)
    for ink, width in _COAST:
        yield Path(around, stroke=ink, stroke_width=width, stroke_linejoin="round")


def _all_told(regions: tuple[Region, ...], are_stood_on: tuple[bool, ...], sheet: Sheet) -> Group:
    """Return the words in the regions; ``are_stood_on`` says for each region whether it has a vehicle."""
    told = zip(regions, are_stood_on, strict=True)
    city, other = (label_size(regions, are_cities=are_cities) for are_cities in (True, False))
    sizes = {one.label: city if one.is_city else other for one in regions}
    return group(_told(one, is_stood_on, sizes[one.label], sheet.middles[one.label]) for one, is_stood_on in told)


_LYING: Final = Kept(_lying, 16)
_TOLD: Final = Kept(_all_told, 16)


def _ground(region: Region, sheet: Sheet) -> Group:
    """Return the area of a region, as a place."""
    points, (x, y), room = sheet.corners(region.label), sheet.middles[region.label], 2 * SHORT - 6
    drawn = [polygon(points, fill=_ground_ink(region), stroke="#8a8a8a")]
    if region.is_hatched:
        drawn.append(polygon(points, fill=HATCHES, stroke="#444444"))
    frame = Frame(x, y, room, room, tuple([((right - x) * _INSIDE, (down - y) * _INSIDE) for right, down in points]))
    holds = (region.ground, region.marks, region.is_hatched, region.is_ringed)
    return group(drawn, id=region.label, frame=frame, holds=holds)


def _ground_ink(region: Region) -> str:
    return ground_ink(region.ground, _GROUNDS) if region.ground else _LAND


def _told(region: Region, is_stood_on: bool, size: int, middle: Point) -> Group:
    """Return the label of a region above its marks, or larger in the middle of an empty one."""
    (x, y), marks = middle, region.marks
    is_alone = not marks and not is_stood_on
    base, size = (y + 4, size + 2) if is_alone and not region.is_city else (y + LABEL, size)
    drawn: list[Element] = [words(region.label, x, round(base, 1), size, is_bold=True, halo=2.5)]
    apart = min(19, (RADIUS * 1.7) / max(len(marks), 1))
    for at, mark in enumerate(marks):
        drawn.append(group(mark_parts(mark), round(x + (at - (len(marks) - 1) / 2) * apart, 1), y))
    return Group(tuple(drawn), id=region.label)


def _vehicles(region: Region, middle: Point) -> Iterator[Token]:
    """Yield the vehicles in ``region``, side by side."""
    (x, y), many = middle, len(region.vehicles)
    for at, seat in enumerate(region.vehicles):
        place = round(x + (at - (many - 1) / 2) * APART, 1), round(y + VEHICLE, 1)
        yield Token(seat, *place, region.label, seat, seat)


@lru_cache(maxsize=64)
def _lanes(lanes: tuple[tuple[str, int], ...], sheet: Sheet) -> Group:
    """Return ``lanes`` (labels and places) as bands over the whole sheet."""
    drawn: list[Element] = [rect(sheet.width, sheet.height, rx=8, fill=_SEA[0])]
    for number, (name, at) in enumerate(lanes):
        middle = sheet.lane_middle(at)
        start = round(middle - LONG / 2, 1)
        if number % 2:
            box = (LONG, sheet.height, start, 0) if sheet.is_across else (sheet.width, LONG, 0, start)
            drawn.append(rect(*box, fill=_SEA[1]))
        x, y = (middle, 12) if sheet.is_across else (14, middle + 4)
        drawn.append(words(name, x, y, 12, is_bold=True, fill="#445566"))
    return group(drawn)


def _markers(chart: Chart, sheet: Sheet) -> Iterator[Token]:
    """Yield the markers in the stacks on the lanes."""
    for lane in chart.lanes:
        middle, many = sheet.lane_middle(lane.at), len(lane.markers)
        apart = min(16, _STACK / max(many - 1, 1))
        for at, seat in enumerate(lane.markers):
            far = round(at * apart, 1)
            point = (middle, STRIP - 12 - far) if chart.is_across else (32 + far, middle)
            yield Token(seat, *point, f"lane {lane.label}", seat, seat, field="lanes")


def _far_ways(chart: Chart, sheet: Sheet) -> Iterator[Element]:
    """Yield the ways between regions without a common border."""
    regions = {region.label: region for region in chart.regions}
    for one, other in chart.ways:
        if one in regions and other in regions and not chart.do_touch(regions[one], regions[other]):
            yield line((sheet.middles[one], sheet.middles[other]), stroke="#8a8a8a", stroke_width=5)


def _walls(chart: Chart, sheet: Sheet) -> Iterator[Element]:
    """Yield the common borders of regions that no way crosses."""
    for one, other in chart.closed:
        yield line(border(sheet.corners(one.label), sheet.corners(other.label)), **WALL)


@lru_cache(maxsize=64)
def _price(passage: Passage, box: Box) -> Group:
    """Return the price of ``passage`` in its ``box``; it is the place of the passage."""
    x, y, wide, high = (box.left + box.right) / 2, (box.top + box.bottom) / 2, box.right - box.left, box.bottom - box.top
    frame = rect(round(wide, 1), high, round(box.left, 1), round(box.top, 1), 3, fill="#ffffff", stroke="#333333")
    text = words(passage.text, round(x, 1), round(y + 4, 1), PRICE, is_bold=True)
    place = Frame(round(x, 1), round(y, 1), round(wide + 4, 1), high + 5)
    return group((frame, text), name=passage.name, frame=place, holds=passage)


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
        yield words(str(mark.number), 0, y, 12, is_bold=True, fill=ink)
