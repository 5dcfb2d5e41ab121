"""A rough guess of the minutes that a seat has still to spend: what a simulated player that plans ahead goes by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import permutations
from typing import Any, Final, Protocol, TypeVar

from adjudicator.game import Seat, View, frozen
from adjudicator.games.checkpoint_rally.board import left_of
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, ROTATIONS, Cell, Config, Laid, TileId
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.roads import paths
from adjudicator.games.checkpoint_rally.state import ACTION, Racer, State

_NEW_TILE: Final = 3
"""Minutes guessed for a tile to be laid where there is none."""
_NEW_LINK: Final = 4
"""Minutes guessed for two tiles whose roads do not meet."""
_NO_WAY: Final = 200
"""More minutes than any way takes."""
_NEW_ROAD: Final = 3
"""Minutes guessed for driving onto a tile that is not laid yet."""
_USEFUL_HAND: Final = 4
"""Tiles at hand beyond these are worth nothing: otherwise drawing would seem free, and nobody would ever drive."""
_READY_AT_MOST: Final = 4
"""So much is added that a full hand and both GPS updates never bring the guess under what is left to drive."""

Sides = tuple[tuple[bool, ...] | None, ...]
Entering = tuple[int, ...]
Ways = tuple[tuple[int, int], ...]
"""For each cell the minutes to a goal, and the next cell on the way there."""


T = TypeVar("T")


class Luck(Protocol):
    """Where a player takes its luck from."""

    def choice(self, among: Sequence[T], /) -> T:
        """Return any of ``among``."""


def estimate(config: Config, view: View[State]) -> int:
    """Return the minutes that the viewer's seat will need for its checkpoints, by a guess; 0 once it has none left.

    A hand of up to four tiles counts a minute for two of them, each GPS update another: what it takes to get them.
    """
    plan = _plan(config, view)
    if plan is None:
        return 0
    return plan.minutes + _READY_AT_MOST - min(len(plan.racer.hand), _USEFUL_HAND) // 2 - plan.racer.gps


def likely(config: Config, view: View[State]) -> Callable[[Any], bool]:
    """Return a function that tells whether an order is worth trying out: whether it lies on the best way, as guessed."""
    plan = _plan(config, view)
    if plan is None:
        return lambda _order: True
    way = {CELLS[index] for index in plan.way}

    def is_likely(order: Any) -> bool:
        if isinstance(order, Place):
            return order.cell in way
        return not isinstance(order, Move) or order.path[0] in way

    return is_likely


def any_legal(config: Config, state: State, seat: Seat, luck: Luck) -> Any | None:
    """Return any order that is legal for an action of ``seat``: each kind is as likely, then each order of that kind.

    It is the one that a choice from the list of them all would be, of which most are never made; ``None`` for other
    decisions, where there are few.
    """
    if state.due != (seat, ACTION):
        return None
    racer = state.racer(seat)
    cars = {other.cell for other in state.racers}
    turns = 2 * len(ROTATIONS) if racer.gps else len(ROTATIONS)
    rooms = [
        (cell, len(ROTATIONS) if laid is None else turns)
        for cell, laid in zip(CELLS, state.board, strict=True)
        if cell not in cars
    ]
    each = sum(room for _, room in rooms)
    moves = list(paths(config, state, racer.cell or config.corners[seat]))
    takes = state.row if racer.gps else ()
    counts = {Place: len(racer.hand) * each, Move: len(moves), DrawTwo: 1, Refresh: 1, Take: len(takes)}
    kind = luck.choice([kind for kind, count in counts.items() if count])
    number = luck.choice(range(counts[kind]))
    if kind is Place:
        return _placed(racer.hand[number // each], number % each, rooms)
    return Move(moves[number]) if kind is Move else Take(takes[number]) if kind is Take else kind()


def _placed(tile: TileId, number: int, rooms: list[tuple[Cell, int]]) -> Place:
    """Return the order of that ``number`` (from 0) among those that lay ``tile`` into ``rooms`` (cell, ways to lay it)."""
    for cell, room in rooms:
        if number < room:
            keeps, turn = divmod(number, len(ROTATIONS))
            return Place(tile, cell, ROTATIONS[turn], gps=bool(keeps))
        number -= room
    raise AssertionError(number)


@frozen
class _Plan:
    """The quickest way of ``racer`` to all its checkpoints, as guessed: its minutes and its cells in order."""

    racer: Racer
    minutes: int
    way: tuple[int, ...]


def _plan(config: Config, view: View[State]) -> _Plan | None:
    """Return the plan of the viewer's seat, ``None`` if it has nothing left to drive to that the viewer knows of."""
    own = view.own(view.state.racers)
    if own is None or own.card is None or own.place is not None:
        return None
    left = [INDEX[cell] for cell in left_of(config, own) or ()]
    start = INDEX[own.cell or config.corners[own.seat]]
    exits, entering = _roads(config, own, view.state.board)
    # The tile under the car stays as it lies: there is no way off it but by its exits.
    ways = {goal: _ways_to(goal, start, exits, entering, frozenset((start, *left))) for goal in left}
    minutes, order = min((_minutes(ways, start, order), order) for order in permutations(left))
    return _Plan(own, minutes, tuple(_cells(ways, start, order)))


def _minutes(ways: dict[int, Ways], start: int, order: tuple[int, ...]) -> int:
    return sum(ways[there][here][0] for here, there in zip((start, *order), order, strict=False))


def _cells(ways: dict[int, Ways], start: int, order: tuple[int, ...]) -> Iterator[int]:
    """Yield the cells on the way from ``start`` to each goal of ``order``, without the start."""
    here = start
    for goal in order:
        while here != goal:
            here = ways[goal][here][1]
            yield here


def _roads(config: Config, own: Racer, board: tuple[Laid | None, ...]) -> tuple[Sides, Entering]:
    """Return for each cell the exits of its tile (``None``: no tile), and the minutes to drive onto it."""
    minutes = config.minutes[own.car or ""]
    exits: list[tuple[bool, ...] | None] = []
    entering: list[int] = []
    for laid in board:
        face = None if laid is None else config.face(laid)
        exits.append(None if face is None else face.exits)
        entering.append(_NEW_TILE + _NEW_ROAD if face is None else minutes[face.road])
    return tuple(exits), tuple(entering)


@lru_cache(maxsize=4096)
def _ways_to(goal: int, start: int, exits: Sides, entering: Entering, wanted: frozenset[int]) -> Ways:
    """Return for each cell the guessed minutes to the cell ``goal`` and the next cell; the car stands on ``start``.

    They are worked out for the cells that are ``wanted`` and those on the way from them.
    """
    ways = [(10 * _NO_WAY, goal)] * len(entering)
    ways[goal] = (0, goal)
    heap = [(0, goal)]
    missing = set(wanted)
    while heap:
        minutes, cell = heappop(heap)
        if minutes > ways[cell][0]:
            continue
        missing.discard(cell)
        if not missing:
            break
        sides = exits[cell]
        for side, other in enumerate(NEIGHBOURS[cell]):
            if other is None:
                continue
            facing = exits[other]
            # Driven from the other cell onto this one.
            leaves = facing is None or facing[(side + 2) % 4]
            enters = sides is None or sides[side]
            link = 0 if leaves and enters else _NEW_LINK if leaves or other != start else _NO_WAY
            way = minutes + entering[cell] + link
            if way < ways[other][0]:
                ways[other] = (way, cell)
                heappush(heap, (way, other))
    return tuple(ways)
