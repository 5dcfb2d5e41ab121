"""Non-interference in a club: what is in one seat's mail changes nothing that another seat is sent.

The same round takes place twice. One seat's mails differ in what stays hidden: remarks, quotes, mistakes, orders that gave
way or still wait, previews, commands. Everything that all other seats are sent must be the same, byte for byte, and so must
their pages in the desk, the notices for chat services, and all that `club publish` writes but the calendar of that one seat.

A message without a name changes its writer instead: two players write the same messages, in each world another one of them.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from random import Random
from urllib.parse import parse_qs

import pytest
from attack import Attack
from portion import portion

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, HOUR, Post, awaited, founded, legal

import adjudicator as adj
from adjudicator.club.ledger import StoredMail
from adjudicator.club.pages import page_address
from adjudicator.club.pending import read_orders
from adjudicator.club.public import write_public_pages
from adjudicator.club.tokens import calendar_name
from adjudicator.core.ids import Seat
from adjudicator.moderate.turn import play_turn
from adjudicator.orders.submission import Submission
from adjudicator.reports.pages.report_text import report_text
from adjudicator.rulesets import metas
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game

GAMES = [name for name, _ in metas()]
CHATS = ("discord", "slack", "matrix")
SEATS = ("red", "blue", "green", "white", "black")
GAME = "secret"
ROUNDS_OF_ONE_GAME = 100
BOUNDARY = re.compile(r"={15}\d+==")
"""What the library for mails puts between the parts of one, by chance."""
UNSIGNED = re.compile(r"(?s)(message without a name\r?\n.*?Message-ID: )<[0-9a-f]{32}@example.org>")
"""The name of a letter with a message without a name; only the secret of the ledger connects it with the writer's mail."""
SAFE = ("> my clue of {0}: CLUE grey\n", "> turn {0}\n> GEAR 1\n", ">> IF {0} THEN\n")
"""Lines that are no mistake, wherever they are."""
ANYWHERE = (*SAFE, "Hi {0},\n", "| {0}\n", "{0} is what I really want, mate!\n", "IF {0} THEN\n", "{0}: yes\n")
COMMANDS = ("STATUS", "HELP", "RESEND", "RULES {0}", "VOTE draw", "VOTE undo", "MESSAGE to moderator: I hold {0}\nEND")
COMMANDS += ("GAMES", "WHO {0}", "LEAVE {0}", "SET language=de", "JOIN {0}", "NEW {0} players=2")

Write = tuple[str, str, dict[str, str]]
"""A mail: its seat, its text, and what is unusual in its head."""


@dataclass(frozen=True)
class Pair:
    """The mails of a round in two worlds that are the same to all seats but ``secret``.

    ``is_same`` says that both worlds have the same orders that can be carried out.
    """

    secret: str
    here: list[Write]
    there: list[Write]
    is_same: bool


