"""Write the verdicts of an audit: a line for each game and a summary, for people and for machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.phrases import clip
from adjudicator.reports.texts import GAP, count_of, printable, table_lines
from adjudicator.verdict import (
    NO_GAME,
    NOT_DECIDED,
    AuditEnd,
    AuditResult,
    AuditSummary,
    Divergence,
    Kind,
    Skipped,
    Verdict,
)

_LONGEST: Final = 120
_STATUS_WIDTH: Final = 9


@dataclass(slots=True)
class Tally:
    """Counts verdicts: ``verified`` games, divergences by kind, and files ``skipped`` or, with a reason, ``noted``.

    With ``is_impact`` a divergence means that today's rules would decide differently. ``unopened`` counts the files of kind
    ``UNREAD`` that may not even be games.
    """

    is_impact: bool = False
    verified: int = 0
    skipped: int = 0
    noted: int = 0
    unopened: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)

    def add(self, result: AuditResult) -> None:
        """Count ``result``."""
        if isinstance(result, Skipped):
            self.skipped += result.reason == NO_GAME
            self.noted += result.reason != NO_GAME
        elif result.divergence is None:
            self.verified += 1
        else:
            self.kinds[result.divergence.kind] += 1
            self.unopened += result.divergence.kind is Kind.UNREAD and not result.ruleset

    @property
    def diverged(self) -> int:
        """The number of games for which the audit came to another result than recorded."""
        return self.kinds.total() - self.undecided

    @property
    def undecided(self) -> int:
        """The number of files that were not decided: damaged, unreadable, of another version, or stopped by a bug."""
        return sum(self.kinds[kind] for kind in NOT_DECIDED)

    @property
    def judged(self) -> int:
        """The number of games, without files that were not even opened."""
        return self.verified + self.kinds.total() - self.unopened

    @property
    def end(self) -> AuditEnd:
        """The summary for machines, with the most frequent kind first."""
        kinds = {kind.value: self.kinds[kind] for kind in sorted(self.kinds, key=lambda kind: (-self.kinds[kind], kind))}
        counts = {"verified": self.verified, "diverged": self.diverged, "undecided": self.undecided}
        return AuditEnd(AuditSummary(impact=self.is_impact, **counts, kinds=kinds, skipped=self.skipped + self.noted))


def result_text(result: AuditResult, *, is_verbose: bool = False) -> str:
    """Return ``result`` as one line, safe for a terminal; empty for files that are no games, unless ``is_verbose``."""
    if isinstance(result, Skipped):
        return _row("skipped", "", result.reason, result.source) if is_verbose or result.reason != NO_GAME else ""
    if result.divergence is None:
        parts = [count_of(result.orders, "order"), count_of(result.draws, "draw")]
        parts += [count_of(result.corrections, "correction")] if result.corrections else []
        parts += [f"private, goes on from {result.forked_from}"] if result.forked_from else []
        if (against := result.against) is not None:
            heads, entries = count_of(against.heads, "head"), count_of(against.entries, "entry", "entries")
            parts.append(f"as published ({heads}, {entries} in {count_of(against.texts, 'text')})")
        return _row(result.status, result.game, ", ".join(parts), result.source)
    first = _row(result.status, result.game, divergence_text(result.divergence), result.source)
    return "\n".join([first, *(f"{GAP}and {divergence_text(divergence)}" for divergence in result.further)])


def divergence_text(divergence: Divergence) -> str:
    """Return ``divergence`` as text: the place, the recorded value, the right value and the rule."""
    rule = f" ({divergence.rule})" if divergence.rule else ""
    if divergence.kind in NOT_DECIDED:
        field = f"{divergence.field}: " if divergence.field else ""
        return _place(divergence) + clip(f"{field}{divergence.recomputed}", 2 * _LONGEST)
    if divergence.sentence:
        return f"{_place(divergence)}{divergence.field}: {clip(divergence.recomputed, 2 * _LONGEST)}{rule}"
    recorded, recomputed = clip(divergence.recorded, _LONGEST), clip(divergence.recomputed, _LONGEST)
    return f"{_place(divergence)}{divergence.field} is {recorded or 'empty'}, should be {recomputed or 'empty'}{rule}"


def tally_text(tally: Tally) -> str:
    """Return the summary: the number of games by result, then a line for each kind of divergence."""
    parts = [f"{tally.verified} {'same' if tally.is_impact else 'verified'}"]
    if tally.diverged or tally.is_impact:
        parts.append(f"{tally.diverged} {'would be decided differently' if tally.is_impact else 'diverged'}")
    if tally.undecided:
        parts.append(f"{tally.undecided} not decided")
    lines = [f"{count_of(tally.verified + tally.kinds.total(), 'game')}: {', '.join(parts)}"]
    kinds = [(str(count), kind) for kind, count in tally.end.summary.kinds.items()]
    lines += [f"{GAP}{line}" for line in table_lines((), kinds)]
    if tally.skipped:
        lines.append(f"{count_of(tally.skipped, 'file')} ignored: {'not a game' if tally.skipped == 1 else 'not games'}")
    return "\n".join(lines)


def _row(status: str, game: str, words: str, source: str) -> str:
    cells = (status.ljust(_STATUS_WIDTH), printable(game) or "–", printable(words), printable(source))
    return GAP.join(cells)


def comparison_text(verdict: Verdict) -> str:
    """Return for people what of each published text was compared with the game of ``verdict``; empty for none."""
    lines = []
    for one in verdict.against.details if verdict.against is not None else ():
        compared, rest = ", ".join(one.as_published) or "nothing", ", ".join(one.not_compared) or "nothing else is in it"
        lines.append(printable(f"  {one.name}: compared: {compared}; not compared: {rest}"))
    return "\n".join(lines)


def _place(divergence: Divergence) -> str:
    """Return the entry with the divergence as text; empty if it is about no entry."""
    if divergence.n == 0:
        return "set-up: "
    if divergence.n is None:
        return f"{divergence.seat}: " if divergence.seat else ""
    order = f"{divergence.seat}: {clip(divergence.order, _LONGEST)}" if divergence.order else divergence.seat
    if divergence.kind is Kind.PUBLISHED and not order:  # the game file has no such entry
        return f"entry {divergence.n}: "
    return f"entry {divergence.n} ({order or 'no seat'}): "
