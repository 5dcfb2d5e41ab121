"""What happened, in sentences. Hidden things are ``None`` in the events and are told as hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from adjudicator.games.checkpoint_rally import events as happened
from adjudicator.games.checkpoint_rally.config import Config

_ORDINALS: Final = ("first", "second", "third", "fourth")


def tell(config: Config, event: Any) -> str:
    """Return ``event`` as a sentence without a full stop, empty for what the log tells otherwise (the clock)."""
    teller = _TOLD.get(type(event))
    return teller(config, event) if teller else ""


def _tiles(tiles: Iterable[str | None]) -> str:
    names = list(tiles)
    known = [name for name in names if name is not None]
    if known:
        return " ".join(known)
    return "1 tile" if len(names) == 1 else f"{len(names)} tiles"


def _border_laid(config: Config, event: happened.BorderLaid) -> str:
    sides = zip(("north", "east", "south", "west"), event.frames, strict=True)
    return "border: " + ", ".join(f"{side} {frame.piece} ({frame.face})" for side, frame in sides)


def _seat_prepared(config: Config, event: happened.SeatPrepared) -> str:
    car = config.cars[event.car]
    cost = f"highway {car.highway}, gravel {car.gravel}, urban {car.urban}"
    card = f"; checkpoints {' '.join(config.maps[event.card])} (card {event.card})" if event.card else ""
    return f"{event.seat} starts in {config.corners[event.seat]} and drives the {car.name} ({cost}){card}"


def _tile_placed(_config: Config, event: happened.TilePlaced) -> str:
    where = f"{event.seat} lays {event.tile} at {event.cell}, turned {event.rot}°"
    if event.replaced is None:
        return where
    fate = "kept in the hand for a GPS update" if event.is_kept else "discarded"
    return f"{where}, over {event.replaced}, which is {fate}"


def _car_driven(_config: Config, event: happened.CarDriven) -> str:
    if event.came_from is None:
        return f"{event.seat} enters the board at {event.cell}"
    return f"{event.seat} drives from {event.came_from} to {event.cell}"


_TOLD: Final[dict[type, Callable[[Config, Any], str]]] = {
    happened.BorderLaid: _border_laid,
    happened.TileDealt: lambda _config, event: f"{event.tile} is dealt to {event.cell}, turned {event.rot}°",
    happened.SeatPrepared: _seat_prepared,
    happened.MarkersStacked: lambda _config, event: f"order of play: {' '.join(reversed(event.seats))}",
    happened.TilesDrawn: lambda _config, event: f"{event.seat} draws {_tiles(event.tiles)} ({event.rule})",
    happened.StackRenewed: lambda _config, event: f"the discard pile becomes the new stack: {len(event.tiles)} tiles",
    happened.StackRanOut: lambda _config, event: f"stack and discard pile are empty: {event.missing} not drawn",
    happened.RowFilled: lambda _config, event: f"the row gets {_tiles(event.tiles)}",
    happened.RowCleared: lambda _config, event: f"the row is discarded: {_tiles(event.tiles)}",
    happened.TileTaken: lambda _config, event: f"{event.seat} takes {event.tile} out of the row for a GPS update",
    happened.TilePlaced: _tile_placed,
    happened.CarDriven: _car_driven,
    happened.CheckpointMarked: lambda _config, event: f"{event.seat} marks checkpoint {event.cell}",
    happened.CarFinished: lambda _config, event: f"{event.seat} finishes {_ORDINALS[event.place - 1]}",
    happened.TilesDiscarded: lambda _config, event: f"{event.seat} discards {_tiles(event.tiles)}",
    happened.RaceStarted: lambda _config, _event: "all start tiles lie: the race is on",
    happened.LastChanceBegun: lambda _config, event: f"the last chance of {event.seat} begins",
    happened.LastChanceEnded: lambda _config, event: f"the last chance of {event.seat} is over: {event.passed} is passed",
    happened.GameEnded: lambda _config, event: f"the game is over: {event.winner} wins",
}
