"""The command `sheet`: time sheets that were kept by hand."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import PROBLEMS, flush, leave, say, say_json, warn
from adjudicator.cli.tables import refuse_targets, write_tables

if TYPE_CHECKING:
    from adjudicator.games.rally_round.components import Components
    from adjudicator.organize.routes import Route
    from adjudicator.organize.time_sheets import SheetsRead
    from adjudicator.outputs.time_sheets import ScoredSheet


class Task(StrEnum):
    """What is to be done with the sheets."""

    SCORE = "score"


def sheet(
    task: Annotated[Task, typer.Argument(metavar="score", help="what to do with them", show_default=False)],
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="time sheets, as text or JSON; `-` is standard input", show_default=False),
    ],
    route: Annotated[
        str | None, typer.Option("--route", metavar="FILE", help="the route as `route` reads it: sheets need no distances")
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--map", metavar="MAP", help="drive the sheets on this map; without --route its first rally"),
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="write the classification as an HTML table; `-`: only that")
    ] = None,
    as_csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="write the classification as CSV; `-`: only that")
    ] = None,
    in_full: Annotated[bool, typer.Option("--full", help="tell every sheet section by section")] = False,
    force: Annotated[bool, typer.Option("--force", help="replace other files with the HTML or CSV")] = False,
    as_json: Json = False,
) -> None:
    """Score time sheets of Rally Round that were kept by hand.

    A sheet is scored from what stands on it, without a map: distances, kinds of
    section, speeds, faults that were noted. Whatever does not follow from the
    speeds is listed. With --map (or --route, on the house map) every sheet is
    driven square by square, as if alone also at a table (other cars stand on no
    sheet), and compared with what comes of that. Of several sheets you get the
    classification, over all and by class. docs/rally-round.md says how a sheet is
    typed.

    Exit code 1: lines that cannot be read, or entries that are false.

    Examples:
      adjudicator sheet score ann.txt
      adjudicator sheet score sheets/*.txt --map house
      adjudicator sheet score ann.txt --map my-map.json --route evening.txt --full
      adjudicator sheet score sheets/*.txt --html result.html --csv result.csv
    """
    del task  # there is only one so far
    with explained(as_json=as_json):
        from adjudicator.cli.new import chosen_components
        from adjudicator.organize.routes import rows_of
        from adjudicator.organize.time_sheets import read_time_sheets, score_sheets
        from adjudicator.reports.time_sheets import classification
        from adjudicator.rulesets import ruleset
        from adjudicator.store.reading import read

        sources = (*files, *filter(None, (route, on)))
        only_one_stdin(*sources)
        refuse_targets(html, as_csv, sources)
        components: Components = chosen_components(ruleset("rally-round"), on)
        laid = _laid(route, components) if route is not None or on is not None else None
        config = None if laid is None else laid.config
        rows = () if config is None else rows_of(config)
        written = read_time_sheets((read(file) for file in files), components, rows)
        found = score_sheets(written.sheets, config)
        write_tables(classification(found, written.rally), html, as_csv, is_forced=force)
        _tell(written, found, as_json=as_json, in_full=in_full, is_silent="-" in (html, as_csv))
        is_false = any(one.verdict == "false" for scored in found for one in scored.findings)
        if written.problems or is_false:
            leave(PROBLEMS)


def _laid(route: str | None, components: Components) -> Route:
    """Return the route in a file, laid on the map; without a file its first rally. Raises ``MisuseError``: not fit."""
    from adjudicator.cli.output import MisuseError
    from adjudicator.cli.route import asked_route
    from adjudicator.organize.routes import lay, require_sound_map
    from adjudicator.reports.diagnostics import diagnostics_text

    require_sound_map(components)
    asked = asked_route(route, components)
    if asked.rally is None:
        raise MisuseError(f"the route cannot be read:\n{diagnostics_text(asked.problems)}")
    laid = lay(components, asked.rally)
    if laid.flaws:
        raise MisuseError("the route cannot be driven:\n" + "\n".join(f"  {flaw}" for flaw in laid.flaws))
    return laid


def _tell(written: SheetsRead, found: tuple[ScoredSheet, ...], *, as_json: bool, in_full: bool, is_silent: bool) -> None:
    from adjudicator.outputs.time_sheets import ScoredSheets
    from adjudicator.reports.diagnostics import diagnostics_text, order_problem
    from adjudicator.reports.time_sheets import sheets_text

    if as_json:
        if not is_silent:
            problems = tuple(map(order_problem, written.problems))
            say_json(ScoredSheets(rally=written.rally, sheets=found, problems=problems))
        return
    if found and not is_silent:
        say(sheets_text(found, written.rally, in_full=in_full))
    if written.problems:
        flush()
        warn(diagnostics_text(written.problems))
