"""Write SVG element by element, so that text of users never becomes markup: parts of a scene, and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import count
from math import inf
from typing import Final
from zlib import crc32

from adjudicator.core.phrases import clip
from adjudicator.core.remember import Recall
from adjudicator.core.values import Value, Whole
from adjudicator.reports.drawing_text import Key
from adjudicator.reports.texts import printable, signed
from adjudicator.scenes import (
    LETTER,
    SEAT,
    Element,
    Group,
    Hatch,
    Path,
    Sign,
    Symbol,
    Text,
    Token,
    circle,
    letter_ink,
    number,
    seat_ink,
)
from adjudicator.scenes import words as letters

_BLACK: Final = "#000000"
_LOOK: Final = tuple(
    (name, name.replace("_", "-"), usual)
    for name, usual in {
        "stroke_width": 1,
        "stroke_dasharray": "",
        "stroke_linecap": "",
        "stroke_linejoin": "",
        "stroke_opacity": 1,
        "fill_opacity": 1,
        "opacity": 1,
        "paint_order": "",
    }.items()
)
"""The look of a path: the field, its name in SVG, and the value that needs no words."""


def element(name: str, *inner: str, **attributes: object) -> str:
    """Return the element ``name`` with ``inner`` elements in it; ``stroke_width=2`` is the attribute ``stroke-width``."""
    written = [
        f' {key.rstrip("_").replace("_", "-")}="{escape(printable(value)) if isinstance(value, str) else value}"'
        for key, value in attributes.items()
    ]
    start = f"<{name}{''.join(written)}"
    return f"{start}>{''.join(inner)}</{name}>" if inner else f"{start}/>"


class Sheet(Value):
    """A whole SVG document, and its size in pixels."""

    svg: str
    width: float
    height: float


def document(drawn: Iterable[str], width: float, height: float, title: str, about: str = "") -> Sheet:
    """Return the document: ``drawn`` on paper of that ``width`` and ``height``.

    ``title`` and ``about`` describe it for screen readers.
    """
    head = {"font_family": "sans-serif", "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    told = {"role": "img", "aria_labelledby": "board-title board-words"}
    described = element("title", plain(title), id="board-title") + element("desc", plain(about), id="board-words")
    paper = element("rect", width=width, height=height, fill="#ffffff")
    svg = element("svg", described, paper, *drawn, **head, width=width, height=height, **told)
    return Sheet(svg + "\n", width, height)


def plain(text: str) -> str:
    """Return ``text`` escaped for a place between two tags."""
    return escape(printable(text), quote=False)


def words(text: str, x: float | str, y: float, *, size: float = 11, anchor: str = "middle", **attributes: object) -> str:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``, in pixels."""
    return element("text", plain(text), x=x, y=y, font_size=size, text_anchor=anchor, **attributes)


# The parts of a scene, with what they need once: symbols and hatches


class Drawn(Value):
    """Parts as ``svg``, with the ``definitions`` that they use by id, and the height of the smallest letters in pixels."""

    svg: str
    definitions: Mapping[str, str]
    least_letter: float


_KEPT: Final = Recall()
"""The groups and symbols that were drawn, by identity: games keep what stays from one picture to the next.

Without it a replay of the longest recorded game takes four times as long.
"""


def drawn(parts: Iterable[Element], key: Key, ink: str = _BLACK) -> Drawn:
    """Return ``parts`` in the colours of ``key``; ``ink`` is the colour of ``SEAT``.

    The ids of definitions contain a hash, so that those of several pictures on one page do not collide.
    """
    written: list[str] = []
    definitions: dict[str, str] = {}
    least = inf
    for one in parts:
        match one:
            case Path():
                if isinstance(hatch := one.fill, Hatch):
                    marks = f"{hatch.ink}{hatch.width}{hatch.gap}{hatch.angle}{hatch.ground}"
                    name, gap = "hatch-" + "".join(filter(str.isalnum, marks)), hatch.gap
                    ground = [element("rect", width=gap, height=gap, fill=hatch.ground)] if hatch.ground else []
                    stripe = element("rect", width=gap, height=hatch.width, fill=hatch.ink)
                    size = {"width": gap, "height": gap, "patternUnits": "userSpaceOnUse"}
                    turn = f"rotate({number(hatch.angle)})"
                    definitions[name] = element("pattern", *ground, stripe, id=name, **size, patternTransform=turn)
                    fill = f"url(#{name})"
                else:
                    fill = _ink(hatch, ink)
                look = f' stroke="{_ink(one.stroke, ink)}"' if one.stroke else ""
                for field, name, usual in _LOOK:
                    if (value := getattr(one, field)) != usual:
                        look += f' {name}="{escape(str(value))}"'
                written.append(f'<path{_id(one.id)} d="{escape(one.way)}" fill="{fill}"{look}/>')
                continue
            case Text():
                look = f' fill="{_ink(one.fill, ink)}"' if one.fill else ""
                look += ' font-weight="bold"' if one.is_bold else ""
                if one.halo:
                    look += f' stroke="{escape(one.halo_ink)}" stroke-width="{one.halo}" paint-order="stroke"'
                place = f'x="{one.x}" y="{one.y}" font-size="{one.size}" text-anchor="{one.anchor}"'
                written.append(f"<text{_id(one.id)} {place}{look}>{plain(one.text)}</text>")
                least = min(least, one.size)
                continue
            case Group():
                inner = _KEPT.result((id(one), ink), (one, key), _group, one, key, ink)
            case Token():
                own = one.ink or seat_ink(one.seat or one.text, key.seats)
                inner = _group(Group(tuple(_body(one, key)), one.x, one.y, id=one.id), key, own)
            case Symbol():
                shape: Drawn = _KEPT.result((id(one.parts), ink), (one.parts, key), drawn, one.parts, key, ink)
                name = f"{escape(one.name)}-{crc32(shape.svg.encode()):x}"
                place = (f' x="{one.x}"' if one.x else "") + (f' y="{one.y}"' if one.y else "")
                defined = {**shape.definitions, name: f'<g id="{name}">{shape.svg}</g>'}
                inner = Drawn(f'<use href="#{name}"{place}{_id(one.id)}/>', defined, shape.least_letter)
        written.append(inner.svg)
        definitions |= inner.definitions
        least = min(least, inner.least_letter)
    return Drawn("".join(written), definitions, least)


