"""What can go wrong with a file, in words for a tired moderator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.core.frozen import frozen

SHOWN: Final = 20
"""Violations written out in a message; the rest are counted."""


@frozen
class Violation:
    """One thing that is wrong in a file: where, as a JSON path (``$.state.racers[0].minutes``), and what, in words."""

    path: str
    words: str

    def __str__(self) -> str:
        """Return path and words on one line."""
        return f"{self.path}: {self.words}"


class FileProblem(Exception):
    """A file could not be read, written or trusted; ``file`` is its name as the moderator gave it."""

    def __init__(self, file: str, words: str) -> None:
        """Keep the name of the ``file`` and say in ``words`` what is wrong with it."""
        super().__init__(f"{file}: {words}")
        self.file, self.words = file, words


class CannotRead(FileProblem):
    """The file is missing, not a file, not permitted, or the disk failed."""


class NotBegun(CannotRead):
    """The file holds a game that is prepared: there is nothing to be read of it before it has begun."""


class NoRules(CannotRead):
    """The file names a ``ruleset`` that is installed but cannot be loaded, which says nothing against the file."""

    def __init__(self, file: str, words: str, ruleset: str) -> None:
        """Keep the id of the ``ruleset``; ``words`` say why it cannot be loaded."""
        super().__init__(file, words)
        self.ruleset = ruleset


class CannotWrite(FileProblem):
    """The file cannot be written; what was there before is still there."""


class InUse(CannotWrite):
    """Another adjudicator holds the lock of the file."""


class Untrusted(FileProblem):
    """What the file says cannot be trusted; ``violations`` lists every reason, at least one."""

    def __init__(self, file: str, violations: Iterable[Violation], words: str = "this file cannot be trusted") -> None:
        """Keep all ``violations``; the message shows the first of them and counts the rest."""
        self.violations = tuple(violations)
        lines = [f"  {violation}" for violation in self.violations[:SHOWN]]
        hidden = len(self.violations) - len(lines)
        if hidden:
            lines.append(f"  … and {hidden} more")
        super().__init__(file, "\n".join([words, *lines]))


class RulesetChanged(Untrusted):
    """The file is whole, but its ruleset has another shape of state, events or parts than when the file was written."""

    def __init__(self, file: str, violations: Iterable[Violation], ruleset: str) -> None:
        """Keep the ``violations`` of the shape that the ``ruleset`` has now; ``reason`` tells its author what to do."""
        self.ruleset = ruleset
        self.reason = (
            f"the file is whole, but the ruleset “{ruleset}” has changed since: declare a new field with `added_later`, "
            "or raise `version` or write an upcast"
        )
        super().__init__(file, violations, self.reason)
