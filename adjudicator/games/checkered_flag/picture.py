"""Draw the table: the circuit with its danger and its cars, and the panels of the seats with their levers and wheels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import cos, degrees, pi, radians, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat, Value, View, Whole, count, drawing, replace
from adjudicator.games.checkered_flag.components import DANGER, GEAR_LETTERS, Components, Config, Width, bends, is_circuit
from adjudicator.games.checkered_flag.orders import drive_of
from adjudicator.games.checkered_flag.state import Racer, Spun, State, doing
from adjudicator.scenes import (
    Element,
    Frame,
    Group,
    Later,
    Path,
    Point,
    circle,
    group,
    polygon,
    rect,
    text_width,
    way,
    words,
)

LINE, FLAG = "the line", "the finish"
"""The places before the first space and after the last one."""
_SHAPES: Final = {"house": "7 3 R110 6 3 R60 3 L60 6 3 R110 7 R30 3 R40 5 L10 2 L30 3 R110 4"}
"""The shapes of sets that are older than this field of theirs."""
_UNIT: Final = 26
"""The length of a space in pixels."""
_OUTER, _STRIP, _INNER, _NARROW = 28, 10, -28, -10
"""From the middle of the road to its outer edge, to the end of the strip with the number, and to its inner edges."""
_LANES: Final = (-1, -19)
"""From the middle of the road to those of its lanes; a narrow space has the first one only."""
_EDGE: Final = 13
_OFF: Final = -48
"""From the middle of the line to the cars beyond the finish, in pixels."""
_FINE: Final = 4
"""The number of pieces of each space."""
_PAGE: Final = 88
"""The columns of a page for text of no width."""
_NAME: Final = 4
"""The length of the names of cars in text, unless they need more characters to differ."""
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_RED: Final = "#a8281c"
_DANGER: Final = scenes.ground_ink(DANGER, (DANGER,))
_HATCH: Final = scenes.Hatch("#a8553a", 0.8, 6, -45)
_GATE: Final = {"N": (26, 33), "1": (13, 11), "2": (13, 55), "3": (39, 11)}
"""The places of the lever, in the gate of the gears."""
_DISC: Final = 40
"""The diameter of a wheel."""
_CAR_INK: Final = "#26282c"
_BODY: Final = "M-13 -5 L-12 -6.5 L6 -6.5 Q13 -5.5 13.5 0 Q13 5.5 6 6.5 L-12 6.5 L-13 5 Z"
_WHEELS: Final = ((-8, -7.5), (-8, 7.5), (6.5, -7), (6.5, 7))


def draw(view: View[Config, State, Racer]) -> drawing.Drawing:
    """Return the track, the panels of the seats, and the danger zones."""
    config, parts, drive = view.config, view.config.components, drive_of(view.config, view.state)
    racers = sorted(view.state.racers, key=lambda racer: -racer.driven)
    rows, panels = [], []
    for racer in racers:
        seat, position = racer.seat, config.stop_at(racer.driven)
        lap = {"lap": config.lap_at(racer.driven)} if config.laps > 1 else {}
        place = "finish" if position is None else position or "line"
        due = "yes" if view.is_due(seat) else ""
        rows.append({"seat": seat, "spaces": racer.driven, "position": place, **lap, "gear": doing(racer), "to move": due})
        spun = drive.spun if drive is not None and drive.racer == racer else None
        panels.append(_panel(parts, rows[-1], racer, spun, is_own=view.seat == seat))
    stopped = {racer.seat: racer.lost for racer in racers if racer.lost}
    title = f"Track ({count(config.laps, 'lap')} of {config.length} spaces)"
    track = _track(title, parts, {racer.seat: config.stop_at(racer.driven) for racer in racers}, stopped)
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


def _panel(
    components: Components, row: Mapping[str, object], racer: Racer, spun: Spun | None, *, is_own: bool
) -> scenes.Panel:
    """Return the panel of a ``racer`` with the values of a ``row``, the gate of its gears, and its wheels as ``spun``."""
    seat, gear = racer.seat, GEAR_LETTERS[racer.gear]
    told = tuple((label, str(value)) for label, value in row.items() if label != "seat" and value != "")
    lane, inks = "M13 33L39 33M13 11L13 55M39 33L39 11", ((_DARK, 13), ("#ffffff", 10), ("#c9cbd2", 4))
    drawn: list[Element] = [Path(lane, stroke=ink, stroke_width=wide, stroke_linecap="round") for ink, wide in inks]
    for place, (x, y) in _GATE.items():
        is_here = place == gear
        knob = circle(x, y, 10 if is_here else 7, fill=scenes.SEAT if is_here else "#ffffff", stroke=_DARK)
        ink = scenes.LETTER if is_here else _DARK
        letter = words(place, x, y + 4, 12 if is_here else 10, fill=ink, is_bold=is_here)
        drawn.append(Group((knob, letter), id=f"GEAR {place}" if is_own else ""))
    frame = Frame(26, 33, 60, 72)  # a little higher than the gate, so that it touches no knob
    gate = group(drawn, name=f"{seat}'s lever", frame=frame, holds=gear, told=f"at {gear}")
    wheels = None
    if spun is not None:
        mid, both = _DISC / 2 - 8, list[Group]()
        for name, faces, value, at in (("A", components.wheel_a, spun.a, 26), ("B", components.wheel_b, spun.b, 52 + _DISC)):
            rim = circle(at, mid, _DISC / 2 - 4, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
            parts = rim, circle(at, mid, 12, fill=_DARK), words(str(value), at, mid + 5, 14, fill="#ffffff", is_bold=True)
            label, frame = words(f"wheel {name}", at, mid + _DISC / 2 + 9, 10, is_bold=True), Frame(at, mid, _DISC, _DISC)
            called = f"{seat}'s wheel {name}"
            both.append(group((*parts, label), name=called, frame=frame, holds=(faces, value), told=f"at {value}"))
        wheels = group(both)
    deep = _DISC + 8 if wheels else 0
    return scenes.Panel(seat, seat, (), told, gate, 60, 66, wheels, deep, is_marked=False, is_own=is_own)


def _zones(components: Components, *, is_counted: bool = False) -> drawing.Columns:
    checks = Counter(section.zone.name for section in {*components.sections} if section)
    rows = []
    for zone in components.zones:
        whole, *curves = (f"{curve.first}–{curve.last}" for curve in (zone.whole, *zone.curves))
        rows.append({"zone": zone.name, "positions": whole, "curves": ", ".join(curves), "checks": checks[zone.name]})
    return drawing.records("Danger zones", rows, is_counted=is_counted)


class Circuit:
    """A track on paper: its spaces one after another, the line first, along straights and bends.

    A shape that does not lead back to its beginning is stretched until it does; a set without a shape has an oval.
    """

    def __init__(self, shape: str, size: int) -> None:
        """Lay out a track of ``size`` spaces, with the line, in a ``shape``."""
        side, half = round(size / (2 * pi + 2)), size // 2
        oval = f"{side // 2} {half - side} R180 {side} {size - half - side} R180 {side - side // 2}"
        self.size, self._gap, start, turned = size, (0.0, 0.0), 0, 0.0
        self._pieces = [(0, (0.0, 0.0), 0.0, 0.0)]
        """Where each piece starts: its space, its point, its direction and how far a space of it turns, in radians."""
        for spaces, right in bends(shape if is_circuit(shape, size) else oval):
            self._pieces.append((start, self.at(start)[0], turned, radians(right) / spaces))
            start, turned = start + spaces, turned + radians(right)
        self._gap = self.at(size)[0]
        edges = [self.at(half / 2, out)[0] for half in range(2 * size) for out in (_OUTER, _INNER)]
        (left, right), (top, bottom) = ((min(ends) - _EDGE, max(ends) + _EDGE) for ends in zip(*edges, strict=True))
        self.width, self.height = round(right - left), round(bottom - top)
        self._pieces = [(start, (x - left, y - top), angle, turn) for start, (x, y), angle, turn in self._pieces]

    def at(self, station: float, out: float = 0) -> tuple[Point, float]:
        """Return the point ``station`` spaces on and ``out`` pixels to the left, and the direction in radians."""
        start, (x, y), heading, turn = next(piece for piece in reversed(self._pieces) if piece[0] <= station)
        along, angle = (station - start) * _UNIT, heading + (station - start) * turn
        long = 2 * sin((angle - heading) / 2) * _UNIT / turn if turn else along  # the chord of the arc
        x += long * cos((heading + angle) / 2) - self._gap[0] * station / self.size + out * sin(angle)
        y += long * sin((heading + angle) / 2) - self._gap[1] * station / self.size - out * cos(angle)
        return (round(x, 1), round(y, 1)), angle

    def edge(self, at: int, out: float) -> list[Point]:
        """Return the points of the line ``out`` pixels to the left of the middle, along the space ``at``."""
        return [self.at(at + step / _FINE, out)[0] for step in range(_FINE + 1)]


class Space(Value):
    """A space: its name and its label, the danger there (empty: none), and its lanes."""

    name: str
    label: str
    danger: str
    lanes: Whole


def _spaces(components: Components) -> Iterator[Space]:
    """Yield the line and the spaces of the track; a curve of several in its zone has its number with the danger."""
    yield Space(LINE, "line", "", 2)
    for spot, section in zip(components.track, components.sections[1:], strict=True):
        curve = f" {section.number or ''}".rstrip() if section is not None and len(section.zone.curves) > 1 else ""
        lanes = 2 if spot.width is Width.WIDE else 1
        yield Space(f"space {spot.number}", str(spot.number), DANGER + curve if section else "", lanes)


@lru_cache(maxsize=16)
def _ground(components: Components) -> tuple[Circuit, Group, Group]:
    """Return the track on paper, its ground and its words: the same for every picture of a game."""
    spaces = [*_spaces(components)]
    circuit = Circuit(components.shape or _SHAPES.get(components.id, ""), len(spaces))
    inner = [_INNER if space.lanes > 1 else _NARROW for space in spaces]
    danger, written = [at for at, space in enumerate(spaces) if space.danger], list[Element]()
    drawn: list[Element] = [rect(circuit.width, circuit.height, rx=18, fill=_GRASS)]
    if danger:
        drawn += _kerb("".join(way(circuit.edge(at, out)) for at in danger for out in (_OUTER + 2, inner[at] - 2)), "6 6")
    size = scenes.fitting([space.label for space in spaces[1:]], 20, range(15, 8, -1))
    taken = scenes.Taken()
    for at, space in enumerate(spaces):
        area = polygon(circuit.edge(at, _OUTER) + circuit.edge(at, inner[at])[::-1], stroke=_DARK)
        area = replace(area, fill=_DANGER if space.danger else _ASPHALT)
        (x, y), told = circuit.at(at + 0.5)[0], ", ".join(filter(None, (space.danger, "narrow" * (space.lanes == 1))))
        frame, holds = Frame(x, y, 2 * _OUTER, 2 * _OUTER), (space.danger, space.lanes)
        order = f"to {space.label}" if at else space.label
        drawn.append(Group((area,), id=order, name=space.name, frame=frame, holds=holds, told=told))
        for part in (0.25, 0.75):
            (a, b), _ = circuit.at(at + part)
            taken.add(scenes.Box(a - _OUTER, b - _OUTER, a + _OUTER, b + _OUTER))
        if at:  # the number touches the outer edge from within
            station, half = at + (0.5 if at > 1 else 0.66), text_width(space.label, size) / 2
            angle = circuit.at(station)[1]
            far = _OUTER - 2.5 - half * abs(sin(angle)) - 0.37 * size * abs(cos(angle))
            (a, b), _ = circuit.at(station, far)
            written.append(words(space.label, a, round(b + 0.37 * size, 1), size, fill="#222222"))
    hatched = (way(circuit.edge(at, _STRIP) + circuit.edge(at, inner[at])[::-1], closed=True) for at in danger)
    drawn.append(Path("".join(hatched), fill=_HATCH))
    lanes = (way(circuit.edge(at, sum(_LANES) / 2)) for at, space in enumerate(spaces) if space.lanes > 1)
    drawn.append(Path("".join(lanes), stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8"))
    box, (middle, angle) = (_OUTER - _INNER) / 6, circuit.at(1)
    line = rect(2 * box, 6 * box, -box, -3 * box, fill="#ffffff", stroke=_DARK), _chequers(2, 6, box, -box, -3 * box)
    drawn.append(group(line, *middle, angle=degrees(angle)))
    (x, y), _ = circuit.at(1, _OFF)
    taken.add(scenes.Box(x - 12, y - 14, x + 80, y + 14))
    written += _zone_names(circuit, components, taken)
    return circuit, group(drawn), group(written)


def _zone_names(circuit: Circuit, components: Components, taken: scenes.Taken) -> Iterator[Element]:
    """Yield the names of the zones, each beside its zone where it covers nothing, with room for the sign of a crash."""
    size, high = 15, 7.5
    for zone in components.zones:
        wide, choices = text_width(zone.name, size, is_bold=True) / 2, list[scenes.Box]()
        # In a set with mistakes a zone may lie beyond the track.
        shifts = (0, 1, -1, 2, -2) if zone.whole.last < circuit.size else ()
        for far, shift, side in product((6, 20, 40), shifts, (-1, 1)):
            station = (zone.whole.first + zone.whole.last + 1) / 2 + shift
            angle = circuit.at(station)[1]
            out = _OUTER + far + 20 * (side < 0) + wide * abs(sin(angle)) + high * abs(cos(angle))
            (x, y), _ = circuit.at(station, side * out)
            if wide + 4 < x < circuit.width - wide - 4 and high + 4 < y < circuit.height - high - 4:
                choices.append(scenes.Box(x - wide, y - high, x + wide, y + high))
        if choices:
            place = taken.best(choices)
            taken.add(place)
            x, y = round((place.left + place.right) / 2, 1), round(place.bottom - 2.1, 1)
            yield words(zone.name, x, y, size, fill="#5b1d12", is_bold=True)


def _kerb(along: str, dashes: str) -> Iterator[Element]:
    yield Path(along, stroke="#ffffff", stroke_width=5)
    yield Path(along, stroke=_RED, stroke_width=5, stroke_dasharray=dashes)


def _chequers(columns: int, rows: int, size: float, left: float, top: float) -> Path:
    dark = [(column, row) for column, row in product(range(columns), range(rows)) if (column + row) % 2 == 0]
    s, n = scenes.number(size), scenes.number
    squares = (f"M{n(left + column * size)} {n(top + row * size)}h{s}v{s}h-{s}Z" for column, row in dark)
    return Path("".join(squares), fill="#111111")


def _track(title: str, components: Components, cars: Mapping[Seat, int | None], stopped: Mapping[Seat, int]) -> scenes.Scene:
    """Return the track with ``cars`` at their positions, 0 for the line and ``None`` for the flag beyond the finish.

    ``stopped`` cars have crashed and lose a number of turns.
    """
    circuit, ground, written = _ground(components)
    there: dict[str, list[Seat]] = {}
    for seat, position in cars.items():
        there.setdefault(FLAG if position is None else f"space {position}" if position else LINE, []).append(seat)
    flag, tokens, ((x, y), _) = list[Element](), list[scenes.Token](), circuit.at(1, _OFF)
    if FLAG in there:  # a chequered flag beside the line, at the place of cars beyond the finish
        pole = Path("M0 -1V24", stroke=_DARK, stroke_width=2)
        flag.append(group((pole, rect(20, 15, fill="#ffffff", stroke=_DARK), _chequers(4, 3, 5, 0, 0)), x - 12, y - 11))
    places = [(FLAG, seat, (x + 34 * at, y), 0.0, 0) for at, seat in enumerate(there.get(FLAG, ()), 1)]
    for at, space in enumerate(_spaces(components)):
        for seat, lane in zip(seats := there.get(space.name, ()), _LANES, strict=False):
            beside = _OUTER + 6 if len(seats) > 1 and lane == _LANES[0] else _INNER - 14  # never over the other car
            places.append((space.name, seat, *circuit.at(at + 0.45, lane), beside - lane))
    for name, seat, (x, y), angle, beside in sorted(places, key=lambda place: -stopped.get(place[1], 0)):
        sign, told = tuple[Element, ...](), "car"
        if lost := stopped.get(seat, 0):
            sign = (group(_loss(lost), round(beside * sin(angle), 1), round(-beside * cos(angle), 1)),)
            told = f"car, stands still and loses {count(lost, 'turn')}"
        body, size = _car(degrees(angle), is_stopped=lost > 0), 46 if lost else 33
        tokens.append(
            scenes.Token(seat, x, y, name, seat, seat, size=size, body=body, over=sign, letter=15, drop=5.5, told=told)
        )
    over: tuple[Element, ...] = (*tokens, written)  # nothing hides the number of a space
    text = Later(_text, (components, there, len(cars)))
    return scenes.Scene("track", title, (ground, *flag), circuit.width, circuit.height, over, text, told=title)


@lru_cache(maxsize=256)
def _car(direction: float, *, is_stopped: bool = False, ink: str = scenes.SEAT) -> tuple[Element, ...]:
    """Return a car from above, ``direction`` degrees from east; a car that has stopped is askew in a burst."""
    wheels = (rect(5.2, 3.2, x - 2.6, y - 1.6, 1, fill=_CAR_INK) for x, y in _WHEELS)
    body = Path(_BODY, fill=ink, stroke="#ffffff", stroke_width=1.1)
    car = (*wheels, body, rect(2.6, 12, -14, -6, 0.8, fill=_CAR_INK))
    if not is_stopped:
        return (group(car, angle=direction),)
    # The burst is as broad as a lane: the number of the space and a car beside it stay visible.
    far = [(at * pi / 9, 1.0 if at % 2 else 0.68) for at in range(18)]
    points = [(21 * long * cos(angle), 11.5 * long * sin(angle)) for angle, long in far]
    burst = polygon(points, fill="#ffd84d", stroke=_CAR_INK, stroke_width=1.2, stroke_linejoin="round")
    return (group((burst, group(car, angle=20, scale=0.8)), angle=direction),)


def _loss(turns: int) -> tuple[Element, ...]:
    sign = circle(0, 0, 12, fill="#ffffff", stroke=_CAR_INK, stroke_width=1.6)
    return sign, words(f"−{turns}", -1, 5.5, 15, is_bold=True)


@lru_cache
def _legend(*, has_cars: bool, has_stopped: bool = False) -> scenes.Legend:
    """Return the legend of the track, with examples: a bend with its kerbs, a narrowing, grey cars."""
    hatching = Path("".join(f"M{at} 12l8 -10" for at in range(0, 24, 5)), stroke=_HATCH.ink, stroke_width=1.4)
    bend = (*_kerb("M0 0.5h28M0 13.5h28", "4 4"), rect(28, 10, 0, 2, fill=_DANGER), hatching)
    narrow = (Path("M0 0h28v7h-14v7h-14Z", fill=_ASPHALT, stroke=_DARK),)
    grounds = (scenes.Entry(DANGER, bend, 34, "!", "cyan"), scenes.Entry("narrow", narrow, 34, "/", "purple"))
    if not has_cars:
        return scenes.Legend((grounds,))
    car = group(_car(0, ink="#555555"), 13, 8, scale=0.9)
    signs = [scenes.Entry("car", (car,), 30, scenes.SIGNS[scenes.Sign.PIECE])]
    if has_stopped:
        crashed = group(_car(0, is_stopped=True, ink="#555555"), 16, 8, scale=0.75), group(_loss(1), 40, 8, scale=0.8)
        signs.append(scenes.Entry("stands still, with the turns it loses", crashed, 54))
    return scenes.Legend((grounds, tuple(signs)))


def _text(components: Components, cars: Mapping[str, Sequence[Seat]], flag: int, width: int | None) -> list[str]:
    """Return the spaces in the order of travel: label, ground, then a line for each lane; ``flag`` lanes are at the end."""
    names = sorted(seat for seats in cars.values() for seat in seats)
    columns = list[list[tuple[str, str, str]]]()
    """The cells of each space, from top to bottom: the text, its ink, its seat."""
    most = max(2, flag)
    for space in (*_spaces(components), *[Space(FLAG, "flag", "", flag)] * bool(flag)):
        ink, there = "cyan" if space.danger else "", cars.get(space.name, ())
        ground = space.danger and f"!!{space.danger.removeprefix(DANGER).strip()}"
        lanes = [(f"▲{scenes.short_name(seat, names, _NAME)}", "", str(seat)) for seat in there]
        lanes += [("·", "", "")] * (space.lanes - len(there))
        columns.append([(space.label, ink, ""), (ground, ink, ""), *lanes, *[("//", "", "")] * (most - len(lanes))])
    wide = max(4, *(scenes.display_width(text) for column in columns for text, _, _ in column))
    rows = -(-len(columns) // max(1, ((width or _PAGE) + 1) // (wide + 1)))
    each, lines = -(-len(columns) // rows), list[str]()
    for start in range(0, len(columns), each):
        lines += [""] * bool(lines)
        for row in zip(*columns[start : start + each], strict=True):
            if any(text for text, _, _ in row):
                cells = (
                    " " * (wide - scenes.display_width(text)) + scenes.inked(text, ink, seat=seat) for text, ink, seat in row
                )
                lines.append(" ".join(cells))
    return lines
