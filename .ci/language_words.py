"""Write the words of the files in `grammar/languages` as tables, for a page of the site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.orders.languages import read_words

FILES = sorted((Path(__file__).resolve().parent.parent / "grammar" / "languages").glob("*.json"))
LANGUAGES = [read_words(path.name, path.read_text("utf-8")) for path in FILES]


def tables() -> str:
    """Return the tables: one for what all games share, one for each game and its names."""
    parts = [*_table("All games", "words")]
    for game in sorted({game for one in LANGUAGES for game in one.games}):
        parts += _table(game, "words", game)
        if any(one.games[game].names for one in LANGUAGES if game in one.games):
            parts += _table(f"{game}: names", "names", game)
    return "\n\n".join(parts) + "\n"


def _table(title: str, kind: str, game: str = "") -> Iterator[str]:
    spoken = [one for one in LANGUAGES if not game or game in one.games]
    columns = [_words(one, kind, game) for one in spoken]
    rows = list(dict.fromkeys(english for column in columns for english in column))
    head = f"|English|{'|'.join(one.name for one in spoken)}|\n|{'---|' * (len(spoken) + 1)}"
    lines = [f"|`{english}`|{'|'.join(', '.join(column.get(english, ())) for column in columns)}|" for english in rows]
    yield f"## {title}"
    yield "\n".join([head, *lines])


def _words(language: Any, kind: str, game: str) -> Mapping[str, tuple[str, ...]]:
    part = language.games[game] if game else language
    if kind == "words":
        return part.words  # type: ignore[no-any-return]
    return {english: words for table in part.names.values() for english, words in table.items()}
