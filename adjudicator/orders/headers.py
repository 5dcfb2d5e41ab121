"""Check the lines ``game …`` and ``turn …``, which protect against sheets for another game or turn."""

from __future__ import annotations

from adjudicator.core.values import Seat
from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, TurnHeader
from adjudicator.orders.findings import Findings
from adjudicator.orders.parser import LineReader
from adjudicator.orders.submission import Addressee


class Headers:
    """Keeps track of the headers of one text."""

    def __init__(self, reader: LineReader, addressee: Addressee, findings: Findings, own: str | None = None) -> None:
        """Compare with ``addressee`` and report problems to ``findings``. ``own`` is the seat of the text, if known."""
        self._reader = reader
        self._addressee = addressee
        self._findings = findings
        self._seats = addressee.seats if own is None else (own,)
        self._turn: int | None = None
        self._is_right_game = self._is_right_turn = True

    @property
    def is_addressed(self) -> bool:
        """Whether the text below the latest headers is for this game and for a turn that counts for any seat."""
        return self._is_right_game and self._is_right_turn

    def counts(self, turn: int) -> bool:
        """Return whether orders for ``turn`` count for any seat of the text."""
        return any(self._addressee.turns.counts(turn, seat) for seat in self._seats)

    def is_late(self, seat: str, received: int | None) -> bool:
        """Return whether orders ``received`` at that time, without a turn above them, are for an earlier turn."""
        since = self._addressee.question_times.get(Seat(seat))
        return self._turn is None and received is not None and since is not None and received <= since

    def wrong_turn_for(self, seat: str) -> int | None:
        """Return the turn of the latest header if it does not count for ``seat``; else ``None``."""
        return None if self._turn is None or self._addressee.turns.counts(self._turn, seat) else self._turn

    def take(self, number: int, raw: str, line: str, header: GameHeader | TurnHeader) -> None:
        """Take a readable header."""
        if isinstance(header, TurnHeader):
            self._take_turn(number, raw, line, header.turn)
            return
        due = self._addressee.game
        self._is_right_game, self._is_right_turn, self._turn = header.game.casefold() == due.casefold(), True, None
        if not self._is_right_game:
            self._findings.report(problems.wrong_game(self._reader, line, header.game, due), number, raw)
        elif header.turn is not None:
            self._take_turn(number, raw, line, header.turn)

    def _take_turn(self, number: int, raw: str, line: str, turn: int) -> None:
        due, self._turn = self._addressee.turns, turn
        self._is_right_turn = self.counts(turn)
        if self._is_right_game and not self._is_right_turn:
            problem = problems.wrong_turn(self._reader, line, turn, due.turn, max(due.turn, due.latest))
            self._findings.report(problem, number, raw)

    def take_unreadable(self, number: int, raw: str, line: str, word: str) -> None:
        """Refuse the orders below the unreadable header ``word``: its game or turn is not known."""
        self._is_right_game = self._is_right_game and word != "game"
        self._is_right_turn = self._is_right_turn and word != "turn"
        self._findings.explain(number, raw, line, consequence="; the orders below this line do not count")
