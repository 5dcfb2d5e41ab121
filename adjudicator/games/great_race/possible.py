"""Validate explicit positions and amendments: find what no state can be (GR-C, GR-B, GR-L, GR-V, GR-D, GR-F)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from adjudicator.game import Flaw, count, listed
from adjudicator.games.great_race.asking import is_hopeless
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import Crew, Drive, Keeping, Laying, Stage, State, Threat
from adjudicator.games.great_race.threats import DANGERS

_MADE_BY = {Keeping: (CardId.TRAIL_HUNTER,), Laying: (None, CardId.CARTOGRAPHER), Drive: (None, CardId.DRIVER)}
"""The card in play for each kind of pending thing."""


def impossible(config: Config, state: State) -> Iterator[Flaw]:
    """Yield what is impossible: things in two places, levels beyond the gauges, vehicles in no place, wrong stages."""
    found = [*_impossible_seats(config, state), *_impossible_tiles(config, state), *_impossible_cards(config, state)]
    yield from found
    if found:  # The checks below need seats, spaces, tiles and cards that exist.
        return
    for crew in state.crews:
        yield from _impossible_crew(config, state, crew)
    yield from _impossible_arrivals(config, state)
    yield from _impossible_stage(config, state)
    if state.pending is not None:
        yield from _impossible_pending(config, state)


def _impossible_seats(config: Config, state: State) -> Iterator[Flaw]:
    """GR-N1, GR-N2: require every seat once in the turn order and in the order of the markers."""
    for what, seats, rule in (("turn order", state.order, "GR-N1"), ("order of the markers", state.markers, "GR-N2")):
        if sorted(seats) != sorted(config.seats):
            yield Flaw(f"the {what} must name {listed(config.seats)}, each once", rule)
    named = [*state.takers, *([] if state.turn is None else [state.turn])]
    pending = state.pending
    if pending is not None:
        named.append(pending.seat)
    if isinstance(pending, Threat):
        named += [*pending.left, *(seat for seat in (pending.target, pending.asked) if seat is not None)]
    for seat in dict.fromkeys(named):
        if seat not in config.seats:
            yield Flaw(f"this game has no seat {seat}", "GR-S1")


def _impossible_tiles(config: Config, state: State) -> Iterator[Flaw]:
    """GR-C1, GR-C2: require each tile in one place, and at most one on a terrain space."""
    spaces = config.roads.spaces
    for space, many in Counter(laid.space for laid in state.laid).items():
        if space not in spaces:
            yield Flaw(f"{config.roads.board.name} has no space {space}", "GR-C1")
        elif spaces[space].is_city:
            yield Flaw(f"{space} is a city: it cannot have a tile", "GR-A1")
        elif many > 1:
            yield Flaw(f"{many} tiles lie at {space}", "GR-C1")
    pending = state.pending
    found = [*(laid.tile for laid in state.laid), *state.removed, *(pending.tiles if isinstance(pending, Laying) else ())]
    yield from _too_many("tile", found, {tile.id: tile.count for tile in config.components.tiles}, "GR-C2")
    for named in _spaces_named(state):
        if named not in spaces:
            yield Flaw(f"{config.roads.board.name} has no space {named}", "GR-C1")


def _spaces_named(state: State) -> Iterable[SpaceId]:
    named = [crew.space for crew in state.crews]
    match state.pending:
        case Laying(to=to):
            named += to
        case Drive(path=path, using=using):
            named += path
            named += [use.at for use in using or () if use.at is not None]
        case Threat(spaces=spaces):
            named += spaces
    return dict.fromkeys(named)


def _impossible_cards(config: Config, state: State) -> Iterator[Flaw]:
    """GR-C3: require each card in one place."""
    found: list[CardId] = [*state.offered, *state.discards]
    for crew in state.crews:
        found += crew.hand
    if isinstance(state.pending, Keeping):
        found += state.pending.cards
    if state.in_play is not None:
        found.append(state.in_play)
    yield from _too_many("card", found, {card.id: card.count for card in config.components.cards}, "GR-C3")


def _too_many(what: str, found: Iterable[Any], counts: Any, rule: str) -> Iterator[Flaw]:
    for thing, many in Counter(found).items():
        if thing not in counts:
            yield Flaw(f"this game has no {what} {thing}", rule)
        elif many > counts[thing]:
            yield Flaw(f"the game has {count(counts[thing], what)} “{thing}”, not {many}", rule)


def _impossible_crew(config: Config, state: State, crew: Crew) -> Iterator[Flaw]:
    """GR-C4, GR-L1, GR-V1: require levels within the gauges, a vehicle in a city or on a tile, few enough assistants."""
    seat, full = crew.seat, config.components.gauges
    for what, level, most in (
        ("fuel", crew.fuel, full.fuel),
        ("engine", crew.engine, full.engine),
        ("chassis", crew.chassis, full.chassis),
    ):
        if level > most:
            yield Flaw(f"{seat}: {what} goes up to {most}, not to {level}", "GR-C4")
    if not config.roads.is_city(crew.space) and crew.space not in state.tiles:
        yield Flaw(f"{seat}: {crew.space} has neither a city nor a tile", "GR-D1")
    many = config.components.assistants
    if crew.active.total > many:
        yield Flaw(f"{seat}: a seat has {many} assistants, not {crew.active.total}", "GR-C4")
    if crew.active.total and state.stage is not Stage.CONVOY:
        yield Flaw(f"{seat}: assistants are on the dashboard only in the convoy", "GR-V1")
    if crew.has_passed and (state.stage is not Stage.CONVOY or crew.active.total > crew.active.escort):
        yield Flaw(f"{seat}: after passing, a seat has only escorts left", "GR-V1")
    if crew.plan is not None and (state.stage is not Stage.PLANNING or crew.plan.total != many):
        yield Flaw(f"{seat}: a plan has {many} assistants, and exists only while seats plan", "GR-L1")
    yield from _impossible_answers(crew)


def _impossible_answers(crew: Crew) -> Iterator[Flaw]:
    """GR-K4: require an escort, a Ranger, or both as a standing answer."""
    for reaction in (crew.to_cards, crew.to_tiles):
        helps = () if reaction is None else reaction.helps
        if len(set(helps)) < len(helps) or not {one.value for one in helps} <= {"escort", "ranger"}:
            yield Flaw(f"{crew.seat}: a standing answer uses an escort, a Ranger, or both, each once", "GR-K4")
        elif reaction is not None and not helps and reaction.over >= 0:
            yield Flaw(f"{crew.seat}: a standing answer with no help has no limit of parts", "GR-K4")


def _impossible_arrivals(config: Config, state: State) -> Iterator[Flaw]:
    """GR-F1, GR-F2: require vehicles in the finish city to arrive one after the other, and to hold nothing."""
    arrivals = sorted(crew.arrival for crew in state.crews if crew.arrival is not None)
    if arrivals != list(range(1, len(arrivals) + 1)):
        yield Flaw("arrivals must be 1, 2 and so on, without gaps", "GR-F2")
    for crew in state.crews:
        is_there = crew.space == config.roads.finish
        if is_there is not (crew.arrival is not None):
            what = "is in the finish city but has no arrival" if is_there else "has an arrival but is not in the finish city"
            yield Flaw(f"{crew.seat} {what}", "GR-F1")
        if crew.arrival is not None and (crew.hand or crew.active.total):
            yield Flaw(f"{crew.seat} has arrived, so it cannot have cards or assistants", "GR-F1")
    if arrivals and state.stage not in (Stage.CONVOY, Stage.OVER):
        yield Flaw("the race ends with the round in which a vehicle arrives", "GR-F1")
    if not arrivals and state.stage is Stage.OVER and not is_hopeless(config, state):
        yield Flaw("the race cannot be over before a vehicle has arrived", "GR-F1")


def _impossible_stage(config: Config, state: State) -> Iterator[Flaw]:
    """GR-B1, GR-V1: require that each thing is in its own stage."""
    is_bivouac, is_convoy = state.stage is Stage.BIVOUAC, state.stage is Stage.CONVOY
    in_order = [seat for seat in state.order[::-1] if seat in state.takers]
    for is_wrong, message, rule in (
        (not is_bivouac and (state.offered or state.takers), "cards lie open only in the bivouac", "GR-B1"),
        (list(state.takers) != in_order, "takers must be in reverse turn order, each once", "GR-B1"),
        (bool(state.takers) is not bool(state.offered), "cards lie open exactly as long as a seat has to take one", "GR-B1"),
        (len(state.takers) > len(state.offered), "the bivouac has fewer cards than seats that must take one", "GR-B1"),
        (is_convoy is (state.turn is None), "a seat has the turn in the convoy, and only then", "GR-V1"),
        (not is_convoy and state.pending is not None, "something can be pending only in the convoy", "GR-V1"),
        (not is_convoy and state.in_play is not None, "a card can be in play only in the convoy", "GR-V1"),
    ):
        if is_wrong:
            yield Flaw(message, rule)


def _impossible_pending(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the pending thing: it belongs to the seat whose sequence it is, and to the card in play."""
    pending = state.pending
    assert pending is not None
    if pending.seat != state.turn or state.crew(pending.seat).arrival is not None:
        yield Flaw(f"{pending.seat} does not have the turn, so nothing can be pending for it", "GR-V1")
        return
    cards: Collection[CardId | None] = (pending.card,) if isinstance(pending, Threat) else _MADE_BY[type(pending)]
    if state.in_play not in cards:
        yield Flaw(f"{pending.seat}: the pending thing does not belong to the card in play", "GR-H9")
    match pending:
        case Laying():
            yield from _impossible_laying(config, state, pending)
        case Keeping(cards=()):
            yield Flaw(f"{pending.seat}: there is no card to keep", "GR-K1")
        case Drive():
            yield from _impossible_drive(config, state, pending)
        case Threat():
            yield from _impossible_threat(config, state, pending)


