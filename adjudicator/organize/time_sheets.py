"""Time sheets kept by hand: read from texts and JSON, scored, and put in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.games.rally_round.classified import Placed, classified
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.sheet import Fault, Finding, Kit, Row, Score, Sheet, scored, timing_of
from adjudicator.games.rally_round.sheet_text import read_sheets
from adjudicator.games.rally_round.typed import Misread
from adjudicator.orders.clean import NotTextError, decode
from adjudicator.outputs.time_sheets import ScoredSection, ScoredSheet, SheetFinding, TimeSheet
from adjudicator.store.errors import Untrusted, Violation

MOST_SHEETS: Final = 5000
"""Time sheets that are put in order at once."""


@frozen
class WrittenSheet:
    """A sheet as it was read, and the ``source`` it was read from."""

    source: str
    sheet: Sheet


@frozen
class SheetsRead:
    """What several texts hold: the name of the rally (the first that is told), the sheets, what cannot be read."""

    rally: str
    sheets: tuple[WrittenSheet, ...]
    problems: tuple[Diagnostic, ...]


def read_time_sheets(texts: Iterable[tuple[str, bytes]], route: Sequence[Row] = ()) -> SheetsRead:
    """Return the time sheets in ``texts``, each with its name: JSON if it begins with a brace, else lines.

    Where the ``route`` is known, texts need none of their own. Raises ``Untrusted`` for JSON that holds no time sheets,
    and for more sheets than ``MOST_SHEETS``.
    """
    rally, sheets, problems = "", list[WrittenSheet](), list[Diagnostic]()
    for name, data in texts:
        named, found, wrong = _read_json(name, data) if data.lstrip()[:1] == b"{" else _read_text(name, data, route)
        rally = rally or named
        problems += wrong
        sheets += [] if wrong else [WrittenSheet(name, sheet) for sheet in found]
        if len(sheets) > MOST_SHEETS:
            raise Untrusted(name, [Violation("$", f"more than {MOST_SHEETS:,} time sheets")])
    return SheetsRead(rally, tuple(sheets), tuple(problems))


def score_sheets(written: Iterable[WrittenSheet]) -> tuple[ScoredSheet, ...]:
    """Return ``written`` as they are scored, in the order of the classification."""
    sources = tuple(written)
    pairs = [(one.sheet, scored(one.sheet)) for one in sources]
    return tuple(_told(sources[place.index].source, *pairs[place.index], place) for place in classified(pairs))


def _read_text(name: str, data: bytes, route: Sequence[Row]) -> tuple[str, tuple[Sheet, ...], list[Diagnostic]]:
    try:
        text = decode(data)
    except NotTextError as error:
        return "", (), [Diagnostic(Problem(error.code, str(error)), source=name)]
    found, wrong = read_sheets(text, PurePath(name).stem if name != "standard input" else "", route)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    problems = [_diagnostic(name, lines, one) for one in wrong[:MOST_PROBLEMS]]
    if len(wrong) > MOST_PROBLEMS:
        words = f"and {len(wrong) - MOST_PROBLEMS:,} more lines that cannot be read"
        problems.append(Diagnostic(Problem("sheet/more", words), source=name))
    if not wrong and not found.sheets:
        problems.append(Diagnostic(Problem("sheet/empty", "there is no time sheet in this text"), source=name))
    return found.rally, found.sheets, problems


def _diagnostic(name: str, lines: list[str], wrong: Misread) -> Diagnostic:
    problem = Problem(f"sheet/{wrong.code}", wrong.why, suggestions=wrong.suggestions)
    return Diagnostic(problem, line=wrong.line, source=name).at(wrong.column, wrong.width, lines[wrong.line - 1])


def _read_json(name: str, data: bytes) -> tuple[str, tuple[Sheet, ...], list[Diagnostic]]:
    from adjudicator.store.time_sheets import load_time_sheets

    found = load_time_sheets(name, data)
    wrong = [
        Violation(f"$.sheets[{number}].rows[{at}]", words)
        for number, sheet in enumerate(found.sheets)
        for at, words in _wrong_rows(sheet)
    ]
    if wrong:
        raise Untrusted(name, wrong, "these are no time sheets")
    return found.rally, tuple(map(_sheet, found.sheets)), []


def _wrong_rows(sheet: TimeSheet) -> Iterator[tuple[int, str]]:
    """Yield each row that says what no sheet can: its index, and why."""
    seen = set[str]()
    for at, row in enumerate(sheet.rows):
        control = row.control.upper()
        timing = row.timing or timing_of(control)
        if control in seen:
            yield at, f"{control} stands twice on this sheet"
        seen.add(control)
        if timing is None and not control.startswith("PC"):
            yield at, "a control is called TC2, STC2, RTC2, SSF2 or PC2, or its timing is told"
        if (timing == Timing.REGULARITY) is (row.speed is None):
            yield at, "a regularity section has a speed from 20 to 30, and no other has one"
        if at == len(sheet.rows) - 1 and timing is None and not sheet.out:
            yield at, "no time control ends the last section"


def _sheet(written: TimeSheet) -> Sheet:
    """Return what stands on a sheet that was handed in as JSON."""
    rows = tuple(
        Row(
            control=row.control.upper(),
            distance=row.distance,
            speeds=row.speeds,
            timing=Timing(row.timing) if row.timing else timing_of(row.control),
            speed=row.speed,
            target=row.target,
            taken=row.taken,
            penalty=row.penalty,
        )
        for row in written.rows
    )
    known = written.kit
    kit = None if known is None else Kit(start=known.start, faster=known.faster, slower=known.slower)
    return Sheet(
        rows=rows,
        faults=tuple(Fault(fault.words, fault.control.upper()) for fault in written.faults),
        other=written.other,
        total=written.total,
        crew=written.crew,
        entry_class=written.entry_class,
        kit=kit,
        out=written.out,
    )


def _told(source: str, sheet: Sheet, score: Score, placed: Placed) -> ScoredSheet:
    sections = tuple(
        ScoredSection(
            control=section.control,
            timing=section.timing.value,
            distance=section.distance,
            target=section.target,
            time=section.time,
            penalty=section.penalty,
            fault_penalty=section.faults,
            total=total,
        )
        for section, total in zip(score.sections, score.running, strict=True)
    )
    return ScoredSheet(
        source=source,
        crew=sheet.crew,
        entry_class=sheet.entry_class,
        place=placed.place,
        class_place=placed.class_place,
        out=sheet.out,
        finished=placed.finished,
        sections=sections,
        fault_penalty=score.faults,
        total=score.total,
        findings=tuple(map(_finding, (*score.findings, *placed.findings))),
    )


def _finding(found: Finding) -> SheetFinding:
    return SheetFinding(control=found.control, verdict=found.verdict.value, message=found.words, rule=found.rule)
