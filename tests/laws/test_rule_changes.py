"""The page of rule changes is true: each change works in a copy of the program, and a game is played with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.drivers.changed_games import GAMES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rule-changes.md").read_text("utf-8")
CHANGES = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
TIMES = count(1)


def test_each_change_has_a_game() -> None:
    assert list(CHANGES) == list(GAMES)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the program and its data."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "adjudicator", folder / "adjudicator", ignore=shutil.ignore_patterns("_data"))
    for data in ("grammar", "schemas", "docs"):
        (folder / data).symlink_to(ROOT / data)
    return folder


@pytest.fixture
def changed(copy: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return the copy with the change of the section ``param``, which is undone afterwards."""
    section = CHANGES[request.param]
    diffs = list(file_diffs(section))
    before = {file: (copy / file).read_bytes() for file in (*(name for name, _ in diffs), *data_of(section))}
    try:
        for name, diff in diffs:
            write(copy / name, applied((copy / name).read_text("utf-8"), diff).encode())
        for script in blocks(section, "python"):
            subprocess.run([sys.executable, "-c", script], cwd=copy, check=True)
        yield copy
    finally:
        for file, content in before.items():
            write(copy / file, content)


def write(file: Path, content: bytes) -> None:
    """Write a file with a time of its own: so Python compiles it again, and nothing else."""
    file.write_bytes(content)
    os.utime(file, (when := next(TIMES), when))


def blocks(section: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def file_diffs(section: str) -> Iterator[tuple[str, str]]:
    """Yield each file that a section changes, with the changed lines."""
    for diff in blocks(section, "diff"):
        for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
            name, _, lines = part.partition("\n")
            yield name, lines


def data_of(section: str) -> list[str]:
    return re.findall(r'Path\("(.+?)"\)', section)


def applied(text: str, diff: str) -> str:
    """Return ``text`` with the changes of ``diff``; the old lines of each of its parts must be in one place."""
    for part in diff.split("@@\n"):
        old, new = ("".join(line[1:] for line in part.splitlines(keepends=True) if line[0] in f" {sign}") for sign in "-+")
        assert text.count(f"\n{old}") == 1, old
        text = text.replace(f"\n{old}", f"\n{new}")
    return text


FIRST, *OTHERS = CHANGES


@pytest.mark.parametrize("changed", [FIRST, *(pytest.param(one, marks=pytest.mark.soak) for one in OTHERS)], indirect=True)
def test_a_game_is_played_with_the_changed_rules(changed: Path, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    heading = request.node.callspec.params["changed"]
    play = [sys.executable, str(ROOT / "tests" / "drivers" / "changed_games.py"), heading]
    env = {**os.environ, "PYTHONPATH": str(changed), "PYTHONPYCACHEPREFIX": str(changed.parent / "compiled")}
    subprocess.run(play, cwd=tmp_path, env=env, check=True)


@pytest.mark.parametrize("heading", CHANGES)
def test_a_change_takes_one_file_of_code(heading: str) -> None:
    assert len([name for name, _ in file_diffs(CHANGES[heading]) if name.endswith(".py")]) == 1


# A rule is found by its number in one file ----------------------------------------------------------------------------

PLACES = re.findall(r"^\| ([A-Z]{2}-[A-Z]\d+) \| `(\w+)/(\w+\.py)` \| (.+?) \|$", PAGE, re.MULTILINE)


def test_a_rule_of_each_game_is_placed() -> None:
    assert [rule for rule, *_ in PLACES] == ["CF-D1", "CC-K2", "CR-F2", "CR-P3", "GR-D2"]


@pytest.mark.parametrize(("rule", "game", "file", "names"), PLACES)
def test_a_rule_is_in_one_file_with_when_it_applies_what_it_does_and_its_words(
    rule: str, game: str, file: str, names: str
) -> None:
    codes = {path: path.read_text("utf-8") for path in (ROOT / "adjudicator" / "games" / game).rglob("*.py")}
    assert [path.name for path, code in codes.items() if re.search(rf"{rule}\b", code)] == [file]
    code = codes[ROOT / "adjudicator" / "games" / game / file]
    named = re.findall(r"`(\w+)`", names)
    assert len(named) == 3 and all(re.search(rf"(?:def|class) {name}\b", code) for name in named)
