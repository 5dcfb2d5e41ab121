"""The errors for files that cannot be read, written or trusted, with messages for a tired moderator."""

from __future__ import annotations

from collections.abc import Iterable
from copyreg import __newobj__  # type: ignore[attr-defined]
from typing import Any, Final

from adjudicator.core.problem import AdjudicatorError, Violation

SHOWN: Final = 20
"""The number of violations that a message lists; it counts the rest."""


class FileProblem(AdjudicatorError):
    """Report that a file cannot be read, written or trusted; ``file`` is its name as the moderator gave it."""

    kind = "file"

    def __init__(self, file: str, words: str) -> None:
        """Keep the name of the ``file`` and the ``words`` that describe its problem."""
        super().__init__(f"{file}: {words}")
        self.file, self.words = file, words

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the parts from which another process makes the same error."""
        return __newobj__, (type(self), *self.args), self.__dict__

    def rename(self, file: str) -> None:
        """Name ``file`` in the message, where the contents were read from elsewhere."""
        self.file, self.args = file, (f"{file}: {self.words}",)


class CannotRead(FileProblem):
    """Report that a file cannot be read: it is missing, is no file or may not be read, or the disk failed."""


class NotBegun(CannotRead):
    """Report that a file holds a prepared game, which has no position before it begins."""


class NoRules(CannotRead):
    """Report that the ``ruleset`` of a file is installed but cannot be loaded; the file itself may be sound."""

    def __init__(self, file: str, words: str, ruleset: str) -> None:
        """Keep the id of the ``ruleset``; ``words`` say why it cannot be loaded."""
        super().__init__(file, words)
        self.ruleset = ruleset


class CannotWrite(FileProblem):
    """Report that a file cannot be written; its old contents are unchanged."""


class InUse(CannotWrite):
    """Report that another adjudicator has locked the file."""


def system_words(error: OSError | ValueError, missing: str, action: str) -> str:
    """Return why the system refuses the ``action``, such as "read this file", on a ``missing`` "file" or "folder"."""
    match error:
        case FileNotFoundError():
            return f"there is no such {missing}"
        case IsADirectoryError():
            return "this is a folder, not a file"
        case PermissionError():
            return f"you have no permission to {action}"
        case ValueError():  # a name with a NUL in it
            return "this is not a valid file name"
    return f"the file cannot be {'read' if action.startswith('read') else 'written'}: {error.strerror or error}"


class Untrusted(FileProblem):
    """Report that a file cannot be trusted; ``violations`` lists every reason, at least one."""

    kind = "untrusted"
    exit_code = 3

    def __init__(self, file: str, violations: Iterable[Violation], words: str = "this file cannot be trusted") -> None:
        """Keep all ``violations``; the message lists the first of them and counts the rest."""
        self.violations = tuple(violations)
        lines = [f"  {violation}" for violation in self.violations[:SHOWN]]
        hidden = len(self.violations) - len(lines)
        if hidden:
            lines.append(f"  … and {hidden} more")
        super().__init__(file, "\n".join([words, *lines]))


class RulesetChanged(Untrusted):
    """Report an undamaged file whose ruleset has since changed the shape of its state, events or parts."""

    def __init__(self, file: str, violations: Iterable[Violation], ruleset: str) -> None:
        """Keep the ``violations`` of the present shape; ``reason`` tells the author of the ``ruleset`` what to do."""
        self.ruleset = ruleset
        self.reason = (
            f"the file is undamaged, but the ruleset “{ruleset}” has changed since: its author must declare a new field "
            "with `omit_defaults`, or raise `version`"
        )
        super().__init__(file, violations, self.reason)
