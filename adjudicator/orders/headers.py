"""The lines ``game …`` and ``turn …``: safeguards against sheets that are meant for another game or turn."""

from __future__ import annotations

from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, TurnHeader
from adjudicator.orders.findings import Findings
from adjudicator.orders.parser import LineReader
from adjudicator.orders.submission import Addressee


class Headers:
    """Keeps track of the headers of one text."""

    def __init__(self, reader: LineReader, addressee: Addressee, findings: Findings) -> None:
        """Compare with ``addressee``; what is wrong goes to ``findings``."""
        self._reader = reader
        self._addressee = addressee
        self._findings = findings
        self._is_right_game = self._is_right_turn = True

    @property
    def is_addressed(self) -> bool:
        """Whether what stands below the latest headers is for this game and this turn."""
        return self._is_right_game and self._is_right_turn

    def take(self, number: int, raw: str, line: str, header: GameHeader | TurnHeader) -> None:
        """Take a header that could be read."""
        if isinstance(header, TurnHeader):
            self._take_turn(number, raw, line, header.turn)
            return
        due = self._addressee.game
        self._is_right_game, self._is_right_turn = header.game.casefold() == due.casefold(), True
        if not self._is_right_game:
            self._findings.report(problems.wrong_game(self._reader, line, header.game, due), number, raw)
        elif header.turn is not None:
            self._take_turn(number, raw, line, header.turn)

    def _take_turn(self, number: int, raw: str, line: str, turn: int) -> None:
        due = self._addressee.turn
        self._is_right_turn = turn == due
        if self._is_right_game and not self._is_right_turn:
            self._findings.report(problems.wrong_turn(self._reader, line, turn, due), number, raw)

    def take_unreadable(self, number: int, raw: str, line: str, word: str) -> None:
        """Refuse what follows the header ``word``: it is a safeguard, and this one did not say against what."""
        self._is_right_game = self._is_right_game and word != "game"
        self._is_right_turn = self._is_right_turn and word != "turn"
        self._findings.explain(number, raw, line, consequence="; the sheets that follow are refused")
