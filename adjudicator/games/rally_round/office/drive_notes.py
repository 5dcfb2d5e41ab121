"""Compare the drive of a time sheet on the map with the notes on the sheet: rows, distances, faults."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.events import Faulted
from adjudicator.games.rally_round.office.outputs import NotedFault, SheetRow, SheetStep, TimeSheet
from adjudicator.games.rally_round.office.sheet import FALSE, NOTE, Entry, Finding, number_of, rules_of, step_of, timing_of
from adjudicator.games.rally_round.route import Section

Rows = Sequence[SheetRow]


class Entered(NamedTuple):
    """A speed of the sheet: its ``row``, its ``turn`` in the row (from 1), and its ``number`` in the section."""

    row: SheetRow
    turn: int
    number: int

    @property
    def speed(self) -> int:
        """The speed in mph."""
        return self.row.speeds[self.turn - 1]

    @property
    def step(self) -> SheetStep:
        """The notes on the speed."""
        return step_of(self.row, self.turn)

    def entry(self, note: str = "") -> Entry:
        """Return the entry of the speed, or of a ``note`` with it (``via 1``, ``using``)."""
        return self.row.control, f"{note} of {self.turn}" if note else f"speed {self.turn}"


def sections_of(config: Config, sheet: TimeSheet) -> tuple[list[tuple[Section, Rows]], list[Finding]]:
    """Return the sections that the ``sheet`` has in full, with its rows, and a finding for each control off the route."""
    there, left = list[tuple[Section, Rows]](), list(sheet.rows)
    for section in config.sections:
        own = [row for post in section.posts for row in left if number_of(row.control) == post.number]
        left = [row for row in left if row not in own]
        if own and number_of(own[-1].control) == section.end.number:
            there.append((section, own))
    numbers = {post.number for section in config.sections for post in section.posts}
    strange = [row.control for row in left if number_of(row.control) not in numbers]
    return there, [Finding(name, FALSE, f"the route has no {name}", "RR-P7", (name, "control")) for name in strange]


def differences(section: Section, rows: Rows) -> Iterator[Finding]:
    """Yield where ``rows`` have another control, distance or regularity speed than ``section``."""
    by_number = {number_of(row.control): row for row in reversed(rows)}
    for post, distance in zip(section.posts, section.distances, strict=True):
        row = by_number.get(post.number)
        if row is None:
            continue
        own = timing_of(row)
        for what, written, right, rule in (
            ("control", row.control, post.name, "RR-C4"),
            ("section", own, post.timing if row.control == post.name else own, "RR-C4"),
            ("distance", row.distance, distance, "RR-H1"),
            ("regularity speed", row.speed, post.speed, "RR-T4"),
        ):
            if written != right:
                words = f"the sheet says {what} {written}, the map gives {right}"
                yield Finding(row.control, FALSE, words, rule, (row.control, what), (str(right),))


def compared_faults(
    end: str, found: Sequence[tuple[Faulted, Entered]], noted: Mapping[int, NotedFault]
) -> tuple[int, list[Finding]]:
    """Return how many faults count on the way to ``end``: those ``found``, and those only ``noted``.

    The findings are each fault found but not noted, and each one noted but not found.
    """
    left, findings = dict(noted), list[Finding]()
    for fault, entered in found:
        same = max(left, key=lambda at: _likeness(left[at], fault), default=None)
        if same is not None and _likeness(left[same], fault):
            del left[same]
            continue
        words = f"turn {entered.number}: {fault.words}: 30 marks, missing on the sheet"
        short = fault.words.partition(", where")[0]
        note = f"+30 {short}{'' if end in short else f' on the way to {end}'}"
        findings.append(Finding(end, NOTE, words, fault.rule, entered.entry(), (note,)))
    for at, one in left.items():
        words = f"the sheet notes “{one.words}”, but the speeds cause no such fault: 30 marks"
        findings.append(Finding(one.control or end, NOTE, words, "RR-P4", ("", f"fault {at}")))
    return len(found) + len(left), findings


def unmet(section: Section, rows: Rows, met: Mapping[str, int], own: Collection[str]) -> Iterator[Finding]:
    """Yield the PCs with their ``own`` rows that the car ``met`` in another turn than the last one of the row (RR-F1)."""
    turns = 0
    for row in rows[:-1]:
        turns += len(row.speeds)
        post = next((post for post in section.posts if post.number == number_of(row.control)), None)
        at = None if post is None else met.get(post.name)
        if post is not None and at != turns and row.speeds and row.control in own:
            where = "not met at all" if at is None else f"met {abs(at - turns)} {_turns(at - turns)}"
            yield Finding(row.control, NOTE, f"{post.name} is {where}", "RR-F1", (row.control, f"speed {len(row.speeds)}"))


def _turns(later: int) -> str:
    return f"{'turn' if abs(later) == 1 else 'turns'} {'later' if later > 0 else 'earlier'}"


def _likeness(noted: NotedFault, fault: Faulted) -> int:
    """Return how well a ``noted`` fault fits one from the drive, 0 if it is about something else."""
    rules = rules_of(noted)
    if rules:
        return 2 if fault.rule in rules else 0
    names = re.findall(r"\b(?:[rs]?tc|ssf|pc)[0-9]+\b", noted.words.casefold())
    if not names or not fault.control:
        return 1
    return 3 if fault.control.casefold() in names else 0
