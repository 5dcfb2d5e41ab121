"""Advise simulated crews, which plan their way to the finish and the money that it costs.

Most questions have too many answers to try them all, and what an answer is worth shows only drives later. So the orders come
from rules of thumb, the best first, and the way from a search over the roads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Any, Final, NamedTuple

from adjudicator.core.graph import cheapest_way
from adjudicator.game import View, advice
from adjudicator.games.great_race.actions import Fund, Means, Repair, ScoutCard
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId, Tile
from adjudicator.games.great_race.config import Config, other_end
from adjudicator.games.great_race.danger import Accept, Cancel, Sabotage
from adjudicator.games.great_race.drive import Back, Drive, Losing, Pay
from adjudicator.games.great_race.laying import Lay, ScoutTiles
from adjudicator.games.great_race.orders import CAN, Buy, Discard, Keep, Pass, Plan, Play, Take
from adjudicator.games.great_race.state import BAG, Crew, Help, Here, Keeping, Laying, Slot, State, Use
from adjudicator.games.great_race.state import Drive as OnTheWay

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


def advise(view: View[Config, State, Crew], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise the orders that a crew wishes to give, the best first."""
    kind = next((due.kind for due in view.due if due.seat == view.seat), "")
    return advice.Advice(getattr(_Wishes(view, luck), kind)()) if plans and kind else None


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


def _tile_francs(config: Config, tile: Tile, *, is_risk: bool = False) -> float:
    fuel, parts = tile.fuel + config.components.surcharge * is_risk, tile.parts + config.components.danger * tile.danger
    return fuel * _FUEL + parts * _PART + tile.stop * _STOP


