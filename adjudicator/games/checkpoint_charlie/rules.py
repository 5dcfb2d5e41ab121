"""The rules of Checkpoint Charlie: the hooks, and who has won (CC). ``order_of_play.py`` has the phases of a round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.game import Readiness, Rules, Seat, Setup, Standing, View, count, drawing
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie import order_of_play as play
from adjudicator.games.checkpoint_charlie import positions, purse
from adjudicator.games.checkpoint_charlie import state as states
from adjudicator.games.checkpoint_charlie.components import Colour, Components, Config
from adjudicator.games.checkpoint_charlie.facts import FACTS
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import ORDERS, TERMS, Accuse, Clue, Wait, completed
from adjudicator.games.checkpoint_charlie.score_events import EVENTS
from adjudicator.games.checkpoint_charlie.state import Position, Stage, State

_SEALED: Final = "(sealed answer)"
_LAID: Final = "CLUE"


class CheckpointCharlie(Rules[Config, State]):
    """The rules of a deduction game for 3 to 5 players, who each know one of five clues to the chief of spies."""

    meta = META
    components, position, state, pieces = Components, Position, State, states.PIECES
    events, orders, terms, facts = EVENTS, ORDERS, TERMS, FACTS
    completed, upgrades = staticmethod(completed), states.UPGRADES
    order_of_play, candidates_are_legal = play.ORDER_OF_PLAY, True
    begin, check, impossible = staticmethod(states.begin), staticmethod(play.check), staticmethod(positions.impossible)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def place(self, config: Config, position: Any) -> State:
        return states.normalized(config, position if isinstance(position, State) else states.place(config, position))

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import board

        return board.draw(config, view)

    def catalogue(self, components: Components) -> drawing.Drawing:
        from adjudicator.games.checkpoint_charlie import board

        return drawing.Drawing((*board.catalogue(components), *super().catalogue(components).shapes))

    def is_over(self, config: Config, state: State) -> bool:
        return state.stage is Stage.OVER

    def continuation(self, config: Config, state: State, seat: Seat, order: Any) -> Wait | None:
        # CC-P1: while windows of this round go on. It names the round, so that it cannot run on into the next.
        if not isinstance(order, Wait) or order.times < 2 or state.stage is not Stage.WINDOW:
            return None
        return Wait(order.times - 1, state.round)

    def position_before_answer(self, config: Config, state: State, seat: Seat) -> State | None:
        # CC-P1: until the window closes, an answer can be given anew.
        is_open = state.stage is Stage.WINDOW and state.agent(seat).answer is not None
        return state.with_agent(seat, answer=None) if is_open else None

    def readiness(self, config: Config, state: State, seat: Seat, order: Any) -> Readiness:
        # CC-P1: a wait for a round whose windows are over.
        if not isinstance(order, Wait) or order.of_round is None:
            return Readiness.READY
        is_done = state.is_scored or state.stage is Stage.LAST_CALL
        is_expired = order.of_round < state.round or (order.of_round == state.round and is_done)
        return Readiness.EXPIRED if is_expired else Readiness.READY

    def public_text(self, config: Config, state: State, seat: Seat, order: Any) -> str | None:
        match order:
            case Clue():
                return None if states.lies_open(config, state, state.agent(seat)) else _LAID
            case Accuse() if state.stage is Stage.LAST_CALL:
                return None
            case _:
                return _SEALED

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_final = self.is_over(config, state)
        return Standing.ranking(
            state.agents,
            key=lambda agent: (purse.points_rank if is_final else purse.colours_rank)(config, agent),
            score=lambda agent: config.points(agent.markers) if is_final else 0,
            note=lambda agent: purse.colours_told(purse.colours(config, agent)),
            is_final=is_final,
        )

    def warnings(self, config: Config, state: State) -> Iterable[str]:
        """Warn of each colour with too few markers for all seats (CC-K3)."""
        left = purse.colours_next(config, state)
        for colour in () if self.is_over(config, state) else (Colour.WHITE, Colour.BLACK):
            if left[colour] < len(config.seats):
                few = count(left[colour], f"{colour} marker is", f"{colour} markers are")
                few = few if left[colour] else f"no {colour} markers are"
                yield f"{few} left: who draws late may get none, and once they have run out the game ends (CC-K3, CC-E1)"


RULESET: Final = CheckpointCharlie()
