"""A timeline has the states and the turn numbers of its journal, as players were told them, however it has grown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.apply_correction import apply_correction
from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.corrections import Amended, SeatHanded, Undone, WentOnHoliday, abandoned_entries, apply_event
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Journal
from adjudicator.core.order import When
from adjudicator.core.timeline import Timeline, ValidTurns
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


RED, BLUE, GREEN = Seat("red"), Seat("blue"), Seat("green")


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


@pytest.fixture
def numbered(toy: ModuleType) -> Callable[[Game], tuple[int, ...]]:
    def of(game: Game) -> tuple[int, ...]:
        timeline = Timeline(toy.RULES, game.setup, game)
        found = tuple(map(timeline.turn_number, range(game.turn + 1)))
        assert found[-1] == timeline.valid_turns.turn
        return found

    return of


def test_one_after_the_other_it_is_the_count(new_game: NewGame, play: Play, toy: ModuleType, numbered: Any) -> None:
    game = new_game()
    assert numbered(game) == (0, 1)
    game = play(play(game, toy.sheet("red", toy.Add(1))).game, toy.sheet("blue", toy.Add(1))).game
    assert numbered(game) == (0, 1, 2, 3)


def test_mails_for_one_open_decision_are_one_turn(new_game: NewGame, play: Play, toy: ModuleType, numbered: Any) -> None:
    game = new_game("red", "blue", "green", mode="together")
    for seat in ("red", "blue"):
        game = play(game, toy.sheet(seat, toy.Add(1))).game
    assert numbered(game) == (0, 1, 1, 1)
    game = play(game, toy.sheet("green", toy.Add(1))).game
    assert numbered(game) == (0, 1, 1, 1, 4)
    assert numbered(play(game, toy.sheet("red", toy.Add(1))).game) == (0, 1, 1, 1, 4, 4)


def test_corrections_and_undos(new_game: NewGame, play: Play, toy: ModuleType, numbered: Any) -> None:
    first = play(new_game(), toy.sheet("red", toy.Add(1))).game
    handed = apply_correction(
        toy.RULES, first.setup, first, SeatHanded(seat=Seat("red"), before="", holder="Zoe", reason="so")
    )
    assert numbered(handed) == (0, 1, 2, 2)
    second = play(first, toy.sheet("blue", toy.Add(1))).game
    undone = apply_correction(toy.RULES, second.setup, second, Undone(to=1, reason="a slip"))
    assert numbered(undone) == (0, 1, 2, 3, 2)
    again = play(undone, toy.sheet("blue", toy.Add(2))).game
    assert numbered(again) == (0, 1, 2, 3, 2, 5)
    middle = play(new_game("red"), toy.sheet("red", toy.Add(1), toy.Add(2))).game
    assert numbered(apply_correction(toy.RULES, middle.setup, middle, Undone(to=1, reason="a slip"))) == (0, 1, 2, 3)


def test_events_of_a_forger_are_not_numbered(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    entry = replace(game.journal[1].entry, events=(Undone(to=7, reason="x"),))
    forged = replace(game, journal=game.journal[:1].extended([replace(game.journal[1], entry=entry)]))
    with pytest.raises(IndexError):
        Timeline(toy.RULES, game.setup, forged).turn_number(1)


def test_a_count_that_no_game_has_stands_for_itself(new_game: NewGame, play: Play, toy: ModuleType) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1))).game
    assert Timeline(toy.RULES, game.setup, game).turn_number(99) == 99
