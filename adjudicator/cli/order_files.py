"""Read the texts, mails, mailboxes and folders named on the command line, each optionally with its seat."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.cli.ui import MisuseError
from adjudicator.core.problem import did_you_mean
from adjudicator.core.values import Value, replace
from adjudicator.files.errors import CannotRead
from adjudicator.files.reading import read
from adjudicator.library.texts import addressee, read_orders

if TYPE_CHECKING:
    from adjudicator import Game, Submission

_COPY: Final = re.compile(r"(?i).*(?:~|\.(?:bak|swp|swo|orig|rej|tmp))|#.*#|~\$.*")
"""Names that programs give to copies of a file on which somebody works."""


class OrderFile(Value):
    """A file with orders: its ``path``, and the word before ``=`` in an argument such as ``red=mail.eml``, or an empty one.

    ``is_in_folder``: the word comes from a file name in a folder, and counts only if it names a seat or a player. Once the
    file is read, it has its ``name`` for messages and its ``data``: the bytes, or the folder of a Maildir.
    """

    path: str
    seat_name: str = ""
    is_in_folder: bool = False
    name: str = ""
    data: bytes | Path = b""


def order_paths(arguments: Iterable[str]) -> list[OrderFile]:
    """Return the paths and seats in ``arguments``. An argument that is itself the name of a file names no seat."""
    found = []
    for argument in arguments:
        seat_name, equals, path = argument.partition("=")
        if not equals or not seat_name.strip() or "/" in seat_name or os.sep in seat_name or os.path.exists(argument):
            found.append(OrderFile(argument))
        elif path:
            found.append(OrderFile(path, seat_name.strip()))
        else:
            raise MisuseError(f"write the seat and then a file, as in {seat_name}=mail.eml: {argument} names no file")
    return found


def read_order_files(paths: Iterable[OrderFile], ignored: Collection[str]) -> list[OrderFile]:
    """Return the texts, mails and mailboxes at ``paths``; of a plain folder, each file in it, by name and number.

    This ignores hidden files, copies such as ``red.txt~``, folders inside a folder, and the files ``ignored`` with their
    locks and outboxes. In a folder without a seat, a file's name may contain its seat: ``red=mail.eml``. Raises
    ``CannotRead``.
    """
    from adjudicator.mail.mailbox import is_maildir

    found = []
    for path in paths:
        if path.path == "-" or not os.path.isdir(path.path):
            found.append(_read(path))
        elif is_maildir(Path(path.path)):
            found.append(replace(path, name=path.path, data=Path(path.path)))
        else:
            found += map(_read, _files_in(path, ignored))
    return found


def _read(file: OrderFile) -> OrderFile:
    name, data = read(file.path)
    return replace(file, name=name, data=data)


def _files_in(folder: OrderFile, ignored: Collection[str]) -> Iterator[OrderFile]:
    from adjudicator.files.outbox import outbox_of
    from adjudicator.files.writing import lock_of
    from adjudicator.mail import MOST_MAILS

    real = [os.path.realpath(path) for path in ignored]
    skipped = {*real, *map(lock_of, real), *map(outbox_of, real)}
    try:
        names = sorted(os.listdir(folder.path), key=_place)
    except OSError as error:
        raise CannotRead(folder.path, f"the folder cannot be read: {error.strerror or error}") from error
    own = (name for name in names if not (name.startswith(".") or _COPY.fullmatch(name)))
    paths = [(name, os.path.join(folder.path, name)) for name in own]
    files = [(name, path) for name, path in paths if os.path.isfile(path) and os.path.realpath(path) not in skipped]
    if len(files) > MOST_MAILS:
        raise CannotRead(folder.path, f"this folder contains {len(files):,} files; the limit is {MOST_MAILS:,}")
    for name, path in files:
        seat_name, equals, _ = name.partition("=")
        if folder.seat_name or not equals:
            yield OrderFile(path, folder.seat_name)
        else:
            yield OrderFile(path, seat_name, is_in_folder=True)


def _place(name: str) -> tuple[list[str | int], ...]:
    """Return the place of a file in its folder: ``a.txt``, ``a (2).txt``, ``a (10).txt``."""
    parts = (re.split("([0-9]+)", part) for part in (*os.path.splitext(name.casefold()), name))
    return tuple([int(piece) if index % 2 else piece for index, piece in enumerate(part)] for part in parts)


def submissions_of(files: Sequence[OrderFile], game: Game) -> Iterator[Submission]:
    """Return the contents of ``files``, text by text and mail by mail, each with its seat if the command line names one.

    A seat has its own name and its player's. Raises ``MisuseError`` for an unknown seat, before it reads the first text.
    """
    known = addressee(game).seats_by_name()
    for file in files:
        if file.seat_name and not file.is_in_folder and file.seat_name.casefold() not in known:
            hint = did_you_mean(file.seat_name, game.seats)
            raise MisuseError(f"this game has no seat “{file.seat_name}”{hint}; its seats are: {', '.join(game.seats)}")
    seats = [known.get(file.seat_name.casefold()) if file.seat_name else None for file in files]
    return (
        text for file, seat in zip(files, seats, strict=True) for text in read_orders(file.data, name=file.name, seat=seat)
    )
