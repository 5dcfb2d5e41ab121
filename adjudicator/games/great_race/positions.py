"""Read an explicit position, and find what no state can be (GR-C, GR-B, GR-L, GR-V, GR-D, GR-F)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Annotated, Any

from adjudicator.game import At, Flaw, Meta, Seat, Value, fill, listed, of_seat, replace
from adjudicator.games.great_race.cards import CardId, Does
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.danger import flaws_of
from adjudicator.games.great_race.phases import is_hopeless
from adjudicator.games.great_race.state import (
    BIVOUAC,
    CONVOY,
    GUARDS,
    OVER,
    PLANNING,
    Assistants,
    Crew,
    Drive,
    Keeping,
    Laid,
    Laying,
    Stage,
    State,
    Threat,
    crew_at_start,
)

_Level = Annotated[int, Meta(ge=0, le=99)]


class SeatAt(Value, kw_only=True):
    """The place and belongings of a seat; a missing value is that of the beginning of the race.

    ``assistants`` are those still on the dashboard, in the convoy. ``arrival`` is its place among those in the finish city.
    """

    seat: Seat
    space: SpaceId | None = None
    fuel: _Level | None = None
    engine: _Level | None = None
    chassis: _Level | None = None
    cash: Annotated[int, Meta(ge=0, le=9_999)] | None = None
    hand: Annotated[tuple[CardId, ...], Meta(max_length=99)] = ()
    assistants: Assistants = Assistants()
    has_passed: bool = False
    arrival: Annotated[int, Meta(ge=1, le=4)] | None = None


class TileAt(Value, kw_only=True):
    """A tile on the board."""

    space: SpaceId
    tile: TileId


class Position(Value, kw_only=True):
    """The whole table: at the beginning of a round, or in its convoy if the position names a ``turn``.

    A round begins with the bivouac, and chance draws its cards, unless ``stage`` says that planning is next. ``order`` is
    the turn order (default: that of the seats), ``markers`` the order in which the markers came to their lanes (default:
    the turn order). Bag and deck hold what is nowhere else.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=4)]
    round: Annotated[int, Meta(ge=1, le=9_999)] = 1
    stage: Stage | None = None
    turn: Seat | None = None
    order: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    markers: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    tiles: Annotated[tuple[TileAt, ...], Meta(max_length=400)] = ()
    removed: Annotated[tuple[TileId, ...], Meta(max_length=400)] = ()
    discards: Annotated[tuple[CardId, ...], Meta(max_length=400)] = ()


def placed(config: Config, position: Any) -> State:
    """Return the state that ``position`` describes."""
    order, turn = position.order or config.seats, position.turn
    is_convoy = turn is not None or any(at.assistants.total or at.has_passed for at in position.seats)
    return State(
        stage=Stage(position.stage or (Stage.CONVOY if is_convoy else Stage.BIVOUAC)),
        round=position.round,
        order=order,
        markers=position.markers or order,
        crews=tuple([_crew(config, place, of_seat(position.seats, seat)) for place, seat in enumerate(config.seats)]),
        laid=tuple([Laid(at.space, at.tile) for at in position.tiles]),
        removed=position.removed,
        discards=position.discards,
        turn=turn,
    )


def _crew(config: Config, place: int, at: SeatAt) -> Crew:
    return replace(fill(crew_at_start(config, place), at), active=at.assistants)


# What no state can be


_SEARCHING = tuple(card for card in CardId if card.does is Does.CARDS)
_MADE_BY = {Keeping: _SEARCHING, Laying: (None, CardId.CARTOGRAPHER), Drive: (None, CardId.DRIVER)}
"""The card in play for each kind of pending thing."""


def impossible(config: Config, state: State, position: Any) -> Iterator[Flaw]:
    """Yield what is impossible: seats out of order, levels beyond the gauges, vehicles in no place, wrong stages."""
    if position is not None and position.turn is not None and position.stage not in (None, Stage.CONVOY):
        yield Flaw(f"in the stage “{position.stage}” no seat has a turn", "GR-V1")
    if position is not None and position.turn is None and position.stage is Stage.CONVOY:
        yield Flaw("in the convoy a seat must have the turn: name it in “turn”", "GR-V1")
    found = [*_of_seats(config, state), *_of_spaces(config, state)]
    yield from found
    if found:  # The checks below need an order, and at most one tile on a space.
        return
    for crew in state.crews:
        yield from _of_crew(config, state, crew)
    yield from _of_arrivals(config, state)
    yield from _of_stage(state)
    if state.pending is not None:
        yield from _of_pending(config, state)


