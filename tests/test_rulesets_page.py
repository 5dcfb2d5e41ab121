"""``docs/rulesets.md`` lists every hook, every law and every keyword, and no others."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

from adjudicator import game
from adjudicator.core.hooks import Hooks
from adjudicator.testing import LAWS, PlayOptions

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rulesets.md").read_text("utf-8")


def table_below(words: str) -> list[list[str]]:
    """Return the rows of the first table after ``words``, without its heading."""
    after = PAGE[PAGE.index(words) :]
    table = after[after.index("\n|") + 1 :].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def hooks() -> dict[str, bool]:
    """Return the hooks of a class of rules, and whether a game must write them."""
    own = {name: hook for name, hook in vars(Hooks).items() if inspect.isfunction(hook) and not name.startswith("_")}
    sources = {name: inspect.getsource(hook) for name, hook in own.items()}
    return {name: "NotImplementedError" in source for name, source in sources.items()}


def test_every_hook_that_a_game_must_have_is_listed_with_its_arguments() -> None:
    rows = table_below("A game must have these,")
    listed = [hook for row in rows for hook in re.findall(r"`(.+?)`", row[0])]
    arguments = {name: ", ".join(list(inspect.signature(getattr(Hooks, name)).parameters)[1:]) for name in hooks()}
    assert sorted(listed) == sorted(f"{name}({arguments[name]})" for name, needed in hooks().items() if needed)


def test_every_other_hook_is_listed_once_and_has_a_docstring() -> None:
    items = PAGE.partition("The others have defaults")[2].partition("The class also has")[0].partition("\n* ")[2]
    listed = re.findall(r"`(\w+)` \(", " ".join(items.split()))
    assert sorted(listed) == sorted(name for name, needed in hooks().items() if not needed)
    assert [name for name in hooks() if not getattr(Hooks, name).__doc__] == []


def test_what_a_class_lists_besides_is_told() -> None:
    listed = re.search(r"The class also has these attributes: (.*?)\(", PAGE, re.S)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == set(Hooks.__annotations__)


def test_the_command_on_the_page_lists_every_law_with_one_sentence() -> None:
    (code,) = re.findall(r"^python -c '(.+LAWS.+)'$", PAGE, re.MULTILINE)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [f"{law.__name__}: {law.__doc__}" for law in LAWS]
    assert all(re.fullmatch(r"[A-Z`][^\n]+\.", law.__doc__ or "") for law in LAWS)


def test_every_keyword_is_listed() -> None:
    items = PAGE.partition("Keywords control the games")[2].partition("\n* ")[2].partition("\n\n")[0].split("\n* ")
    named = [name for item in items for name in re.findall(r"`(\w+)`", item.partition(":")[0])]
    assert sorted(named) == sorted(PlayOptions.__annotations__)


def test_what_the_kit_is_said_to_have_it_has() -> None:
    named = {"frozen", "order", "event", "Standing", "Flaw", "Mark", "Public", "Secret", "PUBLIC", "OWNER", "NOBODY"}
    named |= {"Fact", "Term", "Spent", "added_later", "Upgrade", "Meta", "Option"}
    for name in named:
        assert re.search(rf"\b{name}\b", PAGE), name
        assert name in game.__all__, name
