"""A pause stops the clock: deadlines move by its length; players are told about it and about every new deadline."""

from __future__ import annotations

from contextlib import closing

import pytest
from players_post import DAY, HOUR, Post
from test_failures import decided_for, orders, row

from adjudicator.club.manage import extend, pause, resume

DUE = "Thursday 2026-03-05 20:00 UTC"
LATER = "Thursday 2026-03-19 20:00 UTC"


@pytest.fixture
def bots(post: Post) -> Post:
    """A race in which a simulated player decides for who misses a deadline."""
    post.settings('nmr = "wait"', 'nmr = "bot"')
    return post


def paused(post: Post, *, after: int = 0) -> None:
    post.now += after
    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["race"], post.now)


def resumed(post: Post, *, after: int = 0) -> None:
    post.now += after
    with closing(post.club.ledger()) as ledger:
        resume(post.club, ledger, ["all"], post.now)


def extended(post: Post, by: str) -> int:
    with closing(post.club.ledger()) as ledger:
        return extend(post.club, ledger, ["race"], by, post.now)["race"]


@pytest.mark.parametrize("rounds", [0, 14])
def test_deadlines_move_by_the_length_of_a_pause(bots: Post, rounds: int) -> None:
    before = row(bots).due
    paused(bots)
    for _ in range(rounds):
        bots.run(after=DAY)
    resumed(bots, after=(14 - rounds) * DAY)
    assert row(bots).due == before + 14 * DAY
    bots.run()
    assert decided_for(bots) == []
    bots.run(after=3 * DAY + 7 * HOUR)
    assert decided_for(bots) == []
    bots.run(after=14 * HOUR)
    assert decided_for(bots) == ["red"]


def test_all_players_are_told_about_pause_and_resume(post: Post) -> None:
    paused(post)
    post.run()
    got = post.got()
    assert set(got) == {"red: race: the game is paused", "blue: race: the game is paused"}
    assert f"The deadline was {DUE}; it moves by the length of the pause." in got["red: race: the game is paused"]
    paused(post, after=DAY)
    resumed(post, after=13 * DAY)
    post.run()
    got = post.got()
    assert set(got) == {f"{seat}: race: the game continues, orders due {LATER}" for seat in ("red", "blue")}
    assert (
        f"The moderator has resumed race. Orders are due {LATER}."
        in got[f"red: race: the game continues, orders due {LATER}"]
    )


def test_who_resumes_what_is_not_paused_moves_no_deadline_and_writes_no_letter(post: Post) -> None:
    before = row(post).due
    resumed(post, after=DAY)
    assert row(post).due == before
    post.run()
    assert post.got() == {}


def test_all_players_are_told_about_an_extension(post: Post) -> None:
    due = extended(post, "2 days")
    post.run()
    got = post.got()
    assert set(got) == {f"{seat}: race: orders due Saturday 2026-03-07 20:00 UTC" for seat in ("red", "blue")}
    assert "The moderator has moved the deadline" in got["red: race: orders due Saturday 2026-03-07 20:00 UTC"]
    assert due == row(post).due


def test_an_extension_during_a_pause_is_added_to_it(post: Post) -> None:
    before = row(post).due
    paused(post)
    post.now += 10 * DAY
    assert extended(post, "2 days") == before + 2 * DAY
    resumed(post, after=4 * DAY)
    assert row(post).due == before + 16 * DAY


def test_all_players_are_told_that_a_holiday_moves_the_deadline(post: Post) -> None:
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-03-12")
    post.run(after=2 * DAY)
    moved = [subject for subject in post.got() if "orders due" in subject]
    assert sorted(moved) == [f"{seat}: race: orders due Monday 2026-03-16 20:00 UTC" for seat in ("blue", "red")]


def test_a_pause_over_which_the_club_did_not_run_counts_once(bots: Post) -> None:
    before = row(bots).due
    paused(bots)
    bots.run(after=60 * DAY)
    assert row(bots).due == before
    resumed(bots)
    assert row(bots).due == before + 60 * DAY


def test_a_clock_that_goes_back_during_a_pause_brings_no_deadline_nearer_than_a_turn(bots: Post) -> None:
    before = row(bots).due
    bots.run(after=DAY)
    paused(bots)
    bots.run(after=-30 * DAY)
    resumed(bots, after=DAY)
    assert bots.now + 2 * DAY <= row(bots).due <= before


def test_a_deadline_that_was_set_during_a_pause_moves_only_by_the_rest_of_it(post: Post) -> None:
    from adjudicator.corrections.correct import undo
    from adjudicator.store.save import dump_game

    post.send("race", "red", "GEAR 1")
    post.run()
    paused(post)
    post.run()
    post.mails()
    undone = undo(post.session("race"), 0, "a slip")
    post.club.game_file("race").write_bytes(dump_game(undone.game))
    post.run(after=10 * DAY)
    fresh = row(post).due
    assert fresh > post.now
    assert all("rders are due" not in text for text in post.got().values())
    resumed(post, after=DAY)
    assert row(post).due == fresh + DAY


def test_a_ledger_of_an_older_version_keeps_its_pauses(post: Post) -> None:
    import sqlite3

    path = post.folder / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript(
            "alter table games rename column paused to is_paused;"
            "drop index mails_by_matter; drop index letters_by_message_id; alter table mails drop column matter;"
            "drop table changes; alter table mails drop column fetched;"
            "drop table people; drop table lists; drop table places; drop table messages; drop table kept_games;"
            "alter table games drop column vacant;"
        )
        old.execute("update games set is_paused = 1")
        old.execute("pragma user_version = 4")
    assert row(post).is_paused
    assert row(post).paused > post.now - DAY, "no pause is known to be longer than since the update"
    assert orders(post) == []
