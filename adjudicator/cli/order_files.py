"""Read the texts, mails, mailboxes and folders named on the command line, each optionally with its seat."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.cli.ui import MisuseError
from adjudicator.core.values import Value
from adjudicator.library.texts import seats_by_name

if TYPE_CHECKING:
    from adjudicator import Game, Submission
    from adjudicator.core.values import Seat

_COPY: Final = re.compile(r"(?i).*(?:~|\.(?:bak|swp|swo|orig|rej|tmp))|#.*#|~\$.*")
"""Names that programs give to copies of a file on which somebody works."""


class OrderPath(Value):
    """The path in an argument such as ``red=mail.eml``, and the word before ``=``, or an empty one.

    ``is_in_folder``: the word comes from a file name in a folder, and counts only if it names a seat or a player.
    """

    path: str
    seat_name: str = ""
    is_in_folder: bool = False


class OrderFile(Value):
    """The contents at a path: a name for messages and the bytes, or the folder of a Maildir."""

    path: OrderPath
    name: str
    data: bytes | Path


def order_paths(arguments: Iterable[str]) -> list[OrderPath]:
    """Return the paths and seats in ``arguments``. An argument that is itself the name of a file names no seat."""
    return [_order_path(argument) for argument in arguments]


def _order_path(argument: str) -> OrderPath:
    seat_name, equals, path = argument.partition("=")
    if not equals or not seat_name.strip() or "/" in seat_name or os.sep in seat_name or os.path.exists(argument):
        return OrderPath(argument)
    if not path:
        raise MisuseError(f"write the seat and then a file, as in {seat_name}=mail.eml: {argument} names no file")
    return OrderPath(path, seat_name.strip())


def read_order_files(paths: Iterable[OrderPath], ignored: Collection[str]) -> list[OrderFile]:
    """Return the texts, mails and mailboxes at ``paths``; of a plain folder, each file in it, by name and number.

    This ignores hidden files, copies such as ``red.txt~``, folders inside a folder, and the files ``ignored`` with their
    locks and outboxes. In a folder without a seat, a file's name may contain its seat: ``red=mail.eml``. Raises
    ``CannotRead``.
    """
    return [_order_file(found) for path in paths for found in _in_folder(path, ignored)]


def _in_folder(folder: OrderPath, ignored: Collection[str]) -> Iterator[OrderPath]:
    """Yield the files in a plain ``folder``, or the path itself if it leads to something else."""
    if not _is_plain_folder(folder.path):
        yield folder
        return
    from adjudicator.files.lock import lock_of
    from adjudicator.files.outbox import outbox_of
    from adjudicator.library.errors import CannotRead
    from adjudicator.mail.limits import MOST_MAILS

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
            yield OrderPath(path, folder.seat_name)
        else:
            yield OrderPath(path, seat_name, is_in_folder=True)


def _place(name: str) -> tuple[list[str | int], ...]:
    """Return the place of a file in its folder: ``a.txt``, ``a (2).txt``, ``a (10).txt``."""
    parts = (re.split("([0-9]+)", part) for part in (*os.path.splitext(name.casefold()), name))
    return tuple([int(piece) if index % 2 else piece for index, piece in enumerate(part)] for part in parts)


def _is_plain_folder(path: str) -> bool:
    if path == "-" or not os.path.isdir(path):
        return False
    from adjudicator.mail.mailboxes import is_maildir

    return not is_maildir(Path(path))


def _order_file(path: OrderPath) -> OrderFile:
    from adjudicator.files.reading import read

    if path.path != "-" and os.path.isdir(path.path):
        return OrderFile(path, path.path, Path(path.path))
    return OrderFile(path, *read(path.path))


def submissions_of(files: Iterable[OrderFile], game: Game) -> Iterator[Submission]:
    """Return the contents of ``files``, text by text and mail by mail, each with its seat if the command line names one.

    Raises ``MisuseError`` for an unknown seat, before it reads the first text.
    """
    return _submissions([(file, _seat(file.path, game)) for file in files])


def _submissions(files: Iterable[tuple[OrderFile, Seat | None]]) -> Iterator[Submission]:
    from adjudicator.library.texts import read_orders

    for file, seat in files:
        yield from read_orders(file.data, name=file.name, seat=seat)


def _seat(path: OrderPath, game: Game) -> Seat | None:
    """Return the seat that an argument names, by its own name or its player's. Raises ``MisuseError`` if it is unknown."""
    if not path.seat_name:
        return None
    seat = seats_by_name(game).get(path.seat_name.casefold())
    if seat is not None or path.is_in_folder:
        return seat
    from adjudicator.core.problem import did_you_mean

    hint = did_you_mean(path.seat_name, game.seats)
    raise MisuseError(f"this game has no seat “{path.seat_name}”{hint}; its seats are: {', '.join(game.seats)}")
