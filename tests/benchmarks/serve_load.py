"""Measures the pages of a club: `python -m tests.benchmarks.serve_load [REQUESTS [GAMES [PLAYERS]]]`, in milliseconds.

Players who all ask at once, over connections that stay open, send orders, look at boards and read their pages; the rounds
of the club go on meanwhile. Every answer must be the right one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import adjudicator as adj
from adjudicator.club.club import open_club
from adjudicator.club.folder import begin_club
from adjudicator.club.seats import add_game
from adjudicator.club.settings import change_club

FORM, JSON = "application/x-www-form-urlencoded", "application/json"


KINDS = ("orders", "look", "check", "state", "page")


class Player:
    """A browser of a player, with the seats that they have."""

    def __init__(self, port: int, number: int) -> None:
        self.port, self.number, self.address, self.seats = (
            port,
            number,
            f"player{number}@example.org",
            list[tuple[str, str]](),
        )
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookie, self.token = "", ""

    def ask(
        self, method: str, path: str, body: str = "", kind: str = "application/x-www-form-urlencoded"
    ) -> tuple[int, str]:
        head = {"Cookie": f"club={self.cookie}", "Content-Type": kind, "X-Token": self.token}
        self.connection.request(method, path, body.encode(), head)
        found = self.connection.getresponse()
        if cookie := re.match("club=([^;]*)", found.headers.get("Set-Cookie", "")):
            self.cookie = cookie[1]
        return found.status, found.read().decode()

    def log_in(self, outgoing: Path) -> None:
        assert self.ask("POST", "/login", urlencode({"address": self.address}))[0] == 200
        for _ in range(600):
            for path in outgoing.glob("*.eml"):
                text = path.read_text()
                if (link := re.search(r"http://\S+(/login/\w+)", text)) and f"To: {self.address}" in text:
                    assert self.ask("POST", link[1])[0] == 303
                    token = re.search('name="csrf" value="([^"]+)"', self.ask("GET", "/me")[1])
                    assert token is not None
                    self.token = token[1]
                    return
            time.sleep(0.1)
        raise AssertionError(f"no link came for {self.address}")

    def play(self, count: int, times: dict[str, list[float]], wrong: list[str]) -> None:
        for number in range(count):
            game, seat = self.seats[number % len(self.seats)]
            base, what = f"/g/{game}/{seat}", KINDS[(number + self.number) % len(KINDS)]
            asked: dict[str, Any] = {
                "orders": {"text": "GEAR 1", "key": f"load-{seat}-{number}"},
                "look": {"name": "look", "values": {"viewer": seat}},
                "check": {"name": "check", "values": {"viewer": seat, "text": "GEAR 1\nGAER 2"}},
            }
            begun = time.perf_counter()
            if what in asked:
                path = f"{base}/{'orders' if what == 'orders' else 'ask'}"
                status, text = self.ask("POST", path, json.dumps(asked[what]), JSON)
            else:
                status, text = self.ask("GET", f"{base}/state" if what == "state" else "/me")
            times.setdefault(what, []).append(time.perf_counter() - begun)
            said = {"orders": '"receipt"', "look": '"legal"', "check": "GAER", "state": '"position"', "page": game}[what]
            if status == 409:  # a turn is just being told
                times.setdefault("not yet", []).append(time.perf_counter() - begun)
            elif status != 200 or said not in text:
                wrong.append(f"{what}: {status} {text[:200]}")


def main(requests: str = "10000", games: str = "100", players: str = "20") -> None:
    """Print the median and the 95th percentile of each kind of request."""
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "thursday")
        begin_club(folder, name="T", address="club@example.org", moderator="gm@example.org", zone="UTC")
        change_club(folder / "club.toml", {"pictures": "none"})
        seats = list[tuple[int, str, str]]()
        with open_club(folder, int(time.time())) as club, club.locked():
            for number in range(int(games)):
                red, blue = number % int(players), (number + 1 + number // int(players)) % int(players)
                blue = blue if blue != red else (red + 1) % int(players)
                game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id=f"race{number}")
                path = Path(top, "new.json")
                path.write_bytes(game.to_bytes())
                add_game(club, path, {"red": f"player{red}@example.org", "blue": f"player{blue}@example.org"}, len)
                seats += [(red, game.id, "red"), (blue, game.id, "blue")]
        subprocess.run(
            [sys.executable, "-m", "adjudicator", "club", "run", folder, "--once"], check=True, stdout=subprocess.DEVNULL
        )
        command = [sys.executable, "-m", "adjudicator", "club", "serve", folder, "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
            Thread(target=server.stdout.read, daemon=True).start()
            try:
                measure(port, folder, seats, int(requests), int(players))
            finally:
                server.terminate()
                before = os.times()
                server.wait()
                used = os.times().children_user + os.times().children_system - before.children_user - before.children_system
                print(f"the server: {used * 1000 / int(requests):.1f} ms of processor time a request, logins included")  # noqa: T201


def measure(port: int, folder: Path, seats: list[tuple[int, str, str]], requests: int, players: int) -> None:
    everybody = [Player(port, number) for number in range(players)]
    for number, game, seat in seats:
        everybody[number].seats.append((game, seat))
    for one in everybody:
        one.log_in(folder / "outgoing")
    times, wrong = dict[str, list[float]](), list[str]()
    threads = [Thread(target=one.play, args=(requests // players, times, wrong)) for one in everybody]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begun
    for what, found in times.items():
        late = quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
        print(f"{what}: {len(found)}, median {median(found) * 1000:.0f} ms, 95 % {late * 1000:.0f} ms")  # noqa: T201
    print(f"{requests / took:.0f} requests a second for {took:.0f} s, {len(wrong)} errors", *wrong[:5], sep="\n")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
