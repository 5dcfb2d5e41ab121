"""Check drives, and list the legal ones: paths as needed, without every way to pay (GR-D, GR-H6)."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import combinations
from typing import Any

from adjudicator.game import Problem, Seat, count
from adjudicator.games.great_race.components import CardId, LineKind, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.driving import fare, loss_of, uses_of
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import not_in_hand, path_of, space_called
from adjudicator.games.great_race.order_parts import Aid
from adjudicator.games.great_race.roads import other_end
from adjudicator.games.great_race.state import Crew, Help, State
from adjudicator.games.great_race.tolls import (
    CHASSIS_FIRST,
    Loaded,
    Short,
    after_toll,
    aids_at,
    city_toll,
    short_problem,
    tile_toll,
)

_CARDS = {"jerrycan": CardId.JERRYCAN, "ranger": CardId.RANGER, "caravan": CardId.CARAVAN}
_MOST_PATHS = 60
"""The most paths of several spaces in the list, the cheapest first: others are legal, too."""


def check_drive(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` cannot drive this way: the known spaces must join, and the crew must be able to pay for them."""
    crew = state.crew(seat)
    if not crew.engine:
        message = f"{seat} has broken down: repair the engine first"
        return META.problem("broken-down", message, "GR-D6", suggestions=("REPAIR …",))
    path = path_of(config, order)
    return (
        _check_line(config, crew, path, order)
        or _check_joined(config, crew, path, order)
        or _check_helps(config, crew, path, order)
        or _check_paid(config, state, crew, path, order)
    )


def _check_line(config: Config, crew: Crew, path: tuple[SpaceId, ...], order: Any) -> Problem | None:
    """GR-D5: require a line between the two cities, its price, and Transport cards of the hand."""
    if not order.line:
        if order.transports:
            message = "use Transport cards only with a line by sea or air"
            return META.problem("no-line", message, "GR-D5", "using", tuple(_lines_told(config, crew)))
        return None
    kind, city = LineKind(order.line), path[0]
    if config.roads.line(kind, crew.space, city) is None or (city == crew.space and not config.leads_back):
        message = f"no line by {order.line} leads from {crew.space} to {city}"
        return META.problem("no-line", message, "GR-D5", "space", tuple(_lines_told(config, crew)))
    has = crew.hand.count(CardId.TRANSPORT)
    if order.transports > has:
        return not_in_hand(crew.seat, CardId.TRANSPORT, order.transports, has, "using", crew.hand)
    price = fare(config, kind, crew.space, city, order.transports)
    if price > crew.cash:
        message = f"the line costs {price} F, and {crew.seat} has {crew.cash} F"
        return META.problem("too-dear", message, "GR-D5", "way", tuple(_lines_paid(config, crew, city)))
    return None


def _lines_told(config: Config, crew: Crew) -> Iterator[str]:
    for line in config.roads.lines.get(crew.space, ()):
        yield f"{line.kind.value} {other_end(line, crew.space)}"


def _lines_paid(config: Config, crew: Crew, wanted: SpaceId) -> Iterator[str]:
    """Yield the lines that ``crew`` can pay, with the fewest Transport cards, those to the city ``wanted`` first."""
    lines = config.roads.lines.get(crew.space, ())
    for line in sorted(lines, key=lambda line: wanted not in line.ends):
        city = other_end(line, crew.space)
        for cards in range(crew.hand.count(CardId.TRANSPORT) + 1):
            if fare(config, line.kind, crew.space, city, cards) <= crew.cash:
                yield f"{line.kind.value} {city}" + (f" using transport {cards}" if cards else "")
                break


