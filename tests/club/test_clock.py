"""A clock that is wrong, or changes: no letter is lost or doubled, and no player misses a deadline because of it."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

import pytest
from players_post import DAY, HOUR, Post, founded, legal, states
from test_deadlines import at
from test_failures import decided_for, orders, row

from adjudicator.club import post as posting
from adjudicator.club.manage import extend, pause, resume
from adjudicator.mail.smtp import Fate, Handover

YEAR = 365 * DAY
_REFUSED = "451 later"


@pytest.fixture
def bots(post: Post) -> Post:
    """A race in which a simulated player decides for who misses a deadline."""
    post.settings('nmr = "wait"', 'nmr = "bot"')
    return post


def letters(post: Post) -> Counter[tuple[str, str]]:
    with closing(post.club.ledger()) as ledger:
        return Counter(ledger.counts())


def test_a_clock_that_goes_back_a_day_loses_and_doubles_nothing(bots: Post) -> None:
    bots.send("race", "red", "GEAR 1")
    bots.run(after=DAY)
    due = row(bots).due
    before = bots.got()
    assert "red: race: your mail was read" in before
    assert bots.run(after=-DAY).posted.sent == 0
    bots.send("race", "blue", "STATUS")
    bots.run(after=60)
    assert list(bots.got()) == ["blue: race: your mail was read"]
    assert row(bots).due == due
    for _ in range(24):
        bots.run(after=HOUR)
    assert bots.got() == {}
    assert decided_for(bots) == []


def test_the_last_mail_counts_although_the_clock_went_back(spies: Post) -> None:
    first, second, *_ = legal(spies.session("spies"), "red")
    for order, jump in ((first, DAY), (second, -DAY)):
        spies.now += jump
        spies.send("spies", "red", order)
        spies.run(after=60)
    for seat in ("blue", "green"):
        spies.send("spies", seat, legal(spies.session("spies"), seat)[0])
    spies.run(after=60)
    entries = [link.entry for link in spies.session("spies").game.journal]
    assert [entry.written or entry.order for entry in entries if entry.seat == "red"] == [second]


@pytest.mark.parametrize("jump", [DAY, YEAR])
def test_letters_of_a_time_that_never_was_go_out_when_the_clock_is_right_again(
    post: Post, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(posting, "_into_folder", lambda _club: lambda *_mail: Handover(Fate.LATER, _REFUSED))
        post.run(after=jump)
        post.send("race", "red", "STATUS")
        assert post.run(after=60).posted.later
    post.run(after=-jump)
    assert [mail["To"] for mail in post.mails() if "your mail" in str(mail["Subject"])] == ["red@example.org"]


def test_a_jump_forward_gives_up_no_letter(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(posting, "_into_folder", lambda _club: lambda *_mail: Handover(Fate.LATER, _REFUSED))
        post.send("race", "red", "STATUS")
        post.run()
        assert post.run(after=YEAR).posted.given_up == 0
    post.run(after=6 * HOUR)
    assert [mail["To"] for mail in post.mails() if "your mail" in str(mail["Subject"])] == ["red@example.org"]


def test_a_letter_that_no_server_takes_for_four_days_is_given_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "_into_folder", lambda _club: lambda *_mail: Handover(Fate.LATER, _REFUSED))
    post.send("race", "red", "STATUS")
    for _ in range(5 * 24):
        post.run(after=HOUR)
    assert letters(post)["receipt", "given up"] == 1


def test_a_jump_forward_of_a_year_lets_no_deadline_pass(bots: Post) -> None:
    bots.run(after=YEAR)
    assert decided_for(bots) == []
    got = bots.got()
    new = "Friday 2027-03-05 20:00 UTC"
    assert new in got[f"red: race: orders due {new}"]
    assert new in got["gm: new deadlines after a jump of the clock"]
    assert not any(subject.startswith("blue") for subject in got), "blue is not awaited"
    bots.run(after=60)
    assert bots.got() == {}
    bots.send("race", "red", "GEAR 1")
    bots.run(after=DAY)
    assert orders(bots) == ["GEAR 1"]
    bots.run(after=5 * DAY)
    assert decided_for(bots) == ["blue"], "from then on, deadlines count as before"


def test_after_a_year_that_never_was_deadlines_are_near_again(bots: Post) -> None:
    bots.run(after=YEAR)
    bots.mails()
    bots.run(after=60 - YEAR)
    assert row(bots).due == at("2026-03-05 20:00")
    assert "red: race: orders due Thursday 2026-03-05 20:00 UTC" in bots.got()
    bots.run(after=4 * DAY)
    assert decided_for(bots) == ["red"]


def test_a_machine_that_begins_in_1970_and_finds_the_time_harms_nothing(bots: Post) -> None:
    right = bots.now
    bots.now = 3_600
    bots.run()
    bots.now = right + 60
    bots.run()
    assert decided_for(bots) == []
    assert row(bots).due >= right + 3 * DAY


def test_a_game_that_is_paused_or_has_a_later_deadline_keeps_it(bots: Post) -> None:
    with closing(bots.club.ledger()) as ledger:
        later = extend(bots.club, ledger, ["race"], "60 weeks", bots.now)["race"]
    bots.run(after=YEAR)
    assert row(bots).due == later
    with closing(bots.club.ledger()) as ledger:
        pause(bots.club, ledger, ["race"], bots.now)
    bots.run(after=YEAR)
    assert row(bots).due == later
    with closing(bots.club.ledger()) as ledger:
        resume(bots.club, ledger, ["race"], bots.now)
    bots.run()
    assert row(bots).due == later + YEAR
    assert decided_for(bots) == []


def test_a_club_that_did_not_run_for_a_week_judges_as_usual(bots: Post) -> None:
    """Players have been able to write, and what they wrote is fetched before anything is judged."""
    bots.send("race", "red", "GEAR 1")
    bots.run(after=7 * DAY)
    assert orders(bots) == ["GEAR 1"]
    bots.run(after=7 * DAY)
    assert decided_for(bots) == ["blue"]


@pytest.mark.parametrize(
    ("begin", "due"),
    [("2026-03-28 08:00", "2026-03-29 18:00"), ("2026-10-24 08:00", "2026-10-25 19:00")],
    ids=["in spring", "in autumn"],
)
def test_a_change_of_daylight_saving_time_moves_nothing(empty: Post, begin: str, due: str) -> None:
    """A deadline at 20:00 stays there; each hour, those that come twice or never included, is one round like others."""
    empty.settings('time_zone = "UTC"', 'time_zone = "Europe/Berlin"')
    empty.settings('every = "3 days"', 'every = "1 day"')
    empty.settings('warn = "24 hours"', 'warn = "18 hours"')
    empty.settings('nmr = "wait"', 'nmr = "bot"')
    empty.now = at(begin)
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    empty.mails()
    assert row(empty).due == at(due)
    told: Counter[str] = Counter()
    while empty.now < at(due) + 12 * HOUR - 1800:
        empty.run(after=1800)
        told.update(empty.got().keys())
        assert not decided_for(empty)
    (reminder,) = (key for key in told if "reminder" in key)
    assert reminder.startswith("red: ") and reminder.endswith(told_moment(due))
    assert set(told.values()) == {1}
    empty.run(after=1800)
    assert decided_for(empty) == ["red"]


def told_moment(due: str) -> str:
    from adjudicator.club.deadlines import moment

    return moment(at(due), "Europe/Berlin")


def test_mails_that_came_while_the_clock_was_wrong_are_all_answered_once(bots: Post) -> None:
    for number, jump in enumerate((0, -DAY, YEAR, -YEAR, 3 * DAY, 60)):
        bots.send("race", "blue", "STATUS", Message_ID=f"<{number}@x>")
        bots.run(after=jump)
        bots.run(after=60)
    assert states(bots) == ["answered"] * 6
    assert letters(bots)["receipt", "sent"] == 6


def test_a_new_club_has_no_clock_to_compare(post: Post) -> None:
    fresh = founded(post.folder.parent / "fresh")
    assert fresh.run(after=YEAR).troubles == ()
