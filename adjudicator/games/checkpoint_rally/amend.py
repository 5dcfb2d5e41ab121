"""A state the moderator has amended: what follows from the new values is put right, what cannot be is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_rally.components import INDEX, TileId
from adjudicator.games.checkpoint_rally.state import Racer, Stage, State
from adjudicator.games.checkpoint_rally.table import Table


def amended(table: Table, state: State) -> State:
    """Return ``state`` with hands, stack and markers in their order.

    Raises ``SetupError`` with everything that cannot be: tiles in two places or nowhere, a car where no tile lies,
    checkpoints that no card asks for, seats changed.
    """
    problems = tuple(_problems(table, state))
    if problems:
        raise SetupError(problems)
    racers = tuple(replace(racer, hand=table.sorted(racer.hand)) for racer in state.racers)
    clocks = {racer.seat: racer.minutes for racer in racers}
    # Markers keep their order within a stack; only a clock that was changed moves its marker.
    order: tuple[Seat, ...] = tuple(sorted(state.order, key=clocks.__getitem__))
    return replace(state, racers=racers, order=order, stack=table.sorted(state.stack))


def _problems(table: Table, state: State) -> Iterator[Problem]:
    if tuple(racer.seat for racer in state.racers) != table.seats:
        yield _problem("the seats of a game cannot be amended")
        return
    yield from _tile_problems(table, state)
    pieces = [frame.piece for frame in state.border]
    if len(set(pieces)) < len(pieces) or not set(pieces) <= set(table.pieces):
        yield _problem(f"the border cannot be made of {' '.join(pieces)}")
    if state.stage is not Stage.DEALING and sorted(state.order) != sorted(table.seats):
        yield _problem("the order of the markers must name every seat once")
    for racer in state.racers:
        yield from _racer_problems(table, state, racer)


def _tile_problems(table: Table, state: State) -> Iterator[Problem]:
    laid = [square.tile for square in state.board if square is not None]
    hands = [tile for racer in state.racers for tile in racer.hand]
    counts: Counter[TileId] = Counter([*laid, *hands, *state.stack, *state.discard, *state.row])
    for tile, count in counts.items():
        if tile not in table.rank:
            yield _problem(f"the component set has no tile {tile}")
        elif count > 1:
            yield _problem(f"tile {tile} would be in {count} places")
    missing = [tile for tile in table.rank if tile not in counts]
    if missing:
        yield _problem(f"these tiles would be nowhere: {', '.join(missing)}")


def _racer_problems(table: Table, state: State, racer: Racer) -> Iterator[Problem]:
    if racer.car is not None and racer.car not in table.cars:
        yield _problem(f"{racer.seat}: the component set has no car {racer.car}")
    if racer.card is not None and racer.card not in table.maps:
        yield _problem(f"{racer.seat}: the component set has no card {racer.card}")
        return
    if racer.cell is not None and (racer.cell not in INDEX or state.board[INDEX[racer.cell]] is None):
        yield _problem(f"{racer.seat}: the car would stand on {racer.cell}, where no tile lies")
    checkpoints = table.maps[racer.card] if racer.card else ()
    if len(set(racer.marked)) < len(racer.marked) or not set(racer.marked) <= set(checkpoints):
        yield _problem(f"{racer.seat}: the card asks for {' '.join(checkpoints)}, not {' '.join(racer.marked)}")
    elif checkpoints and (set(racer.marked) == set(checkpoints)) != (racer.place is not None):
        yield _problem(f"{racer.seat}: who has marked every checkpoint has a place, and nobody else")


def _problem(message: str) -> Problem:
    return Problem("checkpoint-rally/impossible-amendment", message)
