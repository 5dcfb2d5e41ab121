"""Carry out the tasks of the command `club` that change a club, each with the sentences that say what is done."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.arguments import pairs
from adjudicator.cli.output import MisuseError
from adjudicator.core.values import Value

if TYPE_CHECKING:
    from adjudicator.club.folder import ClubFolder
    from adjudicator.club.ledger import Ledger


class Task(StrEnum):
    """The tasks of the command."""

    INIT = "init"
    ADD = "add"
    SEAT = "seat"
    REMOVE = "remove"
    LIST = "list"
    STANDING = "standing"
    RUN = "run"
    RECEIVE = "receive"
    STATUS = "status"
    REPORT = "report"
    MESSAGES = "messages"
    DOCTOR = "doctor"
    SET = "set"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    SETTLE = "settle"
    RELEASE = "release"
    ACCEPT = "accept"
    OPEN = "open"
    FORGET = "forget"
    BACKUP = "backup"
    RESTORE = "restore"
    PUBLISH = "publish"


class Arguments(Value):
    """The arguments of a task: the ``words`` after the folder, the duration ``by``, and the ``seats``."""

    words: tuple[str, ...]
    by: str
    seats: tuple[str, ...]

    def only(self, what: str) -> str:
        """Return the only word. Raises ``MisuseError``, which asks for ``what``."""
        if len(self.words) != 1:
            raise MisuseError(f"name {what}")
        return self.words[0]

    @property
    def numbers(self) -> list[int]:
        """The words as numbers. Raises ``MisuseError``."""
        if not self.words or not all(word.isdecimal() and len(word) < 10 for word in self.words):
            raise MisuseError("name one or more numbers; `club status` lists them")
        return [int(word) for word in self.words]


def carry_out(task: Task, club: ClubFolder, arguments: Arguments) -> list[str]:
    """Carry out ``task``, each change in one step with its record in the ledger; return a sentence for each change.

    A step begins first: if another program uses the ledger, nothing changes. Raises ``MisuseError``, ``ClubError``.
    """
    done = list[str]()
    with closing(club.ledger()) as ledger:
        for words in _CHANGES[task](club, ledger, arguments):  # each yields within its change of the ledger
            ledger.record_change(int(time.time()), task.value, words)
            done.append(words)
    return done


def _add(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import add_game

    file, addresses = Path(arguments.only("one game file")), pairs(arguments.seats, "a seat with its address")
    with ledger.change():
        game = add_game(club, file, addresses)
        yield f"{game}: added to the club; the next `club run` writes to its players"


def _seat(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import change_game
    from adjudicator.club.players import seat_player

    if len(arguments.words) != 4:
        raise MisuseError("name the game, the seat, the player and the address, such as: race red Carol carol@example.org")
    game, seat, name, address = arguments.words
    with change_game(club, ledger, game):
        seat_player(club, ledger, game, seat.lower(), name, address, int(time.time()))
        yield f"{game}: {name} now plays {seat.lower()}, with a new token; the next `club run` writes to {address}"


def _remove(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import change_files
    from adjudicator.club.players import remove_game

    game = arguments.only("one game")
    with change_files(ledger, club.folder / "club"):
        file = remove_game(club, ledger, game)
        yield f"{game}: removed from the club, without a mail to its players. The game file is {file}"


def _pause(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import pause

    with ledger.change():
        yield from (f"{game}: paused" for game in pause(club, ledger, arguments.words, int(time.time())))


def _resume(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import resume

    with ledger.change():
        yield from (f"{game}: resumed" for game in resume(club, ledger, arguments.words, int(time.time())))


def _extend(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import extend

    with ledger.change():
        for game, due in extend(club, ledger, arguments.words, arguments.by, int(time.time())).items():
            yield f"{game}: orders are due {club.moment(due)}"


def _settle(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.members import settle

    for number in arguments.numbers:
        with ledger.change():
            settle(club, ledger, number, int(time.time()))
            yield f"matter {number} is settled"


def _release(_club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import release

    for number in arguments.numbers:
        with ledger.change():
            yield f"to be sent: {release(ledger, number)}"


def _accept(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.manage import accept, change_game, find_matter
    from adjudicator.club.members import grant

    seat = arguments.seats[0].lower() if len(arguments.seats) == 1 else ""
    if len(arguments.words) == 1 and arguments.words[0].isdecimal():
        number = arguments.numbers[0]
        game = find_matter(ledger, number).game
        with change_game(club, ledger, game) if game else ledger.change():
            yield grant(club, ledger, number, seat, int(time.time()))
        return
    found = re.fullmatch(r"(\d{1,9})(?:\.(\d{1,6}))?", arguments.words[1]) if len(arguments.words) == 2 else None
    if found is None or not seat:
        raise MisuseError(
            "name the game, the number in `club status`, and the sender's seat with --seat;"
            " for a member's request, only the number"
        )
    with ledger.change():
        mail = accept(club, ledger, int(found[1]), int(found[2] or 0), arguments.words[0], seat)
        sender = mail.address or "an unknown sender"
        yield f"the mail from {sender} counts as {seat}'s; the next round answers it"


def _open(_club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.members import open_list

    with ledger.change():
        yield f"the list is open: {open_list(ledger, arguments.words, int(time.time()))}"


def _forget(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.members import forget_member

    with ledger.change():
        yield forget_member(club, ledger, arguments.only("the address of one member"))


def _backup(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.backup import back_up
    from adjudicator.core.phrases import count

    folder = arguments.only("the new folder for the copy")
    with back_up(club, ledger, Path(folder)) as games:
        yield f"{folder}: a copy of the club with its ledger and {count(games, 'game')}"


def _set(club: ClubFolder, ledger: Ledger, arguments: Arguments) -> Iterator[str]:
    from adjudicator.club.change_settings import change_settings
    from adjudicator.club.folder import SETTINGS
    from adjudicator.club.manage import change_files, change_game

    words = arguments.words
    game = words[0] if len(words) > 1 and "=" not in words[0] else ""
    wanted = pairs(words[bool(game) :], "a setting with its value")
    own = club.folder / SETTINGS
    with change_game(club, ledger, game) if game else change_files(ledger, own, own):
        yield from change_settings(club, wanted, game)


Change = Callable[["ClubFolder", "Ledger", Arguments], Iterator[str]]
_CHANGES: dict[Task, Change] = {
    Task.ADD: _add,
    Task.SEAT: _seat,
    Task.REMOVE: _remove,
    Task.PAUSE: _pause,
    Task.RESUME: _resume,
    Task.EXTEND: _extend,
    Task.SETTLE: _settle,
    Task.RELEASE: _release,
    Task.ACCEPT: _accept,
    Task.OPEN: _open,
    Task.FORGET: _forget,
    Task.BACKUP: _backup,
    Task.SET: _set,
}
