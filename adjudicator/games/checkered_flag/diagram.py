"""The table as shapes: the track with its danger zones, narrow stretches and cars, and what lies beside it."""

from __future__ import annotations

from typing import Final

from adjudicator.core.drawing import Badge, Columns, Drawing, Fields, Legend, Shape, Sign, Space, Track
from adjudicator.games.checkered_flag.components import GEAR_NAMES, Ground, Spot, Width, Zone
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.view import RacerView, View

_LEGEND: Final = Legend(
    entries=(("!", Ground.DANGER.value), ("/", Width.NARROW.value)),
    signs=((Sign.PIECE, "car"),),
)
_LANES: Final = {Width.WIDE: 2, Width.NARROW: 1}


def draw(config: Config, seen: View) -> Drawing:
    """Return what ``seen`` shows: the track, the seats, and the danger zones."""
    shapes: list[Shape] = [_track(config, seen), _LEGEND, _seats(config, seen), _zones(config)]
    if seen.spin is not None:
        wheels = f"{seen.spin.wheels.a} and {seen.spin.wheels.b}: {seen.spin.spaces} spaces"
        shapes.append(Fields("Spun", ((str(seen.turn), wheels),)))
    return Drawing(tuple(shapes))


def _track(config: Config, seen: View) -> Track:
    line = Space("line", lanes=len(config.seats), badges=_cars(seen, 0))
    spaces = tuple(_space(config, seen, spot) for spot in config.components.track)
    laps = "1 lap" if config.laps == 1 else f"{config.laps} laps"
    flag = Space("flag", lanes=len(config.seats), badges=_cars(seen, None))
    return Track(f"Track ({laps} of {config.length} spaces)", (line, *spaces, flag), "/")


def _space(config: Config, seen: View, spot: Spot) -> Space:
    section = config.sections[spot.number]
    return Space(
        label=str(spot.number),
        ground="" if section is None else Ground.DANGER.value,
        mark=str(section.number) if section is not None and section.of > 1 else "",
        lanes=_LANES[spot.width],
        badges=_cars(seen, spot.number),
    )


def _cars(seen: View, position: int | None) -> tuple[Badge, ...]:
    return tuple(Badge(racer.seat, Sign.PIECE, racer.seat) for racer in seen.racers if racer.position == position)


def _seats(config: Config, seen: View) -> Columns:
    ranked = sorted(seen.racers, key=lambda racer: -racer.driven)
    lap = ("lap",) if config.laps > 1 else ()
    headings = ("seat", "spaces", "position", *lap, "gear", "to move")
    rows = tuple(_seat_row(config, seen, racer) for racer in ranked)
    return Columns("Race", headings, rows)


def _seat_row(config: Config, seen: View, racer: RacerView) -> tuple[str, ...]:
    where = "finish" if racer.position is None else str(racer.position) if racer.position else "line"
    lap = (str(racer.lap),) if config.laps > 1 else ()
    gear = f"crashed, {racer.lost} to lose" if racer.lost else GEAR_NAMES[racer.gear]
    return (racer.seat, str(racer.driven), where, *lap, gear, "yes" if seen.due and seen.turn == racer.seat else "")


def _zones(config: Config) -> Columns:
    rows = tuple((zone.name, _span(zone), *_checks(zone)) for zone in config.components.zones)
    return Columns("Danger zones", ("zone", "positions", "curves", "checks"), rows)


def _span(zone: Zone) -> str:
    return f"{zone.curves[0].first}–{zone.curves[-1].last}"


def _checks(zone: Zone) -> tuple[str, str]:
    curves = ", ".join(f"{curve.first}–{curve.last}" for curve in zone.curves)
    return curves, str(len(zone.curves))
