"""A season of a club with people who come as strangers and write as people do, among forged mails, loops, bounces and kills.

Every order that somebody wrote is carried out, every mail is answered, no letter goes out twice, no loop is endless, and
nobody reads a word or a token of somebody else. Rounds are killed again and again, and the moderator's commands come in
the middle of others. In the long season mails come by IMAP from Dovecot, and letters go out by SMTP: one that the server
had just taken when the round was killed goes out again, unchanged.
"""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from imaplib import IMAP4, Time2Internaldate
from pathlib import Path

import pytest

from tests.club.test_races import race
from tests.drivers.attacks import KILLED, Attack, Steps, call_apart
from tests.drivers.club import DAY, HOUR, Club, Letter
from tests.drivers.servers import Smtp, by_imap, by_smtp, dovecot, smtp

NAMES = ("Ann", "Bob", "Carl", "Dora", "Emil", "Fay", "Gus", "Hanna", "Ivo", "Jill", "Kim", "Lea", "Max", "Nora", "Otto")
KINDS = ("person", "person", "responder", "person", "person", "echo", "person", "absent", "person", "person", "bouncing")
"""What a mailbox does with a letter: a program may answer each, or report that it did not arrive."""
SETTINGS = """[people]
join = true
confirm = "2 days"
{lists}
[incoming]"""
REMARKS = (
    *(
        "See you on Sunday!",
        "I hope that you are all well.",
        "What a game!",
        "PS: my dog ate the map",
        "Sorry for the delay.",
    ),
    *("Viele Grüße aus Köln", "Sent from my phone", "My last turn was terrible, was it not?", "It rains here: 12 degrees."),
)
COMMANDS = (
    *("status", "list", "standing", "doctor", "publish -o ../public --force", "backup ../copy{number}"),
    *("pause {game}", "extend {game} --by '1 day'", "set {game} seats.{seat}.muted=true", "set {game} press=free"),
    *("messages {game}", "set pictures=none", "set deadlines.every='1 day'", "set {game} seats.{seat}.public_name=false"),
)
"""What the moderator does in the middle of a round; the next step ends a pause in the same way."""
CANARY = re.compile(r"Zq[bcdfghjkmpqrtvwxz]{10}")
TAG = re.compile(r"\[([\w-]+)/([\w-]+)#(\w+)\]")


@dataclass
class Person:
    """Somebody with a mailbox; ``words`` are what only this person and the moderator may read."""

    name: str
    kind: str
    is_member: bool = False
    has_joined: bool = False
    seats: dict[str, str] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@example.org"


@dataclass
class ServedClub(Club):
    """A club that fetches its mails by IMAP and sends its letters by SMTP."""

    box: IMAP4 = field(default_factory=IMAP4)
    smtp: Smtp = field(default_factory=Smtp)

    def deliver(self, data: bytes) -> Path:
        self.box.append("INBOX", "", Time2Internaldate(self.now), data)
        return self.folder

    def read_letters(self) -> None:
        for _, data in self.smtp.mails:
            self.take(data)
        self.smtp.mails.clear()