class Writer:
    """Writes the mails of players at the position of ``session``."""

    def __init__(self, session: Session, luck: Random, reports: dict[str, list[str]]) -> None:
        self.session, self.luck, self.reports = session, luck, reports
        self.due = awaited(session)
        self.orders = {seat: legal(session, seat) for seat in session.seats}

    def pair(self) -> Pair:
        """Return the mails of two worlds, in which the game goes on or waits alike."""
        secret = self.luck.choice(self.due if self.luck.random() < 0.7 else self.session.seats)
        others = [seat for seat in self.due if seat != secret]
        blocker = self.luck.choice(others) if others and self.luck.random() < 0.5 else ""
        rest = [mail for seat in self.session.seats if seat != secret for mail in self._others(seat, blocker)]
        if blocker:
            return self._mixed(secret, rest, lambda: self._anything(secret), is_same=False)
        if self.luck.random() < 0.5 and secret in self.due:
            last = self.luck.choice(self.orders[secret])
            return self._mixed(secret, rest, lambda: [*self._anything(secret), self._sound(secret, last)], is_same=True)
        return self._mixed(secret, rest, lambda: self._nothing(secret), is_same=True)

    def _mixed(self, secret: str, rest: list[Write], own: Callable[[], list[Write]], *, is_same: bool) -> Pair:
        self.luck.shuffle(rest)
        rest = [(seat, text, head | {"Message_ID": f"<{number}@x>"}) for number, (seat, text, head) in enumerate(rest)]
        at = self.luck.randint(0, len(rest))
        here, there = ([*rest[:at], *own(), *rest[at:]] for _ in range(2))
        return Pair(secret, here, there, is_same)

    def _others(self, seat: str, blocker: str) -> Iterator[Write]:
        if self.luck.random() < 0.4:
            yield self._mistake(seat)
        if self.luck.random() < 0.4:
            yield self._command(seat)
        if seat in self.due and seat != blocker and self.luck.random() < 0.9:
            yield self._sound(seat, self.luck.choice(self.orders[seat]))

    def _anything(self, seat: str) -> list[Write]:
        """Return any mails, perhaps none: the game waits for another seat, or for the last mail of this one."""
        kinds = [self._mistake, self._command, self._preview, self._stranger, self._withdrawal]
        mails = [self.luck.choice(kinds)(seat) for _ in range(self.luck.randint(0, 2))]
        if self.orders[seat]:
            mails += [self._sound(seat, self.luck.choice(self.orders[seat])) for _ in range(self.luck.randint(0, 2))]
        self.luck.shuffle(mails)
        return mails

    def _nothing(self, seat: str) -> list[Write]:
        """Return mails of which nothing can be carried out."""
        kinds = [self._mistake, self._command, self._preview, self._stranger, self._withdrawal]
        return [self.luck.choice(kinds)(seat) for _ in range(self.luck.randint(0, 3))]

    def _noise(self, seat: str, lines: tuple[str, ...]) -> str:
        quoted = [f"> {line}\n" for line in self.luck.sample(self.reports[seat], min(3, len(self.reports[seat])))]
        chosen = [one.format(self.canary()) for one in self.luck.sample(lines, 2)]
        return "".join([*chosen, *quoted][: self.luck.randint(0, 5)])

    def canary(self) -> str:
        return "Zq" + "".join(self.luck.choices("bcdfghjkmpqrtvwxz", k=8))

    def _sound(self, seat: str, order: str) -> Write:
        greeting = f"Hi {self.canary()},\n" if self.luck.random() < 0.5 else ""
        return seat, f"{greeting}{self._noise(seat, SAFE)}\n{order}\n\n{self._quote(seat)}-- \n{self.canary()}\n", {}

    def _quote(self, seat: str) -> str:
        if self.luck.random() < 0.5:
            return ""
        return f"On Monday {self.canary()} wrote:\n> {self.luck.choice(self.reports[seat] or ['x'])}\n"

    def _mistake(self, seat: str) -> Write:
        order = self.luck.choice(self.orders[seat] or ["GO"])
        return seat, f"{order[:2]}§{self.canary()}{order[2:]}\n{self._noise(seat, ANYWHERE)}", {}

    def _preview(self, seat: str) -> Write:
        order = self.luck.choice([*self.orders[seat], f"X{self.canary()}"])
        return seat, f"PREVIEW\n{order}\n{self._noise(seat, ANYWHERE)}", {}

    def _command(self, seat: str) -> Write:
        return seat, self.luck.choice(COMMANDS).format(self.canary()) + "\n", {}

    def _withdrawal(self, seat: str) -> Write:
        return seat, f"WITHDRAW\n{self._noise(seat, SAFE)}", {}

    def _stranger(self, seat: str) -> Write:
        """Return a mail that waits for the moderator."""
        head = self.luck.choice(
            [{"From": "mallory@example.net"}, {"Subject": "orders"}, {"Subject": f"[x/{seat}#abcd2345]"}]
        )
        return seat, f"§{self.canary()}\n", dict(head)


