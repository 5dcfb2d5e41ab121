"""Every command that writes, killed at any step and with any call to the system failing: nothing is lost, nothing stays."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from attack import Attack
from portion import portion
from stopping import CALLS, ERRORS, KILLED, Ended, Failure, run_apart
from typer.testing import CliRunner

from adjudicator.audit.decide import audit_game
from adjudicator.cli.app import app_for
from adjudicator.files import atomic
from adjudicator.session import open_session
from adjudicator.store.load import load_game

Files = dict[str, bytes]

EXAMPLES = Path(__file__).parents[2] / "examples"
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
    "words": "words p.json red=horse blue=umbrella --publish",
    "begin": "begin w.json",
    "undo": "undo g.json --to 1 --reason slip",
    "undo -o": "undo g.json --to 1 --reason slip -o new.json",
    "amend": "amend g.json 'clock of red=31' --reason slip",
    "seat": "seat g.json red --holder Zoe --reason moved",
    "reveal": "reveal g.json --force --reason over",
    "withdraw": "withdraw g.json blue --reason asked",
    "pending --bring-back": "pending b.json --bring-back 1",
    "language": "language g.json de pl",
    "simulate --out": "simulate checkered-flag --games 3 --most-orders 6 --out new",
    "replay --export": "replay g.json --export new.txt --with-secret",
    "replay --export of parts": "replay parts.json --export new.txt --with-secret",
    "replay --import": "replay s.txt --import new.json",
    "report --all": "report g.json --all made --format txt,html",
    "show --svg": "show g.json --svg new.svg",
    "report": "report g.json --as red -o new.html",
    "components --svg": "components checkered-flag --svg old.svg",
}
AGAIN = {"simulate --out": "--force"}
"""What a second run needs where the first may have left a part of what it writes."""
LITTER = re.compile(r"\.tmp$|\.lock$")


class Scene:
    """A command in a folder: the files ``before`` and ``after`` it when nothing comes between, and its exit ``code``."""

    def __init__(self, name: str, base: Files, folder: Path) -> None:
        self.name, self.folder, self.before, self.arguments = name, folder, base, shlex.split(COMMANDS[name])
        self.restore()
        with contextlib.chdir(folder):  # what is loaded now, children need not load
            CliRunner().invoke(app_for(self.arguments), self.arguments)
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
        assert not [name for name in there if LITTER.search(name)], (second, sorted(there))
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
        assert audit_game(open_session(load_game(data))).divergence is None
        _verified.add(data)


def comparable(files: Files) -> dict[str, object]:
    """Return ``files`` without how often reports were made before the last ones: a run that was interrupted counts there."""
    boxes = {name: json.loads(data) for name, data in files.items() if name.endswith(".outbox")}
    return {**files, **{name: {**box, "earlier": None} for name, box in boxes.items()}}


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
        *("withdraw g.json blue --reason asked -o b.json", "replay g.json --export s.txt --with-secret"),
        *("turn g.json -o out", f"new {RACE} --seed {SEED} --commit-only -o p.json"),
        *(f"new {RACE} --seed {SEED} --commit-only -o w.json", "words w.json red=horse blue=umbrella --publish"),
        f"new checkpoint-rally --seat red --seat blue --seed {SEED} --components set.json -o parts.json",
    ):
        with contextlib.chdir(folder):
            ended = CliRunner().invoke(app_for(command.split()), command.split())
        assert ended.exit_code in (0, 1), ended.output
    return files_in(folder)


@pytest.mark.parametrize("whole", [1, pytest.param(500, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", portion(COMMANDS, 8))
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


@pytest.mark.parametrize("whole", [1, pytest.param(500, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", portion(COMMANDS, 8, 2))
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
    """If a command wrote into its game, a disk that is full would leave half of it."""

    def torn(path: str | Path, data: bytes, _mode: int = 0) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
        os.write(descriptor, data)

    scene = scenes("undo")
    scene.restore()
    monkeypatch.setattr(atomic, "write_atomic", torn)
    assert run_apart(scene.folder, scene.arguments, failure=Failure("write", 0, 10**6, errno.ENOSPC)).code == 2
    with pytest.raises(AssertionError, match=r"g\.json"):
        scene.require_whole()
