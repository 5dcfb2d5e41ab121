"""A time sheet scored and audited without a map (RR-T, RR-P): distances, sections and speeds are enough.

What a sheet leaves open (the map, the kit) is told as such: an entry that no card and no incident could explain is false
(RR-P7), others need a card, or a note of what happened on the way (RR-H9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from adjudicator.game import frozen, total
from adjudicator.games.rally_round.components import PREFIXES, Timing
from adjudicator.games.rally_round.moving import FASTEST, STANDARD, UPHILL
from adjudicator.games.rally_round.timing import FAULT, MINUTE, clock, flying_finish, target_time, timed

BIGGEST: Final = 200
"""No card makes a faster car."""


@frozen(kw_only=True)
class Row:
    """A row of a sheet: the speeds to a ``control``, so many squares on: a PC from the one before, a TC from the last TC.

    ``speed`` is that of a regularity. ``target``, ``taken`` and ``penalty`` are what was written, in seconds.
    """

    control: str
    distance: int
    speeds: tuple[int, ...]
    timing: Timing | None = None
    speed: int | None = None
    target: int | None = None
    taken: int | None = None
    penalty: int | None = None


@frozen(kw_only=True)
class Sheet:
    """A time sheet: its rows, the faults of 30 marks that were noted, and what was written as their sum and as the total."""

    rows: tuple[Row, ...]
    faults: tuple[str, ...] = ()
    other: int | None = None
    total: int | None = None


@frozen(kw_only=True)
class Kit:
    """What a crew may do beyond the standard, on any road: start so fast, change the speed by so much (mph)."""

    start: int = STANDARD
    faster: int = STANDARD
    slower: int = STANDARD


class Verdict(StrEnum):
    """How bad a finding is: ``false`` nothing could explain; ``card`` and ``note`` need a card, or a note of an incident."""

    FALSE = "false"
    CARD = "card"
    NOTE = "note"


@frozen
class Finding:
    """Something on a sheet that does not follow from its speeds: in the row of ``control``, by ``rule``, in words."""

    control: str
    verdict: Verdict
    words: str
    rule: str


@frozen
class Scored:
    """A section as it is scored: its time and target in seconds, and the penalty for the time alone."""

    control: str
    timing: Timing
    distance: int
    target: int
    time: int
    penalty: int


@frozen
class Score:
    """A sheet as it is scored: its sections, the penalty for faults, and what was found."""

    sections: tuple[Scored, ...]
    faults: int
    findings: tuple[Finding, ...]

    @property
    def total(self) -> int:
        """The penalty of the whole rally in seconds."""
        return self.faults + sum(section.penalty for section in self.sections)


def timing_of(control: str) -> Timing | None:
    """Return how a section to ``control`` is timed by its name, ``None`` to a PC."""
    letters = control.rstrip("0123456789").upper()
    return next((timing for timing, prefix in PREFIXES.items() if prefix == letters), None)


def scored(sheet: Sheet, kit: Kit | None = None) -> Score:
    """Return the score of ``sheet`` and every entry that does not follow (RR-P7); without ``kit`` no card is known."""
    sections, findings, faults = list[Scored](), list[Finding](), len(sheet.faults)
    for rows in _sections(sheet.rows):
        found, missed = _score(rows)
        faults += missed
        sections.append(found)
        findings += [*_findings_of_speeds(rows, kit), *_findings_of_squares(rows), *_findings_of_times(rows[-1], found)]
    score = Score(tuple(sections), faults * FAULT, ())
    return Score(score.sections, score.faults, (*findings, *_findings_of_totals(sheet, score)))


def _sections(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each section: its PCs and the time control at its end."""
    section: list[Row] = []
    for row in rows:
        section.append(row)
        if _timing(row) is not None:
            yield section
            section = []


def _timing(row: Row) -> Timing | None:
    return row.timing or timing_of(row.control)


def _score(rows: Sequence[Row]) -> tuple[Scored, int]:
    """Return the section of ``rows`` as it is scored, and how many of its PCs were driven past (RR-F1)."""
    end = rows[-1]
    timing = _timing(end) or Timing.ROAD
    speeds = [speed for row in rows for speed in row.speeds]
    target = target_time(timing, end.distance, end.speed)
    time = MINUTE * len(speeds)
    if timing is not Timing.ROAD and speeds:
        left, move = end.distance - _squares(speeds[:-1]), speeds[-1] // 10
        if 0 < left < move:
            time += flying_finish(left, move) - MINUTE
    missed = sum(timing is not Timing.STAGE and _squares(row.speeds) > row.distance for row in rows[:-1])
    penalty = total(timed(timing, time, target))
    return Scored(end.control, timing, end.distance, target, time, penalty), missed