class Stage:
    """A club with one game of the ruleset ``name`` in ``folder``, played on now and then."""

    _opened: tuple[bytes, Session] | None

    def __init__(self, name: str, folder: Path, luck: Random) -> None:
        meta = dict(metas())[name]
        self.folder, self._opened = folder, None
        folder.mkdir()
        self.post = founded(folder / "club")
        self.post.settings('press = "moderated"', 'press = "free"\npress_anonymous = true')
        self.post.give_desk()
        with (self.post.folder / "club.toml").open("a") as settings:
            settings.write("".join(f'\n[[webhooks]]\nkind = "{kind}"\nurl.env = "NO_SUCH"\n' for kind in CHATS))
        options = {"mode": "table", "kit": "deal"} if name == "rally-round" else {}
        count = min(len(SEATS), max(meta.players[0], min(3, meta.players[1])))  # type: ignore[attr-defined]
        self.post.settings("[incoming]", "[people]\njoin = true\nnew = true\n\n[incoming]")
        self.post.add(name, *SEATS[:count], game=GAME, secret=f"{luck.getrandbits(256):064x}", options=options)
        self.post.run()
        for seat in SEATS[:count]:  # each player becomes a member
            self.post.send(GAME, seat, "GAMES")
        self.post.run()

    @property
    def session(self) -> Session:
        data = self.post.club.game_file(GAME).read_bytes()
        if self._opened is None or self._opened[0] != data:
            self._opened = data, open_session(load_game(data))
        return self._opened[1]

    @property
    def is_over(self) -> bool:
        session = self.session
        return bool(session.rules.is_over(session.config, session.game.state))

    def reports(self) -> dict[str, list[str]]:
        """Return the lines of the last report to each seat."""
        files = {seat: self.post.folder / "games" / GAME / "reports" / f"{seat}.txt" for seat in self.session.seats}
        return {seat: [line for line in path.read_text().splitlines() if line.strip()] for seat, path in files.items()}

    def play_on(self, luck: Random) -> None:
        """Let all players send sound orders."""
        session = self.session
        for seat in awaited(session):
            self.post.send(GAME, seat, luck.choice(legal(session, seat)))
        self.post.run(after=HOUR)

    def sent(self, world: str, mails: list[Write], later: list[Write], *secret: str) -> list[str]:
        """Return what all but the ``secret`` seats can read after a copy of the club got ``mails``, and ``later`` others."""
        folder = self.folder / world
        shutil.copytree(self.post.folder, folder)
        post = Post(folder, self.post.now)
        known = self._letters(post, *secret)
        for number, (seat, text, changes) in enumerate(mails):
            post.send(GAME, seat, text, **({"Message_ID": f"<{world}{number}@x>"} | changes))
        assert post.run(after=HOUR).troubles == ()
        for seat, text, changes in later:
            post.send(GAME, seat, text, **changes)
        assert post.run(after=HOUR).troubles == ()
        post.run(after=2 * DAY + 10 * HOUR)  # those whose orders are missing are reminded
        found = [one for one in self._letters(post, *secret) if one not in known] + self._pages(post, *secret)
        found += self._public(post, *secret)
        shutil.rmtree(folder)
        return found

    @staticmethod
    def _letters(post: Post, *secret: str) -> list[str]:
        query = (
            "select seat, recipient, data from letters where state <> 'held' and (kind in ('webhook', 'membership') or"
            " seat <> '') order by recipient, id"
        )
        own = {f"{seat}@example.org" for seat in secret}
        with closing(post.club.ledger()) as ledger:
            rows = ledger._db.execute(query)
            texts = [BOUNDARY.sub("", row[2].decode()) for row in rows if row[0] not in secret and row[1] not in own]
            return [UNSIGNED.sub(r"\1", text) for text in texts]

    def _pages(self, post: Post, *secret: str) -> list[str]:
        """Return the pages of all seats but the ``secret`` ones, with their addresses."""
        with closing(post.club.ledger()) as ledger:
            others = [seat for seat in self.session.seats if seat not in secret]
            addresses = {page_address(post.club, ledger, GAME, seat) for seat in others}
        names = {parse_qs(address.partition("#")[2])["file"][0].removesuffix(".json") for address in addresses}
        files = post.pages()
        assert len(files) == 2 * len(self.session.seats)
        return [f"{name}.{form}\n{files[f'{name}.{form}'].decode()}" for name in sorted(names) for form in ("json", "html")]

    @staticmethod
    def _public(post: Post, *secret: str) -> list[str]:
        """Return the public pages of the club with their names, without the calendars of the players of ``secret`` seats."""
        folder = post.folder / "everybody"
        with closing(post.club.ledger()) as ledger:
            done = write_public_pages(post.club, ledger, str(folder))
            own = [f"{calendar_name(ledger.secret(), f'{seat}@example.org')}.ics" for seat in secret]
        assert (done.unmade, done.troubles) == ((), ())
        for name in own:
            (folder / name).unlink()
        return [f"{path.relative_to(folder)}\n{path.read_text()}" for path in sorted(folder.rglob("*")) if path.is_file()]


def reports(session: Session, mails: list[Write], secret: str) -> list[str]:
    """Return what `turn` tells all seats but ``secret`` and the bystanders of ``mails`` that all have the same name."""
    played = play_turn(session, [_submission(session, number, mail) for number, mail in enumerate(mails) if _is_own(mail)])
    hidden = {Seat(secret), "moderator"}
    return [report_text(report) for report in played.reports if report.viewer not in hidden]


def _is_own(mail: Write) -> bool:
    return not {"From", "Subject"} & mail[2].keys() and not mail[1].startswith("PREVIEW")


def _submission(session: Session, number: int, mail: Write) -> Submission:
    seat, text, head = mail
    data = f"From: {seat}@example.org\nMessage-ID: {head.get('Message_ID', number)}\n\n{text}".encode()
    about = {"identity": "", "hash": "", "address": "", "game": GAME, "seat": seat, "is_flawed": False}
    kept = StoredMail(id=number, received=0, data=data, **about)  # type: ignore[arg-type]
    return replace(read_orders(adj.Game(session), kept, Seat(seat))[0], source="mail.eml")


