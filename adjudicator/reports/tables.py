"""Draw the tables of a position as a picture, for games without a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from adjudicator.core.width import clip
from adjudicator.reports.changes import Earlier, TableShape, cell_name, changes_since
from adjudicator.reports.legend import change_items, items_part
from adjudicator.reports.marks import marked
from adjudicator.reports.sketch import Anchor, Part
from adjudicator.reports.svg import document, element, words
from adjudicator.scenes.drawing import Columns, Drawing
from adjudicator.scenes.letters import text_width

_MARGIN: Final = 16
_SIZE: Final = 12
_LINE: Final = 20
_GAP: Final = 18
_LONGEST: Final = 60
"""The greatest number of characters in a cell."""

Rows = Sequence[Sequence[str]]


def tables_picture(drawing: Drawing, title: str, earlier: Earlier | None = None) -> str | None:
    """Return the tables of ``drawing`` under ``title`` as an SVG document, ``None`` without any.

    Marks show the changes since the ``earlier`` drawing.
    """
    tables = _tables(drawing)
    if not tables:
        return None
    part = _tables_part(tables)
    changes = tuple(chain.from_iterable(new for _, new in changes_since(drawing, earlier)))
    if changes:
        part = marked(part, part, changes)
    news = items_part([change_items(changes, earlier)], part.width, 0)
    heading = words(clip(title, _LONGEST), _MARGIN, _LINE, size=14, anchor="start", font_weight="bold")
    legend = element("g", *news.drawn, transform=f"translate({_MARGIN} {part.height})")
    right = max(part.width, text_width(clip(title, _LONGEST), 14, is_bold=True) + _MARGIN, news.width + _MARGIN)
    drawn = (heading, *part.drawn, *((legend,) if news.drawn else ()))
    return document(drawn, int(right + _MARGIN), int(part.height + news.height))


def _tables(drawing: Drawing) -> list[TableShape]:
    return [shape for shape in drawing.shapes if isinstance(shape, TableShape)]


def _tables_part(tables: Iterable[TableShape]) -> Part:
    """Return ``tables`` below each other, and below the title of the document."""
    drawn: list[str] = []
    anchors: list[Anchor] = []
    right, y = float(_MARGIN), 2.0 * _LINE
    for table in tables:
        headings = table.headings if isinstance(table, Columns) else ()
        places = [*_places([*([headings] if headings else []), *table.rows])]
        if table.title:
            drawn.append(words(clip(table.title, _LONGEST), _MARGIN, y, size=_SIZE, anchor="start", font_weight="bold"))
            y += _LINE
        if headings:
            drawn += _cells(headings, places, y, {"fill": "#555555"})
            y += _LINE
        for row, cells in enumerate(table.rows):
            drawn += _cells(cells, places, y, {})
            anchors += _anchors(table, row, places, y)
            y += _LINE
        right = max(right, places[-1] if places else 0)
        y += _LINE / 2
    return Part(tuple(drawn), right, y, tuple(anchors))


def _anchors(table: TableShape, row: int, places: Sequence[float], y: float) -> Iterator[Anchor]:
    """Yield the places of the cells of a ``row``; the first cell is its name."""
    for column in range(len(table.rows[row])):
        left, right = places[column] - 8, max(places[column + 1] - _GAP, places[column] + 52)
        yield Anchor(cell_name(table, row, column), None, (left + right) / 2, y - 4, right - left, _LINE - 4)


def _places(rows: Rows) -> Iterator[float]:
    """Yield the left edge of each column of ``rows``, then the right edge of the last one."""
    x = float(_MARGIN)
    for column in zip(*rows, strict=True):
        yield x
        x += max(text_width(clip(cell, _LONGEST), _SIZE) for cell in column) + _GAP
    yield x - _GAP


def _cells(cells: Iterable[str], places: Sequence[float], y: float, style: dict[str, str]) -> Iterator[str]:
    for cell, x in zip(cells, places, strict=False):
        if cell:
            yield words(clip(cell, _LONGEST), round(x, 1), y, size=_SIZE, anchor="start", **style)
