"""Pictures as values: a scene is made of paths, texts, groups, symbols and tokens; reports turn it into SVG, PNG and text.

Lengths are pixels, x grows to the right and y downwards, angles are degrees clockwise. Ways and looks are written as in SVG.

An ``id`` is the words by which orders name the thing that a part shows: the square ``C2``, the card ``Saboteur``, ``GEAR 3``
where a bare ``3`` would be ambiguous, or the seat ``red`` for its car. A click finds the legal orders with these words, so
what only others may order has no id. Marks of changes, arrows and sentences use the ``name`` of a place (``H3 (row)``), or
the id if there is no name.

A picture is made from a view, never from a state, so that it holds no secret.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from adjudicator.core.values import Value

SEAT: Final = "seat"
"""The ink that means the colour of the seat of the group (or token) around it."""
LETTER: Final = "letter"
"""The ink that means black or white, whichever is legible on ``SEAT``."""
STRONG: Final = "strong"
FAINT: Final = "faint"


class Sign(StrEnum):
    """The meaning of a token: a piece that can move, a mark left on the board, a goal still to reach, or plain words."""

    PIECE = "piece"
    MARK = "mark"
    GOAL = "goal"
    NOTE = "note"


class Hatch(Value):
    """Parallel stripes as an ink: ``width`` of each, ``gap`` from one to the next, their ``angle``, the ``ground`` below."""

    ink: str
    width: float
    gap: float
    angle: float = 45
    ground: str = ""


class Path(Value):
    """A line or an area along a ``way`` (path data as in SVG); the other fields are its look, as in SVG."""

    way: str
    fill: str | Hatch = "none"
    stroke: str = ""
    stroke_width: float = 1
    stroke_dasharray: str = ""
    stroke_linecap: str = ""
    stroke_linejoin: str = ""
    stroke_opacity: float = 1
    fill_opacity: float = 1
    opacity: float = 1
    paint_order: str = ""
    id: str = ""


class Text(Value):
    """One line of ``text`` with its ``anchor`` (start, middle, end) at ``x`` and its base line at ``y``."""

    text: str
    x: float
    y: float
    size: float = 11
    anchor: str = "middle"
    fill: str = ""
    is_bold: bool = False
    halo: float = 0
    halo_ink: str = "#ffffff"
    id: str = ""


class Symbol(Value):
    """A drawing with a ``name`` that a picture defines once and shows at many places: here at ``x``, ``y``.

    Symbols of one name must have the same ``parts``.
    """

    name: str
    parts: tuple[Element, ...]
    x: float = 0
    y: float = 0
    id: str = ""


class Token(Value):
    """A piece, a mark, a goal or a note of a ``seat`` around ``x``, ``y``, with ``text`` (the name of the seat, or words).

    ``at`` is the name of the place where it lies, ``size`` the width of the ring around it. Without a ``body`` it has the
    usual look of its ``sign``; a body is drawn around 0, 0, in the ink ``SEAT`` where it should have the seat's colour. The
    letter of the seat is drawn on it, ``letter`` pixels high and ``drop`` below the middle, and then ``over``. Tokens
    move between places of one ``field`` only; one that ``is_key`` only explains a look and is not on the board, with
    another ``ink`` if it belongs to no seat.
    """

    id: str
    x: float
    y: float
    at: str = ""
    seat: str = ""
    text: str = ""
    sign: Sign = Sign.PIECE
    size: float = 20
    body: tuple[Element, ...] = ()
    over: tuple[Element, ...] = ()
    letter: float = 11
    drop: float = 4
    field: str = ""
    ink: str = ""
    is_key: bool = False
    told: str = ""


class Frame(Value):
    """A rectangle around a part, for marks: its middle, its width and its height."""

    x: float
    y: float
    width: float
    height: float


class Group(Value):
    """Parts that move together: turned by ``angle``, scaled, then moved by ``x`` and ``y``; ``seat`` gives their colours.

    A group with an ``id`` (or a ``name``) and a ``frame`` is a place: ``holds`` is what lies there, for comparing it with an
    earlier picture.
    """

    parts: tuple[Element, ...]
    x: float = 0
    y: float = 0
    angle: float = 0
    scale: float = 1
    opacity: float = 1
    seat: str = ""
    id: str = ""
    name: str = ""
    told: str = ""
    frame: Frame | None = None
    holds: Any = None


Element = Path | Text | Symbol | Token | Group


class Later(Value):
    """A call of ``make`` with what is ``given``, when somebody needs its result; two are equal if all of that is equal."""

    make: Callable[..., Any]
    given: tuple[Any, ...] = ()

    def now(self, *more: Any) -> Any:
        """Return the result; ``more`` are further arguments."""
        return self.make(*self.given, *more)


class Scene(Value):
    """A picture of a part of a game, ``width`` × ``height`` pixels; ``id`` names it, the same in every position.

    The marks of moved pieces are drawn on ``parts`` and below ``over``. ``text`` is the same made of characters, as lines or
    made later for a number of columns (``None``: any); without it, tables of the drawing show the same. ``told`` begins the
    sentences of ``describe``, without a full stop. A scene that ``is_beside`` is a panel, at most 334 pixels wide: to the
    right of the board before it, or below it in as many columns as fit. ``details`` are windows on it by name, each for a
    phone and in the order of reading; ``focus`` is the detail to show now. The first ``fold`` parts are the left half of a
    wide scene; a phone shows the others below it.
    """

    id: str
    title: str
    parts: tuple[Element, ...]
    width: float
    height: float
    over: tuple[Element, ...] = ()
    text: tuple[str, ...] | Later = ()
    told: str = ""
    is_beside: bool = False
    details: tuple[tuple[str, tuple[Frame, ...]], ...] = ()
    focus: str = ""
    fold: int = 0


class Entry(Value):
    """A line of a legend: its ``name``, its picture (``room`` pixels wide), and the ``sign`` in an ``ink`` for it in text.

    An entry without a sign is in pictures only, one without parts in text only.
    """

    name: str
    parts: tuple[Element, ...] = ()
    room: float = 20
    sign: str = ""
    ink: str = ""


class Legend(Value):
    """A legend: rows of entries."""

    rows: tuple[tuple[Entry, ...], ...]
