"""Parsing tables on disk: used when they are sound, and whatever is wrong with them is survived without a word."""

from __future__ import annotations

import logging
import marshal
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from fresh_parsers import forget_parsers
from lark import Lark
from platformdirs import user_cache_path

from adjudicator.core.step import EngineFaultError
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import grammar, grammar_source, line_parser, parser_cache
from adjudicator.orders.build import OrderLine
from adjudicator.orders.parser import reader
from adjudicator.resources import folder

PRIVATE = 0o700


@pytest.fixture(autouse=True)
def _fresh(no_parsers: Path) -> None:
    """Begin every test without parsers and with an empty folder."""


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count how often a grammar is compiled."""
    compiled: list[str] = []

    class Counted(Lark):
        def __init__(self, source: str, **options: Any) -> None:
            compiled.append(source)
            super().__init__(source, **options)

    monkeypatch.setattr(grammar, "Lark", Counted)
    return compiled


def read_something() -> None:
    forget_parsers()
    assert line_parser.line_parser(RULESET)("red: DRAW").seat == "red"
    assert line_parser.part_parser(RULESET)("DRAW")


def stored(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def kept() -> dict[str, bytes]:
    """Return a place for tables that are compiled once for several tests, since that takes long."""
    return {}


@pytest.fixture
def tables(no_parsers: Path, kept: dict[str, bytes]) -> Path:
    """Return a file of sound tables, as an earlier run has stored it."""
    if not kept:
        read_something()
        (file,) = stored(no_parsers)
        kept[file.name] = file.read_bytes()
        return file
    no_parsers.mkdir(mode=PRIVATE)
    for name, content in kept.items():
        (no_parsers / name).write_bytes(content)
    return no_parsers / name


def test_a_grammar_is_compiled_once_for_all_its_parsers_and_all_runs(builds: list[str], no_parsers: Path) -> None:
    read_something()
    assert len(builds) == 1
    (file,) = stored(no_parsers)
    assert file.name.startswith("checkpoint-rally-")
    read_something()
    assert len(builds) == 1
    assert stored(no_parsers) == [file]


def test_stored_tables_read_the_same(no_parsers: Path) -> None:
    lines = ["red: PLACE H3 at C2 rot 90 [H5]", "IF row has U7 THEN TAKE U7 ELSE DRAW", "DROW", "turn x"]
    built = [reader(RULESET).read(line) for line in lines]
    forget_parsers()
    assert [reader(RULESET).read(line) for line in lines] == built


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: content[:500] + bytes([content[500] ^ 1]) + content[501:],
        lambda content: os.urandom(len(content)),
        lambda content: sha256(b"junk").digest() + b"junk",
        lambda content: sha256(marshal.dumps([1])).digest() + marshal.dumps([1]),
        lambda content: sha256(marshal.dumps({})).digest() + marshal.dumps({}),
        lambda content: (
            sha256(marshal.dumps({"lark": {}, "tables": ()})).digest() + marshal.dumps({"lark": {}, "tables": ()})
        ),
        lambda content: sha256(b"").digest(),
    ],
)
def test_damaged_tables_are_replaced_in_silence(
    tables: Path, builds: list[str], damage: Any, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    tables.write_bytes(damage(tables.read_bytes()))
    with caplog.at_level(logging.INFO):
        read_something()
    assert len(builds) == 1
    assert stored(tables.parent) == [tables]
    content = tables.read_bytes()
    assert content[:32] == sha256(content[32:]).digest()
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_a_folder_where_nothing_can_be_written_is_survived(
    builds: list[str], no_parsers: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError("no")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    read_something()
    read_something()
    assert builds
    assert stored(no_parsers) == []
    assert capfd.readouterr() == ("", "")


def test_a_full_disk_leaves_nothing_behind(no_parsers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    read_something()
    assert stored(no_parsers) == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no owner and mode there")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_can_write_is_not_used(builds: list[str], no_parsers: Path, mode: int) -> None:
    no_parsers.mkdir()
    no_parsers.chmod(mode)
    read_something()
    assert stored(no_parsers) == []
    assert parser_cache.cache_folder() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner there")
def test_a_folder_of_somebody_else_is_not_used(no_parsers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_parsers.mkdir(mode=PRIVATE)
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    read_something()
    assert stored(no_parsers) == []


def test_a_file_in_place_of_the_folder_is_survived(no_parsers: Path) -> None:
    no_parsers.write_text("in the way")
    read_something()
    assert no_parsers.read_text() == "in the way"


def test_old_tables_do_not_pile_up(no_parsers: Path) -> None:
    no_parsers.mkdir(mode=PRIVATE)
    kept = [no_parsers / "checkpoint-rally-2-0123456789abcdef.tables", no_parsers / "notes.txt"]
    for file in kept:
        file.write_bytes(b"")
    for number in range(9):
        old = no_parsers / f"checkpoint-rally-{number:016x}.tables"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    read_something()
    left = {file.name for file in stored(no_parsers)} - {file.name for file in kept}
    assert len(left) == 3
    assert {f"checkpoint-rally-{number:016x}.tables" for number in (7, 8)} < left
    assert all(file.exists() for file in kept)


def test_what_interrupted_runs_left_is_removed_but_not_what_another_is_writing_now(no_parsers: Path) -> None:
    no_parsers.mkdir(mode=PRIVATE)
    left, fresh = no_parsers / ".new-left", no_parsers / ".new-fresh"
    left.write_bytes(b"x")
    fresh.write_bytes(b"x")
    os.utime(left, (0, 0))
    read_something()
    assert fresh.exists()
    assert not left.exists()


def test_the_key_tells_grammars_options_and_versions_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    first = parser_cache.key("a", "b")
    assert first == parser_cache.key("a", "b")
    assert len({first, parser_cache.key("ab", ""), parser_cache.key("a", "c"), parser_cache.key("a")}) == 4
    monkeypatch.setattr(parser_cache, "lark_used", lambda: "99.0")
    assert parser_cache.key("a", "b") != first


def test_a_changed_grammar_is_compiled_anew(
    tables: Path, builds: list[str], no_parsers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_something()
    assert not builds
    own = grammar_source.own_file(RULESET).read_text("utf-8")
    changed = no_parsers.parent / "changed.lark"
    changed.write_text(own.replace("place|lay|put", "place|lay|put|drop"), encoding="utf-8")
    monkeypatch.setattr(grammar_source, "own_file", lambda _rules: changed)
    forget_parsers()
    assert isinstance(line_parser.line_parser(RULESET)("DROP H3 at C2"), OrderLine)
    assert len(builds) == 1
    assert len(stored(no_parsers)) == 2


def test_tables_are_made_anew_when_the_common_grammar_changes(
    tables: Path, builds: list[str], no_parsers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the game's own grammar leaves it to the program to put the common one before it."""
    read_something()
    assert not builds
    source = no_parsers.parent / "grammar"
    shutil.copytree(Path(str(folder("grammar"))), source)
    common = source / "common.lark"
    common.write_text(common.read_text("utf-8").replace("else|otherwise", "else|otherwise|besides"), encoding="utf-8")
    monkeypatch.setattr(grammar_source, "folder", lambda _name: source)
    forget_parsers()
    assert isinstance(line_parser.line_parser(RULESET)("IF row has U7 THEN TAKE U7 BESIDES DRAW"), OrderLine)
    assert len(builds) == 1


