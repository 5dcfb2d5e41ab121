"""Verdicts of an audit."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.ids import Digest


@frozen(kw_only=True)
class FoundDivergence:
    """Something in a game that is not as the rules have it.

    ``n`` is the number of the journal entry (``None``: it is about the whole), ``field`` the path of the value that differs,
    ``recorded`` and ``recomputed`` that value as text. If it is a ``sentence``, ``recomputed`` says in words what is wrong.
    """

    kind: str
    n: int | None
    seat: str
    order: str
    field: str
    recorded: str
    recomputed: str
    rule: str
    sentence: bool


@frozen
class ComparedTexts:
    """What a game was held against that had been published: so many ``texts``, with ``heads`` and ``entries`` of logs."""

    texts: int
    heads: int
    entries: int


@frozen(kw_only=True)
class AuditedGame:
    """What the audit of one game came to, in one word, its ``status``, and the first ``divergence`` if there is one.

    ``status`` is ``verified`` or ``diverged``; with `--impact` ``same`` or ``differs``; or why it was not decided:
    ``unread``, ``damaged``, ``version``, ``fault``. The counts say how much was decided again: journal entries, orders,
    corrections of the moderator, random outcomes (``draws``). A game kept by hand may have ``further`` divergences.
    ``against`` counts what it was held against with `--published`. ``advice`` says what to do next, if anything.
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
    divergence: FoundDivergence | None
    further: tuple[FoundDivergence, ...]
    against: ComparedTexts | None = added_later(None)
    advice: str = added_later("")


@frozen(kw_only=True)
class SkippedFile:
    """A file that was passed over, and the ``reason``; its ``status`` is ``skipped``."""

    source: str
    status: str
    reason: str


@frozen(kw_only=True)
class AuditSummary:
    """How many games came out how; ``kinds`` counts the divergences by kind.

    With `--impact` (``impact``), ``diverged`` are those that today's rules would decide differently.
    """

    impact: bool
    verified: int
    diverged: int
    undecided: int
    kinds: Mapping[str, int]
    skipped: int


@frozen
class AuditEnd:
    """The last line of an audit."""

    summary: AuditSummary


@frozen(kw_only=True)
class CheckedLogs:
    """What the check of published logs came to, for those who have no game file.

    Of the entries ``listed`` in the logs, ``entries`` were decided again, with ``draws`` outcomes; of ``hidden`` ones the
    logs do not show everything. ``mismatch`` says what does not fit first: the rest is ``sound`` if there is nothing.
    ``unchecked`` says from where on nothing could be computed, and why (each empty if there is nothing). ``untold`` are the
    first numbers that stand in no log. The ``commitment`` was compared with a published one if ``compared``.
    """

    game: str
    commitment: Digest
    compared: bool
    entries: int
    draws: int
    listed: int
    hidden: int
    sound: bool
    mismatch: str
    unchecked: str
    untold: tuple[int, ...]
