"""Write a drawing as text for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_text import legend_rows, scene_lines
from adjudicator.reports.seat_key import Key, key_of
from adjudicator.reports.shape_tables import shape_tables
from adjudicator.reports.terminal_colors import STRONG, painted
from adjudicator.reports.texts import GAP, folded_lines, table_lines
from adjudicator.scenes.drawing import Drawing, Shape
from adjudicator.scenes.scene import Legend, Scene


def drawing_text(
    drawing: Drawing,
    *,
    color: bool = False,
    seats: Iterable[str] = (),
    width: int | None = None,
) -> str:
    """Return the shapes of ``drawing`` from top to bottom; ``color`` adds ANSI colours, which carry no extra information.

    ``seats`` are all seats of the game, so that each keeps its colour even if others do not appear. With a ``width`` in
    columns, wider boards are divided into parts, and tables get narrower columns.
    """
    key = key_of(drawing, seats)
    blocks = (_shape_lines(shape, key, width, color=color) for shape in drawing.shapes)
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def _shape_lines(shape: Shape, key: Key, width: int | None, *, color: bool) -> list[str]:
    match shape:
        case Scene():
            return scene_lines(shape, key, width, color=color)
        case Legend():
            lines = legend_rows(shape, key, color=color)
            return folded_lines(lines, width) if width else lines
    ((title, headings, rows),) = shape_tables(shape)
    if not title:
        return table_lines(headings, rows, width)
    lines = table_lines(headings, rows, None if width is None else width - len(GAP))
    return [painted(printable(title), STRONG, color=color), *((GAP + line).rstrip() for line in lines)]
