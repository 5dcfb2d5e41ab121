"""Read from journals what each player has done on each seat, and how reliable and strong this makes the players.

Anyone can repeat it from the game files: turns on time, deadlines missed, seats abandoned, ratings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from adjudicator.core.corrections import MissedDeadline, SeatHanded, WentOnHoliday
from adjudicator.core.values import Seat, Value
from adjudicator.library.game import Game

SIMULATED: Final = "a simulated player"
"""The player of a seat that the club has given up."""
LAST_GAMES: Final = 10
RECORD_HEADINGS: Final = ("game", "on time", "missed", "excused", "note")
NEW_RATING: Final = 1500
"""The rating of a player without rated games."""
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


# The standing of a player


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
