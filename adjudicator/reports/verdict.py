"""What an audit finds, as values that travel between processes and that reports put into words."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from adjudicator.core.frozen import frozen


class Kind(StrEnum):
    """What kind of divergence it is; the values appear in reports and summaries."""

    UNREAD = "not looked at"
    DAMAGED = "damaged"
    VERSION = "version"
    FAULT = "fault"
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


NOT_DECIDED: Final = frozenset((Kind.UNREAD, Kind.DAMAGED, Kind.VERSION, Kind.FAULT))
"""Kinds of games that the audit could not decide: the file is damaged or unreadable, or the rules are missing or failed."""


@frozen
class Divergence:
    """The first thing in a game that is not as the rules have it.

    ``entry`` is the number of the journal entry (``None``: the file as a whole), ``field`` the path of the value that
    differs, ``recorded`` and ``recomputed`` that value as text, ``rule`` the rule behind it where there is one. Of the kinds
    in ``NOT_DECIDED``, ``recorded`` is empty and ``recomputed`` says in words what is wrong. If it ``is_sentence``,
    ``recorded`` is the line as written, and ``recomputed`` says in words what is wrong with it: no value stands against it.
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


@frozen
class Compared:
    """How much of what was published a game was held against: so many ``texts``, with ``heads`` and ``entries`` of logs."""

    texts: int
    heads: int
    entries: int


@frozen
class Verdict:
    """What the audit of one game came to: verified if there is no ``divergence``.

    The counts say how much was decided again: journal ``entries``, ``orders`` of players, ``corrections`` of the
    moderator, random outcomes (``draws``). A game kept by hand may have ``further`` divergences: all are told.
    ``compared`` says what of the published it was held against, if anything.
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
    compared: Compared | None = None


@frozen
class Skipped:
    """Something that was passed over; ``why`` in words, empty for a file that never was to be a game."""

    source: str
    why: str = ""


AuditResult = Verdict | Skipped
"""What comes of one source."""
