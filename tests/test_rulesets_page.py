"""``docs/rulesets.md`` lists every hook, every law and every keyword, and no others."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import game
from adjudicator.core.rules import Rules
from adjudicator.core.seat_rules import SeatRules
from adjudicator.testing import LAWS, How

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rulesets.md").read_text("utf-8")
HELPERS = {"record", "not_due"}
"""Methods of ``Rules`` that no game writes."""


def table_below(words: str) -> list[list[str]]:
    """Return the rows of the first table after ``words``, without its heading."""
    after = PAGE[PAGE.index(words) :]
    table = after[after.index("\n|") + 1 :].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def hooks() -> dict[str, bool]:
    """Return the hooks of a class of rules, and whether a game must write them."""
    written = vars(SeatRules) | vars(Rules)
    own = {name: hook for name, hook in written.items() if inspect.isfunction(hook) and not name.startswith("_")}
    return {name: "NotImplementedError" in inspect.getsource(hook) for name, hook in own.items() if name not in HELPERS}


@pytest.mark.parametrize(("words", "is_needed"), [("A game must have these,", True), ("These are optional:", False)])
def test_every_hook_is_told_once_with_what_it_is_given(words: str, is_needed: bool) -> None:
    told = [hook for row in table_below(words) for hook in re.findall(r"`(.+?)`", row[0])]
    written = {name: ", ".join(list(inspect.signature(getattr(Rules, name)).parameters)[1:]) for name in hooks()}
    assert sorted(told) == sorted(f"{name}({written[name]})" for name, needed in hooks().items() if needed is is_needed)


def test_what_a_class_lists_besides_is_told() -> None:
    listed = re.search(r"The class also has these attributes: (.*?)\(", PAGE, re.S)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == set(Rules.__annotations__)


def test_the_command_on_the_page_lists_every_law_with_one_sentence() -> None:
    (code,) = re.findall(r"^python -c '(.+)'$", PAGE, re.MULTILINE)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [f"{law.__name__}: {law.__doc__}" for law in LAWS]
    assert all(re.fullmatch(r"[A-Z`][^\n]+\.", law.__doc__ or "") for law in LAWS)


def test_every_keyword_is_listed() -> None:
    items = PAGE.partition("Keywords control the games")[2].partition("\n* ")[2].partition("\n\n")[0].split("\n* ")
    named = [name for item in items for name in re.findall(r"`(\w+)`", item.partition(":")[0])]
    assert sorted(named) == sorted(How.__annotations__)


def test_what_the_kit_is_said_to_have_it_has() -> None:
    named = {"frozen", "order", "event", "ranking", "Flaw", "Mark", "Public", "Secret", "PUBLIC", "OWNER", "NOBODY"}
    named |= {"fact", "fact_at", "fact_of_seat", "Term", "Spent", "added_later", "without", "Upgrade", "Meta", "Option"}
    for name in named:
        assert re.search(rf"\b{name}\b", PAGE), name
        assert name in game.__all__, name
