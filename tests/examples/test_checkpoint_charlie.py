"""What the examples of Checkpoint Charlie are there to show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2] / "examples" / "checkpoint-charlie"
GAME = ROOT / "three-players"


def log() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GAME / "log.jsonl").read_text("utf-8").splitlines()]


def events() -> list[dict[str, Any]]:
    game = json.loads((GAME / "game.json").read_text("utf-8"))
    return [event for link in game["journal"] for event in link["entry"]["events"]]


def told(case: int) -> str:
    return (ROOT / "golden" / f"case-{case}.expected.txt").read_text("utf-8")


def test_a_game_is_played_to_its_end_in_a_believable_number_of_mails() -> None:
    rows = log()
    turns = len(list(GAME.glob("turn-*.txt")))
    assert 15 <= turns <= 25
    assert rows[-1]["turn"] == turns
    assert any(re.match(r"the game is over: .+ wins", words) for row in rows[-3:] for words in row["told"])


def test_a_game_ends_as_its_readme_tells() -> None:
    lines = [" ".join(line.split()) for line in (GAME / "expected.txt").read_text("utf-8").splitlines()]
    over = lines.index("the game is over:")
    assert lines[over + 1 : over + 4] == [
        "1. Bob (blue) 4 pt 1 gold",
        "2. Cleo (green) 3 pt 1 gold, 1 black",
        "3. Ann (red) 2 pt 2 white",
    ]


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (7, "Britton (green) accuses Misha, first to accuse"),
        (7, "the public clue is “newspaper”"),
        (12, "Lansbury (blue) accuses Ivan too late"),
        (12, "Lansbury (blue) shows the Stasi marker"),
        (13, "Lansbury (blue) opens the clue “no hat”: the Stasi officer is watching"),
        (17, "Lansbury (blue) accuses Pavel"),
        (19, "a counter left in the bag is tossed"),
        (20, "Lansbury (blue) gives a gold Café Adler marker to Britton (green) for another, unseen"),
        (20, "the gold Café Adler marker GA lies open with Britton (green) from now on"),
    ],
)
def test_it_happens_in_the_turn_that_the_readme_names(turn: int, words: str) -> None:
    assert any(words in line for row in log() if row["turn"] == turn for line in row["told"])
    assert re.search(rf"^\| (\d+, )*{turn}(, \d+)* \|", (GAME / "README.md").read_text("utf-8"), re.MULTILINE)


def test_turn_files_look_as_mails_do() -> None:
    text = "\n".join(path.read_bytes().decode() for path in sorted(GAME.glob("turn-*.txt")))
    for habit in (
        r"^game charlie-03$",
        r"^turn \d+\r?$",
        r"^red:$",  # a block
        r"^blue: \w+",  # one line
        r"\bwait 3\b",
        r"\bWAIT 4 windows\b",
        r"\bOR\b",
        r"\breceived 2026-11-\d\d \d\d:\d\d",
        r"\bSWAP\b",
        r"\bPASS\b",
        r"^# ",
        r"  # ",
        r"^> ",
        r"^-- $",
        r"^ *- ",
        "\r$",
        "\u00a0",
        "\u201c",
    ):
        assert re.search(habit, text, re.MULTILINE), habit


def test_the_public_log_keeps_secrets() -> None:
    """No answer before its window closes, no clue before the round is over, no marker before the end."""
    rows = log()
    sealed = [row for row in rows if row["order"] == "(sealed answer)"]
    assert len(sealed) >= 40
    assert not any(row.get("written") or row.get("notes") for row in rows)
    public = (GAME / "log.jsonl").read_text("utf-8")
    assert "(sealed)" not in public
    assert "draws the clue counter with" not in public
    drawn = [words for row in rows for words in row["told"] if re.search(r"draws a (gold|white|black)", words)]
    assert len(drawn) == 6
    assert all(re.fullmatch(r"\w+ \(\w+\) draws a (gold|white|black) marker \(CC-K2\)", words) for words in drawn)
    markers = {event["marker"] for event in events() if event["kind"] == "marker-drawn"}
    assert len(markers) == 6
    assert not any(re.search(rf"\b{marker}\b", public) for marker in markers - {"STASI", "GA"})
    # An exchanged Café Adler marker lies open, from then on.
    naming = [words for row in rows for words in row["told"] if re.search(r"\bGA\b", words)]
    assert len(naming) == 1
    assert " lies open with " in naming[0]


def test_a_claim_that_came_too_late_is_told_to_nobody_else() -> None:
    assert "claim-rejected" in {event["kind"] for event in events()}
    assert not any("accuses Pavel too" in words for row in log() for words in row["told"])


def test_clues_are_told_at_the_end_of_a_round_and_not_before() -> None:
    """But for that of the seat the Stasi officer watches, which is opened when all are laid."""
    lines = [words for row in log() for words in row["told"]]
    laid = [words for words in lines if " lays " in words]
    assert [words.partition(" lays ")[2] for words in laid] == ["a clue (CC-S2)"] * 6
    (opened,) = [n for n, words in enumerate(lines) if " opens the clue " in words]
    assert opened > max(n for n, words in enumerate(lines) if words in laid)
    revealed = [n for n, words in enumerate(lines) if words.startswith("the clue of ")]
    ended = [n for n, words in enumerate(lines) if words.startswith("the round is over")]
    assert len(revealed) == 6
    assert revealed[0] > ended[0] and revealed[3] > ended[1]


def test_four_accusers_and_one_late() -> None:
    """Case: 5, 4, 4 and 3 matches and one late: gold, white, white, black, black."""
    drawn = re.findall(r"\((\w+)\) draws a (\w+) marker", told(1))
    assert drawn == [("red", "gold"), ("blue", "white"), ("green", "white"), ("yellow", "black"), ("white", "black")]
    assert [int(count) for count in re.findall(r"who matches (\d) clues", told(1))] == [5, 4, 4, 3]


def test_the_late_one_gets_white_while_the_chief_is_in_the_deck() -> None:
    assert "the chief of spies is Viktor, who is still in the deck" in told(2)
    assert "Meridian (white) has accused nobody, but the chief is still in the deck: white is due (CC-K2)" in told(2)


@pytest.mark.parametrize(
    ("case", "first", "second"), [(3, "Meridian (white)", "Laces (red)"), (4, "Laces (red)", "Meridian (white)")]
)
def test_one_of_two_claims_succeeds_and_one_is_told(case: int, first: str, second: str) -> None:
    assert f"{first} accuses Viktor, first to accuse (CC-A1)" in told(case)
    assert f"{second} accuses Viktor too, but {first} came first: no accusation yet (CC-P1)" in told(case)


@pytest.mark.parametrize(
    "code",
    [
        "orders/unknown-order",
        "orders/unexpected",
        "orders/unknown-seat",
        "orders/missing-colon",
        "orders/wrong-game",
        "orders/wrong-turn",
        "orders/unknown-fact",
        "checkpoint-charlie/unknown-suspect",
        "checkpoint-charlie/bad-time",
        "checkpoint-charlie/unknown-face",
        "checkpoint-charlie/too-many-waits",
        "checkpoint-charlie/no-such-round",
        "checkpoint-charlie/unknown-colour",
        "checkpoint-charlie/unknown-investigator",
        "checkpoint-charlie/accused-by-another",
        "checkpoint-charlie/not-in-a-row",
        "checkpoint-charlie/not-shown",
        "checkpoint-charlie/window-open",
        "checkpoint-charlie/another-round",
    ],
)
def test_every_mistake_is_in_the_report(code: str) -> None:
    assert f": {code}" in (ROOT / "mistakes" / "expected.txt").read_text("utf-8")
