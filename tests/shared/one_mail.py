"""Read one mail of red in a new game, as the program reads the mail of a known sender."""

from __future__ import annotations

from functools import cache
from typing import Any

import play

from adjudicator.core.ids import Seat
from adjudicator.core.order import expression_text
from adjudicator.core.ruleset import Player
from adjudicator.moderate.adjudicate import addressee
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.rulesets import ruleset
from adjudicator.session import Session, with_languages

PLAYERS = (("red", "Ann Smith"), ("blue", "Bob"))


@cache
def session(game: str, language: str = "en") -> Session:
    holders = PLAYERS if game != "checkpoint-charlie" else (*PLAYERS, ("green", "Carl Lee"))
    players = tuple(Player(Seat(seat), name) for seat, name in holders)
    begun = play.begin(game, id="club-1", players=players, secret=bytes(range(32)).hex())
    return with_languages(begun, [] if language == "en" else [language])


@cache
def read_with(game: str, language: str) -> tuple[Any, Addressee]:
    of = session(game, language)
    return rules_with_languages(of.rules, of.game.languages), addressee(of)


def mail(text: str, seat: str = "red") -> Submission:
    return Submission("a.eml", tuple(text.split("\n")), Seat(seat), is_mail=True, names=("Ann Smith",))


def received(game: str, text: str, language: str = "en") -> TurnFile:
    return read_turn_files(*read_with(game, language), [mail(text)])


def orders(found: TurnFile) -> list[int]:
    return [item.line for sheet in found.sheets for item in sheet.instructions]


def words(game: str, found: TurnFile) -> list[str]:
    text: Any = ruleset(game).language.text
    return [expression_text(item.expression, text) for sheet in found.sheets for item in sheet.instructions]
