"""Show the table: the track with its zones and cars, and the things beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from adjudicator.game import View, count, drawing
from adjudicator.games.checkered_flag.braking import Drive, drive_of
from adjudicator.games.checkered_flag.cockpit import Cockpit, panel_of
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, Components, Config
from adjudicator.games.checkered_flag.facts import doing, position_of
from adjudicator.games.checkered_flag.picture import legend, track_scene
from adjudicator.games.checkered_flag.state import Racer, State
from adjudicator.scenes import panel_scenes

Seen = View[Config, State, Racer]


def draw(view: Seen) -> drawing.Drawing:
    """Return the track, the seats, and the danger zones."""
    racers, drive = sorted(view.state.racers, key=lambda racer: -racer.driven), drive_of(view.config, view.state)
    rows = [_row(view, racer) for racer in racers]
    stopped = {racer.seat: racer.lost for racer in racers if racer.lost}
    cockpits = [_cockpit(view.config, drive, racer, row) for racer, row in zip(racers, rows, strict=True)]
    cars = {racer.seat: position_of(view.config, racer) for racer in racers}
    told = f"{count(view.config.laps, 'lap')} of {view.config.length} spaces"
    track = track_scene(told, view.config.components, cars, stopped, cockpits)
    key, zones = legend(has_cars=True, has_stopped=bool(stopped)), _zones(view.config.components)
    panels = panel_scenes([panel_of(cockpit) for cockpit in cockpits])
    shapes: list[drawing.Shape] = [track, *panels, key, drawing.records("Race", rows), zones]
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


def _row(view: Seen, racer: Racer) -> dict[str, object]:
    position = position_of(view.config, racer)
    return {
        "seat": racer.seat,
        "spaces": racer.driven,
        "position": "finish" if position is None else position or "line",
        **({"lap": view.config.lap_at(racer.driven)} if view.config.laps > 1 else {}),
        "gear": doing(racer),
        "to move": "yes" if view.is_due(racer.seat) else "",
    }


def _zones(components: Components, *, is_counted: bool = False) -> drawing.Columns:
    checks = Counter(section.zone.name for section in {*components.sections} if section)
    rows = []
    for zone in components.zones:
        whole, *curves = (f"{curve.first}–{curve.last}" for curve in (zone.whole, *zone.curves))
        rows.append({"zone": zone.name, "positions": whole, "curves": ", ".join(curves), "checks": checks[zone.name]})
    return drawing.records("Danger zones", rows, is_counted=is_counted)
