"""What the planning player foresees is the average of what comes of its orders, over everything that chance may give."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

import pytest

from adjudicator.begin import begin_game
from adjudicator.core.step import carry_out
from adjudicator.games.checkered_flag.bot import advise, turns_after, turns_left
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.simulate.plan import Plan, choices_for
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import choose_greedily


class Scripted:
    """A chance that gives the outcomes with the numbers of a script, then the first ones; it notes among how many."""

    def __init__(self, script: list[int]) -> None:
        self.script, self.among, self.drawn = script, list[int](), 0

    def pick(self, _purpose: str, among: Any) -> Any:
        number = self.script[len(self.among)] if len(self.among) < len(self.script) else 0
        self.among.append(len(among))
        return among[number]


def all_outcomes(race: Any, order: Any) -> Iterator[tuple[float, Any]]:
    """Yield what may come of an order of red: how likely it is, and the state."""
    scripts: list[list[int]] = [[]]
    while scripts:
        chance = Scripted(script := scripts.pop())
        taken = carry_out(RULESET, race.config, race.state, "red", order, chance)
        if len(chance.among) > len(script):
            scripts += [[*script, number] for number in range(chance.among[len(script)])]
        else:
            yield 1 / prod(chance.among), taken.state


def average(race: Any, order: Any) -> float:
    """Return what red has still before it after ``order``, on average."""
    likely = [(chance, turns_left(race.config, state.racer("red"))) for chance, state in all_outcomes(race, order)]
    assert sum(chance for chance, _ in likely) == pytest.approx(1)
    return sum(chance * left for chance, left in likely)


@pytest.mark.parametrize("at", [{}, {"position": 2, "gear": 2}, {"position": 10, "gear": 3}, {"position": 29, "gear": 1}])
def test_a_gear_leads_where_it_leads_on_average_without_braking(scene, parts, at):
    race = scene(red=at, parts=parts(wheel_a=(1, 2, 5), wheel_b=(1, 2, 4)))
    after = turns_after(race.config, race.state, race.state.racer("red"))
    assert [*after] == [order for order in race.legal("red") if order.answer is None and order.gear]
    for order, left in after.items():
        assert left == pytest.approx(average(race, Shift(order.gear, Go())))
    assert 1 + min(after.values()) == turns_left(race.config, race.state.racer("red"))


@pytest.mark.parametrize("blue", [0, 25])
@pytest.mark.parametrize(("at", "spun"), [((4, 3), (5, 4)), ((10, 2), (2, 5)), ((20, 3), (5, 4)), ((9, 1), (4, 4))])
def test_an_answer_leads_where_it_leads_on_average(scene, parts, at, spun, blue):
    """On the way lie curves, zones with two, a narrow position, and at times the other car."""
    race = scene(
        red={"position": at[0], "gear": at[1]},
        blue={"position": blue, "gear": 1},
        spun=spun,
        parts=parts(wheel_a=(1, 2, 4, 5), wheel_b=(1, 2, 4, 5)),
    )
    after = turns_after(race.config, race.state, race.state.racer("red"))
    assert [*after] == [order for order in race.legal("red") if order == Go() or (order.spaces is not None)]
    assert len(after) > 1
    for order, left in after.items():
        assert left == pytest.approx(average(race, order))


def test_a_driver_who_is_not_due_gets_no_advice(scene):
    race = scene(red={"position": 4, "gear": 2}, turn="blue")
    assert advise(race.config, race.view("blue"), Random(1), plans=True) is not None
    assert [advise(race.config, race.view(viewer), Random(1), plans=True) for viewer in ("red", None)] == [None, None]


def test_a_planning_player_takes_what_leaves_it_the_least_turns():
    """It brakes at times, and goes on at times; of orders that are level it takes any."""
    plan, taken = Plan(ruleset="checkered-flag", games=6, players=2), set()

    def choose(session: Any, seat: Any, luck: Random) -> Any:
        order, state = choose_greedily(session, seat, luck), session.game.state
        after = turns_after(session.config, state, state.racer(seat))
        assert after[order] == min(after.values())
        taken.add(type(order))
        return order

    for number in plan.numbers:
        session = begin_game(choices_for(plan, number))
        session = play_on(session, dict.fromkeys(session.seats, choose), Random(number), 400)
        assert session.rules.is_over(session.config, session.game.state)
    assert taken == {Shift, Go, Brake}
