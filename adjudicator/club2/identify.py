"""Find who wrote a mail, by its token, its sender's address, and the results of the club's mail server.

If possible, the head of the mail decides: the body is decoded only if the head names a player, or if people can join the
club, and never if the sender may be forged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from adjudicator.club2.club import Club, GameRow, Person, SeatRow
from adjudicator.club2.people import Confirmation
from adjudicator.core.values import Value
from adjudicator.mail.envelope import Envelope

ReadLines = Callable[[], tuple[str, ...]]
"""Decodes the body of a mail, which takes time, and returns its lines."""


class Writer(Value, kw_only=True):
    """Who wrote a mail, as far as it is proven.

    ``kind``: a `program`, which gets no answer; a `stranger` who asks to join; a `member`, perhaps one who has just
    ``answered`` a letter; the `player` of ``seat`` in ``game``; or in `doubt`. ``why`` says why the club does not read the
    mail, ``group`` under which key mails from one path wait together, and ``lacking`` are the seats whose player seems to
    have sent it without a right token.
    """

    kind: Literal["program", "doubt", "stranger", "member", "player"]
    person: Person | None = None
    answered: Confirmation | None = None
    game: GameRow | None = None
    seat: SeatRow | None = None
    why: str = ""
    group: str = ""
    lacking: tuple[SeatRow, ...] = ()


def identify(club: Club, envelope: Envelope, read_lines: ReadLines, at: int) -> Writer:
    """Return the writer of the mail with this ``envelope``, received ``at`` (seconds since 1970).

    The log counts mails without a right token by the path on which they came.
    """
    raise NotImplementedError


def why_unproven(authserv_id: str, envelope: Envelope) -> str:
    """Return why the club's mail server does not prove the sender of a mail; empty if it does, or if no proof is needed."""
    raise NotImplementedError


def ask_for_token(club: Club, identity: str, received: int, seats: tuple[SeatRow, ...], references: tuple[str, ...]) -> None:
    """Write to the players of ``seats`` how to send a mail again, each at most once within 24 hours.

    A player of several seats gets one letter with the lines of all. The sender of a mail can be forged: the letter goes to
    the address that the club knows.
    """
    raise NotImplementedError
