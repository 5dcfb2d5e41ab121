"""A drawing as text for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.drawing import Chart, Columns, Drawing, Fields, Grid, Legend, Panels, Roadmap, Shape, Track
from adjudicator.reports.board import board_lines
from adjudicator.reports.chart import chart_lines
from adjudicator.reports.legend import Key, key_of, legend_lines
from adjudicator.reports.roadmap import roadmap_lines
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP, table_lines
from adjudicator.reports.terminal_colors import STRONG, painted
from adjudicator.reports.track import track_lines


def drawing_text(drawing: Drawing, *, color: bool = False, seats: Iterable[str] = ()) -> str:
    """Return the shapes of ``drawing`` from top to bottom; ``color`` adds ANSI colours, without which nothing is lost.

    ``seats`` are those of the game, so that each keeps its colour whoever is shown.
    """
    key = key_of(drawing, seats)
    return "\n\n".join("\n".join(_shape_lines(shape, key, color=color)) for shape in drawing.shapes)


def _shape_lines(shape: Shape, key: Key, *, color: bool) -> list[str]:
    match shape:
        case Grid():
            return board_lines(shape, key, color=color)
        case Track():
            return track_lines(shape, key, color=color)
        case Roadmap():
            return _titled(shape.title, roadmap_lines(shape, key), color=color)
        case Chart():
            return _titled(shape.title, chart_lines(shape, key), color=color)
        case Panels():
            return _titled(shape.title, table_lines(*_panel_rows(shape)), color=color)
        case Legend():
            return legend_lines(shape, color=color)
        case Fields():
            rows = [(printable(label), printable(value)) for label, value in shape.rows]
            return _titled(shape.title, table_lines((), rows), color=color)
        case Columns():
            headings = tuple(map(printable, shape.headings))
            rows_shown = [tuple(map(printable, row)) for row in shape.rows]
            return _titled(shape.title, table_lines(headings, rows_shown), color=color)


def _titled(title: str, lines: list[str], *, color: bool) -> list[str]:
    """Return ``lines`` under ``title``, indented; without a title as they are."""
    if not title:
        return lines
    return [painted(printable(title), STRONG, color=color), *((GAP + line).rstrip() for line in lines)]


def _panel_rows(shape: Panels) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return ``shape`` as a table: headings, and a row for each panel."""
    if not shape.panels:
        return (), []
    first = shape.panels[0]
    headings = ("", *(gauge.label for gauge in first.gauges), *(label for label, _ in first.rows))
    rows = [
        (panel.title, *(f"{gauge.level}/{gauge.most}" for gauge in panel.gauges), *(value for _, value in panel.rows))
        for panel in shape.panels
    ]
    return tuple(map(printable, headings)), [tuple(map(printable, row)) for row in rows]
