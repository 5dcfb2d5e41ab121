"""Notices for chat services: what they say, when they go out, and that none goes out twice, whatever fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from chat import Chat, chat
from players_post import DAY, HOUR, Post, awaited, legal, matters
from test_public import FLAG, name_of

from adjudicator.club import webhooks as club_webhooks
from adjudicator.club.doctor import check_club
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import Ledger
from adjudicator.club.manage import add_game
from adjudicator.club.players import remove_game
from adjudicator.club.webhooks import post_notices
from adjudicator.files.errors import Untrusted
from adjudicator.mail import webhooks
from adjudicator.mail.smtp import Fate
from adjudicator.mail.webhooks import post_json, url_flaw

DUE = "Thursday 2026-03-05 20:00 UTC"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    with chat() as found:
        monkeypatch.setenv("CHAT_URL", found.url)
        yield found


def hook(post: Post, kind: str = "discord", env: str = "CHAT_URL", more: str = "") -> None:
    path = post.folder / "club.toml"
    path.write_text(f'{path.read_text()}\n[[webhooks]]\nkind = "{kind}"\nurl.env = "{env}"\n{more}\n')


def move(post: Post, after: int = HOUR) -> Any:
    """Let the awaited players send legal orders, and do a round."""
    session = post.session("race")
    for seat in awaited(session):
        post.send("race", seat, legal(session, seat)[0])
    return post.run(after=after)


def queued(post: Post) -> list[tuple[str, str, str]]:
    """Return kind, recipient and state of all letters that are notices."""
    with closing(post.club.ledger()) as ledger:
        query = "select kind, recipient, state from letters where kind = 'webhook' order by id"
        return [tuple(row) for row in ledger._db.execute(query)]


def test_begin_turn_deadline_and_end_are_announced_once(empty: Post, service: Chat) -> None:
    hook(empty)
    empty.add("checkered-flag", "red", "blue", game="race")
    empty.run()
    move(empty)
    empty.run(after=2 * DAY + 10 * HOUR)
    empty.run(after=HOUR)
    assert service.texts == [
        f"race begins: Checkered Flag with red and blue; waiting for red. Orders are due {DUE}.",
        f"race, turn 2: waiting for blue. Orders are due {DUE}.",
        f"race: the deadline comes soon; waiting for blue. Orders are due {DUE}.",
    ]
    assert len(set(service.ids)) == 3


def test_the_end_is_announced_once(post: Post, service: Chat) -> None:
    hook(post)
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    post.run(after=60)
    with closing(post.club.ledger()) as ledger, ledger.change():  # as before its last turn
        ledger.set_game(replace(ledger.game("flag-009"), is_over=False, seal="earlier", position="earlier", changed=-1))
    post.run(after=60)
    post.run(after=DAY)
    assert service.texts == ["flag-009 is over: red has won."]


def test_a_notice_does_not_tell_whose_orders_have_come(empty: Post, service: Chat) -> None:
    hook(empty)
    empty.add("checkpoint-charlie", "red", "blue", "green", game="secret")
    empty.run()
    session = empty.session("secret")
    first, *others = awaited(session)
    assert others
    empty.send("secret", first, legal(session, first)[0])
    empty.run(after=2 * DAY + 10 * HOUR)
    assert len(service.texts) == 2 and "deadline" in service.texts[1]
    assert all(seat in service.texts[1].partition("waiting for")[2] for seat in (first, *others))


def test_a_finished_game_that_is_added_and_a_new_player_are_no_news(post: Post, service: Chat) -> None:
    hook(post)
    add_game(post.club, FLAG, {seat: f"{seat}@example.org" for seat in ("red", "blue")})
    post.run(after=60)
    post.seat("race", "red", "Carol", "carol@example.org")
    post.run(after=60)
    assert service.got == []


def test_only_the_wanted_events_and_games(post: Post, service: Chat) -> None:
    hook(post, "slack", more='events = ["over"]')
    hook(post, "discord", more='games = ["other"]')
    hook(post, "matrix", more='events = ["turn"]\ngames = ["race"]')
    move(post)
    assert [recipient for _, recipient, _ in queued(post)] == ["matrix CHAT_URL"]


def test_each_service_gets_its_format(post: Post, service: Chat) -> None:
    post.settings("[deadlines]", '[public]\naddress = "https://club.example.org/"\nnames = true\n\n[deadlines]')
    for kind in ("discord", "slack", "matrix"):
        hook(post, kind)
    post.seat("race", "blue", "<b>*Bob* @everyone & co", "bob@example.org")
    post.run(after=60)
    move(post)
    discord, slack, matrix = (found for _, found in service.got)
    page = "https://club.example.org/games/race-"
    assert discord["allowed_mentions"] == {"parse": []} and discord.keys() == {"content", "allowed_mentions"}
    assert "waiting for \\<b\\>\\*Bob\\* \uff20everyone & co \\(blue\\)." in discord["content"]
    assert f"\n{page}" in discord["content"]
    assert "waiting for &lt;b&gt;*Bob* \uff20everyone &amp; co (blue)." in slack["text"] and f"\n{page}" in slack["text"]
    assert "&lt;b&gt;*Bob*" in matrix["html"] and f'<a href="{page}' in matrix["html"] and "<b>*Bob*" in matrix["text"]


def test_only_players_who_agree_are_named(post: Post, service: Chat) -> None:
    hook(post, "slack")
    name_of(post, "blue", "true")
    post.seat("race", "blue", "Carol", "carol@example.org")
    post.run(after=60)
    move(post)
    name_of(post, "red", "true")
    post.seat("race", "red", "Dora", "dora@example.org")
    name_of(post, "red", "true")
    post.run(after=60)
    session = post.session("race")
    post.send("race", "blue", legal(session, "blue")[0], From="carol@example.org")
    post.run(after=HOUR)
    assert "waiting for blue" in service.texts[0] and "waiting for Dora (red)" in service.texts[1]


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_service_that_is_busy_gets_the_notice_later(post: Post, service: Chat, status: int) -> None:
    hook(post)
    service.answers = [(status, {}, b"")]
    done = move(post)
    assert (done.posted.later, done.posted.given_up, done.troubles) == (1, 0, ())
    assert any("webhook to discord CHAT_URL: not sent yet: the service answers" in line for line in done.done)
    assert post.run(after=60).posted.sent == 1
    assert len(service.got) == 2 and len(set(service.ids)) == 1, "the same notice"
    assert post.run(after=DAY).posted.sent == 0 and queued(post)[0][-1] == "sent"


@pytest.mark.parametrize(("wait", "seconds"), [("600", 600), ("599.5", 600), ("999999999", 6 * HOUR), ("soon", 60)])
def test_a_service_says_how_long_to_wait(post: Post, service: Chat, wait: str, seconds: int) -> None:
    hook(post)
    service.answers = [(429, {"Retry-After": wait}, b"")]
    move(post)
    post.run(after=seconds - 1)
    assert len(service.got) == 1
    post.run(after=1)
    assert len(service.got) == 2


def test_a_date_to_wait_for(service: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks.time, "time", lambda: 1_772_452_800)
    service.answers = [(503, {"Retry-After": "Mon, 02 Mar 2026 12:02:00 GMT"}, b"")]
    assert post_json(service.url, b"{}", "x").wait == 120


@pytest.mark.parametrize("answer", [(404, {}, b"s3cret"), (302, {"Location": "https://example.net/"}, b""), (200, {}, b"")])
def test_a_refusal_is_reported_once_a_day_without_the_secret_address(post: Post, service: Chat, answer: Any) -> None:
    hook(post)
    service.answers = [answer, answer]
    move(post)
    move(post)
    is_taken = answer[0] == 200
    assert [state for *_, state in queued(post)] == ["sent" if is_taken else "given up"] * 2
    assert len(service.got) == 2 and len(matters(post)) == (0 if is_taken else 1)
    everything = " ".join([*matters(post), *(str(mail) for mail in post.mails())])
    assert "s3cret" not in everything and ("discord CHAT_URL" in everything) is not is_taken


def test_nothing_secret_is_in_the_ledger(post: Post, service: Chat) -> None:
    hook(post)
    service.answers = [(500, {}, b"")]
    move(post)
    data = (post.folder / "ledger.sqlite").read_bytes()
    assert b"s3cret" not in data and b"CHAT_URL" in data


def endless(handler: Any) -> None:
    """Answer with 100 MB, as long as the other side takes them."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000000")
    handler.end_headers()
    with suppress(OSError):
        for _ in range(100):
            handler.wfile.write(b"x" * 1_000_000)


