"""The doctor of a club: each check finds its problem, says what to do, and is silent about a club that works."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from players_post import DAY, HOUR, START, Post
from servers import free_port, smtp
from typer.testing import CliRunner

from adjudicator.cli.app import app_for
from adjudicator.club import doctor
from adjudicator.club.doctor import check_club
from adjudicator.club.manage import pause


def found(post: Post, *, is_online: bool = False) -> list[tuple[str, str]]:
    """Return the problems with the names of their checks; each has an advice."""
    findings = check_club(post.club, post.now, is_online=is_online).club_findings
    assert all(one.advice for one in findings)
    return [(one.check, one.what) for one in findings]


def test_a_club_that_works_has_no_findings(post: Post) -> None:
    assert found(post) == []


def test_a_new_club_has_no_findings(empty: Post) -> None:
    assert found(empty) == []


@pytest.mark.parametrize(
    ("old", "new", "check", "words"),
    [
        ('"gm@example.org"', '"the moderator"', "settings", "moderator: “the moderator” is not a mail address"),
        ('"gm@example.org"', '"Club@example.org"', "settings", "the club and the moderator have the same address"),
        ('token = "required"', 'token = "address"', "settings", "anybody can send"),
        ('folder = "inbox"', 'folder = "mails"', "receiving", "mails/new: this folder does not exist"),
        ('kind = "maildir"', 'kind = "imap"\nhost = "h"', "sending", "only writes its own into the folder outgoing"),
        ('kind = "folder" ', 'kind = "smtp"\nhost = "h"\nuser = "u"\n#', "sending", "the user u has no password"),
        (
            'kind = "folder" ',
            'kind = "smtp"\nhost = "h"\npassword.env = "NO_SUCH"\n#',
            "sending",
            "NO_SUCH for the password",
        ),
        ('kind = "folder" ', 'kind = "smtp"\nhost = "h"\npassword.env = "PATH"\n#', "sending", "a password, but no user"),
    ],
)
def test_settings_that_load_but_cannot_work(post: Post, old: str, new: str, check: str, words: str) -> None:
    post.settings(old, new)
    ((where, what),) = set(found(post)) - {("receiving", f"{post.folder}/mails/cur: this folder does not exist")}
    assert where == check
    assert words in what


def test_a_password_must_not_go_over_an_open_line(post: Post) -> None:
    words = 'kind = "smtp"\nhost = "{}"\nuser = "u"\nsecurity = "none"\npassword.env = "PATH"\n#'
    post.settings('kind = "folder" ', words.format("mail.example.org"))
    assert found(post) == [("sending", "outgoing: the password goes to mail.example.org without encryption")]
    post.settings("mail.example.org", "localhost")
    assert found(post) == []


def test_missing_packages_are_named(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda _name: None)
    assert found(post) == []
    post.settings('kind = "maildir"', 'kind = "imap"\nhost = "h"')
    post.settings("# authserv_id", "authserv_id")
    assert [what for _, what in found(post) if "package" in what] == [
        "trust.authserv_id needs the package `authres`",
        "IMAP needs the package `imap-tools`",
    ]


def test_a_game_with_the_name_that_tokens_of_members_have(post: Post) -> None:
    (post.folder / "games/race").rename(post.folder / "games/club")
    assert ("games", "club: tokens of members have this name, too") in found(post)


def test_tokens_and_addresses_of_seats(post: Post) -> None:
    token = post.club.settings_of("race").seats["red"].token
    post.settings(post.club.settings_of("race").seats["blue"].token, token, "race")
    assert found(post) == [("games", "race/blue has the same token as race/red")]
    post.settings(f'token = "{token}"', 'token = "my secret"', "race")  # of both seats
    post.settings("blue@example.org", "club@example.org", "race")
    assert found(post) == [
        ("games", "race/red: no mail can have this token"),
        ("games", "race/blue: no mail can have this token"),
        ("games", "race/blue: “club@example.org” cannot be the address of a player"),
    ]
    (post.folder / "games/race/game.toml").write_text("seats = 5")
    ((check, what),) = found(post)
    assert check == "games"
    assert "seats: must be a group" in what


@pytest.mark.posix
def test_a_folder_that_others_can_open(post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post.folder.chmod(0o750)
    words = "other users of this machine can open this folder with secrets"
    assert found(post) == [("permissions", f"{post.folder}: {words}")]
    post.folder.chmod(0o700)
    outside = tmp_path / "Maildir"
    shutil.copytree(post.folder / "inbox", outside)
    outside.chmod(0o755)
    post.settings('folder = "inbox"', f'folder = "{outside}"')
    assert found(post) == [("permissions", f"{outside}: {words}")]
    outside.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: post.folder.stat().st_uid + 1)
    assert found(post) == [("permissions", f"{post.folder} belongs to another user")]


def test_a_folder_that_cannot_be_written(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name not in ("ledger.sqlite", "cur"))
    assert found(post) == [
        ("receiving", f"{post.folder}/inbox/cur: the club cannot move mails in this folder"),
        ("permissions", f"{post.folder}/ledger.sqlite: you cannot write here"),
    ]


def test_a_clock_that_went_back(post: Post) -> None:
    post.now -= 299
    assert found(post) == []
    post.now -= 2
    assert found(post) == [
        (
            "ledger",
            "the clock shows Monday 2026-03-02 11:54 UTC, but the ledger has times up to Monday 2026-03-02 12:00 UTC",
        )
    ]


def test_a_club_that_does_not_run(post: Post) -> None:
    post.now += 25 * HOUR
    assert found(post) == []
    post.now += 1
    assert found(post) == [("ledger", "the last round was about Monday 2026-03-02 12:00 UTC")]
    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["race"], post.now)
    assert found(post) == []


def test_an_old_backup_and_none(post: Post) -> None:
    pause_all(post)
    post.now = START + 7 * DAY
    assert found(post) == []
    post.now += 1
    assert found(post) == [("ledger", "the club has no backup")]
    with closing(post.club.ledger()) as ledger:
        ledger.record_change(post.now, "backup", "a copy")
    assert found(post) == []
    post.now += 7 * DAY + 1
    assert found(post) == [("ledger", "the last backup is of Monday 2026-03-09 12:00 UTC")]


def pause_all(post: Post) -> None:
    with closing(post.club.ledger()) as ledger:
        pause(post.club, ledger, ["all"], post.now)


def test_a_damaged_ledger_does_not_hide_the_other_findings(post: Post) -> None:
    (post.folder / "ledger.sqlite").write_bytes(b"no ledger" * 1_000)
    post.settings('token = "required"', 'token = "address"')
    assert [check for check, _ in found(post)] == ["settings", "ledger"]


def test_a_ledger_of_a_newer_version(post: Post) -> None:
    with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as db:
        db.execute("pragma user_version = 99")
    ((check, what),) = found(post)
    assert check == "ledger"
    assert "newer adjudicator" in what


def test_a_disk_that_is_nearly_full(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=99_999_999))
    assert found(post) == [("disk", f"{post.folder}: the disk has 99 MB left")]


def test_a_check_that_fails_is_a_finding(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path) -> Any:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(shutil, "disk_usage", fail)
    assert found(post) == [("disk", "[Errno 5] Input/output error")]


def test_a_desk_that_is_missing_or_cannot_be_written(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.give_desk()
    assert found(post) == []
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, _mode: Path(path).name != "desk")
        assert found(post) == [("desk", "public/desk: the club cannot write into the folder of the desk")]
    shutil.rmtree(post.folder / "public")
    ((check, what),) = found(post)
    assert check == "desk"
    assert "not exist" in what


def test_servers_are_asked_only_online(post: Post) -> None:
    port = free_port()
    server = f'host = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
    post.settings('kind = "folder" ', f'kind = "smtp"\n{server}#')
    assert found(post) == []
    ((check, what),) = found(post, is_online=True)
    assert check == "online-sending"
    assert "127.0.0.1: " in what
    post.settings('kind = "maildir"\nfolder = "inbox"', f'kind = "imap"\n{server}')
    assert found(post) == []
    assert [check for check, _ in found(post, is_online=True)] == ["online-receiving", "online-sending"]


def test_a_server_that_answers(post: Post) -> None:
    with smtp() as running:
        post.settings('kind = "folder" ', f'kind = "smtp"\nhost = "127.0.0.1"\nport = {running.port}\nsecurity = "none"\n#')
        assert found(post, is_online=True) == []


def test_the_command_says_what_to_do_and_exits_with_1(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.cli import club_lists

    monkeypatch.setattr(club_lists.time, "time", lambda: float(post.now))
    arguments = ["club", "doctor", str(post.folder)]
    good = CliRunner().invoke(app_for(arguments), arguments)
    assert good.exit_code == 0
    assert good.stdout.startswith("nothing is wrong; checked: settings, receiving, sending")
    post.settings('token = "required"', 'token = "address"')
    bad = CliRunner().invoke(app_for(arguments), arguments)
    assert bad.exit_code == 1
    assert bad.stdout == (
        "1 problem:\n"
        "settings: mails need neither a token nor a proven sender: anybody can send orders for a player\n"
        '  → set trust.token = "required" or trust.authserv_id in club.toml\n'
    )


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('join = true\nrules = "rules.txt"', "rules.txt has no house rules that can be read"),
        ('join = true\nconfirm = "0 days"', "people.confirm: “0 days” leaves no time"),
        ('[[people.open]]\nruleset = "checkered-flag"', "the club offers games, but people cannot join"),
        (
            'join = true\n[[people.open]]\nruleset = "chekered-flag"',
            "people.open: chekered-flag: this program has no ruleset chekered-flag",
        ),
        ('join = true\n[[people.open]]\nruleset = "checkered-flag"\nplayers = 8', "people.open: checkered-flag: "),
        (
            'join = true\n[[people.open]]\nruleset = "checkered-flag"\noptions = { lap = "2" }',
            "people.open: checkered-flag: ",
        ),
        (
            'join = true\n[[people.open]]\nruleset = "checkered-flag"\ncondition = "reliable>=90"',
            "people.open: checkered-flag: ",
        ),
        (
            'join = true\n[[people.open]]\nruleset = "checkered-flag"\ndeadline = "0 hours"',
            "people.open: checkered-flag: deadline: “0 hours” leaves no time",
        ),
        (
            'join = true\n[[people.open]]\nruleset = "checkered-flag"\n[[people.open]]\nruleset = "checkered-flag"',
            "people.open: checkered-flag: the club offers only one next game of a ruleset",
        ),
    ],
)
def test_people_rules_and_offers_that_cannot_work(post: Post, lines: str, words: str) -> None:
    post.settings("[incoming]", f"[people]\n{lines}\n\n[incoming]")
    ((check, what),) = found(post)
    assert check == "people"
    assert words in what


def test_an_offer_that_works_is_no_finding(offering: Post) -> None:
    (offering.folder / "rules.txt").write_text("Be kind.\n")
    offering.settings("new = true", 'new = true\nrules = "rules.txt"')
    assert [one for one in found(offering) if one[0] == "people"] == []
