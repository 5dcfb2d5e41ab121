"""Estimate the minutes that a seat has still to spend, for simulated players that plan ahead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, combinations
from typing import Any, Final, Protocol, TypeVar

from adjudicator.game import Seat, View, total
from adjudicator.games.checkpoint_rally.actions import DRAW_LINE, why
from adjudicator.games.checkpoint_rally.bot_ways import Drive, quickest, quickest_way, roads_of
from adjudicator.games.checkpoint_rally.components import CELLS, HAND_LIMIT, INDEX, ROTATIONS, ROW, Cell, Config, TileId
from adjudicator.games.checkpoint_rally.facts import left_of
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take, in_order
from adjudicator.games.checkpoint_rally.roads import driven_path, paths, place_why, reachable, start_why
from adjudicator.games.checkpoint_rally.state import ACTION, DISCARD, START, Racer, State

_USEFUL_HAND: Final = 4
"""Tiles at hand beyond these have no value: otherwise drawing would seem free, and no player would ever drive."""
_READY_AT_MOST: Final = 4
"""An addition that keeps the estimate above the minutes left to drive, even with a full hand and both GPS updates."""

T = TypeVar("T")


class Luck(Protocol):
    """The source of a player's random choices."""

    def choice(self, among: Sequence[T], /) -> T:
        """Return any of ``among``."""


def estimate(config: Config, view: View[State]) -> int:
    """Return the minutes that the viewer's seat will need for its checkpoints, by a guess; 0 once it has none left.

    A hand of up to four tiles counts a minute for two of them, each GPS update another: what it takes to get them.
    """
    own = view.own(view.state.racers)
    if own is None or not _is_driving(own):
        return 0
    (minutes,) = quickest(roads_of(config, own.car or "", view.state.board), [_drive_of(config, own)])
    return _ready(minutes, len(own.hand), own.gps)


def outlook(config: Config, view: View[State]) -> Outlook | None:
    """Return what the viewer's seat can order now, and where that leads; ``None`` if it has nothing left to drive to."""
    own = view.own(view.state.racers)
    return None if own is None or not _is_driving(own) else Outlook(config, view.state, own)


def any_legal(config: Config, state: State, seat: Seat, luck: Luck) -> Any | None:
    """Return a random legal order of ``seat``: each kind is equally likely, then each order of that kind.

    It is the order that a choice from the full list would give, without making the list; ``None`` if nothing is due.
    """
    kinds = _kinds(config, state, state.racer(seat))
    return luck.choice(luck.choice(kinds)()) if kinds else None


class Outlook:
    """What ``own`` can order in the position ``state``, as it sees that, and where each order leads by the guess."""

    def __init__(self, config: Config, state: State, own: Racer) -> None:
        """Look for the quickest way as it is now."""
        self._config, self._state, self._own = config, state, own
        self._car = config.minutes[own.car or ""]
        self._due = state.due
        self._roads = roads_of(config, own.car or "", state.board)
        self._here = _drive_of(config, own)
        self._minutes, way = quickest_way(self._roads, self._here)
        self._way = {CELLS[cell] for cell in way}
        self._known = {self._here: self._minutes}
        seen = sum([len(racer.hand) for racer in state.racers]) + len(state.row)
        self._loose = len(config.rank) - seen - sum([laid is not None for laid in state.board])
        """How many tiles can be drawn: those of the stack and of the discard pile."""

    @property
    def estimate(self) -> int:
        """The ``estimate`` of the position."""
        return _ready(self._minutes, len(self._own.hand), self._own.gps)

    @property
    def kinds(self) -> list[Sequence[Any]]:
        """The orders worth trying out, by kind: those along the quickest way, or all of a kind of which none is."""
        return [orders() for orders in _kinds(self._config, self._state, self._own, self._way)]

    def weighed(self, orders: Iterable[Any]) -> list[tuple[int, int]]:
        """Return what each of the legal ``orders`` costs, and the ``estimate`` of the position after it."""
        after = [self._after(order) for order in orders]
        new = [drive for drive in dict.fromkeys([found[3] for found in after]) if drive not in self._known]
        self._known.update(zip(new, quickest(self._roads, new), strict=True))
        return [(cost, _ready(self._known[drive], hand, gps) if drive.goals else 0) for cost, hand, gps, drive in after]

    def _after(self, order: Any) -> tuple[int, int, int, Drive]:
        """Return what ``order`` costs, and how many tiles at hand, GPS updates, and what to drive there are after it."""
        if type(order) is Place:
            return self._after_tile(order)
        own, loose, drive = self._own, self._loose, self._here
        hand, gps = len(own.hand), own.gps
        match order:
            case Move(path=path):
                drive = self._driven(driven_path(self._config, own, path)[0])
            case DrawTwo():
                drawn = min(2, loose)
                hand, loose = hand + drawn, loose - drawn
            case Refresh():
                loose += len(self._state.row)
                loose -= min(ROW, loose)
            case Take():
                hand, gps = hand + 1, gps - 1
            case _:
                hand = min(hand, HAND_LIMIT)
        cost = total(why(self._config, self._state, own.seat, order))
        return cost, hand + self._drawn(cost, loose), gps, drive

    def _after_tile(self, order: Place) -> tuple[int, int, int, Drive]:
        config, state, own = self._config, self._state, self._own
        if self._due == (own.seat, START):
            # CR-S6: the car drives onto it at once.
            cost, here = total(start_why(config, state, own.seat, order)), self._driven((order.cell,))
        else:
            cost, here = total(place_why(config, state, order)), self._here
        face = config.faces[order.tile][order.rot // 90]
        drive = Drive(here.start, here.goals, INDEX[order.cell], face.exits, self._car[face.road])
        if order.gps:
            return cost, len(own.hand) + self._drawn(cost, self._loose), own.gps - 1, drive
        loose = self._loose + (state.at(order.cell) is not None)
        return cost, len(own.hand) - 1 + self._drawn(cost, loose), own.gps, drive

    def _drawn(self, cost: int, loose: int) -> int:
        """Return how many of so many ``loose`` tiles are drawn for the draw lines that the clock passes (CR-T2)."""
        lines = (self._own.minutes % DRAW_LINE + cost) // DRAW_LINE
        return min(lines, loose) if lines > 0 else 0

    def _driven(self, path: Sequence[Cell]) -> Drive:
        passed = [INDEX[cell] for cell in path]
        return Drive(passed[-1], tuple([goal for goal in self._here.goals if goal not in passed]))


class _Orders(Sequence[Any]):
    """So many orders of one kind, each of which ``make`` makes of its number when it is asked for."""

    def __init__(self, number: int, make: Callable[[int], Any]) -> None:
        self._number, self._make = number, make

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, index: Any) -> Any:
        return self._make(index)


