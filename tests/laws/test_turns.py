"""Turns and entries have the numbers that players were told, however the game has grown; nothing skipped leaves a gap."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.core.values import replace
from adjudicator.library.errors import NoSuchEntryError
from adjudicator.library.game import Game
from tests.drivers import toy
from tests.drivers.older import with_word
from tests.drivers.records import forge, spoiled

NEVER = "IF coins > 900 THEN ADD 1"
TOGETHER = {"mode": "together"}


def play(*turns: Any, seats: str = "red blue", **options: str) -> adj.Game:
    """Return a game after ``turns``: for each its orders (``red ADD 1, blue ADD 2``), or a call of the moderator."""
    game = toy.new(*seats.split(), **options)
    for turn in turns:
        if callable(turn):
            game = turn(game)
            continue
        sheets: dict[str, str] = {}
        for words in turn.split(", "):
            seat, _, order = words.partition(" ")
            sheets[seat] = sheets.get(seat, "") + f"{order}\n"
        game = game.apply(sheets).game
    return game


def valid(game: adj.Game) -> dict[str, set[int]]:
    """Return for each seat the turn numbers with which its orders are taken now."""

    def is_taken(seat: str, number: int) -> bool:
        result = game.apply({seat: f"turn {number}\nADD 1"})
        return "orders/wrong-turn" not in [problem.code for problem in result.problems]

    return {seat: {number for number in range(9) if is_taken(seat, number)} for seat in game.seats}


def undo(to: int) -> Callable[[adj.Game], adj.Game]:
    return lambda game: game.undo(to, "a slip")


def hand(game: adj.Game) -> adj.Game:
    return game.hand_over("red", "Zoe", "so")


def amend(game: adj.Game) -> adj.Game:
    return game.amend(["coins of red=3"], "so")


TURNS: dict[str, tuple[adj.Game, tuple[int, int], dict[str, set[int]], list[int]]] = {
    "at the beginning it is the first": (play(), (1, 1), {"red": {1}, "blue": {1}}, [0]),
    "one after the other, each adjudication has its own": (
        *(play("red ADD 1", "blue ADD 1"), (3, 3), {"red": {3}, "blue": {3}}, [0, 1, 2]),
    ),
    "of several who are asked at once, those who have not answered keep their number": (
        play("red ADD 1", seats="red blue green", **TOGETHER),
        *((1, 2), {"red": {2}, "blue": {1, 2}, "green": {1, 2}}, [0, 1]),
    ),
    "mails for one open decision are one turn": (
        play("red ADD 1", "green ADD 1", seats="red blue green", **TOGETHER),
        *((1, 3), {"red": {3}, "blue": {1, 2, 3}, "green": {3}}, [0, 1, 1]),
    ),
    "which ends when all have answered": (
        play("red ADD 1", "green ADD 1", "blue ADD 1", seats="red blue green", **TOGETHER),
        *((4, 4), {"red": {4}, "blue": {4}, "green": {4}}, [0, 1, 1, 1]),
    ),
    "what is sent ahead is stale after anybody's order": (
        play("red ADD 1", "blue ADD 1", seats="red blue green"),
        *((3, 3), {"red": {3}, "blue": {3}, "green": {3}}, [0, 1, 2]),
    ),
    "an order that was skipped answers nothing": (
        *(play(f"red {NEVER}"), (1, 1), {"red": {1}, "blue": {1}}, [0, 0]),
    ),
    "neither between others": (
        *(play("red ADD 1", f"blue {NEVER}"), (2, 2), {"red": {2}, "blue": {2}}, [0, 1, 1]),
    ),
    "a seat that was handed over changes nothing that was told": (
        *(play("red ADD 1", hand), (2, 3), {"red": {2, 3}, "blue": {2, 3}}, [0, 1, 2]),
    ),
    "nor does an amendment": (play("red ADD 1", amend), (2, 3), {"red": {2, 3}, "blue": {2, 3}}, [0, 1, 2]),
    "after an undo the number counts that was told where the game goes on": (
        *(play("red ADD 1", "blue ADD 1", undo(1)), (2, 4), {"red": {2, 4}, "blue": {2, 4}}, [0, 1, 2, 3]),
    ),
    "and then the next": (
        play("red ADD 1", "blue ADD 1", undo(1), "blue ADD 2"),
        *((5, 5), {"red": {5}, "blue": {5}}, [0, 1, 2, 3, 2]),
    ),
    "after an undo to the middle of an adjudication only its own number counts": (
        *(play("red ADD 1, red ADD 2", undo(1), seats="red"), (3, 3), {"red": {3}}, [0, 1, 1, 2]),
    ),
    "when nobody is asked it is the latest": (
        *(play("red QUIT", seats="red"), (2, 2), {"red": {2}}, [0, 1]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TURNS)
def test_the_number_of_the_present_turn(what: str) -> None:
    game, (turn, latest), numbers, rows = TURNS[what]
    assert (game.turn, game.latest_turn) == (turn, latest)
    assert valid(game) == numbers
    assert [row.turn for row in game.seen_by("moderator").log()] == rows
    assert [game.seen_by(seat).turn for seat in game.seats] == [min(numbers[seat]) for seat in game.seats]
    assert game.seen_by().position.heading.turn == turn


COUNTED: Callable[[Any], str] = lambda at: f"how many? {sum(one.coins for one in at.state.purses)} are taken"  # noqa: E731


@pytest.mark.parametrize(
    ("changes", "numbers"),
    [({"words": COUNTED}, {1, 2}), ({"kind": COUNTED}, {2}), ({"rule": COUNTED}, {2}), ({"key": COUNTED}, {2})],
)
def test_a_question_is_the_same_in_other_words_but_not_of_another_kind_rule_or_key(
    changes: dict[str, Any], numbers: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it changes with every coin, also for seats that have yet to answer."""

    def ask(at: Any) -> Any:
        found = {name: change if name == "words" else change(at) for name, change in changes.items()}
        return [replace(one, **found) for one in toy.who_acts(at)]

    def words(game: adj.Game) -> list[str]:
        return [decision.ask for decision in game.due]

    first, *others = (phase for phase in toy.ToyCoins.phases if phase.asks is toy.who_acts)
    assert not others
    phases = tuple(phase._replace(asks=ask) if phase is first else phase for phase in toy.ToyCoins.phases)
    with toy.offered(phases=phases):
        begun = play(seats="red blue green", **TOGETHER)
        game = begun.apply({"red": "ADD 1"}).game
        assert valid(game) == {"red": {2}, "blue": numbers, "green": numbers}
        assert ("words" in changes) == (words(game)[-1] != words(begun)[-1])


