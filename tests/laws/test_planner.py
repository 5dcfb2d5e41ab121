"""Simulated players that plan try orders on what they see; ways on a graph are the shortest and the cheapest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from adjudicator.core import graph
from adjudicator.core.advice import Advice, no_advice
from adjudicator.core.values import Value
from adjudicator.game import At, Part, Seat, Spent, Standing, View
from adjudicator.simulate.bots import planned

RED = Seat("red")


class Where(NamedTuple):
    """A position: how far, and the secret."""

    at: int
    secret: Any

    def spent(self, _seat: str, _after: int) -> Where:
        return self


class Step(Value):
    """An event: so many steps."""

    steps: int

    def apply(self, _config: Any, state: Where) -> Where:
        return Where(state.at + self.steps, state.secret)


class Walk:
    """A game of one seat: an order is the number of steps to go; a word draws, and needs the secret of the state."""

    config, state = None, Where

    def at(self, state: Where, seat: Seat) -> At[Any, Any, Any]:
        return At(None, state, seat)

    def view(self, state: Where, seat: Seat) -> View[Any, Any, Any]:
        return View(None, Where(state.at, "sealed"), seat)

    def legal(self, _at: Any) -> list[Any]:
        return [-1, 1, 2, 3, "draw"]

    def check(self, at: Any, order: Any) -> str | None:
        return None if order in self.legal(at) else "no such order"

    def decide(self, at: At[Any, Any, Any], order: Any, chance: Any) -> Iterator[Any]:
        steps = int(chance.pick("steps", ("1", "2"))) * at.state.secret if order == "draw" else order
        yield Spent(seat=at.seat, before=0, after=abs(steps), why=(Part(abs(steps), "walked", "W-1"),))
        yield Step(steps)

    def standings(self, state: Where) -> tuple[Standing, ...]:
        return (Standing(1 if state.at > 5 else 2, RED, 0, "halfway" if state.at > 3 else "at the start"),)


def best(advice: Advice | None, at: int = 0, seed: int = 1) -> Any:
    rules: Any = Walk()
    return planned(rules, lambda _view, _luck, *, plans: advice, Where(at, 40), RED, Random(seed), plans=True)


def test_the_order_with_the_least_cost_now_and_ahead_is_best() -> None:
    assert [best(Advice(ahead=lambda state: 10 * abs(7 - state.at)), at=at) for at in (4, 6, 8)] == [3, 1, -1]
    assert best(Advice([9, 1, -1], lambda state: -10 * state.at)) == 1, "only what is advised, if there is some"
    assert best(Advice(iter([9, 2, 3]))) == 2, "without an estimate the first legal one"
    chosen = Counter(best(Advice(ahead=lambda state: -10 * state.at), seed=seed) for seed in range(40))
    assert chosen == {3: 40}, "an order whose result is secret counts as no change"


@pytest.mark.parametrize("advice", [None, Advice([9])])
def test_without_advice_on_a_legal_order_any_will_do(advice: Advice | None) -> None:
    assert {best(advice, seed=seed) for seed in range(40)} == {-1, 1, 2, 3, "draw"}


@pytest.mark.parametrize(("at", "wanted"), [(5, 1), (2, 2)])
def test_a_game_without_advice_is_played_by_its_standings(at: int, wanted: int) -> None:
    """A better place comes first, then another note, then the cheapest order."""
    rules: Any = Walk()
    assert planned(rules, no_advice, Where(at, 40), RED, Random(3), plans=True) == wanted
    luck = Random(1)
    chosen = Counter(planned(rules, no_advice, Where(0, 40), RED, luck, plans=False) for _ in range(400))
    assert (set(chosen), 150 < chosen["draw"] < 250) == ({-1, 1, 2, 3, "draw"}, True), "each kind alike"


@pytest.mark.parametrize("fails", ["decide", "apply"])
def test_a_fault_of_the_rules_is_no_gap_in_what_a_player_sees(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_at: Any) -> Any:
        raise ValueError("a fault")

    rules: Any = Walk()
    at = Where(0, 40)
    monkeypatch.setattr({"decide": Walk, "apply": Step}[fails], fails, fail)
    assert planned(rules, no_advice, at, RED, Random(1), plans=True) in (-1, 1, 2, 3, "draw"), "it may be a gap"
    rules.view = lambda state, seat: View(None, state, seat)
    with pytest.raises(ValueError, match="a fault"):
        planned(rules, no_advice, at, RED, Random(1), plans=True)


ROUND = {"a": "bd", "b": "ac", "c": "bd", "d": "cax", "island": ""}


def test_ways_are_the_shortest_and_the_cheapest() -> None:
    assert list(graph.Graph(ROUND).steps("a").items()) == [("a", 0), ("b", 1), ("d", 1), ("c", 2)]
    assert graph.Graph(ROUND).steps("a", lambda place: place in "cd") == {"a": 0, "d": 1, "c": 2}
    costs = {"ab": 5, "ad": 1, "dc": 1, "cb": 1}

    def onward(way: Any, value: str) -> Iterator[Any]:
        here = way[-1] if way else "a"
        yield from ((costs[here + to], to, value + here + to) for to in ROUND[here] if here + to in costs)

    ways = list(graph.cheapest_ways("a", "", onward))
    assert ways == [(("d",), "ad"), (("d", "c"), "addc"), (("d", "c", "b"), "addccb")]
    steps = {"a": [("b", 1), ("c", 5)], "b": [("c", 1)], "c": [("d", 1)], "d": [], "e": []}
    found = [graph.cheapest_way("a", to, lambda here: steps[here]) for to in "dae"]
    assert found == [("a", "b", "c", "d"), ("a",), ()]
