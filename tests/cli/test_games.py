"""`games` and `schema`: what there is to play, and how its files are built."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator import rulesets
from adjudicator.core.ruleset import Meta

Run = Callable[..., Result]
SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_games_tells_players_options_and_component_sets(run: Run) -> None:
    text = run("games", code=0).stdout
    assert "2 to 4 players, counts minutes\n" in text
    assert "  component sets: house (default: house)\n" in text
    assert "    map=auto|upper|lower " in text
    assert "    car.SEAT=ID " in text
    assert "[diamond]" in text


def test_games_for_machines(run: Run) -> None:
    games = json.loads(run("games", "--json", code=0).stdout)
    (rally,) = [game for game in games if game["id"] == "checkpoint-rally"]
    assert (rally["players"], rally["component_sets"], rally["unit"]) == ([2, 4], ["house"], ["min", "minutes", "clock", ""])
    assert {option["name"] for option in rally["options"]} >= {"map", "layout", "car"}
    assert "ruleset" not in rally


@pytest.fixture
def _others(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Meta("pit", "Pit\x1b[2J", 1, "PI", (1, 1), ("m", "marks"), (), ("own",), "nowhere:X")
    broken = rulesets.BrokenRuleset("hole", "loading it failed: SyntaxError: \x1b[31m")
    monkeypatch.setattr("adjudicator.rulesets.metas", lambda: (("hole", broken), ("pit", plain)))


@pytest.mark.usefixtures("_others")
def test_a_broken_game_is_told_and_hurts_no_other_and_nothing_reaches_the_terminal(run: Run) -> None:
    text = run("games", code=0).stdout
    assert "hole  BROKEN: " in text
    assert "pit  Pit" in text
    assert "\x1b" not in text
    assert "options" not in text
    assert json.loads(run("games", "--json").stdout)[0] == {
        "id": "hole",
        "broken": "loading it failed: SyntaxError: \x1b[31m",
    }


def test_without_any_game_it_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.rulesets.metas", lambda: ())
    assert run("games", code=0).stdout == "no games are installed\n"
    assert run("games", "--json", code=0).stdout == "[]\n"


def test_schema_lists_the_names(run: Run) -> None:
    there = sorted(path.name for path in SCHEMAS.glob("*.json"))
    told = json.loads(run("schema", "--json", code=0).stdout)
    assert sorted(told["files"] + told["outputs"]) == there
    assert set(told["outputs"]) == {name for name in there if name.startswith("output.")}
    lines = ["files:", *told["files"], "outputs of commands:", *told["outputs"]]
    assert [line.strip() for line in run("schema", code=0).stdout.splitlines()] == lines


def test_the_schema_of_an_output_has_the_name_of_its_command(run: Run) -> None:
    assert run("schema", "apply", code=0).stdout == run("schema", "output.apply.json", code=0).stdout


@pytest.mark.parametrize("name", ["checkpoint-rally.game-file", "checkpoint-rally.game-file.json", "turn-log"])
def test_schema_prints_one_as_it_is_shipped(run: Run, name: str) -> None:
    shipped = SCHEMAS / f"{name.removesuffix('.json')}.json"
    assert run("schema", name, code=0).stdout_bytes == shipped.read_bytes()


def test_a_schema_that_is_not_there_is_misuse_with_a_hint(run: Run) -> None:
    result = run("schema", "checkpoint-rally.gamefile", code=2)
    words = "no schema has the name “checkpoint-rally.gamefile” (did you mean “checkpoint-rally.game-file”?)"
    assert words in result.stderr
    assert result.stdout == ""
    answer = json.loads(run("schema", "nonsense", "--json", code=2).stdout)
    assert answer["error"] == "misuse"
