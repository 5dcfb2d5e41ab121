"""Report usage errors in plain English, and as JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from adjudicator.cli.output import MISUSE, fail

# typer exports only a subclass of the base class of all usage errors.
_UsageError: Final[Any] = typer.BadParameter.__mro__[1]


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Return whether ``--json`` is an option in ``arguments``, not a value after ``--``."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def in_plain_words(message: str) -> str:
    """Return a ``message`` of typer without the names of Python's types and its formulas for ranges."""
    message = re.sub(r"is not a valid int(eger)?( range)?\b", "is not a whole number", message)
    message = re.sub(r"is not a valid float( range)?\b", "is not a number", message)
    message = re.sub(r"is not in the range (\S+)<=x<=(\S+?)\.?$", r"is not from \1 to \2.", message)
    message = re.sub(r"is not one of ('[^',]+')\.?$", r"is not \1.", message)
    return re.sub(r"is not in the range x>=(\S+?)\.?$", r"is not \1 or more.", message)


class Commands(TyperGroup):
    """The commands together; with --json, usage errors are JSON like every other failure."""

    _is_for_machines = False

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Parse the options before the command."""
        self._is_for_machines = asks_for_json(args)
        with self._explained_usage():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments of the command and run it."""
        with self._explained_usage():
            return super().invoke(ctx)

    @contextmanager
    def _explained_usage(self) -> Iterator[None]:
        """Put usage errors in plain words, and print them as JSON for programs."""
        try:
            yield
        except _UsageError as error:
            error.message = in_plain_words(error.message)
            if not self._is_for_machines:
                raise
            fail(MISUSE, "usage", error.format_message(), as_json=True)