def _group(one: Group, key: Key, ink: str) -> Drawn:
    inner = drawn(one.parts, key, seat_ink(one.seat, key.seats) if one.seat else ink)
    moves = [f"translate({number(one.x)} {number(one.y)})"] if one.x or one.y else []
    moves += [f"rotate({number(one.angle)})"] if one.angle else []
    moves += [f"scale({number(one.scale)})"] if one.scale != 1 else []
    given = _id(one.id)
    given += f' opacity="{one.opacity}"' if one.opacity != 1 else ""
    given += f' transform="{" ".join(moves)}"' if moves else ""
    svg = f"<g{given}>{inner.svg}</g>" if given or len(one.parts) != 1 else inner.svg
    return Drawn(svg, inner.definitions, inner.least_letter * one.scale)


def _id(name: str) -> str:
    return f' data-id="{escape(printable(name))}"' if name else ""


def _ink(fill: str, ink: str) -> str:
    return ink if fill == SEAT else letter_ink(ink) if fill == LETTER else escape(fill)


def _body(one: Token, key: Key) -> Iterator[Element]:
    """Yield the parts of a token around 0, 0: its body or the usual look of its sign, with the letter of its seat."""
    letter = key.initial(one.text, one.seat or one.text)
    is_short = len(letter) == 1
    if one.body:
        yield from (*one.body, *_letter(letter, 0, one.drop, one.letter if is_short else 8, LETTER), *one.over)
        return
    match one.sign:
        case Sign.PIECE:
            yield circle(0, 0, 8, fill=SEAT, stroke="#ffffff")
            yield from _letter(letter, 0, 4.3, 12 if is_short else 8, LETTER)
        case Sign.MARK:  # a ring with a tick, after a letter if there is one
            yield circle(0, 0, 9, fill="#ffffff", stroke=SEAT, stroke_width=2)
            yield from _letter(letter, -2, 2, 10 if is_short else 6, _BLACK)
            yield Path("M-0.5 3.5l2 2.5 4-6" if letter else "M-3 0l2 3 4-6", stroke=SEAT, stroke_width=2)
        case Sign.GOAL:
            yield circle(0, 0, 8.5, fill="#ffffff", stroke=SEAT, stroke_width=1.6)
            yield circle(0, 0, 6 if letter else 3, fill=SEAT)
            yield from _letter(letter, 0, 3.5, 10 if is_short else 7, LETTER)
        case Sign.NOTE:
            yield letters(one.text, 0, 4, 9)
    yield from one.over


def _letter(letter: str, x: float, y: float, size: float, ink: str) -> tuple[Text, ...]:
    return (letters(letter, x, y, size, fill=ink, is_bold=True),) if letter else ()


_WIDTH: Final = 360
_LINE: Final = 24
_LABELS: Final = 110
_VALUES: Final = 64
_TALL: Final = 150
_FOOT: Final = 34
_MOST_BINS: Final = 18
_MOST_BARS: Final = 20
_LONGEST: Final = 16
_STEPS: Final = (1, 2, 5)
_GRAPH: Final = 100
_EDGE: Final = 15
"""Pixels above and below the lines of a graph."""
_MOST_TICKS: Final = 3
_MOST_SECONDS: Final = 180


class Bar(Value):
    """A bar with its ``label``, its length in proportion to ``value`` (0 or more), and the value as ``shown``."""

    label: str
    value: int
    shown: str


class Plot(Value):
    """A plot with its ``title``: an SVG element, and the same in ``words`` for screen readers."""

    title: str
    svg: str
    words: str


