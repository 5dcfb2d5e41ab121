"""A turn: an action, its minutes, the tiles that it draws, the finish; and the discard (CR-D, CR-R, CR-G, CR-T, CR-F1)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
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
    total,
)
from adjudicator.games.checkpoint_rally import last_chance
from adjudicator.games.checkpoint_rally.components import HAND_LIMIT, ROW, Cell, Config, TileId
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.state import Here, Racer

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


TERMS: Final = {
    "tile": Term("a tile such as H3", lambda children: TileId(children[0].upper()), "CR-C2"),
    "cell": Term("a cell such as C2", lambda children: Cell(children[0].upper()), "CR-C1"),
    "turned": Term("a rotation such as `rot 90`", lambda children: Given("rot", int(children[0])), "CR-P1"),
    "gps": Term.constant(Given("gps", True), "`gps`", "CR-P5"),
    "fact": Term("a fact such as `minutes`"),
    "draw": Term("an outcome such as H5"),
}
"""The parts of the grammar."""
