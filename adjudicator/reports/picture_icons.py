"""Draw the small signs of a chart, each with its own shape, so that they differ without colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Icon, Mark
from adjudicator.reports.svg import element, words

HATCHES: Final = "hatches"
"""The name of the pattern for hatched regions."""
RING: Final = "#7d3c98"
WALL: Final = {"fill": "none", "stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_DARK: Final = "#333333"


def hatch_definition() -> str:
    """Return the pattern of hatched regions, which a picture needs once."""
    line = element("path", d="M0 0 L0 7", stroke="#555555", stroke_width=2.4)
    size = {"width": 7, "height": 7, "patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return element("defs", element("pattern", line, id=HATCHES, **size))


def mark_parts(mark: Mark, x: float, y: float) -> Iterator[str]:
    """Yield ``mark`` around ``x``, ``y``: its icon, 16 pixels wide and high, with its number on it."""
    match mark.icon:
        case Icon.DROP:
            d = f"M{x} {y - 10} C{x + 4} {y - 4} {x + 7} {y - 1} {x + 7} {y + 3} A7 7 0 0 1 {x - 7} {y + 3}"
            yield element("path", d=f"{d} C{x - 7} {y - 1} {x - 4} {y - 4} {x} {y - 10} Z", fill="#1f4e79")
            yield from _number(mark, x, y + 7, "#ffffff")
        case Icon.NUT:
            points = f"{x - 4},{y - 8} {x + 4},{y - 8} {x + 8},{y} {x + 4},{y + 8} {x - 4},{y + 8} {x - 8},{y}"
            yield element("polygon", points=points, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
            yield from _number(mark, x, y + 4, _DARK)
        case Icon.BOLT:
            points = f"{x},{y - 9} {x + 9},{y + 7} {x - 9},{y + 7}"
            yield element("polygon", points=points, fill="#f2c230", stroke=_DARK, stroke_width=1.4, stroke_linejoin="round")
            yield words("!", x, y + 6, size=12, font_weight="bold", fill="#111111")
        case Icon.STOP:
            points = " ".join(f"{x + a},{y + b}" for a, b in _OCTAGON)
            yield element("polygon", points=points, fill="#b3261e", stroke="#ffffff")
            yield element("rect", x=x - 5, y=y - 2, width=10, height=4, fill="#ffffff")
        case Icon.CARD:
            yield element(
                "rect", x=x - 6, y=y - 8, width=12, height=16, rx=2, fill="#ffffff", stroke=_DARK, stroke_width=1.4
            )
            yield from _number(mark, x, y + 4, _DARK)


_OCTAGON: Final = ((-3.5, -8), (3.5, -8), (8, -3.5), (8, 3.5), (3.5, 8), (-3.5, 8), (-8, 3.5), (-8, -3.5))


def _number(mark: Mark, x: float, y: float, ink: str) -> Iterator[str]:
    if mark.number:
        yield words(str(mark.number), x, y, size=11, font_weight="bold", fill=ink)
