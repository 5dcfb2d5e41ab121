"""What cannot be in a position, whether it was given explicitly or amended: the one place where that is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from itertools import pairwise

from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_rally.components import HAND_DEALT, INDEX, ROW, SIDES, TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.position import MOST_IN_HAND, MOST_MINUTES
from adjudicator.games.checkpoint_rally.state import Racer, Stage, State


def impossible(config: Config, state: State) -> Iterator[str]:
    """Yield in words everything that cannot be so in ``state``, which must have the seats of ``config`` in their order."""
    yield from _tiles(config, state)
    yield from _border(config, state)
    for racer in state.racers:
        yield from _racer(config, state, racer)
    yield from _given_twice(state)
    yield from _markers(config, state)
    yield from _finish(state)
    yield from _last_chance(config, state)
    yield from _start(state)
    yield from _stage(state)


def _tiles(config: Config, state: State) -> Iterator[str]:
    """Yield tiles that are not in just one place (CR-C1)."""
    laid = [square.tile for square in state.board if square is not None]
    hands = [tile for racer in state.racers for tile in racer.hand]
    counts: Counter[TileId] = Counter([*laid, *hands, *state.stack, *state.discard, *state.row])
    for tile, count in counts.items():
        if tile not in config.rank:
            yield f"the component set has no tile {tile}"
        elif count > 1:
            yield f"tile {tile} is in {count} places"
    missing = [tile for tile in config.rank if tile not in counts]
    if missing:
        yield f"these tiles are nowhere: {', '.join(missing)}"
    if len(state.row) > ROW:
        yield f"the row has {len(state.row)} tiles, {ROW} are the most"


def _border(config: Config, state: State) -> Iterator[str]:
    pieces = [frame.piece for frame in state.border]
    if len(pieces) != len(SIDES):
        yield f"the border has a piece on each of its {len(SIDES)} sides, not {len(pieces)}"
    for piece, count in Counter(pieces).items():
        if piece not in config.pieces:
            yield f"the component set has no border piece {piece}"
        elif count > 1:
            yield f"border piece {piece} lies on {count} sides"


def _racer(config: Config, state: State, racer: Racer) -> Iterator[str]:
    seat = racer.seat
    if racer.corner != config.corners[seat]:
        yield f"{seat}: it starts from {config.corners[seat]}, as it was set up, not from {racer.corner}"
    yield from _owned(seat, "car", racer.car, config.cars)
    yield from _owned(seat, "card", racer.card, config.maps)
    if racer.cell is not None and (racer.cell not in INDEX or state.board[INDEX[racer.cell]] is None):
        yield f"{seat}: the car stands on {racer.cell}, where no tile lies"
    if len(racer.hand) > MOST_IN_HAND:
        yield f"{seat}: a hand of {len(racer.hand)} tiles is too many, {MOST_IN_HAND} are the most"
    if racer.minutes > MOST_MINUTES:
        yield f"{seat}: {racer.minutes} minutes are too many, {MOST_MINUTES} are the most"
    if racer.card is not None and racer.card in config.maps:
        yield from _checkpoints(racer, config.maps[racer.card])
    if racer.place is not None and racer.cell is not None:
        yield f"{seat}: a car that has finished stands on no cell"
    if racer.place is not None and racer.has_chance:
        yield f"{seat}: who has finished has no more turns"


def _owned(seat: Seat, what: str, name: str | None, known: Container[str]) -> Iterator[str]:
    if name is None:
        yield f"{seat}: it has no {what}"
    elif name not in known:
        yield f"{seat}: the component set has no {what} {name}"


def _checkpoints(racer: Racer, asked: tuple[str, ...]) -> Iterator[str]:
    marked = set(racer.marked)
    if not marked <= set(asked) or len(marked) < len(racer.marked):
        yield f"{racer.seat}: marked are {' '.join(racer.marked)}, the card asks for {' '.join(asked)}, each once"
    elif (len(marked) == len(asked)) != (racer.place is not None):
        yield f"{racer.seat}: who has marked every checkpoint has a place, and nobody else"


def _given_twice(state: State) -> Iterator[str]:
    for what, values in (("car", [racer.car for racer in state.racers]), ("card", [racer.card for racer in state.racers])):
        for value, count in Counter(value for value in values if value is not None).items():
            if count > 1:
                yield f"{what} {value} is given to {count} seats"


def _markers(config: Config, state: State) -> Iterator[str]:
    """Yield where the markers do not lie as the clocks say (CR-T1)."""
    clocks = {racer.seat: racer.minutes for racer in state.racers}
    if sorted(state.order) != sorted(config.seats):
        yield "the order of the markers must name every seat once"
    elif any(clocks[left] > clocks[right] for left, right in pairwise(state.order)):
        yield "the order of the markers must go by the clocks, the least time first"


def _finish(state: State) -> Iterator[str]:
    """Yield places out of turn, and last chances over before the first place is taken (CR-F1, CR-F2)."""
    places = sorted(racer.place for racer in state.racers if racer.place is not None)
    if places != list(range(1, len(places) + 1)):
        yield "places in the finish must be 1, 2, … without a gap"
    if not places and not all(racer.has_chance for racer in state.racers):
        yield "a last chance can be over only after somebody has finished"


def _last_chance(config: Config, state: State) -> Iterator[str]:
    """Yield why the acting seat cannot be in its last chance (CR-F2)."""
    if state.acting is None:
        return
    if state.acting not in config.seats:
        yield f"there is no seat {state.acting} to have the turn"
        return
    if not state.finishers:
        yield "there is a last chance to act in only after somebody has finished"
    if not state.racer(state.acting).has_chance:
        yield f"{state.acting} cannot act: its chance is over"
    if state.starting:
        yield f"{state.acting} cannot act before all have started"


def _start(state: State) -> Iterator[str]:
    """Yield where those who have still to start are not those without a cell and a place, or have no tile for it (CR-S6)."""
    due = [racer for racer in state.racers if racer.cell is None and racer.place is None]
    if sorted(state.starting) != sorted(racer.seat for racer in due):
        named, right = (", ".join(seats) or "none" for seats in (state.starting, [racer.seat for racer in due]))
        yield f"who has neither cell nor place has still to start, nobody else: `starting` must be {right}, is {named}"
    for racer in due:
        if not racer.has_chance:
            yield f"{racer.seat}: its last chance cannot be over before it has started"
    without = [racer.seat for racer in due if not racer.hand]
    if without and len(state.stack) + len(state.discard) <= HAND_DEALT * (len(without) - 1):
        yield f"there are not enough tiles for {' and '.join(without)} to start with"


def _stage(state: State) -> Iterator[str]:
    """Yield what has come about too early or too late for the stage; what follows without an order may be to come."""
    if state.stage is Stage.DEALING:
        yield "the table is laid: nothing is left to be dealt"
    if state.starting and state.stage in (Stage.RACING, Stage.OVER):
        yield f"nobody starts any more while the stage is {state.stage}: `starting` must be none"
    if state.stage is Stage.OVER and any(racer.has_chance for racer in state.racers):
        yield "the game is not over while a seat may still act"
