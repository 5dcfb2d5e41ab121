"""The rules of Checkpoint Charlie: the hooks, and who has won (CC)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from adjudicator.game import Flaw, Rules, Seen, Setup, Standing, View, count, events_of
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie import markers, positions, rounds
from adjudicator.games.checkpoint_charlie import state as states
from adjudicator.games.checkpoint_charlie.components import Colour, Components, Config
from adjudicator.games.checkpoint_charlie.facts import FACTS
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import ORDERS, TERMS
from adjudicator.games.checkpoint_charlie.phases import PHASES
from adjudicator.games.checkpoint_charlie.rounds import Accuse, Clue
from adjudicator.games.checkpoint_charlie.state import Agent, Here, Stage, State

if TYPE_CHECKING:
    from adjudicator.game import advice, drawing


class CheckpointCharlie(Rules[Config, State]):
    """The rules of a deduction game for 3 to 5 players, who each know one of five clues to the chief of spies."""

    meta = META
    components, position, state, pieces = Components, positions.Position, State, states.PIECES
    events = events_of(rounds.__name__, markers.__name__)
    orders, terms, facts = ORDERS, TERMS, FACTS
    phases, candidates_are_legal, has_windows = PHASES, True, True
    not_due = "not-asked", "CC-P1"

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def begin(self) -> State:
        return states.begin(self.config)

    def place(self, position: Any) -> State:
        return positions.place(self.config, super().place(position), position)

    def impossible(self, state: State, position: Any) -> Iterable[Flaw]:
        return positions.impossible(self, state, position)

    def suppose(self, view: View[Config, State, Agent], known: Seen, luck: advice.Luck) -> State:
        return positions.supposed(view, known, luck)

    def draw(self, view: View[Config, State, Agent]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import picture

        return picture.draw(view)

    @classmethod
    def catalogue(cls, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import picture

        return picture.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.stage is Stage.OVER

    def public_text(self, at: Here, order: Any) -> str | None:
        match order:
            case Clue():
                return "CLUE"
            case Accuse() if at.state.stage is Stage.LAST_CALL:
                return None
            case _:
                return "(sealed answer)"

    def standings(self, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(state)

        def by_colours(agent: Agent) -> tuple[int, ...]:
            """Rank by the most gold, then white, then the fewest black (CC-K3)."""
            gold, white, black = (markers.colours(self.config, agent).count(colour) for colour in Colour)
            return (-gold, -white, black)

        return Standing.ranking(
            state.agents,
            key=(lambda agent: markers.points_rank(self.config, agent)) if is_final else by_colours,
            score=lambda agent: self.config.points(agent.markers) if is_final else 0,
            note=lambda agent: markers.colours_told(markers.colours(self.config, agent)),
            is_final=is_final,
        )

    def warnings(self, state: State) -> Iterable[str]:
        """Warn of each colour with too few markers for all seats (CC-K3)."""
        left = markers.colours_next(self.config, state)
        for colour in () if self.is_over(state) else (Colour.WHITE, Colour.BLACK):
            if left[colour] < len(self.config.seats):
                few = count(left[colour], f"{colour} marker is", f"{colour} markers are")
                few = few if left[colour] else f"no {colour} markers are"
                yield f"{few} left: who draws late may get none, and once they have run out the game ends (CC-K3, CC-E1)"
