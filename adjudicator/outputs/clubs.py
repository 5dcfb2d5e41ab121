"""What the command `club` prints with `--json`."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class RoundDone:
    """One round of a club.

    ``fetched`` counts mails that have come; ``sent``, ``later`` and ``given_up`` letters that went out, are to be tried
    again, or cannot be sent; ``gone_on`` are the games that have. ``troubles`` say what could not be done.
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

    ``deadline`` is in seconds since 1970, ``awaited`` are the seats that are asked, ``orders_from`` those whose newest mail
    waits and has no mistake. ``stopped`` says why nothing is done at the deadline.
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
    """What waits for the moderator: its number ``n``, its game, since when (seconds since 1970), ``what`` it is.

    ``held_mails`` counts the mails that wait with it for `accept`.
    """

    n: int
    game: str
    since: int
    what: str
    held_mails: int


@frozen(kw_only=True)
class ClubLetter:
    """A letter that no server has taken yet, and ``why``.

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
    """Who plays ``seat`` of a game of the club, and the addresses of the player."""

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
    """How a club stands: its games, what waits for the moderator, which letters are ``unsent``.

    ``letters`` counts all letters by kind and state.
    """

    name: str
    club_games: tuple[ClubGame, ...]
    matters: tuple[ClubMatter, ...]
    unsent: tuple[ClubLetter, ...]
    letters: Mapping[str, int]


@frozen(kw_only=True)
class ClubChange:
    """What was changed, in words, a line each."""

    done: tuple[str, ...]
