"""Describe a text that was sent, and the game that it must be for."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from adjudicator.core.order import Sheet
from adjudicator.core.problem import Place, Problem
from adjudicator.core.remember import remember_last
from adjudicator.core.timeline import ValidTurns
from adjudicator.core.values import Seat, Value, digest, field, replace
from adjudicator.orders.clean import MOST_LINES, NotTextError, decode, lines_of

EMPTY: Final = "orders/empty"
"""The code of the problem of a text without orders."""


class Addressee(Value):
    """The game that a text must be for: its id, the turns that may be written, its seats and their players.

    ``names`` are the names of the game's things, in lower case: prose with one of them may be an order.
    ``question_times`` has for each seat the time of its present question: an earlier mail without a turn is no answer to it.
    ``form_notes`` returns what the order form of a seat says besides orders.
    """

    game: str
    turns: ValidTurns
    seats: tuple[Seat, ...]
    holders: Mapping[Seat, str] = field(default_factory=dict)
    names: Collection[str] = ()
    question_times: Mapping[Seat, int] = field(default_factory=dict)
    form_notes: Callable[[Seat], str] = lambda _seat: ""

    @remember_last
    def seats_by_name(self) -> dict[str, Seat]:
        """Return the seats by their names and the names of their players, in lower case.

        A player's name, or its first word, means the seat if no one else has that name.
        """
        holders = {seat: self.holders.get(seat, "").casefold() for seat in self.seats}
        names = {seat: {name, *name.split()[:1]} for seat, name in holders.items() if name}
        count = Counter(name for each in names.values() for name in each)
        held = {name: seat for seat, each in names.items() for name in each if count[name] == 1}
        return {**held, **{seat.casefold(): seat for seat in self.seats}}


class Submission(Value):
    """A text that was sent, line by line; messages call it ``source``.

    ``seat`` is the seat that sent it, if known: then it needs no head of a sheet, and heads of other seats do not count.
    ``received`` is the time of arrival in seconds since 1970, ``hash`` the SHA-256 of its bytes (empty: not known).
    ``identity`` is the same for all copies of it, however servers and programs have stored them (empty: not known).
    ``is_mail`` says that it is the text of one mail, ``names`` are possible signatures. ``problem`` says why the text cannot
    be read, ``skipped`` why it must not be; ``left_out`` names its attachments, which are not read. ``fault`` is the
    exception that the program raised, if that is the problem.
    """

    source: str
    lines: tuple[str, ...] = ()
    seat: Seat | None = None
    received: int | None = None
    is_mail: bool = False
    names: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    problem: Problem | None = None
    skipped: str = ""
    hash: str = ""
    fault: Exception | None = None
    identity: str = ""

    def written(self, number: int, raw: str) -> tuple[str, Place | None]:
        """Return line ``number`` as it came, and the place on it of ``raw``, a part of it in the same columns."""
        whole = self.lines[number - 1]
        return whole, None if raw == whole else (len(raw) - len(raw.lstrip(" ")), len(raw))


class SentSheet(Value):
    """The ``sheet`` of ``seat`` in ``text``, the ``number``-th text.

    ``is_sent`` says that it has an order or a line that is meant as one; otherwise it has at most ``remarks``,
    lines (number, text) that the program does not understand. ``is_flawed`` says that a part of it cannot be
    read or used, ``is_alone`` that no other seat has sent anything in this text, ``is_addressed`` that it is for this game
    and turn. ``later`` names the text whose sheet replaces this one, ``earlier`` the text that still counts instead of it;
    in both cases nothing of it ``counts``.
    """

    text: Submission
    seat: Seat
    sheet: Sheet
    number: int = 0
    is_sent: bool = True
    is_alone: bool = True
    is_addressed: bool = True
    is_flawed: bool = False
    remarks: tuple[tuple[int, str], ...] = ()
    counts: bool = True
    later: str = ""
    earlier: str = ""


Text = str | bytes | Path | Submission
"""A text with orders: itself, the bytes of a text or a mail, or the path of a file or a Maildir."""
Orders = Text | Mapping[str, Text] | Iterable[Text]
"""One text with the orders of any seats, the text of each seat by its name, or several texts."""


def text_submission(source: str, data: bytes, seat: Seat | None = None) -> Submission:
    """Return the text in the bytes of a file, with a problem if it cannot be read."""
    hash_ = digest(data)
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        return Submission(source, seat=seat, problem=Problem(error.code, str(error)), hash=hash_, identity=hash_)
    text = "\n".join(lines).rstrip("\n") + "\n"  # most files are like this: then their identity is their hash
    return limit_lines(
        Submission(source, tuple(lines), seat, hash=hash_, identity=digest(text.encode("utf-8", "surrogatepass")))
    )


def limit_lines(submission: Submission) -> Submission:
    """Return ``submission``; if it has too many lines, without them and with a problem."""
    count = len(submission.lines)
    if count <= MOST_LINES:
        return submission
    words = "mail's text" if submission.is_mail else "file"
    message = f"the {words} has {count:,} lines; the limit is {MOST_LINES:,}"
    return replace(submission, lines=(), names=(), left_out=(), problem=Problem("orders/too-many-lines", message))


def in_order_of_arrival(sheets: Iterable[SentSheet]) -> dict[Seat, list[SentSheet]]:
    """Return the ``sheets`` of each seat in the order of arrival; without a known time, in their given order.

    A copy of a mail arrived when the first copy did: a server may deliver it after a newer mail.
    """
    by_seat: dict[Seat, list[SentSheet]] = {}
    first: dict[tuple[Seat, str], int] = {}
    for sent in sheets:
        by_seat.setdefault(sent.seat, []).append(sent)
        received, copy = sent.text.received, (sent.seat, sent.text.identity)
        if received is not None and sent.text.identity:
            first[copy] = min(received, first.get(copy, received))

    def arrival(sent: SentSheet) -> int:
        return first.get((sent.seat, sent.text.identity), sent.text.received or 0)

    for seat, mails in by_seat.items():
        done, timed = list[SentSheet](), list[SentSheet]()
        for sent in mails:
            if sent.text.received is None:
                done += (*timed, sent)
                timed = []
            else:
                insort(timed, sent, key=arrival)
        by_seat[seat] = done + timed
    return by_seat
