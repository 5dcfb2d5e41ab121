"""Define the output of the command `club` with `--json`."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import frozen
from adjudicator.outputs.sites import UnmadePage


@frozen(kw_only=True)
class RoundDone:
    """One round of a club.

    ``fetched`` counts new mails; ``sent``, ``later`` and ``given_up`` count letters that were sent, must be tried again, or
    cannot be sent. ``gone_on`` are the games that continued, ``troubles`` the failures.
    """

    fetched: int
    gone_on: tuple[str, ...]
    sent: int
    later: int
    given_up: int
    troubles: tuple[str, ...]


@frozen(kw_only=True)
class ClubGame:
    """A game of a club.

    ``deadline`` is in seconds since 1970, ``awaited`` are the seats that are due, ``orders_from`` those whose newest mail
    waits and has no mistake. ``stopped`` says why the deadline has no effect.
    """

    game: str
    over: bool
    paused: bool
    deadline: int | None
    awaited: tuple[str, ...]
    orders_from: tuple[str, ...]
    stopped: str


@frozen(kw_only=True)
class ClubMatter:
    """A matter for the moderator: its number ``n``, its game, its time (seconds since 1970), and ``what`` it is.

    ``held_mails`` counts the mails that wait with it for `accept`.
    """

    n: int
    game: str
    since: int
    what: str
    held_mails: int


@frozen(kw_only=True)
class ClubLetter:
    """A letter that no server has accepted yet, and ``why``.

    ``next_try`` is in seconds since 1970 (null: the club has given it up).
    """

    kind: str
    game: str
    seat: str
    to: str
    next_try: int | None
    why: str


@frozen(kw_only=True)
class ClubPlayer:
    """The player of a ``seat`` in a game of the club, with the player's addresses."""

    game: str
    seat: str
    player: str
    addresses: tuple[str, ...]


@frozen(kw_only=True)
class ClubList:
    """The ``players`` of the games of a club, in the order of games and seats."""

    players: tuple[ClubPlayer, ...]


@frozen(kw_only=True)
class ClubStatus:
    """The state of a club: its games, the matters for the moderator, the ``unsent`` letters.

    ``letters`` counts all letters by kind and state. ``desk`` says why the club cannot write the players' pages; it is empty
    if nothing is wrong.
    """

    name: str
    club_games: tuple[ClubGame, ...]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]
    desk: str
    letters: Mapping[str, int]


@frozen(kw_only=True)
class ClubPublished:
    """The public pages of a club in ``folder``, with its ``index``, and the numbers of its games.

    ``changed_files`` counts the files that were written because they are new or changed, ``removed_files`` those of earlier
    runs that are gone. ``unmade`` are the pages that could not be made, ``troubles`` the games whose settings could not be
    read: they name no player.
    """

    folder: str
    index: str
    running_games: int
    finished_games: int
    changed_files: int
    removed_files: int
    unmade: tuple[UnmadePage, ...]
    troubles: tuple[str, ...]


@frozen(kw_only=True)
class ClubChange:
    """The changes, a sentence for each."""

    done: tuple[str, ...]
