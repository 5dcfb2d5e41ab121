"""The commands put together, and the one place where a bug is turned into a message."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from adjudicator import __version__
from adjudicator.cli import games, looks, new, turns

app = typer.Typer(
    name="adjudicator",
    help="Play-by-email adjudicator: written orders in, the new position and the log of minutes out.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 done, 1 problems in the orders, 2 misuse, 3 a file that cannot be trusted.",
)
for command in (games.games, new.new, turns.check, turns.apply, looks.show, looks.legal, looks.log, games.schema):
    app.command()(command)

_BUG = 70


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"adjudicator {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before the command."""


def run() -> None:
    """Run the command line; nothing a user does ends in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        if os.environ.get("ADJUDICATOR_DEBUG"):
            raise
        sys.stderr.write(
            f"adjudicator: this is a bug in the program, not a mistake of yours: {type(error).__name__}: {error}\n"
            "The game file is as it was. Please report it with what you did; ADJUDICATOR_DEBUG=1 shows where it happened.\n"
        )
        sys.exit(_BUG)
