"""Find the places and the tokens of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

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


def found_in(scene: Scene) -> tuple[Found, ...]:
    """Return the places and the tokens of ``scene``, in the order in which they are drawn."""
    return tuple(_found((*scene.parts, *scene.over), 0, 0, 1))


def _found(parts: Iterable[Element], x: float, y: float, scale: float) -> Iterator[Found]:
    """Yield what is in ``parts``, whose corner is at ``x``, ``y`` of the scene."""
    for one in parts:
        match one:
            case Token(is_key=False):
                size = one.size * scale
                yield Found(one.at, one.id, Frame(x + one.x * scale, y + one.y * scale, size, size), one)
            case Group():
                left, top, by = x + one.x * scale, y + one.y * scale, scale * one.scale
                if one.frame is not None:
                    at = one.frame
                    frame = Frame(left + at.x * by, top + at.y * by, at.width * by, at.height * by)
                    yield Found(one.name or one.id, one.id, frame, None, one.holds, one.within, one.told)
                yield from _found(one.parts, left, top, by)
