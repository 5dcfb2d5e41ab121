"""Every command that writes, killed at any step and with any call to the system failing: nothing is lost, nothing stays."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.attacks import CALLS, ERRORS, KILLED, Attack, Ended, Failure, run_apart
from tests.drivers.commands import called
from tests.drivers.pages import EXAMPLES

Files = dict[str, bytes]

SEED = "5a" * 32
RACE = "checkered-flag --seat red=Ann --seat blue=Bob"
COMMANDS = {
    "apply": "apply g.json orders.txt",
    "apply -o": "apply g.json orders.txt -o new.json",
    "apply --log": "apply g.json orders.txt --log log.jsonl",
    "turn": "turn g.json orders.txt -o out",
    "turn into a new folder": "turn g.json orders.txt -o new",
    "new": f"new {RACE} --seed {SEED} -o new.json",
    "new --force": f"new {RACE} --seed {SEED} -o g.json --force",
    "new --commit-only": f"new {RACE} --seed {SEED} --commit-only -o new.json",
    "words": "begin p.json red=horse blue=umbrella --publish",
    "begin": "begin w.json --deal",
    "undo": "undo g.json --to 1 --reason slip",
    "undo -o": "undo g.json --to 1 --reason slip -o new.json",
    "amend": "amend g.json 'clock of red=31' --reason slip",
    "seat": "seat g.json red --holder Zoe --reason moved",
    "reveal": "reveal g.json --before-the-end --reason over",
    "withdraw": "pending g.json --withdraw blue --reason asked",
    "pending --bring-back": "pending b.json --bring-back 1",
    "language": "language g.json de pl",
    "simulate -o": "simulate checkered-flag --games 3 --most-orders 6 -o new",
    "script": "script g.json -o new.txt --with-secret",
    "script of parts": "script parts.json -o new.txt --with-secret",
    "script of a script": "script s.txt -o new.json",
    "report --all": "report g.json --all made --format txt,html",
    "show --svg": "show g.json --svg new.svg",
    "report": "report g.json --as red -o new.html",
    "games --svg": "games checkered-flag --svg old.svg",
}
AGAIN = {"simulate -o": "--force"}
"""What a second run needs where the first may have left a part of what it writes."""
LITTER = re.compile(r"\.tmp$|\.lock$")


class Scene:
    """A command in a folder: the files ``before`` and ``after`` it when nothing comes between, and its exit ``code``."""

    def __init__(self, name: str, base: Files, folder: Path) -> None:
        self.name, self.folder, self.before, self.arguments = name, folder, base, shlex.split(COMMANDS[name])
        self.restore()
        with contextlib.chdir(folder):  # what is loaded now, children need not load
            called(self.arguments)
        self.restore()
        first = run_apart(folder, self.arguments, kill_at=0)
        self.code, self.counted, self.after = first.code, first.counted, files_in(folder)
        assert first.code in (0, 1), first
        assert self.after != base
        for data in (*base.values(), *self.after.values()):
            require_verified(data)

    def restore(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)
        for name, data in self.before.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def require_whole(self) -> Files:
        """Every file is as before or as after, and none is there that belongs to neither, but litter."""
        found = files_in(self.folder)
        for name in self.before.keys() | self.after.keys() | found.keys():
            if LITTER.search(name):
                continue
            assert found.get(name) in (self.before.get(name), self.after.get(name)), name
        return {name: data for name, data in found.items() if not LITTER.search(name)}

    def told(self, found: Files) -> str:
        """Say how far a run has come that left the files ``found``."""
        return "nothing written" if found == self.before else "all written" if found == self.after else "a part written"

    def require_completed(self, found: Files) -> Ended:
        """A second run does what is left, and nothing temporary stays."""
        more = [AGAIN[self.name]] if self.name in AGAIN else []
        second = run_apart(self.folder, [*self.arguments, *more])
        there = files_in(self.folder)
        assert not [name for name in there if name.endswith(".lock")], (second, sorted(there))
        assert 0 <= second.code <= 3, second
        assert found != self.before or second.code == self.code, second
        if found != self.after or self.name.startswith("turn"):  # what was done already may be refused, and is told so
            assert comparable(there) == comparable(self.after)
        for data in there.values():
            require_verified(data)
        return second


_verified: set[bytes] = set()


def require_verified(data: bytes) -> None:
    """If ``data`` is a game it can be loaded, and an audit has nothing against it."""
    if b'"journal":' in data and data not in _verified:
        assert adj.open(data).audit().is_verified
        _verified.add(data)


def comparable(files: Files) -> dict[str, object]:
    """Return ``files`` without how often reports were made before the last ones: a run that was interrupted counts there."""
    boxes = {name: json.loads(data) for name, data in files.items() if name.endswith(".outbox")}
    lasting = {name: data for name, data in files.items() if not LITTER.search(name)}
    return {**lasting, **{name: {**box, "earlier": None} for name, box in boxes.items()}}


def files_in(folder: Path) -> Files:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Scene]:
    """Return what makes the scene of a command."""
    top = tmp_path_factory.mktemp("stops")
    base = prepared(top / "base")

    def make(name: str) -> Scene:
        return Scene(name, base, top / re.sub(r"\W+", "-", name) / "folder")

    return make


def prepared(folder: Path) -> Files:
    """Return a folder in which every command has something to do."""
    folder.mkdir(parents=True)
    mail = EXAMPLES / "checkpoint-rally/two-players"
    for number, name in ((1, "turn-01.txt"), (2, "turn-02.txt"), (3, "turn-03.txt"), (4, "orders.txt")):
        shutil.copy(mail / f"turn-{number:02}.txt", folder / name)
    shutil.copy(mail / "start.json", folder / "g.json")
    shutil.copy(EXAMPLES / "checkpoint-rally/own-set/tiny-set.json", folder / "set.json")
    (folder / "old.svg").write_text("<svg ></svg>", "utf-8")
    (folder / "foreign.json").write_text("{}", "utf-8")
    for command in (
        *("apply g.json turn-01.txt", "apply g.json turn-02.txt --log log.jsonl", "apply g.json turn-03.txt"),
        *("pending g.json --withdraw blue --reason asked -o b.json", "script g.json -o s.txt --with-secret"),
        *("turn g.json -o out", f"new {RACE} --seed {SEED} --commit-only -o p.json"),
        *(f"new {RACE} --seed {SEED} --commit-only -o w.json", "begin w.json red=horse blue=umbrella --publish"),
        f"new checkpoint-rally --seat red --seat blue --seed {SEED} --components set.json -o parts.json",
    ):
        with contextlib.chdir(folder):
            ended = called(command.split())
        assert ended.exit_code in (0, 1), ended.output
    return files_in(folder)


def some(first: int) -> list[Any]:
    """Return commands with the number of their rounds: in every run a few, in long ones all."""
    short = [pytest.param(name, 1) for name in [*COMMANDS][first::8]]
    return [*short, *(pytest.param(name, 500, marks=pytest.mark.soak) for name in COMMANDS)]


@pytest.mark.parametrize(("name", "whole"), some(0))
def test_killed_at_any_step(attack: Attack, scenes: Callable[[str], Scene], name: str, whole: int) -> None:
    scene = scenes(name)
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        scene.restore()
        steps, first, last = (scene.counted[name] for name in ("steps", "first", "last"))
        # What matters happens from the first to the last call that changes something on the disk.
        at = luck.randint(1, steps) if luck.random() < 0.1 else luck.randint(max(1, first - 50), min(steps, last + 50))
        ended = run_apart(scene.folder, scene.arguments, kill_at=at)
        assert ended.code in (KILLED, scene.code), ended
        found = scene.require_whole()
        attack.count("killed" if ended.code == KILLED else "ended before")
        attack.count(scene.told(found))
        scene.require_completed(found)


@pytest.mark.parametrize(("name", "whole"), some(2))
def test_any_call_to_the_system_failing(attack: Attack, scenes: Callable[[str], Scene], name: str, whole: int) -> None:
    scene = scenes(name)
    for _ in range(attack.times(whole)):
        luck = attack.next_round()
        scene.restore()
        failure = planned(luck, scene.counted)
        ended = run_apart(scene.folder, scene.arguments, failure=failure)
        assert ended.code in (0, 1, 2), (failure, ended)
        assert "bug" not in ended.said and "Traceback" not in ended.said, (failure, ended)
        found = scene.require_whole()
        is_refused = ended.code == 2 or "nothing was written" in ended.said
        assert is_refused or found == scene.after, (failure, ended)
        attack.count(f"{failure.kind} failed: exit {ended.code}")
        attack.count(scene.told(found))
        scene.require_completed(found)


def planned(luck: Random, counted: dict[str, int]) -> Failure:
    """Return which call fails, and whether those after it do too, as on a disk that stays full."""
    kind = luck.choice([kind for kind in CALLS if counted[kind]])
    return Failure(kind, luck.randrange(counted[kind]), luck.choice((1, 1, 2, 10**6)), luck.choice(ERRORS))


def test_a_torn_file_would_be_found(scenes: Callable[[str], Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file were written in two steps, a kill between them would leave half of it."""

    def torn(source: str, target: str) -> None:
        Path(target).write_bytes(Path(source).read_bytes()[:-40])
        os.kill(os.getpid(), 9)

    scene = scenes("undo")
    scene.restore()
    monkeypatch.setattr("os.replace", torn)
    assert run_apart(scene.folder, scene.arguments).code == KILLED
    with pytest.raises(AssertionError, match=r"g\.json"):
        scene.require_whole()


