"""Hold a time sheet as written, what is found on it, the classification of many sheets, and their text (RR-P7, RR-R1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.game import Seat, replace, total
from adjudicator.games.rally_round.components import KitCard, Timing
from adjudicator.games.rally_round.office.outputs import (
    ScoredSection,
    ScoredSheet,
    SheetFinding,
    SheetIncident,
    Verdict,
)
from adjudicator.games.rally_round.timing import FAULT, RULES_OF_TIME, clock, ranked, timed
from adjudicator.games.rally_round.way import FASTEST, FASTEST_NAMED, meant_speed
from adjudicator.reports.diagnostics import order_problem, problem_text
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import table_lines

FALSE: Final[Verdict] = "false"
CARD: Final[Verdict] = "card"
NOTE: Final[Verdict] = "note"
_VERDICTS: Final = {FALSE: "false", CARD: "needs a card", NOTE: "needs a note"}
_LONGEST_LINE: Final = 2000
_RULES_OF_PENALTY: Final = {Timing.ROAD: "RR-P1", Timing.REGULARITY: "RR-P3"}
_SHEETS: Final = ("place", "crew", "penalty", "of which faults", "to look at")
_SECTIONS: Final = ("route to", "squares", "target", "taken", "penalty", "faults", "total")


class Word(NamedTuple):
    """A word, or several, in ``line`` and from ``column`` of a text, both from 1; 0: it is in no text."""

    text: str
    line: int = 0
    column: int = 0


class Written(NamedTuple):
    """A turn as written: its ``speed`` (0: missed), the places of ``via``, ``using`` a hazard card.

    ``squares`` are those that the car came, if the sheet notes them. ``is_round``: the car turned round.
    """

    speed: int
    word: Word
    squares: int | None = None
    via: tuple[Word, ...] = ()
    using: Word | None = None
    is_round: bool = False

    @property
    def gain(self) -> int:
        """The squares that the car came: as noted, else by its speed; none above ``FASTEST`` (RR-F12)."""
        if self.squares is not None:
            return self.squares
        return 0 if self.speed > FASTEST else self.speed // 10


class Row(NamedTuple):
    """A row: the ``turns`` to a ``control``, ``distance`` squares after the last time control, a regularity at ``mph``.

    A PC has no ``timing``. ``entries`` are the distance and the times in seconds as written, with their places.
    """

    control: str
    distance: int
    timing: Timing | None
    mph: int | None = None
    word: Word = Word("")
    entries: Mapping[str, tuple[int, Word]] = {}
    turns: tuple[Written, ...] = ()

    @property
    def number(self) -> int:
        """The number in the name of its control."""
        return number_of(self.control)


def number_of(control: str) -> int:
    """Return the number in the name of ``control``, 0 without one."""
    return int(re.sub(r"\D", "", control) or 0)


class Noted(NamedTuple):
    """A fault of 30 marks as noted, on the way to ``control`` (empty: not known)."""

    words: str
    control: str
    word: Word


@dataclass
class Sheet:
    """A time sheet as written in the ``lines`` of a text, and, once it is scored, its sections and findings.

    ``kit`` are the cards of the crew and ``limits`` its speed at the start and its changes of speed, if they are known.
    ``sums`` are those at its foot in seconds, with their places; ``out`` says why the crew is out, if it is.
    """

    crew: str
    source: str = ""
    lines: Sequence[str] = ()
    kit: tuple[KitCard, ...] = ()
    limits: tuple[int, ...] | None = None
    rows: list[Row] = field(default_factory=list)
    faults: list[Noted] = field(default_factory=list)
    sums: dict[str, tuple[int, Word]] = field(default_factory=dict)
    out: str = ""
    sections: list[ScoredSection] = field(default_factory=list)
    findings: list[SheetFinding] = field(default_factory=list)
    incidents: list[SheetIncident] = field(default_factory=list)

    def noted(self, sections: Sequence[Collection[int]]) -> list[list[Noted]]:
        """Return the faults noted on the way to the controls of each section, by their numbers; the last gets all others."""
        found = [[fault for fault in self.faults if number_of(fault.control) in numbers] for numbers in sections]
        for last in found[-1:]:
            last += [fault for fault in self.faults if not any(fault in own for own in found)]
        return found

    def find(
        self, control: str, verdict: Verdict, message: str, rule: str, word: Word | None, near: Iterable[str] = ()
    ) -> None:
        """Record that the entry ``word`` does not follow from the speeds; see ``SheetFinding``."""
        found = SheetFinding(control=control, verdict=verdict, message=message, rule=rule, suggestions=tuple(near))
        if word is not None and word.line:
            line, text = word.line, self.lines[word.line - 1][:_LONGEST_LINE]
            found = replace(found, line=line, column=word.column, width=len(word.text), text=text)
        self.findings.append(found)

    def find_speed(self, control: str, number: int, turn: Written) -> bool:
        """Record a number that is no speed (RR-M1), and return whether it is none."""
        is_wrong = turn.speed > FASTEST_NAMED or bool(turn.speed % 10)
        if is_wrong:
            words = f"turn {number}: {turn.speed} mph is not a speed"
            self.find(control, FALSE, words, "RR-M1", turn.word, [meant_speed(turn.speed)])
        return is_wrong

    def end_section(self, row: Row, timing: Timing, distance: int, target: int, time: int, faults: int) -> None:
        """Score the section that ends with ``row``, and record each of its times that does not follow from the speeds."""
        penalty, before = total(timed(timing, time, target)), self.sections[-1].total if self.sections else 0
        for name, words, right, rule in (
            ("target", "target", target, RULES_OF_TIME[timing]),
            ("taken", "time taken", time, "RR-P5"),
            ("penalty", "penalty", penalty, _RULES_OF_PENALTY.get(timing, "RR-P2")),
        ):
            written, word = row.entries.get(name, (right, None))
            if written != right:
                said = f"the sheet says {words} {clock(written)}, the entries give {clock(right)}"
                self.find(row.control, FALSE, said, rule, word, [clock(right)])
        self.sections.append(
            ScoredSection(
                control=row.control,
                timing=timing.value,
                distance=distance,
                target=target,
                time=time,
                penalty=penalty,
                fault_penalty=faults * FAULT,
                total=before + penalty + faults * FAULT,
            )
        )

    def scored(self, least: int | None = None, *, is_driven: bool = False) -> ScoredSheet:
        """Return the score, without a place, after recording each sum that does not follow from the sections.

        Without a map the sheet may omit faults: ``least`` are the sure ones in seconds, and each other one counts 30 marks.
        """
        faults, right = sum(one.fault_penalty for one in self.sections), self.sections[-1].total if self.sections else 0
        for name, words in ("other", "other penalties"), ("total", "total"):
            written, word = self.sums.get(name, (None, None))
            given = faults if name == "other" else right
            if written is None or written == given:
                continue
            more = written - given
            is_open = least is not None and (name == "other" or "other" not in self.sums) and faults + more >= least
            is_explained = is_open and not more % FAULT
            why = ": is a fault missing on the sheet?" if is_explained else ""
            said = f"the sheet says {clock(written)}, the entries give {clock(given)}{why}"
            self.find(words, NOTE if is_explained else FALSE, said, "RR-P7", word, [clock(given)])
            right += more if is_explained else 0
        return ScoredSheet(
            source=self.source,
            crew=self.crew,
            place=None,
            out=self.out,
            finished=False,
            sections=tuple(self.sections),
            fault_penalty=faults,
            total=self.sections[-1].total if self.sections else 0,
            findings=tuple(self.findings),
            driven=is_driven,
            incidents=tuple(self.incidents),
        )


def changed(before: int, speed: int) -> tuple[str, str]:
    """Describe the step from the speed ``before`` to ``speed``, with its rule."""
    return (f"from {before} to {speed} mph", "RR-M3") if before else (f"a start at {speed} mph", "RR-M2")


def nearest(speed: int, legal: range) -> list[str]:
    """Return the legal speed that is nearest to an illegal ``speed``, to suggest it."""
    return [str(legal[-1] if speed > legal[-1] else legal[0])]


# The classification -------------------------------------------------------------------------------------------------------

Route = tuple[tuple[str, int, int], ...]
"""The sections of a rally: the control at the end of each, its squares, its target time in seconds."""


def classified(sheets: Sequence[ScoredSheet], known: Route = ()) -> tuple[ScoredSheet, ...]:
    """Return ``sheets`` with their places, the winner first; those that are out or have not finished come last (RR-R1).

    The route is the ``known`` one, or if that is empty the one that most sheets have. The findings also say where a sheet
    differs from it.
    """
    routes = Counter(tuple((one.control, one.distance, one.target) for one in sheet.sections) for sheet in sheets)
    route = known or max(routes, key=lambda one: (routes[one], len(one)), default=())
    verdict, controls = FALSE if 2 * routes[route] > len(sheets) else NOTE, [control for control, _, _ in route]
    running = dict[int, tuple[int, ...]]()
    for at, sheet in enumerate(sheets):
        own = {one.control: one.penalty + one.fault_penalty for one in sheet.sections}
        if controls and own.keys() >= {*controls}:
            running[at] = (*accumulate(own[control] for control in controls[:-1]), sheet.total)
    placed = {Seat(str(at)): totals for at, totals in running.items() if not sheets[at].out}
    places, place = dict[int, int](), 1
    for level in ranked(placed, [squares for _, squares, _ in route]):
        places |= {int(seat): place for seat in level}
        place += len(level)

    def rank(at: int) -> tuple[int, bool, int, int]:
        """Put those without a place last: first those still in the rally, by how far they got."""
        driven = sum(one.control in controls for one in sheets[at].sections)
        return places.get(at, place), bool(sheets[at].out), -driven, sheets[at].total

    found = list[ScoredSheet]()
    for at in sorted(range(len(sheets)), key=rank):
        findings, planned = [*sheets[at].findings], {control: (squares, target) for control, squares, target in route}
        for section in sheets[at].sections:
            squares, target = planned.pop(section.control, (0, 0))
            if not squares:
                words = "the other sheets have no such section"
            elif squares != section.distance:
                words = f"{section.distance} squares, where other sheets have {squares}"
            elif target != section.target:
                words = f"a target of {clock(section.target)}, where other sheets have {clock(target)}"
            else:
                continue
            findings.append(SheetFinding(control=section.control, verdict=verdict, message=words, rule="RR-P7"))
        if planned:
            left = ", ".join(planned)
            findings.append(SheetFinding(control=left, verdict=NOTE, message="not on this sheet", rule="RR-R1"))
        found.append(replace(sheets[at], place=places.get(at), finished=at in running, findings=tuple(findings)))
    return tuple(found)


# Text -------------------------------------------------------------------------------------------------------------------


def sheets_text(sheets: Sequence[ScoredSheet], rally: str = "", *, in_full: bool = False) -> str:
    """Return scored ``sheets`` for people: a single one in full; several as the classification and the findings.

    With ``in_full`` each sheet follows in full after the classification.
    """
    blocks, rows = list[str](), list[tuple[str, ...]]()
    for sheet in sheets:
        false = sum(found.verdict == FALSE for found in sheet.findings)
        others = len(sheet.findings) - false
        parts = ("" if sheet.finished else "not finished", false and f"{false} false", others and f"{others} to explain")
        remark, place = sheet.out or ", ".join(part for part in parts if part), str(sheet.place or "")
        row = (place, sheet.crew or sheet.source, clock(sheet.total), clock(sheet.fault_penalty), remark)
        rows.append(tuple(map(printable, row)))
        is_whole, lines = in_full or len(sheets) == 1, [printable(f"{sheet.crew or sheet.source}: {clock(sheet.total)}")]
        if is_whole:
            sections = [
                (
                    section.control,
                    str(section.distance),
                    *map(clock, (section.target, section.time, section.penalty)),
                    clock(section.fault_penalty) if section.fault_penalty else "",
                    clock(section.total),
                )
                for section in sheet.sections
            ]
            lines += [*table_lines(_SECTIONS, sections), *([f"out: {printable(sheet.out)}"] if sheet.out else ())]
            for control, those in groupby(sheet.incidents, key=lambda one: one.control):
                told = "; ".join(f"turn {one.turn} {printable(one.message)} ({one.rule})" for one in those)
                lines.append(f"  on the way to {printable(control)}: {told}")
        sound = "every entry agrees with the map" if sheet.driven else "every entry follows from the speeds"
        if sheet.findings or is_whole:
            blocks.append("\n".join([*lines, *(_finding_lines(sheet) or [f"  {sound}"])]))
    if len(sheets) > 1:
        title = f"Classification{printable(f': {rally}') if rally else ''}"
        blocks = [title, "\n".join(table_lines(_SHEETS, rows)), *blocks]
    return "\n\n".join(blocks)


def _finding_lines(sheet: ScoredSheet) -> list[str]:
    """Return the findings, the worst first; for sheets driven on a map with the line, a caret and a suggestion."""
    lines = list[str]()
    for found in sorted(sheet.findings, key=lambda one: [*_VERDICTS].index(one.verdict)):
        verdict, words = _VERDICTS[found.verdict], f"{found.control}: {found.message}"
        if sheet.driven:
            problem = Problem(verdict, words, found.rule, near=found.suggestions)
            place = Diagnostic(problem, line=found.line or 0, source=sheet.source)
            placed = order_problem(place.at(found.column or 0, found.width or 1, found.text))
            lines += ["", *problem_text(placed).split("\n")]
        else:
            lines.append(f"  {verdict}: {printable(words)} ({found.rule})")
    return lines
