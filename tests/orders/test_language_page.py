"""The page on languages has an example that is read, and the site has tables of all words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from runpy import run_path

from adjudicator.orders.languages import read_words

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "languages.md").read_text("utf-8")
FILES = sorted((ROOT / "grammar" / "languages").glob("*.json"))


def test_the_tables_of_the_site_have_every_word_of_every_file() -> None:
    tables = run_path(str(ROOT / ".ci" / "language_words.py"))["tables"]()
    cells = {cell for line in tables.splitlines() for cell in line.strip("|").split("|")}
    languages = [read_words(path.name, path.read_text("utf-8")) for path in FILES]
    assert {one.name for one in languages} <= cells
    parts = [part for one in languages for part in (one, *one.games.values())]
    names = [
        table for one in languages for game in one.games.values() for rule, table in game.names.items() if rule != "word"
    ]
    translated = [item for words in [*(part.words for part in parts), *names] for item in words.items()]
    assert len(translated) > 1000
    assert [english for english, words in translated if not {f"`{english}`", ", ".join(words)} <= cells] == []


def test_the_example_of_a_language_is_one() -> None:
    example = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0]
    assert json.loads(example)["code"] == read_words("example", example).code == "eo"
