"""Score and audit a time sheet without a map (RR-T, RR-P), from distances, sections and speeds.

The map and the kit may be unknown: only an entry that no card and no incident could explain is false (RR-P7); others
need a card, or a note of an incident (RR-H9).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from adjudicator.game import total
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.office.outputs import ScoredSheet
from adjudicator.games.rally_round.office.sheets import CARD, FALSE, NOTE, Row, Sheet, Written, changed, nearest
from adjudicator.games.rally_round.timing import FAULT, MINUTE, clock, flying_finish, target_time, timed
from adjudicator.games.rally_round.way import FASTEST, STANDARD, UPHILL, legal_after

_ON_THE_WAY: Final = re.compile("give way|quiet|speed|roll", re.IGNORECASE)
"""Words of faults on the way to a control, which do not say whether the car missed the control."""


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
