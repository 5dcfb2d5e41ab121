"""Files named on the command line, `-` being standard input."""

from __future__ import annotations

import sys

from adjudicator.cli.output import MisuseError
from adjudicator.core.problem import SetupError
from adjudicator.desk import Desk, lay_out
from adjudicator.store.errors import CannotRead, Untrusted, Violation


def open_desk(path: str) -> Desk:
    """Return the game in the file ``path``, checked, with its table. Raises ``CannotRead``, ``Untrusted``."""
    from adjudicator.store.load import load_game

    game = load_game(path, bulk=True)
    try:
        return lay_out(game)
    except SetupError as error:
        raise Untrusted(path, [Violation("$.setup", problem.message) for problem in error.problems]) from error


def read_bytes(path: str, limit: int) -> bytes:
    """Return what is in ``path``, at most ``limit`` bytes and one: enough to see that it is too much."""
    if path == "-":
        return sys.stdin.buffer.read(limit + 1)
    try:
        with open(path, "rb") as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise CannotRead(path, error.strerror or str(error)) from error


def only_one_stdin(*paths: str) -> None:
    """Raise ``MisuseError`` if standard input is named twice."""
    if paths.count("-") > 1:
        raise MisuseError("standard input (`-`) can be named only once")
