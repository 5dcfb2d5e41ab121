"""Define what games say about their players: turns on time, turns missed, seats abandoned, and ratings."""

from __future__ import annotations

from adjudicator.core.values import Seat, Value


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
    """The ``club_standings`` of players of a club, and the games that could not be read (``troubles``)."""

    club_standings: tuple[ClubStanding, ...]
    troubles: tuple[str, ...]
