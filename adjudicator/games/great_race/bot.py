"""Advise simulated crews by rules of thumb, along the cheapest way to the finish.

Most questions have too many answers to try them all, and what an answer is worth shows only drives later. So the orders come
with the best first; a player takes the first that is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any, Final

from adjudicator.core.graph import cheapest_way
from adjudicator.game import View, advice
from adjudicator.games.great_race.actions import Fund, Lay, Means, Repair, ScoutCard, ScoutTiles
from adjudicator.games.great_race.components import CardId, Config, SpaceId, TileId, other_end
from adjudicator.games.great_race.danger import Accept, Cancel, Sabotage
from adjudicator.games.great_race.drive import Back, Drive, Losing, Pay
from adjudicator.games.great_race.orders import CAN, Buy, Discard, Keep, Pass, Plan, Play, Take
from adjudicator.games.great_race.state import Crew, Help, Here, Keeping, Laying, Slot, State, Use
from adjudicator.games.great_race.state import Drive as OnTheWay

_FUEL, _PART, _STOP, _A_CARD = 15, 22, 14, 12
"""The worth in francs of a level of fuel, of a part, of going on after a stop, and of a card drawn in a city."""
_A_DRIVE: Final = 3
"""How many spaces a drive covers on average: stops and cities end it."""
_LATE: Final = 13
"""After so many rounds (few races last as long) a crew saves for what it cannot pay, and drives nowhere else meanwhile."""


def advise(view: View[Config, State, Crew], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise the orders that a crew wishes to give, the best first."""
    kind = next((due.kind for due in view.due if due.seat == view.seat), "")
    return advice.Advice(getattr(_Wishes(view, luck), kind)()) if plans and kind else None


