"""The folder of a club: where everything lies, and what its files say."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from adjudicator.club.database import RESTORE
from adjudicator.club.deadlines import flaws
from adjudicator.club.ledger import Ledger
from adjudicator.club.settings import ClubSettings, Deadlines, GameSettings, SeatSettings, read_club, read_game
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.store.atomic import write_atomic
from adjudicator.store.errors import CannotRead, Untrusted, Violation
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

SETTINGS: Final = "club.toml"
LEDGER: Final = "ledger.sqlite"
GAMES: Final = "games"
GAME_FILE: Final = "game.json"
GAME_SETTINGS: Final = "game.toml"
REPORTS: Final = "reports"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class ClubFolder:
    """A club on the disk: `club.toml`, `ledger.sqlite`, and `games/<id>/` with `game.json` and `game.toml` for each game."""

    def __init__(self, folder: Path) -> None:
        """Look at ``folder``. Raises ``CannotRead`` if it holds no club, ``Untrusted`` for settings that cannot be used."""
        self.folder = folder
        if not (folder / SETTINGS).is_file():
            raise CannotRead(str(folder), f"there is no {SETTINGS} in it; `adjudicator club init {folder}` begins a club")
        self.settings: ClubSettings = read_club(folder / SETTINGS)
        wrong = [Violation("$.deadlines", words) for words in flaws(self.settings.deadlines, self.settings.time_zone)]
        if wrong:
            raise Untrusted(str(folder / SETTINGS), wrong, "these settings cannot be used")
        self._read: dict[str, GameSettings] = {}

    @cached_property
    def games(self) -> tuple[str, ...]:
        """The names of the games, sorted."""
        return tuple(sorted(self._found()))

    def game_file(self, game: str) -> Path:
        """Return where the game file of ``game`` is."""
        return self.folder / GAMES / game / GAME_FILE

    def save(self, game: Game) -> None:
        """Replace the file of ``game`` in one step, if it can be read again. Raises ``CannotWrite``, ``Untrusted``."""
        data = dump_game(game)
        load_game(data, bulk=True)
        write_atomic(self.game_file(game.id), data)

    def game_at(self, file: str) -> str:
        """Return the game in whose folder ``file`` lies, empty if it lies in none."""
        folder = Path(file).parent
        return folder.name if folder.parent == self.folder / GAMES else ""

    def path(self, game: str, *names: str) -> Path:
        """Return a place in the folder of ``game``."""
        return self.folder.joinpath(GAMES, game, *names)

    def settings_of(self, game: str) -> GameSettings:
        """Return what `game.toml` of ``game`` says. Raises ``CannotRead``, ``Untrusted``."""
        if game not in self._read:
            path = self.path(game, GAME_SETTINGS)
            settings = read_game(path)
            rule = settings.deadlines
            wrong = (
                [] if rule is None else [Violation("$.deadlines", words) for words in flaws(rule, self.settings.time_zone)]
            )
            if wrong:
                raise Untrusted(str(path), wrong, "these settings cannot be used")
            self._read[game] = settings
        return self._read[game]

    def forget(self, game: str) -> None:
        """Read the settings of ``game`` again when they are needed: they were changed."""
        self._read.pop(game, None)

    def deadlines_of(self, game: str) -> Deadlines:
        """Return the rule of the deadlines of ``game``: its own, or the club's."""
        return self.settings_of(game).deadlines or self.settings.deadlines

    def seat_of(self, game: str, seat: str) -> SeatSettings:
        """Return what is known of the player of a seat. Raises ``Untrusted`` if `game.toml` does not have the seat."""
        found = self.settings_of(game).seats.get(seat)
        if found is None:
            words = f"the seat {seat} of the game is missing"
            raise Untrusted(
                str(self.path(game, GAME_SETTINGS)), [Violation("$.seats", words)], "these settings cannot be used"
            )
        return found

    def seats_at(self, address: str) -> Iterator[tuple[str, Seat]]:
        """Yield every game and seat whose player writes from ``address``, which is in lower case."""
        for game in self.games:
            for seat, settings in self.settings_of(game).seats.items():
                if address in map(str.casefold, settings.addresses):
                    yield game, Seat(seat)

    def ledger(self) -> Ledger:
        """Open the ledger of the club. Raises ``CannotRead``, ``CannotWrite``, ``Untrusted``.

        It does not replace a ledger that has vanished: all mails would count as unread, and all letters would go out again.
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
