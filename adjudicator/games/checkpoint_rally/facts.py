"""Define the facts for conditions: the cars, the hands, the tiles and the checkpoints."""

from __future__ import annotations

from typing import Final

from adjudicator.game import MODERATOR, Fact, FactValue, Seat, View
from adjudicator.games.checkpoint_rally.components import INDEX, Cell, Config
from adjudicator.games.checkpoint_rally.state import STACK, Racer, State

Seen = View[State]
DIAL: Final = 30
"""Minutes on the dial of the stopwatch (CR-T2)."""


def left_of(config: Config, racer: Racer) -> tuple[Cell, ...] | None:
    """Return the checkpoints that ``racer`` has still to visit, in the order of its card; ``None`` where that is secret."""
    return tuple(cell for cell in config.maps[racer.card] if cell not in racer.marked) if racer.card else None


def stack_size(config: Config, state: State) -> int:
    """Return the number of tiles in the stack; the tiles of a hidden hand count, though the view does not name them."""
    return STACK.many_left(config, state)


def dial_of(minutes: int) -> int:
    """Return the minute a marker shows on the dial: 30 at the start of every lap (CR-T2)."""
    return minutes % DIAL or DIAL


def _hand(_config: Config, view: Seen, seat: Seat) -> FactValue:
    hand = view.state.racer(seat).hand
    return hand if view.viewer in (seat, MODERATOR) else len(hand)


def _tile_at(_config: Config, view: Seen, argument: str) -> FactValue:
    index = INDEX.get(Cell(argument.upper()))
    laid = None if index is None else view.state.board[index]
    return None if laid is None else laid.tile


FACTS: Final = {
    "minutes": Fact.of_own("minutes spent; `minutes of SEAT` for another seat", "minutes"),
    "dial": Fact.of_own(
        "the minute the marker shows, 1 to 30; `dial of SEAT`", lambda _config, racer: dial_of(racer.minutes)
    ),
    "hand": Fact.of_seat("the tiles of your hand, or how many; `hand of SEAT`: how many", _hand),
    "row": Fact.of_game("the tiles of the row, or how many", lambda _config, view: view.state.row),
    "stack": Fact.of_game("tiles left in the stack", lambda config, view: stack_size(config, view.state)),
    "discards": Fact.of_game("the tiles of the discard pile, or how many", lambda _config, view: view.state.discard),
    "gps": Fact.of_own("GPS updates left; `gps of SEAT`", "gps"),
    "checkpoints": Fact.of_own("the checkpoints marked, or how many; `checkpoints of SEAT`", "marked"),
    "left": Fact.of_own("your checkpoints not marked yet, or how many", left_of),
    "car": Fact.of_own("the cell of the car; `car of SEAT`", "cell"),
    "tile": Fact("`tile at CELL`: the tile on that cell", _tile_at, "place"),
}
"""The facts that conditions can use."""
