"""Files named on the command line: the program replaces nothing that is not an earlier writing of the same thing."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from filelock import FileLock

import adjudicator as adj
from tests.drivers.commands import Run, rally, rally_bytes, written


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


PNG = b"\x89PNG\r\n\x1a\n" + b"".join([
    chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0"),
    chunk(b"tEXt", b"Software\0Inkscape"),
    chunk(b"IDAT", zlib.compress(b"\0\0")),
    chunk(b"IEND", b""),
])  # fmt: skip
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0L9 9"/></svg>\n'
PLOT = b'<?xml version="1.0" encoding="utf-8"?>\n<svg><metadata><dc:title>Matplotlib v3.9</dc:title></metadata></svg>\n'
FOREIGN = {
    "svg": (SVG, b"<?xml version='1.0'?>\n" + SVG, PLOT),
    "png": (PNG,),
    "gif": (b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xfe\x04GIMP\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;",),
    "html": (b"<table>\n<caption>guests</caption>\n<tr><td>Ann</td></tr></table>\n", b"<!doctype html><html lang='en'>\n"),
    "csv": (b"place,seat,guest\n1,4,Ann\n",),
    "json": (b'{"accounts":[{"bank":"first"}]}\n', b"[]\n"),
    "txt": (b"my notes\n",),
    "md": (b"# my notes\n",),
    "jsonl": (b'{"format": 2}\n', b"do not lose me\n", b'{"n": 1}\n', b"[0]\n"),
}
REPLACED = [
    *(f"report rally.json --as red -o mine.{form}" for form in ("svg", "png", "html", "json", "txt", "md")),
    "show rally.json --svg mine.svg",
    "show rally.json --card mine.svg",
    "show rally.json --card mine.png",
    "show rally.json --html mine.html",
    "show rally.json --csv mine.csv",
    "games checkpoint-rally --svg mine.svg",
    "replay rally.json -o mine.html",
    "replay rally.json -o mine.gif",
    "simulate checkered-flag --games 1 --plot mine.svg",
    "simulate checkered-flag --games 1 --plot mine.png",
    "apply rally.json turn.txt -o rally.json --log mine.jsonl",
]
NEW_ONLY = [
    "games checkpoint-rally -o mine.json",
    "script rally.json --with-secret -o mine.txt",
    "new checkered-flag --seat red --seat blue -o mine.json",
    "simulate checkered-flag --games 1 -o mine.adjudicator.db",
    "archive mine.adjudicator.db rally.json",
]


@pytest.mark.parametrize("line", REPLACED)
def test_a_file_of_another_program_is_kept_unless_forced_and_an_own_one_is_replaced(run: Run, line: str) -> None:
    for extra, words in (("resvg_py", "png"), ("PIL", "gif"), ("matplotlib", "--plot")):
        if words in line:
            pytest.importorskip(extra)
    rally()
    written("red: IF minutes > 500 THEN DRAW\n")  # changes nothing that a log shows
    target = Path(line.split()[-1])
    for foreign in FOREIGN[target.suffix[1:]]:
        target.write_bytes(foreign)
        before = Path("rally.json").read_bytes()
        told = run(*line.split(), code=2).stderr
        assert "--force" in told and target.name in told
        assert (target.read_bytes(), Path("rally.json").read_bytes()) == (foreign, before)
    run(*line.split(), "--force", code=0)
    made = target.read_bytes()
    assert made not in FOREIGN[target.suffix[1:]]
    run(*line.split(), code=0)
    assert target.read_bytes() == made


@pytest.mark.parametrize("line", NEW_ONLY)
def test_a_new_file_replaces_nothing(run: Run, line: str) -> None:
    rally()
    target = Path(next(word for word in line.split() if word.startswith("mine")))
    target.write_bytes(b"mine")
    assert "--force" in run(*line.split(), code=2).stderr
    assert target.read_bytes() == b"mine"
    run(*line.split(), "--force", code=0)
    assert target.read_bytes() != b"mine"


@pytest.mark.parametrize("line", ["report rally.json --all out --format svg", "turn rally.json -o out --format svg"])
def test_a_picture_in_the_folder_of_the_reports_is_kept(run: Run, line: str) -> None:
    rally()
    Path("out").mkdir()
    Path("out/red.svg").write_bytes(SVG)
    assert "red.svg" in run(*line.split(), code=2).stderr
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == {"red.svg": SVG}
    run(*line.split(), "--force", code=0)
    run(*line.split(), code=0)


def test_a_log_is_replaced_by_that_of_its_own_game_alone(run: Run) -> None:
    """It replaced another game without a word, and the secret of that game was lost with it."""
    game, turn = rally(), written("red: MOVE D3\n")
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "-o", "other.json", code=0)
    other = Path("other.json").read_bytes()
    written(run("log", "other.json", "--json", code=0).stdout_bytes, "log.jsonl")
    for name in ("other.json", "log.jsonl"):
        assert "not the log of this game" in run("apply", game, turn, "--log", name, code=2).stderr
    assert Path("other.json").read_bytes() == other
    run("apply", game, turn, "--log", "log.jsonl", "--dry-run", code=0)
    Path("log.jsonl").write_bytes(b"")
    run("apply", game, turn, "--log", "log.jsonl", code=0)
    run("undo", game, "--to", 0, "--reason", "x", code=0)
    run("apply", game, written("red: MOVE C2\n"), "--log", "log.jsonl", code=0)
    assert "MOVE C2" in Path("log.jsonl").read_text()


# Games --------------------------------------------------------------------------------------------------------------

CHANGES = {
    "apply": ("turn.txt",),
    "undo": ("--to", "0", "--reason", "x"),
    "amend": ("racers[blue].minutes=9", "--reason", "x"),
    "seat": ("red", "--holder", "Zoe", "--reason", "x"),
}


@pytest.fixture
def played(run: Run) -> Path:
    """Return a game in which red has moved; the next order stands in `turn.txt`, another game in `dear.json`."""
    game = rally()
    run("apply", game, "-", stdin="red: MOVE D3", code=0)
    written("red: MOVE C3")
    run("new", "checkpoint-rally", "--seat", "a", "--seat", "b", "-o", "dear.json", code=0)
    return game


@pytest.mark.parametrize("command", CHANGES)
def test_another_game_is_never_replaced_silently_and_an_earlier_writing_is(run: Run, played: Path, command: str) -> None:
    more, kept, before = CHANGES[command], Path("dear.json").read_bytes(), played.read_bytes()
    words = "name another file, or use --force: dear.json contains another game, dear"
    result = run(command, played, *more, "-o", "dear.json", code=2)
    assert (result.stderr, result.stdout) == (f"adjudicator: {words}\n", "")
    answer = json.loads(run(command, played, *more, "-o", "dear.json", "--json", code=2).stdout)
    assert (answer["error"], answer["message"]) == ("misuse", words)
    for content in ("dear to me", "{}", '{"format": 1'):
        Path("notes").write_text(content)
        assert "is not a valid game file" in run(command, played, *more, "-o", "notes", code=2).stderr
        assert Path("notes").read_text() == content
    assert (Path("dear.json").read_bytes(), played.read_bytes()) == (kept, before)
    Path("empty.json").touch()
    for name, how in (("next.json", ()), ("next.json", ()), ("empty.json", ()), ("dear.json", ("--force",))):
        run(command, played, *more, "-o", name, *how, code=0)
        assert adj.open(name).id == "rally"
    assert played.read_bytes() == before


def test_a_later_writing_a_game_of_the_same_name_and_what_is_only_tried(run: Run, played: Path) -> None:
    before = played.read_bytes()
    run("undo", played, "--to", 0, "--reason", "mail", "-o", "later.json", code=0)
    later = Path("later.json").read_bytes()
    assert "and others would be lost" in run("apply", played, "turn.txt", "-o", "later.json", code=2).stderr
    assert Path("later.json").read_bytes() == later
    run("apply", played, "turn.txt", "-o", "later.json", "--force", code=0)
    dear = Path("dear.json").read_bytes()
    run("apply", played, "turn.txt", "-o", "dear.json", "--dry-run", code=0)
    told = run("reveal", played, "--before-the-end", "--reason", "x", "-o", "dear.json", code=2).stderr
    assert told == "adjudicator: name another file, or use --force: dear.json contains another game, dear\n"
    assert (Path("dear.json").read_bytes(), played.read_bytes()) == (dear, before)
    run("new", "checkpoint-rally", "--seat", "a", "--seat", "b", "--id", "rally", "-o", "same.json", code=0)
    assert "another game with the same id, rally" in run("apply", played, "turn.txt", "-o", "same.json", code=2).stderr


def test_what_is_no_file_is_neither_written_nor_locked(run: Run, played: Path) -> None:
    Path("folder").mkdir()
    assert "is a folder" in run("apply", played, "turn.txt", "-o", "folder", code=2).stderr
    assert not Path("folder.lock").exists()


# Locks --------------------------------------------------------------------------------------------------------------


def test_a_run_that_cannot_wait_for_another_says_so_and_changes_nothing(
    run: Run, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.files import writing

    monkeypatch.setattr(writing, "locked", functools.partial(writing.locked, timeout=0.01))
    before = played.read_bytes()
    with FileLock("next.json.lock"), FileLock("rally.json.lock"):
        for command, more in CHANGES.items():
            for target in ((), ("-o", "./rally.json"), ("-o", str(played)), ("-o", "next.json")):
                told = run(command, "rally.json", *more, *target, code=2).stderr
                assert "another adjudicator is using this file" in told
        assert json.loads(run("apply", played, "turn.txt", "--json", code=2).stdout)["error"] == "file"
        run("check", played, "turn.txt", code=0)  # to look is always possible
        run("apply", played, "turn.txt", "-o", "copy.json", code=0)
        seats = ("new", "checkpoint-rally", "--seat", "a", "--seat", "b")
        assert "another adjudicator" in run(*seats, "-o", played, "--force", code=2).stderr
    assert (played.read_bytes(), Path("next.json").exists()) == (before, False)


WAITS = """
import os
import filelock
acquire = filelock.FileLock.acquire
def told(*given, **named):
    open("waits", "w").close()  # a pipe: this goes on when somebody reads it
    return acquire(*given, **named)
