"""The newest mail of a seat decides whether it is ready; its receipt says what counts now, and at the deadline."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from players_post import DAY, HOUR, Post, legal
from portion import portion
from test_failures import orders, row

import adjudicator as adj
from adjudicator.club.manage import pause
from adjudicator.moderate import combine, own_check
from adjudicator.orders import turnfile

WRONG = "red: race: your mail has a mistake"
CHANGED = "Sorry, I changed my mind:\nGEAR 1\nGAER N"
"""Orders with a line that stays a mistake: a misspelled verb."""


def flat(text: str) -> str:
    return " ".join(text.split())


def two_mails(post: Post, first: str = "GEAR N", second: str = CHANGED) -> str:
    """Let red write twice in one round; return what the receipt of the second mail says."""
    post.send("race", "red", first)
    post.now += 60
    post.send("race", "red", second)
    post.run()
    return flat(post.got().get(WRONG, ""))


def test_orders_that_a_newer_mail_with_a_mistake_should_replace_are_not_played(post: Post) -> None:
    told = two_mails(post)
    assert orders(post) == []
    assert "None of your orders count yet, because this mail has a mistake." in told
    deadline = "If you send no other mail by the deadline (Thursday 2026-03-05 20:00 UTC), these orders count: GEAR N"
    assert f"{deadline}. They are in your mail of Monday 2026-03-02 12:00 UTC" in told
    assert "WITHDRAW" in told
    post.run(after=DAY)
    assert orders(post) == []


def test_a_better_mail_ends_the_waiting(post: Post) -> None:
    two_mails(post)
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]


def test_at_the_deadline_the_orders_count_that_the_receipt_has_named(post: Post) -> None:
    two_mails(post)
    post.run(after=4 * DAY)
    assert orders(post) == ["GEAR N"]


def test_a_player_can_take_back_what_would_count_at_the_deadline(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    two_mails(post)
    post.send("race", "red", "WITHDRAW")
    post.run(after=60)
    assert orders(post) == []
    post.run(after=4 * DAY)
    assert "GEAR N" not in orders(post)[:1]


def test_of_a_single_mail_the_orders_above_its_mistake_count_at_the_deadline(post: Post) -> None:
    post.send("race", "red", "GEAR 1\nGOO\nGEAR 2")
    post.run()
    told = flat(post.got()[WRONG])
    assert "these orders count: GEAR 1. They are in this mail, above its first mistake." in told
    post.run(after=4 * DAY)
    assert orders(post)[:1] == ["GEAR 1"]


def test_a_mail_without_any_usable_order_says_that_nothing_counts(post: Post) -> None:
    post.send("race", "red", "GAER 1")
    post.run()
    told = flat(post.got()[WRONG])
    assert "by the deadline (Thursday 2026-03-05 20:00 UTC), no orders of yours count." in told


def test_orders_sent_ahead_are_not_played_either_if_a_newer_mail_has_a_mistake(post: Post) -> None:
    post.send("race", "blue", "GEAR N")
    post.run(after=60)
    post.send("race", "blue", CHANGED)
    post.run(after=60)
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    post.run(after=4 * DAY)
    assert orders(post)[1] == "GEAR N"


def test_a_mail_that_is_only_a_remark_takes_nothing_back(spies: Post) -> None:
    order = legal(spies.session("spies"), "red")[0]
    for text in (order, "Thanks for the quick turn!"):
        spies.send("spies", "red", text)
        spies.run(after=60)
    told = "\n".join(text for subject, text in spies.got().items() if subject == "red: spies: your mail has no orders")
    assert "Your orders in your mail of Monday 2026-03-02 12:00 UTC still count" in flat(told)
    for seat in ("blue", "green"):
        spies.send("spies", seat, legal(spies.session("spies"), seat)[0])
    spies.run(after=60)
    assert len(orders(spies, "spies")) >= 3


@pytest.mark.parametrize("mails", [["WITHDRAW"], ["{}", "WITHDRAW"], ["{}", "WITHDRAW from 1"]])
def test_a_seat_that_has_only_withdrawn_is_awaited_and_nobody_learns_of_it(spies: Post, mails: list[str]) -> None:
    ready = {seat: legal(spies.session("spies"), seat)[0] for seat in ("red", "blue", "green")}
    for text in mails:
        spies.send("spies", "red", text.format(ready["red"]))
        spies.run(after=60)
    letters = [flat(mail.get_body(("plain",)).get_content()) for mail in spies.mails()]
    assert any("have no orders" in letter for letter in letters)
    for seat in ("blue", "green"):
        spies.send("spies", seat, ready[seat])
    spies.run(after=60)
    assert orders(spies, "spies") == []
    assert sorted(spies.got()) == ["blue: spies: your mail was read", "green: spies: your mail was read"]
    spies.send("spies", "red", ready["red"])
    spies.run(after=60)
    assert len(orders(spies, "spies")) >= 3


def test_a_mail_for_a_later_turn_takes_nothing_back(spies: Post) -> None:
    order = legal(spies.session("spies"), "red")[0]
    for text in (f"turn 1\n{order}", f"turn 2\n{order}"):
        spies.send("spies", "red", text)
        spies.run(after=60)
    for seat in ("blue", "green"):
        spies.send("spies", seat, legal(spies.session("spies"), seat)[0])
    spies.run(after=60)
    assert len(orders(spies, "spies")) >= 3


@pytest.mark.parametrize("paused", [False, True])
def test_a_receipt_of_a_paused_game_names_no_deadline(post: Post, paused: bool) -> None:
    if paused:
        with closing(post.club.ledger()) as ledger:
            pause(post.club, ledger, ["race"], post.now)
    told = two_mails(post)
    assert ("the deadline (Thursday" in told) != paused
    assert row(post).due > post.now + HOUR


AT_THE_DEADLINE = [
    ["GEAR 1\nGOO"],
    ["GEAR 3"],
    ["GAER 1"],
    ["GEAR N\nGEAR 1\nGOO\nGEAR 2"],
    ["GEAR N", "GAER 1"],
    ["GEAR N", "GEAR 3"],
    ["GEAR N", "GEAR 1\nGOO"],
    ["GAER 1", "GAER 2"],
    ["GEAR 3", "GEAR 1\nGOO"],
    ["GEAR 1\nGOO", "GEAR N\nGOO"],
    ["GEAR N", "GEAR 1", "GAER 1", "Thanks!"],
    ["GEAR N", "WITHDRAW\nGAER 1"],
    ["GEAR N\nGEAR 1", "WITHDRAW from 2\nGAER 1"],
    ["GAER 1", "Thanks!"],
    ["WITHDRAW from 2\nGAER 1"],
    ["GAER 1", "turn 9\nGEAR 1"],
    ["GEAR 1\nGOO", "turn 9\nGEAR N"],
    ["GEAR 1\nGOO", "game other\nGEAR N"],
    ["turn x\nGEAR 1"],
    ["GEAR N", "turn x\nGEAR 1"],
    ["turn 1\nGEAR N", "turn 1\nGEAR 1\nGOO"],
]
"""The mails of red, one list for each race."""


@pytest.mark.parametrize("first", portion(range(8), 8))
def test_what_the_last_receipt_promises_happens_at_the_deadline(empty: Post, first: int) -> None:
    races = begin_races(empty, AT_THE_DEADLINE[first::8])
    receipts = last_receipts(empty, races)
    for game in races:
        assert orders(empty, game) == [], races[game]
    empty.run(after=4 * DAY)
    for game, mails in races.items():
        promised, played = promised_orders(receipts[game]), orders(empty, game)
        assert played == promised[: len(played)], mails
        assert bool(played) == bool(promised), mails


def begin_races(post: Post, lists: list[list[str]]) -> dict[str, list[str]]:
    """Begin a race of red and blue for each list of mails; return the mails of red by race."""
    races = {f"race-{number}": mails for number, mails in enumerate(lists)}
    for game in races:
        post.add("checkered-flag", "red", "blue", game=game)
    post.run()
    post.mails()
    return races


def last_receipts(post: Post, races: dict[str, list[str]]) -> dict[str, str]:
    """Send the mails of red to each race, let the club read them in one round, and return the receipt of the last mail."""
    for game, mails in races.items():
        for number, text in enumerate(mails):
            post.now += 60
            post.send(game, "red", text, Message_ID=f"<{game}-{number}@x>")
    post.run()
    last = {f"<{game}-{len(mails) - 1}@x>": game for game, mails in races.items()}
    return {
        last[mail["In-Reply-To"]]: flat(mail.get_body(("plain",)).get_content())
        for mail in post.mails()
        if mail["In-Reply-To"] in last
    }


def promised_orders(receipt: str) -> list[str]:
    """Return the orders that count at the deadline, as ``receipt`` says."""
    found = re.search(r"these orders count: (.*?)\. (They are|The game)", receipt)
    assert found or "orders of yours" in receipt, receipt
    return found[1].split("; ") if found else []


def test_a_seat_whose_newest_mail_has_a_mistake_is_reminded(post: Post) -> None:
    two_mails(post)
    post.run(after=2 * DAY + 9 * HOUR)
    told = post.got()["red: race, turn 1: reminder, orders due Thursday 2026-03-05 20:00 UTC"]
    assert "\nYour newest mail has a mistake. Please correct it, and send all your orders again.\n" in told


@pytest.fixture(scope="module")
def _ahead(_racing: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _racing.copied(tmp_path_factory.mktemp("ahead") / "club")
    post.send("race", "red", "GEAR 1\nGEAR 2")
    post.run()
    post.send("race", "red", "GAER N")
    post.run(after=60)
    assert orders(post) == ["GEAR 1"]
    return post


@pytest.fixture
def ahead(_ahead: Post, tmp_path: Path) -> Post:
    """A race in which `GEAR 2` of red waits in the game, and the newest mail of red has a mistake; blue is asked."""
    return _ahead.copied(tmp_path / "club")


def test_pending_orders_wait_if_a_newer_mail_has_a_mistake_and_the_receipt_says_so(ahead: Post) -> None:
    told = flat(ahead.got()[WRONG])
    assert "count yet" in told
    assert (
        "by the deadline of your turn, these orders count: GEAR 2. The game already has them. WITHDRAW takes them back."
        in told
    )
    ahead.send("race", "blue", "GEAR 1")
    ahead.run(after=60)
    ahead.run(after=60)
    assert orders(ahead) == ["GEAR 1", "GEAR 1"]
    assert "red" in row(ahead).awaited


PENDING = [
    ["GEAR N\nGOO"],
    ["GEAR 5"],
    ["GAER 1", "GEAR 1\nGOO"],
    ["GAER 1", "Thanks!"],
    ["WITHDRAW\nGAER 1"],
    ["WITHDRAW\nGEAR N\nGOO"],
    ["WITHDRAW from 2\nGAER 1"],
    ["WITHDRAW from 3\nGAER 1"],
    ["GAER 1", "WITHDRAW from 2", "GAER 2"],
    ["WITHDRAW from 2\nGEAR N", "GAER 2"],
    ["GEAR N", "GAER 2"],
    ["WITHDRAW", "GAER 2"],
    ["WITHDRAW from 2\nGAER 1", "GEAR 1\nGOO"],
    ["GAER 1", "turn 9\nGEAR N"],
    ["GAER 1", "turn 1\nGEAR N"],
    ["turn 2\nGEAR N\nGOO"],
    ["turn x\nGEAR N"],
]
"""The mails of red, who has pending orders, one list for each race."""


@pytest.mark.parametrize("case", portion(product((True, False), range(8)), 9))
def test_what_the_last_receipt_promises_of_pending_orders_happens(empty: Post, case: tuple[bool, int]) -> None:
    is_asked, first = case
    races = begin_races(empty, PENDING[first::8])
    for game in races:
        empty.send(game, "red", "GEAR 1\nGEAR 2\nGEAR 3")
    empty.run()
    if is_asked:  # a mistake holds the pending orders until red is asked
        for text, seat in (("GAER 1", "red"), ("GEAR 1", "blue")):
            for game in races:
                empty.send(game, seat, text)
            empty.run(after=60)
    before = {game: len(orders(empty, game)) for game in races}
    receipts = last_receipts(empty, races)
    if not is_asked:
        for game in races:
            empty.send(game, "blue", "GEAR 1")
        empty.run(after=60)
    empty.run(after=60)
    blue = 0 if is_asked else 1
    for game, mails in races.items():
        assert len(orders(empty, game)) == before[game] + blue, mails
    empty.run(after=4 * DAY)
    for game, mails in races.items():
        left = [order.order for sheet in empty.session(game).game.pending for order in sheet.orders]
        assert orders(empty, game)[before[game] + blue :] + left == promised_orders(receipts[game]), mails


def test_pending_orders_that_wait_count_at_the_deadline_of_their_seat(ahead: Post) -> None:
    ahead.send("race", "blue", "GEAR 1")
    ahead.run(after=60)
    ahead.run(after=4 * DAY)
    assert orders(ahead) == ["GEAR 1", "GEAR 1", "GEAR 2"]


@pytest.mark.parametrize("policy", ["default", "bot"])
def test_pending_orders_wait_also_while_the_club_decides_for_another_seat(ahead: Post, policy: str) -> None:
    ahead.settings('nmr = "wait"', f'nmr = "{policy}"')
    ahead.run(after=4 * DAY)
    assert len(orders(ahead)) > 1
    assert "GEAR 2" not in orders(ahead)
    assert row(ahead).awaited == ("red",)


@pytest.mark.parametrize(("text", "played"), [("GEAR N", "GEAR N"), ("WITHDRAW\nGEAR N", "GEAR N")])
def test_a_better_mail_ends_the_waiting_of_pending_orders(ahead: Post, text: str, played: str) -> None:
    ahead.send("race", "blue", "GEAR 1")
    ahead.run(after=60)
    ahead.send("race", "red", text)
    ahead.run(after=60)
    assert orders(ahead) == ["GEAR 1", "GEAR 1", played]


def test_withdraw_takes_pending_orders_back_that_wait(ahead: Post) -> None:
    ahead.send("race", "red", "WITHDRAW")
    ahead.run(after=60)
    ahead.send("race", "blue", "GEAR 1")
    ahead.run(after=60)
    assert orders(ahead) == ["GEAR 1", "GEAR 1"]
    assert not ahead.session("race").game.pending


def test_pending_orders_are_played_when_the_seat_gets_another_player(ahead: Post) -> None:
    """The mail with the mistake was the old player's: it no longer holds the orders that the game has."""
    ahead.send("race", "blue", "GEAR 1")
    ahead.run(after=60)
    ahead.seat("race", "red", "Carol", "carol@example.org")
    ahead.run(after=60)
    assert orders(ahead)[-1] == "GEAR 2"


