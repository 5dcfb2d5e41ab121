"""Draw a map: spots, roads between them, the marked route, signs, names and pieces.

Kinds of road differ in colour, in brightness, and in the lines around spots and between them, so that a map is legible in
grey and for colour-blind readers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Final

from adjudicator.game import Seat, Value, replace
from adjudicator.games.rally_round.components import Colour
from adjudicator.games.rally_round.map_text import map_sentences, map_text
from adjudicator.games.rally_round.roadmap import Roadmap, Spot, section_maps
from adjudicator.scenes import (
    SIGNS,
    Box,
    Element,
    Entry,
    Focus,
    Frame,
    Group,
    Later,
    Legend,
    Path,
    Point,
    Road,
    Run,
    Scene,
    Sign,
    Token,
    circle,
    ground_ink,
    group,
    line,
    placed_names,
    polygon,
    rect,
    text_width,
    words,
)

STEP: Final = 52
"""Pixels from one column to the next."""
EDGE: Final = 34
"""Pixels from the middle of the outermost spots to the edge, if there is no name."""
_HALF: Final = 20
_NAME: Final = 12
_MARGIN: Final = 6
_CARS: Final = 12
"""The height of cars above their square."""
_APART: Final = 17
"""From one car on a square to the next."""
_AHEAD: Final = 6
"""The squares ahead of a car that its crew needs to see first."""
_ROW: Final = 3
"""The greatest number of cars above a square, as long as as many below are enough."""
_BESIDE: Final = 24
"""From the middles of squares to the arrows of moved cars."""
_DISC: Final = "●"
"""A marker without words."""
_ROUTE: Final = "#2563a8"
_DARK: Final = "#17406f"
_LINE: Final = "#3a3a3a"
_HIDDEN: Final = "#7a1f14"


class Look(Value):
    """The lines around the spots of a kind of road and between them: widths, dashes; ``core`` is a white line within."""

    border: float
    dash: str
    road: float
    road_dash: str = ""
    core: float = 0


_LOOKS: Final = {
    Colour.RED: Look(3.4, "", 13, core=5),
    Colour.ORANGE: Look(1.8, "", 9),
    Colour.YELLOW: Look(1.6, "6 3", 4),
    Colour.WHITE: Look(1.6, "1.5 3", 3, "1.5 4"),
}
COLOURS: Final = tuple(Colour)


class _Sheet(Value):
    """A map on paper without cars: ``drawn``, moved so that all of it is visible, and ``words`` above marks of changes.

    ``middles`` are those of its squares.
    """

    drawn: Group
    words: Group
    width: int
    height: int
    middles: Mapping[str, Point]


def map_scene(roadmap: Roadmap) -> Scene:
    """Return the map with its cars; each section of the route is a detail."""
    sheet = _sheet(replace(roadmap, title="", cars=(), sections=(), current="", here=""))
    taken = dict(roadmap.cars)
    places = [(spot.label, at, seat) for spot in roadmap.spots for at, seat in enumerate(taken.get(spot.label, ()))]
    cars = [_car(label, sheet.middles[label], at, len(taken[label]), seat) for label, at, seat in places]
    details = tuple((name, Later(_details, (roadmap, name, labels))) for name, labels in roadmap.sections)
    over: tuple[Element, ...] = (sheet.words, *cars)
    text, sentences = Later(map_text, (roadmap,)), tuple(map_sentences(roadmap))
    scene = Scene("map", roadmap.title, (sheet.drawn,), sheet.width, sheet.height, over, text, sentences, details=details)
    return replace(scene, focus=_focus(roadmap, sheet), road=Road(_steps(roadmap.roads, roadmap.tracks), _BESIDE))


def _focus(roadmap: Roadmap, sheet: _Sheet) -> Focus | None:
    """Return the section that the reader needs now; its rectangle is around the car and the next squares."""
    way = dict(roadmap.sections).get(roadmap.current, ())
    first = way.index(roadmap.here) if roadmap.here in way else 0
    next_ones = (roadmap.here, *way[first : first + _AHEAD])
    along = [sheet.middles[label] for label in next_ones if label in sheet.middles]
    if not along:
        return None
    (west, north), (east, south) = ([cut(side) for side in zip(*along, strict=True)] for cut in (min, max))
    wide, high = east - west + 2 * EDGE, south - north + 2 * EDGE
    return Focus(roadmap.current, Frame((west + east) / 2, (north + south) / 2, wide, high))


@lru_cache(maxsize=16)
def _steps(roads: tuple[tuple[str, str], ...], tracks: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the steps along ``roads`` and ``tracks``, in both directions."""
    pairs = (*roads, *((one, other) for one, other, _ in tracks))
    return tuple(step for one, other in pairs for step in ((one, other), (other, one)))


