"""Orders are carried out as players send them: whose is next, which alternative, what waits, what is refused, and why."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import adjudicator as adj
from adjudicator import game
from adjudicator.core.chance import CommittedChance
from adjudicator.core.engine import adjudicate
from adjudicator.core.order import Instruction, Sheet
from adjudicator.library.begin import ImpossibleOutcomeError
from adjudicator.library.errors import EngineFaultError
from tests.drivers import toy
from tests.drivers.records import forge

TOGETHER = {"mode": "together"}

QUEUES: dict[str, tuple[dict[str, str], str, dict[str, str], str, dict[str, list[str]], list[str]]] = {
    "each seat's next order is taken whenever its decision is due": (
        *({}, "red blue", {"blue": "ADD 1\nADD 2", "red": "ADD 3\nADD 4"}),
        *("red ADD 3, blue ADD 1, red ADD 4, blue ADD 2", {}, []),
    ),
    "it stops where a seat has sent nothing, and the rest waits": (
        *({}, "red blue", {"red": "ADD 1\nADD 2\nADD 3"}, "red ADD 1", {"red": ["ADD 2", "ADD 3"]}, []),
    ),
    "an order of a seat that is not asked waits": ({}, "red blue", {"blue": "ADD 1"}, "", {"blue": ["ADD 1"]}, []),
    "of several seats that are asked at once all that have sent something act": (
        *(TOGETHER, "red blue green", {"green": "ADD 1\nADD 2", "blue": "ADD 3"}),
        *("blue ADD 3, green ADD 1", {"green": ["ADD 2"]}, []),
    ),
    "a refused order stops the orders of its own seat only": (
        *(TOGETHER, "red blue", {"red": "ADD 7\nADD 1\nADD 2", "blue": "ADD 3"}, "blue ADD 3", {}, ["too-many"]),
    ),
    "what no position allows is told at once for every line and every seat": (
        *({}, "red blue", {"red": "ADD 1\nADD 0\nADD 2\nADD 99", "blue": "ADD 10"}),
        *("red ADD 1", {}, ["impossible"] * 3),
    ),
    "also in alternatives and branches that would not be taken": (
        *({}, "red blue", {"red": "ADD 1 OR (IF coins >= 1 THEN ADD 0 ELSE ADD 10)"}, "", {}, ["impossible"] * 2),
    ),
    "and in a condition about the cost of an order": (
        *({}, "red blue", {"red": "IF cost of ADD 0 < 3 THEN ADD 1"}, "", {}, ["impossible"]),
    ),
    "the first legal alternative is taken": (
        *({}, "red blue", {"red": "ADD 7 OR ADD 6 OR ADD 5 OR ADD 4"}, "red ADD 5", {}, []),
    ),
    "where no alternative is legal each is told": (
        *({}, "red blue", {"red": "ADD 7 OR ADD 8\nADD 1"}, "", {}, ["too-many", "too-many"]),
    ),
    "a branch that is illegal stops the sheet": (
        *({}, "red blue", {"red": "IF coins = 0 THEN ADD 7 ELSE ADD 1\nADD 2"}, "", {}, ["too-many"]),
    ),
    "an unmet condition goes on with the next line": (
        *({}, "red blue", {"red": "IF coins >= 5 THEN ADD 1\nADD 2"}, "red (condition not met), red ADD 2", {}, []),
    ),
    "an alternative may be a condition": (
        *({}, "red blue", {"red": "(IF coins >= 5 THEN ADD 1) OR ADD 3"}, "red ADD 3", {}, []),
    ),
    "orders after the end are a problem and nothing waits": (
        *({"goal": "3"}, "red blue", {"red": "ADD 3\nADD 1", "blue": "ADD 2"}),
        *("red ADD 3", {}, ["core/game-over", "core/game-over"]),
    ),
    "orders of a seat that is never asked again are a problem": (
        *({}, "red blue", {"red": "QUIT\nADD 1", "blue": "ADD 2"}, "red QUIT, blue ADD 2", {}, ["gone"]),
    ),
    "a condition may ask what an order would cost now": (
        *({}, "red blue", {"red": "IF cost of ADD 3 <= 3 THEN ADD 1 ELSE ADD 2"}, "red ADD 1", {}, []),
    ),
    "an order that is not legal has no cost": (
        *({}, "red blue", {"red": "IF cost of ADD 7 <= 99 THEN ADD 1 ELSE ADD 2"}, "red ADD 2", {}, []),
    ),
    # Orders of several steps, of which the rest waits.
    "the rest of an order goes before the rest of its sheet": (
        *(TOGETHER, "red blue", {"red": "CLIMB 3\nROLL"}, "red CLIMB 3", {"red": ["CLIMB 2", "ROLL"]}, []),
    ),
    "several steps in one adjudication go seat by seat": (
        *(TOGETHER, "red blue", {"blue": "CLIMB 2\nHIDE", "red": "CLIMB 3"}),
        "red CLIMB 3, blue CLIMB 2, red CLIMB 2, blue CLIMB 1, red CLIMB 1, blue HIDE or ADD 1",
        *({}, []),
    ),
    "a seat that is rich after a step goes no further": (
        *({}, "red", {"red": "CLIMB 5\nQUIT"}, "red CLIMB 5, red CLIMB 4, red QUIT", {}, []),
    ),
    "of alternatives only the one that was taken goes on": (
        *({}, "red", {"red": "ADD 9 OR CLIMB 2"}, "red CLIMB 2, red CLIMB 1", {}, []),
    ),
    "what has expired is dropped in silence, and the next line is taken": (
        *(TOGETHER, "red blue", {"red": "RUSH 2\nADD 2", "blue": "ADD 1\nADD 3"}),
        *("red RUSH 2, blue ADD 1, red ADD 2, blue ADD 3", {}, []),
    ),
    "what has expired does not wait either": (
        *(TOGETHER, "red blue", {"red": "RUSH 2", "blue": "ADD 1"}, "red RUSH 2, blue ADD 1", {}, []),
    ),
    "nobody is told that the game is over for the rest of an order that has expired": (
        *({"goal": "5", **TOGETHER}, "red blue", {"red": "RUSH 2", "blue": "ADD 5"}),
        *("red RUSH 2, blue ADD 5", {}, []),
    ),
    "but for one that could still go on": (
        *({"goal": "5", **TOGETHER}, "red blue", {"red": "CLIMB 2", "blue": "ADD 5"}),
        *("red CLIMB 2, blue ADD 5", {}, ["core/game-over"]),
    ),
    # Questions that come in between.
    "a dare lets the other orders of its seat wait": (
        *({}, "red blue", {"red": "DARE blue", "blue": "ADD 2"}, "red DARE blue", {"blue": ["ADD 2"]}, []),
    ),
    "an answer among them is taken when it is its turn": (
        *({}, "red blue", {"red": "DARE blue", "blue": "NO\nADD 2"}, "red DARE blue, blue NO, blue ADD 2", {}, []),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", QUEUES)
def test_orders(case: str) -> None:
    options, seats, sheets, taken, left, problems = QUEUES[case]
    result = toy.new(*seats.split(), **options).apply(sheets)
    assert (toy.orders(result.game), toy.pending(result.game)) == (taken.split(", ") if taken else [], left)
    assert toy.codes(result) == problems
    assert result.game.audit().is_verified
    assert result.is_changed == bool(taken or left)


def test_a_refusal_names_seat_line_text_and_rule_and_what_was_not_applied() -> None:
    before = toy.new()
    result = before.apply("red:\n  ADD 7\n  ADD 1\n  ADD 2\n")
    (problem,) = result.problems
    assert (problem.seat, problem.line, problem.text.strip(), problem.rule) == ("red", 2, "ADD 7", "TC-3")
    assert problem.message == "7 coins are more than 5"
    assert result.notes == (("red", "2 orders after line 2 not applied; please send new ones"),)
    assert before.apply({"red": "ADD 7"}).notes == (), "no note about nothing"
    assert result.game == before


def test_nobody_looks_for_what_may_be_meant_before_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than to find the mistake, and who refuses an alternative prints nothing."""

    def refusal(rules: Any, at: Any, order: Any) -> Any:
        problem = toy.META.problem("no", "there is no such seat", near=rules.config.seats, written="rde")
        return problem if order == toy.Add(2) else toy.ToyCoins.refusal(rules, at, order)

    with toy.offered(refusal=refusal):
        begun = adj.open(toy.new().to_bytes())
        assert begun.apply({"red": "ADD 2"}).problems[0].suggestions == ("red",)
        monkeypatch.delattr("difflib.SequenceMatcher")
        assert toy.orders(begun.apply({"red": "ADD 2 OR ADD 1"}).game) == ["red ADD 1"]


