"""Answers to questions that several seats have at once, or in between; and games with words for chance in later turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers.commands import Run
from tests.drivers.older import with_word

Game = adj.Game
SEATS = ("red", "blue", "green")


def send(game: Game, *texts: str, strict: bool = False) -> adj.Result:
    read = [one for at, text in enumerate(texts, 1) for one in adj.read_orders(text, name=f"{at}.txt")]
    return game.apply(read, strict=strict)


def mailed(game: Game, minute: int, text: str, seat: str) -> adj.Result:
    received = f"Received: by mx; Mon, 2 Mar 2026 18:{minute:02}:41 +0100"
    data = f"{received}\nMessage-ID: <{minute}@x>\nFrom: a@example.org\n\n{text}\n"
    return game.apply([adj.read_mail(data.encode(), name=f"{seat}{minute}.eml", seat=game.viewer(seat))])


def accepted(result: adj.Result) -> list[str]:
    return [row.seat for row in result.log]


def problems(result: adj.Result) -> list[str]:
    return [problem.message for problem in result.problems]


def first(game: Game, seat: str) -> str:
    return game.seen_by(seat).legal[0].order


def waiting(game: Game) -> dict[str, list[str]]:
    return {sheet.seat: list(sheet.orders) for sheet in game.seen_by("moderator").pending.waiting}


@pytest.fixture(scope="module")
def asked() -> Game:
    """Return a game of Checkpoint Charlie in which three seats are asked at once for their clue."""
    return adj.new("checkpoint-charlie", SEATS, id="g1", seed=7)


@pytest.fixture(scope="module")
def opened(asked: Game) -> Game:
    """Return the game with its first window open."""
    return send(asked, *(f"{seat}: {first(asked, seat)}" for seat in SEATS)).game


@pytest.fixture(scope="module")
def window(opened: Game) -> Game:
    """Return the game after red has answered, with an order for later."""
    return send(opened, "turn 2\nred: WAIT 2").game


def accuse(game: Game) -> str:
    return next(row.order for row in game.seen_by("blue").legal if row.order.startswith("ACCUSE"))


# Under which number --------------------------------------------------------------------------------------------------


def test_mails_for_the_same_open_decision_all_count(asked: Game) -> None:
    one = send(asked, f"turn 1\nred: {first(asked, 'red')}")
    two = send(one.game, f"turn 1\nblue: {first(asked, 'blue')}")
    assert (accepted(one), accepted(two), problems(two)) == (["red"], ["blue"], [])
    assert two.game.seen_by("green").turn == 1, "green was asked under that number, and still is"
    three = send(two.game, f"game g1 turn 1\ngreen: {first(asked, 'green')}")
    assert (accepted(three), problems(three), three.game.seen_by().turn) == (["green"], [], 4)


def test_the_number_may_count_for_one_seat_and_not_for_another(asked: Game) -> None:
    game = send(asked, f"red: {first(asked, 'red')}").game
    again = send(game, f"turn 1\nred: WAIT\nblue: {first(asked, 'blue')}")
    assert accepted(again) == ["blue"]
    assert problems(again) == ["turn 1 is over for red: its decision is made or no longer due; write `turn 2`"]
    assert [(found.line, found.column, found.code) for found in again.problems] == [(2, 1, "orders/wrong-turn")]
    stale = game.apply({"red": "turn 1\nWAIT"})
    assert ([found.line for found in stale.problems], stale.game) == ([1], game)
    assert accepted(game.apply({"blue": f"turn 1\n{first(asked, 'blue')}"})) == ["blue"]
    assert {seat: game.seen_by(seat).turn for seat in SEATS} == {"red": 2, "blue": 1, "green": 1}
    assert game.seen_by().turn == 1


def test_a_stale_sheet_one_from_the_future_and_one_of_an_undone_turn_are_refused(asked: Game, opened: Game) -> None:
    for game, number, words in (
        (opened, 1, "turn 1 is over, and the game is at turn 2"),
        (opened, 3, "turn 3 has not begun yet, and the game is at turn 2"),
        (opened.undo(0, "a slip"), 2, "turn 2 was undone, and the game is at turn 1"),
    ):
        told = problems(send(game, f"turn {number}\nred: WAIT"))
        assert told == [f"{words}: orders for turn {number} do not count now"]
    assert problems(send(asked, "turn 0\nred: WAIT")) != []


def test_corrections_bump_nothing_that_was_told(asked: Game) -> None:
    handed = asked.hand_over("red", "Zoe", "Ann moved away")
    one = send(handed, f"turn 1\nred: {first(asked, 'red')}")
    assert (handed.seen_by().turn, accepted(one)) == (1, ["red"])
    undone = one.game.undo(1, "a slip")
    again = send(undone, "turn 1\n" + "".join(f"{seat}: {first(asked, seat)}\n" for seat in SEATS))
    assert (undone.seen_by().turn, accepted(again), problems(again)) == (1, list(SEATS), [])


# Answers that are changed ---------------------------------------------------------------------------------------------


def test_an_answer_is_changed_by_a_new_sheet_until_the_window_closes(window: Game) -> None:
    order = accuse(window)
    changed = send(window, f"turn 2\nred: {order}\n  WAIT")
    (row,) = changed.log
    assert (problems(changed), row.seat, row.order, row.written) == ([], "red", "(sealed answer)", order)
    assert waiting(changed.game) == {"red": ["WAIT"]}
    assert ("red", "this is your answer now; it replaces the earlier one") in changed.remarks
    assert {seat for seat, _ in changed.remarks} == {"red"}
    assert changed.game.seen_by("moderator").pending.set_aside[-1].cause == "replaced"
    closed = send(changed.game, "turn 2\nblue: WAIT\ngreen: WAIT")
    assert (accepted(closed)[:2], problems(closed)) == (["blue", "green"], [])
    assert changed.game.audit().is_verified and closed.game.audit().is_verified
    assert "turn 2 is over" in problems(send(closed.game, "turn 2\nred: WAIT"))[0]


def test_a_change_with_a_mistake_leaves_the_answer_and_what_waits(window: Game, opened: Game) -> None:
    for wrong in ("ACCUSE Nobody", "CLUE hat", "thanks!"):
        result = send(window, f"red: {wrong}")
        assert (result.game.position_hash, waiting(result.game)) == (window.position_hash, waiting(window))
        assert (result.log, len(result.problems)) == ((), 1)
    answered = send(opened, "turn 2\nred: WAIT").game
    result = send(answered, f"red: {accuse(answered)}\n  WIAT")
    words = "the new sheet has a mistake, so nothing of it counts; your earlier answer still counts"
    assert (result.game, ("red", words) in result.remarks) == (answered, True)
    assert [order.fate.value for order in result.receipts[0].orders] == ["ignored", "refused"]
    assert "earlier orders still" in result.receipts[0].trouble
    other = send(window, "blue: WAIT")
    assert (accepted(other), waiting(other.game)) == (["blue"], waiting(window))


def test_of_several_changes_the_last_one_that_the_game_takes_counts(window: Game) -> None:
    order = accuse(window)
    result = send(window, f"red: {order}", "red: CLUE hat")
    (row,) = result.log
    assert (row.written, len(result.problems), result.problems[0].source != "") == (order, 1, True)
    assert "the earlier one counts" in result.receipts[1].trouble
    both = send(window, f"red: {order}", "red: WAIT")
    assert (both.problems, "a later one counts" in both.receipts[0].trouble) == ((), True)


def test_nobody_else_learns_what_was_changed(window: Game) -> None:
    one, other = (send(window, f"red: {words}").game for words in (accuse(window), "WAIT 3"))
    for viewer in (None, "blue", "green"):
        rows = [
            json.loads(json.dumps([str(row).replace(row.proof or "", "") for row in game.seen_by(viewer).log()]))
            for game in (one, other)
        ]
        assert rows[0] == rows[1]
        assert [bool(row.proof) for row in one.seen_by(viewer).log()] == [
            bool(row.proof) for row in other.seen_by(viewer).log()
        ]


def test_both_are_told_for_which_window_an_answer_was_counted(opened: Game) -> None:
    can = "counted as your answer for `turn 2`; a new mail can change it until all have answered"
    one = send(opened, "red: WAIT\n  WAIT")
    assert (one.remarks, can in [note for _, note in one.notes]) == ((("red", can),), True)
    two = send(one.game, "blue: WAIT")
    assert two.remarks == (("blue", can),)
    assert send(two.game, "green: WAIT").remarks == (
        ("green", "counted as your answer for `turn 2`, which is closed now"),
        ("red", "counted as your answer for `turn 5`, sent ahead; a new mail can change it until all have answered"),
    )


def test_a_mail_that_came_before_a_window_opened_is_no_answer_in_it(opened: Game) -> None:
    """Red changes its mind before the window closes, and the moderator takes that mail too late."""
    done = mailed(mailed(mailed(opened, 10, "WAIT", "red").game, 11, "WAIT", "blue").game, 20, "WAIT", "green").game
    assert done.seen_by().turn == 5
    late = mailed(done, 15, "WAIT\nWAIT", "red")
    words = "this arrived before turn 5 began, and may be for an earlier turn; if it is for turn 5, write `turn 5`"
    assert (problems(late), late.problems[0].code) == ([words], "orders/late-answer")
    assert (accepted(late), waiting(late.game)) == ([], {})
    for minute, text in ((15, "turn 5\nWAIT"), (21, "WAIT")):
        good = mailed(done, minute, text, "red")
        assert (accepted(good), problems(good)) == (["red"], [])
    changed = mailed(mailed(done, 30, "WAIT", "blue").game, 29, "WAIT", "green")
    assert (accepted(changed)[:1], problems(changed)) == (["green"], [])


def test_a_turn_with_a_changed_answer_and_orders_sent_ahead_is_replayed(opened: Game) -> None:
    game = send(send(opened, "red: WAIT\n  WAIT").game, "blue: WAIT").game
    last = send(game, f"blue: {accuse(opened)}\ngreen: WAIT")
    assert accepted(last)[:2] == ["blue", "green"] and "red" in accepted(last)
    again = adj.play_script(last.game.script(with_secret=True).text)
    assert (again.problems, again.game and again.game.position_hash) == ((), last.game.position_hash)


def test_whose_answers_stand_is_told_in_the_order_of_the_seats_and_how_to_change_them() -> None:
    seats = ("red", "green", "white", "blue", "black")
    begun = adj.new("checkpoint-charlie", seats, seed=7)
    opened = send(begun, *(f"{seat}: {first(begun, seat)}" for seat in seats)).game
    answered = send(opened, *(f"{seat}: WAIT" for seat in seats[:-1])).game
    result = send(answered, *(f"{seat}: {accuse(opened)}\n  WIAT" for seat in reversed(seats[:-1])))
    stands = [seat for seat, words in result.remarks if words.endswith("your earlier answer still counts")]
    assert stands == [*seats[:-1]]
    text = str(adj.render(send(opened, "turn 2\nred: WAIT").report("red"), "txt"))
    assert "You have answered. The game waits for " in text
    assert "write `turn 2` on a line above it" in text and "Send it without a line `turn`" not in text


# Questions in between --------------------------------------------------------------------------------------------------

RACE = {
    "seats": [
        {"seat": "red", "hand": ["saboteur"], "assistants": {"scouts": 1, "mechanics": 3, "funding": 1}},
        {"seat": "blue", "hand": ["ranger", "jerrycan"], "assistants": {"scouts": 1, "mechanics": 3, "funding": 1}},
    ],
    "tiles": [{"space": "D2", "tile": "track"}, {"space": "E2", "tile": "track"}, {"space": "E3", "tile": "stones"}],
    "turn": "red",
}
REACTS = "blue: REACT danger ask\n  DRIVE E2 losing chassis\n"
AHEAD = "blue: DRIVE E3 losing chassis\n  FUND\n"


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return a race in which red, who has a Saboteur, is to play, then blue, who has a Ranger."""
    path = tmp_path_factory.mktemp("race") / "position.json"
    path.write_text(json.dumps(RACE))
    return adj.new("great-race", ["red", "blue"], position=str(path), seed=f"{9:064x}")


