"""The command `rules`: print the rules of a game by number or by word, with every ruling and option."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import Opened
from adjudicator.cli.output import columns, is_terminal, say, say_json

if TYPE_CHECKING:
    from adjudicator.core.ruleset import GameMeta
    from adjudicator.reports.cli.rules import GameRules


def rules(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="the name of a game, or a game file (for its options); `-` for standard input",
            show_default=False,
        ),
    ],
    asked: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID|WORD]...", help="numbers of rules, or words to search for", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the rules of a game, with all rulings and reasons.

    Without an ID or a WORD you get all rules, by section. You can give several
    IDs; their case does not matter, and you may leave out the game's letters. A
    WORD finds the rules that mention it; several words find the rules that mention
    all of them.

    Examples:
      adjudicator rules checkpoint-rally
      adjudicator rules checkpoint-rally CR-F2
      adjudicator rules checkpoint-rally p2 p3 p4
      adjudicator rules checkered-flag wheel narrow
      adjudicator rules race.json CR-S2
    """
    with explained(as_json=as_json) as opened:
        from adjudicator.library.rulesets import rules_of
        from adjudicator.reports.cli.rules import found_rules, rules_text

        about, own = _about(opened, game)
        found = rules_of(about.id, asked or ())
        if as_json:
            say_json(found_rules(found, about, own))
        else:
            say(rules_text(found, about, own, width=columns(), color=is_terminal()))


def _about(opened: Opened, game: str) -> tuple[GameMeta, GameRules | None]:
    """Return the description of the ruleset ``game``, or of the ruleset of a game file, with the options of that game."""
    from adjudicator import UnknownRuleset
    from adjudicator.library.rulesets import meta_of

    try:
        return meta_of(game), None
    except UnknownRuleset:
        if game != "-" and not os.path.exists(game) and not game.endswith(".json"):
            raise
    from adjudicator.reports.cli.rules import GameRules

    found = opened.game(game)
    return found.meta, GameRules(id=found.id, version=found.record.ruleset.version, seats=found.seats, options=found.options)
