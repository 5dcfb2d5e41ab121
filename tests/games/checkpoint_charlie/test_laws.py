"""The laws of every game, kept by this one."""

from __future__ import annotations

from random import Random

import pytest

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player
from adjudicator.games.checkpoint_charlie.events import DeckEmptied
from adjudicator.games.checkpoint_charlie.orders import Announce
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import PLAYERS
from adjudicator.store.components import shipped
from adjudicator.testing import LAWS, Games, Law, play_games

RARE = (Announce, DeckEmptied, MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid)
"""What simulated players hardly come to in so few games: the tests by rule number have it."""
CHANGED = {"stasi": "on", "adler": "on", "window": "lap"}
"""Options by which games meet what version 2 of the rules has changed."""


@pytest.fixture(scope="module")
def games():
    return play_games(RULESET, games=8, versions=(2,), rare=RARE, most_orders=120, positions_looked_at=60)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept(games, law: Law) -> None:
    law(games)


@pytest.fixture(scope="module", params=[15, pytest.param(120, marks=pytest.mark.soak)])
def older_games(request):
    """Games by version 1 of the rules, with clues laid open at once and exchanged markers that lie face down."""
    sessions = [played_by_version_1(number) for number in (3, 4, 5)]
    seen = {event.kind for session in sessions for link in session.game.journal for event in link.entry.events}
    assert {"stasi-returned", "markers-swapped"} <= seen
    rare = (*RULESET.types.events, *RULESET.language.texts)
    return Games(RULESET, sessions, rare=rare, positions_looked_at=request.param)


def played_by_version_1(players):
    game = {"ruleset": RULESET.meta.id, "id": f"older-{players}", "components": shipped(RULESET)[0], "version": 1}
    seats = tuple(map(Seat, ("red", "blue", "green", "yellow", "white")[:players]))
    choices = GameChoices(**game, players=tuple(map(Player, seats)), options=CHANGED, secret=f"{players}" * 64)
    return play_on(begin_game(choices), dict.fromkeys(seats, PLAYERS["random"]), Random(players), 120)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept_by_version_1(older_games, law: Law) -> None:
    law(older_games)