def orders(result: adj.Result) -> list[str]:
    return [f"{row.seat} {row.order}" for row in result.log if row.order]


def due(game: Game) -> list[str]:
    return [f"{one.seat} {one.kind}" for one in game.due]


@pytest.fixture(scope="module")
def reacting(race: Game) -> adj.Result:
    """Return the race with blue asked about the Saboteur, while two of its orders wait."""
    return send(send(send(race, "red: DRIVE D2", REACTS).game, AHEAD).game, "red: PLAY Saboteur on blue\n  PASS\n")


def test_orders_wait_on_while_their_seat_is_asked_in_between(race: Game, reacting: adj.Result) -> None:
    together = send(send(race, "red: DRIVE D2", REACTS).game, AHEAD, "red: PLAY Saboteur on blue\n  PASS\n")
    for result in (reacting, together):
        assert (due(result.game), problems(result)) == (["blue react"], [])
        assert waiting(result.game) == {"blue": ["DRIVE E3 losing chassis", "FUND"], "red": ["PASS"]}


@pytest.mark.parametrize(
    ("answer", "carried_out", "words"),
    [
        ("CANCEL with ranger", "CANCEL with ranger, PASS, DRIVE E3, FUND", "an answer and comes before 2 orders pending"),
        ("ACCEPT\n  FUND", "ACCEPT, PASS, FUND", "the new sheet replaces 2 orders pending since turn 2"),
    ],
)
def test_an_answer_goes_before_what_waits_and_more_than_that_replaces_it(
    reacting: adj.Result, answer: str, carried_out: str, words: str
) -> None:
    result = send(reacting.game, f"blue: {answer}\n")
    assert [row.order for row in result.log] == carried_out.split(", ")
    assert (len(result.notes), words in result.notes[0][1], waiting(result.game)) == (1, True, {})


