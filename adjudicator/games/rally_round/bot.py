"""Advise simulated crews: one plans its markers and its speeds, the other tries whatever is legal.

The best speed of a turn depends on all turns to the next time control, and a line of speeds is no order that anybody could
list. So a crew plans the rest of its section: what every legal speed leads to, turn by turn, over its shortest ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from adjudicator.core.graph import cheapest_way
from adjudicator.game import Seat, View, advice, remembered, replace, total
from adjudicator.games.rally_round.components import CardId, Does, Rights, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import move
from adjudicator.games.rally_round.events import Faulted
from adjudicator.games.rally_round.laying import legs_so_far, useful_spots
from adjudicator.games.rally_round.orders import Block, Finish, Pass, Place, Speed, Start, TurnRound, chequered, places
from adjudicator.games.rally_round.roads import Way
from adjudicator.games.rally_round.route import FAULT, MINUTE, Section, timed
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.way import FASTEST, Car, NoWay, Turn, legal_speeds, way_ahead

_WORTH_A_CARD: Final = 20
"""How many seconds a kept hazard card must save before a player uses it."""
_LONGEST_LINE: Final = 40
_HOPELESS: Final = 1_000_000
"""The cost of a disqualification in seconds."""
_HIGHEST: Final = 70
"""The highest planned speed outside of stages: stages average 30 mph more."""
_REMEMBERED: Final = 4
"""How many squares of the trail a plan keeps: a car rolls back over two."""
_A_DRAW: Final = 75
"""The cost of an unknown hazard card in seconds: about every other one is a setback of two turns."""
_FARTHER: Final = 7
"""How many turns the plan searches beyond the target, or beyond the turns so far: in steps of as many."""
_A_SQUARE: Final = 2 * FAULT
"""The cost in seconds of each remaining square once the search stops: it counts more than any fault."""
_TRIES: Final = 12
"""How many places a player tries for a marker before it passes."""
_SLIPS: Final = 0.04
"""How often a player that does not plan places a wrong marker and loses the turn (RR-L3)."""


def advise(view: View[Config, State, Crew], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise one order, or markers of which the first legal one will do."""
    crew, kind = view.own, next((one.kind for one in view.due if one.seat == view.seat), "")
    laid = course(view.config, view.state)
    if crew is None:
        return None
    if kind in ("start", "finish", "place"):
        return advice.Advice(_markers(view.config, view.state, luck, plans=plans))
    if kind == "block" and plans:
        return advice.Advice([Block("yes")])
    if kind == "drive" and laid.sections:
        return advice.Advice([planned(laid, crew) if plans else _whatever(laid, crew, luck)])
    return None  # any kit will do, and any answer


# The route of a table ----------------------------------------------------------------------------------------------------


def _markers(config: Config, state: State, luck: advice.Luck, *, plans: bool) -> Iterator[Any]:
    """Yield markers that bring the route to an end, the best first, and at last ``Pass``."""
    finish, links, side = state.finish, config.network.links, config.network.side
    if finish is None:
        yield (Finish if state.controls else Start)(luck.choice(chequered(config, state)))
        return
    if not (plans or config.rejects_markers) and luck.random() < _SLIPS:
        yield Place("blackspot", state.controls[-1].square)
    is_certain = all(leg.ways.number == 1 for leg in legs_so_far(config, state.markers))
    if not is_certain and (luck.random() < 0.5 or state.markers.is_closed):  # RR-L2
        yield from (Place("blackspot", square) for square in useful_spots(config, state.markers))

    def timed_at(square: SquareId, entered: str) -> Place:
        section = None if config.is_stage_rally else luck.choice((None, "selective", "regularity"))
        return Place("tc", square, entered, section, luck.choice(range(20, 31)) if section == "regularity" else None)

    def controls() -> Iterator[Place]:
        """Yield the finish if the route is long, some markers, and then every control: one must be tried before RR-L4."""
        is_long = len(state.controls) >= (6 if plans else 4) or luck.random() < 0.05
        if is_long:
            for other in luck.sample(links[finish], k=len(links[finish])):
                yield timed_at(finish, str(side(finish, other)))
        for _ in range(_TRIES):
            square, whim = luck.choice(tuple(links)), luck.random()
            entered = str(side(square, luck.choice(links[square])))
            if whim < 0.35:
                is_spot = whim < (0.03 if plans else 0.15)
                yield Place("blackspot", square) if is_spot else Place("pc", square, entered)
            else:
                yield timed_at(square, entered)
        if is_long:
            orders = [order for order in places(config) if order.what != "blackspot"]
            first = luck.choice(range(len(orders)))
            yield from (*orders[first:], *orders[:first])

    if not state.markers.is_closed:
        yield from (order for order in controls() if order.flaw(config, state.markers) is None)
    yield Pass()