# Other programs and full disks


@pytest.mark.parametrize("rounds", [1, pytest.param(200, marks=pytest.mark.soak)])
def test_two_writers_race(tmp_path: Path, rounds: int) -> None:
    """Let two processes send a sheet of another seat at once: what either was told was accepted is in the file."""
    path, before = tmp_path / "g.json", (EXAMPLES / "checkpoint-rally/two-players/start.json").read_bytes()
    game = adj.open(before)
    due, other = game.due_seats[0], next(seat for seat in game.seats if seat not in game.due_seats)
    (tmp_path / "one.txt").write_text(f"{due}: {game.seen_by(due).legal[0].order}\n")
    (tmp_path / "two.txt").write_text(f"{other}: DRAW\n")
    for _ in range(rounds):
        path.write_bytes(before)
        command = [sys.executable, "-m", "adjudicator", "apply", str(path)]
        writers = [
            subprocess.Popen([*command, str(tmp_path / f"{name}.txt")], stderr=-1, stdout=-1) for name in ("one", "two")
        ]
        told = [(*writer.communicate(), writer.returncode) for writer in writers]
        assert len(adj.open(path).seen_by("moderator").log()) == 2, told
        # The other sheet was refused in so many words when its seat was due, by whichever writer came last.
        assert sorted(code for *_, code in told) == [0, 1], told
        assert any(b"start-first" in error for _, error, _ in told)
    assert adj.open(path).audit().is_verified


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 256 kB; skipped where that is not allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=256k,nr_inodes=64", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("a full disk needs the right to mount one, which root has")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    game, orders = small_disk / "game.json", small_disk / "orders.txt"
    shutil.copy(EXAMPLES / "checkpoint-rally/two-players/start.json", game)
    due = adj.open(game).due_seats[0]
    orders.write_text(f"{due}: {adj.open(game).seen_by(due).legal[0].order}\n")
    before, command = game.read_bytes(), [sys.executable, "-m", "adjudicator", "apply", str(game), str(orders)]
    with (small_disk / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(b"x" * 1024)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, "Traceback" in result.stderr) == (2, False)
    assert game.read_bytes() == before
    (small_disk / "filler").unlink()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert adj.open(game).audit().is_verified
