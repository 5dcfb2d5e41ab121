"""The pages of a club as members get them: a server on this computer, and visitors with cookies.

The server's time is that of the ``Club``; rounds take place when a test says so.
"""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests.drivers.club import Club, address

FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@dataclass
class Answer:
    """What the server has answered."""

    status: int
    text: str
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def hidden(self) -> dict[str, str]:
        """The hidden fields of the first form that has each."""
        found = dict[str, str]()
        for name, value in FIELD.findall(self.text):
            found.setdefault(name, unescape(value))
        return found

    @property
    def said(self) -> str:
        """What an answer page says."""
        found = re.search(r'<(?:pre|p) role="status">(.*?)</', self.text, re.DOTALL)
        return unescape(found[1]) if found else ""


@dataclass
class Visitor:
    """Somebody with a browser, which keeps the cookie ``club``."""

    address: str
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        host = urlsplit(self.address).netloc
        connection = HTTPConnection(host, timeout=60)
        sent = {"Host": host, **self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.cookie:
            sent["Cookie"] = f"club={self.cookie}"
        connection.request(method, path, body, sent)
        found: HTTPResponse = connection.getresponse()
        answer = Answer(found.status, found.read().decode("utf-8", "replace"), dict(found.headers.items()))
        connection.close()
        if (new := re.match(r"club=([^;]*)", found.headers.get("Set-Cookie", ""))) is not None:
            self.cookie = new[1].strip('"')
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, values: Mapping[str, str] | None = None, **headers: str) -> Answer:
        """Send a form, as a browser does."""
        own = {"Origin": self.address, "Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.ask("POST", path, urlencode(values or {}).encode(), **own)

    def fill(self, page: str, path: str, **values: str) -> Answer:
        """Send a form of ``page`` with its hidden fields."""
        return self.post(path, {**self.get(page).hidden, **values})

    def send(self, path: str, token: str, **values: Any) -> Answer:
        """Send JSON, as the board does."""
        own = {"Origin": self.address, "Content-Type": "application/json", "X-Token": token}
        return self.ask("POST", path, json.dumps(values).encode(), **own)

    def order(self, path: str, token: str, **values: Any) -> Answer:
        """Send orders, and send them again until the club, which may be at work, has answered them."""
        while (answer := self.send(path, token, **values)).status == 200 and answer.json["state"] == "new":
            pass
        return answer

    def token(self) -> str:
        """Return what forms of this session must have."""
        return self.get("/me").hidden["csrf"]


@dataclass
class Served:
    """A ``club`` with its pages at ``address``."""

    club: Club
    address: str

    def visitor(self) -> Visitor:
        return Visitor(self.address)

    def link(self, who: str) -> str:
        """Ask for a link, do a round, and return the path of the link in the letter to ``who``."""
        assert self.visitor().post("/login", {"address": address(who)}).status == 200
        self.club.round()
        found = re.search(r"http\S+(/login/\w+)", self.club.letter(who, "log in to …").text)
        assert found is not None
        return found[1]

    def login(self, who: str) -> Visitor:
        """Return ``who`` after they have logged in by a link."""
        visitor, link = self.visitor(), self.link(who)
        assert visitor.get(link).status == 200
        assert visitor.post(link).status == 303
        return visitor


@contextmanager
def serve_club(club: Club, **site: Any) -> Iterator[Served]:
    """Serve the pages of ``club`` while the block runs; ``site`` are other values of ``Site``."""
    pytest.importorskip("starlette", reason="pages of a club need starlette: pip install -e '.[test]'")
    from adjudicator.serve.app import Site, server_of

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = server_of(Site(club.folder, clock=lambda: club.now, **site))
        thread = Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            yield Served(club, f"http://127.0.0.1:{listening.getsockname()[1]}")
        finally:
            server.should_exit = True
            thread.join()
