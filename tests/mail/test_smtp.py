"""Sending to servers that hang, drip, talk nonsense or end the connection: all by a clock that the test turns."""

from __future__ import annotations

import socket
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.mail.servers import Security, Server
from adjudicator.mail.smtp import Fate, Sender

SERVER = Server(host="smtp.example.org", port=25, security=Security.NONE)
Answer = Callable[[bytes], bytes | None]


class Network:
    """A clock, and a server that gives each command an ``answer``; ``None`` is none at all, ``b""`` ends the connection."""

    def __init__(self) -> None:
        self.now = 0.0
        self.answer: Answer = lambda _command: b"250 OK"
        self.seconds_for_each_byte = 0.0
        self.seconds_for_each_command = 0.0
        self.commands: list[bytes] = []
        self.lines: list[bytes] = []
        self.connections = 0

    def connect(self, *_: Any, **__: Any) -> FakeSocket:
        self.connections += 1
        return FakeSocket(self)


class FakeSocket:
    """One connection to the server of a network."""

    def __init__(self, network: Network) -> None:
        self.network, self.timeout = network, 0.0
        self.is_in_data = False
        self.written = b""
        self.waiting: bytes | None = b""
        self.take(b"connect")

    def settimeout(self, timeout: float) -> None:
        assert timeout > 0
        self.timeout = timeout

    def take(self, command: bytes) -> None:
        self.network.now += self.network.seconds_for_each_command
        self.network.commands.append(command)
        usual = {b"connect": b"220 hello", b"DATA": b"354 go on", b"QUIT": b"221 bye"}.get(command)
        said = self.network.answer(command)
        said = usual if usual and said == b"250 OK" else said
        self.is_in_data = command == b"DATA" and said == b"354 go on"
        self.waiting = said + b"\r\n" if said else said

    def sendall(self, data: bytes) -> None:
        self.written += data
        if self.is_in_data:
            if self.written.endswith(b"\r\n.\r\n"):
                self.take(b"text")
                self.written = b""
        elif self.written.endswith(b"\r\n"):
            self.network.lines.append(self.written)
            self.take(self.written.split()[0].upper())
            self.written = b""

    def recv_into(self, buffer: Any) -> int:
        if self.waiting is None or self.network.seconds_for_each_byte > self.timeout:
            self.network.now += self.timeout
            raise TimeoutError("timed out")
        some = 1 if self.network.seconds_for_each_byte else len(buffer)
        self.network.now += self.network.seconds_for_each_byte
        part, self.waiting = self.waiting[:some], self.waiting[some:]
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        pass


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network()
    monkeypatch.setattr(socket, "create_connection", made.connect)
    return made


@pytest.fixture
def sender(network: Network) -> Sender:
    return Sender(SERVER, lambda: network.now)


def send(sender: Sender, count: int = 1) -> list[Fate]:
    return [sender.send("club@example.org", "red@example.org", b"Subject: x\r\n\r\nDRAW\r\n").fate for _ in range(count)]


def on(command: bytes, said: bytes | None) -> Answer:
    return lambda given: said if given == command else b"250 OK"


def test_mails_go_over_one_connection(network: Network, sender: Sender) -> None:
    assert send(sender, 3) == [Fate.SENT] * 3
    sender.close()
    assert network.connections == 1
    assert network.commands[-1] == b"QUIT"


@pytest.mark.parametrize("command", [b"EHLO", b"MAIL", b"RCPT", b"DATA", b"text"])
def test_after_a_mail_that_hangs_no_other_is_tried(network: Network, sender: Sender, command: bytes) -> None:
    assert send(sender, 2) == [Fate.SENT] * 2
    sender.close()
    begun, network.answer = network.now, on(command, None)
    assert send(sender, 1_000) == [Fate.LATER] + [Fate.UNTRIED] * 999
    sender.close()
    assert network.now - begun == 60.0
    assert b"QUIT" not in network.commands[network.commands.index(b"QUIT") + 1 :]


def test_a_server_that_hangs_before_it_greets_is_away(network: Network, sender: Sender) -> None:
    network.answer = on(b"connect", None)
    assert send(sender, 1_000) == [Fate.LATER] * 1_000
    assert (network.now, network.connections) == (60.0, 1)


def test_a_server_that_drips_has_no_more_time_than_one_that_hangs(network: Network, sender: Sender) -> None:
    assert send(sender) == [Fate.SENT]
    begun, network.seconds_for_each_byte = network.now, 7.0
    assert send(sender, 10) == [Fate.LATER] + [Fate.UNTRIED] * 9
    assert network.now - begun == 60.0


