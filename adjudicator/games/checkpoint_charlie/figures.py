"""Draw the person on a card, and small signs for clothes and things, which differ in shape and pattern.

Each thing has its own shape or, without one, its first letter; orange cloth has stripes. No reader depends on colour.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.components import Face
from adjudicator.games.checkpoint_charlie.tableau import Feature
from adjudicator.scenes import Element, Group, Hatch, Path, circle, ellipse, group, rect, words

_DARK: Final = "#2b2b2b"
_SKIN: Final = "#f3d9bd"
_GREY: Final = "#8b929a"
_ORANGE: Final = "#f0913a"
_STRIPE: Final = "#8a3f0a"
_PAPER: Final = "#ffffff"
ORANGE: Final = Hatch(_STRIPE, 2.4, 7, -35, _ORANGE)
"""Orange cloth."""
_LINE: Final[dict[str, Any]] = {"stroke": _DARK, "stroke_width": 1.6, "stroke_linejoin": "round", "stroke_linecap": "round"}
_THIN: Final = {**_LINE, "stroke_width": 1}
_OPEN: Final = {**_LINE, "fill": "none"}


def figure_parts(features: Collection[Feature]) -> Iterator[Element]:
    """Yield the person with ``features``, 86 pixels wide and 78 high, with the corner at 0, 0."""
    worn = {feature.look for feature in features if not feature.is_missing}
    cloth = ORANGE if Face.ORANGE in worn else _GREY
    yield from _coat(cloth) if Face.RAINCOAT in worn else _sweater(cloth)
    yield from _head()
    yield from _hat() if Face.HAT in worn else _hair()
    yield from _glasses() if Face.GLASSES in worn else _eyes()
    yield from _newspaper() if Face.NEWSPAPER in worn else _empty_hand()
    signs = (feature_icon(feature) for feature in features if feature.look in worn and feature.look not in _ICONS)
    yield from (group(sign, 9, 9 + 16 * at) for at, sign in enumerate(signs))


def _head() -> Iterator[Element]:
    yield rect(x=38, y=36, width=10, height=10, fill=_SKIN, **_THIN)
    yield ellipse(cx=43, cy=26, rx=13, ry=15, fill=_SKIN, **_LINE)
    yield Path("M43 27 l-2 5 h3", **{**_OPEN, "stroke_width": 1})
    yield Path("M39 36 q4 2 8 0", **{**_OPEN, "stroke_width": 1.2})


def _hair() -> Iterator[Element]:
    yield Path("M29.5 24 C28 8 38 7 46 9 C56 10 58 18 56.5 24 C54 18 50 17 45 18 C39 19 33 17 29.5 24 Z", fill=_DARK)


def _hat() -> Iterator[Element]:
    yield Path("M30 17 C30 6 33 1 38 1 Q43 4 48 1 C53 1 56 6 56 17 Z", fill=_DARK, **_LINE)
    yield Path("M30 12.5 h26 v4 h-26 Z", fill=_PAPER, **_THIN)
    yield Path("M20 17 Q43 12 66 17 Q62 22 43 20.5 Q24 22 20 17 Z", fill=_DARK, **_LINE)


def _eyes() -> Iterator[Element]:
    for x in (37.5, 48.5):
        yield circle(cx=x, cy=26, r=1.5, fill=_DARK)


def _glasses() -> Iterator[Element]:
    for x in (36.8, 49.2):
        yield circle(cx=x, cy=26, r=5.2, fill="#eaf4fb", stroke=_DARK, stroke_width=2.4)
        yield circle(cx=x, cy=26, r=1.4, fill=_DARK)
    yield Path("M41.6 25 q1.4 -1.4 2.8 0 M31.6 25 l-2 -1 M54.4 25 l2 -1", **{**_OPEN, "stroke_width": 2})


def _coat(cloth: str | Hatch) -> Iterator[Element]:
    """Yield a long coat: a collar turned up, lapels, buttons and a belt, wider below."""
    yield Path("M43 44 L27 48 Q18 51 16 60 L10 78 H76 L70 60 Q68 51 59 48 Z", fill=cloth, **_LINE)
    yield Path("M43 60 V78", **_OPEN)
    yield Path("M33 38 L30 50 L43 60 L37 47 Z M53 38 L56 50 L43 60 L49 47 Z", fill=_PAPER, **_LINE)
    yield Path("M15 68 H71 V73 H15 Z", fill=_DARK)
    yield rect(x=38, y=66.5, width=10, height=8, fill=_PAPER, **_LINE)
    for y in (62.5, 77):
        yield circle(cx=47, cy=y, r=1.5, fill=_PAPER, **_THIN)


def _sweater(cloth: str | Hatch) -> Iterator[Element]:
    """Yield a knitted sweater: a round neck, sleeves, and ribs at its hem."""
    yield Path("M34 45 Q22 47 20 56 L17 78 H69 L66 56 Q64 47 52 45 Q43 52 34 45 Z", fill=cloth, **_LINE)
    yield Path("M33.5 44 Q43 53 52.5 44 L54 47.5 Q43 58 32 47.5 Z", fill=_PAPER, **_LINE)
    yield Path("M27 59 L26 71 M59 59 L60 71", **_OPEN)
    yield rect(x=26, y=71, width=34, height=7, fill=_PAPER, **_LINE)
    yield Path(" ".join(f"M{x} 71 V78" for x in range(30, 60, 4)), **{**_OPEN, "stroke_width": 1})


def _newspaper() -> Iterator[Element]:
    """Yield a newspaper held before the breast, with its head, its lines, and the hand at its edge."""
    sheet = [
        Path("M0 0 H26 V27 H0 Z", fill=_PAPER, **_LINE),
        rect(x=3, y=3, width=20, height=5, fill=_DARK),
        Path("M3 12 H12 M3 16 H12 M3 20 H12 M3 24 H12 M15 12 H23 M15 22 H23", **{**_OPEN, "stroke_width": 1.4}),
        rect(x=15, y=14.5, width=8, height=5, fill="#b5b5b5"),
        circle(cx=1, cy=19, r=4, fill=_SKIN, **_LINE),
    ]
    yield group(sheet, 56, 47, angle=6)


def _empty_hand() -> Iterator[Element]:
    yield circle(cx=70, cy=76, r=4, fill=_SKIN, **_LINE)


@cache
def feature_icon(feature: Feature) -> tuple[Element, ...]:
    """Return the small sign of ``feature`` around 0, 0, 14 pixels wide and high; crossed out if it is missing."""
    own = _ICONS.get(feature.look)
    inner = tuple(own()) if own else (words(feature.look.words[0].upper(), 0, 4, 13, is_bold=True),)
    if not feature.is_missing:
        return inner
    line = "M-7 7L7 -7"
    crossed = Path(line, stroke="#ffffff", stroke_width=4), Path(line, stroke="#b3261e", stroke_width=2.2)
    return Group(inner, opacity=0.4), *crossed


def _hat_icon() -> Iterator[Element]:
    yield Path("M-4.5 2 C-4.5 -4 -3 -6 -1.5 -6 Q0 -4.6 1.5 -6 C3 -6 4.5 -4 4.5 2 Z", fill=_DARK)
    yield Path("M-7 2 H7 Q5 5 0 4.4 Q-5 5 -7 2 Z", fill=_DARK)


def _glasses_icon() -> Iterator[Element]:
    for x in (-3.8, 3.8):
        yield circle(cx=x, cy=0, r=3, fill=_PAPER, stroke=_DARK, stroke_width=1.8)
    yield Path("M-1 -0.6 q1 -1 2 0", **_OPEN)


def _coat_icon() -> Iterator[Element]:
    yield Path("M-2.5 -6.5 L-5.5 -4 L-6.5 6.5 H6.5 L5.5 -4 L2.5 -6.5 L0 -2 Z", fill=_PAPER, **_THIN)
    yield Path("M0 -2 V6.5", **_THIN)
    yield rect(x=-6, y=1, width=12, height=2, fill=_DARK)


def _sweater_icon() -> Iterator[Element]:
    yield Path("M-2.5 -6 Q0 -3.5 2.5 -6 L7 -3 L5.5 0 L4 -0.8 V6.5 H-4 V-0.8 L-5.5 0 L-7 -3 Z", fill=_PAPER, **_THIN)
    yield Path("M-4 4 H4 M-2 4 V6.5 M0 4 V6.5 M2 4 V6.5", **_THIN)


def _grey_icon() -> Iterator[Element]:
    yield rect(x=-6, y=-6, width=12, height=12, rx=2, fill=_GREY, **_THIN)


def _orange_icon() -> Iterator[Element]:
    yield rect(x=-6, y=-6, width=12, height=12, rx=2, fill=ORANGE, **_THIN)


def _newspaper_icon() -> Iterator[Element]:
    yield rect(x=-5.5, y=-6.5, width=11, height=13, fill=_PAPER, **_THIN)
    yield rect(x=-3.7, y=-4.7, width=7.4, height=2.6, fill=_DARK)
    yield Path("M-3.5 0 H3.5 M-3.5 2.3 H3.5 M-3.5 4.5 H1", **_THIN)


_ICONS: Final[Mapping[Face, Callable[[], Iterator[Element]]]] = {
    Face.HAT: _hat_icon,
    Face.GLASSES: _glasses_icon,
    Face.RAINCOAT: _coat_icon,
    Face.SWEATER: _sweater_icon,
    Face.GREY: _grey_icon,
    Face.ORANGE: _orange_icon,
    Face.NEWSPAPER: _newspaper_icon,
}
