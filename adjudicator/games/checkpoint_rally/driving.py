"""Drive: where roads lead, what a step costs, and the checkpoints on the way (CR-M1, CR-K1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.game import Chance, Event, Moves, Name, Part, Problem, Public, Seat
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, NEIGHBOURS, Cell, Config, TileId
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.orders import Action, finished
from adjudicator.games.checkpoint_rally.state import Here, State

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
