"""What a viewer may know: the one place where secrets are hidden (hands, checkpoint cards, the stack)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from adjudicator.core.conditions import Facts, Value
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkpoint_rally.components import CELLS, INDEX, Cell, TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.decide import discarded
from adjudicator.games.checkpoint_rally.events import SeatPrepared, TilesDrawn
from adjudicator.games.checkpoint_rally.orders import TEXTS, Discard, Keep, in_order
from adjudicator.games.checkpoint_rally.state import Frame, Laid, Racer, Stage, State
from adjudicator.games.checkpoint_rally.turn import awaiting


@dataclass(frozen=True, slots=True, kw_only=True)
class RacerView:
    """What a viewer knows of a seat: ``hand``, ``card`` and ``checkpoints`` are ``None`` where they are secret."""

    seat: Seat
    car: str | None
    corner: Cell
    cell: Cell | None
    hand_count: int
    hand: tuple[TileId, ...] | None
    card: str | None
    checkpoints: tuple[Cell, ...] | None
    marked: tuple[Cell, ...]
    gps: int
    minutes: int
    place: int | None
    has_chance: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a viewer knows of the position; ``unseen`` are the tiles that are in the stack or in a hand it cannot see."""

    viewer: Viewer
    stage: Stage
    border: tuple[Frame, ...]
    board: tuple[Laid | None, ...]
    stack_count: int
    unseen: tuple[TileId, ...]
    discard: tuple[TileId, ...]
    row: tuple[TileId, ...]
    racers: tuple[RacerView, ...]
    order: tuple[Seat, ...]
    due: tuple[Decision, ...]

    def racer(self, seat: str) -> RacerView | None:
        """Return what is known of ``seat``, or ``None`` if there is no such seat."""
        return next((racer for racer in self.racers if racer.seat == seat), None)


def view(config: Config, state: State, viewer: Viewer) -> View:
    """Return what ``viewer`` may know of ``state``."""
    racers = tuple(_racer_view(config, racer, viewer) for racer in state.racers)
    hidden = [racer.hand for racer in state.racers if not _sees(viewer, racer.seat)]
    return View(
        viewer=viewer,
        stage=state.stage,
        border=state.border,
        board=state.board,
        stack_count=len(state.stack),
        unseen=config.sorted([*state.stack, *(tile for hand in hidden for tile in hand)]),
        discard=state.discard,
        row=state.row,
        racers=racers,
        order=state.order,
        due=awaiting(config, state),
    )


def _sees(viewer: Viewer, seat: Seat) -> bool:
    return viewer in (seat, MODERATOR)


def _racer_view(config: Config, racer: Racer, viewer: Viewer) -> RacerView:
    is_open = _sees(viewer, racer.seat)
    return RacerView(
        seat=racer.seat,
        car=racer.car,
        corner=racer.corner,
        cell=racer.cell,
        hand_count=len(racer.hand),
        hand=racer.hand if is_open else None,
        card=racer.card if is_open else None,
        checkpoints=config.maps[racer.card] if is_open and racer.card else None,
        marked=racer.marked,
        gps=racer.gps,
        minutes=racer.minutes,
        place=racer.place,
        has_chance=racer.has_chance,
    )


def redact(_config: Config, event: Any, viewer: Viewer) -> Any:
    """Return ``event`` as ``viewer`` sees it: others' tiles and cards are ``None``."""
    if isinstance(event, TilesDrawn) and not _sees(viewer, event.seat):
        return replace(event, tiles=(None,) * len(event.tiles))
    if isinstance(event, SeatPrepared) and not _sees(viewer, event.seat):
        return replace(event, card=None)
    return event


def public_text(config: Config, state: State, seat: Seat, order: Any) -> str | None:
    """Return the words in which everybody may read ``order``: ``KEEP`` would tell what stays in the hand."""
    if isinstance(order, Keep):
        return TEXTS[Discard](Discard(in_order(discarded(config, state, seat, order))))
    return None


FACT_NAMES: Final = {
    "minutes": "minutes spent; `minutes of SEAT` for another seat",
    "dial": "the minute the marker shows, 1 to 30; `dial of SEAT`",
    "hand": "the own tiles, or how many; `hand of SEAT`: how many",
    "row": "the tiles of the row, or how many",
    "stack": "tiles left in the stack",
    "discards": "the tiles of the discard pile, or how many",
    "gps": "GPS updates left; `gps of SEAT`",
    "checkpoints": "the checkpoints marked, or how many; `checkpoints of SEAT`",
    "left": "the own checkpoints not marked yet, or how many",
    "car": "the cell the car stands on; `car of SEAT`",
    "tile": "`tile at CELL`: the tile that lies there",
}
"""The facts for conditions, in words."""


def names(config: Config) -> frozenset[str]:
    """Return the words that facts are compared with, in lower case: seats, tiles, cells."""
    return frozenset(word.lower() for word in (*config.seats, *config.rank, *CELLS))


def facts(config: Config, seen: View) -> Facts:
    """Return the named values that conditions of the viewer may use."""
    own = seen.racer(seen.viewer or "")

    def of_seat(value: Callable[[RacerView], Value]) -> Callable[[str], Value]:
        def look_up(argument: str) -> Value:
            racer = seen.racer(argument.lower()) if argument else own
            return None if racer is None else value(racer)

        return look_up

    return {
        "minutes": of_seat(lambda racer: racer.minutes),
        "dial": of_seat(lambda racer: dial(racer.minutes)),
        "hand": of_seat(lambda racer: racer.hand_count if racer.hand is None else racer.hand),
        "row": seen.row,
        "stack": seen.stack_count,
        "discards": seen.discard,
        "gps": of_seat(lambda racer: racer.gps),
        "checkpoints": of_seat(lambda racer: racer.marked),
        "left": of_seat(_left),
        "car": of_seat(lambda racer: racer.cell),
        "tile": lambda argument: _tile_at(seen, argument),
    }


def dial(minutes: int) -> int:
    """Return the minute a marker shows on the 30-minute dial: 30 at the start of every lap (CR-T2)."""
    return minutes % 30 or 30


def _left(racer: RacerView) -> Value:
    if racer.checkpoints is None:
        return None
    return tuple(cell for cell in racer.checkpoints if cell not in racer.marked)


def _tile_at(seen: View, argument: str) -> Value:
    index = INDEX.get(Cell(argument.upper()))
    laid = None if index is None else seen.board[index]
    return None if laid is None else laid.tile