def test_the_rest_of_an_order_can_be_taken_back_by_a_new_sheet() -> None:
    game = toy.new(mode="together").apply({"red": "CLIMB 3"}).game
    result = game.apply({"red": "HIDE", "blue": "ADD 1"})
    assert (toy.orders(result.game, since=2), toy.pending(result.game)) == (["blue ADD 1", "red HIDE or ADD 1"], {})


def test_pending_orders_keep_their_line_and_the_turn_they_came_in() -> None:
    game = toy.new().apply("red:\n  ADD 1\n  ADD 2\n  ADD 3\n").game
    (sheet,) = toy.document(game)["pending"]
    assert (sheet["turn"], [one["line"] for one in sheet["orders"]], sheet["is_begun"]) == (1, [3, 4], False)
    (sheet,) = toy.document(game.apply({"blue": "ADD 1"}).game)["pending"]
    assert (sheet["turn"], [one["order"] for one in sheet["orders"]]) == (1, ["ADD 3"])
    (sheet,) = toy.document(toy.new(mode="together").apply({"red": "CLIMB 2"}).game)["pending"]
    assert sheet["is_begun"]


def test_conditions_and_outcomes_stay_in_the_words_of_a_pending_order() -> None:
    line = "ADD 7 OR (IF coins >= 3 THEN ROLL ELSE ADD 1) [4]"
    game = toy.new(recorded=["A1", "A2"]).apply({"blue": line}).game
    assert toy.pending(game) == {"blue": [line]}


