"""Draw a position as a card for sharing: title, board, and standings in the colours of the seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.reports.heading import turn_words
from adjudicator.reports.picture import boards_of
from adjudicator.reports.position import Position
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import key_of
from adjudicator.reports.sketch import Part, scene_part
from adjudicator.reports.svg import document, element, words
from adjudicator.scenes.colors import seat_ink
from adjudicator.scenes.letters import text_lines

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


def card_svg(position: Position) -> str:
    """Return ``position`` as a card, an SVG document of ``CARD_SIZE``."""
    width, height = CARD_SIZE
    heading, boards = position.heading, boards_of(position.drawing)
    drawn = [element("rect", width=width, height=12, fill="#1f5f8b")]
    drawn += _line(heading.result or heading.name, 72, 40, is_bold=True)
    state = "" if heading.over else f" · {turn_words(heading)}"
    drawn += _line(f"{heading.name} · {heading.game}{state}", 112, 24, fill=_SOFT)
    left = _MARGIN
    if boards:
        part = scene_part(boards[0], key_of(position.drawing, position.players))
        drawn.append(_fitted(part, _MARGIN, _TOP, width - _SIDE - 3 * _MARGIN, height - _TOP - _MARGIN))
        left = width - _SIDE - _MARGIN
    drawn += _standings(position, left)
    return document(drawn, width, height)


def thumbnail_svg(position: Position) -> str:
    """Return the board of ``position`` as a small picture of ``THUMBNAIL_SIZE``; without a board, the card."""
    boards = boards_of(position.drawing)
    if not boards:
        return card_svg(position)
    part, (width, height) = scene_part(boards[0], key_of(position.drawing, position.players)), THUMBNAIL_SIZE
    return document([_fitted(part, 0, 0, width, height)], width, height)


def _line(text: str, y: int, size: int, *, is_bold: bool = False, **look: str) -> Iterator[str]:
    """Yield ``text`` on one line of the card, cut if it is too long."""
    weight = {"font_weight": "bold"} if is_bold else {}
    room = CARD_SIZE[0] - 2 * _MARGIN
    yield words(_cut(text, room, size, is_bold=is_bold), _MARGIN, y, size=size, anchor="start", **weight, **look)


def _cut(text: str, room: float, size: int, *, is_bold: bool = False) -> str:
    first, *more = text_lines(printable(text), room - size, size, is_bold=is_bold)
    return f"{first} …" if more else first


def _fitted(part: Part, x: int, y: int, width: int, height: int) -> str:
    """Return ``part`` as large as possible in a frame with this corner, ``width`` and ``height``."""
    definitions = [element("defs", *(drawn for _, drawn in part.definitions))] if part.definitions else []
    frame = {"x": x, "y": y, "width": width, "height": height, "viewBox": f"0 0 {part.width} {part.height}"}
    return element("svg", *definitions, *part.drawn, **frame)


def _standings(position: Position, left: int) -> Iterator[str]:
    """Yield the standings, one line for each seat, from the ``left`` edge on; the last line counts the others."""
    size, right = 24, CARD_SIZE[0] - _MARGIN
    rows = list(zip(position.standings, position.standing_rows, strict=True))
    for at, (standing, (place, name, score, unit, _)) in enumerate(rows[:_MOST]):
        y = _TOP + 30 + at * _LINE
        look = {"font_weight": "bold"} if standing.place == 1 else {}
        yield element("circle", cx=left + 14, cy=y - 9, r=14, fill=seat_ink(standing.seat, position.seats))
        yield words(
            _cut(f"{place} {name}", right - left - 40, size, is_bold=True), left + 40, y, size=size, anchor="start", **look
        )
        yield words(f"{score} {unit}", left + 40, y + 26, size=20, anchor="start", fill=_SOFT)
    if len(rows) > _MOST:
        yield words(
            f"and {len(rows) - _MOST} more", left + 40, _TOP + 30 + _MOST * _LINE - 14, size=20, anchor="start", fill=_SOFT
        )
