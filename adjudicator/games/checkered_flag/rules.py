"""The rules of Checkered Flag (CF): its positions, and who has won. `phases.py` has the phases of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from adjudicator.game import Flaw, Problem, Rules, Seat, Setup, Standing, View, events_of, replace
from adjudicator.games.checkered_flag import braking, danger
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import NEUTRAL, Config, box_beside
from adjudicator.games.checkered_flag.facts import FACTS, doing
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import ORDERS, TERMS
from adjudicator.games.checkered_flag.phases import PHASES
from adjudicator.games.checkered_flag.state import Racer, State

if TYPE_CHECKING:
    from adjudicator.game import drawing


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    events = events_of(happened.__name__, braking.__name__, danger.__name__)
    orders, terms, facts = ORDERS, TERMS, FACTS
    phases, not_due, candidates_are_legal = PHASES, ("not-your-turn", "CF-S1"), True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup.components))
        return parts.configure(setup, version)

    def place(self, position: Any) -> State:
        state = super().place(position)
        for at in () if isinstance(position, State) else position.seats:
            state = state.with_own(at.seat, driven=at.driven(self.config))
        for racer in state.racers:  # a crashed car's marker lies beside the box of its lost turns (CF-X1)
            state = state.with_own(racer.seat, gear=box_beside(racer.lost)) if racer.lost else state
        return state

    def impossible(self, state: State, position: Any) -> Iterable[str | Flaw]:
        config, spun, drive = self.config, state.spun, braking.drive_of(self.config, state)
        for at in () if position is None else position.seats:
            yield from (f"{at.seat}: {words}" for words in at.flaws(config))
        first, second = (racer.driven for racer in state.racers)
        place, is_over, most = config.position_at(first), self.is_over(state), config.distance + sum(config.fastest)
        are_together = config.is_narrow_at(first) and place == config.position_at(second)
        far = "spaces are more than any spin leads beyond the finish line"
        yield from Flaw.where(
            (are_together and not is_over, f"position {place} is narrow: there is room for one car", "CF-C1"),
            (
                min(first, second) > config.distance,
                f"both cars are beyond the finish line, which comes after {config.distance} spaces",
                "CF-V1",
            ),
            *((one.driven > most, f"{one.seat}: {one.driven} {far}", "CF-V1") for one in state.racers),
        )
        if spun is None:
            return
        wheels = (("A", spun.a, config.components.wheel_a), ("B", spun.b, config.components.wheel_b))
        missing = [Flaw(f"wheel {wheel} has no {face}", "CF-C2") for wheel, face, faces in wheels if face not in faces]
        yield from missing
        if is_over:
            yield "after the race no spin needs a decision"
        elif drive is None or drive.racer.lost:
            yield "spun wheels belong to the seat that has the turn, with its car in gear"
        elif not missing and not drive.before_danger and not (config.asks_anywhere and drive.stops):
            words = f"no danger zone before which {drive.racer.seat} could stop"
            yield Flaw(f"with {spun.a} and {spun.b} spun there is {words}", "CF-B2")

    def retired(self, state: State, seat: Seat) -> Problem | None:
        winner = state.winner(self.config)
        if winner is None:
            return None
        words = "has won the race" if winner == seat else f"has lost the race to {winner}"
        return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        # What the other has spun is its own, and does not move this car.
        return None if state.turn is None or self.is_over(state) else replace(state, turn=seat, spun=None)

    def draw(self, view: View[Config, State, Racer]) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import picture

        return picture.draw(view)

    @classmethod
    def catalogue(cls, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import picture

        return picture.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.winner(self.config) is not None

    def standings(self, state: State) -> tuple[Standing, ...]:
        return Standing.ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=lambda racer: self._note(state, racer),
            is_final=self.is_over(state),
        )

    def _note(self, state: State, racer: Racer) -> str:
        config, driven = self.config, racer.driven
        if driven > config.distance:
            return "first across the finish line"
        if self.is_over(state):
            return "on the track, crashed" if racer.lost else "on the track"
        lap = f" of lap {config.lap_at(driven)}" if config.laps > 1 else ""
        where = f"position {config.position_at(driven)}{lap}" if driven else "at the starting line"
        return f"{where}, {doing(racer)}"

    def warnings(self, state: State) -> Iterable[str]:
        """Warn of each car in neutral on a narrow position, which the other cannot pass (CF-B1)."""
        for racer in () if self.is_over(state) else state.racers:
            if racer.gear == NEUTRAL and self.config.is_narrow_at(racer.driven):
                place = f"{self.config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} is in neutral on {place}: the other car cannot pass before it moves (CF-B1)"
