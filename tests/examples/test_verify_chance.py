"""The stand-alone verifier agrees with the program, and needs nothing of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = EXAMPLES / "verify_chance.py"
GAME = EXAMPLES / "checkpoint-rally" / "two-players" / "game.json"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    # Isolated (-I), so that nothing of the checkout or of the installed package is on the path by accident.
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_an_honest_game_is_sound() -> None:
    result = run(GAME, json.loads(GAME.read_text("utf-8"))["chance"]["commitment"])
    assert result.returncode == 0
    assert result.stdout.startswith("sound: ")


def test_it_computes_the_first_draws_of_the_set_up() -> None:
    game = json.loads(GAME.read_text("utf-8"))
    house = json.loads((EXAMPLES.parent / "adjudicator/games/checkpoint_rally/data/house.json").read_text("utf-8"))
    pieces = [piece["id"] for piece in house["borders"]]
    first = game["journal"][0]["entry"]["events"][0]["frames"][0]
    result = run(GAME, 0, "the border piece in the north", *pieces)
    assert result.stdout.splitlines()[1] == f"outcome 0: {first['piece']}"
    result = run(GAME, 1, f"the side up of border piece {first['piece']}", "front", "back")
    assert result.stdout.splitlines()[1] == f"outcome 1: {first['face']}"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"secret":"', '"secret":"0', "not the one committed to"),
        ('"order":"DRAW"', '"order":"REFRESH"', "was changed afterwards"),
        ('"holder":"Ann"', '"holder":"Eve"', "entry 0 was changed"),
    ],
)
def test_a_changed_game_is_not_sound(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = GAME.read_text("utf-8")
    assert old in text
    changed = text.replace(old, new, 1)
    if "secret" in old:
        start = changed.index('"secret":"') + len('"secret":"')
        changed = changed[: start + 64] + changed[start + 65 :]
    (tmp_path / "game.json").write_text(changed, "utf-8")
    result = run(tmp_path / "game.json")
    assert result.returncode == 1
    assert words in result.stdout


def test_another_commitment_than_the_one_told_is_not_accepted() -> None:
    assert run(GAME, "0" * 64).returncode == 1


def test_it_needs_nothing_but_the_standard_library() -> None:
    names = {line.split()[1] for line in SCRIPT.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))}
    assert names <= set(sys.stdlib_module_names)
