"""Mails for another turn or another game: they get an answer, and change nothing for this turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from players_post import DAY, Post, legal, states
from test_failures import orders
from test_pending import WRONG, flat

TURN = "red: race: your mail is for another turn"
GAME = "red: race: your mail is for another game"
STALE = "This mail is for turn 1, and the game is at turn 3. It changes nothing."


@pytest.fixture(scope="module")
def _third(_racing: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _racing.copied(tmp_path_factory.mktemp("third") / "club")
    for seat in ("red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run(after=60)
    post.mails()
    return post


@pytest.fixture
def third(_third: Post, tmp_path: Path) -> Post:
    """A race at turn 3: red is asked again."""
    return _third.copied(tmp_path / "club")


@pytest.fixture(scope="module")
def _second(_spying: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _spying.copied(tmp_path_factory.mktemp("second") / "club")
    round_of(post, "red", "blue", "green")
    post.mails()
    assert post.session("spies").valid_turns.turn == 2
    return post


@pytest.fixture
def second(_second: Post, tmp_path: Path) -> Post:
    """A game in which three players order at once, at turn 2."""
    return _second.copied(tmp_path / "club")


def round_of(post: Post, *seats: str) -> None:
    for seat in seats:
        post.send("spies", seat, legal(post.session("spies"), seat)[0])
    post.run(after=60)


def test_a_mail_for_a_past_turn_is_answered_and_changes_nothing(third: Post) -> None:
    third.send("race", "red", "turn 1\nGEAR 2")
    third.run(after=60)
    got = third.got()
    assert list(got) == [TURN]
    assert STALE in flat(got[TURN])
    assert "Please send your orders for turn 3 by Thursday" in flat(got[TURN])
    assert states(third).count("waiting") == 0
    assert orders(third) == ["GEAR 1", "GEAR 1"]


def test_a_mail_for_a_past_turn_does_not_make_a_seat_ready(second: Post) -> None:
    before = len(orders(second, "spies"))
    second.send("spies", "red", f"turn 1\n{legal(second.session('spies'), 'red')[0]}")
    second.run(after=60)
    round_of(second, "blue", "green")
    assert len(orders(second, "spies")) == before


def test_a_mail_for_a_past_turn_takes_no_orders_back(second: Post) -> None:
    before, order = len(orders(second, "spies")), legal(second.session("spies"), "red")[0]
    second.send("spies", "red", order)
    second.run(after=60)
    second.mails()
    second.send("spies", "red", f"turn 1\n{order}")
    second.run(after=60)
    assert f"still count: {order}." in flat(second.got()["red: spies: your mail is for another turn"])
    round_of(second, "blue", "green")
    assert len(orders(second, "spies")) >= before + 3


def test_a_mail_for_a_past_turn_does_not_end_the_waiting_for_a_mail_with_a_mistake(third: Post) -> None:
    third.send("race", "red", "GEAR 1\nGOO")
    third.run(after=60)
    third.mails()
    third.send("race", "red", "turn 1\nGEAR 2")
    third.run(after=60)
    assert "changes nothing" in flat(third.got()[TURN])
    assert orders(third) == ["GEAR 1", "GEAR 1"]
    third.run(after=4 * DAY)
    assert orders(third)[2] == "GEAR 1"


def test_a_mail_for_another_game_is_answered_and_changes_nothing(third: Post) -> None:
    third.send("race", "red", "game other\nGEAR 2")
    third.run(after=60)
    got = third.got()
    assert list(got) == [GAME]
    assert "This mail is for another game. It changes nothing in race." in flat(got[GAME])
    assert states(third).count("waiting") == 0


def test_a_mail_for_a_later_turn_waits_for_it_and_does_not_make_a_seat_ready(post: Post) -> None:
    post.send("race", "red", "turn 3\nGEAR N")
    post.run(after=60)
    got = post.got()
    assert list(got) == [TURN]
    told = "This mail is for turn 3, and the game is at turn 1. The club keeps it until turn 3 begins."
    assert told in flat(got[TURN])
    assert orders(post) == []
    for seat in ("red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run(after=60)
    assert orders(post) == ["GEAR 1", "GEAR 1", "GEAR N"]


def test_a_mail_with_two_turns_is_ready_and_its_receipt_says_that_one_part_is_refused(post: Post) -> None:
    post.send("race", "red", "turn 1\nGEAR 1\nturn 3\nGEAR N")
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    assert "turn 3 has not" in post.got()["red: race: your mail was read"]


def test_a_header_that_cannot_be_read_is_a_mistake(post: Post) -> None:
    post.send("race", "red", "turn x\nGEAR 1")
    post.run(after=60)
    assert "count yet" in flat(post.got()[WRONG])
    assert states(post) == ["waiting"]
    assert orders(post) == []


def test_a_receipt_promises_nothing_of_a_mail_for_a_turn_that_ends_before_the_deadline_of_its_seat(post: Post) -> None:
    """Blue is not asked in turn 1: the mail names that turn, so its orders cannot count when blue is asked."""
    post.settings('nmr = "wait"', 'nmr = "default"')
    post.send("race", "blue", "turn 1\nGEAR 2\nGOO")
    post.run(after=60)
    (told,) = (text for key, text in post.got().items() if key.startswith("blue: race: your mail"))
    assert "of yours count" in flat(told)
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    post.run(after=4 * DAY)
    assert "GEAR 2" not in orders(post)


@pytest.mark.parametrize("head", ["turn 1", "Turn 1:"])
def test_a_past_turn_is_named_however_its_line_is_written(third: Post, head: str) -> None:
    third.send("race", "red", f"{head}\nGEAR 2")
    third.run(after=60)
    assert "changes nothing" in flat(third.got()[TURN])


def test_a_mail_for_a_later_turn_is_no_mistake(third: Post) -> None:
    third.send("race", "red", "Turn 7:\nGEAR 2")
    third.run(after=60)
    told = flat(third.got()[TURN])
    assert "This mail is for turn 7, and the game is at turn 3. The club keeps it until turn 7 begins." in told


def test_a_mail_for_another_game_is_called_so(third: Post) -> None:
    third.send("race", "red", "game rally turn 7\nGEAR 2")
    third.run(after=60)
    assert "another game" in flat(third.got()[GAME])
