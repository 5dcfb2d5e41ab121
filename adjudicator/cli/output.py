"""Printing: text for people, JSON for machines, problems on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn

DONE: Final = 0
PROBLEMS: Final = 1
MISUSE: Final = 2
UNTRUSTED: Final = 3
BUG: Final = 70
INTERRUPTED: Final = 130
"""What shells call a program that was stopped with Ctrl-C (128 + SIGINT)."""
UNHEARD: Final = 141
"""What shells call a program whose reader has gone (128 + SIGPIPE), as in ``adjudicator log g.json | head -1``."""

_WIDTH: Final = 80


class Stopped(KeyboardInterrupt):
    """The program was asked to end by a signal other than that of Ctrl-C; ``code`` is what shells call such an end."""

    def __init__(self, signal: int) -> None:
        """Keep the number of the ``signal``."""
        super().__init__()
        self.code = 128 + signal


class Left(Exception):
    """The command has ended, everything said; ``exit_code`` is that of the program."""

    def __init__(self, exit_code: int) -> None:
        """Keep the code."""
        super().__init__(exit_code)
        self.exit_code = exit_code


class MisuseError(Exception):
    """The command was called with something that makes no sense; the message says what would."""


class OutputError(Exception):
    """Standard output cannot be written: the disk behind it is full, or it has failed."""


def say(text: str) -> None:
    """Print ``text``, which must be safe for a terminal, as a line on standard output."""
    with _printing():
        sys.stdout.write(f"{text}\n")


def say_safely(text: str) -> None:
    """Print ``text`` in which players or file names may speak, line by line made safe for a terminal."""
    from adjudicator.reports.sanitize import printable

    say("\n".join(map(printable, text.split("\n"))))


def say_json(data: Any) -> None:
    """Print ``data``, of a shape that ``outputs`` has for the command, as one line of JSON on standard output."""
    from adjudicator.reports.sanitize import safe_json

    say(safe_json(data))


def say_failure(kind: str, text: str, **more: Any) -> None:
    """Print why a command has failed as JSON on standard output, where those who asked for JSON look; see ``fail``."""
    from adjudicator.outputs.failures import Failure, FailureKind

    say_json(Failure(error=FailureKind(kind), message=text, **more))


def say_bytes(data: bytes) -> None:
    """Write ``data`` to standard output as it is."""
    with _printing():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def warn(text: str) -> None:
    """Print ``text``, made safe for a terminal, on standard error, after what was said before."""
    from adjudicator.reports.sanitize import printable

    flush()
    with suppress(OSError):  # whoever closed standard error does not want to hear it
        for line in text.split("\n"):
            sys.stderr.write(f"{printable(line)}\n")


def flush() -> None:
    """Pass on everything said so far. Raises ``OutputError``, or ``BrokenPipeError`` where nobody reads any more."""
    with _printing():
        sys.stdout.flush()


def abandon_output() -> None:
    """Give standard output up: what is left unsaid goes nowhere, and nothing complains at the end of the program."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def leave(code: int) -> NoReturn:
    """End the command with exit ``code``, everything said."""
    flush()
    raise leaving(code)


def leaving(code: int) -> Exception:
    """Return what ends the command with exit ``code`` when it is raised: typer's own, if typer has called the command."""
    typer = sys.modules.get("typer")
    return Left(code) if typer is None else typer.Exit(code)


def is_leaving(error: BaseException) -> bool:
    """Return whether ``error`` is no mistake but the end of a command."""
    typer = sys.modules.get("typer")
    return isinstance(error, Left) or (typer is not None and isinstance(error, typer.Exit))


def fail(code: int, kind: str, text: str, *, as_json: bool = False, **more: Any) -> NoReturn:
    """End the command with ``code``, saying why: ``kind`` is a stable word for machines, ``text`` is for people.

    ``more`` are other fields of ``outputs.failures.Failure``.
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
    """Return how wide a text may be: the terminal up to 100 columns, 80 where there is none."""
    if not sys.stdout.isatty():
        return _WIDTH
    import shutil

    return max(40, min(100, shutil.get_terminal_size((_WIDTH, 24)).columns))


def as_output_error(error: Exception) -> OutputError:
    """Return what ``error`` of the system means to somebody who wanted to read."""
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
