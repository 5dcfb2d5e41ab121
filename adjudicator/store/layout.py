"""Lay out a game file: canonical JSON, with a line for each top-level name and for each journal entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def game_text(document: Mapping[str, Any], links: Iterable[tuple[str, str]], encode: Callable[[Any], str]) -> str:
    """Return the text of a game file: without its line ends it is canonical JSON.

    ``links`` are the journal's entries as canonical text, each with its hash; ``encode`` gives the canonical text of
    everything in ``document`` except its ``journal``.
    """
    lines_of_links = [f'{{"entry":{entry},"hash":"{hash_}"}}' for entry, hash_ in links]
    journal = "[\n" + ",\n".join(lines_of_links) + "\n]"
    lines = (f'"{name}":{journal if name == "journal" else encode(document[name])}' for name in sorted(document))
    return "{" + ",\n".join(lines) + "}\n"
