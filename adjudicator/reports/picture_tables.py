"""The tables of a position as a picture, for games that have no board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.drawing import Columns, Drawing, Fields
from adjudicator.reports.svg import element, text_width, words
from adjudicator.reports.width import clip

_MARGIN: Final = 16
_SIZE: Final = 12
_LINE: Final = 20
_GAP: Final = 18
_LONGEST: Final = 60
"""Characters of a cell that are shown."""

Rows = Sequence[Sequence[str]]


def tables_picture(drawing: Drawing, title: str) -> str | None:
    """Return the tables of ``drawing`` under ``title`` as an SVG document, ``None`` if there are none."""
    tables = [_table(shape) for shape in drawing.shapes if isinstance(shape, (Fields, Columns))]
    if not tables:
        return None
    drawn = [words(clip(title, _LONGEST), _MARGIN, _LINE, size=14, anchor="start", font_weight="bold")]
    right, y = _MARGIN + text_width(clip(title, _LONGEST), 14, is_bold=True), 2.0 * _LINE
    for caption, headings, rows in tables:
        lines = [*([headings] if headings else []), *rows]
        places = [*_places(lines)]
        if caption:
            drawn.append(words(clip(caption, _LONGEST), _MARGIN, y, size=_SIZE, anchor="start", font_weight="bold"))
            y += _LINE
        for number, cells in enumerate(lines):
            style = {"fill": "#555555"} if headings and number == 0 else {}
            drawn += _cells(cells, places, y, style)
            y += _LINE
        right = max(right, places[-1] if places else 0)
        y += _LINE / 2
    width, height = int(right + _MARGIN), int(y)
    paper = element("rect", width=width, height=height, fill="#ffffff")
    head = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    return element("svg", paper, *drawn, font_family="sans-serif", **head) + "\n"


def _table(shape: Fields | Columns) -> tuple[str, Sequence[str], Rows]:
    return shape.title, shape.headings if isinstance(shape, Columns) else (), shape.rows


def _places(rows: Rows) -> Iterator[float]:
    """Yield where each column of ``rows`` begins, and where the last one ends."""
    x = float(_MARGIN)
    for column in zip(*rows, strict=True):
        yield x
        x += max(text_width(clip(cell, _LONGEST), _SIZE) for cell in column) + _GAP
    yield x - _GAP


def _cells(cells: Iterable[str], places: Sequence[float], y: float, style: dict[str, str]) -> Iterator[str]:
    for cell, x in zip(cells, places, strict=False):
        if cell:
            yield words(clip(cell, _LONGEST), round(x, 1), y, size=_SIZE, anchor="start", **style)
