"""The rules of Checkered Flag, and who has won (CF). ``order_of_play.py`` has the phases of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from adjudicator.game import Flaw, Problem, Rules, Seat, Setup, Standing, View, replace
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag import order_of_play as play
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import NEUTRAL, Config
from adjudicator.games.checkered_flag.facts import FACTS, doing
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import ORDERS, TERMS
from adjudicator.games.checkered_flag.state import Here, Racer, State

if TYPE_CHECKING:
    from adjudicator.game import drawing


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, FACTS
    phases, candidates_are_legal = play.PHASES, True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup)

    def place(self, position: Any) -> State:
        if not isinstance(position, State):
            position = replace(position, seats=tuple(states.racer_at(self.config, at) for at in position.seats))
        return states.normalized(self.config, super().place(position))

    def impossible(self, state: State, position: Any) -> Iterable[str | Flaw]:
        return states.impossible(self.config, state, position)

    def retired(self, state: State, seat: Seat) -> Problem | None:
        winner = state.winner(self.config)
        if winner is None:
            return None
        words = "has won the race" if winner == seat else f"has lost the race to {winner}"
        return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")

    def unasked(self, at: Here, order: Any) -> Problem:
        return self.others_act(at, "not-your-turn", "CF-S1")

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        # What the other has spun is its own, and does not move this car.
        return None if state.turn is None or state.winner(self.config) else replace(state, turn=seat, spun=None)

    def draw(self, view: View[Config, State, Racer]) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.draw(view)

    @classmethod
    def catalogue(cls, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.winner(self.config) is not None

    def standings(self, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=lambda racer: _note(self.config, racer, is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, state: State) -> Iterable[str]:
        """Warn of each car in neutral on a narrow position, which the other cannot pass (CF-B1)."""
        for racer in () if self.is_over(state) else state.racers:
            if racer.gear == NEUTRAL and self.config.is_narrow_at(racer.driven):
                place = f"{self.config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} is in neutral on {place}: the other car cannot pass before it moves (CF-B1)"


def _note(config: Config, racer: Racer, *, is_over: bool) -> str:
    if racer.driven > config.distance:
        return "first across the finish line"
    if is_over:
        return "on the track, crashed" if racer.lost else "on the track"
    where = f"position {config.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {config.lap_at(racer.driven)}" if racer.driven and config.laps > 1 else ""
    return f"{where}{lap}, {doing(racer)}"
