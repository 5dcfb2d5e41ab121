"""What simulated players go by: they deduce from rows and piles, and accuse whom they are sure of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

from adjudicator.begin import begin_game
from adjudicator.core.step import committed_chance, decided
from adjudicator.games.checkpoint_charlie.bot import advise, chief_chances
from adjudicator.games.checkpoint_charlie.orders import Accuse, Wait, accusable
from adjudicator.games.checkpoint_charlie.rules import RULESET
from adjudicator.games.checkpoint_charlie.state import Answer, Stage
from adjudicator.simulate.plan import Plan, choices_for
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import choose_greedily


def guess(game, seat, order):
    """Return the estimate for ``seat`` with a sealed ``order``."""
    view = RULESET.view(game.config, game.state, seat)
    answer = Answer(order.suspect if isinstance(order, Accuse) else None)
    return advise(game.config, view, Random(1), plans=True).ahead(view.state.with_agent(seat, answer=answer))


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


def hunts(players, orders=400):
    """Yield a game of planning players after each of its orders, with whom it asks next."""
    options = {"stasi": "on", "adler": "on"}
    plan = Plan(ruleset="checkpoint-charlie", games=1, players=players, seed=players, options=options)
    session = begin_game(choices_for(plan, 1))
    for number in range(orders):
        due = [decision.seat for decision in session.rules.awaiting(session.config, session.game.state)]
        if not due:
            return
        yield session, due
        session = play_on(session, dict.fromkeys(session.seats, choose_greedily), Random(number), 1)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_trying_an_order_shows_no_more_than_its_seat_knows(players):
    """Sealed answers of others, and the suspects still in the deck, have no part in it."""
    kinds = set()
    for session, due in hunts(players):
        config, state, seat = session.config, session.game.state, due[0]
        orders = [*RULESET.legal(config, state, seat)]
        assert orders == [order for order in RULESET.candidates(config, state, seat) if allowed(session, seat, order)]
        view = RULESET.view(config, state, seat)
        for order in orders:
            _, after = decided(RULESET, config, view.state, seat, order, committed_chance(session.game, 0))
            _, really = decided(RULESET, config, state, seat, order, committed_chance(session.game, 0))
            assert after == RULESET.view(config, really, seat).state
            kinds.add(type(order).__name__)
    assert kinds >= {"Clue", "Accuse", "Wait", "Pass", "Swap"}


def allowed(session, seat, order):
    """Return whether the rules accept ``order``."""
    return RULESET.refusal(session.config, session.game.state, seat, order) is None


@pytest.mark.parametrize("players", [3, 5])
def test_what_others_have_sealed_makes_no_difference(players):
    """Also the last to answer, after whom a window closes, chooses as if the others had said something else."""
    closing = 0
    for number, (session, due) in enumerate(hunts(players)):
        state, seat = session.game.state, due[-1]
        if state.stage is not Stage.WINDOW:
            continue
        others = [agent for agent in state.agents if agent.seat != seat and agent.answer is not None]
        free = accusable(session.config, state)
        changed = state
        for agent, suspect in zip(others, Random(number).sample(free, min(len(free), len(others))), strict=False):
            changed = changed.with_agent(agent.seat, answer=Answer(suspect if agent.answer.suspect is None else None))
        other = session.with_game(replace(session.game, state=changed))
        assert choose_greedily(session, seat, Random(number)) == choose_greedily(other, seat, Random(number))
        closing += changed is not state and len(due) == 1
    assert closing > 5


@pytest.mark.parametrize("known", [{}, {0: True}, {1: False, 4: True}, {0: True, 1: True, 2: False, 3: True, 4: False}])
def test_ways_to_deal_the_clues_are_counted_as_if_each_was_dealt(known):
    """A clue that can be any of some faces is dealt as each of them, whichever way round the traits go to the clues."""
    left = [trait for trait in range(5) if trait not in known]
    for number in range(8):
        evidence = tuple(Random(f"{number} {clue}").randrange(1, 1 << 10) | 0b1000100001 for clue in range(len(left)))
        counted = Counter()
        for traits in permutations(left):
            for faces in product((True, False), repeat=len(left)):
                dealt = list(zip(evidence, traits, faces, strict=True))
                if all(can >> (trait if is_first else 5 + trait) & 1 for can, trait, is_first in dealt):
                    looks = known | dict(zip(traits, faces, strict=True))
                    counted[sum(is_first << trait for trait, is_first in looks.items())] += 1
        chances = chief_chances(tuple(known.items()), evidence)
        assert chances.ways == tuple(counted[looks] for looks in range(32))
        assert chances.total == counted.total() > 0
