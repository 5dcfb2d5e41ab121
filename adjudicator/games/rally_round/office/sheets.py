"""Hold time sheets as written, score them from their own entries, classify and print them (RR-T, RR-P, RR-R1)."""

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
from adjudicator.games.rally_round.route import (
    FAULT,
    MINUTE,
    RULES_OF_TIME,
    clock,
    flying_finish,
    ranked,
    target_time,
    timed,
)
from adjudicator.games.rally_round.way import FASTEST, FASTEST_NAMED, STANDARD, UPHILL, legal_after, meant_speed
from adjudicator.reports.receipt import order_problem, problem_text
from adjudicator.reports.texts import printable, table_lines

FALSE: Final[Verdict] = "false"
CARD: Final[Verdict] = "card"
NOTE: Final[Verdict] = "note"
_VERDICTS: Final = {FALSE: "false", CARD: "needs a card", NOTE: "needs a note"}
_LONGEST_LINE: Final = 2000
_ON_THE_WAY: Final = re.compile("give way|quiet|speed|roll", re.IGNORECASE)
"""Words of faults on the way to a control, which do not say whether the car missed the control."""
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


# The score without a map -------------------------------------------------------------------------------------------------
#
# The map and the kit may be unknown: only an entry that no card and no incident could explain is false (RR-P7); others
# need a card, or a note of an incident (RR-H9).


def score(sheet: Sheet) -> ScoredSheet:
    """Return ``sheet`` with its score and every wrong entry (RR-P7); without a kit all cards are unknown.

    A PC that the speeds drive past is one fault, even if the sheet notes it too.
    """
    sections, rows = list[list[Row]](), list[Row]()
    for row in sheet.rows:
        rows.append(row)
        if row.timing is not None:
            sections.append(rows)
            rows = []
    for rows, faults in zip(sections, sheet.noted([{row.number for row in rows} for rows in sections]), strict=True):
        end, timing = rows[-1], rows[-1].timing or Timing.ROAD
        at_controls = {fault.control for fault in faults if not _ON_THE_WAY.search(fault.words)}
        missed = _check_way(sheet, rows, timing, at_controls)
        others = [fault for fault in faults if fault.control not in missed or _ON_THE_WAY.search(fault.words)]
        target = target_time(timing, end.distance, end.mph)
        time = _time(sheet, rows, timing, target)
        sheet.end_section(end, timing, end.distance, target, time, len(missed) + len(others))
    return sheet.scored(len(sheet.faults) * FAULT)


def _check_way(sheet: Sheet, rows: Sequence[Row], timing: Timing, at_controls: set[str]) -> set[str]:
    """Check each speed (RR-M1 to RR-M3), and whether the speeds lead to each control and not beyond (RR-F1, RR-F2).

    Outside of stages a car stops at PCs. Return the PCs that the car drove past.
    """
    end, missed, turns = rows[-1], set[str](), [turn for row in rows for turn in row.turns]
    before = at_passage = driven = 0
    is_other_way = any(turn.via for turn in turns)
    for row in rows:
        for number, turn in enumerate(row.turns, 1):
            if not sheet.find_speed(row.control, number, turn) and turn.speed:
                _check_speed(sheet, row, number, before, at_passage)
            before, at_passage = 0 if turn.speed > FASTEST else turn.speed, 0
            driven += turn.gain
        if row is end or timing is Timing.STAGE:
            continue
        if driven > row.distance:
            missed.add(row.control)
        else:
            before, at_passage = 0, before
        if driven != row.distance and not is_other_way:
            words = f"the PC is {row.distance} squares on: a short cut?"
            words = words if driven < row.distance else "not stopped at the PC: 30 marks"
            sheet.find(row.control, NOTE, words, "RR-F1", row.turns[-1].word if row.turns else row.word)
    last = end.turns[-1].word if end.turns else end.word
    if not turns:
        sheet.find(end.control, FALSE, "the sheet has no speed", "RR-P7", last)
    elif driven < end.distance and not is_other_way:
        words = f"the speeds cover {driven} of {end.distance} squares: a hidden track, a Black Spot, a gradient?"
        sheet.find(end.control, NOTE, words, "RR-P7", last)
    elif driven - turns[-1].gain >= end.distance:
        # Without a note the car may have rolled back, left the road, or taken another way.
        verdict = FALSE if _is_certain(turns) and not is_other_way else NOTE
        sheet.find(end.control, verdict, "the car reaches the control before the last turn", "RR-P7", last)
    elif timing is Timing.ROAD and driven > end.distance and not is_other_way and end.control not in at_controls:
        sheet.find(end.control, NOTE, f"carried {driven - end.distance} past the control: 30 marks?", "RR-F2", last)
    return missed


