"""Write the verdicts of an audit: a line for each game and a summary, for people and for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from adjudicator.core.width import clip
from adjudicator.outputs.audits import (
    AuditedGame,
    AuditEnd,
    AuditSummary,
    ComparedText,
    ComparedTexts,
    FoundDivergence,
    SkippedFile,
)
from adjudicator.reports.text.sanitize import printable
from adjudicator.reports.text.table import GAP, count_of, table_lines
from adjudicator.verdict import NOT_DECIDED, AuditResult, Comparison, Divergence, Kind, Skipped, Verdict

_LONGEST: Final = 120
_STATUS_WIDTH: Final = 9
_NO_GAME: Final = "no game"
_VERIFIED: Final = {False: "verified", True: "same"}
_DIVERGED: Final = {False: "diverged", True: "differs"}
_ADVICE: Final = {
    Kind.UNREAD: "solve the problem that this line names, then audit it again",
    Kind.DAMAGED: "name the game file; if this is it, restore it from a backup, or ask for another copy of it",
    Kind.VERSION: "audit it with the version of the program and the ruleset that played it",
    Kind.FAULT: "the file may be fine: report the bug, with this line and the file, to the author of the ruleset or program",
    Kind.MINUTES: "correct the number, or ask who kept the game",
    Kind.RESULT: "correct the result, or ask who kept the game",
    Kind.PARTIAL: "add the logs that are missing, or name the game file first once it is published",
    Kind.PUBLISHED: "ask the moderator which of the two is right, and compare the texts of other players",
}
_ADVICE_ON_A_LINE: Final = "correct the line, or ask who kept the game"
_ADVICE_ON_A_GAME: Final = "ask the moderator about it, and compare the reports and mails of that turn (--published)"
_ADVICE_ON_IMPACT: Final = "do nothing: a running game keeps the version of the rules that it began with"


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
            self.skipped += not result.why
            self.noted += bool(result.why)
        elif result.divergence is None:
            self.verified += 1
        else:
            self.kinds[result.divergence.kind] += 1
            self.unopened += result.divergence.kind is Kind.UNREAD and not result.ruleset

    @property
    def diverged(self) -> int:
        """The number of games for which the audit came to another result than recorded."""
        return sum(count for kind, count in self.kinds.items() if kind not in NOT_DECIDED)

    @property
    def faults(self) -> int:
        """The number of games that were not decided because of a bug in the program or in a ruleset."""
        return self.kinds[Kind.FAULT]

    @property
    def undecided(self) -> int:
        """The number of files that were not decided: damaged, unreadable, of another version, or stopped by a bug."""
        return sum(count for kind, count in self.kinds.items() if kind in NOT_DECIDED)

    @property
    def judged(self) -> int:
        """The number of games, without files that were not even opened."""
        return self.verified + self.diverged + self.undecided - self.unopened


def result_text(result: AuditResult, *, is_impact: bool = False, is_verbose: bool = False) -> str:
    """Return ``result`` as one line, safe for a terminal; empty for files that are no games, unless ``is_verbose``."""
    if isinstance(result, Skipped):
        why = result.why or (_NO_GAME if is_verbose else "")
        return _row("skipped", "", why, result.source) if why else ""
    if result.divergence is None:
        return _row(_VERIFIED[is_impact], result.game, _counts(result), result.source)
    status = _status(result, is_impact=is_impact)
    first = _row(status, result.game, divergence_text(result.divergence), result.source)
    return "\n".join([first, *(f"{GAP}and {divergence_text(divergence)}" for divergence in result.further)])


def advice(result: AuditResult, *, is_impact: bool = False) -> str:
    """Return the next step of the user after ``result``; empty for none."""
    if isinstance(result, Skipped) or result.divergence is None:
        return ""
    divergence = result.divergence
    if is_impact and divergence.kind not in NOT_DECIDED:
        return _ADVICE_ON_IMPACT
    return _ADVICE.get(divergence.kind, _ADVICE_ON_A_LINE if divergence.is_sentence else _ADVICE_ON_A_GAME)


def audit_row(result: AuditResult, *, is_impact: bool = False) -> AuditedGame | SkippedFile:
    """Return ``result`` for machines."""
    if isinstance(result, Skipped):
        return SkippedFile(source=result.source, status="skipped", reason=result.why or _NO_GAME)
    compared = result.compared
    return AuditedGame(
        source=result.source,
        status=_status(result, is_impact=is_impact),
        game=result.game,
        ruleset=result.ruleset,
        entries=result.entries,
        orders=result.orders,
        corrections=result.corrections,
        draws=result.draws,
        over=result.is_over,
        divergence=None if result.divergence is None else _found_divergence(result.divergence),
        further=tuple(map(_found_divergence, result.further)),
        against=None if compared is None else _compared_texts(compared),
        advice=advice(result, is_impact=is_impact),
    )


def result_of(row: Mapping[str, Any]) -> AuditResult:
    """Return the result from ``row``, the JSON object that `audited` made of it. Raises ``KeyError``, ``ValueError``."""
    if row["status"] == "skipped":
        return Skipped(row["source"], "" if row["reason"] == _NO_GAME else row["reason"])
    return Verdict(
        row["source"],
        row["game"],
        row["ruleset"],
        row["entries"],
        row["orders"],
        row["corrections"],
        row["draws"],
        row["over"],
        None if row["divergence"] is None else _divergence_of(row["divergence"]),
        tuple(map(_divergence_of, row["further"])),
    )


def _divergence_of(row: Mapping[str, Any]) -> Divergence:
    kind = Kind(row["kind"])
    texts = {name: row[name] for name in ("seat", "order", "field", "recorded", "recomputed", "rule")}
    return Divergence(kind, row["n"], is_sentence=row["sentence"] and kind not in NOT_DECIDED, **texts)


def divergence_text(divergence: Divergence) -> str:
    """Return ``divergence`` as text: the place, the recorded value, the right value and the rule."""
    rule = f" ({divergence.rule})" if divergence.rule else ""
    if divergence.kind in NOT_DECIDED:
        field = f"{divergence.field}: " if divergence.field else ""
        return _place(divergence) + clip(f"{field}{divergence.recomputed}", 2 * _LONGEST)
    if divergence.is_sentence:
        return f"{_place(divergence)}{divergence.field}: {clip(divergence.recomputed, 2 * _LONGEST)}{rule}"
    recorded, recomputed = clip(divergence.recorded, _LONGEST), clip(divergence.recomputed, _LONGEST)
    return f"{_place(divergence)}{divergence.field} is {recorded or 'empty'}, should be {recomputed or 'empty'}{rule}"


def tally_text(tally: Tally) -> str:
    """Return the summary: the number of games by result, then a line for each kind of divergence."""
    words = "same" if tally.is_impact else "verified"
    parts = [f"{tally.verified} {words}"]
    if tally.diverged or tally.is_impact:
        parts.append(f"{tally.diverged} {'would be decided differently' if tally.is_impact else 'diverged'}")
    if tally.undecided:
        parts.append(f"{tally.undecided} not decided")
    total = count_of(tally.verified + tally.diverged + tally.undecided, "game")
    lines = [f"{total}: {', '.join(parts)}"]
    lines += [f"{GAP}{line}" for line in table_lines((), [(str(n), kind.value) for kind, n in _by_kind(tally)])]
    if tally.skipped:
        lines.append(f"{count_of(tally.skipped, 'file')} ignored: {'not a game' if tally.skipped == 1 else 'not games'}")
    return "\n".join(lines)


def audit_end(tally: Tally) -> AuditEnd:
    """Return the summary for machines."""
    return AuditEnd(
        AuditSummary(
            impact=tally.is_impact,
            verified=tally.verified,
            diverged=tally.diverged,
            undecided=tally.undecided,
            kinds={kind.value: count for kind, count in _by_kind(tally)},
            skipped=tally.skipped + tally.noted,
        )
    )


def _status(verdict: Verdict, *, is_impact: bool) -> str:
    """Return ``verdict`` as one word."""
    if verdict.divergence is None:
        return _VERIFIED[is_impact]
    kind = verdict.divergence.kind
    if kind is Kind.UNREAD:
        return "unread"
    return kind.value if kind in NOT_DECIDED else _DIVERGED[is_impact]


def _row(status: str, game: str, words: str, source: str) -> str:
    cells = (status.ljust(_STATUS_WIDTH), printable(game) or "–", printable(words), printable(source))
    return GAP.join(cells)


def _counts(verdict: Verdict) -> str:
    parts = [count_of(verdict.orders, "order"), count_of(verdict.draws, "draw")]
    if verdict.corrections:
        parts.append(count_of(verdict.corrections, "correction"))
    if verdict.compared is not None:
        parts.append(_compared(verdict.compared))
    return ", ".join(parts)


def _compared_texts(compared: Comparison) -> ComparedTexts:
    return ComparedTexts(compared.texts, compared.heads, compared.entries, compared.details)


def comparison_text(result: AuditResult) -> str:
    """Return for people what of each published text was compared with the game of ``result``; empty for none."""
    compared = None if isinstance(result, Skipped) else result.compared
    return "\n".join(
        printable(f"  {one.name}: compared: {', '.join(one.as_published) or 'nothing'}; not compared: {_rest(one)}")
        for one in (compared.details if compared is not None else ())
    )


def _rest(one: ComparedText) -> str:
    return ", ".join(one.not_compared) or "nothing else is in it"


def _compared(compared: Comparison) -> str:
    heads, entries = count_of(compared.heads, "head"), count_of(compared.entries, "entry", "entries")
    return f"as published ({heads}, {entries} in {count_of(compared.texts, 'text')})"


def _place(divergence: Divergence) -> str:
    """Return the entry with the divergence as text; empty if it is about no entry."""
    if divergence.entry == 0:
        return "set-up: "
    if divergence.entry is None:
        return f"{divergence.seat}: " if divergence.seat else ""
    order = f"{divergence.seat}: {clip(divergence.order, _LONGEST)}" if divergence.order else divergence.seat
    if divergence.kind is Kind.PUBLISHED and not order:  # the game file has no such entry
        return f"entry {divergence.entry}: "
    return f"entry {divergence.entry} ({order or 'no seat'}): "


def _found_divergence(divergence: Divergence) -> FoundDivergence:
    return FoundDivergence(
        kind=divergence.kind.value,
        n=divergence.entry,
        seat=divergence.seat,
        order=divergence.order,
        field=divergence.field,
        recorded=divergence.recorded,
        recomputed=divergence.recomputed,
        rule=divergence.rule,
        sentence=divergence.is_sentence or divergence.kind in NOT_DECIDED,
    )


def _by_kind(tally: Tally) -> list[tuple[Kind, int]]:
    """Return each kind with its count, the most frequent first, without kinds that did not occur."""
    return sorted(((kind, count) for kind, count in tally.kinds.items() if count), key=lambda item: (-item[1], item[0]))
