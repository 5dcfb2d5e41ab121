"""Fetching by IMAP, sending by SMTP and notices for chat services, with real servers: what they refuse, what is lost."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from imap_tools import BaseMailBox
from imap_tools.idle import IdleManager

from tests.club.test_conversations import FAULTS
from tests.drivers.club import DAY, HOUR, Club, Letter, begin
from tests.drivers.servers import Chat, Imap, Smtp, by_imap, by_smtp, certified, chat, dovecot, free_port, smtp, smtp_apart

DUE = "Thursday 2026-03-05 20:00 UTC"


@pytest.fixture(scope="module")
def imap() -> Iterator[Imap]:
    with dovecot() as running:
        yield running


@pytest.fixture
def outgoing() -> Iterator[Smtp]:
    with smtp() as running:
        yield running


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    with chat() as found:
        monkeypatch.setenv("CHAT_URL", found.url)
        yield found


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


@FAULTS
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
    letters = [(to, Letter(club_mail(data)).mail["Message-ID"]) for to, data in outgoing.mails]
    assert len(letters) == len(set(letters)) > 10, "a letter went out twice"
    status = club.club("status").output
    assert "given up" not in status and "next try" not in status


def club_mail(data: bytes) -> Any:
    import email
    from email import policy

    return email.message_from_bytes(data, policy=policy.default)


# Chat services


def hook(club: Club, kind: str = "discord", env: str = "CHAT_URL", more: str = "") -> None:
    club.change("club.toml", "", f'\n[[webhooks]]\nkind = "{kind}"\nurl.env = "{env}"\n{more}\n')


def test_begin_turn_and_deadline_are_announced_once(tmp_path: Path, service: Chat) -> None:
    club = begin("empty", tmp_path)
    hook(club)
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    club.mail("red", "GEAR 1")
    club.round(HOUR)
    club.round(2 * DAY + 10 * HOUR)
    club.round(HOUR)
    assert service.texts == [
        f"race begins: Checkered Flag with red and blue; waiting for red. Orders are due {DUE}.",
        f"race, turn 2: waiting for blue. Orders are due {DUE}.",
        f"race: the deadline comes soon; waiting for blue. Orders are due {DUE}.",
    ]
    assert len(set(service.ids)) == 3 and service.paths == ["/hooks/s3cret?thread=1"] * 3


def test_a_notice_does_not_tell_whose_orders_have_come(tmp_path: Path, service: Chat) -> None:
    club = begin("spies", tmp_path)
    hook(club)
    club.mail("red", "CLUE raincoat")
    club.round(2 * DAY + 10 * HOUR)
    (text,) = service.texts
    assert "deadline" in text and all(seat in text.partition("waiting for")[2] for seat in ("red", "blue", "green"))


def test_a_finished_game_that_is_added_and_a_new_player_are_no_news_and_rooms_choose(tmp_path: Path, service: Chat) -> None:
    club = begin("race", tmp_path)
    hook(club, "slack", more='events = ["over"]')
    hook(club, "discord", more='games = ["other"]')
    hook(club, "matrix", more='events = ["turn"]\ngames = ["race"]')
    flag = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race" / "game.json"
    club.club("add", flag, "--seat", "red=red@example.org", "--seat", "blue=blue@example.org")
    club.club("seat", "race", "blue", "Carol", "carol@example.org")
    club.round(60)
    assert service.got == []
    club.mail("red", "GEAR 1")
    club.round(60)
    ((_, found),) = service.got
    assert {"html", "text"} <= found.keys(), "the room on Matrix"


def test_each_service_gets_its_format_and_only_names_of_players_who_agree(tmp_path: Path, service: Chat) -> None:
    club = begin("race", tmp_path)
    club.change("club.toml", "[deadlines]", '[public]\naddress = "https://club.example.org/"\nnames = true\n\n[deadlines]')
    for kind in ("discord", "slack", "matrix"):
        hook(club, kind)
    club.club("seat", "race", "blue", "<b>*Bob* @everyone & co", "bob@example.org")
    club.round(60)
    club.mail("red", "GEAR 1")
    club.round(60)
    discord, slack, matrix = (found for _, found in service.got)
    page = "https://club.example.org/games/race-"
    assert discord["allowed_mentions"] == {"parse": []} and discord.keys() == {"content", "allowed_mentions"}
    assert "waiting for \\<b\\>\\*Bob\\* \uff20everyone & co \\(blue\\)." in discord["content"]
    assert f"\n{page}" in discord["content"] and f"\n{page}" in slack["text"]
    assert "waiting for &lt;b&gt;*Bob* \uff20everyone &amp; co (blue)." in slack["text"]
    assert "&lt;b&gt;*Bob*" in matrix["html"] and f'<a href="{page}' in matrix["html"] and "<b>*Bob*" in matrix["text"]
    club.change("club.toml", "names = true", "names = false")
    club.mail("bob", "GEAR 1")
    club.round(60)
    assert "Red" not in str(service.got[3:])


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_service_that_is_busy_gets_the_notice_later(tmp_path: Path, service: Chat, status: int) -> None:
    club = begin("race", tmp_path)
    hook(club)
    service.answers = [(status, {}, b"")]
    club.mail("red", "GEAR 1")
    assert "webhook to discord CHAT_URL: not sent yet: the service answers" in club.round()
    data = b"".join(path.read_bytes() for path in club.folder.glob("ledger.sqlite*"))
    assert b"s3cret" not in data and b"CHAT_URL" in data
    club.round(60)
    assert len(service.got) == 2 and len(set(service.ids)) == 1, "the same notice"
    club.round(DAY)
    assert len(service.got) == 2


@pytest.mark.parametrize(("wait", "seconds"), [("600", 600), ("599.5", 600), ("999999999", 6 * HOUR), ("soon", 60)])
def test_a_service_says_how_long_to_wait(tmp_path: Path, service: Chat, wait: str, seconds: int) -> None:
    club = begin("race", tmp_path)
    hook(club)
    service.answers = [(429, {"Retry-After": wait}, b"")]
    club.mail("red", "GEAR 1")
    club.round()
    club.round(seconds - 1)
    assert len(service.got) == 1
    club.round(1)
    assert len(service.got) == 2


def endless(handler: Any) -> None:
    """Answer with 100 MB, as long as the other side takes them."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000000")
    handler.end_headers()
    with suppress(OSError):
        for _ in range(100):
            handler.wfile.write(b"x" * 1_000_000)


