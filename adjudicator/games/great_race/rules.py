"""The rules of The Great Race: the hooks, and who has won (GR). ``order_of_play.py`` has the phases of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Part,
    Problem,
    Readiness,
    Rules,
    Seat,
    Setup,
    Standing,
    View,
    count,
    drawing,
    events_of,
    listed,
    ordinal,
    replace,
)
from adjudicator.games.great_race import card_events, driving, facts, flaws, positions, threats
from adjudicator.games.great_race import config as configs
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race import orders as given
from adjudicator.games.great_race import state as states
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.convoy import Plan
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.order_of_play import ORDER_OF_PLAY, PLAN, REACT, prestige
from adjudicator.games.great_race.plays import CAN, Play
from adjudicator.games.great_race.race_order import check_held, spelled
from adjudicator.games.great_race.state import BIVOUAC, CONVOY, OVER, PLANNING, Crew, Moves, State
from adjudicator.games.great_race.terms import TERMS
from adjudicator.games.great_race.threats import Accept, Cancel, PlaySaboteur


class GreatRace(Rules[Config, State]):
    """A race across a continent for 2 to 4 crews, planned in secret and driven in the open."""

    meta = META
    components, position, state, pieces = Components, positions.Position, State, states.PIECES
    events = events_of(*(module.__name__ for module in (card_events, happened, driving, threats)))
    orders, terms, facts = given.ORDERS, {**TERMS, "play_on": given.PLAY_ON}, facts.FACTS
    order_of_play = ORDER_OF_PLAY
    begin, impossible = staticmethod(states.begun), staticmethod(positions.impossible)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", flaws.unfit(setup))
        return configs.configured(setup, version, (*states.Stage, "yes", "no"))

    def place(self, config: Config, position: Any) -> State:
        return position if isinstance(position, State) else positions.placed(config, position)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        asked = super().decision(config, state, seat)
        if asked is not None or state.stage is OVER or state.crew(seat).arrival is None:
            return asked
        return META.problem("arrived", f"{seat} is in the finish city and has no more orders to give", "GR-F1")

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        asked = ORDER_OF_PLAY.asked(config, state).get(seat)
        has_planned = asked is PLAN and state.crew(seat).plan is not None and not isinstance(order, Plan)
        if asked is None or has_planned or (isinstance(order, (Cancel, Accept)) and asked is not REACT):
            return _not_asked(config, state, seat, order)
        if order == CAN:  # GR-K3: at any time
            return check_held(state, seat, CardId.JERRYCAN)
        return super().check(config, state, seat, spelled(config, order))

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        asked, crew = ORDER_OF_PLAY.asked(config, state).get(seat), state.crew(seat)
        for kind in () if asked is None else asked.orders:
            if kind is Play:
                for card in dict.fromkeys(crew.hand):
                    orders = (order.offers(config, state, seat) for order in given.CARDS if order.plays is card)
                    yield from chain((Play(card.value),) if card.kind.gain else (), *orders)
                    if card.kind.harms_crew:
                        yield from (replace(one, card=card) for one in PlaySaboteur.offers(config, state, seat))
            elif kind.plays is None and (kind.slot is None or getattr(crew.active, kind.slot)):
                yield from kind.offers(config, state, seat)
        if asked is not None and CardId.JERRYCAN in crew.hand and (asked is not PLAN or crew.plan is None):
            yield CAN

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        return super().cost(config, state, seat, spelled(config, order))

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
        return super().decide(config, state, seat, spelled(config, order), chance)

    def readiness(self, config: Config, state: State, seat: Seat, order: Any) -> Readiness:
        # GR-K3: a jerrycan never waits, and the answer may follow it in the same sheet.
        return Readiness.READY if order == CAN else super().readiness(config, state, seat, order)

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.great_race import board

        return board.drawn(config, view)

    def choices(self, config: Config, view: View[State]) -> Iterable[tuple[str, str]]:
        from adjudicator.games.great_race import board

        return board.choices(config, view)

    def catalogue(self, components: Components) -> drawing.Drawing:
        from adjudicator.games.great_race import board

        return board.boxed(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is OVER

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # A player can look ahead to its card, or its sequence, while another acts.
        if state.stage is BIVOUAC and seat in state.takers:
            return replace(state, takers=(seat, *(other for other in state.takers if other != seat)))
        is_busy = state.pending is not None or state.in_play is not None or any(crew.excess for crew in state.crews)
        if state.stage is not CONVOY or is_busy or not state.crew(seat).is_playing:
            return None
        return replace(state, turn=seat, may_buy=True, has_acted=False)

    def position_before_answer(self, config: Config, state: State, seat: Seat) -> State | None:
        # GR-L1: until all have planned, a seat may change its plan; a plan without assistants asks for that.
        if state.stage is not PLANNING or not state.crew(seat).plan:
            return None
        return state.with_crew(seat, plan=states.NOT_PLANNED)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        known = spelled(config, order) if config.version >= 2 else order
        told: str | None = known.public_text()
        return str(known.text()) if told is None and known is not order else told

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
        return tuple(replace(one, place=one.place + 1) for one in found) if has_no_winner else found


def _rank(config: Config, state: State, crew: Crew) -> tuple[int, ...]:
    """Return the key that ranks crews: those in the finish by prestige, the others by progress (GR-F1, GR-F2, GR-N1)."""
    if crew.arrival is not None:
        return 0, -sum(prestige(config, crew)), crew.arrival
    return 1, -config.roads.lane(crew.space), state.markers.index(crew.seat)


def _note(config: Config, crew: Crew) -> str:
    gauges = f"fuel {crew.fuel}, engine {crew.engine}, chassis {crew.chassis}"
    if crew.arrival is None:
        return f"at {crew.space}, {gauges}"
    points = sum(prestige(config, crew))
    return f"{count(points, 'point')} of prestige, arrived {ordinal(crew.arrival)}, {gauges}"


def _not_asked(config: Config, state: State, seat: Seat, order: Any) -> Problem:
    """Refuse an order of ``seat`` that nothing asks for, and say who is asked instead."""
    asked, crew = ORDER_OF_PLAY.asked(config, state), state.crew(seat)
    if asked.get(seat) is PLAN and crew.plan is not None:
        message = f"{seat} has planned, and others have not: to send a new sheet, begin it with the plan; later orders wait"
        return META.problem("planned-already", message, "GR-L1", near=("PLAN …",))
    if isinstance(order, (Cancel, Accept)):
        message = f"{seat} has no danger card to answer now"
        return META.problem("no-danger", message, "GR-K4", "", ("REACT danger ask",))
    wait = f"waiting for {listed(asked) or 'no one'}"
    if crew.arrival is not None:
        return META.problem("arrived", f"{seat} is in the finish city and plays no more", "GR-F1")
    if state.stage == PLANNING:
        return META.problem("planned-already", f"{seat} has planned: {wait}", "GR-L1")
    if crew.has_passed:
        return META.problem("passed-already", f"{seat} has passed in this round: {wait}", "GR-V1")
    return META.problem("not-due", f"it is not the turn of {seat}: {wait}", "GR-V1")


RULESET: Final = GreatRace()
