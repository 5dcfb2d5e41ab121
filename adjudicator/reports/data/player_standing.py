"""Compute how reliable a player is from the journals of games: orders on time, seats abandoned. Anyone can repeat this."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.corrections import MissedDeadline, SeatHanded, WentOnHoliday, abandoned_entries
from adjudicator.core.entry_numbers import is_skipped
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import Player
from adjudicator.core.words import is_word
from adjudicator.outputs.standings import SeatRecord

SIMULATED: Final = "a simulated player"
"""The player of a seat that the club has given up."""
LAST_GAMES: Final = 10
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_CONDITION: Final = re.compile(r"(reliability|abandoned)(>=|<=)(\d{1,3})%?")

Names = Mapping[tuple[Seat, str], str]
"""The player behind a seat and a name in the journal, for example by address; others are known by the name."""


class ConditionError(ValueError):
    """A condition on a player's standing is not valid; the message shows a valid one."""


@frozen
class PlayerStanding:
    """The record of one player on the ``seats`` of the last ten games, and the number of games ``running`` that it began.

    A stand-in risks nothing: on a seat that the player took over, orders on time count, but neither misses nor leaving.
    """

    seats: tuple[SeatRecord, ...] = ()
    running: int = 0

    @property
    def on_time(self) -> int:
        """The turns with orders on time."""
        return sum(one.on_time for one in self.seats)

    @property
    def due(self) -> int:
        """The turns in which the player owed orders, without those on holiday."""
        return self.on_time + sum(one.missed for one in self.seats if one.is_begun)

    @property
    def excused(self) -> int:
        """The turns missed on holiday."""
        return sum(one.excused for one in self.seats)

    @property
    def begun(self) -> int:
        """The seats that the player had when their games began."""
        return sum(one.is_begun for one in self.seats)

    @property
    def taken_over(self) -> int:
        """The seats that the player took over and sent orders for."""
        return sum(not one.is_begun and one.on_time > 0 for one in self.seats)

    @property
    def abandoned(self) -> int:
        """The seats that the player left before the end, without those taken over."""
        return sum(one.is_begun and one.has_left for one in self.seats)


def meets(standing: PlayerStanding, condition: str) -> bool:
    """Return whether ``standing`` meets a ``condition``, such as `reliability>=90` or `reliability>=90 abandoned<=10`.

    `reliability` is the percentage of turns on time, `abandoned` that of seats abandoned. A player without turns due or
    seats meets both. Raises ``ConditionError``.
    """
    parts = re.sub(r"\s*([<>]=)\s*", r"\1", condition.lower()).split()
    found = [(part, _CONDITION.fullmatch(part)) for part in parts]
    if not found or not all(match for _, match in found):
        wrong = next((part for part, match in found if not match), condition)
        raise ConditionError(f"“{wrong}” is not a condition; write reliability>=90 or abandoned<=10")
    return all(_meets(standing, *match.groups()) for _, match in found if match is not None)


def _meets(standing: PlayerStanding, name: str, sign: str, percent: str) -> bool:
    is_reliability = name == "reliability"
    part = standing.on_time if is_reliability else standing.abandoned
    whole = standing.due if is_reliability else standing.begun + standing.taken_over
    value, bound = (100 * part, int(percent) * whole) if whole else (100 * is_reliability, int(percent))
    return value >= bound if sign == ">=" else value <= bound


def has_room(standing: PlayerStanding, most: int) -> bool:
    """Return whether the player may begin another game.

    Players who have abandoned more seats than they have taken over may have at most ``most`` games that they began.
    """
    return standing.abandoned <= standing.taken_over or standing.running < most


RECORD_HEADINGS: Final = ("game", "seat", "on time", "missed", "on holiday", "note")


def record_rows(standing: PlayerStanding) -> list[tuple[str, ...]]:
    """Return a row of text for each seat of ``standing``, under ``RECORD_HEADINGS``."""
    return [
        (one.game, one.seat, str(one.on_time), str(one.missed), str(one.excused), ", ".join(_notes(one)))
        for one in standing.seats
    ]


def _notes(one: SeatRecord) -> Iterator[str]:
    if not one.is_begun:
        yield "taken over"
    if one.has_left:
        yield "abandoned" if one.is_begun else "left"
    yield "finished" if one.is_over else "running"


def standing_words(standing: PlayerStanding) -> str:
    """Return the two ratios of ``standing`` as text."""
    seats = standing.begun + standing.taken_over
    return f"orders on time: {share(standing.on_time, standing.due)}; seats abandoned: {share(standing.abandoned, seats)}"


def share(part: int, whole: int) -> str:
    """Return a ratio as text: `9 of 10 (90 %)`."""
    return f"{part} of {whole}{f' ({100 * part // whole} %)' if whole else ''}"


def player_standing(records: Iterable[SeatRecord]) -> PlayerStanding:
    """Return the standing of the player with these ``records``, of all games; running games are the last ones."""
    listed = sorted(records, key=lambda one: (not one.is_over, one.finished or 0, one.game, one.seat))
    games = list(dict.fromkeys(one.game for one in listed))[-LAST_GAMES:]
    running = {one.game for one in listed if one.is_begun and not (one.is_over or one.has_left)}
    return PlayerStanding(tuple(one for one in listed if one.game in games), len(running))


def places_of(records: Iterable[SeatRecord]) -> dict[str, int]:
    """Return the place of each player who played a finished game from the beginning: stand-ins risk no rating.

    It is empty if one of them is unknown or has several seats.
    """
    played = [one for one in records if one.is_begun and not one.has_left and one.place is not None]
    found = {one.player: one.place for one in played if one.place is not None}
    return found if "" not in found and len(found) == len(played) else {}


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
    table.undone = abandoned_entries(listed).keys()
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
            finished=finished if places is not None else None,
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
            if not is_skipped(entry) and not is_word(entry):
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


def by_player(records: Iterable[SeatRecord]) -> Iterator[tuple[str, PlayerStanding]]:
    """Yield each named player of ``records`` with the standing, by name."""
    found = defaultdict[str, list[SeatRecord]](list)
    for one in records:
        if one.player:
            found[one.player].append(one)
    for player in sorted(found):
        yield player, player_standing(found[player])
