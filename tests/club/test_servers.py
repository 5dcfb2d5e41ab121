"""Fetching by IMAP and sending by SMTP with real servers: what they refuse, what is lost; notices for the hook."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from imap_tools import BaseMailBox
from imap_tools.idle import IdleManager

from tests.drivers.club import DAY, HOUR, Club, Letter, begin
from tests.drivers.servers import Imap, Smtp, by_imap, by_smtp, certified, dovecot, free_port, smtp, smtp_apart

DUE = "Thursday 2026-03-05 20:00 UTC"


@pytest.fixture(scope="module")
def imap() -> Iterator[Imap]:
    with dovecot() as running:
        yield running


@pytest.fixture
def outgoing() -> Iterator[Smtp]:
    with smtp() as running:
        yield running


def taken_from_inbox(club: Club, data: bytes) -> bytes:
    """Return a mail that was delivered, after it has been taken out of the Maildir."""
    for path in (club.folder / "inbox" / "new").iterdir():
        path.unlink()
    return data


def test_mails_are_fetched_by_imap_once_and_moved(tmp_path: Path, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    club = begin("race", tmp_path)
    by_imap(club, imap, monkeypatch)
    done = imap.count("Adjudicated")
    for data in [club.mail("red", "GEAR 1")] * 2:
        imap.deliver(data, club.now)
    assert json.loads(club.club("run", "--once", "--json").stdout)["fetched"] == 1
    assert (imap.count("INBOX"), imap.count("Adjudicated")) == (0, done + 2)
    assert club.journal("race") == ["red GEAR 1"]
    assert club.round(60) == ""


def test_a_club_that_waits_for_mails_logs_in_once_and_again_if_the_connection_breaks(
    tmp_path: Path, imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    by_imap(club, imap, monkeypatch)
    logins, waits, login = list[int](), list[int](), BaseMailBox.login

    def logged_in(self: BaseMailBox, *given: Any, **named: Any) -> BaseMailBox:
        logins.append(len(waits))
        return login(self, *given, **named)

    def wait(self: IdleManager, timeout: float) -> list[bytes]:
        waits.append(len(logins))
        if len(waits) == 8:
            raise KeyboardInterrupt
        if len(waits) == 5:
            self.mailbox.client.sock.shutdown(socket.SHUT_RDWR)
        imap.deliver(club.mail("red", "STATUS"), club.now)
        return [b"* 1 EXISTS"]

    monkeypatch.setattr(BaseMailBox, "login", logged_in)
    monkeypatch.setattr(IdleManager, "wait", wait)
    club.club("run", code=None)
    assert (logins, waits) == ([0, 5], [1] * 5 + [2] * 3)
    assert imap.count("INBOX") == 0
    club.read_letters()
    assert club.names().count("red: race: your mail was read") == 7


def test_a_server_that_is_away_or_does_not_know_the_password_is_told(
    tmp_path: Path, imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    by_imap(club, imap, monkeypatch)
    monkeypatch.setenv("CLUB_TEST_PASSWORD", "sesame")
    said = club.round(code=1)
    assert "refuses" in said and "sesame" not in said
    monkeypatch.delenv("CLUB_TEST_PASSWORD")
    assert "CLUB_TEST_PASSWORD" in club.round(code=1)
    club.club("set", f"incoming.port={free_port()}")
    monkeypatch.setenv("CLUB_TEST_PASSWORD", "sesame")
    said = club.round(code=1)
    assert "cannot be reached" in said and "sesame" not in said


def test_letters_go_out_by_smtp_each_once_and_a_refusal_costs_nobody_else_one(tmp_path: Path, outgoing: Smtp) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, outgoing.port)
    outgoing.refuse = lambda to: "550 no such user" if to.startswith("blue") else None
    club.mail("red", "GEAR 1")
    club.round()
    assert sorted(to for to, _ in outgoing.mails) == ["gm@example.org", "gm@example.org", *["red@example.org"] * 2]
    assert [to for to, data in outgoing.mails if b"could not send" in data] == ["gm@example.org"]
    assert club.matters() == ["the club could not send a report to blue@example.org: 550 no such user"]
    assert "report to blue@example.org (blue of race): 550 no such user; given up" in club.club("status").output
    club.round(HOUR)
    assert len(outgoing.mails) == 4


def test_a_letter_that_was_given_up_is_listed_until_its_matter_is_settled_or_for_30_days(
    tmp_path: Path, outgoing: Smtp
) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, outgoing.port)
    outgoing.refuse = lambda to: "550 no such user" if to.startswith("blue") else None
    club.mail("red", "GEAR 1")
    club.round()
    club.round(DAY)
    digests = [to for to, data in outgoing.mails if b"waiting for you" in data]
    assert digests == ["gm@example.org"] and "given up" in club.club("status").output
    club.club("settle", "1")
    assert "given up" not in club.club("status").output
    club.round(DAY)
    assert [to for to, data in outgoing.mails if b"waiting for you" in data] == digests
    club.round(DAY)
    assert "reminder to blue@example.org (blue of race): 550 no such user; given up" in club.club("status").output
    for _ in range(4):
        club.round(8 * DAY)
    assert "given up" not in club.club("status").output
    outgoing.refuse = lambda _to: None
    club.mail("blue", "RESEND")
    club.round()
    assert [data for to, data in outgoing.mails if to == "blue@example.org" and b"turn 2: your turn (sent again)" in data]


def test_what_is_not_taken_now_is_tried_again_with_patience(tmp_path: Path, outgoing: Smtp) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, outgoing.port)
    outgoing.refuse_data = lambda _data: "451 greylisted"
    club.mail("red", "GEAR 1")
    assert club.round().count("not sent yet") == 4
    status = club.club("status").output
    assert "receipt to red@example.org (red of race): 451 greylisted; next try Monday 2026-03-02 12:01 UTC" in status
    assert club.round(30) == ""
    assert club.round(40).count("not sent yet") == 4
    outgoing.refuse_data = lambda _data: None
    assert club.round(10) == ""
    club.round(HOUR)
    assert len(outgoing.mails) == 4


@pytest.mark.parametrize("said", ["451 greylisted", "550 no such user"])
@pytest.mark.parametrize(
    ("top", "who", "command"),
    [("race", "red", "seat race red Carol carol@example.org"), ("dropped", "ann", "forget ann@example.org")],
)
def test_a_letter_that_a_command_drops_while_the_server_refuses_it_is_over(
    tmp_path: Path, outgoing: Smtp, top: str, who: str, command: str, said: str
) -> None:
    club, commands = begin(top, tmp_path), [command.split()]
    by_smtp(club, outgoing.port)

    def refuse(data: bytes) -> str | None:
        if not commands or f"To: {who}@".encode() not in data:
            return None
        club.club(*commands.pop())
        return said

    outgoing.refuse_data = refuse
    club.mail(who, "STATUS\nGAMES", "club" if who == "ann" else "race")
    club.round()
    club.round(HOUR)
    assert not commands and not [to for to, _ in outgoing.mails if to in (f"{who}@example.org", "")]
    assert not [words for words in club.matters() if "could not send" in words]


@pytest.mark.parametrize("jump", [DAY, 365 * DAY])
def test_letters_of_a_time_that_never_was_go_out_when_the_clock_is_right_again(
    tmp_path: Path, outgoing: Smtp, jump: int
) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, outgoing.port)
    outgoing.refuse_data = lambda _data: "451 later"
    club.round(jump)
    club.mail("red", "STATUS")
    club.round(60)
    outgoing.refuse_data = lambda _data: None
    club.round(-jump)
    assert [to for to, data in outgoing.mails if b"your mail" in data] == ["red@example.org"]


def test_a_server_that_is_away_is_waited_for_and_in_the_end_given_up(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    by_smtp(club, free_port())
    club.mail("red", "STATUS")
    club.round()
    club.now += 300 * DAY
    club.round()
    assert "given up" not in club.club("status").output, "a jump of the clock gives up no letter"
    for _ in range(20):
        club.round(8 * HOUR)
    assert "receipt to red@example.org (red of race)" in club.club("status").output
    assert any("cannot be reached" in words for words in club.matters())


def test_starttls_is_used_and_the_certificate_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A club that does not know the authority neither logs in nor sends; one that does fetches and sends."""
    club = begin("race", tmp_path)
    (tmp_path / "tls").mkdir()
    tls = certified(tmp_path / "tls")
    with dovecot(tls) as imap, smtp_apart(tmp_path / "sent", tls) as port:
        by_imap(club, imap, monkeypatch)
        by_smtp(club, port, "starttls")
        imap.deliver(club.mail("red", "GEAR 1"), club.now)
        assert "CERTIFICATE_VERIFY_FAILED" in club.round(code=1)
        assert imap.count("INBOX") == 1
        monkeypatch.setenv("SSL_CERT_FILE", str(tls.authority))
        club.round(60)
        assert club.journal("race") == ["red GEAR 1"]
        assert len(list((tmp_path / "sent" / "new").iterdir())) == 4


