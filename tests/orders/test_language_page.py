"""The page on languages lists the words of the files. Run this file to write its tables again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from adjudicator.orders.languages import read_words

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "languages.md"
HEADING = "## The words\n"
FILES = sorted((ROOT / "grammar" / "languages").glob("*.json"))
LANGUAGES = [read_words(path.name, path.read_text("utf-8")) for path in FILES]


def tables() -> str:
    """Return the tables: one for what all games share, one for each game and its names."""
    parts = [
        "The first word of a cell is the usual one. These tables are made from the files.",
        *_table("All games", "words"),
    ]
    for game in sorted({game for one in LANGUAGES for game in one.games}):
        parts += _table(game, "words", game)
        parts += _table(f"{game}: names", "names", game)
    return "\n\n".join(parts) + "\n"


def _table(title: str, kind: str, game: str = "") -> Iterator[str]:
    spoken = [one for one in LANGUAGES if not game or game in one.games]
    columns = [_words(one, kind, game) for one in spoken]
    rows = list(dict.fromkeys(english for column in columns for english in column))
    head = f"|English|{'|'.join(one.name for one in spoken)}|\n|{'---|' * (len(spoken) + 1)}"
    lines = [f"|`{english}`|{'|'.join(', '.join(column.get(english, ())) for column in columns)}|" for english in rows]
    yield f"### {title}"
    yield "\n".join([head, *lines])


def _words(language: object, kind: str, game: str) -> Mapping[str, tuple[str, ...]]:
    part = language.games[game] if game else language  # type: ignore[attr-defined]
    if kind == "words":
        return part.words  # type: ignore[no-any-return]
    return {english: words for rule, table in part.names.items() if rule != "word" for english, words in table.items()}


def test_the_tables_are_those_of_the_files() -> None:
    found = PAGE.read_text("utf-8").partition(HEADING)[2].strip()
    assert found == tables().strip(), "run: python tests/orders/test_language_page.py"


def test_the_example_of_a_language_is_one() -> None:
    example = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]
    assert json.loads(example)["code"] == read_words("example", example).code == "eo"


if __name__ == "__main__":
    PAGE.write_text(f"{PAGE.read_text('utf-8').partition(HEADING)[0]}{HEADING}\n{tables()}", encoding="utf-8")
