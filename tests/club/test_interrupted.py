"""Rounds that stop, or whose disk is full, at any of their writes: the next round completes them and repeats nothing.

Here are members, messages and seats; the stress tests interrupt a season of games.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.club import DAY, HOUR, Club, begin, flat

FAILED = re.compile("cannot run|cannot begin|could not|program failed|waiting for you|waits for mails")
"""What only the moderator learns of a failure."""


class Stopped(BaseException):
    """The program ends here."""


class Disk:
    """Counts what the program writes; at the write number ``at``, from 1, ``fail`` gives an error."""

    def __init__(self, at: int = 0, fail: Callable[[str], BaseException] = lambda _call: Stopped()) -> None:
        self.at, self.fail, self.count = at, fail, 0

    def write(self, call: str) -> None:
        """Count a write by the function or statement ``call``."""
        self.count += 1
        if self.count == self.at:
            raise self.fail(call)

    def commit(self, connection: sqlite3.Connection) -> None:
        """Count a transaction that takes place."""

    @contextmanager
    def used(self) -> Iterator[None]:
        """Watch what the block writes."""
        disk, connect = self, sqlite3.connect

        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                if statement != "commit":
                    return super().execute(statement, *values)
                disk.write(statement)
                done = super().execute(statement)
                disk.commit(self)
                return done

        def watched(call: str) -> Callable[..., Any]:
            real = getattr(os, call)

            def tried(*given: Any, **named: Any) -> Any:
                disk.write(call)
                return real(*given, **named)

            return tried

        with pytest.MonkeyPatch.context() as patch:
            for call in ("write", "replace", "mkdir"):
                patch.setattr(os, call, watched(call))
            patch.setattr(os, "rename", os.replace)
            patch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **{"factory": Watched, **named}))
            yield


class Power(Disk):
    """A disk that forgets, when the program ends, those last transactions which have not waited for it."""

    def __init__(self, at: int, ledger: Path) -> None:
        super().__init__(at)
        self._ledger, self._kept = ledger, [(ledger, ledger.read_bytes())]

    def commit(self, connection: sqlite3.Connection) -> None:
        """Note what lasts; tests do not wait, but for ``normal`` (1) the program would not wait either."""
        if connection.execute("pragma synchronous").fetchone()[0] != 1:
            files = (self._ledger, self._ledger.with_name("ledger.sqlite-wal"))
            self._kept = [(path, path.read_bytes()) for path in files]

    @contextmanager
    def used(self) -> Iterator[None]:
        """Watch what the block writes, and take from the ledger what does not last."""
        try:
            with super().used():
                yield
        finally:
            for path in self._ledger.parent.glob("*.sqlite*"):
                path.unlink()
            for path, data in self._kept:
                path.write_bytes(data)


def full(call: str) -> BaseException:
    """Return the error of a full disk."""
    if call != "commit":
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def last_answer(top: Path) -> Club:
    """The answer that begins a game from a list, beside other commands, a sign-up and a new address."""
    club = begin("members", top)
    for name in ("ann", "bob"):
        club.mail(name, "JOIN checkered-flag")
    club.mail("eve", "SET address=eve@new.example")
    club.mail("zoe", "JOIN")
    club.round()
    club.mail("ann", "Yes!")
    club.round()
    club.mail("yan", "JOIN")
    club.mail("zoe", "REGISTER Zoe\nJOIN checkered-flag")
    club.mail("eve@new.example", "JOIN checkered-flag")
    club.mail("bob", "JOIN checkered-flag\nNEW great-race players=2\nMESSAGE to moderator: hi")
    return club


def messages_with_reports(top: Path) -> Club:
    """Messages with names and without, that go at once and with a report."""
    club = begin("rally", top)
    club.mail("red", "MESSAGE anonymous to all: hidden\nEND\nMESSAGE to blue, green: open")
    club.round()
    club.mail("blue", "MESSAGE to red: answer\nEND\nHOLIDAY 2026-04-06 to 2026-04-09")
    club.mail("white", "PLACE H14 at A5 rot 90")
    club.now += HOUR
    return club


def new_address(top: Path) -> Club:
    """The answer by which a player of a game, and of a former seat, changes the address."""
    club = begin("begun", top)
    club.mail("ann", "SET address=ann@new.example", "club")
    club.round()
    club.mail("ann@new.example", "Yes")
    return club


def missed_deadline(top: Path) -> Club:
    """A deadline after which the club gives a seat away, and asks a member who stands in."""
    club = begin("open race", top)
    club.club("set", "deadlines.nmr=drop")
    club.mail("ann", "JOIN")
    club.round()
    club.mail("ann", "REGISTER Ann\nSET standin=yes")
    club.round()
    club.mail("blue", "RESIGN\nRULES CF-G1")
    club.now += 5 * DAY
    return club


def time_bank(top: Path) -> Club:
    """The mail that ends a turn in which a time bank runs, and the last vote for a pause."""
    club = begin("spies", top)
    club.club("set", "deadlines.bank=2 days")
    club.mail("red", "CLUE raincoat\nVOTE pause until 2026-03-09")
    club.mail("blue", "CLUE grey\nVOTE pause until 2026-03-09")
    club.round(3 * DAY + 8 * HOUR)
    club.now += 6 * HOUR
    club.mail("green", "CLUE glasses\nVOTE pause until 2026-03-09")
    return club


def end_of_pause(top: Path) -> Club:
    """The end of a pause, and the end of time banks of players whom the club does not wait for any more."""
    club = begin("spies", top)
    club.club("set", "deadlines.bank=2 days", "deadlines.nmr=bot", "deadlines.most_missing=3")
    club.add("checkered-flag", "red", "blue", game="race")
    club.club("pause", "race", "--until", "2026-03-08")
    club.mail("red", "CLUE raincoat")
    club.round(3 * DAY + 8 * HOUR)
    club.now += 3 * DAY
    return club


def stand_in(top: Path) -> Club:
    """A resignation where a member waits for the seat."""
    club = begin("club with ben", top)
    club.mail("red", "RESIGN", "race")
    club.mail("ben", "STANDIN race")
    return club


def sitting(top: Path) -> Club:
    """The mail by which a member agrees to play for somebody, and one by which somebody comes back early."""
    club = begin("club with ben", top)
    club.mail("red", "HOLIDAY 2026-03-02 to 2026-03-09 sitter Ben", "race")
    club.round()
    club.mail("ben", "YES", "club")
    club.round()
    club.mail("red", "HOLIDAY end", "race")
    club.mail("blue", "HOLIDAY 2026-03-02 to 2026-03-09 sitter Ben", "race")
    return club


def last_entry(top: Path) -> Club:
    """The entry with which a tournament begins."""
    club = begin("spring", top)
    for name in ("ann", "bob", "eve"):
        club.mail(name, "JOIN spring")
    return club


def last_game(top: Path) -> Club:
    """The end of all games of a round of a tournament, after which the next round begins."""
    club = begin("spring begun", top)
    club.round(after=DAY)
    return club


def state(club: Club) -> dict[str, object]:
    """Return what the club shows of itself, and its letters, but for the player whose turn a draw decides."""
    sent = [str(one.head["Message-ID"]) for one in club.new]
    assert len(sent) == len(set(sent)), "a letter went out twice"
    letters = [re.sub("your turn|waiting for .*", "…", name) for name in club.names() if not FAILED.search(name)]
    shown = [
        re.sub(r"UTC (red|blue)\b", "UTC …", flat(club.club(task).output.partition("\n\nWait")[0]))
        for task in ("status", "list")
    ]
    matters = [words for words in club.matters() if not FAILED.search(words)]
    games = [path.name for path in sorted((club.folder / "games").iterdir())]
    messages = [club.club("messages", game).output for game in games]
    journals = [club.journal(game) for game in games]
    return {"letters": sorted(letters), "shown": shown, "matters": matters, "messages": messages, "journals": journals}


@pytest.fixture(scope="module")
def calm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Club, int, dict[str, object]]:
    """A club before a round, how often the round writes, and what the club shows of itself after it and the next one."""
    begun = request.param(tmp_path_factory.mktemp("before"))
    calm, writes = begun.copied(tmp_path_factory.mktemp("calm")), Disk()
    with writes.used():
        calm.round()
    calm.next_round()
    return begun, writes.count, state(calm)


@pytest.mark.parametrize("every", [17, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("disk_of", "first"),
    [(lambda at, _ledger: Disk(at), 3), (lambda at, _ledger: Disk(at, full), 9), (Power, 15)],
    ids=["stopped", "full", "no power"],
)
@pytest.mark.parametrize(
    "calm",
    [
        *(last_answer, messages_with_reports, new_address, missed_deadline, stand_in, sitting, time_bank, end_of_pause),
        *(last_entry, last_game),
    ],
    indirect=True,
)
def test_the_next_round_completes_what_was_interrupted_at_any_write(
    tmp_path: Path,
    calm: tuple[Club, int, dict[str, object]],
    disk_of: Callable[[int, Path], Disk],
    first: int,
    every: int,
) -> None:
    begun, count, expected = calm
    assert count > 5
    for at in range(1 + first % every, count + 1, every) or (count,):
        wild = begun.copied(tmp_path / str(at))
        with (
            suppress(Stopped, Exception),
            disk_of(at, wild.folder / "ledger.sqlite").used(),
        ):  # within rules, the stop is an error
            wild.round(code=None)
        wild.next_round()
        wild.next_round()
        found = state(wild)
        for name, wanted in expected.items():
            assert found[name] == wanted, (name, at)


def test_letters_about_a_turn_that_was_never_saved_are_not_sent(tmp_path: Path) -> None:
    begun, writes = begin("third turn", tmp_path / "begun"), Disk()
    begun.mail("red", "GEAR 2")
    with writes.used():
        begun.copied(tmp_path / "calm").round()
    found, journal = set[str](), begun.journal("race")
    for at in range(1, writes.count + 1):
        club = begun.copied(tmp_path / str(at))
        with suppress(Stopped), Disk(at).used():
            club.round(code=None)
        was_saved = club.journal("race") != journal
        if not was_saved:
            club.mail("red", "GEAR 1")
        club.next_round(60)
        club.next_round(60)
        gear = club.journal("race")[len(journal)]
        told = [gear.removeprefix("red ") in one.text for one in club.new if one.to == "blue" and "turn" in one.subject]
        assert told == [True], (at, club.names())
        found.add(gear)
    assert found == {"red GEAR 1", "red GEAR 2"}
