"""People who write to a club as people do: greetings, remarks, quotes, second thoughts, photos, lost tokens.

What they write in secret has words that nobody else may read again.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Collection
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, Post, awaited, begun, legal
from season import message
from servers import Imap, Smtp, by_imap, by_smtp

from adjudicator.club.manage import add_game
from adjudicator.core.ruleset import Meta
from adjudicator.rulesets import metas
from adjudicator.session import Session
from adjudicator.store.save import dump_game

NAMES = ("Ann", "Bob", "Carl", "Dora", "Emil", "Fay", "Gus", "Hanna", "Ivo", "Jill", "Kim", "Lea", "Max", "Nora", "Otto")
SEATS = ("red", "blue", "green", "white", "black")
TURN = re.compile(r"(turn|runde|zug|tour|turno|ronda|beurt|ronde|giro) \d+ ?:", re.IGNORECASE)
REMARKS = [
    line
    for lines in tomllib.loads((Path(__file__).parents[1] / "orders" / "remarks.toml").read_text("utf-8")).values()
    for line in lines
    if not TURN.match(line)  # names another turn than the one that is due
]
MODERATOR = "gm@example.org"


class People:
    """The players of a club, what each has written in secret, and which mails the club must answer."""

    def __init__(self, post: Post, luck: Random, count: Callable[[str], None]) -> None:
        self.post, self.luck, self.count = post, luck, count
        self.players: dict[tuple[str, str], tuple[str, str]] = {}
        self.secrets: dict[str, tuple[Collection[str], ...]] = {}
        self.to_answer: dict[str, str] = {}
        self.lacking: dict[str, int] = {}
        self.numbers = iter(range(1_000_000))

    def begin(self) -> None:
        """Take a game of each ruleset in, each seat with a player who has no other."""
        names = iter(NAMES)
        for number, (rules, meta) in enumerate(sorted(metas(), key=lambda one: one[0])):
            assert isinstance(meta, Meta)
            seats = SEATS[: max(2, meta.players[0])]
            options = {"mode": "table", "kit": "deal"} if rules == "rally-round" else {}
            session = begun(rules, seats, rules, secret=f"{self.luck.getrandbits(256):064x}", options=options)
            path = self.post.folder / f"new-{number}.json"
            path.write_bytes(dump_game(session.game))
            for seat in seats:
                name = next(names)
                self.players[rules, seat] = name, f"{name.lower()}@example.org"
            add_game(self.post.club, path, {seat: self.players[rules, seat][1] for seat in seats})
            path.unlink()
        assert len(self.players) >= 10

    def canary(self, address: str) -> str:
        """Return a word that nobody but ``address`` may read again."""
        word = "Zq" + "".join(self.luck.choices("bcdfghjkmpqrtvwxz", k=10))
        self.secrets[word] = (self.addresses_of(address),)
        return word

    def addresses_of(self, address: str) -> Collection[str]:
        """Return all addresses of the player who writes from ``address``."""
        return {address}

    def write(self, game: str, seat: str, body: str, **changes: str) -> None:
        """Send a mail that the club must answer."""
        self.to_answer[self._send(game, seat, body, **changes)] = self.players[game, seat][1]

    def _send(self, game: str, seat: str, body: str, **changes: str) -> str:
        identifier = f"<{next(self.numbers)}@players.example>"
        head = {"From": self.players[game, seat][1], "Message_ID": identifier}
        self.post.send(game, seat, body, **(head | changes))
        self.post.now += 1  # mails of one second have no order
        self.count("mails")
        return identifier

    def take_turns(self, game: str) -> dict[str, str]:
        """Let all players of ``game`` write whose orders are missing; return the order of each that must be carried out."""
        session = self.post.session(game)
        expected = {}
        for seat in self.writers(session):
            order = self.luck.choice(legal(session, seat))
            way = self.luck.choice(WAYS)
            self.count(way.__name__.strip("_"))
            way(self, session, game, seat, order)
            expected[seat] = order
        return expected

    def lacks_token(self, address: str) -> bool:
        """Note a mail without a right token; return whether the club answers it: it asks a player once in 24 hours."""
        is_first = self.post.now - self.lacking.get(address, 0) > DAY
        if is_first:
            self.lacking[address] = self.post.now
        return is_first

    def writers(self, session: Session) -> list[str]:
        """Return the seats whose players send the orders that are missing."""
        return awaited(session)

    def around(self, seat_address: str, order: str) -> str:
        """Return ``order`` in a mail with greetings, remarks, a signature and a quote."""
        above, below = (self.luck.sample(REMARKS, self.luck.randint(0, 4)) for _ in range(2))
        quote = f"\nOn Monday {self.canary(seat_address)} wrote:\n> {order}\n> {self.canary(seat_address)}\n"
        lines = [f"Hi {self.canary(seat_address)},", *above, "", order, "", *below, f"I am {self.canary(seat_address)}."]
        return "\n".join(lines) + (quote if self.luck.random() < 0.5 else "")


def _plainly(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    people.write(game, seat, f"{order}\n")


def _with_remarks(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    people.write(game, seat, people.around(people.players[game, seat][1], order))


def _with_courtesy(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    people.write(game, seat, f"{order} {people.luck.choice(['please', 'thanks!', ':-)', 'bitte', 'good luck to all!'])}\n")


def _after_second_thoughts(people: People, session: Session, game: str, seat: str, order: str) -> None:
    address = people.players[game, seat][1]
    people.write(game, seat, people.around(address, people.luck.choice(legal(session, seat))))
    people.write(game, seat, f"Sorry, I changed my mind:\n{order}\nplease\n")


def _after_a_slip(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    address = people.players[game, seat][1]
    people.write(game, seat, f"{order[:1]}§{order[1:]}\n{people.canary(address)}\n")
    people.write(game, seat, people.around(address, order))


def _after_a_withdrawal(people: People, session: Session, game: str, seat: str, order: str) -> None:
    people.write(game, seat, people.luck.choice(legal(session, seat)))
    people.write(game, seat, "WITHDRAW")
    people.write(game, seat, order)


def _among_forgeries(people: People, session: Session, game: str, seat: str, order: str) -> None:
    people.lacks_token(people.players[game, seat][1])
    for number in range(6):
        wrong = people.luck.choice(legal(session, seat))
        people._send(game, seat, f"{wrong}\n", Subject=f"Re: [{game}/{seat}#wrong{number}wrong]")
    people.write(game, seat, people.around(people.players[game, seat][1], order))


def _with_a_photo(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    post, address = people.post, people.players[game, seat][1]
    identifier = f"<{next(people.numbers)}@players.example>"
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = address, "club@example.org", identifier
    mail["Subject"] = f"Re: {post.tag(game, seat)} your turn"
    mail.set_content(people.around(address, order))
    mail.add_attachment(people.luck.randbytes(2_500_000), maintype="image", subtype="jpeg", filename="holiday.jpg")
    post.deliver(mail.as_bytes())
    post.now += 1
    people.count("mails")
    people.to_answer[identifier] = address


def _after_a_mail_without_token(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    body = f"{order}\n{people.canary(people.players[game, seat][1])}\n"
    if people.lacks_token(people.players[game, seat][1]):
        people.write(game, seat, body, Subject="my orders")
    else:
        people._send(game, seat, body, Subject="my orders")
    token = people.post.club.settings_of(game).seats[seat].token
    people.write(game, seat, f"token {game}/{seat}#{token}\n{order}\n", Subject="my orders, now with the token")


def _by_the_address_to_answer(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    token = people.post.club.settings_of(game).seats[seat].token
    people.write(game, seat, order, Subject="my orders", To=f"club+{token}@example.org")


def _with_commands(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    question = f"When is the deadline? {people.canary(people.players[game, seat][1])}"  # the same again gets no answer
    for text in people.luck.sample(["STATUS", "HELP", "RESEND", f"PREVIEW\n{order}", question], 2):
        people.write(game, seat, f"{text}\n")
    people.write(game, seat, order)


def _with_a_form_in_comments(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    people.write(
        game, seat, f"# {people.post.tag(game, seat)}\n# {order}\n# {people.canary(people.players[game, seat][1])}\n"
    )
    people.write(game, seat, order)


WAYS = (
    _plainly,
    _with_remarks,
    _with_remarks,
    _with_courtesy,
    _after_second_thoughts,
    _after_a_slip,
    _after_a_withdrawal,
    _among_forgeries,
    _with_a_photo,
    _after_a_mail_without_token,
    _by_the_address_to_answer,
    _with_commands,
    _with_a_form_in_comments,
)


def require_answered(people: People, sent: list[tuple[str, bytes]]) -> None:
    """Every mail of a player has an answer, which goes to nobody else."""
    answered = {(str(message(data)["In-Reply-To"] or "").strip(), to) for to, data in sent}
    missing = [(identifier, to) for identifier, to in people.to_answer.items() if (identifier, to) not in answered]
    assert not missing, missing


def text_of(mail: EmailMessage) -> str:
    """Return all that a reader of a mail can see: its head, its text and its page."""
    parts = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join([*(f"{name}: {value}" for name, value in mail.items()), *parts])


def require_secret(people: People, sent: list[tuple[str, bytes]]) -> None:
    """What a player wrote beside the orders reaches at most the moderator."""
    for to, data in sent:
        for word in re.findall(r"Zq[bcdfghjkmpqrtvwxz]{10}", text_of(message(data))):
            assert to == MODERATOR or any(to in readers for readers in people.secrets[word]), (to, people.secrets[word])
            people.count("own words read again")


def connect(post: Post, imap: Imap, out: Smtp, monkeypatch: pytest.MonkeyPatch) -> None:
    by_imap(post, imap, monkeypatch)
    by_smtp(post, out.port)
    monkeypatch.setattr(post, "deliver", lambda data: imap.deliver(data, post.now))