def bar_plot(title: str, bars: Sequence[Bar]) -> Plot:
    """Return horizontal ``bars``, at least one and at most twenty; the words count the others."""
    shown = bars[:_MOST_BARS]
    longest = max(bar.value for bar in shown) or 1
    drawn = list[str]()
    for at, bar in enumerate(shown):
        top, width = at * _LINE, max(1, (_WIDTH - _LABELS - _VALUES) * bar.value // longest)
        drawn += [
            words(clip(printable(bar.label), _LONGEST), _LABELS - 8, top + 16, size=12, anchor="end", class_="word"),
            element("rect", x=_LABELS, y=top + 4, width=width, height=_LINE - 8, rx=2, class_="bar"),
            words(bar.shown, _LABELS + width + 6, top + 16, size=12, anchor="start", class_="word"),
        ]
    left_out = f"; {len(bars) - len(shown)} more" if len(bars) > len(shown) else ""
    spoken = "; ".join(f"{printable(bar.label)}: {bar.shown}" for bar in shown) + left_out
    return Plot(title, _framed(drawn, len(shown) * _LINE), spoken)


def histogram(title: str, numbers: Sequence[int], what: str, unit: Sequence[str] = ()) -> Plot:
    """Return the histogram of whole ``numbers``, at least one, in ranges of equal width; ``what`` is what they count.

    The labels have the format of their ``unit``.
    """
    least, most = min(numbers), max(numbers)
    widths = (step * 10**power for power in count() for step in _STEPS)
    width = next(width for width in widths if most // width - least // width < _MOST_BINS)
    first = least // width
    counts = Counter(number // width - first for number in numbers)
    bins = max(counts) + 1
    room = _WIDTH / bins
    highest = max(counts.values())
    drawn = []
    for at in range(bins):
        height = round((_TALL - 20) * counts[at] / highest, 1)
        box = {"x": round(at * room + 1, 1), "y": round(_TALL - height, 1), "width": round(room - 2, 1), "height": height}
        if number := counts[at]:
            size = min(11, round(1.7 * room / len(str(number)), 1))  # as wide as its bar
            drawn += [
                element("rect", class_="bar", rx=2, **box),
                words(str(number), round((at + 0.5) * room, 1), round(_TALL - height - 5, 1), size=size, class_="word"),
            ]
    last = first + bins - 1
    drawn.append(words(_range(first, width, unit), 0, _TALL + 16, size=12, anchor="start", class_="word"))
    if bins > 1:
        drawn.append(words(_range(last, width, unit), _WIDTH, _TALL + 16, size=12, anchor="end", class_="word"))
    drawn.append(words(what, _WIDTH / 2, _TALL + 30, size=12, class_="word"))
    spoken = "; ".join(f"{_range(first + at, width, unit)} {what}: {counts[at]}" for at in sorted(counts))
    return Plot(title, _framed(drawn, _TALL + _FOOT), spoken)


def _range(at: int, width: int, unit: Sequence[str]) -> str:
    least, most = signed(at * width, unit), signed((at + 1) * width - 1, unit)
    return least if width == 1 else f"{least}–{most}"


class Line(Value):
    """The ``amounts`` of a seat after each entry; ``ink`` is the class of its colour."""

    ink: str
    amounts: tuple[Whole, ...]


def line_graph(lines: Sequence[Line], unit: Sequence[str], entries: Sequence[str]) -> tuple[str, ...]:
    """Return the elements of a graph of ``lines`` over the game, at least one, with numbers at both axes.

    The heights are pixels; the width is that of the page, so the lines are in a separate element, 1,000 units wide.
    ``entries`` are the names of the entries, ``unit`` is that of the amounts.
    """
    amounts = [amount for line in lines for amount in line.amounts]
    least, most = min(0, *amounts), max(1, *amounts)
    by = 60 if unit[3:] == ("m:ss",) and most - least > _MOST_SECONDS else 1
    sizes = (by * step * 10**power for power in count() for step in _STEPS)
    size = next(size for size in sizes if (most - least) // size <= _MOST_TICKS)
    ticks = [*range(-(-least // size) * size, most + 1, size)]
    scale = (_GRAPH - 2 * _EDGE) / (most - least)
    heights = {amount: round(_GRAPH - _EDGE - (amount - least) * scale, 1) for amount in {*amounts, *ticks}}
    across = 1000 / max(1, len(entries) - 1)
    ways = (" ".join(f"{round(n * across, 1)},{heights[one]}" for n, one in enumerate(line.amounts)) for line in lines)
    drawn = [element("polyline", class_=line.ink, points=way) for line, way in zip(lines, ways, strict=True)]
    rules = [element("path", class_="rule", d=f"M0 {heights[tick]}H1000") for tick in ticks]
    inner = element("svg", *rules, *drawn, viewBox=f"0 0 1000 {_GRAPH}", height=_GRAPH, preserveAspectRatio="none")
    labels = [words(signed(tick, unit), 4, heights[tick] - 3, anchor="start") for tick in ticks]
    ends = {0: "start", (len(entries) - 1) // 2: "middle", len(entries) - 1: "end"}
    named = [words(entries[n], f"{n * across / 10:g}%", _GRAPH + 13, anchor=anchor) for n, anchor in ends.items()]
    return (inner, *labels, *named)


def _framed(drawn: Sequence[str], height: int) -> str:
    return element("svg", *drawn, viewBox=f"0 0 {_WIDTH} {height}", width=_WIDTH, height=height, aria_hidden="true")
