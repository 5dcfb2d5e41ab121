"""Read the texts with orders that a program or a moderator gives: turn files, mails, and mailboxes mail by mail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.corrections import Undone
from adjudicator.core.game import Receipt
from adjudicator.core.problem import FAULT, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.values import Seat, Value, replace
from adjudicator.files.reading import read
from adjudicator.library.errors import RequestError
from adjudicator.mail import MailError, mail_hash
from adjudicator.mail.mailbox import is_mail, is_maildir, is_mbox, mails_of_maildir, mails_of_mbox, without_properties
from adjudicator.orders.submission import (
    Addressee,
    NotTextError,
    Orders,
    Submission,
    Text,
    clean,
    decode,
    limit_lines,
    lines_of,
    text_submission,
)
from adjudicator.reports.legal import form_notes
from adjudicator.results import Decision

if TYPE_CHECKING:
    from adjudicator.library.game import Game

_MOST_RECORDED: Final = 100_000
_MAIL_NAMES: Final = (".eml", ".mail", ".mbox.eml")
_DELETED: Final = "this mail is marked as deleted in its mailbox"


def own_lines(lines: Sequence[str]) -> list[str]:
    """Return those of the ``lines`` of a mail that are above an earlier mail without quotation marks.

    The lines that introduce marked quotes below them get a quotation mark, too, and so do those of the report around an
    order form.
    """
    from adjudicator.orders.form import forms_in
    from adjudicator.orders.ignored import earlier_mails

    passed, begins = earlier_mails(lines, lambda _line: False, is_mail=True, is_one=True)
    own = lines[: begins - 1] if begins else lines
    last = max((number for number, line in enumerate(own, 1) if line.lstrip().startswith((">", "|"))), default=0)
    quoted = {number for number in passed if number < last}
    for form in forms_in(own, lambda _line: False):
        below = len(own) if form.report < form.first and form.is_closed else form.last
        quoted.update((*range(form.report, form.first), *range(form.last + 1, below + 1)))
    return [f"> {line}" if number in quoted else line for number, line in enumerate(own, 1)]


def submissions_in(game: Game, orders: Orders, own: Seat | None = None) -> Iterator[Submission]:
    """Yield the texts in ``orders``. Those without a seat are texts of ``own``, if the game is that player's own file.

    Raises ``UnknownViewerError`` for an unknown seat.
    """
    named: Iterable[tuple[Seat | None, Text]]
    if isinstance(orders, Mapping):
        seats = addressee(game).seats_by_name()
        named = [(seats.get(name.casefold()) or game.seat(name), text) for name, text in orders.items()]
    elif isinstance(orders, Iterable) and not isinstance(orders, (str, bytes)):
        named = ((None, text) for text in orders)
    else:
        named = [(None, orders)]
    known = frozenset(game.seats)
    for one in (one for seat, text in named for one in read_orders(text, seat=seat)):
        if one.seat is not None:
            yield one if one.seat in known else replace(one, seat=game.seat(one.seat))
        else:
            yield one if game.own is None else replace(one, seat=own)


def read_orders(text: Text, *, name: str = "", seat: Seat | None = None) -> Iterator[Submission]:
    """Yield the texts in ``text``: itself, a mail, the mails of a mailbox or of a Maildir; nothing in them raises an error.

    Messages call it ``name``. ``seat`` is the seat that sent it, if that is known. Raises ``FileProblem`` for a path that
    cannot be read.
    """
    usual = f"orders of {seat}" if seat else "orders"
    if isinstance(text, Submission):
        yield text
    elif isinstance(text, str):
        yield text_submission(name or usual, text.encode("utf-8", "surrogatepass"), seat)
    elif isinstance(text, bytes):
        yield from submissions(name or usual, text, seat)
    elif is_maildir(text):
        yield from _of_mailbox(name or str(text), mails_of_maildir(text), seat)
    else:
        yield from submissions(*read(str(text)), seat)


def read_outcomes(path: str | Path) -> tuple[str, ...]:
    """Return the outcomes for ``new`` in the file ``path``: words between spaces, commas or lines; `#` begins a comment.

    Raises ``FileProblem``, and ``RequestError`` for a file that is too large or no text.
    """
    name, data = read(path)
    if len(data) > _MOST_RECORDED:
        raise RequestError(f"{name}: the file is too large for recorded outcomes: more than {_MOST_RECORDED:,} bytes")
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise RequestError(f"{name}: {error}") from error
    return tuple(word for line in lines for word in clean(line).replace(",", " ").split())


def addressee(game: Game) -> Addressee:
    """Return what a text must be for: the game, the turn that is due, the seats and their players."""
    names = frozenset(game.rules.names()) - frozenset(game.seats)
    asked = dict[Seat, int]()  # for each seat, the time of the last mail that came before it was asked the present question
    if game.rules.has_windows:
        undone = undone_receipts(game)
        timed = [(one.turn, one.received) for one in game.record.receipts if one.received is not None and one not in undone]
        for seat, numbers in game.valid_turns.by_seat.items():
            before = [received for turn, received in timed if turn < min(numbers)]
            if before:
                asked[seat] = max(before)
    notes = _FormNotes(game.rules, game.record.state)
    return Addressee(game.id, game.valid_turns, game.seats, game.players, names, asked, notes)


def undone_receipts(game: Game) -> frozenset[Receipt]:
    """Return the receipts of mails that an undo has taken back: such a mail can come in again.

    These are all receipts of the adjudications that an undo took back, and earlier ones of seats whose orders it took back,
    or dropped while they were pending, if no order of the seat remains that came with that mail or later.
    """
    record, undone, earlier = game.record, set[Receipt](), set[int]()
    for by in game.timeline.past.outside if record.receipts else ():
        if not isinstance(event := by.outside, Undone):
            continue
        entries = [one.entry for one in record.journal[: by.n] if one.entry.n not in earlier and one.entry.outside is None]
        remaining = {entry.seat: entry.turn for entry in entries if entry.n <= event.to}
        hit = {entry.seat for entry in entries if entry.n > event.to}
        hit |= {one.sheet.seat for one in record.set_aside if one.cause == "undone" and one.turn == by.turn}
        back = record.journal[event.to].entry.turn
        for one in record.receipts:
            is_old = one.turn <= back and one.seat in hit and one.turn > remaining.get(one.seat, -1)
            if is_old or back < one.turn <= by.turn:
                undone.add(one)
        earlier.update(range(event.to + 1, by.n))
    return frozenset(undone)


class _FormNotes(Value):
    """Returns what the order form of a seat says besides orders.

    Unlike a function, it is equal to that of the same position: a reading of a mail is kept for equal addressees.
    """

    rules: AnyRuleset
    state: Any

    def __call__(self, seat: Seat) -> str:
        asked = (one for one in Decision.due_in(self.rules, self.state) if one.seat == seat)
        return "\n".join(form_notes(asked, self.rules.choices(self.rules.view(self.state, seat))))


def submissions(source: str, data: bytes, seat: Seat | None = None) -> Iterator[Submission]:
    """Yield the texts in the bytes of a file: the mails of an mbox, a mail, or a text; ``seat`` is their seat, if known."""
    if is_mbox(data):
        yield from _of_mailbox(source, mails_of_mbox(data), seat)
        return
    data = without_properties(data)
    if is_mail(data, is_named_so=source.lower().endswith(_MAIL_NAMES)):
        yield read_mail(data, name=source, seat=seat)
    else:
        yield text_submission(source, data, seat)


def read_mail(data: bytes, *, name: str = "mail", seat: Seat | None = None) -> Submission:
    """Return the text in ``data``, the bytes of one mail, which messages call ``name``, with a problem if it has no text.

    ``seat`` is the seat that sent it, if that is known.
    """
    from adjudicator.mail.message import read_mail  # slow to load, and texts do not need it

    hash_ = mail_hash(data)
    try:
        mail = read_mail(data)
    except MailError as error:
        problem = Problem(error.code, str(error))
        return Submission(name, seat=seat, is_mail=True, problem=problem, hash=hash_, identity=hash_)
    except Exception as fault:  # the other mails are still read
        return Submission(name, seat=seat, is_mail=True, problem=FAULT, hash=hash_, fault=fault, identity=hash_)
    return limit_lines(
        Submission(
            *(name, mail.lines, seat, mail.received),
            is_mail=True,
            names=(mail.sender,) if mail.sender else (),
            left_out=mail.left_out,
            hash=hash_,
            identity=mail.identity,
        )
    )


def _of_mailbox(source: str, mails: Iterator[bytes | None], seat: Seat | None) -> Iterator[Submission]:
    try:
        for number, data in enumerate(mails, 1):
            name = f"{source}, mail {number}"
            if data is None:
                yield Submission(name, seat=seat, is_mail=True, skipped=_DELETED)
            else:
                yield read_mail(data, name=name, seat=seat)
    except MailError as error:
        yield Submission(source, seat=seat, is_mail=True, problem=Problem(error.code, str(error)))
