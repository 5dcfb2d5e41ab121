"""The orders of The Great Race, and the questions that each of them answers (GR-B1 to GR-K4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.game import Problem, Readiness, Seat, Term, change
from adjudicator.games.great_race import asking, race_order
from adjudicator.games.great_race.asking import CUT, KEEP, LAY, PAY, PLAN, QUESTIONS, REACT, TAKE, TURN
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.convoy import Buy, Discard, Escort, Fund, Pass, Plan, React, Take
from adjudicator.games.great_race.driving import Back, Pay
from adjudicator.games.great_race.laying import Lay, PlayCartographer, ScoutCard, ScoutTiles
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.plays import CAN, Keep, Play
from adjudicator.games.great_race.race_order import RaceOrder, check_held
from adjudicator.games.great_race.repair import PlayMechanic, Repair
from adjudicator.games.great_race.routes import Drive, PlayDriver
from adjudicator.games.great_race.state import Crew, State
from adjudicator.games.great_race.threats import Accept, Cancel, PlayCheater, PlaySaboteur, PlayTracker

ORDERS: Final[tuple[type[RaceOrder], ...]] = (
    *(Take, Plan, React, Discard, Keep, Buy, Play),
    *(PlaySaboteur, PlayTracker, PlayCheater, PlayCartographer, PlayDriver, PlayMechanic),
    *(ScoutTiles, ScoutCard, Lay, Repair, Drive, Pay, Back, Escort, Fund, Pass, Cancel, Accept),
)
PLAY_ON: Final = Term("", lambda children: change(PlaySaboteur.read(children[1:]), card=CardId(children[0])))
"""The part of the grammar for a card that harms a crew."""
CARDS: Final = tuple(order for order in ORDERS if order.plays is not None)
"""The orders that play a card which needs more than its name."""
ANSWERS: Final[dict[str, tuple[type[RaceOrder], ...]]] = {
    TAKE: (Take,),
    PLAN: (Plan, React),
    CUT: (Discard,),
    TURN: (Buy, Play, *CARDS, ScoutTiles, ScoutCard, Repair, Drive, Escort, Fund, Pass, React),
    LAY: (Lay,),
    KEEP: (Keep,),
    PAY: (Pay, Back),
    REACT: (Cancel, Accept),
}
"""The orders that answer each question; a jerrycan can be played at any of them (GR-K3)."""
_ANSWERING: Final = {kind: frozenset(orders) for kind, orders in ANSWERS.items()}


def check(config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
    """Return why ``seat`` may not give ``order`` now, or ``None`` if it may."""
    kind = asking.decision_kind(config, state, seat)
    if kind == PLAN and state.crew(seat).plan is not None and not isinstance(order, Plan):
        message = f"{seat} has planned, and others have not: to send a new sheet, begin it with the plan; later orders wait"
        return META.problem("planned-already", message, "GR-L1", suggestions=("PLAN …",))
    if kind and order == CAN:
        return check_held(state, seat, CardId.JERRYCAN)
    if kind and type(order) in _ANSWERING[kind]:
        return race_order.check(config, state, seat, order)
    if isinstance(order, (Cancel, Accept)):
        message = f"{seat} has no danger card to answer now"
        return META.problem("no-danger", message, "GR-K4", "", ("REACT danger ask",))
    return asking.not_asked(config, state, seat, kind)


def candidates(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield orders that may be legal for ``seat`` now, in the shortest words."""
    kind = asking.decision_kind(config, state, seat)
    if not kind:
        return
    crew = state.crew(seat)
    for order in ANSWERS[kind]:
        if order is Play:
            yield from _plays(config, state, crew)
        elif order.plays is None and (order.slot is None or getattr(crew.active, order.slot)):
            yield from order.offers(config, state, crew)
    if CardId.JERRYCAN in crew.hand and (kind != PLAN or crew.plan is None):
        yield CAN


def _plays(config: Config, state: State, crew: Crew) -> Iterator[Any]:
    for card in dict.fromkeys(crew.hand):
        if card.kind.gain is not None:
            yield Play(card.value)
        for order in CARDS:
            if order.plays is card:
                yield from order.offers(config, state, crew)
        if card.kind.harms_crew:
            yield from (change(order, card=card) for order in PlaySaboteur.offers(config, state, crew))


def readiness(config: Config, state: State, seat: Seat, order: Any) -> Readiness:
    """Return whether ``order`` waits, as a question interrupts ``seat`` that it does not answer.

    A jerrycan never waits: a crew plays it at any time, and the answer may follow it in the same sheet (GR-K3).
    """
    kind = asking.decision_kind(config, state, seat)
    if kind and QUESTIONS[kind].interrupts and type(order) not in _ANSWERING[kind] and order != CAN:
        return Readiness.WAITS
    return Readiness.READY