def test_a_grammar_whose_orders_have_other_names_now_is_looked_at_again(tables: Path, builds: list[str]) -> None:
    """The tables would be the same, but nobody would be told that a rule is built by nothing."""
    read_something()
    assert not builds
    builders = {name: build for name, build in RULESET.language.builders.items() if name != "take"}
    without = RULESET.changed(language=replace(RULESET.language, builders=builders))
    with pytest.raises(EngineFaultError, match="these need an order or a term of the same name: take"):
        line_parser.line_parser(without)
    assert len(builds) == 1
    assert stored(tables.parent) == [tables]


def test_without_stored_tables_it_is_as_quiet_as_with_them(no_parsers: Path) -> None:
    """A whole new process, since a logger speaks up only where nobody has silenced it."""
    code = (
        "import logging; logging.basicConfig(level=logging.INFO)\n"
        "from adjudicator.games.checkpoint_rally.rules import RULESET\n"
        "from adjudicator.orders.parser import reader\n"
        "print(reader(RULESET).read('DRAW').seat, reader(RULESET).read('DROW').column)"
    )
    environment = {**os.environ, "ADJUDICATOR_CACHE": str(no_parsers)}
    for damage in (None, b"", b"junk"):
        for file in stored(no_parsers) if no_parsers.exists() and damage is not None else []:
            file.write_bytes(damage or b"")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        assert (done.stdout, done.stderr) == ("None 1\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is asked")
@pytest.mark.parametrize("base", [None, "", " ", "/somewhere/else"])
def test_the_user_s_folder_is_that_of_platformdirs(monkeypatch: pytest.MonkeyPatch, base: str | None) -> None:
    if base is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert parser_cache._user_folder() == user_cache_path("adjudicator", appauthor=False)
