"""The pages of a club under attack: a killed server, cookies, links and seats of others, secrets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from threading import Timer

import pytest

from tests.drivers.attacks import Attack, mutated_bytes
from tests.drivers.club import DAY, Club, begin
from tests.drivers.serve import Served, Visitor, serve_club

ONCE = re.compile(r'name="(?:csrf|key)" value="[^"]*"|data-token="[^"]*"')
"""What differs in each session and on each page."""


@contextmanager
def running(club: Club) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `adjudicator club serve`, with rounds, at the time of this machine; give its address."""
    command = [sys.executable, "-m", "adjudicator", "club", "serve", club.folder.name, "--port", "0"]
    with subprocess.Popen(command, cwd=club.top, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert found is not None, said
        try:
            yield found[0], server
        finally:
            server.kill()


@pytest.mark.posix
@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.soak)])
def test_a_server_that_is_killed_loses_no_accepted_order_and_takes_none_twice(
    kills: int, attack: Attack, tmp_path: Path
) -> None:
    club, cookie, token, seen = begin("race", tmp_path), "", "", set[str]()
    club.now = int(time.time())
    with serve_club(club) as served:
        red = served.login("red")
        cookie, token = red.cookie, red.token()
    for number in range(attack.times(kills)):
        order, said = {"text": f"GEAR 1 # {number}", "key": f"kill-number-{number}"}, ""
        with running(club) as (address, server):
            red = Visitor(address, cookie)
            assert red.get("/me").status == 200
            timer = Timer(attack.luck.uniform(0, 0.2), server.kill)
            timer.start()
            with suppress(OSError, HTTPException):
                said = red.send("/g/race/red/orders", token, **order).json["receipt"]
            timer.join()
        attack.count("accepted" if said else "killed before the answer")
        with running(club) as (address, _):
            again = Visitor(address, cookie).send("/g/race/red/orders", token, **order)
        assert again.status == 200 and again.json["state"] in ("waiting", "taken", "answered")
        assert said in ("", again.json["receipt"])
        seen.add(re.findall("sha256 [0-9a-f]{64}", again.json["receipt"])[0])
        attack.next_round()
    assert len(seen) == attack.times(kills), "each order has a receipt of its own"
    taken = [line for line in club.journal("race") if line.startswith("red")]
    assert len(taken) <= 1, "the race waits for Blue after one order"


def test_no_forged_stolen_or_old_cookie_and_no_link_of_another_logs_in(attack: Attack, tmp_path: Path) -> None:
    with ExitStack() as stack:
        here = stack.enter_context(serve_club(begin("race", tmp_path / "here")))
        there = stack.enter_context(serve_club(begin("race", tmp_path / "there")))
        red, link = here.login("red"), here.link("blue")
        assert Visitor(here.address, there.login("red").cookie).get("/me").status == 303, "a club has its own secret"
        assert there.visitor().post(link).status == 403
        for _ in range(attack.times(100)):
            data = mutated_bytes(attack.luck, red.cookie.encode())
            forged = "".join(sign for sign in data.decode("latin-1") if sign.isalnum() or sign in "-_.")
            if forged != red.cookie:
                assert Visitor(here.address, forged).get("/me").status == 303, forged
                attack.count("forged")
            token = "".join(attack.luck.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(32))
            assert here.visitor().post(f"/login/{token}").status == 403
        assert red.get("/me").status == 200 and here.visitor().post(link).status == 303
        here.club.now += 30 * DAY + 1
        assert red.get("/me").status == 303


PATHS = ("", "/orders", "/report", "/replay", "/state", "/state?words=1")


def told(served: Served, visitor: Visitor, game: str, seat: str) -> list[str]:
    """Return all that the pages tell a player, without what differs each time."""
    token, base = visitor.token(), f"/g/{game}/{seat}"
    answers = [visitor.get("/me"), *(visitor.get(f"{base}{path}") for path in PATHS)]
    order = "HELP"
    for name, values in (
        ("look", {"viewer": seat}),
        ("check", {"viewer": seat, "text": order}),
        ("costs", {"viewer": seat, "text": order}),
        ("words", {"text": ""}),
        ("what_if", {"viewer": seat, "text": ""}),
    ):
        answers.append(visitor.send(f"{base}/ask", token, name=name, values=values))
    assert [one.status for one in answers if one.status not in (200, 303)] == []
    return [ONCE.sub("", one.text).replace(served.address, "") + one.headers.get("x-position", "") for one in answers]


def legal(visitor: Visitor, game: str, seat: str) -> str:
    """Return an order that ``seat`` can give now."""
    look = visitor.send(f"/g/{game}/{seat}/ask", visitor.token(), name="look", values={"viewer": seat})
    return str(look.json["legal"][0]["order"])


def test_no_page_tells_whether_the_orders_of_another_are_there_or_what_they_are(tmp_path: Path) -> None:
    """Two worlds: in one, Blue has sent orders. Whatever Red asks is the same in both, until the turn is played."""
    begun = begin("spies", tmp_path / "one")
    os.makedirs(tmp_path / "other")
    with serve_club(begun) as one, serve_club(begun.copied(tmp_path / "other")) as other:
        red, also_red, blue = one.login("red"), other.login("red"), one.login("blue")
        other.login("blue")
        order = legal(blue, "spies", "blue")
        assert told(one, red, "spies", "red") == told(other, also_red, "spies", "red")
        answer = blue.send("/g/spies/blue/orders", blue.token(), text=order, key="secret-key", turn=1)
        assert answer.json["problems"] == [] and order in answer.json["receipt"]
        assert told(one, red, "spies", "red") == told(other, also_red, "spies", "red")
        for world in (one, other):
            world.club.round()
        assert told(one, red, "spies", "red") == told(other, also_red, "spies", "red")


def test_another_player_gets_nothing_of_a_seat_whatever_is_asked(attack: Attack, tmp_path: Path) -> None:
    with serve_club(begin("spies", tmp_path)) as served:
        red, blue = served.login("red"), served.login("blue")
        order, token, luck = legal(blue, "spies", "blue"), red.token(), attack.luck
        blue.send("/g/spies/blue/orders", blue.token(), text=order, key="secret-key")
        names = [
            "look",
            "moment",
            "check",
            "costs",
            "rule",
            "words",
            "what_if",
            "report",
            "save",
            "open",
            "apply",
            "letters",
        ]
        for _ in range(attack.times(200)):
            seat = luck.choice(["blue", "green", "blue/", "moderator", "BLUE", "blue%00", "..", "*"])
            game, page = luck.choice(["spies", "SPIES", "..", "spies/red/.."]), luck.choice([*PATHS, "/ask", "/command"])
            path = f"/g/{game}/{seat}{page}"
            values = {"viewer": luck.choice(["red", "blue", "moderator", "", None]), "text": order, "n": 1, "number": "CC-1"}
            values = {name: value for name, value in values.items() if luck.random() < 0.7}
            answer = luck.choice([red, served.visitor()]).get(path)
            assert answer.status in (303, 401, 404), path
            answer = red.send(
                path.partition("?")[0], token, name=luck.choice(names), values=values, text=order, key="a-key-of-red"
            )
            assert answer.status in (400, 401, 403, 404), path
            answer = red.send("/g/spies/red/ask", token, name=luck.choice(names), values=values)
            assert answer.status in (200, 400)
            if answer.status == 200 and values.get("viewer") not in ("red", None) and "viewer" in values:
                assert "error" in answer.json or "rule" in answer.text or "words" in answer.json, answer.text[:200]
            attack.count(str(answer.status))
        served.club.round()
        assert not [line for line in served.club.journal("spies") if line.startswith("red")]
