"""The order of play: whom each phase asks what, and what follows (CC-S2, CC-V1, CC-P1, CC-A2, CC-E1)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from adjudicator.game import Ask, At, Chance, Phase, Problem, Seat, at_stage, replace
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import ENOUGH
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
from adjudicator.games.checkpoint_charlie.state import Here, Stage


def _choose(at: Here) -> str:
    watched = " (it will lie open when all have chosen: the Stasi officer watches)" if at.state.watched == at.seat else ""
    return f"choose a clue for round {at.state.round}: CLUE{watched}"


def _announce(at: Here) -> str:
    """Say what a seat may have to say, by what all know of it."""
    swap = ", SWAP (a Café Adler marker)" if may_swap(at) else ""
    return f"announce or pass: ANNOUNCE ({ENOUGH} points or more){swap} or PASS"


def _clue_first(at: Here) -> Problem:
    return META.problem("clue-first", "lay the clue counter first", "CC-S2", near=own_clues(at.own))


def _must_accuse(at: Here) -> Problem:
    near = tuple(f"ACCUSE {suspect}" for suspect in accusable(at.config, at.state)[:MOST_SUGGESTED])
    return META.problem("must-accuse", "the deck is empty: all must accuse now", "CC-A2", near=near)


CLUE: Final = Ask("clue", "CC-S2", _choose, (Clue,), _clue_first)
WATCHED: Final = replace(CLUE, rule="CC-O1")
WINDOW: Final = Ask(
    "window",
    "CC-P1",
    lambda at: f"accuse or wait in window {at.state.window} of round {at.state.round}: ACCUSE or WAIT",
    (Wait, Accuse),
    META.problem("window-open", "a window is open: answer ACCUSE or WAIT", "CC-P1", near=("ACCUSE …", "WAIT")),
)
ANSWERED: Final = replace(WINDOW, answered_in=lambda at: at.state.with_own(at.seat, answer=None))
"""Until the window closes, an answer can be given anew (CC-P1)."""
LAST_CALL: Final = Ask("last-call", "CC-A2", "accuse a suspect now, as the deck is empty: ACCUSE", (Accuse,), _must_accuse)
HEARING: Final = Ask(
    "hearing",
    "CC-E1",
    _announce,
    (Pass, Announce, Swap),
    META.problem("hearing-open", "the round is over: answer ANNOUNCE, SWAP or PASS", "CC-E1", near=("PASS",)),
)
SWAPPING: Final = replace(HEARING, rule="CC-O2", words="swap a Café Adler marker or pass: SWAP or PASS")


def _in_turn(at: Here, seats: Collection[Seat]) -> tuple[Seat, ...]:
    """Return those of ``seats`` in playing order, from the next to turn a card."""
    to_turn = at.state.to_turn
    return tuple([seat for seat in at.config.clockwise(to_turn) if seat in seats]) if to_turn and seats else ()


def _choosers(at: Here) -> tuple[Ask, ...]:
    state = at.state
    seats = [agent.seat for agent in state.agents if agent.trait is not None]
    return tuple([ask for seat in _in_turn(at, seats) for ask in (WATCHED if state.watched == seat else CLUE).to(seat)])


def _suspicious(at: Here) -> tuple[Ask, ...]:
    state = at.state
    answered = tuple([agent.seat for agent in state.agents if agent.answer is not None])
    waiting = [seat for seat in state.silent if seat not in answered]
    return _asked_in_window(_in_turn(at, waiting), answered, (state.round, state.window))


@lru_cache(maxsize=1 << 9)
def _asked_in_window(waiting: tuple[Seat, ...], answered: tuple[Seat, ...], number: tuple[int, int]) -> tuple[Ask, ...]:
    return (*WINDOW.to(*waiting, key=number), *ANSWERED.to(*answered, key=number))


def _last(at: Here) -> tuple[Ask, ...]:
    """Ask one seat after the other, from the next to turn a card (CC-A2)."""
    return LAST_CALL.to(*_in_turn(at, at.state.silent)[:1])


def _heard(at: Here) -> tuple[Ask, ...]:
    state = at.state
    seats = _in_turn(at, [seat for seat in state.speaking if state.of(seat).statement is None])
    chosen = ((HEARING if may_announce(At(at.config, state, seat)) else SWAPPING, seat) for seat in seats)
    return tuple([ask for question, seat in chosen for ask in question.to(seat)])


def _begin(at: Here, chance: Chance) -> Moves:
    is_new = all(agent.clue is None for agent in at.state.agents)
    return (draw_counters if is_new else start_turning)(at, chance)


def _end(_at: Here, _chance: Chance) -> Moves:
    yield happened.RoundEnded(late=None)


PHASES: Final = (
    Phase("CC-S2", at_stage(Stage.CLUES), _choosers, _begin),
    Phase("CC-V1", at_stage(Stage.TURNING), follow=turn_card),
    Phase("CC-P1", at_stage(Stage.WINDOW), _suspicious, close_window),
    Phase("CC-A2", at_stage(Stage.LAST_CALL), _last, _end),
    Phase("CC-E1", lambda at: at.state.stage is Stage.SCORING and at.state.speaking, _heard, close_hearing),
    Phase("CC-K1", at_stage(Stage.SCORING), follow=score_round),
)
