"""Draw a board of squares: their contents, the frame, and the names of free places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from adjudicator.core.drawing import Grid, Square
from adjudicator.reports.changes import square_name
from adjudicator.reports.kept import Kept
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.picture_textures import figure
from adjudicator.reports.picture_tile import SIDE, tile, tile_badges, tile_uses
from adjudicator.reports.sketch import Anchor, Part, Use, badges_at
from adjudicator.reports.svg import element, text_width, words

_GAP: Final = 16
"""The gap between separate squares, which are no board."""
_STRIP: Final = 24
"""The width of the frame."""
_NAMES: Final = 20
"""Room for the names of columns and rows, beyond the frame."""
_EDGE: Final = _STRIP + _NAMES


def grid_parts(grid: Grid, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``grid`` drawn with its frame, in the colours for ``grounds`` and ``key``."""
    pitch = SIDE + _GAP if grid.is_apart else SIDE
    width, height = len(grid.columns) * pitch, len(grid.rows) * pitch
    colors = tuple(grounds)
    drawn = [_around(grid.columns, grid.rows, grid.frame, key, colors)]
    anchors: list[Anchor] = []
    uses: set[Use] = {name for side in grid.frame for name in side}
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, len(grid.columns))
        if square.edges or not grid.is_apart:
            corner = _EDGE + column * pitch, _EDGE + row * pitch
            name = square_name(grid, at)
            inner, places, used = _SQUARES.of(name, square, name, *corner, key, colors)
            drawn.append(inner)
            anchors += places
            uses.update(used)
    drawn += badges_at(anchors, key, key.pieces)
    return Part(tuple(drawn), width + 2 * _EDGE, height + 2 * _EDGE, tuple(anchors), frozenset(uses))


def _square(
    square: Square, name: str, x: int, y: int, key: Key, grounds: tuple[str, ...]
) -> tuple[str, tuple[Anchor, ...], tuple[Use, ...]]:
    """Return ``square`` drawn at its place, the anchors of the square and its badges, and the definitions that it uses."""
    inner = (tile(square, key, grounds),) if square.edges else _free(name)
    place = Anchor(name, None, x + SIDE / 2, y + SIDE / 2, SIDE + 3, SIDE + 3)
    badges = tile_badges(name, square.badges, (x, y))
    return element("g", *inner, transform=f"translate({x} {y})"), (place, *badges), tile_uses(square, key)


_SQUARES: Final = Kept(_square)


@lru_cache(maxsize=64)
def _around(
    columns: tuple[str, ...], rows: tuple[str, ...], frame: tuple[tuple[str, ...], ...], key: Key, grounds: tuple[str, ...]
) -> str:
    """Return the names of columns and rows and the frame around the squares of a grid."""
    grid = Grid(columns, rows, (), frame)
    return "".join((*_headings(grid), *_frame(grid, key, grounds)))


def _headings(grid: Grid) -> Iterator[str]:
    """Yield the names of columns and rows, on both sides of the board."""
    width, height = len(grid.columns) * SIDE + 2 * _EDGE, len(grid.rows) * SIDE + 2 * _EDGE
    for at, name in enumerate(grid.columns):
        for y in (_NAMES - 6, height - 5):
            yield words(name, _EDGE + (at + 0.5) * SIDE, y, size=15, font_weight="bold")
    for at, name in enumerate(grid.rows):
        for x in (_NAMES / 2, width - _NAMES / 2):
            yield words(name, x, _EDGE + (at + 0.5) * SIDE + 5, size=15, font_weight="bold")


def _free(name: str) -> Iterator[str]:
    """Yield an empty square with its ``name``, which players need to place something there."""
    box = {"x": 4, "y": 4, "width": SIDE - 8, "height": SIDE - 8, "rx": 6}
    yield element("rect", width=SIDE, height=SIDE, fill="#f4f2ec")
    yield element("rect", **box, fill="#ffffff", stroke="#b5b1a6", stroke_width=1.2, stroke_dasharray="4 4")
    size = next((size for size in (26, 18, 12) if text_width(name, size) < SIDE - 12), 8)
    yield words(name, SIDE / 2, SIDE / 2 + size / 3, size=size, fill="#6b675e")


def _frame(grid: Grid, key: Key, grounds: Sequence[str]) -> Iterator[str]:
    """Yield the grounds that frame the board: north, east, south, west."""
    broad, high = len(grid.columns) * SIDE, len(grid.rows) * SIDE
    strips = ((0, -_STRIP, SIDE, _STRIP), (broad, 0, _STRIP, SIDE), (0, high, SIDE, _STRIP), (-_STRIP, 0, _STRIP, SIDE))
    for side, (strip, names) in enumerate(zip(strips, grid.frame, strict=False)):
        for along, name in enumerate(names):
            x = _EDGE + strip[0] + (along * SIDE if side % 2 == 0 else 0)
            y = _EDGE + strip[1] + (along * SIDE if side % 2 else 0)
            ink = ground_ink(name, grounds)
            yield element("rect", x=x, y=y, width=strip[2], height=strip[3], fill=ink, stroke="#7d7d7d", stroke_width=0.8)
            middle = x + strip[2] / 2, y + strip[3] / 2
            if name in key.textures:
                for far in (-27, 27):
                    dx, dy = (far, 1) if side % 2 == 0 else (0, far)
                    yield figure(key.textures[name], middle[0] + dx, middle[1] + dy)
            yield words(key.letter(name), middle[0], middle[1] + 4, size=10, fill="#444444")