@pytest.mark.parametrize(
    ("line", "order", "written", "notes"),
    [
        (
            "ADD 7 OR ADD 6 OR ADD 5",
            *("ADD 5", "ADD 7 OR ADD 6 OR ADD 5"),
            [f"ADD {n}: not possible, {n} coins are more than 5 (TC-3)" for n in (7, 6)],
        ),
        ("IF coins = 0 THEN ADD 2", "ADD 2", "IF coins = 0 THEN ADD 2", ["IF coins = 0: yes (coins is 0)"]),
        (
            "IF coins >= 1 THEN ADD 2 ELSE ADD 3",
            *("ADD 3", "IF coins >= 1 THEN ADD 2 ELSE ADD 3", ["IF coins >= 1: no (coins is 0)"]),
        ),
        ("IF coins > 4 THEN ROLL", "(condition not met)", "IF coins > 4 THEN ROLL", ["IF coins > 4: no (coins is 0)"]),
        ("HIDE", "HIDE or ADD 1", "HIDE", []),
        ("ADD 1", "ADD 1", None, []),
    ],
)
def test_the_record_says_what_was_written_and_why(line: str, order: str, written: str | None, notes: list[str]) -> None:
    entry = toy.entries(toy.new().apply({"red": line}).game)[1]
    assert (entry["order"], entry["written"], entry["notes"]) == (order, written, notes)


