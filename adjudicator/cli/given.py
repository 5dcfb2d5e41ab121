"""Texts, mails and mailboxes named on the command line, each perhaps with the seat whose it is: ``red=mail.eml``."""

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


def with_folders(named: Iterable[Given], spared: Collection[str], called: Collection[str]) -> list[Given]:
    """Return ``named`` with the files of each plain folder in its place, in the order of their names.

    Hidden files, folders within it and the files ``spared`` are left out. In a folder that is nobody's, a file may say
    itself whose it is: ``red=mail.eml``, with one of the words ``called``. Raises ``CannotRead``.
    """
    return [found for one in named for found in _in_folder(one, spared, called)]


def _in_folder(one: Given, spared: Collection[str], called: Collection[str]) -> Iterator[Given]:
    from adjudicator.mail.limits import MOST_MAILS
    from adjudicator.mail.mailboxes import is_maildir
    from adjudicator.store.errors import CannotRead

    folder = Path(one.path)
    if one.path == "-" or not folder.is_dir() or is_maildir(folder):
        yield one
        return
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise CannotRead(one.path, f"the folder cannot be read: {error.strerror or error}") from error
    paths = [(name, os.path.join(one.path, name)) for name in names]
    files = [(name, path) for name, path in paths if os.path.isfile(path) and os.path.realpath(path) not in spared]
    if len(files) > MOST_MAILS:
        raise CannotRead(one.path, f"{len(files):,} files are in this folder; {MOST_MAILS:,} are read at most")
    for name, path in files:
        whose, equals, _ = name.partition("=")
        yield Given(path, one.whose or (whose if equals and whose.casefold() in called else ""))


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
