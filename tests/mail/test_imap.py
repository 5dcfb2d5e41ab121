"""Fetching from servers that refuse a mail, talk nonsense or end the connection: the other mails still come."""

from __future__ import annotations

import re
import socket
import traceback
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from adjudicator.mail.imap import ImapFolder
from adjudicator.mail.incoming import MailboxError, NewMail
from adjudicator.mail.servers import Security, Server

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
        fetched = re.match(r"UID FETCH (\d+) ", command)
        if fetched and "BODY" not in command:
            return f"* {fetched[1]} FETCH (UID {fetched[1]} INTERNALDATE {CAME})\r\n".encode(), b"OK"
        return self.mail(int(fetched[1])) if fetched else (b"", b"OK")

    def mail(self, uid: int, came: str = CAME) -> tuple[bytes, bytes]:
        data = self.mails[uid]
        head = f"* {uid} FETCH (UID {uid} INTERNALDATE {came} BODY[]<0> {{{len(data)}}}\r\n".encode()
        return head + data + b")\r\n", b"OK"


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


def fetched(account: FakeImap, most: int = 10) -> tuple[list[NewMail], list[str]]:
    with ImapFolder(account.server, "INBOX", "Adjudicated", lambda: NOW) as box:
        found = []
        for one in box.fetch(most):
            found.append(one)
            box.put_away(one.key)
        return found, box.troubles


def keys(account: FakeImap) -> tuple[list[str], list[str]]:
    found, troubles = fetched(account)
    return [one.key for one in found], troubles


def test_mails_are_fetched_and_moved(account: FakeImap) -> None:
    found, troubles = fetched(account, most=2)
    assert [(one.key, one.received) for one in found] == [("1", SECONDS), ("2", SECONDS)]
    assert found[0].data == account.mails[1]
    assert troubles == []
    assert [command for command in account.asked if "MOVE" in command] == [
        'UID MOVE 1 "Adjudicated"',
        'UID MOVE 2 "Adjudicated"',
    ]


@pytest.mark.parametrize("answer", [b"NO not now", b"BAD what", b"OK"])
def test_a_mail_that_the_server_refuses_is_skipped_and_reported(account: FakeImap, answer: bytes) -> None:
    odd = b"* 2 FETCH (UID 2 FLAGS ())\r\n" if answer == b"OK" else b""
    account.answers["UID FETCH 2 "] = lambda: (odd, answer)
    found, troubles = keys(account)
    assert found == ["1", "3"]
    assert len(troubles) == 1
    assert troubles[0].startswith("mail 2 could not be fetched: ")
    assert [command for command in account.asked if command.startswith("LOGIN")] == ['LOGIN "club" "secret"']


@pytest.mark.parametrize("answer", [None, (b"", b"NO not now"), (b"* 2 FETCH (UID 2 FLAGS ())\r\n", b"OK")])
def test_the_arrival_of_a_mail_that_cannot_be_fetched_is_known(
    account: FakeImap, answer: tuple[bytes, bytes] | None
) -> None:
    account.answers["UID FETCH 2 (INTERNALDATE BODY"] = lambda: answer
    with ImapFolder(account.server, "INBOX", "Adjudicated", lambda: NOW) as box:
        assert [one.key for one in box.fetch(10)] == ["1", "3"]
        assert box.unread == [SECONDS]


@pytest.mark.parametrize("answer", [None, (b"", b"NO not now"), (b"* 2 FETCH (UID 2 FLAGS ())\r\n", b"OK")])
def test_a_mail_of_which_the_server_says_nothing_is_skipped(account: FakeImap, answer: tuple[bytes, bytes] | None) -> None:
    account.answers["UID FETCH 2 "] = lambda: answer
    with ImapFolder(account.server, "INBOX", "Adjudicated", lambda: NOW) as box:
        assert [one.key for one in box.fetch(10)] == ["1", "3"]
        assert box.unread == []


@pytest.mark.parametrize("answer", [None, (b"garbage\r\n", b"OK")])
def test_a_mail_that_breaks_the_connection_is_skipped_and_reported(
    account: FakeImap, answer: tuple[bytes, bytes] | None
) -> None:
    account.answers["UID FETCH 2 (INTERNALDATE BODY"] = lambda: answer
    found, troubles = keys(account)
    assert found == ["1", "3"]
    assert len(troubles) == 1
    assert sum(command.startswith("LOGIN") for command in account.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        (b"", b'NO LOGIN "club" "secret" failed'),
        (b"", b'BAD LOGIN "club" "secret": what?'),
        (b'LOGIN "club" "secret"\r\n', b"OK"),
        (b"", b"+ secret"),
        (b'* BYE LOGIN "club" "secret"\r\n', b"NO"),
    ],
)
def test_a_login_that_fails_prints_no_words_of_the_server(account: FakeImap, answer: tuple[bytes, bytes]) -> None:
    def refuse() -> tuple[bytes, bytes]:
        account.ends = True
        return answer

    account.answers["LOGIN"] = refuse
    with pytest.raises(MailboxError, match="the login of club: check `user` and the password") as failed:
        fetched(account)
    assert "secret" not in "".join(traceback.format_exception(failed.value))
    assert "secret" not in str(failed.value)


def test_a_server_that_ends_every_connection_is_left_alone_for_this_round(account: FakeImap) -> None:
    account.mails = dict.fromkeys(range(1, 100), b"x")
    account.answers["UID FETCH "] = lambda: None
    with pytest.raises(MailboxError, match="cannot be reached"):
        fetched(account)
    assert sum(command.startswith("UID FETCH") for command in account.asked) == 4


