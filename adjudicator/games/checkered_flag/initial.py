"""The state a game begins with: the cars at the line, or the position that was given (CF-S1)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, NEUTRAL
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.drive import choices
from adjudicator.games.checkered_flag.position import Position, SeatAt
from adjudicator.games.checkered_flag.state import Racer, Stage, State


def initial(config: Config) -> State:
    """Return the first state. Raises ``SetupError`` with everything that is wrong with an explicit position."""
    if config.position is not None:
        return _placed(config, config.position)
    return State(stage=Stage.STARTING, racers=tuple(Racer(seat=seat) for seat in config.seats))


def _placed(config: Config, position: Position) -> State:
    problems = tuple(_position_problems(config, position))
    if problems:
        raise SetupError(problems)
    by_seat = {at.seat: at for at in position.seats}
    state = State(
        stage=Stage.STARTING if position.turn is None else Stage.RACING,
        racers=tuple(_racer(config, by_seat[seat]) for seat in config.seats),
        turn=position.turn,
        spun=position.spun,
    )
    problems = tuple(state_problems(config, state))
    if problems:
        raise SetupError(problems)
    return state


def _racer(config: Config, at: SeatAt) -> Racer:
    gear = at.lost + 1 if at.lost else at.gear or NEUTRAL
    return Racer(seat=at.seat, driven=(at.lap - 1) * config.length + at.position, gear=gear, lost=at.lost)


def _position_problems(config: Config, position: Position) -> Iterator[Problem]:
    """Yield what cannot be written so in a position."""
    seats = [at.seat for at in position.seats]
    if sorted(seats) != sorted(config.seats):
        yield _problem(f"the position is for the seats {', '.join(seats)}, the game for {', '.join(config.seats)}")
        return
    if position.turn is not None and position.turn not in seats:
        yield _problem(f"there is no seat {position.turn} to have the turn")
    for at in position.seats:
        if at.position > config.length:
            yield _problem(f"{at.seat}: there is no position {at.position} on a track of {config.length}")
        if at.lap > config.laps:
            yield _problem(f"{at.seat}: there is no lap {at.lap} in a race of {config.laps}")
        if at.lap > 1 and not at.position:
            yield _problem(f"{at.seat}: nobody stands at the line but at the start of lap 1")
        if at.lost and at.gear not in (None, at.lost + 1):
            message = f"{at.seat}: with {at.lost} to lose the marker lies beside box {GEAR_LETTERS[at.lost + 1]}"
            yield _problem(f"{message}, not {GEAR_LETTERS[at.gear or NEUTRAL]}")


def state_problems(config: Config, state: State) -> Iterator[Problem]:
    """Yield what cannot be so in a state: two cars on one space, wheels spun that leave nothing to decide (CF-C1, CF-B2)."""
    first, second = (racer.driven for racer in state.racers)
    if config.is_narrow_at(first) and config.position_at(first) == config.position_at(second):
        yield _problem(f"position {config.position_at(first)} is narrow: there is room for one car")
    if state.spun is None:
        return
    wheels = ("A", state.spun.a, config.components.wheel_a), ("B", state.spun.b, config.components.wheel_b)
    for wheel, face, faces in wheels:
        if face not in faces:
            yield _problem(f"wheel {wheel} has no {face}")
    if state.turn is None or state.racer(state.turn).lost or state.racer(state.turn).gear == NEUTRAL:
        yield _problem("wheels that are spun belong to the seat that has the turn, with its car in gear")
    elif not choices(config, state, state.turn):
        message = f"with {state.spun.a} and {state.spun.b} spun there is no danger zone before which {state.turn} could stop"
        yield _problem(message)


def _problem(message: str) -> Problem:
    return Problem("checkered-flag/impossible-position", message)