def test_a_turn_of_an_older_program_in_which_all_was_skipped_has_a_number_that_counts() -> None:
    old = adj.open(forge(spoiled(toy.document(play(f"red {NEVER}")), {"journal[1].entry.turn": 1})))
    assert (old.turn, valid(old)) == (1, {"red": {1, 2}, "blue": {1, 2}})
    assert old.audit().is_verified


@pytest.mark.parametrize("seed", range(6))
def test_a_game_that_has_grown_step_by_step_is_the_one_that_is_read_from_its_file(seed: int) -> None:
    """Also the past positions: each is what was shown then, and the log has the same numbers."""
    luck = Random(seed)
    game = toy.new("red", "blue", "green", mode=luck.choice(("turns", "together", "sealed")))
    shown: dict[int, Any] = {}
    kinds = []
    for number in range(16):
        kinds.append(kind := luck.choice(("orders", "orders", "orders", "skipped", "word", "holiday", "undo", "missed")))
        seats = luck.sample(game.seats, luck.randint(1, 3))
        if kind == "orders":
            lines = ("ADD 1", "ROLL", "BID 3", NEVER, "CLIMB 2")
            game = game.apply({seat: f"{luck.choice(lines)}\n{luck.choice(lines)}" for seat in seats}).game
        elif kind == "skipped":
            game = game.apply(dict.fromkeys(seats, NEVER)).game
        elif kind == "word":
            game = with_word(game, seats[0], f"cow {number}")
        elif kind == "holiday":
            game = game.take_holiday(seats[0], f"day {number}", "tomorrow")
        elif kind == "missed":
            game = game.miss_deadline(seats[0], f"day {number}", "bot")
        else:
            undone = {row.n for row in game.seen_by("moderator").log() if row.undone_by is not None}
            words = {entry["n"] for entry in toy.entries(game) if entry["order"].startswith(("WORD", "UNDO"))}
            targets = [n for n in range(len(toy.entries(game)) - 1) if n not in undone | words]
            try:
                game = game.undo(luck.choice(targets), "x") if targets else game
            except adj.CorrectionError:
                continue
        anew = adj.open(game.to_bytes())
        for viewer in (None, "red", "moderator"):
            assert (anew.seen_by(viewer).turn, anew.seen_by(viewer).log(), anew.seen_by(viewer).position) == (
                *(game.seen_by(viewer).turn, game.seen_by(viewer).log(), game.seen_by(viewer).position),
            )
        assert (anew.turn, anew.latest_turn, anew == game) == (game.turn, game.latest_turn, True)
        shown[len(toy.entries(game)) - 1] = game.seen_by("moderator").position.view.state
    steps = list(game.seen_by("moderator").replay())
    assert len(shown) > 6
    assert {n: steps[n].position.view.state for n in shown} == shown


def test_events_of_a_forger_that_cannot_follow_are_told_as_what_the_audit_says(run: Any) -> None:
    event = {"kind": "undone", "to": 7, "reason": "x"}
    forged = forge(spoiled(toy.document(play("red ADD 1")), {"journal[1].entry.events": [event]}))
    Path("forged.json").write_bytes(forged)
    for command in ("show", "replay"):
        told = run(command, "forged.json", code=3).stderr
        assert "forged.json: this file cannot be trusted" in told and "journal[1]: entry 1 " in told


