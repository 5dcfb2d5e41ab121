"""Draw the lever of a player in its gate, and the wheels with numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from adjudicator.core.drawing import Lever, Wheel
from adjudicator.reports.picture_colors import letter_ink
from adjudicator.reports.sanitize import printable
from adjudicator.reports.svg import element, words

GATE_HEIGHT: Final = 66
GATE_STEP: Final = 26
_SLOT: Final = 22
_DARK: Final = "#3a3a3a"
_MOST_FACES: Final = 12
WHEEL: Final = 50
"""The width of a wheel in pixels."""


def gate_width(lever: Lever) -> int:
    """Return the width of the gate of ``lever`` in pixels."""
    return max(1, len(lever.places) // 2) * GATE_STEP + 8


def gate_parts(lever: Lever, x: float, y: float, ink: str) -> Iterator[str]:
    """Yield the gate of ``lever`` around ``x``, ``y``, with a knob in the colour ``ink``."""
    slots = dict(_slots(lever, x, y))
    middle, left, right = y, min(at for at, _ in slots.values()), max(at for at, _ in slots.values())
    ways = [f"M{left} {middle}L{right} {middle}"]
    ways += [f"M{at} {middle}L{at} {end}" for at, end in slots.values() if end != middle]
    line = {"d": "".join(ways), "fill": "none", "stroke_linecap": "round"}
    yield element("path", **line, stroke=_DARK, stroke_width=13)
    yield element("path", **line, stroke="#ffffff", stroke_width=10)
    yield element("path", **line, stroke="#c9cbd2", stroke_width=4)
    for place, (at, end) in slots.items():
        is_here = place == lever.at
        yield element("circle", cx=at, cy=end, r=10 if is_here else 7, fill=ink if is_here else "#ffffff", stroke=_DARK)
        bold = {"fill": letter_ink(ink), "font_weight": "bold"} if is_here else {"fill": _DARK}
        yield words(place, at, end + 4, size=12 if is_here else 10, **bold)


def _slots(lever: Lever, x: float, y: float) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the places of the lever: the first in the middle, the others above and below in turn."""
    left = x - (gate_width(lever) - 8) / 2 + GATE_STEP / 2
    for at, place in enumerate(lever.places):
        if at == 0:
            yield place, (x, y)
        else:
            column, row = divmod(at - 1, 2)
            yield place, (left + column * GATE_STEP, y + (_SLOT if row else -_SLOT))


def wheel_parts(wheel: Wheel, x: float, y: float) -> Iterator[str]:
    """Yield ``wheel`` around ``x``, ``y``: its faces in a circle, with the current one marked and in the middle."""
    radius = WHEEL / 2 - 2
    yield element("circle", cx=x, cy=y, r=radius, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
    faces = wheel.faces if len(wheel.faces) <= _MOST_FACES else ()
    shown = next((at for at, face in enumerate(faces) if face == wheel.value), None)
    for at, face in enumerate(faces):
        angle = 2 * pi * at / len(faces) - pi / 2
        fx, fy = round(x + (radius - 6) * cos(angle), 1), round(y + (radius - 6) * sin(angle), 1)
        if at == shown:
            yield element("circle", cx=fx, cy=fy, r=6, fill=_DARK)
        yield words(str(face), fx, fy + 3, size=8, fill="#ffffff" if at == shown else _DARK)
    yield element("circle", cx=x, cy=y, r=9.5, fill=_DARK)
    yield words(str(wheel.value), x, y + 5, size=14, fill="#ffffff", font_weight="bold")
    yield words(printable(wheel.label), x, y + radius + 11, size=10, font_weight="bold")
