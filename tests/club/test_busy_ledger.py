"""While another program uses the ledger, a command changes nothing, neither in the ledger nor in a file."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from players_post import Post, begun
from test_register import asks, registered
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app_for
from adjudicator.cli.club_changes import Task
from adjudicator.club.players import release_seat
from adjudicator.store.save import dump_game

READERS = {Task.INIT, Task.LIST, Task.STANDING, Task.STATUS, Task.MESSAGES, Task.DOCTOR, Task.PUBLISH}
"""The tasks that only show something, or begin a club."""
COMMANDS = [
    "add {club} {club}/new.json --seat red=red@example.org --seat blue=blue@example.org",
    "seat {club} race blue Carol carol@example.org",
    "seat {club} race blue Blue blue@example.net",
    "remove {club} race",
    "run {club} --once",
    "receive {club} {club}/mail.eml {club}/second.eml",
    "report {club}",
    "set {club} deadlines.every=2days",
    "set {club} race deadlines.every=2days",
    "pause {club} race",
    "resume {club} race",
    "extend {club} race",
    "settle {club} {held} {mail}",
    "release {club} {held}",
    "accept {club} {standin} --seat red",
    "accept {club} {resign}",
    "accept {club} race {mail} --seat blue",
    "open {club} great-race",
    "forget {club} zoe@example.net",
    "backup {club} {club}/copy",
    "restore {club} {club}/older",
]


def files(folder: Path) -> dict[str, bytes]:
    """Return all files but those beside the ledger, in which readers leave marks."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and "sqlite-" not in path.name]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def club(post: Post, command: str) -> Result:
    """Run a command on a club, with the numbers of its matters."""
    with closing(post.club.ledger()) as ledger:
        numbers = {one.key.partition("/")[0]: one.number for one in ledger.matters()}
    arguments = ["club", *(word.replace("2days", "2 days") for word in command.format(club=post.folder, **numbers).split())]
    return CliRunner().invoke(app_for(arguments), arguments)


@pytest.fixture(scope="module")
def _busy(_racing: Post, tmp_path_factory: pytest.TempPathFactory) -> Post:
    post = _racing.copied(tmp_path_factory.mktemp("busy") / "club")
    post.settings("[incoming]", "[people]\njoin = true\n\n[incoming]")
    registered(post, "eve", "zoe")
    post.send("race", "red", "MESSAGE to blue: hello\nEND")
    post.run()
    release_seat(post.club, "race", "red", "nobody plays it")
    post.send("race", "blue", "GEAR 1\nGEAR x\nRESIGN")
    post.send("", "stranger", "GEAR 1", Subject="race")
    asks(post, "eve@example.net", "STANDIN race")
    (post.folder / "new.json").write_bytes(dump_game(begun("checkered-flag", ("red", "blue"), "duel").game))
    shutil.copytree(post.folder, post.folder / "older")
    for name in ("mail.eml", "second.eml"):
        (post.folder / name).write_bytes(post.send("race", "blue", "STATUS"))
    return post


@pytest.fixture
def busy(_busy: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """A club with matters of all kinds and mails in its mailbox, whose commands do not wait for the ledger."""
    monkeypatch.setattr("adjudicator.club.database._PATIENCE", 0.01)
    return _busy.copied(tmp_path / "club")


def test_each_command_that_changes_something_is_here() -> None:
    assert {command.split()[0] for command in COMMANDS} == {task.value for task in set(Task) - READERS}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_changes_nothing_while_another_program_uses_the_ledger(busy: Post, command: str) -> None:
    before = files(busy.folder)
    with closing(sqlite3.connect(busy.folder / "ledger.sqlite", isolation_level=None)) as other:
        other.execute("begin immediate")
        ended = club(busy, command)
        assert (ended.exit_code, "another program uses this ledger" in ended.stderr) == (2, True), ended.output
        other.execute("rollback")
    assert files(busy.folder) == before
    ended = club(busy, command)
    assert ended.exit_code == 0, ended.output
