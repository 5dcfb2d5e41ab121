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
        ('"secret":"', '"secret":"0', "committed to"),
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


def test_a_recorded_game_has_no_secret_and_its_chain_is_checked_all_the_same(tmp_path: Path) -> None:
    recorded = EXAMPLES / "checkpoint-rally" / "hand-kept" / "game.json"
    result = run(recorded)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "sound: 31 entries, no secret: its chance is recorded\n"
    text = recorded.read_text("utf-8")
    (tmp_path / "game.json").write_text(text.replace('"holder":"Mia"', '"holder":"Eve"', 1), "utf-8")
    result = run(tmp_path / "game.json")
    assert (result.returncode, result.stdout) == (1, "entry 0 was changed afterwards\n")


def test_of_a_recorded_game_no_outcome_can_be_computed(tmp_path: Path) -> None:
    recorded = EXAMPLES / "checkpoint-rally" / "hand-kept" / "game.json"
    result = run(recorded, 0, "the border piece in the north", "P1", "P2")
    assert (result.returncode, result.stderr) == (1, "")
    assert "a recorded outcome cannot be computed" in result.stdout
    result = run(recorded, "0" * 64)
    assert (result.returncode, "no secret" in result.stdout) == (1, True)


def test_a_secret_that_was_taken_out_is_missed(tmp_path: Path) -> None:
    game = json.loads(GAME.read_text("utf-8"))
    game["chance"]["secret"] = None
    (tmp_path / "game.json").write_text(json.dumps(game), "utf-8")
    result = run(tmp_path / "game.json", 0, "the border piece in the north", "P1")
    assert (result.returncode, result.stdout, result.stderr) == (1, "there is no secret\n", "")


def test_it_needs_nothing_but_the_standard_library() -> None:
    names = {line.split()[1] for line in SCRIPT.read_text("utf-8").splitlines() if line.startswith(("import ", "from "))}
    assert names <= set(sys.stdlib_module_names)


def test_an_entry_is_named_by_both_numbers_where_players_have_another(tmp_path: Path) -> None:
    """They are not told of orders whose condition did not hold."""
    text = (EXAMPLES / "checkpoint-rally" / "four-players" / "game.json").read_text("utf-8")
    changed = text.replace('"order":"MOVE B4 C4"', '"order":"MOVE B4 C5"', 1)
    assert changed != text
    (tmp_path / "changed.json").write_text(changed, "utf-8")
    assert "entry 46 (of the players: 45) was changed afterwards" in run(tmp_path / "changed.json").stdout


def test_later_words_are_mixed_in_from_their_outcome_on(tmp_path: Path) -> None:
    """The words that docs/draws.md shows."""
    event = {"kind": "word-sent", "outcome": 43}
    words = [{**event, "seat": "red", "word": "night train"}, {**event, "seat": "blue", "word": "dragonfly"}]
    entropy = {"red": "horse", "blue": "umbrella"}
    chance = {"source": "committed", "commitment": "", "secret": bytes(range(32)).hex(), "entropy": entropy}
    setup = {"players": [], "options": {}, "position": None}
    journal = [{"entry": {"events": [word]}, "hash": ""} for word in words]
    game = {"id": "g", "ruleset": {}, "components": {}, "chance": chance, "setup": setup, "journal": journal}
    (tmp_path / "game.json").write_text(json.dumps(game), "utf-8")
    left = {"H": (1, 2, 7, 8, 10, 11, 13, 14), "G": (2, 3, 5, 9, 11, 13), "U": (3, 4, 5, 6, 8, 9, 10, 11, 12, 13)}
    stack = [f"{road}{number}" for road, numbers in left.items() for number in numbers]
    assert run(tmp_path / "game.json", 43, "a tile of the stack for red", *stack).stdout.splitlines()[-1] == "outcome 43: G2"
    pieces = ["P1", "P2", "P3", "P4"]
    first = run(tmp_path / "game.json", 0, "the border piece in the north", *pieces).stdout.splitlines()[-1]
    assert first == "outcome 0: P2"
