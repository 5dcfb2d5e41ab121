"""Look up the map as a graph (RR-C1): neighbours of squares, their sides, and the shortest ways between squares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from adjudicator.core.graph import Graph
from adjudicator.game import Flaw, Memo, Value, field, remember_last, remembered
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
from adjudicator.games.rally_round.ways import Reach, Way, first_way, reach


class Network(Value):
    """The squares by their id, hidden tracks among them; ``links`` gives the neighbours of each, without hidden tracks.

    ``tracks`` gives the two ends of each hidden track, ``named`` the squares of roads and places by name in lower case.
    ``memo`` holds what follows from all this.
    """

    squares: Mapping[SquareId, Square]
    links: Mapping[SquareId, tuple[SquareId, ...]]
    tracks: Mapping[SquareId, tuple[SquareId, ...]]
    named: Mapping[str, tuple[SquareId, ...]]
    memo: Memo = field(default_factory=Memo)

    def neighbours(self, square: SquareId) -> tuple[SquareId, ...]:
        """Return the squares beside ``square``, over hidden tracks too."""
        hidden = tuple(track for track, ends in self.tracks.items() if square in ends)
        return (*self.links.get(square, ()), *hidden, *self.tracks.get(square, ()))

    def side(self, square: SquareId, other: SquareId) -> Side:
        """Return the side of ``square`` on which ``other`` lies."""
        return side_of(self.squares[square], self.squares[other])

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
        return reach(_graph(self), start, closed)

    def first(self, start: SquareId, ends: Collection[SquareId], closed: Collection[SquareId] = ()) -> Way | None:
        """Return the first by square names of the shortest ways to the nearest of ``ends``, ``None`` without one."""
        return _first(self, start, frozenset(ends), frozenset(closed))


@remembered
def _first(network: Network, start: SquareId, ends: frozenset[SquareId], closed: frozenset[SquareId]) -> Way | None:
    return first_way(_graph(network), start, ends, closed)


@remembered
def _graph(network: Network) -> Graph[SquareId]:
    return Graph(network.links)


def side_of(here: Square, there: Square) -> Side:
    """Return the side of ``here`` on which ``there`` is drawn: the longer of across and down decides."""
    across, down = there.x - here.x, there.y - here.y
    if abs(across) > abs(down):
        return Side.EAST if across > 0 else Side.WEST
    return Side.SOUTH if down > 0 else Side.NORTH


@remember_last
def network_of(components: Components) -> Network:
    """Return the map of ``components`` as a network."""
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
    )


def flaws_of(components: Components) -> Iterator[Flaw]:
    """Yield every flaw of the map of ``components``, by square (RR-C1, RR-C2)."""
    known = {square.id for square in components.squares}
    ids = (*(square.id for square in components.squares), *(track.id for track in components.tracks))
    yield from Flaw.repeated("the square", ids, "RR-C1")
    yield from _flaws_of_places(components)
    yield from Flaw.repeated("the name", _names(components), "RR-C1")
    strange = [
        *(Flaw(f"{road.name} goes over {square}, which is not on the map", "RR-C1")
          for road in components.roads for square in road.squares if square not in known),
        *(Flaw(f"{track.name} ends at {end}, which is not on the map", "RR-C2")
          for track in components.tracks for end in track.ends if end not in known),
    ]  # fmt: skip
    yield from strange
    network = network_of(components)
    for square in components.squares:
        yield from _flaws_of_square(network, square)
    if not strange:
        yield from _out_of_reach(network, components.squares[0].id)


def _flaws_of_places(components: Components) -> Iterator[Flaw]:
    """Yield every square with the place of an earlier one."""
    first = dict[tuple[int, int], SquareId]()
    for square in components.squares:
        other = first.setdefault((square.x, square.y), square.id)
        if other != square.id:
            yield Flaw(f"{square.id} has the same place as {other}: column x {square.x}, row y {square.y}", "RR-C1")


def _names(components: Components) -> Iterator[str]:
    yield from (road.name.lower() for road in components.roads)
    yield from (track.name.lower() for track in components.tracks)
    yield from (square.place.lower() for square in components.squares if square.place)


def _flaws_of_square(network: Network, square: Square) -> Iterator[Flaw]:
    sides = [network.side(square.id, other) for other in network.links[square.id]]
    for side in sorted({side for side in sides if sides.count(side) > 1}):
        yield Flaw(f"{square.id}: two roads leave on the side {side}", "RR-C1")
    feature = square.feature
    if (square.toward is None) is (feature in POINTING):
        needs = "needs the side that it points to" if feature in POINTING else "points nowhere"
        yield Flaw(f"{square.id}: {_called(feature)} {needs} (toward)", "RR-C2")
    elif square.toward is not None and square.toward not in sides:
        yield Flaw(f"{square.id}: {_called(feature)} points {square.toward}, where no road leaves", "RR-C2")
    if square.limit is not None and feature is not Feature.BEND:
        yield Flaw(f"{square.id}: only a bend has a sign with a limit", "RR-C2")
    if feature is Feature.ROUGH and square.colour is not Colour.WHITE:
        yield Flaw(f"{square.id}: rough sections must be white, this one is {square.colour}", "RR-C2")
    if feature is Feature.CHEQUERED and square.colour is not Colour.RED:
        yield Flaw(f"{square.id}: chequered squares must be red, this one is {square.colour}", "RR-C1")
    if feature in ROLLING and square.toward in sides and len(network.downhill(square.id)) < ROLLING[feature]:
        yield Flaw(f"{square.id}: the road forks or ends where a car would roll down", "RR-F9")


def flaws_of_signs(components: Components) -> Iterator[Flaw]:
    """Yield every bend whose sign says a limit that no car can drive (RR-C2)."""
    for square in components.squares:
        if square.feature is Feature.BEND and square.limit is not None and square.limit not in range(10, 101, 10):
            words = f"the sign of this bend says {square.limit} mph: write a multiple of 10, from 10 to 100"
            yield Flaw(f"{square.id}: {words}", "RR-C2")


def _called(feature: Feature | None) -> str:
    return f"the {feature}" if feature else "a square without a feature"


def _out_of_reach(network: Network, start: SquareId) -> Iterator[Flaw]:
    near = network.reach(start).far
    lost = [square for square in network.links if square not in near]
    if lost:
        yield Flaw(f"no road leads from {start} to {', '.join(lost[:8])}{' and others' if lost[8:] else ''}", "RR-C1")
