"""Pictures as values: a scene is made of paths, texts, groups, symbols and tokens; reports turn it into SVG, PNG and text.

Lengths are pixels, x grows to the right and y downwards, angles are degrees clockwise. Ways and looks are written as in SVG.

An ``id`` is the words by which orders name the thing that a part shows: the square ``C2``, the card ``Saboteur``, ``GEAR 3``
where a bare ``3`` would be ambiguous, or the seat ``red`` for its car. A click finds the legal orders with these words, so
what only others may order has no id. Marks of changes, arrows and sentences use the ``name`` of a place (``H3 (row)``), or
the id if there is no name.

A picture is made from a view, never from a state, so that it holds no secret. After the parts of a scene come the
makers of shapes, the panels of seats, the colours, and then what a scene shows in sentences. ``letters.py`` has widths of
text, free places for names, and boards of characters; ``drawing.py`` puts scenes and tables one below the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from adjudicator.core.phrases import clip, display_width, listed
from adjudicator.core.remember import Recall
from adjudicator.core.values import Value
from adjudicator.scenes.letters import (
    Box,
    Taken,
    bare,
    fitting,
    in_parts,
    initial,
    inked,
    short_name,
    text_lines,
    text_width,
)

__all__ = ["Box", "Taken", "clip", "describe", "display_width", "ground_ink"]
__all__ += ["SIGNS", "bare", "in_parts", "initial", "inked", "short_name"]
__all__ += ["fitting", "text_lines", "text_width"]
__all__ += ["Gauge", "Panel", "panel_scenes"]
__all__ += ["FAINT", "LETTER", "SEAT", "STRONG", "Element", "Entry", "Frame", "Group", "Hatch", "Later", "Legend", "Path"]
__all__ += ["Scene", "Sign", "Symbol", "Text", "Token"]
__all__ += ["Point", "circle", "ellipse", "group", "line", "number", "polygon", "rect", "way", "words"]

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


SIGNS: Final = {Sign.PIECE: "▲", Sign.MARK: "✓", Sign.GOAL: "◎", Sign.NOTE: ""}
"""The sign before the text of a token in text, by the meaning of the token."""


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


# Makers of shapes: keyword arguments are the look of a `Path`

Point = tuple[float, float]


def number(value: float) -> str:
    """Return ``value`` as short as possible, with at most two decimals."""
    return f"{round(value, 2):.7g}"


def way(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return path data for a line through ``points``; ``closed`` leads back to the first."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def line(points: Iterable[Point], **look: Any) -> Path:
    """Return a line through ``points``."""
    return Path(way(points), **look)


def polygon(points: Iterable[Point], **look: Any) -> Path:
    """Return the area between ``points``."""
    return Path(way(points, closed=True), **look)


def rect(width: float, height: float, x: float = 0, y: float = 0, rx: float = 0, **look: Any) -> Path:
    """Return a rectangle with its corner at ``x``, ``y``; its corners are round with a radius of ``rx``."""
    start, wide, high, r = f"M{number(x + rx)} {number(y)}", number(width - 2 * rx), number(height - 2 * rx), number(rx)
    if not rx:
        return Path(f"{start}h{wide}v{high}h-{wide}Z", **look)
    arc = f"a{r} {r} 0 0 1"
    return Path(f"{start}h{wide}{arc} {r} {r}v{high}{arc} -{r} {r}h-{wide}{arc} -{r} -{r}v-{high}{arc} {r} -{r}Z", **look)


def circle(cx: float, cy: float, r: float, **look: Any) -> Path:
    """Return a circle around ``cx``, ``cy``."""
    return ellipse(cx, cy, r, r, **look)


def ellipse(cx: float, cy: float, rx: float, ry: float, **look: Any) -> Path:
    """Return an ellipse around ``cx``, ``cy``."""
    half = f"a{number(rx)} {number(ry)} 0 1 1"
    return Path(f"M{number(cx + rx)} {number(cy)}{half} -{number(2 * rx)} 0{half} {number(2 * rx)} 0Z", **look)


def words(text: str, x: float, y: float, size: float = 11, anchor: str = "middle", **look: Any) -> Text:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``."""
    return Text(text, x, y, size, anchor, **look)


