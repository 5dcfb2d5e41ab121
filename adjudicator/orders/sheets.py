"""Collect the sheets of one text while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from adjudicator.core.order import Instruction, Sheet, Withdrawal
from adjudicator.core.values import Seat
from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, OrderLine, WithdrawalLine
from adjudicator.orders.findings import Findings
from adjudicator.orders.form import Form
from adjudicator.orders.headers import Headers
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import LineReader
from adjudicator.orders.remarks import Remarks
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.word_line import WORDS, WordLine


@dataclass(slots=True)
class PartialSheet:
    """The sheet of one seat, as far as it has been read.

    Its first unreadable line closes it: later orders are ``check_only``, never applied. A sheet that ``is_refused`` does not
    count at all; the report also says nothing about one that ``is_foreign``. ``is_ended`` says that its seat has written
    END. ``remarks`` are lines (number, as it came) that the program does not understand, ``remark`` is the one (number, as
    it came, cleaned) that counts as an unreadable order if no order follows.
    """

    seat: str
    line: int
    is_refused: bool = False
    is_foreign: bool = False
    is_closed: bool = False
    is_ended: bool = False
    remark: tuple[int, str, str] | None = None
    remarks: list[tuple[int, str]] = field(default_factory=list)
    withdrawal: Withdrawal | None = None
    instructions: list[Instruction] = field(default_factory=list)
    check_only: list[Instruction] = field(default_factory=list)

    @property
    def is_sent(self) -> bool:
        """Whether anything was sent for this seat, readable or not."""
        return bool(self.withdrawal or self.instructions or self.check_only or self.is_closed)

    def sheet(self) -> Sheet:
        """Return the sheet as far as it has been read."""
        orders = tuple(self.instructions)
        return Sheet(Seat(self.seat), orders, check_only=tuple(self.check_only), withdrawal=self.withdrawal)


class Sheets:
    """The sheets ``by_seat``, in the order in which they begin, and the ``current`` one, if there is any.

    ``orders`` counts the lines that are meant as orders, ``order_line`` is the last of those that were read.
    ``possible_head`` has the number of a line that may be a name or the head of a sheet, and the function to call if an
    order follows: then it is a head.
    """

    def __init__(
        self,
        reader: LineReader,
        addressee: Addressee,
        submission: Submission,
        findings: Findings,
        headers: Headers,
        remarks: Remarks,
    ) -> None:
        """Begin with the seat's own sheet, if ``submission`` is known to belong to one seat."""
        self._reader, self._addressee, self._text = reader, addressee, submission
        self._findings, self._headers, self._remarks = findings, headers, remarks
        self._called = addressee.seats_by_name()
        self.orders = self.order_line = 0
        self.possible_head: tuple[int, Callable[[], object]] | None = None
        self.by_seat: dict[str, PartialSheet] = {}
        self.current: PartialSheet | None = None
        self.begin_own()

    def begin_own(self) -> None:
        """Begin the sheet for orders without a head: the own sheet of the seat that sent the text, if it is known."""
        seat, self.possible_head = self._text.seat, None
        self.current = None
        if seat is not None and self._headers.is_addressed:
            self.current = self.by_seat.setdefault(seat, PartialSheet(seat, 1))

    def open_for(self, number: int, raw: str, line: str, order: OrderLine) -> None:
        """Begin the sheet of the seat before the colon, unless the word is a heading such as ``Orders:``."""
        word = order.seat
        if word is not None and (word in self._called or not self._remarks.is_label(number, raw, line, order)):
            self.open(number, raw, line, word)

    def open(self, number: int, raw: str, line: str, word: str) -> None:
        """Begin or continue the sheet of the seat called ``word``; refuse it if it is not for this game and turn."""
        self.possible_head = None
        own, seat = self._text.seat, self._called.get(word)
        sheet = self.current = PartialSheet(seat or word, number, is_refused=True)
        if not self._headers.is_addressed:
            return
        if own is not None and seat != own:
            sheet.is_foreign = True
            self._findings.report(problems.not_yours(line, own, word), number, raw, own)
        elif seat is None:
            self._findings.report(problems.unknown_seat(line, word, self._addressee.seats), number, raw)
        elif (wrong_turn := self._headers.wrong_turn_for(seat)) is not None:
            due = self._addressee.turns.turn_for(seat)
            self._findings.report(problems.turn_over(line, seat, wrong_turn, due), number, raw)
        elif seat in self.by_seat and self.by_seat[seat].is_ended:
            sheet.is_ended = True
            self._findings.ignore(number, raw, f"{seat} wrote END above")
        else:
            self.current = self.by_seat.setdefault(seat, PartialSheet(seat, number))

    def open_form(self, form: Form, raw: str) -> None:
        """Begin or continue the sheet of the seat of ``form``; refuse it if the form is not for this game, turn and seat."""
        self._headers.take(form.first, raw, form.head, GameHeader(form.game, form.turn))
        at = raw.casefold().rfind(form.seat)
        self.open(form.first, raw, f"{' ' * max(at, 0)}{form.seat}", form.seat)
        self.orders += self.current is not None and self.current.is_refused

    def refuse_both(self, sheet: PartialSheet, known: int) -> None:
        """Refuse the orders of ``sheet``: those from index ``known`` on are in a form, and the others outside it."""
        first = sheet.instructions[known]
        sheet.check_only = [*sheet.instructions, *sheet.check_only]
        sheet.instructions = []
        sheet.is_closed = True
        self._findings.report(problems.two_places(first), first.line, first.written, sheet.seat)

    def add(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        """Put the order of this line into the current sheet, or report why it has no sheet."""
        sheet = self._place(number, raw, line)
        if sheet is not None:
            orders = sheet.check_only if sheet.is_closed else sheet.instructions
            written, place = self._text.written(number, raw)
            orders.append(Instruction(parsed.expression, parsed.draws, number, written, self._text.source, place))

    def withdraw(self, number: int, raw: str, line: str, parsed: WithdrawalLine) -> None:
        """Begin the sheet with a withdrawal of pending orders; report one that comes after an order."""
        self.open_for(number, raw, line, OrderLine(parsed.seat, parsed, ()))
        sheet = self._place(number, raw, line)
        if sheet is None:
            return
        if sheet.instructions or sheet.withdrawal or sheet.is_closed:
            sheet.is_closed = True
            self._findings.report(problems.late_withdrawal(line), number, raw, sheet.seat)
        else:
            written, place = self._text.written(number, raw)
            sheet.withdrawal = Withdrawal(parsed.first, number, written, self._text.source, place)

    def refuse_from_here(self, seat: str, number: int) -> None:
        """Refuse the following orders: they are below the name of ``seat``, but not in a sheet of that seat."""
        self.current = PartialSheet(seat, number, is_refused=True)

    def ignore_word(self, number: int, raw: str, line: str, found: WordLine) -> None:
        """Ignore a word for chance; the head before it begins a sheet."""
        self.open_for(number, raw, line, OrderLine(found.seat, found, ()))
        if self._headers.is_addressed and self.current is not None and not self.current.is_refused:
            self._findings.ignore(number, raw, WORDS)

    def fail(self, number: int, raw: str, line: str, problem: LineProblem) -> None:
        """Report a line on which the program fails. It closes its sheet, as an unreadable line does."""
        self.orders += 1
        head = problems.head_of(line)
        if head is not None and head.has_colon and head.seat in self._called:
            self.open(number, raw, line, head.seat)
        sheet = self.current
        if not self._headers.is_addressed or (sheet is not None and sheet.is_refused):
            return
        if sheet is not None:
            sheet.is_closed = True
        self._findings.report(problem, number, raw, sheet.seat if sheet is not None else "")

    def refuse(self, number: int, raw: str, line: str, word: str, problem: LineProblem | None = None) -> None:
        """Report an unreadable order and close its sheet; ``word`` is the head of a sheet before it, if there is one.

        Without ``problem``, the reader explains the line.
        """
        sheet = self.current
        self.orders += 1
        if not self._headers.is_addressed or (sheet is not None and sheet.is_foreign and not word):
            return
        if word:
            self.open(number, raw, line, word)
            if not self.current.is_refused:  # type: ignore[union-attr]  # `open` sets it
                self.close(number, raw, line)
        elif sheet is not None and sheet.is_refused and sheet.is_ended:
            self._ignore_ended(sheet, number, raw)
        else:
            self.settle()
            self.close(number, raw, line, problem)

    def hold(self) -> None:
        """Let no order of the current sheet count, also none above: its line is a command that was not carried out."""
        sheet = self.current
        if sheet is not None and not sheet.is_refused:
            sheet.check_only = [*sheet.instructions, *sheet.check_only]
            sheet.instructions, sheet.withdrawal = [], None

    def report_missing(self) -> None:
        """Report, for each sheet without an order, the remark that was written in place of one."""
        for sheet in self.by_seat.values():
            if sheet.remark is not None and not sheet.is_sent:
                self.orders += 1
                sheet.is_closed = True
                self._findings.explain(*sheet.remark, sheet.seat)

    def settle(self) -> None:
        """Take a line above for the head of a sheet, if it may be one, because an order follows."""
        head, self.possible_head = self.possible_head, None
        if head is not None:
            self._findings.forget_remark(head[0])
            if self.current is not None:
                self.current.remarks = [remark for remark in self.current.remarks if remark[0] != head[0]]
            head[1]()

    def _place(self, number: int, raw: str, line: str) -> PartialSheet | None:
        """Return the sheet for an order on this line; if no sheet takes it, report the line and return ``None``."""
        self.orders += 1
        self.order_line = number
        self.settle()
        sheet = self.current
        if sheet is None:
            # Reported once: the following lines have no seat either.
            self.refuse_from_here("", number)
            if self._headers.is_addressed:
                seats = self._addressee.seats
                self._findings.report(problems.no_seat(line, seats, is_mail=self._text.is_mail), number, raw)
        elif sheet.is_refused:
            self._ignore_ended(sheet, number, raw)
        else:
            self._refuse_late(sheet, number, raw, line)
            return sheet
        return None

    def _refuse_late(self, sheet: PartialSheet, number: int, raw: str, line: str) -> None:
        """Close a sheet that must be for an earlier turn, because it arrived before the present question was asked."""
        is_first = not (sheet.instructions or sheet.is_closed)
        if is_first and self._headers.is_late(sheet.seat, self._text.received):
            sheet.is_closed = True
            turn = self._addressee.turns.turn_for(sheet.seat)
            self._findings.report(problems.late_answer(line, turn), number, raw, sheet.seat)

    def _ignore_ended(self, sheet: PartialSheet, number: int, raw: str) -> None:
        """Report that a line is below the END of ``sheet``, if it is."""
        if sheet.is_ended and number != sheet.line:  # its head is already reported
            self._findings.ignore(number, raw, f"{sheet.seat} wrote END above")

    def close(self, number: int, raw: str, line: str, problem: LineProblem | None = None) -> None:
        """Report an unreadable line, and accept no more orders for its sheet."""
        sheet = self.current
        if sheet is not None and not sheet.is_refused:
            last = sheet.instructions[-1] if sheet.instructions and not sheet.is_closed else None
            sheet.is_closed = True
            wrapped = problems.wrapped(self._reader, line, last) if last and last.line == number - 1 else None
            if wrapped is not None:
                sheet.instructions.pop()
                self._findings.report(wrapped, number, raw, sheet.seat)
                return
        seat = "" if sheet is None or sheet.seat not in self._addressee.seats else sheet.seat
        if problem is None:
            self._findings.explain(number, raw, line, seat)
        else:
            self._findings.report(problem, number, raw, seat)
