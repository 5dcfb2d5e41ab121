"""The rules of Checkpoint Rally, and who has won (CR). ``order_of_play.py`` has the phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from adjudicator.game import Flaw, Problem, Rules, Seat, Setup, Standing, View, replace
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally import orders as given
from adjudicator.games.checkpoint_rally import state as states
from adjudicator.games.checkpoint_rally.components import Components, Config
from adjudicator.games.checkpoint_rally.facts import FACTS
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.order_of_play import PHASES
from adjudicator.games.checkpoint_rally.orders import Discard, Keep, in_order
from adjudicator.games.checkpoint_rally.roads import is_locked_in
from adjudicator.games.checkpoint_rally.state import Here, Position, Racer, Stage, State

if TYPE_CHECKING:
    from adjudicator.game import drawing


class CheckpointRally(Rules[Config, State]):
    """The rules of a race for 2 to 4 players over tiles that they lay themselves."""

    meta = META
    components, position, state, pieces = Components, Position, State, states.PIECES
    events, orders, terms, facts = happened.EVENTS, given.ORDERS, given.TERMS, FACTS
    phases, tells_rules, candidates_are_legal = PHASES, False, True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup)

    def place(self, position: Any) -> State:
        return states.place(self.config, position)

    def impossible(self, state: State, position: Any) -> Iterator[Flaw]:
        return states.impossible(self.config, state, position)

    def retired(self, state: State, seat: Seat) -> Problem | None:
        racer = state.of(seat)
        if self.is_due(state, seat):
            return None
        if racer.place is not None:
            return META.problem("finished", f"{seat} has finished the race and takes no more turns", "CR-F1")
        if racer.chance_over and (self.is_over(state) or not racer.excess):
            return META.problem("chance-over", f"the last chance of {seat} is over", "CR-F2")
        return None

    def unasked(self, at: Here, order: Any) -> Problem:
        return self.others_act(at, "not-your-turn", "CR-T1")

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        racer = state.of(seat)
        others = [other for other in state.order if other != seat]
        if state.stage is not Stage.RACING or not racer.has_chance or any(each.excess for each in state.racers):
            return None
        return replace(state, order=(seat, *others), acting=seat if state.finishers else None)

    def draw(self, view: View[Config, State, Racer]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.draw(view)

    @classmethod
    def catalogue(cls, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_rally import board

        return board.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.stage is Stage.OVER

    def public_text(self, at: Here, order: Any) -> str | None:
        # KEEP would tell what stays in the hand.
        is_kept = isinstance(order, Keep)
        return Discard(in_order(order.gone(at.config, at.own))).text() if is_kept else None

    def standings(self, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: racer.rank,
            score=lambda racer: racer.minutes,
            note=lambda racer: racer.note(is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, state: State) -> Iterator[str]:
        """Warn of each car whose tile has no exit onto the board: it is locked in for good (CR-S6, CR-P1)."""
        for racer in state.racers:
            if racer.cell is not None and is_locked_in(self.config, state, racer.cell):
                where = f"no road leaves {racer.cell} onto the board"
                yield f"{racer.seat}: {where}, and a tile under a car stays: it is locked in (CR-S6)"
