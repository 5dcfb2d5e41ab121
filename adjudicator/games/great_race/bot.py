"""Choose orders for simulated crews, which plan their way to the finish and the money that it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from math import ceil
from typing import Any, Final, NamedTuple, Protocol

from adjudicator.game import View
from adjudicator.games.great_race import convoy, driving, laying, plays, repair, routes, threats
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId, Tile
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.roads import other_end
from adjudicator.games.great_race.rules import RULESET
from adjudicator.games.great_race.state import Crew, Drive, Help, Keeping, Laying, State, Use
from adjudicator.games.great_race.terms import Losing

_FUEL, _PART, _STOP, _A_CARD = 15, 22, 14, 12
"""The worth in francs of a level of fuel, of a part, of going on after a stop, and of a card drawn in a city.

A city never pays for the detour, or crews would drive in circles.
"""
_UNKNOWN: Final = 0.9
"""The share of an unknown tile's average cost that counts: a crew does not pay for dear tiles, it drives round them."""
_A_DRIVE: Final = 3.0
"""How many spaces a drive covers on average: stops and cities end it."""
_GUARDS: Final = (Help.ESCORT, Help.RANGER)
_MOST_FUEL: Final = 8
"""A crew buys no fuel beyond this level: cards and cities bring some."""
_UNKNOWN_PARTS: Final = 2
"""The most parts that an unknown tile costs, with few exceptions."""
_LATE: Final = 13
"""After so many rounds (few races last as long) a crew saves for what it cannot pay, and drives nowhere else meanwhile."""
_GOOD_IN_CITY: Final = 5
"""How many parts a vehicle has when it leaves a city, if it can pay for them."""


class Luck(Protocol):
    """The source of a player's random choices."""

    def random(self) -> float:
        """Return a number from 0 to 1."""


# The way to the finish


class Leg(NamedTuple):
    """A step of the way: its space, whether it takes a line, and its estimated cost in francs."""

    space: SpaceId
    is_line: bool
    francs: float


class Average(NamedTuple):
    """The average cost of a tile in the bag: levels of fuel, parts with its danger, and the chance of a stop."""

    fuel: float
    parts: float
    stop: float


def average(config: Config) -> Average:
    """Return the average cost of an unknown tile."""
    tiles, danger = config.components.tiles, config.components.danger
    many = sum(tile.count for tile in tiles)
    fuel = sum(tile.fuel * tile.count for tile in tiles) / many
    parts = sum((tile.parts + danger * tile.danger) * tile.count for tile in tiles) / many
    return Average(fuel, parts, sum(tile.stop * tile.count for tile in tiles) / many)


def _tile_francs(config: Config, tile: Tile, *, is_risk: bool) -> float:
    fuel, parts = tile.fuel + config.components.surcharge * is_risk, tile.parts + config.components.danger * tile.danger
    return fuel * _FUEL + parts * _PART + tile.stop * _STOP


def way(config: Config, state: State, here: SpaceId) -> tuple[Leg, ...]:
    """Return the way from ``here`` to the finish with the least estimated cost."""
    finish, queue, done = config.roads.finish, [(0.0, 0, here)], set[SpaceId]()
    before: dict[SpaceId, tuple[SpaceId, Leg]] = {}
    best, number, legs = {here: 0.0}, 0, _legs_of(config, state)
    while queue:
        cost, _, at = heappop(queue)
        if at == finish:
            break
        if at in done:
            continue
        done.add(at)
        for leg in legs(at):
            total = cost + leg.francs
            if total < best.get(leg.space, total + 1):
                best[leg.space], before[leg.space] = total, (at, leg)
                number += 1
                heappush(queue, (total, number, leg.space))
    found: list[Leg] = []
    while finish in before:
        finish, leg = before[finish]
        found.append(leg)
    return tuple(reversed(found))


