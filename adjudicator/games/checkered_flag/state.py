"""The state of a race: everything that changes, an explicit position, and what neither can be (CF-S, CF-G, CF-M, CF-X)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

from adjudicator.game import Flaw, Ge, Le, Len, Seat, Upgrade, change, exchanged, frozen, listed, of_seat
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, NEUTRAL, Config, Face, Gear


@frozen
class Spun:
    """What the wheels A and B show."""

    a: Face
    b: Face


@frozen(kw_only=True)
class Racer:
    """What belongs to one seat.

    ``driven`` counts spaces since the start, all laps together, 0 at the line. ``lost`` is how many turns a crashed car has
    still to lose; its marker lies beside the box ``lost`` + 1, which is its ``gear`` (CF-X1).
    """

    seat: Seat
    driven: Annotated[int, Ge(0), Le(2_000)] = 0
    gear: Gear = NEUTRAL
    lost: Annotated[int, Ge(0), Le(2)] = 0


@frozen(kw_only=True)
class State:
    """The whole position.

    ``turn`` is the seat to move (``None`` before the first turn is spun for). ``spun`` is what that seat has spun while it
    has still to say whether it brakes (CF-B2).
    """

    racers: tuple[Racer, ...]
    turn: Seat | None = None
    spun: Spun | None = None

    def racer(self, seat: Seat) -> Racer:
        """Return what belongs to ``seat``."""
        return of_seat(self.racers, seat)

    def with_racer(self, seat: Seat, **changes: Any) -> State:
        """Return the state with what belongs to ``seat`` changed."""
        return change(self, racers=exchanged(self.racers, change(self.racer(seat), **changes)))

    def winner(self, config: Config) -> Seat | None:
        """Return the seat that is beyond the finish line (CF-V1), ``None`` before the race is over."""
        return next((racer.seat for racer in self.racers if racer.driven > config.distance), None)


@frozen(kw_only=True)
class SeatAt:
    """Where a seat stands: on ``position`` of ``lap`` (0: at the starting line), in ``gear``, 0 for neutral.

    ``lost`` is how many turns a crashed car has still to lose; its gear follows from that and may be left out.
    """

    seat: Seat
    position: Annotated[int, Ge(0), Le(200)] = 0
    lap: Annotated[int, Ge(1), Le(9)] = 1
    gear: Gear | None = None
    lost: Annotated[int, Ge(0), Le(2)] = 0


@frozen(kw_only=True)
class Position:
    """A position given explicitly instead of a start from the line: puzzles, tests, games begun elsewhere.

    ``turn`` is the seat to move; without it the first turn is spun for (CF-S1). ``spun`` are the wheels that this seat
    has spun already where it has still to say whether it brakes.
    """

    seats: Annotated[tuple[SeatAt, ...], Len(2, 2)]
    turn: Seat | None = None
    spun: Spun | None = None


def placed(config: Config, position: Position) -> State:
    """Return the state that ``position`` describes; what is miswritten in it is taken as the nearest that can be."""
    by_seat = {at.seat: at for at in position.seats}
    racers = (_racer(config, by_seat[seat]) for seat in config.seats)
    return State(racers=tuple(racers), turn=position.turn, spun=position.spun)


def _racer(config: Config, at: SeatAt) -> Racer:
    driven = (min(at.lap, config.laps) - 1) * config.length + min(at.position, config.length)
    return Racer(seat=at.seat, driven=driven, gear=at.gear or NEUTRAL, lost=at.lost)


def miswritten(config: Config, position: Position) -> Iterator[str]:
    """Yield what is written in ``position`` that no state could have."""
    for at in position.seats:
        if at.position > config.length:
            yield f"{at.seat}: there is no position {at.position} on a track of {config.length}"
        if at.lap > config.laps:
            yield f"{at.seat}: there is no lap {at.lap} in a race of {config.laps}"
        if at.lap > 1 and not at.position:
            yield f"{at.seat}: nobody stands at the line except at the start of lap 1"
        if at.lost and at.gear not in (None, at.lost + 1):
            message = f"{at.seat}: with {at.lost} to lose the marker lies beside box {GEAR_LETTERS[at.lost + 1]}"
            yield f"{message}, not {GEAR_LETTERS[at.gear or NEUTRAL]}"


def normalized(config: Config, state: State) -> State:
    """Return ``state`` with the marker of every crashed car beside the box that its lost turns ask for (CF-X1)."""
    racers = (change(racer, gear=racer.lost + 1) if racer.lost else racer for racer in state.racers)
    return change(state, racers=tuple(racers))


def impossible(config: Config, state: State) -> Iterator[str | Flaw]:
    """Yield what cannot be: two cars on one space, two winners, a turn of nobody, wheels that nobody can have spun."""
    if state.turn is not None and state.turn not in config.seats:
        yield f"there is no seat {state.turn} to have the turn: it is that of {listed(config.seats, 'or')}"
        return
    first, second = (racer.driven for racer in state.racers)
    winner = state.winner(config)
    if winner is None and config.is_narrow_at(first) and config.position_at(first) == config.position_at(second):
        yield Flaw(f"position {config.position_at(first)} is narrow: there is room for one car", "CF-C1")
    if min(first, second) > config.distance:
        yield Flaw(f"both cars are beyond the finish line, which comes after {config.distance} spaces", "CF-V1")
    farthest = config.distance + max(config.components.wheel_a) + max(config.components.wheel_b)
    for racer in state.racers:
        if racer.driven > farthest:
            yield Flaw(f"{racer.seat}: {racer.driven} spaces are more than any spin leads beyond the finish line", "CF-V1")
    if state.spun is not None:
        yield from _impossible_spin(config, state, state.spun)


def _impossible_spin(config: Config, state: State, spun: Spun) -> Iterator[str | Flaw]:
    if state.winner(config) is not None:
        yield "nothing is left to be decided about a spin when the race is over"
        return
    for wheel, face, faces in (("A", spun.a, config.components.wheel_a), ("B", spun.b, config.components.wheel_b)):
        if face not in faces:
            yield Flaw(f"wheel {wheel} has no {face}", "CF-C2")
    if state.turn is None or state.racer(state.turn).lost or state.racer(state.turn).gear == NEUTRAL:
        yield "wheels that are spun belong to the seat that has the turn, with its car in gear"


def _without_stage(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in ("stage", "winner")}


def _without_ground(components: dict[str, Any]) -> dict[str, Any]:
    track = [{name: value for name, value in spot.items() if name != "ground"} for spot in components["track"]]
    return {**components, "track": track}


_HASHES: Final = {
    "88fbbec072ecffddc95fd90349d08f130942ff38c3cf4253a46f583f1d868b5e": (
        "faf278c0d9826a05b894cc8417a53395ce6c01eb188d476cec8a173b06117622"
    )
}
"""The house track, by its hash with and without the ground."""
UPGRADES: Final = {1: Upgrade(state=_without_stage, components=_without_ground, hashes=_HASHES)}
"""Format 1 stored what follows from the spaces driven (the stage, the winner) and from the zones (the ground)."""
