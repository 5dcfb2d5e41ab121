"""Games of a club go on when their orders are in, or when a deadline is over; everybody is told once."""

from __future__ import annotations

from contextlib import closing

import pytest
from players_post import DAY, HOUR, Post, awaited, legal

from adjudicator.audit.decide import audit_game
from adjudicator.club.run import run_once
from adjudicator.core.corrections import MissedDeadline, MissedPolicy, WentOnHoliday
from adjudicator.corrections.correct import undo
from adjudicator.store.save import dump_game


def due(post: Post) -> int:
    with closing(post.club.ledger()) as ledger:
        return ledger.game("race").due


def entries(post: Post, game: str = "race") -> list:
    return [link.entry for link in post.session(game).game.journal]


def test_a_game_that_was_taken_in_is_told_to_everybody_once(empty: Post) -> None:
    empty.add("checkered-flag", "red", "blue", game="race")
    assert empty.run().games == ("race",)
    got = empty.got()
    waiting = "race, turn 1: waiting for Red (red)"
    assert set(got) == {
        "red: race, turn 1: your turn",
        f"blue: {waiting}",
        f"gm: {waiting}",
        "red: race: welcome",
        "blue: race: welcome",
    }
    assert "GEAR 1" in got["red: race, turn 1: your turn"]
    assert got["red: race, turn 1: your turn"].startswith("Your orders are due Thursday 2026-03-05 20:00 UTC.\n")
    waiting = got["blue: race, turn 1: waiting for Red (red)"]
    assert waiting.startswith("The orders of Red (red) are due Thursday 2026-03-05 20:00 UTC.\n")
    for _ in range(3):
        done = empty.run(after=HOUR)
        assert (done.fetched, done.games, done.posted.sent, done.troubles) == (0, (), 0, ())
    assert empty.got() == {}


@pytest.mark.parametrize(("form", "kind"), [("png", "image/png"), ("svg", "image/svg+xml"), ("none", "")])
def test_a_report_comes_as_a_text_a_page_and_a_picture(empty: Post, form: str, kind: str) -> None:
    empty.settings('pictures = "none"', f'pictures = "{form}"')
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    mail = next(mail for mail in empty.mails() if "your turn" in str(mail["Subject"]))
    page = mail.get_body(("html",)).get_content()
    assert "<svg" in page
    assert "GEAR 1" in page
    attached = [(one.get_filename(), one.get_content_type()) for one in mail.iter_attachments()]
    assert attached == ([(f"board.{form}", kind)] if kind else [])


def test_orders_without_a_mistake_are_adjudicated_at_once_if_nobody_else_is_awaited(post: Post) -> None:
    post.send("race", "red", "turn 1\nGEAR 1")
    assert post.run().games == ("race",)
    assert [entry.order for entry in entries(post)][1:] == ["GEAR 1"]
    got = post.got()
    assert {key for key in got if key.startswith("red")} == {
        "red: race: your mail was read",
        "red: race, turn 2: waiting for Blue (blue)",
    }
    assert "line 2  GEAR 1" in got["red: race: your mail was read"]
    assert "blue: race, turn 2: your turn" in got


def test_what_has_a_mistake_waits_for_a_better_mail_until_the_deadline(post: Post) -> None:
    post.send("race", "red", "GEAR 1\nGOO")
    post.run()
    assert len(entries(post)) == 1
    told = post.got()["red: race: your mail has a mistake"]
    assert "“GOO” is not an order" in told
    assert "\n  GOO\n  ^^^\n" in told
    post.send("race", "red", "GEAR 1")
    post.run()
    assert [entry.order for entry in entries(post)][1:] == ["GEAR 1"]


