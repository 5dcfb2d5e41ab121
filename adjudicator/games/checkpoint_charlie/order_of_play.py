"""The order of play: whom each phase asks what, and what follows (CC-S2, CC-V1, CC-P1, CC-A2, CC-E1)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from adjudicator.core.order_of_play import Asked, OrderOfPlay, Phase, Question, at_stage
from adjudicator.game import Chance, Problem, Seat, listed, replace
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import ENOUGH, Config
from adjudicator.games.checkpoint_charlie.meta import META
from adjudicator.games.checkpoint_charlie.orders import (
    MOST_SUGGESTED,
    Accuse,
    Announce,
    Clue,
    Pass,
    Swap,
    Wait,
    accusable,
    own_clues,
)
from adjudicator.games.checkpoint_charlie.purse import may_announce, may_swap
from adjudicator.games.checkpoint_charlie.round import Moves, close_window, draw_counters, start_turning, turn_card
from adjudicator.games.checkpoint_charlie.scoring import close_hearing, score_round
from adjudicator.games.checkpoint_charlie.state import Stage, State


def _choose(config: Config, state: State, seat: Seat) -> str:
    when = " when all have chosen" if config.is_opened_last else ""
    watched = f" (it will lie open{when}: the Stasi officer watches)" if state.watched == seat else ""
    return f"choose a clue for round {state.round}: CLUE{watched}"


def _announce(config: Config, state: State, seat: Seat) -> str:
    """Say what a seat may have to say, by what all know of it."""
    swap = ", SWAP (a Café Adler marker)" if may_swap(config, state, seat) else ""
    return f"announce or pass: ANNOUNCE ({ENOUGH} points or more){swap} or PASS"


CLUE: Final = Question("clue", "CC-S2", _choose, (Clue,), META.problem("clue-first", "lay the clue counter first", "CC-S2"))
WATCHED: Final = CLUE._replace(rule="CC-O1")
WINDOW: Final = Question(
    "window",
    "CC-P1",
    lambda _config, state, _seat: f"accuse or wait in window {state.window} of round {state.round}: ACCUSE or WAIT",
    (Wait, Accuse),
    META.problem("window-open", "a window is open: answer ACCUSE or WAIT", "CC-P1", near=("ACCUSE …", "WAIT")),
)
LAST_CALL: Final = Question(
    "last-call",
    "CC-A2",
    lambda *_at: "accuse a suspect now, as the deck is empty: ACCUSE",
    (Accuse,),
    META.problem("must-accuse", "the deck is empty: all must accuse now", "CC-A2"),
)
HEARING: Final = Question(
    "hearing",
    "CC-E1",
    _announce,
    (Pass, Announce, Swap),
    META.problem("hearing-open", "the round is over: answer ANNOUNCE, SWAP or PASS", "CC-E1", near=("PASS",)),
)
SWAPPING: Final = HEARING._replace(rule="CC-O2", words=lambda *_at: "swap a Café Adler marker or pass: SWAP or PASS")


def _in_turn(state: State, seats: Collection[Seat]) -> tuple[Seat, ...]:
    """Return those of ``seats`` in playing order, from the next to turn a card."""
    if not state.to_turn or not seats:
        return ()
    all_seats = [agent.seat for agent in state.agents]
    at = all_seats.index(state.to_turn)
    return tuple([seat for seat in (*all_seats[at:], *all_seats[:at]) if seat in seats])


def _choosers(_config: Config, state: State) -> Asked:
    seats = {agent.seat for agent in state.agents if agent.trait is not None}
    return {seat: WATCHED if state.watched == seat else CLUE for seat in _in_turn(state, seats)}


def _suspicious(_config: Config, state: State) -> Asked:
    silent = {seat for seat in state.silent if state.agent(seat).answer is None}
    return dict.fromkeys(_in_turn(state, silent), WINDOW)


def _last(_config: Config, state: State) -> Asked:
    """Ask one seat after the other, from the next to turn a card (CC-A2)."""
    return dict.fromkeys(_in_turn(state, state.silent)[:1], LAST_CALL)


def _heard(config: Config, state: State) -> Asked:
    seats = {seat for seat in state.speaking if state.agent(seat).statement is None}
    return {seat: HEARING if may_announce(config, state, seat) else SWAPPING for seat in _in_turn(state, seats)}


def _begin(config: Config, state: State, chance: Chance) -> Moves:
    is_new = all(agent.clue is None for agent in state.agents)
    return (draw_counters if is_new else start_turning)(config, state, chance)


def _end(_config: Config, _state: State, _chance: Chance) -> Moves:
    yield happened.RoundEnded(late=None)


ORDER_OF_PLAY: Final = OrderOfPlay(
    Phase("CC-S2", at_stage(Stage.CLUES), _choosers, _begin),
    Phase("CC-V1", at_stage(Stage.TURNING), follow=turn_card),
    Phase("CC-P1", at_stage(Stage.WINDOW), _suspicious, close_window),
    Phase("CC-A2", at_stage(Stage.LAST_CALL), _last, _end),
    Phase("CC-E1", lambda _config, state: state.stage is Stage.SCORING and state.speaking, _heard, close_hearing),
    Phase("CC-K1", at_stage(Stage.SCORING), follow=score_round),
)


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``order``, valid in itself, is illegal for ``seat`` now, or ``None``."""
    asked = ORDER_OF_PLAY.asked(config, state).get(seat)
    if asked is None or type(order) not in asked.orders:
        return _not_due(config, state, seat, asked)
    problem: Problem | None = order.check(config, state, seat)
    return problem


def _not_due(config: Config, state: State, seat: Seat, asked: Question | None) -> Problem:
    """Return the refusal of an order that the seat is not asked for, with what it is asked instead."""
    if asked is not None:
        refusal = asked.refuse(config, state, seat)
        near = refusal.near
        if asked is LAST_CALL:
            near = tuple(f"ACCUSE {suspect}" for suspect in accusable(config, state)[:MOST_SUGGESTED])
        return replace(refusal, near=near or own_clues(state, seat))
    accused = state.accused(seat)
    if accused is not None and state.stage in (Stage.WINDOW, Stage.LAST_CALL):
        message = f"{config.named(seat)} has already accused {accused}: one accusation a round, and it is final"
        return META.problem("accused-already", message, "CC-A1")
    seats = tuple(ORDER_OF_PLAY.asked(config, state))
    others = listed(seats) or "nobody"
    agent = state.agent(seat)
    is_laid = state.stage is Stage.CLUES and agent.clue is not None
    if is_laid or agent.answer is not None or agent.statement is not None:
        return META.problem("answered-already", f"{seat} has answered: the game waits for {others}", "CC-P1")
    message = f"{seat} is not asked now: {others} {'are' if len(seats) > 1 else 'is'} to answer"
    return META.problem("not-asked", message, "CC-P1")
