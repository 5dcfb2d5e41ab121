"""Read the texts with orders that a program gives, and find the entries of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.problem import AdjudicatorError

if TYPE_CHECKING:
    from adjudicator.core.ids import Seat
    from adjudicator.core.journal import Link
    from adjudicator.orders.submission import Submission
    from adjudicator.session import Session

    Text = str | bytes | Path | Submission
    """A text with orders: itself, the bytes of a text or a mail, or the path of a file or a Maildir."""
    Orders = Text | Mapping[str, Text] | Iterable[Text]
    """One text with the orders of any seats, the text of each seat by its name, or several texts."""


class RequestError(AdjudicatorError):
    """Report a request that makes no sense for this game, such as a turn that it does not have; the message says why."""


def submissions_in(session: Session, orders: Orders, own: Seat | None = None) -> list[Submission]:
    """Return the texts in ``orders``. Those without a seat are texts of ``own``, if the game is that player's own file."""
    if isinstance(orders, Mapping):
        texts = [text for name, one in orders.items() for text in _texts(one, _seat(session, name))]
    elif isinstance(orders, Iterable) and not isinstance(orders, (str, bytes)):
        texts = [text for one in orders for text in _texts(one, None)]
    else:
        texts = list(_texts(orders, None))
    return texts if session.known is None else [replace(text, seat=text.seat or own) for text in texts]


def _texts(text: Text, seat: Seat | None) -> Iterator[Submission]:
    from adjudicator.orders.submission import Submission, text_submission

    name = f"orders of {seat}" if seat else "orders"
    if isinstance(text, Submission):
        yield text
    elif isinstance(text, str):
        yield text_submission(name, text.encode("utf-8", "surrogatepass"), seat)
    else:
        from adjudicator.intake import folder_submissions, submissions
        from adjudicator.store.reading import read

        if isinstance(text, Path) and text.is_dir():
            yield from folder_submissions(str(text), text, seat)
        else:
            yield from submissions(*((name, text) if isinstance(text, bytes) else read(str(text))), seat)


def _seat(session: Session, name: str) -> Seat:
    """Return the seat with this ``name``, its own or its player's. Raises ``UnknownViewerError``."""
    from adjudicator.moderate.adjudicate import addressee

    return addressee(session).called().get(name.casefold()) or session.seat(name)


def links_since(session: Session, turn: int | None, since: int | None) -> Sequence[Link]:
    """Return the entries of one ``turn``, or of ``since`` and later turns. Raises ``RequestError`` for unknown turns."""
    journal, wanted = session.game.journal, turn if turn is not None else since
    if wanted is None:
        return journal
    turns = [session.told[link.entry.turn] for link in journal]
    if not 0 <= wanted <= max(turns):
        raise RequestError(f"name a turn from 0 (the set-up) to {max(turns)}: this game has no turn {wanted} yet")
    if turn is not None and turn not in turns:
        numbers = [str(number) for number in sorted({*turns})]
        named = ", ".join(numbers if len(numbers) <= 12 else [*numbers[:3], "…", *numbers[-3:]])
        raise RequestError(f"turn {turn} has no orders; the turns of this game are {named}")
    if turn is not None:
        return [link for link, number in zip(journal, turns, strict=True) if number == turn]
    return journal[next(n for n, number in enumerate(turns) if number >= wanted) :]