def test_a_condition_is_judged_once_for_an_order_of_several_steps() -> None:
    game = toy.new("red").apply({"red": "IF coins < 1 THEN CLIMB 3"}).game
    assert toy.orders(game) == ["red CLIMB 3", "red CLIMB 2", "red CLIMB 1"]
    assert [bool(entry["notes"]) for entry in toy.entries(game)[1:]] == [True, False, False]


def test_however_much_a_condition_asks_its_note_fits_into_the_file() -> None:
    """A note of more than 2,000 characters made a file that no longer passed its own schema."""
    game = toy.new().apply({"red": "IF everything has A1 THEN ADD 1"}).game
    (note,) = toy.entries(game)[1]["notes"]
    assert 900 < len(note) <= 2000
    assert note.startswith("IF everything has A1: yes (everything is A1 A2")
    assert game.audit().is_verified


# Who reads what ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("viewer", "written", "notes", "told"),
    [
        (None, None, 0, []),
        ("blue", None, 0, []),
        ("red", "ADD 7 OR HIDE", 1, ["red gains 1 coin (TC-1)"]),
        ("moderator", "ADD 7 OR HIDE", 1, ["red gains 1 coin (TC-1)"]),
    ],
)
def test_only_a_seat_and_the_moderator_read_its_words_and_what_it_alone_hears(
    viewer: str | None, written: str | None, notes: int, told: list[str]
) -> None:
    game = toy.new().apply({"red": "ADD 7 OR HIDE"}).game
    row = game.seen_by(viewer).log()[-1]
    assert (row.order, row.written, len(row.notes), list(row.told)) == ("HIDE or ADD 1", written, notes, told)
    assert (row.min, row.after) == (1, 1), "accounts are open to all"


@pytest.mark.parametrize(("viewer", "hears"), [(None, False), ("red", False), ("blue", True), ("moderator", True)])
def test_only_its_seat_and_the_moderator_hear_of_an_order_that_was_skipped(viewer: str | None, hears: bool) -> None:
    game = toy.new().apply({"red": "ADD 1", "blue": "IF coins > 4 THEN ADD 1"}).game
    rows = [row for row in game.seen_by(viewer).log() if row.order == "(condition not met)"]
    assert [row.written for row in rows] == (["IF coins > 4 THEN ADD 1"] if hears else [])


def test_outcomes_written_beside_an_order_are_read_by_the_moderator_alone() -> None:
    """They may be what others drew: whoever answers last has them all beside its answer."""
    game = toy.new(recorded=["A1", "A2"]).apply({"red": "ROLL 2 [6 3]", "blue": "ADD 7 OR ROLL [5]"}).game
    assert [row.written for row in game.seen_by("moderator").log()[1:]] == ["ROLL 2 [6 3]", "ADD 7 OR ROLL [5]"]
    assert [row.written for row in game.seen_by("red").log()[1:]] == [None, None]
    assert [row.written for row in game.seen_by("blue").log()[1:]] == [None, "ADD 7 OR ROLL"]


# Answers that can change ---------------------------------------------------------------------------------------------


def test_a_sealed_answer_can_change_until_all_have_answered() -> None:
    game = toy.new("red", "blue", "green", mode="sealed").apply({"red": "BID 3", "blue": "BID 4"}).game
    assert [game.seen_by(seat).has_answered for seat in game.seats] == [True, True, False]
    result = game.apply({"red": "BID 9"})
    assert toy.orders(result.game, since=3) == ["red BID"]
    words = "counted as your answer for `turn 1`; a new mail can change it until all have answered"
    assert ("red", words) in result.notes
    assert [entry["turn"] for entry in toy.entries(result.game)] == [0, 1, 1, 2]
    closed = result.game.apply({"green": "BID 2"}).game
    assert closed.seen_by().log()[-1].told[1] == "the bids are 9, 4 and 2 (TC-8)"
    assert closed.due_seats == closed.seats
    assert closed.audit().is_verified
    refused = closed.apply({"red": "BID 10"})
    assert (toy.codes(refused), refused.game == closed) == (["bid"], True)


