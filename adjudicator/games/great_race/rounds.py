"""Continue without an order: lay out cards, open plans, begin sequences, end the race (GR-B1, GR-L1, GR-V1, GR-N, GR-F)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from adjudicator.game import Chance, Seat
from adjudicator.games.great_race import asking
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.convoy import paid
from adjudicator.games.great_race.drawing import drawn
from adjudicator.games.great_race.driving import drive_on
from adjudicator.games.great_race.said import ORDINALS
from adjudicator.games.great_race.state import BIVOUAC, CONVOY, OVER, Crew, Drive, State, Threat
from adjudicator.games.great_race.threats import react_on

Moves = Generator[Any, State, Any]


def go_on(config: Config, state: State, chance: Chance) -> Moves:
    """Yield the events that need no order."""
    stage = state.stage
    if asking.kinds_due(config, state) or stage == OVER:
        return _nothing()
    if stage == CONVOY:
        return _convoy(config, state, chance)
    return _offer(config, state, chance) if stage == BIVOUAC else _open_plans(state)


def _nothing() -> Moves:
    yield from ()


def _offer(config: Config, state: State, chance: Chance) -> Moves:
    """Lay out a card for each player and one more; the last in turn order takes first (GR-B1)."""
    if state.round == 1:
        roads = config.roads
        state = yield happened.RaceBegun(start=roads.start, finish=roads.finish, order=state.order)
    cards = yield from drawn(config, state, len(config.seats) + 1, "a card of the bivouac", chance)
    if not cards:
        yield happened.PlanningBegun()
        return
    takers = state.order[::-1][: len(cards)]
    yield dealt.CardsOffered(cards=tuple(cards), takers=takers)


def _open_plans(state: State) -> Moves:
    """Open all plans, and let the first in turn order begin (GR-L1, GR-V1)."""
    for seat in state.order:
        plan = state.crew(seat).plan
        assert plan is not None
        state = yield happened.PlanOpened(seat=seat, plan=plan)
    yield happened.SequenceBegun(seat=state.order[0])


def _convoy(config: Config, state: State, chance: Chance) -> Moves:
    pending = state.pending
    if isinstance(pending, Drive):
        return drive_on(config, state, pending, chance)
    if isinstance(pending, Threat):
        return react_on(config, state, pending)
    return _next(config, state) if state.in_play is None else _spend_card()


def _spend_card() -> Moves:
    yield dealt.CardSpent()


def _next(config: Config, state: State) -> Moves:
    """Let the next seat with something left play; without one, end the round or the race."""
    at = state.order.index(state.turn) if state.turn in state.order else -1
    for seat in (*state.order[at + 1 :], *state.order[: at + 1]):
        if state.crew(seat).is_playing:
            yield happened.SequenceBegun(seat=seat)
            return
    if asking.is_last(config, state):
        yield from _finish(config, state)
    else:
        yield from _maintain(config, state)


def _maintain(config: Config, state: State) -> Moves:
    """Set the new turn order, and pay the bonus (GR-N)."""
    order = new_order(config, state)
    lanes = {config.roads.lane(state.crew(seat).space) for seat in order}
    state = yield happened.OrderChanged(order=order, rule="GR-N1" if len(lanes) == len(order) else "GR-N2")
    for rank, seat in enumerate(order):
        francs = config.bonus[rank]
        state = yield from paid(state, seat, francs, f"{ORDINALS[rank]} on the way", "GR-N3")


def new_order(config: Config, state: State) -> tuple[Seat, ...]:
    """Return the seats by progress, the furthest first; in one lane, the one whose marker came first (GR-N1, GR-N2)."""
    return tuple(sorted(state.markers, key=lambda seat: -config.roads.lane(state.crew(seat).space)))


def _finish(config: Config, state: State) -> Moves:
    for seat in config.seats:
        crew = state.crew(seat)
        points, levels, francs = prestige(config, crew)
        yield happened.PrestigeCounted(seat=seat, place=crew.arrival or 0, points=points, levels=levels, francs=francs)
    yield happened.RaceEnded()


def prestige(config: Config, crew: Crew) -> tuple[int, int, int]:
    """Return the points of ``crew`` for its arrival, for engine and chassis, and for its money (GR-F2)."""
    table = config.components.prestige
    arrival = crew.arrival
    points = table.arrivals[arrival - 1] if arrival is not None and arrival <= len(table.arrivals) else 0
    return points, crew.parts, crew.cash // table.francs
