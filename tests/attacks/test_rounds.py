"""Rounds of a club that stop, are killed, or whose disk fails: the next one completes them as if nothing had been."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.drivers.attacks import KILLED, Attack, Steps, call_apart
from tests.drivers.club import DAY, HOUR, Club


class Stopped(BaseException):
    """The program ends here."""


class Disk:
    """Counts what this process writes; at the write number ``at``, from 1, and ``times`` in all, ``fail`` gives an error.

    With ``luck``, one write in fifty fails.
    """

    def __init__(
        self,
        at: int = 0,
        times: int = 1,
        fail: Callable[[str], BaseException] = lambda _call: Stopped(),
        luck: Random | None = None,
    ) -> None:
        self.at, self.times, self.fail, self.luck, self.count = at, times, fail, luck, 0

    def write(self, call: str) -> None:
        """Count a write by the function or statement ``call``."""
        self.count += 1
        is_hit = self.luck.random() < 0.02 if self.luck is not None else self.at <= self.count < self.at + self.times
        if self.at and is_hit:
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


def legal(club: Club, game: str, seat: str) -> str:
    found = club.game(game)
    rows = found.seen_by(seat).legal or found.seen_by(seat).legal_ahead or ()
    return rows[0].order if rows else "WAIT"


def season(club: Club) -> Iterator[None]:
    """Let the players of two games do all that a round handles; the test runs a round after each part."""
    club.mail("red", "GEAR 1", game="race")
    club.mail("red", f"{legal(club, 'spies', 'red')}\nMESSAGE to all:\nGood luck!", game="spies")
    club.mail("blue", "MOEV", game="spies")
    yield
    club.mail("red", "turn 1\nGEAR 2\nGEAR x", game="race")  # for a turn that is over, and wrong
    club.mail("red", "HOLIDAY 2026-04-06 to 2026-04-09", game="spies")
    club.mail("blue", f"{legal(club, 'spies', 'blue')}\nSTATUS", game="spies")
    club.mail("red", "turn 9\nMOVE", game="spies")
    yield
    club.now += 5 * DAY  # the deadlines are over, and the club decides for the late
    yield
    club.mail("red", f"{legal(club, 'race', 'red')}\nHOLIDAY 2026-04-06 to 2026-04-09", game="race")
    club.mail("red", "WAIT", game="spies")
    club.mail("blue", "RESIGN", game="spies")
    yield


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Club, Club, int]]:
    """Return the club before and after each round of the season that nobody disturbs, and its writes."""
    top = tmp_path_factory.mktemp("season")
    (top / "club").mkdir()
    club = Club(top / "club")
    club.club("init", "--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")
    club.club("set", "press=free", "deadlines.nmr=bot", "pictures=none", "people.join=true")
    (club.folder / "desk").mkdir()
    (club.folder / "desk" / "index.html").write_text("<title>The desk</title>")
    club.change("club.toml", "[incoming]", '[desk]\nfolder = "desk"\naddress = "https://c.example/"\n\n[incoming]')
    club.add("checkered-flag", "red", "blue", game="race", laps="1")
    club.add("checkpoint-charlie", "red", "blue", "green", game="spies")
    for who in ("red", "blue", "green"):
        club.round(HOUR)  # the club draws its secret, and a token for each member: all copies have them
        club.mail(who, "GAMES")
    club.round(HOUR)
    found = []
    for number, _ in enumerate(season(club)):
        before, disk = club.copied(top / f"before{number}"), Disk()
        with disk.used():
            club.round()
        found.append((before, club.copied(top / f"after{number}"), disk.count))
        club.now += HOUR
    assert sum(writes for *_, writes in found) > 100
    return found


def outcome(club: Club) -> dict[str, Any]:
    """Return what a club has in the end: games, letters to players, pages, and what it says of itself."""
    games = {path.parent.name: path.read_bytes() for path in sorted(club.folder.glob("games/*/game.json"))}
    assert games and all(club.game(name).audit().is_verified for name in games)
    letters, numbers = Counter[tuple[str, ...]](), Counter[tuple[str, str]]()
    for path in sorted((club.folder / "outgoing").glob("*.eml")):
        club.take(path.read_bytes())
        mail = club.new.pop().mail
        numbers[str(mail["To"]), str(mail["Message-ID"])] += 1
        if "gm@" not in str(mail["To"]):  # the moderator hears of failures
            parts = [str(part.get_payload(decode=True)) for part in mail.walk() if not part.is_multipart()]
            head = [f"{name}: {value}" for name, value in mail.items() if name not in ("Date", "Content-Type")]
            letters[(*head, *parts)] += 1
    assert set(numbers.values()) == {1}, "a letter went out twice"
    pages = {str(path.relative_to(club.folder)): path.read_bytes() for path in (club.folder / "desk").rglob("*.*")}
    status = json.loads(club.club("status", "--json").stdout)
    status["letters"].pop("moderator sent", None)
    rest = {name: value for name, value in status.items() if name not in ("matters", "doctor", "last_round")}
    inbox = [path.parent.name for path in (club.folder / "inbox").rglob("*") if path.is_file()]
    assert not [path for path in club.folder.rglob("*") if path.suffix in (".tmp", ".part")]
    return {"games": games, "letters": letters, "pages": pages, "status": rest, "inbox": sorted(inbox)}


FAILURES: dict[str, Callable[[int, Random], Disk]] = {
    "stopped": lambda at, _luck: Disk(at),
    "full once": lambda at, _luck: Disk(at, 1, full),
    "full": lambda at, _luck: Disk(at, 10**6, full),
    "now and then": lambda _at, luck: Disk(1, 1, full, luck),
}


@pytest.mark.parametrize("how", [*FAILURES, "killed"])
@pytest.mark.parametrize("every", [300, pytest.param(1, marks=pytest.mark.soak)])
def test_the_next_round_completes_what_was_interrupted_at_any_write(
    attack: Attack, rounds: list[tuple[Club, Club, int]], tmp_path: Path, how: str, every: int
) -> None:
    first, done = [*FAILURES, "killed"].index(how), 0
    for number, (before, after, writes) in enumerate(rounds):
        expected = outcome(after.copied(tmp_path / f"calm{number}"))
        for at in range(1, writes + 1):
            done += 1
            if done % every != first * 7 % every:
                continue
            wild = before.copied(tmp_path / "wild")
            if how == "killed":
                steps = Steps(kill_in=attack.luck.randint(1, 3 * writes))
                ended = call_apart(wild.folder, partial(a_round, wild), steps)
                assert ended.code in (0, KILLED), ended
                attack.count("kills", ended.code == KILLED)
            else:
                with (
                    FAILURES[how](at, attack.next_round()).used(),
                    suppress(Stopped, Exception),
                ):  # one that stops the rules is a fault of theirs
                    a_round(wild)
            for _ in range(3 if how == "now and then" else 1):
                wild.next_round(code=None)
            attack.count(f"rounds: {how}")
            assert outcome(wild) == expected, (number, at)
            shutil.rmtree(wild.top)
    assert attack.counts[f"rounds: {how}"]


def a_round(club: Club) -> None:
    club.next_round(code=None)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "words",
    [
        ("seat", "race", "red", "Carol", "carol@example.org"),
        ("set", "race", "deadlines.every=2 days"),
        ("set", "deadlines.every=2 days"),
        ("backup", "copy"),
    ],
    ids=" ".join,
)
def test_a_command_that_fails_at_any_write_changes_nothing(
    attack: Attack, rounds: list[tuple[Club, Club, int]], tmp_path: Path, words: tuple[str, ...], every: int
) -> None:
    kept = rounds[0][1]

    def everything(club: Club) -> dict[str, object]:
        files = {
            str(path.relative_to(club.top)): path.read_bytes()
            for path in club.top.rglob("*")
            if path.is_file() and not path.name.startswith(("ledger", "copy"))
        }
        listed = [club.club(task, "--json").stdout for task in ("list", "status")]
        return {**files, "listed": listed, "copied": (club.folder / "copy").exists() or (club.top / "copy").exists()}

    club, disk = kept.copied(tmp_path / "club"), Disk()
    before = everything(club)
    with disk.used():
        club.club(*words)
    assert everything(club) != before
    for at in range(1, disk.count + 1, every):
        shutil.rmtree(club.top)
        club = kept.copied(tmp_path / "club")
        with Disk(at, 1, full).used():
            code = club.club(*words, code=None).exit_code
        assert (code, everything(club) == before) in ((2, True), (0, False)), at  # some writes only make it surer
        attack.count("commands")
