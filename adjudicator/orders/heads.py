"""Take the lines that name the seat or the turn of the orders below them; they count only if an order follows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, TurnHeader
from adjudicator.orders.findings import Findings
from adjudicator.orders.headers import Headers
from adjudicator.orders.parser import LineReader
from adjudicator.orders.remarks import Remarks
from adjudicator.orders.sheets import Sheets
from adjudicator.orders.submission import Addressee, Submission

_WORDS: Final = 4
"""The most words of a misspelled header."""


class Heads:
    """Takes the lines of one text that name a seat or a turn; ``sent`` collects seats that were written without a colon."""

    def __init__(
        self,
        reader: LineReader,
        addressee: Addressee,
        text: Submission,
        findings: Findings,
        headers: Headers,
        remarks: Remarks,
        sheets: Sheets,
        sent: set[str],
    ) -> None:
        """Take lines of ``text``."""
        self._reader, self._findings, self._headers = reader, findings, headers
        self._remarks, self._sheets, self._sent = remarks, sheets, sent
        self._called, self._seat = addressee.seats_by_name(), text.seat
        self._headers_below: list[Callable[[], None]] = []

    def take(self, number: int, raw: str, line: str, parsed: GameHeader | TurnHeader) -> None:
        """Take a header. Below an order it counts only if another order follows: “Game on” may just end a mail."""

        def take() -> None:
            self._headers.take(number, raw, line, parsed)
            self._sheets.begin_own()

        self._headers_below.append(take)
        if not self._sheets.order_line:
            self.settle()

    def settle(self) -> None:
        """Let headers below an order count, because another order follows."""
        headers, self._headers_below = self._headers_below, []
        for take in headers:
            take()

    def is_slip(self, line: str, word: str) -> bool:
        """Return whether ``line`` begins like a header and is short enough: ``turn seven``, not “Turn left here”."""
        words = line.split()
        return self._reader.english(word) in ("game", "turn") and len(words) <= _WORDS and line[-1] not in "!?"

    def take_slip(self, number: int, raw: str, line: str, word: str) -> None:
        """Take a misspelled header; signs at its end are ignored."""
        bare = line.rstrip(" .:,")
        parsed = self._reader.parse(bare)
        if isinstance(parsed, (GameHeader, TurnHeader)):
            self.take(number, raw, bare, parsed)
            return

        def refuse() -> None:
            self._sheets.orders += 1
            self._headers.take_unreadable(number, raw, line, word)
            self._sheets.current = None

        self._headers_below.append(refuse)
        if not self._sheets.order_line:
            self.settle()

    def keep_possible_head(self, number: int, raw: str, line: str, head: problems.Head | None) -> None:
        """Remember a line that may be the head of a sheet: if an order follows, the sheet above ends here."""
        sheets, sheet = self._sheets, self._sheets.current
        own = "" if sheet is None else sheet.seat
        word = head.seat if head else ""
        seat = self._called.get(word)
        if head and head.has_colon and (seat is not None or self._remarks.is_like_head(line, own)):
            sheets.possible_head = number, partial(sheets.open, number, raw, line, word)
        elif self._remarks.speaks_of_another(line, own) and (sheets.order_line or not line.endswith(",")):
            take = partial(self.take_bare_seat, head=head) if head and seat == word else sheets.close
            sheets.possible_head = number, partial(take, number, raw, line)

    def take_bare_seat(self, number: int, raw: str, line: str, head: problems.Head) -> None:
        """Refuse the orders below a seat without its colon."""
        if self._seat not in (None, head.seat):
            self._sheets.open(number, raw, line, head.seat)
            return
        self._sheets.refuse_from_here(head.seat, number)
        self._sent.add(head.seat)
        self._findings.report(problems.missing_colon(self._reader, line, head), number, raw, head.seat)
