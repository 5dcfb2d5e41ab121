"""Choose orders for simulated crews: one plans its way and its money, the other does anything that is legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Any, Final, Protocol

from adjudicator.game import View
from adjudicator.games.great_race import convoy, driving, laying, plays, repair, routes, threats
from adjudicator.games.great_race.asking import CUT, KEEP, LAY, PAY, PLAN, REACT, TAKE, TURN
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.orders import check
from adjudicator.games.great_race.outlook import FUEL, PART, Leg, average, tile_francs, way
from adjudicator.games.great_race.state import Crew, Drive, Help, Keeping, Laying, State, Use
from adjudicator.games.great_race.terms import Losing

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


def estimate(config: Config, view: View[State]) -> int:
    """Estimate the francs that the viewer's crew still has to spend; needed only where ``choose`` leaves the choice open."""
    crew = view.own(view.state.crews)
    return 0 if crew is None else round(sum(leg.francs for leg in way(config, view.state, crew.space)))


def choose(config: Config, view: View[State], luck: Luck, *, plans: bool) -> Any | None:
    """Return the next order of the viewer's crew, if it ``plans``; ``None`` leaves the choice to a player of any game."""
    crew = view.own(view.state.crews)
    kind = next((due.kind for due in view.due if due.seat == view.viewer), "")
    if crew is None or not plans or not kind:
        return None
    wishes = _WISHES[kind](config, view.state, crew, luck)
    return next((order for order in wishes if check(config, view.state, crew.seat, order) is None), None)


def _take(_config: Config, state: State, _crew: Crew, luck: Luck) -> Iterator[Any]:
    yield convoy.Take(max(state.offered, key=lambda card: card.kind.worth + 4 * luck.random()))


def _plan(config: Config, state: State, crew: Crew, luck: Luck) -> Iterator[Any]:
    """Plan as many drives as can be paid, an escort, and money with the others."""
    legs = way(config, state, crew.space)
    all_of_them, steps = config.components.assistants, len(legs)
    drives = max(1, ceil(min(steps, _affordable(config, crew)) / _A_DRIVE))
    is_weak = crew.engine <= 1 or crew.parts < _needed(config, state, legs)
    mechanics = 2 if is_weak else min(all_of_them, drives)
    scouts = 1 if steps > 3 and mechanics < all_of_them and luck.random() < 0.35 else 0
    left = all_of_them - mechanics - scouts
    escort = 1 if left > 0 and steps > 2 else 0
    yield convoy.Plan(scouts, mechanics, escort, left - escort)


def _affordable(config: Config, crew: Crew) -> float:
    """Return how many spaces the vehicle can cross with its fuel, its money and its parts."""
    middle, price = average(config), config.components.prices.fuel_outside
    cans = crew.hand.count(CardId.JERRYCAN) + 4 * crew.hand.count(CardId.REFUELLING)
    by_fuel = (crew.fuel + cans + crew.cash / price) / max(middle.fuel, 0.1)
    return min(by_fuel, max(crew.parts - 2, 1) / max(middle.parts, 0.1))


