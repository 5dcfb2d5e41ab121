"""Open, lock and protect the files named on the command line; `-` is standard input."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adjudicator.cli.output import MisuseError, warn

if TYPE_CHECKING:
    from adjudicator.library.game import Game


_MOST_HEAD: Final = 1024 * 1024


@dataclass(slots=True)
class Opened:
    """The game ``file`` that a command has opened, its bytes (``data``: ``None`` before), and the ``ruleset`` of the game.

    If the program or the rules fail, these bytes are audited, because the file may be forged.
    """

    file: str = ""
    data: bytes | None = None
    ruleset: str = ""

    @property
    def note(self) -> str:
        """The sentence about the game in a message about a bug: its ruleset, and that its file may be fine."""
        of = f", a game of the ruleset “{self.ruleset}”," if self.ruleset else ""
        return f"The file {self.file}{of} may be fine." if self.file else ""

    def game(self, path: str) -> Game:
        """Return the game in the file ``path``, checked, with its rules. Raises ``CannotRead``, ``Untrusted``."""
        return self.game_of(*read_file(path))

    def seen(self, path: str) -> Game:
        """Return the game in ``path``, which may be a player's own file. Raises ``CannotRead``, ``Untrusted``."""
        from adjudicator.library.opening import is_seat_file, open_game, read_game_file

        name, data = read_game_file(path)
        return open_game(data, name=name) if is_seat_file(data) else self.game_of(name, data)

    def game_of(self, name: str, data: bytes) -> Game:
        """Return the game in ``data``, the bytes of the file ``name``, checked, with its rules. Raises ``Untrusted``."""
        from adjudicator.library.opening import open_game

        self.file, self.data = name, data
        game = open_game(data, name=name, whole=True)
        self.ruleset = game.meta.id
        return game


def is_players(path: str) -> bool:
    """Return whether the file ``path`` is a player's own file."""
    from adjudicator import FileProblem
    from adjudicator.library.opening import is_seat_file

    try:
        return is_seat_file(read_file(path)[1])
    except FileProblem:
        return False


def sound_bytes(game: Game) -> bytes:
    """Return the bytes of ``game``, which can be read again, so that no bad file replaces a good one.

    Prints a warning if the file nearly reaches the size limit. Raises ``UnsoundGameError``, ``CannotWrite``.
    """
    from adjudicator.files.reading import LIMIT, MEGABYTE

    data = game.to_bytes()
    if 4 * len(data) > 3 * LIMIT:
        size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
        warn(f"adjudicator: the file of game {game.id} has {size} already; the limit is {most} (docs/game-file.md)")
    return data


def read_file(path: str) -> tuple[str, bytes]:
    """Return the name of the file ``path`` for messages, and its bytes. Raises ``CannotRead``."""
    from adjudicator.files.reading import read

    return read(path)


def write_file(path: str, data: bytes, *, is_shared: bool = False) -> None:
    """Replace the file ``path`` with ``data`` at once; others may read it if it ``is_shared``. Raises ``CannotWrite``."""
    from adjudicator.files.atomic import PRIVATE, SHARED, write_atomic

    write_atomic(Path(path), data, SHARED if is_shared else PRIVATE)


def write_new(path: Path, data: bytes, *, force: bool) -> None:
    """Write ``data`` to ``path``; replace a file only with ``force``. Raises ``MisuseError``, ``CannotWrite``."""
    from adjudicator.files.atomic import write_atomic
    from adjudicator.files.lock import locked

    if path.is_dir():
        raise MisuseError(f"{path}: this is a folder, not a file")
    with locked(path):
        if path.exists() and not force:
            raise MisuseError(f"{path} already exists; use --force to replace it")
        write_atomic(path, data)


def hold(target: str) -> AbstractContextManager[None]:
    """Return the lock of the file ``target``, for writing it; pipes, devices and folders need none.

    Entering the lock raises ``InUse``, ``CannotWrite``.
    """
    from adjudicator.files.lock import locked

    is_file = target != "-" and (os.path.isfile(target) or not os.path.exists(target))
    return locked(Path(target)) if is_file else nullcontext()


def spare_others(target: str, game: Game, remedy: str) -> None:
    """Raise ``MisuseError`` if ``target`` is a file other than ``game`` itself or an earlier version of it.

    ``remedy`` tells the user what to do.
    """
    from adjudicator.library.errors import RequestError

    try:
        if target != "-":
            game.require_own_file(target)
    except RequestError as error:
        raise MisuseError(f"{remedy}: {error}") from None


def spare_other_files(target: str, what: str, is_own: Callable[[bytes], bool], remedy: str) -> None:
    """Raise ``MisuseError`` if ``target`` is a file other than an earlier version of ``what`` goes there.

    ``is_own`` decides by the head of the file (up to a megabyte), ``remedy`` tells the user what to do.
    """
    if target == "-" or not os.path.isfile(target) or not os.path.getsize(target):
        return
    try:
        with Path(target).open("rb") as stream:
            is_spared = not is_own(stream.read(_MOST_HEAD))
    except (OSError, ValueError):
        is_spared = True
    if is_spared:
        raise MisuseError(f"{remedy}: {target} already exists and is not {what}")


def spare_other_pictures(target: str) -> None:
    """Raise ``MisuseError`` if ``target`` is a file other than a picture that this program has drawn."""
    from adjudicator.reports.pages.forms import is_picture

    spare_other_files(target, "a picture of this program", is_picture, "name another file, or use --force")


def only_one_stdin(*paths: str) -> None:
    """Raise ``MisuseError`` if standard input is named twice."""
    if paths.count("-") > 1:
        raise MisuseError("name standard input (`-`) only once")


def is_same(one: str, other: str) -> bool:
    """Return whether two names lead to the same file; standard input is not a file."""
    return "-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other)
