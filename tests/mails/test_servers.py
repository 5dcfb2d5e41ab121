"""Servers that refuse a mail, talk nonsense, hang or end the connection: all other mails still come and go.

The clock of the sending tests is one that the test turns.
"""

from __future__ import annotations

import os
import re
import socket
import traceback
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest

from adjudicator.mail import Security, Server
from adjudicator.mail.imap import ImapFolder
from adjudicator.mail.mailbox import MailboxError, NewMail
from adjudicator.mail.smtp import Fate, Sender

NOW = 1_780_000_000
CAME = '"02-Mar-2026 18:08:41 +0100"'
SECONDS = 1772471321


class FakeImap:
    """A mail account with mails by number; ``answers`` says what it answers to a command, if not the usual.

    An answer is the lines before the last, and the last without its tag; ``None`` ends the connection, and so does any
    answer while ``ends`` is set.
    """

    def __init__(self, uids: tuple[int, ...] = (1, 2, 3)) -> None:
        self.mails = {uid: f"Subject: {uid}\r\n\r\nDRAW\r\n".encode() for uid in uids}
        self.answers: dict[str, Callable[[], tuple[bytes, bytes] | None]] = {}
        self.came: dict[int, str] = {}
        self.asked: list[str] = []
        self.password = "secret"
        self.ends = False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.thread = Thread(target=self.serve)

    @property
    def server(self) -> Server:
        port = self.listening.getsockname()[1]
        return Server(host="127.0.0.1", port=port, security=Security.NONE, user="club", password=self.password)

    def serve(self) -> None:
        while True:
            connection, _ = self.listening.accept()
            with connection, connection.makefile("rwb") as stream:
                stream.write(b"* OK hello\r\n")
                stream.flush()
                for line in stream:
                    if line == b"stop\r\n":
                        return
                    tag, _, command = line.decode().strip().partition(" ")
                    self.asked.append(command)
                    if command.startswith("AUTHENTICATE"):
                        stream.write(b"+ \r\n")
                        stream.flush()
                        self.asked.append(b64decode(stream.readline()).decode())
                    answer = self.answer(command)
                    if answer is None:
                        break
                    stream.write(answer[0] + tag.encode() + b" " + answer[1] + b" done\r\n")
                    stream.flush()
                    if self.ends:
                        break

    def answer(self, command: str) -> tuple[bytes, bytes] | None:
        for begin, special in self.answers.items():
            if command.startswith(begin):
                return special()
        if command.startswith("CAPABILITY"):
            return b"* CAPABILITY IMAP4rev1 MOVE\r\n", b"OK"
        if command.startswith("LIST"):
            return b'* LIST (\\HasNoChildren) "/" "Adjudicated"\r\n', b"OK"
        if command.startswith("SELECT"):
            return b"* 3 EXISTS\r\n", b"OK [READ-WRITE]"
        if command.startswith("UID SEARCH"):
            return b"* SEARCH " + " ".join(map(str, self.mails)).encode() + b"\r\n", b"OK"
        if command.startswith("LOGOUT"):
            return b"* BYE\r\n", b"OK"
        if command.endswith("(INTERNALDATE)"):
            came = {uid: self.came.get(uid, CAME) for uid in self.mails}
            lines = (f"* {uid} FETCH (UID {uid} INTERNALDATE {date})\r\n".encode() for uid, date in came.items())
            return b"".join(lines), b"OK"
        fetched = re.match(r"UID FETCH (\d+) ", command)
        return self.mail(int(fetched[1])) if fetched else (b"", b"OK")

    def mail(self, uid: int) -> tuple[bytes, bytes]:
        data = self.mails[uid]
        return f"* {uid} FETCH (UID {uid} BODY[]<0> {{{len(data)}}}\r\n".encode() + data + b")\r\n", b"OK"


@pytest.fixture
def account() -> Iterator[FakeImap]:
    made = FakeImap()
    with serving(made):
        yield made


@contextmanager
def serving(made: FakeImap) -> Iterator[None]:
    made.thread.start()
    yield
    with socket.create_connection(made.listening.getsockname()) as last:
        last.sendall(b"stop\r\n")
        made.thread.join()
    made.listening.close()


