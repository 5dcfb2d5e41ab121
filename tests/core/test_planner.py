"""A planning player tries orders on what it sees, and takes the best by the advice of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from adjudicator.core.advice import Advice, no_advice
from adjudicator.core.planner import any_order, best_order
from adjudicator.game import Part, Seat, Spent, Standing, View

RED = Seat("red")
SECRET = "sealed"


class Walk:
    """A game of one seat: an order is the number of steps to go; a word draws, and needs the secret of the state."""

    def view(self, _config: Any, state: tuple[int, Any], seat: Seat) -> View[Any]:
        return View(seat, (state[0], SECRET), ())

    def legal(self, _config: Any, _state: Any, _seat: Seat) -> list[Any]:
        return [-1, 1, 2, 3, "draw"]

    def refusal(self, config: Any, state: Any, seat: Seat, order: Any) -> str | None:
        return None if order in self.legal(config, state, seat) else "no such order"

    def decide(self, _config: Any, state: tuple[int, Any], seat: Seat, order: Any, chance: Any) -> Iterator[Any]:
        steps = int(chance.pick("steps", ("1", "2"))) * state[1] if order == "draw" else order
        yield Spent(seat=seat, before=0, after=abs(steps), why=(Part(abs(steps), "walked", "W-1"),))
        yield steps

    def evolve(self, _config: Any, state: tuple[int, Any], event: Any) -> tuple[int, Any]:
        return state if type(event) is Spent else (state[0] + event, state[1])

    def standings(self, _config: Any, state: tuple[int, Any]) -> tuple[Standing, ...]:
        return (Standing(1 if state[0] > 5 else 2, RED, 0, "halfway" if state[0] > 3 else "at the start"),)


def best(advice: Advice | None, at: int = 0, seed: int = 1) -> Any:
    """Return the choice of a player that plans, with that advice."""
    rules: Any = Walk()
    return best_order(rules, lambda _config, _view, _luck, *, plans: advice, None, (at, 40), RED, Random(seed))


def test_the_order_with_the_least_cost_now_and_ahead_is_best() -> None:
    assert best(Advice(ahead=lambda state: 10 * abs(7 - state[0])), at=4) == 3
    assert best(Advice(ahead=lambda state: 10 * abs(7 - state[0])), at=6) == 1
    assert best(Advice(ahead=lambda state: 10 * abs(7 - state[0])), at=8) == -1


def test_only_advised_orders_are_tried_if_there_are_some() -> None:
    assert best(Advice([9, 1, -1], lambda state: -10 * state[0])) == 1


def test_without_an_estimate_the_first_legal_order_is_taken() -> None:
    assert best(Advice(iter([9, 2, 3]))) == 2


@pytest.mark.parametrize("advice", [None, Advice(iter([9]))])
def test_without_advice_on_a_legal_order_any_will_do(advice: Advice | None) -> None:
    orders = {best(advice and Advice([9]), seed=seed) for seed in range(40)}
    assert orders == {-1, 1, 2, 3, "draw"}


def test_an_order_whose_result_is_secret_counts_as_no_change() -> None:
    """On the true state a draw would be by far the best."""
    chosen = Counter(best(Advice(ahead=lambda state: -10 * state[0]), seed=seed) for seed in range(40))
    assert chosen == {3: 40}


@pytest.mark.parametrize(("at", "wanted"), [(5, 1), (2, 2)])
def test_a_game_without_advice_is_played_by_its_standings(at: int, wanted: int) -> None:
    """A better place comes first, then another note, then the cheapest order."""
    rules: Any = Walk()
    assert best_order(rules, no_advice, None, (at, 40), RED, Random(3)) == wanted


def test_a_player_that_does_not_plan_takes_each_kind_alike() -> None:
    rules: Any = Walk()
    luck = Random(1)
    chosen = Counter(any_order(rules, no_advice, None, (0, 40), RED, luck) for _ in range(400))
    assert set(chosen) == {-1, 1, 2, 3, "draw"}
    assert 150 < chosen["draw"] < 250