def _impossible_laying(config: Config, state: State, laying: Laying) -> Iterator[Flaw]:
    if not laying.tiles:
        yield Flaw(f"{laying.seat}: there is no tile to lay", "GR-A1")
    if not config.roads.free(state.crew(laying.seat).space, set(state.tiles)):
        yield Flaw(f"{laying.seat}: there is no free space for the tiles", "GR-H9")
    taken = [space for space in laying.to if space in state.tiles or config.roads.is_city(space)]
    if taken or len(set(laying.to)) < len(laying.to) or len(laying.to) > len(laying.tiles):
        yield Flaw(f"{laying.seat}: tiles go on blank spaces, one on each", "GR-A1")


def _impossible_drive(config: Config, state: State, drive: Drive) -> Iterator[Flaw]:
    """GR-D1, GR-D3: require that the spaces of the way join, and that the tile to pay for is just ahead."""
    here = state.crew(drive.seat).space
    for at, space in enumerate(drive.path):
        if space not in config.roads.beside(here):
            yield Flaw(f"{drive.seat}: {space} is not beside {here}", "GR-D1")
        if config.roads.is_city(space) and at < len(drive.path) - 1:
            yield Flaw(f"{drive.seat}: the drive ends in {space}", "GR-D4")
        here = space
    has_tile = bool(drive.path) and drive.path[0] in state.tiles
    if (drive.is_fresh or drive.is_asked) and not (has_tile and drive.steps):
        yield Flaw(f"{drive.seat}: the way has no tile to pay for", "GR-D3")
    if drive.is_asked and not drive.is_fresh:
        yield Flaw(f"{drive.seat}: only a tile just drawn raises the question how to pay", "GR-D3")
    if drive.is_asked and not state.crew(drive.seat).engine:
        yield Flaw(f"{drive.seat} has broken down: its drive is over", "GR-D6")


def _impossible_threat(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
    """GR-K1, GR-K4, GR-H7: require a legal target of a danger card, and seats that may cancel it."""
    away = [crew.seat for crew in state.crews if crew.arrival is not None or crew.seat == threat.seat]
    if len(set(threat.left)) < len(threat.left) or set(threat.left) & set(away):
        yield Flaw("only other seats that have not arrived may cancel a danger card, each once", "GR-K4")
    if threat.asked is not None and threat.left[:1] != (threat.asked,):
        yield Flaw("the seat asked about a danger card must be the next that may cancel it", "GR-K4")
    if threat.card in DANGERS:
        yield from DANGERS[threat.card].flaws(config, state, threat)
    else:
        yield Flaw(f"{threat.card} is not a danger card", "GR-K1")
