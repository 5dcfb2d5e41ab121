"""Read from a journal what each player has done on each seat: turns on time, deadlines missed. Anyone can repeat this."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.corrections import MissedDeadline, Past, SeatHanded, WentOnHoliday
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat
from adjudicator.library.game import Game
from adjudicator.reports.data.player_standing import SIMULATED, SeatRecord

_LATEST: Final = 253402300799
"""The last second of the year 9999."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

Names = Mapping[tuple[Seat, str], str]
"""The identity of the player with a seat and a name in the journal, such as an address; for others it is the name."""


def finished_at(game: Game) -> int | None:
    """Return when the last orders arrived that have a date, in seconds since 1970; ``None`` without such dates."""
    dates = (one.received for one in game.record.receipts)
    return max((date for date in dates if date is not None and 0 <= date <= _LATEST), default=None)


def records_of(game: Game, names: Names | None = None) -> tuple[SeatRecord, ...]:
    """Return what each player has done on each seat of the game; ``names`` identifies players by seat and name."""
    rules, record = game.rules, game.record
    is_over = rules.is_over(record.state)
    return seat_records(
        record.id,
        record.setup.players,
        (link.entry for link in record.journal),
        places={one.seat: one.place for one in rules.standings(record.state)} if is_over else None,
        finished=finished_at(game) if is_over else None,
        names=names or {},
    )


def seat_records(
    game: str,
    players: Iterable[Player],
    entries: Iterable[Entry],
    *,
    places: Mapping[Seat, int] | None = None,
    finished: int | None = None,
    names: Names = {},  # noqa: B006 - it is read-only
) -> tuple[SeatRecord, ...]:
    """Return the record of each player of a game on each seat, from the ``entries`` of its journal.

    ``places`` are those of a finished game (``None``: it is running). A turn counts once for a seat, in each adjudication
    with orders of it. What an undo has taken back does not count.
    """
    table = _Table({one.seat: names.get((one.seat, one.holder), one.holder) for one in players}, names)
    listed = tuple(entries)
    past = Past(())
    for entry in listed:
        past.take(entry)
    table.undone = past.abandoned.keys()
    for entry in listed:
        table.read(entry)
    return tuple(
        SeatRecord(
            game=game,
            seat=seat,
            player=player,
            is_begun=own.is_begun,
            has_left=table.held[seat] != player and (places is None or own.left < table.last_order),
            is_over=places is not None,
            on_time=len(own.turns),
            missed=own.missed,
            excused=own.excused,
            place=None if places is None else places.get(seat),
            finished_at=finished if places is not None else None,
        )
        for (seat, player), own in table.own.items()
        if player != SIMULATED
    )


@dataclass
class _Own:
    """The record of one player on one seat so far; ``left`` is the entry with which another player got the seat."""

    is_begun: bool = False
    turns: set[int] = field(default_factory=set)
    missed: int = 0
    excused: int = 0
    left: int = 0


@dataclass
class _Miss:
    """A missed deadline: the last ``turn`` decided for the seat, and whether others have given orders since."""

    turn: int = -1
    is_past: bool = False


class _Table:
    """The players who ``held`` the seats, read from a journal entry by entry."""

    def __init__(self, held: dict[Seat, str], names: Names) -> None:
        self.held, self._names = held, names
        self.own: dict[tuple[Seat, str], _Own] = {(seat, who): _Own(is_begun=True) for seat, who in held.items()}
        self.undone: Iterable[int] = ()
        self.last_order = 0
        self._holidays = defaultdict[Seat, list[tuple[str, str]]](list)
        self._missed: dict[Seat, _Miss] = {}

    def read(self, entry: Entry) -> None:
        """Count ``entry``."""
        if entry.seat in self.held:
            if entry.is_order:
                self._order(entry, entry.seat)
            return
        for event in entry.events:
            match event:
                case WentOnHoliday(seat=seat, first=first, last=last):
                    self._holidays[seat].append((first, last))
                case SeatHanded(seat=seat, holder=holder):
                    self._hand(entry.n, seat, self._names.get((seat, holder), holder))
                case MissedDeadline(seat=seat, due=due):
                    self._missed[seat] = _Miss()
                    days = _DAY.findall(due)
                    is_excused = any(first <= day <= last for first, last in self._holidays[seat] for day in days)
                    if entry.n not in self.undone:
                        own = self.own[seat, self.held[seat]]
                        own.excused += is_excused
                        own.missed += not is_excused
                case _:
                    pass

    def _order(self, entry: Entry, seat: Seat) -> None:
        """Count the turn of an order, unless it was decided for the seat after a missed deadline.

        The club decides until the game no longer asks the seat: these are the first adjudication with orders of the seat,
        and all others before another seat's order.
        """
        self.last_order = entry.n
        for other, past in self._missed.items():
            past.is_past |= other != seat
        miss = self._missed.get(seat)
        if miss is not None and (miss.turn in (-1, entry.turn) or not miss.is_past):
            miss.turn = entry.turn
            return
        self._missed.pop(seat, None)
        if entry.n not in self.undone:
            self.own[seat, self.held[seat]].turns.add(entry.turn)

    def _hand(self, n: int, seat: Seat, player: str) -> None:
        before = self.held[seat]
        if before == player:
            return
        self.own[seat, before].left = n
        self.own.setdefault((seat, player), _Own(is_begun=not before))
        self.held[seat] = player
        self._missed.pop(seat, None)
        self._holidays.pop(seat, None)