@pytest.mark.parametrize(("answer", "code"), [("CANCEL with escort", "no-escort"), ("FUND", "react-first")])
def test_an_answer_that_is_refused_leaves_what_waits(run: Run, reacting: adj.Result, answer: str, code: str) -> None:
    result = send(reacting.game, f"blue: {answer}\n")
    assert [problem.code.partition("/")[2] for problem in result.problems] == [code]
    assert (due(result.game), waiting(result.game)) == (due(reacting.game), waiting(reacting.game))
    assert "2 orders pending since turn 2 still count" in result.notes[0][1]
    Path("race.json").write_bytes(reacting.game.to_bytes())
    told = run("check", "race.json", "-", stdin=f"blue: {answer}", code=1).stdout
    assert "(line 1 of standard input; an answer is carried out before the pending 2 orders)" in told


def test_of_several_answers_the_last_one_that_the_game_takes_counts(reacting: adj.Result) -> None:
    result = send(reacting.game, "blue: ACCEPT\n", "blue: CANCEL with ranger\n", "blue: CANCEL with escort\n")
    assert [row.order for row in result.log] == ["CANCEL with ranger", "PASS", "DRIVE E3", "FUND"]
    assert [one.code for one in result.problems] == ["great-race/no-escort"]
    assert [(one.cause, one.orders) for one in result.game.seen_by("moderator").pending.set_aside] == [
        ("replaced", ("ACCEPT",))
    ]


