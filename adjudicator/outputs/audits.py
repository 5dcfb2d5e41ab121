"""Define the verdicts of an audit."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.values import Value


class FoundDivergence(Value, kw_only=True):
    """A difference between a game and the rules.

    ``n`` is the number of the journal entry (``None``: it is about the whole game), ``field`` the path of the value that
    differs, ``recorded`` and ``recomputed`` that value as text. If it is a ``sentence``, ``recomputed`` explains the
    problem.
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


class ComparedText(Value):
    """A published text: its ``name``, the parts ``as_published`` that were compared with a game, and those ``not_compared``.

    The names that lead to a part of JSON stand for it.
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


class AuditedGame(Value, kw_only=True, omit_defaults=True):
    """The result of the audit of one game: its ``status``, and the first ``divergence`` if there is one.

    ``status`` is ``verified`` or ``diverged``; with `--impact` ``same`` or ``differs``; or the reason why there is no
    verdict: ``unread``, ``damaged``, ``version``, ``fault``. The counts say how much was decided again: journal entries,
    orders, corrections of the moderator, random outcomes (``draws``). A game kept by hand may have ``further`` divergences.
    ``against`` counts the published texts of `--published`. ``advice`` says what to do next (empty: nothing).
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
    against: ComparedTexts | None = None
    advice: str = ""


class SkippedFile(Value, kw_only=True):
    """A file that was skipped, and the ``reason``; its ``status`` is ``skipped``."""

    source: str
    status: str
    reason: str


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
