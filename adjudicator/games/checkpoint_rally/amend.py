"""A state the moderator has amended: what follows from the new values is put right, what cannot be is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.possible import impossible
from adjudicator.games.checkpoint_rally.state import State


def validated_amendment(config: Config, state: State) -> State:
    """Return ``state`` with hands, stack and markers in their order.

    Raises ``SetupError`` with everything that cannot be: seats changed, or what no explicit position could have either.
    """
    state = _with_markers_in_order(state)
    problems = tuple(Problem("checkpoint-rally/impossible-amendment", message) for message in _impossible(config, state))
    if problems:
        raise SetupError(problems)
    racers = tuple(replace(racer, hand=config.sorted(racer.hand)) for racer in state.racers)
    return replace(state, racers=racers, stack=config.sorted(state.stack))


def _with_markers_in_order(state: State) -> State:
    clocks = {racer.seat: racer.minutes for racer in state.racers}
    # Markers keep their order within a stack; only a clock that was changed moves its marker.
    return replace(state, order=tuple(sorted(state.order, key=lambda seat: clocks.get(seat, 0))))


def _impossible(config: Config, state: State) -> Iterator[str]:
    if tuple(racer.seat for racer in state.racers) != config.seats:
        yield "the seats of a game cannot be amended"
    else:
        yield from impossible(config, state)