def _of_seats(config: Config, state: State) -> Iterator[Flaw]:
    """GR-N1, GR-N2: require every seat once in the turn order and in the order of the markers."""
    for what, seats, rule in (("turn order", state.order, "GR-N1"), ("order of the markers", state.markers, "GR-N2")):
        if sorted(seats) != sorted(config.seats):
            yield Flaw(f"the {what} must name {listed(config.seats)}, each once", rule)


def _of_spaces(config: Config, state: State) -> Iterator[Flaw]:
    """GR-A1, GR-C1: require at most one tile on a space, and none in a city."""
    for space, many in Counter(laid.space for laid in state.laid).items():
        if config.roads.is_city(space):
            yield Flaw(f"{space} is a city: it cannot have a tile", "GR-A1")
        elif many > 1:
            yield Flaw(f"{many} tiles lie at {space}", "GR-C1")


def _of_crew(config: Config, state: State, crew: Crew) -> Iterator[Flaw]:
    """GR-C4, GR-L1, GR-V1, GR-K4: require what a seat's vehicle and dashboard can be."""
    seat, full, active, stage = crew.seat, config.components.gauges, crew.active, state.stage
    many, is_convoy = config.components.assistants, stage is CONVOY
    for what in ("fuel", "engine", "chassis"):
        level, most = getattr(crew, what), getattr(full, what)
        if level > most:
            yield Flaw(f"{seat}: {what} goes up to {most}, not to {level}", "GR-C4")
    is_off = not config.roads.is_city(crew.space) and crew.space not in state.tiles
    is_in_play = crew.has_passed and (not is_convoy or active.total > active.escort)
    is_no_plan = crew.plan is not None and (stage is not PLANNING or crew.plan.total != many)
    answers = [answer for answer in (crew.to_cards, crew.to_tiles) if answer is not None]
    is_odd = any(len({*one.helps}) < len(one.helps) or not GUARDS.issuperset(one.helps) for one in answers)
    is_limited = any(not one.helps and one.over >= 0 for one in answers)
    yield from Flaw.where(
        (is_off, f"{seat}: {crew.space} has neither a city nor a tile", "GR-D1"),
        (active.total > many, f"{seat}: a seat has {many} assistants, not {active.total}", "GR-C4"),
        (active.total and not is_convoy, f"{seat}: assistants are on the dashboard only in the convoy", "GR-V1"),
        (is_in_play, f"{seat}: after passing, a seat has only escorts left", "GR-V1"),
        (is_no_plan, f"{seat}: a plan has {many} assistants, and exists only while seats plan", "GR-L1"),
        (is_odd, f"{seat}: a standing answer uses an escort, a Ranger, or both, each once", "GR-K4"),
        (is_limited, f"{seat}: a standing answer with no help has no limit of parts", "GR-K4"),
    )


def _of_arrivals(config: Config, state: State) -> Iterator[Flaw]:
    """GR-F1, GR-F2: require vehicles in the finish city to arrive one after the other, and to hold nothing."""
    arrivals = sorted(crew.arrival for crew in state.crews if crew.arrival is not None)
    if arrivals != list(range(1, len(arrivals) + 1)):
        yield Flaw("arrivals must be 1, 2 and so on, without gaps", "GR-F2")
    for crew in state.crews:
        is_there, has_arrived = crew.space == config.roads.finish, crew.arrival is not None
        holds = has_arrived and (crew.hand or crew.active.total)
        yield from Flaw.where(
            (is_there and not has_arrived, f"{crew.seat} is in the finish city but has no arrival", "GR-F1"),
            (has_arrived and not is_there, f"{crew.seat} has an arrival but is not in the finish city", "GR-F1"),
            (holds, f"{crew.seat} has arrived, so it cannot have cards or assistants", "GR-F1"),
        )
    is_late, is_early = arrivals and state.stage not in (CONVOY, OVER), not arrivals and state.stage is OVER
    yield from Flaw.where(
        (is_late, "the race ends with the round in which a vehicle arrives", "GR-F1"),
        (is_early and not is_hopeless(At(config, state)), "the race cannot be over before a vehicle has arrived", "GR-F1"),
    )


