"""Archives from strangers, made to take memory, time or other files: each attack costs at most the games of its archive."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import struct
import tracemalloc
from collections.abc import Callable, Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive.add import write_games
from adjudicator.archive.store import Codec, old_games, open_archive, restore
from tests.drivers.attacks import in_time
from tests.drivers.pages import ROOT

Run = Callable[..., Result]
DB = "g.adjudicator.db"
GAME = (ROOT / "tests" / "data" / "games" / "checkered-flag" / "recorded-403.json").read_bytes()


@pytest.fixture
def base(run: Run) -> Callable[..., None]:
    """Make an archive of nine games, whose bodies need its dictionary; return what runs SQL on it."""
    packed((f"{n}.json", GAME + b" " * n) for n in range(1, 10))

    def change(statement: str, *values: object) -> None:
        with closing(sqlite3.connect(DB, isolation_level=None)) as connection:
            connection.execute(statement, values)

    return change


def packed(files: Iterable[tuple[str, bytes]]) -> None:
    write_games(DB, [(name, name, data) for name, data in files], force=True)


def sound() -> dict[str, bytes]:
    with open_archive(DB) as archive:
        return {name: data for name, data in archive.games() if isinstance(data, bytes)}


def test_long_texts_are_not_read_whatever_lies_beside(run: Run, base: Callable[..., None]) -> None:
    """Pages may be parts of any number of values: a hundred long ones would fill the memory."""
    base("update game set players = ? where n = 3", json.dumps({"red": "x" * 1_000_000}))
    Path(f"{DB}-journal").write_bytes(b"what an interrupted run might leave")
    assert "too big" in run("archive", DB, "--check", code=3).stdout


def test_long_texts_are_not_read_after_a_long_body(run: Run) -> None:
    packed((f"{n}.json", b'{"n":%d}' % n) for n in range(1, 120))
    with closing(sqlite3.connect(DB)) as connection, connection:
        connection.execute("update game set body = zeroblob(70000000) where n = 1")
        connection.execute("update game set id = ? where n = 110", ("x" * 1_000_000,))
    rows = [json.loads(line) for line in run("archive", DB, "--check", "--json", code=3).stdout.splitlines()[:-1]]
    assert [row["source"] for row in rows] == [DB, f"{DB}#1.json", f"{DB}#110.json"]
    assert all("too big" in row["wrong"] for row in rows)


@pytest.mark.posix
@pytest.mark.parametrize("name", [f"{DB}-journal", "pipe.adjudicator.db"])
def test_a_pipe_is_not_waited_for(run: Run, base: Callable[..., None], name: str) -> None:
    os.mkfifo(name)
    with in_time(name):
        run("archive", name.removesuffix("-journal"), code=2)


def test_a_journal_makes_no_file_larger(run: Run, base: Callable[..., None]) -> None:
    """SQLite gives a file back the size that the journal names: here 17 TB."""
    whole = Path(DB).read_bytes()
    head = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + struct.pack(">5I", 0, 1, 2**31 - 5, 512, 8192)
    Path(f"{DB}-journal").write_bytes(head.ljust(512, b"\0"))
    assert "journal" in run("archive", DB, code=3).stderr
    assert Path(DB).read_bytes() == whole


def test_the_file_does_not_choose_the_size_of_the_cache(base: Callable[..., None]) -> None:
    base("pragma default_cache_size = 1000000")
    with open_archive(DB) as archive:
        assert archive.query("pragma cache_size") == [(-65536,)]


def test_an_archive_unpacks_to_so_many_times_its_size(base: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.store.UNLIMITED", 1_500_000)
    large = bytes(1_000_000)
    base("update game set body = ?, hash = ?, size = 1000000", Codec().pack(large), sha256(large).hexdigest())
    base("delete from dictionary")
    monkeypatch.setattr("adjudicator.archive.store.RATIO", 10)
    assert 1 <= len(sound()) <= 3
    monkeypatch.setattr("adjudicator.archive.store.RATIO", 200)
    assert len(sound()) == 9


@pytest.mark.parametrize("line", [b"\n", b"ab\n"])
def test_lines_without_entries_take_no_memory(line: bytes) -> None:
    text = line * 1_000_000
    tracemalloc.start()
    assert restore(text) == text
    assert tracemalloc.get_traced_memory()[1] < 4 * len(text)
    tracemalloc.stop()


@pytest.mark.parametrize("blob", [Codec().pack(b"\n" * 3_000_000), Codec().pack(b"") * 3000])
def test_blocks_of_an_old_archive_that_have_no_games_have_few_problems(blob: bytes) -> None:
    tracemalloc.start()
    found = list(old_games(io.BytesIO(blob + Codec().pack(b"x\n")), "old.jsonl.zst"))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert 1000 <= len(found) < 2000, "then the rest is not read"


@pytest.mark.parametrize("value", ["x'00'", "'x'", "7", "zeroblob(300000)"])
@pytest.mark.parametrize("where", ["dictionary", "game"])
def test_games_are_not_added_to_what_cannot_be_packed(run: Run, base: Callable[..., None], where: str, value: str) -> None:
    """The eighth game of a ruleset makes the dictionary, and a damaged one packs nothing."""
    if where == "game":
        packed((f"{n}.json", GAME + b" " * n) for n in range(1, 8))
    base(f"update {where} set body = {value}")
    whole = Path(DB).read_bytes()
    Path("new.json").write_bytes(GAME)
    assert "damaged" in run("archive", DB, "new.json", "--add", code=3).stderr
    assert Path(DB).read_bytes() == whole


@pytest.mark.parametrize("n", [0, -5, 2**63 - 1])
def test_a_game_with_any_number_is_read(base: Callable[..., None], n: int) -> None:
    base("update game set n = ? where n = 3", n)
    assert len(sound()) == 9


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_file_and_a_folder_of_one_name(run: Run, force: tuple[str, ...]) -> None:
    packed((name, GAME + name.encode()) for name in ("a.json/b.json", "a.json", f"{'n' * 300}.json", "last.json"))
    assert "2 games written to out" in run("archive", DB, "--extract", "out", *force, code=3).stdout
    assert Path("out/a.json/b.json").is_file() and Path("out/last.json").is_file()


def test_a_name_with_a_line_end_forges_no_line(run: Run) -> None:
    packed([("x\n  9  verified  y.json", GAME)])
    assert len(run("archive", DB, code=0).stdout.splitlines()) == 3  # the headings, the game, the sum


@pytest.mark.parametrize("at", [pytest.param(None, marks=pytest.mark.soak), 3000])
def test_games_are_added_to_a_damaged_archive_or_it_is_told(run: Run, base: Callable[..., None], at: int | None) -> None:
    """Whatever byte is wrong: what is added can be read, or nothing is changed."""
    whole = Path(DB).read_bytes()
    for place in range(0, len(whole), 500) if at is None else (at,):
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        Path(DB).write_bytes(flipped)
        try:
            write_games(DB, [("new.json", "new.json", GAME)], add=True)
        except adj.FileProblem:
            assert Path(DB).read_bytes() == flipped
        else:
            assert sound()["new.json"] == GAME


@pytest.mark.parametrize("byte", [b"\xbf", b"\x00", b"'"])
def test_a_schema_that_is_no_text_is_damage(run: Run, base: Callable[..., None], byte: bytes) -> None:
    """SQLite quotes it in its message."""
    whole = Path(DB).read_bytes()
    for words in (b"CREATE INDEX game_id", b"indexgame_id"):
        Path(DB).write_bytes(whole.replace(words, words.replace(b"_", byte)))
        assert "archive" in run("archive", DB, code=3).stderr