def _check_speed(sheet: Sheet, row: Row, number: int, before: int, at_passage: int) -> None:
    """Find a speed that does not follow from the one ``before``; ``at_passage`` is the speed on the way to a PC."""
    turn, (start, faster, slower) = row.turns[number - 1], sheet.limits or (STANDARD,) * 3
    legal, speed = legal_after(before, start, faster, slower), turn.speed
    if legal[0] <= speed <= legal[-1]:
        return
    what, rule = changed(before, speed)
    hill = "; 20 is allowed uphill" if not before and speed == UPHILL else ""
    verdict = FALSE if sheet.limits else CARD
    if turn.using or (at_passage and at_passage - slower <= speed <= at_passage + faster):
        verdict = CARD  # the noted hazard card, or one for passage controls
    elif sheet.limits and (speed == UPHILL or speed in legal_after(0, start, faster, slower)):
        verdict = NOTE  # a place where the car had to stop: a Give Way, a hazard card; from there a hill allows 20
    sheet.find(row.control, verdict, f"turn {number}: {what}{hill}", rule, turn.word, nearest(speed, legal))


def _time(sheet: Sheet, rows: Sequence[Row], timing: Timing, target: int) -> int:
    """Return the time that follows from the speeds in ``rows``, in seconds, or another one that is written and may be right.

    Gradients, ways off the road and short cuts hide how much of the last move led to the control (RR-F3), unless the sheet
    notes squares.
    """
    end, turns = rows[-1], [turn for row in rows for turn in row.turns]
    if timing is Timing.ROAD or not turns:
        return MINUTE * len(turns)
    last, before, move = turns[-1], MINUTE * (len(turns) - 1), turns[-1].speed // 10
    left = end.distance - sum(turn.gain for turn in turns[:-1]) if last.squares is None or not end.turns else last.squares
    follows = before + (flying_finish(left, move) if 0 < left < move else MINUTE)
    taken, penalty = (end.entries.get(name, (None,))[0] for name in ("taken", "penalty"))
    possible = [follows]
    if last.squares is None and not _is_certain(turns):
        possible += [before + flying_finish(squares, move) for squares in range(1, move + 1)]
    for time in possible:
        if time == taken or (taken is None and penalty in (None, total(timed(timing, time, target)))):
            if time != follows:
                words = f"the sheet says {clock(time)}, the speeds give {clock(follows)}"
                word = end.entries["taken" if taken is not None else "penalty"][1]
                words += ": a gradient, off the road, another way?"
                sheet.find(end.control, NOTE, words, "RR-F3", word)
            return time
    return follows


def _is_certain(turns: Sequence[Written]) -> bool:
    """Return whether the distance before the last turn is certain: the sheet notes the squares of all moves."""
    return len(turns) > 1 and all(turn.squares is not None or not 0 < turn.speed <= FASTEST for turn in turns[:-1])


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
            lines += [] if sheet.findings else [f"  {sound}"]
            # The worst first; for sheets driven on a map with the line, a caret and a suggestion.
            for found in sorted(sheet.findings, key=lambda one: [*_VERDICTS].index(one.verdict)):
                verdict, words = _VERDICTS[found.verdict], f"{found.control}: {found.message}"
                if sheet.driven:
                    problem = Problem(verdict, words, found.rule, near=found.suggestions)
                    at = Diagnostic(problem, line=found.line or 0, source=sheet.source)
                    placed = order_problem(at.at(found.column or 0, found.width or 1, found.text))
                    lines += ["", *problem_text(placed).split("\n")]
                else:
                    lines.append(f"  {verdict}: {printable(words)} ({found.rule})")
            blocks.append("\n".join(lines))
    if len(sheets) > 1:
        title = f"Classification{printable(f': {rally}') if rally else ''}"
        blocks = [title, "\n".join(table_lines(_SHEETS, rows)), *blocks]
    return "\n\n".join(blocks)
