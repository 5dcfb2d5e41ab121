"""Compute how reliable and how strong players are, from the records of seats: orders on time, seats abandoned, ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Final

from adjudicator.core.values import Value
from adjudicator.library.seat_records import SeatRecord

LAST_GAMES: Final = 10
RECORD_HEADINGS: Final = ("game", "on time", "missed", "excused", "note")
NEW_RATING: Final = 1500
"""The rating of a player without rated games."""


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


def record_rows(seats: Iterable[SeatRecord]) -> list[tuple[str, ...]]:
    """Return a row of text for each of ``seats``, under ``RECORD_HEADINGS``."""
    rows = list[tuple[str, ...]]()
    for one in seats:
        notes = [] if one.is_begun else ["taken over"]
        notes += [("abandoned" if one.is_begun else "left")] if one.has_left else []
        notes.append("finished" if one.is_over else "running")
        rows.append((f"{one.game} ({one.seat})", str(one.on_time), str(one.missed), str(one.excused), ", ".join(notes)))
    return rows


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


def standings_by_player(records: Iterable[SeatRecord]) -> Iterator[tuple[str, PlayerStanding]]:
    """Yield each named player of ``records`` with the standing, by name."""
    found = defaultdict[str, list[SeatRecord]](list)
    for one in records:
        if one.player:
            found[one.player].append(one)
    for player in sorted(found):
        yield player, player_standing(found[player])


class Rating(Value):
    """The strength of a player: in two of three cases within ``doubt`` of ``value``, by this number of ``games``."""

    value: int
    doubt: int
    games: int

    def __str__(self) -> str:
        return f"{self.value} ± {self.doubt}"


def ratings(games: Iterable[tuple[int | None, Mapping[str, int]]]) -> dict[str, Rating]:
    """Return the rating of each player by finished games of one ruleset, the best first.

    Each game is its end, in seconds since 1970 (``None``: not known), and the place of each player whom it rates; it counts
    if it rates several. Games with a date count in its order, after those without one. A high rating with much doubt ranks
    lower.
    """
    from openskill.models import PlackettLuce, PlackettLuceRating

    mean = NEW_RATING
    model = PlackettLuce(mu=mean, sigma=mean / 3, beta=mean / 6, tau=mean / 300)  # in their usual ratio
    found: dict[str, PlackettLuceRating] = {}
    played = Counter[str]()
    for _, places in sorted(((end or 0, places) for end, places in games if len(places) > 1), key=itemgetter(0)):
        before = [[found.get(who) or model.rating()] for who in places]
        after = model.rate(before, ranks=[float(place) for place in places.values()])
        found |= {who: team[0] for who, team in zip(places, after, strict=True)}
        played.update(places.keys())
    shown = {who: Rating(round(one.mu), round(one.sigma), played[who]) for who, one in found.items()}
    return {who: shown[who] for who in sorted(shown, key=lambda who: (3 * shown[who].doubt - shown[who].value, who))}
