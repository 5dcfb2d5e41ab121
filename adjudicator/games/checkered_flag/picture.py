"""Draw the table: the track as an oval with its danger and cars, the standings within it, and what lies beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, product
from math import ceil, cos, degrees, pi, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat, Value, View, Whole, count, drawing, listed
from adjudicator.games.checkered_flag.braking import drive_of
from adjudicator.games.checkered_flag.cockpit import panel_of
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, Components, Config, Width
from adjudicator.games.checkered_flag.facts import DANGER, doing, position_of
from adjudicator.games.checkered_flag.state import Racer, State
from adjudicator.scenes import Element, Frame, Group, Path, Point, circle, group, polygon, rect, text_width, way, words

_SIGNS: Final = {DANGER: "!", Width.NARROW.value: "/"}
_GROUNDS: Final = tuple(_SIGNS)
_UNIT: Final = 26
_LEAST_UNIT: Final = 22
_FITTING: Final = 2_400
"""The greatest length of a lap in pixels; the spaces of a longer lap become shorter."""
_STRETCH: Final = 1.5
"""The length of the straights of the oval, as a multiple of the radius of its ends."""
_HALF: Final = 17
"""Half the width of the track in pixels."""
_NARROW: Final = 9.5
"""The same where only one car has room."""
_LANE: Final = 8.5
_EDGE: Final = 46
_OFF: Final = 44
"""From the middle of the line to the cars beyond the finish, in pixels."""
_FINE: Final = 4
"""The number of pieces of each space."""
_LETTERS: Final = (12, 16)
"""The sizes of letters on a long track, and on one that fits on a phone: with the larger ones it is legible there."""
_ON_PHONE: Final = 535
"""The greatest width of a track that fits on a phone, in pixels."""
_LONGEST: Final = 16
"""The greatest number of columns of the name of a seat in the infield."""
_NAME: Final = 4
"""The length of the names of cars in text, unless they need more characters to differ."""
_CAR: Final = 33
"""The diameter in pixels of the circle in which a car turns."""
_BURST: Final = 47
"""The same with the burst around a crashed car."""
_ASKEW: Final = 40.1
"""The angle between a crashed car and the track, in degrees."""
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_RED: Final = "#a8281c"
_HATCH: Final = scenes.Hatch("#a8553a", 0.8, 6, -45)
_CAR_INK: Final = "#26282c"
_BODY: Final = "M-13 -5 L-12 -6.5 L6 -6.5 Q13 -5.5 13.5 0 Q13 5.5 6 6.5 L-12 6.5 L-13 5 Z"
_WHEELS: Final = ((-8, -7.5), (-8, 7.5), (6.5, -7), (6.5, 7))

Box = tuple[float, float, float, float]
"""A rectangle: its middle, half its width and half its height."""


def draw(view: View[Config, State, Racer]) -> drawing.Drawing:
    """Return the track, the panels of the seats, and the danger zones."""
    config, parts, drive = view.config, view.config.components, drive_of(view.config, view.state)
    racers = sorted(view.state.racers, key=lambda racer: -racer.driven)
    rows, panels, standings, told = [], [], [], []
    for racer in racers:
        seat, position = racer.seat, position_of(config, racer)
        lap = {"lap": config.lap_at(racer.driven)} if config.laps > 1 else {}
        place = "finish" if position is None else position or "line"
        due = "yes" if view.is_due(seat) else ""
        rows.append({"seat": seat, "spaces": racer.driven, "position": place, **lap, "gear": doing(racer), "to move": due})
        spun = drive.spun if drive is not None and drive.racer == racer else None
        panels.append(panel_of(parts, seat, rows[-1], racer.gear, spun))
        standings.append((seat, ", ".join((*(f"lap {one}" for one in lap.values()), count(racer.driven, "space")))))
        wheels = (f"wheel A at {spun.a}", f"wheel B at {spun.b}") if spun else ()
        told.append(f"{seat}: {listed((f'lever at {GEAR_LETTERS[racer.gear]}', *wheels))}.")
    stopped = {racer.seat: racer.lost for racer in racers if racer.lost}
    told[:0] = [f"{seat} stands still and loses {count(turns, 'turn')}." for seat, turns in stopped.items()]
    cars = {racer.seat: position_of(config, racer) for racer in racers}
    title = f"Track ({count(config.laps, 'lap')} of {config.length} spaces)"
    track = _track(title, parts, cars, stopped, standings, told)
    shapes: list[drawing.Shape] = [track, *scenes.panel_scenes(panels), _legend(has_cars=True, has_stopped=bool(stopped))]
    shapes += [drawing.records("Race", rows), _zones(parts)]
    if drive is not None:
        moved = f"{drive.spun.a} and {drive.spun.b}: {count(drive.spaces, 'space')}"
        shapes.append(drawing.Fields("Spun", ((drive.racer.seat, moved),)))
    return drawing.Drawing(tuple(shapes))


def catalogue(components: Components) -> drawing.Drawing:
    """Return what is in the box: the track with its danger zones, and the wheels."""
    wheels = (("A", components.wheel_a), ("B", components.wheel_b))
    return drawing.box(
        components,
        _track(f"Track ({count(len(components.track), 'space')})", components, {}, {}),
        _legend(has_cars=False),
        _zones(components, is_counted=True),
        drawing.Fields("Wheels", tuple((name, " ".join(map(str, faces))) for name, faces in wheels)),
    )


def _zones(components: Components, *, is_counted: bool = False) -> drawing.Columns:
    checks = Counter(section.zone.name for section in {*components.sections} if section)
    rows = []
    for zone in components.zones:
        whole, *curves = (f"{curve.first}–{curve.last}" for curve in (zone.whole, *zone.curves))
        rows.append({"zone": zone.name, "positions": whole, "curves": ", ".join(curves), "checks": checks[zone.name]})
    return drawing.records("Danger zones", rows, is_counted=is_counted)


class Space(Value):
    """A space of the track: its label, its ground (empty: straight), the number of its curve, and its lanes."""

    label: str
    ground: str
    mark: str
    lanes: Whole


class Oval:
    """The way of a track of spaces that are ``unit`` long: two straights and two half circles, clockwise from the top."""

    def __init__(self, spaces: int, unit: float) -> None:
        """Lay the way."""
        self.unit, self.radius = unit, spaces * unit / (2 * pi + 2 * _STRETCH)
        self.straight = _STRETCH * self.radius
        self.x, self.y = self.radius + _EDGE, self.radius + self.straight / 2 + _EDGE

    def direction(self, station: float) -> float:
        """Return the direction of travel ``station`` spaces after the beginning, in radians; 0 leads to the right."""
        return self._place(station)[1]

    def beside(self, station: float, out: float = 0) -> Point:
        """Return the point ``station`` spaces after the beginning and ``out`` pixels outside the middle of the track."""
        middle, angle = self._place(station)
        far = self.radius + out
        return round(self.x + far * sin(angle), 1), round(self.y + middle - far * cos(angle), 1)

    def _place(self, station: float) -> tuple[float, float]:
        """Return the middle of the circle around which the way leads at ``station``, and its direction."""
        halves, along = divmod(station * self.unit, pi * self.radius + self.straight)
        straight = min(max(along - pi * self.radius / 2, 0), self.straight)
        middle = straight - self.straight / 2
        return (-middle if halves % 2 else middle), (along - straight) / self.radius + pi * halves

    def edge(self, at: int, out: float) -> list[Point]:
        """Return the points of the line ``out`` pixels outside the middle, along the space ``at``."""
        return [self.beside(at + step / _FINE, out) for step in range(_FINE + 1)]


class Sheet(Value):
    """A track on paper without cars: its ``spaces`` on their ``way``, the ``road``, the ``words`` at ``boxes``, their size."""

    spaces: tuple[Space, ...]
    way: Oval
    road: Group
    words: Group
    boxes: tuple[Box, ...]
    letters: int
    steps: scenes.Road


@lru_cache(maxsize=16)
def _sheet(components: Components) -> Sheet:
    """Return the track of ``components``, which is the same for every picture of a game."""
    spaces = [Space("line", "", "", 2)]
    for spot, section in zip(components.track, components.sections[1:], strict=True):
        mark = str(section.number or "") if section is not None and len(section.zone.curves) > 1 else ""
        spaces.append(Space(str(spot.number), DANGER if section else "", mark, 2 if spot.width is Width.WIDE else 1))
    along = Oval(len(spaces), max(_LEAST_UNIT, min(_UNIT, _FITTING / len(spaces))))
    size = _LETTERS[2 * along.x <= _ON_PHONE]
    told, boxes = _words(components, along, size)
    labels = [space.label for space in spaces]
    steps = scenes.Road(tuple(pairwise((*labels, labels[0]))))
    return Sheet(tuple(spaces), along, group(_road(spaces, along)), group(told), boxes, size, steps)


def _track(
    title: str,
    components: Components,
    cars: Mapping[Seat, int | None],
    stopped: Mapping[Seat, int],
    standings: Sequence[tuple[Seat, str]] = (),
    told: Sequence[str] = (),
) -> scenes.Scene:
    """Return the track with ``cars`` at their positions, 0 for the line and ``None`` for the flag beyond the finish.

    ``stopped`` cars have crashed and lose a number of turns. The infield shows the ``standings``; ``told`` are sentences
    about what lies beside the track.
    """
    sheet = _sheet(components)
    at_space: dict[str, list[Seat]] = {}
    for seat, position in cars.items():
        at_space.setdefault("flag" if position is None else str(position) if position else "line", []).append(seat)
    return scenes.Scene(
        "track",
        title,
        (sheet.road, *(_flag(sheet.way) if "flag" in at_space else ())),
        round(2 * sheet.way.x, 1),
        round(2 * sheet.way.y, 1),
        (sheet.words, *_infield(sheet, standings), *_tokens(sheet, at_space, stopped)),
        scenes.Later(_text, (sheet.spaces, at_space, len(cars))),
        sentences=(*_sentences(title, sheet.spaces, at_space), *told),
        road=sheet.steps,
    )


def _road(spaces: Sequence[Space], along: Oval) -> Iterator[Element]:
    """Yield the grass and the track: kerbs at bends, the ground of each space, hatching, the lanes, and the line."""
    yield rect(round(2 * along.x, 1), round(2 * along.y, 1), rx=18, fill=_GRASS)
    bends = [at for at, space in enumerate(spaces) if space.ground]
    halves = [_HALF if space.lanes > 1 else _NARROW for space in spaces]
    outlines = [along.edge(at, half) + along.edge(at, -half)[::-1] for at, half in enumerate(halves)]
    if bends:
        yield from _kerb("".join(way(along.edge(at, side * (halves[at] + 2))) for at in bends for side in (1, -1)), "6 6")
    for at, space in enumerate(spaces):
        ink = scenes.ground_ink(space.ground, _GROUNDS) if space.ground else _ASPHALT
        frame = Frame(*along.beside(at + 0.5), 2 * _HALF, 2 * _HALF)
        area = polygon(outlines[at], fill=ink, stroke=_DARK)
        yield Group((area,), id=space.label, frame=frame, holds=(space.ground, space.mark, space.lanes))
    if bends:
        yield Path("".join(way(outlines[at], closed=True) for at in bends), fill=_HATCH)
    lanes = "".join(way(along.edge(at, 0)) for at, space in enumerate(spaces) if space.lanes > 1)
    yield Path(lanes, stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8")
    size = 2 * _HALF / 6
    box = rect(2 * size, 2 * _HALF, -size, -_HALF, fill="#ffffff", stroke=_DARK)
    squares = box, _chequers(2, 6, size, -size, -_HALF)
    yield group(squares, *along.beside(1), angle=degrees(along.direction(1)))


def _kerb(along: str, dashes: str) -> Iterator[Element]:
    yield Path(along, stroke="#ffffff", stroke_width=5)
    yield Path(along, stroke=_RED, stroke_width=5, stroke_dasharray=dashes)


def _chequers(columns: int, rows: int, size: float, left: float, top: float) -> Path:
    dark = [(column, row) for column, row in product(range(columns), range(rows)) if (column + row) % 2 == 0]
    s, n = scenes.number(size), scenes.number
    squares = (f"M{n(left + column * size)} {n(top + row * size)}h{s}v{s}h-{s}Z" for column, row in dark)
    return Path("".join(squares), fill="#111111")


def _flag(along: Oval) -> Iterator[Element]:
    """Yield a chequered flag beside the line, at the place of cars beyond the finish."""
    x, y = along.beside(1, -_OFF)
    pole = Path("M0 -1V24", stroke=_DARK, stroke_width=2)
    yield group((pole, rect(20, 15, fill="#ffffff", stroke=_DARK), _chequers(4, 3, 5, 0, 0)), x - 12, y - 11)


def _words(components: Components, along: Oval, size: int) -> tuple[list[Element], tuple[Box, ...]]:
    """Return the numbers outside the track and the names of zones within it, and the places that they take."""
    drawn, boxes, drop = list[Element](), list[Box](), size / 3

    def box(text: str, station: float, side: int, far: float, *, is_bold: bool = False) -> Box:
        """Return the place of ``text`` ``far`` pixels away from the track."""
        half, high = text_width(text, size, is_bold=is_bold) / 2, size / 2
        angle = along.direction(station)
        out = _HALF + far + half * abs(sin(angle)) + high * abs(cos(angle))
        return *along.beside(station, side * out), half, high

    numbers = ["line", *(str(spot.number) for spot in components.track)]
    every = ceil((max(text_width(number, size) for number in numbers[1:]) + 3) / along.unit)
    for at in range(0, len(numbers), every):
        place = box(numbers[at], at + 0.5, 1 if at else -1, 3)  # the broad word for the line is inside
        boxes.append(place)
        drawn.append(words(numbers[at], place[0], round(place[1] + drop, 1), size, fill="#333333"))
    for zone in components.zones:
        first, last = zone.whole.first, zone.whole.last
        if last < len(numbers):  # a set with mistakes is drawn, too
            middle = (first + last + 1) / 2
            tries = (
                box(zone.name, middle + shift, -1, far, is_bold=True) for far, shift in product((5, 25, 45), (0, 1, -1))
            )
            place = next((place for place in tries if _is_free(place, boxes)), box(zone.name, middle, -1, 5, is_bold=True))
            boxes.append(place)
            drawn.append(words(zone.name, place[0], round(place[1] + drop, 1), size, is_bold=True, fill="#5b1d12"))
    return drawn, tuple(boxes)


def _is_free(box: Box, boxes: Sequence[Box]) -> bool:
    x, y, half, high = box
    return all(abs(x - left) > half + wide or abs(y - top) > high + tall for left, top, wide, tall in boxes)


def _infield(sheet: Sheet, standings: Sequence[tuple[Seat, str]]) -> Iterator[Element]:
    """Yield the seats in their order, each with its words, at a free place between the straights, if there is one."""
    size, line = sheet.letters, 1.7 * sheet.letters
    names = [scenes.clip(seat, _LONGEST) for seat, _ in standings]
    first = max((text_width(name, size, is_bold=True) for name in names), default=0) + 4 * size
    wide = first + max((text_width(told, size) for _, told in standings), default=0)
    high, way = line * len(standings), sheet.way
    room = way.radius - _HALF - 8 - wide / 2
    down = int(max(way.straight / 2, 0) // 12)
    tries = [(way.x, way.y + 12 * at, wide / 2 + 8, high / 2 + 8) for at in sorted(range(-down, down + 1), key=abs)]
    place = next((one for one in tries if _is_free(one, sheet.boxes)), None) if standings and room > 0 else None
    if place is None:
        return
    rows = []
    for at, ((seat, told), name) in enumerate(zip(standings, names, strict=True), 1):
        base, drop = 1.2 * size, round(0.36 * size, 1)
        disc = (circle(0, 0, round(0.7 * size, 1), fill=scenes.SEAT, stroke="#ffffff"),)
        key = scenes.Token(
            seat, 2.2 * size, base - drop, seat=seat, text=seat, body=disc, letter=size, drop=drop, is_key=True
        )
        rank = words(f"{at}.", 1.1 * size, base, size, "end", fill="#333333")
        bold = words(name, 3.3 * size, base, size, "start", is_bold=True)
        rest = words(told, round(first, 1), base, size, "start", fill="#333333")
        rows.append(group((rank, key, bold, rest), 0, round((at - 1) * line, 1)))
    yield group(rows, round(place[0] - wide / 2, 1), round(place[1] - high / 2, 1))


def _tokens(sheet: Sheet, cars: Mapping[str, Sequence[Seat]], stopped: Mapping[Seat, int]) -> Iterator[scenes.Token]:
    """Yield the cars: side by side on their space, or beside the line if beyond the finish."""
    along, letter = sheet.way, sheet.letters
    x, y = along.beside(1, -_OFF)
    places = [(seat, (x + 34 * at, y), 0.0, "flag") for at, seat in enumerate(cars.get("flag", ()), 1)]
    for at, space in enumerate(sheet.spaces):
        side, turned = _LANE if space.lanes > 1 else 0, degrees(along.direction(at + 0.45))
        for seat, out in zip(cars.get(space.label, ()), (side, -side), strict=False):
            places.append((seat, along.beside(at + 0.45, out), turned, space.label))
    for seat, middle, turned, label in places:
        lost = stopped.get(seat, 0)
        over, size = (_loss(lost, letter), _BURST) if lost else ((), _CAR)
        body, drop = _body(turned, is_stopped=lost > 0), round(0.36 * letter, 1)
        yield scenes.Token(seat, *middle, label, seat, seat, size=size, body=body, over=over, letter=letter, drop=drop)


@lru_cache(maxsize=256)
def _body(direction: float, *, is_stopped: bool, ink: str = scenes.SEAT) -> tuple[Element, ...]:
    """Return a car from above; a car that has stopped is askew in a burst."""
    wheels = (rect(5.2, 3.2, x - 2.6, y - 1.6, 1, fill=_CAR_INK) for x, y in _WHEELS)
    body = Path(_BODY, fill=ink, stroke="#ffffff", stroke_width=1.1)
    wing = rect(2.6, 12, -14, -6, 0.8, fill=_CAR_INK)
    if not is_stopped:
        return (group((*wheels, body, wing), angle=direction),)
    far = [(at * pi / 9, 22 if at % 2 else 14.5) for at in range(18)]
    points = [(long * cos(angle), long * sin(angle)) for angle, long in far]
    burst = polygon(points, fill="#ffd84d", stroke=_CAR_INK, stroke_width=1.4, stroke_linejoin="round")
    return burst, group((*wheels, body, wing), angle=direction + _ASKEW)


def _loss(turns: int, size: int) -> tuple[Element, ...]:
    sign = circle(17, -15, 0.75 * size, fill="#ffffff", stroke=_CAR_INK, stroke_width=1.6)
    return sign, words(f"−{turns}", 17, round(0.36 * size - 15, 1), size, is_bold=True)


def _legend(*, has_cars: bool, has_stopped: bool = False) -> scenes.Legend:
    """Return the legend of the track, with examples: a bend with its kerbs, a narrowing, grey cars."""
    ink = scenes.ground_ink(DANGER, _GROUNDS)
    hatching = Path("".join(f"M{at} 12l8 -10" for at in range(0, 24, 5)), stroke=_HATCH.ink, stroke_width=1.4)
    bend = (*_kerb("M0 0.5h28M0 13.5h28", "4 4"), rect(28, 10, 0, 2, fill=ink), hatching)
    narrow = (Path("M0 0h14v3.5h14v7h-14v3.5h-14Z", fill=_ASPHALT, stroke=_DARK),)
    pieces = zip(_SIGNS.items(), (bend, narrow), strict=True)
    grounds = tuple(scenes.Entry(name, parts, 34, _run(name, sign)) for (name, sign), parts in pieces)
    if not has_cars:
        return scenes.Legend((grounds,))
    car = group(_body(0, is_stopped=False, ink="#555555"), 13, 8, scale=0.9)
    signs = [scenes.Entry("car", (group((car,)),), 30, scenes.Run(scenes.SIGNS[scenes.Sign.PIECE]))]
    if has_stopped:
        crashed = group(_body(0, is_stopped=True, ink="#555555"), 13, 8, scale=0.42), group(_loss(1, 10), 10, 19)
        signs.append(scenes.Entry("stands still, with the turns it loses", (group(crashed),), 38))
    return scenes.Legend((grounds, tuple(signs)))


def _run(ground: str, text: str) -> scenes.Run:
    return scenes.Run(text, word=ground, place=_GROUNDS.index(ground)) if ground else scenes.Run(text)


def _text(spaces: Sequence[Space], cars: Mapping[str, Sequence[Seat]], flag: int, _width: int | None) -> scenes.Flow:
    """Return the spaces in the order of travel: label, ground, then a line for each lane; ``flag`` lanes are at the end."""
    names = sorted(seat for seats in cars.values() for seat in seats)
    shown = (*spaces, Space("flag", "", "", flag)) if flag else spaces
    most = max(space.lanes for space in shown)
    columns = []
    for space in shown:
        ground = _SIGNS[space.ground] * 2 + space.mark if space.ground else ""
        there = cars.get(space.label, ())
        lanes = [scenes.Run(f"▲{scenes.short_name(seat, names, _NAME)}", seat=seat) for seat in there]
        lanes += [scenes.Run("·")] * (space.lanes - len(there))
        lanes += [scenes.Run(_SIGNS[Width.NARROW.value] * 2)] * (most - len(lanes))
        columns.append((_run(space.ground, space.label), _run(space.ground, ground), *lanes))
    return scenes.Flow(tuple(columns))


def _sentences(title: str, spaces: Sequence[Space], cars: Mapping[str, Sequence[Seat]]) -> Iterator[str]:
    def span(run: Sequence[Space]) -> str:
        return run[0].label if len(run) == 1 else f"{run[0].label} to {run[-1].label}"

    yield f"{title}."
    for label in (*(space.label for space in spaces), "flag"):
        if label in cars:
            yield f"On {label}: {listed(f'{seat} (car)' for seat in cars[label])}."
    for (ground, mark), run in groupby(spaces, key=lambda space: (space.ground, space.mark)):
        if ground:
            yield f"{span([*run])}: {' '.join(filter(None, (ground, mark)))}."
    narrow = [span([*run]) for is_so, run in groupby(spaces, key=lambda space: space.lanes == 1) if is_so]
    if narrow:
        yield f"Lanes: 1 on {listed(narrow)}; 2 elsewhere."
