"""Keep what each game says about its players, and compute their standing from it: turns on time, seats abandoned, ratings."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.club2.club import Club, GameRow, Person

import adjudicator as adj
from adjudicator.core.values import Value
from adjudicator.library.seat_records import SeatRecord
from adjudicator.site.standings import PlayerStanding, Rating


class MemberStanding(Value, kw_only=True):
    """The standing of a member, and the ``ratings`` by ruleset of those rulesets of which a finished game counts."""

    standing: PlayerStanding
    ratings: Mapping[str, Rating]

    def words(self, *rulesets: str) -> str:
        """Return the two ratios and the ratings by ``rulesets`` (none: by all) as text."""
        raise NotImplementedError


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


def record(club: Club, row: GameRow, game: adj.Game) -> None:
    """Write what ``game`` says about the players of its seats into their rows."""
    raise NotImplementedError


def standing(club: Club, person: Person) -> MemberStanding:
    """Return the standing of ``person``, as of the last reports of each game."""
    raise NotImplementedError


def standings(club: Club, player: str = "") -> ClubStandings:
    """Return the standing of ``player``, an address or a name, or (empty) of all, with ratings. Raises ``ClubError``."""
    raise NotImplementedError