Answer = tuple[bytes, bytes] | None


def fetched(account: FakeImap, most: int = 10) -> tuple[list[NewMail], list[str], list[int]]:
    """Return the mails that come, which are then put away, the troubles, and the times of mails that cannot be read."""
    with ImapFolder(account.server, "INBOX", "Adjudicated", lambda: NOW) as box:
        found = []
        for one in box.fetch(most):
            found.append(one)
            box.put_away(one.key)
        return found, box.troubles, box.unread


def test_mails_are_fetched_and_moved(account: FakeImap) -> None:
    found, troubles, _ = fetched(account, most=2)
    assert [(one.key, one.received, one.data) for one in found] == [(f"{n}", SECONDS, account.mails[n]) for n in (1, 2)]
    assert troubles == []
    assert [one for one in account.asked if "MOVE" in one] == [f'UID MOVE {n} "Adjudicated"' for n in (1, 2)]


ODD = b"* 2 FETCH (UID 2 FLAGS ())\r\n"
FETCHING: dict[str, tuple[str, Answer, list[str], str, list[int]]] = {
    # What the server answers to which command; the mails that come; the trouble; times of mails that are not read.
    "it refuses a mail": ("UID FETCH 2 ", (b"", b"NO not now"), ["1", "3"], "mail 2 could not be fetched: ", [SECONDS]),
    "it does not know the command": ("UID FETCH 2 ", (b"", b"BAD what"), ["1", "3"], "mail 2 could not be f", [SECONDS]),
    "it sends something else": ("UID FETCH 2 ", (ODD, b"OK"), ["1", "3"], "mail 2 could not be fetched: ", [SECONDS]),
    "it ends the connection": ("UID FETCH 2 ", None, ["1", "3"], "mail 2 could not be fetched: ", [SECONDS]),
    "it sends garbage": ("UID FETCH 2 ", (b"garbage\r\n", b"OK"), ["1", "3"], "mail 2 could not be fetched: ", [SECONDS]),
    "it says no date": ("UID FETCH 1:3 ", (b"", b"OK"), ["1", "2", "3"], "the mail server does not say when", []),
    "the mail has gone": ("UID FETCH 2 ", (b"", b"OK"), ["1", "3"], "", []),
    "odd numbers": ("UID SEARCH", (b"* SEARCH 1 x 3 -7\r\n", b"OK"), ["1", "3"], "", []),
    "an empty mailbox": ("UID SEARCH", (b"", b"OK"), [], "", []),
    "an empty list": ("UID SEARCH", (b"* SEARCH\r\n", b"OK"), [], "", []),
    "no room in the folder": ("UID MOVE", (b"", b"NO quota"), ["1", "2", "3"], "mails could not be moved to the folder", []),
}


@pytest.mark.parametrize("case", FETCHING)
def test_the_other_mails_come_and_one_trouble_is_told(account: FakeImap, case: str) -> None:
    begin, answer, keys, trouble, unread = FETCHING[case]
    account.answers[begin] = lambda: answer
    found, troubles, times = fetched(account)
    assert ([one.key for one in found], times) == (keys, unread)
    assert bool(troubles) == bool(trouble)
    assert all(one.startswith(trouble) for one in troubles)
    logins = [command for command in account.asked if command.startswith("LOGIN")]
    assert logins[0] == 'LOGIN "club" "secret"'
    assert len(logins) <= 3


def test_a_server_that_ends_or_refuses_everything_is_left_alone_for_this_round(account: FakeImap) -> None:
    account.mails = dict.fromkeys(range(1, 100), b"x")
    for uid in account.mails:
        account.answers[f"UID FETCH {uid} "] = lambda: (b"", b"NO")
    found, troubles, _ = fetched(account, 1_000)
    assert (found, len(troubles)) == ([], 20)  # not every mail is listed
    account.asked.clear()
    for uid in account.mails:
        account.answers[f"UID FETCH {uid} "] = lambda: None
    with pytest.raises(MailboxError, match="cannot be reached"):
        fetched(account)
    assert sum("BODY" in command for command in account.asked) == 4


