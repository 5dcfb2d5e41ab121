"""Draw the small figures of grounds, each with its own shape, so that no reader depends on colours or letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.drawing import Texture
from adjudicator.reports.svg import element


def texture_definitions(textures: Iterable[Texture]) -> Iterator[str]:
    """Yield the figures of ``textures``, which a picture needs once, each about 18 pixels wide and 14 high."""
    for texture in sorted({*textures}):
        yield element("g", *_FIGURES[texture], id=texture.value)


def figure(texture: Texture, x: float, y: float, scale: float = 1) -> str:
    """Return the figure of ``texture`` around ``x``, ``y``."""
    place = {"x": x, "y": y} if scale == 1 else {"transform": f"translate({x} {y}) scale({scale})"}
    return element("use", href=f"#{texture.value}", **place)


def _filled(d: str, ink: str) -> str:
    return element("path", d=d, fill=ink)


def _drawn(d: str, ink: str, width: float = 1.5) -> str:
    return element("path", d=d, fill="none", stroke=ink, stroke_width=width, stroke_linecap="round")


_FIGURES: Final[dict[Texture, tuple[str, ...]]] = {
    Texture.TOWN: (
        _filled("M-9 6V-1L-5 -5L-1 -1V6Z", "#a6452e"),
        _filled("M0 6V-8H6V6ZM7 6V-3H10V6Z", "#7e3120"),
        _filled("M-6 6V2H-4V6ZM1.5 -6H3V-4.5H1.5ZM1.5 -3H3V-1.5H1.5ZM3.8 -6H5.2V-4.5H3.8ZM3.8 -3H5.2V-1.5H3.8Z", "#ffffff"),
    ),
    Texture.PEAKS: (
        _filled("M-10 6L-3.5 -7L0.5 0.5L3.5 -4L10 6Z", "#62627c"),
        _filled("M-3.5 -7L-6 -2L-4.4 -3L-3.3 -1.6L-2.2 -3L-0.9 -2.2ZM3.5 -4L1.9 -1.6L3.4 -2.2L5 -1.7Z", "#ffffff"),
    ),
    Texture.GRASS: (
        _drawn("M-8 5Q-8 0 -10 -3M-7 5V-4M-6 5Q-6 0 -4 -3M-1 1Q-1 -3 -2.6 -5M0 1V-6M1 1Q1 -3 2.6 -5", "#47792f"),
        _drawn("M5 6Q5 1 3 -2M6 6V-3M7 6Q7 1 9 -2", "#47792f"),
    ),
    Texture.SAND: (
        _drawn("M-10 5Q-6 0 -1 4Q4 1 10 5", "#a8781c"),
        _drawn("M3 2V-7M3 -1H-0.5V-4M3 -2.5H6.2V-5.5", "#5d7a2c", 2),
        _drawn("M-8 -1H-7.9M-5 -4H-4.9M-7 -6H-6.9M8 1H8.1", "#a8781c", 1.6),
    ),
}
