"""Make paths of rectangles, circles and lines; keyword arguments are the look of a ``Path``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from adjudicator.scenes.scene import Element, Group, Path, Text

Point = tuple[float, float]


def number(value: float) -> str:
    """Return ``value`` as short as possible, with at most two decimals."""
    return f"{round(value, 2):.7g}"


def way(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return path data for a line through ``points``; ``closed`` leads back to the first."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + ("Z" if closed else "")


def line(points: Iterable[Point], **look: Any) -> Path:
    """Return a line through ``points``."""
    return Path(way(points), **look)


def polygon(points: Iterable[Point], **look: Any) -> Path:
    """Return the area between ``points``."""
    return Path(way(points, closed=True), **look)


def rect(width: float, height: float, x: float = 0, y: float = 0, rx: float = 0, **look: Any) -> Path:
    """Return a rectangle with its corner at ``x``, ``y``; its corners are round with a radius of ``rx``."""
    start, wide, high, r = f"M{number(x + rx)} {number(y)}", number(width - 2 * rx), number(height - 2 * rx), number(rx)
    if not rx:
        return Path(f"{start}h{wide}v{high}h-{wide}Z", **look)
    arc = f"a{r} {r} 0 0 1"
    return Path(f"{start}h{wide}{arc} {r} {r}v{high}{arc} -{r} {r}h-{wide}{arc} -{r} -{r}v-{high}{arc} {r} -{r}Z", **look)


def circle(cx: float, cy: float, r: float, **look: Any) -> Path:
    """Return a circle around ``cx``, ``cy``."""
    return ellipse(cx, cy, r, r, **look)


def ellipse(cx: float, cy: float, rx: float, ry: float, **look: Any) -> Path:
    """Return an ellipse around ``cx``, ``cy``."""
    half = f"a{number(rx)} {number(ry)} 0 1 1"
    return Path(f"M{number(cx + rx)} {number(cy)}{half} -{number(2 * rx)} 0{half} {number(2 * rx)} 0Z", **look)


def words(text: str, x: float, y: float, size: float = 11, anchor: str = "middle", **look: Any) -> Text:
    """Return ``text`` with its middle (or ``anchor``) at ``x`` and its base line at ``y``."""
    return Text(text, x, y, size, anchor, **look)


def group(parts: Iterable[Element], x: float = 0, y: float = 0, **given: Any) -> Group:
    """Return ``parts`` moved by ``x`` and ``y``; the other arguments are those of a ``Group``."""
    return Group(tuple(parts), x, y, **given)
