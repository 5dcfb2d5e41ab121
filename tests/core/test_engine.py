"""The engine: queues, pending orders, branches, chance, the journal, and rulesets that break their contract."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Generator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.chance import ChanceRecord, ImpossibleOutcomeError
from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, FactOf, Number
from adjudicator.core.engine import Outcome, fold
from adjudicator.core.event import Part, Spent
from adjudicator.core.game import Game
from adjudicator.core.journal import Link, first_break, link
from adjudicator.core.order import FirstOf, When
from adjudicator.core.step import SKIPPED, EngineFaultError

NewGame = Callable[..., Game]
Play = Callable[..., Outcome]


def told(links: tuple[Link, ...]) -> list[tuple[str | None, str]]:
    return [(link.entry.seat, link.entry.order) for link in links]


def pending(game: Game) -> dict[str, list[str]]:
    return {sheet.seat: [order.order for order in sheet.orders] for sheet in game.pending}


def codes(outcome: Outcome) -> list[str]:
    return [diagnostic.problem.code for diagnostic in outcome.diagnostics]


def if_coins(toy: ModuleType, least: int, then: Any, otherwise: Any = None) -> When:
    return When(Compare(FactOf("coins"), Comparison.AT_LEAST, Number(least)), then, otherwise)


# Queues -------------------------------------------------------------------------------------------------------------


def test_the_set_up_is_entry_0_of_turn_0(new_game: NewGame) -> None:
    game = new_game()
    entry = game.journal[0].entry
    assert (len(game.journal), entry.n, entry.turn, entry.seat, entry.order, entry.drawn) == (1, 0, 0, None, "", 0)
    assert game.turn == 1


def test_each_seat_s_next_order_is_taken_whenever_its_decision_is_due(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    outcome = play(new_game(), toy.sheet("blue", toy.Add(1), toy.Add(2)), toy.sheet("red", toy.Add(3), toy.Add(4)))
    assert told(outcome.accepted) == [("red", "ADD 3"), ("blue", "ADD 1"), ("red", "ADD 4"), ("blue", "ADD 2")]
    assert outcome.game.pending == ()


def test_it_stops_where_an_awaited_seat_has_no_order_and_the_rest_stays_pending(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    outcome = play(new_game(), toy.sheet("red", toy.Add(1), toy.Add(2), toy.Add(3)))
    assert told(outcome.accepted) == [("red", "ADD 1")]
    assert pending(outcome.game) == {"red": ["ADD 2", "ADD 3"]}
    assert (outcome.diagnostics, outcome.notes) == ((), ())


def test_pending_orders_remember_their_line_and_when_they_came(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    first = play(new_game(), toy.sheet("red", toy.Add(1), toy.Add(2), toy.Add(3)))
    (sheet,) = first.game.pending
    assert (sheet.turn, [order.line for order in sheet.orders]) == (1, [2, 3])
    waiting = toy.sheet("red", toy.Add(2), toy.Add(3), turn=sheet.turn)
    second = play(first.game, waiting, toy.sheet("blue", toy.Add(1)))
    (sheet,) = second.game.pending
    assert (second.game.turn, sheet.turn) == (3, 1)
    (sheet,) = play(second.game, toy.sheet("red", toy.Add(2), toy.Add(3))).game.pending
    assert sheet.turn == 3


def test_an_order_of_a_seat_that_is_not_due_is_no_problem_but_waits(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("blue", toy.Add(1)))
    assert (outcome.accepted, codes(outcome)) == ((), [])
    assert pending(outcome.game) == {"blue": ["ADD 1"]}


def test_conditions_and_outcomes_stay_in_the_words_of_a_pending_order(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    expression = FirstOf((toy.Add(7), if_coins(toy, 3, toy.Roll(), toy.Add(1))))
    outcome = play(new_game(recorded=()), toy.sheet("blue", (expression, ("4",))))
    assert pending(outcome.game) == {"blue": ["ADD 7 OR (IF coins >= 3 THEN ROLL 1 ELSE ADD 1) [4]"]}


def test_simultaneous_decisions_take_every_seat_that_has_sent_something(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    game = new_game("red", "blue", "green", mode="together")
    outcome = play(game, toy.sheet("green", toy.Add(1), toy.Add(2)), toy.sheet("blue", toy.Add(3)))
    assert sorted(told(outcome.accepted)) == [("blue", "ADD 3"), ("green", "ADD 1")]
    assert pending(outcome.game) == {"green": ["ADD 2"]}
    assert awaited(toy, outcome.game) == ["red"]


def test_the_last_of_simultaneous_decisions_ends_the_round_in_its_entry(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    game = new_game(mode="together")
    outcome = play(game, toy.sheet("red", toy.Add(1), toy.Add(1)), toy.sheet("blue", toy.Add(2)))
    kinds = [[event.kind for event in link.entry.events] for link in outcome.accepted]
    assert kinds == [["gained", "spent"], ["gained", "spent", "round-ended"], ["gained", "spent"]]
    assert outcome.game.state.rounds == 1


def awaited(toy: ModuleType, game: Game) -> list[str]:
    return [decision.seat for decision in toy.RULES.awaiting(game.setup, game.state)]


# Problems -----------------------------------------------------------------------------------------------------------


def test_an_illegal_order_stops_its_own_seat_s_queue_only(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = new_game(mode="together")
    outcome = play(game, toy.sheet("red", toy.Add(7), toy.Add(1), toy.Add(2)), toy.sheet("blue", toy.Add(3)))
    assert told(outcome.accepted) == [("blue", "ADD 3")]
    assert codes(outcome) == ["toy/too-many"]
    assert outcome.notes == (("red", "2 orders after line 1 not applied; please send new ones"),)
    assert outcome.game.pending == ()


def test_a_refused_last_order_needs_no_note_about_what_follows(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    assert play(new_game(), toy.sheet("red", toy.Add(7))).notes == ()


def test_a_diagnostic_carries_seat_line_text_source_and_the_order(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    (diagnostic,) = play(new_game(), toy.sheet("red", toy.Add(7))).diagnostics
    assert (diagnostic.seat, diagnostic.line, diagnostic.text, diagnostic.source) == ("red", 1, "line 1", "turn.txt")
    assert diagnostic.order == toy.Add(7)
    assert diagnostic.problem.rule == "TC-3"


def test_a_refusal_changes_nothing(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = new_game()
    assert play(game, toy.sheet("red", toy.Add(7))).game == game


def test_what_no_position_can_make_legal_is_told_at_once_for_every_line_and_seat(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    sheets = toy.sheet("red", toy.Add(1), toy.Add(0), toy.Add(2), toy.Add(99)), toy.sheet("blue", toy.Add(10))
    outcome = play(new_game(), *sheets)
    assert codes(outcome) == ["toy/impossible"] * 3
    assert [diagnostic.line for diagnostic in outcome.diagnostics] == [2, 4, 1]
    assert told(outcome.accepted) == [("red", "ADD 1")]
    assert outcome.game.pending == ()


def test_every_alternative_is_looked_at_for_what_no_position_can_make_legal(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    outcome = play(new_game(), toy.sheet("red", FirstOf((toy.Add(1), if_coins(toy, 1, toy.Add(0), toy.Add(10))))))
    assert [diagnostic.order for diagnostic in outcome.diagnostics] == [toy.Add(0), toy.Add(10)]
    assert outcome.accepted == ()


def test_a_condition_on_an_unknown_fact_is_a_problem(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    unknown = When(Compare(FactOf("wealth"), Comparison.EQUAL, Number(1)), toy.Add(1))
    assert codes(play(new_game(), toy.sheet("red", unknown))) == ["orders/unknown-fact"]


# Branches -----------------------------------------------------------------------------------------------------------


def test_the_first_legal_alternative_is_taken_and_the_entry_says_why(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("red", FirstOf((toy.Add(7), toy.Add(6), toy.Add(5), toy.Add(4)))))
    (accepted,) = outcome.accepted
    assert accepted.entry.order == "ADD 5"
    assert accepted.entry.written == "ADD 7 OR ADD 6 OR ADD 5 OR ADD 4"
    assert accepted.entry.notes == (
        "ADD 7: not possible, 7 coins are more than 5 (TC-3)",
        "ADD 6: not possible, 6 coins are more than 5 (TC-3)",
    )


def test_where_no_alternative_is_legal_each_is_reported(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("red", FirstOf((toy.Add(7), toy.Add(8))), toy.Add(1)))
    assert [(diagnostic.problem.code, diagnostic.order) for diagnostic in outcome.diagnostics] == [
        ("toy/too-many", toy.Add(7)),
        ("toy/too-many", toy.Add(8)),
    ]
    assert len(outcome.notes) == 1


@pytest.mark.parametrize(("least", "taken", "verdict"), [(0, "ADD 2", "yes"), (1, "ADD 3", "no")])
def test_a_condition_chooses_a_side_and_the_entry_says_why(
    toy: ModuleType, new_game: NewGame, play: Play, least: int, taken: str, verdict: str
) -> None:
    (accepted,) = play(new_game(), toy.sheet("red", if_coins(toy, least, toy.Add(2), toy.Add(3)))).accepted
    assert accepted.entry.order == taken
    assert accepted.entry.notes == (f"IF coins >= {least}: {verdict} (coins is 0)",)


def test_a_condition_that_does_not_hold_goes_on_with_the_next_order(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("red", if_coins(toy, 5, toy.Add(1)), toy.Add(2)))
    assert told(outcome.accepted) == [("red", SKIPPED), ("red", "ADD 2")]
    assert outcome.diagnostics == ()


def test_an_order_whose_condition_does_not_hold_is_on_record_with_the_reason(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    game = new_game()
    outcome = play(game, toy.sheet("red", if_coins(toy, 5, toy.Roll())))
    (skipped,) = outcome.accepted
    assert skipped.entry.written == "IF coins >= 5 THEN ROLL 1"
    assert skipped.entry.notes == ("IF coins >= 5: no (coins is 0)",)
    assert (skipped.entry.order, skipped.entry.events, skipped.entry.drawn) == (SKIPPED, (), 0)
    assert outcome.game.state == game.state


def test_a_side_that_is_illegal_stops_the_queue(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("red", if_coins(toy, 0, toy.Add(7), toy.Add(1)), toy.Add(2)))
    assert (outcome.accepted, codes(outcome)) == ((), ["toy/too-many"])


def test_an_alternative_may_be_a_condition(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    expression = FirstOf((if_coins(toy, 5, toy.Add(1)), toy.Add(3)))
    (accepted,) = play(new_game(), toy.sheet("red", expression)).accepted
    assert accepted.entry.order == "ADD 3"


def test_conditions_know_what_an_order_would_cost_now(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    cheap = When(Compare(CostOf(toy.Add(3)), Comparison.AT_MOST, Number(3)), toy.Add(1), toy.Add(2))
    illegal = When(Compare(CostOf(toy.Add(7)), Comparison.AT_MOST, Number(99)), toy.Add(1), toy.Add(2))
    assert told(play(new_game(), toy.sheet("red", cheap)).accepted) == [("red", "ADD 1")]
    assert told(play(new_game(), toy.sheet("red", illegal)).accepted) == [("red", "ADD 2")]


def test_an_order_may_be_announced_in_other_words_than_it_was_written(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    (accepted,) = play(new_game(), toy.sheet("red", toy.Hide())).accepted
    assert (accepted.entry.order, accepted.entry.written) == ("HIDE or ADD 1", "HIDE")


def test_an_order_written_as_it_is_announced_is_not_written_twice(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    assert play(new_game(), toy.sheet("red", toy.Add(1))).accepted[0].entry.written is None


def test_however_much_a_condition_asks_its_note_fits_into_the_file(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    """A note of more than 2,000 characters would make a game file that no longer passes its own schema."""
    asked = Both(tuple(Compare(FactOf("echo", f"w{at}", "at"), Comparison.UNEQUAL, Number(at)) for at in range(80)))
    sheet = toy.sheet("red", When(asked, toy.Add(1), toy.Add(2)), When(asked, toy.Add(7), toy.Add(2)))
    outcome = play(new_game("red"), sheet, rules=toy.RULES.changed(names=lambda _setup: ()))
    assert len(outcome.accepted) == 1
    for accepted in outcome.accepted:
        assert all(0 < len(note) <= 2000 for note in accepted.entry.notes)


# Chance -------------------------------------------------------------------------------------------------------------


def test_drawn_counts_the_outcomes_of_the_whole_game(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game("red"), toy.sheet("red", toy.Roll(2), toy.Add(1), toy.Roll(3)))
    assert [link.entry.drawn for link in outcome.accepted] == [2, 2, 5]
    again = play(outcome.game, toy.sheet("red", toy.Roll(1)))
    assert again.accepted[0].entry.drawn == 6


def test_the_same_game_comes_out_whether_adjudicated_at_once_or_order_by_order(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    orders = [toy.Roll(2), toy.Add(1), toy.Roll(1)]
    at_once = play(new_game("red"), toy.sheet("red", *orders)).game
    game = new_game("red")
    for order in orders:
        game = play(game, toy.sheet("red", order)).game
    assert game.state == at_once.state
    assert [link.entry.events for link in game.journal] == [link.entry.events for link in at_once.journal]


def test_the_players_words_change_what_is_drawn(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    rolls = toy.sheet("red", *[toy.Roll(3)] * 5)
    plain = play(new_game("red"), rolls).game.state
    mixed = play(new_game("red", entropy={"red": "horse"}), rolls).game.state
    assert plain != mixed


def test_recorded_outcomes_are_taken_in_order_and_stay_in_the_record(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game("red", recorded=()), toy.sheet("red", (toy.Roll(2), ("6", "3"))))
    (accepted,) = outcome.accepted
    assert outcome.game.state.purse("red").coins == 9
    assert (accepted.entry.order, accepted.entry.written, accepted.entry.drawn) == ("ROLL 2", "ROLL 2 [6 3]", 2)


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        ((), "an outcome is missing in brackets: die 1 of red"),
        (("6",), "an outcome is missing in brackets: die 2 of red"),
        (("6", "7"), "“7” cannot be the outcome of: die 2 of red"),
        (("6", "5", "4"), "nothing was drawn for “4”: too many outcomes are written in brackets"),
    ],
)
def test_recorded_outcomes_that_cannot_have_been_are_problems_and_change_nothing(
    toy: ModuleType, new_game: NewGame, play: Play, draws: tuple[str, ...], words: str
) -> None:
    game = new_game("red", recorded=())
    outcome = play(game, toy.sheet("red", (toy.Roll(2), draws), toy.Add(1)))
    (diagnostic,) = outcome.diagnostics
    assert (diagnostic.problem.code, diagnostic.problem.message) == ("core/impossible-outcome", words)
    assert outcome.game == game
    assert len(outcome.notes) == 1


def test_outcomes_beside_an_order_that_was_not_carried_out_cannot_have_been(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    game = new_game("red", recorded=())
    unmet = if_coins(toy, 3, toy.Roll(), None)
    outcome = play(game, toy.sheet("red", (unmet, ("6",)), toy.Add(1)))
    (diagnostic,) = outcome.diagnostics
    assert diagnostic.problem.code == "core/impossible-outcome"
    assert outcome.game == game
    assert [link.entry.order for link in play(game, toy.sheet("red", (unmet, ()))).accepted] == [SKIPPED]


def test_outcomes_of_what_follows_an_order_are_recorded_beside_it(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = new_game(recorded=(), mode="together")
    outcome = play(game, toy.sheet("red", toy.Add(1)), toy.sheet("blue", (toy.Roll(1), ("2", "red"))))
    assert outcome.accepted[1].entry.events[-1] == toy.RoundEnded(lucky="red")


def test_outcomes_written_in_a_game_that_draws_its_own_are_a_problem(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game("red"), toy.sheet("red", (toy.Roll(1), ("6",))))
    assert codes(outcome) == ["core/chance-not-recorded"]
    assert outcome.accepted == ()


def test_recorded_outcomes_of_the_set_up_must_fit(toy: ModuleType, new_game: NewGame) -> None:
    def deal(_setup: Any, state: Any, chance: Any) -> Generator[Any, Any, None]:
        if not state.rounds:
            yield toy.RoundEnded(lucky=chance.pick("who begins", ("red", "blue")))

    rules = toy.RULES.changed(proceed=deal)
    assert new_game(rules=rules, recorded=("BLUE",)).journal[0].entry.events == (toy.RoundEnded(lucky="blue"),)
    for wrong in ((), ("green",), ("red", "blue")):
        with pytest.raises(ImpossibleOutcomeError):
            new_game(rules=rules, recorded=wrong)


def test_a_committed_game_cannot_go_on_without_its_secret(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = new_game("red")
    published = replace(game, chance=replace(game.chance, secret=None))
    with pytest.raises(EngineFaultError, match="secret"):
        play(published, toy.sheet("red", toy.Roll()))


# The end ------------------------------------------------------------------------------------------------------------


def test_orders_after_the_end_are_a_problem_and_nothing_stays_pending(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    outcome = play(new_game(goal="3"), toy.sheet("red", toy.Add(3), toy.Add(1)), toy.sheet("blue", toy.Add(2)))
    assert told(outcome.accepted) == [("red", "ADD 3")]
    assert outcome.accepted[0].entry.events[-1] == toy.GameOver()
    assert codes(outcome) == ["core/game-over"] * 2
    assert outcome.game.pending == ()
    later = play(outcome.game, toy.sheet("blue", toy.Add(1)))
    assert (codes(later), later.game) == (["core/game-over"], outcome.game)


def test_orders_of_a_seat_that_is_never_asked_again_are_a_problem(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(), toy.sheet("red", toy.Quit(), toy.Add(1)), toy.sheet("blue", toy.Add(2)))
    assert told(outcome.accepted) == [("red", "QUIT"), ("blue", "ADD 2")]
    (diagnostic,) = outcome.diagnostics
    assert (diagnostic.problem.code, diagnostic.seat, diagnostic.line) == ("toy/gone", "red", 2)
    assert outcome.game.pending == ()


# The journal --------------------------------------------------------------------------------------------------------


def test_an_adjudication_that_accepts_something_is_a_turn(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    first = play(new_game(), toy.sheet("red", toy.Add(1)), toy.sheet("blue", toy.Add(1)))
    assert [link.entry.turn for link in first.game.journal] == [0, 1, 1]
    nothing = play(first.game, toy.sheet("blue", toy.Add(1)))
    assert nothing.game.turn == first.game.turn == 2
    second = play(nothing.game, toy.sheet("red", toy.Add(1)))
    assert second.accepted[0].entry.turn == 2
    assert [link.entry.n for link in second.game.journal] == [0, 1, 2, 3]


def test_entries_are_chained_from_the_heading_on(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = play(new_game(), toy.sheet("red", toy.Add(1)), toy.sheet("blue", toy.Roll())).game
    before = game.beginning
    for recorded in game.journal:
        assert recorded == link(before, recorded.entry)
        before = recorded.hash
    assert game.head == before
    assert first_break(game.beginning, ((canonical_bytes(item.entry), item.hash) for item in game.journal)) is None


def test_folding_the_events_gives_the_state(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    outcome = play(new_game(mode="together"), toy.sheet("red", toy.Roll(2), toy.Quit()), toy.sheet("blue", toy.Add(1)))
    events = [event for link in outcome.game.journal for event in link.entry.events]
    assert fold(toy.RULES, outcome.game.setup, events) == outcome.game.state


def test_nothing_that_is_passed_in_is_changed(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    game = new_game()
    before = canonical_bytes(game)
    sheet = toy.sheet("red", toy.Add(1), toy.Add(2))
    play(game, sheet)
    assert canonical_bytes(game) == before
    assert len(sheet.instructions) == 2


# Rulesets that break their contract ---------------------------------------------------------------------------------


def test_proceeding_for_ever_is_a_fault_of_the_ruleset(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    def proceed(_setup: Any, _state: Any, _chance: Any) -> Generator[Any, Any, None]:
        yield toy.GameOver()

    game = new_game()
    with pytest.raises(EngineFaultError, match="never stops producing events"):
        play(game, toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(proceed=proceed))


def test_one_endless_run_of_events_is_a_fault_of_the_ruleset_too(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    def proceed(_setup: Any, _state: Any, _chance: Any) -> Generator[Any, Any, None]:
        for _ in range(300_000):
            yield toy.GameOver()
        raise AssertionError("nobody stopped it")

    with pytest.raises(EngineFaultError, match="never stops"):
        play(new_game(), toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(proceed=proceed))


def test_a_look_up_that_finds_nothing_is_no_end_of_the_events(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    """``next`` without a default raises what also ends a generator."""

    def evolve(setup: Any, state: Any, event: Any) -> Any:
        next(iter(()))

    with pytest.raises(RuntimeError, match="StopIteration"):
        play(new_game(), toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(evolve=evolve))


def test_a_refusal_after_check_has_passed_fails_loudly(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    def decide(_setup: Any, _state: Any, seat: Any, _order: Any, _chance: Any) -> Generator[Any, Any, None]:
        yield toy.Gained(seat=seat, coins=1)
        raise ValueError("too late")

    with pytest.raises(ValueError, match="too late"):
        play(new_game(), toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(decide=decide))


def test_rules_are_handed_the_state_after_each_event(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    seen: list[int] = []

    def decide(_setup: Any, _state: Any, seat: Any, _order: Any, _chance: Any) -> Generator[Any, Any, None]:
        for _ in range(3):
            state = yield toy.Gained(seat=seat, coins=2)
            seen.append(state.purse(seat).coins)

    play(new_game("red"), toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(decide=decide))
    assert seen == [2, 4, 6]


# Cost ---------------------------------------------------------------------------------------------------------------


def test_the_journal_is_not_copied_for_each_order(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    """What an order takes is the same in a long game: the memory of one adjudication grows with its own orders only."""
    short, long = new_game("red"), play(new_game("red"), toy.sheet("red", *[toy.Add(1)] * 4000)).game

    def peak(game: Game, orders: int) -> int:
        sheet = toy.sheet("red", *[toy.Add(1)] * orders)
        tracemalloc.start()
        play(game, sheet)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    # A copied journal of 4,000 entries takes 32 KB; copied for each of 200 orders and kept, or churned through, megabytes.
    assert peak(long, 200) - peak(short, 200) < 3 * 8 * 4200


def test_the_engine_asks_the_rules_the_same_number_of_questions_for_each_order(
    toy: ModuleType, new_game: NewGame, play: Play
) -> None:
    asked = {"due": 0, "check": 0, "evolve": 0, "view": 0}

    def counted(name: str) -> Callable[..., Any]:
        function = getattr(toy.RULES, name)

        def call(*arguments: Any) -> Any:
            asked[name] += 1
            return function(*arguments)

        return call

    rules = toy.RULES.changed(**{name: counted(name) for name in asked})
    for orders in (100, 300):
        asked.update(dict.fromkeys(asked, 0))
        play(new_game("red"), toy.sheet("red", *[toy.Add(1)] * orders), rules=rules)
        assert asked == {"due": orders + 1, "check": orders, "evolve": 2 * orders, "view": 0}


def test_a_recorded_game_says_so_in_its_heading(new_game: NewGame) -> None:
    assert new_game(recorded=()).chance == ChanceRecord(source="recorded")
    assert new_game(recorded=()).beginning != new_game().beginning


def test_a_cost_that_does_not_add_up_is_a_fault_of_the_rules(toy: ModuleType, new_game: NewGame, play: Play) -> None:
    def cheating(*given: Any) -> Generator[Any, Any, None]:
        yield Spent(seat=given[2], before=0, after=3, why=(Part(2, "two of three", "TY-1"),))

    with pytest.raises(EngineFaultError, match="does not add up"):
        play(new_game(), toy.sheet("red", toy.Add(1)), rules=toy.RULES.changed(decide=cheating))
