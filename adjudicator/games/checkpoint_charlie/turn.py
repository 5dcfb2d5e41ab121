"""Who is asked and for what (CC-S2, CC-P1, CC-A2, CC-E1, CC-O2)."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ids import RuleId, Seat
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkpoint_charlie.components import ENOUGH
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.orders import Wait
from adjudicator.games.checkpoint_charlie.purse import may_announce, may_swap
from adjudicator.games.checkpoint_charlie.state import Stage, State

CLUE: Final = "clue"
WINDOW: Final = "window"
LAST_CALL: Final = "last-call"
HEARING: Final = "hearing"


def awaiting(config: Config, state: State) -> tuple[Decision, ...]:
    """Return the decisions due, in playing order: whom they are asked of, all may know."""
    return tuple(_asked(config, state, seat, kind) for seat, kind in _due(config, state))


def decision_kind(config: Config, state: State, seat: Seat) -> str:
    """Return the kind of decision due from ``seat``, empty where none is."""
    return next((kind for other, kind in _due(config, state) if other == seat), "")


def _due(config: Config, state: State) -> list[tuple[Seat, str]]:
    start = state.to_turn
    if start is None:
        return []
    agents = [state.agent(seat) for seat in config.from_seat(start)]
    match state.stage:
        case Stage.CLUES:
            return [(agent.seat, CLUE) for agent in agents if agent.clue is None]
        case Stage.WINDOW:
            return [(agent.seat, WINDOW) for agent in agents if agent.accused is None and agent.answer is None]
        case Stage.LAST_CALL:
            return [(agent.seat, LAST_CALL) for agent in agents if agent.accused is None][:1]
        case Stage.HEARING:
            return [(agent.seat, HEARING) for agent in agents if agent.seat in state.speaking and agent.statement is None]
        case _:
            return []


def _asked(config: Config, state: State, seat: Seat, kind: str) -> Decision:
    match kind:
        case "clue":
            ask, rule = f"the face of the clue counter for round {state.round}: CLUE", "CC-S2"
            if state.agent(seat).is_watched:
                ask, rule = f"{ask} (it will lie open: the Stasi officer watches)", "CC-O1"
        case "window":
            ask, rule = f"window {state.window} of round {state.round}: ACCUSE or WAIT", "CC-P1"
        case "last-call":
            ask, rule = "the deck is empty: ACCUSE", "CC-A2"
        case _:
            ask, rule = _hearing_words(config, state, seat)
    return Decision(seat, kind, ask, RuleId(rule))


def _hearing_words(config: Config, state: State, seat: Seat) -> tuple[str, str]:
    """Say what a seat may have to say, by what all know of it."""
    if not may_announce(config, state, seat):
        return "a Café Adler marker to SWAP, or PASS", "CC-O2"
    if not may_swap(config, state, seat):
        return f"{ENOUGH} points to ANNOUNCE, or PASS", "CC-E1"
    return f"{ENOUGH} points to ANNOUNCE, a Café Adler marker to SWAP, or PASS", "CC-E1"


def is_over(_config: Config, state: State) -> bool:
    """Return whether the game is over."""
    return state.stage is Stage.OVER


def eliminated(_config: Config, _state: State, _seat: Seat) -> None:
    """Return ``None``: every seat plays to the end."""
    return


def continuation(_config: Config, state: State, _seat: Seat, order: object) -> Wait | None:
    """Return what is left of ``WAIT n`` after one window, while windows of this round go on (CC-P1).

    It names the round, so that it cannot run on into the next.
    """
    if not isinstance(order, Wait) or order.times < 2 or state.stage is not Stage.WINDOW:
        return None
    return Wait(order.times - 1, state.round)


def expired(_config: Config, state: State, _seat: Seat, order: object) -> bool:
    """Return whether ``order`` is a ``WAIT`` for a round whose windows are over (CC-P1)."""
    if not isinstance(order, Wait) or order.of_round is None:
        return False
    is_done = state.stage in (Stage.LAST_CALL, Stage.SCORING, Stage.HEARING, Stage.OVER)
    return order.of_round < state.round or (order.of_round == state.round and is_done)
