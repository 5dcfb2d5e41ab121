"""Define the failure of a command, for programs."""

from __future__ import annotations

from enum import StrEnum

from adjudicator.core.problem import Problem
from adjudicator.core.values import Value


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


class Violation(Value):
    """A mistake in a file: its ``path`` (``$.journal[3].entry``), and a ``message`` that explains it."""

    path: str
    message: str


class Failure(Value, kw_only=True, omit_defaults=True):
    """Why a command has failed: the kind of ``error``, and a ``message`` for people.

    ``file`` names the faulty file, ``violations`` are its mistakes, ``problems`` are those of a set-up. Each of these fields
    is present only if it is not empty.
    """

    error: FailureKind
    message: str
    file: str = ""
    violations: tuple[Violation, ...] = ()
    problems: tuple[Problem, ...] = ()