def test_a_remark_does_not_hold_pending_orders(post: Post) -> None:
    post.send("race", "red", "GEAR 1\nGEAR 2")
    post.run()
    post.mails()
    post.send("race", "red", "Thanks for the quick turn!")
    post.run(after=60)
    (told,) = (text for key, text in post.got().items() if key == "red: race: your mail has no orders")
    assert "Your orders that the game already has still count: GEAR 2." in flat(told)
    post.send("race", "blue", "GEAR 1")
    post.run(after=60)
    assert orders(post) == ["GEAR 1", "GEAR 1", "GEAR 2"]


@pytest.mark.parametrize(
    "text",
    [
        *("GEAR 1\nGAER {}", "GEAR 9\nGAER {}", "GEAR 2\nGEAR 5\n;{}"),
        *("Hello number {}", "turn 9\nGEAR 1\n;{}", "WITHDRAW\nGAER {}"),
    ],
)
def test_the_work_grows_no_faster_than_the_mails_of_a_seat(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    work: Counter[str] = Counter()

    def count(place: ModuleType, name: str) -> None:
        call = getattr(place, name)

        def counted(*given: Any, **named: Any) -> Any:
            work[name] += 1
            return call(*given, **named)

        monkeypatch.setattr(place, name, counted)

    for place, name in ((turnfile, "Reading"), (own_check, "preview"), (combine, "adjudicate"), (adj, "read_mail")):
        count(place, name)
    for number in (10, 20, 40):
        work.clear()
        sent = post.copied(tmp_path / str(number))
        for one in range(number):
            sent.now += 1
            sent.send("race", "red", text.format(one))
            if one % 4 == 0:
                sent.run()
        sent.run()
        sent.run(after=5 * DAY)
        assert max(work.values()) <= 5 * number + 10, work
