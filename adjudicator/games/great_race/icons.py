"""Draw the small signs of a map, each with its own shape, so that they differ without colour."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from adjudicator.game import frozen
from adjudicator.scenes import Element, Hatch, Path, polygon, rect, words


class Icon(StrEnum):
    """A small sign on a space."""

    DROP = "drop"
    NUT = "nut"
    BOLT = "bolt"
    STOP = "stop"
    CARD = "card"


@frozen
class Mark:
    """An ``icon`` on a space, with a ``number`` (0: none)."""

    icon: Icon
    number: int = 0


ICON_SIGNS: Final = {Icon.DROP: "~", Icon.NUT: "*", Icon.BOLT: "!", Icon.STOP: "■", Icon.CARD: "+"}
"""The character for each icon in text, which follows its number."""
ICON_NAMES: Final = {Icon.DROP: "fuel", Icon.NUT: "parts", Icon.BOLT: "danger", Icon.STOP: "stop", Icon.CARD: "cards"}
HATCHES: Final = Hatch("#555555", 1.2, 7, -45)
RING: Final = "#7d3c98"
WALL: Final[dict[str, Any]] = {"stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_DARK: Final = "#333333"
_OCTAGON: Final = ((-3.5, -8), (3.5, -8), (8, -3.5), (8, 3.5), (3.5, 8), (-3.5, 8), (-8, 3.5), (-8, -3.5))
_NUT: Final = ((-4, -8), (4, -8), (8, 0), (4, 8), (-4, 8), (-8, 0))


def mark_parts(mark: Mark) -> Iterator[Element]:
    """Yield ``mark`` around 0, 0: its icon, 16 pixels wide and high, with its number on it."""
    match mark.icon:
        case Icon.DROP:
            yield Path("M0 -10C4 -4 7 -1 7 3A7 7 0 0 1 -7 3C-7 -1 -4 -4 0 -10Z", fill="#1f4e79")
            yield from _number(mark, 7, "#ffffff")
        case Icon.NUT:
            yield polygon(_NUT, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
            yield from _number(mark, 4, _DARK)
        case Icon.BOLT:
            triangle = ((0, -9), (9, 7), (-9, 7))
            yield polygon(triangle, fill="#f2c230", stroke=_DARK, stroke_width=1.4, stroke_linejoin="round")
            yield words("!", 0, 6, 12, is_bold=True, fill="#111111")
        case Icon.STOP:
            yield polygon(_OCTAGON, fill="#b3261e", stroke="#ffffff")
            yield rect(10, 4, -5, -2, fill="#ffffff")
        case Icon.CARD:
            yield rect(12, 16, -6, -8, 2, fill="#ffffff", stroke=_DARK, stroke_width=1.4)
            yield from _number(mark, 4, _DARK)


def _number(mark: Mark, y: float, ink: str) -> Iterator[Element]:
    if mark.number:
        yield words(str(mark.number), 0, y, is_bold=True, fill=ink)