def later(session: Session, luck: Random, secret: str) -> list[Write]:
    """Return what other players write when the mails were answered: they look for something that they should not know."""
    found: list[Write] = []
    for seat in session.seats:
        if seat != secret:
            order = luck.choice(legal(session, seat) or ["GO"])
            text = luck.choice(["STATUS", "RESEND", f"PREVIEW\n{order}", "HELP", "§§§"])
            found.append((seat, text, {"Message_ID": f"<later-{seat}@x>"}))
    return found


@pytest.mark.parametrize("whole", [1, pytest.param(2_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", portion(GAMES, 2))
def test_no_seat_learns_what_is_in_the_mail_of_another(attack: Attack, tmp_path: Path, name: str, whole: int) -> None:
    stage, played = None, 0
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        if stage is None or stage.is_over or number % ROUNDS_OF_ONE_GAME == 0:
            stage = Stage(name, tmp_path / str(number), luck)
            played = luck.randint(0, 12 if whole > 3 else 2)
        while played > 0 and not stage.is_over:
            stage.play_on(luck)
            played -= 1
        if stage.is_over:
            stage = Stage(name, tmp_path / str(number), luck)
        session = stage.session
        pair = Writer(session, luck, stage.reports()).pair()
        after = later(session, luck, pair.secret)
        here, there = (
            stage.sent(world, mails, after, pair.secret) for world, mails in (("here", pair.here), ("there", pair.there))
        )
        attack.count("rounds")
        attack.count("letters and pages compared", len(here))
        attack.count("rounds with the same orders", pair.is_same)
        assert not (found := difference(attack, pair, here, there)), found
        if pair.is_same:
            ours, theirs = (reports(session, mails, pair.secret) for mails in (pair.here, pair.there))
            assert not (found := difference(attack, pair, ours, theirs)), found
        played = int(luck.random() < 0.3)


@pytest.mark.parametrize("whole", [1, pytest.param(500, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", portion(GAMES, 3, 1))
def test_nobody_learns_who_wrote_a_message_without_a_name(attack: Attack, tmp_path: Path, name: str, whole: int) -> None:
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        stage = Stage(name, tmp_path / str(number), luck)
        for _ in range(luck.randint(0, 2)):
            if not stage.is_over:
                stage.play_on(luck)
        if stage.is_over or len(stage.session.seats) < 3:
            continue
        first, second, *others = luck.sample(stage.session.seats, len(stage.session.seats))
        writer = Writer(stage.session, luck, stage.reports())
        orders = [
            mail for seat in writer.due if writer.orders[seat] for mail in [writer._sound(seat, writer.orders[seat][0])]
        ]
        rest = [*orders, (first, f"MESSAGE to {others[0]}: {writer.canary()}", {})]
        rest = [(seat, text, {"Message_ID": f"<{at}@x>"}) for at, (seat, text, _) in enumerate(rest)]
        texts = [
            f"MESSAGE anonymous to {luck.choice(('all', *others))}: {writer.canary()}" for _ in range(luck.randint(1, 4))
        ]
        worlds = [_unsigned(luck, rest, texts, (first, second)) for _ in range(2)]
        after = [one for one in later(stage.session, luck, first) if one[0] != second]
        here, there = (stage.sent(str(at), mails, after, first, second) for at, mails in enumerate(worlds))
        attack.count("rounds")
        attack.count("messages that came", sum("without a name" in letter for letter in here))
        assert not (found := difference(attack, Pair(first, *worlds, is_same=True), here, there)), found


def _unsigned(luck: Random, rest: list[Write], texts: list[str], writers: tuple[str, str]) -> list[Write]:
    """Return the mails of ``rest`` in their order, and among them ``texts`` by any of the ``writers`` in any order."""
    mails = list(rest)
    for number, text in enumerate(texts):
        mails.insert(luck.randint(0, len(mails)), (luck.choice(writers), text, {"Message_ID": f"<unsigned-{number}@x>"}))
    return mails


def difference(attack: Attack, pair: Pair, here: list[str], there: list[str]) -> str:
    """Return what differs between two worlds, empty if nothing does."""
    lines = list(unified_diff("\n".join(here).splitlines(), "\n".join(there).splitlines(), lineterm="", n=4))
    return "\n".join([f"round {attack.at - 1} of seed {attack.seed}", str(pair), *lines[:200]]) if here != there else ""