def test_an_answer_that_is_refused_leaves_the_first_one() -> None:
    game = toy.new(mode="sealed").apply({"red": "BID 3"}).game
    after = game.apply({"red": "ADD 1"})
    assert toy.codes(after) == ["bid-first"]
    assert toy.document(after.game)["state"] == toy.document(game)["state"]


def test_an_order_sent_in_reply_to_a_question_that_does_not_answer_it_is_refused() -> None:
    game = toy.new().apply({"red": "DARE blue"}).game
    result = game.apply({"blue": "ADD 2"})
    assert (toy.codes(result), toy.pending(result.game)) == (["answer-first"], {})
    assert game.due[0].ask == "YES or NO?"


def test_an_order_sent_before_the_question_that_interrupts_its_seat_waits_for_the_answer() -> None:
    result = toy.new(mode="together").apply({"red": "DARE blue", "blue": "ADD 2"})
    assert (toy.codes(result), toy.pending(result.game)) == ([], {"blue": ["ADD 2"]})
    answered = result.game.apply({"blue": "NO\nADD 2"}).game
    assert toy.orders(answered) == ["red DARE blue", "blue NO", "blue ADD 2"]


# Recorded outcomes ---------------------------------------------------------------------------------------------------


def at_a_table(*seats: str, **options: str) -> adj.Game:
    """Begin a game whose outcomes people draw; every seat has a card."""
    named = seats or ("red",)
    return toy.new(*named, recorded=[f"A{number}" for number, _ in enumerate(named, 1)], **options)


def test_outcomes_are_taken_in_order_in_the_spelling_of_the_rules_and_stay_in_the_record() -> None:
    game = toy.new("red", recorded=["a2"]).apply({"red": "ROLL 2 [6 3]"}).game
    assert [event.get("card") for event in toy.entries(game)[0]["events"]] == ["A2", None]
    assert (toy.coins(game), toy.entries(game)[1]["written"], toy.entries(game)[1]["drawn"]) == (
        {"red": 9},
        "ROLL 2 [6 3]",
        3,
    )
    assert game.audit().is_verified


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ROLL 2", "an outcome is missing in brackets: die 1 of red"),
        ("ROLL 2 [6]", "an outcome is missing in brackets: die 2 of red"),
        ("ROLL 2 [6 7]", "“7” cannot be the outcome of: die 2 of red"),
        ("ROLL 2 [6 5 4]", "nothing was drawn for “4”: too many outcomes are written in brackets"),
        ("IF coins > 3 THEN ROLL [6]", "nothing was drawn for “6”: too many outcomes are written in brackets"),
        ("THROW 2 [9]", "“9” cannot be the outcome of: a die of red"),
    ],
)
def test_recorded_outcomes_that_cannot_have_been_are_a_problem_and_change_nothing(line: str, words: str) -> None:
    game = at_a_table()
    result = game.apply({"red": f"{line}\nADD 1"})
    (problem,) = result.problems
    assert (problem.code, problem.message) == ("core/impossible-outcome", words)
    assert (result.game, len(result.notes)) == (game, 1)


def test_outcomes_in_a_game_that_draws_its_own_are_a_problem() -> None:
    result = toy.new("red").apply({"red": "ROLL [6]"})
    assert (toy.codes(result), toy.orders(result.game)) == (["core/chance-not-recorded"], [])


def test_the_outcome_of_what_follows_an_order_is_recorded_beside_it() -> None:
    game = at_a_table("red", "blue", mode="together").apply({"red": "ADD 1", "blue": "ROLL [2 red]"}).game
    assert toy.entries(game)[-1]["events"][-1] == {"kind": "round-ended", "lucky": "red", "rule": "TC-5"}


