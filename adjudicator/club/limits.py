"""Limit the requests of a seat in a day, and recognize robots that send the same unreadable text again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from enum import StrEnum
from typing import Final

from adjudicator.club.commands import (
    Command,
    Games,
    Help,
    Holiday,
    Join,
    Leave,
    Message,
    New,
    Register,
    Resend,
    Resign,
    RulesRequest,
    Set,
    StandIn,
    Status,
    Wait,
    Who,
    without_quotes,
)
from adjudicator.club.deadlines import holiday_dates, most_days
from adjudicator.club.ledger import Ledger
from adjudicator.club.settings import Limits
from adjudicator.core.values import Seat, digest

DAY: Final = 24 * 3600
"""The time within which the club counts uses, in seconds."""

_YEAR: Final = 367 * DAY
_REMARK: Final = "remark"
_UNREAD: Final = "unread"
_MOST_UNREAD: Final = 20
"""The most mails without anything that can be read to which a seat gets an answer within 24 hours."""
_MOST_ALIKE: Final = 5
"""The most remarks, or texts with mistakes that differ only in numbers, to which a seat gets an answer within 24 hours."""
Away = Collection[tuple[str, str]]
"""The names under which the ledger has the holidays of a player: game and seat, or `club` and the number of a member."""


class RequestKind(StrEnum):
    """A limited kind of request, named as in the settings."""

    MESSAGES = "messages"
    RULES = "rules"
    STATUS = "status"
    RECEIPTS = "receipts"


_LIMITED: Final[dict[type[Command], RequestKind]] = {
    Message: RequestKind.MESSAGES,
    Holiday: RequestKind.MESSAGES,
    Resign: RequestKind.MESSAGES,
    RulesRequest: RequestKind.RULES,
    Status: RequestKind.STATUS,
    Help: RequestKind.STATUS,
    Resend: RequestKind.STATUS,
    Games: RequestKind.STATUS,
    Who: RequestKind.STATUS,
    Wait: RequestKind.MESSAGES,
    **dict.fromkeys((Join, Leave, New, Register, Set, StandIn), RequestKind.MESSAGES),
}


class Quota:
    """The requests that a seat has left while the club answers one of its mails."""

    def __init__(self, limits: Limits, ledger: Ledger, game: str, seat: Seat, at: int, away: Away = ()) -> None:
        """Count the uses of ``seat`` in the 24 hours before ``at``, in seconds since 1970.

        ``away`` are the names under which the ledger has holidays of its player.
        """
        self._limits, self._ledger, self._who, self._at = limits, ledger, f"seat/{game}/{seat}", at
        self._new: Counter[str] = Counter()
        self._away = away
        self._holidays: list[tuple[date, date]] = []

    def most(self, limited: RequestKind) -> int:
        """Return the limit of a kind of request."""
        return int(getattr(self._limits, limited))

    def left(self, limited: RequestKind) -> int:
        """Return how many requests of this kind the seat has left."""
        return self.most(limited) - self._ledger.uses(self._who, limited, self._at - DAY) - self._new[limited]

    def take(self, limited: RequestKind) -> bool:
        """Count one request, if the seat has one left; return whether it has."""
        may = self.left(limited) > 0
        self._new[limited] += may
        return may

    def refusal(self, command: Command) -> str:
        """Count the request ``command``; return why the club refuses it (empty: it does not)."""
        limited = _LIMITED.get(type(command))
        if limited is None or self.take(limited):
            return ""
        most = f"you can make {self.most(limited)} requests of this kind within 24 hours"
        return f"The club has not done this: {most}. Please try again tomorrow."

    def holiday_flaw(self, first: date, last: date, time_zone: str) -> str:
        """Count a holiday from ``first`` to ``last``; return why it makes too many days in a year (empty: it does not)."""
        limits = self._limits
        most, longest = max(limits.holidays_a_year, limits.holiday_days), (limits.holiday_days + 1) * DAY
        rows = (row for who in self._away for row in self._ledger.holidays(*who, self._at - _YEAR, longest))
        known = [*(holiday_dates(*row, time_zone) for row in rows), *self._holidays]
        days = most_days(known, (first, last))
        if days > most:
            return f"with it, you would have {days} days of holiday within 366 days, and you can have at most {most}"
        self._holidays.append((first, last))
        return ""

    def is_repeated(self, lines: Sequence[str], *, is_remark: bool) -> bool:
        """Record the text of a mail with no order and no command that can be read; return whether it gets no answer.

        A program that answers each letter would get another one each time. So within 24 hours, the club answers a text
        once. It answers a remark once also if only numbers differ, such as that of a case, and few such mails at all.
        """
        words = " ".join(without_quotes(lines)).casefold().split()
        shape = [word for word in words if not any(map(str.isdigit, word))]
        most = {f"text/{_hash(words)}": 1, f"shape/{_hash(shape)}": 1 if is_remark else _MOST_ALIKE}
        most |= {_UNREAD: _MOST_UNREAD} | ({_REMARK: _MOST_ALIKE} if is_remark else {})
        self._new.update(most.keys())
        return any(self._ledger.uses(self._who, what, self._at - DAY) >= count for what, count in most.items())

    def record(self) -> None:
        """Record the requests of the mail in the ledger, in the same step in which the mail is marked as answered."""
        for what in self._new.elements():
            self._ledger.record_use(self._who, what, self._at)


def _hash(words: Sequence[str]) -> str:
    return digest(" ".join(words).encode("utf-8", "surrogatepass"))
