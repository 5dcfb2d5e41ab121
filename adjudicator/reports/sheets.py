"""Draw a position as one picture: a file with its boards or tables, a card for sharing, a thumbnail."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.phrases import clip
from adjudicator.reports.changes import Earlier
from adjudicator.reports.heading import title_line, turn_words
from adjudicator.reports.images import NoPictureError, png_of, require_png
from adjudicator.reports.picture import Kind, Picture, as_file, draw, draw_tables
from adjudicator.reports.position import Position
from adjudicator.reports.svg import Sheet, document, element, words
from adjudicator.reports.texts import printable
from adjudicator.scenes import seat_ink
from adjudicator.scenes.letters import text_lines

if TYPE_CHECKING:  # a card needs no report
    from adjudicator.reports.report import Report

_MOST_PIXELS: Final = 4096
"""The longest side of a PNG in pixels: viewers need much memory for larger ones."""
_LONGEST_TITLE: Final = 200
_SCALE: Final = 2
"""Pixels of a PNG for each pixel of the drawing, so that it is sharp on modern screens."""
CARD_SIZE: Final = (1200, 630)
"""The size of a card in pixels, which link previews use."""
THUMBNAIL_SIZE: Final = (800, 600)
"""The shape of a small picture in lists: most boards fill it."""
_MARGIN: Final = 40
_TOP: Final = 150
_SIDE: Final = 360
"""The width of the standings beside a board."""
_LINE: Final = 62
_MOST: Final = 7
_SOFT: Final = "#59616b"


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


def report_picture(report: Report, form: str) -> bytes:
    """Return the picture of ``report`` as a file, ``svg`` or ``png``.

    Raises ``NoPictureError`` if there is nothing to draw, and for PNG without the extra `png`.
    """
    if form == "png":
        require_png()
    sheet = position_sheet(report.position, report.earlier, report.description or ("The tables of the position.",))
    return sheet.svg.encode() if form == "svg" else png_of(sheet, min(_SCALE, _MOST_PIXELS / max(sheet.width, sheet.height)))


def card_sheet(position: Position) -> Sheet:
    """Return ``position`` as a card of ``CARD_SIZE``: the last line of its standings counts the seats that have no room."""
    (width, height), heading = CARD_SIZE, position.heading
    result = heading.result or heading.name
    state = "" if heading.over else f" · {turn_words(heading)}"
    board = draw(position.drawing, seats=position.players, details=False)
    drawn = [
        element("rect", width=width, height=12, fill="#1f5f8b"),
        _line(result, _MARGIN, 72, 40, width - 2 * _MARGIN, font_weight="bold"),
        _line(f"{heading.name} · {heading.game}{state}", _MARGIN, 112, 24, width - 2 * _MARGIN, fill=_SOFT),
    ]
    left = _MARGIN
    if board.figures:
        left = width - _SIDE - _MARGIN
        drawn.append(_first_board(board, _MARGIN, _TOP, left - 2 * _MARGIN, height - _TOP - _MARGIN))
    rows = list(zip(position.standings, position.standing_rows, strict=True))
    for at, (standing, (place, name, score, unit, _)) in enumerate(rows[:_MOST]):
        y, look = _TOP + 30 + at * _LINE, {"font_weight": "bold"} if standing.place == 1 else {}
        drawn += [
            element("circle", cx=left + 14, cy=y - 9, r=14, fill=seat_ink(standing.seat, position.seats)),
            _line(f"{place} {name}", left + 40, y, 24, width - _MARGIN - left - 40, **look),
            words(f"{score} {unit}", left + 40, y + 26, size=20, anchor="start", fill=_SOFT),
        ]
    if len(rows) > _MOST:
        y = _TOP + 16 + _MOST * _LINE
        drawn.append(words(f"and {len(rows) - _MOST} more", left + 40, y, size=20, anchor="start", fill=_SOFT))
    return document(drawn, width, height, result)


def thumbnail_sheet(position: Position) -> Sheet:
    """Return the board of ``position`` as a small picture of ``THUMBNAIL_SIZE``; without a board, the card."""
    board = draw(position.drawing, seats=position.players, details=False)
    if not board.figures:
        return card_sheet(position)
    return document([_first_board(board, 0, 0, *THUMBNAIL_SIZE)], *THUMBNAIL_SIZE, position.heading.name)


def _first_board(picture: Picture, x: float, y: float, width: float, height: float) -> str:
    """Return the first board as large as possible in a frame with this corner, ``width`` and ``height``."""
    first, *others = (one for one in picture.figures if one.kind is not Kind.DETAIL)
    board = [first, *others[:1]] if others and others[0].kind is Kind.HALF else [first]
    wide, high = sum(one.width for one in board), first.height
    scale = min(width / wide, height / high)
    place = f"translate({x + (width - wide * scale) / 2:g} {y + (height - high * scale) / 2:g}) scale({scale:g})"
    inner = (element("g", one.svg, transform=f"translate({at * first.width:g} 0)") for at, one in enumerate(board))
    return element("g", picture.definitions, *inner, transform=place)


def _line(text: str, x: float, y: float, size: int, room: float, **look: Any) -> str:
    """Return ``text`` on one line of the card, cut to ``room`` pixels if it is too long."""
    first, *more = text_lines(printable(text), room - size, size, is_bold="font_weight" in look)
    return words(f"{first} …" if more else first, x, y, size=size, anchor="start", **look)