def _legs_of(config: Config, state: State) -> Callable[[SpaceId], Iterator[Leg]]:
    """Return a function that gives the legs from a space, and estimates each step by land once."""
    roads, tiles, parts, middle = config.roads, state.tiles, config.components, average(config)
    city = parts.city_fuel * _FUEL + _STOP
    unknown = (middle.fuel * _FUEL + middle.parts * _PART + middle.stop * _STOP) * _UNKNOWN
    known: dict[SpaceId, Leg] = {}

    def by_land(other: SpaceId) -> Leg:
        space = roads.spaces[other]
        if space.is_city:
            return Leg(other, False, max(1, city - _A_CARD * space.cards))
        if other in tiles:
            return Leg(other, False, _tile_francs(config, config.tiles[tiles[other]], is_risk=space.risk) + 1)
        return Leg(other, False, unknown + parts.surcharge * _FUEL * space.risk)

    def legs(here: SpaceId) -> Iterator[Leg]:
        for other in roads.beside(here):
            if other not in known:
                known[other] = by_land(other)
            yield known[other]
        for line in roads.lines.get(here, ()):
            there = other_end(line, here)
            yield Leg(there, True, max(1, city + line.price + _STOP - _A_CARD * roads.spaces[there].cards))

    return legs


def estimate(config: Config, view: View[State]) -> int:
    """Estimate the francs that the viewer's crew still has to spend; needed only where ``choose`` leaves the choice open."""
    crew = view.own(view.state.crews)
    return 0 if crew is None else round(sum(leg.francs for leg in way(config, view.state, crew.space)))


# The next order


def choose(config: Config, view: View[State], luck: Luck, *, plans: bool) -> Any | None:
    """Return the next order of the viewer's crew, if it ``plans``; ``None`` leaves the choice to a player of any game."""
    crew = view.own(view.state.crews)
    kind = next((due.kind for due in view.due if due.seat == view.viewer), "")
    if crew is None or not plans or not kind:
        return None
    wishes = getattr(_Planner(config, view.state, crew, luck), kind)()
    return next((order for order in wishes if RULESET.check(config, view.state, crew.seat, order) is None), None)