def test_a_bug_of_ours_is_no_answer_of_the_server(account: FakeImap) -> None:
    """Only what the network and the libraries raise is called a trouble of the server."""
    for folder, clock in ((None, lambda: NOW), ("INBOX", lambda: None)):
        box = ImapFolder(account.server, folder, "Adjudicated", clock)  # type: ignore[arg-type]
        with pytest.raises((AttributeError, TypeError)), box:
            list(box.fetch(1))


UNREADABLE = ('"yesterday"', '"01-Jan-0001 00:00:00 +2359"', '"02-Mar-0000 18:08:41 +0100"', '"02-Okt-2026 18:08:41 +0100"')
DATES = dict.fromkeys((*UNREADABLE, '"31-Dec-9999 23:59:59 -2359"', "NIL", '"\xff"', '""'), True) | {
    '"02-Mar-2099 18:08:41 +0100"': False,
}


@pytest.mark.parametrize("came", DATES)
def test_a_mail_with_an_unreadable_date_or_from_the_future_counts_as_received_now(account: FakeImap, came: str) -> None:
    account.came[2] = came
    found, troubles, _ = fetched(account)
    assert [one.received for one in found] == [SECONDS, NOW, SECONDS]
    told = ["the mail server does not say when mail 2 came: it counts as received now"]
    assert troubles == (told if DATES[came] else [])


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "SELECT", "UID SEARCH"])
@pytest.mark.parametrize(
    "answer", [None, (b"* garbage \xff {3\r\n(((\r\n", b"OK"), (b"", b"NO"), (b"\x00\xff\r\n", b"BAD \xff")]
)
def test_a_server_that_cannot_be_used_is_a_mailbox_error(account: FakeImap, command: str, answer: Answer) -> None:
    account.answers[command] = lambda: answer
    with pytest.raises(MailboxError, match=r"\Athe mail server ") as raised:
        fetched(account)
    assert "secret" not in str(raised.value)


class PrefixedImap(FakeImap):
    """An account whose folders must be below INBOX, as on Courier and Cyrus servers."""

    folders: tuple[str, ...] = ("INBOX",)

    def answer(self, command: str) -> tuple[bytes, bytes] | None:
        named = re.search(r'"([^"]*)"\Z', command)
        name = named[1] if named else ""
        if any(map(command.startswith, self.answers)):
            return super().answer(command)
        if command.startswith("CAPABILITY"):
            return b"* CAPABILITY IMAP4rev1 MOVE NAMESPACE\r\n", b"OK"
        if command == "NAMESPACE":
            return b'* NAMESPACE (("INBOX." ".")) NIL (("shared." "."))\r\n', b"OK"
        if command.startswith("LIST"):
            return f'* LIST () "." "{name}"\r\n'.encode() if name in self.folders else b"", b"OK"
        if command.startswith("CREATE"):
            if not name.startswith("INBOX."):
                return b"", b"NO [CANNOT] Permission denied"
            self.folders = (*self.folders, name)
            return b"", b"OK"
        if command.startswith("SELECT") and name.upper() not in self.folders and name not in self.folders:
            return b"", b"NO no such mailbox"
        return super().answer(command)


@pytest.mark.parametrize(
    ("folder", "done", "selected", "moved"),
    [
        ("inbox", "Adjudicated", "inbox", "INBOX.Adjudicated"),
        ("INBOX", "INBOX.Done", "INBOX", "INBOX.Done"),
        ("club", "Adjudicated", "INBOX.club", "INBOX.Adjudicated"),
        ("INBOX.club", "Done", "INBOX.club", "INBOX.Done"),
        ("shared.club", "Done", "shared.club", "INBOX.Done"),
    ],
)
def test_folders_get_the_prefix_that_the_server_wants(folder: str, done: str, selected: str, moved: str) -> None:
    account = PrefixedImap()
    account.folders = ("INBOX", "INBOX.club", "shared.club")
    with serving(account), ImapFolder(account.server, folder, done, lambda: NOW) as box:
        for one in box.fetch(1):
            box.put_away(one.key)
        assert box.troubles == []
    assert f'SELECT "{selected}"' in account.asked
    assert f'UID MOVE 1 "{moved}"' in account.asked


