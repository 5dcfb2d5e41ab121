"""The events of Checkered Flag. Each has its outcome, its rule, its change of the state and its sentence."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import Event, Ge, Le, Name, Said, Seat, change, count, event, events_of, listed, ordinal
from adjudicator.games.checkered_flag.components import CRASHES, TURNS_LOST, Config, Face, Gear, box_beside, up_to
from adjudicator.games.checkered_flag.state import Spun, State

Place = Annotated[int, Ge(0), Said(lambda _config, place: str(place or "the line"))]
"""A position of the track, 0 for the starting line."""
_MOST_LOST: Final = max(TURNS_LOST)
_Left = Annotated[int, Ge(0), Le(_MOST_LOST - 1), Said(lambda _config, left: _then(left))]


@event("CF-S1")
class StartSpun(Event):
    """A seat spun for the first turn."""

    seat: Seat
    a: Face
    b: Face

    def tell(self, config: Config) -> str:
        return f"{self.seat} spins {self.a} and {self.b} for the first turn: {self.a + self.b}"


@event("CF-S1", "both have {total}: they spin again")
class StartTied(Event):
    """Both spun the same total for the first turn: they spin again."""

    total: Annotated[int, Ge(2)]


@event("CF-S1", "{seat} goes first", sets={"turn": "seat"})
class RaceStarted(Event):
    """The race is on; ``seat`` has the first turn."""

    seat: Seat


@event("CF-G1", "{seat} shifts from {came_from} to {gear}", sets_own={"gear": "gear"})
class GearShifted(Event):
    """A seat shifted one step."""

    seat: Seat
    came_from: Gear
    gear: Gear


@event("CF-G1", "{seat} stands still in neutral")
class StoodStill(Event):
    """A seat spent its turn in neutral: no spin, no move."""

    seat: Seat


@event("CF-M1", "{seat} spins {a} and {b} in {gear}: {spaces:space}")
class WheelsSpun(Event):
    """A seat spun for its move: ``spaces`` is what its gear makes of the wheels."""

    seat: Seat
    gear: Gear
    a: Face
    b: Face
    spaces: Annotated[int, Ge(1)]

    def apply(self, config: Config, state: State) -> State:
        return change(state, spun=Spun(self.a, self.b))


@event()
class CarBraked(Event):
    """A seat gave up spaces, ``forced`` by a car on a narrow position or ``chosen`` by order, and stops on ``position``.

    ``position`` is ``None`` if the move still crosses the finish line.
    """

    seat: Seat
    forced: Annotated[int, Ge(0)]
    chosen: Annotated[int, Ge(0)]
    position: Place | None
    rule: Name

    def tell(self, config: Config) -> str:
        forced = f"{self.forced} behind {config.after(self.seat)} on the narrow track" if self.forced else ""
        chosen = f"{self.chosen} by choice" if self.chosen else ""
        where = f" to stop on {self.position}" if self.position else " to stay at the line"
        where = "" if self.position is None else where
        why = listed(filter(None, (forced, chosen)))
        return f"{self.seat} brakes {count(self.forced + self.chosen, 'space')}{where}: {why}"


@event("CF-B2", warns=True)
class StopMissed(Event):
    """A seat announced to brake ``spaces``, or to stop on ``position``, but its spin does not allow it."""

    seat: Seat
    spaces: Annotated[int, Ge(1)] | None
    position: Place | None

    def tell(self, config: Config) -> str:
        what = f"stop on {self.position}" if self.spaces is None else f"brake {count(self.spaces, 'space')}"
        return f"{self.seat} cannot {what} with this spin: it goes on"


@event("CF-B2")
class BrakesChecked(Event):
    """Wheel B was spun for braking: ``b`` up to ``limit``, the spaces braked, is a crash."""

    seat: Seat
    b: Face
    limit: Annotated[int, Ge(1)]
    is_crash: bool

    def tell(self, config: Config) -> str:
        return _checked(self, f"{count(self.limit, 'space')} braked")


@event("CF-D1")
class CurveChecked(Event):
    """Wheel B was spun for curve number ``curve`` of ``zone``, 0 between its curves: ``b`` up to ``limit`` is a crash."""

    seat: Seat
    zone: Name
    curve: Annotated[int, Ge(0)]
    b: Face
    limit: Annotated[int, Ge(1), Le(max(CRASHES))]
    is_crash: bool

    def tell(self, config: Config) -> str:
        zone = next(zone for zone in config.components.zones if zone.id == self.zone)
        which = f"{ordinal(self.curve)} curve" if self.curve else "between the curves"
        return _checked(self, f"the {zone.name}, {which}" if len(zone.curves) > 1 else f"the {zone.name}")


@event("CF-M1")
class CarDriven(Event):
    """A car drove to ``position`` in ``lap``."""

    seat: Seat
    came_from: Place
    position: Place
    lap: Annotated[int, Ge(1)]

    def tell(self, config: Config) -> str:
        start = f"from {self.came_from}" if self.came_from else "from the line"
        crossed = "over the line " if self.came_from > self.position else ""
        lap = f" of lap {self.lap}" if config.laps > 1 else ""
        return f"{self.seat} drives {start} {crossed}to {self.position}{lap}"


@event("CF-X1", "{seat} has crashed on {position} and loses {turns:turn}")
class CarCrashed(Event):
    """A car crashed on ``position``: its seat loses ``turns``."""

    seat: Seat
    position: Place
    turns: Annotated[int, Ge(1), Le(_MOST_LOST)]

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.turns, gear=box_beside(self.turns))


@event("CF-X1", "{seat} loses a turn by its crash; {left}")
class TurnLost(Event):
    """A crashed seat lost a turn and its marker climbed, in the end to neutral; ``left`` more turns are lost."""

    seat: Seat
    left: _Left

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.left, gear=box_beside(self.left))


@event("CF-S1", sets={"turn": "seat"}, becomes={"spun": None})
class TurnPassed(Event):
    """It became the turn of ``seat``, and what was spun is used up."""

    seat: Seat


@event("CF-V1", "{seat} drives from {came_from} over the finish line")
class LineCrossed(Event):
    """A car moved beyond the last position of the last lap."""

    seat: Seat
    came_from: Place


@event("CF-V1", "the race is over: {winner} wins", becomes={"spun": None})
class GameEnded(Event):
    """The race is over; ``winner`` was first across the line."""

    winner: Seat


def _then(left: int) -> str:
    return f"{count(left, 'more turn is', 'more turns are')} lost" if left else "the next turn starts in neutral"


def _checked(check: BrakesChecked | CurveChecked, why: str) -> str:
    """Tell the number on wheel B, whether it is a crash, and which numbers are."""
    outcome = "a crash" if check.is_crash else "no crash"
    return f"{check.seat} spins {check.b} on wheel B for {why}: {outcome} (it crashes at {up_to(check.limit)})"


EVENTS: Final = events_of(__name__)
