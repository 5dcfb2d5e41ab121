"""What simulated players go by: they deduce from rows and piles, and accuse whom they are sure of."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.games.checkpoint_charlie.bot import estimate
from adjudicator.games.checkpoint_charlie.orders import Accuse, Wait
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.state import Answer, Stage


def guess(game, seat, order=None):
    """Return the outlook of ``seat`` with a sealed ``order``, or as it stands."""
    state = game.state
    if order is not None:
        answer = Answer(order.suspect if isinstance(order, Accuse) else None)
        state = state.with_agent(seat, answer=answer)
    return estimate(game.config, RULESET.view(game.config, state, seat))


def test_what_rows_and_piles_tell_is_used(scene, who):
    """Blue's row has glasses in common and green's raincoats: red knows the chief, and that nobody else matches all five."""
    chief = who("hat glasses raincoat grey newspaper")
    game = scene(
        red={"clue": "hat", "turned": chief},
        blue={"clue": "glasses", "turned": f"{who('glasses')} {who('glasses raincoat')}"},
        green={"clue": "raincoat", "turned": f"{who('raincoat grey')} {who('raincoat glasses grey')}"},
        public=("grey", "newspaper"),
    )
    accusations = {suspect: guess(game, "red", Accuse(suspect)) for suspect in game.accusable("red")}
    assert min(accusations, key=accusations.get) == chief
    assert accusations[chief] < guess(game, "red", Wait()) < accusations[who("glasses")]


def test_waiting_is_best_while_nothing_is_known(scene):
    """With one card turned nobody accuses."""
    seats = {"red": {"clue": "hat", "turned": "Viktor"}, "blue": {"clue": "glasses"}, "green": {"clue": "raincoat"}}
    game = scene(**seats)
    assert guess(game, "blue", Wait()) < guess(game, "blue", Accuse("Viktor"))


def test_points_count_twice_once_they_are_told(scene):
    """What the log tells as spent at the end is earned: the guess sets it off, so that winning is no loss."""
    seats = {
        "red": {"clue": "hat", "turned": "Viktor", "markers": "G4a"},
        "blue": {"clue": "glasses"},
        "green": {"clue": "grey"},
    }
    game = scene(**seats)
    over = replace(game.state, stage=Stage.OVER)
    assert estimate(game.config, RULESET.view(game.config, over, "red")) == -4 * 100 - 2
    assert estimate(game.config, RULESET.view(game.config, over, None)) == 0
