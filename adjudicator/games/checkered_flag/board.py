"""The table as shapes, and what conditions may ask of it: the track with its zones and cars, and what lies beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.game import (
    Badge,
    Columns,
    Drawing,
    Fact,
    Fields,
    Legend,
    Seat,
    Shape,
    Sign,
    Space,
    Track,
    Value,
    View,
    count,
    fact,
    fact_at,
    fact_of_seat,
)
from adjudicator.games.checkered_flag.components import GEAR_NAMES, Config, Spot, Width
from adjudicator.games.checkered_flag.drive import Drive, drive_of
from adjudicator.games.checkered_flag.state import Racer, State

Seen = View[State]
_DANGER: Final = "danger"
_LEGEND: Final = Legend(entries=(("!", _DANGER), ("/", Width.NARROW.value)), signs=((Sign.PIECE, "car"),))
_LANES: Final = {Width.WIDE: 2, Width.NARROW: 1}


def drawn(config: Config, view: Seen) -> Drawing:
    """Return the track, the seats, and the danger zones."""
    shapes: list[Shape] = [_track(config, view), _LEGEND, _seats(config, view), _zones(config)]
    drive = _spun(config, view)
    if drive is not None:
        wheels = f"{drive.spun.a} and {drive.spun.b}: {count(drive.spaces, 'space')}"
        shapes.append(Fields("Spun", ((drive.seat, wheels),)))
    return Drawing(tuple(shapes))


def _track(config: Config, view: Seen) -> Track:
    line = Space("line", lanes=len(config.seats), badges=_cars(config, view, 0))
    spaces = tuple(_space(config, view, spot) for spot in config.components.track)
    flag = Space("flag", lanes=len(config.seats), badges=_cars(config, view, None))
    return Track(f"Track ({count(config.laps, 'lap')} of {config.length} spaces)", (line, *spaces, flag), "/")


def _space(config: Config, view: Seen, spot: Spot) -> Space:
    section = config.sections[spot.number]
    return Space(
        label=str(spot.number),
        ground="" if section is None else _DANGER,
        mark=str(section.number) if section is not None and section.of > 1 else "",
        lanes=_LANES[spot.width],
        badges=_cars(config, view, spot.number),
    )


def _cars(config: Config, view: Seen, position: int | None) -> tuple[Badge, ...]:
    there = (racer for racer in view.state.racers if _position(config, racer) == position)
    return tuple(Badge(racer.seat, Sign.PIECE, racer.seat) for racer in there)


def _position(config: Config, racer: Racer) -> int | None:
    """Return where the car stands, 0 at the starting line, ``None`` beyond the finish."""
    return None if racer.driven > config.distance else config.position_at(racer.driven)


def _lap(config: Config, racer: Racer) -> int:
    return min(config.lap_at(racer.driven), config.laps)


def _seats(config: Config, view: Seen) -> Columns:
    lap = ("lap",) if config.laps > 1 else ()
    ranked = sorted(view.state.racers, key=lambda racer: -racer.driven)
    rows = tuple(_seat_row(config, view, racer) for racer in ranked)
    return Columns("Race", ("seat", "spaces", "position", *lap, "gear", "to move"), rows)


def _seat_row(config: Config, view: Seen, racer: Racer) -> tuple[str, ...]:
    position = _position(config, racer)
    where = "finish" if position is None else str(position) if position else "line"
    lap = (str(_lap(config, racer)),) if config.laps > 1 else ()
    gear = f"crashed, {racer.lost} to lose" if racer.lost else GEAR_NAMES[racer.gear]
    return (racer.seat, str(racer.driven), where, *lap, gear, "yes" if view.is_due(racer.seat) else "")


def _zones(config: Config) -> Columns:
    rows = tuple(
        (
            zone.name,
            f"{zone.curves[0].first}–{zone.curves[-1].last}",
            ", ".join(f"{curve.first}–{curve.last}" for curve in zone.curves),
            str(len(zone.curves)),
        )
        for zone in config.components.zones
    )
    return Columns("Danger zones", ("zone", "positions", "curves", "checks"), rows)


def _spun(config: Config, view: Seen) -> Drive | None:
    state = view.state
    return None if state.turn is None else drive_of(config, state, state.turn)


def _of_seat(help: str, value: Callable[[Config, Racer], Value]) -> Fact:  # noqa: A002
    return fact_of_seat(help, lambda config, view, seat: value(config, view.state.racer(seat)))


def _ahead(_config: Config, view: Seen, seat: Seat) -> Value:
    return max(0, view.state.racer(seat).driven - min(racer.driven for racer in view.state.racers))


def _gap(_config: Config, view: Seen) -> Value:
    first, second = view.state.racers
    return abs(first.driven - second.driven)


def _next(is_such: Callable[[Config, int], bool]) -> Callable[[Config, Racer], Value]:
    """Return how many spaces ahead the next such position is, not known if there is none before the finish."""

    def look(config: Config, racer: Racer) -> Value:
        ahead = range(racer.driven + 1, min(racer.driven + config.length, config.distance) + 1)
        return next((there - racer.driven for there in ahead if is_such(config, there)), None)

    return look


def _spot(of: Callable[[Config, int], str]) -> Callable[[Config, Seen, str], Value]:
    """Return what a position is, of the own car's without an argument."""

    def look(config: Config, view: Seen, argument: str) -> Value:
        own = view.state.racer(view.viewer) if view.viewer in config.seats and view.viewer is not None else None
        number = None if own is None else _position(config, own)
        if argument:
            number = int(argument) if argument.isascii() and argument.isdigit() else None
        return of(config, number) if number is not None and 1 <= number <= config.length else None

    return look


