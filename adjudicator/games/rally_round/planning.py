"""How a section is best driven with a kit: what a simulated crew goes by. No part of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from adjudicator.game import change, total
from adjudicator.games.rally_round.components import Does, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import Car, Fault, Passed, legal_speeds, moved, rolled_trail
from adjudicator.games.rally_round.rights import Rights
from adjudicator.games.rally_round.steering import way_ahead
from adjudicator.games.rally_round.timing import FAULT, MINUTE, timed
from adjudicator.games.rally_round.ways import Way

_HOPELESS: Final = 1_000_000
"""Seconds that being disqualified counts for."""
_A_DRAW: Final = 75
"""Seconds that a hazard card counts for that nobody knows yet: every other one is a setback of two turns, by and large."""
_MUCH_TOO_LATE: Final = 12
"""After so many turns more than the section asks for no better end is looked for."""
_LEFT_AT_LEAST: Final = 6
"""So many turns at least are looked at, however late it is."""
_A_TURN_MORE: Final = 90
"""Seconds that each square counts for that is left where no end is looked for any more: more than driving over it."""


class Step(NamedTuple):
    """What one turn comes to: the ``car`` after it, ``None`` at the end of the section, and the ``turns`` it takes.

    ``seconds`` is what the last turn counts where it ends the section, ``cost`` what it costs besides; ``squares`` are those
    that are driven over, ``draws`` says that a hazard card is drawn.
    """

    car: Car | None
    turns: int
    seconds: int
    cost: int
    squares: Way
    draws: bool


@dataclass
class Planner:
    """Looks for the best speeds over a ``way`` (the correct route, or a short cut) by all that can come of each turn."""

    config: Config
    rights: Rights
    way: Way
    most_turns: int
    steps: dict[tuple[Way, int, int], tuple[tuple[int, Step], ...]] = field(default_factory=dict)
    known: dict[tuple[Way, int, int, int], tuple[int, int]] = field(default_factory=dict)

    def best(self, car: Car, turns: int) -> tuple[int, int]:
        """Return what the rest of the section will cost at least after so many ``turns``, and the speed to go on with.

        The speed is 0 where no end is in sight.
        """
        key = (car.trail[-2:], car.speed, car.met, turns)
        if key not in self.known:
            self.known[key] = self._looked_for(car, turns)
        return self.known[key]

    def _looked_for(self, car: Car, turns: int) -> tuple[int, int]:
        if turns > self.most_turns:
            left = len(self.way) - self.way.index(car.at) if car.at in self.way else len(self.way)
            return MINUTE * turns + _A_TURN_MORE * left, 0
        found = [(self.after(car, step, turns), -speed) for speed, step in self.turns_from(car)]
        if not found:
            return _HOPELESS, 0
        cost, speed = min(found)
        return cost, -speed

    def after(self, car: Car, step: Step, turns: int) -> int:
        """Return what the rest of the section will cost at least with ``step`` as the next turn after ``turns``."""
        if step.car is not None:
            return step.cost + self.best(step.car, turns + step.turns)[0]
        if not step.seconds:
            return step.cost
        taken = MINUTE * turns + step.seconds
        return step.cost + total(timed(car.section.timing, taken, car.section.target))

    def turns_from(self, car: Car) -> tuple[tuple[int, Step], ...]:
        """Return the speeds that are legal for ``car`` on its way, each with what comes of it."""
        key = (car.trail[-2:], car.speed, car.met)
        if key not in self.steps:
            ahead = self.ahead(car, 1)
            speeds = legal_speeds(self.config, car, self.rights, ahead[0] if ahead else None)
            self.steps[key] = tuple((speed, self.step(car, speed)) for speed in speeds if speed <= 100 and ahead)
        return self.steps[key]

    def ahead(self, car: Car, squares: int) -> Way:
        """Return at most so many squares ahead on the way; off it those that lead to the control that is due."""
        if car.at in self.way:
            at = self.way.index(car.at) + 1
            if self.way[at : at + 1] != car.trail[-2:-1] or not car.trail[-2:-1]:
                return self.way[at : at + squares]
        return way_ahead(self.config, car, squares)

    def step(self, car: Car, speed: int, rights: Rights | None = None) -> Step:
        """Return what comes of a turn at a legal ``speed``, with other ``rights`` where a card is used."""
        move = moved(self.config, car, rights or self.rights, speed, self.ahead(car, speed // 10))
        cost = FAULT * sum(isinstance(one, Fault) for one in (*move.met, *move.rolling)) + _A_DRAW * move.draws
        if move.banned is not None:
            return Step(None, 1, 0, _HOPELESS, move.squares, False)
        if move.seconds is not None:
            return Step(None, 1, move.seconds, cost, move.squares, False)
        lost = move.loss.turns if move.loss else 0
        met = sum(isinstance(one, Passed) for one in (*move.met, *move.rolling))
        after = change(
            car,
            trail=rolled_trail((*car.trail, *move.squares), move.rolled),
            speed=0 if move.stops or move.loss else speed,
            met=car.met + met,
        )
        return Step(after, 1 + lost, 0, cost, move.squares, move.draws)


def planner_of(config: Config, car: Car, rights: Rights, turns: int) -> Planner:
    """Return what plans the rest of the section of ``car`` after so many ``turns``: over the way that costs least."""
    enough = car.section.target // MINUTE + _MUCH_TOO_LATE
    most = enough + -(-max(0, turns + _LEFT_AT_LEAST - enough) // _MUCH_TOO_LATE) * _MUCH_TOO_LATE
    planners = [_planner(_Same(config), car.section.number, rights, way, most) for way in ways_of(config, car, rights)]
    return min(planners, key=lambda planner: planner.best(car, turns)[0])


class _Same:
    """A configuration that is only like itself: comparing two by what is in them takes long."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.config is self.config

    def __hash__(self) -> int:
        return id(self.config)


