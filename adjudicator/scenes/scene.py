"""Pictures as values: a scene is made of paths, texts, groups, symbols and tokens; reports turn it into SVG, PNG and text.

Lengths are pixels, x grows to the right and y downwards, angles are degrees clockwise. Ways and looks are written as in SVG.

An ``id`` is the words by which orders name the thing that a part shows: the square ``C2``, the card ``Saboteur``, ``GEAR 3``
where a bare ``3`` would be ambiguous, or the seat ``red`` for its car. A click finds the legal orders with these words, so
what only others may order has no id. Marks of changes, arrows and sentences use the ``name`` of a place (``H3 (row)``), or
the id if there is no name.

A picture is made from a view, never from a state, so that it holds no secret. The makers of shapes come after the parts of a
scene, and then what a scene shows in sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final

from adjudicator.core.phrases import listed
from adjudicator.core.remember import Recall
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