def _kinds(config: Config, state: State, racer: Racer, way: Collection[Cell] = ()) -> list[Callable[[], Sequence[Any]]]:
    """Return what lists the legal orders of ``racer`` of each kind, in the order of ``legal``; none if nothing is due of it.

    With a ``way``, orders to a cell are only those to its cells, if there are any. Kinds that are not wanted are not listed.
    """
    hand, due = racer.hand, state.due
    if due == (racer.seat, ACTION):
        return _actions(config, state, racer, way)
    if due == (racer.seat, START):
        return [lambda: _places(hand, [len(ROTATIONS) * (cell == config.corners[racer.seat]) for cell in CELLS])]
    if due == (racer.seat, DISCARD):
        return [lambda: _of_hand(Discard, hand, racer.excess), lambda: _of_hand(Keep, hand, HAND_LIMIT)]
    return []


def _actions(config: Config, state: State, racer: Racer, way: Collection[Cell]) -> list[Callable[[], Sequence[Any]]]:
    here = racer.cell or config.corners[racer.seat]

    def places() -> Sequence[Any]:
        turns = len(ROTATIONS)
        turns_laid = 2 * turns if racer.gps else turns
        rooms = [turns_laid if laid else turns for laid in state.board]
        for other in state.racers:
            if other.cell is not None:
                rooms[INDEX[other.cell]] = 0
        along = [room if cell in way else 0 for cell, room in zip(CELLS, rooms, strict=True)] if way else ()
        return _places(racer.hand, along if any(along) else rooms)

    def moves() -> Sequence[Any]:
        all_of_them = list(paths(config, state, here))
        return [*map(Move, [path for path in all_of_them if path[0] in way] or all_of_them)]

    return [
        *([places] if racer.hand else []),
        *([moves] if any(reachable(config, state, here)) else []),
        lambda: (DrawTwo(),),
        lambda: (Refresh(),),
        *([lambda: [*map(Take, state.row)]] if racer.gps and state.row else []),
    ]


def _places(hand: Sequence[TileId], rooms: Sequence[int]) -> Sequence[Any]:
    """Return all ways to lay a tile of ``hand``: into each cell in so many ``rooms``, of which the latter keep its tile."""
    ends = list(accumulate(rooms))

    def make(number: int) -> Place:
        tile, left = divmod(number, ends[-1])
        cell = bisect_right(ends, left)
        is_kept, turn = divmod(left - ends[cell] + rooms[cell], len(ROTATIONS))
        return Place(hand[tile], CELLS[cell], ROTATIONS[turn], gps=bool(is_kept))

    return _Orders(len(hand) * ends[-1], make)


def _of_hand(kind: Callable[..., Any], hand: Sequence[TileId], number: int) -> Sequence[Any]:
    some = tuple(combinations(hand, number))
    return _Orders(len(some), lambda at: kind(in_order(some[at])))


def _is_driving(own: Racer) -> bool:
    return own.card is not None and own.place is None


def _drive_of(config: Config, own: Racer) -> Drive:
    return Drive(INDEX[own.cell or config.corners[own.seat]], tuple([INDEX[cell] for cell in left_of(config, own) or ()]))


def _ready(minutes: int, hand: int, gps: int) -> int:
    """Return ``minutes`` to drive, and what it takes to be ready for it with so many tiles at hand and GPS updates."""
    return minutes + _READY_AT_MOST - min(hand, _USEFUL_HAND) // 2 - gps
