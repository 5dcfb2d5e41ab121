"""The laws of every game, kept by this one."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from adjudicator.games.great_race.card_events import CardsMissed, CardWasted, TilesReturned
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import BAG, DECK, State
from adjudicator.testing import LAWS, Law, play_games

RARE = (CardsMissed, CardWasted, TilesReturned)
"""What random players hardly come to: the tests by rule number have it."""
NEAR = "G15 stones H15 track I15 bandits H16 village I16 sand H14 ruts"
DISCARDS = " ".join(["jerrycan"] * 8 + ["spare-parts"] * 6 + ["financial"] * 2 + ["driver"] * 3 + ["refuelling"] * 2)
"""So that the deck is soon empty."""
MIDDLE = "F5 stones E6 track D6 bandits F6 village"


def kept(config: Config, state: State) -> Any:
    """Return all tiles and all cards, wherever they are: none comes from nowhere, none is lost."""
    tiles, cards = Counter(BAG.left(config, state)), Counter(DECK.left(config, state))
    return sorted((tiles + Counter(BAG.out(state))).items()), sorted((cards + Counter(DECK.out(state))).items())


@pytest.fixture(scope="module", params=[6, pytest.param(50, marks=pytest.mark.soak)])
def games(request, position, house):
    near = {"red": {"space": "H15", "scouts": 1, "mechanics": 2, "hand": "driver"}, "blue": {"space": "I15"}}
    middle = {
        "red": {"space": "Tamanrasset", "mechanics": 3, "escort": 1, "hand": "saboteur cheater trail-hunter"},
        "blue": {"space": "F5", "scouts": 2, "mechanics": 1, "hand": "ranger tracker cartographer"},
        "green": {"space": "Lagos", "funding": 2, "escort": 2, "hand": "transport caravan toolbox mechanic"},
    }
    positions = [
        position(tiles=NEAR, turn="red", round=9, **near),
        position(tiles=MIDDLE, turn="red", round=4, discards=DISCARDS, **middle),
    ]
    options = [{}, {"start": "Cape-Town"}]
    return play_games(
        RULESET,
        games=12,
        components=[house],
        positions=positions,
        options=options,
        rare=RARE,
        conserved=kept,
        most_orders=150,
        positions_looked_at=request.param,
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law: Law) -> None:
    law(games)


def test_the_list_of_events_is_whole_whichever_module_is_loaded_first():
    """A program of its own: here all are loaded already."""
    code = "from adjudicator.games.great_race.rules import RULESET; print(*[e.__name__ for e in RULESET.events])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"CardsOffered", "RaceBegun", "DriveBegun"} <= set(done.stdout.split())
