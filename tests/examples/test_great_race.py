"""What the examples of The Great Race are there to show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "examples" / "great-race"
RACE = ROOT / "race"


def log() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RACE / "log.jsonl").read_text("utf-8").splitlines()]


def test_a_race_is_driven_to_its_end_in_a_believable_number_of_mails() -> None:
    turns = len(list(RACE.glob("turn-*.txt")))
    assert turns == 10
    assert log()[-1]["turn"] == turns
    assert "the race is over (GR-F1)" in log()[-1]["told"]


def test_it_ends_as_its_readme_tells() -> None:
    lines = [" ".join(line.split()) for line in (RACE / "expected.txt").read_text("utf-8").splitlines()]
    over = lines.index("Result")
    assert [line.split(" fuel ")[0] for line in lines[over + 1 : over + 4]] == [
        "1. Ann (red) 80 F 10 points of prestige, arrived first,",
        "2. Bob (blue) 30 F 8 points of prestige, arrived second,",
        "3. Cleo (green) 0 F 6 points of prestige, arrived third,",
    ]


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (1, "red takes Jerrycan"),
        (2, "blue travels by sea to Calvi"),
        (3, "green discards Cheater"),
        (3, "blue cancels it with escort"),
        (4, "the turn order of the next round is red, blue, green"),
        (6, "red cancels the danger of D6 with escort"),
        (6, "green stops at A5"),
        (7, "green lays Sandstorm (2 fuel, danger, stop) at C1"),
        (10, "it goes back to B6 and pays nothing"),
        (10, "red has reached the finish, first"),
    ],
)
def test_it_happens_in_the_turn_that_the_readme_names(turn: int, words: str) -> None:
    assert any(words in line for row in log() if row["turn"] == turn for line in row["told"])
    assert re.search(rf"^\| {turn} \|", (RACE / "README.md").read_text("utf-8"), re.MULTILINE)


def test_turn_files_look_as_mails_do() -> None:
    text = "\n".join(path.read_bytes().decode() for path in sorted(RACE.glob("turn-*.txt")))
    for habit in (
        r"^game corsica-2$",
        r"^turn 1$",
        r"^red:$",
        r"^blue: \w+",
        r"\bOR\b",
        r"\bIF\b",
        r"  # ",
        r"^> ",
        r"^-- $",
        r"^ *- ",
    ):
        assert re.search(habit, text, re.MULTILINE), habit


def test_the_public_log_keeps_secrets() -> None:
    """No plan before all have planned, no card that was drawn, no tile that was scouted and is not yet laid."""
    rows = log()
    told = [line for row in rows for line in row["told"]]
    assert sum(row["order"] == "PLAN (sealed)" for row in rows) == 9
    drawn = [line for line in told if re.search(r"draws \d card", line)]
    assert len(drawn) == 6
    assert "green draws 2 tiles (GR-A1)" in told
    assert not any(row.get("written") or row.get("notes") for row in rows if row["seat"] != "moderator")


@pytest.mark.parametrize(
    "code",
    [
        "orders/unknown-order",
        "orders/unexpected",
        "orders/unknown-seat",
        "orders/unknown-fact",
        "great-race/does-not-add-up",
        "great-race/too-many-cards",
        "great-race/plan-first",
        "great-race/not-in-hand",
        "great-race/no-danger",
        "great-race/unknown-space",
        "great-race/no-way",
        "great-race/too-far",
        "great-race/no-room",
        "great-race/no-line",
        "great-race/tile-there",
        "great-race/broken-down",
    ],
)
def test_every_mistake_is_in_the_report(code: str) -> None:
    assert f": {code}" in (ROOT / "mistakes" / "expected.txt").read_text("utf-8")
