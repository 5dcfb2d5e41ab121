"""Read an explicit position: a race in the middle of a round, by seats and spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from adjudicator.game import Flaw, Ge, Le, Len, Seat, change, frozen, of_seat
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import Assistants, Crew, Laid, Stage, State, crew_at_start

_Level = Annotated[int, Ge(0), Le(99)]


@frozen(kw_only=True)
class SeatAt:
    """The place and belongings of a seat; a missing value is that of the beginning of the race.

    ``assistants`` are those still on the dashboard, in the convoy. ``arrival`` is its place among those in the finish city.
    """

    seat: Seat
    space: SpaceId | None = None
    fuel: _Level | None = None
    engine: _Level | None = None
    chassis: _Level | None = None
    cash: Annotated[int, Ge(0), Le(9_999)] | None = None
    hand: Annotated[tuple[CardId, ...], Len(0, 99)] = ()
    assistants: Assistants = Assistants()
    has_passed: bool = False
    arrival: Annotated[int, Ge(1), Le(4)] | None = None


@frozen(kw_only=True)
class TileAt:
    """A tile on the board."""

    space: SpaceId
    tile: TileId


@frozen(kw_only=True)
class Position:
    """The whole table: at the beginning of a round, or in its convoy if the position names a ``turn``.

    A round begins with the bivouac, and chance draws its cards, unless ``stage`` says that planning is next. ``order`` is
    the turn order (default: that of the seats), ``markers`` the order in which the markers came to their lanes (default:
    the turn order). Bag and deck hold what is nowhere else.
    """

    seats: Annotated[tuple[SeatAt, ...], Len(2, 4)]
    round: Annotated[int, Ge(1), Le(9_999)] = 1
    stage: Stage | None = None
    turn: Seat | None = None
    order: Annotated[tuple[Seat, ...], Len(2, 4)] | None = None
    markers: Annotated[tuple[Seat, ...], Len(2, 4)] | None = None
    tiles: Annotated[tuple[TileAt, ...], Len(0, 400)] = ()
    removed: Annotated[tuple[TileId, ...], Len(0, 400)] = ()
    discards: Annotated[tuple[CardId, ...], Len(0, 400)] = ()


def misplaced(config: Config, position: Any) -> Iterator[Flaw]:
    """Yield flaws of ``position`` that no state can hold."""
    if position.turn is not None and position.stage not in (None, Stage.CONVOY):
        yield Flaw(f"in the stage “{position.stage}” no seat has a turn", "GR-V1")
    if position.turn is None and position.stage is Stage.CONVOY:
        yield Flaw("in the convoy a seat must have the turn: name it in “turn”", "GR-V1")


def placed(config: Config, position: Any) -> State:
    """Return the state that ``position`` describes."""
    order = position.order or config.seats
    crews = [_crew(config, place, of_seat(position.seats, seat)) for place, seat in enumerate(config.seats)]
    return State(
        stage=position.stage or (Stage.CONVOY if position.turn is not None or _has_plans(position) else Stage.BIVOUAC),
        round=position.round,
        order=order,
        markers=position.markers or order,
        crews=tuple(crews),
        laid=tuple([Laid(at.space, at.tile) for at in position.tiles]),
        removed=position.removed,
        discards=position.discards,
        turn=position.turn,
    )


def _has_plans(position: Any) -> bool:
    return any(at.assistants.total or at.has_passed for at in position.seats)


def _crew(config: Config, place: int, at: SeatAt) -> Crew:
    given = {name: getattr(at, name) for name in ("space", "fuel", "engine", "chassis", "cash", "hand", "arrival")}
    given = {name: value for name, value in given.items() if value is not None}
    return change(crew_at_start(config, place), active=at.assistants, has_passed=at.has_passed, **given)