# What is skipped in secret -------------------------------------------------------------------------------------------


def told_to_all(game: adj.Game) -> str:
    """Return the public log, without the proofs, which nobody can read anything in."""
    return "\n".join(repr(replace(row, proof=None)) for row in game.seen_by().log())


@pytest.fixture(scope="module")
def plain() -> adj.Game:
    return play("red ADD 1", "blue ADD 1", "red ADD 2", "blue ADD 2")


@pytest.fixture(scope="module")
def gappy() -> adj.Game:
    """Return the same game with two orders that were skipped before each of the last two."""
    two = [f"{seat} {NEVER}, {seat} {NEVER}, {seat} ADD 2" for seat in ("red", "blue")]
    return play("red ADD 1", "blue ADD 1", *two)


def test_the_public_log_has_no_gap_where_an_order_was_skipped(plain: adj.Game, gappy: adj.Game) -> None:
    assert (len(toy.entries(plain)), len(toy.entries(gappy))) == (5, 9)
    assert told_to_all(plain) == told_to_all(gappy)
    rows = gappy.seen_by("moderator").log()
    assert sorted({row.n for row in rows}) == list(range(9))
    assert [(row.n, row.public.n) for row in rows if row.public] == [(3, 2), (4, 2), (5, 3), (6, 3), (7, 3), (8, 4)]


def test_a_seat_reads_its_own_skipped_orders_under_the_number_before(gappy: adj.Game) -> None:
    mine, other = gappy.seen_by("blue").log(), gappy.seen_by("red").log()
    assert [(row.n, row.skipped) for row in mine if row.order.startswith("(")] == [(3, 1), (3, 2)]
    assert sorted({row.n for row in mine}) == sorted({row.n for row in other}) == [0, 1, 2, 3, 4]


def test_what_was_undone_is_told_by_the_same_numbers(plain: adj.Game, gappy: adj.Game) -> None:
    told = [told_to_all(game.undo(2, "a mail")) for game in (plain, gappy)]
    assert told[0] == told[1]
    assert "undone_by=5" in told[0]
    assert told_to_all(gappy.undo(4, "a mail")) == told[0], "to a skipped order is to what was before it"


@pytest.mark.parametrize(("first", "last"), [(0, None), (1, 3), (3, 3), (2, 4)])
def test_a_replay_counts_as_its_reader_does(plain: adj.Game, gappy: adj.Game, first: int, last: int | None) -> None:
    shown = [[(s.n, row.order) for s in game.seen_by().replay(first, last) for row in s.rows] for game in (plain, gappy)]
    assert shown[0] == shown[1] != []
    with pytest.raises(NoSuchEntryError, match=r"it has entries 0 .* to 4"):
        gappy.seen_by().replay(5)
    assert [step.n for step in gappy.seen_by("moderator").replay(3, 5)] == [3, 4, 5]


def test_the_commands_count_alike(run: Any, gappy: adj.Game) -> None:
    Path("g.json").write_bytes(gappy.to_bytes())
    rows = [json.loads(line) for line in run("log", "g.json", "--json", code=0).stdout.splitlines()]
    assert sorted({row["n"] for row in rows}) == [0, 1, 2, 3, 4]
    assert "it has entries 0 (the set-up) to 4" in run("replay", "g.json", "--until", "7", code=2).stderr
    run("replay", "g.json", "--until", "7", "--as", "moderator", code=0)
    table = run("log", "g.json", "--as", "moderator", code=0).stdout
    assert re.search(r"^ *8 \(4\)  blue  ADD 2", table, re.MULTILINE)
    run("undo", "g.json", "--to", "7", "--reason", "x", code=0)


# --- what a timeline asks the rules


def test_loading_a_game_words_no_question() -> None:
    data = play("red ADD 1", "blue ADD 1", hand, "red ADD 2", undo(2), "red ADD 2").to_bytes()
    words, worded = toy.ACTION.words.__code__, list[str]()

    def profile(frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code is words:
            worded.append(frame.f_code.co_name)

    sys.setprofile(profile)
    try:
        game = adj.open(data)
    finally:
        sys.setprofile(None)
    assert worded == []
    assert game.turn == 7


def test_no_entry_has_a_negative_number() -> None:
    timeline = Game.load(play("red ADD 1").to_bytes()).timeline
    assert timeline.state_after(1) == timeline.state
    for number in (-1, 2):
        with pytest.raises(IndexError):
            timeline.state_after(number)


def test_more_entries_of_the_last_adjudication_are_no_adjudication_of_their_own() -> None:
    short, long = (Game.load(play(turn).to_bytes()) for turn in ("red ADD 1", "red ADD 1, blue ADD 1"))
    assert short.timeline.turn_after(1) == 2
    grown = [short.timeline.extended(long.record).turn_after(n) for n in range(3)]
    assert grown == [long.timeline.turn_after(n) for n in range(3)] == [1, 1, 2]
