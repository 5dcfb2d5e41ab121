"""Read time sheets kept by hand from texts and JSON, score them, and rank them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Final

from adjudicator.core.problem import Diagnostic, Problem, Violation
from adjudicator.core.values import Value, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.files.explain import violations
from adjudicator.files.reading import parse
from adjudicator.games.rally_round.components import Kind, KitCard, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.office.classification import classification
from adjudicator.games.rally_round.office.drive_check import driven
from adjudicator.games.rally_round.office.outputs import ScoredSheet, SheetRow, TimeSheet, TimeSheets
from adjudicator.games.rally_round.office.scoring import scored
from adjudicator.games.rally_round.office.sheet import Written, kit_of, timing_of
from adjudicator.games.rally_round.office.sheet_text import SheetReader
from adjudicator.store.game_file import name_whole_game
from adjudicator.store.schema import shipped_schema

MOST_SHEETS: Final = 5000
"""The largest number of time sheets in one classification."""
_NOT_SHEETS: Final = "these are not time sheets"


class SheetsRead(Value):
    """The contents of several texts: the name of the rally (the first one), the sheets, the unreadable lines."""

    rally: str
    sheets: tuple[Written, ...]
    problems: tuple[Diagnostic, ...]


def read_time_sheets(
    texts: Iterable[tuple[str, bytes]], cards: Sequence[KitCard], route: Sequence[SheetRow] = ()
) -> SheetsRead:
    """Return the time sheets in ``texts``, each with its name: JSON if it begins with a brace, else lines.

    Their kits are of those ``cards``. Where the ``route`` is known, texts need none of their own. Raises ``Untrusted`` for
    JSON that holds no time sheets, and for more sheets than ``MOST_SHEETS``.
    """
    rally, sheets, problems = "", list[Written](), list[Diagnostic]()
    for name, data in texts:
        if data.lstrip()[:1] == b"{":
            found = _checked(name, load_time_sheets(name, data), cards)
            rally = rally or found.rally
            sheets += [Written(sheet=_sheet(sheet, cards), source=name) for sheet in found.sheets]
        else:
            reader = SheetReader(name, PurePath(name).stem if name != "standard input" else "", route, cards)
            reader.read(data)
            if not (reader.wrong or reader.sheets):
                reader.wrong.append(Diagnostic(Problem("sheet/empty", "there is no time sheet in this text"), source=name))
            rally = rally or reader.rally
            problems += reader.wrong
            sheets += [] if reader.wrong else reader.sheets
        if len(sheets) > MOST_SHEETS:
            raise Untrusted(name, [Violation("$", f"there are more than {MOST_SHEETS:,} time sheets")])
    return SheetsRead(rally, tuple(sheets), tuple(problems))


def score_sheets(sheets: Iterable[Written], config: Config | None = None) -> tuple[ScoredSheet, ...]:
    """Return ``sheets`` with scores, in the order of the classification; driven on the map of ``config``, if any."""
    if config is None:
        return classification([scored(sheet) for sheet in sheets])
    route = tuple((section.end.name, section.distance, section.target) for section in config.sections)
    return classification([driven(config, sheet) for sheet in sheets], route)


def load_time_sheets(name: str, data: bytes) -> TimeSheets:
    """Return the time sheets in ``data``, the bytes of the JSON file ``name``. Raises ``Untrusted`` with all problems."""
    _, document = parse(name, data)
    wrong = violations(document, shipped_schema, "time-sheets.json")
    if wrong:
        raise Untrusted(name, name_whole_game(document) or wrong, _NOT_SHEETS)
    document.pop("$schema", None)
    try:
        found: TimeSheets = typed.convert(TimeSheets, document)
    except typed.Misfit as misfit:
        raise Untrusted(name, [misfit.violation], _NOT_SHEETS) from None
    return found


def _checked(name: str, found: TimeSheets, cards: Sequence[KitCard]) -> TimeSheets:
    """Return the sheets ``found`` in the file ``name``. Raises ``Untrusted`` for impossible rows, and for wrong kits."""
    numbered = [*enumerate(found.sheets)]
    wrong = [Violation(f"$.sheets[{n}].rows[{at}]", words) for n, sheet in numbered for at, words in _wrong_rows(sheet)]
    wrong += [Violation(f"$.sheets[{n}].cards", words) for n, sheet in numbered for words in _wrong_cards(sheet, cards)]
    if wrong:
        raise Untrusted(name, wrong, _NOT_SHEETS)
    return found


def _wrong_cards(sheet: TimeSheet, cards: Sequence[KitCard]) -> Iterator[str]:
    """Yield the problems of the kit of ``sheet``, which must have one card of each kind (RR-K1)."""
    known = {str(card.id): card for card in cards}
    yield from (f"the kit card {card} does not exist" for card in sheet.cards if card not in known)
    kinds = [known[card].kind for card in sheet.cards if card in known]
    if sheet.cards and sorted(kinds) != sorted(Kind):
        yield "a kit has one card of each of the six kinds"


def _wrong_rows(sheet: TimeSheet) -> Iterator[tuple[int, str]]:
    """Yield the index of each impossible row, and the reason."""
    controls = [row.control.upper() for row in sheet.rows]
    for at, (control, row) in enumerate(zip(controls, sheet.rows, strict=True)):
        timing = timing_of(replace(row, control=control))
        if control in controls[:at]:
            yield at, f"{control} is twice on this sheet"
        if timing is None and not control.startswith("PC"):
            yield at, "a control is called TC2, STC2, RTC2, SSF2 or PC2, or the sheet names its timing"
        if (timing is Timing.REGULARITY) is (row.speed is None):
            yield at, "a regularity section has a speed from 20 to 30, and no other has one"
        if any(step.turn > len(row.speeds) for step in row.steps):
            yield at, "a step is noted for a turn that the row does not have"
        if at == len(sheet.rows) - 1 and timing is None and not sheet.out:
            yield at, "no time control ends the last section"


def _sheet(sheet: TimeSheet, cards: Sequence[KitCard]) -> TimeSheet:
    """Return a ``sheet`` in JSON with all names as in a text, and with the limits of its cards."""
    chosen = tuple(card for card in cards if card.id in sheet.cards)
    return replace(
        sheet,
        rows=tuple(map(_row, sheet.rows)),
        faults=tuple(replace(fault, control=fault.control.upper()) for fault in sheet.faults),
        kit=kit_of(chosen) if chosen else sheet.kit,
        cards=tuple(card.id for card in chosen),
    )


def _row(row: SheetRow) -> SheetRow:
    steps = (
        replace(step, via=tuple(name.lower() for name in step.via), using=step.using and step.using.upper())
        for step in row.steps
    )
    return replace(row, control=row.control.upper(), steps=tuple(steps))
