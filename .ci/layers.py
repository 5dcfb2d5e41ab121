"""The layers of the program, and their drawing: `python .ci/layers.py > docs/pictures/layers.svg`."""

from __future__ import annotations

import sys
from typing import Final
from xml.sax.saxutils import escape

LAYERS: Final = (
    ("Values and rules of play, which know no files", "core"),
    ("Pictures, games, leaves", "scenes game games mail resources rulebook"),
    ("Text to orders, results, verdicts, files of any kind", "orders results verdict files"),
    (
        "Installed rulesets, game files, texts for readers, processes",
        "rulesets store sources reports processes",
    ),
    ("The library: one game", "library"),
    ("Records proven and kept", "audit archive script"),
    ("Many games", "simulate site testing"),
    ("The public names, the club and the desk", "__init__ club desk"),
    ("The command line, and the pages of a club", "cli serve __main__"),
    ("Commands that a game brings", "office"),
)
"""Each layer, from the lowest: what it is, and its parts. A part imports only parts of its layer and of those below."""
WIDTH: Final = 720
LETTER: Final = 7
"""Pixels of a letter of a part's name."""


def drawing() -> str:
    """Return the layers as a picture, the lowest at the bottom, in the colours of docs/identity.md."""
    bands, top = [], 0
    for number, (words, parts) in reversed(list(enumerate(LAYERS, start=1))):
        height, boxes = _band(number, words, parts.split(), top)
        bands += boxes
        top += height + 6
    told = "; ".join(
        f"{number}. {words}: {', '.join(parts.split())}" for number, (words, parts) in enumerate(LAYERS, start=1)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" role="img"'
            ' aria-labelledby="layers words" font-family="system-ui, sans-serif" font-size="12">',
            f'<title id="layers">The layers of the program</title><desc id="words">{escape(told)}</desc>',
            *bands,
            "</svg>",
        ]
    )


def _band(number: int, words: str, parts: list[str], top: int) -> tuple[int, list[str]]:
    """Return the height of a layer, and its shapes from ``top`` on."""
    boxes, x, y = [], 12, top + 24
    for part in parts:
        width = LETTER * len(part) + 14
        if x + width > WIDTH - 12:
            x, y = 12, y + 26
        boxes.append(f'<rect x="{x}" y="{y}" width="{width}" height="20" rx="4" fill="#e8f1f8" stroke="#1f5f8b"/>')
        boxes.append(f'<text x="{x + width / 2:g}" y="{y + 14}" text-anchor="middle" fill="#22262b">{part}</text>')
        x += width + 6
    height = y + 26 - top
    frame = (
        f'<rect x=".5" y="{top + 0.5}" width="{WIDTH - 1}" height="{height - 1}" rx="8" fill="#ffffff" stroke="#dcd8cf"/>'
    )
    return height, [frame, f'<text x="12" y="{top + 16}" fill="#22262b" font-weight="600">{number}. {words}</text>', *boxes]


if __name__ == "__main__":
    sys.stdout.write(drawing() + "\n")
