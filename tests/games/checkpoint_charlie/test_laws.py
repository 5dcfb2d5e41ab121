"""The laws of every game, kept by this one."""

from __future__ import annotations

import pytest

from adjudicator.games.checkpoint_charlie.events import DeckEmptied
from adjudicator.games.checkpoint_charlie.orders import Announce
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import MarkerMissed, PointsAnnounced, SwapVoid
from adjudicator.testing import LAWS, Law, play_games

RARE = (Announce, DeckEmptied, MarkerMissed, PointsAnnounced, SwapVoid)
"""What simulated players hardly come to in so few games: the tests by rule number have it."""


@pytest.fixture(scope="module")
def games():
    return play_games(RULESET, games=8, rare=RARE, most_orders=120)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law: Law) -> None:
    law(games)
