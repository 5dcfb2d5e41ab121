"""The events of turns, spins, moves and crashes; those of braking and danger are in `orders.py` and `danger.py`."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import LARGEST, Count, Event, Meta, Name, Positive, Said, Seat, count
from adjudicator.games.checkered_flag.components import TURNS_LOST, Config, Gear, box_beside
from adjudicator.games.checkered_flag.danger import Face
from adjudicator.games.checkered_flag.state import Spun, State

Place = Annotated[Count, Said(lambda _config, place: str(place or "the line"))]
"""A position of the track, 0 for the starting line."""
_MOST_LOST: Final = max(TURNS_LOST)


class StartSpun(Event):
    """A seat spun for the first turn."""

    seat: Seat
    a: Face
    b: Face
    rule: Name = "CF-S1"

    def tell(self, config: Config) -> str:
        return f"{self.seat} spins {self.a} and {self.b} for the first turn: {self.a + self.b}"


class StartTied(Event):
    """Both spun the same total for the first turn: they spin again."""

    says = "both have {total}: they spin again"
    total: Annotated[int, Meta(ge=2, le=LARGEST)]
    rule: Name = "CF-S1"


class RaceStarted(Event):
    """The race is on; ``seat`` has the first turn."""

    says = "{seat} goes first"
    sets = {"turn": "seat"}
    seat: Seat
    rule: Name = "CF-S1"


class GearShifted(Event):
    """A seat shifted one step."""

    says = "{seat} shifts from {came_from} to {gear}"
    sets = {"own.gear": "gear"}
    seat: Seat
    came_from: Gear
    gear: Gear
    rule: Name = "CF-G1"


class StoodStill(Event):
    """A seat spent its turn in neutral: no spin, no move."""

    says = "{seat} stands still in neutral"
    seat: Seat
    rule: Name = "CF-G1"


class WheelsSpun(Event):
    """A seat spun for its move: ``spaces`` is what its gear makes of the wheels."""

    says = "{seat} spins {a} and {b} in {gear}: {spaces:space}"
    sets = {"spun": Spun}
    seat: Seat
    gear: Gear
    a: Face
    b: Face
    spaces: Positive
    rule: Name = "CF-M1"


class CarDriven(Event):
    """A car drove to ``position`` in ``lap``."""

    seat: Seat
    came_from: Place
    position: Place
    lap: Positive
    rule: Name = "CF-M1"

    def tell(self, config: Config) -> str:
        start = f"from {self.came_from}" if self.came_from else "from the line"
        crossed = "over the line " if self.came_from > self.position else ""
        lap = f" of lap {self.lap}" if config.laps > 1 else ""
        return f"{self.seat} drives {start} {crossed}to {self.position}{lap}"


class CarCrashed(Event):
    """A car crashed on ``position``: its seat loses ``turns``."""

    says = "{seat} has crashed on {position} and loses {turns:turn}"
    seat: Seat
    position: Place
    turns: Annotated[int, Meta(ge=1, le=_MOST_LOST)]
    rule: Name = "CF-X1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.turns, gear=box_beside(self.turns))


class TurnLost(Event):
    """A crashed seat lost a turn and its marker climbed, in the end to neutral; ``left`` more turns are lost."""

    seat: Seat
    left: Annotated[int, Meta(ge=0, le=_MOST_LOST - 1)]
    rule: Name = "CF-X1"

    def tell(self, config: Config) -> str:
        more = f"{count(self.left, 'more turn is', 'more turns are')} lost"
        return f"{self.seat} loses a turn by its crash; {more if self.left else 'the next turn starts in neutral'}"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.left, gear=box_beside(self.left))


class TurnPassed(Event):
    """It became the turn of ``seat``, and what was spun is used up."""

    sets = {"turn": "seat"}
    becomes = {"spun": None}
    seat: Seat
    rule: Name = "CF-S1"


class LineCrossed(Event):
    """A car moved beyond the last position of the last lap."""

    says = "{seat} drives from {came_from} over the finish line"
    seat: Seat
    came_from: Place
    rule: Name = "CF-V1"


class GameEnded(Event):
    """The race is over; ``winner`` was first across the line."""

    says = "the race is over: {winner} wins"
    becomes = {"spun": None}
    winner: Seat
    rule: Name = "CF-V1"
