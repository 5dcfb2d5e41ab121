"""A season of a club: a game of each ruleset, and players who answer what they are mailed, well or badly."""

from __future__ import annotations

import email
import re
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

from players_post import HOUR, Post, awaited, founded, legal

from adjudicator.audit.decide import audit_game
from adjudicator.club.ledger import MailState
from adjudicator.core.ruleset import Meta
from adjudicator.rulesets import metas

TAGGED = re.compile(r"\[([^/\]]+)/([^#\]]+)#([a-z0-9]+)\]")


@dataclass
class Season:
    """The club, its games, and the luck of its players."""

    post: Post
    luck: Random
    games: list[str] = field(default_factory=list)
    sent: int = 0

    def begin(self, most: int | None = None) -> None:
        """Take a game of each ruleset in, or of the first ``most``."""
        for number, (_, meta) in enumerate(sorted(metas(), key=lambda one: one[0])[:most]):
            assert isinstance(meta, Meta)
            seats = ("red", "blue", "green", "white", "black")[: max(2, meta.players[0])]
            secret = f"{number + 1:064x}"
            options = {"mode": "table", "kit": "deal"} if meta.id == "rally-round" else {}
            self.games.append(self.post.add(meta.id, *seats, game=f"{meta.id}-{number}", secret=secret, options=options))

    def answers(self) -> None:
        """Let the players whose orders are missing write, sometimes late, twice, with slips, or not at all."""
        for game in self.games:
            session = self.post.session(game)
            if session.rules.is_over(session.config, session.game.state):
                continue
            for seat in awaited(session):
                if self.luck.random() < 0.1:
                    continue  # the mail never comes
                order = self.luck.choice(legal(session, seat))
                turn = f"turn {session.valid_turns.turn_for(seat)}\n" if self.luck.random() < 0.5 else ""
                body = f"Hi,\n\n{turn}{order}\n\nBye"
                if self.luck.random() < 0.15:
                    body = body.replace(order, f"{order[:-1]}§{order[-1]}", 1)
                data = self.post.send(game, seat, body)
                self.sent += 1
                if self.luck.random() < 0.1:
                    self.post.deliver(data)
                if self.luck.random() < 0.1:
                    self.post.send(game, seat, self.luck.choice(["STATUS", "HELP", "RESEND", "PREVIEW\n" + order]))
                    self.sent += 1
                if self.luck.random() < 0.3:
                    self.post.send(game, seat, f"MESSAGE {self.luck.choice(['', 'anonymous '])}to all:\nnumber {self.sent}")
                    self.sent += 1

    def play(self, rounds: int) -> None:
        """Play so many rounds, half a day apart."""
        self.post.run()
        for _ in range(rounds):
            self.answers()
            done = self.post.run(after=12 * HOUR)
            assert done.troubles == (), done.troubles


def message(data: bytes) -> EmailMessage:
    return email.message_from_bytes(data, policy=policy.default)  # type: ignore[return-value]


def founded_season(folder: Path, luck: Random) -> Season:
    """Begin a club in which simulated players decide for those who miss a deadline, and messages come with the reports."""
    post = founded(folder)
    post.settings('press = "moderated"', 'press = "free"\npress_anonymous = true\npress_with_report = true')
    post.settings('pictures = "none"', 'pictures = "svg"')
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings('every = "3 days"\nat = "20:00"', 'every = "1 day"')
    post.settings("most_missing = 1", "most_missing = 5")
    return Season(post, luck)


def states(post: Post) -> Counter[str]:
    with closing(post.club.ledger()) as ledger:
        return Counter(state.value for state in MailState for _ in ledger.mails(state))


def require_sound(season: Season) -> None:
    """Every game is verified, and each mail of a player was taken, answered, or waits; none is forgotten."""
    sessions = [season.post.session(game) for game in season.games]
    for session in sessions:
        assert audit_game(session).divergence is None, session.game.id
    assert sum(len(session.game.journal) - 1 for session in sessions) >= len(sessions)
    found = states(season.post)
    assert sum(found.values()) == season.sent
    assert set(found) <= {"taken", "answered", "waiting"}
