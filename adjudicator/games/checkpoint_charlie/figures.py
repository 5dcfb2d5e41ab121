"""Draw the person on a card, and small signs for clothes and things, which differ in shape and pattern.

Each thing has its own shape or, without one, its first letter; orange cloth has stripes. No reader depends on colour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from adjudicator.games.checkpoint_charlie.components import Face
from adjudicator.scenes import Element, Group, Hatch, Path, circle, ellipse, group, rect, words

_DARK: Final = "#2b2b2b"
_SKIN: Final = "#f3d9bd"
_GREY: Final = "#8b929a"
_PAPER: Final = "#ffffff"
_ORANGE: Final = Hatch("#8a3f0a", 2.4, 7, -35, "#f0913a")
"""Orange cloth."""
_LINE: Final[dict[str, Any]] = {"stroke": _DARK, "stroke_width": 1.6, "stroke_linejoin": "round", "stroke_linecap": "round"}
_THIN: Final = {**_LINE, "stroke_width": 1}
_OPEN: Final = {**_LINE, "fill": "none"}

_HEAD: Final = (
    rect(x=38, y=36, width=10, height=10, fill=_SKIN, **_THIN),
    ellipse(cx=43, cy=26, rx=13, ry=15, fill=_SKIN, **_LINE),
    Path("M43 27 l-2 5 h3", **{**_OPEN, "stroke_width": 1}),
    Path("M39 36 q4 2 8 0", **{**_OPEN, "stroke_width": 1.2}),
)
_HAIR: Final = (Path("M29.5 24 C28 8 38 7 46 9 C56 10 58 18 56.5 24 C54 18 50 17 45 18 C39 19 33 17 29.5 24 Z", fill=_DARK),)
_HAT: Final = (
    Path("M30 17 C30 6 33 1 38 1 Q43 4 48 1 C53 1 56 6 56 17 Z", fill=_DARK, **_LINE),
    Path("M30 12.5 h26 v4 h-26 Z", fill=_PAPER, **_THIN),
    Path("M20 17 Q43 12 66 17 Q62 22 43 20.5 Q24 22 20 17 Z", fill=_DARK, **_LINE),
)
_EYES: Final = tuple(circle(cx=x, cy=26, r=1.5, fill=_DARK) for x in (37.5, 48.5))
_GLASSES: Final = (
    *(
        circle(cx=x, cy=26, r=r, **look)
        for x in (36.8, 49.2)
        for r, look in ((5.2, {"fill": "#eaf4fb", "stroke": _DARK, "stroke_width": 2.4}), (1.4, {"fill": _DARK}))
    ),
    Path("M41.6 25 q1.4 -1.4 2.8 0 M31.6 25 l-2 -1 M54.4 25 l2 -1", **{**_OPEN, "stroke_width": 2}),
)
_NEWSPAPER: Final = (
    group(
        (
            Path("M0 0 H26 V27 H0 Z", fill=_PAPER, **_LINE),
            rect(x=3, y=3, width=20, height=5, fill=_DARK),
            Path("M3 12 H12 M3 16 H12 M3 20 H12 M3 24 H12 M15 12 H23 M15 22 H23", **{**_OPEN, "stroke_width": 1.4}),
            rect(x=15, y=14.5, width=8, height=5, fill="#b5b5b5"),
            circle(cx=1, cy=19, r=4, fill=_SKIN, **_LINE),
        ),
        *(56, 47),
        angle=6,
    ),
)
"""A newspaper held before the breast, with its head, its lines, and the hand at its edge."""
_EMPTY_HAND: Final = (circle(cx=70, cy=76, r=4, fill=_SKIN, **_LINE),)
_ICONS: Final[Mapping[Face, tuple[Element, ...]]] = {
    Face.HAT: (
        Path("M-4.5 2 C-4.5 -4 -3 -6 -1.5 -6 Q0 -4.6 1.5 -6 C3 -6 4.5 -4 4.5 2 Z", fill=_DARK),
        Path("M-7 2 H7 Q5 5 0 4.4 Q-5 5 -7 2 Z", fill=_DARK),
    ),
    Face.GLASSES: (
        *(circle(cx=x, cy=0, r=3, fill=_PAPER, stroke=_DARK, stroke_width=1.8) for x in (-3.8, 3.8)),
        Path("M-1 -0.6 q1 -1 2 0", **_OPEN),
    ),
    Face.RAINCOAT: (
        Path("M-2.5 -6.5 L-5.5 -4 L-6.5 6.5 H6.5 L5.5 -4 L2.5 -6.5 L0 -2 Z", fill=_PAPER, **_THIN),
        Path("M0 -2 V6.5", **_THIN),
        rect(x=-6, y=1, width=12, height=2, fill=_DARK),
    ),
    Face.SWEATER: (
        Path("M-2.5 -6 Q0 -3.5 2.5 -6 L7 -3 L5.5 0 L4 -0.8 V6.5 H-4 V-0.8 L-5.5 0 L-7 -3 Z", fill=_PAPER, **_THIN),
        Path("M-4 4 H4 M-2 4 V6.5 M0 4 V6.5 M2 4 V6.5", **_THIN),
    ),
    Face.GREY: (rect(x=-6, y=-6, width=12, height=12, rx=2, fill=_GREY, **_THIN),),
    Face.ORANGE: (rect(x=-6, y=-6, width=12, height=12, rx=2, fill=_ORANGE, **_THIN),),
    Face.NEWSPAPER: (
        rect(x=-5.5, y=-6.5, width=11, height=13, fill=_PAPER, **_THIN),
        rect(x=-3.7, y=-4.7, width=7.4, height=2.6, fill=_DARK),
        Path("M-3.5 0 H3.5 M-3.5 2.3 H3.5 M-3.5 4.5 H1", **_THIN),
    ),
}


def person(looks: Collection[Face]) -> Iterator[Element]:
    """Yield the person with ``looks``, 86 pixels wide and 78 high, with the corner at 0, 0."""
    cloth = _ORANGE if Face.ORANGE in looks else _GREY
    if Face.RAINCOAT in looks:  # A long coat: a collar turned up, lapels, buttons and a belt, wider below.
        yield Path("M43 44 L27 48 Q18 51 16 60 L10 78 H76 L70 60 Q68 51 59 48 Z", fill=cloth, **_LINE)
        yield Path("M43 60 V78", **_OPEN)
        yield Path("M33 38 L30 50 L43 60 L37 47 Z M53 38 L56 50 L43 60 L49 47 Z", fill=_PAPER, **_LINE)
        yield Path("M15 68 H71 V73 H15 Z", fill=_DARK)
        yield rect(x=38, y=66.5, width=10, height=8, fill=_PAPER, **_LINE)
        yield from (circle(cx=47, cy=y, r=1.5, fill=_PAPER, **_THIN) for y in (62.5, 77))
    else:  # A knitted sweater: a round neck, sleeves, and ribs at its hem.
        yield Path("M34 45 Q22 47 20 56 L17 78 H69 L66 56 Q64 47 52 45 Q43 52 34 45 Z", fill=cloth, **_LINE)
        yield Path("M33.5 44 Q43 53 52.5 44 L54 47.5 Q43 58 32 47.5 Z", fill=_PAPER, **_LINE)
        yield Path("M27 59 L26 71 M59 59 L60 71", **_OPEN)
        yield rect(x=26, y=71, width=34, height=7, fill=_PAPER, **_LINE)
        yield Path(" ".join(f"M{x} 71 V78" for x in range(30, 60, 4)), **{**_OPEN, "stroke_width": 1})
    yield from _HEAD
    yield from _HAT if Face.HAT in looks else _HAIR
    yield from _GLASSES if Face.GLASSES in looks else _EYES
    yield from _NEWSPAPER if Face.NEWSPAPER in looks else _EMPTY_HAND
    unusual = (face for face in looks if face.look is face and face not in _ICONS)
    yield from (group(sign(face), 9, 9 + 16 * at) for at, face in enumerate(unusual))


@cache
def sign(face: Face) -> tuple[Element, ...]:
    """Return the small sign of ``face`` around 0, 0, 14 pixels wide and high; crossed out for a look that is missing."""
    inner = _ICONS.get(face.look) or (words(face.look.words[0].upper(), 0, 4, 13, is_bold=True),)
    if face.look is face:
        return inner
    line = "M-7 7L7 -7"
    crossed = Path(line, stroke="#ffffff", stroke_width=4), Path(line, stroke="#b3261e", stroke_width=2.2)
    return Group(inner, opacity=0.4), *crossed
