"""The parts of the game and what is looked up in them: the grid, tiles, border pieces, checkpoint cards, cars (CR-C)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, NewType

from adjudicator.core.values import Places
from adjudicator.game import ComponentSet, Configuration, Flaw, Meta, Name, Positive, Seat, Setup, Value, piles, several

TileId = NewType("TileId", str)
Cell = NewType("Cell", str)
Rotation = Literal[0, 90, 180, 270]
"""Degrees clockwise from the printed orientation."""

SIZE: Final = 5
"""Cells along one side of the board."""
HAND_LIMIT: Final = 3
"""Tiles a hand may hold when its turn ends (CR-T2)."""
HAND_DEALT: Final = 4
"""Tiles a player draws before placing the start tile (CR-S6)."""
ROW: Final = 3
"""Tiles in the face-up row (CR-C6)."""
GPS_UPDATES: Final = 2
"""GPS updates a player begins with (CR-C6)."""
ROTATIONS: Final[tuple[Rotation, ...]] = (0, 90, 180, 270)


class Road(StrEnum):
    """The road types (CR-C2)."""

    HIGHWAY = "highway"
    GRAVEL = "gravel"
    URBAN = "urban"


class Terrain(StrEnum):
    """The terrain types (CR-C2)."""

    CITY = "city"
    MOUNTAINS = "mountains"
    GRASSLAND = "grassland"
    DESERT = "desert"


class Side(StrEnum):
    """The sides of a tile or of the board, clockwise from the north."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


SIDES: Final = tuple(Side)
SIDE_NAMES: Final = ("north", "east", "south", "west")
CELLS: Final = tuple(Cell(f"{column}{row}") for row in range(1, SIZE + 1) for column in "ABCDE")
"""All cells, row by row from the north-west: the order of the board in a state (CR-C1)."""
BY_CELL: Final = Places(CELLS)
INDEX: Final[dict[Cell, int]] = {cell: index for index, cell in enumerate(CELLS)}
CORNERS: Final = (Cell("A1"), Cell("E1"), Cell("E5"), Cell("A5"))
"""The corners, clockwise from the north-west."""
LAYOUTS: Final[dict[str, tuple[Cell, ...]]] = {
    "diamond": (Cell("B2"), Cell("D2"), Cell("D4"), Cell("B4")),
    "cross": (Cell("C2"), Cell("D3"), Cell("C4"), Cell("B3")),
}
EDGE_MIDDLES: Final = (Cell("C1"), Cell("E3"), Cell("C5"), Cell("A3"))
CENTRE: Final = Cell("C3")
NEIGHBOURS: Final = tuple(
    (
        at - SIZE if at >= SIZE else None,
        at + 1 if (at + 1) % SIZE else None,
        at + SIZE if at + SIZE < len(CELLS) else None,
        at - 1 if at % SIZE else None,
    )
    for at in range(len(CELLS))
)
"""For each cell the indexes of its neighbours north, east, south, west; ``None`` where the border is."""


class Tile(Value):
    """A map tile (CR-C2)."""

    id: Annotated[TileId, Meta(min_length=1, max_length=8)]
    """The name on the tile, which orders use."""
    road: Road
    """The type of its road."""
    exits: Annotated[tuple[Side, ...], Meta(max_length=4)]
    """The sides by which the road leaves it, as printed."""
    sides: tuple[Terrain, Terrain, Terrain, Terrain]
    """The terrain in the north, east, south and west, as printed."""


Five = tuple[Terrain, Terrain, Terrain, Terrain, Terrain]
"""The terrains of a border piece, in the order that its set says (CR-C3)."""


class BorderOrder(StrEnum):
    """The way in which a set writes its border pieces (CR-C3).

    Clockwise round the board (west to east in the north, north to south in the east, east to west in the south, south to
    north in the west), so that a piece is the same strip on every side; or, as sets were written before, by the compass:
    west to east and north to south, so that the strip is another one in the south and in the west.
    """

    CLOCKWISE = "clockwise"
    COMPASS = "compass"


class BorderPiece(Value):
    """A border piece with its two sides (CR-C3)."""

    id: Annotated[str, Meta(min_length=1, max_length=8)]
    """The name of the piece."""
    front: Five
    """The five terrains of its front."""
    back: Five
    """The five terrains of its back."""


class Card(Value):
    """A checkpoint card (CR-C4)."""

    id: Annotated[str, Meta(min_length=1, max_length=8)]
    """The name of the card."""
    upper: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=4)]
    """The checkpoints on the map in its upper half."""
    lower: Annotated[tuple[Cell, ...], Meta(min_length=1, max_length=4)]
    """The checkpoints on the map in its lower half."""


