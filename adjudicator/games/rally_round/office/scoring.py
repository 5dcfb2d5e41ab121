"""Score and audit a time sheet without a map (RR-T, RR-P), from distances, sections and speeds.

The map and the kit may be unknown: only an entry that no card and no incident could explain is false (RR-P7); others
need a card, or a note of an incident (RR-H9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from adjudicator.game import total
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.office.outputs import ScoredSection, ScoredSheet, SheetKit, SheetRow
from adjudicator.games.rally_round.office.sheet import (
    CARD,
    FALSE,
    NOTE,
    Finding,
    Written,
    changed,
    findings_of_times,
    findings_of_totals,
    gains,
    nearest,
    noted_faults,
    rules_of,
    section_of,
    step_of,
    timing_of,
    wrong_speed,
)
from adjudicator.games.rally_round.speeds import FASTEST, UPHILL, legal_after
from adjudicator.games.rally_round.timing import FAULT, MINUTE, clock, flying_finish, target_time, timed

_ON_THE_WAY: Final = frozenset(("RR-F5", "RR-F9", "RR-F10"))
"""The rules of faults on the way to a control, which do not say whether the car missed the control."""
Rows = Sequence[SheetRow]
"""The rows of a section: its PCs and the time control at its end."""


def scored(written: Written) -> ScoredSheet:
    """Return ``written`` with its score and every wrong entry (RR-P7); without a kit all cards are unknown.

    A PC that the speeds drive past is one fault, even if the sheet notes it too.
    """
    sheet, sections, findings = written.sheet, list[ScoredSection](), list[Finding]()
    by_section = [*_sections(sheet.rows)]
    noted = noted_faults(sheet.faults, [{row.control for row in rows} for rows in by_section])
    for rows, indexes in zip(by_section, noted, strict=True):
        faults, missed = [sheet.faults[at] for at in indexes], _missed(rows)
        at_controls = {fault.control for fault in faults if not rules_of(fault) & _ON_THE_WAY}
        others = [fault for fault in faults if fault.control not in missed or rules_of(fault) & _ON_THE_WAY]
        end, timing = rows[-1], timing_of(rows[-1]) or Timing.ROAD
        target = target_time(timing, end.distance, end.speed)
        follows, *possible = _times(rows)
        time = next((one for one in (follows, *possible) if _is_written(end, one, target)), follows)
        before, many = sections[-1].total if sections else 0, len(missed) + len(others)
        sections.append(section_of(end.control, timing, end.distance, target=target, time=time, faults=many, before=before))
        findings += _findings_of_speeds(rows, sheet.kit)
        findings += [one for one in _findings_of_squares(rows) if one.rule != "RR-F2" or one.control not in at_controls]
        if time != follows:
            words = f"the sheet says {clock(time)}, the speeds give {clock(follows)}: a gradient, off the road, another way?"
            findings.append(Finding(end.control, NOTE, words, "RR-F3", (end.control, "taken")))
        findings += findings_of_times(end, sections[-1])
    findings += findings_of_totals(sheet, sections, len(sheet.faults) * FAULT)
    return written.scored(sections, findings)


def _sections(rows: Rows) -> Iterator[Rows]:
    section: list[SheetRow] = []
    for row in rows:
        section.append(row)
        if timing_of(row) is not None:
            yield section
            section = []


def _times(rows: Rows) -> Iterator[int]:
    """Yield the time that follows from the speeds in ``rows``, in seconds, then others that may be right (RR-F3).

    Gradients, ways off the road and short cuts hide how much of the last move led to the control, unless the sheet notes
    squares.
    """
    end, speeds = rows[-1], [speed for row in rows for speed in row.speeds]
    if timing_of(end) is Timing.ROAD or not speeds:
        yield MINUTE * len(speeds)
        return
    noted, before, move = step_of(end, len(end.speeds)).squares, MINUTE * (len(speeds) - 1), speeds[-1] // 10
    left = end.distance - sum([squares for row in rows for squares in gains(row)][:-1]) if noted is None else noted
    yield before + (flying_finish(left, move) if 0 < left < move else MINUTE)
    if noted is None and not _is_noted(rows):
        yield from (before + flying_finish(squares, move) for squares in range(1, move + 1))


def _is_noted(rows: Rows) -> bool:
    """Return whether the distance before the last turn is certain: the sheet notes the squares of all moves."""
    turns = [(speed, step_of(row, turn).squares) for row in rows for turn, speed in enumerate(row.speeds, 1)]
    return len(turns) > 1 and all(squares is not None or not 0 < speed <= FASTEST for speed, squares in turns[:-1])


def _is_written(end: SheetRow, time: int, target: int) -> bool:
    """Return whether ``end`` has ``time`` as the time taken, or without one the penalty for it."""
    if end.taken is not None:
        return time == end.taken
    return end.penalty in (None, total(timed(timing_of(end) or Timing.ROAD, time, target)))


def _missed(rows: Rows) -> set[str]:
    """Return the PCs of the section that the car drove past (RR-F1)."""
    if timing_of(rows[-1]) is Timing.STAGE:
        return set()
    return {row.control for row, driven in _driven(rows[:-1]) if driven > row.distance}


def _driven(rows: Rows) -> Iterator[tuple[SheetRow, int]]:
    """Yield the rows of a section, each with the squares that the car has driven by its end."""
    yield from zip(rows, accumulate(sum(gains(row)) for row in rows), strict=True)


def _findings_of_speeds(rows: Rows, kit: SheetKit | None) -> Iterator[Finding]:
    """RR-M1 to RR-M3: check that each speed follows from the one before; outside of stages a car stops at PCs."""
    before, at_passage, is_stage = 0, 0, timing_of(rows[-1]) is Timing.STAGE
    for row, driven in _driven(rows):
        for turn, speed in enumerate(row.speeds, 1):
            wrong = wrong_speed(speed)
            if wrong is not None:
                entry = (row.control, f"speed {turn}")
                yield Finding(row.control, FALSE, f"turn {turn}: {wrong[0]}", "RR-M1", entry, wrong[1])
            elif speed:
                yield from _finding_of_change(row, turn, before, at_passage, kit)
            before, at_passage = 0 if speed > FASTEST else speed, 0
        if not is_stage and driven <= row.distance:
            before, at_passage = 0, before


def _finding_of_change(row: SheetRow, turn: int, before: int, at_passage: int, known: SheetKit | None) -> Iterator[Finding]:
    """Yield a finding if a speed does not follow from the one ``before``; ``at_passage`` is the speed on the way to a PC."""
    speed, kit, entry = row.speeds[turn - 1], known or SheetKit(), (row.control, f"speed {turn}")
    starts, legal = (legal_after(one, kit.start, kit.faster, kit.slower) for one in (0, before))
    if legal[0] <= speed <= legal[-1]:
        return
    what, rule = changed(before, speed)
    hill = "; 20 is allowed uphill" if not before and speed == UPHILL else ""
    verdict = FALSE if known else CARD
    if step_of(row, turn).using or (at_passage and at_passage - kit.slower <= speed <= at_passage + kit.faster):
        verdict = CARD  # the noted hazard card, or one for passage controls
    elif known and (hill or speed in starts):
        verdict = NOTE  # the hill, or a place where the car had to stop: a Give Way, a hazard card
    yield Finding(row.control, verdict, f"turn {turn}: {what}{hill}", rule, entry, (nearest(speed, legal),))


def _findings_of_squares(rows: Rows) -> Iterator[Finding]:
    """RR-F1, RR-F2: check that the speeds bring the car to each control, and not beyond."""
    end, moves = rows[-1], [squares for row in rows for squares in gains(row)]
    timing, driven, last = timing_of(end), sum(moves), (end.control, f"speed {len(end.speeds)}")
    is_other_way = any(step.via for row in rows for step in row.steps)
    for row, squares in () if timing is Timing.STAGE or is_other_way else _driven(rows[:-1]):
        if squares != row.distance:
            words = f"the PC is {row.distance} squares on: a short cut?"
            words = words if squares < row.distance else "not stopped at the PC: 30 marks"
            yield Finding(row.control, NOTE, words, "RR-F1", (row.control, f"speed {len(row.speeds)}"))
    if not moves:
        yield Finding(end.control, FALSE, "the sheet has no speed", "RR-P7", last)
    elif driven < end.distance and not is_other_way:
        words = f"the speeds cover {driven} of {end.distance} squares: a hidden track, a Black Spot, a gradient?"
        yield Finding(end.control, NOTE, words, "RR-P7", last)
    elif sum(moves[:-1]) >= end.distance:
        # Without a note the car may have rolled back, left the road, or taken another way.
        verdict = FALSE if _is_noted(rows) and not is_other_way else NOTE
        yield Finding(end.control, verdict, "the car reaches the control before the last turn", "RR-P7", last)
    elif timing is Timing.ROAD and driven > end.distance and not is_other_way:
        words = f"carried {driven - end.distance} past the control: 30 marks?"
        yield Finding(end.control, NOTE, words, "RR-F2", last)
