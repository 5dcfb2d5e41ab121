"""Show the crews, time sheets, map and road book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from adjudicator.game import Seat, View, drawing, replace, total
from adjudicator.games.rally_round.components import Components, Feature, Rights, Side, Square, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.facts import is_seen
from adjudicator.games.rally_round.picture import legend, map_scene
from adjudicator.games.rally_round.roadmap import Roadmap, Spot
from adjudicator.games.rally_round.roads import network_of
from adjudicator.games.rally_round.route import Section, posts_of
from adjudicator.games.rally_round.speeds import limit_at, sign_limit, speeds_here
from adjudicator.games.rally_round.state import Crew, State, on_course
from adjudicator.games.rally_round.timing import clock, timed
from adjudicator.scenes import Scene

Seen = View[Config, State, Crew]
_SIGNS: Final = {Feature.GIVE_WAY: "GW", Feature.QUIET: "QZ", Feature.HAZARD: "!", Feature.CHEQUERED: "#"}
_ARROWS: Final = {Feature.GRADIENT: "↑→↓←", Feature.STEEP: "⇑⇒⇓⇐"}
_ON_MAP: Final = {
    Feature.GIVE_WAY: "GW",
    Feature.QUIET: "QZ",
    Feature.BRIDGE: "HB",
    Feature.ROUGH: ":",
    Feature.FORD: "~",
    Feature.HAZARD: "!",
    Feature.CHEQUERED: "#",
}
_SPOT_SIGNS: Final = (
    ("TC", "time control (STC, RTC, SSF: timed to the second)"),
    ("PC", "passage control"),
    ("●", "Black Spot"),
    ("GW", "Give Way"),
    ("QZ", "Quiet Zone"),
    ("HB", "humpbacked bridge"),
    ("40", "bend with its limit"),
    ("~", "ford"),
    (":", "rough"),
    ("!", "hazard"),
    ("#", "chequered"),
    ("→", "gradient, downhill"),
    ("⇒", "double gradient"),
    ("HT1", "hidden track"),
)
LEGEND: Final = legend(_SPOT_SIGNS)
SIGNS_TOLD: Final = drawing.Fields(
    "Signs on the map",
    (
        ("TC STC RTC SSF", "time controls; PC: passage controls"),
        ("GW QZ HB", "Give Way, Quiet Zone, humpbacked bridge"),
        ("40", "a bend with its limit"),
        ("~ : ! #", "ford, rough, hazard, chequered"),
        ("→ ⇒ ●", "gradient and double gradient, downhill; Black Spot"),
    ),
)


def drawn(view: Seen) -> drawing.Drawing:
    """Draw the crews, the time sheets that the viewer may see, the map and the road book."""
    view = on_course(view)
    config = view.config
    shapes: list[drawing.Shape] = [_crews(view)]
    shapes += [_sheet(config, crew) for crew in view.state.crews if is_seen(crew)]
    route, book = ([_route(config)], [_road_book(config)]) if config.sections else ([], [])
    return drawing.Drawing((*shapes, *route, _map(view), LEGEND, SIGNS_TOLD, *book))


def _map(view: Seen) -> Scene:
    """Draw the map with the marked route, the markers, and the cars that the viewer may see."""
    cars: dict[SquareId, list[Seat]] = {}
    for crew in view.state.crews:
        if is_seen(crew) and crew.trail:
            cars.setdefault(crew.trail[-1], []).append(crew.seat)
    return route_map(view.config, cars, _current(view))


def _current(view: Seen) -> Crew | None:
    """Return the viewer's crew as long as it drives; for other viewers the last crew that they see."""
    driving = [crew for crew in view.state.crews if is_seen(crew) and not crew.is_done(view.config)]
    own = [crew for crew in driving if crew.seat == view.seat]
    return min(own or driving, key=lambda crew: (len(crew.lines), len(crew.trail)), default=None)


