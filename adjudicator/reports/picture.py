"""Draw the scenes of a drawing as one SVG picture with a legend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Final

from adjudicator.core.values import Value
from adjudicator.reports.changes import Earlier, changes_since
from adjudicator.reports.details import focus_drawing
from adjudicator.reports.legend import (
    LEAST,
    LegendItem,
    change_items,
    legend_definitions,
    legend_items,
    legend_part,
    seat_items,
)
from adjudicator.reports.marks import marked
from adjudicator.reports.seat_key import Key, key_of
from adjudicator.reports.sketch import Part, Point, scene_part
from adjudicator.reports.svg import document, element, grouped, words
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.letters import text_lines, text_width
from adjudicator.scenes.scene import Scene

_LETTERS: Final = re.compile(r' font-size="([0-9.]+)"')
_MARGIN: Final = 16
_TITLE: Final = 14
_TITLE_LINE: Final = 20
_SUBTITLE: Final = 13
_BESIDE: Final = 10
"""Pixels between a board and the panels beside it, and between columns of panels."""
PHONE: Final = 334
"""The width of a board on a phone in pixels, and the greatest width of a panel."""
SMALL: Final = 163
"""The greatest width in pixels of a panel of which two fit side by side on a phone."""
_ROOMY: Final = 660
"""The greatest width of a board that leaves room for panels to its right."""
_MOST: Final = 3
"""The greatest number of columns of panels without a board."""
_Place = tuple[str, float, float, Part]
"""The kind of a part (empty: the legend, whose signs are the parts), its corner in pixels, and the part."""


class _Group(Value):
    """A ``board`` (``None``: no board) with its ``panels``."""

    board: Part | None
    panels: tuple[Part, ...] = ()


class _Row(Value):
    """Parts side by side."""

    places: tuple[_Place, ...]

    @property
    def width(self) -> float:
        """The width of all parts together in pixels."""
        return max(x + part.width for _, x, _, part in self.places)

    @property
    def height(self) -> float:
        """The height of all parts together in pixels."""
        return max(y + part.height for _, _, y, part in self.places)


class Kind(StrEnum):
    """What a figure shows: a board, its right half, a panel beside the board before it, or a detail for a phone."""

    BOARD = "board"
    HALF = "half"
    PANEL = "panel"
    DETAIL = "detail"


class Figure(Value, kw_only=True):
    """One board, panel or detail: an ``svg`` element of ``width`` × ``height`` pixels, in which things have a ``data-id``.

    ``id`` is the same in every position. ``least_letter`` is the height of its smallest letters in pixels.
    """

    id: str
    kind: Kind
    title: str
    svg: str
    width: float
    height: float
    least_letter: float


class Sign(Value):
    """An entry of the legend: its sign as an ``svg`` element, and its ``name``."""

    svg: str
    name: str


class Move(Value):
    """The straight way of a moved piece: the ids of its ``figure`` and of the piece, and the points of both ends."""

    figure: str
    id: str
    points: tuple[Point, Point]


class Picture(Value):
    """The figures of a drawing in their order, with their common ``legend``.

    ``definitions`` is a ``defs`` element with what several figures use; empty if they use nothing. A page needs it once, in
    an ``svg`` element that is not hidden.
    """

    definitions: str
    figures: tuple[Figure, ...]
    legend: tuple[Sign, ...]
    moves: tuple[Move, ...]


def draw(drawing: Drawing, *, seats: Iterable[str] = (), before: Earlier | None = None) -> Picture:
    """Return the pictures of ``drawing``: first the details that its reader needs now, then the boards with their panels.

    ``seats`` are all seats of the game, so that each keeps its colour; a mapping has their names for the legend. Marks show
    the changes since the drawing ``before``.
    """
    key, focus = key_of(drawing, seats), focus_drawing(drawing) or Drawing(())
    parts, news = parts_of(drawing, key, before)
    details, _ = parts_of(focus, key)
    named = {
        **dict(chain.from_iterable(part.definitions for part in (*details, *parts))),
        **legend_definitions(drawing, key),
    }
    figures = [_figure(board, Kind.DETAIL, part) for board, part in zip(boards_of(focus), details, strict=True)]
    for board, part in zip(boards_of(drawing), parts, strict=True):
        kinds = (Kind.BOARD, Kind.HALF) if part.halves else (Kind.PANEL if board.is_beside else Kind.BOARD,)
        figures += [_figure(board, kind, one) for kind, one in zip(kinds, part.halves or (part,), strict=True)]
    legend = (*legend_items(drawing, key), *seat_items(key), *news)
    return Picture(element("defs", *named.values()) if named else "", tuple(figures), tuple(map(_sign, legend)), ())


def _figure(board: Scene, kind: Kind, part: Part) -> Figure:
    title = f"{board.title}: right half" if kind is Kind.HALF else board.title
    drawn = "".join((*part.drawn, *(svg for _, svg in part.definitions)))
    least = min((float(size) for size in _LETTERS.findall(drawn)), default=10)
    look = {"viewBox": f"0 0 {part.width} {part.height}", "width": part.width, "height": part.height}
    svg = element("svg", *part.drawn, **look, font_family="sans-serif", role="img", aria_label=title)
    name = f"{board.id} (right half)" if kind is Kind.HALF else board.id
    return Figure(id=name, kind=kind, title=title, svg=svg, width=part.width, height=part.height, least_letter=least)


def _sign(item: LegendItem) -> Sign:
    room = round(item.room)
    look = {"viewBox": f"0 -2 {room} 20", "width": room, "height": 20, "aria_hidden": "true"}
    return Sign(element("svg", *item.draw(0), **look, font_size=11, font_family="sans-serif"), item.name)


def boards_of(drawing: Drawing) -> list[Scene]:
    """Return the pictures of ``drawing``."""
    return [shape for shape in drawing.shapes if isinstance(shape, Scene)]


def picture(
    drawing: Drawing,
    title: str,
    seats: Iterable[str] = (),
    width: int | None = None,
    earlier: Earlier | None = None,
) -> str | None:
    """Return the pictures of ``drawing`` under ``title`` as an SVG document, ``None`` without any.

    ``seats`` are all seats of the game: the legend lists them, and each keeps its colour. A mapping has their names for the
    legend. With a ``width`` in pixels the picture is scaled down to it, and each map has its own title. Marks show the
    changes since the ``earlier`` drawing, and the legend names the turn of that drawing.
    """
    boards = boards_of(drawing)
    if not boards:
        return None
    key = key_of(drawing, seats)
    parts, news = parts_of(drawing, key, earlier)
    if width is None:
        groups, least = [*_groups(boards, parts)], LEAST
    else:
        groups = [_Group(_titled(part, board)) for part, board in zip(parts, boards, strict=True)]
        least = width - 2 * _MARGIN
    legend = partial(legend_part, drawing, key, least=least, news=news)
    named = {**dict(chain.from_iterable(part.definitions for part in parts)), **legend_definitions(drawing, key)}
    definitions = element("defs", *named.values()) if named else ""
    return _page(title, definitions, [*_with_legend(groups, legend)], width)


def parts_of(drawing: Drawing, key: Key, earlier: Earlier | None = None) -> tuple[list[Part], tuple[LegendItem, ...]]:
    """Return each board of ``drawing`` with marks for the changes since ``earlier``, and the legend of these marks."""
    parts = [scene_part(board, key) for board in boards_of(drawing)]
    changes = changes_since(drawing, earlier)
    for at, (before, new) in enumerate(changes):
        if new:
            parts[at] = marked(parts[at], scene_part(before, key), new)
    return parts, change_items((change for _, new in changes for change in new), earlier)


def _page(title: str, definitions: str, rows: Sequence[_Row], width: int | None) -> str:
    """Return the document with ``rows`` below each other, under its ``title``.

    ``data-part`` and ``data-box`` allow a page to show each board, panel and sign as a picture of its own; the right
    ``half`` of a board follows the left one.
    """
    room = max(row.width for row in rows)
    lines = text_lines(title, room, _TITLE, is_bold=True)
    drawn = [definitions] if definitions else []
    drawn += [
        words(line, _MARGIN, _TITLE_LINE * (at + 1), size=_TITLE, anchor="start", font_weight="bold")
        for at, line in enumerate(lines)
    ]
    top: float = _TITLE_LINE * len(lines) + 8
    for row in rows:
        for kind, x, y, part in row.places:
            for half, one in enumerate(part.halves or (part,)):
                box = {"data_part": "half" if half else kind, "data_box": f"0 0 {one.width} {one.height}"} if kind else {}
                left = _MARGIN + x + (one.width if half else 0)
                drawn += grouped(one.drawn, transform=f"translate({left} {top + y})", **box)
        top += row.height + _MARGIN
    return document(drawn, room + 2 * _MARGIN, top, width)


def _with_legend(groups: Sequence[_Group], legend: Callable[[float], Part]) -> Iterator[_Row]:
    """Yield ``groups`` and the legend: below the last board if panels are beside it, else at the end."""
    rows = [row for group in groups[:-1] for row in _rows(group)]
    board, panels = groups[-1].board, groups[-1].panels
    if board is not None and panels and has_room_beside(board.width):
        below = legend(board.width)
        left = max(board.width, below.width) + _BESIDE
        places = (("board", 0.0, 0.0, board), ("", 0.0, board.height + _MARGIN, below))
        yield from (*rows, _Row((*places, *_columns(panels, PHONE, left))))
        return
    rows += _rows(groups[-1])
    yield from (*rows, _Row((("", 0, 0, legend(max(row.width for row in rows))),)))


def _rows(group: _Group) -> Iterator[_Row]:
    """Yield the board of ``group`` and its panels below each other, or beside each other if the board is small."""
    board, panels = group.board, group.panels
    if board is None:
        yield _Row((*_columns(panels, _MOST * (PHONE + _BESIDE)),))
        return
    first: _Place = ("board", 0, 0, board)
    if panels and has_room_beside(board.width):
        yield _Row((first, *_columns(panels, PHONE, board.width + _BESIDE)))
        return
    yield _Row((first,))
    if panels:
        yield _Row((*_columns(panels, board.width),))


def has_room_beside(width: float) -> bool:
    """Return whether a page for a wide window has room for panels to the right of a board of ``width`` pixels."""
    return width <= _ROOMY


def _columns(panels: Sequence[Part], room: float, left: float = 0) -> Iterator[_Place]:
    """Yield the places of ``panels`` in columns from ``left`` on, as many as fit, each below the shortest one."""
    pitch = max(part.width for part in panels) + _BESIDE
    ends = [0.0] * min(len(panels), max(1, int((room + _BESIDE) // pitch)))
    for part in panels:
        y = min(ends)
        at = ends.index(y)
        yield "small" if part.width <= SMALL else "panel", left + at * pitch, y, part
        ends[at] += part.height + _MARGIN


def _groups(boards: Iterable[Scene], parts: Iterable[Part]) -> Iterator[_Group]:
    """Yield each board of ``parts`` with the panels that follow it."""
    group = _Group(None)
    for board, part in zip(boards, parts, strict=True):
        if board.is_beside:
            group = _Group(group.board, (*group.panels, part))
            continue
        if group.board is not None or group.panels:
            yield group
        group = _Group(part)
    yield group


def _titled(part: Part, board: Scene) -> Part:
    """Return ``part`` below the title of its ``board``, if it has one."""
    title = board.title
    line = words(title, 0, _SUBTITLE, size=_SUBTITLE, anchor="start", font_weight="bold")
    lowered = grouped(part.drawn, transform=f"translate(0 {_TITLE_LINE})")
    return Part((line, *lowered), max(part.width, text_width(title, _SUBTITLE, is_bold=True)), part.height + _TITLE_LINE)
