"""A season of five games over real servers, with at least ten players who write as people do.

Their mails have greetings, remarks, quotes, second thoughts, photos and lost tokens, and strangers forge some. Every order
is carried out, every mail is answered, and no player reads a word of another player's mail.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from attack import Attack

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, HOUR, Post, awaited, begun, founded, legal
from season import message
from servers import Imap, Smtp, dovecot, smtp
from test_servers import by_imap, by_smtp

from adjudicator.audit.decide import audit_game
from adjudicator.club.manage import add_game, extend, pause, resume
from adjudicator.club.players import seat_player
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
DUE = 12 * HOUR


class People:
    """The players of a club, what each has written in secret, and which mails the club must answer."""

    def __init__(self, post: Post, luck: Random, count: Callable[[str], None]) -> None:
        self.post, self.luck, self.count = post, luck, count
        self.players: dict[tuple[str, str], tuple[str, str]] = {}
        self.secrets: dict[str, str] = {}
        self.to_answer: dict[str, str] = {}
        self.late: dict[tuple[str, str], str] = {}
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
        self.secrets[word] = address
        return word

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
        for seat in awaited(session):
            order = self.luck.choice(legal(session, seat))
            way = self.luck.choice(WAYS)
            self.count(way.__name__.strip("_"))
            way(self, session, game, seat, order)
            expected[seat] = order
        return expected

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
    people.write(game, seat, f"{order}\n{people.canary(people.players[game, seat][1])}\n", Subject="my orders")
    token = people.post.club.settings_of(game).seats[seat].token
    people.write(game, seat, f"token {game}/{seat}#{token}\n{order}\n", Subject="my orders, now with the token")


def _by_the_address_to_answer(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    token = people.post.club.settings_of(game).seats[seat].token
    people.write(game, seat, order, Subject="my orders", To=f"club+{token}@example.org")


def _with_commands(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    for text in people.luck.sample(["STATUS", "HELP", "RESEND", f"PREVIEW\n{order}", "When is the deadline?"], 2):
        people.write(game, seat, f"{text}\n")
    people.write(game, seat, order)


def _with_a_form_in_comments(people: People, _session: Session, game: str, seat: str, order: str) -> None:
    people.write(game, seat, f"# {people.post.tag(game, seat)}\n# {order}\n")
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


def play(people: People, rounds: int) -> None:
    """Play so many rounds; now and then the moderator pauses, extends or seats another player, or somebody is away."""
    post = people.post
    post.run()
    for number in range(rounds):
        games = {game: post.session(game) for game, _ in sorted(metas())}
        running = [game for game, of in games.items() if not of.rules.is_over(of.config, of.game.state)]
        entries = {game: len(post.session(game).game.journal) for game in running}
        expected = {game: people.take_turns(game) for game in running}
        assert post.run(after=DUE).troubles == ()
        for game, orders in expected.items():
            require_played(post.session(game), entries[game], orders, people.count)
        if number % 3 == 2:
            disturb(people, people.luck.choice(running or ["checkered-flag"]))


def require_played(session: Session, begin: int, expected: dict[str, str], count: Callable[[str], None]) -> None:
    """Each of the ``expected`` orders is the first of its seat since entry ``begin``."""
    for seat, order in expected.items():
        played = [link.entry for link in session.game.journal[begin:] if link.entry.seat == seat]
        assert played, (session.game.id, seat, order)
        assert (played[0].written or played[0].order).startswith(order), (session.game.id, seat, order, played[0])
        count("orders carried out")


def disturb(people: People, game: str) -> None:
    """Let the moderator, or a player, do what happens between turns."""
    post, kind = people.post, people.luck.randrange(4)
    with closing(post.club.ledger()) as ledger:
        row = ledger.game(game)
        if row.is_over:
            return
        if kind == 0:
            pause(post.club, ledger, [game], post.now)
        elif kind == 1:
            extend(post.club, ledger, [game], "2 days", post.now)
        elif kind == 2:
            seat = people.luck.choice(list(post.club.settings_of(game).seats))
            name = f"{people.players[game, seat][0]}son"
            people.players[game, seat] = name, f"{name.lower()}@example.org"
            seat_player(post.club, game, seat, *people.players[game, seat], post.now)
    if kind == 0:
        assert post.run(after=14 * DAY).troubles == ()
        with closing(post.club.ledger()) as ledger:
            resume(post.club, ledger, [game], post.now)
            assert ledger.game(game).due >= row.due + 14 * DAY
    if kind == 3:
        seat = people.luck.choice(list(post.club.settings_of(game).seats))
        day = 1_000_000 if post.now < 0 else post.now
        from time import gmtime, strftime

        first, last = (strftime("%Y-%m-%d", gmtime(day + days * DAY)) for days in (1, 4))
        people.write(game, seat, f"HOLIDAY {first} to {last}\n")
    people.count("disturbances")
    assert post.run(after=HOUR).troubles == ()


def require_answered(people: People, sent: list[tuple[str, bytes]]) -> None:
    """Every mail of a player has an answer, which goes to nobody else, and every letter went out once."""
    answered = {(str(message(data)["In-Reply-To"] or "").strip(), to) for to, data in sent}
    missing = [(identifier, to) for identifier, to in people.to_answer.items() if (identifier, to) not in answered]
    assert missing == []
    twice = Counter((to, str(message(data)["Message-ID"])) for to, data in sent)
    assert set(twice.values()) == {1}


def require_secret(people: People, sent: list[tuple[str, bytes]]) -> None:
    """What a player wrote beside the orders reaches at most the moderator."""
    for to, data in sent:
        text = "\n".join(part.get_content() for part in message(data).walk() if part.get_content_maintype() == "text") + str(
            message(data)["Subject"]
        )
        for word in re.findall(r"Zq[bcdfghjkmpqrtvwxz]{10}", text):
            assert to in (people.secrets[word], MODERATOR), (to, people.secrets[word])
            people.count("own words read again")


@pytest.mark.soak
def test_a_season_of_people(attack: Attack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    luck = attack.luck
    post = founded(tmp_path / "club")
    post.settings('pictures = "svg"', 'pictures = "none"')
    people = People(post, luck, attack.count)
    with dovecot() as imap, smtp() as out:
        connect(post, imap, out, monkeypatch)
        people.begin()
        play(people, attack.times(40))
        post.run(after=HOUR)
        assert imap.count("INBOX") == 0
    require_answered(people, out.mails)
    require_secret(people, out.mails)
    for game, _ in metas():
        session = post.session(game)
        assert audit_game(session).divergence is None
        attack.count("entries", len(session.game.journal))
        attack.count("games over", bool(session.rules.is_over(session.config, session.game.state)))
    attack.count("letters", len(out.mails))


def connect(post: Post, imap: Imap, out: Smtp, monkeypatch: pytest.MonkeyPatch) -> None:
    by_imap(post, imap, monkeypatch)
    by_smtp(post, out.port)
    monkeypatch.setattr(post, "deliver", lambda data: imap.deliver(data, post.now))
