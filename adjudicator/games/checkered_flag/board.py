"""The table as shapes, and what conditions may ask of it: the track with its zones and cars, and what lies beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from adjudicator.game import Fact, Seat, Value, View, count, drawing, fact, fact_at, fact_of_own, fact_of_seat
from adjudicator.games.checkered_flag.components import GEAR_NAMES, Components, Config, Spot, Width, Zone
from adjudicator.games.checkered_flag.state import Drive, Racer, State, drive_of

Seen = View[State]
_DANGER: Final = "danger"
_OF_ZONE: Final = ("zone", "positions", "curves")
_LEGEND: Final = drawing.Legend(entries=(("!", _DANGER), ("/", Width.NARROW.value)), signs=((drawing.Sign.PIECE, "car"),))


def draw(config: Config, view: Seen) -> drawing.Drawing:
    """Return the track, the seats, and the danger zones."""
    shapes: list[drawing.Shape] = [_track(config, view.state), _LEGEND, _seats(config, view), _zones(config)]
    drive = drive_of(config, view.state)
    if drive is not None:
        wheels = f"{drive.spun.a} and {drive.spun.b}: {count(drive.spaces, 'space')}"
        shapes.append(drawing.Fields("Spun", ((drive.seat, wheels),)))
    return drawing.Drawing(tuple(shapes))


def _track(config: Config, state: State) -> drawing.Track:
    line = drawing.Space("line", lanes=len(config.seats), badges=_cars(config, state, 0))
    spaces = tuple(_space(config, state, spot) for spot in config.components.track)
    flag = drawing.Space("flag", lanes=len(config.seats), badges=_cars(config, state, None))
    return drawing.Track(f"Track ({count(config.laps, 'lap')} of {config.length} spaces)", (line, *spaces, flag), "/")


def catalogue(components: Components) -> drawing.Drawing:
    """Return what is in the box: the track with its danger zones, and the wheels."""
    spans = [zone.whole for zone in components.zones]
    grounds = ((spot, any(span.first <= spot.number <= span.last for span in spans)) for spot in components.track)
    spaces = [
        drawing.Space(str(spot.number), _DANGER if is_danger else "", lanes=_lanes(spot)) for spot, is_danger in grounds
    ]
    wheels = (("A", components.wheel_a), ("B", components.wheel_b))
    return drawing.box(
        components,
        drawing.Track(f"Track ({count(len(spaces), 'space')})", (drawing.Space("line", lanes=2), *spaces), "/"),
        drawing.Legend(_LEGEND.entries),
        drawing.table("Danger zones", _OF_ZONE, map(_zone_row, components.zones), is_counted=True),
        drawing.Fields("Wheels", tuple((name, " ".join(map(str, faces))) for name, faces in wheels)),
    )


def _space(config: Config, state: State, spot: Spot) -> drawing.Space:
    section, number = config.sections[spot.number], spot.number
    mark = str(section.number or "") if section is not None and len(section.zone.curves) > 1 else ""
    return drawing.Space(str(number), _DANGER if section else "", mark, _lanes(spot), _cars(config, state, number))


def _lanes(spot: Spot) -> int:
    return 2 if spot.width is Width.WIDE else 1


def _cars(config: Config, state: State, position: int | None) -> tuple[drawing.Badge, ...]:
    there = (racer.seat for racer in state.racers if _position(config, racer) == position)
    return drawing.of_seats(there, drawing.Sign.PIECE)


def _position(config: Config, racer: Racer) -> int | None:
    """Return where the car stands, 0 at the starting line, ``None`` beyond the finish."""
    return None if racer.driven > config.distance else config.position_at(racer.driven)


def _seats(config: Config, view: Seen) -> drawing.Columns:
    lap = ("lap",) if config.laps > 1 else ()
    ranked = sorted(view.state.racers, key=lambda racer: -racer.driven)
    rows = (_seat_row(config, view, racer) for racer in ranked)
    return drawing.table("Race", ("seat", "spaces", "position", *lap, "gear", "to move"), rows)


def doing(racer: Racer) -> str:
    """Return what a car is doing, in words: its gear, or the turns that its crash still costs."""
    return f"crashed, {count(racer.lost, 'turn')} to lose" if racer.lost else GEAR_NAMES[racer.gear]


def _seat_row(config: Config, view: Seen, racer: Racer) -> tuple[object, ...]:
    position = _position(config, racer)
    where = "finish" if position is None else position or "line"
    lap = (config.lap_at(racer.driven),) if config.laps > 1 else ()
    return (racer.seat, racer.driven, where, *lap, doing(racer), "yes" if view.is_due(racer.seat) else "")


def _zones(config: Config) -> drawing.Columns:
    checks = Counter(section.zone.name for section in {*config.sections} if section)
    rows = ((*_zone_row(zone), checks[zone.name]) for zone in config.components.zones)
    return drawing.table("Danger zones", (*_OF_ZONE, "checks"), rows)


def _zone_row(zone: Zone) -> tuple[str, ...]:
    whole, *curves = (f"{curve.first}–{curve.last}" for curve in (zone.whole, *zone.curves))
    return zone.name, whole, ", ".join(curves)


def _of_drive(help: str, value: Callable[[Drive], Value]) -> Fact:  # noqa: A002
    """Return a fact of the spin while it is to be decided whether to brake, not known at other times."""
    return fact(help, lambda config, view: None if (drive := drive_of(config, view.state)) is None else value(drive))


def _ahead(_config: Config, view: Seen, seat: Seat) -> int:
    return max(0, view.state.racer(seat).driven - min(racer.driven for racer in view.state.racers))


def _next(config: Config, racer: Racer, is_such: Callable[[int], bool]) -> Value:
    """Return how many spaces ahead the next such position is, not known if there is none before the finish."""
    ahead = range(racer.driven + 1, min(racer.driven + config.length, config.distance) + 1)
    return next((there - racer.driven for there in ahead if is_such(there)), None)


def _spot(of: Callable[[Config, int], str]) -> Callable[[Config, Seen, str], Value]:
    """Return what a position is, of the own car's without an argument."""

    def look(config: Config, view: Seen, argument: str) -> Value:
        own = view.own(view.state.racers)
        number = None if own is None else _position(config, own)
        if argument:
            number = int(argument) if argument.isascii() and argument.isdigit() else None
        return of(config, number) if number is not None and 1 <= number <= config.length else None

    return look


