"""Why a command has failed, for machines."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.problem import Problem


class FailureKind(StrEnum):
    """What kind of failure it is: a stable word. Its exit code stands in docs/json.md."""

    USAGE = "usage"
    MISUSE = "misuse"
    RULESET = "ruleset"
    UNKNOWN_SEAT = "unknown-seat"
    SETUP = "setup"
    NOT_PROMISED = "not-promised"
    IMPOSSIBLE_OUTCOME = "impossible-outcome"
    NO_GAME = "no-game"
    FILE = "file"
    SYSTEM = "system"
    UNTRUSTED = "untrusted"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


@frozen
class Violation:
    """A place in a file that is not as it should be: its ``path`` (``$.journal[3].entry``), and a ``message`` why."""

    path: str
    message: str


@frozen(kw_only=True)
class Failure:
    """Why a command has not done what it was asked: the kind of ``error``, and a ``message`` for people.

    ``file`` names the file at fault, ``violations`` what is wrong with it where; ``problems`` are those of a set-up. Each is
    there only where it says anything.
    """

    error: FailureKind
    message: str
    file: str = added_later("")
    violations: tuple[Violation, ...] = added_later(())
    problems: tuple[Problem, ...] = added_later(())
