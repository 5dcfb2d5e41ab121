"""Write SVG element by element, so that text of users never becomes markup; write the parts of a scene so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from math import inf
from typing import Final
from zlib import crc32

from adjudicator.core.remember import Recall
from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import Key
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
                fill = _hatch(one.fill, definitions) if isinstance(one.fill, Hatch) else _ink(one.fill, ink)
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


def _hatch(one: Hatch, definitions: dict[str, str]) -> str:
    """Return the ink of a hatch, and add its pattern to ``definitions``."""
    name = "hatch-" + "".join(filter(str.isalnum, f"{one.ink}{one.width}{one.gap}{one.angle}{one.ground}"))
    ground = [element("rect", width=one.gap, height=one.gap, fill=one.ground)] if one.ground else []
    stripe = element("rect", width=one.gap, height=one.width, fill=one.ink)
    size = {"width": one.gap, "height": one.gap, "patternUnits": "userSpaceOnUse"}
    turn = f"rotate({number(one.angle)})"
    definitions[name] = element("pattern", *ground, stripe, id=name, **size, patternTransform=turn)
    return f"url(#{name})"


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
