"""Mail servers that answer anything: a round of a club ends, no mail is lost, and only a clear answer refuses a letter."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from tests.drivers.attacks import Attack, mutated_bytes, sizes
from tests.drivers.club import HOUR, Club

ODD = (
    *(
        b"",
        b"* ",
        b"* BYE\r\n",
        b"* SEARCH 1 x 99999999999 -1 \xff\r\n",
        b"* 1 FETCH ()\r\n",
        b"* LIST\r\n",
        b"* 9 EXISTS\r\n",
    ),
    *(b"* 1 FETCH (BODY[]<0> {9}\r\nx", b"+ \r\n", b"\x00\xff\r\n", b"(" * 9_000 + b"\r\n", b"* CAPABILITY\r\n"),
)
LAST = (b"OK", b"NO", b"BAD", b"OK [TRYCREATE]", b"PREAUTH", b"", b"\xff")
CODES = (b"220", b"250", b"354", b"421", b"450", b"451", b"500", b"550", b"554", b"199", b"600", b"25", b"x", b"-1")


class Server:
    """A server of one protocol whose answers are spoilt by ``luck`` while ``rages``; after a spoilt one it hangs up."""

    share = 0.06

    def __init__(self, luck: Random, count: Callable[[str], None]) -> None:
        self.luck, self.count, self.rages = luck, count, True
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = Thread(target=self.serve, daemon=True)
        thread.start()
        yield
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        thread.join()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            with suppress(OSError), connection, connection.makefile("rwb") as stream:
                self.talk(stream)

    def is_spoilt(self) -> bool:
        found = self.rages and self.luck.random() < self.share
        if found:
            self.count(f"bad answers of {type(self).__name__}")
        return found

    def talk(self, stream: object) -> None:
        raise NotImplementedError


class Imap(Server):
    """An account with ``mails`` by number; those that were put away are ``moved``."""

    def __init__(self, luck: Random, count: Callable[[str], None]) -> None:
        super().__init__(luck, count)
        self.mails, self.moved, self.fetched, self.wrong = dict[int, bytes](), set[int](), set[int](), set[int]()

    def talk(self, stream: object) -> None:
        stream.write(b"* OK hello\r\n")  # type: ignore[attr-defined]
        stream.flush()  # type: ignore[attr-defined]
        for line in stream:  # type: ignore[attr-defined]
            tag, _, command = line.decode("latin-1").strip().partition(" ")
            if command.startswith("AUTHENTICATE"):
                stream.write(b"+ \r\n")  # type: ignore[attr-defined]
                stream.flush()  # type: ignore[attr-defined]
                stream.readline()  # type: ignore[attr-defined]
            is_spoilt, (lines, last) = self.is_spoilt(), self.answer(command)
            if is_spoilt:
                match self.luck.randrange(4):
                    case 0:
                        return
                    case 1:
                        lines, last = self.luck.choice(ODD), self.luck.choice(LAST)
                    case 2:
                        lines, last = mutated_bytes(self.luck, lines, 3), self.luck.choice(LAST)
                    case _:
                        last = mutated_bytes(self.luck, last, 2)
            stream.write(lines + tag.encode() + b" " + last + b" done\r\n")  # type: ignore[attr-defined]
            stream.flush()  # type: ignore[attr-defined]
            if is_spoilt or command.startswith("LOGOUT"):
                return

    def answer(self, command: str) -> tuple[bytes, bytes]:
        there = sorted(self.mails.keys() - self.moved)
        if command.startswith("CAPABILITY"):
            return b"* CAPABILITY IMAP4rev1 MOVE\r\n", b"OK"
        if command.startswith("LIST"):
            return b'* LIST (\\HasNoChildren) "/" "Adjudicated"\r\n', b"OK"
        if command.startswith("SELECT"):
            return f"* {len(there)} EXISTS\r\n".encode(), b"OK [READ-WRITE]"
        if command.startswith("UID SEARCH"):
            return b"* SEARCH " + " ".join(map(str, there)).encode() + b"\r\n", b"OK"
        if command.startswith("LOGOUT"):
            return b"* BYE\r\n", b"OK"
        if moved := re.match(r"UID MOVE (\S+) ", command):
            numbers = {int(one) for one in moved[1].split(",")}
            self.wrong |= numbers - self.fetched
            self.moved |= numbers
            return b"", b"OK"
        if "(INTERNALDATE)" in command:
            lines = (f'* {uid} FETCH (UID {uid} INTERNALDATE "02-Mar-2026 12:00:00 +0000")\r\n' for uid in there)
            return "".join(lines).encode(), b"OK"
        fetched = re.match(r"UID FETCH (\d+) ", command)
        if not fetched or int(fetched[1]) not in self.mails:
            return b"", b"OK"
        data = self.mails[int(fetched[1])]
        self.fetched.add(int(fetched[1]))
        return f"* {fetched[1]} FETCH (UID {fetched[1]} BODY[]<0> {{{len(data)}}}\r\n".encode() + data + b")\r\n", b"OK"


class Smtp(Server):
    """A server that takes mails: ``taken`` are those to which it has agreed, ``said`` how its spoilt answers began."""

    share = 0.12

    def __init__(self, luck: Random, count: Callable[[str], None]) -> None:
        super().__init__(luck, count)
        self.taken, self.said = list[bytes](), Counter[bytes]()

    def talk(self, stream: object) -> None:
        self.say(stream, b"220 hello")
        for line in stream:  # type: ignore[attr-defined]
            command = line.strip().upper()
            if command.startswith(b"DATA"):
                if not self.say(stream, b"354 go on"):
                    return
                data = b""
                for more in stream:  # type: ignore[attr-defined]
                    if more == b".\r\n":
                        break
                    data += more
                if not self.say(stream, b"250 taken"):
                    return
                self.taken.append(data)
            elif not self.say(stream, b"221 bye" if command.startswith(b"QUIT") else b"250 fine"):
                return

    def say(self, stream: object, usual: bytes) -> bool:
        """Answer; return whether it was the usual answer: after another one the server hangs up."""
        answer = usual
        if self.is_spoilt():
            words = self.luck.choice((b" no", b"-go on\r\n250 OK", b"", b"\xff" * 50, b" " + b"x" * 9_000))
            answer = self.luck.choice((b"", self.luck.choice(CODES) + words, mutated_bytes(self.luck, usual)))
            self.said[answer[:1]] += 1
        stream.write(answer + b"\r\n" if answer else b"")  # type: ignore[attr-defined]
        stream.flush()  # type: ignore[attr-defined]
        return answer == usual


@pytest.mark.parametrize("whole", sizes(4, 5_000))
def test_no_answer_of_a_server_fails_a_round_or_loses_anything(
    attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    monkeypatch.setenv("CLUB_PASSWORD", "secret")
    club = Club(tmp_path)
    club.club("init", "--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")
    club.club("set", "pictures=none")
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    imap, smtp = Imap(attack.luck, attack.count), Smtp(attack.luck, attack.count)
    server = f'host = "127.0.0.1"\nport = {imap.port}\nsecurity = "none"\nuser = "club"\nfolder = "INBOX"'
    club.change(
        "club.toml", 'kind = "maildir"\nfolder = "inbox"', f'kind = "imap"\n{server}\npassword.env = "CLUB_PASSWORD"'
    )
    text = (club.folder / "club.toml").read_text()
    out = re.sub(r'kind = "folder" .*', f'kind = "smtp"\nhost = "127.0.0.1"\nport = {smtp.port}\nsecurity = "none"', text)
    assert out != text
    (club.folder / "club.toml").write_text(out)
    kept = list[bytes]()
    monkeypatch.setattr(club, "deliver", kept.append)
    with imap.running(), smtp.running():
        for number in range(attack.times(whole)):
            imap.luck = smtp.luck = attack.next_round()
            for seat in ("red", "blue"):
                club.mail(seat, f"STATUS\n# {number}", game="race", Message_ID=f"<{number}-{seat}@x>")
                imap.mails[len(imap.mails) + 1] = kept.pop()
            club.now += HOUR
            for _ in range(3):
                assert club.club("run", "--once", code=None).exit_code in (0, 1), attack.told
        imap.rages = smtp.rages = False
        for _ in range(4):
            club.now += 12 * HOUR
            club.club("run", "--once", code=None)
    assert imap.moved == imap.mails.keys(), "every mail is read and put away"
    assert not imap.wrong, "only a mail that was fetched is put away"
    answered = {match for data in smtp.taken for match in re.findall(rb"In-Reply-To:\s+<(\d+-\w+)@x>", data)}
    missing = {f"{number}-{seat}".encode() for number in range(attack.times(whole)) for seat in ("red", "blue")} - answered
    assert not missing or smtp.said[b"5"], (attack.told, missing)
    names = Counter(re.search(rb"Message-ID: (\S+)", data)[1] for data in smtp.taken)  # type: ignore[index]
    for name, times in names.items():  # after an unclear answer a letter goes out again, unchanged
        assert times == 1 or len({data for data in smtp.taken if name in data}) == 1, (attack.told, name)
    attack.count("letters", len(names))
