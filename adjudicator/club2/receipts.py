"""Answer a player's mail: the orders in it, their problems, which orders count now and at the deadline, and replies."""

from __future__ import annotations

from collections.abc import Sequence

import adjudicator as adj
from adjudicator.club2.club import MailRow
from adjudicator.club2.commands import Ask, Found, Quota, Reply
from adjudicator.core.values import Value


class Answer(Value, kw_only=True):
    """The answer to a mail, before a letter is written.

    ``text`` goes to the player (empty: the player gets no answer), ``subject`` says in a few words how the club took the
    mail. ``state`` is the new state of the mail, and ``why`` its reason (that a waiting mail has a mistake); ``is_ready``
    says whether the seat is ready with it.
    """

    text: str
    subject: str
    state: str
    why: str = ""
    is_ready: bool = False


def answer(
    ask: Ask, submission: adj.Submission, found: Found, replies: Sequence[Reply], quota: Quota, waiting: Sequence[MailRow]
) -> Answer:
    """Return the answer to the mail of ``ask``, a player's.

    ``submission`` and ``found`` are its orders and commands (see ``read_orders``), ``replies`` those to the commands,
    ``waiting`` the other mails of the seat that wait, in their order.
    """
    raise NotImplementedError
