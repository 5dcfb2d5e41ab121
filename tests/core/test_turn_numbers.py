"""Each adjudication by the number that players were told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.apply_correction import apply_correction
from adjudicator.core.corrections import SeatHanded, Undone
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.timeline import Timeline

NewGame = Callable[..., Game]
Play = Callable[..., Any]


@pytest.fixture
def told(toy: ModuleType) -> Callable[[Game], tuple[int, ...]]:
    def of(game: Game) -> tuple[int, ...]:
        timeline = Timeline(toy.RULES, game.setup, game)
        found = tuple(map(timeline.turn_number, range(game.turn + 1)))
        assert found[-1] == timeline.valid_turns.turn
        return found

    return of


def test_one_after_the_other_it_is_the_count(new_game: NewGame, play: Play, toy: ModuleType, told: Any) -> None:
    game = new_game()
    assert told(game) == (0, 1)
    game = play(play(game, toy.sheet("red", toy.Add(1))).game, toy.sheet("blue", toy.Add(1))).game
    assert told(game) == (0, 1, 2, 3)


def test_mails_for_one_open_decision_are_one_turn(new_game: NewGame, play: Play, toy: ModuleType, told: Any) -> None:
    game = new_game("red", "blue", "green", mode="together")
    for seat in ("red", "blue"):
        game = play(game, toy.sheet(seat, toy.Add(1))).game
    assert told(game) == (0, 1, 1, 1)
    game = play(game, toy.sheet("green", toy.Add(1))).game
    assert told(game) == (0, 1, 1, 1, 4)
    assert told(play(game, toy.sheet("red", toy.Add(1))).game) == (0, 1, 1, 1, 4, 4)


def test_corrections_and_undos(new_game: NewGame, play: Play, toy: ModuleType, told: Any) -> None:
    first = play(new_game(), toy.sheet("red", toy.Add(1))).game
    handed = apply_correction(
        toy.RULES, first.setup, first, SeatHanded(seat=Seat("red"), before="", holder="Zoe", reason="so")
    )
    assert told(handed) == (0, 1, 2, 2)
    second = play(first, toy.sheet("blue", toy.Add(1))).game
    undone = apply_correction(toy.RULES, second.setup, second, Undone(to=1, reason="a slip"))
    assert told(undone) == (0, 1, 2, 3, 2)
    again = play(undone, toy.sheet("blue", toy.Add(2))).game
    assert told(again) == (0, 1, 2, 3, 2, 5)
    middle = play(new_game("red"), toy.sheet("red", toy.Add(1), toy.Add(2))).game
    assert told(apply_correction(toy.RULES, middle.setup, middle, Undone(to=1, reason="a slip"))) == (0, 1, 2, 3)


def test_events_of_a_forger_are_not_numbered(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    entry = replace(game.journal[1].entry, events=(Undone(to=7, reason="x"),))
    forged = replace(game, journal=game.journal[:1].extended([replace(game.journal[1], entry=entry)]))
    with pytest.raises(IndexError):
        Timeline(toy.RULES, game.setup, forged).turn_number(1)


def test_a_count_that_no_game_has_stands_for_itself(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    assert Timeline(toy.RULES, game.setup, game).turn_number(99) == 99