class Car(Value):
    """A car (CR-C5)."""

    id: Annotated[str, Meta(min_length=1, max_length=24)]
    """The name that options and orders use."""
    name: Name
    """The name for people."""
    highway: Positive
    """Minutes for a tile with a highway."""
    gravel: Positive
    """Minutes for a tile with a gravel road."""
    urban: Positive
    """Minutes for a tile with an urban road."""


class Components(ComponentSet, omit_defaults=True):
    """A component set: everything in the box that differs from set to set."""

    tiles: Annotated[tuple[Tile, ...], Meta(min_length=1, max_length=200)]
    """The map tiles."""
    borders: Annotated[tuple[BorderPiece, ...], Meta(min_length=4, max_length=40)]
    """The border pieces; each side of the board gets one."""
    cards: Annotated[tuple[Card, ...], Meta(min_length=2, max_length=200)]
    """The checkpoint cards."""
    cars: Annotated[tuple[Car, ...], Meta(min_length=2, max_length=60)]
    """The cars; each player drives one."""
    border_order: BorderOrder = BorderOrder.COMPASS
    """How the border pieces are written: ``clockwise`` round the board, or by the ``compass``, from west to east and
    from north to south."""


class Laid(Value):
    """A tile on the board, turned ``rot`` degrees clockwise."""

    tile: TileId
    rot: Rotation


BORDER: Final = piles.Pieces("border piece", "CR-C3", lambda config: config.pieces, "border.piece")


class Frame(Value):
    """One side of the border: which piece lies there, and which of its sides shows."""

    piece: Annotated[Name, BORDER]
    face: Literal["front", "back"]


class Face(Value):
    """A tile as it lies: its road, whether a road leaves and which terrain is at N, E, S, W, and its terrain types."""

    road: Road
    exits: tuple[bool, ...]
    sides: tuple[Terrain, ...]
    terrains: frozenset[Terrain]


class Config(Configuration[Components]):
    """Seats in order, options as chosen, and the components looked up by their ids.

    ``faces`` has for each tile how it lies at 0, 90, 180 and 270 degrees, ``rank`` its place in the component set,
    ``minutes`` for each car what it needs by road type (CR-C5), ``maps`` each card's checkpoints on the half that is played.
    """

    faces: Mapping[TileId, tuple[Face, ...]]
    rank: Mapping[TileId, int]
    cars: Mapping[str, Car]
    minutes: Mapping[str, Mapping[Road, int]]
    maps: Mapping[str, tuple[Cell, ...]]
    pieces: Mapping[str, BorderPiece]
    chosen_cars: Mapping[Seat, str]
    corners: Mapping[Seat, Cell]
    layout: tuple[Cell, ...]
    any_marker_ends_chance: bool
    take_fills_row: bool
    """Before version 3 of the rules, a tile taken out of a short row was replaced by more than one (CR-G1)."""

    @property
    def names(self) -> tuple[str, ...]:
        """The tiles and cells that conditions may compare facts with."""
        return (*self.rank, *CELLS)

    def face(self, laid: Laid) -> Face:
        """Return how a tile on the board lies."""
        return self.faces[laid.tile][laid.rot // 90]

    def frame_terrain(self, border: tuple[Frame, ...], side: int, along: int) -> Terrain:
        """Return the terrain of the border at ``side`` (0 north, clockwise), ``along`` cells from its west or north end."""
        frame = border[side]
        piece = self.pieces[frame.piece]
        # Clockwise round the board, the south begins in the east and the west in the south.
        is_turned = side >= 2 and self.components.border_order is BorderOrder.CLOCKWISE
        return (piece.front if frame.face == "front" else piece.back)[SIZE - 1 - along if is_turned else along]

    def sorted(self, tiles: Iterable[TileId]) -> tuple[TileId, ...]:
        """Return ``tiles`` in the order of the component set, those that are not in it last."""
        return tuple(sorted(tiles, key=self.rank_of))

    def rank_of(self, tile: TileId) -> int:
        """Return the place of ``tile`` in the component set, beyond its end for one that is hidden."""
        return self.rank.get(tile, len(self.rank))


def configure(setup: Setup, version: int) -> Config:
    """Return the constants of a game of ``setup`` that was begun with ``version`` of the rules (CR-S)."""
    components: Components = setup.components
    half = setup.options["map"]
    if half == "auto":
        half = "upper" if len(setup.seats) == 2 else "lower"
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        faces={tile.id: faces_of(tile) for tile in components.tiles},
        rank={tile.id: rank for rank, tile in enumerate(components.tiles)},
        cars={car.id: car for car in components.cars},
        minutes={car.id: {road: getattr(car, road.value) for road in Road} for car in components.cars},
        maps={card.id: card.upper if half == "upper" else card.lower for card in components.cards},
        pieces={piece.id: piece for piece in components.borders},
        chosen_cars=_chosen(setup, "car", "random"),
        corners=_corners(setup),
        layout=LAYOUTS[setup.options["layout"]],
        any_marker_ends_chance=setup.options["last-chance"] == "any-marker",
        take_fills_row=version < 3,
    )


