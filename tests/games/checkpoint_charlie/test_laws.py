"""The laws of every game, kept by this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.games.checkpoint_charlie.events import DeckEmptied
from adjudicator.games.checkpoint_charlie.orders import Announce
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.testing import LAWS, Games, Law, play_games

RARE = (Announce, DeckEmptied, MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid)
"""What simulated players hardly come to in so few games: the tests by rule number have it."""


@pytest.fixture(scope="module")
def games():
    return play_games(RULESET, games=8, rare=RARE, most_orders=120)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law: Law) -> None:
    law(games)


OF_VERSION_1 = ("recorded-014", "recorded-034", "recorded-038")
"""Games begun by version 1 of the rules, with clues laid open at once and exchanged markers that lie face down."""


@pytest.fixture(scope="module")
def older_games():
    folder = Path(__file__).parents[2] / "recorded" / "checkpoint-charlie"
    sessions = [open_session(load_game(folder / f"{name}.json")) for name in OF_VERSION_1]
    assert {session.game.ruleset.version for session in sessions} == {1}
    return Games(RULESET, sessions, rare=(*RULESET.types.events, *RULESET.language.texts))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept_by_version_1(older_games, law: Law) -> None:
    law(older_games)