@pytest.mark.parametrize("recorded", [["A1"], ["A1", "A1"], ["A1", "green"], ["A1", "A2", "A3"]])
def test_outcomes_of_the_set_up_must_fit(recorded: list[str]) -> None:
    with pytest.raises(ImpossibleOutcomeError):
        toy.new(recorded=recorded)


def test_the_rest_of_an_order_that_needs_an_outcome_is_refused_like_any_other() -> None:
    """An order that waited for an outcome which it cannot have would be reported after every turn."""
    result = at_a_table().apply({"red": "THROW 2 [4]\nADD 1"})
    assert (toy.orders(result.game), toy.pending(result.game)) == (["red THROW 2"], {})
    assert toy.codes(result) == ["core/impossible-outcome"]
    assert [order.fate for order in result.receipts[0].orders] == ["refused", "ignored"]
    again = result.game.apply({"red": "THROW 1 [5]\nADD 1"}).game
    assert (toy.orders(again, since=2), again.audit().is_verified) == (["red THROW 1", "red ADD 1"], True)


def test_the_rest_of_an_order_goes_before_those_that_may_have_outcomes() -> None:
    """The round is ended by who answers last: its outcome stands beside that order, which so is never a rest."""
    begun = at_a_table("red", "blue", mode="together").apply({"blue": "CLIMB 2"}).game
    begun = begun.apply({"red": "ADD 1 [blue]"}, held_seats=["blue"]).game
    assert (toy.pending(begun), begun.due_seats) == ({"blue": ["CLIMB 1"]}, ("red", "blue"))
    result = begun.apply({"red": "ADD 2 [blue]"})
    assert (toy.orders(result.game, since=3), toy.codes(result)) == (["blue CLIMB 1", "red ADD 2"], [])


# Turns and entries ---------------------------------------------------------------------------------------------------


def test_an_adjudication_that_accepts_something_is_a_turn() -> None:
    game = toy.new().apply({"red": "ADD 1", "blue": "ADD 1"}).game
    assert [(entry["n"], entry["turn"]) for entry in toy.entries(game)] == [(0, 0), (1, 1), (2, 1)]
    assert toy.entries(game)[0]["seat"] is None
    waiting = game.apply({"blue": "ADD 1"}).game
    assert (waiting.turn, toy.entries(waiting)) == (2, toy.entries(game))
    later = waiting.apply({"red": "ADD 1"}).game
    assert [(entry["n"], entry["turn"]) for entry in toy.entries(later)[3:]] == [(3, 2), (4, 2)]


def test_the_last_of_simultaneous_decisions_ends_the_round_in_its_entry() -> None:
    game = toy.new(mode="together").apply({"red": "ADD 1\nADD 1", "blue": "ADD 2"}).game
    kinds = [[event["kind"] for event in entry["events"]] for entry in toy.entries(game)[1:]]
    assert kinds == [["gained", "spent"], ["gained", "spent", "round-ended"], ["gained", "spent"]]


def test_the_same_game_comes_out_at_once_or_order_by_order() -> None:
    lines = ["ROLL 2", "ADD 1", "ROLL"]
    at_once, step = toy.new("red").apply({"red": "\n".join(lines)}).game, toy.new("red")
    for line in lines:
        step = step.apply({"red": line}).game
    assert toy.document(step)["state"] == toy.document(at_once)["state"]
    assert [entry["events"] for entry in toy.entries(step)] == [entry["events"] for entry in toy.entries(at_once)]
    assert [entry["drawn"] for entry in toy.entries(step)] == [1, 3, 3, 4]


def test_a_committed_game_cannot_go_on_without_its_secret() -> None:
    document = toy.document(toy.new("red").reveal("a test", force=True))
    document["chance"]["secret"] = None
    published = adj.open(forge(document))
    with pytest.raises(EngineFaultError, match="secret"):
        published.apply({"red": "ROLL"})
    assert published.seen_by().position.due


# Rules that break their contract: never the player's fault -----------------------------------------------------------


