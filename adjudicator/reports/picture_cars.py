"""Draw small cars from above, in the colour of their seats and with a letter; crashed cars look different."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, degrees, pi, sin
from typing import Final

from adjudicator.reports.picture_colors import letter_ink
from adjudicator.reports.svg import element, words

_DARK: Final = "#26282c"
_BODY: Final = "M-13 -5 L-12 -6.5 L6 -6.5 Q13 -5.5 13.5 0 Q13 5.5 6 6.5 L-12 6.5 L-13 5 Z"
_WHEELS: Final = ((-8, -7.5), (-8, 7.5), (6.5, -7), (6.5, 7))
CAR: Final = 33
"""The diameter in pixels of the circle in which a car turns."""
BURST: Final = 47
"""The same with the burst around a crashed car."""
_ASKEW: Final = 0.7
"""The angle between a crashed car and the track, in radians."""


def car_parts(x: float, y: float, direction: float, ink: str, letter: str, *, stopped: int = 0) -> Iterator[str]:
    """Yield a car around ``x``, ``y`` with ``direction`` in radians and its ``letter`` upright on it.

    A car ``stopped`` for a number of turns is askew in a burst, with the number beside it.
    """
    if stopped:
        points = " ".join(
            f"{x + far * cos(at * pi / 9):.1f},{y + far * sin(at * pi / 9):.1f}"
            for at, far in ((at, 22 if at % 2 else 14.5) for at in range(18))
        )
        yield element("polygon", points=points, fill="#ffd84d", stroke=_DARK, stroke_width=1.4, stroke_linejoin="round")
        direction += _ASKEW
    wheels = (element("rect", x=wx - 2.6, y=wy - 1.6, width=5.2, height=3.2, rx=1, fill=_DARK) for wx, wy in _WHEELS)
    body = element("path", d=_BODY, fill=ink, stroke="#ffffff", stroke_width=1.1)
    wing = element("rect", x=-14, y=-6, width=2.6, height=12, rx=0.8, fill=_DARK)
    turned = f"translate({x:.1f} {y:.1f}) rotate({degrees(direction):.1f})"
    yield element("g", *wheels, body, wing, transform=turned)
    yield words(
        letter, round(x, 1), round(y + 4, 1), size=11 if len(letter) == 1 else 8, fill=letter_ink(ink), font_weight="bold"
    )
    if stopped:
        sign = {"cx": round(x + 17, 1), "cy": round(y - 15, 1), "r": 8}
        yield element("circle", **sign, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
        yield words(f"−{stopped}", sign["cx"], round(y - 11.2, 1), size=10, font_weight="bold")
