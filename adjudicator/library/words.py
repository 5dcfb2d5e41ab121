# mypy: implicit-reexport
# ruff: noqa: F401 - some imports are for programs
"""The words of orders in a game, and its languages: for editors, and for those who set a game up."""

from __future__ import annotations

from adjudicator.library.game import Game
from adjudicator.orders.grammar import grammar_of
from adjudicator.orders.languages import LanguageError, ambiguities, languages, program_languages
from adjudicator.orders.submission import clean


def keywords(game: Game) -> tuple[str, ...]:
    """Return the words of the grammar of the orders, in lower case, in the languages of the game."""
    return tuple(sorted(grammar_of(game.spoken_rules).keywords))


def words_after(game: Game, text: str) -> tuple[str, ...]:
    """Return the words of the grammar that fit after ``text``, the beginning of a line; none if it has a mistake."""
    found = grammar_of(game.spoken_rules).failure(clean(text))
    return tuple(word for word in found.spellings if word[0].isalpha()) if found.is_at_end else ()


def installed_languages(game: Game) -> dict[str, str]:
    """Return the names of the languages that the game could use, by code."""
    return {str(code): one.name for code, one in languages(game.meta).items()}


def ambiguous_words(game: Game) -> tuple[str, ...]:
    """Return a sentence for each word of orders that is ambiguous in the languages of the game."""
    spoken = game.spoken_rules.language.spoken
    return () if spoken is None else ambiguities(spoken, (*game.rules.names(), *game.seats))
