"""Compute how reliable a player is, from the records of seats in all games: orders on time, seats abandoned."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.values import Seat, Value

SIMULATED: Final = "a simulated player"
"""The player of a seat that the club has given up."""
LAST_GAMES: Final = 10
RECORD_HEADINGS: Final = ("game", "on time", "missed", "excused", "note")
NEW_RATING: Final = 1500
"""The rating of a player without rated games."""
_CONDITION: Final = re.compile(r"(reliability|abandoned|rating)(>=|<=)(\d{1,3}|(?<=rating[<>]=)\d{4})%?")


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


class ConditionError(ValueError):
    """A condition on a player's standing is not valid; the message shows a valid one."""


class PlayerStanding(Value):
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


def meets(standing: PlayerStanding, condition: str, rating: int = NEW_RATING) -> bool:
    """Return whether ``standing`` and ``rating`` meet a ``condition``, such as `reliability>=90 abandoned<=10 rating>=1500`.

    `reliability` is the percentage of turns on time, `abandoned` that of seats abandoned. A player without turns due or
    seats meets both. Raises ``ConditionError``.
    """
    parts = re.sub(r" ?([<>]=) ?", r"\1", " ".join(condition.lower().split())).split()
    found = [(part, _CONDITION.fullmatch(part)) for part in parts]
    if not found or not all(match for _, match in found):
        wrong = next((part for part, match in found if not match), condition)
        raise ConditionError(f"“{wrong}” is not a condition; write reliability>=90, abandoned<=10 or rating>=1500")
    return all(_meets(standing, rating, *match.groups()) for _, match in found if match is not None)


def _meets(standing: PlayerStanding, rating: int, name: str, sign: str, number: str) -> bool:
    match name:
        case "reliability":
            part, whole = (standing.on_time, standing.due) if standing.due else (1, 1)
        case "abandoned":
            part, whole = standing.abandoned, standing.begun + standing.taken_over or 1
        case _:
            part, whole = rating, 100
    value, bound = 100 * part, int(number) * whole
    return value >= bound if sign == ">=" else value <= bound


def has_room(standing: PlayerStanding, most: int) -> bool:
    """Return whether the player may begin another game.

    Players who have abandoned more seats than they have taken over may have at most ``most`` games that they began.
    """
    return standing.abandoned <= standing.taken_over or standing.running < most


def record_rows(standing: PlayerStanding) -> list[tuple[str, ...]]:
    """Return a row of text for each seat of ``standing``, under ``RECORD_HEADINGS``."""
    return [
        (f"{one.game} ({one.seat})", str(one.on_time), str(one.missed), str(one.excused), ", ".join(_notes(one)))
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
    excused = f", {standing.excused} excused" if standing.excused else ""
    turns = share(standing.on_time, standing.due, "turns")
    seats = share(standing.abandoned, standing.begun + standing.taken_over, "seats")
    return f"orders on time: {turns}{excused}; seats abandoned: {seats}"


def share(part: int, whole: int, things: str) -> str:
    """Return a ratio of ``things`` as text: `9 of 10 (90 %)`, or `no turns yet`."""
    return f"{part} of {whole} ({100 * part // whole} %)" if whole else f"no {things} yet"


def player_standing(records: Iterable[SeatRecord]) -> PlayerStanding:
    """Return the standing of the player with these ``records``, of all games; running games are the last ones."""
    listed = sorted(records, key=lambda one: (not one.is_over, one.finished_at or 0, one.game, one.seat))
    games = list(dict.fromkeys(one.game for one in listed))[-LAST_GAMES:]
    running = {one.game for one in listed if one.is_begun and not (one.is_over or one.has_left)}
    return PlayerStanding(tuple(one for one in listed if one.game in games), len(running))


def places_of(records: Iterable[SeatRecord]) -> dict[str, int]:
    """Return the place of each player who began a finished game: that of the seat, also if the player has left it.

    Stand-ins risk no rating. It is empty if a player is unknown or has several seats.
    """
    played = [one for one in records if one.is_begun and one.place is not None]
    found = {one.player: one.place for one in played if one.place is not None}
    return found if "" not in found and len(found) == len(played) else {}


def by_player(records: Iterable[SeatRecord]) -> Iterator[tuple[str, PlayerStanding]]:
    """Yield each named player of ``records`` with the standing, by name."""
    found = defaultdict[str, list[SeatRecord]](list)
    for one in records:
        if one.player:
            found[one.player].append(one)
    for player in sorted(found):
        yield player, player_standing(found[player])
