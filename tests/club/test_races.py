"""Commands that come in the middle of a round, and commands that are killed: nothing is lost, and nobody is told otherwise.

A command runs between two writes of the round: before and after each transaction, and after each file that is in its place.
Where it waits for the round, it runs as soon as the round is over.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.club.test_interrupted import Disk, Stopped, full
from tests.drivers.club import DAY, HOUR, Club, begin, flat

RACE = "thursday/games/race/game.json"


class Moments:
    """Counts the moments of a round at which it writes; at the one with the number ``at``, from 1, a command comes."""

    def __init__(self, at: int, come: Callable[[], None]) -> None:
        self.at, self.come, self.count, self.has_come = at, come, 0, False

    def pass_by(self, connections: list[sqlite3.Connection]) -> None:
        """Let the command come if it is time; inside a transaction, no other program can do anything."""
        if not any(one.in_transaction for one in connections):
            self.count += 1
            if self.count >= self.at and not self.has_come:
                self.has_come = True
                self.come()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Watch what the block writes, as ``Disk`` does."""
        moments, connect, replace = self, sqlite3.connect, os.replace
        connections: list[sqlite3.Connection] = []

        class Watched(sqlite3.Connection):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                if statement.startswith("begin"):
                    moments.pass_by(connections)
                done = super().execute(statement, *values)
                if statement == "commit":
                    moments.pass_by(connections)
                return done

            def close(self) -> None:
                connections[:] = [one for one in connections if one is not self]
                super().close()

        def connected(*given: Any, **named: Any) -> sqlite3.Connection:
            connections.append(connect(*given, **{"factory": Watched, **named}))
            return connections[-1]

        def replaced(*given: Any, **named: Any) -> None:
            replace(*given, **named)
            moments.pass_by(connections)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "replace", replaced)
            patch.setattr(os, "rename", replaced)
            patch.setattr(sqlite3, "connect", connected)
            yield


def race(club: Club, at: int, *words: str) -> int:
    """Do a round with a command at its moment number ``at``, or behind it; return the number of moments."""
    done: list[Result] = []

    def come() -> None:
        late: list[float] = []

        def wait(seconds: float) -> None:
            late.append(seconds)
            raise TimeoutError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "sleep", wait)  # as the program does if another one has a lock
            result = club.command(*words, code=None)
        done.extend([] if late else [result])

    moments = Moments(at, come)
    with moments.used():
        club.round(60)
    assert [one.output for one in done if one.exit_code] == []
    if not done:
        club.command(*words)
    return moments.count


