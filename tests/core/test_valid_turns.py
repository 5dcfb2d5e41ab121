"""`turn 7` means the decision that was announced under that number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.apply_correction import apply_correction
from adjudicator.core.corrections import Amended, SeatHanded, Undone
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.timeline import Timeline, ValidTurns

RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")
NewGame = Callable[..., Game]
Play = Callable[..., Any]


@pytest.fixture
def told(toy: ModuleType) -> Callable[[Game], ValidTurns]:
    return lambda game: Timeline(toy.RULES, game.setup, game).valid_turns


@pytest.fixture
def corrected(toy: ModuleType) -> Callable[[Game, Any], Game]:
    return lambda game, event: apply_correction(toy.RULES, game.setup, game, event)


def numbers(found: ValidTurns) -> dict[str, set[int]]:
    return {seat: set(counting) for seat, counting in found.by_seat.items()}


def test_at_the_beginning_it_is_the_first(new_game: NewGame, told: Any) -> None:
    found = told(new_game())
    assert (found.turn, found.latest, numbers(found)) == (1, 1, {"red": {1}, "blue": {1}})


def test_one_after_the_other_each_adjudication_has_its_own(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any
) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    found = told(game)
    assert (found.turn, numbers(found)) == (2, {"red": {2}, "blue": {2}})


def test_of_several_who_are_asked_at_once_those_who_have_not_answered_keep_their_number(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any
) -> None:
    game = new_game("red", "blue", "green", mode="together")
    first = play(game, toy.sheet("red", toy.Add(1))).game
    found = told(first)
    assert (found.turn, found.latest) == (1, 2)
    assert numbers(found) == {"red": {2}, "blue": {1, 2}, "green": {1, 2}}
    assert [found.turn_for(viewer) for viewer in (RED, BLUE, GREEN, None)] == [2, 1, 1, 1]
    second = told(play(first, toy.sheet("green", toy.Add(1))).game)
    assert numbers(second) == {"red": {3}, "blue": {1, 2, 3}, "green": {3}}, "red sends ahead"
    third = told(play(first, toy.sheet("green", toy.Add(1)), toy.sheet("blue", toy.Add(1))).game)
    assert (third.turn, numbers(third)) == (3, {"red": {3}, "blue": {3}, "green": {3}})


def test_what_is_sent_ahead_is_stale_after_anybody_s_order(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any
) -> None:
    game = new_game("red", "blue", "green")
    once = play(game, toy.sheet("red", toy.Add(1))).game
    assert numbers(told(once)) == {"red": {2}, "blue": {2}, "green": {2}}
    twice = play(once, toy.sheet("blue", toy.Add(1))).game
    assert numbers(told(twice)) == {"red": {3}, "blue": {3}, "green": {3}}


def test_an_order_that_was_skipped_answers_nothing(new_game: NewGame, play: Play, toy: ModuleType, told: Any) -> None:
    from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
    from adjudicator.core.order import When

    never = When(Compare(FactOf("coins"), Comparison.MORE, Number(5)), toy.Add(1))
    skipped = play(new_game(), toy.sheet("red", never)).game
    assert (told(skipped).turn, numbers(told(skipped))) == (1, {"red": {1}, "blue": {1}})
    assert [one.entry.turn for one in skipped.journal] == [0, 0]
    game = play(skipped, toy.sheet("red", toy.Add(1))).game
    assert numbers(told(game)) == numbers(told(play(new_game(), toy.sheet("red", toy.Add(1))).game))
    again = play(game, toy.sheet("blue", never)).game
    assert numbers(told(again)) == numbers(told(game))
    assert [one.entry.turn for one in again.journal] == [0, 0, 1, 1]


def test_a_turn_of_an_older_game_in_which_all_was_skipped_has_a_number_that_counts(
    new_game: NewGame, toy: ModuleType, told: Any
) -> None:
    from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
    from adjudicator.core.engine import adjudicate
    from adjudicator.core.order import When

    never = When(Compare(FactOf("coins"), Comparison.MORE, Number(5)), toy.Add(1))
    game = new_game()
    found = told(adjudicate(toy.RULES, game.setup, game, [toy.sheet("red", never)], turn=1).game)
    assert (found.turn, numbers(found)) == (1, {"red": {1, 2}, "blue": {1, 2}})


@pytest.mark.parametrize("kind", ["seat", "amend"])
def test_a_correction_bumps_nothing_that_was_told(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any, corrected: Any, kind: str
) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    if kind == "seat":
        event: Any = SeatHanded(seat=RED, before="", holder="Zoe", reason="so")
    else:
        after = game.state.with_purse(RED, coins=3)
        event = Amended(before=game.state, after=after, reason="so")
    found = told(corrected(game, event))
    assert (found.turn, found.latest) == (2, 3)
    assert numbers(found) == {"red": {2, 3}, "blue": {2, 3}}


def test_after_an_undo_the_number_counts_that_was_told_where_the_game_goes_on(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any, corrected: Any
) -> None:
    first = play(new_game(), toy.sheet("red", toy.Add(1))).game
    second = play(first, toy.sheet("blue", toy.Add(1))).game
    undone = corrected(second, Undone(to=1, reason="a slip"))
    found = told(undone)
    assert (found.turn, found.latest) == (2, 4)
    assert numbers(found) == {"red": {2, 4}, "blue": {2, 4}}, "3 was announced where nobody is any more"
    again = told(play(undone, toy.sheet("blue", toy.Add(2))).game)
    assert (again.turn, numbers(again)) == (5, {"red": {5}, "blue": {5}})


def test_after_an_undo_to_the_middle_of_an_adjudication_only_its_own_number_counts_for_who_acted(
    new_game: NewGame, play: Play, toy: ModuleType, told: Any, corrected: Any
) -> None:
    game = play(new_game("red"), toy.sheet("red", toy.Add(1), toy.Add(2))).game
    found = told(corrected(game, Undone(to=1, reason="a slip")))
    assert (found.turn, numbers(found)) == (3, {"red": {3}})


def test_when_nobody_is_asked_it_is_the_latest(new_game: NewGame, play: Play, toy: ModuleType, told: Any) -> None:
    game = play(new_game("red"), toy.sheet("red", toy.Quit())).game
    assert told(game).turn == told(game).latest == 2
    assert told(replace(game, pending=())).turn_for(None) == 2