def _details(roadmap: Roadmap, name: str, labels: tuple[str, ...]) -> tuple[Scene, ...]:
    scenes = (map_scene(part) for part in section_maps(roadmap, name, labels))
    return tuple(replace(scene, id=f"map {scene.title}") for scene in scenes)


@lru_cache(maxsize=16)
def _sheet(roadmap: Roadmap) -> _Sheet:
    """Return a map without cars, which is the same for most pictures of a game."""
    spots = roadmap.spots
    left, top = min((spot.x for spot in spots), default=1), min((spot.y for spot in spots), default=1)
    middles: dict[str, Point] = {spot.label: ((spot.x - left) * STEP, (spot.y - top) * STEP) for spot in spots}
    boxes = [*(_box(middle, _HALF + 2) for middle in middles.values()), *_roads_taken(roadmap, middles)]
    names = {spot.label: spot.name for spot in spots if spot.name}
    placed = placed_names(names, middles, _HALF + _CARS, boxes, _NAME)
    drawn: list[Element] = [*_lines(roadmap, middles, {spot.label: spot.ground for spot in spots})]
    drawn += [_spot(spot, middles[spot.label]) for spot in spots]
    drawn += _arrows(roadmap, middles)
    told: list[Element] = [group(_sign(spot, middles[spot.label]), id=spot.label) for spot in spots]
    told += [_name(one.name, one.box) for one in placed]
    told += _tracks(roadmap, middles)
    around = [*(_box(middle, EDGE) for middle in middles.values()), *(_roomy(one.box) for one in placed)]
    west, north = min((box.left for box in around), default=0), min((box.top for box in around), default=0)
    east, south = max((box.right for box in around), default=0), max((box.bottom for box in around), default=0)
    x, y = round(-west), round(-north)
    moved = {label: (at[0] + x, at[1] + y) for label, at in middles.items()}
    return _Sheet(group(drawn, x, y), group(told, x, y), round(east - west), round(south - north), moved)


def legend(signs: tuple[tuple[str, str], ...]) -> Legend:
    """Return the legend: the colours of roads, the ``signs`` on squares (in pictures only), and the sign of a car."""
    kinds = (
        Entry(name, tuple(_swatch(name)), 36, Run(name[0], word=name, place=place)) for place, name in enumerate(COLOURS)
    )
    told = (
        Entry(name, (words(sign, 0, 11, 11, "start", is_bold=True),), 8 + text_width(sign, 11, is_bold=True))
        for sign, name in signs
    )
    car = Token("", 8, 7, ink="#555555", is_key=True)
    return Legend((tuple(kinds), tuple(told), (Entry("car", (car,), 22, Run(SIGNS[Sign.PIECE])),)))


def _swatch(colour: Colour) -> Iterator[Element]:
    """Yield a square of ``colour`` with its road on both sides, for a legend."""
    look = _LOOKS[colour]
    yield from _half_road(look, (0, 7), (30, 7))
    yield _square(colour, (15, 7), 7)


def _box(middle: Point, half: float) -> Box:
    x, y = middle
    return Box(x - half, y - half, x + half, y + half)


def _roomy(box: Box) -> Box:
    """Return the box of a name with room at its sides for letters that are wider than usual."""
    return Box(box.left - _MARGIN, box.top - 2, box.right + _MARGIN, box.bottom + 3)


