"""What the examples of Checkered Flag are there to show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "examples" / "checkered-flag"


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of("race/log.jsonl").splitlines()]


def events() -> list[dict[str, Any]]:
    game = json.loads(text_of("race/game.json"))
    return [event for link in game["journal"] for event in link["entry"]["events"]]


def test_a_race_is_driven_to_its_end_in_a_believable_number_of_mails() -> None:
    turns = len(list((ROOT / "race").glob("turn-*.txt")))
    assert turns == 15
    assert 20 <= len(rows()) - 1 <= 50
    assert rows()[-1]["told"][-1] == "the race is over: red wins (CF-V1)"


def test_it_ends_as_its_readme_tells() -> None:
    lines = [" ".join(line.split()) for line in text_of("race/expected.txt").splitlines()]
    over = lines.index("the game is over:")
    assert lines[over + 1 : over + 3] == [
        "1. Ann (red) 55 sp first across the finish line",
        "2. Bob (blue) 40 sp on the track, crashed",
    ]


def test_its_spaces_add_up() -> None:
    for row in rows():
        assert sum(part["amount"] for part in row["why"]) == row["min"]


@pytest.mark.parametrize(
    "kind",
    [
        "start-spun",
        "gear-shifted",
        "wheels-spun",
        "car-braked",
        "brakes-checked",
        "curve-checked",
        "car-crashed",
        "turn-lost",
    ],
)
def test_everything_that_makes_the_game_happens(kind: str) -> None:
    assert kind in {event["kind"] for event in events()}


def test_there_is_a_crash_of_every_kind() -> None:
    crashes = {(event["kind"], event["is_crash"]) for event in events() if "is_crash" in event}
    assert crashes == {(kind, is_crash) for kind in ("brakes-checked", "curve-checked") for is_crash in (True, False)}
    assert {event["turns"] for event in events() if event["kind"] == "car-crashed"} == {1, 2}
    braked = [event for event in events() if event["kind"] == "car-braked"]
    assert any(event["forced"] for event in braked)
    assert any(event["chosen"] for event in braked)


def test_turn_files_look_as_mails_do() -> None:
    text = "\n".join(path.read_bytes().decode() for path in sorted((ROOT / "race").glob("turn-*.txt")))
    for habit in (
        r"^game flag-009$",
        r"^turn \d+$",
        r"^red:$",  # a block
        r"^blue: \w+",  # one line
        r"^ *GEAR 2\b",
        r"^ *gear 3\b",
        r"\bshift (up|down)? ?to\b",
        r"\bOR\b",
        r"\bif .+ then .+ else\b",
        r"\bIF .+ THEN .+ ELSE\b",
        r"^# ",
        r"  # ",
        r"^> ",
        r"^-- $",
        r"^ *- ",
        r"^ *1\. ",
        "\r$",
        "\u00a0",
        "\u201c",
    ):
        assert re.search(habit, text, re.MULTILINE), habit


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (1, ["the lesser of 5 and 2", "4 on both wheels"]),
        (2, ["21 → 26  5 second gear, "]),
        (3, ["30 → 37  7 third gear, 5 and 2 together"]),
        (
            4,
            [
                "31 → 35  6 second gear",
                "− 2 braked",
                "a crash (it crashes at 1 or 2)",
                "red has crashed on 35 and loses 1 turn",
            ],
        ),
        (5, ["red has crashed on 30 and loses 2 turns", "1 more turn", "starts in neutral"]),
        (6, ["red brakes 2 spaces to stop on 12: 2 by choice (CF-B2)", "blue brakes 3 spaces to stop on 11: 3 behind red"]),
    ],
)
def test_a_golden_case_goes_as_the_rules_say(case: int, words: list[str]) -> None:
    log = text_of(f"golden/case-{case}.expected.txt")
    assert all(some in log for some in words)


def test_three_moves_of_blue_pass_while_red_loses_two_turns() -> None:
    log = text_of("golden/case-5.expected.txt")
    assert re.findall(r"^ *\d  (\w+)", log, re.MULTILINE) == ["red", "blue", "blue", "blue", "red"]


@pytest.mark.parametrize(
    "code",
    [
        "orders/unknown-order",
        "orders/unknown-seat",
        "orders/missing-colon",
        "checkered-flag/no-such-gear",
        "orders/wrong-game",
        "orders/unknown-fact",
        "orders/unexpected",
        "checkered-flag/brake-first",
        "checkered-flag/no-stop-there",
        "checkered-flag/nothing-braked",
        "checkered-flag/nothing-moves",
        "checkered-flag/out-of-reach",
        "checkered-flag/two-steps",
    ],
)
def test_every_mistake_is_in_the_report(code: str) -> None:
    assert f": {code}" in text_of("mistakes/expected.txt")
