"""A round that stops, or whose disk is full, at any of its writes: the next round completes it as if nothing had been."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from attack import Attack
from outcome import games, ledger, letters

sys.path.insert(0, str(Path(__file__).parents[1] / "club"))

from players_post import DAY, HOUR, Post, founded, legal
from typer.testing import CliRunner

from adjudicator.cli.app import app_for
from adjudicator.club.players import release_seat
from adjudicator.club.run import run_once
from adjudicator.files.errors import CannotWrite


class Stopped(BaseException):
    """The program ends here."""


class Disk:
    """Counts what this process writes; at the write number ``at``, from 1, and ``times`` in all, ``fail`` gives an error."""

    def __init__(self, at: int = 0, times: int = 1, fail: Callable[[str], BaseException] = lambda _call: Stopped()) -> None:
        self.at, self.times, self.fail, self.count = at, times, fail, 0

    def write(self, call: str) -> None:
        """Count a write by the function or statement ``call``."""
        self.count += 1
        if self.at and self.at <= self.count < self.at + self.times:
            raise self.fail(call)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Watch what the block writes."""
        disk, connect = self, sqlite3.connect

        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                if statement == "commit":
                    disk.write(statement)
                return super().execute(statement, *values)

        def watched(call: str) -> Callable[..., Any]:
            real = getattr(os, call)

            def tried(*given: Any, **named: Any) -> Any:
                disk.write(call)
                return real(*given, **named)

            return tried

        with pytest.MonkeyPatch.context() as patch:
            for call in ("write", "fsync", "replace", "mkdir"):
                patch.setattr(os, call, watched(call))
            patch.setattr(os, "rename", os.replace)
            patch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **{"factory": Watched, **named}))
            yield


def full(call: str) -> BaseException:
    if call != "commit":
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def season(post: Post) -> Iterator[None]:
    """Let the players of two games do all that a round handles; the test runs a round after each part."""
    yield  # the first letters of a game
    post.send("race", "red", "GEAR 1")  # blue's simulated player answers in the same round
    post.send("spies", "red", f"{legal(post.session('spies'), 'red')[0]}\nMESSAGE to all:\nGood luck!")
    post.send("spies", "blue", "MOEV")
    yield
    post.send("race", "red", "turn 1\nGEAR 2\nGEAR x")  # for a turn that is over, and wrong
    post.send("spies", "red", "HOLIDAY 2026-04-06 to 2026-04-09")
    post.send("spies", "blue", f"{legal(post.session('spies'), 'blue')[0]}\nSTATUS")
    post.send("spies", "red", "turn 9\nMOVE")
    yield
    post.now += 5 * DAY  # the deadlines are over, and the club decides for the late
    yield
    post.send("race", "red", f"{legal(post.session('race'), 'red')[0]}\nHOLIDAY 2026-04-06 to 2026-04-09")
    post.send("spies", "red", "WAIT")
    post.send("spies", "blue", "RESIGN")
    yield


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, int, Path, int]]:
    """Return the club before and after each round of the season that nobody disturbs, with the time, and its writes."""
    top = tmp_path_factory.mktemp("season")
    post = founded(top / "club")
    post.settings('press = "moderated"', 'press = "free"')
    post.settings('nmr = "wait"', 'nmr = "bot"')
    post.settings("most_missing = 1", "most_missing = 5")
    post.settings("[incoming]", "[people]\njoin = true\n\n[incoming]")
    post.give_desk()
    post.add("checkered-flag", "red", "blue", game="race", options={"laps": "1"})
    post.send("race", "red", "GAMES")  # red is a member from now on, with a random token
    post.run()
    post.add("checkpoint-charlie", "red", "blue", "green", game="spies")
    with closing(post.club.ledger()) as kept:
        kept.secret()  # all copies have it
    for game, seat in (("spies", "green"), ("race", "blue")):
        release_seat(post.club, game, seat, "nobody plays it")
    found = []
    for number, _ in enumerate(season(post)):
        before, after, disk = top / f"before{number}", top / f"after{number}", Disk()
        shutil.copytree(post.folder, before)
        with disk.used():
            assert post.run().troubles == ()
        shutil.copytree(post.folder, after)
        found.append((before, post.now, after, disk.count))
        post.now += HOUR
    return found


def found(post: Post) -> tuple[object, ...]:
    """Return all games, letters, pages and what the ledger knows; the daily letter to the moderator lists failures, too."""
    written = {key: letter for key, letter in letters(post).items() if not key.startswith("digest/")}
    return games(post), written, ledger(post), post.pages()


FAILURES: dict[str, tuple[int, Callable[[str], BaseException]]] = {
    "stopped": (1, lambda _call: Stopped()),
    "full once": (1, full),
    "full": (10**6, full),
}


@pytest.mark.parametrize(
    ("how", "every"),
    [("stopped", 7), ("full once", 43), ("full", 43), *(pytest.param(how, 1, marks=pytest.mark.soak) for how in FAILURES)],
)
def test_the_next_round_completes_what_was_interrupted_at_any_write(
    attack: Attack, rounds: list[tuple[Path, int, Path, int]], tmp_path: Path, how: str, every: int
) -> None:
    times, fail = FAILURES[how]
    done = 0
    for before, now, after, writes in rounds:
        calm = Post(after, now)
        expected = found(calm)
        for at in range(1, writes + 1):
            done += 1
            if done % every:
                continue
            wild = Post(tmp_path / f"{at}", now)
            shutil.copytree(before, wild.folder)
            with Disk(at, times, fail).used(), suppress(Stopped, CannotWrite, OSError):
                run_once(wild.club, now)
            assert wild.run().troubles == ()
            attack.count(f"rounds: {how}")
            assert found(wild) == expected, (before.name, at)
            shutil.rmtree(wild.folder)


@pytest.mark.parametrize(
    "words",
    [
        ["seat", "race", "red", "Carol", "carol@example.org"],
        ["set", "race", "deadlines.every=2 days"],
        ["set", "deadlines.every=2 days"],
        ["backup", "copy"],
    ],
)
def test_a_command_that_fails_at_any_write_changes_nothing(
    rounds: list[tuple[Path, int, Path, int]], tmp_path: Path, words: list[str]
) -> None:
    post, disk = Post(tmp_path / "club", rounds[0][1]), Disk()
    shutil.copytree(rounds[0][2], post.folder)
    shutil.copytree(post.folder, tmp_path / "kept")

    def run(disk: Disk) -> int:
        arguments = ["club", words[0], ".", *words[1:]]
        with chdir(post.folder), disk.used():
            return CliRunner().invoke(app_for(arguments), arguments).exit_code

    def everything() -> dict[str, object]:
        names = (path for path in post.folder.rglob("*") if path.is_file() and not path.name.startswith("ledger"))
        with closing(sqlite3.connect(post.folder / "ledger.sqlite")) as db:
            changes = db.execute("select task, words from changes").fetchall()
        return {**{str(path): path.read_bytes() for path in names}, **ledger(post), "changes": changes}

    before = everything()
    assert run(disk) == 0
    assert everything() != before
    for at in range(1, disk.count + 1):
        shutil.rmtree(post.folder)
        shutil.copytree(tmp_path / "kept", post.folder)
        code = run(Disk(at, 1, full))  # a folder that cannot be synchronized is no failure
        assert (code, everything() == before) in ((2, True), (0, False)), at
