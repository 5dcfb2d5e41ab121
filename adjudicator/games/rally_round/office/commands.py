"""The commands of Rally Round: `adjudicator rally-round route` and `adjudicator rally-round sheet`."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import PurePath
from typing import Annotated, Final

import typer

from adjudicator.cli.look import write_drawing
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, command, option
from adjudicator.core.problem import Diagnostic, Problem, SetupError, Violation
from adjudicator.core.values import json_value
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import read
from adjudicator.games.rally_round import roads as maps
from adjudicator.games.rally_round.components import Components, Rally
from adjudicator.games.rally_round.office import outputs, routes
from adjudicator.games.rally_round.office.drive import drive
from adjudicator.games.rally_round.office.sheets import Row, Sheet, classified, score, sheets_text
from adjudicator.games.rally_round.office.texts import RouteReader, SheetReader
from adjudicator.games.rally_round.picture import LEGEND, route_map
from adjudicator.library.rulesets import chosen_components
from adjudicator.reports.receipt import order_problem, problems_text
from adjudicator.reports.texts import printable
from adjudicator.rulesets import ruleset
from adjudicator.scenes.drawing import Drawing
from adjudicator.store.other_files import load_position


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
    ambiguity with the Black Spots that remove it, and warnings.
    docs/rally-round.md explains how to type a route.

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
    components = _sound_map(on)
    rally, wrong = _asked_rally(file, components)
    old = RouteReader("" if compare is None else compare, maps.network_of(components), is_old=True)
    if compare is not None:
        old.name, data = read(compare)
        old.read(data)
    problems = tuple(map(order_problem, (*wrong, *old.wrong)))
    found, config = outputs.LaidRoute(rally=rally.name if rally else "", map=components.name, problems=problems), None
    if rally is not None and not problems:
        found, config = routes.lay(components, rally, old.ways)
        if svg is not None:
            shapes, part = ((), None) if config is None else ((route_map(config, {}), LEGEND), section)
            if not write_drawing(ui, Drawing(shapes), printable(rally.name), svg, part):
                ui.warn("adjudicator: no picture was drawn, because some controls cannot be reached")
        if output is not None and not (found.flaws or found.ambiguous):
            ui.write(output, (json.dumps({"rally": json_value(rally)}, indent=1, ensure_ascii=False) + "\n").encode())
    if problems and not ui.as_json:
        ui.warn(problems_text(problems))
    elif problems or "-" not in (svg, output):
        ui.show(found, lambda: routes.route_text(found, config))
    if problems or found.flaws or found.ambiguous or any(one.step for one in found.old_route):
        ui.code = PROBLEMS


def _sound_map(on: str | None) -> Components:
    """Return the component set ``on`` whose map the command works. Raises ``SetupError`` with all flaws of the map."""
    components: Components = chosen_components(ruleset("rally-round"), on)
    wrong = (*maps.flaws_of(components), *maps.flaws_of_signs(components))
    if wrong:
        raise SetupError(tuple(Problem("rally-round/unfit-set", flaw.message, flaw.rule) for flaw in wrong))
    return components


def _asked_rally(file: str | None, components: Components) -> tuple[Rally | None, list[Diagnostic]]:
    """Return the rally in ``file``, or without a file the first rally of the map, and what cannot be read."""
    if file is None:
        if not components.rallies:
            raise MisuseError(f"name a file with a rally: the map {components.id} is correct, but has none")
        return components.rallies[0], []
    name, data = read(file)
    if data.lstrip()[:1] == b"{":
        rally = load_position(data, ruleset("rally-round"), name).rally
        if rally is None:
            raise Untrusted(name, [Violation("$.rally", "add a rally: this file has none")])
        return rally, []
    reader = RouteReader(name, maps.network_of(components))
    reader.read(data)
    return reader.rally, reader.wrong


class Task(StrEnum):
    """The tasks of the command."""

    SCORE = "score"


def sheet(
    ui: Ui,
    task: Annotated[Task, argument(..., "TASK", "`score`, the only task")],
    files: Annotated[list[str], argument(..., "FILE...", "the time sheets, as text; `-` for standard input")],
    route: str | None = option(None, "--route", "FILE", "a route file as for `route`; the sheets then need no distances"),
    on: str | None = option(None, "--map", "MAP", "drive the sheets on this map, along --route or its first rally"),
    in_full: bool = option(False, "--full", "print every sheet section by section"),
) -> None:
    """Score time sheets of Rally Round that were kept by hand.

    Without a map, the program scores a sheet from its own entries: distances, kinds
    of section, speeds and noted faults. It lists all entries that do not follow
    from the speeds. With --map (or --route, on the house map) it drives every sheet
    square by square and compares each section with the sheet. It drives each car
    alone, even in a table game, because a sheet does not show other cars. For
    several sheets you also get the classification.
    docs/rally-round.md explains how to type a sheet.

    Exit code 1: some lines cannot be read, or some entries are wrong.

    Examples:
      adjudicator rally-round sheet score ann.txt
      adjudicator rally-round sheet score sheets/*.txt --map house
      adjudicator rally-round sheet score ann.txt --map my-map.json --route evening.txt --full
    """
    del task  # the only one so far
    components = _sound_map(on)
    config = None
    if route is not None or on is not None:
        rally, unreadable = _asked_rally(route, components)
        if rally is None:
            raise MisuseError(f"the route cannot be read:\n{problems_text(map(order_problem, unreadable))}")
        laid, config = routes.lay(components, rally, {})
        if laid.flaws or laid.ambiguous:
            raise MisuseError(f"the route cannot be driven:\n{routes.route_text(laid, config)}")
    sections = () if config is None else config.sections
    posts = [pair for section in sections for pair in zip(section.posts, section.distances, strict=True)]
    title, sheets, wrong = "", list[Sheet](), list[Diagnostic]()
    for name, data in map(read, files):
        if data.lstrip()[:1] in (b"{", b"["):
            raise Untrusted(name, [Violation("$", "type the time sheets as text: this is JSON")])
        crew = "" if name == "standard input" else PurePath(name).stem
        reader = SheetReader(name, crew, [Row(post.name, at, post.timing, post.speed) for post, at in posts], components.kit)
        reader.read(data)
        if not (reader.wrong or reader.sheets):
            reader.wrong.append(Diagnostic(Problem("sheet/empty", "there is no time sheet in this text"), source=name))
        title, wrong = title or reader.rally, [*wrong, *reader.wrong]
        sheets += [] if reader.wrong else reader.sheets
    known = tuple((section.end.name, section.distance, section.target) for section in sections)
    found = classified([score(one) if config is None else drive(config, one) for one in sheets], known)
    problems = tuple(map(order_problem, wrong))
    if ui.as_json:
        ui.show(outputs.ScoredSheets(rally=title, sheets=found, problems=problems))
    else:
        if found:
            ui.say(sheets_text(found, title, in_full=in_full))
        if problems:
            ui.warn(problems_text(problems))
    if problems or any(one.verdict == "false" for scored in found for one in scored.findings):
        ui.code = PROBLEMS


COMMANDS: Final = typer.Typer()
COMMANDS.command()(command(route))
COMMANDS.command()(command(sheet))
