"""Keep the lists for new games: offer games, give places, let people confirm them, begin the game; requests for a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.club2.club import Club, Person

from adjudicator.core.values import Value


class ListRow(Value, kw_only=True):
    """The list for the next game of a ``ruleset``, with so many ``players`` who meet the least ``reliability`` in percent.

    ``deadline`` is a duration (empty: as in the club); ``language`` the code of the language in which its players may write
    orders, besides English (empty: none). ``is_set`` says that `club.toml` offers it. ``game`` is what began from it.
    """

    id: int
    ruleset: str
    players: int
    options: Mapping[str, str]
    deadline: str
    language: str
    reliability: int
    is_set: bool
    opened: int
    closed: int
    game: int | None


class Place(Value, kw_only=True):
    """The place of a ``person`` on a ``list``: ``since`` when, when it was ``asked`` and ``done`` (confirmed; 0: not)."""

    id: int
    list: int
    person: int
    since: int
    asked: int
    done: int


def open_lists(club: Club) -> list[ListRow]:
    """Return the open lists, by ruleset."""
    raise NotImplementedError


def places(club: Club, number: int) -> list[Place]:
    """Return the places on a list in the order in which people joined it."""
    raise NotImplementedError


def join(club: Club, person: Person, wanted: str, seat: str = "") -> str:
    """Give ``person`` a place on the list ``wanted``, or confirm it, or ask for a seat in that game; return the answer."""
    raise NotImplementedError


def leave(club: Club, person: Person, wanted: str = "") -> str:
    """Give up the places of ``person`` on the list ``wanted``, or on all (empty); return the answer."""
    raise NotImplementedError


def ask_for_seat(club: Club, person: Person, game: str, seat: str = "") -> str:
    """Ask the moderator to give ``person`` the ``seat`` of ``game`` (empty: any) if it has no player; return the answer."""
    raise NotImplementedError


def propose(club: Club, person: Person, ruleset: str, wish: Mapping[str, str], key: str) -> str:
    """Send the moderator the wish of ``person`` for a game; return the answer. ``key`` identifies the command."""
    raise NotImplementedError


def open_list(club: Club, words: Iterable[str]) -> str:
    """Open a list for a game, such as `great-race players=3`; return the game as text. Raises ``ClubError``."""
    raise NotImplementedError


def games_text(club: Club, person: Person) -> str:
    """Return the games that ``person`` can join, those that run, and those that are over; names of players are not in it."""
    raise NotImplementedError


def welcome_member(club: Club, person: Person) -> None:
    """Queue the letter to a new member: the games, the commands, the house rules."""
    raise NotImplementedError


def confirm_by(club: Club, person: Person, references: Sequence[str]) -> list[str]:
    """Confirm the places of ``person`` that a mail with these ``references`` answers for; return an answer for each."""
    raise NotImplementedError


def tend(club: Club, troubles: list[str], *, has_all_mails: bool) -> None:
    """Do what is due on the lists: offer games, ask for confirmations, begin games that are full.

    Unless the club ``has_all_mails`` that have come, nobody loses a place: another mail may confirm it.
    """
    raise NotImplementedError
