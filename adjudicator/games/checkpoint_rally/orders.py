"""The orders of a turn, its minutes, draws and finish; driving and laying tiles (CR-D, -R, -G, -T, -F1, -M, -P)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cache
from itertools import combinations
from typing import Annotated, Any, Final

from adjudicator.game import (
    OWNER,
    PUBLIC,
    Chance,
    Event,
    Given,
    Meta,
    Moves,
    Name,
    Order,
    Part,
    Positive,
    Problem,
    Public,
    Said,
    Seat,
    Spent,
    Term,
    count,
    ordinal,
    piles,
    suggest,
    total,
)
from adjudicator.games.checkpoint_rally import last_chance
from adjudicator.games.checkpoint_rally.components import (
    CELLS,
    HAND_LIMIT,
    INDEX,
    NEIGHBOURS,
    ROTATIONS,
    ROW,
    SIDES,
    SIZE,
    Cell,
    Config,
    Laid,
    Rotation,
    TileId,
)
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.state import Here, Racer, State

# A turn

DRAW_LINE: Final = 15
"""A tile is drawn for each so many minutes spent (CR-T2)."""
FINISH_BONUS: Final = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""Minutes off for the first, second … to finish, by number of players (CR-C7)."""
_NAMED: Final = Said(lambda _config, tiles: " ".join(tiles))
Tiles = Annotated[tuple[TileId, ...], _NAMED]
"""Tiles that all may see, with the names that orders use."""


class CarFinished(Event):
    """A seat marked its last checkpoint as the ``place``-th; its car left the board."""

    says = "{seat} finishes {place:th}"
    sets = {"own.place": "place"}
    becomes = {"own.cell": None, "acting": None}
    seat: Public[Seat]
    place: Annotated[int, Meta(ge=1, le=4), PUBLIC]
    rule: Name = "CR-F1"


class Action(Order):
    """An action of a turn: what it does, then its minutes, which may end the race or the last chance of its seat."""

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Yield the events of the action without its minutes; return the position after them."""
        raise NotImplementedError

    def decide(self, at: Here, chance: Chance) -> Moves:
        """CR-T2: the action, its minutes, and a tile for each draw line passed; CR-F1: a car that finishes draws none."""
        before, why = at.own.minutes, self.cost(at)
        at = yield from self.effect(at, chance)
        if not why:
            return at
        after = before + total(why)
        at = yield Spent(seat=at.seat, before=before, after=after, why=why)
        if not at.own.left(at.config):
            return (yield CarFinished(seat=at.seat, place=len(at.state.finishers) + 1))
        lines = after // DRAW_LINE - before // DRAW_LINE
        if lines > 0:
            at = yield from draw_into_hand(at, chance, at.seat, lines, "CR-T2")
        return (yield from last_chance.after_time(at)) if after != before else at


def finished(at: Here, why: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return ``why`` with the bonus of the next to finish; the clock never falls below 0 (CR-F1)."""
    place = len(at.state.finishers) + 1
    bonus, minutes = FINISH_BONUS[len(at.config.seats)][place - 1], at.own.minutes + total(why)
    if bonus:
        why += (Part(-bonus, f"{ordinal(place)} to finish", "CR-F1"),)
    return (*why, Part(bonus - minutes, "clock never below 0", "CR-F1")) if bonus > minutes else why


