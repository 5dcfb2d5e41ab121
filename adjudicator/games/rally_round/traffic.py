"""Handle other cars on the road of a table (RR-O1): the squares they take, and where a move ends among them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from adjudicator.game import Seat
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.ways import Way


class Traffic(NamedTuple):
    """The other cars of a table: the squares ``taken``, and ``blocked``, the crews on them that let no one overtake.

    A move that would end on a taken square ends on the next free one ahead, or with ``falls_back`` before it (RR-O1).
    """

    taken: frozenset[SquareId] = frozenset()
    blocked: Mapping[SquareId, Seat] = MappingProxyType({})
    falls_back: bool = False


ALONE: Final = Traffic()
"""The road without other cars."""


class Landing(NamedTuple):
    """The end of a move: after ``squares``; ``is_displaced`` by a taken square, or ``held`` by the car on one."""

    squares: int
    is_displaced: bool = False
    held: SquareId | None = None


def landing(config: Config, speed: int, way: Way, traffic: Traffic) -> Landing:
    """Return where a move over ``way`` at ``speed`` ends among other cars (RR-O1); a control has room for all."""
    squares = min(speed // 10, len(way))
    if not traffic.taken or traffic.taken.isdisjoint(way[:squares]):
        return Landing(squares)
    posts = {control.square for control in config.rally.controls}
    taken = traffic.taken - posts
    is_displaced = squares > 0 and way[squares - 1] in taken
    end = _free(way, squares, taken, back=traffic.falls_back) if is_displaced else squares
    # In version 1 a move could overtake a blocking car on a control, or beyond the taken square.
    farthest, free = (squares, posts) if config.by_version_1 else (max(squares, end), {*way[end - 1 : end]} & posts)
    held = next((square for square in way[:farthest] if square in traffic.blocked and square not in free), None)
    if held is not None:
        return Landing(squares=_free(way, way.index(held), taken, back=True), held=held)
    return Landing(squares=end, is_displaced=is_displaced)


def _free(way: Way, squares: int, taken: frozenset[SquareId], *, back: bool) -> int:
    """Return after how many of ``way`` the next free square comes, from ``squares`` on; 0 is the car's own square."""
    while 0 < squares < len(way) and way[squares - 1] in taken:
        squares += -1 if back else 1
    return squares
