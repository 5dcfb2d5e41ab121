"""Mail servers that answer anything: fetching and sending end in time, and only a clear answer refuses a mail."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from attack import Attack, mutated_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "mail"))

from test_imap import NOW, FakeImap
from test_smtp import SERVER, Network

from adjudicator.mail.imap import ImapFolder
from adjudicator.mail.incoming import MailboxError
from adjudicator.mail.smtp import Fate, Sender

ODD = (
    *(
        b"",
        b"* ",
        b"* BYE\r\n",
        b"* SEARCH 1 x 99999999999 -1 \xff\r\n",
        b"* 1 FETCH ()\r\n",
        b"* 1 FETCH (BODY[]<0> {9}\r\nx",
    ),
    *(b"* LIST\r\n", b"* 9 EXISTS\r\n", b"+ \r\n", b"\x00\xff\r\n", b"(" * 9_000 + b"\r\n", b"* CAPABILITY\r\n"),
)
LAST = (b"OK", b"NO", b"BAD", b"OK [TRYCREATE]", b"PREAUTH", b"", b"\xff")
CODES = (b"220", b"250", b"354", b"421", b"450", b"451", b"500", b"550", b"554", b"199", b"600", b"25", b"x", b"-1")


class HostileImap(FakeImap):
    """An account whose server answers wrongly by the luck of an attack; after an answer that may have no end it hangs up."""

    attack: Attack

    def answer(self, command: str) -> tuple[bytes, bytes] | None:
        usual, luck = super().answer(command), self.attack.luck
        self.ends = luck.random() < 0.06
        if not self.ends or usual is None:
            return usual
        self.attack.count("bad answers to IMAP")
        match luck.randrange(4):
            case 0:
                return None
            case 1:
                return luck.choice(ODD), luck.choice(LAST)
            case 2:
                return mutated_bytes(luck, usual[0], 3), luck.choice(LAST)
            case _:
                return usual[0], mutated_bytes(luck, usual[1], 2)


@pytest.fixture
def account(attack: Attack) -> Iterator[HostileImap]:
    made = HostileImap((1, 2, 3, 4, 5))
    made.attack = attack
    made.thread.start()
    yield made
    with socket.create_connection(made.listening.getsockname()) as last:
        last.sendall(b"stop\r\n")
        made.thread.join()
    made.listening.close()


@pytest.mark.parametrize("whole", [5, pytest.param(20_000, marks=pytest.mark.soak)])
def test_no_answer_to_imap_fails_or_loses_a_mail(attack: Attack, account: HostileImap, whole: int) -> None:
    """The program raises only the error that a club expects, and moves only mails that it has fetched."""
    for _ in range(attack.times(whole)):
        attack.next_round()
        account.asked.clear()
        fetched: list[str] = []
        with suppress(MailboxError), ImapFolder(account.server, "INBOX", "Adjudicated", lambda: NOW) as box:
            for mail in box.fetch(10):
                assert 0 < mail.received <= NOW, attack.told
                fetched.append(mail.key)
                box.put_away(mail.key)
        moved = re.findall(r"UID (?:MOVE|COPY|STORE) (\S+) ", "\n".join(account.asked))
        assert set(moved) <= set(fetched), attack.told
        attack.count("servers")
        attack.count("mails fetched", len(fetched))


def anything(attack: Attack, said: list[bytes]) -> Callable[[bytes], bytes | None]:
    """Return what answers a command, often wrongly or not at all; wrong answers are added to ``said``."""
    luck = attack.luck

    def answer(_command: bytes) -> bytes | None:
        if luck.random() < 0.94:
            return b"250 OK"
        attack.count("bad answers to SMTP")
        words = luck.choice((b" no", b"-go on\r\n250 OK", b"", b"\xff" * 50, b" " + b"x" * 9_000))
        found = luck.choice((None, b"", luck.choice(CODES) + words, mutated_bytes(luck, b"250 OK")))
        said.append(found or b"")
        return found

    return answer


@pytest.mark.parametrize("whole", [5, pytest.param(20_000, marks=pytest.mark.soak)])
def test_no_answer_to_smtp_fails_hangs_or_refuses_a_mail(
    attack: Attack, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    """Only a clear answer about a mail refuses it, and all mails together have a limited time."""
    network, said = Network(), list[bytes]()
    monkeypatch.setattr(socket, "create_connection", network.connect)
    for _ in range(attack.times(whole)):
        luck, begun = attack.next_round(), network.now
        network.answer = anything(attack, said)
        network.seconds_for_each_command = luck.choice((0.0, 1.0, 10.0))
        sender = Sender(SERVER, lambda: network.now)
        for _ in range(20):
            said.clear()
            fate = sender.send("club@example.org", "red@example.org", b"Subject: x\r\n\r\nDRAW\r\n").fate
            attack.count(f"mails {fate}")
            assert fate is not Fate.REFUSED or any(re.match(rb"5\d\d", words) for words in said), (attack.told, said)
        sender.close()
        assert network.now - begun < 300, attack.told
        attack.count("servers")
