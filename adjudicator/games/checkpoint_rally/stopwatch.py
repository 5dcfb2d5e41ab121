"""Draw the stopwatch: its figures in a circle, and the markers in stacks, with the top of each outermost (CR-T1, CR-T2)."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, pi, sin
from typing import Final

from adjudicator.game import Seat
from adjudicator.games.checkpoint_rally.state import DIAL, State
from adjudicator.scenes import Element, Point, Scene, Token, circle, group, line, rect, words

_TITLE: Final = "Stopwatch dial"
_WIDTH: Final = 316
_RADIUS: Final = 118
_MIDDLE: Final[Point] = (_WIDTH / 2, 22 + _RADIUS + 6)
_STACK: Final = 80
"""From the middle to the top of a stack, its outermost marker."""
_PITCH: Final = 17
"""From one marker of a stack to the next: they lie side by side, towards the middle."""
_APART: Final = 15.5
"""The least distance between the markers of two stacks."""
_DARK: Final = "#3a3a3a"
_GROUND: Final = "#fbfaf6"
_NAMED: Final = 5
"""The dial shows every figure that is a multiple of this; between them are strokes."""


def stopwatch(state: State, order: Iterable[Seat]) -> Scene:
    """Return the dial with the markers; ``order`` lists them as they are due, the top of a stack first."""
    stacks: dict[int, list[Seat]] = {}
    for seat in order:
        stacks.setdefault(state.of(seat).dial, []).append(seat)
    drawn, markers, lines = [*_FACE], list[Token](), list[str]()
    wide = max((len(str(at)) for at in stacks), default=0)
    for at, seats in sorted(stacks.items()):
        drawn.append(line((_at(at, _STACK - 6), _at(at, _RADIUS - 2)), stroke=_DARK, stroke_width=1.2))
        far, stack = float(_STACK), list[Token]()
        for left, seat in zip(range(len(seats) - 1, -1, -1), seats, strict=True):
            # Each marker lies as far out as its stack and the markers of other stacks let it be.
            choices = (far - step for step in range(max(1, int(far - left * _PITCH) + 1)))
            for one in choices:
                x, y = _at(at, one)
                if all(hypot(x - other.x, y - other.y) >= _APART for other in markers):
                    far = one
                    break
            stack.append(Token(seat, *_at(at, far), f"dial {at}", seat, seat, told="marker"))
            far -= _PITCH
        markers += reversed(stack)  # the lowest first, below the others
        lines.append(f"{at:>{wide}}  {' '.join(seats)}")
    # Lines and marks of changes are below figures and markers.
    over: tuple[Element, ...] = (_FIGURES, *markers)
    height = _MIDDLE[1] + _RADIUS + 4
    told = f"{_TITLE}, each stack from its lowest marker to its top"
    return Scene("dial", _TITLE, tuple(drawn), _WIDTH, height, over, tuple(lines), told=told, is_beside=True)


def _at(minute: int, far: float) -> Point:
    """Return the point ``far`` from the middle towards a minute of the dial, the last one at its top."""
    turn = 2 * pi * minute / DIAL
    return round(_MIDDLE[0] + far * sin(turn), 1), round(_MIDDLE[1] - far * cos(turn), 1)


_FACE: Final[tuple[Element, ...]] = (
    words(_TITLE, 0, 14, 13, "start", is_bold=True),
    rect(14, 10, _MIDDLE[0] - 7, _MIDDLE[1] - _RADIUS - 7, 2, fill=_DARK),
    circle(*_MIDDLE, _RADIUS, fill=_GROUND, stroke=_DARK, stroke_width=4),
    group(
        line(
            (_at(minute, _RADIUS - (4 if small else 7)), _at(minute, _RADIUS - 1)),
            stroke=_DARK,
            stroke_width=1 if small else 2,
        )
        for minute in range(1, DIAL + 1)
        for small in (minute % _NAMED,)
    ),
)
_FIGURES: Final = group(
    words(str(minute), x, y + 4, is_bold=True, halo=5, halo_ink=_GROUND)
    for minute in range(_NAMED, DIAL + 1, _NAMED)
    for x, y in [_at(minute, 98)]
)
"""The figures have a halo that interrupts the lines below them."""
