"""Send the queued letters, each once; tell the program of the club what happens in its games; delete old contents."""

from __future__ import annotations

from typing import Final, Literal

import adjudicator as adj
from adjudicator.club2.club import Club, GameRow
from adjudicator.core.values import Value

HOOK: Final = "hook"
"""The kind of letters that go to the club's own program."""
Event = Literal["begin", "turn", "deadline", "over"]


class Delivery(Value, kw_only=True):
    """The numbers of letters that were sent, that wait for another try, and that the club has given up.

    ``stopped`` says why the round did not try some letters (empty: it tried all); the next round begins with them. ``done``
    has a line for each letter.
    """

    sent: int = 0
    later: int = 0
    given_up: int = 0
    stopped: str = ""
    done: tuple[str, ...] = ()


def post(club: Club) -> Delivery:
    """Send the letters that are due. Raises ``LookupError`` if the password is missing."""
    raise NotImplementedError


def note_bounce(club: Club, data: bytes) -> None:
    """Raise a matter for each letter of this club that did not arrive, according to the mail in ``data``."""
    raise NotImplementedError


def announce(club: Club, row: GameRow, game: adj.Game, event: Event, key: str) -> None:
    """Queue a notice of ``event`` for the program ``hook`` of the club, once for each ``key``."""
    raise NotImplementedError


def prune(club: Club) -> None:
    """Delete, once a day, contents of letters of 30 days ago and uses of limits of 7 days ago."""
    raise NotImplementedError
