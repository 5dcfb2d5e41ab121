"""Describe a board: its spaces with their tiles, lines with their prices, vehicles, and the lanes of progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.game import Seat
from adjudicator.games.great_race.components import Board, Course, Space, SpaceId, Tile
from adjudicator.games.great_race.icons import Icon, Mark
from adjudicator.games.great_race.regions import CITY, TILE, Chart, Lane, Passage, Region
from adjudicator.games.great_race.roads import Roads


def chart_of(
    board: Board,
    roads: Roads | None,
    tiles: Mapping[SpaceId, Tile],
    vehicles: Mapping[Seat, SpaceId],
    markers: Iterable[Seat],
) -> Chart:
    """Draw ``board`` with the ``tiles`` and ``vehicles`` on it.

    ``markers`` are the seats in the order in which their markers came to their lanes (GR-N2). Without ``roads`` the
    start is not known yet: the lanes have the numbers of the board.
    """
    standing: dict[SpaceId, list[Seat]] = {}
    for seat, space in vehicles.items():
        standing.setdefault(space, []).append(seat)
    return Chart(
        f"Map: {board.name}",
        tuple(_region(space, tiles.get(space.id), standing.get(space.id, ())) for space in board.spaces),
        tuple((space.id, other) for space in board.spaces for other in space.next if space.id < other),
        tuple(Passage((line.ends[0], line.ends[1]), line.kind, f"{line.price} F") for line in board.lines),
        tuple(_lanes(board, roads, vehicles, markers)),
        is_across=board.course is Course.WEST_EAST,
    )


def _region(space: Space, tile: Tile | None, standing: Iterable[Seat]) -> Region:
    ground = CITY if space.is_city else "" if tile is None else TILE
    cards = (Mark(Icon.CARD, space.cards),)
    marks = cards if space.is_city else () if tile is None else marks_of(tile)
    return Region(space.x, space.y, space.id, ground, marks, tuple(standing), space.risk, space.purple)


def marks_of(tile: Tile) -> tuple[Mark, ...]:
    """Return the symbols printed on ``tile``."""
    levels = ((Icon.DROP, tile.fuel), (Icon.NUT, tile.parts))
    signs = ((Icon.BOLT, tile.danger), (Icon.STOP, tile.stop))
    return (
        *(Mark(icon, level) for icon, level in levels if level),
        *(Mark(icon) for icon, is_there in signs if is_there),
    )


def _lanes(board: Board, roads: Roads | None, vehicles: Mapping[Seat, SpaceId], markers: Iterable[Seat]) -> Iterator[Lane]:
    """Yield the lanes of the board; each lies where most of its spaces do."""
    in_lane = {space.id: space.lane for space in board.spaces}
    places: dict[int, list[int]] = {}
    for space in board.spaces:
        places.setdefault(space.lane, []).append(space.x if board.course is Course.WEST_EAST else space.y)
    order = list(markers)
    for lane, found in sorted(places.items()):
        label = lane if roads is None else roads.lane(next(space.id for space in board.spaces if space.lane == lane))
        markers = tuple(seat for seat in order if in_lane[vehicles[seat]] == lane)
        yield Lane(str(label), sorted(found)[len(found) // 2], markers)
