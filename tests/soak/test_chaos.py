"""An hour of a club in which calls to files, SQLite and mail fail: in the end all is the same."""

from __future__ import annotations

import builtins
import errno
import io
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread, get_ident
from typing import Any

import pytest
from attack import Attack
from outcome import addressed, games, ledger, letters
from stopping import CALLS

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import HOUR, Post, awaited, founded, legal

from adjudicator.club import database
from adjudicator.club import post as posting
from adjudicator.club.run import run_again
from adjudicator.mail.incoming import MailboxError, Maildir
from adjudicator.mail.smtp import Fate, Handover

PERIOD = 360
"""Seconds in which players write once: first their orders, then, when half of it is over, commands."""
DISK = (errno.ENOSPC, errno.EIO)
SQLITE = {
    sqlite3.SQLITE_FULL: "database or disk is full",
    sqlite3.SQLITE_IOERR: "disk I/O error",
    sqlite3.SQLITE_BUSY: "database is locked",
}
GAMES = {
    "checkered-flag": ("red", "blue"),
    "checkpoint-charlie": ("red", "blue", "green"),
    "checkpoint-rally": ("red", "blue"),
}
COMMANDS = ("STATUS", "RESEND", "RULES", "HOLIDAY 2026-03-20 to 2026-03-25", "MESSAGE to moderator: hello", "VOTE draw")
COMMANDS += ("MESSAGE to all: hello", "MESSAGE anonymous to all: hello")

Mails = list[tuple[int, bytes]]


