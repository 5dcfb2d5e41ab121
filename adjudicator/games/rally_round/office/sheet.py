"""Hold a time sheet as written (RR-P7): its rows, the places of its entries in a text, and the findings of an audit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from adjudicator.game import Value, field, replace, total
from adjudicator.games.rally_round.components import Does, KitCard, Timing
from adjudicator.games.rally_round.office.lines import KINDS, Word
from adjudicator.games.rally_round.office.outputs import (
    NotedFault,
    ScoredSection,
    ScoredSheet,
    SheetFinding,
    SheetIncident,
    SheetKit,
    SheetRow,
    SheetStep,
    TimeSheet,
    Verdict,
)
from adjudicator.games.rally_round.speeds import FASTEST, FASTEST_NAMED, STANDARD, meant_speed
from adjudicator.games.rally_round.timing import FAULT, RULES_OF_TIME, clock, timed

FALSE: Final[Verdict] = "false"
CARD: Final[Verdict] = "card"
NOTE: Final[Verdict] = "note"
_LONGEST_LINE: Final = 2000
_TELLING: Final = {"RR-F5": ("give way",), "RR-F10": ("quiet", "speed"), "RR-F4": ("wrong",), "RR-F9": ("roll",)}
"""Words that tell the rule of a noted fault."""
_RULES_OF_PENALTY: Final = {Timing.ROAD: "RR-P1", Timing.REGULARITY: "RR-P3"}
Entry = tuple[str, str]
"""An entry of a sheet: the control of its row (empty: at the foot), and what it is: ``target``, ``speed 2`` …"""


class Finding(NamedTuple):
    """An ``entry`` that does not follow from the speeds, on the way to ``control``: see ``SheetFinding``."""

    control: str
    verdict: Verdict
    message: str
    rule: str
    entry: Entry | None = None
    suggestions: tuple[str, ...] = ()


class Written(Value, kw_only=True):
    """A time ``sheet`` from the file ``source``: if that is a text, its ``lines``, and the line and word of each entry."""

    sheet: TimeSheet
    source: str = ""
    lines: Sequence[str] = ()
    places: Mapping[Entry, tuple[int, Word]] = field(default_factory=dict)

    def told(self, finding: Finding) -> SheetFinding:
        """Return ``finding`` with its place, that of its row if the entry itself has none."""
        found = SheetFinding(
            control=finding.control,
            verdict=finding.verdict,
            message=finding.message,
            rule=finding.rule,
            suggestions=finding.suggestions,
        )
        entry = finding.entry or ("", "")
        line, word = self.places.get(entry) or self.places.get((entry[0], "control")) or (0, Word("", 0))
        if not line:
            return found
        text, width = self.lines[line - 1][:_LONGEST_LINE], len(word.text)
        return replace(found, line=line, column=word.column, width=width, text=text)

    def scored(
        self,
        sections: Sequence[ScoredSection],
        findings: Iterable[Finding],
        incidents: Iterable[SheetIncident] = (),
        disqualified: str = "",
        *,
        driven: bool = False,
    ) -> ScoredSheet:
        """Return the sheet with its score, without a place."""
        return ScoredSheet(
            source=self.source,
            crew=self.sheet.crew,
            entry_class=self.sheet.entry_class,
            place=None,
            class_place=None,
            out=self.sheet.out or disqualified,
            finished=False,
            sections=tuple(sections),
            fault_penalty=sum(section.fault_penalty for section in sections),
            total=sections[-1].total if sections else 0,
            findings=tuple(map(self.told, findings)),
            driven=driven,
            incidents=tuple(incidents),
        )


def timing_of(row: SheetRow) -> Timing | None:
    """Return the timing of the section that ends with ``row``, ``None`` for a PC."""
    return Timing(row.timing) if row.timing else KINDS.get(row.control.rstrip("0123456789"))


def number_of(control: str) -> int:
    """Return the number in the name of ``control``, 0 without one."""
    found = re.search(r"[0-9]+", control)
    return int(found[0]) if found else 0


def step_of(row: SheetRow, turn: int) -> SheetStep:
    """Return the notes on the speed of a ``turn`` in ``row``, from 1."""
    return next((step for step in row.steps if step.turn == turn), SheetStep(turn=turn))


def gains(row: SheetRow) -> tuple[int, ...]:
    """Return the squares that the car came in each turn: as noted, else by its speed; none above ``FASTEST`` (RR-F12)."""
    noted = {step.turn: step.squares for step in row.steps if step.squares is not None}
    by_speed = (0 if speed > FASTEST else speed // 10 for speed in row.speeds)
    return tuple(noted.get(turn, squares) for turn, squares in enumerate(by_speed, 1))


def kit_of(cards: Iterable[KitCard]) -> SheetKit:
    """Return the limits of ``cards`` on their best roads: without a map the colour is unknown."""
    most = dict.fromkeys((Does.START, Does.ACCELERATE, Does.DECELERATE), STANDARD)
    for effect in (effect for card in cards for effect in card.effects if effect.does in most):
        most[effect.does] = max(most[effect.does], effect.red, effect.yellow, effect.white)
    return SheetKit(start=most[Does.START], faster=most[Does.ACCELERATE], slower=most[Does.DECELERATE])


def rules_of(fault: NotedFault) -> frozenset[str]:
    """Return the rules that the words of a noted ``fault`` name; none if they name none."""
    words = fault.words.casefold()
    return frozenset([rule for rule, telling in _TELLING.items() if any(word in words for word in telling)])


def noted_faults(
    faults: Sequence[NotedFault], sections: Sequence[Collection[Any]], key: Callable[[str], Any] = str
) -> list[list[int]]:
    """Return for each section the indexes of the faults noted on the way to one of its controls; the last gets all others.

    ``sections`` gives the controls of each, by ``key``.
    """
    found = [[at for at, fault in enumerate(faults) if key(fault.control) in controls] for controls in sections]
    placed = {at for own in found for at in own}
    for last in found[-1:]:
        last += [at for at in range(len(faults)) if at not in placed]
    return found


def section_of(
    control: str, timing: Timing, distance: int, *, target: int, time: int, faults: int, before: int
) -> ScoredSection:
    """Return the score of the section to ``control`` with so many ``faults``; ``before`` is the total before it."""
    penalty, fault_penalty = total(timed(timing, time, target)), faults * FAULT
    return ScoredSection(
        control=control,
        timing=timing.value,
        distance=distance,
        target=target,
        time=time,
        penalty=penalty,
        fault_penalty=fault_penalty,
        total=before + penalty + fault_penalty,
    )


def wrong_speed(speed: int) -> tuple[str, tuple[str, ...]] | None:
    """Return why a number is no speed, and the speed that it probably means; ``None`` for a speed (RR-M1)."""
    if 0 <= speed <= FASTEST_NAMED and not speed % 10:
        return None
    return f"{speed} mph is not a speed", (meant_speed(speed),)


def changed(before: int, speed: int) -> tuple[str, str]:
    """Describe the step from the speed ``before`` to ``speed``, with its rule."""
    return (f"from {before} to {speed} mph", "RR-M3") if before else (f"a start at {speed} mph", "RR-M2")


def nearest(speed: int, legal: range) -> str:
    """Return the legal speed that is nearest to an illegal ``speed``."""
    return str(legal[-1] if speed > legal[-1] else legal[0])


def findings_of_times(row: SheetRow, found: ScoredSection) -> Iterator[Finding]:
    """Yield the times in ``row``, that of a time control, that do not follow from the section ``found``."""
    timing = Timing(found.timing)
    for what, name, written, right, rule in (
        ("target", "target", row.target, found.target, RULES_OF_TIME[timing]),
        ("time taken", "taken", row.taken, found.time, "RR-P5"),
        ("penalty", "penalty", row.penalty, found.penalty, _RULES_OF_PENALTY.get(timing, "RR-P2")),
    ):
        if written is not None and written != right:
            yield _miscounted(row.control, f"{what} {clock(written)}", right, rule, (row.control, name))


def findings_of_totals(sheet: TimeSheet, sections: Sequence[ScoredSection], least: int | None = None) -> Iterator[Finding]:
    """Yield the sums at the foot of a ``sheet`` that do not follow from its ``sections``.

    Without a map the sheet may omit faults: ``least`` are the sure ones in seconds, and each other one counts 30 marks.
    """
    faults, right = sum(one.fault_penalty for one in sections), sections[-1].total if sections else 0
    if sheet.other is not None and sheet.other != faults:
        is_explained = least is not None and sheet.other >= least and not sheet.other % FAULT
        yield _miscounted("other penalties", clock(sheet.other), faults, "RR-P7", ("", "other"), is_explained)
        right += sheet.other - faults if is_explained else 0
    if sheet.total is not None and sheet.total != right:
        more = sheet.total - right
        is_explained = least is not None and sheet.other is None and more >= least - faults and not more % FAULT
        yield _miscounted("total", clock(sheet.total), right, "RR-P7", ("", "total"), is_explained)


def _miscounted(control: str, written: str, right: int, rule: str, entry: Entry, is_explained: bool = False) -> Finding:
    why = ": is a fault missing on the sheet?" if is_explained else ""
    words = f"the sheet says {written}, the entries give {clock(right)}{why}"
    return Finding(control, NOTE if is_explained else FALSE, words, rule, entry, (clock(right),))
