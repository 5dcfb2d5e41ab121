"""Many games: the folder of their results, which a later run continues, and the memory of what was decided before."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive import many
from adjudicator.archive.many import Memory, memory_key
from tests.drivers import toy
from tests.drivers.records import event_of, forge, put, small

Run = Callable[..., Result]
GOOD = small("checkpoint-rally")
DOCUMENT = json.loads(GOOD)
FORGED = forge(put(DOCUMENT, event_of(DOCUMENT, "spent") + ".after", lambda minutes: minutes + 1))


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files that are decided, and not remembered."""
    names: list[str] = []

    def noted(data: bytes, name: str, **how: Any) -> Any:
        names.append(name)
        return adj.audit_bytes(data, name, **how)

    monkeypatch.setattr(many, "audit_bytes", noted)
    return names


@pytest.fixture
def games(run: Run) -> None:
    """Lay games of every kind into the folder `in`."""
    Path("in").mkdir()
    for name, data in {"good": GOOD, "bad": FORGED, "torn": GOOD[:-9], "other": b"{}"}.items():
        Path("in", f"{name}.json").write_bytes(data)


# The folder of results ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games")
def test_the_folder_has_the_lines_of_the_command(run: Run) -> None:
    quiet = run("audit", "in", "-o", "found", "--quiet", code=1)
    assert quiet.stdout == run("audit", "in", "--quiet", code=1).stdout
    lines = run("audit", "in", "--json", code=1).stdout.splitlines()
    assert Path("found/results.jsonl").read_text("utf-8").splitlines() == lines[:-1]
    assert Path("found/summary.json").read_text("utf-8").splitlines() == lines[-1:]


