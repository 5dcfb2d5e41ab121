"""Find the way of a moved piece along the road of a scene, for the arrow of its move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot

from adjudicator.core.graph import cheapest_way
from adjudicator.reports.sketch import Part, Point
from adjudicator.scenes.scene import Road


def road_between(part: Part, origin: str, place: str) -> tuple[Point, ...]:
    """Return the points between ``origin`` and ``place`` on the shortest way along the road; empty without such a way."""
    if part.road is None:
        return ()
    middles = {anchor.place: (anchor.x, anchor.y) for anchor in part.anchors if anchor.badge is None}
    followers = _followers(part.road)
    names = cheapest_way(origin, place, lambda here: [(other, 1) for other in followers.get(here, ())])
    points = [middles[name] for name in names if name in middles]
    return _beside(points, part.road.beside)[1:-1] if len(points) == len(names) else ()


@lru_cache(maxsize=16)
def _followers(road: Road) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for one, other in road.steps:
        found.setdefault(one, []).append(other)
    return found


def _beside(points: Sequence[Point], far: float) -> tuple[Point, ...]:
    """Return ``points`` moved ``far`` to the right of their direction; at a corner to the right of both directions."""
    moved = []
    for at, (x, y) in enumerate(points):
        (x1, y1), (x2, y2) = points[max(at - 1, 0)], points[min(at + 1, len(points) - 1)]
        into, out = _unit(x - x1, y - y1), _unit(x2 - x, y2 - y)
        if into == (0, 0) or out == (0, 0):
            right, by = (into[0] + out[0], into[1] + out[1]), far
        else:
            right = _unit(into[0] + out[0], into[1] + out[1])
            by = far / max(0.5, right[0] * out[0] + right[1] * out[1])
        moved.append((x - by * right[1], y + by * right[0]))
    return tuple(moved)


def _unit(x: float, y: float) -> Point:
    long = hypot(x, y)
    return (x / long, y / long) if long else (0, 0)