def _check_joined(config: Config, crew: Crew, path: tuple[SpaceId, ...], order: Any) -> Problem | None:
    """GR-D1, GR-D4: require each space beside the one before, no more than the engine allows, and none after a city."""
    here = crew.space
    for at, space in enumerate(path):
        beside = config.roads.beside(here)
        if space not in beside and not (at == 0 and order.line):
            return META.problem("no-way", f"{space} is not beside {here}", "GR-D1", f"space:{at}", beside)
        if config.roads.is_city(space) and at < len(path) - 1:
            return META.problem("city-ends-drive", f"the drive ends in {space}", "GR-D4", f"space:{at + 1}")
        here = space
    if len(path) > crew.engine:
        message = f"the way has {count(len(path), 'space')}, but the engine is at {crew.engine}"
        return META.problem("too-far", message, "GR-D1", f"space:{crew.engine}", (" ".join(path[: crew.engine]),))
    return None


def _check_helps(config: Config, crew: Crew, path: tuple[SpaceId, ...], order: Any) -> Problem | None:
    """GR-K2, GR-K3, GR-A3: require the helps that the order names."""
    for aid in order.using or ():
        problem = check_help(crew, aid)
        if problem is not None:
            return problem
        if aid.at and space_called(config, aid.at) not in path:
            return META.problem("not-on-the-way", f"{aid.at} is not on the way", "GR-D2", "using", path)
    return None


def check_help(crew: Crew, aid: Aid) -> Problem | None:
    """Return why ``crew`` does not have that help."""
    card = _CARDS.get(aid.help)
    if card is None:
        if crew.active.escort:
            return None
        return META.problem("no-escort", f"{crew.seat} has no escort", "GR-A3", "using")
    if card in crew.hand:
        return None
    return not_in_hand(crew.seat, card, 1, 0, "using", crew.hand)


def _check_paid(config: Config, state: State, crew: Crew, path: tuple[SpaceId, ...], order: Any) -> Problem | None:
    """GR-D1, GR-D2, GR-D6, GR-H3: require that the crew can pay for the known way, up to the first blank space."""
    load: Loaded = crew
    tiles, using, loss = state.tiles, uses_of(config, order.using), loss_of(order.losing)
    exact = order.losing if order.losing is not None and not order.losing.first else None
    engine = chassis = 0
    for at, space in enumerate(path):
        tile, goes_on = tiles.get(space), at < len(path) - 1
        if tile is not None:
            toll = tile_toll(config, space, tile, load, loss, aids_at(using, space), goes_on=goes_on)
        elif config.roads.is_city(space):
            toll = city_toll(config, load, aids_at(using, space))
        else:
            return _check_blank(config, state, space, f"space:{at}", exact, (engine, chassis))
        if isinstance(toll, Short):
            return short_problem(crew.seat, toll, f"space:{at}", _advice(path[:at]))
        if toll.stops and goes_on:
            message = f"{space} stops the drive, and the order uses no Caravan"
            return META.problem("stops-there", message, "GR-D2", f"space:{at + 1}", _advice(path[: at + 1]))
        engine, chassis = engine + toll.engine, chassis + toll.chassis
        if not goes_on:
            break
        load = after_toll(config, load, toll)
        if loss is not None and loss.most is not None:
            loss = type(loss)(loss.first, loss.most - toll.chassis)
        if not load.engine:
            message = f"the engine is at 0 after {space}: the vehicle breaks down there"
            return META.problem("breaks-down", message, "GR-D6", f"space:{at + 1}", _advice(path[: at + 1]))
    return _check_exact(exact, engine, chassis)


def _advice(path: tuple[SpaceId, ...]) -> tuple[str, ...]:
    return (" ".join(path),) if path else ()


def _check_blank(
    config: Config, state: State, space: SpaceId, part: str, exact: Any, known: tuple[int, int]
) -> Problem | None:
    """GR-D1, GR-D3, GR-H9: require a tile in the bag; an exact split must match the parts that the way before it costs."""
    if not state.bag_size(config):
        return META.problem("bag-empty", f"no tile is left in the bag for {space}", "GR-H9", part)
    if exact is not None and config.can_be_split and any(known):
        return _check_exact(exact, *known, f"the way before {space}")
    if exact is not None:
        message = f"the cost of {space} is not known yet: say which gauge loses parts first"
        return META.problem("not-known-yet", message, "GR-D3", "losing", ("losing chassis", "losing engine"))
    return None


