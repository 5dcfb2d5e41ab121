"""The results of audits: values that processes exchange, that reports print, and that `audit --json` writes as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from adjudicator.core.chance import WordSent
from adjudicator.core.corrections import Forked
from adjudicator.core.journal import Entry
from adjudicator.core.values import MODERATOR, Value, replace


class Kind(StrEnum):
    """The kind of a divergence; its value appears in reports and summaries."""

    UNREAD = "not looked at"
    DAMAGED = "damaged"
    VERSION = "version"
    FAULT = "fault"
    PARTIAL = "partial"
    SETUP = "set-up"
    ENTRY = "entry"
    UNREADABLE = "unreadable order"
    REFUSED = "refused order"
    BRANCH = "other branch"
    CHANCE = "chance"
    EVENTS = "events"
    CORRECTION = "correction"
    PENDING = "pending orders"
    STATE = "state"
    MINUTES = "minutes"
    RESULT = "result"
    PUBLISHED = "published"


NOT_DECIDED: Final = frozenset((Kind.UNREAD, Kind.DAMAGED, Kind.VERSION, Kind.FAULT, Kind.PARTIAL))
"""The kinds for games that the audit could not decide: a damaged or unreadable file, missing rules, rules that
fail, or published logs that tell only a part of the game."""


NO_GAME: Final = "no game"
_ADVICE: Final = {
    Kind.UNREAD: "solve the problem that this line names, then audit it again",
    Kind.DAMAGED: "name the game file; if this is it, restore it from a backup, or ask for another copy of it",
    Kind.VERSION: "audit it with the version of the program and the ruleset that played it",
    Kind.FAULT: "the file may be fine: report the bug, with this line and the file, to the author of the ruleset or program",
    Kind.PARTIAL: "add the logs that are missing, or name the game file first once it is published",
    Kind.MINUTES: "correct the number, or ask who kept the game",
    Kind.RESULT: "correct the result, or ask who kept the game",
    Kind.PUBLISHED: "ask the moderator which of the two is right, and compare the texts of other players",
}
_ADVICE_ON_A_LINE: Final = "correct the line, or ask who kept the game"
_ADVICE_ON_A_GAME: Final = "ask the moderator about it, and compare the reports and mails of that turn (--published)"


class Divergence(Value):
    """The first value in a game that differs from the result of the rules.

    ``n`` is the number of the journal entry (``None``: it is about the whole game), ``field`` the path of the value,
    ``recorded`` and ``recomputed`` the two values as text, ``rule`` the rule that decides, if there is one. If it is a
    ``sentence``, ``recomputed`` explains the problem, and ``recorded`` is the line as written, or empty.
    """

    kind: Kind
    n: int | None = None
    seat: str = ""
    order: str = ""
    field: str = ""
    recorded: str = ""
    recomputed: str = ""
    rule: str = ""
    sentence: bool = False


class ComparedText(Value):
    """A published text: its ``name``, the parts ``as_published`` that were compared with a game, and those ``not_compared``.

    A part of JSON is named by its place in it, such as ``begun.options``.
    """

    name: str
    as_published: tuple[str, ...]
    not_compared: tuple[str, ...]


class ComparedTexts(Value, omit_defaults=True):
    """The published texts that a game was compared with: the number of ``texts``, of ``heads`` and of log ``entries``.

    ``details`` say of each text which parts of it were compared and which not.
    """

    texts: int
    heads: int
    entries: int
    details: tuple[ComparedText, ...] = ()


class Verdict(Value, kw_only=True, omit_defaults=True):
    """The result of the audit of one game: its ``status``, and the first ``divergence`` if there is one.

    ``status`` is ``verified`` or ``diverged``; with `--impact` ``same`` or ``differs``; or the reason why there is no
    verdict: ``unread``, ``damaged``, ``version``, ``fault``, ``partial``. The counts say how much was decided again: journal
    entries, orders, corrections of the moderator, random outcomes (``draws``). A game kept by hand may have ``further``
    divergences. ``against`` counts the published texts of `--published`. ``advice`` says what to do next (empty: nothing).
    A private game is ``forked_from`` a game and an entry of it: what was before is not proven.
    """

    source: str
    status: str
    game: str
    ruleset: str
    entries: int
    orders: int
    corrections: int
    draws: int
    over: bool
    divergence: Divergence | None
    further: tuple[Divergence, ...]
    against: ComparedTexts | None = None
    advice: str = ""
    forked_from: str = ""

    @property
    def is_verified(self) -> bool:
        """Whether the rules, the chance and the clock give this game."""
        return self.divergence is None

    @property
    def is_decided(self) -> bool:
        """Whether the rules have decided the game, and not a damaged file, a time limit or a bug."""
        return self.divergence is None or self.divergence.kind not in NOT_DECIDED


def verdict(
    source: str,
    divergence: Divergence | None = None,
    *,
    game: str = "",
    ruleset: str = "",
    entries: Sequence[Entry] = (),
    over: bool = False,
    further: tuple[Divergence, ...] = (),
) -> Verdict:
    """Return the verdict on a game of which the rules have decided the ``entries`` again, with its status and its advice."""
    firsts = [(entry.seat, entry.events[0] if entry.events else None) for entry in entries]
    first = firsts[0][1] if firsts else None
    found = Verdict(
        source=source,
        status="",
        game=game,
        ruleset=ruleset,
        entries=len(entries),
        orders=len([seat for seat, event in firsts if seat not in (None, MODERATOR) and type(event) is not WordSent]),
        corrections=len([seat for seat, _ in firsts if seat == MODERATOR]),
        draws=entries[-1].drawn if entries else 0,
        over=over,
        divergence=divergence,
        further=further,
        forked_from=f"{first.game} after entry {first.n}" if isinstance(first, Forked) else "",
    )
    return revised(found)


def revised(found: Verdict, *, is_impact: bool = False, **changes: Any) -> Verdict:
    """Return ``found`` with ``changes`` of its fields, and the status and the advice that they give.

    ``is_impact``: today's rules have decided a game that others had decided.
    """
    found = replace(found, **changes)
    divergence, status, advice = found.divergence, "same" if is_impact else "verified", ""
    if divergence is not None and (kind := divergence.kind) in NOT_DECIDED:
        status, advice = "unread" if kind is Kind.UNREAD else kind.value, _ADVICE[kind]
    elif divergence is not None and is_impact:
        status, advice = "differs", "do nothing: a running game keeps the version of the rules that it began with"
    elif divergence is not None:
        on_it = _ADVICE_ON_A_LINE if divergence.sentence else _ADVICE_ON_A_GAME
        status, advice = "diverged", _ADVICE.get(divergence.kind, on_it)
    return replace(found, status=status, advice=advice)


def undecided(source: str, kind: Kind, words: str, field: str = "", **facts: Any) -> Verdict:
    """Return the verdict on a game that could not be decided, as ``words`` say: ``kind`` is one of ``NOT_DECIDED``."""
    return verdict(source, Divergence(kind, field=field, recomputed=words, sentence=True), **facts)


class Skipped(Value):
    """A file that the audit ignored, and the ``reason``: a sentence, unless it is no game at all."""

    source: str
    reason: str = NO_GAME
    status: str = "skipped"


AuditResult = Verdict | Skipped
"""The result for one source."""


class AuditSummary(Value, kw_only=True):
    """The number of games by result; ``kinds`` counts the divergences by kind.

    With `--impact` (``impact``), ``diverged`` counts the games that today's rules would decide differently.
    """

    impact: bool
    verified: int
    diverged: int
    undecided: int
    kinds: Mapping[str, int]
    skipped: int


class AuditEnd(Value):
    """The last line of an audit."""

    summary: AuditSummary
