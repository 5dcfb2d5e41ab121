"""Read from a journal what each player has done on each seat: turns on time, deadlines missed. Anyone can repeat this."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.corrections import MissedDeadline, SeatHanded, WentOnHoliday
from adjudicator.core.values import Seat, Value
from adjudicator.library.game import Game

SIMULATED: Final = "a simulated player"
"""The player of a seat that the club has given up."""
_LATEST: Final = 253402300799
"""The last second of the year 9999."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

Names = Mapping[tuple[Seat, str], str]
"""The identity of the player with a seat and a name in the journal, such as an address; for others it is the name."""


class SeatRecord(Value, kw_only=True):
    """The record of one ``player`` on one ``seat`` of a ``game``.

    ``is_begun`` says that the player had the seat when the game began, and ``has_left`` that another player got it before
    the end. ``on_time`` and ``missed`` count turns; ``excused`` are those missed on holiday. A finished game has the
    ``place`` of the seat, and ``finished_at``, when its last orders arrived (in seconds since 1970, null: not known).
    """

    game: str
    seat: Seat
    player: str
    is_begun: bool
    has_left: bool = False
    is_over: bool = False
    on_time: int = 0
    missed: int = 0
    excused: int = 0
    place: int | None = None
    finished_at: int | None = None


def finished_at(game: Game) -> int | None:
    """Return when the last orders arrived that have a date, in seconds since 1970; ``None`` without such dates."""
    return max(dates_of(game), default=None)


def dates_of(game: Game) -> list[int]:
    """Return when orders arrived, in seconds since 1970, without dates beyond the year 9999."""
    dates = (one.received for one in game.record.receipts)
    return [date for date in dates if date is not None and 0 <= date <= _LATEST]


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


def records_of(game: Game, names: Names = {}) -> tuple[SeatRecord, ...]:  # noqa: B006 - it is read-only
    """Return what each player has done on each seat of the game; ``names`` identifies players by seat and name.

    A turn counts once for a seat, in each adjudication with orders of it, unless it was decided for the seat after a missed
    deadline: the club decides until the game no longer asks the seat, so these are the first adjudication with orders of the
    seat, and all others before another seat's order. What an undo has taken back does not count. A private game that goes on
    from another one counts for nobody.
    """
    if game.fork is not None:
        return ()
    past, is_over = game.timeline.past, game.is_over
    finished = finished_at(game) if is_over else None
    places = {one.seat: one.place for one in game.standings} if is_over else {}
    held = {one.seat: names.get((one.seat, one.holder), one.holder) for one in game.record.setup.players}
    own = {(seat, who): _Own(is_begun=True) for seat, who in held.items()}
    holidays, misses, last_order = defaultdict[Seat, dict[str, str]](dict), dict[Seat, _Miss](), 0
    for entry in (link.entry for link in game.record.journal):
        if entry.seat in held:
            if not entry.is_order:
                continue
            seat, last_order = entry.seat, entry.n
            for other, miss in misses.items():
                miss.is_past |= other != seat
            if seat in misses and (misses[seat].turn in (-1, entry.turn) or not misses[seat].is_past):
                misses[seat].turn = entry.turn
                continue
            misses.pop(seat, None)
            if entry.n not in past.abandoned:
                own[seat, held[seat]].turns.add(entry.turn)
            continue
        for event in entry.events:
            match event:
                case WentOnHoliday(seat=seat, first=first, last=last):
                    holidays[seat][first] = last  # a later note may have ended it early
                case SeatHanded(seat=seat, holder=holder) if names.get((seat, holder), holder) != held[seat]:
                    own[seat, held[seat]].left = entry.n
                    own.setdefault((seat, names.get((seat, holder), holder)), _Own(is_begun=not held[seat]))
                    held[seat] = names.get((seat, holder), holder)
                    misses.pop(seat, None)
                    holidays.pop(seat, None)
                case MissedDeadline(seat=seat, due=due):
                    misses[seat] = _Miss()
                    if entry.n not in past.abandoned:
                        is_away = any(
                            first <= day <= last for first, last in holidays[seat].items() for day in _DAY.findall(due)
                        )
                        own[seat, held[seat]].excused += is_away
                        own[seat, held[seat]].missed += not is_away
                case _:
                    pass
    return tuple(
        SeatRecord(
            game=game.id,
            seat=seat,
            player=player,
            is_begun=one.is_begun,
            has_left=held[seat] != player and (not is_over or one.left < last_order),
            is_over=is_over,
            on_time=len(one.turns),
            missed=one.missed,
            excused=one.excused,
            place=places.get(seat),
            finished_at=finished,
        )
        for (seat, player), one in own.items()
        if player != SIMULATED
    )


def places_of(records: Iterable[SeatRecord]) -> dict[str, int]:
    """Return the place of each player who began a finished game: that of the seat, also if the player has left it.

    Stand-ins risk no rating. It is empty if a player is unknown or has several seats.
    """
    played = [one for one in records if one.is_begun and one.place is not None]
    found = {one.player: one.place for one in played if one.place is not None}
    return found if "" not in found and len(found) == len(played) else {}