def test_an_answer_stands_if_what_waits_behind_it_is_refused(race: Game) -> None:
    game = send(send(race, "red: DRIVE D2", REACTS).game, "blue: DRIVE Tamanrasset losing chassis\n  FUND\n").game
    result = send(send(game, "red: PLAY Saboteur on blue\n  PASS\n").game, "blue: ACCEPT\n")
    assert orders(result) == ["blue ACCEPT", "red PASS"]
    assert [(one.code, one.source) for one in result.problems] == [("great-race/no-way", "(pending since turn 2)")]


def test_a_condition_is_not_looked_at_before_its_order_can_be_meant(race: Game) -> None:
    """Skipped while blue is asked about the card, it would be lost: it is for the sequence."""
    game = send(send(race, "red: DRIVE D2", REACTS).game, "blue: IF engine < 5 THEN PASS ELSE FUND\n").game
    game = send(game, "red: PLAY Saboteur on blue engine 2 chassis 0\n  PASS\n").game
    assert orders(send(game, "blue: ACCEPT\n"))[-1] == "blue PASS"


def test_one_s_own_question_lets_the_rest_of_the_sheet_wait(race: Game) -> None:
    scouting = send(race, "red: SCOUT tiles\n  DRIVE D2\n  FUND\n")
    assert (due(scouting.game), waiting(scouting.game)) == (["red lay"], {"red": ["DRIVE D2", "FUND"]})
    lay = next(row.order for row in scouting.game.seen_by("red").legal if row.order.startswith("LAY"))
    answered = send(scouting.game, f"red: {lay}")
    assert (problems(answered), waiting(answered.game)) == ([], {"red": ["DRIVE D2", "FUND"]})


