"""A state the moderator has amended: what follows from the new values is put right, what cannot be is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.initial import state_problems
from adjudicator.games.checkered_flag.state import Racer, Stage, State


def validated_amendment(config: Config, state: State) -> State:
    """Return ``state`` with the marker of every crashed car beside the box that its lost turns ask for (CF-X1).

    Raises ``SetupError`` with everything that cannot be: two cars on one space, a car beyond the finish without a winner,
    a spin that leaves nothing to decide or that the wheels do not have, seats changed.
    """
    problems = tuple(_problems(config, state))
    if problems:
        raise SetupError(problems)
    return replace(state, racers=tuple(map(_with_marker, state.racers)))


def _with_marker(racer: Racer) -> Racer:
    return replace(racer, gear=racer.lost + 1) if racer.lost else racer


def _problems(config: Config, state: State) -> Iterator[Problem]:
    if tuple(racer.seat for racer in state.racers) != config.seats:
        yield _problem("the seats of a game cannot be amended")
        return
    for what, seat in (("turn", state.turn), ("winner", state.winner)):
        if seat is not None and seat not in config.seats:
            yield _problem(f"there is no seat {seat}: {what} is one of {' and '.join(config.seats)}")
            return
    if (state.stage is Stage.STARTING) != (state.turn is None):
        yield _problem("a seat has the turn as soon as the race is on, and not before")
    yield from _finish_problems(config, state)
    if state.spun is not None and state.stage is Stage.OVER:
        yield _problem("nothing is left to be decided about a spin when the race is over")
    for problem in state_problems(config, state):
        yield _problem(problem.message)


def _finish_problems(config: Config, state: State) -> Iterator[Problem]:
    """Yield where the finish line, the winner and the stage do not agree (CF-V1)."""
    beyond = [racer.seat for racer in state.racers if racer.driven > config.distance]
    if (state.stage is Stage.OVER) != (state.winner is not None):
        yield _problem("a race that is over has a winner, and no other has")
    if beyond != ([] if state.winner is None else [state.winner]):
        line = f"the finish line lies behind {config.distance} spaces"
        yield _problem(f"{line}: the winner is beyond it, and nobody else")
    farthest = config.distance + max(config.components.wheel_a) + max(config.components.wheel_b)
    for racer in state.racers:
        if racer.driven > farthest:
            yield _problem(f"{racer.seat}: {racer.driven} spaces are more than any spin leads beyond the finish line")


def _problem(message: str) -> Problem:
    return Problem("checkered-flag/impossible-amendment", message)
