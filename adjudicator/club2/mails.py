"""The mails of the club: the states of a mail, and the steps in which each is answered, in the order of arrival.

A mail that fails is held with its cause, and the others go on. If the failure is temporary, it keeps its place.
"""

from __future__ import annotations

from typing import Final

from adjudicator.club2.club import Club, MailRow
from adjudicator.core.values import Value
from adjudicator.mail.mailbox import NewMail

MOVES: Final = {
    "new": frozenset({"ignored", "held", "answered", "waiting"}),
    "held": frozenset({"new", "ignored"}),
    "waiting": frozenset({"taken", "answered", "ignored"}),
}
"""The states to which a mail can go from each state."""


class Backlog(Value, kw_only=True):
    """The numbers of the ``games`` with mails that stay new (0: mails of no game), and why (``troubles``).

    ``done`` has a line for each mail that the club handled.
    """

    games: frozenset[int]
    troubles: tuple[str, ...]
    done: tuple[str, ...] = ()


def keep(club: Club, found: NewMail) -> bool:
    """Store a mail in the ledger; return whether it is new and not a copy of a stored one.

    A large mail is stored without its attachments. If the clock went back since the sender's last mail, this one counts as
    received at the same time, after it.
    """
    raise NotImplementedError


def answer_all(club: Club) -> Backlog:
    """Answer every new mail; return which of them stay new, and why."""
    raise NotImplementedError


def move(club: Club, mail: MailRow, state: str, **columns: object) -> None:
    """Give ``mail`` another ``state`` and other values in ``columns``. Raises ``ValueError`` for a move that is none."""
    raise NotImplementedError
