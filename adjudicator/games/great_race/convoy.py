"""Buy fuel, repair, raise funds, use escorts and pass in a sequence (GR-V1, GR-A)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final, NamedTuple

from adjudicator.game import Part, Problem, Seat, Spent, change, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import not_in_hand, space_called
from adjudicator.games.great_race.orders import Buy, Escort
from adjudicator.games.great_race.state import Crew, Slot, State

Moves = Generator[Any, State, Any]


def paid(state: State, seat: Seat, francs: int, what: str, rule: str) -> Moves:
    """Add ``francs`` to the cash of ``seat``, or pay them if they are below 0; do nothing for 0."""
    if not francs:
        return state
    cash = state.crew(seat).cash
    return (yield Spent(seat=seat, before=cash, after=cash + francs, why=(Part(francs, what, rule),)))


# Fuel


def fuel_price(config: Config, crew: Crew) -> int:
    """Return what a level of fuel costs where the vehicle is (GR-V1)."""
    prices = config.components.prices
    return prices.fuel_in_city if config.roads.is_city(crew.space) else prices.fuel_outside


def check_buy(config: Config, state: State, seat: Seat, order: Buy) -> Problem | None:
    """GR-V1, GR-S2: require that no card was played before, and that the fuel fits and the crew can pay for it."""
    crew, price = state.crew(seat), fuel_price(config, state.crew(seat))
    if not state.may_buy:
        return META.problem("too-late-to-buy", "buy fuel first, before you play cards", "GR-V1")
    room = config.components.gauges.fuel - crew.fuel
    if order.levels > room:
        message = f"there is room for {count(room, 'level')} of fuel"
        return META.problem("no-room", message, "GR-S2", "", (f"BUY fuel {room}",) if room else ())
    if order.levels * price > crew.cash:
        most = min(room, crew.cash // price)
        message = f"{count(order.levels, 'level')} of fuel cost {order.levels * price} F here, and {seat} has {crew.cash} F"
        return META.problem("too-dear", message, "GR-V1", "", (f"BUY fuel {most}",) if most else ())
    return None


def buys(config: Config, crew: Crew) -> Iterator[Buy]:
    """Yield every order to buy fuel that fits."""
    yield from map(Buy, range(1, config.components.gauges.fuel - crew.fuel + 1))


def fuel_cost(config: Config, crew: Crew, order: Buy) -> tuple[Part, ...]:
    """Return the price of that fuel."""
    francs = order.levels * fuel_price(config, crew)
    return (Part(-francs, f"{order.levels} fuel", "GR-V1"),) if francs else ()


def buy(config: Config, state: State, seat: Seat, order: Buy) -> Moves:
    """Pay for fuel and fill it in."""
    for part in fuel_cost(config, state.crew(seat), order):
        state = yield from paid(state, seat, part.amount, part.what, part.rule)
    yield happened.FuelGained(seat=seat, levels=order.levels, fuel=state.crew(seat).fuel + order.levels, rule="GR-V1")


# Repairs


class Mending(NamedTuple):
    """The result of a repair: levels gained, and the price of bought parts."""

    engine: int
    chassis: int
    francs: int


def part_price(config: Config, crew: Crew) -> int:
    """Return what a mechanical part costs where the vehicle is (GR-A2)."""
    prices = config.components.prices
    return prices.part_in_city if config.roads.is_city(crew.space) else prices.part_outside


def mending(config: Config, crew: Crew, order: Any) -> Mending | Problem:
    """Return the result of a repair, or why it is not legal (GR-A2, GR-H6)."""
    problem = _check_stock(config, crew, order)
    if problem is not None:
        return problem
    points = order.buy + sum(many * _amount(config, card) for card, many, _ in _stock(order))
    if not points:
        message = "a repair needs at least one spare part, toolbox or bought part"
        return META.problem("nothing-to-repair-with", message, "GR-H6", "", ("PASS",))
    full = config.components.gauges
    rooms = full.engine - crew.engine, full.chassis - crew.chassis
    engine, chassis = order.engine, order.chassis
    if engine is None and chassis is None:
        engine = min(points, rooms[0])
        chassis = points - engine
    engine, chassis = engine or 0, chassis or 0
    if engine + chassis != points:
        message = f"the parts give {count(points, 'point')}, but engine {engine} chassis {chassis} is {engine + chassis}"
        return META.problem("does-not-add-up", message, "GR-A2", "mend")
    gained = min(engine, rooms[0]), min(chassis, rooms[1])
    if not sum(gained):
        return META.problem("no-room", "engine and chassis have no room for that", "GR-H6", "mend")
    if order.buy and sum(gained) < points:
        message = f"there is room for {count(sum(gained), 'point')} of {points}: you cannot buy parts that do not fit"
        return META.problem("no-room", message, "GR-S2", "mend")
    return Mending(*gained, order.buy * part_price(config, crew))


def fitting(config: Config, crew: Crew, order: Any) -> tuple[str, ...]:
    """Return a repair like ``order`` that ``crew`` can pay and has room for, the engine first; empty without one."""
    for bought in range(order.buy, -1, -1):
        near = type(order)(parts=order.parts, toolbox=order.toolbox, buy=bought)
        found = mending(config, crew, near)
        if isinstance(found, Mending):
            split = change(near, engine=found.engine or None, chassis=found.chassis or None)
            return ((near if isinstance(mending(config, crew, split), Problem) else split).text(),)
    return ()


def _stock(order: Any) -> tuple[tuple[CardId, int, str], ...]:
    return (CardId.SPARE_PARTS, order.parts, "parts"), (CardId.TOOLBOX, order.toolbox, "toolbox")


def _amount(config: Config, card: CardId) -> int:
    return config.cards[card].amount if card in config.cards else 0


def _check_stock(config: Config, crew: Crew, order: Any) -> Problem | None:
    for card, many, _ in _stock(order):
        has = crew.hand.count(card)
        if many > has:
            return not_in_hand(crew.seat, card, many, has, "mend", crew.hand)
    francs = order.buy * part_price(config, crew)
    if francs > crew.cash:
        message = f"{count(order.buy, 'part')} cost {francs} F here, and {crew.seat} has {crew.cash} F"
        return META.problem("too-dear", message, "GR-A2", "mend")
    return None


def repairs(config: Config, crew: Crew, kind: type) -> Iterator[Any]:
    """Yield the repairs of an order's ``kind`` by the parts they use; an order may also say how to spread the points."""
    price, full = part_price(config, crew), config.components.gauges
    room = full.engine + full.chassis - crew.parts
    most = room if not price else min(room, crew.cash // price)
    for parts in range(crew.hand.count(CardId.SPARE_PARTS) + 1):
        for toolbox in range(crew.hand.count(CardId.TOOLBOX) + 1):
            for bought in range(most + 1):
                yield kind(parts=parts, toolbox=toolbox, buy=bought)


def repair_cost(config: Config, crew: Crew, order: Any) -> tuple[Part, ...]:
    """Return the price of the parts bought for a repair."""
    francs = order.buy * part_price(config, crew)
    return (Part(-francs, count(order.buy, "part"), "GR-A2"),) if francs else ()


def repair(config: Config, state: State, seat: Seat, order: Any) -> Moves:
    """Use up the parts of a legal repair, and restore the gauges."""
    found = mending(config, state.crew(seat), order)
    assert isinstance(found, Mending)
    for card, many, _ in _stock(order):
        for _ in range(many):
            state = yield dealt.CardPlayed(seat=seat, card=card, rule="GR-K2")
    for part in repair_cost(config, state.crew(seat), order):
        state = yield from paid(state, seat, part.amount, part.what, part.rule)
    yield happened.PartsRestored(seat=seat, engine=found.engine, chassis=found.chassis)


# Funding, escorts


def funded(config: Config, crew: Crew) -> int:
    """Return the francs that the funding of ``crew`` brings (GR-A4)."""
    return config.components.funding[crew.active.funding - 1] if crew.active.funding else 0


_ORDERS: Final = (
    (Slot.SCOUTS, "SCOUT tiles"),
    (Slot.MECHANICS, "DRIVE …"),
    (Slot.MECHANICS, "REPAIR …"),
    (Slot.ESCORT, "ESCORT remove …"),
    (Slot.FUNDING, "FUND"),
)
"""The orders that play an assistant of each slot."""


def check_assistant(state: State, seat: Seat, slot: Slot) -> Problem | None:
    """GR-V1: require an assistant in that slot."""
    active = state.crew(seat).active
    if getattr(active, slot):
        return None
    named = {
        Slot.SCOUTS: "scout",
        Slot.MECHANICS: "mechanic",
        Slot.ESCORT: "escort",
        Slot.FUNDING: "assistant in the funding",
    }
    message = f"{seat} has no {named[slot]} left; it still has {active.text()}"
    others = tuple(words for left, words in _ORDERS if getattr(active, left))
    return META.problem("no-assistant", message, "GR-V1", suggestions=(*others, "PASS"))


def check_escort(config: Config, state: State, seat: Seat, order: Escort) -> Problem | None:
    """GR-A3: require a tile beside the vehicle, with no vehicle on it."""
    return check_assistant(state, seat, Slot.ESCORT) or _check_beside(config, state, seat, order)


def removable(config: Config, state: State, seat: Seat) -> tuple[str, ...]:
    """Return the spaces beside the vehicle whose tile an escort may remove."""
    tiles, occupied = state.tiles, state.occupied
    beside = config.roads.beside(state.crew(seat).space)
    return tuple(space for space in beside if space in tiles and space not in occupied)


def _check_beside(config: Config, state: State, seat: Seat, order: Escort) -> Problem | None:
    space, near = space_called(config, order.space), removable(config, state, seat)
    if space in near:
        return None
    if space not in state.tiles:
        return META.problem("no-tile-there", f"there is no tile at {space}", "GR-A3", "space", near)
    if space in state.occupied:
        return META.problem("vehicle-there", f"a vehicle is at {space}", "GR-A3", "space", near)
    return META.problem("not-beside", f"{space} is not beside {state.crew(seat).space}", "GR-A3", "space", near)


def remove(config: Config, state: State, seat: Seat, order: Escort) -> Moves:
    """Remove a tile with an escort."""
    space = space_called(config, order.space)
    state = yield happened.AssistantPlayed(seat=seat, slot=Slot.ESCORT, rule="GR-A3")
    yield dealt.TileRemoved(seat=seat, space=space, tile=state.tiles[space], rule="GR-A3")


def fund(config: Config, state: State, seat: Seat) -> Moves:
    """Play all assistants of the funding."""
    francs, many = funded(config, state.crew(seat)), state.crew(seat).active.funding
    state = yield happened.AssistantPlayed(seat=seat, slot=Slot.FUNDING, rule="GR-A4")
    yield from paid(state, seat, francs, f"funding of {many}", "GR-A4")