# Speeds without a plan ---------------------------------------------------------------------------------------------------


def _whatever(config: Config, crew: Crew, luck: advice.Luck) -> Any:
    """Return an order of a crew that mostly drives on, and sometimes tries something else."""
    car, whim = crew.car(config), luck.random()
    if whim < 0.02 or not way_ahead(config, car, 1):
        return TurnRound()
    if config.is_table and whim < 0.05 and config.rights(crew.kit).can(Does.UNOVERTAKEN):
        return Block("never" if crew.is_blocking else "always")
    via = _beside(config, car, luck) if whim > 0.97 else ()
    is_free = whim < 0.12 and not config.rejects
    speed = luck.choice(range(10, 121, 10) if is_free else crew.legal_speeds(config, via))
    using = luck.choice(crew.held) if crew.held and luck.random() < 0.3 else None
    lands = luck.choice(("", "ahead", "behind")) if config.is_table else ""
    if 0.8 < whim < 0.97 and using is None and not config.is_table and not config.rejects:
        return Speed(speed, then=tuple(max(10, speed + step) for step in (10, 20, 10)[: luck.choice((1, 2, 3))]))
    return Speed(speed, via=via, using=using, lands=lands)


def _beside(config: Config, car: Car, luck: advice.Luck) -> tuple[str, ...]:
    """Return a neighbouring square for the car to leave by, rarely one that disqualifies it."""
    barred = {*config.network.tracks, *config.black_spots}
    others = [other for other in config.network.neighbours(car.at) if other != car.behind]
    others = [other for other in others if other not in barred or luck.random() < 0.1]
    via = (str(luck.choice(others)).lower(),) if others else ()  # as orders write names
    try:
        return via if way_ahead(config, car, 1, via) else ()
    except NoWay:
        return ()


# Planned speeds ----------------------------------------------------------------------------------------------------------


def planned(config: Config, crew: Crew) -> Speed:
    """Return the line that promises the least penalty for the rest of the section, with the kit and the cards of ``crew``.

    It ends where the result is unknown: where the crew draws a hazard card or misses turns; at a table after one turn.
    """
    at, turns, rights, speeds = crew.car(config), len(crew.speeds), config.rights(crew.kit), list[int]()
    plan = plan_of(config, at, rights, turns)
    cost, speed = plan.best(at, turns)
    helped = [
        (plan.cost(plan.step(at, mph, more), turns), -mph, plan.order(at, mph, card))
        for card in crew.held
        for more in [config.rights(crew.kit, card)]
        for mph in plan.speeds(at, more)
    ]
    best = min(helped, key=lambda one: one[:2], default=None)
    if best is not None and best[0] < cost - _WORTH_A_CARD:
        return best[2]
    if not speed:
        return Speed(crew.legal_speeds(config)[-1])
    first, end = plan.order(at, speed), at.section.end.number
    if config.is_table or first.via:
        return first
    while len(speeds) < _LONGEST_LINE:
        _, speed = plan.best(at, turns)
        if not speed or (speeds and plan.order(at, speed).via):
            break
        step = plan.step(at, speed, rights)
        speeds.append(speed)
        if step.car is None or step.draws or step.turns > 1:
            break
        at, turns = step.car, turns + 1
    return Speed(speeds[0], then=tuple(speeds[1:]), to=end)


class Step(NamedTuple):
    """The result of one turn: the ``car`` after it, ``None`` at the end of the section, and the ``turns`` it takes.

    ``seconds`` is the time of a last turn that ends the section, ``cost`` its other cost; ``draws`` says that the crew draws
    a hazard card.
    """

    car: Car | None
    turns: int
    seconds: int
    cost: int
    draws: bool = False