def test_a_season_over_real_servers(tmp_path: Path, imap: Imap, outgoing: Smtp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of each ruleset, and players who answer late, twice, with slips, or not at all: every mail is accounted for."""
    club, luck = begin("empty", tmp_path), Random(5)
    club.club("set", "deadlines.nmr=bot", "deadlines.every=1 day", "deadlines.at=", "deadlines.most_missing=5", "press=free")
    seats = ("red", "blue", "green")
    games = {"checkered-flag": 2, "checkpoint-rally": 2, "great-race": 2, "checkpoint-charlie": 3, "rally-round": 2}
    for game, players in games.items():
        options = {"mode": "table", "kit": "deal"} if game == "rally-round" else {}
        club.add(game, *seats[:players], game=game, **options)
    club.round()
    by_imap(club, imap, monkeypatch)
    by_smtp(club, outgoing.port)
    sent = 0
    for _ in range(2):
        for game in games:
            now = club.game(game)
            for seat in now.due_seats:
                order = luck.choice(now.seen_by(seat).legal).order
                text = luck.choice([order, order[:-1] + "§", f"STATUS\n{order}", f"{order}\nMESSAGE to all: number {sent}"])
                data = club.mail(seat, f"Hi,\n\n{text}\n\nBye", game)
                for _ in range(luck.choice([0, 1, 1, 2])):
                    imap.deliver(data, club.now)
                    sent += 1
        club.next_round(12 * HOUR)
    assert sent > 10 and imap.count("INBOX") == 0
    assert all(club.game(game).audit().is_verified for game in games)
    letters = [(to, Letter(data).head["Message-ID"]) for to, data in outgoing.mails]
    assert len(letters) == len(set(letters)) > 10, "a letter went out twice"
    status = club.club("status").output
    assert "given up" not in status and "next try" not in status


# The hook


def hook(club: Club, then: str = "") -> None:
    """Let the club have a program that keeps each notice as a line; ``then`` are more lines of its script."""
    path = club.folder / "notify"
    path.write_text(f"#!/bin/sh\n(cat; echo) >> notices\n{then}\n")
    path.chmod(0o700)
    club.club("set", "hook=./notify")


def notices(club: Club) -> list[dict[str, Any]]:
    path = club.folder / "notices"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_begin_turn_and_deadline_are_announced_once(tmp_path: Path) -> None:
    club = begin("empty", tmp_path)
    hook(club)
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    club.mail("red", "GEAR 1")
    assert "race: hook to ./notify: sent" in club.round(HOUR)
    club.round(2 * DAY + 10 * HOUR)
    club.round(HOUR)
    got = notices(club)
    assert [one["text"] for one in got] == [
        f"race begins: Checkered Flag with red and blue; waiting for red. Orders are due {DUE}.",
        f"race, turn 2: waiting for blue. Orders are due {DUE}.",
        f"race: the deadline comes soon; waiting for blue. Orders are due {DUE}.",
    ]
    assert len({one["id"] for one in got}) == 3
    assert {**got[1], "id": "", "text": "", "due": 0} == {
        "id": "",
        "event": "turn",
        "game": "race",
        "ruleset": "checkered-flag",
        "turn": 2,
        "waiting_for": ["blue"],
        "due": 0,
        "result": "",
        "text": "",
        "url": "",
    }


def test_a_notice_does_not_tell_whose_orders_have_come(tmp_path: Path) -> None:
    club = begin("spies", tmp_path)
    hook(club)
    club.mail("red", "CLUE raincoat")
    club.round(2 * DAY + 10 * HOUR)
    (notice,) = notices(club)
    assert notice["event"] == "deadline" and sorted(notice["waiting_for"]) == ["blue", "green", "red"]


def test_a_finished_game_that_is_added_and_a_new_player_are_no_news(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    hook(club)
    flag = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"
    club.club("add", flag, "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    club.club("seat", "race", "blue", "Carol", "carol@example.org")
    club.round(60)
    assert notices(club) == []


def test_a_notice_names_only_players_who_agree_and_the_public_page(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    hook(club)
    club.club("set", "public.address=https://club.example.org/", "public.names=true")
    club.club("seat", "race", "blue", "*Bob* @everyone", "bob@example.org")
    club.round(60)
    club.mail("red", "GEAR 1")
    club.round(60)
    (notice,) = notices(club)
    assert notice["waiting_for"] == ["*Bob* @everyone (blue)"] and "*Bob* \uff20everyone (blue)" in notice["text"]
    assert notice["url"].startswith("https://club.example.org/games/race-")
    club.club("set", "public.names=false")
    club.mail("bob", "GEAR 1")
    club.round(60)
    assert "Bob" not in str(notices(club)[1])


def test_a_hook_that_fails_gets_the_notice_later_and_delays_no_mail(tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    hook(club, "test -e ready")
    club.mail("red", "GEAR 1")
    said = club.round()
    assert "report to blue@example.org: sent" in said
    assert "race: hook to ./notify: not sent yet: the program ended with 1" in said
    (club.folder / "ready").touch()
    club.round(60)
    assert len(notices(club)) == 2 and len({one["id"] for one in notices(club)}) == 1, "the same notice"
    club.round(DAY)
    assert len(notices(club)) == 2
    (club.folder / "notify").unlink()
    club.mail("blue", "GEAR 1")
    assert "not sent yet: the program cannot run: No such file" in club.round(60)
    club.club("set", "hook=")
    club.round(HOUR)
    assert "no longer has a hook" in club.matters()[0]


class Stop(BaseException):
    """The power fails."""


@pytest.mark.parametrize("at", range(6))
def test_an_interruption_anywhere_sends_no_notice_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Stop at one of the last steps of the ledger before and after the program has run."""
    import sqlite3

    club, real, steps = begin("race", tmp_path), sqlite3.connect, list[str]()
    hook(club)
    club.mail("red", "GEAR 1")
    calm = club.copied(tmp_path / "calm")

    def watched(stop: int) -> Callable[..., sqlite3.Connection]:
        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                if statement == "commit":
                    steps.append(statement)
                    if len(steps) == stop:
                        raise Stop
                return super().execute(statement, *values)

        return lambda *given, **named: real(*given, **{"factory": Watched, **named})

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", watched(0))
        calm.round()
    last = len(steps)
    steps.clear()
    with monkeypatch.context() as patch, suppress(Stop, Exception):  # the command line calls it an error
        patch.setattr(sqlite3, "connect", watched(last - at))
        club.round(code=None)
    for _ in range(2):
        club.round(HOUR)
    assert [one["turn"] for one in notices(club)] in ([2], [])
