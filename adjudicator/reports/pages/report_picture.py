"""Draw the picture of a report: its boards as SVG with a title and a description, or as PNG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import as_file, files
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.width import clip
from adjudicator.reports.data.heading import title_line
from adjudicator.reports.data.report import Report
from adjudicator.reports.pictures.picture import boards_of, picture
from adjudicator.reports.pictures.sections import focus_drawing
from adjudicator.reports.pictures.svg import element, plain
from adjudicator.reports.pictures.tables import tables_picture

_OPENING: Final = re.compile(r"<svg [^>]*>")
_SIZE: Final = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_MOST_PIXELS: Final = 4096
"""The longest side of a PNG in pixels: viewers need much memory for larger ones."""
_LONGEST_TITLE: Final = 200
_SCALE: Final = 2
"""Pixels of a PNG for each pixel of the drawing, so that it is sharp on modern screens."""


_STRIP: Final = 480
"""The width of the current section in pixels, in which all letters are readable; on a phone it scrolls."""
_SECTION: Final = "The current section"
_NO_BOARD: Final = ("The tables of the position.",)


class NoPictureError(Exception):
    """There is nothing to draw, or the extra for drawing is missing; the message says which."""


@frozen
class BoardPicture:
    """An ``svg`` element, and its size in pixels."""

    svg: str
    width: int
    height: int


def report_svg(report: Report) -> str:
    """Return the boards of ``report`` as an SVG document. Raises ``NoPictureError`` if the game has none."""
    drawn = board_svg(report)
    if drawn is None:
        raise NoPictureError(f"{report.position.heading.name} has no board to draw")
    return drawn.svg


def board_svg(report: Report) -> BoardPicture | None:
    """Return the boards of ``report``, or its tables if it has none, as SVG with a description for screen readers.

    Returns ``None`` if there are neither boards nor tables.
    """
    position = report.position
    title = clip(title_line(position.heading), _LONGEST_TITLE)
    drawn = picture(position.drawing, title, position.players, earlier=report.earlier)
    drawn = drawn or tables_picture(position.drawing, title, report.earlier)
    if drawn is None:
        return None
    return _described(drawn, title, report.described or _NO_BOARD)


def section_svg(report: Report) -> BoardPicture | None:
    """Return the section of a map that the reader of ``report`` needs now, as wide as a phone; ``None`` without one."""
    position = report.position
    part = focus_drawing(position.drawing)
    if part is None:
        return None
    drawn = picture(part, _SECTION, position.players, _STRIP)
    return None if drawn is None else _described(drawn, _SECTION, (scene.title for scene in boards_of(part)), "section")


def report_png(report: Report) -> bytes:
    """Return the boards of ``report`` as PNG. Raises ``NoPictureError`` without a board or without the extra `png`."""
    try:
        import resvg_py
    except ImportError:
        words = "install the extra `png` for PNG: pip install 'adjudicator[png]'; SVG and HTML do not need it"
        raise NoPictureError(words) from None
    drawn = board_svg(report)
    if drawn is None:
        raise NoPictureError(f"{report.position.heading.name} has no board to draw")
    longest = max(drawn.width, drawn.height, 1)
    scale = min(_SCALE, _MOST_PIXELS / longest)
    with as_file(files("adjudicator.reports.pictures").joinpath("fonts", "DejaVuSans.ttf")) as font:
        family = "DejaVu Sans"
        made = resvg_py.svg_to_bytes(
            svg_string=drawn.svg,
            width=max(1, int(drawn.width * scale)),
            height=max(1, int(drawn.height * scale)),
            skip_system_fonts=True,
            font_files=[str(font)],
            font_family=family,
            serif_family=family,
            sans_serif_family=family,
            cursive_family=family,
            fantasy_family=family,
            monospace_family=family,
        )
    return bytes(made)


def _described(drawn: str, title: str, lines: Iterable[str], name: str = "board") -> BoardPicture:
    """Return the SVG ``drawn`` with its ``title`` and the description in ``lines``; their ids begin with ``name``."""
    opening = _OPENING.match(drawn)
    size = _SIZE.search(drawn[: opening.end()]) if opening else None
    if opening is None or size is None:
        raise ValueError("this is not a picture of this program")
    head = opening[0]
    if 'role="' not in head:
        head = f'{head[:-1]} role="img" aria-labelledby="{name}-title {name}-words">'
        head += element("title", plain(title), id=f"{name}-title") + element(
            "desc", plain(" ".join(lines)), id=f"{name}-words"
        )
    return BoardPicture(head + drawn[opening.end() :].rstrip("\n") + "\n", *(int(float(side)) for side in size.groups()))
