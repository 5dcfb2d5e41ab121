"""The server of a club's pages is killed between request and answer: a few times here, a hundred in tests/serve."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from threading import Timer

import pytest

from tests.drivers.attacks import Attack
from tests.drivers.club import Club, begin
from tests.drivers.serve import Visitor, serve_club


@contextmanager
def running(club: Club) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run `adjudicator club serve`, with rounds, at the time of this machine; give its address."""
    command = [sys.executable, "-X", "faulthandler", "-m", "adjudicator", "club", "serve", club.folder.name, "--port", "0"]
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
def test_a_server_that_is_killed_loses_no_accepted_order_and_takes_none_twice(attack: Attack, tmp_path: Path) -> None:
    club, cookie, token, seen = begin("race", tmp_path), "", "", set[str]()
    club.now = int(time.time())
    with serve_club(club) as served:
        red = served.login("red")
        cookie, token = red.cookie, red.token()
    for number in range(2):
        order, said = {"text": f"GEAR 1 # {number}", "key": f"kill-number-{number}"}, ""
        with running(club) as (address, server):
            red = Visitor(address, cookie)
            assert red.get("/me").status == 200
            timer = Timer(attack.luck.uniform(0, 0.2), server.kill)
            timer.start()
            with suppress(OSError, HTTPException):
                said = red.order("/g/race/red/orders", token, **order).json["receipt"]
            timer.join()
        attack.count("accepted" if said else "killed before the answer")
        with running(club) as (address, _):
            again = Visitor(address, cookie).order("/g/race/red/orders", token, **order)
        assert again.status == 200 and again.json["state"] in ("waiting", "taken", "answered")
        assert said in ("", again.json["receipt"])
        seen.add(re.findall("sha256 [0-9a-f]{64}", again.json["receipt"])[0])
        attack.next_round()
    assert len(seen) == 2, "each order has a receipt of its own"
    taken = [line for line in club.journal("race") if line.startswith("red")]
    assert len(taken) <= 1, "the race waits for Blue after one order"