class Plan:
    """The best speeds for the rest of a ``section`` over ``way``, the correct route or a short cut, with ``rights``."""

    def __init__(self, config: Config, section: Section, rights: Rights, way: Way, most: int) -> None:
        """Begin with no position known; the search stops after ``most`` turns."""
        self.config, self.section, self.rights, self.way, self.most = config, section, rights, way, most
        self.places = {square: at for at, square in enumerate(way)}
        self.known, self.steps = dict[Any, tuple[int, int]](), dict[Any, list[tuple[int, Step]]]()

    def ahead(self, car: Car, squares: int) -> Way:
        """Return at most so many squares ahead on the way; off it those that lead to the next control."""
        at = self.places.get(car.at, -1) + 1
        if at and (self.way[at : at + 1] != car.trail[-2:-1] or not car.trail[-2:-1]):
            return self.way[at : at + squares]
        return way_ahead(self.config, car, squares)

    def left(self, car: Car) -> int:
        """Return how many squares ``car`` still has to the end of the section, or to a dead end."""
        return len(self.ahead(car, 3 * len(self.way)))

    def order(self, car: Car, speed: int, using: CardId | None = None) -> Speed:
        """Return the order for one turn; it names squares off the correct route."""
        squares = self.ahead(car, speed // 10)
        is_usual = way_ahead(self.config, car, speed // 10) == squares
        return Speed(speed, via=() if is_usual else tuple(str(square).lower() for square in squares), using=using)

    def speeds(self, car: Car, rights: Rights) -> list[int]:
        """Return the speeds for ``car`` that are legal and worth a try, the highest first."""
        ahead, highest = self.ahead(car, 1), FASTEST if self.section.timing is Timing.STAGE else _HIGHEST
        legal: Iterable[int] = reversed(legal_speeds(self.config, car, rights, ahead[0])) if ahead else ()
        return [speed for speed in legal if speed <= highest]

    def step(self, car: Car, speed: int, rights: Rights) -> Step:
        """Return the result of a turn at a legal ``speed`` by the rules."""
        found = move(self.config, Seat(""), car, rights, Turn(speed), self.ahead(car, speed // 10))
        if found.is_out:
            return Step(None, 1, 0, _HOPELESS)
        cost = FAULT * sum(isinstance(one, Faulted) for one in found.events) + _A_DRAW * found.draws
        if found.seconds is not None:
            return Step(None, 1, found.seconds, cost)
        after = replace(found.car, trail=found.car.trail[-_REMEMBERED:], faulted=car.faulted)
        return Step(after, 1 + found.missed, 0, cost, found.draws)

    def cost(self, step: Step, turns: int) -> int:
        """Return the least cost of the rest of the section with ``step`` as the next turn after ``turns``."""
        if step.car is not None:
            return step.cost + self.best(step.car, turns + step.turns)[0]
        time = MINUTE * turns + step.seconds
        return step.cost + (total(timed(self.section.timing, time, self.section.target)) if step.seconds else 0)

    def best(self, car: Car, turns: int) -> tuple[int, int]:
        """Return the least cost of the rest of the section after so many ``turns``, and the speed to continue with.

        The speed is 0 if the search finds no end. Of equally good speeds it is the highest.
        """
        position = car.trail[-2:], car.speed, car.met, car.faulted
        if (position, turns) in self.known:
            return self.known[position, turns]
        if turns > self.most:
            # Never less than a reachable end: a passage control that the car has not met costs its fault there.
            missed = FAULT * (len(self.section.posts) - 1 - car.met)
            return MINUTE * turns + missed + _A_SQUARE * (1 + self.left(car)), 0
        if position not in self.steps:
            self.steps[position] = [(speed, self.step(car, speed, self.rights)) for speed in self.speeds(car, self.rights)]
        best, fastest = 10**12, 0
        for speed, step in self.steps[position]:
            # The section always takes longer than the turns so far.
            late = MINUTE * (turns + step.turns - (step.car is None)) - self.section.target
            if step.cost + max(0, late) < best and (cost := self.cost(step, turns)) < best:
                best, fastest = cost, speed
        self.known[position, turns] = best, fastest
        return best, fastest


def plan_of(config: Config, car: Car, rights: Rights, turns: int) -> Plan:
    """Return the plan for the rest of the section of ``car`` after so many ``turns``, over the cheaper of two ways."""
    section, most = car.section, car.section.target // MINUTE + _FARTHER
    most += -(-max(0, turns + _FARTHER - most) // _FARTHER) * _FARTHER
    opened = frozenset(what for what in (Does.BLACK_SPOT, Does.HIDDEN_TRACK) if rights.can(what))
    short = _short_cut(config, section, car.trail, car.met, opened) if opened else ()
    plans = [_plan(config, section, rights, way, most) for way in filter(None, (section.way, short))]
    return min(plans, key=lambda plan: plan.best(car, turns)[0])


_plan = remembered(Plan)


@remembered
def _short_cut(config: Config, section: Section, trail: Way, met: int, opened: frozenset[Does]) -> Way:
    """Return the shortest way over the controls still due, by the hidden tracks and Black Spots that are ``opened``."""
    network, at = config.network, section.place(trail[-1])
    way = [*(trail if at < 0 else section.way[: at + 1])]
    barred = set(() if Does.BLACK_SPOT in opened else config.black_spots)
    barred.update(() if Does.HIDDEN_TRACK in opened else network.tracks)

    def onward(here: SquareId) -> list[tuple[SquareId, int]]:
        return [(square, 1) for square in network.neighbours(here) if square not in closed]

    for post in section.posts[met:]:
        door = network.beside(post.square, post.side) if post.side else None
        closed = {*way[:-1], *barred, post.square}
        leg = cheapest_way(way[-1], door, onward) if door else ()
        if not leg:
            return ()
        way += [*leg[1:], post.square]
    return tuple(way)