def way(config: Config, state: State, here: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces of the cheapest way from ``here`` to the finish."""
    return cheapest_way(here, config.roads.finish, _steps(config, state))[1:]


def _steps(config: Config, state: State) -> Callable[[SpaceId], Iterator[tuple[SpaceId, float]]]:
    """Return a function that gives the spaces next to one, by land and by line, with the estimated francs to get there."""
    roads, parts, middle = config.roads, config.components, average(config)
    city = parts.city_fuel * _FUEL + _STOP
    unknown = (middle.fuel * _FUEL + middle.parts * _PART + middle.stop * _STOP) * _UNKNOWN

    @cache
    def by_land(other: SpaceId) -> float:
        space, tile = roads.spaces[other], state.tiles.get(other)
        if space.is_city:
            return max(1, city - _A_CARD * space.cards)
        if tile is None:
            return unknown + parts.surcharge * _FUEL * space.risk
        return _tile_francs(config, config.tiles[tile], is_risk=space.risk) + 1

    def steps(here: SpaceId) -> Iterator[tuple[SpaceId, float]]:
        for other in roads.beside(here):
            yield other, by_land(other)
        for line in roads.lines.get(here, ()):
            there = other_end(line, here)
            yield there, max(1, city + line.price + _STOP - _A_CARD * roads.spaces[there].cards)

    return steps


class _Wishes:
    """Yield the orders that a crew wishes to give, the best first: a method for each kind of question."""

    def __init__(self, at: Here, luck: advice.Luck) -> None:
        config, state, crew = at.config, at.state, at.own
        self.config, self.state, self.crew, self.luck = config, state, crew, luck
        self.parts, self.roads, self.average = config.components, config.roads, average(config)
        self.way = way(config, state, crew.space)
        self.first = self.way[0] if self.way else crew.space
        self.is_by_line = bool(self.way) and self.first not in self.roads.beside(crew.space)

    def take(self) -> Iterator[Any]:
        yield Take(max(self.state.offered, key=lambda card: card.worth + 4 * self.luck.random()))

    def plan(self) -> Iterator[Any]:
        """Plan as many drives as the vehicle can pay for, an escort, and money with the others."""
        all_of_them, steps, crew = self.parts.assistants, len(self.way), self.crew
        cans = crew.has(Help.JERRYCAN) + 4 * crew.hand.count(CardId.REFUELLING)
        by_fuel = (crew.fuel + cans + crew.cash / self.parts.prices.fuel_outside) / max(self.average.fuel, 0.1)
        spaces = min(steps, by_fuel, max(crew.parts - 2, 1) / max(self.average.parts, 0.1))
        is_weak = crew.engine <= 1 or crew.parts < self._needed()
        mechanics = 2 if is_weak else min(all_of_them, max(1, ceil(spaces / _A_DRIVE)))
        scouts = 1 if steps > 3 and mechanics < all_of_them and self.luck.random() < 0.35 else 0
        left = all_of_them - mechanics - scouts
        escort = 1 if left > 0 and steps > 2 else 0
        yield Plan(scouts, mechanics, escort, left - escort)

    def cut(self) -> Iterator[Any]:
        yield CAN
        thrown = sorted(self.crew.hand, key=lambda card: card.worth)[: self.crew.excess]
        yield Discard(tuple(thrown))

    def keep(self) -> Iterator[Any]:
        best = sorted(self.state.pending_as(Keeping).cards, key=lambda card: card.worth)
        for dropped in (*range(1, len(best) + 1), 0):
            yield Keep(tuple(sorted(best[dropped:])))

    def lay(self) -> Iterator[Any]:
        """Lay the cheapest tile on the crew's own way, and a dear one off it."""
        francs = {tile: _tile_francs(self.config, self.config.tiles[tile]) for tile in self.state.pending_as(Laying).tiles}
        free = self.roads.free(self.crew.space, self.state.tiles)
        on_way = [space for space in self.way if space in free]
        others = sorted((space for space in free if space not in self.way), key=lambda space: -self.roads.to_finish[space])
        for tile in sorted(francs, key=lambda tile: francs[tile]):
            for space in (*on_way, *others) if francs[tile] <= _FUEL + _PART else (*others, *on_way):
                yield Lay(tile, space)

    def pay(self) -> Iterator[Any]:
        crew, tile = self.crew, self.config.tiles[self.state.tiles[self.state.pending_as(OnTheWay).path[0]]]
        guards = [Use(guard) for guard in _GUARDS if tile.danger and crew.has(guard)][:1]
        cans = [Use(Help.JERRYCAN)] if crew.has(Help.JERRYCAN) else []
        for using in (guards, [*cans, *guards], [], cans):
            yield Pay(self._losing(), tuple(using) or None)
        yield from (Pay(), Back())

    def react(self) -> Iterator[Any]:
        threat: Any = self.state.pending
        if threat.target == self.crew.seat:
            yield from (Cancel(guard.value) for guard in _GUARDS if self.crew.has(guard))
        yield Accept()

    def turn(self) -> Iterator[Any]:
        """Play useful cards, buy fuel for the planned drives, then scout, repair, drive, and raise funds last."""
        crew, prices, is_worn = self.crew, self.parts.prices, self.crew.parts < self._needed()
        yield from self._cards()
        lines = self.roads.lines[crew.space] if self.is_by_line else ()
        fare = min((line.price for line in lines if self.first in line.ends), default=0)
        if self.state.round > _LATE and (is_worn or fare > crew.cash):
            yield from (Fund(), *(self._repairs() if is_worn else ()), Pass())
        if crew.active.mechanics and crew.engine:
            yield from self._fuel()
        if crew.active.scouts:
            yield from (ScoutTiles(), ScoutCard())
        if (is_worn and crew.cash < 2 * prices.part_outside) or (crew.cash < 2 * prices.fuel_outside and crew.fuel < 3):
            yield Fund()
        if crew.engine <= 1 or is_worn:
            yield from self._repairs()
        yield from self._drives()
        yield from self._repairs()
        yield from (Fund(), Pass())

    def _losing(self) -> Losing:
        crew = self.crew
        return Losing("chassis" if crew.chassis + 1 >= crew.engine or crew.engine <= 2 else "engine")

    def _cards(self) -> Iterator[Any]:
        crew, state = self.crew, self.state
        yield from (Play(CardId.FINANCIAL), Play(CardId.TRAIL_HUNTER))
        if crew.fuel + 5 <= self.parts.gauges.fuel:
            yield Play(CardId.REFUELLING)
        rivals = [other for other in state.crews if other.seat != crew.seat and other.arrival is None]
        leader = max(rivals, key=lambda other: self.roads.lane(other.space), default=None)
        if leader is not None and leader.parts:
            yield Sabotage(leader.seat)
        if len(self.way) > 3 and BAG.many_left(self.config, state) and self.roads.free(crew.space, state.tiles):
            yield ScoutTiles(by=CardId.CARTOGRAPHER)
        if crew.engine <= 2:
            yield from self._repairs(CardId.MECHANIC)
        if crew.fuel >= 3:
            yield from self._drives(CardId.DRIVER)

    def _fuel(self) -> Iterator[Any]:
        """Buy what the next drives need; in a city more than outside."""
        crew, price = self.crew, self.config.fuel_price(self.crew.space)
        drives = 3 if self.roads.is_city(crew.space) else crew.active.mechanics
        needed = ceil(self.average.fuel * min(len(self.way), _A_DRIVE * drives))
        levels = min(needed, _MOST_FUEL, self.parts.gauges.fuel) - crew.fuel
        levels = min(levels, crew.cash // price) if price else levels
        if levels > 0:
            yield Buy(levels)

    def _repairs(self, by: Means = Slot.MECHANICS) -> Iterator[Any]:
        """Repair with the cards of the hand, and buy the parts that the next space costs; in a city buy more."""
        crew, full, price = self.crew, self.parts.gauges, self.config.part_price(self.crew.space)
        room = full.engine + full.chassis - crew.parts
        boxes = min(crew.hand.count(CardId.TOOLBOX), 1 if room >= 3 else 0)
        parts = min(crew.hand.count(CardId.SPARE_PARTS), room - 3 * boxes)
        wanted = max(self._needed(), _GOOD_IN_CITY if self.roads.is_city(crew.space) else 0) - crew.parts - parts - 3 * boxes
        bought = max(0, min(wanted, crew.cash // price if price else room, room - parts - 3 * boxes))
        if parts or boxes or bought:
            yield Repair(parts=parts, toolbox=boxes, buy=bought, by=by)

    def _needed(self) -> int:
        """Return how many parts a vehicle needs to drive on: those that the next space costs, and one for the engine."""
        if self.roads.is_city(self.first):
            return 1
        tile = self.state.tiles.get(self.first)
        return 1 + (_UNKNOWN_PARTS if tile is None else self.config.tile_parts(tile))

    def _drives(self, by: Means = Slot.MECHANICS) -> Iterator[Any]:
        """Drive along the way as far as engine and fuel seem to allow, or less far."""
        crew, losing, far, roads = self.crew, self._losing(), self.roads.to_finish, self.roads
        if not self.way or not crew.engine:
            return
        using, path = tuple(Use(one) for one in Help if crew.has(one)), list[SpaceId]()
        if self.is_by_line:
            for line in LineKind:
                yield from (Drive((self.first,), line.value, cards, losing, None, by) for cards in (2, 1, 0))
        for here, there in pairwise((crew.space, *self.way[: crew.engine])):
            if there not in roads.beside(here) or (path and roads.is_city(here)):
                break
            path.append(there)
        for end in range(len(path), 0, -1):
            yield Drive(tuple(path[:end]), "", 0, losing, using, by)
        for other in sorted(roads.beside(crew.space), key=lambda space: far[space]):
            if far[other] <= far[crew.space]:
                yield Drive((other,), "", 0, losing, using, by)