def group(parts: Iterable[Element], x: float = 0, y: float = 0, **given: Any) -> Group:
    """Return ``parts`` moved by ``x`` and ``y``; the other arguments are those of a ``Group``."""
    return Group(tuple(parts), x, y, **given)


# The panels of the seats: gauges of cells, rows of words, and what the game adds

_PANEL: Final = 156
"""The width of a panel without a device: two of them fit side by side on a phone."""
_TOP: Final = 26
_GAUGE: Final = 20
_LINE: Final = 15
_LABEL: Final = 56
_EDGE: Final = 8
_SIZE: Final = 10
_ROOM: Final = _PANEL - _LABEL - 2 * _EDGE


class Gauge(Value):
    """A gauge at ``level`` of at most ``most``."""

    label: str
    level: int
    most: int


class Panel(Value):
    """The panel of a ``seat``: a title, gauges, and rows of label and value.

    ``device`` is drawn at the right, its corner at 0, 0, and is ``wide`` × ``high`` pixels; ``below`` under the rows.
    Changes of gauges and rows get marks if the panel ``is_marked``. In a panel that ``is_own`` of the viewer, the id of
    each gauge and row is its label, so that a click can choose an order.
    """

    title: str
    seat: str
    gauges: tuple[Gauge, ...]
    rows: tuple[tuple[str, str], ...]
    device: Group | None = None
    wide: int = 0
    high: int = 0
    below: Group | None = None
    deep: int = 0
    is_marked: bool = True
    is_own: bool = False


def panel_scenes(panels: Sequence[Panel]) -> tuple[Scene, ...]:
    """Return each of ``panels`` as a scene beside the board, all as wide as the widest and as high as the highest."""
    wide = _PANEL + max((panel.wide for panel in panels), default=0)
    lines, scenes, highest = list[list[Element]](), list[Scene](), 0
    for panel in panels:
        y = _TOP
        lines.append([])
        for row in (*panel.gauges, *panel.rows):
            drawn, high = _line(panel.title, row, y, is_own=panel.is_own, is_marked=panel.is_marked)
            lines[-1].append(drawn)
            y += high
        highest = max(highest, y, _TOP + panel.high)
    height = highest + max((panel.deep + _EDGE for panel in panels if panel.deep), default=0) + _EDGE
    for panel, parts in zip(panels, lines, strict=True):
        parts[:0] = [
            rect(wide - 2, height - 2, 1, 1, 6, fill="#fbfaf6", stroke=SEAT, stroke_width=2),
            # It only shows the colour and the letter of the seat: it is no piece that can move.
            Token(panel.seat, _EDGE + 8, 14, seat=panel.seat, text=panel.seat, is_key=True),
            words(panel.title, _EDGE + 22, 18, 12, "start", is_bold=True),
        ]
        if panel.device is not None:
            parts.append(group((panel.device,), wide - panel.wide, _TOP - 8))
        if panel.below is not None:
            parts.append(group((panel.below,), _EDGE, height - panel.deep))
        inner = group(parts, seat=panel.seat)
        scenes.append(Scene(f"panel of {panel.seat}", panel.title, (inner,), wide, height, is_beside=True))
    return tuple(scenes)


