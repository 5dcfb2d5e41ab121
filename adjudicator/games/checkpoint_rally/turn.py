"""Whose turn it is and what is asked (CR-T1, CR-T2, CR-F2, CR-S6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.core.ids import RuleId, Seat
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkpoint_rally.components import HAND_LIMIT
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.state import Racer, Stage, State

START: Final = "start"
ACTION: Final = "action"
DISCARD: Final = "discard"


def awaiting(config: Config, state: State) -> tuple[Decision, ...]:
    """Return the one decision that is due, or none once the game is over."""
    due = _due(state)
    if due is None:
        return ()
    seat, kind = due
    return (_ASKED[kind](state, state.racer(seat)),)


def decision_kind(state: State, seat: Seat) -> str:
    """Return the kind of decision due from ``seat``, empty where none is."""
    due = _due(state)
    return due[1] if due is not None and due[0] == seat else ""


def _due(state: State) -> tuple[Seat, str] | None:
    """Return who is asked and for what: a discard before all else, then a start tile, then an action."""
    if state.stage in (Stage.DEALING, Stage.OVER):
        return None
    for racer in state.racers:
        if len(racer.hand) > HAND_LIMIT and racer.place is None and racer.seat not in state.starting:
            return (racer.seat, DISCARD)
    if state.stage is Stage.STARTING:
        return (state.starting[0], START) if state.starting else None
    seat = state.acting or next_to_act(state)
    return None if seat is None else (seat, ACTION)


def next_to_act(state: State) -> Seat | None:
    """Return the seat with the least time of those that may act, the top of a stack first (CR-T1), or ``None``."""
    for seat in state.order:
        if state.racer(seat).has_chance:
            return seat
    return None


def excess(racer: Racer) -> int:
    """Return how many tiles ``racer`` holds beyond the hand limit (CR-T2), 0 or more."""
    return max(0, len(racer.hand) - HAND_LIMIT)


def chance_ended_by(config: Config, state: State, seat: Seat) -> Seat | None:
    """Return whose marker the acting ``seat`` has passed so that its last chance is over, or ``None`` (CR-F2).

    Markers count that belong to a finished car or to a seat that still has its chance; with ``last-chance=any-marker``
    every marker counts. A marker on the same minute is not passed.
    """
    minutes = state.racer(seat).minutes
    for other in state.order:
        racer = state.racer(other)
        counts = racer.place is not None or racer.has_chance or config.any_marker_ends_chance
        if other != seat and counts and racer.minutes < minutes:
            return other
    return None


def is_over(_config: Config, state: State) -> bool:
    """Return whether nobody may act any more."""
    return state.stage is Stage.OVER


def eliminated(_config: Config, state: State, seat: Seat) -> Problem | None:
    """Return why ``seat`` will never be asked again, or ``None`` while it will."""
    racer = state.racer(seat)
    if racer.place is not None:
        message = f"{seat} has finished the race and takes no more turns"
        return Problem("checkpoint-rally/finished", message, "CR-F1")
    if not racer.has_chance and (state.stage is Stage.OVER or not excess(racer)):
        return Problem("checkpoint-rally/chance-over", f"the last chance of {seat} is over", "CR-F2")
    return None


def _ask_start(_state: State, racer: Racer) -> Decision:
    return Decision(racer.seat, START, f"place a start tile in {racer.corner}", RuleId("CR-S6"))


def _ask_action(state: State, racer: Racer) -> Decision:
    if state.acting is not None:
        return Decision(racer.seat, ACTION, "an action of the last chance", RuleId("CR-F2"))
    return Decision(racer.seat, ACTION, "an action: PLACE, MOVE, DRAW, REFRESH or TAKE", RuleId("CR-T1"))


def _ask_discard(_state: State, racer: Racer) -> Decision:
    ask = f"discard {excess(racer)} of {len(racer.hand)} tiles: DISCARD or KEEP"
    return Decision(racer.seat, DISCARD, ask, RuleId("CR-T2"))


_ASKED: Final[dict[str, Callable[[State, Racer], Decision]]] = {
    START: _ask_start,
    ACTION: _ask_action,
    DISCARD: _ask_discard,
}
