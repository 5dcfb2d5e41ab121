"""Keep what each game says about its players, and compute their standing: turns on time, seats abandoned, ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club import ClubError
from adjudicator.club.club import Club, GameRow, Person
from adjudicator.core.values import Seat, Value
from adjudicator.library.seat_records import SIMULATED, SeatRecord, places_of, records_of
from adjudicator.mail.envelope import plain_address
from adjudicator.reports.texts import table_lines
from adjudicator.site.standings import (
    NEW_RATING,
    RECORD_HEADINGS,
    PlayerStanding,
    Rating,
    player_standing,
    ratings,
    record_rows,
    share,
    standing_words,
)

_RECORDS: Final = (
    "select games.id as game, games.ruleset, people.id as person, people.address, people.others, seats.record,"
    " iif(seats.hidden_name = '', seats.name, seats.hidden_name) as name"
    " from seats join games on games.id = seats.game join people on people.id = seats.person"
    " where games.removed = 0 and seats.until >= 0 and (? = 0 or games.is_over or seats.person = ?)"
    " and (? or games.is_over or coalesce(json_extract(games.settings, '$.names'), '') <> 'hidden')"
    " order by games.name, seats.until = 0, seats.id"
)


class MemberStanding(Value, kw_only=True):
    """The standing of a member, and the ``ratings`` by ruleset of those rulesets of which a finished game counts."""

    standing: PlayerStanding
    ratings: Mapping[str, Rating]

    def words(self, *rulesets: str) -> str:
        """Return the two ratios and the ratings by ``rulesets`` (none: by all) as text."""
        rated = (f"{name} {self.ratings[name]}" for name in rulesets or self.ratings if name in self.ratings)
        return f"{standing_words(self.standing)}; rating: {', '.join(rated) or f'{NEW_RATING} (no games yet)'}"


class PlayerRating(Value, kw_only=True):
    """The rating of a player by the games of one ``ruleset``: in two of three cases within ``doubt`` of ``rating``."""

    ruleset: str
    rating: int
    doubt: int
    rated_games: int


class ClubStanding(Value, kw_only=True):
    """The standing of a player, who writes from ``address``, by the last ten games.

    The player sent orders ``on_time`` in so many of the ``turns_due``, and has left ``seats_abandoned`` of those begun and
    taken over. ``excused`` turns do not count. ``seats`` is the record on each seat of these games.
    """

    player: str
    address: str
    on_time: int
    turns_due: int
    excused: int
    seats_abandoned: int
    seats_begun: int
    seats_taken_over: int
    player_ratings: tuple[PlayerRating, ...]
    seats: tuple[SeatRecord, ...]


class ClubStandings(Value, kw_only=True):
    """The ``club_standings`` of players of a club."""

    club_standings: tuple[ClubStanding, ...]


class _Row(Value, kw_only=True):
    game: int
    ruleset: str
    name: str
    person: int
    address: str
    others: tuple[str, ...]
    record: tuple[SeatRecord, ...]


def _key(person: int) -> str:
    """Return what identifies a person in records; players whom the club does not know have only their names."""
    return f"person/{person}"


def record(club: Club, row: GameRow, game: adj.Game) -> None:
    """Write what ``game`` says about the players of its seats into their rows."""
    seats = club.seats(row, former=True)
    names = {(Seat(one.seat), name): _key(one.person) for one in seats for name in (*one.names, one.name)}
    for one in seats:
        holder = game.players.get(Seat(one.seat), SIMULATED)
        if not one.until and holder != SIMULATED:  # the present player, also under another name
            names[Seat(one.seat), holder] = _key(one.person)
    found, known = records_of(game, names), {*names.values()}
    for one in seats:
        own = tuple(
            each
            for each in found
            if each.seat == one.seat and (each.player == _key(one.person) or (not one.until and each.player not in known))
        )
        club.db.update("seats", one.id, record=own)


def standing(club: Club, person: Person, *, is_shown: bool = False) -> MemberStanding:
    """Return the standing of ``person``, as of the last reports of each game.

    If it ``is_shown`` to others, games that hide the names of their players count when they are over.
    """
    rows = club.db.all(_Row, _RECORDS, person.id, person.id, not is_shown)
    return _of(_key(person.id), rows, _ratings(rows))


def standings(club: Club, player: str = "") -> ClubStandings:
    """Return the standing of ``player``, an address or a name, or (empty) of all, with ratings. Raises ``ClubError``."""
    rows = club.db.all(_Row, _RECORDS, 0, 0, 1)
    names, addresses, words = dict[str, str](), dict[str, str](), defaultdict[str, set[str]](set)
    for row in rows:  # the last one names the player
        key = _key(row.person)
        names[key], addresses[key] = row.name, row.address
        words[key] |= {one.casefold() for one in (row.name, row.address, *row.others)}
        for unknown in {one.player for one in row.record} - {key, ""}:
            names[unknown], addresses[unknown] = unknown, ""
            words[unknown].add(unknown.casefold())
    wanted = sorted(names, key=lambda key: addresses[key] or names[key])
    if player:
        asked = plain_address(player).casefold()
        wanted = [key for key in wanted if asked in words[key]]
        if not wanted:  # without a game
            people = club.db.all(Person, "select * from people order by id")
            for one in (one for one in people if one.has_address(asked) or one.name.casefold() == asked):
                wanted.append(_key(one.id))
                names[wanted[-1]], addresses[wanted[-1]] = one.name, one.address
        if len(wanted) != 1:
            known = ", ".join(addresses[key] or names[key] for key in wanted)
            several = f"several players are called {player}; name one by address: {known}"
            raise ClubError(several if wanted else f"the club has no player {player}; `club list` lists all")
    rated, shown = _ratings(rows), []
    for key in wanted:
        found = _of(key, rows, rated)
        own = found.standing
        shown.append(
            ClubStanding(
                player=names[key],
                address=addresses[key],
                on_time=own.on_time,
                turns_due=own.due,
                excused=own.excused,
                seats_abandoned=own.abandoned,
                seats_begun=own.begun,
                seats_taken_over=own.taken_over,
                player_ratings=tuple(
                    PlayerRating(ruleset=ruleset, rating=one.value, doubt=one.doubt, rated_games=one.games)
                    for ruleset, one in found.ratings.items()
                ),
                seats=own.seats,
            )
        )
    return ClubStandings(club_standings=tuple(shown))


def standings_text(found: ClubStandings, width: int | None = None, *, is_long: bool) -> str:
    """Return the standings of players in ``width`` columns, a row for each; if ``is_long``, with the record on each seat."""
    rows = [
        (
            one.player or "–",
            one.address,
            share(one.on_time, one.turns_due, "turns"),
            str(one.excused),
            share(one.seats_abandoned, one.seats_begun + one.seats_taken_over, "seats"),
            ", ".join(f"{each.ruleset} {each.rating} ± {each.doubt}" for each in one.player_ratings) or "–",
        )
        for one in found.club_standings
    ]
    headings = ("player", "address", "on time", "excused", "abandoned", "ratings")
    lines = list(table_lines(headings, rows, width)) if rows else ["no players"]
    records = record_rows(found.club_standings[0].seats) if is_long and rows else ()
    more = ["", *table_lines(RECORD_HEADINGS, records, width)] if records else []
    return "\n".join([*lines, *more])


def _of(key: str, rows: Sequence[_Row], rated: Mapping[str, Mapping[str, Rating]]) -> MemberStanding:
    own = player_standing(one for row in rows for one in row.record if one.player == key)
    return MemberStanding(standing=own, ratings={ruleset: found[key] for ruleset, found in rated.items() if key in found})


def _ratings(rows: Sequence[_Row]) -> dict[str, dict[str, Rating]]:
    """Return the rating of each player by ruleset."""
    games = defaultdict[tuple[str, int], list[SeatRecord]](list)
    for row in rows:
        games[row.ruleset, row.game] += row.record
    return {
        ruleset: ratings((own[0].finished_at, places_of(own)) for (of, _), own in games.items() if own and of == ruleset)
        for ruleset in sorted({row.ruleset for row in rows})
    }
