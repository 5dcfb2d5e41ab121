"""How a game file is laid out: canonical JSON, with a line for each top-level name and for each journal entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


def game_text(document: Mapping[str, Any], entries: Sequence[str], encode: Callable[[Any], str]) -> str:
    """Return the text of a game file: without its line ends it is the canonical JSON of ``document``.

    ``entries`` holds the canonical text of each journal entry; ``encode`` gives that of any other plain value.
    """
    pairs = zip(entries, document["journal"], strict=True)
    links = [f'{{"entry":{entry},"hash":{encode(link["hash"])}}}' for entry, link in pairs]
    journal = "[\n" + ",\n".join(links) + "\n]"
    lines = (f'"{name}":{journal if name == "journal" else encode(document[name])}' for name in sorted(document))
    return "{" + ",\n".join(lines) + "}\n"
