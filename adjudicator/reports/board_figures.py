"""Draw the boards of a report as separate figures with a legend, which a page lays out for wide and narrow windows."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.core.values import Value
from adjudicator.reports.details import focus_drawing
from adjudicator.reports.legend import LegendItem, legend_definitions, legend_items
from adjudicator.reports.picture import PHONE, SMALL, boards_of, has_room_beside, parts_of
from adjudicator.reports.report import Report
from adjudicator.reports.seat_key import key_of
from adjudicator.reports.sketch import Part
from adjudicator.reports.svg import element, plain
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.scene import Scene

_READABLE: Final = 10
"""The least size of letters in pixels on a phone."""
_HUGE: Final = 1100
"""A board of this width in pixels or more does not shrink to a window: its letters would be too small."""
_HEIGHTS: Final = ((592, ""), (720, "tall"), (992, "taller"))
"""The greatest height of a board in pixels for each class of ``report.css``, in which no board shrinks below its size."""
_LETTERS: Final = re.compile(r' font-size="([0-9.]+)"')
_SIGN_HEIGHT: Final = 20


class Figure(Value, kw_only=True):
    """One board as an ``svg`` element under its ``title``; its size is the least one with readable letters.

    A figure that ``is_beside`` is a panel of the board before it. A board that ``is_wide`` scrolls on a phone.
    ``size`` is the class by which the window limits the board: each ``detail`` is as wide as a phone, a ``huge`` board
    scrolls in a frame, and two ``small`` panels are as wide as a phone, as each of two ``halves``. A board that scrolls
    begins where the piece of the seat ``own`` is.
    """

    svg: str
    title: str
    is_beside: bool
    is_wide: bool
    size: str
    own: str


class Sign(Value):
    """An entry of the legend: its sign as an ``svg`` element, and its ``name``."""

    svg: str
    name: str


class BoardFigures(Value):
    """The figures of a report, in their order, and their common legend.

    In wide windows panels have a column to the right of a board (``has_side``), else they are below it.
    """

    figures: tuple[Figure, ...]
    signs: tuple[Sign, ...]
    has_side: bool


def board_figures(report: Report) -> BoardFigures:
    """Return the boards of ``report``, after the details that its reader needs now; the first one describes all of them."""
    position = report.position
    drawing, focus = position.drawing, focus_drawing(position.drawing) or Drawing(())
    key = key_of(drawing, position.players)
    parts, news = parts_of(drawing, key, report.earlier)
    details, _ = parts_of(focus, key)
    boards, parts = (*boards_of(focus), *boards_of(drawing)), [*details, *parts]
    definitions = {name: svg for part in parts for name, svg in part.definitions} | legend_definitions(drawing, key)
    figures = []
    for at, (board, part) in enumerate(zip(boards, parts, strict=True)):
        title = board.title or position.heading.name
        words = " ".join(report.description) if at == 0 else ""
        first = (element("defs", *definitions.values()),) if at == 0 and definitions else ()
        is_detail, least = at < len(details), _readable_scale(part)
        scale = least if is_detail else max(least, min(1.0, PHONE / part.width))
        svg = _svgs(part, scale, f"board-{at}", (title, words), first)
        is_wide = not part.halves and part.width * scale > PHONE + 1
        size = "detail" if is_detail else _size(board, part)
        own = _own_seat(report) if is_wide or size == "huge" else ""
        figures.append(Figure(svg=svg, title=title, is_beside=board.is_beside, is_wide=is_wide, size=size, own=own))
    has_side = any(board.is_beside for board in boards) and has_room_beside(boards[0].width) and not boards[0].is_beside
    return BoardFigures(tuple(figures), tuple(map(_sign, (*legend_items(drawing, key), *news))), has_side)


def _own_seat(report: Report) -> str:
    """Return the seat of the reader, or the first one."""
    seats = report.position.seats
    return str(report.viewer) if report.viewer in seats else next(iter(seats), "")


def _size(board: Scene, part: Part) -> str:
    if board.is_beside:
        return "small" if part.width <= SMALL else ""
    if part.halves:
        return "halves"
    if part.width >= _HUGE:
        return "huge"
    return next((name for height, name in _HEIGHTS if part.height <= height), "huge")


def _readable_scale(part: Part) -> float:
    """Return the least scale at which all letters of ``part`` are readable."""
    drawn = "".join((*part.drawn, *(svg for _, svg in part.definitions)))
    least = min((float(size) for size in _LETTERS.findall(drawn)), default=_READABLE)
    return _READABLE / least


def _svgs(part: Part, scale: float, name: str, about: tuple[str, str], first: tuple[str, ...]) -> str:
    """Return ``part`` as one element, or its halves as two, which a page puts side by side or one below the other."""
    if not part.halves:
        return _svg(part, scale, name, about, first)
    left, right = part.halves
    scale = PHONE / left.width
    return _svg(left, scale, name, about, first) + _svg(right, scale, f"{name}-right", (f"{about[0]}: right half", ""), ())


def _svg(part: Part, scale: float, name: str, about: tuple[str, str], first: tuple[str, ...]) -> str:
    """Return ``part`` as an element with the id ``name``, ``about`` has its title and description, ``first`` definitions."""
    title, words = about
    described = (element("desc", plain(words), id=f"{name}-words"),) if words else ()
    size = {"width": round(part.width * scale), "height": round(part.height * scale)}
    look = {"viewBox": f"0 0 {part.width} {part.height}", **size, "font_family": "sans-serif", "role": "img"}
    labels = f"{name} {name}-words" if words else name
    head = element("title", plain(title), id=name)
    return element("svg", head, *described, *first, *part.drawn, **look, aria_labelledby=labels)


def _sign(item: LegendItem) -> Sign:
    room = round(item.room)
    look = {"viewBox": f"0 -2 {room} {_SIGN_HEIGHT}", "width": room, "height": _SIGN_HEIGHT, "aria_hidden": "true"}
    return Sign(element("svg", *item.draw(0), **look, font_size=11, font_family="sans-serif"), item.name)
