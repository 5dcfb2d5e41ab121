"""Hostile mails to a club stop nothing, and what is in one seat's mails changes nothing that another seat is sent.

For the second, the same round takes place twice. One seat's mails differ in what stays hidden: remarks, quotes, mistakes,
orders that gave way or still wait, previews, commands. All that other seats are sent must be the same, byte for byte, and so
must their pages in the desk, and all that `club publish` writes but the calendar of that one seat.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path
from random import Random

import pytest

import adjudicator as adj
from tests.drivers.attacks import ODD_CHARACTERS, Attack, mutated_bytes, mutated_text, sizes
from tests.drivers.club import DAY, HOUR, Club
from tests.drivers.pages import GAMES

GAME = "secret"
SEATS = ("red", "blue", "green")
BOUNDARY = re.compile(r"={15}\d+==")
"""What the library for mails puts between the parts of one, by chance."""
TOKEN = re.compile(r"#([a-z2-7]{16})\b")
UNSIGNED = re.compile(r"(?s)(message without a name\r?\n.*?Message-ID: )<[0-9a-f]{32}@example.org>")
"""The name of a letter with a message without a name; only the secret of the ledger connects it with the writer's mail."""
SAFE = ("> my clue of {0}: CLUE grey\n", "> turn {0}\n> GEAR 1\n", ">> IF {0} THEN\n")
"""Lines that are no mistake, wherever they are."""
ANYWHERE = (*SAFE, "Hi {0},\n", "| {0}\n", "{0} is what I really want, mate!\n", "IF {0} THEN\n", "{0}: yes\n")
COMMANDS = ("STATUS", "HELP", "RESEND", "RULES {0}", "VOTE draw", "VOTE undo", "MESSAGE to moderator: I hold {0}\nEND")
COMMANDS += ("GAMES", "WHO {0}", "LEAVE {0}", "SET language=de", "JOIN {0}", "NEW {0} players=2")
Write = tuple[str, str, dict[str, str]]
"""A mail: its seat, its text, and what is unusual in its head."""


def stage(name: str, top: Path) -> Club:
    """Return a club with one game of the ruleset ``name``, whose players are members."""
    top.mkdir()
    club = Club(top)
    club.club("init", "--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")
    club.club("set", "press=free", "press_anonymous=true", "pictures=none", "people.join=true", "people.new=true")
    (club.folder / "desk").mkdir()
    (club.folder / "desk" / "index.html").write_text("<title>The desk</title>")
    club.change("club.toml", "[incoming]", '[desk]\nfolder = "desk"\naddress = "https://c.example/"\n\n[incoming]')
    options = {"mode": "table", "kit": "deal"} if name == "rally-round" else {}
    least, most = next(meta.players for meta in adj.installed_games() if meta.id == name)
    club.add(name, *SEATS[: max(least, min(3, most))], game=GAME, **options)
    club.round()
    for seat in club.game(GAME).seats:
        club.mail(seat, "GAMES", game=GAME)
    club.round(HOUR)
    return club


def legal(game: adj.Game, seat: str) -> list[str]:
    return [
        row.order for row in (game.seen_by(seat).legal if seat in game.due_seats else game.seen_by(seat).legal_ahead or ())
    ]


