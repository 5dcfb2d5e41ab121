"""Read time sheets kept by hand from texts and JSON, score them, and rank them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import PurePath
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.games.rally_round.components import Components, Kind, KitCard, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.office.classified import Placed, Route, classified
from adjudicator.games.rally_round.office.driven import driven
from adjudicator.games.rally_round.office.outputs import (
    ScoredSection,
    ScoredSheet,
    SheetFinding,
    SheetRow,
    SheetStep,
    TimeSheet,
    TimeSheets,
)
from adjudicator.games.rally_round.office.scoring import scored
from adjudicator.games.rally_round.office.sheet import Fault, Finding, Row, Score, Sheet, kit_of, timing_of
from adjudicator.games.rally_round.office.sheet_text import read_sheets
from adjudicator.games.rally_round.office.typed import diagnostics, lines_of
from adjudicator.orders.clean import NotTextError, decode

MOST_SHEETS: Final = 5000
"""The largest number of time sheets in one classification."""
_RULES: Final = {"speed": "RR-M1", "kit": "RR-K1", "control": "RR-C4", "regularity": "RR-T4", "fault": "RR-P4"}
"""The rule for each mistake on a sheet, by its code."""
_LONGEST_LINE: Final = 2000


@frozen
class WrittenSheet:
    """A sheet with its ``source``, and the ``lines`` of the source if that is a text."""

    source: str
    sheet: Sheet
    lines: Sequence[str] = field(default=(), repr=False)


@frozen
class SheetsRead:
    """The contents of several texts: the name of the rally (the first one), the sheets, the unreadable lines."""

    rally: str
    sheets: tuple[WrittenSheet, ...]
    problems: tuple[Diagnostic, ...]


def read_time_sheets(texts: Iterable[tuple[str, bytes]], components: Components, route: Sequence[Row] = ()) -> SheetsRead:
    """Return the time sheets in ``texts``, each with its name: JSON if it begins with a brace, else lines.

    Their kits are of the cards of ``components``. Where the ``route`` is known, texts need none of their own. Raises
    ``Untrusted`` for JSON that holds no time sheets, and for more sheets than ``MOST_SHEETS``.
    """
    rally, sheets, problems = "", list[WrittenSheet](), list[Diagnostic]()
    for name, data in texts:
        is_json = data.lstrip()[:1] == b"{"
        named, found, wrong = (_read_json if is_json else _read_text)(name, data, components.kit, route)
        rally = rally or named
        problems += wrong
        sheets += [] if wrong else found
        if len(sheets) > MOST_SHEETS:
            raise Untrusted(name, [Violation("$", f"there are more than {MOST_SHEETS:,} time sheets")])
    return SheetsRead(rally, tuple(sheets), tuple(problems))


def score_sheets(written: Iterable[WrittenSheet], config: Config | None = None) -> tuple[ScoredSheet, ...]:
    """Return ``written`` with scores, in the order of the classification; driven on the map of ``config``, if any."""
    sources, pairs = tuple(written), list[tuple[Sheet, Score]]()
    for one in sources:
        score = scored(one.sheet) if config is None else driven(config, one.sheet)
        pairs.append((replace(one.sheet, out=one.sheet.out or score.disqualified), score))
    found = tuple(_told(sources[place.index], *pairs[place.index], place) for place in classified(pairs, _route(config)))
    return found if config is None else tuple(replace(one, driven=True) for one in found)


def _route(config: Config | None) -> Route:
    sections = () if config is None else config.sections
    return tuple((section.end.name, section.distance, section.target) for section in sections)


def _read_text(
    name: str, data: bytes, cards: Sequence[KitCard], route: Sequence[Row]
) -> tuple[str, list[WrittenSheet], list[Diagnostic]]:
    try:
        text = decode(data)
    except NotTextError as error:
        return "", [], [Diagnostic(Problem(error.code, str(error)), source=name)]
    found, wrong = read_sheets(text, PurePath(name).stem if name != "standard input" else "", route, cards)
    lines = lines_of(text)
    problems = [*diagnostics("sheet", name, lines, wrong, _RULES)]
    if len(wrong) > MOST_PROBLEMS:
        words = f"and {len(wrong) - MOST_PROBLEMS:,} more lines that cannot be read"
        problems.append(Diagnostic(Problem("sheet/more", words), source=name))
    if not wrong and not found.sheets:
        problems.append(Diagnostic(Problem("sheet/empty", "there is no time sheet in this text"), source=name))
    return found.rally, [WrittenSheet(name, sheet, lines) for sheet in found.sheets], problems


def load_time_sheets(name: str, data: bytes) -> TimeSheets:
    """Return the time sheets in ``data``, the bytes of the JSON file ``name``. Raises ``Untrusted`` with all problems."""
    from adjudicator.files import typed
    from adjudicator.files.reading import parse
    from adjudicator.store import checking
    from adjudicator.store.kinds import name_whole_game

    _, document = parse(name, data)
    wrong = checking.violations_of("time-sheets.json", document)
    if wrong:
        raise Untrusted(name, name_whole_game(document) or wrong, "these are not time sheets")
    document.pop("$schema", None)
    try:
        found: TimeSheets = typed.convert(TimeSheets, document)
    except typed.Misfit as misfit:
        raise Untrusted(name, [misfit.violation], "these are not time sheets") from None
    return found


def _read_json(
    name: str, data: bytes, cards: Sequence[KitCard], _: Sequence[Row]
) -> tuple[str, list[WrittenSheet], list[Diagnostic]]:
    found = load_time_sheets(name, data)
    wrong = [
        Violation(f"$.sheets[{number}].rows[{at}]", words)
        for number, sheet in enumerate(found.sheets)
        for at, words in _wrong_rows(sheet)
    ]
    wrong += [
        Violation(f"$.sheets[{number}].cards", words)
        for number, sheet in enumerate(found.sheets)
        for words in _wrong_cards(sheet, cards)
    ]
    if wrong:
        raise Untrusted(name, wrong, "these are not time sheets")
    return found.rally, [WrittenSheet(name, _sheet(sheet, cards)) for sheet in found.sheets], []


def _wrong_cards(sheet: TimeSheet, cards: Sequence[KitCard]) -> Iterator[str]:
    """Yield the problems of the kit of ``sheet``, which must have one card of each kind (RR-K1)."""
    known = {str(card.id): card for card in cards}
    yield from (f"the kit card {card} does not exist" for card in sheet.cards if card not in known)
    kinds = [known[card].kind for card in sheet.cards if card in known]
    if sheet.cards and sorted(kinds) != sorted(Kind):
        yield "a kit has one card of each of the six kinds"


def _wrong_rows(sheet: TimeSheet) -> Iterator[tuple[int, str]]:
    """Yield the index of each impossible row, and the reason."""
    seen = set[str]()
    for at, row in enumerate(sheet.rows):
        control = row.control.upper()
        timing = row.timing or timing_of(control)
        if control in seen:
            yield at, f"{control} is twice on this sheet"
        seen.add(control)
        if timing is None and not control.startswith("PC"):
            yield at, "a control is called TC2, STC2, RTC2, SSF2 or PC2, or its timing is told"
        if (timing == Timing.REGULARITY) is (row.speed is None):
            yield at, "a regularity section has a speed from 20 to 30, and no other has one"
        if any(step.turn > len(row.speeds) for step in row.steps):
            yield at, "a step is noted for a turn that the row does not have"
        if at == len(sheet.rows) - 1 and timing is None and not sheet.out:
            yield at, "no time control ends the last section"


def _steps(row: SheetRow) -> tuple[SheetStep, ...]:
    return tuple(
        replace(step, via=tuple(name.lower() for name in step.via), using=step.using and step.using.upper())
        for step in row.steps
    )


def _sheet(written: TimeSheet, cards: Sequence[KitCard]) -> Sheet:
    """Return the contents of a sheet in JSON."""
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
            steps=_steps(row),
        )
        for row in written.rows
    )
    chosen = tuple(card for card in cards if card.id in written.cards)
    return Sheet(
        rows=rows,
        faults=tuple(Fault(fault.words, fault.control.upper()) for fault in written.faults),
        other=written.other,
        total=written.total,
        crew=written.crew,
        entry_class=written.entry_class,
        kit=kit_of(chosen) if chosen else written.kit,
        cards=tuple(card.id for card in chosen),
        out=written.out,
    )


def _told(written: WrittenSheet, sheet: Sheet, score: Score, placed: Placed) -> ScoredSheet:
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
        source=written.source,
        crew=sheet.crew,
        entry_class=sheet.entry_class,
        place=placed.place,
        class_place=placed.class_place,
        out=sheet.out,
        finished=placed.finished,
        sections=sections,
        fault_penalty=score.faults,
        total=score.total,
        findings=tuple(_finding(found, written.lines) for found in (*score.findings, *placed.findings)),
        incidents=score.incidents,
    )


def _finding(found: Finding, lines: Sequence[str]) -> SheetFinding:
    place = found.place
    is_there = place is not None and place.line <= len(lines)
    return SheetFinding(
        control=found.control,
        verdict=found.verdict.value,
        message=found.words,
        rule=found.rule,
        line=place.line if place and is_there else None,
        column=place.column if place and is_there else None,
        width=place.width if place and is_there else None,
        text=lines[place.line - 1][:_LONGEST_LINE] if place and is_there else "",
        suggestions=found.suggestions,
    )
