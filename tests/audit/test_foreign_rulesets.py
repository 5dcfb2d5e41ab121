"""Rulesets of other packages that leave, hang or print while they are audited cost no other game its verdict."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import adjudicator as adj
from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.sources.archives import Opener
from adjudicator.sources.candidates import Source
from adjudicator.verdict import Kind, Verdict

PACK = Path(__file__).parents[1] / "store" / "pack"
ROOT = Path(__file__).parents[2]
HOSTILE = """

import os, sys, time
def hostile(*given):
    how = os.environ.get("HOSTILE", "")
    if how == "exit": sys.exit(0)
    if how == "gone": os._exit(0)
    if how == "bug": raise KeyError("laps")
    if how == "raise": raise BaseException("what nobody catches")
    if how == "interrupt": raise KeyboardInterrupt
    if how == "parent": os.kill(os.getppid(), 9)
    if how == "group": os.killpg(0, 9)
    if how == "hang":
        open(os.environ["PIDS"], "a").write(f"{os.getpid()}\\n")
        while True: time.sleep(1)
    if how == "print": print("hello from a stranger"); os.system("echo from the shell")
    yield from ()
RULESET = RULESET.changed(proceed=hostile)
if os.environ.get("HOSTILE") == "import": print("hello while it is loaded"); raise BaseException("no")
if os.environ.get("HOSTILE") == "import and exit": print("hello while it is loaded"); sys.exit(0)
"""

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a hostile ruleset in a folder of its own."""
    folder = tmp_path_factory.mktemp("hostile") / "pack"
    shutil.copytree(PACK, folder)
    with (folder / "toy_ladder" / "__init__.py").open("a") as source:
        source.write(HOSTILE)
    return folder


@pytest.fixture(scope="module")
def environment(pack: Path) -> dict[str, str]:
    """Return an environment in which that ruleset is found."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(pack), str(ROOT)])}


def called(words: tuple[object, ...], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "adjudicator", *map(str, words)]
    return subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def command(tmp_path: Path, environment: dict[str, str]) -> Command:
    """Run the command line where a hostile ruleset is installed; ``how`` says what it does."""

    def run(*words: object, how: str = "") -> subprocess.CompletedProcess[str]:
        return called(words, tmp_path, {**environment, "HOSTILE": how, "PIDS": str(tmp_path / "pids")})

    return run


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """Make a folder in which two games of the toy stand between two of this program's own; nobody writes into it."""
    folder = tmp_path_factory.mktemp("games")
    for name in ("a", "d"):
        (folder / f"{name}.json").write_bytes(adj.new("checkered-flag", ["red", "blue"]).to_bytes())
    for name in ("b", "c"):
        words = ("new", "toy-ladder", "--seat", "red", "--seat", "blue", "-o", folder / f"{name}.json")
        made = called(words, folder, environment)
        assert made.returncode == 0, made.stderr
    return folder


def statuses(found: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    return [
        (Path(row["source"]).name, (row["divergence"] or {}).get("recomputed", "") if "divergence" in row else row["reason"])
        for row in rows
        if "source" in row
    ]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("exit", "SystemExit: 0"),
        ("gone", "exit code 0"),
        pytest.param("group", "exit code -9", marks=pytest.mark.soak),
        ("parent", ""),
        pytest.param(
            "raise",
            "BaseException: what nobody catches",
            marks=pytest.mark.soak,
        ),
        ("interrupt", "KeyboardInterrupt"),
        (
            "bug",
            "(toy_ladder, hostile, line 161): KeyError: 'laps'",
        ),
        ("hang", "within 1.5 seconds"),
    ],
)
def test_what_a_stranger_does_is_told_and_the_others_are_audited(
    command: Command, archive: Path, how: str, words: str, jobs: int
) -> None:
    """`sys.exit(0)` in a ruleset ended the audit with 0, and games were not looked at."""
    timeout = ("--timeout", 1.5) if how == "hang" else ()
    found = command("audit", archive, "--json", "--jobs", jobs, *timeout, how=how)
    (a, b, c, d) = statuses(found)
    assert (a, d) == (("a.json", ""), ("d.json", "")), found.stderr
    assert ([b[0], c[0]], b[1]) == (["b.json", "c.json"], c[1])
    assert words in b[1] and ("“toy-ladder”" in b[1]) == bool(words)
    assert found.returncode == (0 if not words else 3 if how == "hang" else 70)


