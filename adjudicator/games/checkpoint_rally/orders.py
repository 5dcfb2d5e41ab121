"""The orders of Checkpoint Rally: when each is legal, what it costs and what it does (CR-P to CR-G, CR-S6, CR-T2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, Final

from adjudicator.game import Chance, Order, Part, Problem, Seat, Spent, Term, count, suggest, total
from adjudicator.games.checkpoint_rally import components as parts
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, Cell, Config, TileId
from adjudicator.games.checkpoint_rally.deal import Moves, draw_into_hand, fill_row
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.roads import driven_path, move_why, paths, place_why, reachable, start_why
from adjudicator.games.checkpoint_rally.state import Here, Racer

DRAW_LINE: Final = 15
"""A tile is drawn for each so many minutes spent (CR-T2)."""
_MOST_STEPS: Final = 2


class _Action(Order):
    """An action of a turn: what it does, then its minutes, which may end the last chance of its seat."""

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Yield the events of the action without its minutes; return the state after them."""
        raise NotImplementedError

    def decide(self, at: Here, chance: Chance) -> Moves:
        before, why = at.own.minutes, self.cost(at)
        at = yield from self.effect(at, chance)
        if why:
            at = yield from _spend(at, why, chance)
        # CR-F2: an action of 0 minutes moves no marker, so that it passes none.
        if at.state.acting == at.seat and at.own.minutes != before:
            passed = _passed_by(at)
            if passed is not None:
                at = yield happened.LastChanceEnded(seat=at.seat, passed=passed)
        return at


class Place(_Action):
    """Lay ``tile`` from the hand at ``cell``, turned ``rot`` degrees clockwise; keep the replaced tile with a GPS update."""

    examples = ("PLACE H3 at C2 rot 90",)
    tile: TileId
    cell: Cell
    rot: int = 0
    gps: bool = False

    def text(self) -> str:
        return f"PLACE {self.tile} at {self.cell} rot {self.rot}{' gps' if self.gps else ''}"

    def wrong(self, config: Config) -> Problem | None:
        problem = _unknown_tile(config, self.tile) or _unknown_cell(self.cell, "cell")
        if problem is not None or self.rot in parts.ROTATIONS:
            return problem
        message = f"a tile is turned by 0, 90, 180 or 270 degrees clockwise, not {self.rot}"
        # 27 is more likely 270 with a digit lost than anything else.
        near = suggest(str(self.rot), map(str, parts.ROTATIONS)) or map(str, parts.ROTATIONS)
        return META.problem("bad-rotation", message, "CR-C2", "turned", tuple(f"rot {rotation}" for rotation in near))

    def check(self, at: Here) -> Problem | None:
        """CR-P1, CR-P5: a tile of the hand, on an empty cell or a tile without a car; CR-S6: first in the own corner."""
        racer, corner = at.own, at.config.corners[at.seat]
        problem, is_start = _not_in_hand(racer, self.tile, "tile", "CR-P1"), racer.has_to_start
        if is_start and self.cell != corner:
            message = f"the start tile goes into the seat's own corner, {corner}"
            return META.problem("not-your-corner", message, "CR-S6", "cell", (corner,))
        if is_start and self.gps:
            return META.problem("nothing-to-keep", "no tile is replaced at the start", "CR-P5", "gps")
        if problem is not None or is_start:
            return problem
        cars = [other.seat for other in at.state.racers if other.cell == self.cell]
        if cars:
            message = f"{self.cell} carries the car of {' and '.join(cars)}: a tile under a car stays"
            return META.problem("car-on-cell", message, "CR-P1", "cell")
        if not self.gps:
            return None
        if at.state.at(self.cell) is None:
            message = f"{self.cell} is empty: there is no tile to keep with a GPS update"
            return META.problem("nothing-to-keep", message, "CR-P5", "gps")
        return _no_gps(racer, "gps")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        racer, cars = at.own, {other.cell for other in at.state.racers}
        cells = {at.config.corners[at.seat]: None} if racer.has_to_start else dict(zip(CELLS, at.state.board, strict=True))
        for tile in racer.hand:
            for cell, laid in cells.items():
                if cell not in cars:
                    yield from (cls(tile, cell, rot) for rot in parts.ROTATIONS)
                    if laid is not None and racer.gps:
                        yield from (cls(tile, cell, rot, gps=True) for rot in parts.ROTATIONS)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        if at.own.has_to_start:
            return start_why(at, self.tile, self.cell, self.rot)
        return place_why(at.config, at.state, self.tile, self.cell, self.rot)

    def effect(self, at: Here, chance: Chance) -> Moves:
        """CR-P1; CR-S6: at the start, the car drives onto the tile, and both are clocked."""
        is_start, old = at.own.has_to_start, at.state.at(self.cell)
        at = yield happened.TilePlaced(
            seat=at.seat,
            tile=self.tile,
            cell=self.cell,
            rot=self.rot,  # type: ignore[arg-type]  # ``validate`` accepts only the four rotations
            replaced=old.tile if old else None,
            is_kept=self.gps,
            rule="CR-P5" if old else "CR-P1",
        )
        if is_start:
            at = yield from _drive(at, (self.cell,), "CR-S6")
        return at


