"""One text read line by line: headers, sheets, and what stands around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet, SheetWord, Withdrawal
from adjudicator.core.problem import FAULT
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import problems
from adjudicator.orders.asides import Asides
from adjudicator.orders.boilerplate import content
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader, WithdrawalLine
from adjudicator.orders.earlier import HEAD
from adjudicator.orders.findings import Findings
from adjudicator.orders.headers import Headers
from adjudicator.orders.parser import LineProblem, faulty, reader
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.orders.word_line import WordLine, read_word, word_line


@dataclass(slots=True)
class SheetDraft:
    """A sheet while it is read. It is closed by its first unreadable line: what follows is not applied (``unheard``).

    Nothing of a sheet that ``is_refused`` counts; ``is_foreign`` says that nothing of it is told either. ``is_ended`` says
    that its seat has written END.
    """

    seat: str
    line: int
    is_refused: bool = False
    is_foreign: bool = False
    is_closed: bool = False
    is_ended: bool = False
    withdrawal: Withdrawal | None = None
    instructions: list[Instruction] = field(default_factory=list)
    unheard: list[Instruction] = field(default_factory=list)

    @property
    def is_sent(self) -> bool:
        """Whether anything was sent for this seat, readable or not."""
        return bool(self.withdrawal or self.instructions or self.unheard or self.is_closed)

    def sheet(self) -> Sheet:
        """Return the sheet as far as it has been read."""
        orders = tuple(self.instructions)
        return Sheet(Seat(self.seat), orders, unheard=tuple(self.unheard), withdrawal=self.withdrawal)


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
        self._orders = self._order_line = 0
        self._doubt: tuple[int, str, str, str] | None = None  # a line that may have been the head of a sheet
        self.drafts: dict[str, SheetDraft] = {}
        self.sent: set[str] = set()
        self.words: dict[str, list[SheetWord]] = {}
        self._draft = self._own_draft()
        self._read()

    @property
    def is_addressed(self) -> bool:
        """Whether what stands below the last headers, or the whole text, is for this game and turn."""
        return self._headers.is_addressed

    def _read(self) -> None:
        for name in self.text.left_out:
            self.findings.ignore(0, name, "it came with the mail: only the text of a mail is read")
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
                self._take(number, raw, line)
            except Exception as fault:
                self._report_fault(number, raw, line, faulty(line, fault))
        if is_mail and not self._order_line and not self.drafts:
            self.findings.forget_lines()
            self._orders = 0
        if not self._orders:
            self.findings.report_whole(problems.empty(self.findings.passed_over, is_mail=is_mail), self.text.seat or "")
        self.findings.report_rest()

    def _pass_over(self, number: int, raw: str, why: str) -> None:
        """Tell of boilerplate. The head of a mail, below orders of another, says that what follows is not that one's."""
        self.findings.ignore(number, raw, why)
        if why == HEAD and self._order_line and self.text.seat is None:
            self._draft = None

    def _own_draft(self) -> SheetDraft | None:
        """Return the sheet that orders without a head are for: that of the seat whose text this is, if it is known."""
        seat = self.text.seat
        if seat is None or not self._headers.is_addressed:
            return None
        return self.drafts.setdefault(seat, SheetDraft(seat, 1))

    def _is_header(self, line: str) -> bool:
        if self.text.seat is not None and self._draft is not None and self._draft.is_ended:
            return False  # nobody else's orders would count
        head = problems.head_of(line)
        if head is not None and head.has_colon:
            return head.seat in self._called
        return isinstance(self._reader.skim(line), (GameHeader, TurnHeader))

    def _is_end(self, line: str) -> bool:
        return self._reader.english(line.strip(" .!").lower()) == "end" and not isinstance(
            self._reader.skim(line), OrderLine
        )

    def _take(self, number: int, raw: str, line: str) -> None:
        parsed = self._reader.skim(line)
        if self._asides.is_rest_of_quote(number, parsed):
            self.findings.ignore(number, raw, "the rest of a quoted line")
        elif isinstance(parsed, OrderLine) and not self._is_word_after_colon(parsed):
            self._take_order(number, raw, line, parsed)
        elif isinstance(parsed, WithdrawalLine):
            self._take_withdrawal(number, raw, line, parsed)
        elif (word := self._word_in(line, parsed)) is not None:
            self._take_word(number, raw, line, word)
        elif isinstance(parsed, LineProblem) and parsed.fault is not None:
            self._report_fault(number, raw, line, parsed)
        elif isinstance(parsed, (GameHeader, TurnHeader)):
            self._headers.take(number, raw, line, parsed)
            self._draft, self._doubt = self._own_draft(), None
        elif self._is_end(line):
            if self._draft is not None:
                self._draft.is_ended = True
        else:
            self._take_unreadable(number, raw, line)
        if ";" in raw and not (self._draft is not None and self._draft.is_foreign):
            self.findings.look_after_semicolon(number, raw)

    def _report_fault(self, number: int, raw: str, line: str, problem: LineProblem) -> None:
        """Tell of a line over which the program fails: it closes the sheet it is in, as one that cannot be read does."""
        self._orders += 1
        head = problems.head_of(line)
        if head is not None and head.has_colon and head.seat in self._called:
            self._open(number, raw, line, head.seat)
        draft = self._draft
        if not self._headers.is_addressed or (draft is not None and draft.is_refused):
            return
        if draft is not None:
            draft.is_closed = True
        self.findings.report(problem, number, raw, draft.seat if draft is not None else "")

    def _take_order(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        if self._asides.is_wish(number, raw, line):
            return
        if parsed.seat is not None and (parsed.seat in self._called or not self._asides.is_label(number, raw, line, parsed)):
            self._open(number, raw, line, parsed.seat)
        if parsed.expression is not None:
            self._add(number, raw, line, parsed)

    def _take_withdrawal(self, number: int, raw: str, line: str, parsed: WithdrawalLine) -> None:
        head, said = parsed.seat, OrderLine(parsed.seat, parsed, ())
        if head is not None and (head in self._called or not self._asides.is_label(number, raw, line, said)):
            self._open(number, raw, line, head)
        draft = self._place(number, raw, line)
        if draft is None:
            return
        if draft.instructions or draft.withdrawal or draft.is_closed:
            draft.is_closed = True
            self.findings.report(problems.late_withdrawal(line), number, raw, draft.seat)
        else:
            draft.withdrawal = Withdrawal(parsed.first, number, raw, self.text.source)

    def _is_word_after_colon(self, parsed: OrderLine) -> bool:
        """Return whether what reads like the sheet of a seat is a word for chance: ``WORD: DRAW``."""
        return parsed.seat is not None and parsed.seat not in self._called and self._reader.english(parsed.seat) == "word"

    def _word_in(self, line: str, parsed: object) -> WordLine | None:
        """Return where ``line``, which is no order, has a word for chance. Where no sheet has begun, it needs its seat."""
        if isinstance(parsed, (GameHeader, TurnHeader)):
            return None
        found = word_line(self._reader, self._called, line)
        return None if found is None or (found.seat is None and self._draft is None) else found

    def _take_word(self, number: int, raw: str, line: str, found: WordLine) -> None:
        """Keep a word for chance, or tell what is wrong with it: the orders of its sheet are as they were."""
        head = found.seat
        if head is not None and (
            head in self._called or not self._asides.is_label(number, raw, line, OrderLine(head, found, ()))
        ):
            self._open(number, raw, line, head)
        draft = self._place(number, raw, line)
        if draft is None:
            return
        word = read_word(raw, line, found.start)
        if isinstance(word, LineProblem):
            self.findings.report(word, number, raw, draft.seat, is_flaw=False)
            word = ""
        self.words.setdefault(draft.seat, []).append(SheetWord(word, number, raw, self.text.source))

    def _open(self, number: int, raw: str, line: str, word: str) -> None:
        """Begin or go on with the sheet of the seat called ``word``; it is refused if it is not for this game and turn."""
        self._doubt = None
        own, seat = self.text.seat, self._called.get(word)
        draft = self._draft = SheetDraft(seat or word, number, is_refused=True)
        if not self._headers.is_addressed:
            return
        if own is not None and seat != own:
            draft.is_foreign = True
            self.findings.report(problems.not_yours(line, own, word), number, raw, own)
        elif seat is None:
            self.findings.report(problems.unknown_seat(line, word, self._addressee.seats), number, raw)
        elif (stale := self._headers.stale_for(seat)) is not None:
            due = self._addressee.turn_for(seat)
            self.findings.report(problems.turn_over(line, seat, stale, due), number, raw)
        elif seat in self.drafts and self.drafts[seat].is_ended:
            draft.is_ended = True
            self.findings.ignore(number, raw, f"{seat} has written END before")
        else:
            self._draft = self.drafts.setdefault(seat, SheetDraft(seat, number))

    def _add(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        draft = self._place(number, raw, line)
        if draft is not None:
            orders = draft.unheard if draft.is_closed else draft.instructions
            orders.append(Instruction(parsed.expression, parsed.draws, number, raw, self.text.source))

    def _place(self, number: int, raw: str, line: str) -> SheetDraft | None:
        """Return the sheet that an order on this line goes into, ``None`` if it goes nowhere, which is told then."""
        self._orders += 1
        self._order_line = number
        if self._doubt is not None:
            self._open(*self._doubt)  # it was the head of a sheet after all
        draft = self._draft
        if draft is None:
            # Said once: the lines that follow belong to the same nobody.
            self._draft = SheetDraft("", number, is_refused=True)
            if self._headers.is_addressed:
                seats = self._addressee.seats
                self.findings.report(problems.no_seat(line, seats, is_mail=self.text.is_mail), number, raw)
        elif draft.is_refused:
            self._ignore_ended(draft, number, raw)
        else:
            self._refuse_late(draft, number, raw, line)
            return draft
        return None

    def _refuse_late(self, draft: SheetDraft, number: int, raw: str, line: str) -> None:
        """Close a sheet that can only be meant for an earlier turn: in windows an answer would be another's there."""
        is_first = not (draft.instructions or draft.is_closed)
        if is_first and self._headers.is_late(draft.seat, self.text.received):
            draft.is_closed = True
            self.findings.report(problems.late_answer(line, self._addressee.turn_for(draft.seat)), number, raw, draft.seat)

    def _ignore_ended(self, draft: SheetDraft, number: int, raw: str) -> None:
        if draft.is_ended and number != draft.line:  # of its head it is told already
            self.findings.ignore(number, raw, f"{draft.seat} has written END before")

    def _take_unreadable(self, number: int, raw: str, line: str) -> None:
        """Report a line that cannot be read, unless nobody can have meant it as an order, and close the sheet it is in."""
        head = problems.head_of(line)
        word = head.seat if head else ""
        if self._reader.english(word) in ("game", "turn"):
            self._orders += 1
            self._headers.take_unreadable(number, raw, line, self._reader.english(word))
            self._draft = None
            return
        draft, seat = self._draft, self._called.get(word)
        is_head = bool(head and head.has_colon and seat)
        is_told = self._headers.is_addressed and not (draft is not None and draft.is_foreign and not is_head)
        why = "" if is_head else self._why_aside(number, raw, line)
        if why:
            if is_told:
                self.findings.ignore(number, raw, why)
                self._doubt = (number, raw, line, word) if self._asides.is_like_head(line) else self._doubt
            return
        self._orders += 1
        if not is_told:
            return
        if head and head.has_colon:
            self._open(number, raw, line, word)
            if not self._draft.is_refused:  # type: ignore[union-attr]  # `_open` sets it
                self._close(number, raw, line)
        elif head and seat == word:
            self._take_bare_seat(number, raw, line, head)
        elif draft is not None and draft.is_refused and draft.is_ended:
            self._ignore_ended(draft, number, raw)
        else:
            self._close(number, raw, line)

    def _take_bare_seat(self, number: int, raw: str, line: str, head: problems.Head) -> None:
        """Refuse what follows a seat without its colon."""
        if self.text.seat not in (None, head.seat):
            self._open(number, raw, line, head.seat)
            return
        self._draft = SheetDraft(head.seat, number, is_refused=True)
        self.sent.add(head.seat)
        self.findings.report(problems.missing_colon(self._reader, line, head), number, raw, head.seat)

    def _why_aside(self, number: int, raw: str, line: str) -> str:
        """Return why an unreadable line is no order, but a greeting, a name or the like; empty if it may be one."""
        draft = self._draft
        if self._asides.speaks_of_another(line, "" if draft is None else draft.seat):
            return ""  # What follows must not become this seat's.
        holder = self._addressee.holders.get(Seat(draft.seat), "") if draft and draft.instructions else ""
        return self._asides.why(number, raw, line, holder=holder, is_before_sheet=draft is None, order_line=self._order_line)

    def _close(self, number: int, raw: str, line: str) -> None:
        """Report an unreadable line, and let nothing after it into the sheet it stands in."""
        draft = self._draft
        if draft is not None and not draft.is_refused:
            last = draft.instructions[-1] if draft.instructions and not draft.is_closed else None
            draft.is_closed = True
            wrapped = problems.wrapped(self._reader, line, last) if last and last.line == number - 1 else None
            if wrapped is not None:
                draft.instructions.pop()
                self.findings.report(wrapped, number, raw, draft.seat)
                return
        seat = "" if draft is None or draft.seat not in self._addressee.seats else draft.seat
        self.findings.explain(number, raw, line, seat)
