"""A turn: an action, its minutes, the tiles that it draws, and the finish (CR-T2, CR-T3, CR-F1)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from adjudicator.game import Chance, Moves, Order, Part, Problem, Seat, Spent, ordinal, piles, total
from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally import last_chance
from adjudicator.games.checkpoint_rally.components import TileId
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.games.checkpoint_rally.state import Here, Racer

DRAW_LINE: Final = 15
"""A tile is drawn for each so many minutes spent (CR-T2)."""
FINISH_BONUS: Final = {2: (2, 0), 3: (3, 1, 0), 4: (4, 2, 1, 0)}
"""Minutes off for the first, second … to finish, by number of players (CR-C7)."""


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
            return (yield happened.CarFinished(seat=at.seat, place=len(at.state.finishers) + 1))
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


def draw_into_hand(at: Here, chance: Chance, seat: Seat, count: int, rule: str) -> Moves:
    """Draw ``count`` tiles into the hand of ``seat``, by ``rule``."""
    tiles, at = yield from _draw(at, chance, count, f"a tile of the stack for {seat}")
    return (yield happened.TilesDrawn(seat=seat, tiles=tiles, rule=rule)) if tiles else at


def fill_row(at: Here, chance: Chance, count: int, rule: str) -> Moves:
    """Lay ``count`` tiles of the stack into the row, by ``rule``."""
    tiles, at = yield from _draw(at, chance, count, "a tile of the stack for the row")
    return (yield happened.RowFilled(tiles=tiles, rule=rule)) if tiles else at


def _draw(at: Here, chance: Chance, count: int, purpose: str) -> Generator[object, Here, tuple[tuple[TileId, ...], Here]]:
    """Pick ``count`` tiles of the stack for ``purpose``; return them and the position, in which they are still in the stack.

    When the stack ends on the way, the discard pile becomes the stack; if that is empty, too, there is less to draw (CR-T3).
    """

    def renewal(at: Here) -> happened.StackRenewed | None:
        return happened.StackRenewed(tiles=at.config.sorted(at.state.discard)) if at.state.discard else None

    tiles, at = yield from piles.draw_from(lambda at: at.state.stack(at.config), renewal, at, count, purpose, chance)
    if len(tiles) < count:
        at = yield happened.StackRanOut(missing=count - len(tiles))
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
