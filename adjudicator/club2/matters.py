"""What waits for the moderator: matters, the mails held under them, and the log of the moderator's changes."""

from __future__ import annotations

from adjudicator.club2.club import Club, GameRow, Person
from adjudicator.core.values import Value


class MatterRow(Value, kw_only=True):
    """Something that waits for the moderator: its number, its kind, whom and what it is about, its time and its words.

    ``at`` and ``settled`` (0: it waits) are in seconds since 1970.
    """

    id: int
    key: str
    kind: str
    game: int | None
    seat: str
    person: int | None
    message: int | None
    at: int
    words: str
    settled: int


def raise_matter(
    club: Club,
    kind: str,
    words: str,
    *,
    key: str,
    game: GameRow | None = None,
    seat: str = "",
    person: Person | None = None,
    message: int | None = None,
    subject: str = "",
    advice: str | None = None,
    text: str = "",
) -> int:
    """Add a matter of this ``kind`` for the moderator, unless its ``key`` is known; return its number, 0 if it is not new.

    The ``words`` may contain words of others: each line of them is made safe to print. With ``advice`` (which may be empty),
    the moderator also gets a letter: the words, and the advice below them, or else ``text``. Its ``subject`` is the first
    line of the words if it is empty.
    """
    raise NotImplementedError


def find(club: Club, number: int) -> MatterRow:
    """Return the matter with this ``number``, if it waits. Raises ``ClubError``."""
    raise NotImplementedError


def open_matters(club: Club, game: GameRow | None = None, kind: str = "") -> list[MatterRow]:
    """Return the matters that wait, by number: all, or those of a ``game``, of a ``kind``."""
    raise NotImplementedError


def settle_key(club: Club, key: str) -> None:
    """Settle the matter with this ``key``; if the same comes up again, it is a new matter."""
    raise NotImplementedError


def settle(club: Club, number: int) -> None:
    """Remove a matter: its message is never sent, its mails are ignored, its request is declined. Raises ``ClubError``."""
    raise NotImplementedError


def accept(club: Club, number: int, part: int, game: GameRow, seat: str) -> str:
    """Accept the mail of matter ``number`` as one of ``seat`` of ``game``; return its sender's address (empty: unclear).

    ``part`` is the number of the mail if the matter has several, from 1 (0: it has only one). Raises ``ClubError``.
    """
    raise NotImplementedError


def release(club: Club, number: int) -> str:
    """Accept the message of a matter: the next round or report sends it. Return the matter as text. Raises ``ClubError``."""
    raise NotImplementedError


def record(club: Club, task: str, words: str, person: int | None = None) -> None:
    """Record a change that the moderator has made with a ``task`` of the command `club`; ``person``: whom it is about."""
    raise NotImplementedError