@lru_cache(maxsize=64)
def _planner(same: _Same, _section: int, rights: Rights, way: Way, most_turns: int) -> Planner:
    return Planner(same.config, rights, way, most_turns)


def ways_of(config: Config, car: Car, rights: Rights) -> list[Way]:
    """Return the correct route, and the shorter ways that ``rights`` to hidden tracks and Black Spots open from ``car``."""
    section, found = car.section, [car.section.way]
    if car.at not in section.way:
        return found
    driven = section.way[: section.way.index(car.at) + 1]
    stops = [car.at, *(post.square for post in section.posts[car.met :])]
    for number, (start, end) in enumerate(pairwise(stops)):
        side = section.posts[car.met + number].side
        door = config.network.beside(end, side) if side else None
        if not door or start not in section.way or end not in section.way:
            continue
        here, there = section.way.index(start), section.way.index(end)
        for way in _short_cuts(config, rights, section.way[here : there + 1], door, set(section.way[:here])):
            if here + 1 >= len(driven) or way[: len(driven) - here] == driven[here:]:
                found.append((*section.way[:here], *way, *section.way[there + 1 :]))
    return found


def _short_cuts(config: Config, rights: Rights, leg: Way, door: SquareId, passed: set[SquareId]) -> Iterator[Way]:
    """Yield ways from the first square of ``leg`` to its last, by its ``door``, that are shorter than it."""
    network, start, end = config.network, leg[0], leg[-1]
    closed = {*passed, end} | (set() if rights.can(Does.BLACK_SPOT) else set(config.black_spots))
    if rights.can(Does.BLACK_SPOT) and config.black_spots and start != door:
        for way in network.shortest(start, {door}, closed, 1):
            if len(way) + 1 < len(leg):
                yield (*way, end)
    if not rights.can(Does.HIDDEN_TRACK):
        return
    for track, ends in network.tracks.items():
        for one, other in (ends, ends[::-1]):
            way = _over(config, start, one, track, other, door, closed)
            if way and len(way) + 1 < len(leg):
                yield (*way, end)


def _over(
    config: Config, start: SquareId, one: SquareId, track: SquareId, other: SquareId, door: SquareId, closed: set[SquareId]
) -> Way:
    """Return the squares from ``start`` over ``one`` end of a hidden track to its ``other`` and on to ``door``, if any."""
    network = config.network
    if {one, other} & closed:
        return ()
    before = [(start,)] if start == one else network.shortest(start, {one}, {*closed, other}, 1)
    if not before:
        return ()
    barred = {*closed, *before[0]}
    after = [(other,)] if other == door else network.shortest(other, {door}, barred, 1)
    return (*before[0], track, *after[0]) if after and door not in before[0] else ()
