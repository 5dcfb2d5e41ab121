"""The order that simulated players pick without listing all is the one that they would pick from the list."""

from __future__ import annotations

from random import Random

from adjudicator.begin import begin_game
from adjudicator.games.checkpoint_rally import bot
from adjudicator.simulate.plan import Plan, choices_for
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import _legal_by_kind, choose_random


def test_it_is_the_same_order_with_the_same_luck() -> None:
    plan = Plan(ruleset="checkpoint-rally", games=1, players=3)
    session = begin_game(choices_for(plan, 1))
    seen: set[str] = set()
    for number in range(120):
        (due,) = session.rules.awaiting(session.config, session.game.state)
        found = bot.any_legal(session.config, session.game.state, due.seat, Random(number))
        luck = Random(number)
        listed = luck.choice(luck.choice(_legal_by_kind(session, due.seat)))
        assert found == listed
        other = next(seat for seat in session.seats if seat != due.seat)
        assert bot.any_legal(session.config, session.game.state, other, Random(number)) is None
        seen.add(session.rules.language.text(listed).split(" ")[0] + " gps" * getattr(listed, "gps", False))
        session = play_on(session, dict.fromkeys(session.seats, choose_random), Random(number), 1)
    assert seen >= {"PLACE", "PLACE gps", "MOVE", "DRAW", "REFRESH", "TAKE", "DISCARD", "KEEP"}
