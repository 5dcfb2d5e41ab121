"""Answer the board of a player from the player's own file, which has nothing that they may not know.

The file is that of the position in the last reports. It is opened once, and kept as long as there is room.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, Final

from adjudicator.club.club import Club, GameRow, SeatRow
from adjudicator.club.commands import read
from adjudicator.core.values import Value, digest
from adjudicator.desk.requests import Desk
from adjudicator.results import OrderProblem

ASKED: Final = frozenset({"look", "moment", "check", "costs", "rule", "words", "what_if"})
"""The requests that only read."""
_MOST: Final = 64
"""The most boards to keep."""


class SeatState(Value, kw_only=True):
    """What may have changed since a board was shown.

    ``position`` names what the player knows. Orders are due ``until`` (empty: no deadline), at ``due_at`` (seconds since
    1970). ``words`` says which orders count now, if that was asked.
    """

    position: str
    is_due: bool
    is_over: bool
    until: str
    due_at: int
    words: str = ""


class Receipt(Value, kw_only=True):
    """The answer to orders: the ``state`` of the input (new: a round will answer it), a ``subject``, and the ``receipt``."""

    state: str
    subject: str
    receipt: str
    problems: tuple[OrderProblem, ...]
    position: str


class Board:
    """An open own file at its ``turn``. ``position`` names what its player knows: another one after each new report."""

    def __init__(self, name: str, own: bytes) -> None:
        """Open the ``own`` file of a game called ``name``."""
        self.position = digest(own)[:16]
        self._desk, self._lock, self._looks = Desk(), Lock(), dict[str, tuple[str, bytes | None]]()
        said, _ = self._desk.answer("open", json.dumps({"name": f"{name}.json"}), [own])
        self.turn = int(json.loads(said)["game"]["turn"])

    def ask(self, name: str, values: Mapping[str, Any]) -> tuple[str, bytes | None]:
        """Answer a request as ``Desk.answer`` does."""
        text = json.dumps(values)
        with self._lock:
            if name != "look":
                return self._desk.answer(name, text)
            if text not in self._looks:
                self._looks = {text: self._desk.answer(name, text)}  # each board begins with the same
            return self._looks[text]

    def problems(self, seat: str, text: str) -> tuple[OrderProblem, ...]:
        """Return what is wrong with the orders in a ``text`` of ``seat``."""
        with self._lock, suppress(Exception):  # whatever fails here, the receipt has told the player what counts
            return self._desk.check(viewer=seat, text="\n".join(read(text.split("\n")).rest)).problems
        return ()


class Boards:
    """The boards that were used last."""

    def __init__(self) -> None:
        """Begin without any."""
        self._kept, self._lock = dict[tuple[int, str], Board](), Lock()

    def of(self, club: Club, row: GameRow, seat: SeatRow) -> Board | None:
        """Return the board of ``seat``; ``None`` if a command has changed the game and no report has told it yet.

        Raises ``FileProblem``.
        """
        key = seat.id, row.seal
        with self._lock:
            if found := self._kept.pop(key, None):
                return self._kept.setdefault(key, found)  # as the last one
        game = club.game(row)
        if not row.seal or game.record.seal != row.seal:
            return None
        made = Board(row.name, game.seen_by(seat.seat).own_file())
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
        return made
