"""Draw a board: its spaces with their tiles, lines with their prices, vehicles, and the lanes of progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from adjudicator.game import Seat, Sign, Stroke, drawing
from adjudicator.games.great_race.components import Board, Course, LineKind, Space, SpaceId, Tile
from adjudicator.games.great_race.roads import Roads

TILE: Final = "terrain tile"
CITY: Final = "city"
STROKES: Final = {LineKind.SEA: Stroke.DOTTED, LineKind.AIR: Stroke.DOUBLE}
LEGEND: Final = drawing.Legend(
    entries=(("t", TILE), ("c", CITY)),
    roads=tuple((f"{kind.value} line", stroke) for kind, stroke in STROKES.items()),
    signs=((Sign.PIECE, "vehicle"),),
    icons=(
        (drawing.Icon.DROP, "fuel"),
        (drawing.Icon.NUT, "parts"),
        (drawing.Icon.BOLT, "danger"),
        (drawing.Icon.STOP, "stop"),
        (drawing.Icon.CARD, "cards"),
    ),
    hatched="risk zone",
    ringed="start and finish",
    closed="no way",
)


def chart_of(
    board: Board,
    roads: Roads | None,
    tiles: Mapping[SpaceId, Tile],
    vehicles: Mapping[Seat, SpaceId],
    markers: Iterable[Seat],
) -> drawing.Chart:
    """Draw ``board`` with the ``tiles`` and ``vehicles`` on it.

    ``markers`` are the seats in the order in which their markers came to their lanes (GR-N2). Without ``roads`` the
    start is not known yet: the lanes have the numbers of the board.
    """
    standing: dict[SpaceId, list[Seat]] = {}
    for seat, space in vehicles.items():
        standing.setdefault(space, []).append(seat)
    return drawing.Chart(
        f"Map: {board.name}",
        tuple(_region(space, tiles.get(space.id), standing.get(space.id, ())) for space in board.spaces),
        tuple((space.id, other) for space in board.spaces for other in space.next if space.id < other),
        tuple(
            drawing.Passage((line.ends[0], line.ends[1]), f"{line.kind.value} line", f"{line.price} F")
            for line in board.lines
        ),
        tuple(_lanes(board, roads, vehicles, markers)),
        is_across=board.course is Course.WEST_EAST,
    )


def _region(space: Space, tile: Tile | None, standing: Iterable[Seat]) -> drawing.Region:
    ground = CITY if space.is_city else "" if tile is None else TILE
    cards = (drawing.Mark(drawing.Icon.CARD, space.cards),)
    marks = cards if space.is_city else () if tile is None else marks_of(tile)
    return drawing.Region(
        space.x, space.y, space.id, ground, marks, drawing.of_seats(standing, Sign.PIECE), space.risk, space.purple
    )


def marks_of(tile: Tile) -> tuple[drawing.Mark, ...]:
    """Return the symbols printed on ``tile``."""
    levels = ((drawing.Icon.DROP, tile.fuel), (drawing.Icon.NUT, tile.parts))
    signs = ((drawing.Icon.BOLT, tile.danger), (drawing.Icon.STOP, tile.stop))
    return (
        *(drawing.Mark(icon, level) for icon, level in levels if level),
        *(drawing.Mark(icon) for icon, is_there in signs if is_there),
    )


def _lanes(
    board: Board, roads: Roads | None, vehicles: Mapping[Seat, SpaceId], markers: Iterable[Seat]
) -> Iterator[drawing.Lane]:
    """Yield the lanes of the board; each lies where most of its spaces do."""
    in_lane = {space.id: space.lane for space in board.spaces}
    places: dict[int, list[int]] = {}
    for space in board.spaces:
        places.setdefault(space.lane, []).append(space.x if board.course is Course.WEST_EAST else space.y)
    order = list(markers)
    for lane, found in sorted(places.items()):
        label = lane if roads is None else roads.lane(next(space.id for space in board.spaces if space.lane == lane))
        badges = drawing.of_seats((seat for seat in order if in_lane[vehicles[seat]] == lane), Sign.PIECE)
        yield drawing.Lane(str(label), sorted(found)[len(found) // 2], badges)