@pytest.mark.usefixtures("games")
def test_each_result_is_kept_as_soon_as_it_is_known(run: Run) -> None:
    """A run that is stopped leaves the results that it had, and no summary."""
    results = many.keep_results(adj.audit_files("in", jobs=0), "found")
    known = [next(results).source, next(results).source]
    results.close()
    lines = Path("found/results.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["source"] for line in lines] == known == ["in/bad.json", "in/good.json"]
    assert os.listdir("found") == ["results.jsonl"]
    assert "use --resume to continue the audit in this folder" in run("audit", "in", "-o", "found", code=2).stderr


@pytest.mark.usefixtures("games", "memory_folder")
def test_a_stopped_run_goes_on_where_it_was(run: Run, decided: list[str]) -> None:
    def stopped() -> Iterator[Any]:
        for number, result in enumerate(adj.audit_files("in", jobs=0, memory=memory)):
            if number == 2:
                raise KeyboardInterrupt
            yield result

    whole = run("audit", "in", "-o", "whole", "--again", "--quiet", code=1)
    decided.clear()
    Path("in/good.json").rename("in/good-0.json")
    with pytest.raises(KeyboardInterrupt), Memory(is_new=True) as memory:
        list(many.keep_results(stopped(), "cut"))
    Path("in/good-0.json").rename("in/good.json")
    assert decided == ["in/bad.json", "in/good-0.json", "in/other.json"][: len(decided)]
    decided.clear()
    resumed = run("audit", "in", "-o", "cut", "--resume", "--quiet", code=1)
    assert resumed.stdout == whole.stdout
    assert "2 games are unchanged since an earlier audit on this computer" in resumed.stderr
    assert decided == ["in/other.json", "in/torn.json"], "only what could not be decided is tried again"
    for name in ("results.jsonl", "summary.json"):
        assert Path("cut", name).read_bytes() == Path("whole", name).read_bytes()


def test_a_folder_with_other_things_is_left_alone(run: Run) -> None:
    Path("game.json").write_bytes(GOOD)
    Path("mine").mkdir()
    Path("mine/wheel.stl").write_text("x")
    assert "it is not empty" in run("audit", "game.json", "-o", "mine", code=2).stderr
    assert "no audit to continue" in run("audit", "game.json", "-o", "mine", "--resume", code=2).stderr
    Path("mine/results.jsonl").write_text("mine")
    assert "no audit to continue" in run("audit", "game.json", "-o", "mine", "--resume", code=2).stderr
    assert Path("mine/results.jsonl").read_text() == "mine"
    assert "cannot be written here" in run("audit", "game.json", "-o", "game.json", code=2).stderr


@pytest.mark.usefixtures("games")
def test_a_table_in_parquet_has_the_same_rows(run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow: pip install 'pbem-adjudicator[parquet]'")
    Path("in", os.fsdecode(b"\xff.json")).write_bytes(GOOD)
    run("audit", "in", "-o", "found", "--parquet", "--quiet", code=1)
    rows = parquet.read_table("found/results.parquet").to_pylist()
    found = [json.loads(line) for line in Path("found/results.jsonl").read_text("utf-8").splitlines()]
    assert [row["source"] for row in rows] == [*(one["source"] for one in found[:-1]), "in/?.json"]
    assert [row["divergence_recomputed"] for row in rows] == [
        (one.get("divergence") or {}).get("recomputed") for one in found
    ]
    assert [row["orders"] for row in rows] == [one.get("orders") for one in found]


# The memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("games", "memory_folder")
def test_an_unchanged_game_is_not_decided_again(run: Run, decided: list[str]) -> None:
    first = run("audit", "in", "--json", code=1)
    assert (len(decided), first.stderr) == (4, "")
    Path("in/good.json").rename("in/moved.json")
    decided.clear()
    second = run("audit", "in", code=1)
    assert decided == ["in/other.json", "in/torn.json"], "what was not decided is not remembered"
    assert "2 games are unchanged since an earlier audit on this computer (--again decides all again)" in second.stderr
    assert "in/moved.json" in second.stdout
    decided.clear()
    again = run("audit", "in", "--again", code=1)
    assert (len(decided), again.stdout, again.stderr) == (4, second.stdout, "")
    Path("in/moved.json").write_bytes(FORGED)
    assert run("audit", "in/moved.json", code=1).stdout.startswith("diverged")
    decided.clear()
    run("audit", "in/bad.json", "--impact", code=1)
    assert decided == ["in/bad.json"], "another question"


@pytest.mark.usefixtures("memory_folder")
def test_every_byte_of_a_file_counts(run: Run) -> None:
    """Neither pending orders nor the state are in the chain of heads."""
    Path("game.json").write_bytes(GOOD)
    run("audit", "game.json", code=0)
    Path("game.json").write_bytes(GOOD + b"\n")
    assert run("audit", "game.json", code=0).stderr == ""


@pytest.mark.usefixtures("memory_folder")
def test_a_script_is_not_remembered_because_it_reads_other_files(run: Run, decided: list[str]) -> None:
    Path("game.txt").write_text("script great-race\nplayers red=Ann blue=Ben\n")
    for _ in range(2):
        run("audit", "game.txt")
    assert decided == ["game.txt"] * 2


@pytest.mark.usefixtures("memory_folder", "run")
def test_rules_that_are_in_no_file_are_not_remembered(decided: list[str]) -> None:
    Path("game.json").write_bytes(toy.new().apply({"red": "ADD 1"}).game.to_bytes())
    with Memory() as memory:
        for _ in range(2):
            (found,) = adj.audit_files("game.json", jobs=0, memory=memory)
            assert isinstance(found, adj.Verdict) and found.is_verified
    assert decided == ["game.json"] * 2


@pytest.mark.parametrize("what", ["rules_of_somebody", "program", "grammar"])
def test_the_memory_forgets_when_the_code_changes(memory_folder: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    for name in ("rules_of_somebody", "program", "grammar"):
        (memory_folder / name).mkdir()
        (memory_folder / name / "__init__.py").write_text("X = 1")
    monkeypatch.syspath_prepend(memory_folder)
    monkeypatch.setattr("adjudicator.archive.many.package_of", lambda name: name)
    monkeypatch.setattr("adjudicator.resources.folder", lambda name: memory_folder / name)
    monkeypatch.setattr(
        "adjudicator.archive.many.find_spec", lambda name: find_spec({"adjudicator": "program"}.get(name, name))
    )
    key = memory_key(b"file", "audit")
    with Memory() as memory:
        memory.put(key, b"value", "rules_of_somebody")
        memory.put(memory_key(b"file", "other"), b"other", "rules_of_somebody")
    with Memory() as memory:
        assert (memory.get(key), memory.known) == (b"value", 1)
        assert memory.get(memory_key(b"file")) is None
    (memory_folder / what / "__init__.py").write_text("X = 23")
    with Memory() as memory:
        assert (memory.get(key), memory.known) == (None, 0)


def test_a_damaged_memory_knows_nothing_and_begins_again(memory_folder: Path) -> None:
    file, key = memory_folder / "decided-1.db", memory_key(b"file")
    for damage in (b"not a database", b"", None):
        with Memory() as memory:
            memory.put(key, b"value", "great-race")
        whole = file.read_bytes()
        file.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:] if damage is None else damage)
        with Memory() as memory:
            assert memory.get(key) is None
            memory.put(key, b"value", "great-race")
        with Memory() as memory:
            memory.put(key, b"value", "great-race")
        with Memory() as memory:
            assert memory.get(key) == b"value"
    assert file.stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_a_memory_that_cannot_be_opened_or_holds_nonsense_knows_nothing(memory_folder: Path) -> None:
    file, key = memory_folder / "decided-1.db", memory_key(b"file")
    for row in ((key, 5, b"code", b"value"), (key, "great-race", None, b"value"), (key, "great-race", "code", None)):
        with Memory():
            base = sqlite3.connect(file)
            base.execute("REPLACE INTO decided VALUES (?, ?, ?, ?)", row)
            base.commit()
            base.close()
        with Memory() as memory:
            assert memory.get(key) is None
    file.unlink()
    file.mkdir()
    with Memory() as memory:
        memory.put(key, b"value", "great-race")
        assert memory.get(key) is None


def test_a_memory_that_is_in_use_stops_nobody(memory_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory() as memory:
        memory.put(memory_key(b"1"), b"one", "great-race")
    monkeypatch.setattr("adjudicator.archive.many._BUSY", 0)
    other = sqlite3.connect(memory_folder / "decided-1.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Memory() as memory:
        assert memory.get(memory_key(b"1")) is None
        memory.put(memory_key(b"2"), b"two", "great-race")
    other.close()
    with Memory() as memory:
        assert (memory.get(memory_key(b"1")), memory.get(memory_key(b"2"))) == (b"one", None)


def test_two_processes_remember_at_once(memory_folder: Path) -> None:
    with Memory() as one, Memory() as other:
        for number in range(300):
            one.put(memory_key(b"%d" % number), b"one", "great-race")
            other.put(memory_key(b"%d" % (number + 200)), b"other", "great-race")
    with Memory() as memory:
        found = [memory.get(memory_key(b"%d" % number)) for number in range(500)]
    assert (None in found, set(found)) == (False, {b"one", b"other"})


def test_the_memory_keeps_the_latest(memory_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.many._MOST_KNOWN", 3)
    monkeypatch.setattr("adjudicator.archive.many._OFTEN", 0)
    with Memory() as memory:
        for name in (b"a", b"b", b"c", b"d", b"a"):
            memory.put(memory_key(name), name, "great-race")
    with Memory() as memory:
        assert [memory.get(memory_key(name)) for name in (b"a", b"b", b"c", b"d")] == [b"a", None, b"c", b"d"]


@pytest.mark.posix
def test_a_folder_that_others_can_write_to_has_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes there decides what is verified."""
    from adjudicator.orders.fast import cache_folder

    tmp_path.chmod(0o777)
    monkeypatch.setenv("ADJUDICATOR_CACHE", str(tmp_path))
    monkeypatch.setattr("adjudicator.archive.many.cache_folder", cache_folder.__wrapped__)
    with Memory() as memory:
        memory.put(memory_key(b"file"), b"value", "great-race")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.posix
def test_a_file_that_others_can_write_to_is_no_memory(memory_folder: Path) -> None:
    """It may come from a time when its folder was open to others."""
    with Memory() as memory:
        memory.put(memory_key(b"file"), b"value", "great-race")
    (file,) = memory_folder.iterdir()
    file.chmod(0o666)
    with Memory() as memory:
        assert memory.get(memory_key(b"file")) is None
    file.chmod(0o600)
    with Memory() as memory:
        assert memory.get(memory_key(b"file")) == b"value"