@lru_cache(1 << 8)
def _line(title: str, row: Gauge | tuple[str, str], y: int, *, is_own: bool, is_marked: bool) -> tuple[Group, int]:
    """Return a gauge or a row of the panel with that ``title``, its corner at 0, ``y``, and its height.

    An order changes few of them: the others stay the same objects, which are drawn once.
    """
    label = row.label if isinstance(row, Gauge) else row[0]
    base = 12 if isinstance(row, Gauge) else 11
    drawn: list[Element] = [words(label, _EDGE, base, _SIZE, "start", fill="#555555")]
    if isinstance(row, Gauge):  # a cell for each level, filled up to that of the gauge, and the level in figures
        high, pitch = _GAUGE, round((_PANEL - _LABEL - 2 * _EDGE - 34) / max(row.most, 1), 2)
        for cell in range(row.most):
            x, ink = round(_EDGE + _LABEL + cell * pitch, 1), "#3a3a3a" if cell < row.level else "#ffffff"
            drawn.append(rect(round(pitch - 1, 1), 12, x, 2, fill=ink, stroke="#3a3a3a", stroke_width=0.8))
        drawn.append(words(f"{row.level}/{row.most}", _PANEL - _EDGE, base, _SIZE, "end", is_bold=True))
    else:
        lines = text_lines(row[1], _ROOM, _SIZE)
        drawn += [words(one, _EDGE + _LABEL, base + at * _LINE, _SIZE, "start") for at, one in enumerate(lines)]
        high = _LINE * len(lines)
    frame = Frame(_PANEL / 2, high / 2, _PANEL - 6, high) if is_marked else None
    return group(drawn, 0, y, id=label if is_own else "", name=f"{title}'s {label}", frame=frame, holds=row), high


# Colours: pale for grounds, strong for seats, constant within a drawing; distinct in grey and for colour-blind readers

GIVEN: Final = ("red", "blue", "green", "yellow", "purple", "cyan", "orange", "grey")
"""The colours for seats whose name is not a colour, in the order of their use."""
_OTHER_WORDS: Final = {"gray": "grey", "violet": "purple", "teal": "cyan"}
_PALE: Final = ("#ea9f8b", "#dde0ef", "#b9df90", "#fbf3c8", "#9dc8e8", "#c98fd4")
_ROADS: Final = {"red": "#e0897a", "orange": "#f2bd73", "yellow": "#f8ef9d", "white": "#ffffff"}
"""The colours of grounds that are named after a colour, each lighter than the previous one, so that they differ in grey."""
_INKS: Final = {
    "red": "#c0392b",
    "blue": "#1c4c9d",
    "green": "#1f9c6c",
    "yellow": "#efb410",
    "purple": "#4e1d71",
    "cyan": "#1db1cb",
    "orange": "#f26e35",
    "grey": "#5f5f5f",
    "pink": "#ce43a2",
    "brown": "#69341e",
    "white": "#b2b2b2",
    "black": "#191919",
}
_BRIGHT: Final = frozenset(_INKS[name] for name in ("green", "yellow", "cyan", "orange", "pink", "white"))


def ground_ink(ground: str, grounds: Sequence[str]) -> str:
    """Return the colour of ``ground``, one of ``grounds``; white for an empty ground."""
    if ground in grounds and ground in _ROADS:
        return _ROADS[ground]
    return _PALE[grounds.index(ground) % len(_PALE)] if ground in grounds else "#ffffff"


def letter_ink(ink: str) -> str:
    """Return the colour of letters on ``ink``: white, or black if ``ink`` is too bright for white."""
    return "#000000" if ink in _BRIGHT else "#ffffff"


