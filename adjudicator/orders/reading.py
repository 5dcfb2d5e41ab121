"""Read one text line by line: headers, sheets, and the lines to ignore."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.core.problem import FAULT
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Seat
from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader, WithdrawalLine
from adjudicator.orders.clean import clean
from adjudicator.orders.courtesy import phrase
from adjudicator.orders.earlier import EARLIER, HEAD, content
from adjudicator.orders.findings import Findings
from adjudicator.orders.form import LAST, Form, forms_in
from adjudicator.orders.headers import Headers
from adjudicator.orders.heads import Heads
from adjudicator.orders.line_problem import LineProblem, fault_problem
from adjudicator.orders.parser import reader
from adjudicator.orders.remarks import Remarks
from adjudicator.orders.second_order import SharedLines
from adjudicator.orders.sheets import Sheets
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.word_line import WordLine, word_line


class Reading:
    """Reads one text; its attributes hold the result.

    ``by_seat`` has the sheets in the order in which they begin, ``sent`` the seats that have sent something,
    readable or not, ``findings`` the problems and the ignored lines.
    """

    def __init__(self, rules: AnyRules, addressee: Addressee, submission: Submission) -> None:
        """Read ``submission`` to its end."""
        self._reader = reader(rules)
        self._addressee = addressee
        self._called = addressee.seats_by_name()
        self.text = submission
        self.findings = Findings(self._reader, submission)
        self._headers = Headers(self._reader, addressee, self.findings, submission.seat)
        self._remarks = Remarks(self._reader, addressee, submission, self.findings)
        self._sheets = Sheets(self._reader, addressee, submission, self.findings, self._headers, self._remarks)
        self._shared = SharedLines(self._reader, self._remarks, self.findings, self._called)
        self.by_seat = self._sheets.by_seat
        self.sent: set[str] = set()
        self._heads = Heads(
            *(self._reader, addressee, submission, self.findings),
            *(self._headers, self._remarks, self._sheets, self.sent),
        )
        self._read()

    @property
    def is_addressed(self) -> bool:
        """Whether the text below the latest headers, or all of it, is for this game and turn."""
        return self._headers.is_addressed

    def _read(self) -> None:
        for name in self.text.left_out:
            self.findings.ignore(0, name, "attachments are ignored; only the text of a mail is read")
        if self.text.skipped:
            self.findings.ignore(0, "", self.text.skipped)
        elif self.text.problem is not None:
            self.findings.report_whole(self.text.problem, self.text.seat or "", self.text.fault)
        else:
            try:
                self._read_lines()
            except Exception as fault:  # a text that the program could not finish does not count at all
                self.by_seat.clear()
                self.findings.report_whole(FAULT, self.text.seat or "", fault)
        self.sent.update(seat for seat, sheet in self.by_seat.items() if sheet.is_sent)

    def _read_lines(self) -> None:
        is_mail, is_bound = self.text.is_mail, self.text.seat is not None
        forms = forms_in(self.text.lines, self._is_order, self._form_notes)
        lines = content(
            *(self.text.lines, self._is_header, self._ignore),
            is_mail=is_mail,
            is_bound=is_bound,
            is_end=self._is_end,
            forms=forms,
            is_order=self._is_order,
        )
        above, below = None, [*reversed(forms)]
        for number, raw, line in lines:
            while below and below[-1].first < number:
                above = below.pop()
            if above is not None and above.is_open:
                above.orders[number] = raw
            else:
                self._take_line(number, raw, line)
        if is_mail and not self._sheets.order_line and not self.by_seat:
            self.findings.forget_lines()
            self._sheets.orders = 0
        self._take_forms([form for form in forms if form.orders])
        self._sheets.report_missing()
        if not self._sheets.orders:
            is_commented = self._remarks.are_orders_commented()
            why = problems.empty(self.findings.ignored_lines, is_mail=is_mail, is_commented=is_commented)
            self.findings.report_whole(why, self.text.seat or "")
        self.findings.report_rest()

    def _take_line(self, number: int, raw: str, line: str) -> None:
        try:
            for part in self._shared.parts(number, raw, line):
                self._take(number, *part)
        except Exception as fault:
            self._sheets.fail(number, raw, line, fault_problem(line, fault))

    def _take_forms(self, forms: Sequence[Form]) -> None:
        """Read the forms that came back filled in: of each seat the outermost that is for this game and turn.

        If the text has orders of the seat outside its form, too, it does not say which to take: none count. A form that is
        quoted twice is that of an earlier mail then, and so is any below END, or for another game, turn or seat.
        """
        outermost: dict[str, int] = {}
        for form in sorted(forms, key=lambda form: (not self._is_current(form), form.depth)):
            seat = self.text.seat or form.seat
            sheet = self.by_seat.get(seat)
            has_orders = seat in outermost or (sheet is not None and sheet.is_sent)
            is_below_end = sheet is not None and sheet.is_ended
            if has_orders and (is_below_end or form.depth > outermost.get(seat, 1) or not self._is_current(form)):
                for number in form.orders:
                    self.findings.ignore(number, self.text.lines[number - 1], EARLIER)
                continue
            outermost.setdefault(seat, form.depth)
            self._heads.settle()
            if sheet is not None:
                sheet.is_ended = False
            self._sheets.open_form(form, self.text.lines[form.first - 1])
            known = len(sheet.instructions) if sheet is not None else 0
            self.findings.last_ignored = 0
            for number, raw in form.orders.items():
                self._take_line(number, raw, clean(raw))
            if sheet is not None and 0 < known < len(sheet.instructions):
                self._sheets.refuse_both(sheet, known)

    def _is_current(self, form: Form) -> bool:
        to, seat = self._addressee, form.seat
        if seat not in to.seats or self.text.seat not in (None, seat) or form.game.casefold() != to.game.casefold():
            return False
        return form.turn is None or to.turns.counts(form.turn, seat)

    def _is_order(self, line: str) -> bool:
        parsed = self._reader.parse(line)
        return isinstance(parsed, WithdrawalLine) or (isinstance(parsed, OrderLine) and parsed.expression is not None)

    def _form_notes(self, seat: str) -> str:
        """Return what the form of ``seat`` says besides orders; nothing to a text from another seat."""
        is_own = seat in self._addressee.seats and self.text.seat in (None, seat)
        return self._addressee.form_notes(Seat(seat)) if is_own else ""

    def _ignore(self, number: int, raw: str, why: str) -> None:
        """Report an ignored line. Below the head of another mail, orders are no longer those of the sheet above."""
        self.findings.ignore(number, raw, why)
        if why == HEAD and self._sheets.order_line and self.text.seat is None:
            self._sheets.current = None

    def _is_header(self, line: str) -> bool:
        if self.text.seat is not None and self._sheets.current is not None and self._sheets.current.is_ended:
            return False  # the text is one seat's, and that seat has written END
        head = problems.head_of(line)
        if head is not None and head.has_colon:
            return head.seat in self._called
        return isinstance(self._reader.parse(line), (GameHeader, TurnHeader))

    def _is_end(self, line: str) -> bool:
        said = line.strip(" .!").lower()
        return said == LAST or (self._reader.english(said) == "end" and not isinstance(self._reader.parse(line), OrderLine))

    def _take(self, number: int, raw: str, line: str) -> None:
        start, end = self._remarks.without_courtesy(line)
        if start or end < len(line):
            raw, line = " " * start + raw[start:end], " " * start + line[start:end]
        parsed = self._reader.parse(line)
        if self._remarks.is_rest_of_quote(number, parsed):
            self.findings.ignore(number, raw, "the rest of a quoted line")
        elif isinstance(parsed, OrderLine) and not self._is_no_seat(parsed):
            self._take_order(number, raw, line, parsed)
        elif isinstance(parsed, WithdrawalLine):
            self._heads.settle()
            self._sheets.withdraw(number, raw, line, parsed)
        elif (word := self._word_in(line, parsed)) is not None:
            self._heads.settle()
            self._sheets.ignore_word(number, raw, line, word)
        elif isinstance(parsed, LineProblem) and parsed.fault is not None:
            self._sheets.fail(number, raw, line, parsed)
        elif isinstance(parsed, (GameHeader, TurnHeader)):
            self._heads.take(number, raw, line, parsed)
        elif self._is_end(line):
            if self._sheets.current is not None:
                self._sheets.current.is_ended = True
        else:
            self._take_unreadable(number, raw, line)

    def _take_order(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        if self._remarks.is_remark(line, parsed) or self._is_numbering(line, parsed):
            self._take_remark(number, raw, line)
            return
        self._heads.settle()
        self._sheets.open_for(number, raw, line, parsed)
        if parsed.expression is not None:
            self._sheets.add(number, raw, line, parsed)

    def _is_no_seat(self, parsed: OrderLine) -> bool:
        """Return whether what reads like the sheet of a seat is a word for chance, ``WORD: DRAW``, or a turn, ``turn7:``."""
        word = parsed.seat
        if word is None or word in self._called:
            return False
        return self._reader.english(word) == "word" or self._heads.is_turn(word)

    def _word_in(self, line: str, parsed: object) -> WordLine | None:
        """Return the word for chance in a ``line`` that is not an order. Before the first sheet it needs its seat."""
        if isinstance(parsed, (GameHeader, TurnHeader)):
            return None
        found = word_line(self._reader, self._called, line)
        return None if found is None or (found.seat is None and self._sheets.current is None) else found

    def _take_unreadable(self, number: int, raw: str, line: str) -> None:
        """Report a line that was meant as an order or a head, and close its sheet; any other line is a remark."""
        head = problems.head_of(line)
        word = head.seat if head else ""
        sheet, seat = self._sheets.current, self._called.get(word)
        header = self._heads.within(line)
        if header is not None:
            found, bare, rest = header
            self._heads.take(number, raw, bare, found, is_among_words=True)
            start = next((at for at, sign in enumerate(rest) if sign.isalnum()), len(rest))
            rest = " " * start + rest[start:]
            if self._remarks.wrong(rest, rest) is not None or self._shared.is_order(rest):
                self._take(number, " " * start + raw[start:], rest)
            return
        place = self._remarks.after_label(line)
        if place is not None:
            start, end = place
            self._take(number, " " * start + raw[start:end], " " * start + line[start:end])
            return
        if self._heads.is_slip(line, word) and self._remarks.wrong(raw, line) is None:
            self._heads.take_slip(number, raw, line, self._reader.english(word))
            return
        is_head = head is not None and head.has_colon and not (sheet and seat is None and self._begins_order(word))
        if head and seat == word and not head.has_colon and self._remarks.is_attempt(number, line[head.end :]):
            self._sheets.orders += 1
            self._heads.take_bare_seat(number, raw, line, head)
        elif (both := self._shared.split(raw, line)) is not None:
            for part in both:
                self._take(number, *part)
        elif self._is_wrapped(number, raw, line) or self._remarks.is_attempt(
            number, line.partition(":")[2] if is_head else line
        ):
            self._heads.settle()
            self._sheets.refuse(number, raw, line, word if is_head else "")
        else:
            self._heads.keep_possible_head(number, raw, line, head)
            self._take_remark(number, raw, line)

    def _is_wrapped(self, number: int, raw: str, line: str) -> bool:
        """Return whether ``line`` is the rest of the order right above it."""
        sheet = self._sheets.current
        last = sheet.instructions[-1] if sheet and sheet.instructions and not sheet.is_closed else None
        return last is not None and last.line == number - 1 and self._remarks.is_rest_of_order(raw, line, last)

    def _take_remark(self, number: int, raw: str, line: str) -> None:
        """Ignore a line that is not an order, and remember it for a sheet that has no order.

        A line with an order word in capitals, or with a command to a club, is a problem instead.
        """
        sheet = self._sheets.current
        if not self._headers.is_addressed or (sheet is not None and sheet.is_foreign):
            return
        wrong = self._remarks.wrong(raw, line) if sheet is not None or self.text.is_mail else None
        if wrong is not None:
            problem, concerns_all = wrong
            self._heads.settle()
            self._sheets.refuse(number, raw, line, "", problem)
            if concerns_all:
                self._sheets.hold()
            return
        holder = self._addressee.holders.get(Seat(sheet.seat), "") if sheet and sheet.instructions else ""
        is_strange = self._remarks.remark(number, raw, line, holder=holder, order_line=self._sheets.order_line)
        if is_strange and sheet is not None:
            sheet.remarks.append((number, raw))
            if sheet.remark is None and self._remarks.is_like_order(line):
                sheet.remark = number, raw, line

    def _is_numbering(self, line: str, parsed: OrderLine) -> bool:
        """Return whether a word with a colon, such as ``Two:``, is not like a name; it heads nothing in one seat's text."""
        own, word = self.text.seat, parsed.seat
        if own is None or word is None or word in self._called or parsed.expression is not None:
            return False
        return not phrase(line) and not self._remarks.is_like_head(line, own)

    def _begins_order(self, word: str) -> bool:
        """Return whether ``word`` with its colon is not a seat but the beginning of an order, such as ``TC3:``."""
        return not isinstance(self._reader.parse(f"{word}:"), OrderLine) or self._remarks.may_begin(word)