# Words for chance in later turns, which games of earlier versions have ------------------------------------------------


def worded(**changes: object) -> Game:
    game: Game = adj.new("checkpoint-rally", ["red", "blue"], id="w", **{"seed": "5" * 64, **changes})  # type: ignore[arg-type]
    return game


def step(game: Game, **words: str) -> Game:
    """Let the seat that is due draw, or else give its first legal order; then seats have sent these words with it."""
    seat = game.due_seats[0]
    legal = [row.order for row in game.seen_by(seat).legal]
    result = send(game, f"{seat}: {'DRAW' if 'DRAW' in legal else legal[0]}")
    assert not result.problems
    game = result.game
    for whose, word in words.items():
        game = with_word(game, whose, word, beside=True)
    return game


def told(game: Game) -> list[tuple[str, ...]]:
    """Return what happened in each entry that is no word."""
    return [row.told for row in game.seen_by("moderator").log() if not row.order.startswith("WORD")]


def is_sound(game: Game) -> bool:
    return game.audit().is_verified and adj.open(game.to_bytes()) == game


def test_a_word_changes_the_draws_of_later_turns_and_none_before() -> None:
    def played(one: str = "", two: str = "") -> list[tuple[str, ...]]:
        game = step(worded(), **({"red": one} if one else {}))
        game = step(game, **({"blue": two} if two else {}))
        for _ in range(6):
            game = step(game)
        assert is_sound(game)
        return told(game)

    plain, cow, cat, fish, fox = (played(*words) for words in ((), ("cow",), ("cat",), ("cow", "fish"), ("cow", "fox")))
    for one, other in ((plain, cow), (cow, cat)):
        assert one[:2] == other[:2] and one[2:] != other[2:]
    assert fish[:3] == fox[:3] == cow[:3] and fish[3:] != fox[3:]


def test_an_undo_draws_the_same_again_and_what_was_never_drawn_with_the_word() -> None:
    game = step(step(step(worded()), red="cow"))
    row = game.seen_by("moderator").log()[-1]
    back = with_word(game, "blue", "fish").undo(row.n - 1, "again, with a word")
    again = send(back, f"{row.seat}: {row.order}").game
    assert (again.seen_by("moderator").log()[-1].told, is_sound(again)) == (row.told, True)

    def after(word: str) -> Game:
        game = step(step(worded()), red=word).undo(1, "x")
        for _ in range(7):
            game = step(game)
        return game

    cow, cat = after("cow"), after("cat")
    assert is_sound(cow) and is_sound(cat) and told(cow) != told(cat)


def test_a_decision_keeps_its_number_and_an_undo_goes_back_to_words_that_stand() -> None:
    game = step(step(worded()), red="cow")
    word = game.seen_by("moderator").log()[-1].n
    there = step(game).undo(word, "to a word that stands")
    assert (there.position_hash, is_sound(there)) == (game.position_hash, True)
    with pytest.raises(adj.CorrectionError, match="was undone"):
        step(game.undo(1, "x")).undo(word, "x")
    number = there.seen_by(there.due_seats[0]).turn
    more = with_word(with_word(there, "red", "hen"), "blue", "fish", beside=True)
    assert more.seen_by(more.due_seats[0]).turn == number
    undone = step(more, red="fox").undo(more.seen_by("moderator").log()[-1].n, "x")
    seat = undone.due_seats[0]
    assert not send(undone, f"turn {number}\n{seat}: {first(undone, seat)}").problems
    assert is_sound(undone)


def test_a_game_with_words_is_no_script() -> None:
    game = step(worded(), red="cow")
    for with_secret in (False, True):
        with pytest.raises(adj.CannotExportError, match="words for chance"):
            game.script(with_secret=with_secret)
    text = step(worded()).script(with_secret=True).text
    (problem,) = adj.play_script(f"{text}red: WORD cow\n").problems
    assert (problem.code, problem.line) == ("orders/unknown-order", text.count("\n") + 1)