class Writer:
    """Writes the mails of players at the position of a game."""

    def __init__(self, game: adj.Game, luck: Random) -> None:
        self.game, self.luck = game, luck
        self.orders = {seat: legal(game, seat) for seat in game.seats}

    def pair(self) -> tuple[str, list[Write], list[Write]]:
        """Return a seat and the mails of two worlds that are the same to all others: the game goes on or waits alike."""
        luck, due = self.luck, self.game.due_seats
        secret = luck.choice(due if luck.random() < 0.7 else self.game.seats)
        others = [seat for seat in due if seat != secret]
        blocker = luck.choice(others) if others and luck.random() < 0.5 else ""
        rest = [mail for seat in self.game.seats if seat != secret for mail in self._others(seat, blocker)]
        luck.shuffle(rest)
        rest = [(seat, text, {"Message-ID": f"<{number}@x>"}) for number, (seat, text, _) in enumerate(rest)]
        if blocker:  # the game waits for another seat
            own: Callable[[], list[Write]] = lambda: self._anything(secret)  # noqa: E731
        elif secret in due and luck.random() < 0.5:  # the last order is the same
            last = luck.choice(self.orders[secret])
            own = lambda: [*self._anything(secret), self._sound(secret, last)]  # noqa: E731
        else:  # nothing of it can be carried out
            own = lambda: [self._idle(secret) for _ in range(luck.randint(0, 3))]  # noqa: E731
        at = luck.randint(0, len(rest))
        here, there = ([*rest[:at], *own(), *rest[at:]] for _ in range(2))
        return secret, here, there

    def _others(self, seat: str, blocker: str) -> Iterator[Write]:
        if self.luck.random() < 0.4:
            yield self._idle(seat)
        if seat in self.game.due_seats and seat != blocker and self.luck.random() < 0.9:
            yield self._sound(seat, self.luck.choice(self.orders[seat]))

    def _anything(self, seat: str) -> list[Write]:
        """Return any mails, perhaps none: the game waits for another seat, or for the last mail of this one."""
        mails = [self._idle(seat) for _ in range(self.luck.randint(0, 2))]
        if self.orders[seat]:
            mails += [self._sound(seat, self.luck.choice(self.orders[seat])) for _ in range(self.luck.randint(0, 2))]
        self.luck.shuffle(mails)
        return mails

    def _idle(self, seat: str) -> Write:
        """Return a mail of which nothing can be carried out: a mistake, a command, a preview, a stranger's, a withdrawal."""
        order = self.luck.choice(self.orders[seat] or ["GO"])
        match self.luck.randrange(5):
            case 0:
                return seat, f"{order[:2]}§{self.canary()}{order[2:]}\n{self._noise(ANYWHERE)}", {}
            case 1:
                return seat, self.luck.choice(COMMANDS).format(self.canary()) + "\n", {}
            case 2:
                return seat, f"PREVIEW\n{self.luck.choice([order, f'X{self.canary()}'])}\n{self._noise(ANYWHERE)}", {}
            case 3:
                heads = [{"From": "mallory@example.net"}, {"Subject": "orders"}, {"Subject": f"[x/{seat}#abcd2345]"}]
                return seat, f"§{self.canary()}\n", self.luck.choice(heads)
            case _:
                return seat, f"WITHDRAW\n{self._noise(SAFE)}", {}

    def _noise(self, lines: tuple[str, ...]) -> str:
        chosen = [one.format(self.canary()) for one in self.luck.sample(lines, 2)]
        return "".join(chosen[: self.luck.randint(0, 2)])

    def canary(self) -> str:
        return "Zq" + "".join(self.luck.choices("bcdfghjkmpqrtvwxz", k=8))

    def _sound(self, seat: str, order: str) -> Write:
        greeting = f"Hi {self.canary()},\n" if self.luck.random() < 0.5 else ""
        quote = f"On Monday {self.canary()} wrote:\n> {self.canary()}\n" if self.luck.random() < 0.5 else ""
        return seat, f"{greeting}{self._noise(SAFE)}\n{order}\n\n{quote}-- \n{self.canary()}\n", {}


def sent(before: Club, top: Path, mails: list[Write], later: list[Write], *secret: str) -> list[str]:
    """Return what all but the ``secret`` seats can read after a copy of the club got ``mails``, and ``later`` others."""
    club = before.copied(top)
    for number, (seat, text, head) in enumerate(mails):
        club.mail(seat, text, game=GAME, **({"Message-ID": f"<{top.name}{number}@x>", "In-Reply-To": ""} | head))
    club.round(HOUR)
    letters = list(club.new)
    for seat, text, head in later:
        club.mail(seat, text, game=GAME, **({"In-Reply-To": ""} | head))
    club.round(HOUR)
    letters += club.new
    club.round(2 * DAY + 10 * HOUR)  # those whose orders are missing are reminded
    letters += club.new
    hidden = {f"{seat}@example.org" for seat in secret} | {"gm@example.org", "mallory@example.net"}
    found, pages = [], set[str]()
    for letter in letters:
        if str(letter.mail["To"]).lower() not in hidden:
            text = BOUNDARY.sub("", letter.mail.as_string())
            found.append(UNSIGNED.sub(r"\1", text))
            pages |= set(re.findall(r"#file=3?D?([a-z2-7]{24})/", text))
    for name in sorted(pages):
        found += [f"{path.name}\n{path.read_text()}" for path in sorted((club.folder / "desk" / name).glob("*.*"))]
    club.command("club", "publish", "thursday", "-o", "everybody")
    public = sorted(path for path in (club.top / "everybody").rglob("*") if path.is_file())
    found += [f"{path.name}\n{path.read_text()}" for path in public]
    shutil.rmtree(top)
    return sorted(found)


def require_same(attack: Attack, here: list[str], there: list[str], *about: object) -> None:
    differing = [(one, other) for one, other in zip(here, there, strict=False) if one != other]
    lines = [*unified_diff(*(one.splitlines() for one in (differing or [("", "")])[0]), lineterm="", n=3)]
    assert len(here) == len(there) and not differing, (attack.told, *about, "\n".join(lines[:80]))
    attack.count("letters and pages compared", len(here))