def test_a_huge_answer_is_not_read(post: Post, service: Chat) -> None:
    hook(post)
    service.answers = [endless]
    assert move(post).posted.later == 0 and [state for *_, state in queued(post)] == ["sent"]


def dead(handler: Any) -> None:
    """End the connection without an answer."""
    handler.close_connection = True


def dripping(handler: Any) -> None:
    """Promise an answer for ever, each line in time."""
    with suppress(OSError):
        while True:
            handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def noise(handler: Any) -> None:
    """Answer with no HTTP at all."""
    with suppress(OSError):
        handler.wfile.write(b"\xff\x00" * 100_000)


@pytest.mark.parametrize("answer", [dead, dripping, noise])
def test_a_notice_without_a_readable_answer_is_not_repeated(
    post: Post, service: Chat, answer: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(post)
    service.answers = [answer]
    ticks = count(step=0.2)
    monkeypatch.setattr(post_notices, "__defaults__", (lambda: next(ticks),))
    done = move(post)
    assert (done.posted.given_up, len(service.got)) == (1, 1)
    post.run(after=DAY)
    assert len(service.got) == 1 and "the service may have it" in matters(post)[0]


def test_a_service_that_is_away_gets_the_notice_later_and_delays_nothing(
    post: Post, service: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(post)
    hook(post, "slack", "AWAY_URL")
    monkeypatch.setenv("AWAY_URL", "http://127.0.0.1:9/")
    done = move(post)
    assert len(service.got) == 1 and done.posted.later == 1 and done.troubles == ()
    assert any("report to blue@example.org: sent" in line for line in done.done)
    monkeypatch.setenv("AWAY_URL", service.url)
    post.run(after=60)
    assert len(service.got) == 2


def test_a_round_begins_no_notices_after_half_a_minute(post: Post, service: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("discord", "slack", "matrix"):
        hook(post, kind)
    monkeypatch.setattr(post_notices, "__defaults__", (iter([0.0, 1.0, 1.0, 1.0, 1.0, *[31.0] * 9]).__next__,))
    monkeypatch.setattr("adjudicator.mail.webhooks.Replies", unlimited)
    done = move(post)
    assert len(service.got) < 3 and "the next round sends the other notices" in done.troubles[0]


def unlimited(sock: Any, _left: Any) -> Any:
    return sock.makefile("rb", 0)


class Stop(BaseException):
    """The power fails."""


@pytest.mark.parametrize("at", range(8))
def test_an_interruption_anywhere_sends_no_notice_twice(
    post: Post, service: Chat, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Stop before or after the notice is queued, recorded as going out, sent, and recorded as sent."""
    hook(post)
    steps, begun = count(), list[bool]()

    def step() -> None:
        if next(steps) == at:
            raise Stop

    def failing(work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any, **more: Any) -> Any:
            is_notice = work is not queue or given[1].kind == "webhook"
            if not is_notice or (work is sent and not begun):
                return work(*given, **more)
            step()
            found = work(*given, **more)
            begun.extend([True] if work is post_json else [])
            step()
            return found

        return done

    queue, sent = Ledger.queue, Ledger.sent
    with monkeypatch.context() as patch:
        for owner, name in ((Ledger, "begin_sending"), (Ledger, "sent"), (Ledger, "queue"), (club_webhooks, "post_json")):
            patch.setattr(owner, name, failing(getattr(owner, name)))
        with pytest.raises(Stop):
            move(post)
    for _ in range(2):
        post.run(after=HOUR)
    assert len(service.got) == (0 if at == 4 else 1), "only a stop just before the request loses the notice"
    assert [state for *_, state in queued(post)] == ["sent" if at < 4 else "given up"]
    assert ["the club stopped while it sent this" in words for words in matters(post)] == [True] * (at >= 4)


def test_a_webhook_that_is_gone_and_a_game_that_is_gone(post: Post, service: Chat) -> None:
    hook(post)
    service.answers = [(500, {}, b"")] * 2
    move(post)
    text = (post.folder / "club.toml").read_text()
    (post.folder / "club.toml").write_text(text.partition("[[webhooks]]")[0])
    post.run(after=HOUR)
    assert "no longer has this webhook" in matters(post)[0]
    (post.folder / "club.toml").write_text(text)
    move(post)
    with closing(post.club.ledger()) as ledger:
        remove_game(post.club, ledger, "race")
    post.run(after=DAY)
    assert len(service.got) == 2


@pytest.mark.parametrize(
    ("url", "is_right"),
    [
        ("https://discord.com/api/webhooks/1/abc", True),
        ("http://127.0.0.1:8080/x", True),
        ("http://[::1]/x", True),
        ("http://example.org/x", False),
        ("ftp://example.org/x", False),
        ("https://user:word@example.org/x", False),
        ("https://example.org:99999/x", False),
        ("https://example.org/a b", False),
        ("https://exämple.org/", False),
        ("https:///x", False),
        ("https://example.org/x\r\nHost: evil", False),
        ("", False),
    ],
)
def test_only_https_or_this_machine(url: str, is_right: bool) -> None:
    assert (url_flaw(url) == "") is is_right
    assert not url or url not in url_flaw(url)


def test_a_connection_that_fails_is_tried_again() -> None:
    handed = post_json("http://127.0.0.1:9/", b"{}", "x")
    assert handed.fate is Fate.LATER and "cannot be reached" in handed.said


def test_the_doctor_checks_webhooks_without_sending(post: Post, service: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(post, more='games = ["race", "nowhere"]')
    hook(post, "slack", "NO_SUCH")
    hook(post, "matrix", "PLAIN_URL")
    monkeypatch.setenv("PLAIN_URL", "http://example.org/s3cret")
    post.settings('url.env = "NO_SUCH"', 'url.env = "NO_SUCH"\n\n[[webhooks]]\nkind = "slack"')
    found = [one.what for one in check_club(post.club, post.now).club_findings if one.check == "webhooks"]
    assert found == [
        "webhook 1 (discord CHAT_URL): the club has no game nowhere",
        "webhook 2 (slack NO_SUCH): the environment variable NO_SUCH for the address is not set",
        "webhook 3 (slack ): it has no address",
        "webhook 4 (matrix PLAIN_URL): the address must begin with https://",
    ]
    assert service.got == []


@pytest.mark.parametrize("lines", ['kind = "irc"', 'kind = "slack"\nevents = ["end"]', 'kind = "slack"\nurl = "https://x"'])
def test_settings_of_a_webhook_that_make_no_sense(post: Post, lines: str) -> None:
    path = post.folder / "club.toml"
    path.write_text(f"{path.read_text()}\n[[webhooks]]\n{lines}\n")
    with pytest.raises(Untrusted):
        ClubFolder(post.folder)


def test_payloads_are_json(post: Post, service: Chat) -> None:
    hook(post)
    move(post)
    with closing(post.club.ledger()) as ledger:
        (row,) = ledger._db.execute("select data from letters where kind = 'webhook'").rows
    assert json.loads(row[0]) == service.got[0][1]
    assert service.paths == ["/hooks/s3cret?thread=1"]
