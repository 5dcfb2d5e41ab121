"""The result of orders, as a value for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.core.journal import Link
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, replace
from adjudicator.library.shown import first_unreported
from adjudicator.reports.receipt import text_name
from adjudicator.results import Ignored, LogRow, Mails, OrderProblem, SeatReceipt

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.reports.report import Report
else:
    Game = Any  # `help` reads the types of fields, and the game loads this module


class Result(Value, kw_only=True):
    """The result of orders: the ``game`` afterwards, the players' ``problems``, the ``log`` and the ``receipts``.

    ``is_changed`` says whether the game has changed, so that you must save it. ``notes`` (seat, words) are about orders that
    were replaced, skipped or held back; ``remarks`` are those that name no text and no line, so that the seat may read them.
    ``ignored`` are the ignored lines of mails, ``foreseen`` the results that a seat learns when it checks its own orders.
    ``problems`` are the players' mistakes in reading order, each with its ``code``, ``message``, ``seat``, ``line`` and
    ``column``; ``faults`` are those that a bug has caused, with its exception. ``accepted`` are the new entries,
    ``unproven`` the receipts without the head of the game. All of this shows everything: keep it from players.
    """

    game: Game
    is_changed: bool = False
    accepted: tuple[Link, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    faults: tuple[Diagnostic, ...] = ()
    notes: tuple[tuple[Seat, str], ...] = ()
    remarks: tuple[tuple[Seat, str], ...] = ()
    ignored: tuple[Ignored, ...] = ()
    unproven: tuple[SeatReceipt, ...] = ()
    foreseen: tuple[OrderProblem, ...] = ()

    @property
    def send_again(self) -> tuple[OrderProblem, ...]:
        """The first problem of each seat that must send its orders again, unless it will never have a decision again."""
        rules, state = self.game.rules, self.game.record.state
        if rules.is_over(state):
            return ()
        first: dict[str, OrderProblem] = {}
        for problem in self.problems:
            first.setdefault(problem.seat, problem)
        again = {str(seat) for seat in self.game.seats if seat in first and rules.retired(state, seat) is None}
        return tuple(first[seat] for seat in first if seat in again)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of orders ``applied`` and of orders ``skipped`` by a condition."""
        skipped = sum(link.entry.is_skipped for link in self.accepted)
        return {"applied": len(self.accepted) - skipped, "skipped": skipped}

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The rows of the log for the accepted orders, as the moderator may read them, or the player of a private game."""
        fork = self.game.fork
        return self.game.seen_by(self.game.own_seat or (fork and fork.seat) or MODERATOR).rows(self.accepted)

    @property
    def receipts(self) -> tuple[SeatReceipt, ...]:
        """The result of each text, in the order of arrival, with the proof (``head``) of the game afterwards."""
        head = self.game.head
        return tuple(replace(receipt, head=head) for receipt in self.unproven)

    def report(self, viewer: str | None = None) -> Report:
        """Return the report to ``viewer`` on these orders, with the results of its mails (moderator: all mails)."""
        reader, record = self.game.seen_by(viewer), self.game.record
        before = replace(record, reported=len(record.journal) - len(self.accepted))
        report = reader.report_from(first_unreported(before, None, reader.viewer))
        return replace(report, mails=self.mails(reader.viewer))

    def mails(self, viewer: Viewer) -> Mails | None:
        """Return what ``viewer`` may know of the mails: a seat nothing about lines of texts that it shares with others."""
        if viewer is None:
            return None
        if viewer == MODERATOR:
            return Mails(
                receipts=self.unproven,
                problems=self.problems,
                passed_over=self.ignored,
                notes=tuple(f"{seat}: {note}" for seat, note in self.notes),
            )
        receipts = tuple(one for one in self.unproven if one.seat == viewer)
        own = {one.source: one for one in receipts}
        ignored = (line for line in self.ignored if line.source in own and not own[line.source].shared)
        return Mails(
            receipts=tuple(replace(one, source=text_name(one.source)) for one in receipts),
            problems=tuple(_readable(one, own) for one in self.problems if one.seat == viewer),
            passed_over=tuple(replace(line, source=text_name(line.source)) for line in ignored),
            notes=tuple(note for whose, note in self.remarks if whose == viewer),
        )


def _readable(found: OrderProblem, own: dict[str, SeatReceipt]) -> OrderProblem:
    """Return a problem with its place, as far as its seat may know it: in a shared text, the place reveals other sheets."""
    text = own.get(found.source)
    if text is None:  # a pending order: its line number belongs to an earlier text
        return replace(found, line=0)
    return replace(found, line=0, source="") if text.shared else replace(found, source=text_name(found.source))