class Move(_Action):
    """Drive the car to each of ``path`` in turn, one or two cells."""

    examples = ("MOVE C3 D3",)
    path: tuple[Cell, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Move:
        """Return the order that the cells of its grammar rule make."""
        return cls(tuple(children))

    def text(self) -> str:
        return f"MOVE {' '.join(self.path)}"

    def wrong(self, config: Config) -> Problem | None:
        unknown = (_unknown_cell(cell, f"cell:{number}") for number, cell in enumerate(self.path))
        problem = next(filter(None, unknown), None)
        if problem is not None or 1 <= len(self.path) <= _MOST_STEPS:
            return problem
        message = f"a move is one or two steps, not {len(self.path)}"
        short = Move(self.path[:_MOST_STEPS]).text()
        return META.problem("three-steps", message, "CR-M1", f"cell:{_MOST_STEPS}", (short,))

    def check(self, at: Here) -> Problem | None:
        """CR-M1: each step to a neighbouring tile, by a road that both tiles have on the shared side."""
        here = at.own.cell or at.config.corners[at.seat]  # Who is asked for an action has a car on the board.
        for number, cell in enumerate(self.path):
            ways = tuple(reachable(at.config, at.state, here))
            if cell not in ways:
                code, message = "no-road", f"no road leads from {here} to {cell}: both tiles need an exit there"
                if INDEX[cell] not in parts.NEIGHBOURS[INDEX[here]]:
                    code, message = "not-adjacent", f"{cell} does not touch {here}"
                elif at.state.at(cell) is None:
                    code, message = "no-tile", f"no tile lies on {cell}"
                return META.problem(code, message, "CR-M1", f"cell:{number}", ways)
            here = cell
        return None

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, paths(at.config, at.state, at.own.cell or at.config.corners[at.seat]))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return move_why(at, self.path)

    def effect(self, at: Here, chance: Chance) -> Moves:
        driven, _ = driven_path(at.config, at.own, self.path)
        return (yield from _drive(at, driven, "CR-M1"))


class DrawTwo(_Action):
    """Draw two tiles from the stack."""

    examples = ("DRAW",)

    def text(self) -> str:
        return "DRAW"

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(2, "draw two tiles", "CR-D1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        return (yield from draw_into_hand(at, chance, at.seat, 2, "CR-D1"))


class Refresh(_Action):
    """Replace the row."""

    examples = ("REFRESH",)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return (Part(1, "refresh the row", "CR-R1"),)

    def effect(self, at: Here, chance: Chance) -> Moves:
        if at.state.row:
            at = yield happened.RowCleared(tiles=at.state.row)
        return (yield from fill_row(at, chance, "CR-R1"))


class Take(_Action):
    """Take ``tile`` out of the row with a GPS update."""

    examples = ("TAKE U7",)
    tile: TileId

    def wrong(self, config: Config) -> Problem | None:
        return _unknown_tile(config, self.tile)

    def check(self, at: Here) -> Problem | None:
        """CR-G1: a tile of the row, for a GPS update."""
        if self.tile not in at.state.row:
            message = f"{self.tile} is not in the row, which {_holding(at.state.row)}"
            return META.problem("not-in-row", message, "CR-G1", "tile", at.state.row)
        return _no_gps(at.own, "tile")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, at.state.row if at.own.gps else ())

    def effect(self, at: Here, chance: Chance) -> Moves:
        at = yield happened.TileTaken(seat=at.seat, tile=self.tile)
        return (yield from fill_row(at, chance, "CR-G1"))


class _OfHand(Order):
    """An order about tiles of the hand: sorted, so that the order of naming them makes no difference."""

    tiles: tuple[TileId, ...]

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        """Return the order that the tiles of its grammar rule make."""
        return cls(in_order(children))

    def text(self) -> str:
        return f"{type(self).__name__.upper()} {' '.join(self.tiles)}"

    @staticmethod
    def number(racer: Racer) -> int:
        """Return how many tiles ``racer`` must name."""
        raise NotImplementedError

    def gone(self, config: Config, racer: Racer) -> tuple[TileId, ...]:
        """Return the tiles that ``racer`` discards, in the order of the component set."""
        return config.sorted(self.tiles)

    def wrong(self, config: Config) -> Problem | None:
        for tile in self.tiles:
            part = f"tile={tile}"
            if tile not in config.rank:
                return _unknown_tile(config, tile, part)
            if self.tiles.count(tile) > 1:
                return META.problem("tile-twice", f"{tile} is named twice", "CR-T2", part)
        return None

    def check(self, at: Here) -> Problem | None:
        """CR-T2: the tiles over the hand limit go, exactly the hand limit stays."""
        racer = at.own
        due = self.number(racer)
        for tile in self.tiles:
            if tile not in racer.hand:
                return _not_in_hand(racer, tile, f"tile={tile}", "CR-T2")
        if len(self.tiles) == due:
            return None
        must = f"{'keep exactly' if isinstance(self, Keep) else 'discard'} {count(due, 'tile')}"
        return META.problem("wrong-count", f"{must}, not {len(self.tiles)}: the hand holds {' '.join(racer.hand)}", "CR-T2")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        racer = at.own
        return (cls.read([*tiles]) for tiles in combinations(racer.hand, cls.number(racer)))

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.TilesDiscarded(seat=at.seat, tiles=self.gone(at.config, at.own)))


