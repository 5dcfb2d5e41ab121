"""Read the texts with orders that a program gives, and find the entries of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import replace

if TYPE_CHECKING:
    from adjudicator.core.journal import Link
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.orders.submission import Submission

    Text = str | bytes | Path | Submission
    """A text with orders: itself, the bytes of a text or a mail, or the path of a file or a Maildir."""
    Orders = Text | Mapping[str, Text] | Iterable[Text]
    """One text with the orders of any seats, the text of each seat by its name, or several texts."""

_MOST_RECORDED: Final = 100_000


def own_lines(lines: Sequence[str]) -> list[str]:
    """Return those of the ``lines`` of a mail that are above an earlier mail without quotation marks.

    The lines that introduce marked quotes below them get a quotation mark, too, and so do those of the report around an
    order form.
    """
    from adjudicator.orders.earlier_mails import earlier_mails
    from adjudicator.orders.form import forms_in

    earlier = earlier_mails(lines, lambda _line: False, is_mail=True)
    own = lines[: earlier.begins - 1] if earlier.begins else lines
    last = max((number for number, line in enumerate(own, 1) if line.lstrip().startswith((">", "|"))), default=0)
    quoted = {number for number in earlier.passed if number < last}
    for form in forms_in(own, lambda _line: False):
        below = len(own) if form.report < form.first and form.is_closed else form.last
        quoted.update((*range(form.report, form.first), *range(form.last + 1, below + 1)))
    return [f"> {line}" if number in quoted else line for number, line in enumerate(own, 1)]


class RequestError(AdjudicatorError):
    """Report a request that makes no sense for this game, such as a turn that it does not have; the message says why."""


class NoOrdersError(RequestError):
    """Report that the texts to check contain no orders of the seat that asks."""


def submissions_in(game: Game, orders: Orders, own: Seat | None = None) -> Iterator[Submission]:
    """Return the texts in ``orders``. Those without a seat are texts of ``own``, if the game is that player's own file.

    Raises ``UnknownViewerError`` at once for an unknown seat.
    """
    named: Iterable[tuple[Seat | None, Text]]
    if isinstance(orders, Mapping):
        seats = seats_by_name(game)
        named = [(seats.get(name.casefold()) or game.seat(name), text) for name, text in orders.items()]
    elif isinstance(orders, Iterable) and not isinstance(orders, (str, bytes)):
        named = ((None, text) for text in orders)
    else:
        named = [(None, orders)]
    texts = (one for seat, text in named for one in read_orders(text, seat=seat))
    return texts if game.knowledge is None else (replace(one, seat=one.seat or own) for one in texts)


def read_orders(text: Text, *, name: str = "", seat: Seat | None = None) -> Iterator[Submission]:
    """Yield the texts in ``text``: itself, a mail, the mails of a mailbox or of a Maildir; nothing in them raises an error.

    Messages call it ``name``. ``seat`` is the seat that sent it, if that is known. Raises ``FileProblem`` for a path that
    cannot be read.
    """
    from adjudicator.orders.submission import Submission, text_submission

    usual = f"orders of {seat}" if seat else "orders"
    if isinstance(text, Submission):
        yield text
    elif isinstance(text, str):
        yield text_submission(name or usual, text.encode("utf-8", "surrogatepass"), seat)
    else:
        from adjudicator.files.reading import read
        from adjudicator.library.intake import folder_submissions, submissions
        from adjudicator.mail.mailboxes import is_maildir

        if isinstance(text, bytes):
            yield from submissions(name or usual, text, seat)
        elif is_maildir(text):
            yield from folder_submissions(name or str(text), text, seat)
        else:
            yield from submissions(*read(str(text)), seat)


def read_mail(data: bytes, *, name: str = "mail", seat: Seat | None = None) -> Submission:
    """Return the text in ``data``, the bytes of one mail, which messages call ``name``, with a problem if it has no text.

    ``seat`` is the seat that sent it, if that is known.
    """
    from adjudicator.library.intake import mail_submission

    return mail_submission(name, data, seat)


def read_outcomes(path: str | Path) -> tuple[str, ...]:
    """Return the outcomes for ``new`` in the file ``path``: words between spaces, commas or lines; `#` begins a comment.

    Raises ``FileProblem``, and ``RequestError`` for a file that is too large or no text.
    """
    from adjudicator.files.reading import read
    from adjudicator.orders.clean import NotTextError, clean, decode, lines_of

    name, data = read(path)
    if len(data) > _MOST_RECORDED:
        raise RequestError(f"{name}: the file is too large for recorded outcomes: more than {_MOST_RECORDED:,} bytes")
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise RequestError(f"{name}: {error}") from error
    return tuple(word for line in lines for word in clean(line).replace(",", " ").split())


def seats_by_name(game: Game) -> dict[str, Seat]:
    """Return the seats by their names and those of their players, in lower case."""
    from adjudicator.library.adjudicate import addressee

    return addressee(game).seats_by_name()


def links_since(game: Game, turn: int | None, since: int | None) -> Sequence[Link]:
    """Return the entries of one ``turn``, or of ``since`` and later turns. Raises ``RequestError`` for unknown turns."""
    journal, wanted = game.record.journal, turn if turn is not None else since
    if wanted is None:
        return journal
    turns = [game.turn_number(link.entry.turn) for link in journal]
    if not 0 <= wanted <= max(turns):
        raise RequestError(f"name a turn from 0 (the set-up) to {max(turns)}: this game has no turn {wanted} yet")
    if turn is not None and turn not in turns:
        numbers = [str(number) for number in sorted({*turns})]
        named = ", ".join(numbers if len(numbers) <= 12 else [*numbers[:3], "…", *numbers[-3:]])
        raise RequestError(f"turn {turn} has no orders; the turns of this game are {named}")
    if turn is not None:
        return [link for link, number in zip(journal, turns, strict=True) if number == turn]
    return journal[next(n for n, number in enumerate(turns) if number >= wanted) :]
