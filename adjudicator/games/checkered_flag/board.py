"""Draw the table and define the facts for conditions: the track with its zones and cars, and the things beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from adjudicator.game import Fact, Seat, Value, View, count, drawing, fact, fact_of_own, fact_of_place, fact_of_seat
from adjudicator.games.checkered_flag.cockpit import Cockpit
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, Components, Config, sections_of
from adjudicator.games.checkered_flag.picture import DANGER, legend, track_scene
from adjudicator.games.checkered_flag.state import Drive, Racer, State, drive_of

Seen = View[State]


def draw(config: Config, view: Seen) -> drawing.Drawing:
    """Return the track, the seats, and the danger zones."""
    racers, drive = sorted(view.state.racers, key=lambda racer: -racer.driven), drive_of(config, view.state)
    rows = [_row(config, view, racer) for racer in racers]
    stopped = {racer.seat: racer.lost for racer in racers if racer.lost}
    cockpits = [_cockpit(config, drive, racer, row) for racer, row in zip(racers, rows, strict=True)]
    cars = {racer.seat: _position(config, racer) for racer in racers}
    told = f"{count(config.laps, 'lap')} of {config.length} spaces"
    track = track_scene(told, config.components, cars, stopped, cockpits)
    key, zones = legend(has_cars=True, has_stopped=bool(stopped)), _zones(config.components)
    shapes: list[drawing.Shape] = [track, key, drawing.records("Race", rows), zones]
    if drive is not None:
        wheels = f"{drive.spun.a} and {drive.spun.b}: {count(drive.spaces, 'space')}"
        shapes.append(drawing.Fields("Spun", ((drive.racer.seat, wheels),)))
    return drawing.Drawing(tuple(shapes))


def catalogue(components: Components) -> drawing.Drawing:
    """Return what is in the box: the track with its danger zones, and the wheels."""
    wheels = (("A", components.wheel_a), ("B", components.wheel_b))
    return drawing.box(
        components,
        track_scene(count(len(components.track), "space"), components, {}, {}, has_flag=False),
        legend(has_cars=False),
        _zones(components, is_counted=True),
        drawing.Fields("Wheels", tuple((name, " ".join(map(str, faces))) for name, faces in wheels)),
    )


def _cockpit(config: Config, drive: Drive | None, racer: Racer, row: Mapping[str, object]) -> Cockpit:
    """Return the panel of a seat: the values of its ``row``, its gear, and the wheels while they are spun."""
    rows = tuple((label, str(value)) for label, value in row.items() if label != "seat" and value != "")
    spun = (drive.spun.a, drive.spun.b) if drive is not None and drive.racer == racer else ()
    faces = (("wheel A", config.components.wheel_a), ("wheel B", config.components.wheel_b))
    wheels = tuple((label, tuple(wheel), shown) for (label, wheel), shown in zip(faces, spun, strict=False))
    return Cockpit(racer.seat, rows, GEAR_LETTERS[racer.gear], wheels)


def _position(config: Config, racer: Racer) -> int | None:
    """Return the position of the car, 0 at the starting line, ``None`` beyond the finish."""
    return None if racer.driven > config.distance else config.position_at(racer.driven)


def doing(racer: Racer) -> str:
    """Describe a car by its gear, or by the turns that its crash still costs."""
    return f"crashed, {count(racer.lost, 'turn')} to lose" if racer.lost else GEAR_NAMES[racer.gear]


def _row(config: Config, view: Seen, racer: Racer) -> dict[str, object]:
    position = _position(config, racer)
    return {
        "seat": racer.seat,
        "spaces": racer.driven,
        "position": "finish" if position is None else position or "line",
        **({"lap": config.lap_at(racer.driven)} if config.laps > 1 else {}),
        "gear": doing(racer),
        "to move": "yes" if view.is_due(racer.seat) else "",
    }


def _zones(components: Components, *, is_counted: bool = False) -> drawing.Columns:
    checks = Counter(section.zone.name for section in {*sections_of(components)} if section)
    rows = []
    for zone in components.zones:
        whole, *curves = (f"{curve.first}–{curve.last}" for curve in (zone.whole, *zone.curves))
        rows.append({"zone": zone.name, "positions": whole, "curves": ", ".join(curves), "checks": checks[zone.name]})
    return drawing.records("Danger zones", rows, is_counted=is_counted)


def _of_drive(help: str, value: Callable[[Drive], Value]) -> Fact:  # noqa: A002
    """Return a fact of the spin while the game asks about braking, unknown at other times."""
    return fact(help, lambda config, view: None if (drive := drive_of(config, view.state)) is None else value(drive))


def _ahead(_config: Config, view: Seen, seat: Seat) -> int:
    return view.state.racer(seat).driven - min(racer.driven for racer in view.state.racers)


def _of_next(kind: str, is_such: Callable[[Config, int], object]) -> Fact:
    """Return a fact for the spaces from the car to the next position of a ``kind``."""

    def spaces(config: Config, racer: Racer) -> Value:
        ahead = range(1, min(config.length, config.distance - racer.driven) + 1)
        return next((gone for gone in ahead if is_such(config, racer.driven + gone)), None)

    return fact_of_own(f"spaces to the next {kind} position; unknown if none comes before the finish", spaces)


def _numbered(config: Config, word: str) -> int | None:
    number = int(word) if word.isascii() and word.isdigit() else 0
    return number if 1 <= number <= config.length else None


_at = partial(fact_of_place, find=_numbered, own=lambda config, racer: _position(config, racer) or None)
FACTS: Final = {
    "gear": fact_of_own("the gear, 0 for neutral; `gear of SEAT` for another seat", "gear"),
    "position": fact_of_own("the position of the car, 0 at the starting line", _position),
    "lap": fact_of_own("the lap the car is in", lambda config, racer: config.lap_at(racer.driven)),
    "driven": fact_of_own("spaces since the start, all laps together", "driven"),
    "left": fact_of_own(
        "spaces to the last position of the race: one more wins",
        lambda config, racer: max(0, config.distance - racer.driven),
    ),
    "gap": fact(
        "spaces between the cars, whoever leads",
        lambda config, view: max(_ahead(config, view, seat) for seat in config.seats),
    ),
    "ahead": fact_of_seat(
        "spaces ahead of the other car, 0 when not ahead; `ahead of SEAT`: how far that seat is ahead", _ahead
    ),
    "danger": _of_next("danger", Config.section_at),
    "narrow": _of_next("narrow", Config.is_narrow_at),
    "ground": _at(
        "straight or danger: at the car's position, or `ground at 16`",
        lambda config, number: DANGER if config.sections[number] else "straight",
    ),
    "width": _at(
        "wide or narrow: at the car's position, or `width at 12`",
        lambda config, number: config.components.track[number - 1].width.value,
    ),
    "lost": fact_of_own("turns a crashed car has still to lose", "lost"),
    "spin": _of_drive("the spaces spun, while the game asks about braking", lambda drive: drive.spaces),
    "braking": _of_drive(
        "the spaces that stopping before the first danger zone would give up, while the game asks about braking",
        lambda drive: drive.before_danger.braked if drive.before_danger else None,
    ),
}
"""The facts that conditions can use."""
