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

    ``deadline`` is in seconds since 1970, ``awaited`` are the seats that are asked, ``orders_from`` those whose orders are
    there. ``stopped`` says why nothing is done at the deadline.
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
    """What waits for the moderator: its number ``n``, its game, since when (seconds since 1970), ``what`` it is."""

    n: int
    game: str
    since: int
    what: str


@frozen(kw_only=True)
class ClubStatus:
    """How a club stands: its games, what waits for the moderator, how many letters of each kind are in which state."""

    name: str
    club_games: tuple[ClubGame, ...]
    matters: tuple[ClubMatter, ...]
    letters: Mapping[str, int]


@frozen(kw_only=True)
class ClubChange:
    """What was changed, in words, a line each."""

    done: tuple[str, ...]
