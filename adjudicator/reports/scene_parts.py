"""Find the places and the tokens of a scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable
from adjudicator.scenes.scene import Element, Frame, Group, Scene, Sign, Token


class Badge(Value):
    """What tells the tokens on a place apart: the text, the sign, and the seat."""

    text: str
    sign: Sign
    seat: str = ""


def badge_of(token: Token) -> Badge:
    """Return what tells ``token`` apart, with visible characters only."""
    return Badge(printable(token.text), token.sign, printable(token.seat))


class Found(Value):
    """A place or a token of a scene, with its rectangle; a place has no ``token``, a cell of a table no ``id``."""

    name: str
    id: str
    frame: Frame
    token: Token | None = None
    holds: Any = None
    within: str = ""
    told: str = ""


_LAST: Final[dict[int, tuple[Scene, tuple[Found, ...]]]] = {}
"""What the last scenes contain: each is looked at for its seats, its changes, and the changes of the next one.

Without it these walks take a third of the time of drawing the longest recorded game.
"""
_MOST: Final = 32


def found_in(scene: Scene) -> tuple[Found, ...]:
    """Return the places and the tokens of ``scene``, in the order in which they are drawn."""
    known = _LAST.get(id(scene))
    if known is not None and known[0] is scene:
        return known[1]
    if len(_LAST) >= _MOST:
        _LAST.clear()
    listed = list[Found]()
    _find((*scene.parts, *scene.over), 0, 0, 1, listed)
    found = tuple(listed)
    _LAST[id(scene)] = scene, found
    return found


def _find(parts: Iterable[Element], x: float, y: float, scale: float, found: list[Found]) -> None:
    """Add what is in ``parts``, whose corner is at ``x``, ``y`` of the scene, to ``found``."""
    for one in parts:
        if isinstance(one, Group):
            left, top, by = x + one.x * scale, y + one.y * scale, scale * one.scale
            at = one.frame
            if at is not None:
                frame = Frame(left + at.x * by, top + at.y * by, at.width * by, at.height * by)
                found.append(Found(one.name or one.id, one.id, frame, None, one.holds, told=one.told))
            _find(one.parts, left, top, by, found)
        elif isinstance(one, Token) and not one.is_key:
            size = one.size * scale
            found.append(Found(one.at, one.id, Frame(x + one.x * scale, y + one.y * scale, size, size), one))
