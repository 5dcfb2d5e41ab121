"""Define the failure of a command, for programs."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.problem import Problem


class FailureKind(StrEnum):
    """The kind of a failure: a stable word. docs/json.md lists the exit code of each."""

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
    """A mistake in a file: its ``path`` (``$.journal[3].entry``), and a ``message`` that explains it."""

    path: str
    message: str


@frozen(kw_only=True)
class Failure:
    """Why a command has failed: the kind of ``error``, and a ``message`` for people.

    ``file`` names the faulty file, ``violations`` are its mistakes, ``problems`` are those of a set-up. Each of these fields
    is present only if it is not empty.
    """

    error: FailureKind
    message: str
    file: str = added_later("")
    violations: tuple[Violation, ...] = added_later(())
    problems: tuple[Problem, ...] = added_later(())
