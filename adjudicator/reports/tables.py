"""Draw the tables of a position as a picture, for games without a board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.core.values import replace
from adjudicator.core.width import clip
from adjudicator.reports.changes import Change, Earlier, TableShape, changes_since, marks, things_in
from adjudicator.reports.picture import Figure, Kind, Picture, figure, news_signs
from adjudicator.reports.svg import words
from adjudicator.scenes.drawing import Columns, Drawing
from adjudicator.scenes.letters import text_width
from adjudicator.scenes.scene import Frame, Scene

_SIZE: Final = 12
_LINE: Final = 20
_GAP: Final = 18
_LONGEST: Final = 60
"""The greatest number of characters in a cell."""


def draw_tables(drawing: Drawing, *, before: Earlier | None = None) -> Picture:
    """Return each table of ``drawing``, which has no board, as a figure with marks for the changes since ``before``."""
    figures, found = list[Figure](), list[Change]()
    for table, changes in changes_since(drawing, before):
        if not isinstance(table, Scene):
            figures.append(_table(table, f"table {len(figures) + 1}", changes))
            found += changes
    return Picture("", tuple(figures), tuple(news_signs(found, before)))


def _table(table: TableShape, name: str, changes: Iterable[Change]) -> Figure:
    headings = (table.headings,) if isinstance(table, Columns) else ()
    rows = [[clip(cell, _LONGEST) for cell in row] for row in (*headings, *table.rows)]
    drawn = list[str]()
    if table.title:
        drawn.append(words(clip(table.title, _LONGEST), 0, 14, size=_SIZE, anchor="start", font_weight="bold"))
    x, top, cells = 0.0, len(drawn), dict[tuple[int, int], Frame]()
    for column, texts in enumerate(zip(*rows, strict=True)):
        wide = max(text_width(text, _SIZE) for text in texts)
        for row, text in enumerate(texts):
            y, look = (top + row) * _LINE + 14, {"fill": "#555555"} if row < len(headings) else {}
            drawn += [words(text, round(x, 1), y, size=_SIZE, anchor="start", **look)] if text else []
            cells[row - len(headings), column] = Frame(x + wide / 2, y - 4, wide + 12, _LINE - 4)
        x += wide + _GAP
    # The cells that can change: all of a table, the values of a list.
    shown = [cells[row, column] for row in range(len(table.rows)) for column in range(len(rows[0])) if headings or column]
    frames = {thing.name: frame for thing, frame in zip(things_in(table), shown, strict=True)}
    marked = (replace(one, thing=replace(one.thing, frame=frames[one.thing.name])) for one in changes)
    drawn.append(marks(marked))
    box = Frame(x / 2, (top + len(rows)) * _LINE / 2, x + 12, (top + len(rows)) * _LINE)
    return figure(name, Kind.BOARD, "", "".join(drawn), box, _SIZE)