class _Planner:
    """Yield the orders that a crew may wish to give, the best first: a method for each kind of question."""

    def __init__(self, config: Config, state: State, crew: Crew, luck: Luck) -> None:
        self.config, self.state, self.crew, self.luck = config, state, crew, luck
        self.parts, self.roads = config.components, config.roads
        self.legs = way(config, state, crew.space)
        self.is_in_city = config.roads.is_city(crew.space)

    def take(self) -> Iterator[Any]:
        yield convoy.Take(max(self.state.offered, key=lambda card: card.kind.worth + 4 * self.luck.random()))

    def plan(self) -> Iterator[Any]:
        """Plan as many drives as can be paid, an escort, and money with the others."""
        all_of_them, steps = self.parts.assistants, len(self.legs)
        drives = max(1, ceil(min(steps, self._affordable()) / _A_DRIVE))
        mechanics = 2 if self.crew.engine <= 1 or self._is_worn() else min(all_of_them, drives)
        scouts = 1 if steps > 3 and mechanics < all_of_them and self.luck.random() < 0.35 else 0
        left = all_of_them - mechanics - scouts
        escort = 1 if left > 0 and steps > 2 else 0
        yield convoy.Plan(scouts, mechanics, escort, left - escort)

    def _affordable(self) -> float:
        """Return how many spaces the vehicle can cross with its fuel, its money and its parts."""
        middle, crew = average(self.config), self.crew
        cans = crew.has(Help.JERRYCAN) + 4 * crew.hand.count(CardId.REFUELLING)
        by_fuel = (crew.fuel + cans + crew.cash / self.parts.prices.fuel_outside) / max(middle.fuel, 0.1)
        return min(by_fuel, max(crew.parts - 2, 1) / max(middle.parts, 0.1))

    def cut(self) -> Iterator[Any]:
        yield plays.CAN
        thrown = sorted(self.crew.hand, key=lambda card: card.kind.worth)[: self.crew.excess]
        yield convoy.Discard(thrown[0], tuple(thrown[1:]))

    def keep(self) -> Iterator[Any]:
        best = sorted(self.state.pending_as(Keeping).cards, key=lambda card: card.kind.worth)
        for dropped in (*range(1, len(best) + 1), 0):
            yield plays.Keep(tuple(sorted(best[dropped:])))

    def lay(self) -> Iterator[Any]:
        """Lay the cheapest tile on the crew's own way, and a dear one off it."""
        config, ahead = self.config, [leg.space for leg in self.legs]
        francs = {
            tile: _tile_francs(config, config.tiles[tile], is_risk=False) for tile in self.state.pending_as(Laying).tiles
        }
        free = self.roads.free(self.crew.space, self.state.tiles)
        on_way = [space for space in ahead if space in free]
        others = sorted((space for space in free if space not in ahead), key=lambda space: -self.roads.to_finish[space])
        for tile in sorted(francs, key=lambda tile: francs[tile]):
            for space in (*on_way, *others) if francs[tile] <= _FUEL + _PART else (*others, *on_way):
                yield laying.Lay(tile, space)

    def pay(self) -> Iterator[Any]:
        crew, losing = self.crew, self._losing()
        tile = self.config.tiles[self.state.tiles[self.state.pending_as(Drive).path[0]]]
        guards = [Use(guard) for guard in _GUARDS if tile.danger and crew.has(guard)][:1]
        cans = [Use(Help.JERRYCAN)] if crew.has(Help.JERRYCAN) else []
        for using in (guards, [*cans, *guards], [], cans):
            yield driving.Pay(losing, tuple(using) or None)
        yield from (driving.Pay(), driving.Back())

    def react(self) -> Iterator[Any]:
        threat: Any = self.state.pending
        if threat.target == self.crew.seat:
            yield from (threats.Cancel(guard.value) for guard in _GUARDS if self.crew.has(guard))
        yield threats.Accept()

    def _losing(self) -> Losing:
        crew = self.crew
        return Losing("chassis" if crew.chassis + 1 >= crew.engine or crew.engine <= 2 else "engine")

    def turn(self) -> Iterator[Any]:
        """Buy fuel for the planned drives, play useful cards, then scout, repair, drive, and raise funds last."""
        crew, prices, is_worn = self.crew, self.parts.prices, self._is_worn()
        yield from self._cards()
        if self.state.round > _LATE:
            yield from self._saving()
        if crew.active.mechanics and crew.engine:
            yield from self._fuel()
        if crew.active.scouts:
            if self.roads.free(crew.space, self.state.tiles):
                yield laying.ScoutTiles()
            yield laying.ScoutCard()
        if (is_worn and crew.cash < 2 * prices.part_outside) or (crew.cash < 2 * prices.fuel_outside and crew.fuel < 3):
            yield convoy.Fund()
        if crew.active.mechanics:
            if crew.engine <= 1 or is_worn:
                yield from self._repairs(repair.Repair)
            yield from self._drives(routes.Drive)
            yield from self._repairs(repair.Repair)
        yield from (convoy.Fund(), laying.ScoutTiles(), laying.ScoutCard(), convoy.Pass())

    def _saving(self) -> Iterator[Any]:
        """Wait and raise money for the parts that the next space needs, or for the next line."""
        first, is_worn = self.legs[:1], self._is_worn()
        lines = [
            line for leg in first if leg.is_line for line in self.roads.lines[self.crew.space] if leg.space in line.ends
        ]
        if is_worn or min((line.price for line in lines), default=0) > self.crew.cash:
            yield convoy.Fund()
            if is_worn:
                yield from self._repairs(repair.Repair)
            yield convoy.Pass()

    def _cards(self) -> Iterator[Any]:
        crew, state, seats = self.crew, self.state, [*self.state.crews]
        yield plays.Play(CardId.FINANCIAL)
        yield plays.Play(CardId.TRAIL_HUNTER)
        if crew.fuel + 5 <= self.parts.gauges.fuel:
            yield plays.Play(CardId.REFUELLING)
        rivals = [other for other in seats if other.seat != crew.seat and other.arrival is None]
        leader = max(rivals, key=lambda other: self.roads.lane(other.space), default=None)
        if leader is not None and leader.parts:
            yield threats.PlaySaboteur(leader.seat)
        if len(self.legs) > 3 and state.bag_size(self.config) and self.roads.free(crew.space, state.tiles):
            yield laying.PlayCartographer()
        if crew.engine <= 2:
            yield from self._repairs(repair.PlayMechanic)
        if crew.engine and crew.fuel >= 3:
            yield from self._drives(routes.PlayDriver)

    def _fuel(self) -> Iterator[Any]:
        """Buy what the next drives need; in a city more than outside."""
        crew, price = self.crew, self.config.fuel_price(self.crew.space)
        spaces = min(len(self.legs), _A_DRIVE * (3 if self.is_in_city else crew.active.mechanics))
        levels = min(ceil(average(self.config).fuel * spaces), _MOST_FUEL, self.parts.gauges.fuel) - crew.fuel
        levels = min(levels, crew.cash // price) if price else levels
        if levels > 0 and self.state.may_buy:
            yield convoy.Buy(levels)

    def _repairs(self, kind: type) -> Iterator[Any]:
        """Repair with the cards of the hand, and buy the parts that the next space costs; in a city buy more."""
        crew, full, price = self.crew, self.parts.gauges, self.config.part_price(self.crew.space)
        room = full.engine + full.chassis - crew.parts
        boxes = min(crew.hand.count(CardId.TOOLBOX), 1 if room >= 3 else 0)
        parts = min(crew.hand.count(CardId.SPARE_PARTS), room - 3 * boxes)
        wanted = max(self._needed(), _GOOD_IN_CITY if self.is_in_city else 0) - crew.parts - parts - 3 * boxes
        bought = max(0, min(wanted, crew.cash // price if price else room, room - parts - 3 * boxes))
        if parts or boxes or bought:
            yield kind(parts=parts, toolbox=boxes, buy=bought)

    def _needed(self) -> int:
        """Return how many parts a vehicle needs to drive on: those that the next space costs, and one for the engine."""
        if not self.legs or self.roads.is_city(self.legs[0].space):
            return 1
        tile = self.state.tiles.get(self.legs[0].space)
        return 1 + (_UNKNOWN_PARTS if tile is None else self.config.tile_parts(tile))

    def _is_worn(self) -> bool:
        return self.crew.parts < self._needed()

    def _drives(self, kind: type) -> Iterator[Any]:
        """Drive along the way as far as engine and fuel seem to allow, or less far."""
        crew, legs, losing, far = self.crew, self.legs, self._losing(), self.roads.to_finish
        if not legs or not crew.engine:
            return
        using = tuple(Use(one) for one in Help if crew.has(one))
        if legs[0].is_line:
            for line in LineKind:
                yield from (kind(legs[0].space, (), line.value, cards, losing, None) for cards in (2, 1, 0))
        path = self._driven(legs[: crew.engine])
        for end in range(len(path), 0, -1):
            yield kind(path[0], tuple(path[1:end]), "", 0, losing, using)
        for other in sorted(self.roads.beside(crew.space), key=lambda space: far[space]):
            if far[other] <= far[crew.space]:
                yield kind(other, (), "", 0, losing, using)

    def _driven(self, legs: Sequence[Leg]) -> list[SpaceId]:
        """Return the spaces of ``legs`` by land, up to the first city."""
        path = list[SpaceId]()
        for leg in legs:
            if leg.is_line:
                break
            path.append(leg.space)
            if self.roads.is_city(leg.space):
                break
        return path


__all__ = ["choose", "estimate"]
