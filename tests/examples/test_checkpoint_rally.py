"""The examples of Checkpoint Rally: every one is played from scratch, and gives the files that are shipped, to the byte."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "examples"
GAMES = ("two-players", "four-players")


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples_regenerate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


regenerate = _load(ROOT / "regenerate.py")
EXAMPLES = {example.folder.name: example for example in regenerate.examples()}
each_example = pytest.mark.parametrize("name", EXAMPLES)
each_game = pytest.mark.parametrize("name", GAMES)


def folder(name: str) -> Path:
    return ROOT / "checkpoint-rally" / name


def log_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder(name) / "log.jsonl").read_text("utf-8").splitlines()]


def shipped_files() -> Iterator[Path]:
    caches = {"__pycache__"}
    return (path for path in ROOT.rglob("*") if path.is_file() and not caches & set(path.parts))


# --- they give what they show ----------------------------------------------------------------------------------------


@each_example
def test_an_example_gives_what_it_shows(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    for made, data in example.replay(tmp_path, regenerate.in_this_process).items():
        assert data.decode() == (example.folder / made).read_bytes().decode(), made


@pytest.mark.parametrize("name", ["mistakes", "own-set"])
def test_it_gives_the_same_as_a_program_of_its_own(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    for made, data in example.replay(tmp_path, regenerate.in_a_process).items():
        assert data.decode() == (example.folder / made).read_bytes().decode(), made


def test_all_examples_are_here() -> None:
    assert set(EXAMPLES) == {"two-players", "four-players", "golden", "hand-kept", "mistakes", "own-set"}
    index = (ROOT / "README.md").read_text("utf-8")
    assert all(f"`checkpoint-rally/{name}/`" in index for name in EXAMPLES)


@each_example
def test_no_file_of_an_example_lies_about_unused(name: str) -> None:
    example = EXAMPLES[name]
    assert example.shipped - example.made - example.read == {regenerate.README}
    assert "expected.txt" in example.shipped


def test_nothing_else_lies_among_the_examples() -> None:
    of_examples = {path for example in EXAMPLES.values() for path in example.folder.iterdir()}
    others = {path.relative_to(ROOT).as_posix() for path in set(shipped_files()) - of_examples}
    assert others == {"README.md", "regenerate.py", "verify_chance.py", ".gitattributes"}
    # Files that are compared byte by byte must come out of a checkout as they went in.
    assert "* -text\n" in (ROOT / ".gitattributes").read_text("utf-8")


@each_example
def test_the_readme_of_an_example_explains_what_is_made(name: str) -> None:
    example = EXAMPLES[name]
    prose = re.sub(r"```.*?```", "", (example.folder / "README.md").read_text("utf-8"), flags=re.DOTALL)
    for made in example.made & example.shipped:
        assert f"`{re.sub(r'[0-9](?=.expected)', 'N', made)}`" in prose, made


def test_no_example_holds_an_address() -> None:
    for path in shipped_files():
        assert re.search(r"[\w.+-]+@[\w-]+\.\w+", path.read_text("utf-8")) is None, path


# --- the script that rewrites them -----------------------------------------------------------------------------------


def test_what_is_spoilt_is_rewritten_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "own-set"
    shutil.copytree(folder("own-set"), copy)
    (copy / "log.txt").write_text("spoilt")
    regenerate.main([], root=tmp_path)
    assert capsys.readouterr().out == f"rewritten: {copy / 'log.txt'}\n"
    assert (copy / "log.txt").read_bytes() == (folder("own-set") / "log.txt").read_bytes()
    regenerate.main([str(copy)])
    assert capsys.readouterr().out == ""


def test_an_example_runs_no_other_programs(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("```sh\nrm -rf adjudicator\n```\n")
    with pytest.raises(ValueError, match="rm -rf adjudicator"):
        regenerate.Example(tmp_path).replay(tmp_path, regenerate.in_this_process)


# --- what they are there to show -------------------------------------------------------------------------------------


@each_game
def test_a_game_is_played_to_its_end_in_a_believable_number_of_mails(name: str) -> None:
    rows = log_of(name)
    turns = len(list(folder(name).glob("turn-*.txt")))
    assert 15 <= turns <= 25
    assert rows[-1]["turn"] == turns
    assert 40 <= len(rows) - 1 <= 80
    assert re.match(r"the game is over: \w+ wins", rows[-1]["told"][-1])


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("two-players", ["1. blue  50 min  finished first", "2. red  54 min  finished second"]),
        (
            "four-players",
            [
                "1. red  35 min  finished second",
                "2. green  37 min  finished first",
                "3. yellow  37 min  finished third",
                "4. blue  39 min  not classified, 2 checkpoints",
            ],
        ),
        ("own-set", ["1. red  24 min  finished first", "2. blue  24 min  finished second"]),
    ],
)
def test_a_game_ends_as_its_readme_tells(name: str, result: list[str]) -> None:
    lines = [" ".join(line.split()) for line in (folder(name) / "expected.txt").read_text("utf-8").splitlines()]
    over = lines.index("the game is over:")
    assert lines[over + 1 : over + 1 + len(result)] == [" ".join(line.split()) for line in result]


def test_turn_files_look_as_mails_do() -> None:
    text = "\n".join(path.read_bytes().decode() for name in GAMES for path in sorted(folder(name).glob("turn-*.txt")))
    for habit in (
        r"^game rally-02\d$",
        r"^turn \d+$",
        r"^red:$",  # a block
        r"^blue: \w+",  # one line
        r"\bplace\b",
        r"\bPLACE\b",
        r"\bOR\b",
        r"\bif .+ then .+ else\b",
        r"\bIF .+ THEN .+ ELSE\b",
        r"\bkeep\b",
        r"DRAW\n +DISCARD",  # ahead
        r"^# ",
        r"  # ",
        r"; ",
        r"^> ",
        r"^-- $",
        r"^ *- ",
        r"^ *1\. ",
        "\r$",
        "\u00a0",
        "\u201c",
    ):
        assert re.search(habit, text, re.MULTILINE), habit


@each_game
def test_the_public_log_keeps_secrets(name: str) -> None:
    game = json.loads((folder(name) / "game.json").read_text("utf-8"))
    events = [event for link in game["journal"] for event in link["entry"]["events"]]
    told = [words for row in log_of(name) for words in row["told"]]
    drawn = [words for words in told if re.match(r"\w+ draws", words)]
    assert drawn
    assert all(re.fullmatch(r"\w+ draws \d tiles? \(CR-\w\d\)", words) for words in drawn)
    cards = {event["card"] for event in events if event["kind"] == "seat-prepared"}
    public = (folder(name) / "log.jsonl").read_text("utf-8")
    assert cards
    assert not any(re.search(rf"\b{card}\b", public) for card in cards)
    assert "KEEP" not in public
    assert game["chance"]["secret"] not in public


@pytest.mark.parametrize(
    ("case", "cost", "words"),
    [
        (1, 1, "4 − highway W − grassland N − mountains W"),
        (2, 1, "4 − mountains as before − grassland as before − highway as before"),
        (3, 2, "13 → 15"),
        (4, 3, "− 2 second to finish"),
        (5, 6, "4 urban D3 + 2 highway C3"),
    ],
)
def test_a_golden_case_costs_what_the_rulebook_says(case: int, cost: int, words: str) -> None:
    lines = (folder("golden") / f"case-{case}.expected.txt").read_text("utf-8").splitlines()
    (line,) = [line for line in lines if re.match(r" *1  red ", line)]
    assert words in line
    assert re.search(rf" {cost}  +\d+ → ", line)


def test_three_of_six_tiles_must_go_before_anybody_acts() -> None:
    seen = (folder("golden") / "expected.txt").read_text("utf-8")
    assert "waiting: blue 1 order" in seen
    assert "red: discard 3 of 6 tiles" in seen


@pytest.mark.parametrize(
    "code",
    [
        "orders/unknown-order",
        "orders/unknown-seat",
        "orders/missing-colon",
        "orders/second-sheet",
        "orders/wrong-game",
        "orders/wrong-turn",
        "orders/unknown-fact",
        "orders/empty",
        "checkpoint-rally/unknown-tile",
        "checkpoint-rally/unknown-cell",
        "checkpoint-rally/bad-rotation",
        "checkpoint-rally/three-steps",
        "checkpoint-rally/not-in-hand",
        "checkpoint-rally/car-on-cell",
        "checkpoint-rally/no-road",
        "checkpoint-rally/gps-spent",
        "checkpoint-rally/no-discard-due",
    ],
)
def test_every_mistake_is_in_the_report(code: str) -> None:
    assert f": {code}" in (folder("mistakes") / "expected.txt").read_text("utf-8")
