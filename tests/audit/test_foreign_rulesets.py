"""Rulesets of other packages that exit, hang or print while they are audited cost no other game its verdict."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import adjudicator as adj
from tests.drivers import toy
from tests.drivers.records import ROOT

HOSTILE = """
import os, sys, time
from tests.drivers.toy import *
META = META.__class__(**{**{name: getattr(META, name) for name in META.__struct_fields__},
                         "id": "hostile-coins", "name": "Hostile Coins", "ruleset": "hostile:RULES"})
def hostile(self, state, chance):
    how = os.environ.get("HOSTILE", "")
    if how == "exit": sys.exit(0)
    if how == "gone": os._exit(0)
    if how == "bug": raise KeyError("laps")
    if how == "raise": raise BaseException("what nobody catches")
    if how == "interrupt": raise KeyboardInterrupt
    if how == "hang":
        with open(os.environ["PIDS"], "w") as pipe: pipe.write(f"{os.getpid()}\\n")
        while True: time.sleep(1)
    if how == "print": print("hello from a stranger")
    yield from ToyCoins.follow(self, state, chance)
RULES = changed(ToyCoins, meta=META, follow=hostile)
if os.environ.get("HOSTILE") == "import": print("hello while it is loaded"); raise BaseException("no")
if os.environ.get("HOSTILE") == "import and exit": print("hello while it is loaded"); sys.exit(0)
"""
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which a package with a hostile ruleset is installed."""
    pack = tmp_path_factory.mktemp("pack")
    shutil.copytree(Path(toy.__file__).parent / "data", pack / "hostile" / "data")
    (pack / "hostile" / "__init__.py").write_text(HOSTILE)
    (pack / "hostile-1.0.dist-info").mkdir()
    (pack / "hostile-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n")
    (pack / "hostile-1.0.dist-info" / "entry_points.txt").write_text(
        "[adjudicator.rulesets]\nhostile-coins = hostile:META\n"
    )
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(pack), str(ROOT)])}


def called(words: tuple[object, ...], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "adjudicator", *map(str, words)]
    return subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def command(tmp_path: Path, environment: dict[str, str]) -> Command:
    """Run the command line where the ruleset is installed; ``how`` says what it does."""
    return lambda *words, how="": called(words, tmp_path, {**environment, "HOSTILE": how, "PIDS": os.devnull})


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """Make a folder in which two games of the stranger stand between two of this program's own."""
    folder = tmp_path_factory.mktemp("games")
    for name in ("a", "d"):
        (folder / f"{name}.json").write_bytes(adj.new("checkered-flag", ["red", "blue"]).to_bytes())
    for name in ("b", "c"):
        words = ("new", "hostile-coins", "--seat", "red", "--seat", "blue", "-o", folder / f"{name}.json")
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


WAYS = [
    ("exit", "SystemExit: 0", 70),
    ("bug", "KeyError: 'laps'", 70),
    ("hang", "within 1.5 seconds", 3),
    *(
        pytest.param(*way, marks=pytest.mark.soak)
        for way in (
            ("gone", "exit code 0", 70),
            ("raise", "BaseException: what nobody catches", 70),
            ("interrupt", "KeyboardInterrupt", 70),
        )
    ),
]


@pytest.mark.parametrize(("how", "words", "code"), WAYS)
def test_what_a_stranger_does_is_told_and_the_others_are_audited(
    command: Command, archive: Path, how: str, words: str, code: int
) -> None:
    """`sys.exit(0)` in a ruleset ended the audit with 0, and games were not looked at."""
    found = command("audit", archive, "--json", "--again", *(("--timeout", 1.5) if how == "hang" else ()), how=how)
    a, b, c, d = statuses(found)
    assert (a, d) == (("a.json", ""), ("d.json", "")), found.stderr
    assert ([b[0], c[0]], b[1]) == (["b.json", "c.json"], c[1])
    assert (words in b[1], found.returncode) == (True, code)


def test_what_it_prints_is_in_no_report(command: Command, archive: Path) -> None:
    found = command("audit", archive, "--json", "--again", how="print")
    assert ([name for name, _ in statuses(found)], found.returncode) == (["a.json", "b.json", "c.json", "d.json"], 0)
    site = command("site", archive, "-o", "public", "--unfinished", "--json", how="print")
    assert json.loads(site.stdout)["games"] == 4, site.stderr


@pytest.mark.parametrize("how", ["import", pytest.param("import and exit", marks=pytest.mark.soak)])
def test_a_ruleset_that_cannot_be_loaded_hurts_no_other(command: Command, archive: Path, how: str) -> None:
    found = command("audit", archive, "--json", "--again", how=how)
    assert [words == "" for _, words in statuses(found)] == [True, False, False, True]
    assert found.returncode == 3
    shown = command("show", archive / "b.json", how=how)
    assert (shown.returncode, "cannot be trusted" in shown.stderr) == (2, False)
    listed = command("schema", how=how)
    assert (listed.returncode, "hello" in listed.stdout) == (0, False)


@pytest.mark.posix
def test_ctrl_c_ends_all_that_was_begun(environment: dict[str, str], archive: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    call = [sys.executable, "-m", "adjudicator", "audit", str(archive), "--again"]
    environment = {**environment, "HOSTILE": "hang", "PIDS": str(pids)}
    with subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        worker = int(pids.read_text())  # waits until it hangs
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
