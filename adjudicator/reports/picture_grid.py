"""A board of squares as a picture: the ground at each side, the roads, and what lies and stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.drawing import Grid, Square
from adjudicator.reports.changes import square_name
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.sketch import Anchor, Part, Point, road_line, standing, standing_parts
from adjudicator.reports.svg import element, words

_SIDE: Final = 100
_GAP: Final = 16
"""What lies between squares that are looked at one by one."""
_EDGE: Final = 34
_CORNERS: Final = ((0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE))
_LETTERS: Final = ((60, 20), (84, 44), (60, 94), (16, 44))
"""Where the letter of each side stands, clear of the road."""
_MIDDLES: Final = ((_SIDE / 2, 0), (_SIDE, _SIDE / 2), (_SIDE / 2, _SIDE), (0, _SIDE / 2))


def grid_parts(grid: Grid, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``grid`` drawn, its frame around it; colours go by ``grounds`` and ``key``."""
    pitch = _SIDE + _GAP if grid.is_apart else _SIDE
    width, height = len(grid.columns) * pitch, len(grid.rows) * pitch
    drawn = [*_headings(grid), *_frame(grid, key, grounds)]
    anchors = []
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, len(grid.columns))
        x, y = _EDGE + column * pitch, _EDGE + row * pitch
        if square.edges or not grid.is_apart:
            drawn.append(element("g", *_square(square, key, grounds), transform=f"translate({x} {y})"))
            anchors.append(Anchor(square_name(grid, at), None, x + _SIDE / 2, y + _SIDE / 2, _SIDE - 8, _SIDE - 8))
            points = ((x + 16 + (at % 4) * 21, y + _SIDE - 14 - (at // 4) * 20) for at in range(len(square.badges)))
            anchors += standing(square_name(grid, at), square.badges, points)
    drawn += standing_parts(anchors, key)
    return Part(tuple(drawn), width + 2 * _EDGE, height + 2 * _EDGE, tuple(anchors))


def _headings(grid: Grid) -> Iterator[str]:
    for at, name in enumerate(grid.columns):
        yield words(name, _EDGE + (at + 0.5) * _SIDE, 11, font_weight="bold")
    for at, name in enumerate(grid.rows):
        yield words(name, 7, _EDGE + (at + 0.5) * _SIDE + 4, font_weight="bold")


def _frame(grid: Grid, key: Key, grounds: Sequence[str]) -> Iterator[str]:
    """Yield the grounds that frame the board: north, east, south, west."""
    broad, high = len(grid.columns) * _SIDE, len(grid.rows) * _SIDE
    strips = ((0, -16, _SIDE, 16), (broad, 0, 16, _SIDE), (0, high, _SIDE, 16), (-16, 0, 16, _SIDE))
    for side, (strip, names) in enumerate(zip(strips, grid.frame, strict=False)):
        for along, name in enumerate(names):
            x = _EDGE + strip[0] + (along * _SIDE if side % 2 == 0 else 0)
            y = _EDGE + strip[1] + (along * _SIDE if side % 2 else 0)
            ink = ground_ink(name, grounds)
            yield element("rect", x=x, y=y, width=strip[2], height=strip[3], fill=ink, stroke="#888888")
            yield words(key.letter(name), x + strip[2] / 2, y + strip[3] / 2 + 4, size=10)


def _square(square: Square, key: Key, grounds: Sequence[str]) -> Iterator[str]:
    middle: Point = (_SIDE / 2, _SIDE / 2)
    if not square.edges:
        yield element("rect", width=_SIDE, height=_SIDE, fill="#ffffff", stroke="#bbbbbb")
    for side, edge in enumerate(square.edges):
        one, other = _CORNERS[side], _CORNERS[(side + 1) % 4]
        points = " ".join(f"{x},{y}" for x, y in (one, other, middle))
        yield element("polygon", points=points, fill=ground_ink(edge.ground, grounds), stroke="#ffffff")
        x, y = _LETTERS[side]
        yield words(key.letter(edge.ground), x, y, size=9, fill="#666666")
    for side, edge in enumerate(square.edges):
        if edge.road:
            yield from road_line(key.strokes[edge.road], middle, _MIDDLES[side])
    if square.edges:
        yield element("rect", width=_SIDE, height=_SIDE, fill="none", stroke="#666666")
    if square.label:
        yield words(f"{square.label} {square.corner}".strip(), 4, 11, size=9, anchor="start")
