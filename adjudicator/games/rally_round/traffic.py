"""Other cars on the road of a table (RR-O1): which squares they take, and where a move ends among them."""

from __future__ import annotations

from typing import Final, NamedTuple

from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.ways import Way


class Traffic(NamedTuple):
    """The other cars of a table: the squares that are ``taken``, those of them whose car lets nobody overtake.

    A move that would end on a taken square ends on the next free one ahead, or with ``falls_back`` behind (RR-O1).
    """

    taken: frozenset[SquareId] = frozenset()
    blocked: frozenset[SquareId] = frozenset()
    falls_back: bool = False


ALONE: Final = Traffic()
"""No other car is in the way."""


class Landing(NamedTuple):
    """Where a move ends: after ``squares``; ``is_displaced`` by a taken square, ``held`` behind the car on one."""

    squares: int
    is_displaced: bool = False
    held: SquareId | None = None


def landing(config: Config, speed: int, way: Way, traffic: Traffic) -> Landing:
    """Return where a move over ``way`` at ``speed`` ends among other cars (RR-O1); on a control there is room for all."""
    squares = min(speed // 10, len(way))
    if not traffic.taken or traffic.taken.isdisjoint(way[:squares]):
        return Landing(squares)
    posts = {control.square for control in config.rally.controls}
    taken = traffic.taken - posts
    held = next((square for square in way[:squares] if square in traffic.blocked - posts), None)
    if held is not None:
        return Landing(squares=_free(way, way.index(held), taken, back=True), held=held)
    if not squares or way[squares - 1] not in taken:
        return Landing(squares=squares)
    return Landing(squares=_free(way, squares, taken, back=traffic.falls_back), is_displaced=True)


def _free(way: Way, squares: int, taken: frozenset[SquareId], *, back: bool) -> int:
    """Return after how many of ``way`` the next free square comes, from ``squares`` on; 0 is where the car stands."""
    while 0 < squares < len(way) and way[squares - 1] in taken:
        squares += -1 if back else 1
    return squares
