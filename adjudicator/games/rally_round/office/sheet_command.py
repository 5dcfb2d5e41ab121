"""The command `sheet`: score time sheets that were kept by hand."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from adjudicator.cli.look import write_tables
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, option
from adjudicator.files.reading import read
from adjudicator.games.rally_round.components import Components
from adjudicator.games.rally_round.office.outputs import ScoredSheet, ScoredSheets
from adjudicator.games.rally_round.office.route_command import asked_rally
from adjudicator.games.rally_round.office.routes import Route, lay, require_sound_map, rows_of
from adjudicator.games.rally_round.office.sheet_report import classification, sheets_text
from adjudicator.games.rally_round.office.time_sheets import SheetsRead, read_time_sheets, score_sheets
from adjudicator.games.rally_round.route import flaw_text
from adjudicator.library.rulesets import chosen_components
from adjudicator.reports.data.diagnostics import order_problem, problems_text
from adjudicator.rulesets import ruleset


class Task(StrEnum):
    """The tasks of the command."""

    SCORE = "score"


def sheet(
    ui: Ui,
    task: Annotated[Task, argument(..., "TASK", "`score`, the only task")],
    files: Annotated[list[str], argument(..., "FILE...", "the time sheets, as text or JSON; `-` for standard input")],
    route: str | None = option(None, "--route", "FILE", "a route file as for `route`; the sheets then need no distances"),
    on: str | None = option(None, "--map", "MAP", "drive the sheets on this map, along --route or its first rally"),
    html: str | None = option(None, "--html", "FILE", "also write the classification as an HTML table; `-` prints only it"),
    as_csv: str | None = option(None, "--csv", "FILE", "also write the classification as CSV; `-` prints only it"),
    in_full: bool = option(False, "--full", "print every sheet section by section"),
    force: bool = option(False, "--force", "replace files even if they are not such tables"),
) -> None:
    """Score time sheets of Rally Round that were kept by hand.

    Without a map, the program scores a sheet from its own entries: distances, kinds
    of section, speeds and noted faults. It lists all entries that do not follow
    from the speeds. With --map (or --route, on the house map) it drives every sheet
    square by square and compares the result with the sheet. It drives each car
    alone, even in a table game, because a sheet does not show other cars. For
    several sheets you also get the classification, overall and by class.
    docs/rally-round.md explains how to type a sheet.

    Exit code 1: some lines cannot be read, or some entries are wrong.

    Examples:
      adjudicator rally-round sheet score ann.txt
      adjudicator rally-round sheet score sheets/*.txt --map house
      adjudicator rally-round sheet score ann.txt --map my-map.json --route evening.txt --full
      adjudicator rally-round sheet score sheets/*.txt --html result.html --csv result.csv
    """
    del task  # the only one so far

    ui.guard((*files, route, on), {"--html": html, "--csv": as_csv}, force)
    components: Components = chosen_components(ruleset("rally-round"), on)
    laid = _laid(route, components) if route is not None or on is not None else None
    config = None if laid is None else laid.config
    rows = () if config is None else rows_of(config)
    written = read_time_sheets((read(file) for file in files), components.kit, rows)
    found = score_sheets(written.sheets, config)
    write_tables(ui, classification(found, written.rally), html, as_csv)
    _tell(ui, written, found, in_full=in_full, is_silent="-" in (html, as_csv))
    if written.problems or any(one.verdict == "false" for scored in found for one in scored.findings):
        ui.code = PROBLEMS


def _laid(route: str | None, components: Components) -> Route:
    """Return the route in a file, or the map's first rally, laid on the map. Raises ``MisuseError`` for bad routes."""
    require_sound_map(components)
    rally, wrong = asked_rally(route, components)
    if rally is None:
        raise MisuseError(f"the route cannot be read:\n{problems_text(map(order_problem, wrong))}")
    laid = lay(components, rally)
    if laid.flaws:
        raise MisuseError("the route cannot be driven:\n" + "\n".join(f"  {flaw_text(flaw)}" for flaw in laid.flaws))
    return laid


def _tell(ui: Ui, written: SheetsRead, found: tuple[ScoredSheet, ...], *, in_full: bool, is_silent: bool) -> None:

    problems = tuple(map(order_problem, written.problems))
    if ui.as_json:
        ui.show(ScoredSheets(rally=written.rally, sheets=found, problems=problems))
        return
    if found and not is_silent:
        ui.say(sheets_text(found, written.rally, in_full=in_full))
    if problems:
        ui.warn(problems_text(problems))
