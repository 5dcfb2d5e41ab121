"""Whose turn it is and what is asked (CR-T1, CR-T2, CR-F2, CR-S6)."""

from __future__ import annotations

from typing import Final

from adjudicator.core.ids import RuleId, Seat
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkpoint_rally.components import HAND_LIMIT
from adjudicator.games.checkpoint_rally.state import Racer, Stage, State
from adjudicator.games.checkpoint_rally.table import Table

START: Final = "start"
ACTION: Final = "action"
DISCARD: Final = "discard"


def awaiting(table: Table, state: State) -> tuple[Decision, ...]:
    """Return the one decision that is due, or none once the game is over."""
    if state.stage in (Stage.DEALING, Stage.OVER):
        return ()
    crowded = _over_hand_limit(state)
    if crowded is not None:
        return (_discard_decision(crowded),)
    if state.stage is Stage.STARTING:
        racer = state.racer(state.starting[0])
        ask = f"place a start tile in {racer.corner}"
        return (Decision(racer.seat, START, ask, RuleId("CR-S6")),)
    seat = state.acting or next_to_act(state)
    if seat is None:
        return ()
    asked = "an action of the last chance" if state.acting else "an action: PLACE, MOVE, DRAW, REFRESH or TAKE"
    return (Decision(seat, ACTION, asked, RuleId("CR-F2" if state.acting else "CR-T1")),)


def decision_kind(table: Table, state: State, seat: Seat) -> str:
    """Return the kind of decision due from ``seat``, empty where none is."""
    return next((decision.kind for decision in awaiting(table, state) if decision.seat == seat), "")


def next_to_act(state: State) -> Seat | None:
    """Return the seat with the least time of those that may act, the top of a stack first (CR-T1), or ``None``."""
    may_act = {racer.seat for racer in state.racers if racer.has_chance}
    return next((seat for seat in state.order if seat in may_act), None)


def excess(racer: Racer) -> int:
    """Return how many tiles ``racer`` holds beyond the hand limit (CR-T2), 0 or more."""
    return max(0, len(racer.hand) - HAND_LIMIT)


def chance_ended_by(table: Table, state: State, seat: Seat) -> Seat | None:
    """Return whose marker the acting ``seat`` has passed so that its last chance is over, or ``None`` (CR-F2).

    Markers count that belong to a finished car or to a seat that still has its chance; with ``last-chance=any-marker``
    every marker counts. A marker on the same minute is not passed.
    """
    minutes = state.racer(seat).minutes
    for other in state.order:
        racer = state.racer(other)
        counts = racer.place is not None or racer.has_chance or table.any_marker_ends_chance
        if other != seat and counts and racer.minutes < minutes:
            return other
    return None


def is_over(_table: Table, state: State) -> bool:
    """Return whether nobody may act any more."""
    return state.stage is Stage.OVER


def retired(_table: Table, state: State, seat: Seat) -> Problem | None:
    """Return why ``seat`` will never be asked again, or ``None`` while it will."""
    racer = state.racer(seat)
    if racer.place is not None:
        message = f"{seat} has finished the race and takes no more turns"
        return Problem("checkpoint-rally/finished", message, "CR-F1")
    if not racer.has_chance and not excess(racer):
        return Problem("checkpoint-rally/chance-over", f"the last chance of {seat} is over", "CR-F2")
    return None


def _over_hand_limit(state: State) -> Racer | None:
    for racer in state.racers:
        has_started = racer.seat not in state.starting and racer.place is None
        if has_started and excess(racer):
            return racer
    return None


def _discard_decision(racer: Racer) -> Decision:
    count = excess(racer)
    ask = f"discard {count} of {len(racer.hand)} tiles: DISCARD or KEEP"
    return Decision(racer.seat, DISCARD, ask, RuleId("CR-T2"))
