"""Write the parts of a scene as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, Final

from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_parts import KeptGroups
from adjudicator.reports.seat_key import Key
from adjudicator.reports.svg import element, plain
from adjudicator.scenes.colors import letter_ink, seat_ink
from adjudicator.scenes.scene import LETTER, SEAT, Element, Group, Hatch, Path, Sign, Symbol, Text, Token
from adjudicator.scenes.shapes import circle, number, words

Definitions = dict[str, str]
"""What a picture defines once: the ids of hatches and symbols, and their SVG."""
_BLACK: Final = "#000000"
_LOOK: Final = {
    "stroke": "",
    "stroke_width": 1,
    "stroke_dasharray": "",
    "stroke_linecap": "",
    "stroke_linejoin": "",
    "stroke_opacity": 1,
    "fill_opacity": 1,
    "opacity": 1,
    "paint_order": "",
}
"""The look of a path that needs no words in SVG."""
_WRITTEN: Final = KeptGroups()


def scene_svg(parts: Iterable[Element], key: Key, ink: str = _BLACK) -> tuple[tuple[str, ...], Definitions]:
    """Return ``parts`` as SVG, and the definitions that it needs; ``ink`` is that of ``SEAT``."""
    drawn, definitions = [], Definitions()
    for one in parts:
        text, needed = _written(one, key, ink)
        drawn.append(text)
        definitions |= needed
    return tuple(drawn), definitions


def _written(one: Element, key: Key, ink: str) -> tuple[str, Definitions]:
    match one:
        case Group():
            ink = seat_ink(one.seat, key.seats) if one.seat else ink
            made: tuple[str, Definitions] = _WRITTEN.of(one, (key, ink), partial(_group, one, key, ink))
            return made
        case Token():
            return _group(_token_group(one, key), key, one.ink or seat_ink(one.seat or one.text, key.seats))
        case Symbol():
            return _symbol(one, key, ink)
        case Path():
            return _path(one, ink)
    return _text(one, ink), {}


def _group(one: Group, key: Key, ink: str) -> tuple[str, Definitions]:
    drawn, definitions = scene_svg(one.parts, key, ink)
    moves = [f"translate({number(one.x)} {number(one.y)})"] if one.x or one.y else []
    moves += [f"rotate({number(one.angle)})"] if one.angle else []
    moves += [f"scale({number(one.scale)})"] if one.scale != 1 else []
    given = {"data-id": printable(one.id)} if one.id else {}
    if one.opacity != 1:
        given["opacity"] = str(one.opacity)
    if moves:
        given["transform"] = " ".join(moves)
    return (element("g", *drawn, **given) if given or len(drawn) != 1 else drawn[0]), definitions


def _symbol(one: Symbol, key: Key, ink: str) -> tuple[str, Definitions]:
    drawn, definitions = scene_svg(one.parts, key, ink)
    place = {name: value for name, value in (("x", one.x), ("y", one.y)) if value}
    ids = {"data-id": printable(one.id)} if one.id else {}
    definitions = {**definitions, one.name: element("g", *drawn, id=one.name)}
    return element("use", href=f"#{one.name}", **place, **ids), definitions


@lru_cache(maxsize=1 << 13)
def _path(one: Path, ink: str) -> tuple[str, Definitions]:
    given: dict[str, Any] = {"data-id": printable(one.id)} if one.id else {}
    given |= {"d": one.way}
    definitions = {}
    if isinstance(one.fill, Hatch):
        name, definition = _hatch(one.fill)
        definitions[name] = definition
        given["fill"] = f"url(#{name})"
    else:
        given["fill"] = _ink(one.fill, ink)
    for name, usual in _LOOK.items():
        value = getattr(one, name)
        if value != usual:
            given[name] = _ink(value, ink) if name == "stroke" else value
    return element("path", **given), definitions


@lru_cache(maxsize=64)
def _hatch(one: Hatch) -> tuple[str, str]:
    name = "hatch-" + "".join(filter(str.isalnum, f"{one.ink}{one.width}{one.gap}{one.angle}{one.ground}"))
    ground = [element("rect", width=one.gap, height=one.gap, fill=one.ground)] if one.ground else []
    stripe = element("rect", width=one.gap, height=one.width, fill=one.ink)
    size = {"width": one.gap, "height": one.gap, "patternUnits": "userSpaceOnUse"}
    return name, element("pattern", *ground, stripe, id=name, **size, patternTransform=f"rotate({number(one.angle)})")


@lru_cache(maxsize=1 << 12)
def _text(one: Text, ink: str) -> str:
    given: dict[str, Any] = {"data-id": printable(one.id)} if one.id else {}
    given |= {"x": one.x, "y": one.y, "font_size": one.size, "text_anchor": one.anchor}
    if one.fill:
        given["fill"] = _ink(one.fill, ink)
    if one.is_bold:
        given["font_weight"] = "bold"
    if one.halo:
        given |= {"stroke": one.halo_ink, "stroke_width": one.halo, "paint_order": "stroke"}
    return element("text", plain(one.text), **given)


def _ink(fill: str, ink: str) -> str:
    return ink if fill == SEAT else letter_ink(ink) if fill == LETTER else fill


def _token_group(one: Token, key: Key) -> Group:
    """Return the parts of a token, with the letter of its seat."""
    letter = key.initial(one.text, one.seat or one.text)
    if one.body:
        parts = (*one.body, *_letter(letter, 0, one.drop, one.letter if len(letter) == 1 else 8, LETTER), *one.over)
    else:
        parts = (*_BODIES[one.sign](one, letter), *one.over)
    return Group(parts, one.x, one.y, id=one.id)


def _letter(letter: str, x: float, y: float, size: float, ink: str) -> tuple[Text, ...]:
    return (words(letter, x, y, size, fill=ink, is_bold=True),) if letter else ()


def _piece(_one: Token, letter: str) -> Iterator[Element]:
    yield circle(0, 0, 8, fill=SEAT, stroke="#ffffff")
    yield from _letter(letter, 0, 4.3, 12 if len(letter) == 1 else 8, LETTER)


def _mark(_one: Token, letter: str) -> Iterator[Element]:
    """Yield a ring with a tick, after a letter if there is one."""
    yield circle(0, 0, 9, fill="#ffffff", stroke=SEAT, stroke_width=2)
    yield from _letter(letter, -2, 2, 10 if len(letter) == 1 else 6, _BLACK)
    tick = "M-0.5 3.5l2 2.5 4-6" if letter else "M-3 0l2 3 4-6"
    yield Path(tick, stroke=SEAT, stroke_width=2)


def _goal(_one: Token, letter: str) -> Iterator[Element]:
    yield circle(0, 0, 8.5, fill="#ffffff", stroke=SEAT, stroke_width=1.6)
    yield circle(0, 0, 6 if letter else 3, fill=SEAT)
    yield from _letter(letter, 0, 3.5, 10 if len(letter) == 1 else 7, LETTER)


def _note(one: Token, _letter: str) -> Iterator[Element]:
    yield words(one.text, 0, 4, 9)


_BODIES: Final = {Sign.PIECE: _piece, Sign.MARK: _mark, Sign.GOAL: _goal, Sign.NOTE: _note}
