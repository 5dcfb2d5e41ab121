"""Define the facts for conditions: the cars, the hands, the tiles and the checkpoints."""

from __future__ import annotations

from typing import Final

from adjudicator.game import MODERATOR, Fact, FactValue, View
from adjudicator.games.checkpoint_rally.components import INDEX, Cell, Config
from adjudicator.games.checkpoint_rally.state import STACK, Here, Racer, State

Seen = View[Config, State, Racer]
DIAL: Final = 30
"""Minutes on the dial of the stopwatch (CR-T2)."""


def dial_of(minutes: int) -> int:
    """Return the minute a marker shows on the dial: 30 at the start of every lap (CR-T2)."""
    return minutes % DIAL or DIAL


def _hand(at: Seen, argument: str) -> FactValue:
    seat = argument.lower() or at.seat
    if seat not in at.config.seats:
        return None
    hand = at.of(seat).hand
    return hand if at.seat in (seat, MODERATOR) else len(hand)


def _tile_at(at: Here, argument: str) -> FactValue:
    index = INDEX.get(Cell(argument.upper()))
    laid = None if index is None else at.state.board[index]
    return None if laid is None else laid.tile


FACTS: Final = {
    "minutes": Fact.of_seat("minutes spent; `minutes of SEAT` for another seat", "minutes"),
    "dial": Fact.of_seat("the minute the marker shows, 1 to 30; `dial of SEAT`", lambda at: dial_of(at.own.minutes)),
    "hand": Fact("the tiles of your hand, or how many; `hand of SEAT`: how many", _hand, "seat"),
    "row": Fact.of_game("the tiles of the row, or how many", lambda at: at.state.row),
    "stack": Fact.of_game("tiles left in the stack", lambda at: STACK.many_left(at.config, at.state)),
    "discards": Fact.of_game("the tiles of the discard pile, or how many", lambda at: at.state.discard),
    "gps": Fact.of_seat("GPS updates left; `gps of SEAT`", "gps"),
    "checkpoints": Fact.of_seat("the checkpoints marked, or how many; `checkpoints of SEAT`", "marked"),
    "left": Fact.of_seat("your checkpoints not marked yet, or how many", lambda at: at.own.left(at.config)),
    "car": Fact.of_seat("the cell of the car; `car of SEAT`", "cell"),
    "tile": Fact("`tile at CELL`: the tile on that cell", _tile_at, "place"),
}
"""The facts that conditions can use."""
