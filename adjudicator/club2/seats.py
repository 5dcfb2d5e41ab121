"""Add and remove games, give seats to players, and complete what an interruption has left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import adjudicator as adj
from adjudicator.club2.club import Club, GameRow, Person
from adjudicator.core.values import Value


class ClubPlayer(Value, kw_only=True):
    """The player of a ``seat`` in a game of the club, with the player's addresses."""

    game: str
    seat: str
    player: str
    addresses: tuple[str, ...]


class ClubMember(Value, kw_only=True):
    """A member of the club, who has joined it ``since`` a time, in seconds since 1970."""

    name: str
    address: str
    since: int


class ClubGameSettings(Value, kw_only=True):
    """The settings of a game that differ from those of the club, each as `name = value`."""

    game: str
    settings: tuple[str, ...]


class ClubList(Value, kw_only=True):
    """The ``players`` of the games of a club, in the order of games and seats, and the members of the club by name."""

    players: tuple[ClubPlayer, ...]
    club_members: tuple[ClubMember, ...]
    game_settings: tuple[ClubGameSettings, ...] = ()


def known_games(club: Club, games: Sequence[str]) -> list[GameRow]:
    """Return the rows of ``games``, or those of all games for `all`. Raises ``ClubError`` for an unknown game."""
    raise NotImplementedError


def add_game(club: Club, source: Path, addresses: Mapping[str, str]) -> GameRow:
    """Add the game in the file ``source`` to the club, with the address of each seat.

    The club continues its own copy of the file. Raises ``ClubError``, ``FileProblem``.
    """
    raise NotImplementedError


def begin_game(club: Club, game: adj.Game, people: Mapping[str, Person], **columns: object) -> GameRow:
    """Add the row and the seats of ``game`` for ``people``; the caller makes its folder, or `completed` does.

    ``columns`` are others of the row. Raises ``ClubError``.
    """
    raise NotImplementedError


def seat_player(club: Club, row: GameRow, seat: str, name: str, address: str) -> None:
    """Give ``seat`` to the player ``name``, who writes from ``address``, with a new token.

    The new player gets a welcome letter and a report; the old player gets no more letters. The caller holds the club's
    lock. Raises ``ClubError``, ``FileProblem``.
    """
    raise NotImplementedError


def release_seat(club: Club, row: GameRow, seat: str, reason: str) -> None:
    """Give ``seat`` to a simulated player; the next step of the game tells its players. Raises ``ClubError``."""
    raise NotImplementedError


def grant(club: Club, number: int, seat: str) -> str:
    """Grant the request of matter ``number``; return what was done: the member gets the ``seat``, or the player leaves it.

    Raises ``ClubError``, ``FileProblem``.
    """
    raise NotImplementedError


def remove_game(club: Club, row: GameRow) -> str:
    """Remove a game from the club without letters to its players; return the new place of its file.

    The caller holds the club's lock.
    """
    raise NotImplementedError


def change_game(club: Club, row: GameRow, wanted: Mapping[str, str]) -> list[str]:
    """Give settings of a game new values, by name; return a sentence for each. Raises ``ClubError``, ``Untrusted``."""
    raise NotImplementedError


def completed(club: Club) -> None:
    """Complete what a killed command has left: a game that has no file yet, one on its way to `removed`, a hand-over."""
    raise NotImplementedError


def players(club: Club, games: Sequence[str]) -> ClubList:
    """Return the players of ``games`` with the games' own settings; without ``games``, of all, and the members, by name.

    Tokens are left out. Raises ``ClubError``.
    """
    raise NotImplementedError
