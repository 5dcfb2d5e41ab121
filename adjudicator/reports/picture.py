"""Draw a drawing as figures with a legend and with marks of changes, for pages to place, and stack them for a file.

A file has the boards or tables of a position; a card is for sharing, a thumbnail for lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from math import ceil, hypot, inf
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from adjudicator.core.phrases import clip
from adjudicator.core.values import Value, replace
from adjudicator.reports.changes import MOVED, NEW, Change, Earlier, Point, changes_since, things_in
from adjudicator.reports.drawing_text import Key, key_of
from adjudicator.reports.heading import title_line, turn_words
from adjudicator.reports.images import NoPictureError, png_of, require_png
from adjudicator.reports.position import Position
from adjudicator.reports.svg import Sheet, document, drawn, element, words
from adjudicator.reports.texts import printable
from adjudicator.scenes import Entry, Frame, Legend, Scene, Token, group, seat_ink
from adjudicator.scenes import Sign as TokenSign
from adjudicator.scenes.drawing import Columns, Drawing, Shape
from adjudicator.scenes.letters import text_lines, text_width

if TYPE_CHECKING:  # a page of a replay has no report
    from adjudicator.reports.report import Report

PHONE: Final = 334
"""The width of a board on a phone in pixels, and the greatest width of a panel."""
ALL: Final = "all"
"""The name that means every detail of a map."""
_ROOMY: Final = 660
"""The greatest width of a board that leaves room for panels to its right."""
_LEGEND: Final = 480
"""The least width of a legend in pixels."""
_MOST: Final = 3
"""The greatest number of columns of panels without a board."""
_MARGIN: Final = 16
_BESIDE: Final = 10
"""Pixels between a board and the panels beside it, and between columns of panels."""
_GAP: Final = 18
"""Pixels between the entries of a legend."""
_TITLE: Final = 14
_TITLE_LINE: Final = 20
_LINE: Final = 22
_SIZE: Final = 11
_READABLE: Final = 10
"""The size of letters in pixels that everybody can read."""
_RIGHT: Final = " (right half)"

_MARK: Final = "#b0005e"
_HALO: Final = "#ffffff"
"""Marks are dark lines on white ones, visible on every ground and in grey."""
_NEAR: Final = 18
"""A piece that moved fewer pixels than this gets a ring only: an arrow would be under it."""
_CELL: Final = 12
"""The size of letters in a table."""
_ROW: Final = 20
_COLUMN: Final = 18
_LONGEST_CELL: Final = 60
"""The greatest number of characters in a cell."""


class Kind(StrEnum):
    """What a figure shows: a board, its right half, a panel beside the board before it, or a detail for a phone."""

    BOARD = "board"
    HALF = "half"
    PANEL = "panel"
    DETAIL = "detail"


class Figure(Value, kw_only=True):
    """One board, panel or detail: an ``svg`` element of ``width`` × ``height`` pixels, in which things have a ``data-id``.

    ``id`` is the same in every position. ``least_letter`` is the height of its smallest letters in pixels. ``focus`` is the
    rectangle that its reader needs to see first (left, top, width, height), if not all of it.
    """

    id: str
    kind: Kind
    title: str
    svg: str
    width: float
    height: float
    least_letter: float
    focus: tuple[float, float, float, float] | None = None

    @property
    def least_width(self) -> int:
        """The least width in pixels at which everybody can read all letters."""
        return ceil(self.width * _READABLE / self.least_letter)


class Sign(Value):
    """An entry of the legend: its sign as an ``svg`` element, ``width`` pixels wide, and its ``name``."""

    svg: str
    name: str
    width: float


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
    moves: tuple[Move, ...] = ()

    @property
    def details(self) -> tuple[Figure, ...]:
        """The details that the reader needs now."""
        return tuple(one for one in self.figures if one.kind is Kind.DETAIL)

    @property
    def groups(self) -> list[tuple[list[Figure], list[Figure]]]:
        """Each board (with its right half), and the panels beside it; panels before the first board have none."""
        found = list[tuple[list[Figure], list[Figure]]]()
        for one in (one for one in self.figures if one.kind is not Kind.DETAIL):
            if one.kind is Kind.BOARD or not found:
                found.append(([], []))
            found[-1][one.kind is Kind.PANEL].append(one)
        return found


def draw(drawing: Drawing, *, seats: Iterable[str] = (), before: Earlier | None = None, details: bool = True) -> Picture:
    """Return the pictures of ``drawing``: first the details that its reader needs now, then the boards with their panels.

    ``seats`` are all seats of the game, so that each keeps its colour; a mapping has their names for the legend. Marks show
    the changes since the drawing ``before``. Files and replays leave out the ``details``.
    """
    key = key_of(drawing, seats)
    definitions: dict[str, str] = {}
    first, figures, moves, found = list[Figure](), list[Figure](), list[Move](), list[Change]()
    earlier = before and replace(before, drawing=_unfolded(before.drawing))
    for scene, changes in changes_since(_unfolded(drawing), earlier):
        if not isinstance(scene, Scene):
            continue
        below, *over = drawn(scene.parts, key), *(drawn((one,), key) for one in scene.over)
        least = min(one.least_letter for one in (below, *over))
        for one in (below, *over):
            definitions |= one.definitions
        # Words and marks above the things let clicks through.
        signs = (one.svg if "data-id=" in one.svg else element("g", one.svg, pointer_events="none") for one in over)
        inner = "".join((below.svg, _marks(changes), *signs))
        if scene.focus and details:
            name = f"board-{crc32(inner.encode()):x}"
            inner = element("g", inner, id=name)
            first += _windows(scene, scene.focus, name, least, Kind.DETAIL)
        kind = Kind.HALF if scene.id.endswith(_RIGHT) else Kind.PANEL if scene.is_beside else Kind.BOARD
        whole = Frame(scene.width / 2, scene.height / 2, scene.width, scene.height)
        now = dict(scene.details).get(scene.focus, ())[:1]
        focus = next(((at.x - at.width / 2, at.y - at.height / 2, at.width, at.height) for at in now), None)
        figures.append(_figure(scene.id, kind, scene.title, inner, whole, least, focus))
        for change in changes:
            if change.start is not None:
                ends = change.start, (change.thing.frame.x, change.thing.frame.y)
                moves.append(Move(scene.id, printable(change.thing.id), ends))
        found += changes
    legend = (*_legend(drawing, key, definitions), *_news_signs(found, before))
    return Picture(_defs(definitions), (*first, *figures), legend, tuple(moves))


def _unfolded(drawing: Drawing) -> Drawing:
    """Return ``drawing`` with two boards, its left and its right half, for each wide board that has a fold."""
    shapes = list[Shape]()
    for shape in drawing.shapes:
        if isinstance(shape, Scene) and shape.fold:
            half = shape.width / 2
            left = replace(shape, parts=shape.parts[: shape.fold], width=half, fold=0)
            parts = (group(shape.parts[shape.fold :], -half),)
            shapes += left, replace(left, id=shape.id + _RIGHT, title=f"{shape.title}: right half", parts=parts)
        else:
            shapes.append(shape)
    return Drawing(tuple(shapes))


def _figure(
    name: str,
    kind: Kind,
    title: str,
    inner: str,
    box: Frame,
    least: float,
    focus: tuple[float, float, float, float] | None = None,
) -> Figure:
    """Return the SVG ``inner`` in its ``box`` as a figure; ``least`` is the height of its smallest letters in pixels."""
    wide, high = round(box.width, 1), round(box.height, 1)
    view = f"{round(box.x - box.width / 2, 1):g} {round(box.y - box.height / 2, 1):g} {wide:g} {high:g}"
    look = {"viewBox": view, "width": wide, "height": high, "font_family": "sans-serif"}
    svg = element("svg", inner, **look, role="img", aria_label=title or "Board")
    letter = _READABLE if least == inf else least
    return Figure(
        id=name, kind=kind, title=printable(title), svg=svg, width=wide, height=high, least_letter=letter, focus=focus
    )


# Details


def section_names(drawing: Drawing) -> tuple[str, ...]:
    """Return the names of the details of the scenes in ``drawing``, each by its last word."""
    return tuple(name.split()[-1] for scene in drawing.scenes for name, _ in scene.details)


def draw_section(drawing: Drawing, wanted: str, *, seats: Iterable[str] = ()) -> Picture | None:
    """Return the details called ``wanted`` as boards, with the legend; ``None`` if there is no such detail.

    A detail can be named by its last word, ``TC3``, or by its number alone, ``3``; ``all`` means every one.
    """
    asked, key = wanted.casefold().strip(), key_of(drawing, seats)
    definitions, figures = dict[str, str](), list[Figure]()
    for scene in drawing.scenes:
        whole = drawn((*scene.parts, *scene.over), key)
        name = f"board-{crc32(whole.svg.encode()):x}"
        for called, _ in scene.details:
            names = (ALL, called.casefold(), called.casefold().split()[-1], re.sub(r"\D", "", called))
            if asked in names:
                definitions |= {**whole.definitions, name: element("g", whole.svg, id=name)}
                figures += _windows(scene, called, name, whole.least_letter, Kind.BOARD)
    legend = _legend(drawing, key, definitions)
    return Picture(_defs(definitions), tuple(figures), legend) if figures else None


def _windows(scene: Scene, wanted: str, name: str, least: float, kind: Kind) -> Iterator[Figure]:
    """Yield the detail ``wanted`` of ``scene``, whose drawing has the id ``name``, in as many parts as a phone needs."""
    for called, frames in scene.details:
        for at, frame in enumerate(frames if called == wanted else (), 1):
            title = called if len(frames) == 1 else f"{called}, part {at} of {len(frames)}"
            yield _figure(f"{scene.id} {title}", kind, title, element("use", href=f"#{name}"), frame, least)


# Legend


def _legend(drawing: Drawing, key: Key, definitions: dict[str, str]) -> tuple[Sign, ...]:
    """Return the signs of all legends, then the piece of each seat as on the board, with the name of its player."""
    rows = [row for shape in drawing.shapes if isinstance(shape, Legend) for row in shape.rows]
    signs = _signs(tuple([entry for row in rows for entry in row if entry.parts]), key)
    for _, defined in signs:
        definitions |= defined
    return tuple([sign for sign, _ in signs])


@lru_cache(16)
def _signs(entries: tuple[Entry, ...], key: Key) -> tuple[tuple[Sign, Mapping[str, str]], ...]:
    """Return the signs of a legend with their definitions, cached: all positions of a game have the same."""
    pieces = (Token(seat, 8, 7, seat=seat, text=seat, is_key=True) for seat in key.seats)
    named = [Entry(name, (piece,), 22) for name, piece in zip(key.players, pieces, strict=True)]
    made = [(drawn(entry.parts, key), entry) for entry in (*entries, *named)]
    return tuple([(_signed(one.svg, entry.name, entry.room), one.definitions) for one, entry in made])


def _signed(inner: str, name: str, room: float) -> Sign:
    look = {"viewBox": f"0 -2 {room:g} {_LINE - 2}", "width": room, "height": _LINE - 2, "font_family": "sans-serif"}
    return Sign(element("svg", inner, **look, font_size=_SIZE, aria_hidden="true"), printable(name), room)


def _news_signs(changes: Iterable[Change], before: Earlier | None) -> Iterator[Sign]:
    """Yield the signs in a legend for the marks of ``changes`` since ``before``, if that was the drawing of a turn."""
    turn = None if before is None else before.turn
    are_moved = {bool(one.origin) for one in changes} if turn is not None else set()
    if False in are_moved:
        yield _signed(_ring(Frame(8, 7, 16, 16), is_round=False) + _ring(Frame(29, 7, 14, 14)), f"{NEW} {turn}", 44)
    if True in are_moved:
        at = Frame(43, 7, 14, 14)
        yield _signed(_arrow((4, 7), at) + _ring(at), f"{MOVED} {turn}", 58)


def _defs(definitions: Mapping[str, str]) -> str:
    return element("defs", *definitions.values()) if definitions else ""


def figure_rules(picture: Picture) -> str:
    """Return the style rules of a page with ``picture``: the sizes of its figures, by the order of ``figures.html``."""
    rules, shown = list[str](), [*picture.details]
    for board, panels in picture.groups:
        rules.append(f".w{len(shown)} {{ --whole: {sum(one.width for one in board):g}px; }}")
        shown += board
        rules.append(f".p{len(shown)} {{ --pane: {max((one.least_width for one in panels), default=0)}px; }}")
        shown += panels
    for at, one in enumerate(shown):
        rules.append(f".f{at} {{ --wide: {one.width:g}; --high: {one.height:g}; --least: {one.least_width}px; }}")
    return "\n".join(rules)


# Marks of changes


def _marks(changes: Iterable[Change]) -> str:
    """Return the marks of ``changes`` as one group of SVG; empty without changes."""
    listed = [*changes]
    ways = (_arrow(one.start, one.thing.frame) for one in listed if one.start is not None)
    tokens = ((one.thing.frame, one.thing.token) for one in listed)
    rings = (_ring(frame, is_round=token is not None and token.sign is not TokenSign.NOTE) for frame, token in tokens)
    shapes = "".join((*ways, *rings))
    return element("g", shapes, class_="new") if shapes else ""


def _ring(at: Frame, *, is_round: bool = True) -> str:
    """Return a ring around a piece or a place; a line of words has a bar before it, like a change bar in a text."""
    wide, high = round(at.width + is_round, 1), round(at.height + is_round, 1)
    if high < wide / 3:
        box = {"x": round(at.x - wide / 2, 1), "y": round(at.y - high / 2 + 1.5, 1), "width": 4, "height": high - 3}
        return element("rect", **box, fill=_MARK, stroke=_HALO, stroke_width=0.8)
    radius = wide / 2 if is_round else min(wide, high, 40) / 5
    box = {"x": round(at.x - wide / 2, 1), "y": round(at.y - high / 2, 1), "width": wide, "height": high}
    shape = {**box, "rx": round(radius, 1), "fill": "none"}
    halo = element("rect", **shape, stroke=_HALO, stroke_width=5, stroke_opacity=0.85)
    return halo + element("rect", **shape, stroke=_MARK, stroke_width=2.6)


def _arrow(start: Point, end: Frame) -> str:
    """Return a straight arrow from ``start`` to the ring around ``end``; empty if it is near."""
    (x, y), far = start, hypot(end.x - start[0], end.y - start[1])
    ring_width = end.width / 2
    if far < ring_width + _NEAR:
        return ""
    ux, uy = (end.x - x) / far, (end.y - y) / far

    def at(along: float, aside: float = 0) -> str:
        return f"{round(x + along * ux - aside * uy, 1)} {round(y + along * uy + aside * ux, 1)}"

    tip = far - ring_width - 2
    way = f"M{at(0)}L{at(tip)}"
    line = element("path", d=way, stroke=_HALO, stroke_width=5, stroke_opacity=0.85, stroke_linecap="round")
    line += element("path", d=way, stroke=_MARK, stroke_width=2.2)
    return line + element("path", d=f"M{at(tip + 1)}L{at(tip - 8, 4.5)}L{at(tip - 8, -4.5)}Z", fill=_MARK, stroke=_HALO)


# Tables


def draw_tables(drawing: Drawing, *, before: Earlier | None = None) -> Picture:
    """Return each table of ``drawing``, which has no board, as a figure with marks for the changes since ``before``."""
    figures, found = list[Figure](), list[Change]()
    for table, changes in changes_since(drawing, before):
        if isinstance(table, Scene):
            continue
        headings = (table.headings,) if isinstance(table, Columns) else ()
        rows = [[clip(cell, _LONGEST_CELL) for cell in row] for row in (*headings, *table.rows)]
        parts = list[str]()
        if table.title:
            parts.append(words(clip(table.title, _LONGEST_CELL), 0, 14, size=_CELL, anchor="start", font_weight="bold"))
        x, top, cells = 0.0, len(parts), dict[tuple[int, int], Frame]()
        for column, texts in enumerate(zip(*rows, strict=True)):
            wide = max(text_width(text, _CELL) for text in texts)
            for row, text in enumerate(texts):
                y, look = (top + row) * _ROW + 14, {"fill": "#555555"} if row < len(headings) else {}
                parts += [words(text, round(x, 1), y, size=_CELL, anchor="start", **look)] if text else []
                cells[row - len(headings), column] = Frame(x + wide / 2, y - 4, wide + 12, _ROW - 4)
            x += wide + _COLUMN
        # The cells that can change: all of a table, the values of a list.
        columns = range(0 if headings else 1, len(rows[0]))
        shown = [cells[row, column] for row in range(len(table.rows)) for column in columns]
        frames = {thing.name: frame for thing, frame in zip(things_in(table), shown, strict=True)}
        parts.append(_marks(replace(one, thing=replace(one.thing, frame=frames[one.thing.name])) for one in changes))
        box = Frame(x / 2, (top + len(rows)) * _ROW / 2, x + 12, (top + len(rows)) * _ROW)
        figures.append(_figure(f"table {len(figures) + 1}", Kind.BOARD, "", "".join(parts), box, _CELL))
        found += changes
    return Picture("", tuple(figures), tuple(_news_signs(found, before)))


# Files


def as_file(picture: Picture, title: str, *, about: Iterable[str] = (), room: float | None = None) -> Sheet:
    """Return the boards of ``picture`` (at least one) under ``title`` as an SVG document, with panels beside or below them.

    The details are not in it, the legend is. ``about`` are sentences for readers who cannot see the picture. With a
    ``room`` in pixels everything is in one column, and each board has its own title.
    """
    groups = picture.groups
    inner, legend, right, y = list[str](), list[str](), 0.0, 0.0
    for board, panels in groups:
        if board and (room is not None or len(groups) > 1):
            inner.append(words(board[0].title, 0, y + 13, size=13, anchor="start", font_weight="bold"))
            right, y = max(right, text_width(board[0].title, 13, is_bold=True)), y + _TITLE_LINE
        wide, high = sum(one.width for one in board), max((one.height for one in board), default=-_MARGIN)
        inner += [_moved(one.svg, at * one.width, y) for at, one in enumerate(board)]
        is_beside = room is None and 0 < wide <= _ROOMY and bool(panels)
        legend, long, deep = [], 0.0, 0.0
        if is_beside and board is groups[-1][0]:
            legend, long, deep = _legend_lines(picture.legend, max(wide, _LEGEND))
        left, top = (max(wide, long) + _BESIDE, y) if is_beside else (0, y + high + _MARGIN)
        pitch = max((one.width for one in panels), default=0) + _BESIDE
        across = PHONE if is_beside else room or wide or _MOST * (PHONE + _BESIDE)
        ends = [top] * min(len(panels), max(1, int((across + _BESIDE) // pitch)))
        for panel in panels:  # each below the shortest column
            at = ends.index(min(ends))
            inner.append(_moved(panel.svg, left + at * pitch, ends[at]))
            right, ends[at] = max(right, left + at * pitch + panel.width), ends[at] + panel.height + _MARGIN
        inner += [_moved(line, 0, y + high + _MARGIN) for line in legend]
        right, y = max(right, wide, long), max((y + high + _MARGIN + deep, *ends))
    if not legend:
        legend, long, deep = _legend_lines(picture.legend, room or max(right, _LEGEND))
        inner += [_moved(line, 0, y) for line in legend]
        right, y = max(right, long), y + deep
    head = [
        words(line, _MARGIN, _TITLE_LINE * at, size=_TITLE, anchor="start", font_weight="bold")
        for at, line in enumerate(text_lines(title, right, _TITLE, is_bold=True), 1)
    ]
    top = _TITLE_LINE * len(head) + 8
    shown = (picture.definitions, *head, _moved("".join(inner), _MARGIN, top))
    return document(shown, ceil(right + 2 * _MARGIN), ceil(top + y), title, " ".join(about))


def _moved(svg: str, x: float, y: float) -> str:
    return element("g", svg, transform=f"translate({round(x, 1):g} {round(y, 1):g})") if x or y else svg


def _legend_lines(legend: Iterable[Sign], room: float) -> tuple[list[str], float, float]:
    """Return ``legend`` in lines of at most ``room`` pixels, the width of the longest, and the height of all."""
    lines, longest, x, y = list[str](), 0.0, 0.0, 0.0
    for sign in legend:
        wide = sign.width + text_width(sign.name, _SIZE)
        if x and x + wide > room:
            x, y = 0.0, y + _LINE
        name = words(sign.name, sign.width, _SIZE, size=_SIZE, anchor="start")
        lines.append(_moved(element("g", _moved(sign.svg, 0, -2) + name, class_="sign"), x, y))
        x, longest = x + wide + _GAP, max(longest, x + wide)
    return lines, longest, y + _LINE + _MARGIN if lines else 0.0


# Positions as files, cards and thumbnails -------------------------------------------------------------------------------

_MOST_PIXELS: Final = 4096
"""The longest side of a PNG in pixels: viewers need much memory for larger ones."""
_LONGEST_TITLE: Final = 200
_SCALE: Final = 2
"""Pixels of a PNG for each pixel of the drawing, so that it is sharp on modern screens."""
CARD_SIZE: Final = (1200, 630)
"""The size of a card in pixels, which link previews use."""
THUMBNAIL_SIZE: Final = (800, 600)
"""The shape of a small picture in lists: most boards fill it."""
_EDGE: Final = 40
_TOP: Final = 150
_SIDE: Final = 360
"""The width of the standings beside a board."""
_STANDING: Final = 62
_MOST_STANDINGS: Final = 7
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
        _clipped(result, _EDGE, 72, 40, width - 2 * _EDGE, font_weight="bold"),
        _clipped(f"{heading.name} · {heading.game}{state}", _EDGE, 112, 24, width - 2 * _EDGE, fill=_SOFT),
    ]
    left = _EDGE
    if board.figures:
        left = width - _SIDE - _EDGE
        drawn.append(_first_board(board, _EDGE, _TOP, left - 2 * _EDGE, height - _TOP - _EDGE))
    rows = list(zip(position.standings, position.standing_rows, strict=True))
    for at, (standing, (place, name, score, unit, _)) in enumerate(rows[:_MOST_STANDINGS]):
        y, look = _TOP + 30 + at * _STANDING, {"font_weight": "bold"} if standing.place == 1 else {}
        drawn += [
            element("circle", cx=left + 14, cy=y - 9, r=14, fill=seat_ink(standing.seat, position.seats)),
            _clipped(f"{place} {name}", left + 40, y, 24, width - _EDGE - left - 40, **look),
            words(f"{score} {unit}", left + 40, y + 26, size=20, anchor="start", fill=_SOFT),
        ]
    if len(rows) > _MOST_STANDINGS:
        y = _TOP + 16 + _MOST_STANDINGS * _STANDING
        drawn.append(words(f"and {len(rows) - _MOST_STANDINGS} more", left + 40, y, size=20, anchor="start", fill=_SOFT))
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


def _clipped(text: str, x: float, y: float, size: int, room: float, **look: Any) -> str:
    """Return ``text`` on one line of the card, cut to ``room`` pixels if it is too long."""
    first, *more = text_lines(printable(text), room - size, size, is_bold="font_weight" in look)
    return words(f"{first} …" if more else first, x, y, size=size, anchor="start", **look)