def route_map(config: Config, cars: Mapping[SquareId, Sequence[Seat]], crew: Crew | None = None) -> Scene:
    """Draw the map with the marked route, the markers, and ``cars`` by their squares; ``crew`` needs its section now."""
    done = len(config.sections) if crew is None else len(crew.lines)
    signs = dict.fromkeys(config.black_spots, "●")
    signs |= {post.square: post.name for post in reversed(posts_of(config.rally.controls))}
    return map_scene(
        replace(
            bare_map(config.components, f"Map: {config.components.name}", signs),
            cars=tuple((square, tuple(seats)) for square, seats in cars.items()),
            route=tuple(square for section in config.sections for square in section.way),
            sections=tuple((section.end.name, section.way) for section in config.sections),
            current=config.sections[done].end.name if done < len(config.sections) else "",
            here=crew.trail[-1] if crew is not None and crew.trail else "",
        )
    )


def bare_map(components: Components, title: str, markers: Mapping[SquareId, str] = MappingProxyType({})) -> Roadmap:
    """Describe the map of ``components`` with the signs of ``markers`` by their squares, which hide features there."""
    links = network_of(components).links
    spots = tuple(
        Spot(
            x=square.x,
            y=square.y,
            label=square.id,
            ground=square.colour,
            sign=markers.get(square.id) or feature_sign(square),
            name=square.place or "",
            is_marker=square.id in markers,
        )
        for square in components.squares
    )
    roads = tuple((here, there) for here, others in links.items() for there in others if here < there)
    return Roadmap(title, spots, roads, tuple((track.ends[0], track.ends[1], track.id) for track in components.tracks))


def feature_sign(square: Square) -> str:
    """Return the sign of the feature of ``square`` on the map, empty without one.

    A gradient without its side has the sign ``?``: only a set with which no game can begin has one.
    """
    if square.feature is None:
        return ""
    if square.feature is Feature.BEND:
        return str(sign_limit(square))
    if square.toward is not None and square.feature in _ARROWS:
        return _ARROWS[square.feature][list(Side).index(square.toward)]
    return _ON_MAP.get(square.feature, "?")


def _crews(view: Seen) -> drawing.Columns:
    headings = ("crew", "section", "stands on", "mph", "may drive", "turns", "kit", "kept", "penalty")
    return drawing.Columns("Crews", headings, tuple(_crew_row(view.config, crew) for crew in view.state.crews))


def _crew_row(config: Config, crew: Crew) -> tuple[str, ...]:
    done = crew.is_done(config)
    if not config.sections:
        at = crew.trail[-1] if crew.trail else ""
        return (crew.seat, "", at, "", "", "", " ".join(crew.kit), "", clock(crew.penalty))
    where = str(crew.out) if crew.out else "finished" if done else f"to {config.sections[len(crew.lines)].end.name}"
    if not is_seen(crew):
        return (crew.seat, where, "", "", "", "", "chosen" if crew.has_kit() else "", "", "sealed")
    at = crew.trail[-1] if crew.trail else ""
    return (
        crew.seat,
        where,
        at,
        _speed_told(crew) if not done else "",
        _legal_told(config, crew) if not done else "",
        str(len(crew.speeds)) if not done else "",
        " ".join(crew.kit),
        " ".join(crew.held),
        clock(crew.penalty),
    )


def _speed_told(crew: Crew) -> str:
    """Describe the speed of ``crew``: a car off the road is in no one's way (RR-H4)."""
    return str(crew.speed) if crew.speed else "off the road" if crew.is_off else "stands"


def _legal_told(config: Config, crew: Crew) -> str:
    """Describe the speeds that are legal next, ``10–30``, or how many turns the crew misses."""
    if crew.lost:
        return f"misses {crew.lost}"
    speeds = speeds_here(config, crew)
    return f"{speeds[0]}–{speeds[-1]}" if len(speeds) > 1 else str(speeds[0])


