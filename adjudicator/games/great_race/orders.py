"""List the orders of The Great Race."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Term, replace
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.convoy import Buy, Discard, Escort, Fund, Pass, Plan, React, Take
from adjudicator.games.great_race.driving import Back, Pay
from adjudicator.games.great_race.laying import Lay, PlayCartographer, ScoutCard, ScoutTiles
from adjudicator.games.great_race.plays import Keep, Play
from adjudicator.games.great_race.race_order import RaceOrder
from adjudicator.games.great_race.repair import PlayMechanic, Repair
from adjudicator.games.great_race.routes import Drive, PlayDriver
from adjudicator.games.great_race.threats import Accept, Cancel, PlayCheater, PlaySaboteur, PlayTracker

ORDERS: Final[tuple[type[RaceOrder], ...]] = (
    *(Take, Plan, React, Discard, Keep, Buy, Play),
    *(PlaySaboteur, PlayTracker, PlayCheater, PlayCartographer, PlayDriver, PlayMechanic),
    *(ScoutTiles, ScoutCard, Lay, Repair, Drive, Pay, Back, Escort, Fund, Pass, Cancel, Accept),
)
PLAY_ON: Final = Term("", lambda children: replace(PlaySaboteur.read(children[1:]), card=CardId(children[0])))
"""The part of the grammar for a card that harms a crew."""
CARDS: Final[tuple[type[RaceOrder], ...]] = tuple(order for order in ORDERS if order.plays is not None)
"""The orders that play a card which needs more than its name."""
