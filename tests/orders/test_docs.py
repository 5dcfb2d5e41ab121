"""The page on writing orders says what is so: every example is read, every problem code has its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.core.order import expression_text
from adjudicator.core.problem import MOST_PROBLEMS
from adjudicator.core.step import validate_expression
from adjudicator.games.checkpoint_rally.components import CELLS
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders import clean, explain
from adjudicator.orders.turnfile import TurnFile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "orders.md").read_text("utf-8")
TURN_FILES = re.findall(r"```orders\n(.*?)```", PAGE, re.DOTALL)
VARIANTS = [block.splitlines() for block in re.findall(r"```variants\n(.*?)```", PAGE, re.DOTALL)[0].split("\n\n")]
PROBLEMS = re.findall(r"^\| `(orders/[a-z-]+)` \| ?(.*?) ?\|.*\|$", PAGE, re.MULTILINE)
FACTS = re.findall(r"^\| `(\w+)[^`]*` \|", PAGE.partition("| fact |")[2].partition("\n\n")[0], re.MULTILINE)
TILES = {f"{road}{number}": 0 for road in "HGU" for number in range(1, 15)}
TABLE: Any = SimpleNamespace(seats=("red", "blue"), rank=TILES, names=(*TILES, *CELLS))
QUOTED = re.compile(r"`([^`]+)`")


@pytest.mark.parametrize("text", TURN_FILES)
def test_turn_files(read: Callable[..., TurnFile], text: str) -> None:
    found = read(text)
    assert found.sheets
    assert found.diagnostics == ()
    for sheet in found.sheets:
        for instruction in sheet.instructions:
            problems = [problem.code for _, problem in validate_expression(RULESET, TABLE, instruction.expression)]
            assert problems == []


@pytest.mark.parametrize("lines", VARIANTS, ids=lambda lines: lines[0])
def test_variants(order: Callable[[str], Any], lines: list[str]) -> None:
    assert [expression_text(order(line), RULESET.language.text) for line in lines] == [lines[0]] * len(lines)


def test_every_order_has_its_variants() -> None:
    assert {lines[0].split()[0] for lines in VARIANTS} == {example.split()[0] for example in RULESET.language.examples}


def test_every_comparison_is_read(order: Callable[[str], Any]) -> None:
    config = PAGE.partition("| comparison |")[2].partition("\n\n")[0]
    for words in QUOTED.findall(config):
        condition = words if " row" in f" {words}" else f"minutes {words} 3"
        assert order(f"IF {condition} THEN DRAW")


def test_every_fact_is_listed() -> None:
    assert [fact for fact in FACTS if fact != "cost"] == list(RULESET.fact_names)


@pytest.mark.parametrize(("code", "example"), PROBLEMS)
def test_problem_examples(read: Callable[..., TurnFile], code: str, example: str) -> None:
    if not example:
        return
    found = read("\n".join(QUOTED.findall(example)))
    codes = [diagnostic.problem.code for diagnostic in found.diagnostics]
    if code in ("orders/unknown-fact", "orders/unknown-name", "orders/no-argument"):
        assert codes == []
        (instruction,) = found.sheets[0].instructions
        codes = [problem.code for _, problem in validate_expression(RULESET, TABLE, instruction.expression)]
    elif code.startswith("orders/wrong-"):
        assert codes.pop() == "orders/empty"
    assert codes == [code]


def test_every_problem_code_is_listed_once() -> None:
    sources = [*(ROOT / "adjudicator" / "orders").glob("*.py"), ROOT / "adjudicator" / "core" / "conditions.py"]
    used = {code for path in sources for code in re.findall(r'"(orders/[a-z-]+)"', path.read_text("utf-8"))}
    listed = [code for code, _ in PROBLEMS]
    assert sorted(listed) == sorted(used - {"orders/unreadable"})  # That one is replaced by its explanation.


def test_limits() -> None:
    config = PAGE.partition("| limit |")[2].partition("\n\n")[0].replace(",", "")
    numbers = [clean.MOST_BYTES, clean.MOST_LINES, clean.MOST_COLUMNS, clean.MOST_DEPTH, explain.MOST_DIGITS, MOST_PROBLEMS]
    assert [int(number) for number in re.findall(r"\d+", config)] == numbers
