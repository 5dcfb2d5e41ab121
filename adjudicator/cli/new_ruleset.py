"""The command `new-ruleset`: write the package of a new game, which its author changes step by step."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.output import say, say_json


def new_ruleset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="the id of the game, such as `my-game`", show_default=False)],
    folder: Annotated[
        str | None, typer.Option("--output", "-o", metavar="DIR", help="the new folder; default: NAME", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a package to begin a ruleset of your own.

    The game is Last Match under your name. It is small, can be played and keeps all laws of games: change it into yours step
    by step. The page docs/own-ruleset.md explains all of its code.

    Examples:
      adjudicator new-ruleset my-game
      pip install ./my-game
      adjudicator simulate my-game --games 5
      pytest my-game
    """
    with explained(as_json=as_json):
        from adjudicator.cli.results import NewRuleset
        from adjudicator.library.new_ruleset import write_ruleset

        target = Path(folder or name)
        files = write_ruleset(name, target)
        if as_json:
            say_json(NewRuleset(id=name, folder=str(target), files=files))
        else:
            say("\n".join([f"{target}: a game to begin with", *(f"  {file}" for file in files)]))
            place = quote(str(target))
            say(f"Next: pip install pytest -e {place}; pytest {place}")
            say(f"Play: adjudicator new {name} --seat ann --seat bob -o game.json")
            say(f"      adjudicator apply game.json {place}/turn-1.txt")
