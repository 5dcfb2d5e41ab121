"""Read the texts, mails, mailboxes and folders named on the command line, each optionally with its seat."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.output import MisuseError
from adjudicator.core.frozen import frozen

if TYPE_CHECKING:
    from adjudicator.core.ids import Seat
    from adjudicator.orders.submission import Addressee, Submission


@frozen
class Given:
    """The path in an argument such as ``red=mail.eml``, and the word before ``=``, empty if there is none.

    ``is_in_folder``: the word comes from a file name in a folder, and counts only if it names a seat or a player.
    """

    path: str
    whose: str = ""
    is_in_folder: bool = False


@frozen
class Arrived:
    """The contents of an argument: a name for messages and the bytes, or the folder of a Maildir."""

    given: Given
    name: str
    data: bytes | Path


def given(arguments: Iterable[str]) -> list[Given]:
    """Return the paths and seats in ``arguments``. An argument that is itself the name of a file names no seat."""
    return [_given(argument) for argument in arguments]


def _given(argument: str) -> Given:
    whose, equals, path = argument.partition("=")
    if not equals or not whose.strip() or "/" in whose or os.sep in whose or os.path.exists(argument):
        return Given(argument)
    if not path:
        raise MisuseError(f"write the seat and then a file, as in {whose}=mail.eml: {argument} names no file")
    return Given(path, whose.strip())


def read_given(named: Iterable[Given], spared: Collection[str]) -> list[Arrived]:
    """Return the texts, mails and mailboxes at the ``named`` paths; of a plain folder, each file in it, by name.

    Hidden files, folders inside a folder, and the files ``spared`` with their lock and outbox are ignored. In a folder
    without a seat, the name of a file may contain its seat: ``red=mail.eml``. Raises ``CannotRead``.
    """
    return [_arrived(found) for one in named for found in _in_folder(one, spared)]


def _in_folder(one: Given, spared: Collection[str]) -> Iterator[Given]:
    if not _is_plain_folder(one.path):
        yield one
        return
    from adjudicator.mail.limits import MOST_MAILS
    from adjudicator.store.errors import CannotRead
    from adjudicator.store.outbox import outbox_of

    real = [os.path.realpath(path) for path in spared]
    left_out = {*real, *(f"{path}.lock" for path in real), *map(outbox_of, real)}
    try:
        names = sorted(name for name in os.listdir(one.path) if not name.startswith("."))
    except OSError as error:
        raise CannotRead(one.path, f"the folder cannot be read: {error.strerror or error}") from error
    paths = [(name, os.path.join(one.path, name)) for name in names]
    files = [(name, path) for name, path in paths if os.path.isfile(path) and os.path.realpath(path) not in left_out]
    if len(files) > MOST_MAILS:
        raise CannotRead(one.path, f"this folder contains {len(files):,} files; the limit is {MOST_MAILS:,}")
    for name, path in files:
        whose, equals, _ = name.partition("=")
        yield Given(path, one.whose) if one.whose or not equals else Given(path, whose, is_in_folder=True)


def _is_plain_folder(path: str) -> bool:
    if path == "-" or not os.path.isdir(path):
        return False
    from adjudicator.mail.mailboxes import is_maildir

    return not is_maildir(Path(path))


def _arrived(one: Given) -> Arrived:
    from adjudicator.store.reading import read

    if one.path != "-" and os.path.isdir(one.path):
        return Arrived(one, one.path, Path(one.path))
    return Arrived(one, *read(one.path))


def submitted(arrived: Iterable[Arrived], addressee: Addressee) -> Iterator[Submission]:
    """Yield the contents text by text and mail by mail. Raises ``MisuseError`` for an unknown seat."""
    from adjudicator.intake import folder_submissions, submissions

    for one in arrived:
        seat = _seat(one.given, addressee) if one.given.whose else None
        if isinstance(one.data, Path):
            yield from folder_submissions(one.name, one.data, seat)
        else:
            yield from submissions(one.name, one.data, seat)


def _seat(given: Given, addressee: Addressee) -> Seat | None:
    from adjudicator.core.suggestions import suggest

    word = given.whose
    seat = addressee.called().get(word.casefold())
    if seat is not None or given.is_in_folder:
        return seat
    near = suggest(word, addressee.seats, 1)
    hint = f" (did you mean “{near[0]}”?)" if near else ""
    raise MisuseError(f"this game has no seat “{word}”{hint}; its seats are: {', '.join(addressee.seats)}")
