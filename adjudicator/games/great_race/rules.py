"""The rules of The Great Race: who decides, what follows without an order, who has won (GR).

Each order owns its checks and its events (``orders.py``); ``asking.py`` has the questions of a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Flaw,
    Part,
    Problem,
    Rules,
    Seat,
    Setup,
    Standing,
    View,
    change,
    count,
    drawing,
)
from adjudicator.games.great_race import asking, facts, flaws, positions, possible, race_order
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import config as configs
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race import state as states
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.drive_events import EVENTS
from adjudicator.games.great_race.driving import drive_on
from adjudicator.games.great_race.facts import fact_word
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import drawn
from adjudicator.games.great_race.said import ORDINALS
from adjudicator.games.great_race.state import BIVOUAC, CONVOY, OVER, PLANNING, Crew, Drive, Moves, State, Threat
from adjudicator.games.great_race.terms import TERMS
from adjudicator.games.great_race.threats import react_on


class GreatRace(Rules[Config, State]):
    """A race across a continent for 2 to 4 crews, planned in secret and driven in the open."""

    meta = META
    components, position, state = Components, positions.Position, State
    events, orders, terms, facts = EVENTS, given.ORDERS, {**TERMS, "play_on": given.PLAY_ON}, facts.FACTS

    begin = staticmethod(states.begun)
    validate, check = staticmethod(race_order.validate), staticmethod(given.check)
    candidates, readiness = staticmethod(given.candidates), staticmethod(given.readiness)
    decide = staticmethod(race_order.decide)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", flaws.unfit(setup))
        config = configs.configured(setup, version)
        words = (*config.roads.spaces, *config.tiles, *map(fact_word, CardId))
        return change(config, names=(*words, *states.Stage, "yes", "no"))

    def place(self, config: Config, position: Any) -> State:
        return position if isinstance(position, State) else positions.placed(config, position)

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[str | Flaw]:
        if position is not None:
            yield from positions.misplaced(config, position)
        yield from possible.impossible(config, state)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        asked = asking.decision(config, state, seat)
        if asked is not None or state.stage is OVER or state.crew(seat).arrival is None:
            return asked
        return META.problem("arrived", f"{seat} is in the finish city and has no more orders to give", "GR-F1")

    def due(self, config: Config, state: State) -> tuple[Seat, ...]:
        return tuple(asking.kinds_due(config, state))

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.great_race import board

        return board.drawn(config, view)

    def choices(self, config: Config, view: View[State]) -> Iterable[tuple[str, str]]:
        from adjudicator.games.great_race import board

        return board.choices(config, view)

    def catalogue(self, components: Components) -> drawing.Drawing:
        from adjudicator.games.great_race import box

        return box.boxed(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is OVER

    def proceed(self, config: Config, state: State, chance: Chance) -> Moves:
        return go_on(config, state, chance)

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # A player can look ahead to its card, or its sequence, while another acts.
        if state.stage is BIVOUAC and seat in state.takers:
            return change(state, takers=(seat, *(other for other in state.takers if other != seat)))
        is_busy = state.pending is not None or state.in_play is not None or any(crew.excess for crew in state.crews)
        if state.stage is not CONVOY or is_busy or not state.crew(seat).is_playing:
            return None
        return change(state, turn=seat, may_buy=True, has_acted=False)

    def position_before_answer(self, config: Config, state: State, seat: Seat) -> State | None:
        # GR-L1: until all have planned, a seat may change its plan; a plan without assistants asks for that.
        if state.stage is not PLANNING or not state.crew(seat).plan:
            return None
        return state.with_crew(seat, plan=states.NOT_PLANNED)

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        why: tuple[Part, ...] = order.cost(config, state.crew(seat))
        return why

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        spelled = race_order.spelled(config, order) if config.spells_names else order
        told: str | None = spelled.told()
        return str(spelled.text()) if told is None and spelled is not order else told

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(config, state)
        found = Standing.ranking(
            state.crews,
            key=lambda crew: _rank(config, state, crew),
            score=lambda crew: crew.cash,
            note=lambda crew: _note(config, crew),
            is_final=is_final,
        )
        has_no_winner = is_final and not state.arrived  # GR-F1, GR-H9: then no seat comes first
        return tuple(change(one, place=one.place + 1) for one in found) if has_no_winner else found


def _rank(config: Config, state: State, crew: Crew) -> tuple[int, ...]:
    """Return the key that ranks crews: those in the finish by prestige, the others by progress (GR-F1, GR-F2, GR-N1)."""
    if crew.arrival is not None:
        return 0, -sum(_prestige(config, crew)), crew.arrival
    return 1, -config.roads.lane(crew.space), state.markers.index(crew.seat)


def _note(config: Config, crew: Crew) -> str:
    gauges = f"fuel {crew.fuel}, engine {crew.engine}, chassis {crew.chassis}"
    if crew.arrival is None:
        return f"at {crew.space}, {gauges}"
    points = sum(_prestige(config, crew))
    return f"{count(points, 'point')} of prestige, arrived {ORDINALS[crew.arrival - 1]}, {gauges}"


# What follows without an order


def go_on(config: Config, state: State, chance: Chance) -> Moves:
    """Yield the events that need no order."""
    if asking.kinds_due(config, state) or state.stage is OVER:
        return _nothing()
    if state.stage is BIVOUAC:
        return _offer(config, state, chance)
    if state.stage is PLANNING:
        return _open_plans(state)
    if isinstance(state.pending, Drive):
        return drive_on(config, state, chance)
    if isinstance(state.pending, Threat):
        return react_on(state, state.pending)
    return _next(config, state) if state.in_play is None else _spend_card()


def _nothing() -> Moves:
    yield from ()


def _spend_card() -> Moves:
    yield dealt.CardSpent()


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
    lanes = {crew.seat: config.roads.lane(crew.space) for crew in state.crews}
    order = tuple(sorted(state.markers, key=lambda seat: -lanes[seat]))  # in one lane, the marker that came first
    rule = "GR-N1" if len({*lanes.values()}) == len(order) else "GR-N2"
    state = yield happened.OrderChanged(order=order, rule=rule)
    for rank, seat in enumerate(order):
        why = Part(config.bonus[rank], f"{ORDINALS[rank]} on the way", "GR-N3")
        state = yield from race_order.settle(state, seat, (why,))


def _finish(config: Config, state: State) -> Moves:
    for seat in config.seats:
        crew = state.crew(seat)
        points, levels, francs = _prestige(config, crew)
        yield happened.PrestigeCounted(seat=seat, place=crew.arrival or 0, points=points, levels=levels, francs=francs)
    yield happened.RaceEnded()


def _prestige(config: Config, crew: Crew) -> tuple[int, int, int]:
    """Return the points of ``crew`` for its arrival, for engine and chassis, and for its money (GR-F2)."""
    table = config.components.prestige
    arrival = crew.arrival
    points = table.arrivals[arrival - 1] if arrival is not None and arrival <= len(table.arrivals) else 0
    return points, crew.parts, crew.cash // table.francs


RULESET: Final = GreatRace()
