"""Declare the arguments that many commands share, and split those with `=`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from adjudicator.cli.ui import MisuseError, argument, option


def complete_ruleset(incomplete: str) -> list[str]:
    """Return the rulesets that the shell offers after the typed beginning ``incomplete``."""
    from adjudicator.library.rulesets import ruleset_ids

    return [name for name in ruleset_ids() if name.startswith(incomplete)]


def complete_seat(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the readers of the game on the command line that the shell offers after the typed ``incomplete``."""
    from adjudicator.library.opening import open_game

    try:
        file = ctx.params.get("game") or ctx.args[0]  # before the value of an option the arguments are not named yet
        seats = open_game(file).players
    except Exception:  # the shell needs an answer, not the reason why the file cannot be read
        return []
    return [name for name in (*seats, "moderator") if name.startswith(incomplete)]


RulesetId = Annotated[
    str, argument(..., "RULESET", "the game to play, such as checkpoint-rally", autocompletion=complete_ruleset)
]
GameFile = Annotated[str, argument(..., "GAME", "the game file; `-` is standard input")]
Output = Annotated[
    str | None, option(..., "-o", "--output", "FILE", "write the new game here and keep GAME; `-` for standard output")
]
Force = Annotated[bool, option(..., "--force", "with -o: replace the file even if it is not this game")]
As = Annotated[
    str | None,
    option(
        ...,
        "--as",
        "SEAT",
        "the reader: a seat, or `moderator` (who sees everything); without it, the public view",
        autocompletion=complete_seat,
    ),
]


def pairs(arguments: Iterable[str], what: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Return items such as ``laps=3`` as a dictionary. Raises ``MisuseError``.

    ``what`` names one of them in messages, ``form`` is its pattern.
    """
    result: dict[str, str] = {}
    for item in arguments:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise MisuseError(f"write {what} as {form}, not “{item}”")
        if key.strip() in result:
            raise MisuseError(f"give {what} only once: {key.strip()} is given twice")
        result[key.strip()] = value.strip()
    return result
