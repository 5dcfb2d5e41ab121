"""Find and read the files of a club in its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

import adjudicator as adj
from adjudicator.club.database import RESTORE
from adjudicator.club.deadlines import Deadlines, moment
from adjudicator.club.ledger import Ledger
from adjudicator.club.settings import ClubSettings, GameSettings, Press, SeatSettings
from adjudicator.core.problem import Violation
from adjudicator.files.atomic import write_atomic
from adjudicator.files.documents import parse_toml
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.files.reading import read
from adjudicator.reports.sanitize import printable

SETTINGS: Final = "club.toml"
LEDGER: Final = "ledger.sqlite"
GAMES: Final = "games"
GAME_FILE: Final = "game.json"
GAME_SETTINGS: Final = "game.toml"
REPORTS: Final = "reports"
_MOST_RULES: Final = 20_000
"""The most characters of the house rules in a letter or on a page."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class ClubFolder:
    """The folder of a club: `club.toml`, `ledger.sqlite`, and `game.json` and `game.toml` of each game in `games/<id>/`."""

    def __init__(self, folder: Path) -> None:
        """Read the settings in ``folder``. Raises ``CannotRead`` if it has no club, ``Untrusted`` if they are unusable."""
        self.folder = folder
        if not (folder / SETTINGS).is_file():
            raise CannotRead(str(folder), f"this folder has no {SETTINGS}; `adjudicator club init {folder}` begins a club")
        self.settings: ClubSettings = parse_toml(*read(folder / SETTINGS), ClubSettings)
        self._read: dict[str, GameSettings] = {}

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The ids of the games, sorted."""
        return tuple(sorted(self._found()))

    def moment(self, seconds: int) -> str:
        """Return a time, in ``seconds`` since 1970, as text for members, in the time zone of the club."""
        return moment(seconds, self.settings.time_zone)

    def game_file(self, game: str) -> Path:
        """Return the path of the game file of ``game``."""
        return self.folder / GAMES / game / GAME_FILE

    def save(self, game: adj.Game) -> None:
        """Replace the file of ``game`` in one step, after a check of the new one. Raises ``CannotWrite``."""
        write_atomic(self.game_file(game.id), game.to_bytes())

    def game_at(self, file: str) -> str:
        """Return the game in whose folder ``file`` is, empty if it is in none."""
        folder = Path(file).parent
        return folder.name if folder.parent == self.folder / GAMES else ""

    def path(self, game: str, *names: str) -> Path:
        """Return a path in the folder of ``game``."""
        return self.folder.joinpath(GAMES, game, *names)

    def settings_of(self, game: str) -> GameSettings:
        """Return the settings in `game.toml` of ``game``. Raises ``CannotRead``, ``Untrusted``."""
        if game not in self._read:
            self._read[game] = parse_toml(*read(self.path(game, GAME_SETTINGS)), GameSettings)
        return self._read[game]

    def forget(self, game: str) -> None:
        """Forget the settings of ``game``, which have changed: the next use reads them again."""
        self._read.pop(game, None)

    def deadlines_of(self, game: str) -> Deadlines:
        """Return the deadline settings of ``game``, or else those of the club."""
        return self.settings_of(game).deadlines or self.settings.deadlines

    def press_of(self, game: str) -> Press:
        """Return the rules of ``game`` for messages between players; what `game.toml` does not say is as in the club."""
        own, usual = self.settings_of(game), self.settings
        return Press(
            policy=own.press or usual.press,
            is_anonymous=usual.press_anonymous if own.press_anonymous is None else own.press_anonymous,
            is_with_report=usual.press_with_report if own.press_with_report is None else own.press_with_report,
        )

    def seat_of(self, game: str, seat: str) -> SeatSettings:
        """Return the settings of a seat: name, addresses and token. Raises ``Untrusted`` if `game.toml` lacks the seat."""
        found = self.settings_of(game).seats.get(seat)
        if found is None:
            words = f"the game has a seat {seat}, which is missing here"
            raise Untrusted(
                str(self.path(game, GAME_SETTINGS)), [Violation("$.seats", words)], "these settings cannot be used"
            )
        return found

    def player_of(self, game: str, seat: str) -> str:
        """Return the player of ``seat`` with the seat, ``Ann (red)``, as far as `game.toml` names the player."""
        settings = self.settings_of(game).seats.get(seat)
        return printable(f"{settings.name} ({seat})") if settings is not None and settings.name else seat

    def house_rules(self) -> str:
        """Return the house rules of the club; empty if there are none, or their file cannot be read."""
        name = self.settings.people.rules
        try:
            return (self.folder / name).read_text("utf-8", "replace")[:_MOST_RULES].strip() if name else ""
        except OSError:
            return ""

    def ledger(self) -> Ledger:
        """Open the ledger of the club. Raises ``CannotRead``, ``CannotWrite``, ``Untrusted``.

        It does not create a new one if the ledger is lost: all letters would go out again, and all mails count as new.
        """
        path = self.folder / LEDGER
        if not path.is_file() or not path.stat().st_size:
            raise Untrusted(str(path), [Violation("$", "the file is missing or empty")], RESTORE)
        return Ledger(path)

    def _found(self) -> Iterator[str]:
        try:
            entries = list(os.scandir(self.folder / GAMES))
        except FileNotFoundError:
            return
        for entry in entries:
            if _NAME.fullmatch(entry.name) and os.path.isfile(os.path.join(entry.path, GAME_FILE)):
                yield entry.name


def open_file(path: Path) -> adj.Game:
    """Return the game in the file ``path``. Raises ``FileProblem``, ``SetupError``."""
    try:
        return adj.open(read(path)[1], name=str(path), whole=True)
    except Untrusted as error:
        raise error.__cause__ if isinstance(error.__cause__, adj.SetupError) else error from None