class DrawTwo(Action):
    """Draw two tiles from the stack."""

    examples, template = ("DRAW",), "DRAW"

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(2, "draw two tiles", "CR-D1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        return (yield from draw_into_hand(at, chance, at.seat, 2, "CR-D1"))


class RowCleared(Event):
    """The row went to the discard pile."""

    says = "the row is discarded: {tiles}"
    moves = "row > discard"
    tiles: Public[Tiles]
    rule: Name = "CR-R1"


class Refresh(Action):
    """Replace the row."""

    examples = ("REFRESH",)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(1, "refresh the row", "CR-R1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        if at.state.row:
            at = yield RowCleared(tiles=at.state.row)
        return (yield from fill_row(at, chance, ROW, "CR-R1"))


class TileTaken(Event):
    """A seat spent a GPS update and took a tile of the row."""

    says = "{seat} takes {tile} out of the row for a GPS update"
    moves = "tile: row > own.hand"
    adds = {"own.gps": -1}
    seat: Public[Seat]
    tile: Public[TileId]
    rule: Name = "CR-G1"


class Take(Action):
    """Take ``tile`` out of the row with a GPS update."""

    examples = ("TAKE U7",)
    tile: TileId

    def check(self, at: Here) -> Problem | None:
        """CR-G1: a tile of the row, for a GPS update."""
        if self.tile not in at.state.row:
            message = f"{self.tile} is not in the row, which {holding(at.state.row)}"
            return META.problem("not-in-row", message, "CR-G1", "tile", at.state.row)
        return no_gps(at.own, "tile")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.row if at.own.gps else ())

    def effect(self, at: Here, chance: Chance) -> Moves:
        at = yield TileTaken(seat=at.seat, tile=self.tile)
        many = ROW - len(at.state.row) if at.config.take_fills_row else 1
        return (yield from fill_row(at, chance, many, "CR-G1"))


class TilesDiscarded(Event):
    """A seat discarded down to the hand limit."""

    says = "{seat} discards {tiles}"
    moves = "tiles: own.hand > discard"
    seat: Public[Seat]
    tiles: Public[Tiles]
    rule: Name = "CR-T2"


class Discard(Order):
    """Put ``tiles`` of the hand on the discard pile."""

    examples = ("DISCARD G7 H2",)
    tiles: tuple[TileId, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        """Return the order about these tiles, sorted (H2 before H10): the order of naming them makes no difference."""
        return cls(tuple(sorted(children, key=lambda tile: (tile.rstrip("0123456789"), len(tile), tile))))

    def wrong(self, config: Config) -> Problem | None:
        twice = next((tile for tile in self.tiles if self.tiles.count(tile) > 1), None)
        return META.problem("tile-twice", f"{twice} is named twice", "CR-T2", f"tile={twice}") if twice else None

    def check(self, at: Here) -> Problem | None:
        """CR-T2: the tiles over the hand limit go, exactly the hand limit stays."""
        racer, due = at.own, self.named(at)
        for tile in self.tiles:
            if problem := not_in_hand(racer, tile, "CR-T2", f"tile={tile}"):
                return problem
        if len(self.tiles) == due:
            return None
        must = f"{'keep exactly' if isinstance(self, Keep) else 'discard'} {count(due, 'tile')}"
        return META.problem("wrong-count", f"{must}, not {len(self.tiles)}: the hand holds {' '.join(racer.hand)}", "CR-T2")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (cls.read([*tiles]) for tiles in combinations(at.own.hand, cls.named(at)))

    @staticmethod
    def named(at: Here) -> int:
        """Return how many tiles the seat must name."""
        return at.own.excess

    def gone(self, at: Here) -> tuple[TileId, ...]:
        """Return the tiles that the seat discards, in the order of the component set."""
        return at.config.sorted(self.tiles)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield TilesDiscarded(seat=at.seat, tiles=self.gone(at)))


class Keep(Discard):
    """Keep ``tiles`` in the hand and discard the rest."""

    examples = ("KEEP H3 U1 U2",)

    @staticmethod
    def named(at: Here) -> int:
        return HAND_LIMIT

    def gone(self, at: Here) -> tuple[TileId, ...]:
        return at.config.sorted(set(at.own.hand).difference(self.tiles))


class TilesDrawn(Event):
    """A seat drew tiles from the stack: by an order, for a draw line, to start with; the rule says which it was."""

    says = "{seat} draws {tiles} ({rule})"
    unseen = "{seat} draws {number:tile} ({rule})"
    moves = "tiles: > own.hand"
    seat: Public[Seat]
    tiles: Annotated[tuple[TileId | None, ...], Meta(min_length=1), OWNER.counted, _NAMED]
    rule: Name

    @property
    def number(self) -> int:
        """The number of tiles, which is public."""
        return len(self.tiles)


def draw_into_hand(at: Here, chance: Chance, seat: Seat, many: int, rule: str) -> Moves:
    """Draw ``many`` tiles into the hand of ``seat``, by ``rule``."""
    tiles, at = yield from _draw(at, chance, many, f"a tile of the stack for {seat}")
    return (yield TilesDrawn(seat=seat, tiles=tiles, rule=rule)) if tiles else at


class RowFilled(Event):
    """Tiles of the stack were laid into the row."""

    says = "the row gets {tiles}"
    moves = "tiles: > row"
    tiles: Public[Tiles]
    rule: Name


def fill_row(at: Here, chance: Chance, many: int, rule: str) -> Moves:
    """Lay ``many`` tiles of the stack into the row, by ``rule``."""
    tiles, at = yield from _draw(at, chance, many, "a tile of the stack for the row")
    return (yield RowFilled(tiles=tiles, rule=rule)) if tiles else at


class StackRenewed(Event):
    """The discard pile became the new stack."""

    says = "the discard pile becomes the new stack: {tiles:tile}"
    becomes = {"discard": ()}
    tiles: Public[tuple[TileId, ...]]
    rule: Name = "CR-T3"


class StackRanOut(Event):
    """``missing`` tiles could not be drawn: stack and discard pile were both empty."""

    says = "stack and discard pile are empty: {missing:tile} not drawn"
    missing: Public[Positive]
    rule: Name = "CR-T3"


def _draw(at: Here, chance: Chance, many: int, purpose: str) -> Generator[object, Here, tuple[tuple[TileId, ...], Here]]:
    """Pick ``many`` tiles of the stack for ``purpose``; return them and the position, in which they are still in the stack.

    When the stack ends on the way, the discard pile becomes the stack; if that is empty, too, there is less to draw (CR-T3).
    """

    def renewal(at: Here) -> StackRenewed | None:
        return StackRenewed(tiles=at.config.sorted(at.state.discard)) if at.state.discard else None

    tiles, at = yield from piles.draw_from(lambda at: at.state.stack(at.config), renewal, at, many, purpose, chance)
    if len(tiles) < many:
        at = yield StackRanOut(missing=many - len(tiles))
    return tiles, at


def not_in_hand(racer: Racer, tile: TileId, rule: str, part: str = "tile") -> Problem | None:
    """Return the problem that ``racer`` does not hold ``tile``, or ``None``."""
    if tile in racer.hand:
        return None
    message = f"{tile} is not in the hand, which {holding(racer.hand)}"
    return META.problem("not-in-hand", message, rule, part, racer.hand, tile)


def holding(tiles: tuple[TileId, ...]) -> str:
    """Return ``tiles`` as the end of a sentence."""
    return f"holds {' '.join(tiles)}" if tiles else "is empty"


def no_gps(racer: Racer, part: str) -> Problem | None:
    """Return the problem that ``racer`` has spent both GPS updates, or ``None``."""
    return None if racer.gps else META.problem("gps-spent", "both GPS updates are spent", "CR-C6", part)


# Driving: where roads lead, what a step costs, and the checkpoints on the way (CR-M1, CR-K1)

MOST_STEPS: Final = 2
"""Steps of a move (CR-M1)."""


class CarDriven(Event):
    """A car entered a cell; ``came_from`` is ``None`` when it entered the board."""

    sets = {"own.cell": "cell"}
    seat: Public[Seat]
    came_from: Public[Cell | None]
    cell: Public[Cell]
    rule: Name

    def tell(self, config: Config) -> str:
        if self.came_from is None:
            return f"{self.seat} enters the board at {self.cell}"
        return f"{self.seat} drives from {self.came_from} to {self.cell}"


class CheckpointMarked(Event):
    """A seat put a checkpoint token on a cell."""

    says = "{seat} marks checkpoint {cell}"
    moves = "cell: > own.marked"
    seat: Public[Seat]
    cell: Public[Cell]
    rule: Name = "CR-K1"


class Move(Action):
    """Drive the car to each of ``path`` in turn, one or two cells."""

    examples = ("MOVE C3 D3",)
    path: tuple[Cell, ...]

    def wrong(self, config: Config) -> Problem | None:
        if 1 <= len(self.path) <= MOST_STEPS:
            return None
        message = f"a move is one or two steps, not {len(self.path)}"
        short = Move(self.path[:MOST_STEPS]).text()
        return META.problem("three-steps", message, "CR-M1", f"cell:{MOST_STEPS}", (short,))

    def check(self, at: Here) -> Problem | None:
        """CR-M1: each step to a neighbouring tile, by a road that both tiles have on the shared side."""
        here: Any = at.own.cell  # Who is asked for an action has a car on the board.
        for number, cell in enumerate(self.path):
            ways = tuple(reachable(at.config, at.state, here))
            if cell not in ways:
                code, message = "no-road", f"no road leads from {here} to {cell}: both tiles need an exit there"
                if INDEX[cell] not in NEIGHBOURS[INDEX[here]]:
                    code, message = "not-adjacent", f"{cell} does not touch {here}"
                elif at.state.at(cell) is None:
                    code, message = "no-tile", f"no tile lies on {cell}"
                return META.problem(code, message, "CR-M1", f"cell:{number}", ways)
            here = cell
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        for first in reachable(at.config, at.state, at.own.cell):
            yield cls((first,))
            yield from (cls((first, second)) for second in reachable(at.config, at.state, first))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        """CR-M1: the car's minutes for each tile entered; a step after the finish is free (CR-F1)."""
        driven = self._driven(at)
        why = tuple([entered(at, cell, laid.tile, "CR-M1") for cell in driven if (laid := at.state.at(cell))])
        return finished(at, why) if set(driven).issuperset(at.own.left(at.config) or ()) else why

    def effect(self, at: Here, chance: Chance) -> Moves:
        return (yield from drive(at, self._driven(at), "CR-M1"))

    def _driven(self, at: Here) -> tuple[Cell, ...]:
        """Return the cells of the path that are really driven: the car leaves the board at its last checkpoint (CR-F1)."""
        return self.path[:1] if at.own.left(at.config) == self.path[:1] else self.path


def reachable(config: Config, state: State, here: Any) -> Iterator[Cell]:
    """Yield the cells one step from the cell ``here``: both tiles have a road exit on the shared side (CR-M1)."""
    laid = state.at(here)
    if laid is None:
        return
    exits = config.face(laid).exits
    for side, neighbour in enumerate(NEIGHBOURS[INDEX[here]]):
        if neighbour is not None and exits[side]:
            other = state.board[neighbour]
            if other is not None and config.face(other).exits[(side + 2) % 4]:
                yield CELLS[neighbour]


def entered(at: Here, cell: Cell, tile: TileId, rule: str) -> Part:
    """Return what entering ``tile`` at ``cell`` costs: the car's minutes for its road (CR-M1, CR-C5)."""
    road = at.config.faces[tile][0].road
    return Part(at.config.minutes[at.own.car or ""][road], f"{road} {cell}", rule)


def drive(at: Here, path: tuple[Cell, ...], rule: str) -> Moves:
    """Enter each cell of ``path``, marking checkpoints on the way (CR-K1)."""
    for cell in path:
        at = yield CarDriven(seat=at.seat, came_from=at.own.cell, cell=cell, rule=rule)
        if cell in (at.own.left(at.config) or ()):
            at = yield CheckpointMarked(seat=at.seat, cell=cell)
    return at


# Laying: where a tile may lie, what it costs, where a tile goes that it replaces, and the start (CR-P, CR-S6)

PLACE_MINUTES: Final = 4
"""Minutes for laying a tile, before the bonuses (CR-P1)."""


class TilePlaced(Event):
    """A seat laid a tile; the tile it ``replaced`` was discarded, or kept in the hand for a GPS update."""

    seat: Public[Seat]
    tile: Public[TileId]
    cell: Public[Cell]
    rot: Public[Rotation]
    replaced: Public[TileId | None]
    is_kept: Public[bool]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        racer = state.of(self.seat)
        hand = tuple([tile for tile in racer.hand if tile != self.tile])
        gps, discard = racer.gps, state.discard
        if self.replaced is not None and self.is_kept:
            hand, gps = config.sorted((*hand, self.replaced)), gps - 1
        elif self.replaced is not None:
            discard = (*discard, self.replaced)
        board = state.with_tile(self.cell, Laid(self.tile, self.rot))
        return state.with_own(self.seat, {"board": board, "discard": discard}, hand=hand, gps=gps)

    def tell(self, config: Config) -> str:
        where = f"{self.seat} lays {self.tile} at {self.cell}, turned {self.rot}°"
        if self.replaced is None:
            return where
        fate = "kept in the hand for a GPS update" if self.is_kept else "discarded"
        return f"{where}, over {self.replaced}, which is {fate}"


class Place(Action):
    """Lay ``tile`` from the hand at ``cell``, turned ``rot`` degrees clockwise; keep the replaced tile with a GPS update."""

    examples, template = ("PLACE H3 at C2 rot 90",), "PLACE {tile} at {cell} rot {rot}[ {gps}]"
    tile: TileId
    cell: Cell
    rot: int = 0
    gps: bool = False

    def wrong(self, config: Config) -> Problem | None:
        if self.rot in ROTATIONS:
            return None
        message = f"a tile is turned by 0, 90, 180 or 270 degrees clockwise, not {self.rot}"
        # 27 is more likely 270 with a digit lost than anything else.
        near = suggest(str(self.rot), map(str, ROTATIONS)) or map(str, ROTATIONS)
        return META.problem("bad-rotation", message, "CR-C2", "turned", tuple(f"rot {rotation}" for rotation in near))

    def check(self, at: Here) -> Problem | None:
        """CR-P1, CR-P5: a tile of the hand, on an empty cell or a tile without a car; CR-S6: first in the own corner."""
        racer, corner = at.own, at.config.corners[at.seat]
        is_start = racer.has_to_start
        if is_start and self.cell != corner:
            message = f"the start tile goes into the seat's own corner, {corner}"
            return META.problem("not-your-corner", message, "CR-S6", "cell", (corner,))
        if is_start and self.gps:
            return META.problem("nothing-to-keep", "no tile is replaced at the start", "CR-P5", "gps")
        if is_start or self.tile not in racer.hand:
            return not_in_hand(racer, self.tile, "CR-P1")
        cars = [other.seat for other in at.state.racers if other.cell == self.cell]
        if cars:
            message = f"{self.cell} carries the car of {' and '.join(cars)}: a tile under a car stays"
            return META.problem("car-on-cell", message, "CR-P1", "cell")
        if self.gps and at.state.at(self.cell) is None:
            message = f"{self.cell} is empty: there is no tile to keep with a GPS update"
            return META.problem("nothing-to-keep", message, "CR-P5", "gps")
        return no_gps(racer, "gps") if self.gps else None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        racer, cars = at.own, {other.cell for other in at.state.racers}
        cells = dict(zip(CELLS, at.state.board, strict=True))
        if racer.has_to_start:
            cells = {at.config.corners[at.seat]: None}
        for tile in racer.hand:
            for cell, laid in cells.items():
                if cell not in cars:
                    yield from (cls(tile, cell, rot) for rot in ROTATIONS)
                    if laid is not None and racer.gps:
                        yield from (cls(tile, cell, rot, gps=True) for rot in ROTATIONS)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        """CR-P1: 4 minutes less the bonuses, never under 0; CR-S6: at the start, the car that enters the tile, too."""
        bonuses = self._bonuses(at)
        why = (Part(PLACE_MINUTES, "place a tile", "CR-P1"), *bonuses)
        if len(bonuses) > PLACE_MINUTES:
            why += (Part(len(bonuses) - PLACE_MINUTES, "never under 0", "CR-P1"),)
        if not at.own.has_to_start:
            return why
        why += (entered(at, self.cell, self.tile, "CR-S6"),)
        return finished(at, why) if at.own.left(at.config) == (self.cell,) else why

    def _bonuses(self, at: Here) -> list[Part]:
        """Return what is saved, minute by minute: by roads (CR-P2), terrains (CR-P3), and what is as before (CR-P4)."""
        config, state = at.config, at.state
        index, new = INDEX[self.cell], config.faces[self.tile][self.rot // 90]
        roads: list[Part] = []
        terrains: list[Part] = []
        for side, neighbour in enumerate(NEIGHBOURS[index]):
            if neighbour is None:  # CR-P3: the border is a neighbour for terrain.
                row, column = divmod(index, SIZE)
                terrain = config.frame_terrain(state.border, side, column if side % 2 == 0 else row)
            elif (laid := state.board[neighbour]) is not None:
                other, facing = config.face(laid), (side + 2) % 4
                if new.road is other.road and new.exits[side] and other.exits[facing]:
                    roads.append(_bonus(new.road, SIDES[side], "CR-P2"))
                terrain = other.sides[facing]
            else:
                continue
            if terrain is new.sides[side]:
                terrains.append(_bonus(terrain, SIDES[side], "CR-P3"))
        found = roads + terrains
        if replaced := state.board[index]:
            old = config.face(replaced)
            # CR-P4: each type of terrain once, on any side.
            found += [_bonus(one, "as before", "CR-P4") for one in dict.fromkeys(new.sides) if one in old.terrains]
            if old.road is new.road:
                found.append(_bonus(new.road, "as before", "CR-P4"))
        return found

    def effect(self, at: Here, chance: Chance) -> Moves:
        """CR-P1; CR-S6: at the start, the car drives onto the tile, and both are clocked."""
        is_start, old = at.own.has_to_start, at.state.at(self.cell)
        at = yield TilePlaced(
            seat=at.seat,
            tile=self.tile,
            cell=self.cell,
            rot=self.rot,  # type: ignore[arg-type]  # ``wrong`` accepts only the four rotations
            replaced=old.tile if old else None,
            is_kept=self.gps,
            rule="CR-P5" if old else "CR-P1",
        )
        return (yield from drive(at, (self.cell,), "CR-S6")) if is_start else at


@cache
def _bonus(what: str, where: str, rule: str) -> Part:
    return Part(-1, f"{what} {where}", rule)


# The grammar

TERMS: Final = {
    "tile": Term("a tile such as H3", lambda children: TileId(children[0].upper()), "CR-C2"),
    "cell": Term("a cell such as C2", lambda children: Cell(children[0].upper()), "CR-C1"),
    "turned": Term("a rotation such as `rot 90`", lambda children: Given("rot", int(children[0])), "CR-P1"),
    "gps": Term.constant(Given("gps", True), "`gps`", "CR-P5"),
    "fact": Term("a fact such as `minutes`"),
    "draw": Term("an outcome such as H5"),
}
"""The parts of the grammar."""
