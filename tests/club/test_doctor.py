"""The doctor of a club: each check finds its problem, says what to do, and is silent about a club that works."""

from __future__ import annotations

import imaplib
import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import adjudicator as adj
from tests.drivers.club import DAY, HOUR, Club, begin, flat
from tests.drivers.servers import Smtp, by_imap, by_smtp, dovecot, free_port, smtp

SENDS = 'kind = "folder" '
OPENS = '[people]\njoin = true\n[[people.open]]\nruleset = "checkered-flag"'


def found(club: Club, *options: str) -> list[tuple[str, str]]:
    """Return the problems with the names of their checks; each has an advice."""
    return findings(club.club("doctor", *options, code=None).stdout)


def findings(said: str) -> list[tuple[str, str]]:
    lines = said.partition("\n\n")[0].splitlines()
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


def test_the_pages_of_a_club_are_at_the_root_of_a_host_and_behind_https(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    (club.folder / "desk").mkdir()
    (club.folder / "desk" / "index.html").write_text('<body data-release="0123456789ab" data-version="0.1">')
    club.change("club.toml", "", '\n[serve]\naddress = "http://club.example.org/club/"\n')
    club.change("club.toml", "", '\n[desk]\nfolder = "desk"\naddress = "https://club.example.org/desk/"\n')
    assert [(check, words.partition(": ")[2] or words) for check, words in found(club)] == [
        ("pages", "serve.address has the path /club/, but the pages begin at the root of a host"),
        ("pages", "others on the way can take over the sessions of members"),
        ("pages", "another version has built this desk, so the pages have no boards"),
    ]
    club.change("club.toml", "http://club.example.org/club/", "https://club.example.org")
    (club.folder / "desk" / "index.html").write_text(f'<body data-release="0123456789ab" data-version="{adj.__version__}">')
    assert found(club) == []


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
            ("ledger", "thursday/ledger.sqlite: it cannot be opened: Permission denied"),
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


# The letter of a club to itself

CHECKED = "Authentication-Results: mx.example.org; "
PASS = "spf=pass smtp.mailfrom=club@example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Online]:
    """Yield a club that sends by SMTP; its server delivers into the Maildir of the club. Nothing waits."""
    club = begin("race", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)  # to read all certificates of the system for each mail takes long
    with smtp() as running:
        by_smtp(club, running.port)
        yield Online(club, running, monkeypatch)


class Online:
    """A club whose letters come back to it: with ``head`` above each, in ``place``; a ``pause`` follows each look."""

    def __init__(self, club: Club, server: Smtp, patch: pytest.MonkeyPatch) -> None:
        self.club, self.server, self.head, self.place, self.pauses = club, server, "", "", 0
        self.arrive: Callable[[bytes], object] = self.deliver
        self.pause: Callable[[], object] = lambda: None
        server.refuse_data = self.take
        patch.setattr("time.sleep", self.sleep)

    def take(self, data: bytes) -> None:
        self.arrive(f"{self.head}\r\n".encode() + data if self.head else data)

    def sleep(self, _seconds: float) -> None:
        self.pauses += 1
        self.pause()

    def deliver(self, data: bytes) -> None:
        path = self.club.deliver(data)
        if self.place:
            other = self.club.folder / "inbox" / self.place / "new"
            other.mkdir(parents=True, exist_ok=True)
            path.rename(other / path.name)

    def doctor(self) -> tuple[list[tuple[str, str]], str]:
        """Return the findings and what is said about the letter; the mailbox must be as before."""
        before = self.club.files()
        said = self.club.club("doctor", "--online", code=None).stdout
        assert self.club.files() == before
        return findings(said), re.sub(r"after \d+ seconds?", "", flat(said.partition("\n\n")[2]))


def test_a_letter_to_itself_proves_that_mail_arrives(online: Online) -> None:
    online.head = f"{CHECKED}{PASS}"
    assert online.doctor() == (
        [],
        "The letter of the club to itself arrived . mx.example.org has checked it: SPF: pass for example.org"
        " DKIM: pass for example.org DMARC: pass for example.org If mx.example.org is your mail server, trust.authserv_id ="
        ' "mx.example.org" in club.toml lets the club take only mails whose sender is proven.',
    )
    ((to, data), *_) = online.server.mails
    assert to == "club@example.org" and b"\r\nAuto-Submitted: auto-generated\r\n" in data
    online.club.club("set", "trust.authserv_id=MX.example.org")
    told = json.loads(online.club.club("doctor", "--online", "--json").stdout)
    assert told["checks"][-1] == "letter" and told["club_findings"] == []
    proofs = [(one["method"], one["finding"], one["domain"]) for one in told["letter"]["proofs"]]
    assert proofs == [(method, "pass", "example.org") for method in ("spf", "dkim", "dmarc")]
    assert online.club.round(60) == ""


@pytest.mark.parametrize(
    ("results", "problems"),
    [
        ("spf=softfail smtp.mailfrom=example.org", ["SPF: example.org does not allow the server … (softfail)"]),
        (
            "spf=none; dkim=none; dmarc=none",
            ["SPF: example.org does not say", "DKIM: the letter has no", "DMARC: example.org"],
        ),
        (
            "dkim=fail (bad key) header.d=example.org; spf=pass smtp.mailfrom=example.org",
            ["DKIM: the signature is wrong (fail)"],
        ),
        ("dkim=pass header.d=host.net", ["DKIM: the signature is that of host.net, not of example.org"]),
        ("dkim=pass header.d=host.net; dkim=pass header.i=@example.org", []),
        ("spf=pass smtp.mailfrom=a@host.net", ["SPF: the server sends for host.net, not for example.org"]),
        ("spf=pass smtp.mailfrom=a@host.net; dkim=pass header.d=example.org", []),
        ("spf=pass smtp.mailfrom=club@mail.example.org", []),
        ("spf=permerror", ["SPF: the record in DNS has a mistake"]),
        ("dkim=temperror", ["DKIM: the server could not check it now"]),
        ("dmarc=fail header.from=example.org", ["DMARC: neither SPF nor DKIM proves example.org"]),
        ("dmarc=pass header.from=host.net", ["DMARC: the proof is for host.net"]),
        ("auth=pass smtp.auth=club", []),
        ("; ;; dkim", []),
    ],
)
def test_what_the_mail_server_has_found_is_told(online: Online, results: str, problems: list[str]) -> None:
    online.head = f"{CHECKED}{results}"
    told, said = online.doctor()
    assert [check for check, _ in told] == ["letter"] * len(problems)
    for (_, what), words in zip(told, problems, strict=True):
        assert re.match(".*".join(map(re.escape, words.split("…"))), what)
    assert ("No server has checked SPF" in said) == ("=" not in results or "auth" in results)


def test_the_server_that_the_settings_name_counts(online: Online) -> None:
    online.club.club("set", "trust.authserv_id=mx.example.org")
    online.head = f"Authentication-Results: mail.example.org; dkim=fail\r\n{CHECKED}{PASS}"
    assert online.doctor()[0] == []
    online.head = "Authentication-Results: mail.example.org; dkim=fail"
    assert [what for _, what in online.doctor()[0]] == [
        "mx.example.org has not checked the letter, but mail.example.org: mails of players will wait for you"
    ]
    online.head = ""
    told, said = online.doctor()
    assert told == [] and said.endswith("its source has the field Authentication-Results.")


def test_a_letter_that_goes_another_way_is_told(online: Online) -> None:
    online.place = ".Junk"
    (found,) = online.doctor()[0]
    assert found == ("letter", "the letter came into the folder .Junk: the mail server takes it for junk")
    online.place, online.arrive = "", lambda data: online.deliver(data.replace(b"From: club@", b"From: login@"))
    (found,) = online.doctor()[0]
    assert found[1].startswith("the letter came from login@example.org, not from club@example.org")
    online.arrive = lambda _data: None
    assert online.doctor()[0] == [("letter", "the letter did not arrive within 120 seconds")]
    online.server.refuse_data = lambda _data: "550 not from you"
    assert online.doctor()[0] == [("letter", "the outgoing server does not take the letter: 550 not from you")]


def test_a_letter_that_comes_back_is_told_and_one_that_is_late_awaited(online: Online) -> None:
    head = "From: MAILER-DAEMON@example.org\r\nSubject: Undelivered\r\nContent-Type: multipart/report;"
    head += " report-type=delivery-status\r\n\r\nAction: {}\r\nDiagnostic-Code: smtp; 550 no such user\r\n\r\n"
    online.head = head.format("failed")
    assert online.doctor()[0] == [("letter", "the letter came back: smtp; 550 no such user")]
    waiting = list[bytes]()

    def delay(data: bytes) -> None:
        online.deliver(data)
        waiting.append(data.partition(b"user\r\n\r\n\r\n")[2])

    online.head, online.arrive, online.pauses = head.format("delayed"), delay, 0
    online.pause = lambda: online.deliver(waiting.pop()) if waiting and online.pauses % 3 == 0 else None
    told, said = online.doctor()
    assert told == [] and "arrived" in said and online.pauses == 3


def test_a_round_at_work_takes_the_letter_and_its_mails(online: Online) -> None:
    """The doctor finds the letter also after a round, or a program that hands mails to the club, has taken it."""
    club, inbox = online.club, online.club.folder / "inbox"
    kept = list[bytes]()
    online.arrive = kept.append

    def work() -> None:
        if kept:
            online.deliver(kept.pop())
            club.mail("red", "GEAR 1")
            club.round()

    online.pause = work
    online.head = f"{CHECKED}{PASS}"
    said = club.club("doctor", "--online").stdout
    assert "DMARC: pass" in said and club.journal("race") == ["red GEAR 1"] and club.matters() == []
    assert [len(list((inbox / name).iterdir())) for name in ("new", "cur")] == [0, 1]
    online.pause = lambda: club.command("club", "receive", "thursday", "-", stdin=kept.pop()) if kept else None
    assert "DMARC: pass" in club.club("doctor", "--online").stdout and club.matters() == []


@pytest.mark.parametrize("has_uidplus", [True, False])
def test_the_letter_is_found_on_a_server_and_other_mails_stay(
    online: Online, monkeypatch: pytest.MonkeyPatch, has_uidplus: bool
) -> None:
    club = online.club
    if not has_uidplus:
        real = imaplib.IMAP4.capability

        def capability(self: imaplib.IMAP4) -> tuple[str, list[bytes]]:
            status, (words, *_) = real(self)
            return status, [words.replace(b" UIDPLUS", b"").replace(b" MOVE", b"")]

        monkeypatch.setattr(imaplib.IMAP4, "capability", capability)
    with dovecot() as imap:
        by_imap(club, imap, monkeypatch)
        other = club.mail("red", "GEAR 1")
        for path in (club.folder / "inbox" / "new").iterdir():
            path.unlink()
        imap.deliver(other, club.now)
        with imap.box() as box:
            box.select("INBOX")
            box.store("1", "+FLAGS", r"(\Deleted)" if has_uidplus else r"(\Flagged)")
            box.unselect()
            box.create("Junk")
        online.head = f"{CHECKED}{PASS}"
        for folder, words in (("INBOX", ""), ("Junk", "the letter came into the folder Junk"), ("", "did not arrive")):
            online.arrive = partial(imap.deliver, when=club.now, folder=folder) if folder else lambda _data: None
            told = found(club, "--online")
            assert len(told) == bool(words) and words in str(told)
            assert (imap.count("INBOX"), imap.count("Junk"), imap.count("Adjudicated")) == (1, 0, 0)
        with imap.box() as box:
            box.select("INBOX", readonly=True)
            assert "Seen" not in str(box.fetch("1", "(FLAGS)")[1])
