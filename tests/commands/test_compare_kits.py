"""The script that compares kit cards of Rally Round, and its tables for the house set in ``examples/kit-cards.md``."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from adjudicator.games.rally_round.components import Does, Effect, Kind
from adjudicator.games.rally_round.network import network_of
from adjudicator.games.rally_round.route import flaws_of
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.store.components import shipped

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "examples" / "kit-cards.md").read_text("utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compare_kits", ROOT / "examples" / "compare_kits.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def house() -> Any:
    return shipped(RULESET)[0]


@pytest.fixture(scope="module")
def few(house: Any) -> Any:
    """Return the house set with two cards of each kind: to compare all of them takes long."""
    return replace(house, id="few", kit=tuple(card for card in house.kit if card.id[1:] in "16"))


def test_rallies_can_be_driven_and_have_sections_enough(script: ModuleType, house: Any) -> None:
    network = network_of(house)
    for number in range(1, 4):
        laid = script.rally(network, Random(number), number)
        assert not list(flaws_of(network, laid))
        assert sum(control.section is not None for control in laid.controls) == script.SECTIONS


def test_the_same_arguments_give_the_same_tables_and_wins_add_up(script: ModuleType, few: Any) -> None:
    told: list[int] = []
    first = script.compared(few, [1], 7, told.append)
    assert [duels.shares() for duels in first] == [duels.shares() for duels in script.compared(few, [1], 7, told.append)]
    assert told == [1, 1]
    assert [duels.title for duels in first] == [*map(str, Kind), "whole kits"]
    (drivers,) = script.compared(few, [1], 7, told.append, ["driver"])
    assert (drivers.title, drivers.shares()) == ("driver", first[0].shares())
    for duels in first:
        assert all(duels.share(one, other) + duels.share(other, one) == 100 for one, other in duels.won)


def test_a_card_that_is_much_too_good_is_told_by_the_exit_code(
    script: ModuleType, few: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = tuple(
        replace(card, effects=(Effect(does=Does.ACCELERATE, red=50, yellow=50, white=50),)) if card.id == "A6" else card
        for card in few.kit
    )
    monkeypatch.setattr(script, "load_components", lambda _path, _rules: replace(few, id="mine", kit=quick))
    monkeypatch.setattr(script, "UNFAIR", 20.0)  # two rallies say little
    assert script.main(["--rallies", "2", "--components", "mine.json", "--json"]) == 1
    shares = json.loads(capsys.readouterr().out)
    assert shares["accel"]["A6"]["A1"] >= 50


@pytest.mark.parametrize(
    ("rallies", "won", "code"), [(100, 60, 0), (100, 70, 0), (100, 71, 1), (400, 65, 0), (400, 66, 1), (4, 99, 0)]
)
def test_the_exit_code_is_1_beyond_the_error_and_the_line_below_the_table_says_so(
    script: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rallies: int,
    won: int,
    code: int,
) -> None:
    share = rallies * won / 100
    pair = {("A1", "A2"): share, ("A2", "A1"): rallies - share}
    duels = script.Duels("accel", ["A1", "A2"], won=pair, drawn=dict.fromkeys(pair, 0), played=rallies)
    monkeypatch.setattr(script, "compared", lambda *_given: [duels])
    assert script.main([]) == code
    told = capsys.readouterr().out
    assert f"give or take {100 / rallies**0.5:.1f}, of {rallies} rallies." in told
    assert ("That is more than 60 %." in told) == bool(code)


def test_the_script_and_the_page_say_the_same_of_the_exit_code(script: ModuleType) -> None:
    """And the tables would not end with 1."""
    for told in (" ".join(TABLES.split()), " ".join((script.__doc__ or "").split())):
        assert (
            "The exit code is 1 if anything wins more than 60 % by more than the error of so many rallies, else 0." in told
        )
    most = re.findall(r"Most: ([\d.]+) %, give or take ([\d.]+), of (\d+) rallies\.", TABLES)
    assert len(most) == len(Kind) + 1
    for share, error, rallies in most:
        assert abs(float(error) - 100 / int(rallies) ** 0.5) < 0.1
        assert float(share) - float(error) <= script.UNFAIR


def test_the_tables_are_those_of_the_house_set(house: Any) -> None:
    """Every card and every kit is in them, and of each pair the shares add up."""
    rows = dict(re.findall(r"^\| ([DNESAB][1-6]|kit [1-6]) \|(.*)\|$", TABLES, re.MULTILINE))
    assert set(rows) == {card.id for card in house.kit} | {f"kit {number}" for number in range(1, 7)}
    for name, row in rows.items():
        wins = [cell.strip() for cell in row.split("|")][:6]
        assert wins[int(name[-1]) - 1] == "–"
        for other, won in enumerate(wins, 1):
            if won != "–":
                back = [cell.strip() for cell in rows[f"{name[:-1]}{other}"].split("|")][int(name[-1]) - 1]
                assert abs(int(won) + int(back) - 100) <= 1


def test_a_component_set_of_your_own_can_compete(
    script: ModuleType, house: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compared: list[Any] = []
    monkeypatch.setattr(script, "compared", lambda components, *_more: compared.append(components) or [])
    data = ROOT / "adjudicator" / "games" / "rally_round" / "data" / "house.json"
    assert script.main(["--components", str(data), "--json"]) == 0
    assert compared == [house]
    assert capsys.readouterr().out == "{}\n"