def _braking(config: Config, view: Seen) -> Value:
    drive = _spun(config, view)
    return drive.stops[0].braked if drive is not None and drive.stops else None


def _spin(config: Config, view: Seen) -> Value:
    drive = _spun(config, view)
    return None if drive is None else drive.spaces


FACTS: Final = {
    "gear": _of_seat("the gear, 0 for neutral; `gear of SEAT` for another seat", lambda config, racer: racer.gear),
    "position": _of_seat("the position of the car, 0 at the starting line; `position of SEAT`", _position),
    "lap": _of_seat("the lap the car is in; `lap of SEAT`", _lap),
    "driven": _of_seat("spaces since the start, all laps together; `driven of SEAT`", lambda config, racer: racer.driven),
    "left": _of_seat(
        "spaces to the last position of the race: one more wins; `left of SEAT`",
        lambda config, racer: max(0, config.distance - racer.driven),
    ),
    "gap": fact("spaces between the cars, whoever leads", _gap),
    "ahead": fact_of_seat(
        "spaces ahead of the other car, 0 when not ahead; `ahead of SEAT`: how far that seat is ahead", _ahead
    ),
    "danger": _of_seat(
        "spaces to the next danger position, not known where none comes before the finish; `danger of SEAT`",
        _next(lambda config, there: config.section_at(there) is not None),
    ),
    "narrow": _of_seat("spaces to the next narrow position, likewise; `narrow of SEAT`", _next(Config.is_narrow_at)),
    "ground": fact_at(
        "straight or danger: where the car stands, or `ground at 16`",
        _spot(lambda config, number: "straight" if config.sections[number] is None else _DANGER),
    ),
    "width": fact_at(
        "wide or narrow: where the car stands, or `width at 12`",
        _spot(lambda config, number: config.components.track[number - 1].width.value),
    ),
    "lost": _of_seat("turns a crashed car has still to lose; `lost of SEAT`", lambda config, racer: racer.lost),
    "spin": fact("the spaces that are spun, while braking is to be decided", _spin),
    "braking": fact("what stopping before the first danger zone would give up, while that is to be decided", _braking),
}
"""What conditions may ask for."""
