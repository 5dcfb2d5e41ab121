"""Properties of every rally, on simulated games: times add up, marks are their parts, one car a square."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from sums import cards_seen, is_corrected, require_room, require_sums

from adjudicator.core.journal import Journal
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.session import open_session
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.store.components import shipped
from adjudicator.store.load import load_game

RECORDED = sorted((Path(__file__).parents[2] / "data" / "games" / "rally-round").glob("*.json"))
OPTIONS = (
    {},
    {"sheets": "open", "illegal-speed": "reject"},
    {"mode": "table"},
    {"mode": "table", "kit": "deal", "parts": "2", "illegal-speed": "reject"},
    {"mode": "table", "kind": "stage"},
    {"mode": "table", "solo": "competitive"},
)


@pytest.fixture(scope="module", params=[1, pytest.param(2, marks=pytest.mark.soak)])
def sessions(request):
    """Rallies over both modes and all variants."""
    plans = [
        Plan(
            ruleset="rally-round", games=request.param, players=3 + number % 2, seed=number, player="mixed", options=options
        )
        for number, options in enumerate(OPTIONS)
    ]
    return [play_game(plan, number).session for plan in plans for number in plan.numbers]


def test_times_and_marks_add_up(sessions):
    for session in sessions:
        require_sums(session)


def test_one_car_a_square_but_at_controls(sessions):
    for session in sessions:
        require_room(session)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_games_keep_the_same(path):
    session = open_session(load_game(path))
    if not is_corrected(session):
        require_sums(session)
        require_room(session)


def test_what_does_not_add_up_is_found(sessions):
    """The properties can fail: with a second more, or a car moved onto another, they do."""
    session = sessions[0]
    link = next(link for link in session.game.journal if any(event.kind == "section-ended" for event in link.entry.events))
    events = tuple(
        replace(event, time=event.time + 60) if event.kind == "section-ended" else event for event in link.entry.events
    )
    journal = Journal(
        replace(one, entry=replace(one.entry, events=events)) if one is link else one for one in session.game.journal
    )
    with pytest.raises(AssertionError):
        require_sums(session.with_game(replace(session.game, journal=journal)))


def test_every_card_is_seen_in_some_game(sessions):
    """All 36 kit cards and all 32 hazard cards, by name if one is not."""
    house = shipped(RULESET)[0]
    seen = set().union(*map(cards_seen, sessions), *(cards_seen(open_session(load_game(path))) for path in RECORDED))
    assert not {str(card.id) for card in (*house.kit, *house.hazards)} - seen