def seat_ink(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``, one of ``seats``."""
    return _INKS[seat_color(seat, seats)]


def seat_color(seat: str, seats: Sequence[str]) -> str:
    """Return the colour of ``seat``: its name if that is a colour, else one that no other of ``seats`` has.

    With more seats than colours, some have the same colour. A seat that is not one of ``seats`` is black.
    """
    return _named(seat) or _given(tuple(seats)).get(seat, "black")


@lru_cache(maxsize=64)  # each badge asks, and a search through thousands of seats is slow
def _given(seats: tuple[str, ...]) -> dict[str, str]:
    """Return the colours of those of ``seats`` whose name is not a colour."""
    taken = {_named(seat) for seat in seats}
    free = [color for color in GIVEN if color not in taken] or GIVEN
    unnamed = [seat for seat in dict.fromkeys(seats) if _named(seat) is None]
    return {seat: free[at % len(free)] for at, seat in enumerate(unnamed)}


def _named(seat: str) -> str | None:
    word = _OTHER_WORDS.get(seat.casefold(), seat.casefold())
    return word if word in _INKS else None


# The places and the tokens of a scene, and sentences about them for readers who cannot see it

NOWHERE: Final = Frame(0, 0, 0, 0)


class Thing(Value):
    """A place, a token or a cell of a table; its rectangle is ``NOWHERE`` if no mark can be there. A place has no ``token``.

    ``name`` of a token is that of the place where it lies; a cell is ``within`` its row.
    """

    name: str
    id: str
    frame: Frame
    token: Token | None = None
    holds: Any = None
    told: str = ""
    within: str = ""


_FOUND: Final = Recall()
"""The things in groups and scenes, by identity: most of them stay from one position to the next, and are asked for again."""


def things(scene: Scene) -> tuple[Thing, ...]:
    """Return the places and the tokens of ``scene``, in the order in which they are drawn."""
    return _FOUND.result(id(scene), (scene,), _found, (*scene.parts, *scene.over))


def _found(parts: Iterable[Element]) -> tuple[Thing, ...]:
    found = list[Thing]()
    for one in parts:
        if isinstance(one, Group):
            found += _FOUND.result(id(one), (one,), _inside, one)
        elif isinstance(one, Token) and not one.is_key:
            told = f"{one.text} ({one.told or one.sign})"
            found.append(Thing(one.at, one.id, Frame(one.x, one.y, one.size, one.size), one, told=told))
    return tuple(found)


def _inside(one: Group) -> tuple[Thing, ...]:
    """Return the place that ``one`` is, if any, and the things in it, all where its parent has them."""
    inner = _found(one.parts)
    if one.told or one.frame is not None:
        inner = (Thing(one.name or one.id, one.id, one.frame or NOWHERE, None, one.holds, one.told), *inner)
    if not (one.x or one.y or one.scale != 1):
        return inner
    moved = list[Thing]()
    for thing in inner:
        at, scale = thing.frame, one.scale
        if at is not NOWHERE:
            frame = Frame(one.x + at.x * scale, one.y + at.y * scale, at.width * scale, at.height * scale)
            thing = Thing(thing.name, thing.id, frame, thing.token, thing.holds, thing.told)
        moved.append(thing)
    return tuple(moved)


def describe(scene: Scene) -> list[str]:
    """Return sentences about ``scene``: what is ``told`` of it as a whole, then of each place, and who is there.

    Places of which it tells the same share a sentence. A token appears as ``red (car)``.
    """
    told, alike = dict[str, list[str]](), dict[str, list[str]]()
    for thing in things(scene):
        if thing.told:
            told.setdefault(thing.name, []).append(thing.told)
    for name, facts in told.items():
        alike.setdefault(", ".join(facts), []).append(name)
    places = ((_spans(names), facts) for facts, names in alike.items())
    return [f"{scene.told}."] * bool(scene.told) + [f"{names[:1].upper()}{names[1:]}: {facts}." for names, facts in places]


def _spans(names: Iterable[str]) -> str:
    """Return ``names`` as a list in which three or more with numbers in sequence are one span: ``space 3 to 7 and 9``."""
    runs = list[tuple[str, list[str]]]()
    for name in names:
        kind, _, number = name.rpartition(" ")
        if not number.isdecimal():
            runs.append((name, []))
        elif runs and runs[-1][0] == kind and runs[-1][1] and int(number) == int(runs[-1][1][-1]) + 1:
            runs[-1][1].append(number)
        else:
            runs.append((kind, [number]))
    told, before = list[str](), ""
    for kind, run in runs:
        shown = [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [*run] or [kind]
        told += [f"{kind} {shown[0]}" if run and kind not in ("", before) else shown[0], *shown[1:]]
        before = kind if run else ""
    return listed(told)