def endless(_config: Any, _state: Any, _chance: Any) -> Any:
    yield toy.RoundEnded(lucky=toy.Seat("red"))


def an_endless_run(_config: Any, _state: Any, _chance: Any) -> Any:
    while True:
        yield toy.RoundEnded(lucky=toy.Seat("red"))


def cheating(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield game.Spent(seat=at.seat, before=0, after=3, why=(game.Part(2, "two of three", "TC-1"),))


def too_late(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield toy.Gained(seat=at.seat, coins=1)
    raise ValueError("too late")


def no_event(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield None
    yield toy.Gained(seat=at.seat, coins=1)


def an_event_and_none(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield toy.Gained(seat=at.seat, coins=1)
    yield None


def nothing(_rules: Any, _state: Any, _chance: Any) -> Any:
    yield None


def a_number(_rules: Any, _at: Any, _order: Any, _chance: Any) -> Any:
    yield 7


class Lost(toy.Gained):
    def apply(self, config: Any, state: Any) -> Any:
        return next(iter(()))


def a_lost_stop(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield Lost(seat=at.seat, coins=1)


class Gone(toy.Gained):
    def apply(self, config: Any, state: Any) -> Any:
        return None


def vanishing(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
    yield Gone(seat=at.seat, coins=1)


FAULTS: dict[str, tuple[dict[str, Callable[..., Any]], str]] = {
    "rules that go on for ever": ({"follow": endless}, "toy-coins never stops producing events"),
    "an endless run of events": ({"follow": an_endless_run}, "toy-coins never stops producing events"),
    "a cost that does not add up": ({"decide": cheating}, "the cost given by toy-coins does not add up"),
    "a rule that yields no event": ({"decide": no_event}, "toy-coins yields None instead of an event"),
    "no event after an event": ({"decide": an_event_and_none}, "toy-coins yields None instead of an event"),
    "no event where no order is needed": ({"follow": nothing}, "toy-coins yields None instead of an event"),
    "a number instead of an event": ({"decide": a_number}, "toy-coins yields 7 instead of an event, in a_number"),
    "no generator": ({"decide": lambda *_at: None}, "`decide` or `follow` of toy-coins returns None instead of a generator"),
    "a list of events": ({"follow": lambda *_at: []}, "`decide` or `follow` of toy-coins returns [] instead of a generator"),
    "a refusal without a problem": ({"refusal": lambda *_at: "no"}, "of toy-coins returns 'no' instead of a Problem"),
    "a mistake without a problem": ({"wrong": lambda *_at: True}, "of toy-coins returns True instead of a Problem"),
    "an event after which there is no state": ({"decide": vanishing}, "Gone of toy-coins leads to None instead of a state"),
    "a refusal after `check` has passed": ({"decide": too_late}, "too late"),
    "a look-up that finds nothing, which is no end of the events": ({"decide": a_lost_stop}, "StopIteration"),
    "rules that end the program": ({"refusal": lambda *_at: exit(3)}, "the ruleset toy-coins tried to end the program"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_of_the_rules_is_told_as_one_and_costs_no_other_seat_its_orders(what: str) -> None:
    hooks, words = FAULTS[what]
    before = toy.new(mode="together")
    with toy.offered(**hooks):
        result = adj.open(before.to_bytes()).apply({"red": "ADD 1"})
    (problem,) = result.problems
    assert (problem.code, problem.seat) == ("core/fault", "red")
    fault = result.faults[0].fault
    assert words in f"{type(fault).__name__}: {fault}"
    assert result.game.to_bytes() == before.to_bytes()


def test_a_game_that_begins_without_a_state_is_a_fault_of_its_rules() -> None:
    words = "`begin` or `place` of toy-coins leads to None instead of a state"
    with toy.offered(begin=lambda _rules: None), pytest.raises(EngineFaultError, match=words):
        toy.new()


def test_the_outcomes_of_an_order_that_fails_are_drawn_again_from_the_chance_of_the_caller() -> None:
    def unlucky(_rules: Any, at: Any, order: Any, chance: Any) -> Any:
        yield from order.decide(at, chance)
        if at.seat == "red":
            raise ValueError("after the draw")

    class Counted(CommittedChance):
        picked = 0

        def pick(self, purpose: str, among: Any) -> str:
            self.picked += 1
            return super().pick(purpose, among)

    begun = toy.new(mode="together").to_bytes()
    sheets = [Sheet(seat, (Instruction(order),)) for seat, order in (("red", toy.Roll(2)), ("blue", toy.Roll(3)))]
    with toy.offered(decide=unlucky):
        session = adj.open(begun)
        chance = Counted(bytes.fromhex(toy.SEED), {}, session.record.journal[-1].entry.drawn)
        found = adjudicate(session.rules, session.record, sheets, contain_faults=True, chance=chance)
        alone = adjudicate(session.rules, session.record, sheets[1:])
    assert [one.problem.code for one in found.diagnostics] == ["core/fault"]
    assert [one.entry for one in found.accepted] == [one.entry for one in alone.accepted]
    assert (chance.picked, chance.drawn) == (5, found.accepted[-1].entry.drawn)


def test_rules_are_handed_the_state_after_each_event_and_asked_once_about_each_order() -> None:
    seen: list[int] = []
    asked: Counter[str] = Counter()

    def decide(_rules: Any, at: Any, _order: Any, _chance: Any) -> Any:
        for _ in range(3):
            at = yield game.Spent(seat=at.seat, before=0, after=0, why=())
            at = yield toy.Gained(seat=at.seat, coins=2)
            seen.append(at.own.acts)

    with toy.offered(decide=decide):
        adj.open(toy.new("red").to_bytes()).apply({"red": "ADD 1"})
    assert seen == [1, 2, 3]

    def counted(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            asked[name] += 1
            return getattr(toy.ToyCoins, name)(*arguments)

        return call

    begun = toy.new("red").to_bytes()
    each = []
    with toy.offered(**{name: counted(name) for name in ("refusal", "decide")}):
        for orders in (20, 60):
            asked.clear()
            adj.open(begun).apply({"red": "ADD 1\n" * orders})
            each.append({name: number - orders for name, number in asked.items()})
    assert each[0] == each[1], "what one more order costs does not grow"


def test_many_mails_with_illegal_orders_are_adjudicated_once() -> None:
    """Which mail counts is decided before the first order is carried out, and no mail is tried in place of another."""
    asked: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            asked[name] += 1
            return getattr(toy.ToyCoins, name)(*arguments)

        return call

    begun, each = toy.new(**TOGETHER).to_bytes(), []
    with toy.offered(**{name: counted(name) for name in ("refusal", "decide")}):
        for mails in (1, 45):
            asked.clear()
            texts = [
                ("blue", "ADD 3\nADD 4"),
                ("red", "ADD 1"),
                *[("red", f"ADD 7\nADD {1 + at % 5}") for at in range(mails)],
            ]
            read = [one for at, (seat, text) in enumerate(texts) for one in adj.read_orders(text, name=str(at), seat=seat)]
            result = adj.open(begun).apply(read)
            assert [one.code for one in result.problems] == ["toy-coins/too-many"]
            each.append(dict(asked))
    assert each[0] == each[1]


def test_the_journal_is_not_copied_for_each_order() -> None:
    """The memory of one adjudication grows with its own orders only, however long the game is."""
    short = toy.new("red")
    long = short.apply({"red": "ADD 1\n" * 900}).game

    def peak(game: adj.Game) -> int:
        tracemalloc.start()
        game.apply({"red": "ADD 1\n" * 100})
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(short)
    # A copied journal of 900 entries takes 7 KB; copied for each of 100 orders it would take 700 KB.
    assert peak(long) - peak(short) < 300_000
