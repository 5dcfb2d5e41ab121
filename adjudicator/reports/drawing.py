"""Write a drawing as text for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core import scene
from adjudicator.core.drawing import Chart, Drawing, Legend, Shape
from adjudicator.core.scene import Scene
from adjudicator.core.tableau import Tableau
from adjudicator.reports.chart import MOST_WIDE, chart_lines
from adjudicator.reports.fold import folded_lines
from adjudicator.reports.legend import Key, key_of, legend_lines
from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_text import legend_rows, scene_lines
from adjudicator.reports.shape_tables import shape_tables
from adjudicator.reports.table import GAP, table_lines
from adjudicator.reports.terminal_colors import STRONG, painted


def drawing_text(
    drawing: Drawing,
    *,
    color: bool = False,
    seats: Iterable[str] = (),
    width: int | None = None,
    legends: Drawing | None = None,
) -> str:
    """Return the shapes of ``drawing`` from top to bottom; ``color`` adds ANSI colours, which carry no extra information.

    ``seats`` are all seats of the game, so that each keeps its colour even if others do not appear. With a ``width`` in
    columns, wider boards are divided into parts, and tables get narrower columns. ``legends`` is the whole drawing if
    ``drawing`` is a part of it: its legends apply.
    """
    key = key_of(legends or drawing, seats)
    shapes = (shape for shape in drawing.shapes if not (isinstance(shape, Scene) and shape.text is None))
    return "\n\n".join("\n".join(_shape_lines(shape, key, width, color=color)) for shape in shapes)


def _shape_lines(shape: Shape, key: Key, width: int | None, *, color: bool) -> list[str]:
    room = None if width is None else width - len(GAP) * bool(getattr(shape, "title", "") or isinstance(shape, Tableau))
    match shape:
        case Scene():
            return scene_lines(shape, key, width, color=color)
        case scene.Legend():
            lines = legend_rows(shape, key, color=color)
            return folded_lines(lines, width) if width else lines
        case Chart():
            lines = chart_lines(shape, key, room or MOST_WIDE)
            return _titled(shape.title, folded_lines(lines, room) if room else lines, color=color)
        case Legend():
            return folded_lines(legend_lines(shape, color=color), width) if width else legend_lines(shape, color=color)
    tables = (
        _titled(title, table_lines(headings, rows, room), color=color) for title, headings, rows in shape_tables(shape)
    )
    return _in_parts(tables)


def _in_parts(parts: Iterable[list[str]]) -> list[str]:
    """Return the lines of all ``parts``, with an empty line between two of them."""
    lines: list[str] = []
    for part in parts:
        lines += ["", *part] if lines else part
    return lines


def _titled(title: str, lines: list[str], *, color: bool) -> list[str]:
    """Return ``lines`` indented under ``title``; unchanged without a title."""
    if not title:
        return lines
    return [painted(printable(title), STRONG, color=color), *((GAP + line).rstrip() for line in lines)]