class Season:
    """The people of a club, what they wrote, and the letters that they got."""

    def __init__(self, attack: Attack, club: Club, size: int) -> None:
        self.attack, self.luck, self.club = attack, attack.luck, club
        names = [f"{name}{end}" for end in ("", "wick", "ford") for name in NAMES][:size]
        self.people = [Person(name, KINDS[number % len(KINDS)]) for number, name in enumerate(names)]
        self.at = {one.address: one for one in self.people}
        self.words, self.owners = dict[str, str](), dict[str, str]()
        self.to_answer, self.answered = dict[str, str](), set[tuple[str, str]]()
        self.due, self.letters = dict[tuple[str, str], tuple[int, str]](), dict[tuple[str, str], bytes]()
        self.days, self.victims, self.paused = Counter[tuple[str, int]](), 0, ""
        self.saved = club.now

    # What people write

    def canary(self, one: Person) -> str:
        word = "Zq" + "".join(self.luck.choices("bcdfghjkmpqrtvwxz", k=10))
        self.words[word] = one.address
        return word

    def write(self, one: Person, text: str, game: str = "", must_answer: bool = True, **head: str) -> None:
        data = self.club.mail(one.name.lower(), text, game=game, **head)
        self.club.now += 1  # mails of one second have no order
        identifier = re.search(rb"(?im)^Message-ID: (\S+)", data)
        assert identifier is not None
        if must_answer and one.kind == "person":
            self.to_answer[identifier[1].decode()] = one.address
        self.attack.count("mails")

    def come(self, rulesets: tuple[str, ...]) -> None:
        """Let strangers ask for the club, and members for a game."""
        for one in self.people:
            if not one.is_member:
                self.write(one, self.luck.choice(["JOIN", "Hello,\nGAMES", "WHO Ann"]), "new", must_answer=False)
            elif not one.has_joined:
                self.write(one, f"Hi {self.canary(one)},\nJOIN {self.luck.choice(rulesets)}\n", "club")
                one.has_joined = True
            elif self.luck.random() < 0.2:
                line = self.luck.choice(["GAMES", "HELP", "SET public=yes", f"MESSAGE to moderator: {self.canary(one)}"])
                self.write(one, f"{line}\n\n-- \n{self.canary(one)}\n", "club")

    def play(self) -> None:
        """Let each player whose orders are missing write, in one of the ways in which people write."""
        for path in sorted(self.club.folder.glob("games/*/game.json")):
            name = path.parent.name
            game = self.club.game(name)
            for seat in game.due_seats:
                one = next((one for one in self.people if one.seats.get(name) == seat), None)
                is_idle = self.luck.random() < (0.8 if (name, seat) in self.due else 0.05)
                if one is None or one.kind == "bouncing" or is_idle:
                    continue
                orders = [row.order for row in game.seen_by(seat).legal]
                order, other = self.luck.choice(orders), self.luck.choice(orders)
                self.order(one, name, order, other)
                self.due[name, seat] = len(game.seen_by("moderator").log()), order

    def order(self, one: Person, game: str, order: str, other: str) -> None:
        """Write an order as people do: with remarks, second thoughts, slips, quotes, photos, commands or forgeries."""
        around = "\n".join(
            [f"Hi {self.canary(one)},", *self.luck.sample(REMARKS, 2), "", order, "", *self.luck.sample(REMARKS, 1)]
        )
        quote = f"\nOn Monday {self.canary(one)} wrote:\n> {other}\n> {self.canary(one)}\n"
        way = self.luck.randrange(9)
        self.attack.count(f"way {way}")
        if way == 1:
            self.write(one, f"{order} {self.luck.choice(['please', 'thanks!', ':-)', 'bitte'])}\n", game)
        elif way == 2:
            self.write(one, other, game)
            self.write(one, f"Sorry, I changed my mind:\n{order}\nplease\n", game)
        elif way == 3:
            self.write(one, f"{order[:1]}§{order[1:]}\n{self.canary(one)}\n", game)
            self.write(one, around, game)
        elif way == 4:
            self.write(one, other, game)
            self.write(one, "WITHDRAW", game)
            self.write(one, order, game)
        elif way == 5:
            for number in range(4):
                tag = f"Re: [{game}/{one.seats[game]}#wrong{number}wrong]"
                self.write(one, f"{other}\n", game, must_answer=False, Subject=tag)
            self.write(one, around, game)
        elif way == 6:
            self.with_a_photo(one, game, around)
        elif way == 7:
            self.write(one, f"{self.luck.choice(['STATUS', 'HELP', f'PREVIEW{chr(10)}{other}'])}\n", game)
            self.write(one, order, game)
        elif way == 8:
            self.write(one, f"# {other}\n# {self.canary(one)}\n", game)
            self.write(one, order, game)
        else:
            self.write(one, around + quote, game)

    def with_a_photo(self, one: Person, game: str, text: str) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = (
            one.address,
            "club@example.org",
            f"<photo{self.club.now}@players.example>",
        )
        mail["Subject"] = f"Re: [{self.club.known('tag', one.name.lower(), game)}] your turn"
        mail.set_content(text)
        mail.add_attachment(self.luck.randbytes(300_000), maintype="image", subtype="jpeg", filename="holiday.jpg")
        self.club.deliver(mail.as_bytes())
        self.club.now += 1
        if one.kind == "person":
            self.to_answer[str(mail["Message-ID"])] = one.address

    def forge(self) -> None:
        """Write mails in the name of others: strangers who did not ask, members, the club itself, mail servers."""
        self.victims += 1
        victim, member = f"v{self.victims}@victims.example", self.luck.choice(self.people)
        mails = [(victim, "JOIN", "hello"), (victim, "REGISTER Eve", "Re: [club/member#abcdefgh23456789] x")]
        mails += [(member.address, "SET address=eve@victims.example\nLEAVE", "Re: [club/member#abcdefgh23456789] x")]
        mails += [("club@example.org", "GAMES", ""), (member.address, "RESIGN", "Re: [x-1/red#abcdefgh23456789] x")]
        for sender, body, subject in self.luck.sample(mails, 3):
            self.club.mail(sender, body, game="new", Subject=subject or "x")
            self.attack.count("forged mails")
        self.club.deliver(bounce(f"<{self.luck.randbytes(16).hex()}@example.org>", member.address))

    # What they get

    def read(self, is_storm: bool = False) -> None:
        """Let mailboxes and their owners answer the letters of the last rounds."""
        letters, self.club.new = self.club.new, []
        for letter in letters:
            if not self.is_new(letter):
                continue
            to = str(letter.mail["To"]).lower()
            one = self.at.get(to)
            self.by_itself(letter, to, "absent" if one is None else one.kind)
            if one is not None and not is_storm:
                self.by_hand(one, letter)

    def is_new(self, letter: Letter) -> bool:
        """Look at a letter; return whether its mailbox has not had it before."""
        to, data = str(letter.mail["To"]).lower(), letter.mail.as_bytes()
        if self.letters.setdefault((to, str(letter.mail["Message-ID"])), data) is not data:
            assert self.letters[to, str(letter.mail["Message-ID"])] == data, "a letter has changed"
            self.attack.count("letters of a killed round again")
            return False
        self.answered.add((str(letter.mail["In-Reply-To"] or "").strip(), to))
        self.days[to, self.club.now // DAY] += 1
        parts = [str(part.get_content()) for part in letter.mail.walk() if part.get_content_maintype() == "text"]
        text = "\n".join([*(f"{name}: {value}" for name, value in letter.mail.items()), *parts])
        for word in CANARY.findall(text):
            assert to in ("gm@example.org", self.words[word]), (self.attack.told, to, word)
            self.attack.count("own words read again")
        for game, _, token in TAG.findall(text):
            assert self.owners.setdefault(token, to) in (to, "gm@example.org") or to == "gm@example.org", (game, token, to)
        return True

    def by_itself(self, letter: Letter, to: str, kind: str) -> None:
        subject, identifier = f"Re: {letter.mail['Subject']}", str(letter.mail["Message-ID"])
        head = {"Subject": subject, "In-Reply-To": identifier, "From": to}
        if kind == "responder":
            self.club.mail(to, "I am not here. I read your mail next week.", game="new", **head)
        elif kind == "echo":
            most = self.luck.choice(
                (300, 300, 300, 300, 100_000)
            )  # to read a whole report as orders takes a tenth of a second
            self.club.mail(to, f"Your mail has arrived:\n\n{letter.text[:most]}", game="new", **head)
        elif kind == "absent":
            self.club.mail(to, "I am not here.", game="new", **head, Auto_Submitted="auto-replied")
        elif kind == "bouncing" and self.at[to].seats:
            self.club.deliver(bounce(identifier, to))

    def by_hand(self, one: Person, letter: Letter) -> None:
        subject, thread = str(letter.mail["Subject"]), str(letter.mail["Message-ID"])
        answer = partial(self.write, one, game="new", must_answer=False, Subject=f"Re: {subject}", In_Reply_To=thread)
        if "please answer to register" in subject and one.kind not in ("responder", "echo"):
            answer(f"REGISTER {one.name}\n\nThanks, {self.canary(one)}\n")
        for game, seat, _ in TAG.findall(subject):
            if game == "club":
                one.is_member |= "welcome" in subject
            else:
                one.seats[game] = seat
        if "please confirm your place" in subject:
            answer(self.luck.choice(["Yes!", "I am in, thanks"]))
        if "your place is free again" in subject:
            one.has_joined = False

    def note_orders(self) -> None:
        """Each order that somebody wrote is the first of its seat since then, or waits until others have written."""
        for (name, seat), (begin, order) in list(self.due.items()):
            game = self.club.game(name)
            rows = [row for row in game.seen_by("moderator").log()[begin:] if row.seat == seat and row.order]
            if rows:
                assert (rows[0].written or rows[0].order).startswith(order), (self.attack.told, name, seat, order, rows[0])
                self.attack.count("orders carried out")
                del self.due[name, seat]
            else:
                assert game.is_over or seat in game.due_seats or seat in game.pending_counts, (
                    self.attack.told,
                    name,
                    seat,
                    order,
                )

    def round(self, kills: int) -> None:
        """Do a round: it is killed so often, and then a command of the moderator comes in its middle."""
        self.club.now += 12 * HOUR
        if self.club.now - self.saved > 6 * DAY:  # the doctor asks for a backup every week
            self.club.club("backup", f"../week{self.club.now}")
            self.saved = self.club.now
        for _ in range(kills):
            steps = Steps(kill_in=round(10 ** self.luck.uniform(0, 2.8)))
            ended = call_apart(self.club.folder, partial(self.club.next_round, code=None), steps)
            assert ended.code in (0, KILLED), ended
            self.attack.count("kills", ended.code == KILLED)
        games = {path.parent.name: self.club.game(path.parent.name) for path in self.club.folder.glob("games/*/game.json")}
        game = self.luck.choice([*sorted(name for name, one in games.items() if not one.is_over), ""])
        line = self.luck.choice([one for one in COMMANDS if game or "{game}" not in one])
        line = f"resume {self.paused}" if self.paused else line
        self.paused = game if line.startswith("pause") else ""
        seat = self.luck.choice(games[game].seats) if game else ""
        task, *words = shlex.split(line.format(game=game, seat=seat, number=self.attack.counts["commands during rounds"]))
        race(self.club, self.luck.randint(1, 60), "club", task, "thursday", *words)
        self.attack.count("commands during rounds")

    def end(self, rounds: int) -> None:
        """Let mailboxes that answer by themselves, and the club, write to each other, and look at all that took place."""
        attack, club = self.attack, self.club
        if self.paused:
            club.club("resume", self.paused)
        for _ in range(rounds):
            self.read(is_storm=True)
            club.now += 60
            club.next_round(code=None)
        club.now += DAY
        club.next_round()
        self.read(is_storm=True)
        missing = [(key, to) for key, to in self.to_answer.items() if (key, to) not in self.answered]
        assert not missing, (attack.told, missing)
        assert attack.counts["orders carried out"] and attack.counts["own words read again"]
        assert attack.counts["letters of a killed round again"] <= attack.counts["kills"] * isinstance(club, ServedClub)
        for (to, _), number in self.days.items():
            assert to == "gm@example.org" or number <= 75, (attack.told, to, number)
        status = json.loads(club.club("status", "--json").stdout)
        assert not [one for one in status["matters"] if "program failed" in one["what"] or "cannot run" in one["what"]]
        assert not [
            one for one in club.folder.glob("games/*/game.json") if not club.game(one.parent.name).audit().is_verified
        ]
        attack.count("games", len(list(club.folder.glob("games/*"))))
        attack.count("letters", len(self.letters))


def bounce(message_id: str, to: str) -> bytes:
    """Return the report of a mail server that the letter to an address did not arrive."""
    report = f"Final-Recipient: rfc822; {to}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\nMessage-ID: {message_id}\r\n"
    head = "From: mailer-daemon@mx.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=x"
    return f"{head}\r\n\r\n--x\r\n\r\n{report}--x--\r\n".encode()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(
    ("size", "steps", "kills", "rulesets"),
    [
        (4, 14, 1, ("checkered-flag",)),
        pytest.param(
            *(30, 40, 6, ("checkered-flag", "checkpoint-charlie", "checkpoint-rally", "great-race", "rally-round")),
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_season_of_strangers(
    *,
    attack: Attack,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    steps: int,
    kills: int,
    rulesets: tuple[str, ...],
) -> None:
    is_served = size == 30
    with ExitStack() as servers:
        club = Club(tmp_path)
        if is_served:
            imap, outgoing = servers.enter_context(dovecot()), servers.enter_context(smtp())
            club = ServedClub(tmp_path, box=servers.enter_context(imap.box()), smtp=outgoing)
        club.club("init", "--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")
        club.club("set", "pictures=none", "deadlines.nmr=bot", "deadlines.every=1 day", "limits.receipts=20")
        lists = "".join(f'\n[[people.open]]\nruleset = "{name}"\n' for name in rulesets)
        club.change("club.toml", "[incoming]", SETTINGS.format(lists=lists))
        if is_served:
            by_imap(club, imap, monkeypatch)
            by_smtp(club, outgoing.port)
        season = Season(attack, club, size)
        for number in range(attack.times(steps)):
            season.come(rulesets)
            season.play()
            if number % 2:
                season.forge()
            season.round(kills)
            season.note_orders()
            season.read()
        season.end(max(4, steps // 2))
        club.next_round(60)  # programs have answered the last letters
        assert not is_served or imap.count("INBOX") == 0