# What comes of a command during a round is what would come of it before or after the round


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A turn, holidays, a message, a late mail of a paused game, and what waits for the moderator."""
    club = begin("two races", tmp_path_factory.mktemp("busy"))
    club.club("set", "press=moderated", "deadlines.nmr=default")
    club.club("set", "people.join=true")
    for who, text, game in (
        ("red", "GEAR 1", "race"),
        ("ann", "JOIN", ""),
        ("blue", "GEAR 1", "race"),
        ("ann", "REGISTER Ann", ""),
    ):
        club.mail(who, text, game)
        club.round(60)
    club.mail("blue", "MESSAGE to red: a question", "race")
    club.mail("eve", "GEAR 1", Subject=f"[{club.known('tag', 'red', 'race')}]")
    club.round()
    club.club("pause", "other")
    club.round(60)
    club.command(
        "new", "checkered-flag", "--seat", "red=Red", "--seat", "blue=Blue", "--seed", "cd" * 32, "-o", "third.json"
    )
    club.mail("red", "GEAR 1\nHOLIDAY 2026-04-06 to 2026-04-09", "race")
    club.mail("blue", "HOLIDAY 2026-04-07 to 2026-04-10\nMESSAGE to moderator: hello", "race")
    club.mail("red", "GEAR 1", "other")
    path = club.deliver(club.mail("blue", "STATUS", "other"))
    path.rename(club.top / "mail.eml")
    return club


@pytest.fixture(scope="module")
def over(busy: Club, tmp_path_factory: pytest.TempPathFactory) -> tuple[Club, int]:
    """The busy club after a round in which no command came, and the number of its moments."""
    club, moments = busy.copied(tmp_path_factory.mktemp("over")), Moments(1_000, lambda: None)
    with moments.used():
        club.round(60)
    assert not moments.has_come
    return club, moments.count


COMMANDS = """
club pause thursday race
club resume thursday other
club extend thursday race --by '5 days'
club set thursday 'deadlines.every=5 days'
club set thursday race 'deadlines.every=5 days'
club set thursday race seats.blue.muted=true
club set thursday race seats.red.public_name=true
club seat thursday race blue Carol carol@example.org
club seat thursday race red Zoe zoe@example.org
club seat thursday race red Red red@new.example
club add thursday third.json --seat red=red@example.org --seat blue=blue@example.org
club remove thursday other
club remove thursday race
club accept thursday race 2 --seat red
club release thursday 1
club settle thursday 1
club settle thursday 2
club forget thursday ann@example.org
club backup thursday copy
club publish thursday -o public
club open thursday great-race players=3
club receive thursday mail.eml
club status thursday
club list thursday
club messages thursday race
club standing thursday
undo thursday/games/race/game.json --to 0 --reason slip
seat thursday/games/race/game.json blue --holder Zed --reason moved
amend thursday/games/race/game.json 'gear of red=2' --reason slip
""".strip().splitlines()


def state(club: Club) -> dict[str, object]:
    """Return what the club shows of itself, but for matters about letters."""
    shown = {task: flat(club.club(task).output) for task in ("list", "status", "standing")}
    games = [one["game"] for one in json.loads(club.club("status", "--json").stdout)["club_games"]]
    journals = {f"journal {game}": club.journal(game) for game in games}
    messages = {f"messages {game}": club.club("messages", game).output for game in games}
    return {**shown, "games": games, **journals, **messages}


def sent(club: Club) -> list[str]:
    """Return the names of all letters; none has gone out twice."""
    identifiers = [str(one.head["Message-ID"]) for one in club.new]
    assert len(identifiers) == len(set(identifiers)), "a letter went out twice"
    return club.names()


def finish(club: Club) -> dict[str, object]:
    """Do the rounds after the race."""
    club.read_letters()
    club.next_round(60)
    club.next_round(60)
    sent(club)
    return state(club)


@pytest.mark.parametrize("every", [17, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_during_a_round_does_what_it_does_before_or_after_it(
    busy: Club, over: tuple[Club, int], tmp_path: Path, line: str, every: int
) -> None:
    words, (quiet, count) = shlex.split(line), over
    before, after = busy.copied(tmp_path / "before"), quiet.copied(tmp_path / "after")
    before.command(*words)
    before.round(60)
    after.new = [*quiet.new]
    after.command(*words)
    assert count > 10
    wanted = finish(before), finish(after)
    for at in range(1 + 5 * COMMANDS.index(line) % every, count + 1, every):  # together they come at every moment
        club = busy.copied(tmp_path / str(at))
        race(club, at, *words)
        found = finish(club)
        for name, value in found.items():
            assert value in [one.get(name) for one in wanted], f"{name} at moment {at} of {count}"


# What was lost


def raced(begun: Club, *words: str) -> Iterator[tuple[int, Club]]:
    """Yield copies of a club after a round in which a command came at each moment, and their numbers."""
    count = race(begun.copied(begun.top.parent / "count"), 1_000, *words)
    for at in range(1, count + 1):
        club = begun.copied(begun.top.parent / str(at))
        race(club, at, *words)
        club.read_letters()
        club.next_round(60)
        yield at, club


def test_a_pause_during_a_round_holds_and_nobody_is_told_otherwise(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    begun.mail("red", "GEAR 1")
    for at, club in raced(begun, "club", "pause", "thursday", "race"):
        assert "race paused" in flat(club.club("status").output), at
        for seat in ("red", "blue"):
            letters = [one for one in club.new if one.to == seat]
            (told,) = (number for number, one in enumerate(letters) if one.subject == "race: the game is paused")
            assert not any("rders are due" in flat(one.text) for one in letters[told + 1 :]), (seat, at)


def test_a_setting_of_a_game_that_changes_during_a_round_is_not_overlooked(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    begun.now += 5 * DAY
    for at, club in raced(begun, "club", "set", "thursday", "race", "deadlines.nmr=default"):
        assert club.journal("race")[:1] == ["moderator NMR red"], at


def handed(top: Path) -> Club:
    """A game that another command has changed without a new position."""
    club = begin("race", top)
    club.command("seat", RACE, "red", "--holder", "Zed", "--reason", "moved")
    return club


def test_an_extension_during_a_round_is_not_lost(tmp_path: Path) -> None:
    for at, club in raced(handed(tmp_path / "begun"), "club", "extend", "thursday", "race", "--by", "5 days"):
        assert "race Tuesday 2026-03-10 20:00 UTC" in flat(club.club("status").output), at


def test_an_extension_that_comes_before_a_missed_deadline_is_decided_holds(tmp_path: Path) -> None:
    begun = begin("bots", tmp_path / "begun")
    begun.now += 5 * DAY

    def extended(club: Club, at: int) -> tuple[int, bool]:
        """Extend at the moment ``at`` of a round; return the moments, and whether the club had decided by then."""
        decided: list[bool] = []

        def come() -> None:
            with closing(sqlite3.connect(club.folder / "ledger.sqlite")) as ledger:
                ((next_seal,),) = ledger.execute("select next_seal from games").fetchall()
            decided.append(bool(next_seal or club.journal("race")))
            club.club("extend", "race", "--by", "5 days")

        moments = Moments(at, come)
        with moments.used():
            club.round(60)
        return moments.count, decided != [False]

    count, _ = extended(begun.copied(tmp_path / "count"), 1_000)
    found = set[bool]()
    for at in range(1, count + 1):
        club = begun.copied(tmp_path / str(at))
        _, was_decided = extended(club, at)
        club.round(60)
        assert bool(club.journal("race")) == was_decided, at
        found.add(was_decided)
    assert found == {True, False}


def test_the_end_of_a_pause_during_a_round_is_not_lost(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    begun.club("pause", "race")
    begun.round()
    begun.command("seat", RACE, "red", "--holder", "Zed", "--reason", "moved")
    for at, club in raced(begun, "club", "resume", "thursday", "race"):
        assert "paused" not in club.club("status").output, at


def test_a_correction_between_two_mails_of_a_round_is_not_lost(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    for seat in ("red", "blue"):
        begun.mail(seat, "HOLIDAY 2026-03-20 to 2026-03-21")
    for at, club in raced(begun, "seat", RACE, "red", "--holder", "Zed", "--reason", "moved"):
        journal = sorted(club.journal("race"))
        assert journal == ["moderator HOLIDAY blue", "moderator HOLIDAY red", "moderator SEAT red"], at


def test_who_has_lost_a_seat_gets_no_report_about_the_next_turn(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    begun.mail("red", "GEAR 1")
    words = ("club", "seat", "thursday", "race", "blue", "Carol", "carol@example.org")
    before, after = begun.copied(tmp_path / "before"), begun.copied(tmp_path / "after")
    before.command(*words)
    before.round(60)
    before.next_round(60)
    race(after, 1_000, *words)
    after.read_letters()
    after.next_round(60)

    def letters(club: Club, is_old: bool) -> list[str]:
        return [name for name in sent(club) if name.startswith("blue:") == is_old]

    for at, club in raced(begun, *words):
        assert letters(club, False) in (letters(before, False), letters(after, False)), at
        assert letters(club, True) in ([], letters(after, True)), at


def killed(club: Club, at: int, *words: str) -> bool:
    """Run a command in a process that ends at its write number ``at``; return whether it came so far."""
    if (process := os.fork()) == 0:
        try:
            with Disk(at, lambda _call: os._exit(9)).used():
                club.command(*words, code=None)
        finally:
            os._exit(8)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 9


@pytest.mark.posix
def test_a_seat_that_changes_hands_is_known_to_all_or_nobody_wherever_the_command_is_killed(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    words = ("club", "seat", "thursday", "race", "red", "Carol", "carol@example.org")
    for at in count(1):
        club = begun.copied(tmp_path / str(at))
        if not killed(club, at, *words):
            break
        club.round(60)
        club.next_round(60)
        has_changed = "Carol" in club.club("list").output
        assert club.journal("race") == (["moderator SEAT red"] if has_changed else []), at
        assert club.names().count("carol: race: welcome") == has_changed, at
        player = "carol" if has_changed else "red"
        club.mail(player, "GEAR 1")
        club.round(60)
        assert club.journal("race")[-1] == "red GEAR 1", at
        club.letter(player, "race: your mail was read")
    assert at > 3


@pytest.mark.posix
def test_the_command_after_one_that_was_killed_completes_it_first(tmp_path: Path) -> None:
    begun = begin("race", tmp_path / "begun")
    for at in count(1):
        club = begun.copied(tmp_path / str(at))
        if not killed(club, at, "club", "seat", "thursday", "race", "red", "Carol", "carol@example.org"):
            break
        club.club("seat", "race", "blue", "Dora", "dora@example.org")
        players = club.game("race").players
        listed = flat(club.club("list").output)
        assert f"race red {players['red']} " in listed and "race blue Dora dora@example.org" in listed, at
        club.round(60)
        welcomed = [one.to for one in club.new if one.subject == "race: welcome"]
        assert sorted(welcomed) == [*(["carol"] if players["red"] == "Carol" else []), "dora"], at
    assert at > 3


def begun_for(top: Path, line: str) -> Club:
    """A race in which Carol has red after a while, and wants to resign, or which has left the club."""
    club = begin("race", top)
    club.round(3 * DAY + 7 * HOUR)
    if "carol" not in line:
        club.club("seat", "race", "red", "Carol", "carol@example.org")
        club.round(60)
    if line.startswith("accept"):
        club.mail("carol", "RESIGN")
        club.round(60)
    if line.startswith("add"):
        club.club("remove", "race")
    return club


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("fail", "first"), [(lambda _call: Stopped(), 1), (full, 3)], ids=["stopped", "full"])
@pytest.mark.parametrize(
    "line",
    [
        "seat race red Carol carol@example.org",
        "seat race red Red red@example.org",
        "seat race red Carol new@example.org",
        "remove race",
        "accept 1",
        "add thursday/removed/race-1/game.json --seat red=red@example.org --seat blue=bob@example.org",
    ],
)
def test_a_command_that_stops_or_finds_a_full_disk_has_done_all_or_nothing(
    tmp_path: Path, line: str, fail: Callable[[str], BaseException], first: int, every: int
) -> None:
    begun, (task, *words) = begun_for(tmp_path / "begun", line), line.split()
    nothing, everything, disk = begun.copied(tmp_path / "nothing"), begun.copied(tmp_path / "everything"), Disk()
    with disk.used():
        everything.club(task, *words)
    results = []
    for club in (nothing, everything):
        club.round(60)
        results.append((state(club), sorted(sent(club))))
    for at in range(1 + first % every, disk.count + 1, every):
        club, result = begun.copied(tmp_path / str(at)), None
        with Disk(at, fail).used(), suppress(Stopped):
            result = club.club(task, *words, code=None)
        if task == "accept":  # the seat may be given up, and the matter still wait: the same command ends it
            club.club(task, *words, code=None)
        club.round(60)
        found = (state(club), sorted(sent(club)))
        assert found in results, at
        if fail is full and result is not None:
            assert found == results[task == "accept" or result.exit_code == 0], at
