"""Write scored time sheets for people: one sheet section by section, or the classification of many with their findings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from adjudicator.games.rally_round.office.outputs import ScoredSheet, SheetFinding
from adjudicator.games.rally_round.timing import clock
from adjudicator.reports.cli.classification import ResultTable, table_text
from adjudicator.reports.data.diagnostics import problem_text
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import table_lines
from adjudicator.results import OrderProblem

_VERDICTS: Final = {"false": "false", "card": "needs a card", "note": "needs a note"}
_SECTION: Final = ("route to", "squares", "target", "taken", "penalty", "faults", "total")


def classification(sheets: Sequence[ScoredSheet], rally: str = "") -> ResultTable:
    """Return the classification of ``sheets``, overall and by class, in their order; ``rally`` is the name of the rally."""
    columns = {
        "place": [str(sheet.place or "") for sheet in sheets],
        "crew": [sheet.crew or sheet.source for sheet in sheets],
        "class": [sheet.entry_class for sheet in sheets],
        "in class": [str(sheet.class_place or "") for sheet in sheets],
        "penalty": [clock(sheet.total) for sheet in sheets],
        "of which faults": [clock(sheet.fault_penalty) for sheet in sheets],
        "to look at": [sheet.out or _remark(sheet) for sheet in sheets],
    }
    if not any(columns["class"]):
        del columns["class"], columns["in class"]
    title = f"Classification: {rally}" if rally else "Classification"
    return ResultTable(title, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def sheets_text(sheets: Sequence[ScoredSheet], rally: str = "", *, in_full: bool = False) -> str:
    """Return scored ``sheets`` for people: a single one in full; several as the classification and the findings.

    With ``in_full`` each sheet follows in full after the classification.
    """
    if len(sheets) == 1:
        return sheet_text(sheets[0])
    blocks = [table_text(classification(sheets, rally))]
    for sheet in sheets:
        if in_full:
            blocks.append(sheet_text(sheet))
        elif sheet.findings:
            blocks.append("\n".join([_title(sheet), *_finding_lines(sheet)]))
    return "\n\n".join(blocks)


def sheet_text(sheet: ScoredSheet) -> str:
    """Return a scored ``sheet`` section by section, then the entries that do not follow from its speeds."""
    rows = [
        (
            section.control,
            str(section.distance),
            *map(clock, (section.target, section.time, section.penalty)),
            clock(section.fault_penalty) if section.fault_penalty else "",
            clock(section.total),
        )
        for section in sheet.sections
    ]
    out = [f"out: {printable(sheet.out)}"] if sheet.out else []
    met = [
        f"  on the way to {printable(control)}: "
        + "; ".join(f"turn {one.turn} {printable(one.message)} ({one.rule})" for one in those)
        for control, those in groupby(sheet.incidents, key=lambda one: one.control)
    ]
    sound = "every entry agrees with the map" if sheet.driven else "every entry follows from the speeds"
    found = _finding_lines(sheet) or [f"  {sound}"]
    return "\n".join([_title(sheet), *table_lines(_SECTION, rows), *out, *met, *found])


def _title(sheet: ScoredSheet) -> str:
    of_class = f", class {printable(sheet.entry_class)}" if sheet.entry_class else ""
    return f"{printable(sheet.crew or sheet.source)}{of_class}: {clock(sheet.total)}"


def _finding_lines(sheet: ScoredSheet) -> list[str]:
    """Return the findings, the worst first; for sheets driven on a map with the line, a caret and a suggestion."""
    found = sorted(sheet.findings, key=lambda one: tuple(_VERDICTS).index(one.verdict))
    if not sheet.driven:
        return [
            f"  {_VERDICTS[one.verdict]}: {printable(one.control)}: {printable(one.message)} ({one.rule})" for one in found
        ]
    return [line for one in found for line in ("", *problem_text(_problem(sheet, one)).split("\n"))]


def _problem(sheet: ScoredSheet, found: SheetFinding) -> OrderProblem:
    return OrderProblem(
        code=_VERDICTS[found.verdict],
        message=f"{found.control}: {found.message}",
        rule=found.rule,
        seat="",
        source=sheet.source,
        line=found.line or 0,
        column=found.column or 0,
        width=found.width or 1,
        suggestions=found.suggestions,
        text=found.text if found.column else "",
    )


def _remark(sheet: ScoredSheet) -> str:
    """Return whether a sheet is complete, and the number of its doubtful entries."""
    false = sum(found.verdict == "false" for found in sheet.findings)
    others = len(sheet.findings) - false
    parts = ("" if sheet.finished else "not finished", false and f"{false} false", others and f"{others} to explain")
    return ", ".join(part for part in parts if part)