def test_a_slow_server_has_a_limited_time_for_all_mails(network: Network, sender: Sender) -> None:
    network.seconds_for_each_command = 5.0
    fates = send(sender, 1_000)
    sender.close()
    tried = fates.index(Fate.UNTRIED)
    assert 5 <= tried <= 10
    assert network.commands[-1] == b"QUIT"
    assert fates == [Fate.SENT] * tried + [Fate.UNTRIED] * (1_000 - tried)
    assert network.now < 200.0
    assert "took" in sender.send("a@b", "c@d", b"").said


@pytest.mark.parametrize(
    "said", [b"garbage", b"", b"\xff\xfe", b"25", b"-1 x", b"999 x", b"x" * 100_000, b"  0", b"299 yes"]
)
@pytest.mark.parametrize("command", [b"MAIL", b"RCPT", b"DATA", b"text"])
def test_an_answer_that_cannot_be_read_means_later(network: Network, sender: Sender, command: bytes, said: bytes) -> None:
    network.answer = on(command, said)
    handed = sender.send("club@example.org", "red@example.org", b"DRAW\r\n")
    assert handed.fate is Fate.LATER
    assert handed.said
    network.answer = lambda _command: b"250 OK"
    assert send(sender) == [Fate.SENT]
    assert network.connections == 2


@pytest.mark.parametrize("command", [b"RCPT", b"DATA", b"text"])
def test_only_a_clear_answer_about_the_mail_refuses_it(network: Network, sender: Sender, command: bytes) -> None:
    for said, fate in ((b"550 no such user", Fate.REFUSED), (b"451 greylisted", Fate.LATER), (b"421 closing", Fate.LATER)):
        network.answer = on(command, said)
        assert send(sender, 2) == [fate] * 2
    network.answer = lambda _command: b"250 OK"
    assert send(sender) == [Fate.SENT]


@pytest.mark.parametrize(("command", "said"), [(b"MAIL", b"530 log in first"), (b"EHLO", b"550 who are you")])
def test_an_answer_about_the_club_refuses_no_mail(network: Network, sender: Sender, command: bytes, said: bytes) -> None:
    network.answer = lambda given: said if given in (command, b"HELO" if command == b"EHLO" else command) else b"250 OK"
    handed = sender.send("club@example.org", "red@example.org", b"DRAW\r\n")
    assert (handed.fate, handed.said) == (Fate.LATER, f"the server answers {said.decode()}")


@pytest.mark.parametrize("said", [b"554 no", b"garbage", b"", b"-1"])
def test_a_server_that_does_not_greet_is_away(network: Network, sender: Sender, said: bytes) -> None:
    network.answer = on(b"connect", said)
    assert send(sender, 3) == [Fate.LATER] * 3
    assert network.connections == 1


def test_a_server_that_ends_the_connection_after_each_mail_gets_all_of_them(network: Network, sender: Sender) -> None:
    network.answer = on(b"RSET", b"")
    assert send(sender, 2) == [Fate.SENT] * 2
    network.answer = lambda given: {b"RCPT": b"550 no", b"RSET": b""}.get(given, b"250 OK")
    assert send(sender, 2) == [Fate.REFUSED] * 2
    network.answer = lambda _command: b"250 OK"
    assert send(sender) == [Fate.SENT]


def test_an_address_that_cannot_be_written_is_told_and_costs_no_other_mail(network: Network, sender: Sender) -> None:
    assert sender.send("club@example.org", "rød@example.org", b"DRAW\r\n").fate is Fate.LATER
    assert send(sender) == [Fate.SENT]


@pytest.mark.parametrize("said", [b"", b"garbage", None])
def test_a_server_may_end_the_connection_in_any_way(network: Network, sender: Sender, said: bytes | None) -> None:
    network.answer = on(b"QUIT", said)
    assert send(sender) == [Fate.SENT]
    sender.close()
    assert network.now <= 60.0
    assert send(sender) == [Fate.SENT]
    assert network.connections == 2


@pytest.mark.parametrize("password", ["gr\u00fcn\u20ac", "\u5bc6\u7801"])
@pytest.mark.parametrize("said", [b"235 welcome", b"535 no", b"504 what?"])
def test_a_password_beyond_ascii_goes_as_utf_8_and_into_no_message(network: Network, password: str, said: bytes) -> None:
    network.answer = on(b"AUTH", said)
    server = Server(host="h", port=25, security=Security.NONE, user="club", password=password)
    sender = Sender(server, lambda: network.now)
    words = sender.problem()
    assert words.isascii()
    assert (words == "") is said.startswith(b"235")
    assert b64decode(network.lines[-1].split()[-1]).decode() == f"\0club\0{password}"
