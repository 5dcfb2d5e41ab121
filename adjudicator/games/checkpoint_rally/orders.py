"""The other orders of Checkpoint Rally, and the parts of the grammar (CR-D, CR-R, CR-G, CR-T2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Given, Moves, Order, Part, Problem, Term, count
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import HAND_LIMIT, ROW, Cell, Config, TileId
from adjudicator.games.checkpoint_rally.driving import Move
from adjudicator.games.checkpoint_rally.laying import Place
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.state import Here
from adjudicator.games.checkpoint_rally.turn import Action, draw_into_hand, fill_row, holding, no_gps, not_in_hand


class DrawTwo(Action):
    """Draw two tiles from the stack."""

    examples, template = ("DRAW",), "DRAW"

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(2, "draw two tiles", "CR-D1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        return (yield from draw_into_hand(at, chance, at.seat, 2, "CR-D1"))


class Refresh(Action):
    """Replace the row."""

    examples = ("REFRESH",)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(1, "refresh the row", "CR-R1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        if at.state.row:
            at = yield happened.RowCleared(tiles=at.state.row)
        return (yield from fill_row(at, chance, ROW, "CR-R1"))


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
        at = yield happened.TileTaken(seat=at.seat, tile=self.tile)
        many = ROW - len(at.state.row) if at.config.take_fills_row else 1
        return (yield from fill_row(at, chance, many, "CR-G1"))


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
            if tile not in racer.hand:
                return not_in_hand(racer, tile, "CR-T2", f"tile={tile}")
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
        return (yield happened.TilesDiscarded(seat=at.seat, tiles=self.gone(at)))


class Keep(Discard):
    """Keep ``tiles`` in the hand and discard the rest."""

    examples = ("KEEP H3 U1 U2",)

    @staticmethod
    def named(at: Here) -> int:
        return HAND_LIMIT

    def gone(self, at: Here) -> tuple[TileId, ...]:
        return at.config.sorted(set(at.own.hand).difference(self.tiles))


ORDERS: Final = (Place, Move, DrawTwo, Refresh, Take, Discard, Keep)
TERMS: Final = {
    "tile": Term("a tile such as H3", lambda children: TileId(children[0].upper()), "CR-C2"),
    "cell": Term("a cell such as C2", lambda children: Cell(children[0].upper()), "CR-C1"),
    "turned": Term("a rotation such as `rot 90`", lambda children: Given("rot", int(children[0])), "CR-P1"),
    "gps": Term.constant(Given("gps", True), "`gps`", "CR-P5"),
    "fact": Term("a fact such as `minutes`"),
    "draw": Term("an outcome such as H5"),
}
"""The parts of the grammar."""
