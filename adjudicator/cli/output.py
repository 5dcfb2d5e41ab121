"""Printing: text for people, JSON for machines, problems on standard error."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

import typer

DONE = 0
PROBLEMS = 1
MISUSE = 2
UNTRUSTED = 3


class MisuseError(Exception):
    """The command was called with something that makes no sense; the message says what would."""


def say(text: str) -> None:
    """Print ``text``, which must be safe for a terminal, as a line on standard output."""
    sys.stdout.write(f"{text}\n")


def say_json(data: Any) -> None:
    """Print ``data`` as one line of JSON on standard output."""
    from adjudicator.reports.safe import safe_json

    sys.stdout.write(f"{safe_json(data)}\n")


def say_bytes(data: bytes) -> None:
    """Write ``data`` to standard output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def warn(text: str) -> None:
    """Print ``text``, made safe for a terminal, on standard error."""
    from adjudicator.reports.safe import printable

    for line in text.split("\n"):
        sys.stderr.write(f"{printable(line)}\n")


def leave(code: int) -> NoReturn:
    """End the command with exit ``code``."""
    raise typer.Exit(code)


def fail(code: int, kind: str, text: str, *, as_json: bool = False, **more: Any) -> NoReturn:
    """End the command with ``code``, saying why: ``kind`` is a stable word for machines, ``text`` is for people."""
    if as_json:
        sys.stdout.write(json.dumps({"error": kind, "message": text, **more}, ensure_ascii=True) + "\n")
    else:
        warn(f"adjudicator: {text}")
    leave(code)


def is_terminal() -> bool:
    """Return whether standard output is a terminal that shows colours."""
    import os

    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
