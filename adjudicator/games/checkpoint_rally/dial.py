"""Draw a dial: its figures in a circle, and the markers in stacks, with the top of each outermost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import Final

from adjudicator.game import listed
from adjudicator.scenes import Element, Group, Lines, Point, Run, Scene, Token, circle, group, line, rect, words

_WIDTH: Final = 316
_TITLE: Final = 22
_RADIUS: Final = 118
_MIDDLE: Final[Point] = (_WIDTH / 2, _TITLE + _RADIUS + 6)
_FIGURES: Final = 98
"""From the middle to the figures, in pixels."""
_STACK: Final = 80
"""From the middle to the top of a stack, its outermost marker."""
_PITCH: Final = 17
"""From one marker of a stack to the next: they lie side by side, towards the middle."""
_APART: Final = 15.5
"""The least distance between the markers of two stacks."""
_GROUND: Final = "#fbfaf6"
_NAMED: Final = 5
"""The dial shows every figure that is a multiple of this; between them are strokes."""


def dial_scene(name: str, title: str, most: int, stacks: Mapping[int, Sequence[str]]) -> Scene:
    """Return a dial with figures from 1 to ``most``, the last one at its top, to the right of the scene before it.

    ``stacks`` are the seats whose markers are on each figure, the top of the stack first.
    """
    x, y = _MIDDLE
    drawn: list[Element] = [
        words(title, 0, 14, 13, "start", is_bold=True),
        rect(14, 10, x - 7, y - _RADIUS - 7, 2, fill="#3a3a3a"),
        circle(x, y, _RADIUS, fill=_GROUND, stroke="#3a3a3a", stroke_width=4),
        _round(most),
    ]
    for at in stacks:
        ends = _at(most, at, _STACK - 6), _at(most, at, _RADIUS - 2)
        drawn.append(line(ends, stroke="#3a3a3a", stroke_width=1.2))
    # The lowest of a stack is drawn first, below the others; lines and marks of changes are below figures and markers.
    over: tuple[Element, ...] = (_figures(most), *_tokens(most, stacks))
    height = _MIDDLE[1] + _RADIUS + 4
    text, told = _text(stacks), tuple(_sentences(title, stacks))
    return Scene(name, title, tuple(drawn), _WIDTH, height, over, text, told, is_beside=True)


def _text(stacks: Mapping[int, Sequence[str]]) -> Lines:
    wide = max((len(str(at)) for at in stacks), default=0)
    return Lines(tuple((Run(f"{at:>{wide}}  {' '.join(seats)}"),) for at, seats in stacks.items()))


def _sentences(title: str, stacks: Mapping[int, Sequence[str]]) -> Iterator[str]:
    for at, seats in stacks.items():
        under = ", the first on top" if len(seats) > 1 else ""
        yield f"{title}, at {at}: {listed(seats)}{under}."


@lru_cache(maxsize=16)
def _round(most: int) -> Group:
    """Return the strokes of a dial from 1 to ``most``."""
    drawn: list[Element] = []
    for at in range(1, most + 1):
        is_named = _is_named(at, most)
        ends = _at(most, at, _RADIUS - (7 if is_named else 4)), _at(most, at, _RADIUS - 1)
        drawn.append(line(ends, stroke="#3a3a3a", stroke_width=2 if is_named else 1))
    return group(drawn)


@lru_cache(maxsize=16)
def _figures(most: int) -> Group:
    """Return the figures of a dial, with a halo that interrupts the lines below them."""
    places = ((at, _at(most, at, _FIGURES)) for at in range(1, most + 1) if _is_named(at, most))
    return group(words(str(at), x, y + 4, is_bold=True, halo=5, halo_ink=_GROUND) for at, (x, y) in places)


def _is_named(at: int, most: int) -> bool:
    return at % _NAMED == 0 or at == most


def _tokens(most: int, stacks: Mapping[int, Sequence[str]]) -> list[Token]:
    """Return the markers, each as far out as its stack and the markers of other stacks let it be."""
    found = list[Token]()
    for at, seats in stacks.items():
        pitch, far, stack = min(_PITCH, (_STACK - 8) / max(len(seats) - 1, 1)), float(_STACK), list[Token]()
        for left, seat in zip(range(len(seats) - 1, -1, -1), seats, strict=True):
            room = far - left * pitch
            choices = (float(far - step) for step in range(max(1, int(room) + 1)))
            far = next((one for one in choices if _is_free(_at(most, at, one), found)), far)
            stack.append(Token(seat, *_at(most, at, far), f"dial {at}", seat, seat))
            far -= pitch
        found += reversed(stack)
    return found


def _is_free(point: Point, others: Sequence[Token]) -> bool:
    return all(hypot(point[0] - other.x, point[1] - other.y) >= _APART for other in others)


@lru_cache(maxsize=1 << 10)
def _at(most: int, at: int, far: float) -> Point:
    """Return the point ``far`` from the middle towards the figure ``at`` of ``most``."""
    turn = 2 * pi * at / max(most, 1)
    return round(_MIDDLE[0] + far * sin(turn), 1), round(_MIDDLE[1] - far * cos(turn), 1)