FACTS: Final = {
    "gear": fact_of_own("the gear, 0 for neutral; `gear of SEAT` for another seat", "gear"),
    "position": fact_of_own("the position of the car, 0 at the starting line; `position of SEAT`", _position),
    "lap": fact_of_own("the lap the car is in; `lap of SEAT`", lambda config, racer: config.lap_at(racer.driven)),
    "driven": fact_of_own("spaces since the start, all laps together; `driven of SEAT`", "driven"),
    "left": fact_of_own(
        "spaces to the last position of the race: one more wins; `left of SEAT`",
        lambda config, racer: max(0, config.distance - racer.driven),
    ),
    "gap": fact(
        "spaces between the cars, whoever leads",
        lambda config, view: max(_ahead(config, view, seat) for seat in config.seats),
    ),
    "ahead": fact_of_seat(
        "spaces ahead of the other car, 0 when not ahead; `ahead of SEAT`: how far that seat is ahead", _ahead
    ),
    "danger": fact_of_own(
        "spaces to the next danger position, not known where none comes before the finish; `danger of SEAT`",
        lambda config, racer: _next(config, racer, lambda there: config.section_at(there) is not None),
    ),
    "narrow": fact_of_own(
        "spaces to the next narrow position, not known where none comes before the finish; `narrow of SEAT`",
        lambda config, racer: _next(config, racer, config.is_narrow_at),
    ),
    "ground": fact_at(
        "straight or danger: where the car stands, or `ground at 16`",
        _spot(lambda config, number: "straight" if config.sections[number] is None else _DANGER),
    ),
    "width": fact_at(
        "wide or narrow: where the car stands, or `width at 12`",
        _spot(lambda config, number: config.components.track[number - 1].width.value),
    ),
    "lost": fact_of_own("turns a crashed car has still to lose; `lost of SEAT`", "lost"),
    "spin": _of_drive("the spaces that are spun, while braking is to be decided", lambda drive: drive.spaces),
    "braking": _of_drive(
        "the spaces that stopping before the first danger zone would give up, while braking is to be decided",
        lambda drive: drive.before_danger.braked if drive.before_danger else None,
    ),
}
"""What conditions may ask for."""
