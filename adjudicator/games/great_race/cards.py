"""The resource cards (GR-C3, GR-K1 to GR-K3): a row for each, with what it does, when, and the words of it."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any

from adjudicator.game import Said


class When(StrEnum):
    """The times at which cards are played."""

    BEFORE = "before an assistant"
    REPAIR = "with a repair"
    DRIVE = "with a drive"
    ANY_TIME = "at any time"

    @property
    def rule(self) -> str:
        """The rule for it."""
        return {When.BEFORE: "GR-K1", When.ANY_TIME: "GR-K3"}.get(self, "GR-K2")


class Does(StrEnum):
    """What a card does when it is played: it gives something by itself, or it is a way to carry out an order.

    ``REMOVE``, ``HARM`` and ``SWAP`` make a danger card, which others may cancel (GR-K4).
    """

    FRANCS = "francs"
    FUEL = "fuel"
    CARDS = "cards"
    REPAIR = "repair"
    DRIVE = "drive"
    SCOUT = "scout"
    REMOVE = "remove"
    HARM = "harm"
    SWAP = "swap"
    HELPS = "helps"


def card_words(card: str) -> str:
    """Return how orders name a card: ``Trail hunter`` for ``trail-hunter``."""
    return card.replace("-", " ").capitalize()


CardName = Annotated[str, Said(lambda _config, card: card_words(card))]
"""The name of a card in an order."""


class CardId(StrEnum):
    """The kinds of resource cards, named as in orders.

    A row has what the card does, and its effect in words with its ``{amount}``, if it has one; its worth in francs to a crew
    with a long way to drive; what ``PLAY`` and the name alone leave open, and an order that says it; other spellings, as
    regular expressions.
    """

    when: When
    does: Does
    effect: str
    worth: int
    lacks: tuple[str, str]
    also: tuple[str, ...]
    _value_: str

    def __new__(cls, card: str, *row: Any) -> CardId:
        """Make the card of a row."""
        made = str.__new__(cls, card)
        made._value_, (made.when, made.does, made.effect, made.worth, *more) = card, row
        made.lacks = next((one for one in more if isinstance(one, tuple)), ("", ""))
        made.also = tuple(one for one in more if isinstance(one, str))
        return made

    @property
    def words(self) -> str:
        """The name of the card in orders."""
        return card_words(self.value)

    @property
    def fact(self) -> str:
        """The name of the card in conditions: one word, ``trail_hunter``."""
        return self.value.replace("-", "_")

    @property
    def is_danger(self) -> bool:
        """Whether others may cancel the card."""
        return self.does in (Does.REMOVE, Does.HARM, Does.SWAP)

    @property
    def has_amount(self) -> bool:
        """Whether the card has an amount in the component set."""
        return "{amount}" in self.effect

    def told(self, amount: int) -> str:
        """Return what the card does, with its ``amount``, and when it is played."""
        danger = "danger card: " if self.is_danger else ""
        return f"{danger}{self.effect.format(amount=amount)}; play it {self.when} ({self.when.rule})"

    # fmt: off
    TRACKER = ("tracker", When.BEFORE, Does.REMOVE, "remove a tile on a path joined with your vehicle", 8,
               ("say which tile it removes", "PLAY Tracker remove …"))
    FINANCIAL = "financial", When.BEFORE, Does.FRANCS, "get {amount} francs", 32
    TRANSPORT = ("transport", When.DRIVE, Does.HELPS, "pay {amount} francs less for a line by sea or air", 20,
                 ("use it with a line by sea or air", "DRIVE sea … using transport 1"))
    MECHANIC = ("mechanic", When.BEFORE, Does.REPAIR, "repair as with a mechanic", 18,
                ("say what it repairs with", "PLAY Mechanic using parts …"))
    RANGER = ("ranger", When.ANY_TIME, Does.HELPS, "cancel a danger", 28,
              ("there is no danger now: use it on the way, or to answer a danger card", "DRIVE … using ranger"))
    DRIVER = ("driver", When.BEFORE, Does.DRIVE, "drive as with a mechanic", 60,
              ("say where it drives", "PLAY Driver …"), "pilot")
    CARTOGRAPHER = ("cartographer", When.BEFORE, Does.SCOUT, "draw {amount} tiles and lay them as with a scout", 30,
                    ("play it alone", "PLAY Cartographer"), "geographer")
    SABOTEUR = ("saboteur", When.BEFORE, Does.HARM, "another player loses {amount} parts", 24,
                ("say whom it harms", "PLAY Saboteur on …"))
    TRAIL_HUNTER = ("trail-hunter", When.BEFORE, Does.CARDS, "draw {amount} cards and keep all but one", 34,
                    "trail-?hunter")
    CHEATER = ("cheater", When.BEFORE, Does.SWAP, "swap two tiles anywhere on the board", 6,
               ("say which tiles it swaps", "PLAY Cheater swap … with …"))
    JERRYCAN = "jerrycan", When.ANY_TIME, Does.FUEL, "get {amount} fuel", 17, "jerry[ -]can"
    REFUELLING = "refuelling", When.BEFORE, Does.FUEL, "get {amount} fuel", 60, "refueling"
    SPARE_PARTS = ("spare-parts", When.REPAIR, Does.HELPS, "repair points: {amount}", 24,
                   ("use it in a repair", "REPAIR using parts …"), "spare[ -]?parts?")
    TOOLBOX = ("toolbox", When.REPAIR, Does.HELPS, "repair points: {amount}", 55,
               ("use it in a repair", "REPAIR using toolbox …"), "tool[ -]box")
    CARAVAN = ("caravan", When.DRIVE, Does.HELPS, "ignore a stop", 16,
               ("use it on the way, against a stop", "DRIVE … using caravan"), "guide")
    # fmt: on


@lru_cache(256)
def card_called(name: str) -> str:
    """Return the id of the card that a player calls ``name``, or ``name`` in lower case if no card is called that."""
    for card in CardId:
        if any(re.fullmatch(spelling, name, re.IGNORECASE) for spelling in (card.value, card.words, *card.also)):
            return card.value
    return name.lower()


def spellings(*does: Does) -> tuple[str, ...]:
    """Return the names, as regular expressions, of the cards that do one of these, or of all cards."""
    cards = [card for card in CardId if not does or card.does in does]
    return tuple(spelling for card in cards for spelling in (card.words, *card.also))
