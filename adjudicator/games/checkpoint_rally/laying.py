"""Lay a tile: where it may lie, what it costs, where a tile goes that it replaces, and the start (CR-P, CR-S6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from adjudicator.game import Chance, Event, Moves, Name, Part, Problem, Public, Seat, suggest
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally.components import INDEX, NEIGHBOURS, Cell, Config, Laid, Rotation, TileId
from adjudicator.games.checkpoint_rally.driving import drive, entered
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import Action, finished, no_gps, not_in_hand
from adjudicator.games.checkpoint_rally.state import Here, State

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
        if self.rot in parts.ROTATIONS:
            return None
        message = f"a tile is turned by 0, 90, 180 or 270 degrees clockwise, not {self.rot}"
        # 27 is more likely 270 with a digit lost than anything else.
        near = suggest(str(self.rot), map(str, parts.ROTATIONS)) or map(str, parts.ROTATIONS)
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
        cells = dict(zip(parts.CELLS, at.state.board, strict=True))
        if racer.has_to_start:
            cells = {at.config.corners[at.seat]: None}
        for tile in racer.hand:
            for cell, laid in cells.items():
                if cell not in cars:
                    yield from (cls(tile, cell, rot) for rot in parts.ROTATIONS)
                    if laid is not None and racer.gps:
                        yield from (cls(tile, cell, rot, gps=True) for rot in parts.ROTATIONS)

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
        roads, terrains = list[Part](), list[Part]()
        for side, neighbour in enumerate(NEIGHBOURS[index]):
            if neighbour is None:  # CR-P3: the border is a neighbour for terrain.
                row, column = divmod(index, parts.SIZE)
                terrain = config.frame_terrain(state.border, side, column if side % 2 == 0 else row)
            elif (laid := state.board[neighbour]) is not None:
                other, facing = config.face(laid), (side + 2) % 4
                if new.road is other.road and new.exits[side] and other.exits[facing]:
                    roads.append(_bonus(new.road, parts.SIDES[side], "CR-P2"))
                terrain = other.sides[facing]
            else:
                continue
            if terrain is new.sides[side]:
                terrains.append(_bonus(terrain, parts.SIDES[side], "CR-P3"))
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
