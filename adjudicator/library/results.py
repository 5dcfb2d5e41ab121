"""The results of orders, as values for programs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import adjudicator as adj
from adjudicator.core.values import MODERATOR, Value, replace
from adjudicator.library.adjudicate import AdjudicationResult, adjudicate_files
from adjudicator.library.errors import NoOrdersError, RequestError
from adjudicator.library.game import Game
from adjudicator.library.own_check import check_own, read_texts
from adjudicator.library.reader import Reader
from adjudicator.library.texts import submissions_in
from adjudicator.orders.word_line import BAD_WORD
from adjudicator.reports.data.diagnostics import order_problem
from adjudicator.results import LogRow, OrderProblem, ReadRemark, SeatReceipt

if TYPE_CHECKING:
    from adjudicator.orders.submission import Orders
    from adjudicator.reports.data.report import Report


class Result(Value):
    """The result of orders: the ``game`` afterwards, the players' ``problems``, the ``log`` and the ``receipts``.

    ``details`` also have the notes and the ignored lines. They show everything: keep them from players.
    """

    details: AdjudicationResult

    @classmethod
    def of_orders(cls, game: Game, orders: Orders, *, strict: bool, held_seats: Collection[str]) -> Result:
        """Adjudicate ``orders`` (see ``Game.apply``)."""
        game.require_journal()
        held = frozenset(map(game.seat, held_seats))
        return cls(adjudicate_files(game, submissions_in(game, orders), strict=strict, held_seats=held))

    @classmethod
    def of_check(cls, reader: Reader, orders: Orders) -> Result:
        """Check ``orders`` with the knowledge of ``reader``, a seat (see ``Reader.check``)."""
        game, seat = reader.game, reader.viewer
        if seat is None or seat not in game.seats:
            raise RequestError("name a seat as the reader: only a seat checks its own orders")
        texts = list(submissions_in(game, orders, seat))
        received = read_texts(game, texts)
        found = check_own(game, texts, seat, received)
        if not (found.diagnostics or seat in received.counted.mails):
            raise NoOrdersError(f"these texts contain no orders of {seat}: write `{seat}:` above them")
        return cls(found)

    @property
    def game(self) -> Game:
        """The game after the orders."""
        return self.details.game

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The players' mistakes in reading order, each with its ``code``, ``message``, ``seat``, ``line`` and ``column``."""
        return tuple(map(order_problem, self.details.diagnostics))

    @property
    def send_again(self) -> tuple[OrderProblem, ...]:
        """The first problem of each seat that must send its orders again, unless it will never have a decision again."""
        rules, state = self.game.rules, self.game.record.state
        if rules.is_over(state):
            return ()
        first: dict[str, OrderProblem] = {}
        for problem in self.problems:
            if problem.code != BAD_WORD:  # the orders of this sheet count anyway
                first.setdefault(problem.seat, problem)
        asked = (seat for seat in self.game.seats if seat in first and rules.retired(state, seat) is None)
        again = frozenset[str](asked)
        return tuple(first[seat] for seat in first if seat in again)

    @property
    def read_as(self) -> tuple[ReadRemark, ...]:
        """The orders that the program understood in other words than the player wrote, each with the reason."""
        return self.details.reading_notes

    @property
    def is_changed(self) -> bool:
        """Whether the game has changed, so that you must save it."""
        return self.details.is_changed

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of orders ``applied``, of orders ``skipped`` by a condition, and of ``words`` for chance."""
        entries = [link.entry for link in self.details.accepted]
        words, skipped = sum(one.outside is not None for one in entries), sum(one.is_skipped for one in entries)
        return {"applied": len(entries) - words - skipped, "skipped": skipped, "words": words}

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The rows of the log for the accepted orders, as the moderator may read them."""
        return Reader(self.game, MODERATOR).rows(self.details.accepted)

    def report(self, viewer: str | None = None) -> Report:
        """Return the report to ``viewer`` on these orders, with the results of its mails (moderator: all mails)."""
        return adj.Turn.report_on(self, self.game.viewer(viewer))

    @property
    def receipts(self) -> tuple[SeatReceipt, ...]:
        """The result of each text, in the order of arrival, with the proof (``head``) of the game afterwards."""
        head = self.game.head
        return tuple(replace(receipt, head=head) for receipt in self.details.receipts)