def test_at_the_deadline_what_can_be_used_of_a_mail_is_used(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.send("race", "red", "GEAR 1\nGOO")
    post.run()
    post.run(after=4 * DAY)
    assert entries(post)[1].order == "GEAR 1"
    assert not any(isinstance(event, MissedDeadline) for entry in entries(post) for event in entry.events)


def test_who_has_sent_nothing_is_reminded_once_and_nobody_else_is(post: Post) -> None:
    post.run(after=2 * DAY + HOUR)
    assert post.got() == {}
    post.run(after=8 * HOUR)
    got = post.got()
    ((subject, told),) = got.items()
    assert subject == "red: race, turn 1: reminder, orders due Thursday 2026-03-05 20:00 UTC"
    assert "\nYou have no" in told
    assert "mistake" not in told
    post.run(after=HOUR)
    assert post.got() == {}


def test_a_holiday_that_changes_no_position_reminds_no_one_again(post: Post) -> None:
    post.run(after=2 * DAY + 9 * HOUR)
    assert any("reminder" in subject for subject in post.got())
    post.send("race", "blue", "HOLIDAY 2026-03-20 to 2026-03-25")
    post.run(after=60)
    post.run(after=60)
    assert not any("reminder" in subject for subject in post.got())


def test_by_default_a_missed_deadline_is_told_to_the_moderator_and_nothing_is_decided(post: Post) -> None:
    post.run(after=3 * DAY + 9 * HOUR)
    assert len(entries(post)) == 1
    post.got()
    post.run(after=13 * HOUR)
    assert len(entries(post)) == 1
    got = post.got()
    assert list(got) == ["gm: race, turn 1: the orders of Red (red) are missing"]
    (told,) = got.values()
    assert "the deadline is over, and the orders of Red (red) are missing" in told
    post.run(after=DAY)
    assert list(post.got()) == ["gm: waiting for you: 1 matter"], "only the letter of the morning"
    post.send("race", "red", "GEAR 1")
    post.run()
    assert len(entries(post)) == 2


@pytest.mark.parametrize("policy", ["bot", "default"])
def test_what_is_decided_for_a_seat_is_noted_in_the_journal_and_audited(post: Post, policy: str) -> None:
    post.settings('nmr = "wait"', f'nmr = "{policy}"')
    post.run(after=4 * DAY)
    missed = entries(post)[1]
    assert missed.order == "NMR red"
    assert missed.events[0] == MissedDeadline(
        seat="red", due="Thursday 2026-03-05 20:00 UTC", policy=MissedPolicy(policy), missed=1
    )
    assert entries(post)[2].seat == "red"
    assert awaited(post.session("race")) == ["blue"]
    assert audit_game(post.session("race")).divergence is None
    report = next(text for subject, text in post.got().items() if subject.startswith("blue: race, turn"))
    assert "no orders of red had come by Thursday 2026-03-05 20:00 UTC" in " ".join(report.split())


def test_within_the_grace_nobody_has_missed_the_deadline(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.run(after=3 * DAY + 8 * HOUR + 11 * HOUR)
    assert len(entries(post)) == 1
    post.run(after=HOUR)
    assert entries(post)[1].order == "NMR red"


def test_a_seat_is_given_up_after_so_many_deadlines_in_a_row_and_decided_for_at_once_from_then_on(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings("drop_after = 0", "drop_after = 2")
    post.run(after=4 * DAY)
    post.send("race", "blue", "GEAR 1")
    post.run()
    post.run(after=4 * DAY)
    missed = [event for entry in entries(post) for event in entry.events if isinstance(event, MissedDeadline)]
    assert [(one.policy.value, one.missed) for one in missed] == [("bot", 1), ("drop", 2)]
    assert awaited(post.session("race")) == ["blue"]
    post.send("race", "blue", "GEAR 1")
    post.run()
    assert awaited(post.session("race")) == ["blue"], "red was decided for at once"
    assert audit_game(post.session("race")).divergence is None


def test_a_mail_that_was_taken_ends_the_row_of_missed_deadlines(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.run(after=4 * DAY)
    for seat in ("blue", "red", "blue"):
        post.send("race", seat, "GEAR 1")
        post.run()
    post.run(after=4 * DAY)
    missed = [event for entry in entries(post) for event in entry.events if isinstance(event, MissedDeadline)]
    assert [one.missed for one in missed] == [1, 1]


@pytest.mark.parametrize("junk", ["thanks for the report!", "GOO", "GEAR 3"])
def test_a_mail_with_nothing_that_can_be_done_puts_no_deadline_off(post: Post, junk: str) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.now += 4 * DAY - HOUR
    post.send("race", "red", junk)
    post.run()
    post.run(after=2 * HOUR)
    assert [entry.order for entry in entries(post)][1] == "NMR red"


def test_who_has_nothing_new_to_read_gets_no_letter(post: Post) -> None:
    """That one comes would tell that somebody has sent something."""
    post.now += 4 * DAY
    post.send("race", "red", "GOO")
    post.run()
    post.run(after=HOUR)
    assert {subject.partition(":")[0] for subject in post.got()} == {"red", "gm"}


def test_a_holiday_puts_off_no_deadline_but_that_of_who_is_away(post: Post) -> None:
    before = due(post)
    post.now += DAY
    post.send("race", "blue", "HOLIDAY 2026-03-03 to 2026-03-30")
    post.run()
    assert due(post) == before
    post.send("race", "red", "HOLIDAY 2026-03-03 to 2026-03-08")
    post.run()
    assert due(post) > before


def test_what_is_changed_in_the_settings_counts_from_the_next_round_on(post: Post) -> None:
    club = post.club
    assert run_once(club, post.now).troubles == ()
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.add("checkered-flag", "green", "white", game="other")
    assert run_once(club, post.now + 4 * DAY).games == ("other", "race")
    assert entries(post)[1].order == "NMR red"


def test_who_is_away_is_waited_for_and_everybody_is_told(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.send("race", "red", "HOLIDAY 2026-03-04 to 2026-03-12")
    post.run()
    assert entries(post)[1].events[0] == WentOnHoliday(seat="red", first="2026-03-04", last="2026-03-12")
    assert set(post.got()) == {"red: race: your mail was read"}, "a holiday sends no second report of the same turn"
    post.run(after=5 * DAY)
    assert len(entries(post)) == 2
    post.run(after=5 * DAY)
    assert len(entries(post)) == 2
    post.run(after=10 * DAY)
    assert [entry.order for entry in entries(post)][2] == "NMR red"
    report = next(text for subject, text in post.got().items() if subject.startswith("blue: race, turn"))
    assert "red is away from 2026-03-04 to 2026-03-12" in " ".join(report.split())


def test_with_too_many_missing_nothing_is_decided(empty: Post) -> None:
    empty.settings('nmr = "wait"', 'nmr = "bot"')
    empty.add("checkpoint-charlie", "red", "blue", "green", game="spies")
    empty.run()
    empty.mails()
    session = empty.session("spies")
    assert len(awaited(session)) <= 3
    empty.settings("most_missing = 1", "most_missing = 0")
    before = len(entries(empty, "spies"))
    empty.run(after=5 * DAY)
    assert len(entries(empty, "spies")) == before
    assert any("are missing" in subject for subject in empty.got())


def test_a_paused_game_answers_mails_and_keeps_them(post: Post) -> None:
    from adjudicator.club.manage import pause, resume

    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["race"], post.now)
    post.send("race", "red", "GEAR 1")
    post.run(after=9 * DAY)
    assert len(entries(post)) == 1
    assert "The game is paused" in post.got()["red: race: your mail was read"]
    with closing(post.club.ledger()) as ledger:
        resume(post.club, ledger, ["all"], post.now)
    post.run()
    assert len(entries(post)) == 2


def test_what_the_moderator_does_by_other_commands_is_told_by_the_next_round(post: Post) -> None:
    post.send("race", "red", "GEAR 1")
    post.run()
    post.mails()
    undone = undo(post.session("race"), 0, "a slip")
    post.club.game_file("race").write_bytes(dump_game(undone.game))
    post.run(after=60)
    got = post.got()
    assert all("a slip" in text for text in got.values())
    assert {key.partition(":")[0] for key in got} == {"red", "blue", "gm"}


def test_a_mail_for_a_later_turn_waits_for_it(post: Post) -> None:
    post.send("race", "blue", "turn 2\nGEAR 1")
    post.run()
    assert len(entries(post)) == 1
    post.send("race", "red", "turn 1\nGEAR 1")
    post.run()
    assert [(entry.seat, entry.order) for entry in entries(post)[1:]] == [
        ("red", "GEAR 1"),
        ("blue", "GEAR 1"),
    ]


def test_a_game_file_that_cannot_be_trusted_stops_no_other_game(post: Post) -> None:
    post.add("checkered-flag", "green", "white", game="other")
    post.club.game_file("race").write_text("{}")
    done = post.run()
    assert done.games == ("other",)
    assert len(done.troubles) == 1
    assert "race" in done.troubles[0]


def test_turn_numbers_are_consecutive_whoever_is_away_or_late(post: Post) -> None:
    post.settings('nmr = "wait"', 'nmr = "bot"')
    told = []
    for seat in ("red", "blue", "red", "blue"):
        post.send("race", "red", f"HOLIDAY 2026-04-{10 + len(told)} to 2026-04-{11 + len(told)}")
        if seat == "red":
            post.send("race", seat, "GEAR 1")
        post.run(after=60 if seat == "red" else 4 * DAY)
        told.append(post.session("race").valid_turns.turn)
    assert told == [2, 3, 4, 5]
    assert sum(entry.order.startswith(("HOLIDAY", "NMR")) for entry in entries(post)) == 6
    assert audit_game(post.session("race")).divergence is None
    subjects = [str(mail["Subject"]) for mail in post.mails() if ", turn " in str(mail["Subject"])]
    assert len(subjects) == 4 * 3, "one report of each turn to each player and the moderator"


def test_turn_numbers_are_consecutive_when_one_of_many_is_late(spies: Post) -> None:
    spies.settings('nmr = "wait"', 'nmr = "bot"')
    told = []
    for _ in range(3):
        session = spies.session("spies")
        told.append(session.valid_turns.turn)
        for seat in awaited(session)[1:]:
            spies.send("spies", seat, legal(session, seat)[0])
        spies.run(after=5 * DAY)
    assert told == [1, 2, 3]
    assert sum(entry.order.startswith("NMR") for entry in entries(spies, "spies")) == 3
    assert audit_game(spies.session("spies")).divergence is None
