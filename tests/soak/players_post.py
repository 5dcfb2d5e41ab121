"""A club in a folder, its players' mails, and what they get: everything by files, at times that the test says."""

from __future__ import annotations

import email
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import Any

from play import begin

from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import MailState
from adjudicator.club.manage import add_game, begin_club, change_game
from adjudicator.club.players import seat_player
from adjudicator.club.run import Round, run_once
from adjudicator.core.ids import Seat
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

START = 1_772_452_800
"""Monday, 2 March 2026, noon UTC."""
HOUR = 3600
DAY = 24 * HOUR
TAG = re.compile(r"\[[^\]]*\]")


@dataclass
class Post:
    """A club, its clock, and the mails on their way."""

    folder: Path
    now: int = START
    numbers: Iterator[int] = field(default_factory=count)
    seen: set[str] = field(default_factory=set)

    @property
    def club(self) -> ClubFolder:
        return ClubFolder(self.folder)

    def copied(self, folder: Path) -> Post:
        """Return a copy of the club in ``folder``: to begin one takes longer than most tests."""
        shutil.copytree(self.folder, folder)
        return Post(folder, self.now, count(next(self.numbers)), set(self.seen))

    def settings(self, old: str, new: str, game: str = "") -> None:
        """Change `club.toml`, or the settings of a game."""
        path = self.folder / "games" / game / "game.toml" if game else self.folder / "club.toml"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def give_desk(self, address: str = "https://club.example.org/desk/", folder: Path | None = None) -> None:
        """Let the club write pages into ``folder``, or else into a folder of its own with all that it needs of a desk."""
        place = folder or Path("public", "desk")
        self.settings("[incoming]", f'[desk]\nfolder = "{place}"\naddress = "{address}"\n\n[incoming]')
        if folder is None:
            (self.folder / place).mkdir(parents=True)
            (self.folder / place / "index.html").write_text("<title>The desk</title>")

    def pages(self) -> dict[str, bytes]:
        """Return the files of all pages in the desk of the club by name: `NAME/GAME.json`, `NAME/GAME.html`."""
        desk = self.folder / "public" / "desk"
        files = [path for path in sorted(desk.glob("*/*")) if path.suffix in (".json", ".html")]
        return {path.relative_to(desk).as_posix(): path.read_bytes() for path in files}

    def add(self, rules: str, *seats: str, game: str = "", **choices: Any) -> str:
        """Take a new game into the club; each seat's player writes from SEAT@example.org."""
        session = begun(rules, seats, game or rules, **choices)
        path = self.folder / "new.json"
        path.write_bytes(dump_game(session.game))
        return add_game(self.club, path, {seat: f"{seat}@example.org" for seat in seats})

    def seat(self, game: str, seat: str, name: str, address: str) -> None:
        """Give a seat to another player."""
        with closing(self.club.ledger()) as ledger, change_game(self.club, ledger, game):
            seat_player(self.club, ledger, game, seat, name, address, self.now)

    def session(self, game: str) -> Session:
        return open_session(load_game(self.folder / "games" / game / "game.json"))

    def tag(self, game: str, seat: str) -> str:
        return f"[{game}/{seat}#{self.club.settings_of(game).seats[seat].token}]"

    def send(self, game: str, seat: str, body: str, **changes: str) -> bytes:
        """Deliver a mail of the player of a seat, answering the last that came; ``changes`` are of its head."""
        number = next(self.numbers)
        message = EmailMessage(policy.SMTP)
        head = {
            "From": f"{seat}@example.org",
            "To": "club@example.org",
            "Subject": f"Re: {self.tag(game, seat)} your turn" if game else "hello",
            "Message-ID": f"<{number}@players.example>",
            "Date": "Mon, 02 Mar 2026 12:00:00 +0000",
        } | {name.replace("_", "-"): value for name, value in changes.items()}
        for name, value in head.items():
            if value:
                message[name] = value
        message.set_content(body)
        data = message.as_bytes()
        self.deliver(data)
        return data

    def deliver(self, data: bytes) -> None:
        number = next(self.numbers)
        path = self.folder / "inbox" / "new" / f"{self.now}.{number:06}.host"
        path.write_bytes(data)
        import os

        os.utime(path, (self.now, self.now))

    def run(self, *, after: int = 0) -> Round:
        """Let some seconds go by, and do one round."""
        self.now += after
        return run_once(self.club, self.now)

    def mails(self) -> list[EmailMessage]:
        """Return the mails that have gone out since the last call, in no order."""
        found = []
        for path in sorted((self.folder / "outgoing").glob("*.eml")):
            if path.name not in self.seen:
                self.seen.add(path.name)
                found.append(email.message_from_bytes(path.read_bytes(), policy=policy.default))
        return found  # type: ignore[return-value]

    def got(self) -> dict[str, str]:
        """Return the new mails as texts: `red: your mail` to what it says; more than one of a kind is a mistake."""
        found: dict[str, str] = {}
        for mail in self.mails():
            to, subject = str(mail["To"]).partition("@")[0], TAG.sub("", str(mail["Subject"])).strip()
            key = f"{to}: {subject}"
            assert key not in found, key
            found[key] = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
        return found


def begun(rules: str, seats: tuple[str, ...], game: str, **choices: Any) -> Session:
    return begin(rules, " ".join(f"{seat}={seat.title()}" for seat in seats), id=game, **{"secret": "ab" * 32, **choices})


def founded(folder: Path) -> Post:
    begin_club(folder, name="Thursday club", address="club@example.org", moderator="gm@example.org", time_zone="UTC")
    post = Post(folder)
    post.settings('pictures = "png"', 'pictures = "none"')  # they take time, and few tests look at them
    return post


def club_with_game(folder: Path, ruleset: str, *seats: str, game: str, settings: str = "") -> Post:
    """Begin a club in ``folder`` with a game whose first reports are read; ``settings`` replace those about messages."""
    post = founded(folder)
    if settings:
        post.settings('press = "moderated"', settings)
    post.add(ruleset, *seats, game=game)
    post.run()
    post.mails()
    return post


def legal(session: Session, seat: str) -> list[str]:
    rules = session.rules
    return [rules.language.text(order) for order in rules.legal(session.config, session.game.state, Seat(seat))]


def awaited(session: Session) -> list[str]:
    return list(dict.fromkeys(one.seat for one in session.rules.awaiting(session.config, session.game.state)))


def matters(post: Post) -> list[str]:
    """Return what waits for the moderator, in words."""
    with closing(post.club.ledger()) as ledger:
        return [one.words for one in ledger.matters()]


def states(post: Post) -> list[str]:
    """Return the state of every mail."""
    with closing(post.club.ledger()) as ledger:
        return [state.value for state in MailState for _ in ledger.mails(state)]
