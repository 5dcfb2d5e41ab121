"""A timeline has the states and the turn numbers of its journal, in whatever steps the journal has grown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.apply_correction import apply_correction
from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.corrections import Undone, WentOnHoliday, abandoned_entries, apply_event
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Journal
from adjudicator.core.order import When
from adjudicator.core.timeline import Timeline
from adjudicator.core.words import with_word

NewGame = Callable[..., Game]
Play = Callable[..., Any]
SEATS = ("red", "blue", "green")


def grown(toy: ModuleType, play: Play, game: Game, luck: Random) -> Iterator[Game]:
    """Yield the ``game`` after each of forty adjudications, skipped orders, words, holidays and undos."""
    never = When(Compare(FactOf("coins"), Comparison.LESS, Number(0)), toy.Add(1))
    for _ in range(40):
        kind = luck.choice(("orders", "orders", "orders", "skipped", "word", "holiday", "undo"))
        seats = luck.sample(SEATS, luck.randint(1, 3))
        if kind in ("orders", "skipped"):
            orders = [luck.choice((toy.Add(1), toy.Roll(), never)) for _ in seats] if kind == "orders" else [never] * 3
            game = play(game, *(toy.sheet(seat, order, order) for seat, order in zip(seats, orders, strict=False))).game
        elif kind == "word":
            game = with_word(game, Seat(seats[0]), "cow", game.turn - luck.randint(0, 1))
        elif kind == "holiday":
            event: Any = WentOnHoliday(seat=Seat(seats[0]), first="today", last="tomorrow")
            game = apply_correction(toy.RULES, game.setup, game, event, takes_number=luck.random() < 0.5)
        else:
            abandoned = abandoned_entries(link.entry for link in game.journal)
            to = [n for n in range(len(game.journal) - 1) if n not in abandoned]
            if to:
                game = apply_correction(toy.RULES, game.setup, game, Undone(to=luck.choice(to), reason="x"))
        yield game


def folded(toy: ModuleType, game: Game) -> list[Any]:
    """Return the state after each entry, in the simplest way."""
    past: list[Any] = []
    state = toy.RULES.initial(game.setup)
    for link in game.journal:
        for event in link.entry.events:
            state = apply_event(toy.RULES, game.setup, state, event, past)
        past.append(state)
    return past


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_same_in_whatever_steps_it_was_extended(seed: int, new_game: NewGame, play: Play, toy: ModuleType) -> None:
    luck = Random(seed)
    game = new_game(*SEATS, mode=luck.choice(("turns", "together")))
    timeline = Timeline(toy.RULES, game.setup, game)
    for after in grown(toy, play, game, luck):
        if luck.random() < 0.3:
            continue  # the next step extends it by several adjudications at once
        timeline, anew = timeline.extended(after), Timeline(toy.RULES, after.setup, after)
        states = folded(toy, after)
        assert timeline.valid_turns == anew.valid_turns
        for n in range(after.turn + 2):
            assert timeline.turn_number(n) == anew.turn_number(n)
        for one in (timeline, anew):
            assert one.state == states[-1] == after.state
            assert [state for _, state in one.states()] == states
            n = luck.randrange(len(states))
            assert one.state_after(n) == states[n]
            assert [state for _, state in one.states(n)] == states[n:]


def test_only_the_new_entries_are_folded(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    applied = []

    def evolve(config: Any, state: Any, event: Any) -> Any:
        applied.append(event)
        return toy.RULES.evolve(config, state, event)

    rules = toy.RULES.changed(evolve=evolve)
    first = play(new_game(), toy.sheet("red", toy.Add(1))).game
    timeline = Timeline(rules, first.setup, first)
    assert applied == []
    assert timeline.state == first.state
    assert len(applied) == 2
    second = play(first, toy.sheet("blue", toy.Add(1))).game
    assert timeline.extended(second).valid_turns.turn == 3
    assert len(applied) == 2, "the engine has applied the events of the last adjudication"
    third = play(second, toy.sheet("red", toy.Add(2))).game
    assert timeline.extended(third).valid_turns.turn == 4
    assert len(applied) == 4, "the state between two adjudications decides what reports announced there"


def test_a_journal_with_other_entries_is_folded_anew(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    """Also if its hashes are the same."""
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    timeline = Timeline(toy.RULES, game.setup, game)
    assert timeline.state.purse(Seat("blue")).acts == 0
    begun, last = game.journal
    events = tuple(
        replace(event, seat=Seat("blue")) if isinstance(event, toy.Gained) else event for event in last.entry.events
    )
    journal = Journal([begun, replace(last, entry=replace(last.entry, events=events))])
    assert timeline.extended(replace(game, journal=journal)).state.purse(Seat("blue")).acts == 1
    assert timeline.extended(replace(game, journal=Journal([*game.journal]))) is timeline
