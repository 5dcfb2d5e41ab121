"""One text read line by line: headers, sheets, and what stands around them."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.ids import Seat
from adjudicator.core.problem import FAULT
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import problems
from adjudicator.orders.asides import Asides
from adjudicator.orders.boilerplate import content
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader, WithdrawalLine
from adjudicator.orders.clean import clean, comment_start
from adjudicator.orders.drafts import Drafts
from adjudicator.orders.earlier import HEAD
from adjudicator.orders.findings import Findings
from adjudicator.orders.headers import Headers
from adjudicator.orders.heads import Heads
from adjudicator.orders.parser import LineProblem, faulty, reader
from adjudicator.orders.second_order import second_order
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.word_line import WordLine, word_line


class Reading:
    """Reads one text; the result is in its attributes.

    ``drafts`` are the sheets by seat in the order in which they begin, ``sent`` the seats that have sent something,
    readable or not, ``findings`` what is wrong and what was passed over. ``words`` are those for chance, by seat, in the
    order of their lines: they are no part of a sheet.
    """

    def __init__(self, rules: AnyRuleset, addressee: Addressee, submission: Submission) -> None:
        """Read ``submission`` to its end."""
        self._reader = reader(rules)
        self._addressee = addressee
        self._called = addressee.called()
        self.text = submission
        self.findings = Findings(self._reader, submission.source)
        self._headers = Headers(self._reader, addressee, self.findings, submission.seat)
        self._asides = Asides(self._reader, addressee, submission, self.findings)
        self._sheets = Drafts(self._reader, addressee, submission, self.findings, self._headers, self._asides)
        self.drafts, self.words = self._sheets.by_seat, self._sheets.words
        self.sent: set[str] = set()
        self._heads = Heads(
            *(self._reader, addressee, submission, self.findings),
            *(self._headers, self._asides, self._sheets, self.sent),
        )
        self._read()

    @property
    def is_addressed(self) -> bool:
        """Whether what stands below the last headers, or the whole text, is for this game and turn."""
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
            except Exception as fault:  # nothing of a text counts that was read in part
                self.drafts.clear()
                self.words.clear()
                self.findings.report_whole(FAULT, self.text.seat or "", fault)
        self.sent.update(seat for seat, draft in self.drafts.items() if draft.is_sent)

    def _read_lines(self) -> None:
        is_mail, is_bound = self.text.is_mail, self.text.seat is not None
        judged = content(
            *(self.text.lines, self._is_header, self._pass_over), is_mail=is_mail, is_bound=is_bound, is_end=self._is_end
        )
        for number, raw, line in judged:
            try:
                for part in self._parts(raw, line):
                    self._take(number, *part)
            except Exception as fault:
                self._report_fault(number, raw, line, faulty(line, fault))
        if is_mail and not self._sheets.order_line and not self.drafts:
            self.findings.forget_lines()
            self._sheets.orders = 0
        self._report_missing()
        if not self._sheets.orders:
            why = problems.empty(self.findings.passed_over, is_mail=is_mail, is_commented=self._is_commented())
            self.findings.report_whole(why, self.text.seat or "")
        self.findings.report_rest()

    def _pass_over(self, number: int, raw: str, why: str) -> None:
        """Tell of boilerplate. The head of a mail, below orders of another, says that what follows is not that one's."""
        self.findings.ignore(number, raw, why)
        if why == HEAD and self._sheets.order_line and self.text.seat is None:
            self._sheets.current = None

    def _is_header(self, line: str) -> bool:
        if self.text.seat is not None and self._sheets.current is not None and self._sheets.current.is_ended:
            return False  # nobody else's orders would count
        head = problems.head_of(line)
        if head is not None and head.has_colon:
            return head.seat in self._called
        return isinstance(self._reader.skim(line), (GameHeader, TurnHeader))

    def _is_end(self, line: str) -> bool:
        return self._reader.english(line.strip(" .!").lower()) == "end" and not isinstance(
            self._reader.skim(line), OrderLine
        )

    def _parts(self, raw: str, line: str) -> Iterator[tuple[str, str]]:
        """Yield the line, as it came and cleaned; where an order stands behind ``;``, the two parts, each in its columns."""
        end = comment_start(raw)
        if raw[end : end + 1] == ";" and raw[:end].strip():
            behind = " " * (end + 1) + raw[end + 1 :]
            if self._is_order(clean(behind)):
                yield raw[:end], line
                yield from self._parts(behind, clean(behind))
                return
        yield raw, line

    def _is_order(self, line: str) -> bool:
        """Return whether ``line`` is an order, or begins like one."""
        parsed = self._reader.skim(line)
        if isinstance(parsed, OrderLine):
            return parsed.seat is None and not self._asides.is_remark(line, parsed)
        return isinstance(parsed, LineProblem) and self._asides.is_attempt(0, line)

    def _take(self, number: int, raw: str, line: str) -> None:
        start, end = self._asides.without_courtesy(line)
        if start or end < len(line):
            raw, line = " " * start + raw[start:end], " " * start + line[start:end]
        parsed = self._reader.skim(line)
        if self._asides.is_rest_of_quote(number, parsed):
            self.findings.ignore(number, raw, "the rest of a quoted line")
        elif isinstance(parsed, OrderLine) and not self._is_word_after_colon(parsed):
            self._take_order(number, raw, line, parsed)
        elif isinstance(parsed, WithdrawalLine):
            self._heads.settle()
            self._sheets.withdraw(number, raw, line, parsed)
        elif (word := self._word_in(line, parsed)) is not None:
            self._heads.settle()
            self._sheets.keep_word(number, raw, line, word)
        elif isinstance(parsed, LineProblem) and parsed.fault is not None:
            self._report_fault(number, raw, line, parsed)
        elif isinstance(parsed, (GameHeader, TurnHeader)):
            self._heads.take(number, raw, line, parsed)
        elif self._is_end(line):
            if self._sheets.current is not None:
                self._sheets.current.is_ended = True
        else:
            self._take_unreadable(number, raw, line)

    def _report_fault(self, number: int, raw: str, line: str, problem: LineProblem) -> None:
        """Tell of a line over which the program fails: it closes the sheet it is in, as one that cannot be read does."""
        self._sheets.orders += 1
        head = problems.head_of(line)
        if head is not None and head.has_colon and head.seat in self._called:
            self._sheets.open(number, raw, line, head.seat)
        draft = self._sheets.current
        if not self._headers.is_addressed or (draft is not None and draft.is_refused):
            return
        if draft is not None:
            draft.is_closed = True
        self.findings.report(problem, number, raw, draft.seat if draft is not None else "")

    def _take_order(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        if self._asides.is_remark(line, parsed):
            self._take_remark(number, raw, line)
            return
        self._heads.settle()
        self._sheets.open_for(number, raw, line, parsed)
        if parsed.expression is not None:
            self._sheets.add(number, raw, line, parsed)

    def _is_word_after_colon(self, parsed: OrderLine) -> bool:
        """Return whether what reads like the sheet of a seat is a word for chance: ``WORD: DRAW``."""
        return parsed.seat is not None and parsed.seat not in self._called and self._reader.english(parsed.seat) == "word"

    def _word_in(self, line: str, parsed: object) -> WordLine | None:
        """Return where ``line``, which is no order, has a word for chance. Where no sheet has begun, it needs its seat."""
        if isinstance(parsed, (GameHeader, TurnHeader)):
            return None
        found = word_line(self._reader, self._called, line)
        return None if found is None or (found.seat is None and self._sheets.current is None) else found

    def _take_unreadable(self, number: int, raw: str, line: str) -> None:
        """Report a line that was meant as an order or a head, and close the sheet it is in; any other is a remark."""
        head = problems.head_of(line)
        word = head.seat if head else ""
        if self._heads.is_slip(line, word):
            self._heads.take_slip(number, raw, line, self._reader.english(word))
            return
        draft, seat, at = self._sheets.current, self._called.get(word), second_order(self._reader, line)
        is_head = head is not None and head.has_colon and not (draft and seat is None and self._begins_order(word))
        if head and seat == word and not head.has_colon and self._asides.is_attempt(number, line[head.end :]):
            self._sheets.orders += 1
            self._heads.take_bare_seat(number, raw, line, head)
        elif at is not None and self._is_order(line[at[1] :]):
            self._take(number, raw[: at[0]], line[: at[0]])
            self._take(number, " " * at[1] + raw[at[1] :], " " * at[1] + line[at[1] :])
        elif self._is_wrapped(number, raw, line) or self._asides.is_attempt(
            number, line.partition(":")[2] if is_head else line
        ):
            self._heads.settle()
            self._close(number, raw, line, word if is_head else "")
        else:
            self._heads.doubt(number, raw, line, head)
            self._take_remark(number, raw, line)

    def _is_wrapped(self, number: int, raw: str, line: str) -> bool:
        """Return whether ``line`` is the rest of the order right above it."""
        draft = self._sheets.current
        last = draft.instructions[-1] if draft and draft.instructions and not draft.is_closed else None
        return last is not None and last.line == number - 1 and self._asides.is_rest_of_order(raw, line, last)

    def _close(self, number: int, raw: str, line: str, word: str) -> None:
        """Report the unreadable order on a line, which may stand behind the ``word`` for a seat, and close its sheet."""
        draft = self._sheets.current
        self._sheets.orders += 1
        if not self._headers.is_addressed or (draft is not None and draft.is_foreign and not word):
            return
        if word:
            self._sheets.open(number, raw, line, word)
            if not self._sheets.current.is_refused:  # type: ignore[union-attr]  # `open` sets it
                self._sheets.close(number, raw, line)
        elif draft is not None and draft.is_refused and draft.is_ended:
            self._sheets.ignore_ended(draft, number, raw)
        else:
            self._sheets.settle()
            self._sheets.close(number, raw, line)

    def _take_remark(self, number: int, raw: str, line: str) -> None:
        """Pass over a line that is no order, and keep it in mind for a sheet that has none."""
        draft = self._sheets.current
        if not self._headers.is_addressed or (draft is not None and draft.is_foreign):
            return
        holder = self._addressee.holders.get(Seat(draft.seat), "") if draft and draft.instructions else ""
        is_strange = self._asides.remark(number, raw, line, holder=holder, order_line=self._sheets.order_line)
        if is_strange and draft is not None:
            draft.remarks.append((number, raw))
            if draft.remark is None and self._asides.is_like_order(line):
                draft.remark = number, raw, line

    def _is_commented(self) -> bool:
        """Return whether orders stand behind ``#``, as in a form that was sent back with every ``#`` in it."""
        comments = (raw.lstrip(" #") for raw in self.text.lines if raw.lstrip().startswith("#"))
        parsed = (self._reader.skim(clean(comment)) for comment in comments)
        return any(isinstance(one, OrderLine) and one.expression is not None for one in parsed)

    def _report_missing(self) -> None:
        """Report the remark that stands in the place of an order in each sheet that has none."""
        for draft in self.drafts.values():
            if draft.remark is not None and not draft.is_sent:
                self._sheets.orders += 1
                draft.is_closed = True
                self.findings.explain(*draft.remark, draft.seat)

    def _begins_order(self, word: str) -> bool:
        """Return whether ``word`` with its colon is no seat but the beginning of an order, such as ``TC3:``."""
        return not isinstance(self._reader.skim(f"{word}:"), OrderLine)
