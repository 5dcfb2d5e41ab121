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
    from adjudicator.games.rally_round.sheet import Row
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
        str | None, typer.Option("--map", metavar="MAP", help="the map that it lies on; alone: the first rally of the map")
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
    speeds is listed. Of several sheets you get the classification, over all and by
    class. docs/rally-round.md says how a sheet is typed.

    Exit code 1: lines that cannot be read, or entries that are false.

    Examples:
      adjudicator sheet score ann.txt
      adjudicator sheet score ann.txt --route evening.txt
      adjudicator sheet score sheets/*.txt --html result.html --csv result.csv
    """
    del task  # there is only one so far
    with explained(as_json=as_json):
        from adjudicator.organize.time_sheets import read_time_sheets, score_sheets
        from adjudicator.reports.time_sheets import classification
        from adjudicator.store.reading import read

        sources = (*files, *filter(None, (route, on)))
        only_one_stdin(*sources)
        refuse_targets(html, as_csv, sources)
        rows = _rows(route, on) if route is not None or on is not None else ()
        written = read_time_sheets((read(file) for file in files), rows)
        found = score_sheets(written.sheets)
        write_tables(classification(found, written.rally), html, as_csv, is_forced=force)
        _tell(written, found, as_json=as_json, in_full=in_full, is_silent="-" in (html, as_csv))
        is_false = any(one.verdict == "false" for scored in found for one in scored.findings)
        if written.problems or is_false:
            leave(PROBLEMS)


def _rows(route: str | None, on: str | None) -> tuple[Row, ...]:
    """Return the rows of the route in a file, laid on the map, without speeds. Raises ``MisuseError`` if it is not fit."""
    from adjudicator.cli.new import chosen_components
    from adjudicator.cli.output import MisuseError
    from adjudicator.cli.route import asked_route
    from adjudicator.organize.routes import lay, require_sound_map, sheet_rows
    from adjudicator.reports.diagnostics import diagnostics_text
    from adjudicator.rulesets import ruleset

    components = chosen_components(ruleset("rally-round"), on)
    require_sound_map(components)
    asked = asked_route(route, components)
    if asked.rally is None:
        raise MisuseError(f"the route cannot be read:\n{diagnostics_text(asked.problems)}")
    laid = lay(components, asked.rally)
    if laid.flaws:
        raise MisuseError("the route cannot be driven:\n" + "\n".join(f"  {flaw}" for flaw in laid.flaws))
    return sheet_rows(laid)


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
