"""What an audit finds, as values that travel between processes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What kind of divergence it is; the values appear in reports and summaries."""

    DAMAGED = "damaged"
    VERSION = "version"
    SETUP = "set-up"
    UNREADABLE = "unreadable order"
    REFUSED = "refused order"
    BRANCH = "other branch"
    CHANCE = "chance"
    EVENTS = "events"
    CORRECTION = "correction"
    STATE = "state"
    MINUTES = "minutes"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first thing in a game that is not as the rules have it.

    ``entry`` is the number of the journal entry (``None``: the file as a whole), ``field`` the path of the value that
    differs, ``recorded`` and ``recomputed`` that value as text, ``rule`` the rule behind it where there is one.
    """

    kind: Kind
    entry: int | None = None
    seat: str = ""
    order: str = ""
    field: str = ""
    recorded: str = ""
    recomputed: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the audit of one game came to: verified if there is no ``divergence``.

    The counts say how much was decided again: journal ``entries``, ``orders`` of players, ``corrections`` of the
    moderator, random outcomes (``draws``).
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
