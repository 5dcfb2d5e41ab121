"""The doctor of a club: each check finds its problem, says what to do, and is silent about a club that works."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.drivers.club import DAY, HOUR, Club, begin, flat
from tests.drivers.servers import by_imap, by_smtp, free_port, smtp

SENDS = 'kind = "folder" '
OPENS = '[people]\njoin = true\n[[people.open]]\nruleset = "checkered-flag"'


def found(club: Club, *options: str) -> list[tuple[str, str]]:
    """Return the problems with the names of their checks; each has an advice."""
    lines = club.club("doctor", *options, code=None).stdout.splitlines()
    if not lines[0].endswith((" problem:", " problems:")):
        assert lines[0].startswith("nothing is wrong; checked: settings, receiving, sending")
        return []
    problems, text = [line for line in lines[1:] if not line.startswith("  ")], "\n".join(lines[1:])
    assert len(problems) == text.count("\n  → "), "each problem has an advice"
    problems = [flat(found) for found in re.split(r"\n  →.*(?:\n|\Z)", text) if found]
    return [(check, words) for check, _, words in (line.partition(": ") for line in problems)]


@pytest.mark.parametrize("name", ["empty", "race", "members", "begun", "rally"])
def test_a_club_that_works_has_no_findings(tmp_path: Path, name: str) -> None:
    club = begin(name, tmp_path)
    assert [check for check, _ in found(club) if check != "people"] == []
    assert "nothing is wrong" in club.club("doctor", code=None).output or name in ("members", "begun")


@pytest.mark.parametrize(
    ("old", "new", "check", "words"),
    [
        ('"gm@example.org"', '"the moderator"', "settings", "moderator: “the moderator” is not a mail address"),
        ('"gm@example.org"', '"Club@example.org"', "settings", "the club and the moderator have the same address"),
        ('token = "required"', 'token = "address"', "settings", "anybody can send"),
        ('folder = "inbox"', 'folder = "mails"', "receiving", "mails/new: this folder does not exist"),
        ('kind = "maildir"', 'kind = "imap"\nhost = "h"', "sending", "only writes its own into the folder outgoing"),
        (SENDS, 'kind = "smtp"\nhost = "h"\nuser = "u"\n#', "sending", "the user u has no password"),
        (SENDS, 'kind = "smtp"\nhost = "h"\npassword.env = "NO_SUCH"\n#', "sending", "NO_SUCH for the password"),
        (SENDS, 'kind = "smtp"\nhost = "h"\npassword.env = "PATH"\n#', "sending", "a password, but no user"),
        (
            SENDS,
            'kind = "smtp"\nhost = "mail.example.org"\nuser = "u"\nsecurity = "none"\npassword.env = "PATH"\n#',
            "sending",
            "outgoing: the password goes to mail.example.org without encryption",
        ),
        ("[incoming]", '[people]\njoin = true\nrules = "rules.txt"\n[incoming]', "people", "rules.txt has no house rules"),
        ("[incoming]", f"{OPENS.replace('true', 'false')}\n[incoming]", "people", "offers games, but people cannot join"),
        (
            "[incoming]",
            f"{OPENS.replace('flag', 'flg')}\n[incoming]",
            "people",
            "no game “checkered-flg” is installed (did you mean “checkered-flag”?)",
        ),
        ("[incoming]", f"{OPENS}\nplayers = 8\n[incoming]", "people", "people.open: checkered-flag: "),
        ("[incoming]", f'{OPENS}\noptions = {{ lap = "2" }}\n[incoming]', "people", "people.open: checkered-flag: "),
        ("name =", 'hook = "./notify"\nname =', "hook", "hook: thursday/notify is not a program that can run"),
        (
            "[incoming]",
            f'{OPENS}\n[[people.open]]\nruleset = "checkered-flag"\n[incoming]',
            "people",
            "the club offers only one next game of a ruleset",
        ),
    ],
)
def test_settings_that_load_but_cannot_work(tmp_path: Path, old: str, new: str, check: str, words: str) -> None:
    club = begin("race", tmp_path)
    club.change("club.toml", old, new)
    problems = [one for one in found(club) if not one[1].endswith("mails/cur: this folder does not exist")]
    assert [where for where, _ in problems] == [check] and words in problems[0][1]


def test_a_password_may_go_to_this_machine(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    local = 'kind = "smtp"\nhost = "localhost"\nuser = "u"\nsecurity = "none"\npassword.env = "PATH"\n#'
    club.change("club.toml", SENDS, local)
    assert found(club) == []


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    club.change("club.toml", 'kind = "maildir"', 'kind = "imap"\nhost = "h"')
    club.club("set", "trust.authserv_id=mx.example.org")
    for package in ("authres", "imap_tools"):
        monkeypatch.setitem(sys.modules, package, None)
    assert [what for _, what in found(club) if "package" in what] == [
        "trust.authserv_id needs the package `authres`",
        "IMAP needs the package `imap-tools`",
    ]


def test_passwords_come_from_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    kept = {("mail", "club"): "sesame"}
    keyring = SimpleNamespace(get_password=lambda service, user: kept.get((service, user)))
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    club.change("club.toml", SENDS, 'kind = "smtp"\nhost = "h"\nuser = "u"\npassword.keyring = "mail/club"\n#')
    assert found(club) == []
    club.change("club.toml", "mail/club", "mail/other")
    ((check, what),) = found(club)
    assert check == "sending" and "mail/other" in what and "sesame" not in what


def test_addresses_of_players(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.change("club.toml", '"club@example.org"', '"blue@example.org"')
    assert found(club) == [("ledger", "race/blue: “blue@example.org” cannot be the address of a player")]


def test_times_that_leave_no_time_are_refused(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    told = club.club("set", "people.confirm=0 days", "deadlines.every=0 minutes", code=3).output
    assert told.count("is no time at all") == 2


@pytest.mark.posix
def test_a_folder_that_others_can_open_or_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club, words = begin("race", tmp_path), "other users of this machine can open this folder with secrets"
    club.folder.chmod(0o750)
    assert found(club) == [("permissions", f"thursday: {words}")]
    club.folder.chmod(0o700)
    outside = tmp_path / "Maildir"
    shutil.copytree(club.folder / "inbox", outside)
    outside.chmod(0o755)
    club.change("club.toml", 'folder = "inbox"', f'folder = "{outside}"')
    assert found(club) == [("permissions", f"{outside}: {words}")]
    outside.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: club.folder.stat().st_uid + 1)
    assert found(club) == [("permissions", "thursday belongs to another user")]


def test_a_folder_that_cannot_be_written_a_full_disk_and_a_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, _mode: Path(path).name not in ("ledger.sqlite", "cur"))
        assert found(club) == [
            ("receiving", "thursday/inbox/cur: the club cannot move mails in this folder"),
            ("permissions", "thursday/ledger.sqlite: you cannot write here"),
        ]

    def fail(_path: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=99_999_999))
    assert found(club) == [("disk", "thursday: the disk has 99 MB left")]
    monkeypatch.setattr(shutil, "disk_usage", fail)
    assert found(club) == [("disk", "[Errno 5] Input/output error")]


def test_the_clock_rounds_and_backups(tmp_path: Path) -> None:
    club, begun = begin("race", tmp_path), "Monday 2026-03-02 12:00 UTC"
    club.now -= 299
    assert found(club) == []
    club.now -= 2
    words = f"the clock shows Monday 2026-03-02 11:54 UTC, but the ledger has times up to {begun}"
    assert found(club) == [("ledger", words)]
    club.now += 301 + 25 * HOUR
    assert found(club) == []
    club.now += 1
    assert found(club) == [("ledger", f"the last round was about {begun}")]
    club.club("pause", "race")
    assert found(club) == []
    club.now += 6 * DAY
    assert found(club) == [("ledger", "the club has no backup")]
    club.club("backup", "copy")
    assert found(club) == []
    club.now += 7 * DAY + 1
    assert [what for _, what in found(club)] == ["the last backup is of Monday 2026-03-09 13:00 UTC"]


def test_a_damaged_ledger_does_not_hide_the_other_findings(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    (club.folder / "ledger.sqlite").write_bytes(b"no ledger" * 1_000)
    club.change("club.toml", 'token = "required"', 'token = "address"')
    assert [check for check, _ in found(club)] == ["settings", "ledger"]
    assert club.club("doctor", code=1).stdout.startswith(
        "2 problems:\n"
        "settings: mails need neither a token nor a proven sender: anybody can send orders for a player\n"
        '  → set trust.token = "required" or trust.authserv_id in club.toml\n'
    )


def test_a_missing_game_file_is_found(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    (club.folder / "games" / "race" / "game.json").unlink()
    assert found(club) == [("ledger", "thursday/games/race/game.json: this game file is missing")]


def test_a_club_of_an_earlier_version_gets_no_advice_about_damage(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    with closing(sqlite3.connect(club.folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("pragma user_version = 8")
    said = club.club("doctor", code=1).stdout
    assert "run `adjudicator club upgrade thursday`" in said and "restore" not in said


def test_servers_are_asked_only_online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, free_port())
    assert found(club) == []
    ((check, what),) = found(club, "--online")
    assert check == "online-sending" and "127.0.0.1: " in what
    by_imap(club, SimpleNamespace(port=free_port(), tls=None, user="u", password="sesame"), monkeypatch)  # type: ignore[arg-type]
    assert [check for check, _ in found(club, "--online")] == ["online-receiving", "online-sending"]
    club = begin("race", tmp_path / "other")
    with smtp() as running:
        by_smtp(club, running.port)
        assert found(club, "--online") == []
