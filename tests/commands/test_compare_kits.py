"""The script that compares kit cards of Rally Round, and its tables for the house set in ``examples/kit-cards.md``."""

from __future__ import annotations

import json
import re
from runpy import run_path
from typing import Any

import pytest

from tests.drivers.commands import ROOT, Run, written

TABLES = (ROOT / "examples" / "kit-cards.md").read_text("utf-8")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return run_path(str(ROOT / "examples" / "compare_kits.py"), run_name="compare_kits")


@pytest.fixture
def few(run: Run) -> dict[str, Any]:
    """Return the house set with two cards of each kind: to compare all of them takes long."""
    parts: dict[str, Any] = json.loads(run("games", "rally-round", "--json", code=0).stdout)["parts"]
    return {**parts, "id": "few", "kit": [card for card in parts["kit"] if card["id"][1:] in "16"]}


def test_the_same_arguments_give_the_same_tables_shares_add_up_and_a_card_that_is_too_good_is_told(
    script: dict[str, Any], few: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    def tables(*more: str) -> tuple[int, dict[str, Any]]:
        code = script["main"](["--rallies", "1", "--components", "few.json", "--json", *more])
        return code, json.loads(capsys.readouterr().out)

    written(json.dumps(few), "few.json")
    first = tables()
    assert tables() == first
    assert list(first[1]) == [*dict.fromkeys(card["kind"] for card in few["kit"]), "whole kits"]
    pairs = [
        table[one][other] + table[other][one]
        for table in first[1].values()
        for one in table
        for other in table[one]
        if one < other
    ]
    assert pairs and set(pairs) == {100}
    for card in few["kit"]:
        if card["id"] == "A6":
            card["effects"] = [{**card["effects"][0], "does": "accelerate", "red": 50, "yellow": 50, "white": 50}]
    written(json.dumps(few), "few.json")
    assert tables()[1]["accel"]["A6"]["A1"] >= 50


@pytest.mark.parametrize(("rallies", "won", "code"), [(100, 60, 0), (100, 70, 0), (100, 71, 1), (400, 66, 1), (4, 99, 0)])
def test_the_exit_code_is_1_beyond_the_error_and_the_line_below_the_table_says_so(
    script: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rallies: int,
    won: int,
    code: int,
) -> None:
    share = rallies * won / 100
    pair = {("A1", "A2"): share, ("A2", "A1"): rallies - share}
    duels = script["Duels"]("accel", ["A1", "A2"], won=pair, drawn=dict.fromkeys(pair, 0), played=rallies)
    monkeypatch.setitem(script["main"].__globals__, "compared", lambda *_given: [duels])
    assert script["main"]([]) == code
    told = capsys.readouterr().out
    assert f"give or take {100 / rallies**0.5:.1f}, of {rallies} rallies." in told
    assert ("That is more than 60 %." in told) == bool(code)


def test_the_tables_on_the_page_are_those_of_the_house_set_and_would_not_end_with_1(script: dict[str, Any]) -> None:
    """Every card and every kit is in them, and of each pair the shares add up."""
    words = "The exit code is 1 if anything wins more than 60 % by more than the error of so many rallies, else 0."
    assert words in " ".join(TABLES.split()) and words in " ".join(script["__doc__"].split())
    most = re.findall(r"Most: ([\d.]+) %, give or take ([\d.]+), of (\d+) rallies\.", TABLES)
    assert len(most) == 7
    for share, error, rallies in most:
        assert abs(float(error) - 100 / int(rallies) ** 0.5) < 0.1
        assert float(share) - float(error) <= script["UNFAIR"]
    rows = dict(re.findall(r"^\| ([DNESAB][1-6]|kit [1-6]) \|(.*)\|$", TABLES, re.MULTILINE))
    house = json.loads((ROOT / "adjudicator/games/rally_round/data/house.json").read_text("utf-8"))
    assert set(rows) == {card["id"] for card in house["kit"]} | {f"kit {number}" for number in range(1, 7)}
    for name, row in rows.items():
        wins = [cell.strip() for cell in row.split("|")][:6]
        assert wins[int(name[-1]) - 1] == "–"
        for other, won in enumerate(wins, 1):
            if won != "–":
                back = [cell.strip() for cell in rows[f"{name[:-1]}{other}"].split("|")][int(name[-1]) - 1]
                assert abs(int(won) + int(back) - 100) <= 1
