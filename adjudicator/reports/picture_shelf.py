"""Draw the squares beside a board: a row for each hand or supply, under its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.core.drawing import Shelf, Square
from adjudicator.reports.changes import shelf_names
from adjudicator.reports.kept import Kept
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_tile import SIDE, tile, tile_badges, tile_uses
from adjudicator.reports.sketch import Anchor, Part, Use, badges_at
from adjudicator.reports.svg import element, words

_ACROSS: Final = 3
"""The number of squares side by side."""
_FEW: Final = 3
"""The number of rows as large as the board; more rows are drawn smaller."""
_SMALL: Final = 0.75
_PITCH: Final = SIDE + 8
_TITLE: Final = 20
_BELOW: Final = 10
WIDTH: Final = _ACROSS * _PITCH - 8


def shelf_parts(shelf: Shelf, key: Key, grounds: Sequence[str]) -> Part:
    """Return the rows of ``shelf`` drawn below each other, longer rows in several lines, and many rows smaller."""
    scale = 1 if len(shelf.rows) <= _FEW else _SMALL
    part = _rows(shelf, key, grounds, round(WIDTH / scale))
    if scale == 1:
        return part
    drawn = element("g", *part.drawn, transform=f"scale({scale})")
    anchors = tuple(
        replace(one, x=one.x * scale, y=one.y * scale, width=one.width * scale, height=one.height * scale)
        for one in part.anchors
    )
    return Part((drawn,), WIDTH, round(part.height * scale, 1), anchors, part.uses)


def _rows(shelf: Shelf, key: Key, grounds: Sequence[str], width: int) -> Part:
    """Return the rows of ``shelf``, in lines of at most ``width`` pixels."""
    across = (width + 8) // _PITCH
    drawn = [words(shelf.title, width, 14, size=11, anchor="end", fill="#555555")]
    anchors: list[Anchor] = []
    uses = set[Use]()
    names, y, colors = iter(shelf_names(shelf)), 0.0, tuple(grounds)
    for title, squares in shelf.rows:
        drawn.append(words(title, 0, y + 14, size=13, anchor="start", font_weight="bold"))
        y += _TITLE
        for at, square in enumerate(squares):
            corner = at % across * _PITCH, y + at // across * _PITCH
            name = next(names)
            inner, places, used = _SQUARES.of((name, *corner), square, name, *corner, key, colors)
            drawn.append(inner)
            anchors += places
            uses.update(used)
        y += -(-len(squares) // across) * _PITCH + _BELOW
    drawn += badges_at(anchors, key)
    return Part(tuple(drawn), width, max(y - _BELOW, 0), tuple(anchors), frozenset(uses))


def _square(
    square: Square, name: str, x: float, y: float, key: Key, grounds: tuple[str, ...]
) -> tuple[str, tuple[Anchor, ...], tuple[Use, ...]]:
    """Return ``square`` drawn as on the board, its anchors and those of its badges, and the definitions that it uses."""
    inner = (tile(square, key, grounds),) if square.edges else _face_down(square)
    place = Anchor(name, None, x + SIDE / 2, y + SIDE / 2, SIDE + 3, SIDE + 3)
    badges = tile_badges(name, square.badges, (x, y))
    return element("g", *inner, transform=f"translate({x} {y})"), (place, *badges), tile_uses(square, key)


_SQUARES: Final = Kept(_square)


def _face_down(square: Square) -> Iterator[str]:
    """Yield a square without edges."""
    yield element("rect", width=SIDE, height=SIDE, rx=4, fill="#e4e0d6", stroke="#7d7d7d", stroke_width=0.8)
    yield words(square.label or "?", SIDE / 2, SIDE / 2 + 5, size=14, fill="#555555")