def _squares(speeds: Sequence[int]) -> int:
    return sum(speeds) // 10


def _findings_of_speeds(rows: Sequence[Row], kit: Kit | None) -> Iterator[Finding]:
    """RR-M1 to RR-M3: each speed follows from the one before; at a PC, except in a stage, the car has stopped."""
    before, known = 0, kit or Kit()
    is_stage = _timing(rows[-1]) is Timing.STAGE
    for number, row in enumerate(rows):
        if number and not is_stage:
            before = 0 if _squares(rows[number - 1].speeds) <= rows[number - 1].distance else before
        for turn, speed in enumerate(row.speeds, 1):
            where = f"turn {turn}: "
            if speed % 10 or not 0 <= speed <= BIGGEST:
                yield Finding(row.control, Verdict.FALSE, f"{where}{speed} mph is no speed", "RR-M1")
            elif speed:
                yield from _finding_of_change(row, where, before, speed, known, is_known=kit is not None)
            before = 0 if speed > FASTEST else speed


def _finding_of_change(row: Row, where: str, before: int, speed: int, kit: Kit, *, is_known: bool) -> Iterator[Finding]:
    if not before and speed > max(kit.start, STANDARD):
        hill = "; 20 is allowed uphill" if speed == UPHILL else ""
        verdict = Verdict.NOTE if hill and is_known else Verdict.FALSE if is_known else Verdict.CARD
        yield Finding(row.control, verdict, f"{where}a start at {speed} mph{hill}", "RR-M2")
    elif before and not before - kit.slower <= speed <= before + kit.faster:
        verdict = Verdict.FALSE if is_known else Verdict.CARD
        yield Finding(row.control, verdict, f"{where}from {before} to {speed} mph", "RR-M3")


def _findings_of_squares(rows: Sequence[Row]) -> Iterator[Finding]:
    """RR-F1, RR-F2: the speeds bring the car to each control, and not beyond."""
    end, speeds = rows[-1], [speed for row in rows for speed in row.speeds]
    timing, driven = _timing(end), _squares(speeds)
    is_open = 0 in speeds or any(speed > FASTEST for speed in speeds)
    for row in rows[:-1]:
        if timing is not Timing.STAGE and _squares(row.speeds) > row.distance:
            yield Finding(row.control, Verdict.NOTE, "not stopped at the PC: 30 marks", "RR-F1")
        elif timing is not Timing.STAGE and _squares(row.speeds) < row.distance:
            yield Finding(row.control, Verdict.NOTE, f"the PC is {row.distance} squares on: a short cut?", "RR-F1")
    if not speeds:
        yield Finding(end.control, Verdict.FALSE, "no speed is entered", "RR-P7")
    elif driven < end.distance:
        words = f"the speeds come to {driven} of {end.distance} squares: a hidden track, a Black Spot, a gradient?"
        yield Finding(end.control, Verdict.NOTE, words, "RR-P7")
    elif driven - speeds[-1] // 10 >= end.distance:
        verdict = Verdict.NOTE if is_open else Verdict.FALSE
        yield Finding(end.control, verdict, "the control is reached before the last turn", "RR-P7")
    elif timing is Timing.ROAD and driven > end.distance:
        yield Finding(end.control, Verdict.NOTE, f"carried {driven - end.distance} past the control: 30 marks?", "RR-F2")


def _findings_of_times(row: Row, found: Scored) -> Iterator[Finding]:
    for what, written, right, rule in (
        ("target", row.target, found.target, "RR-T5"),
        ("time taken", row.taken, found.time, "RR-P5"),
        ("penalty", row.penalty, found.penalty, "RR-P1"),
    ):
        if written is not None and written != right:
            yield Finding(row.control, Verdict.FALSE, f"{what} {clock(written)} is written, {clock(right)} follows", rule)


def _findings_of_totals(sheet: Sheet, score: Score) -> Iterator[Finding]:
    for what, written, right in (("other penalties", sheet.other, score.faults), ("total", sheet.total, score.total)):
        if written is not None and written != right:
            yield Finding(what, Verdict.FALSE, f"{clock(written)} is written, {clock(right)} follows", "RR-P7")
