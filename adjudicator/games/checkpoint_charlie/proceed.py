"""What happens without anybody's order: rounds begin, cards are turned, windows close, markers are drawn."""

from __future__ import annotations

from collections.abc import Generator

from adjudicator.core.chance import Chance
from adjudicator.games.checkpoint_charlie.components import Trait
from adjudicator.games.checkpoint_charlie.config import Config, trait_order
from adjudicator.games.checkpoint_charlie.deck import turn_card
from adjudicator.games.checkpoint_charlie.events import (
    CounterDrawn,
    DeckReady,
    Event,
    FirstDrawn,
    RoundBegun,
    RoundEnded,
)
from adjudicator.games.checkpoint_charlie.scoring import close_hearing, score_round
from adjudicator.games.checkpoint_charlie.state import Stage, State
from adjudicator.games.checkpoint_charlie.turn import awaiting
from adjudicator.games.checkpoint_charlie.windows import close_window

Moves = Generator[Event, State, State]


def proceed(config: Config, state: State, chance: Chance) -> Generator[Event, State, None]:
    """Yield what happens next without an order, or nothing; to be handed the state after each event."""
    if awaiting(config, state):
        return
    match state.stage:
        case Stage.DRAWING:
            yield from _draw_counters(config, state, chance)
        case Stage.CLUES:
            yield DeckReady()
        case Stage.TURNING if state.to_turn is not None:
            yield from turn_card(config, state, state.to_turn, chance)
        case Stage.WINDOW:
            yield from close_window(config, state)
        case Stage.LAST_CALL:
            yield RoundEnded(late=None)
        case Stage.SCORING:
            yield from score_round(config, state, chance)
        case Stage.HEARING:
            yield from close_hearing(config, state, chance)
        case _:
            return


def _draw_counters(config: Config, state: State, chance: Chance) -> Moves:
    """CC-S1, CC-S2: the first player by chance, then a clue counter each."""
    first = state.first
    if first is None:
        drawn = chance.pick("the first player", config.seats)
        first = next(seat for seat in config.seats if seat == drawn)
        state = yield FirstDrawn(seat=first)
        state = yield RoundBegun(round=state.round, first=first)
    for seat in config.from_seat(first):
        trait = chance.pick(f"the clue counter of {seat}", tuple(trait.value for trait in trait_order(state.bag)))
        state = yield CounterDrawn(seat=seat, trait=Trait(trait))
    return state
