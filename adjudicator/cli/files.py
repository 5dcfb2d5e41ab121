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
    from adjudicator.core.game import Game
    from adjudicator.session import Session


_FIRST_LINE: Final = 1024 * 1024


class UnsoundGameError(Exception):
    """Report a bug before it does harm: the game could not be read again after writing."""


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

    def session(self, path: str) -> Session:
        """Return the game in the file ``path``, checked, with its rules. Raises ``CannotRead``, ``Untrusted``."""
        from adjudicator.store.reading import read

        return self.session_of(*read(path))

    def seen(self, path: str) -> Session:
        """Return the game in ``path``, which may be a player's own file. Raises ``CannotRead``, ``Untrusted``."""
        from adjudicator.store.seat_files import is_seat_file

        name, data = read_also_archived(path)
        return _known_session(name, data) if is_seat_file(data) else self.session_of(name, data)

    def session_of(self, name: str, data: bytes) -> Session:
        """Return the game in ``data``, the bytes of the file ``name``, checked, with its rules. Raises ``Untrusted``."""
        self.file, self.data = name, data
        session = _session_of(name, data)
        self.ruleset = session.rules.meta.id
        return session


def read_also_archived(path: str) -> tuple[str, bytes]:
    """Return name and bytes of the file ``path``, which may be ``ARCHIVE#GAME``. Raises ``CannotRead``, ``Untrusted``."""
    from adjudicator.store.reading import read

    if "#" not in path and not path.endswith(".zst"):
        return read(path)
    from adjudicator.archive.sources import read_game  # slow to load, and few games are in archives

    return read_game(path)


def _known_session(name: str, data: bytes) -> Session:
    """Return the game in the player's own file ``name``. Raises ``Untrusted``."""
    from adjudicator.core.problem import SetupError
    from adjudicator.own_file import open_own
    from adjudicator.present import position_of
    from adjudicator.rulesets import bug_words
    from adjudicator.store.errors import Untrusted, Violation
    from adjudicator.store.seat_files import load_seat_file

    rules, file = load_seat_file(name, data)
    try:
        session = open_own(rules, file)
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    try:
        position_of(session, file.seat)
    except Exception as error:  # without a journal no audit can distinguish a forged position from a bug
        words = f"the rules cannot show this position: somebody has changed it, or this is {bug_words(error, rules.meta.id)}"
        raise Untrusted(name, [Violation("$.view", words)]) from None
    return session


def _session_of(name: str, data: bytes) -> Session:
    """Return the game in ``data``, the bytes of the file ``name``, checked, with its rules.

    Raises ``CannotRead`` if this is another kind of file, ``Untrusted``.
    """
    from adjudicator.core.problem import SetupError
    from adjudicator.session import load_session
    from adjudicator.store.errors import FileProblem, Untrusted, Violation

    try:
        return load_session(data)
    except SetupError as error:
        raise Untrusted(name, [Violation("$.setup", problem.message) for problem in error.problems]) from error
    except FileProblem as error:
        error.rename(name)
        raise


def is_players(path: str) -> bool:
    """Return whether the file ``path`` is a player's own file; always false for standard input."""
    from adjudicator.store.errors import FileProblem
    from adjudicator.store.reading import read
    from adjudicator.store.seat_files import is_seat_file

    try:
        return path != "-" and is_seat_file(read(path)[1])
    except FileProblem:
        return False


def sound_bytes(game: Game) -> bytes:
    """Return the bytes of ``game`` after a test that they can be read again, so that no bad file replaces a good one.

    Prints a warning if the file nearly reaches the size limit. Raises ``UnsoundGameError``, ``CannotWrite``.
    """
    from adjudicator.store.errors import Untrusted
    from adjudicator.store.load import load_game
    from adjudicator.store.reading import LIMIT, MEGABYTE
    from adjudicator.store.save import dump_game

    data = dump_game(game)
    try:
        load_game(data)
    except Untrusted as error:
        raise UnsoundGameError(str(error)) from error
    if 4 * len(data) > 3 * LIMIT:
        size, most = f"{len(data) / MEGABYTE:,.1f} MB", f"{LIMIT // MEGABYTE} MB"
        warn(f"adjudicator: the file of game {game.id} has {size} already; the limit is {most} (docs/game-file.md)")
    return data


def write_new(path: Path, data: bytes, *, force: bool) -> None:
    """Write ``data`` to ``path``; replace a file only with ``force``. Raises ``MisuseError``, ``CannotWrite``."""
    from adjudicator.store.save import locked, write_atomic

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
    from adjudicator.store.save import locked

    is_file = target != "-" and (os.path.isfile(target) or not os.path.exists(target))
    return locked(Path(target)) if is_file else nullcontext()


def spare_others(target: str, game: Game, remedy: str) -> None:
    """Raise ``MisuseError`` if ``target`` is a file other than ``game`` itself or an earlier version of it.

    ``remedy`` tells the user what to do. Games with the same heading are the same: an id alone is not unique.
    """
    if target == "-" or not os.path.isfile(target) or not os.path.getsize(target):
        return
    from adjudicator.store.errors import FileProblem
    from adjudicator.store.load import load_game

    try:
        there = load_game(target)
    except FileProblem:
        raise MisuseError(f"{remedy}: {target} already exists and is not a valid game file") from None
    if there.beginning != game.beginning:
        words = f"another game with the same id, {there.id}" if there.id == game.id else f"another game, {there.id}"
        raise MisuseError(f"{remedy}: {target} contains {words}")
    if there.head not in {link.hash for link in game.journal}:
        words = f"entry {there.journal[-1].entry.n} and others would be lost"
        raise MisuseError(f"{remedy}: {target} contains later entries of this game; {words}")


def spare_other_files(target: str, what: str, is_own: Callable[[bytes], bool], remedy: str) -> None:
    """Raise ``MisuseError`` if ``target`` is a file other than an earlier version of ``what`` goes there.

    ``is_own`` decides by the first line of the file (up to a megabyte), ``remedy`` tells the user what to do.
    """
    if target == "-" or not os.path.isfile(target) or not os.path.getsize(target):
        return
    try:
        with Path(target).open("rb") as stream:
            is_spared = not is_own(stream.readline(_FIRST_LINE))
    except (OSError, ValueError):
        is_spared = True
    if is_spared:
        raise MisuseError(f"{remedy}: {target} already exists and is not {what}")


def is_picture(first_line: bytes) -> bool:
    """Return whether a file with this first line is a picture as this program draws them: SVG or PNG."""
    return first_line.startswith((b"<svg ", b"<?xml ", b"\x89PNG"))


def only_one_stdin(*paths: str) -> None:
    """Raise ``MisuseError`` if standard input is named twice."""
    if paths.count("-") > 1:
        raise MisuseError("name standard input (`-`) only once")


def is_same(one: str, other: str) -> bool:
    """Return whether two names lead to the same file; standard input is not a file."""
    return "-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other)
