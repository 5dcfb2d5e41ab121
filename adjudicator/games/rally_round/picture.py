"""Draw the map of roads as a picture and as text, the crews, time sheets and road book; and what is in the box.

Kinds of road differ in colour, in brightness, and in the lines around squares and between them, so that a map is legible in
grey and for colour-blind readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

from adjudicator.game import Seat, Value, View, count, drawing, remembered, replace, scenes, total
from adjudicator.games.rally_round.components import (
    BY_COLOUR,
    ROLLING,
    Colour,
    Components,
    Does,
    Effect,
    Feature,
    Rights,
    Side,
    Square,
    SquareId,
)
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.orders import choosable
from adjudicator.games.rally_round.roads import Network, Way, network_of
from adjudicator.games.rally_round.route import Section, clock, posts_of, timed
from adjudicator.games.rally_round.state import Crew, State, on_course
from adjudicator.games.rally_round.way import limit_at, sign_limit
from adjudicator.scenes import (
    SIGNS,
    Box,
    Element,
    Entry,
    Frame,
    Group,
    Legend,
    Point,
    Sign,
    Token,
    circle,
    group,
    line,
    polygon,
    rect,
    words,
)

# Sizes in pixels: `_STEP` from one column to the next, `_HALF` a square, `_EDGE` from the middle of the outermost squares to
# the edge, `_CAR` the height of cars above their square, `_APART` from one car to the next, `_PHONE` a phone.
_STEP, _HALF, _EDGE, _CAR, _APART, _NAME, _PHONE = 46, 19, 30, 12, 17, 13, (334, 600)
_ROW: Final = 3
"""The greatest number of cars above a square, as long as as many below are enough."""
_MOST_COLUMNS: Final = 40
"""A wider map does not fit into a mail."""
_CELL: Final = 3
"""The columns of a square in text."""
_LABEL: Final = re.compile(r"(?P<column>[^\W\d_]{1,2})(?P<row>\d{1,3})", re.ASCII)
"""A name that is also the place of its square: `K12`."""
BLACK_SPOT: Final = "●"
"""The sign of a Black Spot, which is a disc in pictures."""
_ROUTE, _DARK, _LINE, _HIDDEN = "#2563a8", "#17406f", "#3a3a3a", "#7a1f14"
_SIGNS: Final = (
    {"TC": "time control (STC, RTC, SSF: timed to the second)", "PC": "passage control", BLACK_SPOT: "Black Spot"},
    {"GW": "Give Way", "QZ": "Quiet Zone", "HB": "humpbacked bridge", "40": "bend with its limit"},
    {"~": "ford", ":": "rough", "!": "hazard", "#": "chequered"},
    {"→": "gradient, downhill", "⇒": "double gradient", "HT1": "hidden track"},
)
"""The signs on squares, and what they mean, in lines."""


class Look(Value):
    """The lines around the squares of a kind of road and between them: widths, dashes; ``core`` is a white line within."""

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


class Map(Value):
    """What a map shows: ``squares`` of a network, the ``marks`` of markers on them, ``cars`` by their squares, a ``route``.

    ``sections`` are the parts of the route by name, ``current`` is the part that the reader needs now, ``here`` the square
    of its car.
    """

    network: Network
    squares: tuple[Square, ...]
    title: str = ""
    marks: tuple[tuple[SquareId, str], ...] = ()
    cars: tuple[tuple[SquareId, tuple[Seat, ...]], ...] = ()
    route: Way = ()
    sections: tuple[tuple[str, Way], ...] = ()
    current: str = ""
    here: str = ""


def sign_of(square: Square) -> str:
    """Return the sign of the feature of ``square``, empty without one.

    A gradient without its side has the sign ``?``: only a set with which no game can begin has one.
    """
    feature = square.feature
    if feature is None:
        return ""
    if feature is Feature.BEND:
        return str(sign_limit(square))
    if feature in ROLLING:
        return "?" if square.toward is None else feature.sign[list(Side).index(square.toward)]
    return feature.sign


# The picture --------------------------------------------------------------------------------------------------------------


def map_scene(plan: Map) -> scenes.Scene:
    """Return the map with its cars; each section of the route is a detail, that of the reader from its car on first."""
    roads, names, middles, width, height = _sheet(plan.network, plan.squares, plan.marks, plan.route)
    over, cars, details = list[Element]([names]), dict(plan.cars), list[tuple[str, tuple[Frame, ...]]]()
    for square in plan.squares:
        seats = cars.get(square.id, ())
        row = _ROW if len(seats) <= 2 * _ROW else -(-len(seats) // 2)
        apart = min(_APART, 2 * _APART / max(row - 1, 1))
        for at, seat in enumerate(seats):  # side by side above the square, from the fourth on below
            (x, y), (below, column) = middles[square.id], divmod(at, row)
            x, y = round(x + 14 - apart * column, 1), y + (_HALF + 5 if below else -_HALF - 3)
            over.append(Token(seat, x, y, square.id, seat, seat, told=f"car, on {square.colour}"))
    for name, way in plan.sections:
        first = way.index(plan.here) if name == plan.current and plan.here in way else 0
        ahead, behind = ([middles[one] for one in part if one in middles] for part in (way[first:], way[: first + 1]))
        windows = [*_windows(ahead, width, height), *(_windows(behind, width, height) if first else ())]
        details.append((f"To {name}", tuple(windows)))
    told = f"{plan.title}, {count(len(plan.squares), 'square')}"
    if plan.route:
        told += f"; the marked route leads from {plan.route[0]} to {plan.route[-1]}"
    return scenes.Scene(
        "map",
        plan.title,
        (roads,),
        width,
        height,
        tuple(over),
        text=scenes.Later(map_text, (plan,)),
        told=told,
        details=tuple(details),
        focus=f"To {plan.current}" if plan.current else "",
    )


def _windows(along: Sequence[Point], width: float, height: float) -> Iterator[Frame]:
    """Yield windows for a phone on the squares ``along`` a road, on a map of that size; each begins with the last square."""
    start = 0
    while start < len(along):
        end = start + 1
        for end in range(start + 2, len(along) + 1):
            spans = [max(side) - min(side) + 2 * _EDGE for side in zip(*along[start:end], strict=True)]
            if spans[0] > _PHONE[0] or spans[1] > _PHONE[1]:
                end -= 1
                break
        end = max(end, min(start + 2, len(along)))  # one step can be longer
        (west, east), (north, south) = ((min(side), max(side)) for side in zip(*along[start:end], strict=True))
        wide, high = min(_PHONE[0], width), min(south - north + 2 * _EDGE, height)
        x = min(max((west + east) / 2, wide / 2), width - wide / 2)
        y = min(max((north + south) / 2, high / 2), height - high / 2)
        yield Frame(round(x, 1), round(y, 1), wide, high)
        start = end - 1 if end < len(along) else end


@remembered
def _sheet(
    network: Network, squares: tuple[Square, ...], marks: tuple[tuple[SquareId, str], ...], route: Way
) -> tuple[Group, Group, Mapping[str, Point], int, int]:
    """Return a map without cars, the same for most pictures of a game: roads, words, middles of squares, width, height."""
    left, top = min((one.x for one in squares), default=1), min((one.y for one in squares), default=1)
    middles: dict[str, Point] = {one.id: ((one.x - left) * _STEP, (one.y - top) * _STEP) for one in squares}
    looks, signs = {one.id: _LOOKS[one.colour] for one in squares}, dict(marks)
    drawn, told = list[Element](), list[Element]()
    along = [middles[one] for one in route if one in middles]
    if along:
        caps = {"stroke_linejoin": "round", "stroke_linecap": "round"}
        drawn.append(line(along, stroke=_ROUTE, stroke_width=2 * _HALF + 12, stroke_opacity=0.38, **caps))
    tracks = [(name, ends, [middles[end] for end in ends]) for name, ends in network.tracks.items() if {*ends} <= {*middles}]
    for _, _, ends in tracks:
        drawn.append(line(ends, stroke="#ffffff", stroke_width=7, stroke_linecap="round"))
        drawn.append(line(ends, stroke=_HIDDEN, stroke_width=3.5, stroke_dasharray="1 7", stroke_linecap="round"))
    taken = scenes.Taken(Box(x - _HALF - 2, y - _HALF - 2, x + _HALF + 2, y + _HALF + 2) for x, y in middles.values())
    for here, others in network.links.items():
        for there in others:
            if here in middles and there in middles:
                (x, y), (u, v) = middles[here], middles[there]
                drawn += _half_road(looks[here], (x, y), ((x + u) / 2, (y + v) / 2))
                if x == u or y == v:  # a diagonal road is in the way of no name: the box around it is almost empty
                    taken.add(Box(min(x, u) - 5, min(y, v) - 5, max(x, u) + 5, max(y, v) + 5))
    for square in squares:
        at, mark = middles[square.id], signs.get(square.id)
        sign = mark or sign_of(square)
        facts = (square.place, f"on {square.colour}", sign) if square.place or mark else ()
        frame, fact = Frame(0, 0, 2 * _HALF + 6, 2 * _HALF + 6), ", ".join(filter(None, facts))
        place = group((_area(square.colour, _HALF),), *at, id=f"at {square.id}", name=square.id, frame=frame)
        drawn.append(replace(place, holds=sign, told=fact))
        told.append(group(_words_on(square.id, sign, is_marked=bool(mark)), *at))
    drawn += _arrows(along)
    around = [Box(x - _EDGE, y - _EDGE, x + _EDGE, y + _EDGE) for x, y in middles.values()]
    for square in squares:
        if square.place:
            (x, y), gap = middles[square.id], _HALF + _CAR
            wide = scenes.text_width(square.place, _NAME, is_bold=True)
            rows, sides = (y - gap - _NAME, y + gap), (x - wide / 2, x + _HALF + 5, x - _HALF - 5 - wide)
            corners = [(side, row) for side in sides for row in rows]
            spots = [*corners[:2], (x + gap + 4, y - 6), (x - gap - 4 - wide, y - 6), *corners[2:]]
            box = taken.best(Box(west, north, west + wide, north + _NAME) for west, north in spots)
            taken.add(box)
            around.append(Box(box.left - 6, box.top - 2, box.right + 6, box.bottom + 3))  # some fonts are wider
            middle = round((box.left + box.right) / 2, 1)
            told.append(words(square.place, middle, round(box.bottom - 2, 1), _NAME, is_bold=True, halo=3))
    for track, (start, end), ((x, y), (u, v)) in tracks:
        label = words(track, (x + u) / 2, (y + v) / 2 + 4, 12, fill=_HIDDEN, is_bold=True, halo=4)
        told.append(group((label,), id=track, told=f"hidden track from {start} to {end}"))
    west, north = min((box.left for box in around), default=0), min((box.top for box in around), default=0)
    east, south = max((box.right for box in around), default=0), max((box.bottom for box in around), default=0)
    x, y = round(-west), round(-north)
    moved = {name: (at[0] + x, at[1] + y) for name, at in middles.items()}
    return group(drawn, x, y), group(told, x, y), moved, round(east - west), round(south - north)


def _half_road(look: Look, start: Point, end: Point) -> Iterator[Element]:
    """Yield half a road, from the middle of a square to its edge."""
    yield line((start, end), stroke=_LINE, stroke_width=look.road, stroke_dasharray=look.road_dash)
    if look.core:
        yield line((start, end), stroke="#ffffff", stroke_width=look.core)


def _words_on(name: str, sign: str, *, is_marked: bool) -> Iterator[Element]:
    """Yield the ``sign`` on a square around 0, 0, white on dark for a marker, and its ``name``."""
    room = 2 * _HALF - 1
    if is_marked and sign == BLACK_SPOT:
        yield circle(0, -5, 10, fill="#000000")
    elif is_marked:
        yield rect(room - 1, 19, 1 - _HALF, -16, fill=_DARK)
        size = scenes.fitting([sign], room, range(14, 9, -1), is_bold=True)
        yield words(sign, 0, -2, size, fill="#ffffff", is_bold=True)
    elif sign:
        yield words(sign, 0, 1, 15, is_bold=True)
    yield words(name, 0, _HALF - 4, scenes.fitting([name], room, range(13, 9, -1)), fill="#333333")


def _area(colour: Colour, half: float, x: float = 0, y: float = 0) -> Element:
    look, ink = _LOOKS[colour], scenes.ground_ink(colour, COLOURS)
    size = 2 * half, 2 * half, x - half, y - half
    return rect(*size, fill=ink, stroke=_LINE, stroke_width=look.border, stroke_dasharray=look.dash)


def _arrows(along: Sequence[Point]) -> Iterator[Element]:
    """Yield an arrow between each two squares of the route, to show its direction."""
    for (x1, y1), (x2, y2) in pairwise(along):
        long = hypot(x2 - x1, y2 - y1)
        if not long or long > 3 * _STEP:
            continue
        ux, uy, x, y = (x2 - x1) / long, (y2 - y1) / long, (x1 + x2) / 2, (y1 + y2) / 2
        tips = (
            (x + 6 * ux, y + 6 * uy),
            (x - 5 * ux - 7 * uy, y - 5 * uy + 7 * ux),
            (x - 5 * ux + 7 * uy, y - 5 * uy - 7 * ux),
        )
        yield polygon(tips, fill=_DARK, stroke="#ffffff")


def legend() -> Legend:
    """Return the legend: the colours of roads, the signs on squares, and the sign of a car."""
    kinds = list[Entry]()
    for colour in COLOURS:
        swatch = (*_half_road(_LOOKS[colour], (0, 7), (30, 7)), _area(colour, 7, 15, 7))
        kinds.append(Entry(colour, swatch, 36, colour[0], colour))
    signs = [
        tuple(
            Entry(
                name, (words(sign, 0, 11, 11, "start", is_bold=True),), 8 + scenes.text_width(sign, 11, is_bold=True), sign
            )
            for sign, name in row.items()
        )
        for row in _SIGNS
    ]
    car = Token("", 8, 7, ink="#555555", is_key=True)
    return Legend((tuple(kinds), *signs, (Entry("car", (car,), 22, SIGNS[Sign.PIECE]),)))


# Text ---------------------------------------------------------------------------------------------------------------------


def map_text(plan: Map, width: int | None = None) -> list[str]:
    """Return ``plan`` as text, with capital letters for squares of the marked route and small letters for others.

    If the names of the squares name columns and rows, as `K12` does, these frame the map.
    """
    columns, rows = [square.x for square in plan.squares] or [1], [square.y for square in plan.squares] or [0]
    left, many = min(columns), max(columns) - min(columns) + 1
    if many > _MOST_COLUMNS:
        return [f"too wide for text, {many} columns: see the picture"]
    route, cars, signs, cells = frozenset(plan.route), dict(plan.cars), dict(plan.marks), dict[tuple[int, int], str]()
    heads, sides, is_framed = dict[int, str](), dict[int, str](), True
    for square in plan.squares:
        letter = square.colour[0].upper() if square.id in route else square.colour[0]
        sign = (signs.get(square.id) or sign_of(square))[:1] or " "
        cells[square.x, square.y] = f"{letter}{sign}{'▲' if square.id in cars else ''}"
        place = _LABEL.fullmatch(square.id)
        is_framed = is_framed and place is not None and heads.setdefault(square.x, place["column"]) == place["column"]
        is_framed = is_framed and place is not None and sides.setdefault(square.y, place["row"]) == place["row"]
    heads, sides = (heads, sides) if is_framed else ({}, {})
    margin = max(map(len, sides.values()), default=-1) + 1

    def part(first: int, last: int) -> list[str]:
        across, ruler = range(left + first, left + last), [""] if heads else []
        ruler = [" " * margin + "".join(heads.get(x, "").ljust(_CELL) for x in across) for _ in ruler]
        lines = [
            sides.get(y, "").rjust(margin - 1).ljust(margin) + "".join(cells.get((x, y), "").ljust(_CELL) for x in across)
            for y in range(min(rows), max(rows) + 1)
        ]
        return [*ruler, *lines, *ruler]

    notes = ["capital letters: the marked route"] if route else []
    return scenes.in_parts(many, many if width is None else (width - margin) // _CELL, part) + notes


# The tables -------------------------------------------------------------------------------------------------------------

Seen = View[Config, State, Crew]
LEGEND: Final = legend()
_CREWS: Final = ("crew", "section", "stands on", "mph", "may drive", "turns", "kit", "kept", "penalty")
_SHEET: Final = ("to", "squares", "target", "taken", "penalty", "faults", "speed on each turn")


def drawn(view: Seen) -> drawing.Drawing:
    """Draw the crews, the time sheets that the viewer may see, the map and the road book."""
    view = on_course(view)
    config, seen = view.config, [crew for crew in view.state.crews if crew.is_seen]
    crews = drawing.Columns("Crews", _CREWS, tuple(_crew_row(config, crew) for crew in view.state.crews))
    sheets = [drawing.Columns(f"Time sheet of {crew.seat}", _SHEET, tuple(_sheet_rows(config, crew))) for crew in seen]
    cars: dict[SquareId, list[Seat]] = {}
    for crew in seen:
        if crew.trail:
            cars.setdefault(crew.trail[-1], []).append(crew.seat)
    # The section of the viewer's crew as long as it drives; for other viewers that of the last crew that they see.
    driving = [crew for crew in seen if not crew.is_done(config)]
    own = [crew for crew in driving if crew.seat == view.seat]
    current = min(own or driving, key=lambda crew: (len(crew.lines), len(crew.trail)), default=None)
    route, book = ([route_table(config)], [_road_book(config)]) if config.sections else ([], [])
    return drawing.Drawing((crews, *sheets, *route, route_map(config, cars, current), LEGEND, *book))


def route_map(config: Config, cars: Mapping[SquareId, Sequence[Seat]], crew: Crew | None = None) -> scenes.Scene:
    """Draw the map with the marked route, the markers, and ``cars`` by their squares; ``crew`` needs its section now."""
    done = len(config.sections) if crew is None else len(crew.lines)
    marks = dict.fromkeys(config.black_spots, BLACK_SPOT)
    marks |= {post.square: post.name for post in reversed(posts_of(config.rally.controls))}
    return map_scene(
        Map(
            config.network,
            config.components.squares,
            f"Map: {config.components.name}",
            tuple(marks.items()),
            cars=tuple((square, tuple(seats)) for square, seats in cars.items()),
            route=tuple(square for section in config.sections for square in section.way),
            sections=tuple((section.end.name, section.way) for section in config.sections),
            current=config.sections[done].end.name if done < len(config.sections) else "",
            here=crew.trail[-1] if crew is not None and crew.trail else "",
        )
    )


def _crew_row(config: Config, crew: Crew) -> tuple[str, ...]:
    done = crew.is_done(config)
    if config.sections:
        where = str(crew.out) if crew.out else "finished" if done else f"to {config.sections[len(crew.lines)].end.name}"
        if not crew.is_seen:
            return (crew.seat, where, "", "", "", "", "chosen" if crew.has_kit() else "", "", "sealed")
    at, kit, held = "".join(crew.trail[-1:]), " ".join(crew.kit), " ".join(crew.held)
    if not config.sections:
        return (crew.seat, "", at, "", "", "", kit, "", clock(crew.penalty))
    if done:
        return (crew.seat, where, at, "", "", "", kit, held, clock(crew.penalty))
    mph = str(crew.speed) if crew.speed else "off the road" if crew.is_off else "stands"  # RR-H4: it is in no one's way
    if crew.lost:
        may = f"misses {crew.lost}"
    else:
        speeds = crew.legal_speeds(config)
        may = f"{speeds[0]}–{speeds[-1]}" if len(speeds) > 1 else str(speeds[0])
    return (crew.seat, where, at, mph, may, str(len(crew.speeds)), kit, held, clock(crew.penalty))


def _sheet_rows(config: Config, crew: Crew) -> Iterator[tuple[str, ...]]:
    """Yield the time sheet of ``crew`` in the form that players keep at a table."""
    before = crew.totals[-1] if crew.totals else 0
    for section, driven in zip(config.sections, crew.lines, strict=False):
        late = total(timed(section.timing, driven.time, section.target))
        faults = driven.penalty - before - late
        before = driven.penalty
        yield (*_section_cells(section), clock(driven.time), _cost(late), _cost(faults), " ".join(map(str, driven.speeds)))
    if len(crew.lines) < len(config.sections) and crew.speeds:
        section = config.sections[len(crew.lines)]
        yield (*_section_cells(section), "…", "", _cost(crew.penalty - before), " ".join(map(str, crew.speeds)))
    yield ("total", "", "", "", clock(crew.penalty), "", "")


def _cost(seconds: int) -> str:
    return clock(seconds) if seconds else "–"


def _section_cells(section: Section) -> tuple[str, str, str]:
    return section.end.name, str(section.distance), clock(section.target)


def route_table(config: Config) -> drawing.Columns:
    """Return the controls of the route with their distances, and the sections with their target times."""
    start = config.sections[0].start
    rows = [(start.name, start.square, "–", "", "start", "")]
    for section in config.sections:
        speed = f" at {section.end.speed} mph" if section.end.speed else ""
        for post, distance in zip(section.posts, section.distances, strict=True):
            own = (f"({distance})", "", "")
            if post is section.end:
                own = (str(distance), f"{section.timing}{speed}", clock(section.target))
            rows.append((post.name, post.square, str(post.side), *own))
    headings = ("control", "square", "from", "squares", "section", "target")
    return drawing.Columns(f"Route: {config.rally.name}", headings, tuple(rows))


def _road_book(config: Config) -> drawing.Columns:
    """Describe the correct route: for every stretch of one road the squares, with their signs."""
    steps = ((*pair, road.name) for road in config.components.roads for pair in pairwise(road.squares))
    names = {step: name for one, other, name in steps for step in ((one, other), (other, one))}
    rows = list[tuple[str, str, str]]()
    for section in config.sections:
        stretch, on, posts = list[str](), "", {post.square: post.name for post in reversed(section.posts)}
        for here, there in pairwise(section.way):
            road, sign = names.get((here, there), ""), posts.get(there) or _sign_told(config, there)
            if road != on and stretch:
                rows.append((section.end.name, on, " ".join(stretch)))
                stretch = []
            on = road
            stretch.append(f"{there}[{sign}]" if sign else there)
        rows.append((section.end.name, on, " ".join(stretch)))
    return drawing.Columns("Road book", ("to", "road", "squares"), tuple(rows))


def _sign_told(config: Config, square: SquareId) -> str:
    """Return the short sign for the feature of ``square``: ``QZ 30``, ``bend 40``, ``> N`` …, empty without one."""
    feature, here = config.feature(square), config.square(square)
    if feature is None:
        return ""
    if feature in ROLLING:
        return f"{'>' * ROLLING[feature]} {here.toward}"
    is_short = feature in (Feature.GIVE_WAY, Feature.QUIET, Feature.HAZARD, Feature.CHEQUERED)
    limit = limit_at(config, here, Rights())
    return " ".join(str(one) for one in (feature.sign if is_short else feature, limit, here.toward) if one is not None)


# The box ------------------------------------------------------------------------------------------------------------------


def boxed(components: Components) -> drawing.Drawing:
    """Draw the component set: the map with its signs and hidden tracks, the kit and hazard cards, the rallies."""
    kit = ((card.id, card.kind, card.name, _effects(card.effects)) for card in components.kit)
    hazards = ((one.id, "kept" if one.is_kept else "at once", one.name, _effects(one.effects)) for one in components.hazards)
    tracks = ((track.id, track.name, "–".join(track.ends)) for track in components.tracks)
    rallies = (
        (rally.id, rally.name, tuple(f"{post.name} {post.square}" for post in posts_of(rally.controls)))
        for rally in components.rallies
    )
    return drawing.box(
        components,
        map_scene(Map(network_of(components), components.squares, "Map")),
        LEGEND,
        drawing.table("Hidden tracks", ("track", "name", "from and to"), tracks, is_counted=True),
        drawing.table("Kit cards", ("card", "kind", "name", "what it does"), kit, is_counted=True),
        drawing.table("Hazard cards", ("card", "when", "name", "what it does"), hazards, is_counted=True),
        drawing.table("Rallies", ("rally", "name", "controls"), rallies, is_counted=True),
    )


def _effects(effects: tuple[Effect, ...]) -> str:
    return "; ".join(map(effect_told, effects))


def choices(view: View[Config, State, Crew]) -> Iterator[tuple[str, str]]:
    """Yield the kit cards that the viewer can pick or has, and the hazard cards it keeps, each with what it does."""
    crew, config = view.own, view.config
    if crew is None or crew.out is not None:
        return
    is_asked = not config.is_table or any(due.kind == "kit" for due in view.due)
    for name in (*(choosable(config, view.state, crew) if is_asked else ()), *crew.kit):
        card = config.kit[name]
        yield name, f"{card.name} ({card.kind}): {_effects(card.effects)}"
    for held in crew.held:
        hazard = config.hazards[held]
        yield held, f"{hazard.name} (for one turn): {_effects(hazard.effects)}"


def effect_told(effect: Effect) -> str:
    """Return what a card does: ``take bends faster by 20 mph on red, 10 mph on yellow``."""
    words, speeds = effect.does.words, {"red": effect.red, "yellow": effect.yellow, "white": effect.white}
    if effect.does is Does.MISS:
        return f"{words} {count(effect.turns, 'turn')}"
    if effect.does not in BY_COLOUR:
        return words
    if len({*speeds.values()}) == 1:
        return f"{words} {effect.red} mph"
    return f"{words} {', '.join(f'{mph} mph on {colour}' for colour, mph in speeds.items() if mph)}"
