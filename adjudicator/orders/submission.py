"""What arrives: a text that was sent, and whom it may concern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field, replace

from adjudicator.core.canonical import digest
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.problem import Place, Problem
from adjudicator.core.remember import remember_last
from adjudicator.orders.clean import MOST_LINES, NotTextError, decode, lines_of


@frozen
class Addressee:
    """Which game a text must be for: its id, the number that is to be written, its seats and who holds them.

    ``names`` are those of the game's things, in lower case: prose in which one of them stands may be meant as an order.
    ``turns`` has for each seat the numbers that count for its orders, if that is not ``turn`` alone; ``latest`` is the
    greatest of all. A mail for a seat that names no number and was received no later than ``asked`` says was written
    before what this seat is asked now was asked.
    """

    game: str
    turn: int
    seats: tuple[Seat, ...]
    holders: Mapping[Seat, str] = field(default_factory=dict)
    names: Collection[str] = ()
    turns: Mapping[Seat, Collection[int]] = field(default_factory=dict)
    latest: int = 0
    asked: Mapping[Seat, int] = field(default_factory=dict)

    def counts(self, turn: int, seat: str) -> bool:
        """Return whether a sheet of ``seat`` under the header ``turn`` is to be taken."""
        return turn in self.turns.get(Seat(seat), (self.turn,))

    def turn_for(self, seat: str) -> int:
        """Return the number that ``seat`` is to write."""
        return self.turn if self.counts(self.turn, seat) else self.latest

    def called(self) -> dict[str, Seat]:
        """Return the seats by what they are called, in lower case: their own names and those of their holders.

        A holder's name, or its first word, is a seat's where nobody else is called so. Found out once for all texts.
        """
        return _called(self)


@remember_last
def _called(addressee: Addressee) -> dict[str, Seat]:
    seats, holders = addressee.seats, addressee.holders
    names = {seat: {name, *name.split()[:1]} for seat in seats if (name := holders.get(seat, "").casefold())}
    count = Counter(name for each in names.values() for name in each)
    held = {name: seat for seat, each in names.items() for name in each if count[name] == 1}
    return {**held, **{seat.casefold(): seat for seat in seats}}


@frozen
class Submission:
    """A text that was sent, line by line, under the name ``source`` in messages.

    ``seat`` is whose it is, where that is known: then no head of a sheet is needed, and no other seat's counts.
    ``received`` is when it came, in seconds since 1970, ``hash`` the SHA-256 of its bytes (empty: not known). ``is_mail``
    says that it is the text of one mail, ``names`` who may have signed it. ``problem`` says why it cannot be read at all,
    ``skipped`` why it is not to be; ``left_out`` names what came with it and is not read. ``fault`` is what this
    program failed with over it, if that is the problem.
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

    def written(self, number: int, raw: str) -> tuple[str, Place | None]:
        """Return line ``number`` as it came, and the place on it of ``raw``, a part of it in the same columns."""
        whole = self.lines[number - 1]
        return whole, None if raw == whole else (len(raw) - len(raw.lstrip(" ")), len(raw))


def text_submission(source: str, data: bytes, seat: Seat | None = None) -> Submission:
    """Return the text in the bytes of a file; what is wrong with it as a whole is its problem."""
    hash_ = digest(data)
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        return Submission(source, seat=seat, problem=Problem(error.code, str(error)), hash=hash_)
    return limited(Submission(source, tuple(lines), seat, hash=hash_))


def limited(submission: Submission) -> Submission:
    """Return ``submission``, or if it has too many lines, the problem with it."""
    count = len(submission.lines)
    if count <= MOST_LINES:
        return submission
    words = "mail's text" if submission.is_mail else "file"
    message = f"the {words} has {count:,} lines; orders may have {MOST_LINES:,}"
    return replace(submission, lines=(), names=(), left_out=(), problem=Problem("orders/too-many-lines", message))