def dead(handler: Any) -> None:
    """End the connection without an answer."""
    handler.close_connection = True


def noise(handler: Any) -> None:
    """Answer with no HTTP at all."""
    with suppress(OSError):
        handler.wfile.write(b"\xff\x00" * 100_000)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {}, b"s3cret"), "discord CHAT_URL"),
        ((302, {"Location": "https://example.net/"}, b""), "discord CHAT_URL"),
        ((200, {}, b""), ""),
        (endless, ""),
        (dead, "the service may have it"),
        (noise, "the service may have it"),
    ],
)
def test_an_answer_ends_the_notice_and_a_bad_one_is_a_matter_without_the_secret_address(
    tmp_path: Path, service: Chat, answer: Any, words: str
) -> None:
    club = begin("race", tmp_path)
    hook(club)
    service.answers = [answer, (204, {}, b"")]
    club.mail("red", "GEAR 1")
    club.round()
    letters = [str(one.mail) for one in club.new]
    club.round(HOUR)
    assert len(service.got) == 1
    assert [words in matter for matter in club.matters()] == ([True] if words else [])
    assert "s3cret" not in " ".join([*club.matters(), *letters, club.club("status").output])


def test_a_service_that_is_away_gets_the_notice_later_and_delays_nothing(
    tmp_path: Path, service: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = begin("race", tmp_path)
    hook(club)
    hook(club, "slack", "AWAY_URL")
    monkeypatch.setenv("AWAY_URL", f"http://127.0.0.1:{free_port()}/")
    club.mail("red", "GEAR 1")
    assert "report to blue@example.org: sent" in club.round()
    assert len(service.got) == 1
    monkeypatch.setenv("AWAY_URL", service.url)
    club.round(60)
    assert len(service.got) == 2
    text = (club.folder / "club.toml").read_text()
    service.answers = [(500, {}, b"")] * 2
    club.mail("blue", "GEAR 1")
    club.round(60)
    (club.folder / "club.toml").write_text(text.partition("[[webhooks]]")[0])
    club.round(HOUR)
    assert "no longer has this webhook" in club.matters()[0]


@pytest.mark.parametrize(
    ("url", "is_right"),
    [
        ("https://discord.com/api/webhooks/1/abc", True),
        ("http://127.0.0.1:8080/x", True),
        ("http://[::1]/x", True),
        ("http://example.org/s3cret", False),
        ("ftp://example.org/s3cret", False),
        ("https://user:s3cret@example.org/x", False),
        ("https://example.org:99999/s3cret", False),
        ("https://example.org/a s3cret", False),
        ("https://exämple.org/s3cret", False),
        ("https:///s3cret", False),
    ],
)
def test_only_https_or_this_machine_and_the_doctor_sends_nothing(
    tmp_path: Path, service: Chat, monkeypatch: pytest.MonkeyPatch, url: str, is_right: bool
) -> None:
    club = begin("race", tmp_path)
    hook(club)
    monkeypatch.setenv("CHAT_URL", url)
    said = club.club("doctor", code=None).output
    assert ("webhook 1 (discord CHAT_URL)" in said) is not is_right and "s3cret" not in said
    assert service.got == []


@pytest.mark.parametrize("lines", ['kind = "irc"', 'kind = "slack"\nevents = ["end"]', 'kind = "slack"\nurl = "https://x"'])
def test_settings_of_a_webhook_that_make_no_sense(tmp_path: Path, lines: str) -> None:
    club = begin("empty", tmp_path)
    club.change("club.toml", "", f"\n[[webhooks]]\n{lines}\n")
    assert re.search("webhooks", club.club("status", code=3).output)


class Stop(BaseException):
    """The power fails."""


@pytest.mark.parametrize("at", range(6))
def test_an_interruption_anywhere_sends_no_notice_twice(
    tmp_path: Path, service: Chat, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Stop in the middle of the request, or at one of the last steps of the ledger before and after it."""
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
    last, service.got = len(steps), []
    steps.clear()
    with monkeypatch.context() as patch, suppress(Stop, Exception):  # the command line calls it an error
        patch.setattr(sqlite3, "connect", watched(last - at))
        club.round(code=None)
    for _ in range(2):
        club.round(HOUR)
    turns = [text for text in service.texts if "turn 2" in text]
    assert len(turns) <= 1
    assert turns or any("the club stopped while it sent this" in words for words in club.matters())
