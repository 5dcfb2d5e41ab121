"""Represent the verdicts of audits as values that processes exchange and that reports print."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adjudicator.core.values import Value
from adjudicator.outputs.audits import ComparedText


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


class Divergence(Value):
    """The first value in a game that differs from the result of the rules.

    ``entry`` is the number of the journal entry (``None``: the file as a whole), ``field`` the path of the value,
    ``recorded`` and ``recomputed`` the two values as text, ``rule`` the rule that decides, if there is one. For the kinds
    in ``NOT_DECIDED``, ``recorded`` is empty and ``recomputed`` is a sentence about the problem. If it ``is_sentence``,
    ``recorded`` is the line as written, and ``recomputed`` is a sentence about the problem instead of a value.
    """

    kind: Kind
    entry: int | None = None
    seat: str = ""
    order: str = ""
    field: str = ""
    recorded: str = ""
    recomputed: str = ""
    rule: str = ""
    is_sentence: bool = False


class Comparison(Value):
    """The numbers of published ``texts``, of ``heads`` and of log ``entries`` that an audit compared with a game.

    ``details`` say of each text what was compared.
    """

    texts: int
    heads: int
    entries: int
    details: tuple[ComparedText, ...] = ()


class Verdict(Value):
    """The result of the audit of one game: verified if there is no ``divergence``.

    The audit has decided this many journal ``entries`` again, with ``orders`` of players, ``corrections`` of the moderator
    and random outcomes (``draws``). A game kept by hand can have ``further`` divergences. ``compared`` counts the published
    texts that the audit compared with the game (``None``: there were none).
    """

    source: str
    game: str = ""
    ruleset: str = ""
    entries: int = 0
    orders: int = 0
    corrections: int = 0
    draws: int = 0
    is_over: bool = False
    divergence: Divergence | None = None
    further: tuple[Divergence, ...] = ()
    compared: Comparison | None = None

    @property
    def is_verified(self) -> bool:
        """Whether the rules, the chance and the clock give this game."""
        return self.divergence is None


class Skipped(Value):
    """A file that the audit ignored, and ``why``: a sentence, or empty for a file that is not a game."""

    source: str
    why: str = ""


AuditResult = Verdict | Skipped
"""The result for one source."""
