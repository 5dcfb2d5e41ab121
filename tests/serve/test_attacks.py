"""Attacks on the pages of a club: by scanners, with stolen and forged sessions, with hostile forms, by players on others."""

from __future__ import annotations

import base64
import json
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from filelock import FileLock

import adjudicator
from tests.drivers.club import DAY, Club, begin
from tests.drivers.serve import Answer, Served, Visitor, serve_club

Serve = Callable[..., Served]
ORDERS = "/g/race/red/orders"
SPIES = "/g/spies/red"
FAILED = "an error of the program"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a club, or one of ``clubs.txt``, until the test ends."""
    with ExitStack() as stack:

        def start(club: Club | str, **site: Any) -> Served:
            own = begin(club, tmp_path / club) if isinstance(club, str) else club
            return stack.enter_context(serve_club(own, **site))

        yield start


def said_to(served: Served, sent: bytes, *, is_over: bool = False) -> bytes:
    """Send bytes to the server, and return its first bytes; ``is_over``: nothing more comes."""
    split = urlsplit(served.address)
    with socket.create_connection((split.hostname, split.port), timeout=30) as connection:
        connection.sendall(sent.replace(b"HOST", split.netloc.encode()))
        if is_over:
            connection.shutdown(socket.SHUT_WR)
        return connection.recv(100_000)


def at_once(count: int, act: Callable[[int], Answer]) -> list[Answer]:
    """Let several visitors act at the same time."""
    gate = Barrier(count)

    def run(number: int) -> Answer:
        gate.wait()
        return act(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


# Scanners


def test_no_request_makes_the_program_fail(serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    served = serve("race")
    red, desk = served.login("red"), tmp_path / "desk"
    (desk / "0123456789ab").mkdir(parents=True)
    (desk / "index.html").write_text(f'<body data-release="0123456789ab" data-version="{adjudicator.__version__}">')
    served.club.change("club.toml", "", f'\n[desk]\nfolder = "{desk}"\naddress = "https://club.example.org/desk/"\n')
    paths = [
        "/.env",
        "/wp-login.php",
        "/me/",
        "/g/",
        "/g/race/",
        "/g/race/red/",
        "/g/race/red/../blue",
        "//evil.example/g/x",
    ]
    paths += [
        "/g/%E2%98%83",
        "/g/race/%E2%98%83",
        "/g/%0d%0aSet-Cookie:%20club=x",
        "/g/race%00",
        "/g/" + "a" * 6000,
        "/%ff%fe",
    ]
    paths += ["/login/%E2%98%83", "/login/" + "a" * 6000, "/g/race%2fred%2forders", "/?next=//evil.example"]
    paths += [
        f"/desk/0123456789ab/{one}" for one in ("%00", "a" * 300, "a/" * 2000, "..%2f..%2fledger.sqlite", "%ff", ".", "")
    ]
    for path in paths:
        for visitor in (served.visitor(), red):
            for method in ("GET", "HEAD", "POST", "PUT", "TRACE"):
                answer = visitor.ask(method, path)
                assert answer.status < 500, (method, path)
                assert "evil.example" not in answer.headers.get("location", "")
                assert answer.headers.get("set-cookie", "wanted=").startswith("wanted="), path
    for sent in (
        b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n",
        b"POST /login HTTP/1.1\r\nHost: HOST\r\nContent-Length: -3\r\n\r\n",
        b"POST /login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3, 4\r\n\r\nabc",
        b"POST /login HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n40000\r\n" + b"a" * 0x40000,
        b"GET /me HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"GET /me HTTP/1.1\r\nHost: HOST\r\nCookie: " + b"club=a; " * 1500 + b"\r\n\r\n",
        b"GET /me HTTP/1.1\r\nHost: HOST\r\nCookie: club=\xff\xfe\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"a" * 200_000,
        b"\0\0\0\r\n\r\n",
    ):
        assert re.match(rb"HTTP/1.1 [234]", said_to(served, sent)), sent[:60]
    unfinished = b"POST /login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 30\r\n\r\naddress="
    said_to(served, unfinished, is_over=True)
    assert red.get("/me").status == 200
    assert FAILED not in capsys.readouterr().err


def test_a_body_that_does_not_arrive_holds_nothing_up(serve: Serve) -> None:
    served = serve("race", patience=0.1)
    unfinished = b"POST /login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 30\r\n\r\naddress="
    for answer in (said_to(served, unfinished) for _ in range(3)):
        assert answer.startswith(b"HTTP/1.1 408") and b"connection: close" in answer.lower()


def test_scanners_of_mails_log_nobody_in(serve: Serve) -> None:
    served = serve("race")
    link, scanner = served.link("red"), served.visitor()
    for method in ("GET", "HEAD", "OPTIONS", "PUT", "PROPFIND") * 3:
        answer = scanner.ask(method, link)
        assert "set-cookie" not in answer.headers
    for other in (f"{link}/", f"{link}?go=1", link.upper(), link[:-1], f"{link}%20", link.replace("/login", "/Login")):
        assert (scanner.post(other).status == 303) == (other == f"{link}?go=1") or scanner.get("/me").status == 303
    assert "<script" not in scanner.get(link).text, "a scanner that runs scripts presses no button either"


def test_those_who_send_to_a_game_at_work_do_not_hold_up_the_others(serve: Serve) -> None:
    served = serve("race")
    reds, blue = [served.login("red") for _ in range(4)] * 2, served.login("blue")
    tokens = [red.token() for red in reds]
    with ThreadPoolExecutor(8) as pool, FileLock(served.club.folder / "games" / "race" / "game.json.lock"):
        found = [
            pool.submit(Visitor(served.address, red.cookie).send, ORDERS, token, text="GEAR 1", key=f"key-{number:05}")
            for number, (red, token) in enumerate(zip(reds, tokens, strict=True))
        ]
        answers = [blue.get("/me") for _ in range(10)]
        assert not [one for one in found if one.done()], "a round has the game, so all orders wait"
    assert {one.status for one in answers} == {one.result().status for one in found} == {200}


# Links and keys at once


def test_a_link_that_many_use_at_once_logs_one_in(serve: Serve) -> None:
    served = serve("race")
    for _ in range(3):
        link = served.link("red")
        found = at_once(8, partial(lambda link, _: served.visitor().post(link), link))
        assert sorted(one.status for one in found) == [303] + [403] * 7


def test_a_text_that_is_sent_many_times_at_once_counts_once(serve: Serve) -> None:
    served = serve("race")
    red = served.login("red")
    token = red.token()
    found = at_once(
        8, lambda _: Visitor(served.address, red.cookie).send(ORDERS, token, text="GEAR 1\nVOTE draw", key="the-same-key")
    )
    assert {one.status for one in found} == {200}
    receipts = {one.json["receipt"] for one in found if one.json["state"] != "new"}
    assert len(receipts) == 1 and "GEAR 1" in receipts.pop()
    mails = json.loads(served.club.club("status", "--json").stdout)
    served.club.round()
    assert served.club.journal("race") == ["red GEAR 1"], mails


def test_a_text_that_is_sent_again_after_another_one_replaces_it(serve: Serve) -> None:
    """Back in a browser shows a page with its old key."""
    served = serve("race")
    red = served.login("red")
    sent = partial(red.send, ORDERS, red.token(), key="the-same-key")
    first, other, again = [sent(text=text).json["receipt"] for text in ("GEAR 1", "GEAR 2", "GEAR 1")]
    assert len({first, other, again}) == 3
    assert sent(text="GEAR 1").json["receipt"] == again, "the answer was lost, so the browser asks again"
    served.club.round()
    assert served.club.journal("race") == ["red GEAR 1"]


# Sessions


def test_a_session_that_is_forged_or_changed_is_none(serve: Serve, tmp_path: Path) -> None:
    served = serve("race")
    red, other = served.login("red"), serve(begin("race", tmp_path / "other")).login("red")
    cookie = red.cookie
    forged = [other.cookie, "", '"', "a.b.c", cookie[:-1], f"{cookie}x", cookie.swapcase(), cookie.rpartition(".")[0]]
    forged += [
        f"{cookie.partition('.')[0]}.{other.cookie.partition('.')[2]}",
        cookie.replace(".", "..", 1),
        f"{cookie}.{cookie}",
    ]
    forged += [cookie[:at] + ("A" if cookie[at] != "A" else "B") + cookie[at + 1 :] for at in range(0, len(cookie) - 1, 7)]
    for one in forged:
        assert Visitor(served.address, one).get("/me").headers.get("location") == "/", one
        assert Visitor(served.address, one).send(ORDERS, red.token(), text="GEAR 1", key="the-same-key").status == 401
    assert Visitor(served.address, cookie).get("/me").status == 200
    assert Visitor(served.address, red.token()).get("/me").status == 303


def test_the_token_of_one_session_is_of_no_use_in_another(serve: Serve) -> None:
    served = serve("race")
    first, second, blue = served.login("red"), served.login("red"), served.login("blue")
    assert len({first.token(), second.token(), blue.token(), first.cookie, second.cookie}) == 5
    for stolen in (first.token(), blue.token(), first.cookie, "", "0" * 32, "\ud800", "é"):
        form = {**second.get(ORDERS).hidden, "text": "GEAR 1", "csrf": stolen.encode("utf-8", "replace").decode()}
        assert second.post(ORDERS, form).status == 403
        assert second.post("/logout", {"csrf": form["csrf"], "everywhere": "yes"}).status == 403
    served.club.round()
    assert served.club.journal("race") == [] and first.get("/me").status == 200


def test_who_gets_a_copy_of_the_ledger_has_no_session(serve: Serve) -> None:
    served = serve("race")
    red = served.login("red")
    token = red.token()
    stored = b"".join(path.read_bytes() for path in served.club.folder.glob("ledger.sqlite*"))
    secret = json.loads(base64.urlsafe_b64decode(red.cookie.partition(".")[0] + "=="))[1]
    assert b"confirmations" in stored
    assert not [one for one in (token, red.cookie, secret) if one.encode() in stored]


def test_what_a_former_player_has_sent_does_not_count_for_the_successor(serve: Serve) -> None:
    served = serve("spies")
    red, club = served.login("red"), served.club
    token = red.token()
    sent = red.send(f"{SPIES}/orders", token, text="VOTE draw\nMESSAGE blue\nhello from the first\nEND", key="the-same-key")
    assert sent.status == 200
    club.club("seat", "spies", "red", "Carol", "carol@example.org")
    late = red.send(f"{SPIES}/orders", token, text="VOTE draw", key="another-key")
    assert late.status == 404
    again = red.send(f"{SPIES}/orders", token, text="VOTE draw\nMESSAGE blue\nhello from the first\nEND", key="the-same-key")
    assert again.status == 404, "the answer is the successor's now, or nobody's"
    club.round()
    carol = served.login("carol")
    assert "hello from the first" not in carol.get(f"{SPIES}/state?words=1").text


# Hostile forms


HOSTILE = (
    "x\r\nRESIGN",
    "x\nRESIGN\n",
    "x\u2028RESIGN",
    "x\x0bRESIGN",
    "x\x0cRESIGN",
    "x\x85RESIGN",
    "x\0RESIGN",
    "\nEND\nRESIGN",
    "-- \nRESIGN",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}{% raw %}",
    "' or 1=1; drop table mails; --",
    "\u202e\u2066 blue",
    "a" * 5000,
    "-1",
    "9" * 400,
    "../../../etc/passwd",
    "*",
    "%s%n",
)


@pytest.mark.parametrize("path", ["/g/rally/red", "/me"])
def test_what_somebody_writes_into_a_field_of_a_form_is_one_value_and_no_markup(
    path: str, serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    served = serve("rally" if path != "/me" else "members")
    who, page = ("red", f"{path}/orders") if path != "/me" else ("ann", "/me")
    visitor = served.login(who)
    shown = visitor.get(page)
    forms = re.findall(r'name="command" value="([^"]+)">(.*?)</form>', shown.text, re.DOTALL)
    assert len(forms) > 5
    for name, fields in forms:
        names = re.findall(r'name="(\w+)"', fields)
        for number, hostile in enumerate(HOSTILE):
            if name == "RESIGN":
                continue
            values = dict.fromkeys(names, hostile)
            answer = visitor.post(
                f"{path}/command", {"csrf": shown.hidden["csrf"], "key": f"key-{number:05}", "command": name, **values}
            )
            assert answer.status in (200, 400), (name, hostile)
            assert "<script>" not in answer.text and "<img" not in answer.text, (name, hostile)
    served.club.round()
    assert not [one for one in served.club.matters() if "resign" in one]
    for after in (page, "/me"):
        assert "<script>" not in visitor.get(after).text and "<img" not in visitor.get(after).text
    assert FAILED not in capsys.readouterr().err


def test_a_text_may_have_any_characters(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    served = serve("race")
    red = served.login("red")
    token = red.token()
    texts = [
        *HOSTILE,
        "\ud800 GEAR 1",
        "\ufeffGEAR 1",
        "\0",
        "GEAR 1\0",
        "From: moderator@x\n\nGEAR 1",
        "G\n" * 1500,
        "é" * 9_000,
    ]
    texts += [
        "(" * 19_000,
        "GEAR 1 " * 2500,
        "turn 1\n" * 2000,
        "> GEAR 1",
        "Content-Type: multipart/mixed\n\nGEAR 1",
        ".",
        "\r",
    ]
    for number, text in enumerate(texts):
        answer = red.send(ORDERS, token, text=text, key=f"key-{number:05}")
        assert answer.status in (200, 400, 413), text[:40]
        for name in ("check", "costs", "what_if"):
            said = red.send("/g/race/red/ask", token, name=name, values={"viewer": "red", "text": text})
            assert said.status == 200, (name, text[:40])
    served.club.round()
    assert "RESIGN" not in " ".join(served.club.journal("race"))
    assert FAILED not in capsys.readouterr().err


# The law of secrets


def pages_of(visitor: Visitor, game: str, seat: str) -> list[str]:
    """Return everything that a player can see and ask for, without the keys that are new each time."""
    base, token = f"/g/{game}/{seat}", visitor.token()
    found = [visitor.get(path).text for path in ("/", "/me", f"/g/{game}", base, f"{base}/orders", f"{base}/report")]
    found += [visitor.get(f"{base}/{path}").text for path in ("replay", "state", "state?words=1")]
    for name in ("look", "moment", "check", "costs", "rule", "words", "what_if"):
        for values in ({}, {"viewer": seat}, {"viewer": seat, "text": ""}, {"viewer": seat, "number": 0}, {"code": "R1"}):
            answer = visitor.send(f"{base}/ask", token, name=name, values=values)
            found += [answer.text, answer.headers.get("x-position", "")]
    for number, command in enumerate(("STATUS", "PREVIEW", "GAMES", "WHO", "RESEND", "NOWAIT", "VOTE draw", "VOTE no draw")):
        answer = visitor.send(f"{base}/orders", token, text=command, key=f"page-{number:04}")
        found.append(answer.text)
    return [re.sub(r'name="key" value="[^"]*"', "", one) for one in found]


@pytest.mark.parametrize("settings", [(), ("names=hidden", "deadlines.bank=5 days", "press=free", "people.join=true")])
def test_nothing_on_the_pages_of_a_player_depends_on_what_others_have_sent(
    settings: tuple[str, ...], serve: Serve, tmp_path: Path
) -> None:
    club, seats = begin("empty", tmp_path / "first"), ("red", "blue", "green")
    if settings:
        club.club("set", *settings)
    own = [word for seat in seats for word in ("--seat", seat)]
    club.command("new", "checkpoint-charlie", *own, "--seed", "ab" * 32, "-o", "spies.json")
    club.club("add", "spies.json", *(word for seat in seats for word in ("--seat", f"{seat}={seat}@example.org")))
    club.round()
    first = serve(club)
    cookies = {who: first.login(who).cookie for who in ("red", "blue", "green")}
    second = serve(first.club.copied(tmp_path / "second"))
    for number, who in enumerate(("blue", "green")):
        visitor = Visitor(second.address, cookies[who])
        base, token = f"/g/spies/{who}", visitor.token()
        legal = visitor.send(f"{base}/ask", token, name="look", values={"viewer": who}).json["legal"]
        assert legal
        text = (
            "\n".join(str(one["order"] if isinstance(one, dict) else one) for one in legal[:1])
            if number == 0
            else "NONSENSE"
        )
        assert visitor.send(f"{base}/orders", token, text=text, key="first-key").status == 200
        assert visitor.send(f"{base}/orders", token, text="STATUS\nPREVIEW", key="second-key").status == 200
        visitor.fill("/me", "/logout")
    for one in (first, second):
        one.club.round()
    seen = [pages_of(Visitor(one.address, cookies["red"]), "spies", "red") for one in (first, second)]
    assert [one.replace(second.address, first.address) for one in seen[1]] == seen[0]


def test_with_the_session_of_a_player_no_path_leads_to_another_seat(serve: Serve) -> None:
    served = serve("spies")
    red, blue = served.login("red"), served.login("blue")
    blue_token, token = blue.token(), red.token()
    blue.send("/g/spies/blue/orders", blue_token, text="VOTE draw # a secret of blue", key="the-same-key")
    for seat in ("blue", "green", "moderator", "public", "RED", "Blue", "blue%00", "%62lue", "red%2f..%2fblue", "*", "%"):
        base = f"/g/spies/{seat}"
        for path in ("", "/orders", "/report", "/replay", "/state", "/state?words=1", "/ask", "/command"):
            answer = red.get(f"{base}{path}")
            assert answer.status == 404 and "secret of blue" not in answer.text, (seat, path)
        for values in ({"text": "VOTE draw", "key": "the-same-key"}, {"name": "look", "values": {"viewer": "blue"}}):
            for path in ("orders", "ask", "command"):
                assert red.send(f"{base}/{path}", token, **values).status in (400, 404), (seat, path)
        form = {"csrf": token, "key": "the-same-key", "command": "RESIGN", "text": "x"}
        assert red.post(f"{base}/command", form).status == red.post(f"{base}/orders", form).status == 404
    for viewer in ("blue", "moderator", "public", ["blue"], {"seat": "blue"}, 1, "BLUE", "", "all"):
        for name in ("look", "moment", "check", "costs", "what_if", "report", "replay", "words", "rule", "fork", "choose"):
            said = red.send(f"{SPIES}/ask", token, name=name, values={"viewer": viewer, "text": ""})
            assert said.status == 400 or said.json.get("error") or '"own":"red"' in said.text.replace(" ", ""), (
                name,
                viewer,
            )


def test_no_page_names_the_players_of_a_game_with_hidden_names(serve: Serve, tmp_path: Path) -> None:
    club = begin("empty", tmp_path / "hidden")
    club.club("set", "names=hidden", "press=free", "people.join=true")
    club.command("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--seed", "ab" * 32, "-o", "veil.json")
    club.club("add", "veil.json", "--seat", "red=vermilion@example.org", "--seat", "blue=zebulon@example.org")
    club.round()
    served = serve(club)
    club.mail("zebulon", "REGISTER Zebulon")
    club.mail("zebulon", "MESSAGE to red\nhello", "veil")
    club.round()
    visitors = {who: served.login(name) for who, name in (("red", "vermilion"), ("blue", "zebulon"))}
    zebulon = visitors["blue"]
    for turn in range(3):
        for who, visitor in visitors.items():
            visitor.send(f"/g/veil/{who}/orders", visitor.token(), text="GEAR 1", key=f"turn-{turn:04}")
        pages = pages_of(visitors["red"], "veil", "red")
        assert any("GEAR" in one for one in pages)
        for page in pages:
            assert "zebulon" not in page.lower(), page
            assert zebulon.cookie not in page and club.known("token", "zebulon") not in page
        club.round(DAY // 24)
