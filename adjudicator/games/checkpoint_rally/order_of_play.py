"""The order of play: whom each phase asks what, and what follows (CR-S1 to CR-S6, CR-T1, CR-T2, CR-F2, CR-F3)."""

from __future__ import annotations

from typing import Final

from adjudicator.game import Ask, Chance, Phase, Problem, Seat, at_stage, count, replace
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, HAND_LIMIT
from adjudicator.games.checkpoint_rally.deal import Moves, deal, draw_into_hand
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.state import Here, Stage


def _start_first(at: Here) -> Problem:
    message = f"place the start tile first, in the corner {at.config.corners[at.seat]}"
    near = f"PLACE {at.own.hand[0]} at {at.config.corners[at.seat]} rot 0"
    return META.problem("start-first", message, "CR-S6", near=(near,))


def _act(at: Here) -> str:
    when = "" if at.state.acting is None else " in the last chance"
    return f"choose an action{when}: PLACE, MOVE, DRAW, REFRESH or TAKE"


def _nothing_to_discard(at: Here) -> Problem:
    hand = count(len(at.own.hand), "tile")
    message = f"there is nothing to discard: the hand holds {hand}, {HAND_LIMIT} may stay"
    return META.problem("no-discard-due", message, "CR-T2")


def _discard(at: Here) -> str:
    racer = at.own
    return f"discard {racer.excess} of {len(racer.hand)} tiles: DISCARD or KEEP"


def _discard_first(at: Here) -> Problem:
    racer = at.own
    message = f"discard {count(racer.excess, 'tile')} first: the hand holds {' '.join(racer.hand)}, {HAND_LIMIT} may stay"
    return META.problem("discard-first", message, "CR-T2", near=(f"KEEP {' '.join(racer.hand[:HAND_LIMIT])}",))


START: Final = Ask(
    "start", "CR-S6", lambda at: f"place a start tile in {at.config.corners[at.seat]}", (Place,), _start_first
)
ACTION: Final = Ask("action", "CR-T1", _act, (Place, Move, DrawTwo, Refresh, Take), _nothing_to_discard)
LAST_CHANCE: Final = replace(ACTION, rule="CR-F2")
DISCARD: Final = Ask("discard", "CR-T2", _discard, (Discard, Keep), _discard_first)


def _is_ready(at: Here) -> bool:
    return at.state.stage is Stage.STARTING and not at.state.starting


def _start_race(_at: Here, _chance: Chance) -> Moves:
    return (yield happened.RaceStarted())


def _is_decided(at: Here) -> bool:
    return at.state.stage is Stage.RACING and at.state.acting is None and at.state.next_to_act is None


def _end(at: Here, _chance: Chance) -> Moves:
    winner = min(at.state.finishers, key=lambda racer: (racer.minutes, racer.place))
    return (yield happened.GameEnded(winner=winner.seat))


def _overfull(at: Here) -> list[Seat]:
    """Return the seats with too many tiles and the car on the board (CR-T2)."""
    return [racer.seat for racer in at.state.racers if len(racer.hand) > HAND_LIMIT and racer.cell is not None]


def _starter(at: Here) -> tuple[Ask, ...]:
    """Ask each seat once it has a hand: it completes its start before the next (CR-S6)."""
    return START.to(*[seat for seat in at.state.starting[:1] if at.of(seat).hand])


def _deal_hand(at: Here, chance: Chance) -> Moves:
    return draw_into_hand(at, chance, at.state.starting[0], HAND_DEALT, "CR-S6")


def _awaits_chance(at: Here) -> bool:
    """Return whether the next last chance begins, since a car has finished and no seat is in its own (CR-F2)."""
    return at.state.acting is None and any(racer.place for racer in at.state.racers)


def _begin_chance(at: Here, _chance: Chance) -> Moves:
    assert at.state.next_to_act is not None
    return (yield happened.LastChanceBegun(seat=at.state.next_to_act))


def _actor(at: Here) -> tuple[Ask, ...]:
    """Ask the seat with the least time (CR-T1), or the one in its last chance (CR-F2)."""
    seat = at.state.acting or at.state.next_to_act
    return () if seat is None else (LAST_CHANCE if at.state.acting else ACTION).to(seat)


PHASES: Final = (
    Phase("CR-F3", at_stage(Stage.OVER)),
    Phase("CR-S1", lambda at: not at.state.order, follow=deal),
    Phase("CR-S6", _is_ready, follow=_start_race),
    Phase("CR-F2", _is_decided, follow=_end),
    Phase("CR-T2", lambda at: bool(_overfull(at)), lambda at: DISCARD.to(_overfull(at)[0])),
    Phase("CR-S6", at_stage(Stage.STARTING), _starter, _deal_hand),
    Phase("CR-F2", _awaits_chance, follow=_begin_chance),
    Phase("CR-T1", at_stage(Stage.RACING), _actor),
)
