"""Draw a dial: its figures in a circle, and the markers in stacks, with the top of each outermost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from adjudicator.core.drawing import Badge, Dial
from adjudicator.reports.changes import stack_name
from adjudicator.reports.legend import Key
from adjudicator.reports.sketch import Anchor, Part, Point, badge_anchors, badges_at
from adjudicator.reports.svg import element, words

_WIDTH: Final = 316
_TITLE: Final = 22
_RADIUS: Final = 118
_MIDDLE: Final[Point] = (_WIDTH / 2, _TITLE + _RADIUS + 6)
_FIGURES: Final = 98
"""From the middle to the figures, in pixels."""
_STACK: Final = 80
"""From the middle to the top of a stack, its outermost marker."""
_PITCH: Final = 13
_NAMED: Final = 5
"""The dial shows every figure that is a multiple of this; between them are strokes."""


def dial_parts(dial: Dial, key: Key) -> Part:
    """Return ``dial`` drawn, its title above it."""
    x, y = _MIDDLE
    drawn = [
        words(dial.title, 0, 14, size=13, anchor="start", font_weight="bold"),
        element("rect", x=x - 7, y=y - _RADIUS - 7, width=14, height=10, rx=2, fill="#3a3a3a"),
        element("circle", cx=x, cy=y, r=_RADIUS, fill="#fbfaf6", stroke="#3a3a3a", stroke_width=4),
        _round(dial.most),
    ]
    anchors = [anchor for stack in dial.stacks for anchor in _stack(dial, stack.at, stack.badges)]
    for stack in dial.stacks:
        (x1, y1), (x2, y2) = _at(dial.most, stack.at, _STACK - 6), _at(dial.most, stack.at, _RADIUS - 2)
        drawn.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#3a3a3a", stroke_width=1.2))
    # The lowest of a stack is drawn first, below the others.
    drawn += badges_at(reversed(anchors), key)
    return Part(tuple(drawn), _WIDTH, _MIDDLE[1] + _RADIUS + 4, tuple(anchors))


@lru_cache(maxsize=16)
def _round(most: int) -> str:
    """Return the figures of a dial from 1 to ``most``, and the strokes between them."""
    drawn = []
    for at in range(1, most + 1):
        is_named = at % _NAMED == 0 or at == most
        (x1, y1), (x2, y2) = _at(most, at, _RADIUS - (7 if is_named else 4)), _at(most, at, _RADIUS - 1)
        drawn.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#3a3a3a", stroke_width=2 if is_named else 1))
        if is_named:
            x, y = _at(most, at, _FIGURES)
            drawn.append(words(str(at), x, y + 4, size=11, font_weight="bold"))
    return "".join(drawn)


def _stack(dial: Dial, at: int, badges: tuple[Badge, ...]) -> Iterator[Anchor]:
    pitch = min(_PITCH, (_STACK - 8) / max(len(badges) - 1, 1))
    points = (_at(dial.most, at, _STACK - place * pitch) for place in range(len(badges)))
    return badge_anchors(stack_name(at), badges, points)


@lru_cache(maxsize=1 << 10)
def _at(most: int, at: int, far: float) -> Point:
    """Return the point ``far`` from the middle towards the figure ``at`` of ``most``."""
    turn = 2 * pi * at / max(most, 1)
    return round(_MIDDLE[0] + far * sin(turn), 1), round(_MIDDLE[1] - far * cos(turn), 1)