def looks(game: adj.Game, luck: Random, *secret: str) -> list[Write]:
    """Return what other players write when the mails were answered: they look for something that they should not know."""
    found: list[Write] = []
    for seat in game.seats:
        if seat not in secret:
            order = luck.choice(legal(game, seat) or ["GO"])
            text = luck.choice(["STATUS", "RESEND", f"PREVIEW\n{order}", "HELP", "§§§"])
            found.append((seat, text, {"Message-ID": f"<later-{seat}@x>"}))
    return found


def play_on(club: Club, luck: Random, rounds: int) -> None:
    for _ in range(rounds):
        game = club.game(GAME)
        for seat in game.due_seats:
            club.mail(seat, luck.choice(legal(game, seat)), game=GAME)
        club.round(HOUR)


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        case
        for name in GAMES
        for case in sizes(1, 2_000, name)[0 if name in ("checkpoint-charlie", "checkpoint-rally") else 1 :]
    ],
)
def test_no_seat_learns_what_is_in_the_mail_of_another(attack: Attack, tmp_path: Path, name: str, whole: int) -> None:
    club = stage(name, tmp_path / "club0")
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        play_on(club, luck, luck.randint(0, 2))
        if club.game(GAME).is_over or number % 100 == 99:
            club = stage(name, tmp_path / f"club{number + 1}")
        secret, here, there = Writer(club.game(GAME), luck).pair()
        after = looks(club.game(GAME), luck, secret)
        worlds = [sent(club, tmp_path / world, mails, after, secret) for world, mails in (("a", here), ("b", there))]
        require_same(attack, *worlds, secret, here, there)
        attack.count("rounds")


@pytest.mark.parametrize(("name", "whole"), sizes(1, 500, "checkpoint-charlie"))
def test_nobody_learns_who_wrote_a_message_without_a_name(attack: Attack, tmp_path: Path, name: str, whole: int) -> None:
    """Two players write the same messages, in each world another one of them."""
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        club = stage(name, tmp_path / f"club{number}")
        play_on(club, luck, luck.randint(0, 1))
        game = club.game(GAME)
        first, second, *others = luck.sample(game.seats, len(game.seats))
        writer = Writer(game, luck)
        rest = [writer._sound(seat, writer.orders[seat][0]) for seat in game.due_seats]
        rest = [(seat, text, {"Message-ID": f"<{at}@x>"}) for at, (seat, text, _) in enumerate(rest)]
        texts = [
            f"MESSAGE anonymous to {luck.choice(('all', *others))}: {writer.canary()}" for _ in range(luck.randint(1, 4))
        ]
        after, worlds = looks(game, luck, first, second), []
        for world in "ab":
            mails = list(rest)
            for at, text in enumerate(texts):
                own = luck.choice((first, second)), text, {"Message-ID": f"<unsigned-{at}@x>"}
                mails.insert(luck.randint(0, len(mails)), own)
            worlds.append(sent(club, tmp_path / world, mails, after, first, second))
        attack.count("messages that came", sum("without a name" in letter for letter in worlds[0]))
        require_same(attack, *worlds, first, second, texts)


# Hostile mails

DAYS = (
    *("2026-03-03", "2026-03-05", "2026-04-30", "2027-03-02", "9999-12-31", "9999-12-30", "9000-12-30", "0001-01-01"),
    *("0000-00-00", "2026-02-30", "2026-13-01", "1969-12-31", "10000-01-01", "-001-01-01", "٢٠٢٦-٠٣-٠٥"),
)
HOSTILE = (
    *(
        "HOLIDAY {day} to {day}",
        "HOLIDAY from {day} until {day}.",
        "HOLIDAY {day}",
        "MESSAGE to all: {odd}",
        "MESSAGE to {odd}: x",
    ),
    *("MESSAGE anonymous to {seat}, {seat}: {odd}", "MESSAGE anonymous{odd} to all: x", "MESSAGE to {seat}:\n{odd}\nEND"),
    *(
        "MESSAGE to moderator: {day}",
        "STATUS",
        "RESEND",
        "HELP",
        "RULES {odd}",
        "PREVIEW",
        "RESIGN",
        "VOTE draw",
        "VOTE {odd}",
    ),
    *(
        "GAMES",
        "JOIN",
        "JOIN {odd}",
        "JOIN checkered-flag",
        "JOIN {seat} as {seat}",
        "LEAVE {odd}",
        "WHO {odd}",
        "STANDIN {odd}",
    ),
    *("REGISTER {odd}", "REGISTER {seat}", "NEW {odd}", "NEW great-race players=3", "NEW great-race {odd}=1", "WITHDRAW 1"),
    *(
        "SET name={odd}",
        "SET language={odd}",
        "SET {odd}={odd}",
        "PICK BC",
        "game {odd}",
        "turn {day}",
        "{seat}:",
        "END",
        "-- ",
    ),
    *("IF {odd} THEN DRAW", "DRAW [{odd}]"),
)
FIELDS = ("From", "To", "Subject", "Message-ID", "Date", "References", "Reply-To", "Content-Type", "Received", "Return-Path")


