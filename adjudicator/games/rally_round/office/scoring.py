"""Score and audit a time sheet without a map (RR-T, RR-P), from distances, sections and speeds.

The map and the kit may be unknown: only an entry that no card and no incident could explain is false (RR-P7); others
need a card, or a note of an incident (RR-H9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from adjudicator.game import Part, total
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.moving import FASTEST, UPHILL, legal_after
from adjudicator.games.rally_round.office.outputs import SheetKit
from adjudicator.games.rally_round.office.sheet import (
    BIGGEST,
    ON_THE_WAY,
    Fault,
    Finding,
    Row,
    Score,
    Scored,
    Sheet,
    Verdict,
    timing_of,
)
from adjudicator.games.rally_round.office.typed import Place
from adjudicator.games.rally_round.timing import FAULT, MINUTE, clock, flying_finish, target_time, timed


def scored(sheet: Sheet, kit: SheetKit | None = None) -> Score:
    """Return the score of ``sheet`` and every wrong entry (RR-P7); without a kit all cards are unknown.

    ``kit`` replaces that of the sheet. A PC that the speeds drive past is one fault, even if the sheet notes it too.
    """
    sections, findings = list[Scored](), list[Finding]()
    by_section = [*_sections(sheet.rows)]
    noted = noted_faults(sheet, by_section)
    for rows, faults in zip(by_section, noted, strict=True):
        found, doubts = _score(rows)
        missed = _missed(rows)
        answered = {fault.control for fault in faults if not fault.rules & ON_THE_WAY}
        others = [fault for fault in faults if fault.control not in missed or fault.rules & ON_THE_WAY]
        sections.append(replace(found, faults=(len(missed) + len(others)) * FAULT))
        squares = [one for one in _findings_of_squares(rows) if one.rule != "RR-F2" or one.control not in answered]
        findings += [*_findings_of_speeds(rows, kit or sheet.kit), *squares, *doubts, *findings_of_times(rows[-1], found)]
    score = Score(tuple(sections), ())
    return Score(score.sections, (*findings, *findings_of_totals(sheet, score, len(sheet.faults) * FAULT)))


def noted_faults(sheet: Sheet, sections: Sequence[Sequence[Row]]) -> list[list[Fault]]:
    """Return for each section the faults noted on the way to one of its controls; the last section gets all others."""
    found = [[fault for fault in sheet.faults if fault.control in {row.control for row in rows}] for rows in sections]
    if found:
        placed = [fault for faults in found for fault in faults]
        found[-1] += [fault for fault in sheet.faults if fault not in placed]
    return found


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


def _score(rows: Sequence[Row]) -> tuple[Scored, list[Finding]]:
    """Return the score of the section of ``rows``, and a finding if the written time needs an explanation."""
    end = rows[-1]
    timing = _timing(end) or Timing.ROAD
    target = target_time(timing, end.distance, end.speed)
    follows, *others = _times(rows, timing)
    time = next((one for one in (follows, *others) if _is_written(end, one, timed(timing, one, target))), follows)
    words = f"the sheet says {clock(time)}, the speeds give {clock(follows)}: a gradient, off the road, another way?"
    doubts = [] if time == follows else [Finding(end.control, Verdict.NOTE, words, "RR-F3", end.at("taken"))]
    return Scored(end.control, timing, end.distance, target, time, total(timed(timing, time, target))), doubts


def _times(rows: Sequence[Row], timing: Timing) -> Iterator[int]:
    """Yield the time that follows from the speeds in ``rows``, in seconds, then others that may be right (RR-F3).

    Gradients, ways off the road and short cuts hide how much of the last move led to the control, unless the sheet notes
    squares.
    """
    end, speeds = rows[-1], [speed for row in rows for speed in row.speeds]
    if timing is Timing.ROAD or not speeds:
        yield MINUTE * len(speeds)
        return
    noted, before, move = end.step(len(end.speeds)).squares, MINUTE * (len(speeds) - 1), speeds[-1] // 10
    left = end.distance - sum([squares for row in rows for squares in row.gains()][:-1]) if noted is None else noted
    yield before + (flying_finish(left, move) if 0 < left < move else MINUTE)
    if noted is None and not _is_noted(rows):
        yield from (before + flying_finish(squares, move) for squares in range(1, move + 1))


def _is_noted(rows: Sequence[Row]) -> bool:
    """Return whether the distance before the last turn is certain: the sheet notes the squares of all moves."""
    turns = [(speed, row.step(turn).squares) for row in rows for turn, speed in enumerate(row.speeds, 1)]
    return len(turns) > 1 and all(squares is not None or not 0 < speed <= FASTEST for speed, squares in turns[:-1])


def _is_written(end: Row, time: int, why: tuple[Part, ...]) -> bool:
    """Return whether ``end`` has ``time`` as the time taken, or without one the penalty for it."""
    return time == end.taken if end.taken is not None else end.penalty in (None, total(why))


def _missed(rows: Sequence[Row]) -> set[str]:
    """Return the PCs of the section that the car drove past (RR-F1)."""
    if _timing(rows[-1]) is Timing.STAGE:
        return set()
    return {row.control for row, driven in _driven(rows[:-1]) if driven > row.distance}


def _driven(rows: Sequence[Row]) -> Iterator[tuple[Row, int]]:
    """Yield the rows of a section, each with the squares that the car has driven by its end."""
    yield from zip(rows, accumulate(sum(row.gains()) for row in rows), strict=True)


def _findings_of_speeds(rows: Sequence[Row], kit: SheetKit | None) -> Iterator[Finding]:
    """RR-M1 to RR-M3: check that each speed follows from the one before; outside of stages a car stops at PCs."""
    before, known, at_passage = 0, kit or SheetKit(), 0
    is_stage = _timing(rows[-1]) is Timing.STAGE
    for row, driven in _driven(rows):
        for turn, speed in enumerate(row.speeds, 1):
            if speed % 10 or not 0 <= speed <= BIGGEST:
                yield _no_speed(row, turn)
            elif speed:
                yield from _finding_of_change(row, turn, before, known, at_passage, is_known=kit is not None)
            before, at_passage = 0 if speed > FASTEST else speed, 0
        if not is_stage and driven <= row.distance:
            before, at_passage = 0, before


def _no_speed(row: Row, turn: int) -> Finding:
    """Return a finding that the entry of a ``turn`` in ``row`` is not a speed (RR-M1)."""
    speed = row.speeds[turn - 1]
    words = f"turn {turn}: {speed} mph is not a speed"
    return Finding(row.control, Verdict.FALSE, words, "RR-M1", row.at(f"speed {turn}"), near_speed(speed))


def near_speed(speed: int) -> tuple[str, ...]:
    """Return the speed that a wrong one probably means."""
    return (str(min(BIGGEST, max(10, round(speed, -1)))),)


def _finding_of_change(
    row: Row, turn: int, before: int, kit: SheetKit, at_passage: int, *, is_known: bool
) -> Iterator[Finding]:
    """Yield a finding if a speed does not follow from the one ``before``; ``at_passage`` is the speed on the way to a PC."""
    speed, where, place = row.speeds[turn - 1], f"turn {turn}: ", row.at(f"speed {turn}")
    starts, legal = (legal_after(one, kit.start, kit.faster, kit.slower) for one in (0, before))
    if legal[0] <= speed <= legal[-1]:
        return
    near = (str(legal[-1] if speed > legal[-1] else legal[0]),)
    hill = "; 20 is allowed uphill" if not before and speed == UPHILL else ""
    verdict = Verdict.FALSE if is_known else Verdict.CARD
    if row.step(turn).using or (at_passage and at_passage - kit.slower <= speed <= at_passage + kit.faster):
        verdict = Verdict.CARD  # the noted hazard card, or one for passage controls
    elif is_known and (hill or speed in starts):
        verdict = Verdict.NOTE  # the hill, or a place where the car had to stop: a Give Way, a hazard card
    if before:
        yield Finding(row.control, verdict, f"{where}from {before} to {speed} mph", "RR-M3", place, near)
    else:
        yield Finding(row.control, verdict, f"{where}a start at {speed} mph{hill}", "RR-M2", place, near)


def _findings_of_squares(rows: Sequence[Row]) -> Iterator[Finding]:
    """RR-F1, RR-F2: check that the speeds bring the car to each control, and not beyond."""
    end, gains = rows[-1], [squares for row in rows for squares in row.gains()]
    timing, driven, last = _timing(end), sum(gains), end.at(f"speed {len(end.speeds)}")
    is_other_way = any(step.via for row in rows for step in row.steps)
    for row, squares in () if timing is Timing.STAGE or is_other_way else _driven(rows[:-1]):
        place = row.at(f"speed {len(row.speeds)}")
        if squares > row.distance:
            yield Finding(row.control, Verdict.NOTE, "not stopped at the PC: 30 marks", "RR-F1", place)
        elif squares < row.distance:
            yield Finding(row.control, Verdict.NOTE, f"the PC is {row.distance} squares on: a short cut?", "RR-F1", place)
    if not gains:
        yield Finding(end.control, Verdict.FALSE, "the sheet has no speed", "RR-P7", last)
    elif driven < end.distance and not is_other_way:
        words = f"the speeds cover {driven} of {end.distance} squares: a hidden track, a Black Spot, a gradient?"
        yield Finding(end.control, Verdict.NOTE, words, "RR-P7", last)
    elif sum(gains[:-1]) >= end.distance:
        # Without a note the car may have rolled back, left the road, or taken another way.
        verdict = Verdict.FALSE if _is_noted(rows) and not is_other_way else Verdict.NOTE
        yield Finding(end.control, verdict, "the car reaches the control before the last turn", "RR-P7", last)
    elif timing is Timing.ROAD and driven > end.distance and not is_other_way:
        words = f"carried {driven - end.distance} past the control: 30 marks?"
        yield Finding(end.control, Verdict.NOTE, words, "RR-F2", last)


def findings_of_times(row: Row, found: Scored) -> Iterator[Finding]:
    """Yield the times in ``row``, that of a time control, that do not follow from the section ``found``."""
    for what, name, written, right, rule in (
        ("target", "target", row.target, found.target, "RR-T5"),
        ("time taken", "taken", row.taken, found.time, "RR-P5"),
        ("penalty", "penalty", row.penalty, found.penalty, "RR-P1"),
    ):
        if written is not None and written != right:
            yield _miscounted(row.control, what, written, right, rule, row.at(name))


def findings_of_totals(sheet: Sheet, score: Score, least: int | None = None) -> Iterator[Finding]:
    """Yield the sums at the foot of a ``sheet`` that do not follow from its ``score``.

    Without a map the sheet may omit faults: ``least`` are the sure ones in seconds, and each other one counts 30 marks.
    """
    faults, total = score.faults, score.total
    if sheet.other is not None and sheet.other != faults:
        is_explained = least is not None and sheet.other >= least and not sheet.other % FAULT
        yield _miscounted("other penalties", "", sheet.other, faults, "RR-P7", sheet.places.get("other"), is_explained)
        total += sheet.other - faults if is_explained else 0
    if sheet.total is not None and sheet.total != total:
        more = sheet.total - total
        is_explained = least is not None and sheet.other is None and more >= least - faults and not more % FAULT
        yield _miscounted("total", "", sheet.total, total, "RR-P7", sheet.places.get("total"), is_explained)


def _miscounted(
    control: str, what: str, written: int, right: int, rule: str, place: Place | None, is_explained: bool = False
) -> Finding:
    named = f"{what} {clock(written)}" if what else clock(written)
    words = f"the sheet says {named}, the entries give {clock(right)}"
    verdict = Verdict.NOTE if is_explained else Verdict.FALSE
    why = ": is a fault missing on the sheet?" if is_explained else ""
    return Finding(control, verdict, f"{words}{why}", rule, place, (clock(right),))
