"""Texts, mails and mailboxes named on the command line, each perhaps with the seat whose it is: ``red=mail.eml``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.output import MisuseError
from adjudicator.core.frozen import frozen

if TYPE_CHECKING:
    from adjudicator.core.ids import Seat
    from adjudicator.orders.submission import Addressee, Submission


@frozen
class Given:
    """What an argument names: a path, and the word for whose it is, empty if it does not say."""

    path: str
    whose: str = ""


@frozen
class Arrived:
    """What was found there: a name for messages and the bytes, or the folder of a Maildir."""

    given: Given
    name: str
    data: bytes | Path


def given(arguments: Iterable[str]) -> list[Given]:
    """Return what ``arguments`` name. One that is the name of a file as it stands says nothing of a seat."""
    return [_given(argument) for argument in arguments]


def _given(argument: str) -> Given:
    whose, equals, path = argument.partition("=")
    if not equals or not whose.strip() or "/" in whose or os.sep in whose or os.path.exists(argument):
        return Given(argument)
    if not path:
        raise MisuseError(f"{argument} names no file: whose a text is stands before it, as in {whose}=mail.eml")
    return Given(path, whose.strip())


def read_given(named: Iterable[Given]) -> list[Arrived]:
    """Return what is found there. Raises ``CannotRead``."""
    return [_arrived(one) for one in named]


def _arrived(one: Given) -> Arrived:
    from adjudicator.store.errors import CannotRead
    from adjudicator.store.reading import read

    folder = Path(one.path)
    if one.path != "-" and folder.is_dir():
        from adjudicator.mail.mailboxes import is_maildir

        if not is_maildir(folder):
            raise CannotRead(one.path, "this is a folder, not a file; a Maildir would have `cur` and `new` in it")
        return Arrived(one, one.path, folder)
    return Arrived(one, *read(one.path))


def submitted(arrived: Iterable[Arrived], addressee: Addressee) -> Iterator[Submission]:
    """Yield what has arrived text by text and mail by mail. Raises ``MisuseError`` for a seat that is none."""
    from adjudicator.intake import folder_submissions, submissions

    for one in arrived:
        seat = _seat(one.given.whose, addressee) if one.given.whose else None
        if isinstance(one.data, Path):
            yield from folder_submissions(one.name, one.data, seat)
        else:
            yield from submissions(one.name, one.data, seat)


def _seat(word: str, addressee: Addressee) -> Seat:
    from adjudicator.core.suggestions import suggest

    seat = addressee.called().get(word.casefold())
    if seat is not None:
        return seat
    near = suggest(word, addressee.seats, 1)
    hint = f" (did you mean “{near[0]}”?)" if near else ""
    raise MisuseError(f"no seat “{word}” in this game{hint}; there are: {', '.join(addressee.seats)}")