def hostile_mail(luck: Random, club: Club, games: list[str]) -> None:
    """Deliver a mail that a player or a stranger may send, changed in its head, its bytes, or not at all."""
    name = luck.choice(games)
    game = club.game(name)
    orders, lines = [order for seat in game.seats for order in legal(game, seat)[:40]] or ["DRAW"], []
    for _ in range(luck.randint(1, 8)):
        line = luck.choice(orders) if luck.random() < 0.4 else luck.choice(HOSTILE)
        while "{" in line:
            odd = "".join(luck.choices(ODD_CHARACTERS, k=luck.randint(0, 5))).replace("{", "")
            line = line.replace("{day}", luck.choice(DAYS), 1)
            line = line.replace("{odd}", odd, 1).replace("{seat}", luck.choice(game.seats), 1)
        lines.append(mutated_text(luck, line, 1).replace("{", "") if luck.random() < 0.3 else line)
    text = "\n".join(lines).encode("utf-8", "replace").decode()
    deliver, kept = club.deliver, list[bytes]()
    club.deliver = kept.append  # type: ignore[assignment,method-assign]
    club.mail(luck.choice(game.seats), text, game=name)
    club.deliver = deliver  # type: ignore[method-assign]
    (data,) = kept
    body = data.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    match luck.randrange(6):
        case 0:
            data = mutated_bytes(luck, data, luck.choice((1, 5, 40)))
        case 1:
            value = mutated_text(luck, "".join(luck.choices(("red@example.org", "<", ">", "=?", "(", '"', "\n ", "x"), k=5)))
            data = f"{luck.choice(FIELDS)}: {value}\n".encode("utf-8", "replace") + data
        case 2:
            sender = luck.choice(("ann@example.net", "red@example.org", mutated_text(luck, "x@example.net", 1)))
            data = b"From: " + sender.encode("utf-8", "replace") + b"\nSubject: hello\n\n" + body
    club.deliver(data)


@pytest.mark.parametrize(("whole", "days"), [(1, 2), pytest.param(1_000, 4, marks=pytest.mark.soak)])
def test_no_mail_stops_the_club(attack: Attack, tmp_path: Path, whole: int, days: int) -> None:
    """After days of hostile mails every mail is settled, once, no game stands still, and the moderator hears of no failure.

    No letter has the token of somebody else.
    """
    begin = stage("checkpoint-charlie", tmp_path / "begin")
    begin.change("club.toml", "[incoming]", '[[people.open]]\nruleset = "checkered-flag"\n\n[incoming]')
    begin.add("checkered-flag", "red", "blue", game="race")
    begin.round(HOUR)
    tags = ((who.removesuffix("@example.org"), tag) for who, known in begin.tags.items() for tag in known.values())
    owners = {tag.partition("#")[2]: who for who, tag in tags if "#" in tag}
    assert len(owners) > 4
    for number in range(attack.times(whole)):
        luck, club = attack.next_round(), begin.copied(tmp_path / f"{number}")
        for _ in range(days):
            for _ in range(12):
                hostile_mail(luck, club, [GAME, "race"])
                attack.count("mails")
            club.round(DAY, code=None)
        assert not [path for path in (club.folder / "inbox" / "new").iterdir() if path.is_file()], attack.told
        club.new, club.seen = [], set(begin.seen)
        club.read_letters()
        answers = Counter((one.to, str(one.mail["In-Reply-To"]), one.subject, one.text) for one in club.new)
        twice = [one for one, times in answers.items() if times > 1 and "@players" in one[1] and "sent again" not in one[2]]
        assert not twice, (attack.told, twice)
        for letter, token in (
            (one, token) for one in club.new for token in TOKEN.findall(f"{one.mail['Subject']}\n{one.text}")
        ):
            assert owners.get(token, letter.to) in (letter.to, "gm"), (attack.told, letter.to, token)
            attack.count("tokens looked at")
        attack.count("letters", len(club.new))
        status = json.loads(club.club("status", "--json").stdout)
        bad = [one for one in status["matters"] if "program failed" in one["what"] or "cannot run" in one["what"]]
        assert not bad, (attack.told, bad)
        assert all(one["deadline"] is None or one["deadline"] < club.now + 100 * DAY for one in status["club_games"]), (
            attack.told
        )
        assert all(club.game(name).audit().is_verified for name in (GAME, "race"))
        attack.count("matters for the moderator", len(status["matters"]))
        shutil.rmtree(club.top)
