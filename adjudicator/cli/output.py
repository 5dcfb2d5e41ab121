"""Print text for people, JSON for programs, and problems on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn

import typer

DONE: Final = 0
PROBLEMS: Final = 1
MISUSE: Final = 2
UNTRUSTED: Final = 3
BUG: Final = 70
INTERRUPTED: Final = 130
"""The exit code of a program that was stopped with Ctrl-C (128 + SIGINT)."""
UNHEARD: Final = 141
"""The exit code after the output pipe was closed (128 + SIGPIPE), as in ``adjudicator log g.json | head -1``."""

_WIDTH: Final = 80
_COMMAND: Final = "adjudicator "


class Stopped(KeyboardInterrupt):
    """Stop the program because of a signal other than Ctrl-C; ``code`` is the exit code for it."""

    def __init__(self, signal: int) -> None:
        """Keep the number of the ``signal``."""
        super().__init__()
        self.code = 128 + signal


class MisuseError(Exception):
    """Report a wrong use of a command; the message says what to do instead."""


class OutputError(Exception):
    """Report that standard output cannot be written, for example because the disk is full."""


def say(text: str) -> None:
    """Print ``text``, which must be safe for a terminal, on standard output; a terminal gets lines of its width."""
    say_unchanged("\n".join(_fitted(text)))


def say_unchanged(text: str) -> None:
    """Print ``text``, which must be safe for a terminal, on standard output, with its own lines: others will read it."""
    with _printing():
        sys.stdout.write(f"{text}\n")


def _fitted(text: str) -> Iterator[str]:
    """Yield the lines of ``text`` in pieces that fit the terminal; commands and hashes stay whole, for copying."""
    width = terminal_width()
    for line in text.split("\n"):
        if width is None or line.lstrip().startswith(_COMMAND):
            yield line
        else:
            from adjudicator.reports.text.fold import folded_lines

            yield from folded_lines([line], width, is_hard=False)


def say_safely(text: str) -> None:
    """Print ``text`` that may contain words of players or file names; each line is made safe for a terminal."""
    from adjudicator.reports.text.sanitize import printable

    say("\n".join(map(printable, text.split("\n"))))


def say_json(data: Any) -> None:
    """Print ``data``, a result, as one line of JSON on standard output."""
    from adjudicator.reports.text.sanitize import safe_json

    say_unchanged(safe_json(data))


def say_failure(kind: str, text: str, **more: Any) -> None:
    """Print the failure of a command as JSON on standard output; see ``fail``."""
    from adjudicator.results import Failure, FailureKind

    say_json(Failure(error=FailureKind(kind), message=text, **more))


def say_bytes(data: bytes) -> None:
    """Write ``data`` to standard output unchanged."""
    with _printing():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def warn(text: str) -> None:
    """Print ``text``, made safe for a terminal, on standard error, after all earlier output."""
    from adjudicator.reports.text.sanitize import printable

    flush()
    with suppress(OSError):  # standard error may be closed
        for line in text.split("\n"):
            sys.stderr.write(f"{printable(line)}\n")


def flush() -> None:
    """Flush the output. Raises ``OutputError``, or ``BrokenPipeError`` if the output pipe was closed."""
    with _printing():
        sys.stdout.flush()


def abandon_output() -> None:
    """Discard the rest of standard output, so that Python does not complain at the end of the program."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave(code: int) -> NoReturn:
    """End the command with exit ``code`` after flushing its output."""
    flush()
    raise typer.Exit(code)


def fail(code: int, kind: str, text: str, *, as_json: bool = False, **more: Any) -> NoReturn:
    """End the command with ``code`` and a message: ``kind`` is a stable word for programs, ``text`` is for people.

    ``more`` are other fields of ``Failure``.
    """
    if as_json:
        say_failure(kind, text, **more)
    else:
        warn(f"adjudicator: {text}")
    leave(code)


def is_terminal() -> bool:
    """Return whether standard output is a terminal that shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def columns() -> int:
    """Return the width for text: that of the terminal up to 100 columns, or 80 without a terminal."""
    return min(100, terminal_width() or _WIDTH)


def say_outcome(text: str, *, is_good: bool) -> None:
    """Print ``text``, whose first column is an outcome: on a terminal this is green, or red if not ``is_good``."""
    if not is_terminal():
        say_safely(text)
        return
    from adjudicator.reports.text.sanitize import printable
    from adjudicator.reports.text.terminal_colors import painted, word_style

    outcome, gap, others = "\n".join(_fitted(printable(text))).partition("  ")
    say(painted(outcome, word_style("green" if is_good else "red"), color=True) + gap + others)


def terminal_width() -> int | None:
    """Return the width of the terminal in columns, at least 40; ``None`` without a terminal, which needs no limit."""
    if not sys.stdout.isatty():
        return None
    import shutil

    return max(40, shutil.get_terminal_size((_WIDTH, 24)).columns)


def as_output_error(error: Exception) -> OutputError:
    """Return ``error`` of the system as a message for the user."""
    if isinstance(error, OutputError):
        return error
    return OutputError(f"standard output cannot be written: {getattr(error, 'strerror', None) or error}")


@contextmanager
def _printing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise as_output_error(error) from error