class Chaos:
    """Lets calls of this thread fail while it rages; ``luck`` says which, ``attack`` counts them.

    Threads that other tests have left, such as those of Dask, read files, too: they would use up the luck.
    """

    def __init__(self, luck: Random, attack: Attack, rate: float) -> None:
        self.luck, self.attack, self.rate = luck, attack, rate
        self.rages, self.thread = False, get_ident()

    def strikes(self, kind: str) -> bool:
        """Return whether a call of this kind fails now."""
        is_hit = self.rages and get_ident() == self.thread and self.luck.random() < self.rate
        if is_hit:
            self.attack.count(f"{kind} failed")
        return is_hit

    @contextmanager
    def raging(self) -> Iterator[None]:
        self.rages = True
        try:
            yield
        finally:
            self.rages = False

    def unleash(self, patch: pytest.MonkeyPatch) -> None:
        """Put itself before all calls that may fail."""
        for kind, (module, name) in CALLS.items():
            patch.setattr(module, name, self._file_call(kind, getattr(module, name)))
        patch.setattr(builtins, "open", io.open)
        patch.setattr(database.sqlite3, "connect", partial(sqlite3.connect, factory=self._connection()))
        patch.setattr(Maildir, "fetch", self._mail_call("fetch", Maildir.fetch))
        patch.setattr(Maildir, "put_away", self._mail_call("put away", Maildir.put_away))
        into_folder = posting._into_folder
        patch.setattr(posting, "_into_folder", lambda club: self._sending(into_folder(club)))

    def _file_call(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*given: Any, **named: Any) -> Any:
            if self.strikes(kind):
                if kind == "write":
                    call(given[0], given[1][: len(given[1]) // 2])
                raise OSError(self.luck.choice(DISK), "chaos")
            return call(*given, **named)

        return tried

    def _connection(self) -> type[sqlite3.Connection]:
        chaos = self

        class Connection(sqlite3.Connection):
            def execute(self, *given: Any) -> sqlite3.Cursor:
                if chaos.strikes("SQLite"):
                    code = chaos.luck.choice(list(SQLITE))
                    error = sqlite3.OperationalError(SQLITE[code])
                    error.sqlite_errorcode = code
                    raise error
                return super().execute(*given)

        return Connection

    def _mail_call(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*given: Any) -> Any:
            if self.strikes(kind):
                raise MailboxError("chaos")
            return call(*given)

        return tried

    def _sending(self, send: posting.Send) -> posting.Send:
        def tried(to: str, data: bytes, message_id: str) -> Handover:
            return Handover(Fate.LATER, "451 chaos") if self.strikes("send") else send(to, data, message_id)

        return tried


def begun(folder: Path, names: Iterable[str]) -> Post:
    """Return a club at a quarter past twelve, when games of these ``names`` begin; their orders are due at one o'clock."""
    post = founded(folder)
    post.settings('press = "moderated"', 'press = "free"\npress_anonymous = true\npress_with_report = true')
    post.settings('every = "3 days"\nat = "20:00"', 'every = "20 minutes"\nat = "13:00"')
    post.settings(
        'grace = "12 hours"\nwarn = "24 hours"\nnmr = "wait"', 'grace = "0 hours"\nwarn = "5 minutes"\nnmr = "bot"'
    )
    post.settings("most_missing = 1", "most_missing = 5")
    post.give_desk()
    for number, rules in enumerate(names):
        post.add(rules, *GAMES[rules], game=f"game-{number}", secret=f"{number + 1:064x}")
    post.now += 900
    post.run()
    return post


def write_orders(post: Post, luck: Random) -> None:
    """Let most awaited players write, but none from half past to the full hour: so some miss the deadline."""
    if post.now % HOUR >= 1800:
        return
    for game in post.club.games:
        session = post.session(game)
        for seat in awaited(session):
            if luck.random() < 0.9:
                turn = session.valid_turns.turn_for(seat)
                post.send(game, seat, f"Hi,\n\nturn {turn}\n{luck.choice(legal(session, seat))}\n\nBye")


def write_commands(post: Post, luck: Random) -> None:
    for game in post.club.games:
        if luck.random() < 0.5:
            post.send(game, luck.choice(post.session(game).seats), luck.choice(COMMANDS))


def undisturbed(post: Post, luck: Random, step: int) -> Mails:
    """Let the hour pass, with a round every ``step`` seconds; return the mails that came, each with its time."""
    mails: Mails = []
    deliver = post.deliver

    def noted(data: bytes) -> None:
        mails.append((post.now, data))
        deliver(data)

    post.deliver = noted  # type: ignore[method-assign]
    for _ in range(HOUR // PERIOD):
        for write in (write_orders, write_commands):
            write(post, luck)
            for _ in range(PERIOD // 2 // step):
                assert post.run(after=step).troubles == ()
    return mails


def disturbed(post: Post, mails: Mails, step: int, chaos: Chaos, attack: Attack) -> None:
    """Let the same hour pass with the same mails; only the last round before players write again is calm."""
    left, club = list(mails), post.club
    for _ in range(2 * HOUR // PERIOD):
        while left and left[0][0] == post.now:
            post.deliver(left.pop(0)[1])
        rounds = PERIOD // 2 // step
        for number in range(rounds):
            post.now += step
            if number < rounds - 1:
                with chaos.raging():
                    done = run_again(club, post.now)
                attack.count("rounds with troubles" if done.troubles else "rounds without troubles")
            else:
                assert post.run().troubles == ()
    assert not left


def all_sent(post: Post) -> None:
    """Let the letters go out that wait for another try."""
    for _ in range(3):
        assert post.run(after=6 * HOUR + 60).troubles == ()


@pytest.mark.parametrize(
    ("rate", "whole", "step"),
    [(0.02, 1, 45), pytest.param(0.1, 100, 20, marks=pytest.mark.soak), pytest.param(0.02, 100, 20, marks=pytest.mark.soak)],
)
def test_an_hour_of_chaos_changes_nothing(attack: Attack, tmp_path: Path, rate: float, whole: int, step: int) -> None:
    """Where fewer calls fail, more rounds come as far as the games."""
    for number in range(attack.times(whole)):
        luck = attack.next_round()
        (tmp_path / f"{number}").mkdir()
        names = GAMES if whole > 1 else luck.sample(list(GAMES), 1)
        calm = begun(tmp_path / f"{number}" / "calm", names)
        shutil.copytree(calm.folder, tmp_path / f"{number}" / "wild")
        wild = Post(tmp_path / f"{number}" / "wild", now=calm.now)
        at = next(calm.numbers)
        calm.numbers, wild.numbers = count(at), count(at)
        mails = undisturbed(calm, luck, step)
        attack.count("mails", len(mails))
        chaos = Chaos(luck, attack, rate)
        with pytest.MonkeyPatch.context() as patch:
            chaos.unleash(patch)
            disturbed(wild, mails, step, chaos, attack)
        for post in (calm, wild):
            all_sent(post)
            assert len(list((post.folder / "outgoing").glob("*.eml"))) == len(addressed(post))
        assert games(wild) == games(calm)
        assert letters(wild) == letters(calm)
        assert wild.pages() == calm.pages() != {}
        assert ledger(wild) == ledger(calm)
        attack.count("clubs unharmed")
        shutil.rmtree(tmp_path / f"{number}")


def test_chaos_disturbs_no_other_thread(attack: Attack) -> None:
    chaos, struck = Chaos(attack.luck, attack, 1.0), list[bool]()
    before = attack.luck.getstate()
    other = Thread(target=lambda: struck.append(chaos.strikes("open")))
    with chaos.raging():
        other.start()
        other.join()
        assert struck == [False]
        assert attack.luck.getstate() == before
        assert chaos.strikes("open")
