"""The command `language`: choose the languages for the orders of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.failures import explained
from adjudicator.cli.files import hold, sound_bytes, write_file
from adjudicator.cli.output import MisuseError, say_json, say_safely
from adjudicator.library.words import ambiguous_words, installed_languages

if TYPE_CHECKING:
    from adjudicator.library.game import Game


def language(
    game: Annotated[str, typer.Argument(metavar="GAME", help="the game file", show_default=False)],
    languages: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LANGUAGE",
            help="all languages besides English, by code or name; `en` for only English; none: show them [repeatable]",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show or choose the languages of the players' orders.

    English orders are always possible, and the program itself always writes English. The choice applies to all orders from
    now on. The command lists words that are ambiguous between the languages.

    Examples:
      adjudicator language race.json
      adjudicator language race.json de pl
      adjudicator language race.json en
    """
    with explained(as_json=as_json) as opened:
        if not languages:
            _tell(opened.game(game), as_json=as_json)
            return
        if game == "-":
            raise MisuseError("name the game file: the command changes it, so standard input is not possible")
        with hold(game):
            changed = opened.game(game).with_languages(languages)
            write_file(game, sound_bytes(changed))
        _tell(changed, as_json=as_json)


def _tell(game: Game, *, as_json: bool) -> None:
    from adjudicator.cli.results import GameLanguages

    known = installed_languages(game)
    summary = GameLanguages(game=game.id, languages=game.languages, installed=known, warnings=ambiguous_words(game))
    if as_json:
        say_json(summary)
        return
    understood = ", ".join(["English", *(known.get(code, code) for code in summary.languages)])
    others = ", ".join(f"{code} ({name})" for code, name in known.items() if code not in summary.languages) or "none"
    lines = [f"languages for the orders of {summary.game}: {understood}", f"other available languages: {others}"]
    say_safely("\n".join([*lines, *language_notes(summary.warnings)]))


def language_notes(conflicts: tuple[str, ...]) -> list[str]:
    """Return a note for each of ``conflicts``."""
    return [f"note: {words}" for words in conflicts]
