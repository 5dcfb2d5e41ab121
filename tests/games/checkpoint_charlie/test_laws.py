"""The laws of every game, kept by this one."""

from __future__ import annotations

from random import Random

import pytest
from play import begin

from adjudicator.games.checkpoint_charlie.events import DeckEmptied
from adjudicator.games.checkpoint_charlie.orders import Announce
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.score_events import MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import PLAYERS
from adjudicator.testing import LAWS, Games, Law, play_games

RARE = (Announce, DeckEmptied, MarkerMissed, PointsAnnounced, SwapMissed, SwapVoid)
"""What simulated players hardly come to in so few games: the tests by rule number have it."""
CHANGED = {"stasi": "on", "adler": "on", "window": "lap"}
"""Options by which games meet what version 2 of the rules has changed."""


@pytest.fixture(scope="module", params=[15, pytest.param(60, marks=pytest.mark.soak)])
def games(request):
    return play_games(RULESET, games=8, versions=(2,), rare=RARE, most_orders=120, positions_looked_at=request.param)


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
    seats = ("red", "blue", "green", "yellow", "white")[:players]
    choices = {"id": f"older-{players}", "options": CHANGED, "secret": f"{players}" * 64, "version": 1}
    game = begin("checkpoint-charlie", " ".join(seats), **choices)
    return play_on(game, dict.fromkeys(game.seats, PLAYERS["random"]), Random(players), 120)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_is_kept_by_version_1(older_games, law: Law) -> None:
    law(older_games)
