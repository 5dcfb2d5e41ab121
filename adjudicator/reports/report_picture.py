"""Draw a position or a report as a file: its boards, or its tables if it has no board, as SVG or PNG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.core.width import clip
from adjudicator.reports.changes import Earlier
from adjudicator.reports.heading import title_line
from adjudicator.reports.picture import as_file, draw
from adjudicator.reports.png import NoPictureError, png_of, require_png
from adjudicator.reports.position import Position
from adjudicator.reports.report import Report
from adjudicator.reports.svg import Sheet
from adjudicator.reports.tables import draw_tables

_MOST_PIXELS: Final = 4096
"""The longest side of a PNG in pixels: viewers need much memory for larger ones."""
_LONGEST_TITLE: Final = 200
_SCALE: Final = 2
"""Pixels of a PNG for each pixel of the drawing, so that it is sharp on modern screens."""


def position_sheet(position: Position, before: Earlier | None = None, about: Iterable[str] = ()) -> Sheet:
    """Return ``position`` as a picture with marks for the changes since ``before``; ``about`` are sentences about it.

    Raises ``NoPictureError`` if it has neither a board nor a table.
    """
    drawing = position.drawing
    drawn = draw(drawing, seats=position.players, before=before, details=False)
    drawn = drawn if drawn.figures else draw_tables(drawing, before=before)
    if not drawn.figures:
        raise NoPictureError(f"{position.heading.name} has no board to draw")
    return as_file(drawn, clip(title_line(position.heading), _LONGEST_TITLE), about=about)


def report_svg(report: Report) -> str:
    """Return the picture of ``report`` as an SVG document. Raises ``NoPictureError`` if there is nothing to draw."""
    return _sheet(report).svg


def report_png(report: Report) -> bytes:
    """Return the picture of ``report`` as PNG. Raises ``NoPictureError`` without one or without the extra `png`."""
    require_png()
    sheet = _sheet(report)
    return png_of(sheet, min(_SCALE, _MOST_PIXELS / max(sheet.width, sheet.height)))


def _sheet(report: Report) -> Sheet:
    return position_sheet(report.position, report.earlier, report.description or ("The tables of the position.",))