def _roads_taken(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[Box]:
    for one, other in roadmap.roads:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            if x1 == x2 or y1 == y2:  # the rectangle around a diagonal road is large and almost empty
                yield Box(min(x1, x2) - 5, min(y1, y2) - 5, max(x1, x2) + 5, max(y1, y2) + 5)


def _lines(roadmap: Roadmap, middles: Mapping[str, Point], kinds: Mapping[str, Colour]) -> Iterator[Element]:
    along = [middles[label] for label in roadmap.route if label in middles]
    if along:
        caps = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        yield line(along, stroke=_ROUTE, stroke_width=2 * _HALF + 12, stroke_opacity=0.38, **caps)
    for one, other, _ in roadmap.tracks:
        if one in middles and other in middles:
            ends = middles[one], middles[other]
            yield line(ends, stroke="#ffffff", stroke_width=7, stroke_linecap="round")
            yield line(ends, stroke=_HIDDEN, stroke_width=3.5, stroke_dasharray="1 7", stroke_linecap="round")
    for one, other in roadmap.roads:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            half = (x1 + x2) / 2, (y1 + y2) / 2
            for label, start in ((one, (x1, y1)), (other, (x2, y2))):
                yield from _half_road(_LOOKS[kinds[label]], start, half)


def _half_road(look: Look, start: Point, end: Point) -> Iterator[Element]:
    """Yield half a road, from the middle of a square to its edge."""
    yield line((start, end), stroke=_LINE, stroke_width=look.road, stroke_dasharray=look.road_dash)
    if look.core:
        yield line((start, end), stroke="#ffffff", stroke_width=look.core)


def _square(colour: Colour, middle: Point, half: float) -> Path:
    (x, y), look = middle, _LOOKS[colour]
    area = rect(2 * half, 2 * half, x - half, y - half, fill=ground_ink(colour, COLOURS), stroke=_LINE)
    return replace(area, stroke_width=look.border, stroke_dasharray=look.dash)


def _spot(spot: Spot, middle: Point) -> Group:
    """Return a square without its words and its cars, as a place."""
    frame, holds = Frame(*middle, 2 * _HALF + 6, 2 * _HALF + 6), (spot.ground, spot.sign, spot.name, spot.is_marker)
    return group((_square(spot.ground, middle, _HALF),), id=spot.label, frame=frame, holds=holds, told=spot.name)


def _sign(spot: Spot, middle: Point) -> Iterator[Element]:
    """Yield the sign and the words of a square."""
    x, y = middle
    if spot.is_marker and spot.sign == _DISC:
        yield circle(x, y - 5, 10, fill="#000000")
    elif spot.is_marker and spot.sign:
        yield rect(2 * _HALF - 2, 19, x - _HALF + 1, y - 16, fill=_DARK)
        yield words(spot.sign, x, y - 2, _fitting(spot.sign, 14, is_bold=True), fill="#ffffff", is_bold=True)
    elif spot.sign:
        yield words(spot.sign, x, y + 1, 15, is_bold=True)
    yield words(spot.label, x, y + _HALF - 5, _fitting(spot.label, 12), fill="#333333")


def _fitting(text: str, most: int, *, is_bold: bool = False) -> int:
    """Return the largest size of letters from 9 to ``most`` in which ``text`` fits into a spot."""
    room = 2 * _HALF - 1
    return next((size for size in range(most, 9, -1) if text_width(text, size, is_bold=is_bold) <= room), 9)


def _arrows(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[Element]:
    """Yield an arrow between each two spots of the route, to show its direction."""
    for one, other in pairwise(label for label in roadmap.route if label in middles):
        (x1, y1), (x2, y2) = middles[one], middles[other]
        long = hypot(x2 - x1, y2 - y1)
        if not long or long > 3 * STEP:
            continue
        ux, uy, x, y = (x2 - x1) / long, (y2 - y1) / long, (x1 + x2) / 2, (y1 + y2) / 2
        tips = (
            (x + 6 * ux, y + 6 * uy),
            (x - 5 * ux - 7 * uy, y - 5 * uy + 7 * ux),
            (x - 5 * ux + 7 * uy, y - 5 * uy - 7 * ux),
        )
        yield polygon(tips, fill=_DARK, stroke="#ffffff")


def _name(name: str, box: Box) -> Element:
    middle, base = round((box.left + box.right) / 2, 1), round(box.bottom - 2, 1)
    return words(name, middle, base, _NAME, is_bold=True, halo=3)


def _tracks(roadmap: Roadmap, middles: Mapping[str, Point]) -> Iterator[Group]:
    """Yield the hidden tracks as places, with their names."""
    for one, other, name in roadmap.tracks:
        if one in middles and other in middles:
            (x1, y1), (x2, y2) = middles[one], middles[other]
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            told = words(name, x, y + 4, 11, fill=_HIDDEN, is_bold=True, halo=4)
            frame, place = Frame(x, y, 20, 20), f"the track from {one} to {other}"
            yield group((told,) if name else (), id=name, name=place, frame=frame, holds=(one, other))


def _car(label: str, middle: Point, at: int, many: int, seat: Seat) -> Token:
    """Return a car, the one with index ``at`` of ``many`` on its square: side by side above it, from the fourth on below."""
    (x, y), row = middle, _ROW if many <= 2 * _ROW else -(-many // 2)
    apart = min(_APART, 2 * _APART / max(row - 1, 1))
    below, column = divmod(at, row)
    return Token(seat, round(x + 14 - apart * column, 1), y + (_HALF + 5 if below else -_HALF), label, seat, seat)