def test_a_site_has_a_page_for_each_game_of_a_ruleset_that_prints(command: Command, archive: Path) -> None:
    found = command("site", archive, "-o", "public", "--unfinished", "--json", how="print")
    assert json.loads(found.stdout)["games"] == 4, found.stderr


def test_what_it_prints_is_in_no_report_and_told_once(command: Command, archive: Path) -> None:
    found = command("audit", archive, "--json", how="print")
    told = statuses(found)
    assert [name for name, _ in told] == ["a.json", "b.json", "the ruleset “toy-ladder”", "c.json", "d.json"]
    assert told[2][1].startswith("it prints text during the audit, which no ruleset may do: hello from a stranger")
    assert found.returncode == 0


@pytest.mark.parametrize("how", ["import", pytest.param("import and exit", marks=pytest.mark.soak)])
def test_a_ruleset_that_cannot_be_loaded_hurts_no_other(command: Command, archive: Path, how: str) -> None:
    found = command("audit", archive, "--json", how=how)
    assert [words == "" for _, words in statuses(found)] == [True, False, False, True]
    assert found.returncode == 3
    alone = command("audit", archive / "b.json", how=how)
    assert alone.returncode == 3
    assert alone.stdout.startswith("unread     –  the ruleset “toy-ladder” cannot be used: loading it failed: ")
    shown = command("show", archive / "b.json", how=how)
    assert shown.returncode == 2
    assert "cannot be trusted" not in shown.stderr
    for words in (("schema", "checkered-flag.position"), ("schema",)):
        listed = command(*words, how=how)
        assert listed.returncode == 0, listed.stderr
        assert "hello" not in listed.stdout


def test_ctrl_c_ends_all_that_was_begun(environment: dict[str, str], archive: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    environment = {**environment, "HOSTILE": "hang", "PIDS": str(pids)}
    call = [sys.executable, "-m", "adjudicator", "audit", str(archive)]
    with subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 60
        while not (pids.exists() and pids.read_text().endswith("\n")):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    worker = int(pids.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


# This program's own rulesets ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("other_processes")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here")
def test_they_too_have_a_time_limit(small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_opener: Opener, source: Source) -> bytes:
        while source.name == "endless":
            pass
        return small

    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(Opener, "read", read)
    found = list(audit_sources([Source("endless", "x"), Source("other", "y")], AuditOptions(timeout=2)))
    assert isinstance(found[0], Verdict)
    assert found[0].divergence is not None
    assert found[0].divergence.kind is Kind.UNREAD
    assert "--timeout" in found[0].divergence.recomputed
    assert isinstance(found[1], Verdict)
    assert found[1].divergence is None


def test_a_program_ends_though_its_pool_was_never_closed(tmp_path: Path) -> None:
    """The workers of a cluster keep theirs: such a worker hung at its exit."""
    game = ROOT / "examples/checkered-flag/race/game.json"
    script = tmp_path / "worker.py"
    script.write_text(
        "from adjudicator.sources.candidates import Source\n"
        "from adjudicator.audit.run import USUAL, audit_in, audit_pool\n"
        "if __name__ == '__main__':\n"
        f"    name = {str(game)!r}\n"
        "    pool = audit_pool(USUAL)\n"
        "    print(next(audit_in(pool, [Source(name, name, is_named=True)], USUAL)).divergence)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "None\n"