@pytest.mark.parametrize("names", [b"NIL NIL NIL", b'(("" "/")) NIL NIL', b"garbage \xff", b"((INBOX. ."])
def test_without_a_prefix_folders_keep_their_names(names: bytes) -> None:
    account = PrefixedImap()
    account.folders = ("INBOX", "Adjudicated")
    account.answers["NAMESPACE"] = lambda: (b"* NAMESPACE " + names + b"\r\n", b"OK")
    with serving(account):
        assert fetched(account)[1] == []
    assert 'UID MOVE 1 "Adjudicated"' in account.asked


@pytest.mark.parametrize(("command", "setting"), [("CREATE", "incoming.done"), ("SELECT", "incoming.folder")])
def test_a_folder_that_the_server_refuses_is_named(command: str, setting: str) -> None:
    account = PrefixedImap()
    account.answers[command] = lambda: (b"", b"NO [CANNOT] no")
    with serving(account), pytest.raises(MailboxError, match=f"the folder .*correct {setting} in club.toml"):
        fetched(account)


SECRETS = ("gr\u00fcn\u20ac", "\u5bc6\u7801", 'p\u00e4ss \\ word"')


@pytest.mark.parametrize("password", SECRETS)
def test_a_password_beyond_ascii_goes_as_utf_8(account: FakeImap, password: str) -> None:
    account.password = password
    account.answers["CAPABILITY"] = lambda: (b"* CAPABILITY IMAP4rev1 MOVE AUTH=PLAIN\r\n", b"OK")
    assert len(fetched(account)[0]) == 3
    assert f"\0club\0{password}" in account.asked


@pytest.mark.parametrize("password", [*SECRETS, "hunter2"])
@pytest.mark.parametrize(
    ("capability", "answer"),
    [
        ("", None),
        ("", "NO"),
        ("", "NO [AUTHENTICATIONFAILED] {0} is wrong"),
        ("", "BAD unknown command LOGIN club {0}"),
        ("", "* BYE LOGIN club {0}"),
        ("", "+ {0}"),
        ("AUTH=PLAIN", "NO {0} is wrong"),
        ("AUTH=PLAIN", "BAD {0}"),
        ("AUTH=PLAIN", None),
    ],
)
def test_no_failure_of_a_login_shows_a_letter_of_the_password(
    account: FakeImap, password: str, capability: str, answer: str | None
) -> None:
    """A server may repeat it, and the words of the server may stand in the message, its cause or its traceback."""

    def refuse() -> Answer:
        account.ends = True
        before, said = (answer or "").format(password).encode() + b"\r\n", (answer or "").format(password).encode()
        return None if answer is None else (before, b"NO") if answer.startswith("*") else (b"", said)

    account.password = password
    account.answers["CAPABILITY"] = lambda: (f"* CAPABILITY IMAP4rev1 {capability}\r\n".encode(), b"OK")
    account.answers["LOGIN"] = account.answers["AUTHENTICATE"] = refuse
    with pytest.raises(MailboxError, match=r"\Athe mail server ") as raised:
        fetched(account)
    told = "".join(traceback.format_exception(raised.value))
    assert told.isascii()
    assert password not in told


# Sending.

SERVER = Server(host="smtp.example.org", port=25, security=Security.NONE)
Said = Callable[[bytes], bytes | None]


class Network:
    """A clock, and a server that gives each command an ``answer``; ``None`` is none at all, ``b""`` ends the connection."""

    def __init__(self) -> None:
        self.now = 0.0
        self.answer: Said = lambda _command: b"250 OK"
        self.seconds_for_each_command = 0.0
        self.commands: list[bytes] = []
        self.lines: list[bytes] = []
        self.connections = 0

    def connect(self, _address: object, timeout: float, *_: Any) -> FakeSocket:
        self.connections += 1
        return FakeSocket(self, timeout)


