"""Replay a game entry by entry from its record, as one viewer may read it, without asking the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from adjudicator.core.corrections import SeatHanded
from adjudicator.core.journal import Entry
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import Seat, Value, Viewer
from adjudicator.library.game import Game
from adjudicator.library.present import is_hidden, log_maker
from adjudicator.reports.data.position import Position
from adjudicator.results import LogRow


class NoSuchEntryError(AdjudicatorError):
    """Report that the first or last entry of a replay does not exist."""


class Move(Value):
    """One entry as a viewer may read it.

    ``rows`` is its part of the log, the row of the entry's own seat first; ``state`` the whole state after it, which is for
    ``present.position_maker`` only. ``turn`` is the number that reports named then, ``holders`` the names of the players.
    """

    entry: Entry
    rows: tuple[LogRow, ...]
    state: Any
    turn: int
    holders: Mapping[Seat, str]


def moves_of(game: Game, viewer: Viewer, first: int = 0, last: int | None = None) -> Iterator[Move]:
    """Return the moves of ``game`` from entry ``first`` to entry ``last`` (``None``: to the end).

    The numbers are those by which ``viewer`` knows the entries: the moderator's own, or the public's.
    Raises ``NoSuchEntryError`` at once. Events that no game can have make the rules fail when it comes to them.
    """
    numbers = numbers_for(game, viewer)
    end = numbers[-1]
    until = end if last is None else last
    for number in (first, until):
        if not 0 <= number <= end:
            entries = f"entries 0 (the set-up) to {end}" if end else "only entry 0, the set-up"
            raise NoSuchEntryError(f"there is no entry {number} in this game: it has {entries}")
    if first > until:
        raise NoSuchEntryError(f"the replay would begin at entry {first}, after its end at entry {until}")
    real = [number for number, shown in enumerate(numbers) if first <= shown <= until]
    return _moves(game, viewer, real[0], real[-1])


def numbers_for(game: Game, viewer: Viewer) -> tuple[int, ...]:
    """Return the number that ``viewer`` sees for each entry."""
    numbers = game.timeline.entry_numbers
    return tuple(numbers.number(n, viewer) for n in range(len(game.record.journal)))


def _moves(game: Game, viewer: Viewer, first: int, last: int) -> Iterator[Move]:
    journal, timeline = game.record.journal, game.timeline
    log_of, held = log_maker(game, viewer), {player.seat: player.holder for player in game.record.setup.players}
    for entry, state in timeline.states(last=last):
        if isinstance(event := entry.outside, SeatHanded):
            held = {**held, event.seat: event.holder}
        if entry.n >= first and not is_hidden(entry, viewer):
            yield Move(entry, log_of([journal[entry.n]]), state, timeline.turn_after(entry.n), held)


Look = Callable[[Move], Position]
"""Gives the position after a move."""
