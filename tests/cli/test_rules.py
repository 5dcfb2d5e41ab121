"""The command `rules`: looked up by number, by word, and for a game."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.resources import rules_page
from adjudicator.rulebook.page import read_page
from adjudicator.rulesets import metas

Run = Callable[..., Result]
GAMES = [name for name, found in metas() if getattr(found, "ruleset", "").startswith("adjudicator.")]
OLD = Path(__file__).parents[1] / "data" / "games"


@pytest.mark.parametrize("name", GAMES)
def test_all_rules_by_section(run: Run, name: str) -> None:
    text = run("rules", name, code=0).stdout
    page = read_page(rules_page(dict(metas())[name]))
    assert re.findall(r"^([A-Z]{2}-[A-Z][0-9]+)  ", text, re.MULTILINE) == [fact.id for fact in page.facts]
    for section in page.sections:
        assert f"\n\n{section.title}\n{section.facts[0].id}  " in text
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"[*`]|\|-", text), "no Markdown is left"


def numbers(result: Result) -> list[str]:
    return [fact["id"] for fact in json.loads(result.stdout)["facts"]]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (["CR-F2"], ["CR-F2"]),
        (["cr-f2"], ["CR-F2"]),
        (["F2"], ["CR-F2"]),
        (["f2", "CR-P3"], ["CR-P3", "CR-F2"]),
        (["(CR-P1, CR-P2)"], ["CR-P1", "CR-P2"]),
        (["CR-T"], ["CR-T1", "CR-T2", "CR-T3"]),
        (["diamond"], ["CR-S2"]),
        (["last", "minute"], ["CR-S5", "CR-T2", "CR-F2"]),
        (["any-marker"], ["CR-F2"]),
    ],
)
def test_a_number_or_a_word(run: Run, asked: list[str], found: list[str]) -> None:
    assert numbers(run("rules", "checkpoint-rally", *asked, "--json", code=0)) == found
    text = run("rules", "Checkpoint-Rally", *asked, code=0).stdout
    assert re.findall(r"^(CR-[A-Z][0-9])  ", text, re.MULTILINE) == found


def test_a_ruling_comes_with_its_reason_and_what_can_be_chosen(run: Run) -> None:
    text = " ".join(run("rules", "checkpoint-rally", "CR-S2", code=0).stdout.split())
    assert text.startswith("Checkpoint Rally, ")
    assert " Ruling: " in text
    assert " Why: " in text
    assert " Instead: layout=cross " in text
    assert text.endswith(
        "Option layout=diamond|cross: where the second four tiles go: B2 D2 D4 B4, or C2 D3 C4 B3 [diamond]"
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("CR-F9", "Checkpoint Rally: there is no rule CR-F9; did you mean CR-F1 or CR-F2 or CR-F3?"),
        ("CC-K1", "Checkpoint Rally: there is no rule CC-K1; did you mean CR-K1"),
        ("f9", "no rule mentions “f9”; did you mean CR-F1"),
        ("stopwotch", "no rule mentions “stopwotch”"),
        ("checkpiont", "did you mean checkpoint"),
    ],
)
def test_what_is_not_there_is_misuse_with_suggestions(run: Run, asked: str, words: str) -> None:
    result = run("rules", "checkpoint-rally", asked, code=2)
    assert words in result.stderr
    assert result.stdout == ""
    told = json.loads(run("rules", "checkpoint-rally", asked, "--json", code=2).stdout)
    assert told["error"] == "misuse"
    assert words in told["message"]


def test_a_game_that_is_not_there(run: Run) -> None:
    result = run("rules", "checkpoint-ralley", code=2)
    assert "“checkpoint-rally”?" in result.stderr
    assert "nowhere.json" in run("rules", "nowhere.json", "CR-F2", code=2).stderr


def test_a_game_file_tells_its_own_options(run: Run, tmp_path: Path) -> None:
    chosen = ["--option", "layout=cross", "--option", "car.red=buggy"]
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", *chosen, "--id", "r1", "-o", "race", code=0)
    text = " ".join(run("rules", "race", "S2", "S4", code=0).stdout.split())
    assert text.startswith("r1: Checkpoint Rally, begun with version ")
    assert "[diamond]; in this game cross" in text
    assert "red=buggy, blue=random" in text
    data = json.loads(run("rules", "race", "S2", "--json", code=0).stdout)
    assert data["game"] == "r1"
    assert data["facts"][0]["options"][0]["value"] == "cross"
    piped = run("rules", "-", "S2", code=0, stdin=(tmp_path / "race").read_bytes())
    assert "in this game cross" in " ".join(piped.stdout.split())


@pytest.mark.parametrize("name", GAMES)
def test_an_archived_game_is_told_by_the_version_it_was_begun_with(run: Run, name: str) -> None:
    old = min(path for path in (OLD / name).rglob("*.json") if b'"journal"' in path.read_bytes())
    version = json.loads(old.read_bytes())["ruleset"]["version"]
    assert f"begun with version {version} of the rules\n" in run("rules", str(old), code=0).stdout


def test_a_file_that_cannot_be_trusted(run: Run, game: Path) -> None:
    game.write_bytes(game.read_bytes().replace(b'"minutes":5', b'"minutes":6', 1))
    assert run("rules", game.name, "CR-F2", code=3).stdout == ""


RULES = """\
## All

| rule | fact |
|---|---|
| LM-1 | One to three matches |

* **LM-1, ruling:** Never none. *Why:* "Take some". *Instead:* No option.
"""


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a ruleset of another package."""
    from dataclasses import replace

    from adjudicator.games.checkered_flag.meta import META

    data = tmp_path / "matches_box" / "data"
    data.mkdir(parents=True)
    (data.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    about = replace(META, version=1, id="matches", name="Matches", prefix="LM", options=(), ruleset="matches_box:RULES")
    monkeypatch.setattr("adjudicator.rulesets._claims", lambda: {"matches": []})
    monkeypatch.setattr("adjudicator.rulesets._settled", lambda _name: (about,))
    monkeypatch.delitem(sys.modules, "matches_box", raising=False)
    return data


def test_a_ruleset_of_another_package_ships_its_own_page(run: Run, other: Path) -> None:
    (other / "rules.md").write_text(RULES)
    text = run("rules", "matches", "1", code=0).stdout
    assert text == (
        "Matches, rules version 1\n\nAll\nLM-1  One to three matches\n"
        '      Ruling: Never none. Why: "Take some". Instead: No option.\n'
    )


def test_a_ruleset_of_another_package_without_a_page_or_with_a_broken_one(run: Run, other: Path) -> None:
    assert "the rules page of matches is missing" in run("rules", "matches", code=2).stderr
    (other / "rules.md").write_text("# Matches\n\nNo rule at all.\n")
    result = run("rules", "matches", code=2)
    assert "the rules page of Matches cannot be read: line 1: this page has no rules: write a table" in result.stderr
