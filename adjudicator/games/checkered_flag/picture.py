"""Draw the table: the track as an oval with its danger and cars, the standings within it, and what lies beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, product
from math import cos, degrees, pi, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat, Value, View, Whole, count, drawing, listed
from adjudicator.games.checkered_flag.braking import drive_of
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, Components, Config, Width
from adjudicator.games.checkered_flag.facts import DANGER, doing
from adjudicator.games.checkered_flag.state import Racer, Spun, State
from adjudicator.scenes import Element, Frame, Group, Path, Point, circle, group, polygon, rect, text_width, way, words

_SIGNS: Final = {DANGER: "!", Width.NARROW.value: "/"}
_GROUNDS: Final = tuple(_SIGNS)
_UNIT: Final = 26
"""The least length of a space in pixels."""
_LAP: Final = 1_400
"""The least length of the track: so there is room for names within it."""
_STRETCH: Final = 1
"""The length of the straights of the oval, as a multiple of the radius of its ends."""
_HALF: Final = 17
"""Half the width of the track in pixels."""
_NARROW: Final = 9.5
"""The same where only one car has room."""
_LANE: Final = 8.5
_EDGE: Final = 46
_OFF: Final = 48
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
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_RED: Final = "#a8281c"
_HATCH: Final = scenes.Hatch("#a8553a", 0.8, 6, -45)
_GATE: Final = {"N": (26, 33), "1": (13, 11), "2": (13, 55), "3": (39, 11)}
"""The places of the lever, in the gate of the gears."""
_DISC: Final = 40
"""The diameter of a wheel."""
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
        seat, position = racer.seat, config.stop_at(racer.driven)
        lap = {"lap": config.lap_at(racer.driven)} if config.laps > 1 else {}
        place = "finish" if position is None else position or "line"
        due = "yes" if view.is_due(seat) else ""
        rows.append({"seat": seat, "spaces": racer.driven, "position": place, **lap, "gear": doing(racer), "to move": due})
        spun = drive.spun if drive is not None and drive.racer == racer else None
        panels.append(_panel(parts, seat, rows[-1], racer.gear, spun))
        standings.append((seat, ", ".join((*(f"lap {one}" for one in lap.values()), count(racer.driven, "space")))))
        wheels = (f"wheel A at {spun.a}", f"wheel B at {spun.b}") if spun else ()
        told.append(f"{seat}: {listed((f'lever at {GEAR_LETTERS[racer.gear]}', *wheels))}.")
    stopped = {racer.seat: racer.lost for racer in racers if racer.lost}
    told[:0] = [f"{seat} stands still and loses {count(turns, 'turn')}." for seat, turns in stopped.items()]
    cars = {racer.seat: config.stop_at(racer.driven) for racer in racers}
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


def _panel(components: Components, seat: Seat, rows: Mapping[str, object], gear: int, spun: Spun | None) -> scenes.Panel:
    """Return the panel of a ``seat`` with ``rows`` of label and value; ``spun`` are its wheels."""
    told = tuple((label, str(value)) for label, value in rows.items() if label != "seat" and value != "")
    wheels = None
    if spun is not None:
        a = _wheel(seat, "wheel A", components.wheel_a, spun.a, 26)
        wheels = group((a, _wheel(seat, "wheel B", components.wheel_b, spun.b, 52 + _DISC)))
    deep = _DISC + 8 if wheels else 0
    gate = _gate(seat, GEAR_LETTERS[gear])
    return scenes.Panel(seat, seat, (), told, gate, 60, 66, wheels, deep, is_marked=False)


def _gate(seat: Seat, gear: str) -> Group:
    """Return the gate of the gears, with a knob in the colour of the seat."""
    lane, inks = "M13 33L39 33M13 11L13 55M39 33L39 11", ((_DARK, 13), ("#ffffff", 10), ("#c9cbd2", 4))
    drawn: list[Element] = [Path(lane, stroke=ink, stroke_width=wide, stroke_linecap="round") for ink, wide in inks]
    for place, (x, y) in _GATE.items():
        is_here = place == gear
        knob = circle(x, y, 10 if is_here else 7, fill=scenes.SEAT if is_here else "#ffffff", stroke=_DARK)
        ink = scenes.LETTER if is_here else _DARK
        letter = words(place, x, y + 4, 12 if is_here else 10, fill=ink, is_bold=is_here)
        drawn.append(Group((knob, letter), id=place))
    frame = Frame(26, 33, 60, 72)  # a little higher than the gate, so that it touches no knob
    return Group(tuple(drawn), id="gear", name=f"{seat}'s lever", frame=frame, holds=gear)


def _wheel(seat: Seat, label: str, faces: tuple[int, ...], value: int, x: float) -> Group:
    """Return a wheel with its number."""
    y, frame = _DISC / 2 - 8, Frame(x, _DISC / 2 - 8, _DISC, _DISC)
    rim, hub = circle(x, y, _DISC / 2 - 4, fill="#ffffff", stroke=_DARK, stroke_width=1.6), circle(x, y, 12, fill=_DARK)
    number = words(str(value), x, y + 5, 14, fill="#ffffff", is_bold=True)
    name = words(label, x, y + _DISC / 2 + 9, 10, is_bold=True)
    return Group((rim, hub, number, name), id=label, name=f"{seat}'s {label}", frame=frame, holds=(label, faces, value))


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


class Track:
    """A track on paper without cars: an oval of two straights and two half circles, clockwise from the middle of the top."""

    def __init__(self, components: Components) -> None:
        """Lay out the track."""
        spaces = [Space("line", "", "", 2)]
        for spot, section in zip(components.track, components.sections[1:], strict=True):
            mark = str(section.number or "") if section is not None and len(section.zone.curves) > 1 else ""
            spaces.append(Space(str(spot.number), DANGER if section else "", mark, 2 if spot.width is Width.WIDE else 1))
        self.spaces, labels = tuple(spaces), [space.label for space in spaces]
        self.unit = max(_UNIT, _LAP / len(spaces))
        self.radius = len(spaces) * self.unit / (2 * pi + 2 * _STRETCH)
        self.straight = _STRETCH * self.radius
        self.x, self.y = self.radius + _EDGE, self.radius + self.straight / 2 + _EDGE
        self.letters = _LETTERS[2 * self.x <= _ON_PHONE]
        middles = (self.at(half / 2)[0] for half in range(2 * len(spaces)))
        self.taken: list[Box] = [(x, y, 0.8 * _HALF, 0.8 * _HALF) for x, y in middles]  # the track, standings and words
        self.taken.append((self.x, self.y, 0.6 * self.radius, 2 * self.letters))
        self.road, self.words = group(_road(self)), group(_words(self, components))
        self.steps = scenes.Road(tuple(pairwise((*labels, labels[0]))))

    def at(self, station: float, out: float = 0) -> tuple[Point, float]:
        """Return the point ``station`` spaces on and ``out`` pixels outside the middle, and the direction in radians."""
        halves, along = divmod(station * self.unit, pi * self.radius + self.straight)
        straight = min(max(along - pi * self.radius / 2, 0), self.straight)
        angle, middle = (along - straight) / self.radius + pi * halves, straight - self.straight / 2
        far, y = self.radius + out, self.y + (-middle if halves % 2 else middle)
        return (round(self.x + far * sin(angle), 1), round(y - far * cos(angle), 1)), angle

    def edge(self, at: int, out: float) -> list[Point]:
        """Return the points of the line ``out`` pixels outside the middle, along the space ``at``."""
        return [self.at(at + step / _FINE, out)[0] for step in range(_FINE + 1)]


_track_of = lru_cache(maxsize=16)(Track)  # the same for every picture of a game


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
    track = _track_of(components)
    at_space: dict[str, list[Seat]] = {}
    for seat, position in cars.items():
        at_space.setdefault("flag" if position is None else str(position) if position else "line", []).append(seat)
    return scenes.Scene(
        "track",
        title,
        (track.road, *(_flag(track) if "flag" in at_space else ())),
        round(2 * track.x, 1),
        round(2 * track.y, 1),
        (track.words, *_infield(track, standings), *_tokens(track, at_space, stopped)),
        scenes.Later(_text, (track.spaces, at_space, len(cars))),
        sentences=(*_sentences(title, track.spaces, at_space), *told),
        road=track.steps,
    )


def _road(along: Track) -> Iterator[Element]:
    """Yield the grass and the track: kerbs at bends, the ground of each space, hatching, the lanes, and the line."""
    spaces = along.spaces
    yield rect(round(2 * along.x, 1), round(2 * along.y, 1), rx=18, fill=_GRASS)
    bends = [at for at, space in enumerate(spaces) if space.ground]
    halves = [_HALF if space.lanes > 1 else _NARROW for space in spaces]
    outlines = [along.edge(at, half) + along.edge(at, -half)[::-1] for at, half in enumerate(halves)]
    if bends:
        yield from _kerb("".join(way(along.edge(at, side * (halves[at] + 2))) for at in bends for side in (1, -1)), "6 6")
    for at, space in enumerate(spaces):
        ink = scenes.ground_ink(space.ground, _GROUNDS) if space.ground else _ASPHALT
        frame = Frame(*along.at(at + 0.5)[0], 2 * _HALF, 2 * _HALF)
        area = polygon(outlines[at], fill=ink, stroke=_DARK)
        yield Group((area,), id=space.label, frame=frame, holds=(space.ground, space.mark, space.lanes))
    if bends:
        yield Path("".join(way(outlines[at], closed=True) for at in bends), fill=_HATCH)
    lanes = "".join(way(along.edge(at, 0)) for at, space in enumerate(spaces) if space.lanes > 1)
    yield Path(lanes, stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8")
    size = 2 * _HALF / 6
    box = rect(2 * size, 2 * _HALF, -size, -_HALF, fill="#ffffff", stroke=_DARK)
    middle, angle = along.at(1)
    yield group((box, _chequers(2, 6, size, -size, -_HALF)), *middle, angle=degrees(angle))


def _kerb(along: str, dashes: str) -> Iterator[Element]:
    yield Path(along, stroke="#ffffff", stroke_width=5)
    yield Path(along, stroke=_RED, stroke_width=5, stroke_dasharray=dashes)


def _chequers(columns: int, rows: int, size: float, left: float, top: float) -> Path:
    dark = [(column, row) for column, row in product(range(columns), range(rows)) if (column + row) % 2 == 0]
    s, n = scenes.number(size), scenes.number
    squares = (f"M{n(left + column * size)} {n(top + row * size)}h{s}v{s}h-{s}Z" for column, row in dark)
    return Path("".join(squares), fill="#111111")


def _flag(along: Track) -> Iterator[Element]:
    """Yield a chequered flag beside the line, at the place of cars beyond the finish."""
    (x, y), _ = along.at(1, -_OFF)
    pole = Path("M0 -1V24", stroke=_DARK, stroke_width=2)
    yield group((pole, rect(20, 15, fill="#ffffff", stroke=_DARK), _chequers(4, 3, 5, 0, 0)), x - 12, y - 11)


def _words(along: Track, components: Components) -> Iterator[Element]:
    """Yield the numbers outside the track and the names of zones within it; the track notes the places they take."""
    size = along.letters

    def is_free(box: Box) -> bool:
        x, y, half, high = box
        return all(abs(x - left) > half + wide or abs(y - top) > high + tall for left, top, wide, tall in along.taken)

    def written(text: str, tries: Iterable[tuple[float, int, float]], ink: str, *, is_bold: bool = False) -> Element:
        """Write ``text`` at the first place that is free, or else at the first: its station, its side, its distance."""
        half, high, places = text_width(text, size, is_bold=is_bold) / 2, size / 2, list[Box]()
        for station, side, far in tries:
            angle = along.at(station)[1]
            out = _HALF + far + half * abs(sin(angle)) + high * abs(cos(angle))
            places.append((*along.at(station, side * out)[0], half, high))
        x, y, *_ = place = next(filter(is_free, places), places[0])
        along.taken.append(place)
        return words(text, x, round(y + size / 3, 1), size, fill=ink, is_bold=is_bold)

    for at, space in enumerate(along.spaces):  # the broad word for the line is inside
        yield written(space.label, [(at + 0.5, 1 if at else -1, 4)], "#333333")
    for zone in components.zones:
        if zone.whole.last < len(along.spaces):  # a set with mistakes is drawn, too
            middle = (zone.whole.first + zone.whole.last + 1) / 2
            tries = ((middle + shift, -1, far) for far, shift in product((6, 26, 46), (0, 1, -1)))
            yield written(zone.name, tries, "#5b1d12", is_bold=True)


def _infield(track: Track, standings: Sequence[tuple[Seat, str]]) -> Iterator[Element]:
    """Yield the seats in their order, each with its words, in the middle, if there is room between the straights."""
    size, told = track.letters, [f"{scenes.clip(seat, _LONGEST)}: {text}" for seat, text in standings]
    wide = max((text_width(text, size) for text in told), default=0) + 3 * size
    for at, (seat, _) in enumerate(standings if wide < 2 * (track.radius - _HALF - 8) else ()):
        x, y, drop = track.x - wide / 2, track.y + 1.7 * size * (at - 0.5), round(0.36 * size, 1)
        disc = (circle(0, 0, round(0.7 * size, 1), fill=scenes.SEAT, stroke="#ffffff"),)
        yield words(f"{at + 1}.", round(x + 0.8 * size, 1), round(y + drop, 1), size, "end", fill="#333333")
        yield scenes.Token(
            seat, round(x + 1.9 * size, 1), round(y, 1), seat=seat, text=seat, body=disc, letter=size, drop=drop, is_key=True
        )
        yield words(told[at], round(x + 3 * size, 1), round(y + drop, 1), size, "start", fill="#333333")


def _tokens(along: Track, cars: Mapping[str, Sequence[Seat]], stopped: Mapping[Seat, int]) -> Iterator[scenes.Token]:
    """Yield the cars: side by side on their space, or beside the line if beyond the finish."""
    letter, ((x, y), _) = along.letters, along.at(1, -_OFF)
    places = [(seat, (x + 34 * at, y), 0.0, "flag") for at, seat in enumerate(cars.get("flag", ()), 1)]
    for at, space in enumerate(along.spaces):
        for seat, side in zip(cars.get(space.label, ()), (1, -1), strict=False):
            middle, angle = along.at(at + 0.45, side * _LANE if space.lanes > 1 else 0)
            places.append((seat, middle, degrees(angle), space.label))
    for seat, middle, turned, label in places:
        lost = stopped.get(seat, 0)
        over, size = (_loss(lost, letter), 47) if lost else ((), 33)  # the circle in which it turns
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
    return burst, group((*wheels, body, wing), angle=direction + 40.1)


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