def _sheet(config: Config, crew: Crew) -> drawing.Columns:
    """Draw the time sheet of ``crew`` in the form that players keep at a table."""
    headings = ("to", "squares", "target", "taken", "penalty", "faults", "speed on each turn")
    return drawing.Columns(f"Time sheet of {crew.seat}", headings, tuple(_sheet_rows(config, crew)))


def _sheet_rows(config: Config, crew: Crew) -> Iterator[tuple[str, ...]]:
    before = crew.totals[-1] if crew.totals else 0
    for section, line in zip(config.sections, crew.lines, strict=False):
        late = total(timed(section.timing, line.time, section.target))
        faults = line.penalty - before - late
        before = line.penalty
        yield (*_section_cells(section), clock(line.time), _cost(late), _cost(faults), " ".join(map(str, line.speeds)))
    if len(crew.lines) < len(config.sections) and crew.speeds:
        section = config.sections[len(crew.lines)]
        yield (*_section_cells(section), "…", "", _cost(crew.penalty - before), " ".join(map(str, crew.speeds)))
    yield ("total", "", "", "", clock(crew.penalty), "", "")


def _cost(seconds: int) -> str:
    return clock(seconds) if seconds else "–"


def _section_cells(section: Section) -> tuple[str, str, str]:
    return section.end.name, str(section.distance), clock(section.target)


def _route(config: Config) -> drawing.Columns:
    rows = []
    for section in config.sections:
        speed = f" at {section.end.speed} mph" if section.end.speed else ""
        for post, distance in zip(section.posts, section.distances, strict=True):
            is_end = post is section.end
            side = str(post.side)
            timing, target = (f"{section.timing}{speed}", clock(section.target)) if is_end else ("", "")
            rows.append((post.name, post.square, side, str(distance) if is_end else f"({distance})", timing, target))
    start = config.sections[0].start
    rows.insert(0, (start.name, start.square, "–", "", "start", ""))
    return drawing.Columns(
        f"Route: {config.rally.name}", ("control", "square", "from", "squares", "section", "target"), tuple(rows)
    )


def _road_book(config: Config) -> drawing.Columns:
    """Describe the correct route: for every stretch of one road the squares, with their signs."""
    rows = [row for section in config.sections for row in _stretches(config, section)]
    return drawing.Columns("Road book", ("to", "road", "squares"), tuple(rows))


def _stretches(config: Config, section: Section) -> Iterator[tuple[str, ...]]:
    names = road_names(config.components)
    stretch: list[str] = []
    on = ""
    for here, there in pairwise(section.way):
        road = names.get((here, there), "")
        if road != on and stretch:
            yield (section.end.name, on, " ".join(stretch))
            stretch = []
        on = road
        stretch.append(_square_told(config, section, there))
    yield (section.end.name, on, " ".join(stretch))


def road_names(components: Components) -> dict[tuple[SquareId, SquareId], str]:
    """Return the name of the road that leads from a square to the next one, for both directions."""
    steps = ((one, other, road.name) for road in components.roads for one, other in pairwise(road.squares))
    return {step: name for one, other, name in steps for step in ((one, other), (other, one))}


def _square_told(config: Config, section: Section, square: SquareId) -> str:
    post = next((post for post in section.posts if post.square == square), None)
    sign = post.name if post else sign_of(config, square)
    return f"{square}[{sign}]" if sign else square


def sign_of(config: Config, square: SquareId) -> str:
    """Return the short sign for the feature of ``square``: ``QZ 30``, ``bend 40``, ``> N`` …, empty without one."""
    feature, here = config.feature(square), config.square(square)
    if feature is None:
        return ""
    limit = limit_at(config, here, Rights())
    if limit is not None:
        return f"{_SIGNS.get(feature, str(feature))} {limit}"
    if feature in (Feature.GRADIENT, Feature.STEEP):
        return f"{'>' if feature is Feature.GRADIENT else '>>'} {here.toward}"
    return f"{_SIGNS.get(feature, str(feature))}{f' {here.toward}' if here.toward else ''}"