class FakeSocket:
    """One connection to the server of a network."""

    def __init__(self, network: Network, timeout: float) -> None:
        self.network, self.timeout = network, timeout
        self.is_in_data = False
        self.written = b""
        self.waiting: bytes | None = b""
        self.take(b"connect")

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

    def makefile(self, _mode: str) -> FakeSocket:
        return self

    def readline(self, most: int) -> bytes:
        if self.waiting is None:
            self.network.now += self.timeout
            raise TimeoutError("timed out")
        line, end, self.waiting = self.waiting.partition(b"\n")
        return (line + end)[:most]

    def close(self) -> None:
        pass


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network()
    monkeypatch.setattr(socket, "create_connection", made.connect)
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)  # to read all certificates of the system for each mail takes long
    return made


@pytest.fixture
def sender(network: Network) -> Sender:
    return Sender(SERVER, lambda: network.now)


def send(sender: Sender, count: int = 1) -> list[Fate]:
    return [sender.send("club@example.org", "red@example.org", b"Subject: x\r\n\r\nDRAW\r\n").fate for _ in range(count)]


def on(command: bytes, said: bytes | None) -> Said:
    return lambda given: said if given == command else b"250 OK"


def test_mails_go_over_one_connection(network: Network, sender: Sender) -> None:
    assert send(sender, 3) == [Fate.SENT] * 3
    sender.close()
    assert (network.connections, network.commands[-1]) == (1, b"QUIT")


@pytest.mark.parametrize("command", [b"EHLO", b"MAIL", b"RCPT", b"DATA", b"text"])
def test_after_a_mail_that_hangs_no_other_is_tried(network: Network, sender: Sender, command: bytes) -> None:
    assert send(sender, 2) == [Fate.SENT] * 2
    sender.close()
    begun, network.answer = network.now, on(command, None)
    assert send(sender, 1_000) == [Fate.LATER] + [Fate.UNTRIED] * 999
    sender.close()
    assert network.now - begun == 60.0
    assert b"QUIT" not in network.commands[network.commands.index(b"QUIT") + 1 :]


@pytest.mark.parametrize("said", [None, b"554 no", b"garbage", b"", b"-1"])
def test_a_server_that_does_not_greet_is_away(network: Network, sender: Sender, said: bytes | None) -> None:
    network.answer = on(b"connect", said)
    assert send(sender, 1_000) == [Fate.LATER] * 1_000
    assert (network.now, network.connections) == (60.0 if said is None else 0.0, 1)


def test_a_slow_server_has_a_limited_time_for_all(network: Network, sender: Sender) -> None:
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


@pytest.mark.parametrize("said", [b"", b"garbage", None])
def test_a_server_may_end_the_connection_in_any_way(network: Network, sender: Sender, said: bytes | None) -> None:
    """After each mail, or at the end; an address that cannot be written costs no other mail, either."""
    network.answer = on(b"QUIT", said)
    assert send(sender) == [Fate.SENT]
    sender.close()
    assert network.now <= 60.0
    assert (send(sender), network.connections) == ([Fate.SENT], 2)
    network.answer = on(b"RSET", b"")
    assert send(sender, 2) == [Fate.SENT] * 2
    network.answer = lambda given: {b"RCPT": b"550 no", b"RSET": b""}.get(given, b"250 OK")
    assert send(sender, 2) == [Fate.REFUSED] * 2
    network.answer = lambda _command: b"250 OK"
    assert sender.send("club@example.org", "rød@example.org", b"DRAW\r\n").fate is Fate.LATER
    assert send(sender) == [Fate.SENT]


@pytest.mark.parametrize("password", ["gr\u00fcn\u20ac", "\u5bc6\u7801"])
@pytest.mark.parametrize("said", [b"235 welcome", b"535 no", b"504 what?"])
def test_a_password_goes_to_the_server_and_into_no_message(network: Network, password: str, said: bytes) -> None:
    network.answer = on(b"AUTH", said)
    server = Server(host="h", port=25, security=Security.NONE, user="club", password=password)
    words = Sender(server, lambda: network.now).problem()
    assert words.isascii()
    assert (words == "") is said.startswith(b"235")
    assert b64decode(network.lines[-1].split()[-1]).decode() == f"\0club\0{password}"
