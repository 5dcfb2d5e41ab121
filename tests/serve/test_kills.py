"""Kill the server of a club's pages between request and answer."""

from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from threading import Timer

import pytest

from tests.drivers.club import Club, begin
from tests.drivers.serve import Answer, Visitor, serve_club

Start = Callable[[], tuple[subprocess.Popen[str], str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the server of the club in ``tmp_path``; return it and its address. A test that fails shows the output."""
    servers = list[subprocess.Popen[str]]()

    def run() -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-X", "faulthandler", "-m", "adjudicator", "club", "serve", "thursday", "--port", "0"]
        server = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        servers.append(server)
        assert server.stdout is not None
        said = ""
        while (found := re.search(r"http://127\.0\.0\.1:\d+", said)) is None:
            said += (line := server.stdout.readline())
            assert line, said
        return server, found[0]

    yield run
    for server in servers:
        server.kill()
        said, _ = server.communicate()
        sys.stdout.write(f"the server ended with {server.returncode}, and said: {said}\n")


@pytest.mark.soak
@pytest.mark.posix
def test_after_a_hundred_kills_no_accepted_order_is_lost_and_none_counts_twice(start: Start, tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="pages of a club need starlette: pip install -e '.[test]'")
    club, rng = Club(tmp_path, int(time.time())), random.Random(53)
    club.command(
        "club", "init", "thursday", "--name", "Club", "--address", "club@example.org", "--moderator", "gm@example.org"
    )
    club.club("set", "pictures=none")
    club.add("checkered-flag", "red", "blue", game="race", laps="3")
    club.round()

    def try_to(act: Timer | None, visitor: Visitor, seat: str, text: str, key: str) -> Answer | None:
        try:
            return visitor.send(f"/g/race/{seat}/orders", tokens[seat], text=text, key=key)
        except (OSError, HTTPException):
            assert act is not None, "the server has died by itself"
            return None

    def is_due(visitor: Visitor, seat: str) -> bool:
        club.club("status")  # it takes a moment: the pages refuse too many requests
        state = visitor.get(f"/g/race/{seat}/state")
        assert state.status == 200, state
        return bool(state.json["is_due"])

    server, address = start()
    visitors = {seat: Visitor(address) for seat in ("red", "blue")}
    for seat, visitor in visitors.items():
        club.new = []
        assert visitor.post("/login", {"address": f"{seat}@example.org"}).status == 200
        while not (links := [link for one in club.new if one.to == seat for link in re.findall(r"/login/\w+", one.text)]):
            visitor.get("/")
            club.read_letters()
        assert visitor.post(links[0]).status == 303
    tokens = {seat: visitor.token() for seat, visitor in visitors.items()}

    sent, known = dict[str, list[str]](red=[], blue=[]), 0
    for kill in range(100):
        for visitor in visitors.values():
            visitor.address = address
        legal, seat, key = "", "", f"kill-number-{kill}"
        while not legal:  # a round is at work
            for seat in [seat for seat, visitor in visitors.items() if is_due(visitor, seat)]:
                look = visitors[seat].send(f"/g/race/{seat}/ask", tokens[seat], name="look", values={"viewer": seat}).json
                legal = look["legal"][0]["order"] if look.get("legal") else ""
        text = legal if kill % 2 else "GAER 1"
        timer = Timer(rng.uniform(0, 0.25), server.kill)
        timer.start()
        first = try_to(timer, visitors[seat], seat, text, key)
        timer.join()
        server.wait()
        server, address = start()
        visitors[seat].address = address
        known += first is not None
        again = try_to(None, visitors[seat], seat, text, key)
        while again is not None and again.status == 200 and again.json["state"] == "new":
            again = try_to(None, visitors[seat], seat, text, key)
        assert again is not None and again.status == 200, again
        if first is not None and first.status == 200 and first.json["state"] != "new":
            assert again.json["receipt"] == first.json["receipt"]
        if kill % 2 == 0:  # it has a mistake: the orders that replace it count
            text, key = legal, f"{key}-mended"
            assert visitors[seat].send(f"/g/race/{seat}/orders", tokens[seat], text=text, key=key).status == 200
        sent[seat].append(key)
        while len(club.journal("race")) <= kill:
            pass
    server.kill()
    server.wait()
    club.now = int(time.time())
    club.round()
    journal = club.journal("race")
    assert [len([one for one in journal if one.startswith(seat)]) for seat in sent] == [len(keys) for keys in sent.values()]
    assert len(journal) == 100 and 0 < known < 100
    reports = [one.subject for one in club.new if "turn" in one.subject and one.to == "red"]
    assert len(reports) == len({*reports})


@pytest.mark.posix
def test_commands_beside_the_server_lose_nothing(start: Start, tmp_path: Path) -> None:
    club = begin("race", tmp_path)
    club.now = int(time.time())
    with serve_club(club) as served:
        red = served.login("red")
        token = red.token()
    texts = [f"GAER {number}" for number in range(6)]

    def send_all(address: str, *, is_beside: bool) -> list[str]:
        visitor, receipts = Visitor(address, red.cookie), list[str]()
        for number, text in enumerate(texts):
            answer = visitor.order("/g/race/red/orders", token, text=text, key=f"key-{number:05}")
            assert answer.status == 200, answer
            receipts.append(answer.json["receipt"])
            if is_beside:
                club.club("status")
        return receipts

    server, address = start()
    first = send_all(address, is_beside=True)
    server.kill()
    server.wait()
    server, address = start()
    assert send_all(address, is_beside=False) == first
    server.kill()
    server.wait()
    assert len({*first}) == len(texts)


@pytest.mark.posix
def test_a_server_whose_rounds_fail_stays_and_goes_on_when_the_club_is_mended(start: Start, tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="pages of a club need starlette: pip install -e '.[test]'")
    club = begin("race", tmp_path)

    def set_clock(value: object) -> None:
        with closing(sqlite3.connect(club.folder / "ledger.sqlite", isolation_level=None)) as ledger:
            ledger.execute("update club set clock = ?", [value])

    set_clock("damaged")
    server, address = start()
    assert server.stdout is not None
    while "the rounds have failed" not in (line := server.stdout.readline()):
        assert line, "the server has ended by itself"
    visitor = Visitor(address)
    assert visitor.get("/").status == 200
    set_clock(0)
    club.new = []
    assert visitor.post("/login", {"address": "red@example.org"}).status == 200
    while not [letter for letter in club.new if letter.to == "red"]:
        assert visitor.get("/").status == 200
        club.read_letters()
