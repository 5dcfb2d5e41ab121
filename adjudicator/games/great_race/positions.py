"""Read an explicit position."""

from __future__ import annotations

from typing import Annotated, Any

from adjudicator.game import Meta, Seat, Value, fill, of_seat, replace
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import Assistants, Crew, Laid, Stage, State, crew_at_start

_Level = Annotated[int, Meta(ge=0, le=99)]


class SeatAt(Value, kw_only=True):
    """The place and belongings of a seat; a missing value is that of the beginning of the race.

    ``assistants`` are those still on the dashboard, in the convoy. ``arrival`` is its place among those in the finish city.
    """

    seat: Seat
    space: SpaceId | None = None
    fuel: _Level | None = None
    engine: _Level | None = None
    chassis: _Level | None = None
    cash: Annotated[int, Meta(ge=0, le=9_999)] | None = None
    hand: Annotated[tuple[CardId, ...], Meta(max_length=99)] = ()
    assistants: Assistants = Assistants()
    has_passed: bool = False
    arrival: Annotated[int, Meta(ge=1, le=4)] | None = None


class TileAt(Value, kw_only=True):
    """A tile on the board."""

    space: SpaceId
    tile: TileId


class Position(Value, kw_only=True):
    """The whole table: at the beginning of a round, or in its convoy if the position names a ``turn``.

    A round begins with the bivouac, and chance draws its cards, unless ``stage`` says that planning is next. ``order`` is
    the turn order (default: that of the seats), ``markers`` the order in which the markers came to their lanes (default:
    the turn order). Bag and deck hold what is nowhere else.
    """

    seats: Annotated[tuple[SeatAt, ...], Meta(min_length=2, max_length=4)]
    round: Annotated[int, Meta(ge=1, le=9_999)] = 1
    stage: Stage | None = None
    turn: Seat | None = None
    order: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    markers: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=4)] | None = None
    tiles: Annotated[tuple[TileAt, ...], Meta(max_length=400)] = ()
    removed: Annotated[tuple[TileId, ...], Meta(max_length=400)] = ()
    discards: Annotated[tuple[CardId, ...], Meta(max_length=400)] = ()


def placed(config: Config, position: Any) -> State:
    """Return the state that ``position`` describes."""
    order, turn = position.order or config.seats, position.turn
    is_convoy = turn is not None or any(at.assistants.total or at.has_passed for at in position.seats)
    return State(
        stage=Stage(position.stage or (Stage.CONVOY if is_convoy else Stage.BIVOUAC)),
        round=position.round,
        order=order,
        markers=position.markers or order,
        crews=tuple([_crew(config, place, of_seat(position.seats, seat)) for place, seat in enumerate(config.seats)]),
        laid=tuple([Laid(at.space, at.tile) for at in position.tiles]),
        removed=position.removed,
        discards=position.discards,
        turn=turn,
    )


def _crew(config: Config, place: int, at: SeatAt) -> Crew:
    return replace(fill(crew_at_start(config, place), at), active=at.assistants)
