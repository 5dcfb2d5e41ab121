"""The command `route`: lay and check a route on a map before a game begins with it."""

from __future__ import annotations

import json

from adjudicator.cli.look import write_drawing
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, option
from adjudicator.core.values import json_value, replace
from adjudicator.files.reading import read
from adjudicator.games.rally_round.board import LEGEND, route_map
from adjudicator.games.rally_round.components import Components, Rally
from adjudicator.games.rally_round.office import routes
from adjudicator.games.rally_round.office.route_report import route_text
from adjudicator.library.rulesets import chosen_components
from adjudicator.reports.data.diagnostics import order_problem, problems_text
from adjudicator.reports.text.sanitize import printable
from adjudicator.rulesets import ruleset
from adjudicator.scenes.drawing import Drawing


def route(
    ui: Ui,
    file: str | None = argument(None, "[FILE]", "the controls, as text or JSON; without it, the map's first rally"),
    on: str | None = option(None, "--map", "MAP", "the name of a component set, or a file with your own set"),
    compare: str | None = option(None, "--compare", "FILE", "a file with the squares of an old route, to compare with"),
    svg: str | None = option(None, "--svg", "FILE", "also draw the map with the route; `-` prints only the picture"),
    section: str | None = option(None, "--section", "NAME", "with --svg: only this section, or `all`, for narrow screens"),
    output: str | None = option(None, "-o", "--output", "FILE", "write the position file for `new --setup`"),
    force: bool = option(False, "--force", "with -o or --svg: replace existing files"),
) -> None:
    """Lay a route for Rally Round on a map, and check it.

    You get the shortest correct way to every control, the target times, every
    ambiguity with the Black Spots that remove it, warnings, and the road book as
    text. docs/rally-round.md explains how to type a route.

    Exit code 1: the route cannot be driven, or differs from the old one.

    Examples:
      adjudicator rally-round route evening.txt
      adjudicator rally-round route evening.txt --map my-map.json --svg evening.svg
      adjudicator rally-round route evening.txt --svg for-phones.svg --section all
      adjudicator rally-round route evening.txt -o evening.json
    """
    ui.guard((file, on, compare), {"-o": output, "--svg": svg}, force)
    if section is not None and svg is None:
        raise MisuseError("use --section only with --svg: it selects the part of the map to draw")
    components: Components = chosen_components(ruleset("rally-round"), on)
    routes.require_sound_map(components)
    rally, wrong = asked_rally(file, components)
    old, wrong_old = ({}, []) if compare is None else routes.read_old_route(*read(compare), components)
    problems = tuple(map(order_problem, (*wrong, *wrong_old)))
    found = routes.nothing_laid(components, rally.name if rally else "")
    found = replace(found, problems=problems)
    if rally is not None and not problems:
        laid = routes.lay(components, rally)
        found = routes.told(laid, old)
        if svg is not None:
            _draw(ui, laid, svg, section)
        if output is not None and not (found.flaws or found.ambiguous):
            ui.write(output, (json.dumps({"rally": json_value(rally)}, indent=1, ensure_ascii=False) + "\n").encode())
    if problems and not ui.as_json:
        ui.warn(problems_text(problems))
    elif problems or "-" not in (svg, output):
        ui.show(found, lambda: route_text(found))
    if problems or found.flaws or found.ambiguous or any(one.step for one in found.old_route):
        ui.code = PROBLEMS


def asked_rally(file: str | None, components: Components) -> tuple[Rally | None, routes.Wrong]:
    """Return the rally in ``file``, or without a file the first rally of the map. Raises as reading does."""
    if file is not None:
        return routes.read_route(*read(file), components)
    if not components.rallies:
        raise MisuseError(f"name a file with a rally: the map {components.id} is correct, but has none")
    return components.rallies[0], []


def _draw(ui: Ui, laid: routes.Route, target: str, section: str | None) -> None:

    shapes, section = ((), None) if laid.config is None else ((route_map(laid.config, {}), LEGEND), section)
    if not write_drawing(ui, Drawing(shapes), printable(laid.rally.name), target, section):
        ui.warn("adjudicator: no picture was drawn, because some controls cannot be reached")
