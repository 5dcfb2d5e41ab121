"""Plan the best speeds for a section with a kit, for simulated crews; not part of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final, NamedTuple

from adjudicator.game import remembered, total
from adjudicator.games.rally_round.car import Car, Fault
from adjudicator.games.rally_round.components import ROLLING, Does, Feature, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import FASTEST, legal_speeds, moved, pace_at
from adjudicator.games.rally_round.rights import Rights
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.steering import way_ahead
from adjudicator.games.rally_round.timing import FAULT, MINUTE, timed
from adjudicator.games.rally_round.ways import Way

_HOPELESS: Final = 1_000_000
"""The cost of a disqualification in seconds."""
_CHANGES: Final = (Does.START, Does.ACCELERATE, Does.DECELERATE)
"""The effects that decide legal speeds, and nothing else."""
_HIGHEST: Final = 70
"""The highest planned speed outside of stages: stages average 30 mph more."""
_REMEMBERED: Final = 4
"""How many squares of the trail a plan keeps: a car rolls back over two."""
_A_DRAW: Final = 75
"""The cost of an unknown hazard card in seconds: about every other one is a setback of two turns."""
_MUCH_TOO_LATE: Final = 7
"""How many turns beyond the target the plan searches for a better end."""
_LEFT_AT_LEAST: Final = 6
"""The least number of turns that the plan searches, however late the crew is."""
_FARTHEST: Final = 3
"""How many times the length of the way the plan looks ahead off the route."""
_A_SQUARE: Final = 90
"""The cost in seconds of each remaining square once the search stops: more than driving over it."""
_PATIENCE: Final = 4 * _MUCH_TOO_LATE
"""How many turns beyond the target only progress counts: then no fault is worth another attempt."""
_A_SQUARE_AT_LAST: Final = 2 * FAULT
"""The cost in seconds of each remaining square after that: more than any fault on it."""
_NOTHING: Final = 10**12
"""More than anything costs."""


class Step(NamedTuple):
    """The result of one turn: the ``car`` after it, ``None`` at the end of the section, and the ``turns`` it takes.

    ``seconds`` is the time of a last turn that ends the section, ``cost`` its other cost; ``squares`` are those that the car
    drives over, ``draws`` says that the crew draws a hazard card.
    """

    car: Car | None
    turns: int
    seconds: int
    cost: int
    squares: Way
    draws: bool


@dataclass
class Road:
    """The possible turns over a ``way`` (the correct route, or a short cut) with ``rights``."""

    config: Config
    rights: Rights
    way: Way
    is_stage: bool
    steps: dict[tuple[Way, int, int, tuple[str, ...]], Step] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = {square: at for at, square in enumerate(self.way)}
        self.lefts: dict[Way, int] = {}
        stage = self.is_stage
        self.fastest = [pace_at(self.config, square, self.rights, is_stage=stage) for square in self.way]
        self.free = [self._is_free(square) for square in self.way]

    def _is_free(self, square: SquareId) -> bool:
        """Return whether nothing happens to a car that ends a move on ``square``."""
        return self.config.feature(square) not in (Feature.FORD, Feature.HAZARD, *ROLLING)

    def ahead(self, car: Car, squares: int) -> Way:
        """Return at most so many squares ahead on the way; off it those that lead to the next control."""
        if car.at in self.places:
            at = self.places[car.at] + 1
            if self.way[at : at + 1] != car.trail[-2:-1] or not car.trail[-2:-1]:
                return self.way[at : at + squares]
        return way_ahead(self.config, car, squares)

    def left(self, car: Car) -> int:
        """Return how many squares ``car`` still has to the end of the section, or to a dead end."""
        key = car.trail[-2:]
        if key not in self.lefts:
            self.lefts[key] = len(self.ahead(car, _FARTHEST * len(self.way)))
        return self.lefts[key]

    def step(self, car: Car, speed: int, rights: Rights | None = None) -> Step:
        """Return the result of a turn at a legal ``speed``, with other ``rights`` if it uses a card."""
        if rights is not None:
            return self._any_step(car, speed, rights)
        key = (car.trail[-2:], car.met, speed, car.faulted)
        if key not in self.steps:
            self.steps[key] = self._quiet_step(car, speed) or self._any_step(car, speed, self.rights)
        return self.steps[key]

    def _quiet_step(self, car: Car, speed: int) -> Step | None:
        """Return the result of a turn that meets nothing, as most do; ``None`` if it may meet something."""
        here = self.places.get(car.at, -1)
        end = here + speed // 10
        if here < 0 or end >= len(self.way) - 1 or not self.free[end] or self.way[here + 1] == car.behind:
            return None
        if min(self.fastest[here + 1 : end + 1]) < speed:
            return None
        squares = self.way[here + 1 : end + 1]
        after = Car(
            section=car.section, trail=(*car.trail, *squares)[-_REMEMBERED:], speed=speed, met=car.met, faulted=car.faulted
        )
        return Step(after, 1, 0, 0, squares, False)

    def _any_step(self, car: Car, speed: int, rights: Rights) -> Step:
        """Return the result of a turn by the rules."""
        move = moved(self.config, car, rights, speed, self.ahead(car, speed // 10))
        cost = FAULT * sum(isinstance(one, Fault) for one in (*move.met, *move.rolling)) + _A_DRAW * move.draws
        if move.banned is not None:
            return Step(None, 1, 0, _HOPELESS, move.squares, False)
        if move.seconds is not None:
            return Step(None, 1, move.seconds, cost, move.squares, False)
        lost, after = move.loss.turns if move.loss else 0, car.after(move, speed)
        after = after._replace(trail=after.trail[-_REMEMBERED:], faulted=car.faulted)
        return Step(after, 1 + lost, 0, cost, move.squares, move.draws)


class _Node:
    """A position of a car, with the turns that can follow and the known costs of their ends, by the turns before it."""

    __slots__ = ("car", "options", "values")

    def __init__(self, car: Car) -> None:
        self.car = car
        self.options: list[tuple[int, Step, _Node | None]] | None = None
        self.values: dict[int, tuple[int, int]] = {}


@dataclass
class Planner:
    """Searches for the best speeds over a ``road`` with the ``rights`` of a kit."""

    road: Road
    rights: Rights
    target: int
    timing: Timing
    most_turns: int
    a_square: int
    nodes: dict[tuple[Way, int, int, tuple[str, ...]], _Node] = field(default_factory=dict)

    def best(self, car: Car, turns: int) -> tuple[int, int]:
        """Return the least cost of the rest of the section after so many ``turns``, and the speed to continue with.

        The speed is 0 if the search finds no end.
        """
        return self._value(self._node(car), turns)

    def after(self, step: Step, turns: int) -> int:
        """Return the least cost of the rest of the section with ``step`` as the next turn after ``turns``."""
        if step.car is not None:
            return step.cost + self.best(step.car, turns + step.turns)[0]
        return step.cost + self._fee(turns, step)

    def _node(self, car: Car) -> _Node:
        key = (car.trail[-2:], car.speed, car.met, car.faulted)
        if key not in self.nodes:
            self.nodes[key] = _Node(car)
        return self.nodes[key]

    def _fee(self, turns: int, step: Step) -> int:
        """Return the cost of the section's time if ``step`` ends it, 0 if it ends the whole rally."""
        return total(timed(self.timing, MINUTE * turns + step.seconds, self.target)) if step.seconds else 0

    def _value(self, node: _Node, turns: int) -> tuple[int, int]:
        found = node.values.get(turns)
        if found is None:
            found = node.values[turns] = self._looked_for(node, turns)
        return found

    def _looked_for(self, node: _Node, turns: int) -> tuple[int, int]:
        if turns > self.most_turns:
            return MINUTE * turns + self._ahead_of(node.car), 0
        best, speed = _NOTHING, 0
        for faster, step, onward in self._options(node):
            # The section always takes longer than the turns so far.
            if step.cost + max(0, MINUTE * (turns + step.turns - (onward is None)) - self.target) >= best:
                continue
            cost = step.cost + (self._fee(turns, step) if onward is None else self._value(onward, turns + step.turns)[0])
            if cost < best:
                best, speed = cost, faster
        return best, speed

    def _ahead_of(self, car: Car) -> int:
        """Return the estimated cost of the rest once the search stops: never less than a reachable end.

        A passage control that the car has not met costs its fault at the end, however late that is.
        """
        missed = len(car.section.posts) - 1 - car.met
        return FAULT * missed + self.a_square * (1 + self.road.left(car))

    def _options(self, node: _Node) -> list[tuple[int, Step, _Node | None]]:
        """Return the legal speeds with their results and positions: those that get furthest first, then the highest.

        The plan takes the first of equally good speeds. A car that rolls back gets no further by driving faster.
        """
        if node.options is None:
            steps = [(speed, self.road.step(node.car, speed)) for speed in self.speeds(node.car, self.rights)]
            steps.sort(key=lambda one: 0 if one[1].car is None else self.road.left(one[1].car))
            node.options = [(speed, step, None if step.car is None else self._node(step.car)) for speed, step in steps]
        return node.options

    def speeds(self, car: Car, rights: Rights) -> list[int]:
        """Return the speeds for ``car`` that are legal and worth a try, the highest first."""
        ahead, highest = self.road.ahead(car, 1), FASTEST if self.road.is_stage else _HIGHEST
        if not ahead:
            return []
        return [speed for speed in reversed(legal_speeds(self.road.config, car, rights, ahead[0])) if speed <= highest]


