"""Audit one file, whatever is in it: a game, a script, damage, or something else. Write verdicts and their summary.

A verdict is a line for each game, for people; the summary is also for machines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from adjudicator.audit.decide import audit_game, fault
from adjudicator.audit.published import compare_texts
from adjudicator.audit.published_texts import PublishedText
from adjudicator.core.game import FORMAT
from adjudicator.core.phrases import clip
from adjudicator.core.problem import SetupError, Violation
from adjudicator.core.ruleset import fill_options
from adjudicator.core.values import replace
from adjudicator.files.errors import CannotRead, NoRules, NotBegun, RulesetChanged, Untrusted
from adjudicator.files.reading import TOO_DENSE
from adjudicator.library.game import Game
from adjudicator.reports.texts import GAP, count_of, printable, table_lines
from adjudicator.rulesets import ruleset
from adjudicator.script.play import audit_script
from adjudicator.script.read import is_script
from adjudicator.store.game_file import load_game
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
    revised,
    undecided,
    verdict,
)

_TEXT: Final = ".txt"
"""The file extension of games kept by hand; other texts in a folder are ignored."""
_LONGEST: Final = 120
_STATUS_WIDTH: Final = 9


def audit_bytes(
    data: bytes,
    name: str,
    *,
    is_named: bool = True,
    folder: str | None = None,
    impact: bool = False,
    published: Sequence[PublishedText] = (),
) -> AuditResult:
    """Return the verdict on ``data``, the file ``name``, whatever it contains.

    A file that is no game is ``Skipped``, unless the user has named it (``is_named``). ``folder`` has the files that a
    script names (``None``: it may name none). ``impact`` takes today's rules, whatever the version of the game. It must also
    agree with the ``published`` texts of ``read_published``.
    """
    about = dict[str, Any]()
    try:
        # A game kept by hand has every divergence and not only the first; nothing of it was published.
        if is_script(data) and not published:
            return revised(audit_script(name, data, folder), is_impact=impact)
        if not is_named and name.lower().endswith(_TEXT):
            return Skipped(name)
        record = loaded = load_game(data)
        about = {"game": record.id, "ruleset": record.ruleset.id}
        meta, version = ruleset(record.ruleset.id).meta, record.ruleset.version
        if not meta.can_decide(version) and not impact:
            words = f"played by version {version} of {meta.id}, which version {meta.version} can no longer decide"
            return undecided(name, Kind.VERSION, words, **about)
        if impact:
            record = replace(record, ruleset=replace(record.ruleset, version=meta.version))
        setup = record.setup
        try:  # a file may lack options that have defaults, which the audit reports
            options = fill_options(meta, setup.seats, setup.options, record.ruleset.version)
            game = Game.of(replace(record, setup=replace(setup, options=options)))
        except SetupError as error:
            impossible = Divergence(Kind.SETUP, field="setup", recorded="as it is", recomputed=f"impossible: {error}")
            return revised(verdict(name, impossible, **about), is_impact=impact)
        if not impact:
            game = game.with_record(record)
        found = audit_game(game, name)
        if published:
            found = compare_texts(found, Game.of(loaded) if impact else game, published)
        return revised(found, is_impact=impact)
    except CannotRead as error:
        if isinstance(error, NotBegun) and not is_named:
            return Skipped(name)
        return undecided(name, Kind.UNREAD, error.words, ruleset=error.ruleset if isinstance(error, NoRules) else "")
    except Untrusted as error:
        return _rejected(data, name, is_named, error)
    except Exception as error:  # a bug must not prevent the verdicts on other games
        return verdict(name, fault(error, about.get("ruleset", "")), **about)


def forgery_in(data: bytes, name: str) -> Untrusted | None:
    """Return the forgery or damage that the audit finds in ``data``, the game file ``name``; ``None`` if it finds none.

    An exception of the rules may be a bug, or the fault of a forged file, where schema, chain and seal can fit. A bug that
    also stops the audit proves nothing against the file.
    """
    found = audit_bytes(data, name)
    divergence = None if isinstance(found, Skipped) else found.divergence
    if divergence is None or divergence.kind in (Kind.UNREAD, Kind.VERSION, Kind.FAULT):
        return None
    path = "$" if divergence.n is None else f"$.journal[{divergence.n}]"
    words = "this file cannot be trusted: it contradicts the rules"
    return Untrusted(name, [Violation(path, divergence_text(divergence))], words)


def _rejected(data: bytes, name: str, is_named: bool, error: Untrusted) -> AuditResult:
    """Return the verdict on a rejected file, or skip the file if nothing suggests that it is a game."""
    first, more = error.violations[0], len(error.violations) - 1
    document: Any = None
    if first.message != TOO_DENSE:
        with suppress(ValueError, RecursionError):
            document = json.loads(data)
    said = document if isinstance(document, dict) else {}
    if not is_named and document is not None and "journal" not in said and not {"format", "ruleset"} <= said.keys():
        return Skipped(name)
    named = said["ruleset"] if isinstance(said.get("ruleset"), dict) else {}
    other = {  # whether another version of the program or the rules wrote it, by the place of what is wrong
        "$.format": type(said.get("format")) is int and 0 < said["format"] != FORMAT,
        "$.ruleset.id": isinstance(named.get("id"), str),
        "$.ruleset.version": type(named.get("version")) is int and named["version"] > 1,
        "$.components.version": bool(said),
    }
    kind = Kind.VERSION if other.get(first.path) else Kind.DAMAGED
    words = first.message + (f" (and {more} more)" if more else "")
    if isinstance(error, RulesetChanged):
        kind, words = Kind.VERSION, f"{first.message}: {error.reason}"
    ids = (text if isinstance(text, str) and len(text) <= 80 else "" for text in (said.get("id"), named.get("id")))
    return undecided(name, kind, words, first.place, **dict(zip(("game", "ruleset"), ids, strict=True)))


# For people -----------------------------------------------------------------------------------------------------------


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
