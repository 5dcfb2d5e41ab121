"""A time sheet scored and audited without a map (RR-T, RR-P): distances, sections and speeds are enough.

What a sheet leaves open (the map, the kit) is told as such: an entry that no card and no incident could explain is false
(RR-P7), others need a card, or a note of what happened on the way (RR-H9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import accumulate
from typing import Final

from adjudicator.game import frozen, total
from adjudicator.games.rally_round.components import PREFIXES, CardId, Does, KitCard, Timing
from adjudicator.games.rally_round.moving import FASTEST, STANDARD, UPHILL
from adjudicator.games.rally_round.timing import FAULT, MINUTE, clock, flying_finish, target_time, timed
from adjudicator.games.rally_round.typed import Place

BIGGEST: Final = 200
"""No card makes a faster car."""


@frozen(kw_only=True)
class Step:
    """What was noted with the speed of a ``turn`` (from 1, in its row): the way, a hazard card, a turning round."""

    turn: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    is_round: bool = False


@frozen(kw_only=True)
class Row:
    """A row of a sheet: the speeds to a ``control``, which is ``distance`` squares from the time control before (RR-H9).

    ``speed`` is that of a regularity. ``target``, ``taken`` and ``penalty`` are what was written, in seconds; ``steps`` is
    what was noted with single speeds. ``places`` tells where its entries stand in a text: ``target``, ``speed 2`` …
    """

    control: str
    distance: int
    speeds: tuple[int, ...]
    timing: Timing | None = None
    speed: int | None = None
    target: int | None = None
    taken: int | None = None
    penalty: int | None = None
    steps: tuple[Step, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def step(self, turn: int) -> Step:
        """Return what was noted with the speed of a ``turn``, from 1."""
        return next((step for step in self.steps if step.turn == turn), Step(turn=turn))

    def at(self, what: str) -> Place | None:
        """Return where the entry ``what`` stands, else where the row begins; ``None`` where it was in no text."""
        return self.places.get(what, self.places.get("control"))


@frozen(kw_only=True)
class Kit:
    """What a crew may do beyond the standard, on any road: start so fast, change the speed by so much (mph)."""

    start: int = STANDARD
    faster: int = STANDARD
    slower: int = STANDARD


def kit_of(cards: Iterable[KitCard]) -> Kit:
    """Return what ``cards`` allow on the road where each allows most: without a map nobody knows its colour."""
    most = dict.fromkeys((Does.START, Does.ACCELERATE, Does.DECELERATE), STANDARD)
    for effect in (effect for card in cards for effect in card.effects if effect.does in most):
        most[effect.does] = max(most[effect.does], effect.red, effect.yellow, effect.white)
    return Kit(start=most[Does.START], faster=most[Does.ACCELERATE], slower=most[Does.DECELERATE])


@frozen
class Fault:
    """A fault of 30 marks that was noted, in ``words``, on the way to ``control`` (empty: it does not say where)."""

    words: str
    control: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)


@frozen(kw_only=True)
class Sheet:
    """A time sheet: its rows, the faults of 30 marks that were noted, and what was written as their sum and as the total.

    ``crew`` and ``entry_class`` are what the crew is called and the class it is entered in, ``kit`` what it may do where
    that is known, ``cards`` of which kit cards that comes, ``out`` why it is out, if it is. ``places``: see ``Row``.
    """

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...] = ()
    other: int | None = None
    total: int | None = None
    crew: str = ""
    entry_class: str = ""
    kit: Kit | None = None
    cards: tuple[CardId, ...] = ()
    out: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)


class Verdict(StrEnum):
    """How bad a finding is: ``false`` nothing could explain; ``card`` and ``note`` need a card, or a note of an incident."""

    FALSE = "false"
    CARD = "card"
    NOTE = "note"


@frozen
class Finding:
    """Something on a sheet that does not follow from its speeds: in the row of ``control``, by ``rule``, in words.

    ``place`` tells where it stands, if it was in a text; ``suggestions`` are what might stand there.
    """

    control: str
    verdict: Verdict
    words: str
    rule: str
    place: Place | None = field(default=None, compare=False, repr=False)
    suggestions: tuple[str, ...] = field(default=(), compare=False, repr=False)


@frozen
class Incident:
    """What a car met on the map, in ``turn`` (from 1) of the section to ``control``, in words, by ``rule``."""

    control: str
    turn: int
    words: str
    rule: str


@frozen
class Scored:
    """A section as it is scored: its time and target in seconds, the penalty for the time alone, and that for faults."""

    control: str
    timing: Timing
    distance: int
    target: int
    time: int
    penalty: int
    faults: int = 0


@frozen
class Score:
    """A sheet as it is scored: its sections, and what was found; driven on a map, what happened on the way.

    ``disqualified`` says why the crew is disqualified, if it is.
    """

    sections: tuple[Scored, ...]
    findings: tuple[Finding, ...]
    incidents: tuple[Incident, ...] = ()
    disqualified: str = ""

    @property
    def faults(self) -> int:
        """The penalty for faults in seconds."""
        return sum(section.faults for section in self.sections)

    @property
    def total(self) -> int:
        """The penalty of the whole rally in seconds."""
        return sum(self.running[-1:])

    @property
    def running(self) -> tuple[int, ...]:
        """The penalty after each section, in seconds."""
        return tuple(accumulate(section.penalty + section.faults for section in self.sections))


def timing_of(control: str) -> Timing | None:
    """Return how a section to ``control`` is timed by its name, ``None`` to a PC."""
    letters = control.rstrip("0123456789").upper()
    return next((timing for timing, prefix in PREFIXES.items() if prefix == letters), None)


def scored(sheet: Sheet, kit: Kit | None = None) -> Score:
    """Return the score of ``sheet`` and every entry that does not follow (RR-P7); without a kit no card is known.

    ``kit`` stands for that of the sheet. A PC that the speeds drive past is a fault by itself, also if it was noted too.
    """
    sections, findings = list[Scored](), list[Finding]()
    by_section = [*_sections(sheet.rows)]
    noted = noted_faults(sheet, by_section)
    for rows, faults in zip(by_section, noted, strict=True):
        found, missed = _score(rows)
        named = {fault.control for fault in faults}
        counted = len(missed) + sum(fault.control not in missed for fault in faults)
        sections.append(replace(found, faults=counted * FAULT))
        squares = [one for one in _findings_of_squares(rows) if one.rule != "RR-F2" or one.control not in named]
        findings += [*_findings_of_speeds(rows, kit or sheet.kit), *squares, *findings_of_times(rows[-1], found)]
    score = Score(tuple(sections), ())
    return Score(score.sections, (*findings, *findings_of_totals(sheet, score)))


def noted_faults(sheet: Sheet, sections: Sequence[Sequence[Row]]) -> list[list[Fault]]:
    """Return for each section the faults that were noted on the way to one of its controls; the last has all others."""
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


def _score(rows: Sequence[Row]) -> tuple[Scored, set[str]]:
    """Return the section of ``rows`` as it is scored, and which of its PCs were driven past (RR-F1)."""
    end = rows[-1]
    timing = _timing(end) or Timing.ROAD
    speeds = [speed for row in rows for speed in row.speeds]
    target = target_time(timing, end.distance, end.speed)
    time = MINUTE * len(speeds)
    if timing is not Timing.ROAD and speeds:
        left, move = end.distance - _squares(speeds[:-1]), speeds[-1] // 10
        if 0 < left < move:
            time += flying_finish(left, move) - MINUTE
    passed = {row.control for row, driven in _driven(rows[:-1]) if driven > row.distance}
    missed = set[str]() if timing is Timing.STAGE else passed
    penalty = total(timed(timing, time, target))
    return Scored(end.control, timing, end.distance, target, time, penalty), missed


def _squares(speeds: Sequence[int]) -> int:
    return sum(speeds) // 10


def _driven(rows: Sequence[Row]) -> Iterator[tuple[Row, int]]:
    """Yield the rows of a section, each with the squares that are driven by its end."""
    yield from zip(rows, accumulate(_squares(row.speeds) for row in rows), strict=True)


def _findings_of_speeds(rows: Sequence[Row], kit: Kit | None) -> Iterator[Finding]:
    """RR-M1 to RR-M3: each speed follows from the one before; at a PC, except in a stage, the car has stopped."""
    before, known = 0, kit or Kit()
    is_stage = _timing(rows[-1]) is Timing.STAGE
    for row, driven in _driven(rows):
        for turn, speed in enumerate(row.speeds, 1):
            if speed % 10 or not 0 <= speed <= BIGGEST:
                yield _no_speed(row, turn)
            elif speed:
                yield from _finding_of_change(row, turn, before, known, is_known=kit is not None)
            before = 0 if speed > FASTEST else speed
        before = before if is_stage or driven > row.distance else 0


def _no_speed(row: Row, turn: int) -> Finding:
    """Return that the entry of a ``turn`` in ``row`` is no speed (RR-M1)."""
    speed = row.speeds[turn - 1]
    words = f"turn {turn}: {speed} mph is no speed"
    return Finding(row.control, Verdict.FALSE, words, "RR-M1", row.at(f"speed {turn}"), near_speed(speed))


def near_speed(speed: int) -> tuple[str, ...]:
    """Return the speed that a wrong one is likely to stand for."""
    return (str(min(BIGGEST, max(10, round(speed, -1)))),)


def _finding_of_change(row: Row, turn: int, before: int, kit: Kit, *, is_known: bool) -> Iterator[Finding]:
    speed, where, place = row.speeds[turn - 1], f"turn {turn}: ", row.at(f"speed {turn}")
    least, most = (before - kit.slower, before + kit.faster) if before else (STANDARD, max(kit.start, STANDARD))
    near = (str(most if speed > most else max(STANDARD, least)),)
    if not before and speed > most:
        hill = "; 20 is allowed uphill" if speed == UPHILL else ""
        verdict = Verdict.NOTE if hill and is_known else Verdict.FALSE if is_known else Verdict.CARD
        yield Finding(row.control, verdict, f"{where}a start at {speed} mph{hill}", "RR-M2", place, near)
    elif before and not least <= speed <= most:
        verdict = Verdict.FALSE if is_known else Verdict.CARD
        yield Finding(row.control, verdict, f"{where}from {before} to {speed} mph", "RR-M3", place, near)


def _findings_of_squares(rows: Sequence[Row]) -> Iterator[Finding]:
    """RR-F1, RR-F2: the speeds bring the car to each control, and not beyond."""
    end, speeds = rows[-1], [speed for row in rows for speed in row.speeds]
    timing, driven, last = _timing(end), _squares(speeds), end.at(f"speed {len(end.speeds)}")
    is_open = 0 in speeds or any(speed > FASTEST for speed in speeds)
    is_other_way = any(step.via for row in rows for step in row.steps)
    for row, squares in () if timing is Timing.STAGE or is_other_way else _driven(rows[:-1]):
        place = row.at(f"speed {len(row.speeds)}")
        if squares > row.distance:
            yield Finding(row.control, Verdict.NOTE, "not stopped at the PC: 30 marks", "RR-F1", place)
        elif squares < row.distance:
            yield Finding(row.control, Verdict.NOTE, f"the PC is {row.distance} squares on: a short cut?", "RR-F1", place)
    if not speeds:
        yield Finding(end.control, Verdict.FALSE, "no speed is entered", "RR-P7", last)
    elif driven < end.distance and not is_other_way:
        words = f"the speeds come to {driven} of {end.distance} squares: a hidden track, a Black Spot, a gradient?"
        yield Finding(end.control, Verdict.NOTE, words, "RR-P7", last)
    elif driven - speeds[-1] // 10 >= end.distance:
        verdict = Verdict.NOTE if is_open or is_other_way else Verdict.FALSE
        yield Finding(end.control, verdict, "the control is reached before the last turn", "RR-P7", last)
    elif timing is Timing.ROAD and driven > end.distance and not is_other_way:
        words = f"carried {driven - end.distance} past the control: 30 marks?"
        yield Finding(end.control, Verdict.NOTE, words, "RR-F2", last)


def findings_of_times(row: Row, found: Scored) -> Iterator[Finding]:
    """Yield which of the times in ``row``, that of a time control, do not follow from the section that was ``found``."""
    for what, name, written, right, rule in (
        ("target", "target", row.target, found.target, "RR-T5"),
        ("time taken", "taken", row.taken, found.time, "RR-P5"),
        ("penalty", "penalty", row.penalty, found.penalty, "RR-P1"),
    ):
        if written is not None and written != right:
            yield _miscounted(row.control, what, written, right, rule, row.at(name))


def findings_of_totals(sheet: Sheet, score: Score) -> Iterator[Finding]:
    """Yield which of the sums at the foot of a ``sheet`` do not follow from its ``score``."""
    for what, written, right in (("other", sheet.other, score.faults), ("total", sheet.total, score.total)):
        if written is not None and written != right:
            said = "other penalties" if what == "other" else what
            yield _miscounted(said, "", written, right, "RR-P7", sheet.places.get(what))


def _miscounted(control: str, what: str, written: int, right: int, rule: str, place: Place | None) -> Finding:
    words = f"{what} {clock(written)} is written, {clock(right)} follows".lstrip()
    return Finding(control, Verdict.FALSE, words, rule, place, (clock(right),))
