"""The rules of Checkered Flag: the hooks, and who has won (CF). ``order_of_play.py`` has the phases of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.game import Decision, Problem, Rules, Seat, Setup, Standing, View, drawing, replace
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag import order_of_play as play
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import NEUTRAL, Config
from adjudicator.games.checkered_flag.facts import FACTS, doing
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import ORDERS, TERMS
from adjudicator.games.checkered_flag.state import Racer, State


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta, upgrades = META, states.UPGRADES
    components, position, state = parts.Components, states.Position, State
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, FACTS
    impossible = staticmethod(states.impossible)
    order_of_play, candidates_are_legal = play.ORDER_OF_PLAY, True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def place(self, config: Config, position: Any) -> State:
        if not isinstance(position, State):
            position = replace(position, seats=tuple(states.racer_at(config, at) for at in position.seats))
        return states.normalized(config, super().place(config, position))

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        winner = state.winner(config)
        if winner is None:
            return super().decision(config, state, seat)
        words = "has won the race" if winner == seat else f"has lost the race to {winner}"
        return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # What the other has spun is its own, and does not move this car.
        return None if state.turn is None or state.winner(config) else replace(state, turn=seat, spun=None)

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.draw(config, view)

    def catalogue(self, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.catalogue(components)

    def is_over(self, config: Config, state: State) -> bool:
        return state.winner(config) is not None

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(config, state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=lambda racer: _note(config, racer, is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, config: Config, state: State) -> Iterable[str]:
        """Warn of each car in neutral on a narrow position, which the other cannot pass (CF-B1)."""
        for racer in () if self.is_over(config, state) else state.racers:
            if racer.gear == NEUTRAL and config.is_narrow_at(racer.driven):
                place = f"{config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} is in neutral on {place}: the other car cannot pass before it moves (CF-B1)"


def _note(config: Config, racer: Racer, *, is_over: bool) -> str:
    if racer.driven > config.distance:
        return "first across the finish line"
    if is_over:
        return "on the track, crashed" if racer.lost else "on the track"
    where = f"position {config.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {config.lap_at(racer.driven)}" if racer.driven and config.laps > 1 else ""
    return f"{where}{lap}, {doing(racer)}"


RULESET: Final = CheckeredFlag()