def _of_stage(state: State) -> Iterator[Flaw]:
    """GR-B1, GR-V1: require that each thing is in its own stage."""
    takers, offered, is_convoy = state.takers, state.offered, state.stage is CONVOY
    in_order = tuple(seat for seat in state.order[::-1] if seat in takers)
    return Flaw.where(
        (state.stage is not BIVOUAC and (offered or takers), "cards lie open only in the bivouac", "GR-B1"),
        (takers != in_order, "takers must be in reverse turn order, each once", "GR-B1"),
        (bool(takers) is not bool(offered), "cards lie open exactly as long as a seat has to take one", "GR-B1"),
        (len(takers) > len(offered), "the bivouac has fewer cards than seats that must take one", "GR-B1"),
        (is_convoy is (state.turn is None), "a seat has the turn in the convoy, and only then", "GR-V1"),
        (not is_convoy and state.pending is not None, "something can be pending only in the convoy", "GR-V1"),
        (not is_convoy and state.in_play is not None, "a card can be in play only in the convoy", "GR-V1"),
    )


def _of_pending(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the pending thing: it belongs to the seat whose sequence it is, and to the card in play."""
    pending = state.pending
    assert pending is not None
    if pending.seat != state.turn or state.of(pending.seat).arrival is not None:
        yield Flaw(f"{pending.seat} does not have the turn, so nothing can be pending for it", "GR-V1")
        return
    cards: Collection[CardId | None] = (pending.card,) if isinstance(pending, Threat) else _MADE_BY[type(pending)]
    if state.in_play not in cards:
        yield Flaw(f"{pending.seat}: the pending thing does not belong to the card in play", "GR-H9")
    match pending:
        case Laying():
            yield from _of_laying(config, state, pending)
        case Keeping(cards=()):
            yield Flaw(f"{pending.seat}: there is no card to keep", "GR-K1")
        case Drive():
            yield from _of_drive(config, state, pending)
        case Threat():
            yield from _of_threat(config, state, pending)


def _of_laying(config: Config, state: State, laying: Laying) -> Iterator[Flaw]:
    seat, to, tiles = laying.seat, laying.to, state.tiles
    is_taken = any(space in tiles or config.roads.is_city(space) for space in to)
    is_odd = is_taken or len(set(to)) < len(to) or len(to) > len(laying.tiles)
    return Flaw.where(
        (not laying.tiles, f"{seat}: there is no tile to lay", "GR-A1"),
        (not config.roads.free(state.of(seat).space, tiles), f"{seat}: there is no free space for the tiles", "GR-H9"),
        (is_odd, f"{seat}: tiles go on blank spaces, one on each", "GR-A1"),
    )


def _of_drive(config: Config, state: State, drive: Drive) -> Iterator[Flaw]:
    """GR-D1, GR-D3: require that the spaces of the way join, and that the tile to pay for is just ahead."""
    seat, crew = drive.seat, state.of(drive.seat)
    for at, (here, space) in enumerate(pairwise((crew.space, *drive.path))):
        if space not in config.roads.beside(here):
            yield Flaw(f"{seat}: {space} is not beside {here}", "GR-D1")
        if config.roads.is_city(space) and at < len(drive.path) - 1:
            yield Flaw(f"{seat}: the drive ends in {space}", "GR-D4")
    is_payable = bool(drive.path) and drive.path[0] in state.tiles and drive.steps
    is_ahead, is_asked = drive.is_fresh or drive.is_asked, drive.is_asked
    yield from Flaw.where(
        (is_ahead and not is_payable, f"{seat}: the way has no tile to pay for", "GR-D3"),
        (is_asked and not drive.is_fresh, f"{seat}: only a tile just drawn raises the question how to pay", "GR-D3"),
        (is_asked and not crew.engine, f"{seat} has broken down: its drive is over", "GR-D6"),
    )


def _of_threat(config: Config, state: State, threat: Threat) -> Iterator[Flaw]:
    """GR-K1, GR-K4, GR-H7: require a legal target of a danger card, and seats that may cancel it."""
    left = threat.left
    away = {crew.seat for crew in state.crews if crew.arrival is not None or crew.seat == threat.seat}
    if len(set(left)) < len(left) or away.intersection(left):
        yield Flaw("only other seats that have not arrived may cancel a danger card, each once", "GR-K4")
    if threat.asked is not None and left[:1] != (threat.asked,):
        yield Flaw("the seat asked about a danger card must be the next that may cancel it", "GR-K4")
    yield from flaws_of(At(config, state), threat)