def faces_of(tile: Tile) -> tuple[Face, ...]:
    """Return how ``tile`` lies at 0, 90, 180 and 270 degrees."""
    exits, terrains = tuple(side in tile.exits for side in SIDES), frozenset(tile.sides)
    # Turned clockwise by a quarter, what was at the north is at the east.
    return tuple(
        Face(tile.road, exits[4 - turn :] + exits[: 4 - turn], tile.sides[4 - turn :] + tile.sides[: 4 - turn], terrains)
        for turn in range(4)
    )


def _chosen(setup: Setup, option: str, free: str) -> dict[Seat, Any]:
    """Return what seats have chosen by ``option``, which is ``free`` for the others."""
    return {seat: value for seat in setup.seats if (value := setup.options[f"{option}.{seat}"]) != free}


def _corners(setup: Setup) -> dict[Seat, Cell]:
    """Give each seat the corner it chose; the others get the rest, clockwise, two seats opposite each other (CR-S4)."""
    chosen: dict[Seat, Cell] = _chosen(setup, "corner", "auto")
    if len(setup.seats) == 2:
        one = next(iter(chosen), setup.seats[0])
        corner = chosen.get(one, CORNERS[0])
        return {seat: corner if seat == one else _opposite(corner) for seat in setup.seats}
    free = [corner for corner in CORNERS if corner not in chosen.values()]
    return {seat: chosen.get(seat) or free.pop(0) for seat in setup.seats}


def _opposite(corner: Cell) -> Cell:
    return CORNERS[(CORNERS.index(corner) + 2) % 4]


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield what makes the component set, or the options, unfit for a game of ``setup`` (CR-C, CR-S)."""
    components: Components = setup.components
    for what, things, rule in (
        ("tile", components.tiles, "CR-C2"),
        ("border piece", components.borders, "CR-C3"),
        ("card", components.cards, "CR-C4"),
        ("car", components.cars, "CR-C5"),
    ):
        yield from Flaw.repeated(what, (thing.id for thing in things), rule)
    players = len(setup.seats)
    dealt = len(EDGE_MIDDLES) + 4 + 1 + ROW + (len(CORNERS) - players) + HAND_DEALT * players
    for what, rule, has, needs in (
        ("tiles", "CR-C2", len(components.tiles), dealt if setup.position is None else 1),
        ("cards", "CR-C4", len(components.cards), players),
        ("cars", "CR-C5", len(components.cars), players),
    ):
        if has < needs:
            yield Flaw(f"{players} players need at least {needs} {what}, the component set has {has}", rule)
    for tile in components.tiles:
        if not (tile.id.isascii() and tile.id.isalnum() and tile.id[0].isalpha() and tile.id == tile.id.upper()):
            yield Flaw(f"a tile's id is a letter, then letters and digits in capitals; “{tile.id}” is not", "CR-C2")
        if len(set(tile.exits)) < len(tile.exits):
            yield Flaw(f"tile {tile.id} names a road exit twice", "CR-C2")
    for card in components.cards:
        for half, cells in (("upper", card.upper), ("lower", card.lower)):
            if unknown := [cell for cell in cells if cell not in INDEX]:
                yield Flaw(f"card {card.id}, {half} map: {', '.join(unknown)} is not on the board (A1 to E5)", "CR-C1")
            if len(set(cells)) < len(cells):
                yield Flaw(f"card {card.id}, {half} map: a checkpoint is named twice", "CR-C4")
    known, cars = [car.id for car in components.cars], _chosen(setup, "car", "random")
    for seat, car in cars.items():
        if car not in known:
            message = f"{seat} cannot drive “{car}”; the cars are: {', '.join(known)}"
            yield Flaw(message, "CR-C5", "unknown-car", known, f"option:car.{seat}", car)
    for car, _ in several(cars.values()):
        yield Flaw(f"two seats cannot drive the same car: {car}", "CR-S4", "car-twice")
    taken = list(_chosen(setup, "corner", "auto").values())
    if len(set(taken)) < len(taken):
        yield Flaw("two seats cannot start from the same corner", "CR-S4", "corner-twice")
    elif players == len(taken) == 2 and _opposite(taken[0]) != taken[1]:
        yield Flaw("two players start from opposite corners", "CR-S4", "corners-not-opposite")
