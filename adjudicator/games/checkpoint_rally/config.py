"""The config: what does not change during a game, looked up fast (CR-C, CR-S)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Setup
from adjudicator.core.suggestions import suggest
from adjudicator.games.checkpoint_rally.components import (
    CENTRE,
    CORNERS,
    EDGE_MIDDLES,
    HAND_DEALT,
    INDEX,
    LAYOUTS,
    ROW,
    SIDES,
    BorderPiece,
    Car,
    Cell,
    Components,
    Road,
    Terrain,
    Tile,
    TileId,
)
from adjudicator.games.checkpoint_rally.position import Position
from adjudicator.games.checkpoint_rally.state import Frame, Laid

FINISH_BONUS: Final[dict[int, tuple[int, ...]]] = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""Minutes off for the first, second … to finish, by number of players (CR-C7)."""


@dataclass(frozen=True, slots=True)
class Face:
    """A tile as it lies: its road, whether a road leaves and which terrain is at N, E, S, W, and its terrain types."""

    road: Road
    exits: tuple[bool, ...]
    sides: tuple[Terrain, ...]
    terrains: frozenset[Terrain]


@dataclass(frozen=True, slots=True)
class Config:
    """Seats in order, options as chosen, and the components with their look-ups."""

    seats: tuple[Seat, ...]
    components: Components
    position: Position | None
    faces: Mapping[TileId, tuple[Face, Face, Face, Face]]
    rank: Mapping[TileId, int]
    cars: Mapping[str, Car]
    maps: Mapping[str, tuple[Cell, ...]]
    pieces: Mapping[str, BorderPiece]
    chosen_cars: Mapping[Seat, str]
    corners: Mapping[Seat, Cell]
    map_half: str
    layout: tuple[Cell, ...]
    any_marker_ends_chance: bool

    def face(self, laid: Laid) -> Face:
        """Return how a tile on the board lies."""
        return self.faces[laid.tile][laid.rot // 90]

    def minutes(self, car: str, road: Road) -> int:
        """Return the minutes ``car`` needs for a tile with ``road`` (CR-C5)."""
        driven = self.cars[car]
        return {Road.HIGHWAY: driven.highway, Road.GRAVEL: driven.gravel, Road.URBAN: driven.urban}[road]

    def bonus(self, place: int) -> int:
        """Return the minutes off for the ``place``-th (from 1) to finish (CR-C7)."""
        return FINISH_BONUS[len(self.seats)][place - 1]

    def frame_terrain(self, border: tuple[Frame, ...], side: int, along: int) -> Terrain:
        """Return the terrain of the border at ``side`` (0 north, clockwise), ``along`` cells from its west or north end."""
        frame = border[side]
        piece = self.pieces[frame.piece]
        return (piece.front if frame.face == "front" else piece.back)[along]

    def sorted(self, tiles: Iterable[TileId]) -> tuple[TileId, ...]:
        """Return ``tiles`` in the order of the component set."""
        return tuple(sorted(tiles, key=self.rank.__getitem__))

    @property
    def dealt_cells(self) -> tuple[Cell, ...]:
        """The cells that get a tile before the row is filled, in order (CR-S2)."""
        return (*EDGE_MIDDLES, *self.layout, CENTRE)

    @property
    def unused_corners(self) -> tuple[Cell, ...]:
        """The corners nobody starts from: each gets a tile (CR-S3)."""
        return tuple(corner for corner in CORNERS if corner not in self.corners.values())


def configure(setup: Setup, version: int) -> Config:
    """Return the config for ``setup``. Raises ``SetupError`` with everything that is wrong with it (CR-S)."""
    seats = tuple(player.seat for player in setup.players)
    components: Components = setup.components
    problems = [
        *_set_problems(components, len(seats), is_dealt=setup.position is None),
        *_option_problems(setup, seats, components),
    ]
    if problems:
        raise SetupError(tuple(problems))
    half = setup.options["map"]
    if half == "auto":
        half = "upper" if len(seats) == 2 else "lower"
    return Config(
        seats=seats,
        components=components,
        position=setup.position,
        faces={tile.id: _faces(tile) for tile in components.tiles},
        rank={tile.id: rank for rank, tile in enumerate(components.tiles)},
        cars={car.id: car for car in components.cars},
        maps={card.id: card.upper if half == "upper" else card.lower for card in components.cards},
        pieces={piece.id: piece for piece in components.borders},
        chosen_cars=_chosen_cars(setup, seats),
        corners=_corners(setup, seats),
        map_half=half,
        layout=LAYOUTS[setup.options["layout"]],
        any_marker_ends_chance=setup.options["last-chance"] == "any-marker",
    )


def _faces(tile: Tile) -> tuple[Face, Face, Face, Face]:
    exits = tuple(side in tile.exits for side in SIDES)
    terrains = frozenset(tile.sides)
    # Turned clockwise by a quarter, what was at the north is at the east.
    north, east, south, west = (
        Face(tile.road, exits[4 - turn :] + exits[: 4 - turn], tile.sides[4 - turn :] + tile.sides[: 4 - turn], terrains)
        for turn in range(4)
    )
    return north, east, south, west


def _chosen_cars(setup: Setup, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    chosen = {seat: setup.options[f"car.{seat}"] for seat in seats}
    return {seat: car for seat, car in chosen.items() if car != "random"}


def _corners(setup: Setup, seats: tuple[Seat, ...]) -> dict[Seat, Cell]:
    """Give each seat the corner it chose; the others get what is left, clockwise, two seats opposite each other (CR-S4)."""
    chosen = {seat: Cell(setup.options[f"corner.{seat}"]) for seat in seats if setup.options[f"corner.{seat}"] != "auto"}
    if len(seats) == 2:
        first = chosen.get(seats[0]) or (opposite(chosen[seats[1]]) if seats[1] in chosen else CORNERS[0])
        return {seats[0]: first, seats[1]: chosen.get(seats[1], opposite(first))}
    free = [corner for corner in CORNERS if corner not in chosen.values()]
    return {seat: chosen.get(seat) or free.pop(0) for seat in seats}


def opposite(corner: Cell) -> Cell:
    """Return the corner diagonally opposite."""
    return CORNERS[(CORNERS.index(corner) + 2) % 4]


def _option_problems(setup: Setup, seats: tuple[Seat, ...], components: Components) -> Iterator[Problem]:
    known = [car.id for car in components.cars]
    chosen = _chosen_cars(setup, seats)
    for seat, car in chosen.items():
        if car not in known:
            message = f"{seat} cannot drive “{car}”; the cars are: {', '.join(known)}"
            yield Problem("checkpoint-rally/unknown-car", message, "CR-C5", suggestions=suggest(car, known))
    for car, count in Counter(chosen.values()).items():
        if count > 1:
            yield Problem("checkpoint-rally/car-twice", f"two seats cannot drive the same car: {car}", "CR-S4")
    corners = [setup.options[f"corner.{seat}"] for seat in seats]
    taken = [corner for corner in corners if corner != "auto"]
    if len(set(taken)) < len(taken):
        yield Problem("checkpoint-rally/corner-twice", "two seats cannot start from the same corner", "CR-S4")
    elif len(seats) == 2 and len(taken) == 2 and opposite(Cell(taken[0])) != taken[1]:
        yield Problem("checkpoint-rally/corners-not-opposite", "two players start from opposite corners", "CR-S4")


def _set_problems(components: Components, players: int, *, is_dealt: bool) -> Iterator[Problem]:
    """Yield what makes a component set unfit for a game of so many players, dealt or placed as given (CR-C)."""
    for what, ids in (
        ("tile", [tile.id for tile in components.tiles]),
        ("border piece", [piece.id for piece in components.borders]),
        ("card", [card.id for card in components.cards]),
        ("car", [car.id for car in components.cars]),
    ):
        for name, count in Counter(ids).items():
            if count > 1:
                yield _set_problem(f"the component set has {what} {name} {count} times")
    needed = len(EDGE_MIDDLES) + 4 + 1 + ROW + (4 - players) + HAND_DEALT * players
    for what, has, needs in (
        ("tiles", len(components.tiles), needed if is_dealt else 1),
        ("cards", len(components.cards), players),
        ("cars", len(components.cars), players),
    ):
        if has < needs:
            yield _set_problem(f"{players} players need at least {needs} {what}, the component set has {has}")
    yield from _tile_problems(components)
    yield from _card_problems(components)


def _tile_problems(components: Components) -> Iterator[Problem]:
    for tile in components.tiles:
        if not (tile.id.isascii() and tile.id.isalnum() and tile.id[0].isalpha() and tile.id == tile.id.upper()):
            yield _set_problem(f"a tile's id is a letter, then letters and digits in capitals; “{tile.id}” is not")
        if len(set(tile.exits)) < len(tile.exits):
            yield _set_problem(f"tile {tile.id} names a road exit twice")


def _card_problems(components: Components) -> Iterator[Problem]:
    for card in components.cards:
        for half, cells in (("upper", card.upper), ("lower", card.lower)):
            unknown = [cell for cell in cells if cell not in INDEX]
            if unknown:
                yield _set_problem(f"card {card.id}, {half} map: {', '.join(unknown)} is not on the board (A1 to E5)")
            if len(set(cells)) < len(cells):
                yield _set_problem(f"card {card.id}, {half} map: a checkpoint is named twice")


def _set_problem(message: str) -> Problem:
    return Problem("checkpoint-rally/unfit-set", message, "CR-C1")
