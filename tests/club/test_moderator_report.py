"""The report to the moderator: what happened since the last one, who is late, what needs a decision."""

from __future__ import annotations

from contextlib import closing

import pytest
from players_post import DAY, START, Post
from typer.testing import CliRunner

from adjudicator.cli import club_changes, club_lists
from adjudicator.cli.app import app_for
from adjudicator.club.deadlines import moment
from adjudicator.club.moderator_report import report_of
from adjudicator.outputs.clubs import ClubReport
from adjudicator.reports.cli.club_report import report_text


def report(post: Post, since: int | None = None) -> ClubReport:
    with closing(post.club.ledger()) as ledger:
        return report_of(post.club, ledger, post.now, since)


def text(found: ClubReport) -> str:
    return report_text(found, lambda seconds: moment(seconds, "UTC"))


def command(post: Post, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """Run a task of the command at the time of the club."""
    for module in (club_lists, club_changes):
        monkeypatch.setattr(module.time, "time", lambda: float(post.now))
    arguments = ["club", words[0], str(post.folder), *words[1:]]
    result = CliRunner().invoke(app_for(arguments), arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_report_begins_where_the_last_one_ended(post: Post) -> None:
    first = report(post)
    assert (first.since, first.until) == (0, START)
    assert first.letters == {"moderator": 1, "report": 2, "welcome": 2}
    assert first.continued == ("race",)
    assert first.club_mails == {}
    post.now += 1
    again = report(post)
    assert (again.since, again.letters, again.continued) == (START, {}, ())
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    third = report(post)
    assert third.since == START + 1
    assert third.club_mails == {"taken": 1}
    assert third.continued == ("race",)
    assert third.letters["receipt"] == 1


def test_a_report_of_a_time_is_no_last_report(post: Post) -> None:
    post.now += 10
    assert report(post, START - 1).letters == {"moderator": 1, "report": 2, "welcome": 2}
    assert report(post, START).letters == {}
    assert report(post).since == 0


def test_late_players_are_named_until_their_orders_come(post: Post) -> None:
    post.run(after=3 * DAY + 7 * 3600)
    assert report(post).late == ()
    post.run(after=2 * 3600)
    (late,) = report(post).late
    assert (late.game, late.seat, late.player, late.deadline) == ("race", "red", "Red", START + 3 * DAY + 8 * 3600)
    assert "Late\n  race: Red (red), due Thursday 2026-03-05 20:00 UTC" in text(report(post))
    post.send("race", "red", "GEAR 1")
    post.run(after=60)
    assert report(post).late == ()


def test_what_needs_a_decision(post: Post) -> None:
    post.send("race", "blue", "RESIGN")
    post.run(after=60)
    found = report(post)
    assert [matter.n for matter in found.matters] == [1]
    assert "Waiting for you\n  1  " in text(found)
    assert "Nobody is late" not in text(found)
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.settle_matter(1)
        row = ledger.game("race")
        from dataclasses import replace

        ledger.set_game(replace(row, stopped="the file is broken"))
    assert "Stopped\n  race: the file is broken" in text(report(post))


def test_the_moderators_changes_are_in_the_report(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    command(post, monkeypatch, "report")
    post.now += 60
    command(post, monkeypatch, "pause", "race")
    command(post, monkeypatch, "set", "deadlines.every=2 days")
    shown = command(post, monkeypatch, "report")
    assert shown == (
        "Thursday club, since Monday 2026-03-02 12:00 UTC\n"
        "  mails fetched: none\n"
        "  letters written: 2 (2 deadline)\n"
        "  games with a new position: none\n"
        "  games over: none\n"
        "\n"
        "Your changes\n"
        "  Monday 2026-03-02 12:01 UTC  pause: race: paused\n"
        '  Monday 2026-03-02 12:01 UTC  set: deadlines.every: "3 days" → "2 days"\n'
        "\n"
        "Nobody is late, and nothing waits for you.\n"
    )
    assert "pause: race: paused" in command(post, monkeypatch, "report", "--since", "1 day")


def test_a_change_that_is_refused_halfway_is_recorded_as_far_as_it_went(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(post.club.ledger()) as ledger, ledger.change():
        ledger.raise_matter("a", "race", 1, "a matter")
    arguments = ["club", "settle", str(post.folder), "1", "7"]
    assert CliRunner().invoke(app_for(arguments), arguments).exit_code == 2
    assert [change.what for change in report(post, 0).changes] == ["matter 1 is settled"]


def test_a_backup_is_recorded_and_the_copy_goes_on(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    command(post, monkeypatch, "backup", str(post.folder.parent / "copy"))
    with closing(post.club.ledger()) as ledger:
        assert ledger.last_change("backup") == START
    assert report(Post(post.folder.parent / "copy")).changes == ()
