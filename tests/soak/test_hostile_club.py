"""Hostile mails to a club, with right tokens and wrong ones: none stops the club, a game, or the mail of another player."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from attack import ODD_CHARACTERS, Attack, mutated_bytes, mutated_text
from outcome import games

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, Post, awaited, legal
from season import founded_season, states

DAYS = (
    *("2026-03-03", "2026-03-05", "2026-04-30", "2026-05-01", "2027-03-02", "9999-12-31", "9999-12-30", "9000-12-30"),
    *("0001-01-01", "0000-00-00", "2026-02-30", "2026-13-01", "1969-12-31", "10000-01-01", "-001-01-01", "٢٠٢٦-٠٣-٠٥"),
)
COMMANDS = (
    *("HOLIDAY {day} to {day}", "HOLIDAY {day} to {day}", "HOLIDAY from {day} until {day}.", "HOLIDAY {day}"),
    *("MESSAGE anonymous to {seat}, {seat}: {odd}", "MESSAGE anonymous{odd} to all: x", "MESSAGE to {seat},{odd}: x"),
    *("MESSAGE to all: {odd}", "MESSAGE to {seat}:\n{odd}\nEND", "MESSAGE to moderator: {day}", "MESSAGE to {odd}: x"),
    *("STATUS", "RESEND", "HELP", "RULES", "RULES {odd}", "PREVIEW", "RESIGN", "VOTE draw", "VOTE undo", "VOTE {odd}"),
    *("GAMES", "JOIN", "JOIN {odd}", "JOIN checkered-flag", "JOIN {seat} as {seat}", "LEAVE", "LEAVE {odd}", "WHO {odd}"),
    *(
        "REGISTER {odd}",
        "REGISTER {seat}",
        "STANDIN {odd}",
        "NEW {odd}",
        "NEW great-race players=3",
        "NEW great-race {odd}=1",
    ),
    *("SET name={odd}", "SET language={odd}", "SET format={odd}", "SET {odd}={odd}"),
    *("PICK BC", "WITHDRAW 1", "game {odd}", "turn {day}", "{seat}:", "END", "-- ", "IF {odd} THEN DRAW", "DRAW [{odd}]"),
)
FIELDS = ("From", "To", "Subject", "Message-ID", "Date", "References", "Reply-To", "Content-Type", "Received", "Return-Path")
OFFER = """[people]
join = true
new = true
confirm = "6 hours"

[[people.open]]
ruleset = "checkered-flag"

[incoming]"""
MAILS = 12
"""Mails of one day."""


def hostile_body(luck: Random, post: Post, game: str) -> str:
    """Return a text of orders and commands; most lines are odd or changed."""
    session = post.session(game)
    seats = awaited(session)
    orders = legal(session, seats[0])[:200] if seats else ["DRAW"]
    lines = []
    for _ in range(luck.randint(1, 8)):
        line = luck.choice(orders) if luck.random() < 0.4 else luck.choice(COMMANDS)
        while "{" in line:
            odd = "".join(luck.choices(ODD_CHARACTERS, k=luck.randint(0, 5)))
            line = line.replace("{day}", luck.choice(DAYS), 1)
            line = line.replace("{odd}", odd, 1).replace("{seat}", luck.choice(session.seats), 1)
        lines.append(mutated_text(luck, line, 1) if luck.random() < 0.3 else line)
    return "\n".join(lines).encode("utf-8", "replace").decode()


def hostile_mail(luck: Random, post: Post) -> bytes:
    """Return a mail that a player or a stranger may send, changed in its head, its bytes, or not at all."""
    game = luck.choice(post.club.games)
    deliver, kept = post.deliver, list[bytes]()
    post.deliver = kept.append  # type: ignore[method-assign]
    data = post.send(game, luck.choice(post.session(game).seats), hostile_body(luck, post, game))
    post.deliver = deliver  # type: ignore[method-assign]
    match luck.randrange(7):
        case 5:  # a stranger, or somebody in the name of another
            sender = luck.choice(
                ("ann@example.net", "bob@example.net", "red@example.org", mutated_text(luck, "x@example.net", 1))
            )
            return b"From: " + sender.encode("utf-8", "replace") + b"\nSubject: hello\n\n" + body_of(data)
        case 6:  # a member
            with closing(post.club.ledger()) as ledger:
                people = [one for name in ("ann", "bob") if (one := ledger.person_at(f"{name}@example.net"))]
            if not people:
                return data
            person = luck.choice(people)
            head = f"From: {person.address}\nSubject: [club/member#{person.token}]\n\n"
            return head.encode() + body_of(data)
        case 0:
            return mutated_bytes(luck, data, luck.choice((1, 5, 40)))
        case 1:
            value = mutated_text(luck, "".join(luck.choices(("red@example.org", "<", ">", "=?", "(", '"', "\n ", "x"), k=5)))
            return f"{luck.choice(FIELDS)}: {value}\n".encode("utf-8", "replace") + data
        case _:
            return data


def body_of(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").partition(b"\n\n")[2]


@pytest.mark.parametrize(("whole", "most", "days"), [(1, 2, 2), pytest.param(1_000, None, 4, marks=pytest.mark.soak)])
def test_no_mail_stops_the_club(attack: Attack, tmp_path: Path, whole: int, most: int | None, days: int) -> None:
    """After days of hostile mails every mail is settled, no game stands still, and the moderator hears of no failure."""
    season = founded_season(tmp_path / "club", Random(attack.seed))
    season.post.settings("[incoming]", OFFER)
    season.begin(most)
    season.post.run()
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        post = Post(tmp_path / f"{number}", now=season.post.now)
        shutil.copytree(season.post.folder, post.folder)
        for _ in range(days):
            for _ in range(MAILS):
                post.deliver(hostile_mail(luck, post))
                attack.count("mails")
            done = post.run(after=DAY)
            assert done.troubles == (), (attack.told, done.troubles)
        require_unharmed(attack, post)
        shutil.rmtree(post.folder)


def require_unharmed(attack: Attack, post: Post) -> None:
    with closing(post.club.ledger()) as ledger:
        matters = [matter.words for matter in ledger.matters()]
        rows = ledger.games().values()
    bad = [words for words in matters if "the program failed" in words or "cannot run" in words]
    assert not bad, (attack.told, bad)
    attack.count("matters for the moderator", len(matters))
    found = states(post)
    assert "kept" not in found, attack.told
    for state, times in found.items():
        attack.count(f"mails {state}", times)
    assert max(row.due for row in rows) < post.now + 100 * DAY, attack.told
    attack.count("orders in the games", sum(len(game.journal) - 1 for game in games(post).values()))
