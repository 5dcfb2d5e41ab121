"""Members of a club who begin as strangers: they register, join lists, play, leave, move, stand in; and odd mailboxes.

Some mailboxes answer every letter: with or without the marks of a program, with the whole letter, as a mailing list, or with
the report that it did not arrive. Others belong to people whose addresses were forged.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from random import Random
from time import gmtime, strftime

from people import MODERATOR, NAMES, People

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, Post, awaited
from season import message
from servers import Smtp

from adjudicator.club.tokens import calendar_name
from adjudicator.club.turns import open_game
from adjudicator.reports.data.player_standing import SIMULATED
from adjudicator.session import Session

CLUB = "club@example.org"
TAG = re.compile(r"\[[^\]]*#[a-z0-9]+\]")
KINDS = ("person", "person", "responder", "person", "full") + ("person",) * 22 + ("echo", "absent", "bouncing")
"""A member in five has a mailbox that answers by itself, or that takes no more mails after a while."""
VICTIMS = ("scanner", "absent", "list", "bouncing", "full")


@dataclass(eq=False)
class Member:
    """A person: the name, the present address and all ``addresses``, and the token of a member as it is in letters."""

    name: str
    address: str
    path: str
    kind: str = "person"
    tag: str = ""
    addresses: set[str] = field(default_factory=set)
    is_public: bool = False
    has_left: bool = False

    def __post_init__(self) -> None:
        self.addresses.add(self.address)


class Members(People):
    """The members of a club, their mailboxes on the mail server ``out``, and what each may read."""

    def __init__(self, post: Post, luck: Random, count: Callable[[str], None], out: Smtp, size: int) -> None:
        super().__init__(post, luck, count)
        names = [f"{name}{end}" for end in ("wick", "ford") for name in NAMES]
        self.members = [
            Member(name, f"m{number:02}-{name.lower()}@example.net", f"from x ([192.0.2.{number}]) by mx; x", kind)
            for number, (name, kind) in enumerate(zip(names[:size], KINDS[:size], strict=True), 1)
        ]
        self.at = {one.address: one for one in self.members}
        self.victims: dict[str, str] = {}
        self.tokens: dict[str, Collection[str]] = {}
        self.out, self.read = out, 0
        self.days: dict[tuple[str, int], int] = defaultdict(int)
        self.due: dict[tuple[str, str], tuple[int, str, str]] = {}
        self.is_storm = False
        out.refuse = lambda to: "550 5.1.1 no such user" if self.kind_of(to) == "full" else None

    def kind_of(self, address: str) -> str:
        """Return how a mailbox behaves: a member's does so as soon as the member plays."""
        found = self.at.get(address)
        if found is None:
            return self.victims.get(address, "person")
        is_late = found.kind in ("bouncing", "full")
        return "person" if is_late and not found.has_left else found.kind

    def addresses_of(self, address: str) -> Collection[str]:
        found = self.at.get(address)
        return {address} if found is None else found.addresses

    def look(self) -> None:
        """Note who plays where, and which secrets the club has given to whom."""
        club = self.post.club
        self.players.clear()
        with closing(club.ledger()) as ledger:
            secret = ledger.secret()
            for row in list(ledger._db.execute("select address, token, new_address, new_token from people")):
                self.tokens[row["token"]] = self.addresses_of(row["address"])
                if row["new_token"]:
                    self.tokens[row["new_token"]] = {row["new_address"], *self.addresses_of(row["new_address"])}
        for game in club.games:
            for seat, one in club.settings_of(game).seats.items():
                member = self.at[one.addresses[0]]
                self.players[game, seat] = member.name, member.address
                self.tokens[one.token] = member.addresses
        for member in self.members:
            for address in member.addresses:
                self.tokens[calendar_name(secret, address)] = member.addresses

    # What members write

    def _send(self, game: str, seat: str, body: str, **changes: str) -> str:
        member = self.at[self.players[game, seat][1]]
        return super()._send(game, seat, body, **({"Received": member.path} | changes))

    def say(self, member: Member, body: str, subject: str = "", **head: str) -> None:
        """Let a member write to the club, not to a game; the club must answer once the member is registered."""
        identifier = f"<{next(self.numbers)}@players.example>"
        own = {"From": member.address, "Message_ID": identifier, "Received": member.path}
        self.post.send("", "", body, **(own | {"Subject": subject or f"Re: {member.tag} x"} | head))
        self.post.now += 1
        self.count("mails")
        if member.tag and self.kind_of(member.address) == "person" and not subject:
            self.to_answer[identifier] = member.address

    def writers(self, session: Session) -> Iterator[str]:  # type: ignore[override]
        """Yield the awaited seats whose players write this time."""
        held = open_game(self.post.club, session.game.id).players
        for seat in awaited(session):
            member = self.at[self.players[session.game.id, seat][1]]
            if held[seat] != SIMULATED and self.kind_of(member.address) not in ("bouncing", "full"):  # type: ignore[index]
                if self.luck.random() < 0.9:
                    yield seat
                else:
                    self.count("turns without a mail")

    def play(self) -> None:
        """Let players write their orders, and chat."""
        for game in self.post.club.games:
            session = self.post.session(game)
            if session.rules.is_over(session.config, session.game.state):
                continue
            for seat, order in self.take_turns(game).items():
                self.due[game, seat] = len(session.game.journal), order, self.players[game, seat][0]
            for seat in session.seats:
                if self.luck.random() < 0.1:
                    self.chat(game, seat, session)

    def chat(self, game: str, seat: str, session: Session) -> None:
        """Let a player write to others, go on holiday, or resign."""
        other = self.luck.choice([*(one for one in session.seats if one != seat), "all", "moderator"])
        to = session.seats if other == "all" else [one for one in (seat, other) if one in session.seats]
        word = self.canary(self.players[game, seat][1])
        self.secrets[word] = tuple(self.addresses_of(self.players[game, one][1]) for one in to)
        texts = [f"MESSAGE to {other}: {word}\nEND", f"MESSAGE to {other}:\n{word}\nsee you\nEND\nSTATUS"]
        texts += [f"HOLIDAY {self.day(1)} to {self.day(self.luck.randint(1, 3))}", "RESIGN", "VOTE draw", "RESEND\nGAMES"]
        self.write(game, seat, self.luck.choice(texts))
        self.count("messages and requests of seats")

    def day(self, days: int) -> str:
        return strftime("%Y-%m-%d", gmtime(self.post.now + days * DAY))

    def live(self, rulesets: Collection[str]) -> None:
        """Let everybody who is not registered ask for it, and members join lists and write other things."""
        games = defaultdict[str, int](int)
        for _, address in self.players.values():
            games[address] += 1
        for member in self.members:
            if member.kind in ("bouncing", "full") and games[member.address]:
                member.has_left = True  # the mailbox takes no more mails, and the player writes none
            if member.has_left:
                continue
            if not member.tag:
                if self.luck.random() < 0.6:
                    self.say(member, self.luck.choice(["JOIN", "Hello,\nGAMES", "WHO Ann", "JOIN checkered-flag"]), "hello")
            elif games[member.address] < 2 or self.luck.random() < 0.1:
                self.say(member, f"Hi {self.canary(member.address)},\nJOIN {self.luck.choice(sorted(rulesets))}\n")
            if member.tag and self.luck.random() < 0.25:
                self.ask(member)

    def ask(self, member: Member) -> None:
        """Let a member write one of many commands."""
        other = self.luck.choice(self.members).name
        word = self.canary(member.address)
        lines = [
            "GAMES",
            f"WHO {other}",
            "LEAVE",
            "SET public=yes",
            "SET language=de",
            "SET format=text",
            "HELP",
            "SET standin=yes",
        ]
        lines += [f"HOLIDAY {self.day(1)} to {self.day(2)}", f"MESSAGE to moderator: {word}", f"Thanks! {word}"]
        lines += ["NEW great-race players=3 deadline=2d", "NEW checkpoint-charlie players=2", f"SET name={member.name}"]
        line = self.luck.choice([*lines, "SET standin=yes", "move"])
        if line == "move" and member.kind == "person":
            line = f"SET address=m{len(self.at) + 1}-{member.name.lower()}@example.com"
        member.is_public |= line == "SET public=yes"
        self.say(member, f"{line}\n\n-- \n{word}\n")

    # What comes back

    def answer_letters(self) -> None:
        """Let the mailboxes and their owners answer the letters that the mail server has taken since the last call."""
        new = self.out.mails[self.read :]
        self.read += len(new)
        for to, data in new:
            mail = message(data)
            self.days[to, self.post.now // DAY] += 1
            self._by_itself(to, mail)
            member = self.at.get(to) or self._moving_to(to, mail)
            if member is not None and not self.is_storm and not member.has_left:
                self._by_hand(member, to, mail)

    def _moving_to(self, to: str, mail: EmailMessage) -> Member | None:
        """Return the member who wanted to get mails at the new address ``to``."""
        name = to.partition("-")[2].partition("@")[0]
        found = next((one for one in self.members if one.name.lower() == name), None)
        if found is not None:
            found.addresses.add(to)
            self.at[to] = found
        return found

    def _by_itself(self, to: str, mail: EmailMessage) -> None:
        """Answer as a program, if the mailbox has one."""
        kind = self.kind_of(to) if to != MODERATOR else "absent"
        subject, text = f"Re: {mail['Subject']}", mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        head = {"From": to, "Subject": subject, "In_Reply_To": str(mail["Message-ID"]), "Message_ID": self._number()}
        member = self.at.get(to)
        if member is not None:
            head["Received"] = member.path
        match kind:
            case "responder":
                self.post.send("", "", "I am not here. I read your mail next week.", **head)
            case "echo":
                self.post.send("", "", f"Your mail has arrived:\n\n{text}", **head)
            case "absent":
                self.post.send("", "", "I am not here.", Auto_Submitted="auto-replied", **head)
            case "list":
                head |= {"From": CLUB, "Subject": str(mail["Subject"]), "List_Id": "<all.lists.example>"}
                self.post.send("", "", text, **head)
            case "bouncing":
                self.post.deliver(bounce(str(mail["Message-ID"]), to))
            case "scanner":
                assert "http" not in text, "a program would open this link"
        if kind not in ("person", "scanner"):
            self.count(f"answers of a mailbox: {kind}")

    def _number(self) -> str:
        return f"<{next(self.numbers)}@players.example>"

    def _by_hand(self, member: Member, to: str, mail: EmailMessage) -> None:
        """Answer as a person does who has read the letter."""
        subject = str(mail["Subject"])
        tag = TAG.match(subject)
        head = {"Subject": f"Re: {subject}", "In_Reply_To": str(mail["Message-ID"]), "From": to}
        if "please answer to register" in subject:
            if not member.tag and member.kind not in ("responder", "echo"):  # their mailboxes answer by themselves
                self._say_with(member, f"REGISTER {member.name}\n\nThanks, {self.canary(to)}\n", head)
        elif "please confirm this address" in subject:
            self._say_with(member, "Yes, this is me.\n", head)
            member.address = to
            member.tag = ""
        elif tag is not None and tag[0].startswith("[club/member#") and to == member.address:
            member.tag = tag[0]
        if "please confirm your place" in subject:
            word = self.luck.choices(["Yes!", "I am in, thanks", "LEAVE", ""], [8, 4, 1, 1])[0]
            if word:
                self._say_with(member, word, head)
            self.count("answers about a place" if word else "places that nobody confirms")
        elif "needs a player" in subject and self.luck.random() < 0.7:
            text = mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
            found = re.search(r"write (JOIN \S+ as \w+) in an answer", text)
            assert found, text
            self._say_with(member, found[1], head)
            self.count("offers to stand in")

    def _say_with(self, member: Member, body: str, head: dict[str, str]) -> None:
        self.say(member, body, head.pop("Subject"), **head)


def bounce(message_id: str, to: str) -> bytes:
    """Return the report of a mail server that the letter to an address did not arrive."""
    report = f"Final-Recipient: rfc822; {to}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\nMessage-ID: {message_id}\r\n"
    head = "From: mailer-daemon@mx.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=x"
    return f"{head}\r\n\r\n--x\r\n\r\n{report}--x--\r\n".encode()
