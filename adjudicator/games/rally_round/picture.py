"""Show the crews, time sheets, map and road book; and what is in the box: the map, the cards, the marked rallies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from adjudicator.game import Seat, View, count, drawing, total
from adjudicator.games.rally_round.components import BY_COLOUR, ROLLING, Components, Does, Effect, Feature, Rights, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.map import BLACK_SPOT, Map, legend, map_scene
from adjudicator.games.rally_round.orders import choosable
from adjudicator.games.rally_round.roads import network_of
from adjudicator.games.rally_round.route import Section, posts_of
from adjudicator.games.rally_round.state import Crew, State, on_course
from adjudicator.games.rally_round.timing import clock, timed
from adjudicator.games.rally_round.way import limit_at
from adjudicator.scenes import Scene

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


def route_map(config: Config, cars: Mapping[SquareId, Sequence[Seat]], crew: Crew | None = None) -> Scene:
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
