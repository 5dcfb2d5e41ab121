"""What the examples of Checkpoint Rally are there to show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "examples"
GAMES = ("two-players", "four-players")
each_game = pytest.mark.parametrize("name", GAMES)


def folder(name: str) -> Path:
    return ROOT / "checkpoint-rally" / name


def log_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder(name) / "log.jsonl").read_text("utf-8").splitlines()]


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
        ("two-players", ["1. Bob (blue)  50 min  finished first", "2. Ann (red)  54 min  finished second"]),
        (
            "four-players",
            [
                "1. Ann (red)  35 min  finished second",
                "2. Cleo (green)  37 min  finished first",
                "3. Dan (yellow)  37 min  finished third",
                "4. Bob (blue)  39 min  not classified, 2 checkpoints",
            ],
        ),
        ("own-set", ["1. Ann (red)  24 min  finished first", "2. Bob (blue)  24 min  finished second"]),
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
    assert "pending: blue 1 order" in seen
    assert "red: discard 3 of 6 tiles" in seen


@pytest.mark.parametrize(
    "code",
    [
        "orders/unknown-order",
        "orders/unknown-seat",
        "orders/missing-colon",
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