def test_a_mail_that_has_gone_is_no_trouble(account: FakeImap) -> None:
    account.answers["UID FETCH 2 "] = lambda: (b"", b"OK")
    assert keys(account) == (["1", "3"], [])


@pytest.mark.parametrize(
    "listed", [b"* SEARCH 1 x 3 -7 99999999999999999999 \xff 1.5\r\n", b"* SEARCH 1\r\n* SEARCH what? 3\r\n"]
)
def test_garbage_in_the_list_of_mails_is_passed_over_and_reported(account: FakeImap, listed: bytes) -> None:
    account.answers["UID SEARCH"] = lambda: (listed, b"OK")
    assert keys(account) == (["1", "3"], ["the mail server lists mails in a way that cannot be read"])


def test_an_empty_mailbox_has_no_mails(account: FakeImap) -> None:
    for listed in (b"", b"* SEARCH\r\n"):
        account.answers["UID SEARCH"] = lambda listed=listed: (listed, b"OK")
        assert keys(account) == ([], [])


@pytest.mark.parametrize(
    "came",
    [
        '"yesterday"',
        '"32-Mar-2026 18:08:41 +0100"',
        '"01-Jan-0001 00:00:00 +2359"',
        "NIL",
        '"\xff"',
        '"02-Mar-2026 18:08:41"',
        '""',
    ],
)
def test_a_mail_with_an_unreadable_date_counts_as_received_now(account: FakeImap, came: str) -> None:
    account.answers["UID FETCH 2 "] = lambda: account.mail(2, came)
    found, troubles = fetched(account)
    assert [one.received for one in found] == [SECONDS, NOW, SECONDS]
    assert troubles == ["the mail server does not say when mail 2 came: it counts as received now"]


@pytest.mark.parametrize("came", ['"02-Mar-2099 18:08:41 +0100"', '"31-Dec-9999 23:59:59 -2359"'])
def test_no_mail_was_received_in_the_future(account: FakeImap, came: str) -> None:
    account.answers["UID FETCH 2 "] = lambda: account.mail(2, came)
    assert [one.received for one in fetched(account)[0]] == [SECONDS, NOW, SECONDS]


def test_mails_that_cannot_be_moved_are_fetched_all_the_same(account: FakeImap) -> None:
    account.answers["UID MOVE"] = lambda: (b"", b"NO quota")
    found, troubles = keys(account)
    assert found == ["1", "2", "3"]
    assert len(troubles) == 1
    assert troubles[0].startswith("mails could not be moved to the folder Adjudicated: the mail server refuses")


def test_not_every_mail_that_is_refused_is_listed(account: FakeImap) -> None:
    account.mails = dict.fromkeys(range(1, 100), b"x")
    account.answers["UID FETCH "] = lambda: (b"", b"NO")
    with ImapFolder(account.server, "INBOX", "Adjudicated") as box:
        assert list(box.fetch(1_000)) == []
        assert len(box.troubles) == 20


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "SELECT", "UID SEARCH"])
@pytest.mark.parametrize(
    "answer", [None, (b"* garbage \xff {3\r\n(((\r\n", b"OK"), (b"", b"NO"), (b"\x00\xff\r\n", b"BAD \xff")]
)
def test_a_server_that_cannot_be_used_is_a_mailbox_error(
    account: FakeImap, command: str, answer: tuple[bytes, bytes] | None
) -> None:
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
        assert keys(account) == (["1", "2", "3"], [])
    assert 'UID MOVE 1 "Adjudicated"' in account.asked


@pytest.mark.parametrize(("command", "setting"), [("CREATE", "incoming.done"), ("SELECT", "incoming.folder")])
def test_a_folder_that_the_server_refuses_is_named_and_not_the_password(command: str, setting: str) -> None:
    account = PrefixedImap()
    account.answers[command] = lambda: (b"", b"NO [CANNOT] no")
    with serving(account), pytest.raises(MailboxError, match=f"the folder .*correct {setting} in club.toml"):
        fetched(account)


SECRETS = ("gr\u00fcn\u20ac", "\u5bc6\u7801", 'p\u00e4ss \\ word"')


@pytest.mark.parametrize("password", SECRETS)
def test_a_password_beyond_ascii_goes_as_utf_8(account: FakeImap, password: str) -> None:
    account.password = password
    account.answers["CAPABILITY"] = lambda: (b"* CAPABILITY IMAP4rev1 MOVE AUTH=PLAIN\r\n", b"OK")
    assert keys(account) == (["1", "2", "3"], [])
    assert f"\0club\0{password}" in account.asked


@pytest.mark.parametrize("password", [*SECRETS, "hunter2"])
@pytest.mark.parametrize(
    ("capability", "answer"),
    [
        ("", None),
        ("", "NO"),
        ("", "NO [AUTHENTICATIONFAILED] {0} is wrong"),
        ("", "BAD unknown command LOGIN club {0}"),
        ("AUTH=PLAIN", "NO {0} is wrong"),
        ("AUTH=PLAIN", "BAD {0}"),
        ("AUTH=PLAIN", None),
    ],
)
def test_no_failure_shows_a_letter_of_the_password(
    account: FakeImap, password: str, capability: str, answer: str | None
) -> None:
    account.password = password
    account.answers["CAPABILITY"] = lambda: (f"* CAPABILITY IMAP4rev1 {capability}\r\n".encode(), b"OK")
    said = None if answer is None else (b"", answer.format(password).encode())
    account.answers["LOGIN"] = account.answers["AUTHENTICATE"] = lambda: said
    with pytest.raises(MailboxError, match=r"\Athe mail server ") as raised:
        fetched(account)
    assert "".join(traceback.format_exception(raised.value)).isascii()
    assert password not in "".join(traceback.format_exception(raised.value))
