"""What the examples of Rally Round are there to show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "examples" / "rally-round"


def lines(name: str) -> list[str]:
    return [" ".join(line.split()) for line in (ROOT / name).read_text("utf-8").splitlines()]


def kinds() -> set[str]:
    game = json.loads((ROOT / "competition" / "game.json").read_text("utf-8"))
    return {event["kind"] for link in game["journal"] for event in link["entry"]["events"]}


def test_the_competition_ends_as_its_readme_tells() -> None:
    found = lines("competition/expected.txt")
    assert any(line.startswith("1. Ann (red) 1:32 marks finished") for line in found)
    assert any(line.startswith("3. Cleo (green)") and "retired" in line for line in found)


@pytest.mark.parametrize(
    "kind", ["driven", "rolled", "passage-met", "hazard-drawn", "section-ended", "speed-refused", "line-dropped"]
)
def test_everything_that_makes_a_rally_happens(kind: str) -> None:
    assert kind in kinds()


def test_blue_reads_nothing_of_the_others_before_the_end() -> None:
    text = (ROOT / "competition" / "expected.txt").read_text("utf-8")
    seen = text[text.index("$ adjudicator show game.json --as blue") : text.index("$ adjudicator amend")]
    assert "Time sheet of blue" in seen
    assert "Time sheet of red" not in seen


@pytest.mark.parametrize(
    "code",
    [
        "kit-first",
        "no-such-card",
        "wrong-control",
        "no-such-speed",
        "no-such-place",
        "card-not-held",
        "illegal-speed",
        "kit-complete",
    ],
)
def test_every_kind_of_mistake_is_shown(code: str) -> None:
    assert any(f"rally-round/{code}" in line for line in lines("mistakes/expected.txt"))


def test_an_ambiguous_route_is_told_with_what_would_settle_it() -> None:
    assert any("2 ways of 27 squares" in line and "on A11" in line for line in lines("mistakes/expected.txt"))