class _Wishes:
    """Yield the orders that a crew wishes to give, the best first: a method for each kind of question."""

    def __init__(self, at: Here, luck: advice.Luck) -> None:
        self.config, self.state, self.crew, self.luck = at.config, at.state, at.own, luck
        self.roads, self.prices, bag = at.config.roads, at.config.components.prices, at.config.bag
        self.fuel, self.parts = (sum(costs) / len(bag) for costs in zip(*map(self._costs, bag), strict=True))
        # Nine tenths of an unknown tile's average: a crew does not pay for dear tiles, it drives round them.
        self.unknown = 0.9 * sum(map(self._francs, bag)) / len(bag)
        self.way = cheapest_way(self.crew.space, self.roads.finish, self._steps)[1:]
        self.first = self.way[0] if self.way else self.crew.space
        tile = self.state.tiles.get(self.first)
        known = 0 if self.roads.is_city(self.first) else 2 if tile is None else self.config.tile_parts(tile)
        self.needed, weakest = known + 1, self.crew.chassis + 1 >= self.crew.engine or self.crew.engine <= 2
        self.is_worn, self.losing = self.crew.parts < self.needed, Losing("chassis" if weakest else "engine")

    def _costs(self, tile: TileId) -> tuple[int, int]:
        return self.config.tiles[tile].fuel, self.config.tile_parts(tile)

    def _francs(self, tile: TileId) -> float:
        fuel, parts = self._costs(tile)
        return fuel * _FUEL + parts * _PART + self.config.tiles[tile].stop * _STOP

    def _steps(self, here: SpaceId) -> Iterator[tuple[SpaceId, float]]:
        """Yield the spaces next to ``here``, by land and by line, with the estimated francs to get there."""
        components, tiles = self.config.components, self.state.tiles
        city = components.city_fuel * _FUEL + _STOP  # drawing cards pays for no detour, or crews would drive in circles
        for other in self.roads.beside(here):
            space, risk = self.roads.spaces[other], components.surcharge * _FUEL * self.roads.spaces[other].risk
            francs = risk + (self._francs(tiles[other]) + 1 if other in tiles else self.unknown)
            yield other, max(1, city - _A_CARD * space.cards) if space.is_city else francs
        for line in self.roads.lines.get(here, ()):
            there = other_end(line, here)
            yield there, max(1, city + line.price + _STOP - _A_CARD * self.roads.spaces[there].cards)

    def take(self) -> Iterator[Any]:
        yield Take(max(self.state.offered, key=lambda card: card.worth + 4 * self.luck.random()))

    def plan(self) -> Iterator[Any]:
        """Plan as many drives as the vehicle can pay for, an escort, and money with the others."""
        many, crew, steps = self.config.components.assistants, self.crew, len(self.way)
        cans = crew.hand.count(CardId.JERRYCAN) + 4 * crew.hand.count(CardId.REFUELLING)
        by_fuel = (crew.fuel + cans + crew.cash / self.prices.fuel_outside) / max(self.fuel, 0.1)
        spaces = min(steps, by_fuel, max(crew.parts - 2, 1) / max(self.parts, 0.1))
        mechanics = 2 if crew.engine <= 1 or self.is_worn else min(many, max(1, ceil(spaces / _A_DRIVE)))
        scouts = int(steps > 3 and mechanics < many and self.luck.random() < 0.35)
        escort = int(many > mechanics + scouts and steps > 2)
        yield Plan(scouts, mechanics, escort, many - mechanics - scouts - escort)

    def cut(self) -> Iterator[Any]:
        yield CAN
        yield Discard(tuple(sorted(self.crew.hand, key=lambda card: card.worth)[: self.crew.excess]))

    def keep(self) -> Iterator[Any]:
        best = sorted(self.state.pending_as(Keeping).cards, key=lambda card: card.worth)
        yield from (Keep(tuple(sorted(best[dropped:]))) for dropped in (*range(1, len(best) + 1), 0))

    def lay(self) -> Iterator[Any]:
        """Lay the cheapest tile on the crew's own way, and a dear one off it."""
        free = self.roads.free(self.crew.space, self.state.tiles)
        spaces = [space for space in self.way if space in free]
        spaces += sorted(set(free).difference(self.way), key=lambda space: (-self.roads.to_finish[space], space))
        for tile in sorted(self.state.pending_as(Laying).tiles, key=self._francs):
            yield from (Lay(tile, one) for one in (spaces if self._francs(tile) <= _FUEL + _PART else spaces[::-1]))

    def pay(self) -> Iterator[Any]:
        tile = self.config.tiles[self.state.tiles[self.state.pending_as(OnTheWay).path[0]]]
        guards = [Use(guard) for guard in (Help.ESCORT, Help.RANGER) if tile.danger and self.crew.has(guard)][:1]
        cans = [Use(Help.JERRYCAN)] if self.crew.has(Help.JERRYCAN) else []
        for using in (guards, [*cans, *guards], [], cans):
            yield Pay(self.losing, tuple(using) or None)
        yield from (Pay(), Back())

    def react(self) -> Iterator[Any]:
        threat: Any = self.state.pending
        if threat.target == self.crew.seat:
            yield from (Cancel("escort"), Cancel("ranger"))
        yield Accept()

    def turn(self) -> Iterator[Any]:
        """Play useful cards, buy fuel for the planned drives, then scout, repair, drive, and raise funds last."""
        crew, prices, is_worn = self.crew, self.prices, self.is_worn
        yield from (Play(CardId.FINANCIAL), Play(CardId.TRAIL_HUNTER))
        if crew.fuel + 5 <= self.config.components.gauges.fuel:
            yield Play(CardId.REFUELLING)
        rivals = [other for other in self.state.crews if other.seat != crew.seat and other.arrival is None and other.parts]
        if rivals:
            yield Sabotage(max(rivals, key=lambda other: self.roads.lanes[other.space]).seat)
        if len(self.way) > 3:
            yield ScoutTiles(by=CardId.CARTOGRAPHER)
        if crew.engine <= 2:
            yield from self._repairs(CardId.MECHANIC)
        if crew.fuel >= 3:
            yield from self._drives(CardId.DRIVER)
        lines = () if self.first in self.roads.beside(crew.space) else self.roads.lines.get(crew.space, ())
        fare = min((line.price for line in lines if self.first in line.ends), default=0)
        if self.state.round > _LATE and (is_worn or fare > crew.cash):
            yield from (Fund(), *(self._repairs() if is_worn else ()), Pass())
        if crew.active.mechanics and crew.engine:  # buy what the next drives need; in a city more than outside
            price = self.config.fuel_price(crew.space)
            drives = 3 if self.roads.is_city(crew.space) else crew.active.mechanics
            levels = min(ceil(self.fuel * min(len(self.way), _A_DRIVE * drives)), 8) - crew.fuel
            yield Buy(max(0, min(levels, crew.cash // price) if price else levels))
        yield from (ScoutTiles(), ScoutCard())
        if (is_worn and crew.cash < 2 * prices.part_outside) or (crew.cash < 2 * prices.fuel_outside and crew.fuel < 3):
            yield Fund()
        if crew.engine <= 1 or is_worn:
            yield from self._repairs()
        yield from (*self._drives(), *self._repairs(), Fund(), Pass())

    def _repairs(self, by: Means = Slot.MECHANICS) -> Iterator[Any]:
        """Repair with the cards of the hand, and buy the parts that the next space costs; in a city buy more."""
        crew, full, price = self.crew, self.config.components.gauges, self.config.part_price(self.crew.space)
        room = full.engine + full.chassis - crew.parts
        boxes = min(crew.hand.count(CardId.TOOLBOX), int(room >= 3))
        parts = min(crew.hand.count(CardId.SPARE_PARTS), room - 3 * boxes)
        room, levels = room - parts - 3 * boxes, crew.parts + parts + 3 * boxes
        wanted = max(self.needed, 5 if self.roads.is_city(crew.space) else 0) - levels
        yield Repair(parts=parts, toolbox=boxes, buy=max(0, min(wanted, crew.cash // price if price else room, room)), by=by)

    def _drives(self, by: Means = Slot.MECHANICS) -> Iterator[Any]:
        """Drive along the way as far as engine and fuel allow, or less far, or elsewhere towards the finish."""
        crew, far, beside = self.crew, self.roads.to_finish, self.roads.beside(self.crew.space)
        if self.way and self.first not in beside:
            for line in self.roads.lines[crew.space]:
                yield from (Drive((self.first,), line.kind.value, cards, self.losing, None, by) for cards in (2, 1, 0))
        using = tuple(Use(one) for one in Help if crew.has(one))
        paths = [self.way[:end] for end in range(min(crew.engine, len(self.way)), 0, -1)]
        paths += [(other,) for other in sorted(beside, key=lambda space: far[space]) if far[other] <= far[crew.space]]
        yield from (Drive(path, "", 0, self.losing, using, by) for path in paths)
