"""Draw the picture of a report: its boards as SVG with a title and a description, or as PNG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from adjudicator.core.values import Value
from adjudicator.core.width import clip
from adjudicator.reports.heading import title_line
from adjudicator.reports.picture import picture
from adjudicator.reports.png import NoPictureError, png_of, require_png
from adjudicator.reports.report import Report
from adjudicator.reports.svg import element, plain
from adjudicator.reports.tables import tables_picture

_OPENING: Final = re.compile(r"<svg [^>]*>")
_SIZE: Final = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_MOST_PIXELS: Final = 4096
"""The longest side of a PNG in pixels: viewers need much memory for larger ones."""
_LONGEST_TITLE: Final = 200
_SCALE: Final = 2
"""Pixels of a PNG for each pixel of the drawing, so that it is sharp on modern screens."""
_NO_BOARD: Final = ("The tables of the position.",)


class _Picture(Value):
    """An ``svg`` element, and its size in pixels."""

    svg: str
    width: int
    height: int


def report_svg(report: Report) -> str:
    """Return the boards of ``report`` as an SVG document. Raises ``NoPictureError`` if the game has none."""
    drawn = _board_picture(report)
    if drawn is None:
        raise NoPictureError(f"{report.position.heading.name} has no board to draw")
    return drawn.svg


def _board_picture(report: Report) -> _Picture | None:
    """Return the boards of ``report``, or its tables if it has none, as SVG with a description for screen readers.

    Returns ``None`` if there are neither boards nor tables.
    """
    position = report.position
    title = clip(title_line(position.heading), _LONGEST_TITLE)
    drawn = picture(position.drawing, title, position.players, earlier=report.earlier)
    drawn = drawn or tables_picture(position.drawing, title, report.earlier)
    if drawn is None:
        return None
    return _described(drawn, title, report.description or _NO_BOARD)


def report_png(report: Report) -> bytes:
    """Return the boards of ``report`` as PNG. Raises ``NoPictureError`` without a board or without the extra `png`."""
    require_png()
    drawn = _board_picture(report)
    if drawn is None:
        raise NoPictureError(f"{report.position.heading.name} has no board to draw")
    longest = max(drawn.width, drawn.height, 1)
    scale = min(_SCALE, _MOST_PIXELS / longest)
    return png_of(drawn.svg, max(1, int(drawn.width * scale)), max(1, int(drawn.height * scale)))


def _described(drawn: str, title: str, lines: Iterable[str]) -> _Picture:
    """Return the SVG ``drawn`` with its ``title`` and the description in ``lines``."""
    opening = _OPENING.match(drawn)
    size = _SIZE.search(drawn[: opening.end()]) if opening else None
    if opening is None or size is None:
        raise ValueError("this is not a picture of this program")
    head = opening[0]
    if 'role="' not in head:
        head = f'{head[:-1]} role="img" aria-labelledby="board-title board-words">'
        head += element("title", plain(title), id="board-title") + element("desc", plain(" ".join(lines)), id="board-words")
    return _Picture(head + drawn[opening.end() :].rstrip("\n") + "\n", *(int(float(side)) for side in size.groups()))
