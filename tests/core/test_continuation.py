"""Orders that say several steps at once: what is left of them waits, can be taken back, and expires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.engine import Outcome
from adjudicator.core.game import Game
from adjudicator.core.journal import Link
from adjudicator.core.order import FirstOf, When
from adjudicator.core.ruleset import Readiness

NewGame = Callable[..., Game]
Play = Callable[..., Outcome]
RICH = 8
"""Coins with which a seat goes on no more, in the rules below."""


@pytest.fixture
def stepwise(toy: ModuleType) -> Any:
    """Return rules in which ``ADD 3`` is followed by ``ADD 2`` and that by ``ADD 1``, until the seat is rich."""

    def continuation(_setup: Any, state: Any, seat: Any, order: Any) -> Any:
        is_more = isinstance(order, toy.Add) and order.coins > 1 and state.purse(seat).coins < RICH
        return toy.Add(order.coins - 1) if is_more else None

    return toy.RULES.changed(continuation=continuation)


@pytest.fixture
def expiring(toy: ModuleType) -> Any:
    """Return rules in which ``HIDE`` is for the first round only."""

    def readiness(_setup: Any, state: Any, _seat: Any, order: Any) -> Readiness:
        return Readiness.EXPIRED if isinstance(order, toy.Hide) and state.rounds > 0 else Readiness.READY

    return toy.RULES.changed(readiness=readiness)


def told(links: tuple[Link, ...]) -> list[tuple[str | None, str]]:
    return [(link.entry.seat, link.entry.order) for link in links]


def pending(game: Game) -> dict[str, list[str]]:
    return {sheet.seat: [order.order for order in sheet.orders] for sheet in game.pending}


def test_what_is_left_stays_pending_before_the_rest_of_the_sheet(
    toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any
) -> None:
    outcome = play(new_game(mode="together"), toy.sheet("red", toy.Add(3), toy.Roll()), rules=stepwise)
    assert told(outcome.accepted) == [("red", "ADD 3")]
    assert pending(outcome.game) == {"red": ["ADD 2", "ROLL 1"]}
    (sheet,) = outcome.game.pending
    assert [order.line for order in sheet.orders] == [1, 2]


def test_a_new_sheet_takes_it_back(toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any) -> None:
    game = play(new_game(mode="together"), toy.sheet("red", toy.Add(3)), rules=stepwise).game
    outcome = play(game, toy.sheet("red", toy.Hide()), toy.sheet("blue", toy.Add(1)), rules=stepwise)
    assert told(outcome.accepted) == [("blue", "ADD 1"), ("red", "HIDE or ADD 1")]
    assert pending(outcome.game) == {}


def test_several_steps_in_one_adjudication_seat_by_seat(
    toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any
) -> None:
    outcome = play(
        new_game(mode="together"),
        toy.sheet("blue", toy.Add(2), toy.Roll()),
        toy.sheet("red", toy.Add(3)),
        rules=stepwise,
    )
    assert told(outcome.accepted) == [
        ("red", "ADD 3"),
        ("blue", "ADD 2"),
        ("red", "ADD 2"),
        ("blue", "ADD 1"),
        ("red", "ADD 1"),
        ("blue", "ROLL 1"),
    ]
    assert pending(outcome.game) == {}


def test_it_is_asked_with_the_state_after_the_step(toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any) -> None:
    """Red is rich after 5 and 4: nothing is left of the order then, and the next line is due."""
    outcome = play(new_game("red"), toy.sheet("red", toy.Add(5), toy.Quit()), rules=stepwise)
    assert [order for _, order in told(outcome.accepted)] == ["ADD 5", "ADD 4", "QUIT"]


def test_a_condition_is_judged_once(toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any) -> None:
    """What is left is the bare order: the condition did hold when it was taken."""
    condition = Compare(FactOf("coins"), Comparison.LESS, Number(1))
    when = When(condition, toy.Add(3))
    outcome = play(new_game("red"), toy.sheet("red", when), rules=stepwise)
    assert told(outcome.accepted) == [("red", "ADD 3"), ("red", "ADD 2"), ("red", "ADD 1")]
    assert [link.entry.notes != () for link in outcome.accepted] == [True, False, False]


def test_of_alternatives_only_the_one_taken_goes_on(toy: ModuleType, new_game: NewGame, play: Play, stepwise: Any) -> None:
    first = FirstOf((toy.Add(9), toy.Add(2)))
    outcome = play(new_game("red"), toy.sheet("red", first), rules=stepwise)
    assert told(outcome.accepted) == [("red", "ADD 2"), ("red", "ADD 1")]


def test_recorded_outcomes_belong_to_the_first_step(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    """The rest has none: those of later steps are recorded with them."""
    rules = toy.RULES.changed(
        continuation=lambda _setup, _state, _seat, order: toy.Roll(order.dice - 1) if order.dice > 1 else None,
    )
    outcome = play(new_game("red", recorded=()), toy.sheet("red", (toy.Roll(2), ("4", "2"))), rules=rules)
    assert told(outcome.accepted) == [("red", "ROLL 2")]
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["core/impossible-outcome"]


def test_without_one_nothing_is_left(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(mode="together"), toy.sheet("red", toy.Add(3)))
    assert pending(outcome.game) == {}


def test_what_has_expired_is_dropped_without_a_word(toy: ModuleType, new_game: NewGame, play: Play, expiring: Any) -> None:
    """What is left of an order that red began in an earlier turn is for the first round: in the second the next is taken."""
    game = play(new_game(mode="together"), toy.sheet("red", toy.Add(1)), toy.sheet("blue", toy.Add(1)), rules=expiring).game
    begun = replace(toy.sheet("red", toy.Hide(), toy.Add(2)), turn=0, is_begun=True)
    outcome = play(game, begun, toy.sheet("blue", toy.Add(1)), rules=expiring)
    assert told(outcome.accepted) == [("red", "ADD 2"), ("blue", "ADD 1")]
    assert outcome.diagnostics == ()
    assert pending(outcome.game) == {}


def test_what_has_expired_does_not_stay_pending(toy: ModuleType, new_game: NewGame, play: Play, expiring: Any) -> None:
    game = play(new_game(mode="together"), toy.sheet("red", toy.Add(1)), toy.sheet("blue", toy.Add(1)), rules=expiring).game
    outcome = play(game, replace(toy.sheet("red", toy.Hide()), turn=0, is_begun=True), rules=expiring)
    assert (outcome.accepted, pending(outcome.game)) == ((), {})


def test_what_a_sheet_says_itself_does_not_expire_however_long_it_waits(
    toy: ModuleType, new_game: NewGame, play: Play, expiring: Any
) -> None:
    game = play(new_game(mode="together"), toy.sheet("red", toy.Add(1)), toy.sheet("blue", toy.Add(1)), rules=expiring).game
    outcome = play(game, replace(toy.sheet("red", toy.Hide()), turn=0), rules=expiring)
    assert told(outcome.accepted) == [("red", "HIDE or ADD 1")]


def test_what_has_expired_in_a_new_sheet_is_for_the_rules_to_refuse(
    toy: ModuleType, new_game: NewGame, play: Play, expiring: Any
) -> None:
    sheets = (toy.sheet("red", toy.Add(1), toy.Hide()), toy.sheet("blue", toy.Add(1)))
    assert told(play(new_game(mode="together"), *sheets, rules=expiring).accepted)[-1] == ("red", "HIDE or ADD 1")


def test_what_has_expired_is_no_order_after_the_end(toy: ModuleType, new_game: NewGame, play: Play, expiring: Any) -> None:
    """Nobody is told that the game is over for an order that means nothing any more."""

    def readiness(_setup: Any, state: Any, _seat: Any, order: Any) -> Readiness:
        return Readiness.EXPIRED if state.is_over and isinstance(order, toy.Hide) else Readiness.READY

    rules = expiring.changed(readiness=readiness)
    outcome = play(new_game("red", goal="5"), replace(toy.sheet("red", toy.Add(5)), turn=0), rules=rules)
    assert (outcome.diagnostics, pending(outcome.game)) == ((), {})
    outcome = play(new_game("red", goal="5"), toy.sheet("red", toy.Add(5), toy.Add(1)), rules=rules)
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["core/game-over"]


def test_before_its_time_is_over_it_is_an_order_like_any_other(
    toy: ModuleType, new_game: NewGame, play: Play, expiring: Any
) -> None:
    outcome = play(new_game(mode="together"), toy.sheet("red", toy.Hide()), rules=expiring)
    assert told(outcome.accepted) == [("red", "HIDE or ADD 1")]


@pytest.fixture
def rolling(toy: ModuleType) -> Any:
    """Return rules by which ``ROLL 2`` goes on as ``ROLL 1``, so that what is left asks for an outcome again."""
    return toy.RULES.changed(
        continuation=lambda _setup, _state, _seat, order: (
            toy.Roll(order.dice - 1) if isinstance(order, toy.Roll) and order.dice > 1 else None
        ),
    )


def test_what_is_left_of_an_order_waits_on_where_it_needs_an_outcome(
    toy: ModuleType, new_game: NewGame, play: Play, rolling: Any
) -> None:
    """Nothing of the sheet is lost: neither what is left of the order, nor what stands below it."""
    game = new_game("red", recorded=())
    outcome = play(game, toy.sheet("red", (toy.Roll(2), ("4", "2")), toy.Add(1)), rules=rolling)
    assert told(outcome.accepted) == [("red", "ROLL 2")]
    assert pending(outcome.game) == {"red": ["ROLL 1", "ADD 1"]}
    assert outcome.game.pending[0].is_begun
    (diagnostic,) = outcome.diagnostics
    assert "the rest of the order, “ROLL 1”, stays pending: send it again with its outcome" in diagnostic.problem.message
    assert outcome.dropped == ()
    again = play(outcome.game, toy.sheet("red", (toy.Roll(1), ("5",)), toy.Add(1)), rules=rolling)
    assert told(again.accepted) == [("red", "ROLL 1"), ("red", "ADD 1")]


def test_an_outcome_that_cannot_be_stops_a_sheet_as_ever(
    toy: ModuleType, new_game: NewGame, play: Play, rolling: Any
) -> None:
    outcome = play(new_game("red", recorded=()), toy.sheet("red", (toy.Roll(2), ("4",)), toy.Add(1)), rules=rolling)
    assert (outcome.accepted, pending(outcome.game)) == ((), {})


def test_what_is_left_of_an_order_goes_before_those_that_may_have_outcomes(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    """The round is ended by who answers last: its outcome stands beside that order, which so is never a rest."""
    begun = replace(toy.sheet("blue", toy.Add(1)), turn=0, is_begun=True)
    outcome = play(new_game(mode="together", recorded=()), toy.sheet("red", (toy.Add(2), ("blue",))), begun)
    assert told(outcome.accepted) == [("blue", "ADD 1"), ("red", "ADD 2")]
    assert outcome.diagnostics == ()