def _check_exact(exact: Any, engine: int, chassis: int, way: str = "the way") -> Problem | None:
    if exact is None or (exact.engine, exact.chassis) == (engine, chassis):
        return None
    parts = engine + chassis
    message = f"{way} costs {count(parts, 'part')}: engine {exact.engine} chassis {exact.chassis} does not match"
    return META.problem("does-not-add-up", message, "GR-D1", "losing", (f"losing engine {engine} chassis {chassis}",))


# The list of legal drives


def drives(config: Config, state: State, seat: Seat, kind: type) -> Iterator[Any]:
    """Yield drives of an order's ``kind`` that may be legal: to each neighbour, with helps where the crew needs them.

    Longer paths: the cheapest to each space over known tiles, and to the blank spaces after those.
    """
    crew = state.crew(seat)
    if not crew.engine:
        return
    for line in config.roads.lines.get(crew.space, ()):
        for cards in range(crew.hand.count(CardId.TRANSPORT) + 1):
            order = kind(other_end(line, crew.space), line=line.kind.value, transports=cards)
            yield from _with_helps(config, state, seat, order)
    for space in config.roads.beside(crew.space):
        yield from _with_helps(config, state, seat, kind(space))
    for path in _known_paths(config, state, crew):
        yield kind(path[0], path[1:])


def _with_helps(config: Config, state: State, seat: Seat, order: Any) -> Iterator[Any]:
    """Yield ``order`` without help, or, if the crew cannot pay that way, with each choice of helps."""
    if check_drive(config, state, seat, order) is None:
        yield order
        return
    crew = state.crew(seat)
    helps = [one.value for one in Help if check_help(crew, Aid(one.value)) is None]
    for many in range(1, len(helps) + 1):
        for some in combinations(helps, many):
            yield type(order)(order.space, order.then, order.line, order.transports, None, tuple(map(Aid, some)))


def _known_paths(config: Config, state: State, crew: Crew) -> Iterator[tuple[SpaceId, ...]]:
    """Yield paths of several spaces that the crew can pay without help: the cheapest to each space, by cost."""
    tiles, roads = state.tiles, config.roads
    has_tiles = state.bag_size(config) > 0
    queue: list[tuple[int, int, tuple[SpaceId, ...], Loaded]] = [(0, 0, (), crew)]
    seen, found = {crew.space}, 0
    while queue and found < _MOST_PATHS:
        cost, steps, path, load = heappop(queue)
        here = path[-1] if path else crew.space
        if steps > 1:
            if here in seen:
                continue
            yield path
            found += 1
        seen.add(here)
        if not _goes_on(config, tiles, path, load, crew.engine):
            continue
        for space in roads.beside(here):
            if space in seen or space in path:
                continue
            step = _step(config, tiles, space, load, has_tiles=has_tiles)
            if step is not None:
                heappush(queue, (cost + step[0], steps + 1, (*path, space), step[1]))


def _goes_on(config: Config, tiles: Any, path: tuple[SpaceId, ...], load: Loaded, steps: int) -> bool:
    """Return whether a drive may continue after ``path``: a city, a blank space, a stop or a breakdown ends it."""
    if not path:
        return True
    tile = tiles.get(path[-1])
    return len(path) < steps and load.engine > 0 and tile is not None and not config.tiles[tile].stop


def _step(config: Config, tiles: Any, space: SpaceId, load: Loaded, *, has_tiles: bool) -> tuple[int, Loaded] | None:
    """Return the cost of a step to ``space`` and the load after it, ``None`` if the crew cannot pay."""
    if config.roads.is_city(space):
        toll = city_toll(config, load, ())
    elif space in tiles:
        toll = tile_toll(config, space, tiles[space], load, CHASSIS_FIRST, (), goes_on=False)
    else:
        return (0, load) if has_tiles else None
    if isinstance(toll, Short):
        return None
    return toll.fuel + 2 * (toll.engine + toll.chassis), after_toll(config, load, toll)
