"""Find the places and the tokens of a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from adjudicator.core.values import Value, replace
from adjudicator.reports.sanitize import printable
from adjudicator.scenes.scene import Element, Frame, Group, Scene, Sign, Token

_MOST: Final = 1 << 12


class Badge(Value):
    """What tells the tokens on a place apart: the text, the sign, and the seat."""

    text: str
    sign: Sign
    seat: str = ""


def badge_of(token: Token) -> Badge:
    """Return what tells ``token`` apart, with visible characters only."""
    return Badge(printable(token.text), token.sign, printable(token.seat))


class Found(Value):
    """A place or a token of a scene, with its rectangle; a place has no ``token``."""

    name: str
    id: str
    frame: Frame
    token: Token | None = None
    holds: Any = None
    within: str = ""
    told: str = ""


class KeptGroups:
    """Results for groups, by identity: games keep the groups that do not change from one picture to the next."""

    def __init__(self) -> None:
        """Make an empty cache."""
        self._made: dict[tuple[int, object], tuple[Group, object, Any]] = {}

    def of(self, one: Group, given: object, make: Callable[[], Any]) -> Any:
        """Return the result of ``make`` for the group ``one`` and what is ``given``."""
        known = self._made.get((id(one), given))
        if known is not None and known[0] is one:
            return known[2]
        if len(self._made) >= _MOST:
            self.clear()
        made = make()
        self._made[id(one), given] = one, given, made
        return made

    def clear(self) -> None:
        """Empty the cache."""
        self._made.clear()


_FOUND: Final = KeptGroups()


def found_in(scene: Scene) -> tuple[Found, ...]:
    """Return the places and the tokens of ``scene``, in the order in which they are drawn."""
    return tuple(_found((*scene.parts, *scene.over)))


def _found(parts: Iterable[Element]) -> Iterator[Found]:
    for one in parts:
        if isinstance(one, Group):
            yield from _moved(one, _FOUND.of(one, None, partial(_found_inside, one)))
        elif isinstance(one, Token) and not one.is_key:
            yield Found(one.at, one.id, Frame(one.x, one.y, one.size, one.size), one)


def _found_inside(one: Group) -> tuple[Found, ...]:
    return tuple(_inside(one))


def _inside(one: Group) -> Iterator[Found]:
    if one.frame is not None:
        yield Found(one.name or one.id, one.id, one.frame, None, one.holds, one.within, one.told)
    yield from _found(one.parts)


def _moved(one: Group, found: Iterable[Found]) -> Iterator[Found]:
    x, y, by = one.x, one.y, one.scale
    for inner in found:
        at = inner.frame
        corners = tuple([(across * by, down * by) for across, down in at.corners])
        yield replace(inner, frame=Frame(at.x * by + x, at.y * by + y, at.width * by, at.height * by, corners))