class Discard(_OfHand):
    """Put ``tiles`` of the hand on the discard pile."""

    examples = ("DISCARD G7 H2",)
    tiles: tuple[TileId, ...]

    @staticmethod
    def number(racer: Racer) -> int:
        return racer.excess


class Keep(_OfHand):
    """Keep ``tiles`` in the hand and discard the rest."""

    examples = ("KEEP H3 U1 U2",)
    tiles: tuple[TileId, ...]

    @staticmethod
    def number(racer: Racer) -> int:
        return parts.HAND_LIMIT

    def gone(self, config: Config, racer: Racer) -> tuple[TileId, ...]:
        return config.sorted(set(racer.hand).difference(self.tiles))


ORDERS: Final = (Place, Move, DrawTwo, Refresh, Take, Discard, Keep)


def _passed_by(at: Here) -> Seat | None:
    """Return whose marker the acting ``seat`` has passed so that its last chance is over, or ``None`` (CR-F2).

    Markers count that belong to a finished car or to a seat that still has its chance; with ``last-chance=any-marker``
    every marker counts. A marker on the same minute is not passed.
    """
    minutes = at.own.minutes
    for other in at.state.order:
        racer = at.of(other)
        if other != at.seat and racer.minutes < minutes and (not racer.chance_over or at.config.any_marker_ends_chance):
            return other
    return None


def _drive(at: Here, path: tuple[Cell, ...], rule: str) -> Moves:
    """Enter each cell of ``path``, marking checkpoints on the way (CR-K1)."""
    checkpoints = at.config.maps[at.own.card or ""]
    for cell in path:
        racer = at.own
        at = yield happened.CarDriven(seat=at.seat, came_from=racer.cell, cell=cell, rule=rule)
        if cell in checkpoints and cell not in racer.marked:
            at = yield happened.CheckpointMarked(seat=at.seat, cell=cell)
    return at


def _spend(at: Here, why: tuple[Part, ...], chance: Chance) -> Moves:
    """Move the marker; then finish, or draw for each draw line passed (CR-T2, CR-F1)."""
    racer = at.own
    before, after = racer.minutes, racer.minutes + total(why)
    at = yield Spent(seat=at.seat, before=before, after=after, why=why)
    if len(racer.marked) == len(at.config.maps[racer.card or ""]):
        return (yield happened.CarFinished(seat=at.seat, place=len(at.state.finishers) + 1))
    lines = after // DRAW_LINE - before // DRAW_LINE
    return (yield from draw_into_hand(at, chance, at.seat, lines, "CR-T2")) if lines > 0 else at


def _unknown_tile(config: Config, tile: TileId, part: str = "") -> Problem | None:
    return META.unknown("tile", tile, config.rank, "CR-C2", part)


def _unknown_cell(cell: Cell, part: str) -> Problem | None:
    if cell in INDEX:
        return None
    return META.problem("unknown-cell", f"{cell} is not on the board (A1 to E5)", "CR-C1", part, CELLS, cell)


def _not_in_hand(racer: Racer, tile: TileId, part: str, rule: str) -> Problem | None:
    if tile in racer.hand:
        return None
    message = f"{tile} is not in the hand, which {_holding(racer.hand)}"
    return META.problem("not-in-hand", message, rule, part, racer.hand, tile)


def _holding(tiles: tuple[TileId, ...]) -> str:
    return f"holds {' '.join(tiles)}" if tiles else "is empty"


def _no_gps(racer: Racer, part: str) -> Problem | None:
    return None if racer.gps else META.problem("gps-spent", "both GPS updates are spent", "CR-C6", part)


def in_order(tiles: Iterable[TileId]) -> tuple[TileId, ...]:
    """Return ``tiles`` sorted as people sort them: H2 before H10."""
    return tuple(sorted(tiles, key=lambda tile: (tile.rstrip("0123456789"), len(tile), tile)))


def _turned_first(children: list[Any]) -> Place:
    tile, rot, cell, gps = children
    return Place(tile, cell, rot, gps is not None)


TERMS: Final = {
    "tile": Term("a tile such as H3", lambda children: TileId(children[0].upper()), "CR-C2"),
    "cell": Term("a cell such as C2", lambda children: Cell(children[0].upper()), "CR-C1"),
    "turned": Term.number("a rotation such as `rot 90`", rule="CR-P1"),
    "gps": Term.constant(True, "`gps`", "CR-P5"),
    "place_turned": Term("", _turned_first),
    "place_gps_turned": Term("", lambda children: Place(children[0], children[1], children[3], gps=True)),
    "fact": Term("a fact such as `minutes`"),
    "draw": Term("an outcome such as H5"),
}
"""The parts of the grammar."""
