"""The last chance: after the first finish each other seat has one unbroken run of turns; then the game ends (CR-F)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.game import Ask, Chance, Event, Flaw, Moves, Name, Phase, Problem, Public, Seat, replace
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.state import Here, Stage, State


class LastChanceBegun(Event):
    """A seat began its unbroken run of turns after somebody finished."""

    says = "the last chance of {seat} begins"
    sets = {"acting": "seat"}
    seat: Public[Seat]
    rule: Name = "CR-F2"


class LastChanceEnded(Event):
    """A seat's run of turns is over; its marker passed that of ``passed``."""

    says = "the last chance of {seat} is over: it has passed {passed}"
    becomes = {"own.chance_over": True, "acting": None}
    seat: Public[Seat]
    passed: Public[Seat]
    rule: Name = "CR-F2"


class GameEnded(Event):
    """The game ended; ``winner`` has the least time of the finishers."""

    says = "the game is over: {winner} wins"
    becomes = {"stage": Stage.OVER}
    winner: Public[Seat]
    rule: Name = "CR-F3"


def after_time(at: Here) -> Moves:
    """End the last chance of the seat after an action that has moved its marker past one that counts.

    That is the marker of a finished car, or of a seat that still has its chance; with ``last-chance=any-marker`` every
    marker counts. A marker on the same minute is not passed. An action of 0 minutes moves no marker, so that it passes none.
    """
    if at.state.acting == at.seat:
        minutes = at.own.minutes
        for other in at.state.order:
            racer = at.of(other)
            counts = not racer.chance_over or at.config.any_marker_ends_chance
            if counts and racer.minutes < minutes and other != at.seat:
                return (yield LastChanceEnded(seat=at.seat, passed=other))
    return at


def _begin(at: Here, _chance: Chance) -> Moves:
    # The order of turns (CR-T1) gives the order of the chances.
    seat: Any = at.state.next_to_act
    return (yield LastChanceBegun(seat=seat))


def _end(at: Here, _chance: Chance) -> Moves:
    return (yield GameEnded(winner=min(at.state.racers, key=lambda racer: racer.rank).seat))


BEGIN: Final = Phase("CR-F2", lambda at: at.state.acting is None and bool(at.state.finishers), follow=_begin)
"""The next seat begins its last chance, since a car has finished and no seat is in its own."""
END: Final = Phase(
    "CR-F2",
    lambda at: at.state.stage is Stage.RACING and at.state.acting is None and at.state.next_to_act is None,
    follow=_end,
)
"""No seat may act any more: the game is over."""


def asks(action: Ask) -> Phase:
    """Return the phase that asks the seat in its last chance for an ``action``."""
    words = "choose an action in the last chance: PLACE, MOVE, DRAW, REFRESH or TAKE"
    ask = replace(action, rule="CR-F2", words=words)
    return Phase("CR-F2", lambda at: at.state.acting is not None, lambda at: ask.to(at.state.acting))


def over(seat: Seat) -> Problem:
    """Return why ``seat`` takes no more turns."""
    return META.problem("chance-over", f"the last chance of {seat} is over", "CR-F2")


def impossible(state: State) -> Iterator[Flaw]:
    """Yield what no last chance can be."""
    racers, acting = state.racers, state.acting
    is_starting = any(racer.has_to_start for racer in racers)
    if not state.finishers and any(racer.chance_over for racer in racers):
        yield Flaw("a last chance can be over only after somebody has finished", "CR-F2")
    for racer in racers:
        if racer.chance_over and racer.has_to_start:
            yield Flaw(f"{racer.seat}: its last chance cannot be over before it has started", "CR-F2")
    if acting is not None:
        yield from Flaw.where(
            (not state.finishers, "there is a last chance to act in only after somebody has finished", "CR-F2"),
            (not state.of(acting).has_chance, f"{acting} cannot act: its chance is over", "CR-F2"),
            (is_starting, f"{acting} cannot act before all have started", "CR-S6"),
        )
    if state.stage is Stage.OVER and any(racer.has_chance for racer in racers):
        yield Flaw("the game is not over while a seat may still act", "CR-F2")
