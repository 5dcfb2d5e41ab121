"""Compare the drive of a time sheet on the map with the notes on the sheet: rows, distances, faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.car import Fault, Move, Passed
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.office.outputs import SheetIncident
from adjudicator.games.rally_round.office.sheet import Fault as NotedFault
from adjudicator.games.rally_round.office.sheet import Finding, Row, Sheet, Verdict, timing_of
from adjudicator.games.rally_round.route import Section

_NUMBER: Final = re.compile(r"[0-9]+")


@frozen
class Entered:
    """A speed of the sheet: its ``row``, its ``turn`` in the row (from 1), and its ``number`` in the section."""

    row: Row
    turn: int
    number: int

    @property
    def speed(self) -> int:
        """The speed in mph."""
        return self.row.speeds[self.turn - 1]


class Found:
    """The findings in one ``section``: faults of 30 marks with their turns, findings, incidents.

    ``met`` gives the number of the turn in which each PC was met.
    """

    def __init__(self, section: Section) -> None:
        """Begin empty."""
        self.section = section
        self.faults: list[tuple[Fault, Entered]] = []
        self.findings: list[Finding] = []
        self.incidents: list[SheetIncident] = []
        self.met: dict[str, int] = {}

    def tell(
        self,
        entered: Entered,
        verdict: Verdict,
        words: str,
        rule: str,
        suggestions: Sequence[str] = (),
        noted: str = "speed",
    ) -> None:
        """Record a finding about a speed that was ``entered``, or about a note with it (``via 1``, ``using``)."""
        place = entered.row.at(f"{noted} {entered.turn}" if noted == "speed" else f"{noted} of {entered.turn}")
        said = f"turn {entered.number}: {words}"
        self.findings.append(Finding(self.section.end.name, verdict, said, rule, place, tuple(suggestions)))

    def happened(self, number: int, words: str, rule: str) -> None:
        """Record what a car has met in the turn of that ``number``."""
        self.incidents.append(SheetIncident(control=self.section.end.name, turn=number, message=words, rule=rule))

    def meets(self, entered: Entered, move: Move) -> None:
        """Record what a ``move`` has met on its way, in the order of the squares."""
        self._meets(entered, move.met)
        if move.rolled:
            self.happened(entered.number, f"rolls down to {move.rolled[-1]}", "RR-F9")
        self._meets(entered, move.rolling)

    def _meets(self, entered: Entered, met: Sequence[Fault | Passed]) -> None:
        never = {one.control for one in met if isinstance(one, Fault) and one.is_absence}
        for one in met:
            if isinstance(one, Fault):
                self.faults.append((one, entered))
                self.happened(entered.number, f"{one.words}: 30 marks", one.rule)
            elif one.control not in never:
                self.met[one.control] = entered.number
                self.happened(entered.number, f"comes to {one.control}", "RR-F1")


class Notes:
    """Compares a ``sheet`` with the map of ``config``: findings and incidents, section by section."""

    def __init__(self, config: Config, sheet: Sheet) -> None:
        """Begin empty."""
        self.config, self.sheet = config, sheet
        self.findings: list[Finding] = []
        self.incidents: list[SheetIncident] = []

    def sections(self) -> Iterator[tuple[Section, list[Row]]]:
        """Yield the sections that the sheet has in full, with its rows; record where the rows differ from the route."""
        there, left = list[tuple[Section, list[Row]]](), list(self.sheet.rows)
        for section in self.config.sections:
            own = [row for post in section.posts for row in left if _number(row.control) == post.number]
            left = [row for row in left if row not in own]
            if own and _number(own[-1].control) == section.end.number:
                there.append((section, own))
        self._place_noted([section for section, _ in there])
        for section, own in there:
            self._compare(section, own)
            yield section, own
        numbers = {post.number for section in self.config.sections for post in section.posts}
        for row in left:
            if _number(row.control) not in numbers:
                words = f"the route has no {row.control}"
                self.findings.append(Finding(row.control, Verdict.FALSE, words, "RR-P7", row.at("control")))

    def _place_noted(self, sections: Sequence[Section]) -> None:
        """Assign the noted faults to the sections by their controls; the last section gets all others."""
        self.noted = {
            section.number: [
                fault for fault in self.sheet.faults if _number(fault.control) in {post.number for post in section.posts}
            ]
            for section in sections
        }
        placed = [fault for faults in self.noted.values() for fault in faults]
        for section in sections[-1:]:
            self.noted[section.number] += [fault for fault in self.sheet.faults if fault not in placed]

    def _compare(self, section: Section, rows: Sequence[Row]) -> None:
        """Record where ``rows`` have another control, distance or regularity speed than ``section``."""
        for post, distance in zip(section.posts, section.distances, strict=True):
            row = next((row for row in rows if _number(row.control) == post.number), None)
            if row is None:
                continue
            own = row.timing or timing_of(row.control)
            for what, written, right, rule in (
                ("control", row.control, post.name, "RR-C4"),
                ("section", own, post.timing if row.control == post.name else own, "RR-C4"),
                ("distance", row.distance, distance, "RR-H1"),
                ("regularity speed", row.speed, post.speed, "RR-T4"),
            ):
                if written != right:
                    words = f"the sheet says {what} {written}, the map gives {right}"
                    self.findings.append(Finding(row.control, Verdict.FALSE, words, rule, row.at(what), (str(right),)))

    def faults(self, section: Section, found: Sequence[tuple[Fault, Entered]]) -> int:
        """Return how many faults count in ``section``: those ``found``, and those only noted.

        It records each fault found but not noted, and each fault noted but not found.
        """
        noted = self.noted.get(section.number, [])
        for fault, entered in found:
            same = max(noted, key=lambda one: _likeness(one, fault), default=None)
            if same is not None and _likeness(same, fault):
                noted.remove(same)
                continue
            words = f"turn {entered.number}: {fault.words}: 30 marks, missing on the sheet"
            short = fault.words.partition(", where")[0]
            note = f"+30 {short}{'' if section.end.name in short else f' on the way to {section.end.name}'}"
            place = entered.row.at(f"speed {entered.turn}")
            self.findings.append(Finding(section.end.name, Verdict.NOTE, words, fault.rule, place, (note,)))
        for one in noted:
            words = f"the sheet notes “{one.words}”, but the speeds cause no such fault: 30 marks"
            self.findings.append(Finding(one.control or section.end.name, Verdict.NOTE, words, "RR-P4", one.place))
        return len(found) + len(noted)

    def passages(self, rows: Sequence[Row], found: Found) -> Iterator[Finding]:
        """Record PCs that have their own row and are met on another turn than its last one (RR-F1)."""
        turns = 0
        for row in rows[:-1]:
            turns += len(row.speeds)
            post = next((post for post in found.section.posts if post.number == _number(row.control)), None)
            met = None if post is None else found.met.get(post.name)
            is_own = "control" in row.places or not row.places
            if is_own and post is not None and met != turns and row.speeds:
                where = "not met at all" if met is None else f"met {abs(met - turns)} {_turns(met - turns)}"
                place = row.at(f"speed {len(row.speeds)}")
                yield Finding(row.control, Verdict.NOTE, f"{post.name} is {where}", "RR-F1", place)


def _turns(later: int) -> str:
    return f"{'turn' if abs(later) == 1 else 'turns'} {'later' if later > 0 else 'earlier'}"


def _likeness(noted: NotedFault, fault: Fault) -> int:
    """Return how well a ``noted`` fault fits one from the drive, 0 if it is about something else."""
    said = noted.words.casefold()
    if noted.rules:
        return 2 if fault.rule in noted.rules else 0
    names = re.findall(r"\b(?:[rs]?tc|ssf|pc)[0-9]+\b", said)
    if not names or not fault.control:
        return 1
    return 3 if fault.control.casefold() in names else 0


def _number(control: str) -> int:
    found = _NUMBER.search(control)
    return int(found[0]) if found else 0
