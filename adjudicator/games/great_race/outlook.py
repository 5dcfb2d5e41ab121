"""Estimate for a simulated crew the way to the finish, its cost, and the worth of tiles, cards and levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from adjudicator.game import frozen
from adjudicator.games.great_race.components import SpaceId, Tile
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.roads import other_end
from adjudicator.games.great_race.state import State

FUEL: Final = 15
"""The worth of a level of fuel in francs: between its price in a city and outside."""
PART: Final = 22
"""The worth of a mechanical part in francs."""
_STOP: Final = 14
"""The cost of ending a drive in francs: another mechanic is needed to drive on."""
_A_CARD: Final = 12
"""The worth in francs of a card drawn in a city; a city never pays for the detour, or crews would drive in circles."""
_UNKNOWN: Final = 0.9
"""The share of an unknown tile's average cost that counts: a crew does not pay for dear tiles, it drives round them."""


class Leg(NamedTuple):
    """A step of the way: its space, whether it takes a line, and its estimated cost in francs."""

    space: SpaceId
    is_line: bool
    francs: float


@frozen
class Average:
    """The average cost of a tile in the bag: levels of fuel, parts with its danger, and the chance of a stop."""

    fuel: float
    parts: float
    stop: float


def average(config: Config) -> Average:
    """Return the average cost of an unknown tile."""
    tiles = config.components.tiles
    many = sum(tile.count for tile in tiles)
    fuel = sum(tile.fuel * tile.count for tile in tiles) / many
    parts = sum((tile.parts + config.components.danger * tile.danger) * tile.count for tile in tiles) / many
    return Average(fuel, parts, sum(tile.stop * tile.count for tile in tiles) / many)


def tile_francs(config: Config, tile: Tile, *, is_risk: bool) -> float:
    """Estimate the cost of ``tile`` in francs."""
    fuel = tile.fuel + config.components.surcharge * is_risk
    return fuel * FUEL + (tile.parts + config.components.danger * tile.danger) * PART + tile.stop * _STOP


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
    roads, tiles, middle, city = config.roads, state.tiles, average(config), _city_francs(config)
    unknown = (middle.fuel * FUEL + middle.parts * PART + middle.stop * _STOP) * _UNKNOWN
    known: dict[SpaceId, Leg] = {}

    def by_land(other: SpaceId) -> Leg:
        space = roads.spaces[other]
        if space.is_city:
            return Leg(other, False, max(1, city - _A_CARD * space.cards))
        if other in tiles:
            return Leg(other, False, tile_francs(config, config.tiles[tiles[other]], is_risk=space.risk) + 1)
        return Leg(other, False, unknown + config.components.surcharge * FUEL * space.risk)

    def legs(here: SpaceId) -> Iterator[Leg]:
        for other in roads.spaces[here].next:
            if other not in known:
                known[other] = by_land(other)
            yield known[other]
        for line in roads.lines.get(here, ()):
            there = other_end(line, here)
            yield Leg(there, True, max(1, city + line.price + _STOP - _A_CARD * roads.spaces[there].cards))

    return legs


def _city_francs(config: Config) -> float:
    """Return the cost of entering a city, without the worth of its cards."""
    return config.components.city_fuel * FUEL + _STOP
