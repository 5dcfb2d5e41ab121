"""What happens in Checkered Flag, in the past tense. Each event carries its outcome and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from annotated_types import Ge, Le

from adjudicator.core.event import Spent
from adjudicator.core.ids import Name, Seat
from adjudicator.games.checkered_flag.components import Face, Gear

Place = Annotated[int, Ge(0)]
"""A position of the track, 0 for the starting line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSpun:
    """A seat spun for the first turn."""

    seat: Seat
    a: Face
    b: Face
    rule: Name = "CF-S1"
    kind: Literal["start-spun"] = "start-spun"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartTied:
    """Both spun the same total for the first turn: they spin again."""

    total: Annotated[int, Ge(2)]
    rule: Name = "CF-S1"
    kind: Literal["start-tied"] = "start-tied"


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceStarted:
    """The race is on; ``seat`` has the first turn."""

    seat: Seat
    rule: Name = "CF-S1"
    kind: Literal["race-started"] = "race-started"


@dataclass(frozen=True, slots=True, kw_only=True)
class GearShifted:
    """A seat shifted one step."""

    seat: Seat
    came_from: Gear
    gear: Gear
    rule: Name = "CF-G1"
    kind: Literal["gear-shifted"] = "gear-shifted"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoodStill:
    """A seat spent its turn in neutral: no spin, no move."""

    seat: Seat
    rule: Name = "CF-G1"
    kind: Literal["stood-still"] = "stood-still"


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelsSpun:
    """A seat spun for its move: ``spaces`` is what its gear makes of the wheels."""

    seat: Seat
    gear: Gear
    a: Face
    b: Face
    spaces: Annotated[int, Ge(1)]
    rule: Name = "CF-M1"
    kind: Literal["wheels-spun"] = "wheels-spun"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarBraked:
    """A seat gave up spaces: ``forced`` before a narrow position with the other car, ``chosen`` before a danger zone.

    The car stops on ``position``.
    """

    seat: Seat
    forced: Annotated[int, Ge(0)]
    chosen: Annotated[int, Ge(0)]
    position: Place
    rule: Name
    kind: Literal["car-braked"] = "car-braked"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrakesChecked:
    """Wheel B was spun for braking: ``b`` up to ``limit``, the spaces braked, is a crash."""

    seat: Seat
    b: Face
    limit: Annotated[int, Ge(1)]
    is_crash: bool
    rule: Name = "CF-B2"
    kind: Literal["brakes-checked"] = "brakes-checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChecked:
    """Wheel B was spun for curve number ``curve`` of ``zone``: ``b`` up to ``limit`` is a crash."""

    seat: Seat
    zone: Name
    curve: Annotated[int, Ge(1)]
    b: Face
    limit: Annotated[int, Ge(1), Le(2)]
    is_crash: bool
    rule: Name = "CF-D1"
    kind: Literal["curve-checked"] = "curve-checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarDriven:
    """A car came to stand on ``position`` in ``lap``."""

    seat: Seat
    came_from: Place
    position: Place
    lap: Annotated[int, Ge(1)]
    rule: Name = "CF-M1"
    kind: Literal["car-driven"] = "car-driven"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarCrashed:
    """A car crashed where it stands, on ``position``: its seat loses ``turns``."""

    seat: Seat
    position: Place
    turns: Annotated[int, Ge(1), Le(2)]
    rule: Name = "CF-X1"
    kind: Literal["car-crashed"] = "car-crashed"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLost:
    """A crashed seat lost a turn and its marker climbed; ``left`` more turns are lost."""

    seat: Seat
    left: Annotated[int, Ge(0), Le(1)]
    rule: Name = "CF-X1"
    kind: Literal["turn-lost"] = "turn-lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed:
    """It became the turn of ``seat``."""

    seat: Seat
    rule: Name = "CF-S1"
    kind: Literal["turn-passed"] = "turn-passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCrossed:
    """A car moved beyond the last position of the last lap."""

    seat: Seat
    came_from: Place
    rule: Name = "CF-V1"
    kind: Literal["line-crossed"] = "line-crossed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The race is over; ``winner`` was first across the line."""

    winner: Seat
    rule: Name = "CF-V1"
    kind: Literal["game-ended"] = "game-ended"


Event = (
    StartSpun
    | StartTied
    | RaceStarted
    | GearShifted
    | StoodStill
    | WheelsSpun
    | CarBraked
    | BrakesChecked
    | CurveChecked
    | CarDriven
    | CarCrashed
    | TurnLost
    | TurnPassed
    | LineCrossed
    | GameEnded
    | Spent
)
"""Every event of this game, the shared ones included."""

EVENTS: Final = get_args(Event)
"""The kinds of ``Event``, for the codec."""
