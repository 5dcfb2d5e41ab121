"""The order of play: whom each phase asks what, and what follows (CR-S1 to CR-S6, CR-T1, CR-T2, CR-F2, CR-F3)."""

from __future__ import annotations

from typing import Final

from adjudicator.core.order_of_play import Asked, OrderOfPlay, Phase, Question, at_stage
from adjudicator.game import Chance, Problem, Seat, count
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, HAND_LIMIT, Config
from adjudicator.games.checkpoint_rally.deal import Moves, deal, draw_into_hand
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.state import Stage, State


def _start_first(config: Config, state: State, seat: Seat) -> Problem:
    message = f"place the start tile first, in the corner {config.corners[seat]}"
    near = f"PLACE {state.racer(seat).hand[0]} at {config.corners[seat]} rot 0"
    return META.problem("start-first", message, "CR-S6", near=(near,))


def _act(_config: Config, state: State, _seat: Seat) -> str:
    when = "" if state.acting is None else " in the last chance"
    return f"choose an action{when}: PLACE, MOVE, DRAW, REFRESH or TAKE"


def _nothing_to_discard(_config: Config, state: State, seat: Seat) -> Problem:
    hand = count(len(state.racer(seat).hand), "tile")
    message = f"there is nothing to discard: the hand holds {hand}, {HAND_LIMIT} may stay"
    return META.problem("no-discard-due", message, "CR-T2")


def _discard(_config: Config, state: State, seat: Seat) -> str:
    racer = state.racer(seat)
    return f"discard {racer.excess} of {len(racer.hand)} tiles: DISCARD or KEEP"


def _discard_first(_config: Config, state: State, seat: Seat) -> Problem:
    racer = state.racer(seat)
    message = f"discard {count(racer.excess, 'tile')} first: the hand holds {' '.join(racer.hand)}, {HAND_LIMIT} may stay"
    return META.problem("discard-first", message, "CR-T2", near=(f"KEEP {' '.join(racer.hand[:HAND_LIMIT])}",))


START: Final = Question(
    "start", "CR-S6", lambda config, _state, seat: f"place a start tile in {config.corners[seat]}", (Place,), _start_first
)
ACTION: Final = Question("action", "CR-T1", _act, (Place, Move, DrawTwo, Refresh, Take), _nothing_to_discard)
LAST_CHANCE: Final = ACTION._replace(rule="CR-F2")
DISCARD: Final = Question("discard", "CR-T2", _discard, (Discard, Keep), _discard_first)


def _is_ready(_config: Config, state: State) -> bool:
    return state.stage is Stage.STARTING and not state.starting


def _start_race(_config: Config, _state: State, _chance: Chance) -> Moves:
    return (yield happened.RaceStarted())


def _is_decided(_config: Config, state: State) -> bool:
    return state.stage is Stage.RACING and state.acting is None and state.next_to_act is None


def _end(_config: Config, state: State, _chance: Chance) -> Moves:
    winner = min(state.finishers, key=lambda racer: (racer.minutes, racer.place))
    return (yield happened.GameEnded(winner=winner.seat))


def _overfull(_config: Config, state: State) -> list[Seat]:
    """Return the seats with too many tiles and the car on the board (CR-T2)."""
    return [racer.seat for racer in state.racers if len(racer.hand) > HAND_LIMIT and racer.cell is not None]


def _starter(_config: Config, state: State) -> Asked:
    """Ask each seat once it has a hand: it completes its start before the next (CR-S6)."""
    return dict.fromkeys([seat for seat in state.starting[:1] if state.racer(seat).hand], START)


def _deal_hand(config: Config, state: State, chance: Chance) -> Moves:
    return draw_into_hand(config, state, chance, state.starting[0], HAND_DEALT, "CR-S6")


def _awaits_chance(_config: Config, state: State) -> bool:
    """Return whether the next last chance begins, since a car has finished and no seat is in its own (CR-F2)."""
    return state.acting is None and any(racer.place for racer in state.racers)


def _begin_chance(_config: Config, state: State, _chance: Chance) -> Moves:
    assert state.next_to_act is not None
    return (yield happened.LastChanceBegun(seat=state.next_to_act))


def _actor(_config: Config, state: State) -> Asked:
    """Ask the seat with the least time (CR-T1), or the one in its last chance (CR-F2)."""
    seat = state.acting or state.next_to_act
    return {} if seat is None else {seat: LAST_CHANCE if state.acting else ACTION}


ORDER_OF_PLAY: Final = OrderOfPlay(
    Phase("CR-F3", at_stage(Stage.OVER)),
    Phase("CR-S1", lambda _config, state: not state.order, follow=deal),
    Phase("CR-S6", _is_ready, follow=_start_race),
    Phase("CR-F2", _is_decided, follow=_end),
    Phase("CR-T2", lambda *at: bool(_overfull(*at)), lambda *at: {_overfull(*at)[0]: DISCARD}),
    Phase("CR-S6", at_stage(Stage.STARTING), _starter, _deal_hand),
    Phase("CR-F2", _awaits_chance, follow=_begin_chance),
    Phase("CR-T1", at_stage(Stage.RACING), _actor),
    not_due=("not-your-turn", "CR-T1"),
)
