"""The map as a graph (RR-C1): neighbours of squares, their sides, and the shortest ways between squares, however many."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from adjudicator.game import Flaw, Memo, Value, field, remembered
from adjudicator.games.rally_round.components import (
    POINTING,
    ROLLING,
    Colour,
    Components,
    Feature,
    Side,
    Square,
    SquareId,
)

Way = tuple[SquareId, ...]
"""Squares in the order of driving, each beside the one before."""
Before = Mapping[SquareId, Way]
"""For each square those before it on shortest ways."""


class Network(Value):
    """The squares by their id, hidden tracks among them; ``links`` gives the neighbours of each, without hidden tracks.

    ``tracks`` gives the two ends of each hidden track, ``named`` the squares of roads and places by name in lower case.
    With ``is_rounded`` a hidden track lies on a whole column and row, as before version 4, not in the middle between its
    ends (RR-C2). ``memo`` holds what follows from all this.
    """

    squares: Mapping[SquareId, Square]
    links: Mapping[SquareId, tuple[SquareId, ...]]
    tracks: Mapping[SquareId, tuple[SquareId, ...]]
    named: Mapping[str, tuple[SquareId, ...]]
    is_rounded: bool = False
    memo: Memo = field(default_factory=Memo)

    def neighbours(self, square: SquareId) -> tuple[SquareId, ...]:
        """Return the squares beside ``square``, over hidden tracks too."""
        hidden = tuple(track for track, ends in self.tracks.items() if square in ends)
        return (*self.links.get(square, ()), *hidden, *self.tracks.get(square, ()))

    def side(self, square: SquareId, other: SquareId) -> Side:
        """Return the side of ``square`` on which ``other`` is drawn: the longer of across and down decides."""
        if not self.is_rounded:  # the middle of a hidden track lies in the same direction as its other end
            square, other = self._beyond(square, other), self._beyond(other, square)
        here, there = self.squares[square], self.squares[other]
        across, down = there.x - here.x, there.y - here.y
        if abs(across) > abs(down):
            return Side.EAST if across > 0 else Side.WEST
        return Side.SOUTH if down > 0 else Side.NORTH

    def _beyond(self, square: SquareId, end: SquareId) -> SquareId:
        """Return the end of the hidden track ``square`` that is not this ``end``; another square itself."""
        return next((other for other in self.tracks.get(square, ()) if other != end), square)

    def sides(self, square: SquareId) -> tuple[Side, ...]:
        """Return the sides of ``square`` with a road, in the order of the compass."""
        found = {self.side(square, other) for other in self.links.get(square, ())}
        return tuple(side for side in Side if side in found)

    def beside(self, square: SquareId, side: Side) -> SquareId | None:
        """Return the square that a road joins with ``square`` on its ``side``, ``None`` without one."""
        return next((other for other in self.links.get(square, ()) if self.side(square, other) is side), None)

    def downhill(self, square: SquareId) -> Way:
        """Return the squares that a car rolls over from a gradient, one or two (RR-F9)."""
        rolled, before, here = [], square, self.squares[square]
        ahead = None if here.toward is None else self.beside(square, here.toward)
        for _ in range(ROLLING.get(here.feature, 0) if here.feature else 0):
            if ahead is None:
                break
            rolled.append(ahead)
            onward = [other for other in self.links[ahead] if other != before]
            before, ahead = ahead, onward[0] if len(onward) == 1 else None
        return tuple(rolled)

    def reach(self, start: SquareId, closed: Collection[SquareId] = ()) -> Reach:
        """Return the squares in reach of ``start`` over nothing ``closed``."""
        far, before, queue = {start: 0}, {start: Way()}, [start]
        for here in queue:  # near ones first
            distance, own = far[here] + 1, (here,)
            for other in self.links[here]:
                known = far.get(other)
                if known == distance:
                    before[other] += own
                elif known is None and other not in closed:
                    far[other], before[other] = distance, own
                    queue.append(other)
        return Reach(start, far, before)

    def first(self, start: SquareId, ends: Collection[SquareId], closed: Collection[SquareId] = ()) -> Way | None:
        """Return the first by square names of the shortest ways to the nearest of ``ends``, ``None`` without one."""
        return _first(self, start, frozenset(ends), frozenset(closed))


@remembered
def _first(network: Network, start: SquareId, ends: frozenset[SquareId], closed: frozenset[SquareId]) -> Way | None:
    known = network.reach(start, closed)
    distance = min((far for end in ends if (far := known.far.get(end))), default=0)
    if not distance:
        return None
    layers = [{end for end in ends if known.far.get(end) == distance}]
    while len(layers) < distance:
        layers.append({one for square in layers[-1] for one in known.before[square]})
    way = [start]
    for layer in reversed(layers):
        way.append(min(square for square in layer if way[-1] in known.before[square]))
    return tuple(way)


class Reach(Value):
    """How ``far`` every square in reach is from ``start``, and the squares ``before`` it on shortest ways."""

    start: SquareId
    far: Mapping[SquareId, int]
    before: Before

    def way(self, goal: SquareId) -> Way:
        """Return one of the shortest ways to ``goal``, the first found; empty without one."""
        if goal not in self.far:
            return ()
        way = [goal]
        while way[-1] != self.start:
            way.append(self.before[way[-1]][0])
        return tuple(reversed(way))

    def ways(self, goal: SquareId, *onward: SquareId) -> Ways:
        """Return the shortest ways to ``goal``, each with the squares ``onward`` after it."""
        if goal not in self.far:
            return Ways({})
        union, seen = [goal], {goal}
        for square in union:
            union += [one for one in self.before[square] if one not in seen]
            seen.update(self.before[square])
        before = {square: self.before[square] for square in reversed(union)}
        for square in onward:
            before[square] = (next(reversed(before)),)
        return Ways(before)


class Ways:
    """The shortest ways from the first square of ``before`` to its last, none without any (RR-L2).

    There may be more than anybody could list. The object holds their union, the ``squares`` of any of them in the order of
    their distance; ``number`` is how many ways there are, ``common`` are the squares of all of them.
    """

    __slots__ = ("before", "common", "distance", "number", "squares")

    def __init__(self, before: Before) -> None:
        """Store ``before``, which has the squares of all ways in the order of their distance, the start first."""
        self.before, self.squares = before, tuple(before)
        if max(map(len, before.values()), default=0) < 2:  # most often: one way, or no way
            self.number, self.common, self.distance = min(1, len(before)), frozenset(before), max(0, len(before) - 1)
            return
        self.number, through = self.through()
        self.common = frozenset([square for square, number in through.items() if number == self.number])
        self.distance = len(self.first) - 1

    def through(self, gone: Collection[SquareId] = ()) -> tuple[int, dict[SquareId, int]]:
        """Return how many ways avoid the squares ``gone``, and how many of them lead over each square."""
        to: dict[SquareId, int] = {}
        for square, earlier in self.before.items():
            to[square] = 0 if square in gone else sum([to[one] for one in earlier]) if earlier else 1
        if not to:
            return 0, {}
        on, end = dict.fromkeys(to, 0), self.squares[-1]
        on[end] = 1
        for square in reversed(self.squares):
            if to[square]:
                for one in self.before[square]:
                    on[one] += on[square]
        return to[end], {square: to[square] * on[square] for square in to}

    def __bool__(self) -> bool:
        return bool(self.squares)

    def __iter__(self) -> Iterator[Way]:
        heap = [[self.squares[-1]]] if self.squares else []
        while heap:
            way = heap.pop()
            while earlier := self.before[way[-1]]:
                heap += [[*way, square] for square in earlier[:-1]]
                way.append(earlier[-1])
            yield tuple(reversed(way))

    @property
    def first(self) -> Way:
        """The first of the ways."""
        return next(iter(self))


@lru_cache(maxsize=4)
def network_of(components: Components, *, is_rounded: bool = False) -> Network:
    """Return the map of ``components`` as a network: games with equal sets share it, and what it remembers."""
    squares = {square.id: square for square in components.squares}
    links: dict[SquareId, dict[SquareId, None]] = {square: {} for square in squares}
    for road in components.roads:
        for one, other in pairwise(road.squares):
            if one in links and other in links:
                links[one][other] = links[other][one] = None
    for track in components.tracks:
        first, last = (squares.get(end, components.squares[0]) for end in track.ends)
        x, y = (first.x + last.x) // 2, (first.y + last.y) // 2
        squares[track.id] = Square(id=track.id, x=x, y=y, colour=Colour.WHITE, place=track.name)
    named: dict[str, tuple[SquareId, ...]] = {road.name.lower(): road.squares for road in components.roads}
    named |= {track.name.lower(): (track.id,) for track in components.tracks}
    named |= {square.place.lower(): (square.id,) for square in components.squares if square.place}
    return Network(
        squares,
        {square: tuple(others) for square, others in links.items()},
        {track.id: track.ends for track in components.tracks},
        named,
        is_rounded,
    )


def flaws_of(components: Components) -> Iterator[Flaw]:
    """Yield every flaw of the map of ``components``, by square (RR-C1, RR-C2)."""
    squares, roads, tracks = components.squares, components.roads, components.tracks
    yield from Flaw.repeated("the square", [*(one.id for one in squares), *(one.id for one in tracks)], "RR-C1")
    first = dict[tuple[int, int], SquareId]()
    for square in squares:
        if (other := first.setdefault((square.x, square.y), square.id)) != square.id:
            yield Flaw(f"{square.id} has the same place as {other}: column x {square.x}, row y {square.y}", "RR-C1")
    names = [*(road.name for road in roads), *(track.name for track in tracks), *(one.place for one in squares if one.place)]
    yield from Flaw.repeated("the name", map(str.lower, names), "RR-C1")
    network = network_of(components)
    ways = [(f"{road.name} goes over", square, "RR-C1") for road in roads for square in road.squares]
    ways += [(f"{track.name} ends at", end, "RR-C2") for track in tracks for end in track.ends]
    strange = [(words, square, rule) for words, square, rule in ways if square not in network.links]
    yield from (Flaw(f"{words} {square}, which is not on the map", rule) for words, square, rule in strange)
    for square in squares:
        sides = [network.side(square.id, other) for other in network.links[square.id]]
        for side in sorted({side for side in sides if sides.count(side) > 1}):
            yield Flaw(f"{square.id}: two roads leave on the side {side}", "RR-C1")
        feature, called = square.feature, f"the {square.feature}" if square.feature else "a square without a feature"
        if (square.toward is None) is (feature in POINTING):
            needs = "needs the side that it points to" if feature in POINTING else "points nowhere"
            yield Flaw(f"{square.id}: {called} {needs} (toward)", "RR-C2")
        elif square.toward is not None and square.toward not in sides:
            yield Flaw(f"{square.id}: {called} points {square.toward}, where no road leaves", "RR-C2")
        if square.limit is not None and feature is not Feature.BEND:
            yield Flaw(f"{square.id}: only a bend has a sign with a limit", "RR-C2")
        if feature is Feature.ROUGH and square.colour is not Colour.WHITE:
            yield Flaw(f"{square.id}: rough sections must be white, this one is {square.colour}", "RR-C2")
        if feature is Feature.CHEQUERED and square.colour is not Colour.RED:
            yield Flaw(f"{square.id}: chequered squares must be red, this one is {square.colour}", "RR-C1")
        if feature in ROLLING and square.toward in sides and len(network.downhill(square.id)) < ROLLING[feature]:
            yield Flaw(f"{square.id}: the road forks or ends where a car would roll down", "RR-F9")
    near = () if strange else network.reach(squares[0].id).far
    lost = [] if strange else [square for square in network.links if square not in near]
    if lost:
        others = f"{', '.join(lost[:8])}{' and others' if lost[8:] else ''}"
        yield Flaw(f"no road leads from {squares[0].id} to {others}", "RR-C1")


def flaws_of_signs(components: Components) -> Iterator[Flaw]:
    """Yield every bend whose sign says a limit that no car can drive (RR-C2)."""
    for square in components.squares:
        if square.feature is Feature.BEND and square.limit is not None and square.limit not in range(10, 101, 10):
            words = f"the sign of this bend says {square.limit} mph: write a multiple of 10, from 10 to 100"
            yield Flaw(f"{square.id}: {words}", "RR-C2")
