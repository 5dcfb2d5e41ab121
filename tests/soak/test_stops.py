"""Every command that writes, killed at any step and with any call to the system failing: nothing is lost, nothing stays."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from attack import Attack
from stopping import CALLS, ERRORS, KILLED, Ended, Failure, run_apart
from typer.testing import Result

from adjudicator.audit.decide import audit_game
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.testing.games import play_games

Run = Callable[..., Result]
Files = dict[str, bytes]

EXAMPLES = Path(__file__).parents[2] / "examples"
SEED = "5a" * 32
RACE = "checkered-flag --seat red=Ann --seat blue=Bob"
COMMANDS = {
    "apply": "apply g.json orders.txt",
    "apply -o": "apply g.json orders.txt -o new.json",
    "apply --log": "apply g.json orders.txt --log log.jsonl",
    "apply what waits": "apply g.json",
    "turn": "turn g.json orders.txt -o out",
    "turn again": "turn t.json orders.txt -o out",
    "new": f"new {RACE} --seed {SEED} -o new.json",
    "new --force": f"new {RACE} --seed {SEED} -o g.json --force",
    "new --commit-only": f"new {RACE} --seed {SEED} --commit-only -o new.json",
    "words": "words p.json red=horse blue=umbrella --publish",
    "begin": "begin w.json",
    "undo": "undo g.json --to 1 --reason slip",
    "undo -o": "undo g.json --to 1 --reason slip -o new.json",
    "amend": "amend g.json [amendment] --reason slip",
    "seat": "seat g.json red --holder Zoe --reason moved",
    "reveal": "reveal g.json --force --reason over",
    "withdraw": "withdraw g.json [waits] --reason asked",
    "pending --bring-back": "pending b.json --bring-back 1",
    "language": "language g.json de pl",
    "simulate --out": "simulate checkered-flag --games 3 --most-orders 6 --out out",
    "replay --export": "replay g.json --export new.txt --with-secret",
    "replay --export of parts": "replay parts.json --export new.txt --with-secret",
    "replay --import": "replay s.txt --import new.json",
    "show --svg": "show g.json --svg new.svg",
    "components --svg": "components checkered-flag --svg old.svg",
}
AGAIN = {"simulate --out": "--force", "replay --export of parts": "--force"}
"""What a second run needs where the first may have left a part of what it writes."""
LITTER = re.compile(r"\.tmp$|\.lock$")


class Scene:
    """A command in a folder: the files ``before`` and ``after`` it when nothing comes between, and its exit ``code``."""

    def __init__(self, name: str, base: Files, words: dict[str, str], folder: Path) -> None:
        command = COMMANDS[name]
        for word, value in words.items():
            command = command.replace(f"[{word}]", value)
        self.name, self.folder, self.before, self.arguments = name, folder, base, command.split()
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

    def is_done(self, found: Files) -> bool:
        return found == self.after

    def require_completed(self, found: Files) -> Ended:
        """A second run does what is left, and nothing temporary stays."""
        more = [AGAIN[self.name]] if self.name in AGAIN else []
        second = run_apart(self.folder, [*self.arguments, *more])
        there = files_in(self.folder)
        assert not [name for name in there if LITTER.search(name)], (second, sorted(there))
        assert 0 <= second.code <= 3, second
        if found == self.before or self.name.startswith("turn") or self.name in AGAIN:
            assert second.code == self.code or (self.name.startswith("turn") and second.code == 0), second
            assert there == self.after
        for data in there.values():
            require_verified(data)
        return second


_verified: set[bytes] = set()


def require_verified(data: bytes) -> None:
    """If ``data`` is a game it can be loaded, and an audit has nothing against it."""
    if b'"journal"' in data[:4_000_000] and data not in _verified and data.lstrip().startswith(b'{"'):
        if b'"setup"' not in data or b'"beginning"' in data[:20]:
            return
        assert audit_game(open_session(load_game(data))).divergence is None
        _verified.add(data)


def files_in(folder: Path) -> Files:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Scene]:
    """Return what makes the scene of a command."""
    top = tmp_path_factory.mktemp("stops")
    base, words = prepared(top / "base")

    def make(name: str) -> Scene:
        return Scene(name, base, words, top / re.sub(r"\W+", "-", name) / "folder")

    return make


def prepared(folder: Path) -> tuple[Files, dict[str, str]]:
    """Return a folder in which every command has something to do, and the words that stand for its game."""
    folder.mkdir(parents=True)

    def run(command: str) -> None:
        ended = run_apart(folder, command.split())
        assert ended.code in (0, 1), ended

    shutil.copy(EXAMPLES / "checkpoint-rally/two-players/start.json", folder / "g.json")
    session = open_session(load_game(str(folder / "g.json")))
    due = session.rules.awaiting(session.config, session.game.state)[0].seat
    other = next(seat for seat in session.seats if seat != due)
    orders = next(iter(session.rules.legal(session.config, session.game.state, due)))
    (folder / "first.txt").write_text(f"{due}: {session.rules.language.text(orders)}\n{other}:\n  DRAW\n  DRAW\n", "utf-8")
    return folder_files(folder, run, str(due), str(other))


def folder_files(folder: Path, run: Callable[[str], None], due: str, other: str) -> tuple[Files, dict[str, str]]:
    raise NotImplementedError