def planner_of(config: Config, car: Car, rights: Rights, turns: int) -> Planner:
    """Return the planner for the rest of the section of ``car`` after so many ``turns``, over the cheapest way."""
    enough = car.section.target // MINUTE + _MUCH_TOO_LATE
    most = enough + -(-max(0, turns + _LEFT_AT_LEAST - enough) // _MUCH_TOO_LATE) * _MUCH_TOO_LATE
    opened = tuple(what for what in (Does.BLACK_SPOT, Does.HIDDEN_TRACK) if rights.can(what))
    ways = _ways_of(config)(car.section, car.trail[-2:], car.met, opened) if opened else [car.section.way]
    a_square = _A_SQUARE if most - enough <= _PATIENCE else _A_SQUARE_AT_LAST
    planners = [_planners(config)(car.section, rights, way, most, a_square) for way in ways]
    return min(planners, key=lambda planner: planner.best(car, turns)[0])


@remembered
def _planners(config: Config) -> Callable[[Section, Rights, Way, int, int], Planner]:
    return lru_cache(maxsize=128)(partial(_planner, config))


@remembered
def _roads(config: Config) -> Callable[[Rights, Way, bool], Road]:
    return lru_cache(maxsize=128)(partial(Road, config))


@remembered
def _ways_of(config: Config) -> Callable[[Section, Way, int, tuple[Does, ...]], list[Way]]:
    return lru_cache(maxsize=512)(partial(_ways, config))


def _planner(config: Config, section: Section, rights: Rights, way: Way, most_turns: int, a_square: int) -> Planner:
    on_the_way = Rights(tuple(effect for effect in rights.effects if effect.does not in _CHANGES))
    road = _roads(config)(on_the_way, way, section.timing is Timing.STAGE)
    return Planner(road, rights, section.target, section.timing, most_turns, a_square)


def _ways(config: Config, section: Section, trail: Way, met: int, opened: tuple[Does, ...]) -> list[Way]:
    """Return the correct route, and shorter ways that rights to hidden tracks or Black Spots open.

    ``trail`` is the square on which the car stands, and the one before it.
    """
    found, at = [section.way], trail[-1]
    if at not in section.way:
        return [*found, *_ways_off(config, Car(section=section, trail=trail, met=met), opened)]
    driven = section.way[: section.way.index(at) + 1]
    stops = [at, *(post.square for post in section.posts[met:])]
    for number, (start, end) in enumerate(pairwise(stops)):
        side = section.posts[met + number].side
        door = config.network.beside(end, side) if side else None
        if not door or start not in section.way or end not in section.way:
            continue
        here, there = section.way.index(start), section.way.index(end)
        if here >= there:  # the car may be past the next control
            continue
        for way in _short_cuts(config, opened, section.way[here], end, door, set(section.way[:here]), there - here):
            if here + 1 >= len(driven) or way[: len(driven) - here] == driven[here:]:
                found.append((*section.way[:here], *way, *section.way[there + 1 :]))
    return found


def _ways_off(config: Config, car: Car, opened: tuple[Does, ...]) -> Iterator[Way]:
    """Yield ways for a ``car`` off the correct route that are shorter than the default one."""
    due, section = car.due, car.section
    door = config.network.beside(due.square, due.side) if due.side else None
    if not door or car.at not in config.network.links:
        return
    ahead = way_ahead(config, car, _FARTHEST * len(section.way))
    squares = ahead.index(due.square) + 1 if due.square in ahead else 0
    is_barred = Does.BLACK_SPOT not in opened and not set(config.black_spots).isdisjoint(ahead[:squares])
    most = len(config.network.squares) if is_barred or not squares else squares
    for way in _short_cuts(config, opened, car.at, due.square, door, {*car.trail[:-1]}, most):
        yield (*way, *section.way[section.way.index(due.square) + 1 :])


def _short_cuts(
    config: Config,
    opened: tuple[Does, ...],
    start: SquareId,
    end: SquareId,
    door: SquareId,
    passed: set[SquareId],
    most: int,
) -> Iterator[Way]:
    """Yield ways from ``start`` to ``end``, through its ``door``, of less than so many squares, over no ``passed`` one."""
    network = config.network
    closed = {*passed, end} | (set() if Does.BLACK_SPOT in opened else set(config.black_spots))
    if Does.BLACK_SPOT in opened and config.black_spots and start != door:
        way = network.reach(start, closed, door).way(door, last=True)
        if way and len(way) < most:
            yield (*way, end)
    if Does.HIDDEN_TRACK not in opened:
        return
    for track, ends in network.tracks.items():
        for one, other in (ends, ends[::-1]):
            way = _over(config, start, one, track, other, door, closed)
            if way and len(way) < most:
                yield (*way, end)


def _over(
    config: Config, start: SquareId, one: SquareId, track: SquareId, other: SquareId, door: SquareId, closed: set[SquareId]
) -> Way:
    """Return the squares from ``start`` over ``one`` end of a hidden track to its ``other`` and on to ``door``, if any."""
    network = config.network
    if {one, other} & closed:
        return ()
    before = network.reach(start, {*closed, other}, one).way(one, last=True)
    if not before:
        return ()
    after = network.reach(other, {*closed, *before}, door).way(door, last=True)
    return (*before, track, *after) if after and door not in before else ()
