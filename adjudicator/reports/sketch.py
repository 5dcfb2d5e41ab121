"""Draw scenes with their size and the places in them, for pages and for marks."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.values import Value, Whole
from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_parts import Badge, Found, badge_of, found_in
from adjudicator.reports.scene_svg import scene_svg
from adjudicator.reports.seat_key import Key
from adjudicator.reports.svg import element, grouped
from adjudicator.scenes.scene import Road, Scene

Point = tuple[float, float]


class Anchor(Value):
    """A place in a picture, or the ``badge`` there: its middle, its width and its height in pixels.

    ``place`` is its name in `changes`, ``corners`` is its shape around the middle (empty: a rectangle), ``id`` the id of the
    badge in the picture.
    """

    place: str
    badge: Badge | None
    x: float
    y: float
    width: float = 20
    height: float = 20
    corners: tuple[Point, ...] = ()
    id: str = ""


class Part(Value):
    """Drawn elements with the corner at 0, 0, and their width and height in pixels.

    ``anchors`` are its places and badges, for marks of changes. If pieces fill their rings, the marks of pieces go ``under``
    them: above that number of elements only. ``definitions`` are ids and SVG that a picture needs once. Arrows of moved
    pieces follow the ``road``. A phone shows its ``halves`` one below the other, if it has any.
    """

    drawn: tuple[str, ...]
    width: float
    height: float
    anchors: tuple[Anchor, ...] = ()
    under: Whole | None = None
    definitions: tuple[tuple[str, str], ...] = ()
    road: Road | None = None
    halves: tuple[Part, ...] = ()


def scene_part(scene: Scene, key: Key) -> Part:
    """Return ``scene`` drawn in the colours of ``key``."""
    parts, definitions = scene_svg(scene.parts, key)
    over, others = scene_svg(scene.over, key)
    shown = (*_focus(scene), *parts)
    anchors = tuple(map(_anchor, found_in(scene)))
    under = len(shown) if over else None
    named = tuple({**definitions, **others}.items())
    return Part(
        (*shown, *over),
        scene.width,
        scene.height,
        anchors,
        under=under,
        definitions=named,
        road=scene.road,
        halves=_halves(scene, parts),
    )


def _halves(scene: Scene, drawn: tuple[str, ...]) -> tuple[Part, ...]:
    """Return the left and the right half of a ``scene`` with a fold, each with its corner at 0, 0."""
    if not scene.fold:
        return ()
    half = scene.width / 2
    right = grouped(drawn[scene.fold :], transform=f"translate(-{half:g} 0)")
    return Part(drawn[: scene.fold], half, scene.height), Part(right, half, scene.height)


def _focus(scene: Scene) -> Iterator[str]:
    """Yield an invisible rectangle around the detail to show now, which the script for zoom looks for."""
    for at in dict(scene.details).get(scene.focus, ())[:1]:
        x, y = round(at.x - at.width / 2, 1), round(at.y - at.height / 2, 1)
        yield element("rect", class_="focus", x=x, y=y, width=round(at.width, 1), height=round(at.height, 1), fill="none")


def _anchor(found: Found) -> Anchor:
    at = found.frame
    if found.token is None:
        return Anchor(found.name, None, at.x, at.y, at.width, at.height, at.corners)
    badge = badge_of(found.token)
    return Anchor(found.name, badge, at.x, at.y, at.width, at.height, at.corners, printable(found.id))
