"""The kinds of resource cards (GR-C3, GR-K): one entry holds all that is fixed of a card.

A card is an entry here and an entry of the component set. Only one with a target other than a crew also has an order.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from adjudicator.core.values import Value


class When(StrEnum):
    """The times at which cards are played."""

    BEFORE = "before an assistant"
    REPAIR = "with a repair"
    DRIVE = "with a drive"
    ANY_TIME = "at any time"


_SPELLINGS: Final = 256
"""How many spellings of cards the cache holds."""
RULES: Final = {When.BEFORE: "GR-K1", When.REPAIR: "GR-K2", When.DRIVE: "GR-K2", When.ANY_TIME: "GR-K3"}
"""The rule for each time."""


class Gain(StrEnum):
    """What a plain card gives to the player that plays it, as often as its amount says."""

    FRANCS = "francs"
    FUEL = "fuel"
    CARDS = "cards to choose from"


class Kind(Value, kw_only=True):
    """A kind of card: when it is played and its ``effect``, with the amount if the card ``has_amount``.

    A plain card has a ``gain``. For another card, ``instead`` says what ``PLAY`` and its name leave open, and shows an order
    that says it. A danger card has a ``threat``: what it does to the spaces or the parts that it names; if it
    ``harms_crew``, it takes as many parts of another crew as its amount says. ``also`` are other spellings of its name, as
    regular expressions. ``worth`` is its worth in francs to a crew with a long way to drive.
    """

    id: str
    when: When
    effect: str
    has_amount: bool = False
    gain: Gain | None = None
    instead: tuple[str, str] = ("", "")
    threat: str | None = None
    harms_crew: bool = False
    also: tuple[str, ...] = ()
    worth: int


def card_words(card: str) -> str:
    """Return how orders name a card: ``Trail hunter`` for ``trail-hunter``."""
    return card.replace("-", " ").capitalize()


class CardId(StrEnum):
    """The kinds of resource cards (GR-C3), named as in orders."""

    kind: Kind
    _value_: str

    def __new__(cls, kind: Any) -> CardId:
        """Make the card of that ``kind``, whose value is its id."""
        card = str.__new__(cls, kind.id)
        card._value_, card.kind = kind.id, kind
        return card

    @property
    def words(self) -> str:
        """The name of the card in orders."""
        return card_words(self.value)

    @property
    def fact(self) -> str:
        """The name of the card in conditions: one word, ``trail_hunter``."""
        return self.value.replace("-", "_")

    def does(self, amount: int) -> str:
        """Return what the card does, with its ``amount``, and when it is played."""
        danger = "" if self.kind.threat is None else "danger card: "
        effect, when = self.kind.effect.format(amount=amount), self.kind.when
        return f"{danger}{effect}; play it {when} ({RULES[when]})"

    TRACKER = Kind(
        id="tracker",
        when=When.BEFORE,
        effect="remove a tile on a path joined with your vehicle",
        instead=("say which tile it removes", "PLAY Tracker remove …"),
        threat="remove the tile at",
        worth=8,
    )
    FINANCIAL = Kind(
        id="financial", when=When.BEFORE, effect="get {amount} francs", has_amount=True, gain=Gain.FRANCS, worth=32
    )
    TRANSPORT = Kind(
        id="transport",
        when=When.DRIVE,
        effect="pay {amount} francs less for a line by sea or air",
        has_amount=True,
        instead=("use it with a line by sea or air", "DRIVE sea … using transport 1"),
        worth=20,
    )
    MECHANIC = Kind(
        id="mechanic",
        when=When.BEFORE,
        effect="repair as with a mechanic",
        instead=("say what it repairs with", "PLAY Mechanic using parts …"),
        worth=18,
    )
    RANGER = Kind(
        id="ranger",
        when=When.ANY_TIME,
        effect="cancel a danger",
        instead=("there is no danger now: use it on the way, or to answer a danger card", "DRIVE … using ranger"),
        worth=28,
    )
    DRIVER = Kind(
        id="driver",
        when=When.BEFORE,
        effect="drive as with a mechanic",
        instead=("say where it drives", "PLAY Driver …"),
        also=("pilot",),
        worth=60,
    )
    CARTOGRAPHER = Kind(
        id="cartographer",
        when=When.BEFORE,
        effect="draw {amount} tiles and lay them as with a scout",
        has_amount=True,
        instead=("play it alone", "PLAY Cartographer"),
        also=("geographer",),
        worth=30,
    )
    SABOTEUR = Kind(
        id="saboteur",
        when=When.BEFORE,
        effect="another player loses {amount} parts",
        has_amount=True,
        instead=("say whom it harms", "PLAY Saboteur on …"),
        threat="take",
        harms_crew=True,
        worth=24,
    )
    TRAIL_HUNTER = Kind(
        id="trail-hunter",
        when=When.BEFORE,
        effect="draw {amount} cards and keep all but one",
        has_amount=True,
        gain=Gain.CARDS,
        also=("trail-?hunter",),
        worth=34,
    )
    CHEATER = Kind(
        id="cheater",
        when=When.BEFORE,
        effect="swap two tiles anywhere on the board",
        instead=("say which tiles it swaps", "PLAY Cheater swap … with …"),
        threat="swap the tiles at",
        worth=6,
    )
    JERRYCAN = Kind(
        id="jerrycan", when=When.ANY_TIME, effect="get {amount} fuel", has_amount=True, also=("jerry[ -]can",), worth=17
    )
    REFUELLING = Kind(
        id="refuelling",
        when=When.BEFORE,
        effect="get {amount} fuel",
        has_amount=True,
        gain=Gain.FUEL,
        also=("refueling",),
        worth=60,
    )
    SPARE_PARTS = Kind(
        id="spare-parts",
        when=When.REPAIR,
        effect="repair points: {amount}",
        has_amount=True,
        instead=("use it in a repair", "REPAIR using parts …"),
        also=("spare[ -]?parts?",),
        worth=24,
    )
    TOOLBOX = Kind(
        id="toolbox",
        when=When.REPAIR,
        effect="repair points: {amount}",
        has_amount=True,
        instead=("use it in a repair", "REPAIR using toolbox …"),
        also=("tool[ -]box",),
        worth=55,
    )
    CARAVAN = Kind(
        id="caravan",
        when=When.DRIVE,
        effect="ignore a stop",
        instead=("use it on the way, against a stop", "DRIVE … using caravan"),
        also=("guide",),
        worth=16,
    )


@lru_cache(_SPELLINGS)
def card_called(name: str) -> str:
    """Return the id of the card that a player calls ``name``, or ``name`` in lower case if no card is called that."""
    for card in CardId:
        if any(re.fullmatch(spelling, name, re.IGNORECASE) for spelling in (card.value, card.words, *card.kind.also)):
            return card.value
    return name.lower()


CARD_SPELLINGS: Final = tuple(spelling for card in CardId for spelling in (card.words, *card.kind.also))
"""The names of all cards as regular expressions, for the grammar."""
HARMS: Final = tuple(card for card in CardId if card.kind.harms_crew)
HARM_SPELLINGS: Final = tuple(spelling for card in HARMS for spelling in (card.words, *card.kind.also))
"""The names of those that harm a crew."""