filelock.FileLock.acquire = told
from adjudicator.__main__ import main
main()
"""


@pytest.mark.posix
def test_of_two_runs_at_once_neither_loses_an_order_and_a_third_waits(run: Run) -> None:
    game = rally()
    command = [sys.executable, "-m", "adjudicator", "apply", "rally.json"]
    turns = written("red: MOVE D3\n", "red.txt"), written("blue: DRAW\n  KEEP U1 U2", "blue.txt")
    runs = [subprocess.Popen([*command, turn], stdout=subprocess.DEVNULL) for turn in turns]
    assert [running.wait() for running in runs] == [0, 0]
    end = adj.open(game)
    assert [row.order for row in end.seen_by("moderator").log()][1:] == ["MOVE D3"]
    assert [(sheet.seat, len(sheet.orders)) for sheet in end.seen_by("moderator").pending.waiting] == [("blue", 2)]
    os.mkfifo("waits")
    with FileLock("rally.json.lock"):
        waiting = [sys.executable, "-c", WAITS, "apply", "rally.json", written("red: MOVE C3", "more.txt")]
        third = subprocess.Popen(waiting, stdout=subprocess.DEVNULL)
        Path("waits").read_bytes()
        assert adj.open(game) == end
    assert third.wait() == 0
    assert [row.order for row in adj.open(game).seen_by("moderator").log()][1:] == ["MOVE D3", "MOVE C3"]


# Sizes --------------------------------------------------------------------------------------------------------------


def test_a_game_that_grows_too_large_is_told_before_and_never_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game, turn = rally(), written("red: MOVE D3\n")

    def limit(size: int) -> None:
        for module in ("files.reading", "store.game_file"):
            monkeypatch.setattr(f"adjudicator.{module}.LIMIT", size)

    limit(len(rally_bytes()))
    for words in (
        ("apply", game, turn),
        ("amend", game, "racers[blue].minutes=9", "--reason", "x"),
        ("apply", game, turn, "-o", "new.json"),
        ("apply", game, turn, "--json"),
    ):
        result = run(*words, code=2)
        assert "nothing was written: the file would have" in result.stderr + result.stdout
    assert (game.read_bytes(), Path("new.json").exists()) == (rally_bytes(), False)
    limit(4 * len(rally_bytes()))
    assert "MB already" not in run("apply", game, turn, code=0).stderr
    limit(len(game.read_bytes()) * 5 // 4)
    assert "the file of game rally has 0.0 MB already" in run("apply", game, written("red: MOVE C3\n"), code=0).stderr


def test_a_file_of_nothing_but_lists_is_refused_before_it_is_read(run: Run) -> None:
    """Each takes some hundred bytes in memory: 64 MB of them took more than 3 GB."""
    written(b'{"format": 2, "x": [' + b"[]," * 500_000 + b"[]]}", "lists.json")
    assert "far more brackets than any adjudicator file" in run("show", "lists.json", code=3).stderr