def _cut(_config: Config, _state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    yield plays.Play(CardId.JERRYCAN)
    thrown = sorted(crew.hand, key=lambda card: card.kind.worth)[: crew.excess]
    yield convoy.Discard(thrown[0], tuple(thrown[1:]))


def _keep(_config: Config, state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    best = sorted(state.pending_as(Keeping).cards, key=lambda card: card.kind.worth)
    for dropped in range(1, len(best) + 1):
        yield plays.Keep(tuple(sorted(best[dropped:])))
    yield plays.Keep(tuple(sorted(best)))


def _lay(config: Config, state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    """Lay the cheapest tile on the crew's own way, and a dear one off it."""
    tiles = sorted(state.pending_as(Laying).tiles, key=lambda tile: tile_francs(config, config.tiles[tile], is_risk=False))
    ahead = [leg.space for leg in way(config, state, crew.space)]
    free = config.roads.free(crew.space, state.tiles)
    on_way = [space for space in ahead if space in free]
    others = sorted((space for space in free if space not in ahead), key=lambda space: -config.roads.to_finish[space])
    for tile in tiles:
        is_good = tile_francs(config, config.tiles[tile], is_risk=False) <= FUEL + PART
        for space in (*on_way, *others) if is_good else (*others, *on_way):
            yield laying.Lay(tile, space)


def _pay(config: Config, state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    tile = config.tiles[state.tiles[state.pending_as(Drive).path[0]]]
    losing = Losing(_first_to_lose(crew))
    guards = [Use(guard) for guard in _GUARDS if tile.danger and crew.has(guard)]
    cans = [Use(Help.JERRYCAN)] if CardId.JERRYCAN in crew.hand else []
    for using in ((*guards[:1],), (*cans, *guards[:1]), (), (*cans,)):
        yield driving.Pay(losing, using or None)
    yield driving.Pay()
    yield driving.Back()


def _react(_config: Config, state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    threat: Any = state.pending
    if threat.target == crew.seat:
        yield from (threats.Cancel(guard.value) for guard in _GUARDS if crew.has(guard))
    yield threats.Accept()


def _first_to_lose(crew: Crew) -> str:
    return "chassis" if crew.chassis + 1 >= crew.engine or crew.engine <= 2 else "engine"


def _turn(config: Config, state: State, crew: Crew, _luck: Luck) -> Iterator[Any]:
    """Buy fuel for the planned drives, play useful cards, then scout, repair, drive, and raise funds last."""
    legs = way(config, state, crew.space)
    yield from _cards(config, state, crew, legs)
    if state.round > _LATE:
        yield from _saving(config, state, crew, legs)
    if crew.active.mechanics and crew.engine:
        yield from _fuel(config, state, crew, legs)
    if crew.active.scouts:
        yield laying.ScoutTiles() if config.roads.free(crew.space, state.tiles) else laying.ScoutCard()
        yield laying.ScoutCard()
    is_weak = crew.parts < _needed(config, state, legs) and crew.cash < 2 * config.components.prices.part_outside
    if is_weak or (crew.cash < 2 * config.components.prices.fuel_outside and crew.fuel < 3):
        yield convoy.Fund()
    if crew.active.mechanics:
        if crew.engine <= 1 or crew.parts < _needed(config, state, legs):
            yield from _repairs(config, state, crew, legs, repair.Repair)
        yield from _drives(config, state, crew, legs, routes.Drive)
        yield from _repairs(config, state, crew, legs, repair.Repair)
    yield convoy.Fund()
    yield laying.ScoutTiles()
    yield laying.ScoutCard()
    yield convoy.Pass()


def _saving(config: Config, state: State, crew: Crew, legs: tuple[Leg, ...]) -> Iterator[Any]:
    """Wait and raise money for the parts that the next space needs, or for the next line."""
    is_worn_out = crew.parts < _needed(config, state, legs)
    lines = config.roads.lines.get(crew.space, ())
    fare = min((line.price for line in lines if legs and legs[0].is_line and legs[0].space in line.ends), default=0)
    if is_worn_out or fare > crew.cash:
        yield convoy.Fund()
        if is_worn_out:
            yield from _repairs(config, state, crew, legs, repair.Repair)
        yield convoy.Pass()


def _cards(config: Config, state: State, crew: Crew, legs: tuple[Leg, ...]) -> Iterator[Any]:
    full = config.components.gauges
    yield plays.Play(CardId.FINANCIAL)
    yield plays.Play(CardId.TRAIL_HUNTER)
    if crew.fuel + 5 <= full.fuel:
        yield plays.Play(CardId.REFUELLING)
    leader = max(
        (other for other in state.crews if other.seat != crew.seat and other.arrival is None),
        key=lambda other: config.roads.lane(other.space),
        default=None,
    )
    if leader is not None and leader.parts:
        yield threats.PlaySaboteur(leader.seat)
    if len(legs) > 3 and state.bag_size(config) and config.roads.free(crew.space, state.tiles):
        yield laying.PlayCartographer()
    if crew.engine <= 2:
        yield from _repairs(config, state, crew, legs, repair.PlayMechanic)
    if crew.engine and crew.fuel >= 3:
        yield from _drives(config, state, crew, legs, routes.PlayDriver)


def _fuel(config: Config, state: State, crew: Crew, legs: tuple[Leg, ...]) -> Iterator[Any]:
    """Buy what the next drives need; in a city more than outside."""
    prices, full, is_city = config.components.prices, config.components.gauges.fuel, config.roads.is_city(crew.space)
    price = prices.fuel_in_city if is_city else prices.fuel_outside
    needed = ceil(average(config).fuel * min(len(legs), _A_DRIVE * (3 if is_city else crew.active.mechanics)))
    levels = min(needed, _MOST_FUEL, full) - crew.fuel
    affordable = crew.cash // price if price else levels
    if min(levels, affordable) > 0 and state.may_buy:
        yield convoy.Buy(min(levels, affordable))


def _repairs(config: Config, state: State, crew: Crew, legs: tuple[Leg, ...], kind: type) -> Iterator[Any]:
    """Repair with the cards of the hand, and buy the parts that the next space costs; in a city buy more."""
    full, prices, is_city = config.components.gauges, config.components.prices, config.roads.is_city(crew.space)
    room = full.engine + full.chassis - crew.parts
    boxes = min(crew.hand.count(CardId.TOOLBOX), 1 if room >= 3 else 0)
    parts = min(crew.hand.count(CardId.SPARE_PARTS), room - 3 * boxes)
    wanted = max(_needed(config, state, legs), _GOOD_IN_CITY if is_city else 0) - crew.parts - parts - 3 * boxes
    price = prices.part_in_city if is_city else prices.part_outside
    affordable = crew.cash // price if price else room
    bought = max(0, min(wanted, affordable, room - parts - 3 * boxes))
    if parts or boxes or bought:
        yield kind(parts=parts, toolbox=boxes, buy=bought)


def _needed(config: Config, state: State, legs: tuple[Leg, ...]) -> int:
    """Return how many parts a vehicle needs to drive on: those that the next space costs, and one for the engine."""
    if not legs or config.roads.is_city(legs[0].space):
        return 1
    tile = state.tiles.get(legs[0].space)
    if tile is None:
        return _UNKNOWN_PARTS + 1
    kind = config.tiles[tile]
    return kind.parts + config.components.danger * kind.danger + 1


def _drives(config: Config, state: State, crew: Crew, legs: tuple[Leg, ...], kind: type) -> Iterator[Any]:
    """Drive along the way as far as engine and fuel seem to allow, or less far."""
    if not legs or not crew.engine:
        return
    losing = Losing(_first_to_lose(crew))
    using = tuple(Use(one) for one in Help if crew.has(one))
    if legs[0].is_line:
        for line in LineKind:
            for cards in (2, 1, 0):
                yield kind(legs[0].space, (), line.value, cards, losing, None)
    path = list(_driven(config, crew, legs))
    for end in range(len(path), 0, -1):
        yield kind(path[0], tuple(path[1:end]), "", 0, losing, using)
    for other in sorted(config.roads.beside(crew.space), key=lambda space: config.roads.to_finish[space]):
        if config.roads.to_finish[other] <= config.roads.to_finish[crew.space]:
            yield kind(other, (), "", 0, losing, using)


def _driven(config: Config, crew: Crew, legs: Iterable[Leg]) -> Iterator[SpaceId]:
    for leg in list(legs)[: crew.engine]:
        if leg.is_line:
            return
        yield leg.space
        if config.roads.is_city(leg.space):
            return


_WISHES: Final = {TAKE: _take, PLAN: _plan, CUT: _cut, KEEP: _keep, LAY: _lay, PAY: _pay, REACT: _react, TURN: _turn}

__all__ = ["choose", "estimate"]
