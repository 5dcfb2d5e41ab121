"""The rules of Checkpoint Rally: the hooks, and who has won (CR). ``order_of_play.py`` has the phases."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

from adjudicator.game import Decision, Problem, Rules, Seat, Setup, Spent, Standing, View, drawing, replace
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally import orders as given
from adjudicator.games.checkpoint_rally import state as states
from adjudicator.games.checkpoint_rally.components import Components, Config
from adjudicator.games.checkpoint_rally.facts import FACTS
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.order_of_play import ORDER_OF_PLAY
from adjudicator.games.checkpoint_rally.orders import Discard, Keep, in_order
from adjudicator.games.checkpoint_rally.roads import is_locked_in
from adjudicator.games.checkpoint_rally.state import Position, Stage, State


class CheckpointRally(Rules[Config, State]):
    """The rules of a race for 2 to 4 players over tiles that they lay themselves."""

    meta, upgrades = META, states.UPGRADES
    components, position, state, pieces = Components, Position, State, states.PIECES
    events, orders, terms, facts = happened.EVENTS, given.ORDERS, given.TERMS, FACTS
    order_of_play, tells_rules, candidates_are_legal = ORDER_OF_PLAY, False, True
    place, impossible = staticmethod(states.place), staticmethod(states.impossible)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        asked, racer = super().decision(config, state, seat), state.racer(seat)
        if asked is None and racer.place is not None:
            return META.problem("finished", f"{seat} has finished the race and takes no more turns", "CR-F1")
        if asked is None and racer.chance_over and (self.is_over(config, state) or not racer.excess):
            return META.problem("chance-over", f"the last chance of {seat} is over", "CR-F2")
        return asked

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        racer = state.racer(seat)
        others = [other for other in state.order if other != seat]
        if state.stage is not Stage.RACING or not racer.has_chance or any(each.excess for each in state.racers):
            return None
        return replace(state, order=(seat, *others), acting=seat if state.finishers else None)

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.draw(config, view)

    def catalogue(self, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.catalogue(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is Stage.OVER

    def spent(self, config: Config, state: State, event: Spent) -> State:
        if event.before == event.after:
            return state  # An action of 0 minutes leaves the marker where it is (CR-T1).
        # A marker that arrives lies on top of its stack: it is due before all that are there.
        others = [other for other in state.order if other != event.seat]
        at = bisect_left(others, event.after, key=lambda other: state.racer(other).minutes)
        order = (*others[:at], event.seat, *others[at:])
        return state.with_racer(event.seat, {"order": order}, minutes=event.after)

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        # KEEP would tell what stays in the hand.
        is_kept = isinstance(order, Keep)
        return Discard(in_order(order.gone(config, state.racer(seat)))).text() if is_kept else None

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(config, state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: racer.rank,
            score=lambda racer: racer.minutes,
            note=lambda racer: racer.note(is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, config: Config, state: State) -> Iterator[str]:
        """Warn of each car whose tile has no exit onto the board: it is locked in for good (CR-S6, CR-P1)."""
        for racer in state.racers:
            if racer.cell is not None and is_locked_in(config, state, racer.cell):
                where = f"no road leaves {racer.cell} onto the board"
                yield f"{racer.seat}: {where}, and a tile under a car stays: it is locked in (CR-S6)"


RULESET: Final = CheckpointRally()
