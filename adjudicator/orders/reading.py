"""Read texts: classify all lines of each, then fold them once into sheets, problems and ignored lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Final

from adjudicator.core.order import Instruction, Sheet, Withdrawal
from adjudicator.core.phrases import quoted
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.core.remember import Recall
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import LONGEST_NOTE, Seat, Value, replace
from adjudicator.orders import problems
from adjudicator.orders.explain import explain
from adjudicator.orders.form import Form, forms_in
from adjudicator.orders.grammar import GameHeader, OrderLine, TurnHeader, grammar_of
from adjudicator.orders.ignored import BELOW_END, EARLIER, HEAD, Courtesy, ignored_lines
from adjudicator.orders.lines import (
    HEADING,
    Above,
    End,
    Header,
    Lines,
    Note,
    Order,
    Part,
    Remark,
    SeatLine,
    Unreadable,
    Withdraw,
)
from adjudicator.orders.problems import LineProblem
from adjudicator.orders.submission import Addressee, SentSheet, Submission, clean, text_submission
from adjudicator.results import NOT_UNDERSTOOD, Ignored

MOST_IGNORED: Final = 1_000
"""The most ignored lines of one text that a report lists; it only counts the rest."""
_LONGEST_KEPT: Final = 20_000
"""The most characters of a mail whose reading is kept: while it waits, each new mail of its seat needs it again."""
_LONGEST_HEAD: Final = 200
_NARROWEST: Final = 60
"""The fewest characters of a quoted line that a mail program breaks."""
_OF_HEADERS: Final = ("/wrong-game", "/wrong-turn")


class Reading(Value):
    """What one ``text`` says: the ``sheets`` of the seats that have sent something, its problems and its ignored lines.

    A text of a known seat always has a sheet of that seat, perhaps empty. ``is_addressed`` says whether the text below the
    latest headers, or all of it, is for this game and turn.
    """

    text: Submission
    sheets: tuple[SentSheet, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    is_addressed: bool


def read_turn_files(
    rules: AnyRules, addressee: Addressee, files: Iterable[Submission | tuple[str, bytes]]
) -> tuple[Reading, ...]:
    """Return the readings of ``files``: texts, or names with bytes. Mistakes in them raise no exception.

    Each text gets a different name, which decides which seat sees its lines. Seats never see the number in a name, which
    would reveal how many other texts there are.

    Problems are diagnostics. Codes: those of `explain`, and ``orders/`` with ``among-words``, ``command``, ``empty``,
    ``late-answer``, ``late-withdrawal``, ``line-too-long``, ``missing-colon``, ``no-seat``, ``not-text``, ``not-yours``,
    ``too-deep``, ``too-large``, ``too-many-lines``, ``too-many-problems``, ``two-places``, ``unknown-seat``,
    ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    names, readings = set[str](), []
    for number, file in enumerate(files):
        text = file if isinstance(file, Submission) else text_submission(*file)
        if text.source in names:
            free = (f"{text.source}, mail {copy}" for copy in count(2))
            text = replace(text, source=next(name for name in free if name not in names))
        names.add(text.source)
        read = partial(read_text, rules, addressee, text)
        is_kept = text.is_mail and sum(map(len, text.lines)) <= _LONGEST_KEPT
        one = _readings.result(text, (rules, addressee), read) if is_kept else read()
        readings.append(replace(one, sheets=tuple(replace(sheet, number=number) for sheet in one.sheets)))
    return tuple(readings)


_readings: Final = Recall()


def header_turns(rules: AnyRules, lines: Iterable[str]) -> set[int]:
    """Return the turns in the headers among ``lines``: `turn 7`, `Turn 7:`, and those of order forms that are filled in."""
    parse, lines = grammar_of(rules).parse, tuple(lines)
    forms = forms_in(lines, lambda line: isinstance(parse(line), OrderLine))
    heads = (parse(line.strip(" \t.:,")) for line in lines if len(line) <= _LONGEST_HEAD and any(map(str.isdigit, line)))
    turns = {head.turn for head in heads if isinstance(head, (GameHeader, TurnHeader)) and head.turn is not None}
    return turns | {form.turn for form in forms if form.turn is not None and (form.orders or not form.is_closed)}


def read_text(rules: AnyRules, addressee: Addressee, text: Submission) -> Reading:
    """Return what ``text`` says. If the program fails on a line, nothing of the text counts: a problem says where."""
    fold = _Fold(text, addressee, Lines(grammar_of(rules), addressee, text.seat))
    for name in text.left_out:
        fold.ignore(0, name, "attachments are ignored; only the text of a mail is read")
    if text.skipped:
        fold.ignore(0, "", text.skipped)
    elif text.problem is not None:
        fold.report_whole(text.problem, text.fault)
    else:
        try:
            fold.read()
        except Exception as fault:
            fold.fail(fault)
    return fold.reading()


@dataclass(slots=True)
class _Sheet:
    """The sheet of one seat, as far as it has been read.

    Its first unreadable line closes it: later orders are ``check_only``, never applied. A sheet that ``is_refused`` does not
    count at all; the report also says nothing about one that ``is_foreign``. ``is_ended`` says that its seat has written
    END. ``remarks`` are the lines that the program does not understand: one like an order counts as an unreadable order, if
    the sheet has no order. The ``notes`` wait for the next order, or belong to the last one if none follows.
    """

    seat: str
    line: int
    is_refused: bool = False
    is_foreign: bool = False
    is_closed: bool = False
    is_ended: bool = False
    remarks: list[Part] = field(default_factory=list)
    withdrawal: Withdrawal | None = None
    instructions: list[Instruction] = field(default_factory=list)
    check_only: list[Instruction] = field(default_factory=list)
    notes: list[Part] = field(default_factory=list)

    @property
    def is_sent(self) -> bool:
        return bool(self.withdrawal or self.instructions or self.check_only or self.is_closed)

    def sheet(self) -> Sheet:
        return Sheet(
            Seat(self.seat), tuple(self.instructions), check_only=tuple(self.check_only), withdrawal=self.withdrawal
        )


class _Fold:
    """Folds the classified lines of one text.

    ``orders`` counts the lines that are meant as orders, ``order_line`` is the last of those that were read, ``at`` the line
    that is being read. ``bare`` are the seats that were written without a colon.
    """

    def __init__(self, text: Submission, addressee: Addressee, lines: Lines) -> None:
        self.text, self.to, self.lines = text, addressee, lines
        self.sheets: dict[str, _Sheet] = {}
        self.current: _Sheet | None = None
        self.bare, self.flawed = set[str](), set[str]()
        self.orders = self.order_line = self.at = self.ignored_lines = 0
        self.turn: int | None = None
        self.is_right_game = self.is_right_turn = True
        self.found: list[tuple[Part, LineProblem | None, str]] = []
        self.diagnostics: list[Diagnostic] = []
        self.ignored: list[Ignored] = []
        self.courtesy = Courtesy(text.names)

    @property
    def is_addressed(self) -> bool:
        return self.is_right_game and self.is_right_turn

    def read(self) -> None:
        lines, is_mail = self.text.lines, self.text.is_mail
        forms, reasons = self._surroundings()
        self._begin_own()
        self._fold(self._classify(enumerate(lines, 1), reasons))
        if is_mail and not self.order_line and not self.sheets:  # prose by someone whose seat is not known
            self.found = [one for one in self.found if one[1] is not None and one[1].problem.code.endswith(_OF_HEADERS)]
            self.orders = 0
        self._take_forms([form for form in forms if form.orders])
        for sheet in self.sheets.values():
            remarks = () if sheet.is_sent else sheet.remarks
            for instead in [one for one in remarks if self.lines.is_like_order(one.line)][:1]:  # in the place of an order
                self.orders += 1
                sheet.is_closed = True
                self._report(instead, None, sheet.seat)
                self.ignored = [one for one in self.ignored if one.line != instead.number]
            if sheet.instructions:
                last = sheet.instructions[-1]
                sheet.instructions[-1] = replace(last, note=self._take_note(sheet, last.note))
            for part in sheet.notes:
                self.ignore(part.number, part.raw, "a note is kept with an order, and there is none")
        for part, problem, seat in self.found[:MOST_PROBLEMS]:
            self.at = part.number
            told = problem or explain(self.lines.grammar, part.line)
            if problem is None and isinstance(part.kind, Header):
                message = f"{told.problem.message}; the orders below this line do not count"
                told = replace(told, problem=replace(told.problem, message=message))
            written, place = self.text.written(part.number, part.raw)
            self.diagnostics.append(told.diagnostic(part.number, written, self.text.source, seat, place))
        if not self.orders:
            comments = (clean(raw.lstrip(" #")) for raw in lines if raw.lstrip().startswith("#"))
            is_commented = any(map(self.lines.is_order, comments))
            self.report_whole(problems.empty(self.ignored_lines, is_mail=is_mail, is_commented=is_commented))
        if len(self.found) > MOST_PROBLEMS:
            message = f"{len(self.found) - MOST_PROBLEMS:,} more problems of this file are not listed"
            self.report_whole(Problem("orders/too-many-problems", message), seat="")

    def fail(self, fault: Exception) -> None:
        """Let nothing of the text count: the program fails on the present line."""
        self.sheets.clear()
        raw = self.text.lines[self.at - 1] if self.at else ""
        seat = self.text.seat or ""
        self.flawed.add(seat)
        told = problems.fault(clean(raw), fault)
        self.diagnostics = [told.diagnostic(self.at, raw, self.text.source, seat)]

    def reading(self) -> Reading:
        text, sent = self.text, {seat: sheet for seat, sheet in self.sheets.items() if sheet.is_sent}
        seats = dict.fromkeys([*sent, *sorted(self.bare)])
        sheets = [
            SentSheet(
                *(text, Seat(seat), sent[seat].sheet() if seat in sent else Sheet(Seat(seat), ())),
                is_alone=len(seats) == 1,
                is_flawed=seat in self.flawed,
                remarks=tuple((part.number, part.raw) for part in sent[seat].remarks) if seat in sent else (),
            )
            for seat in seats
        ]
        if text.seat is not None and not text.skipped and text.seat not in seats:
            empty = Sheet(text.seat, ())
            sheets.insert(0, SentSheet(text, text.seat, empty, is_sent=False, is_addressed=self.is_addressed))
        if (more := self.ignored_lines - MOST_IGNORED) > 0:
            lines = "1 more line" if more == 1 else f"{more:,} more lines"
            reason = f"{lines} of this text not listed here"
            self.ignored.append(Ignored(source=text.source, line=0, reason=reason, text=""))
        return Reading(text, tuple(sheets), tuple(self.diagnostics), tuple(self.ignored), self.is_addressed)

    def ignore(self, number: int, raw: str, why: str) -> None:
        """Keep why the line ``number`` is ignored; line 0 is something outside the text."""
        self.ignored_lines += bool(number)
        if not number or self.ignored_lines <= MOST_IGNORED:
            self.ignored.append(Ignored(source=self.text.source, line=number, reason=why, text=quoted(raw)))

    def report_whole(self, problem: Problem, fault: Exception | None = None, *, seat: str | None = None) -> None:
        """Keep a problem with the whole text; ``fault`` is the exception that its reading raised, if any."""
        seat = (self.text.seat or "") if seat is None else seat
        self.flawed.add(seat)
        self.diagnostics.append(Diagnostic(problem, seat, source=self.text.source, fault=fault))

    def _report(self, part: Part, problem: LineProblem | None, seat: str = "") -> None:
        """Keep the problem with a line in the sheet of ``seat``; without ``problem``, that it cannot be read."""
        self.flawed.add(seat)
        self.found.append((part, problem, seat))

    # The first pass

    def _surroundings(self) -> tuple[Sequence[Form], dict[int, str]]:
        """Return the order forms in the text, and why other lines are no orders; nothing if all are heads and orders."""
        lines = self.text.lines
        for raw in lines:
            if not self.lines.plain(raw) and raw.strip(" \t"):
                break
        else:
            return (), {}

        def form_notes(seat: str) -> str:
            """Return what the form of ``seat`` says besides orders; nothing to a text from another seat."""
            is_own = seat in self.to.seats and self.text.seat in (None, seat)
            return self.to.form_notes(Seat(seat)) if is_own else ""

        forms = forms_in(lines, self.lines.is_order, form_notes)
        reasons = ignored_lines(
            *(lines, self.lines.is_header, self.lines.is_end, self.lines.is_plain_order),
            is_mail=self.text.is_mail,
            is_bound=self.text.seat is not None,
            forms=forms,
            is_order=self.lines.is_order,
        )
        for form, below in zip(forms, [*(form.first for form in forms), len(lines) + 1][1:], strict=True):
            for number in range(form.last + 1, below) if form.is_open else ():
                if number not in reasons:  # a form without its last line takes what is below
                    form.orders[number], reasons[number] = lines[number - 1], ""
        return forms, reasons

    def _classify(self, lines: Iterable[tuple[int, str]], reasons: Mapping[int, str]) -> list[Part]:
        """Return the parts of the numbered ``lines``; for some there are ``reasons`` why they are no orders."""
        own, named, has_orders, parts, known = self.text.seat or "", "", False, list[Part](), 0
        for number, raw in lines:
            why = reasons.get(number)
            kinds = self.lines.plain(raw) if why is None else ()
            if kinds and not (parts and isinstance(parts[-1].kind, Remark)):  # else it may be the end of a quoted line
                for kind in kinds:
                    parts.append(Part(number, raw, raw, kind))
                continue
            line = clean(raw) if why is None else ""
            if why:
                parts.append(Part(number, raw, "", Remark(why)))
            if not line:
                continue
            self.at = number
            for part in parts[known:]:
                match part.kind:
                    case Order() | Withdraw() | Unreadable():
                        has_orders, own = has_orders or not isinstance(part.kind, Unreadable), named or own
                        named = ""
                    case SeatLine(word=word, is_possible=is_possible):
                        named = self.lines.seats.get(word, word)
                        own = own if is_possible else named
                    case Header(is_among_words=False):
                        own, named = self.text.seat or "", ""
            known = len(parts)
            above = Above(own, parts[-1] if parts and parts[-1].number == number - 1 else None, has_orders)
            if above.part is not None and self._ends_quote(above.part, number, line):
                parts.append(Part(number, raw, line, Remark("the rest of a quoted line")))
            else:
                parts += self.lines.classify(number, raw, line, above)
        return parts

    def _ends_quote(self, above: Part, number: int, line: str) -> bool:
        """Return whether ``line`` is the end of the quoted line ``above``, which a mail program broke.

        It is if the two are an order and the quoted line alone is not; or if it is directly between quoted lines and has no
        word of an order.
        """
        quote, is_order = above.raw.lstrip(" "), self.lines.is_order
        if not quote.startswith(">") or len(quote) < _NARROWEST:
            return False
        quote = clean(quote.lstrip("> "))
        if is_order(f"{quote} {line.strip()}"):
            return not (is_order(line) and is_order(quote))
        is_quoted_on = "".join(self.text.lines[number : number + 1]).lstrip(" ").startswith(">")
        return is_quoted_on and not is_order(line) and not self.lines.is_like_order(line)

    # The second pass

    def _fold(self, parts: Sequence[Part]) -> None:
        """Take ``parts`` in turn. A header below the last order has no effect, nor has a possible head without an order."""
        last, is_above_order, is_followed = -1, False, [False] * len(parts)
        for index in range(len(parts) - 1, -1, -1):
            kind, is_followed[index] = parts[index].kind, is_above_order
            if isinstance(kind, (Order, Withdraw, Unreadable)):
                last, is_above_order = max(last, index), True
            elif not (isinstance(kind, (Remark, End, Note)) or (isinstance(kind, Header) and kind.is_among_words)):
                is_above_order = False
        for index, part in enumerate(parts):
            self.at, ended = part.number, self.sheets.get(self.text.seat or "")
            match part.kind:
                case Remark(why=why) if why:
                    self.ignore(part.number, part.raw, why)
                    if why == HEAD and self.order_line and self.text.seat is None:
                        self.current = None
                case _ if ended is not None and ended.is_ended:
                    self.ignore(part.number, part.raw, BELOW_END)
                case Order() as order:
                    sheet = self._place(part)
                    if sheet is not None:
                        written, place = self.text.written(part.number, part.raw)
                        orders = sheet.check_only if sheet.is_closed else sheet.instructions
                        source, note = self.text.source, self._take_note(sheet)
                        orders.append(Instruction(order.expression, order.draws, part.number, written, source, place, note))
                case Header() as header:
                    if header.is_among_words and part.number not in [below.number for below in parts[index + 1 : index + 2]]:
                        self.ignore(part.number, part.raw, HEADING)
                    if not self.order_line or index < last:
                        self._header(part, header)
                case SeatLine() as head if is_followed[index] or not head.is_possible:
                    self._head(part, head)
                case Withdraw(first=first):
                    sheet = self._place(part)
                    if sheet is not None and not (sheet.instructions or sheet.withdrawal or sheet.is_closed):
                        written, place = self.text.written(part.number, part.raw)
                        sheet.withdrawal = Withdrawal(first, part.number, written, self.text.source, place)
                    elif sheet is not None:
                        sheet.is_closed = True
                        self._report(part, problems.late_withdrawal(part.line), sheet.seat)
                case Note():
                    sheet = self.current
                    if sheet is not None and not (sheet.is_refused or sheet.is_closed):
                        sheet.notes.append(part)
                    elif sheet is None or not sheet.is_foreign:
                        self.ignore(part.number, part.raw, "a note is kept with an order, and none of these orders counts")
                case End():
                    if self.current is not None:
                        self.current.is_ended = True
                case Unreadable() as wrong if self._is_meant(part, wrong):
                    self._refuse(part, wrong)
                case _:
                    self._remark(part)

    def _begin_own(self) -> None:
        seat, self.current = self.text.seat, None
        if seat is not None and self.is_addressed:
            self.current = self.sheets.setdefault(seat, _Sheet(seat, 1))

    def _address(self, part: Part, header: GameHeader | TurnHeader) -> None:
        due = self.to.turns
        if isinstance(header, GameHeader):
            is_right = self.is_right_game = header.game.casefold() == self.to.game.casefold()
            self.is_right_turn, self.turn = True, None
            if not is_right:
                self._report(part, problems.wrong_game(self.lines.grammar, part.line, header.game, self.to.game))
        if header.turn is not None:
            self.turn, self.is_right_turn = header.turn, self.lines.counts(header.turn)
            if self.is_right_game and not self.is_right_turn:
                latest = max(due.turn, due.latest)
                self._report(part, problems.wrong_turn(self.lines.grammar, part.line, header.turn, due.turn, latest))

    def _header(self, part: Part, header: Header) -> None:
        """Take a header: it ends the sheet above it. Below one that cannot be read, no order counts."""
        if header.parsed is None:
            self.orders += 1
            self.is_right_game = self.is_right_game and header.word != "game"
            self.is_right_turn = self.is_right_turn and header.word != "turn"
            self._report(part, None)
            self.current = None
            return
        self._address(part, header.parsed)
        sheet, turn = self.current if self.is_addressed else None, self.turn
        is_right = sheet is not None and (turn is None or self.to.turns.counts(turn, sheet.seat))
        if not (header.is_among_words and is_right):
            self._begin_own()

    def _head(self, part: Part, head: SeatLine) -> None:
        """Take the head of a sheet. Below a seat without its colon, orders belong to no sheet."""
        if not head.word and self.current is None:  # the order below has no seat anyway
            self._remark(part)
        elif not head.word:
            self._refuse(part, Unreadable())
        elif head.has_colon or self.text.seat not in (None, head.word):
            self._open(part, head.word)
            self.orders += not head.has_colon
        else:
            self.orders += 1
            self.current = _Sheet(head.word, part.number, is_refused=True)
            self.bare.add(head.word)
            self._report(part, problems.missing_colon(self.lines.grammar, part.line), head.word)

    def _open(self, part: Part, word: str) -> None:
        """Begin or continue the sheet of the seat called ``word``; refuse it if it is not for this game and turn."""
        own, seat = self.text.seat, self.lines.seats.get(word)
        sheet = self.current = _Sheet(seat or word, part.number, is_refused=True)
        if not self.is_addressed:
            return
        if own is not None and seat != own:
            sheet.is_foreign = True
            self._report(part, problems.not_yours(part.line, own, word), own)
        elif seat is None:
            self._report(part, problems.unknown_seat(part.line, word, self.to.seats))
        elif self.turn is not None and not self.to.turns.counts(self.turn, seat):
            self._report(part, problems.turn_over(part.line, seat, self.turn, self.to.turns.turn_for(seat)))
        elif seat in self.sheets and self.sheets[seat].is_ended:
            sheet.is_ended = True
            self.ignore(part.number, part.raw, f"{seat} wrote END above")
        else:
            self.current = self.sheets.setdefault(seat, _Sheet(seat, part.number))

    def _place(self, part: Part) -> _Sheet | None:
        """Return the sheet for the order of ``part``; if no sheet takes it, report it and return ``None``."""
        self.orders += 1
        self.order_line = part.number
        sheet = self.current
        if sheet is None:  # reported once: the following lines have no seat either
            self.current = _Sheet("", part.number, is_refused=True)
            if self.is_addressed:
                self._report(part, problems.no_seat(part.line, self.to.seats, is_mail=self.text.is_mail))
            return None
        if sheet.is_refused:
            if sheet.is_ended and part.number != sheet.line:  # its head is already reported
                self.ignore(part.number, part.raw, f"{sheet.seat} wrote END above")
            return None
        received = self.text.received
        if received is not None and self.turn is None and not (sheet.instructions or sheet.is_closed):
            since = self.to.question_times.get(Seat(sheet.seat))
            if since is not None and received <= since:  # it arrived before the present question was asked
                sheet.is_closed = True
                self._report(part, problems.late_answer(part.line, self.to.turns.turn_for(sheet.seat)), sheet.seat)
        return sheet

    def _is_meant(self, part: Part, wrong: Unreadable) -> bool:
        sheet = self.current
        if not wrong.is_attempt:  # only the order right above shows that it is the rest of it
            last = sheet.instructions[-1:] if sheet is not None and not sheet.is_closed else []
            return [one.line for one in last] == [part.number - 1]
        return sheet is not None or self.text.is_mail or not wrong.is_loud

    def _refuse(self, part: Part, wrong: Unreadable) -> None:
        """Report an unreadable order, and accept no more orders for its sheet."""
        sheet, problem = self.current, wrong.problem
        is_foreign = not self.is_addressed or (sheet is not None and sheet.is_foreign)
        self.orders += not (is_foreign and wrong.is_loud)
        if is_foreign or (sheet is not None and sheet.is_refused and sheet.line == part.number):
            return
        if sheet is not None and sheet.is_refused and sheet.is_ended:
            self.ignore(part.number, part.raw, f"{sheet.seat} wrote END above")
            return
        if sheet is not None and not sheet.is_refused:
            if wrong.wrapped is not None and self._is_meant(part, replace(wrong, is_attempt=False)):
                problem = wrong.wrapped
                sheet.instructions.pop()
            sheet.is_closed = True
            for note in sheet.notes:
                self.ignore(note.number, note.raw, "a note is kept with an order, and the one below cannot be read")
            sheet.notes.clear()
            if wrong.concerns_all:
                sheet.check_only = [*sheet.instructions, *sheet.check_only]
                sheet.instructions, sheet.withdrawal = [], None
        self._report(part, problem, sheet.seat if sheet is not None and sheet.seat in self.to.seats else "")

    def _take_note(self, sheet: _Sheet, begun: str = "") -> str:
        """Return the note that is ``begun`` with those of ``sheet`` that wait, and let none wait."""
        if not sheet.notes:
            return begun
        whole = " ".join([*filter(None, [begun]), *(part.kind.text for part in sheet.notes if isinstance(part.kind, Note))])
        if len(whole) > LONGEST_NOTE:
            last = sheet.notes[-1]
            self.ignore(last.number, last.raw, f"a note has at most {LONGEST_NOTE} characters, and the rest is left out")
        sheet.notes.clear()
        return whole[:LONGEST_NOTE].rstrip()

    def _remark(self, part: Part) -> None:
        sheet = self.current
        if not self.is_addressed or (sheet is not None and sheet.is_foreign):
            return
        holder = self.to.holders.get(Seat(sheet.seat), "").casefold() if sheet and sheet.instructions else ""
        name = part.line.strip(" -–—~.,!").casefold()
        is_holder = name and name in (holder, *holder.split()[:1])
        why = "the name of the player" if is_holder else self.courtesy.why(part.number, part.raw, part.line, self.order_line)
        self.ignore(part.number, part.raw, why or NOT_UNDERSTOOD)
        if not why and sheet is not None:
            sheet.remarks.append(part)

    # Order forms

    def _take_forms(self, forms: Sequence[Form]) -> None:
        """Read the forms that came back filled in: of each seat the outermost that is for this game and turn.

        If the text has orders of the seat outside its form, too, it does not say which to take: none count. A form that is
        quoted twice is that of an earlier mail then, and so is any below END, or for another game, turn or seat.
        """
        outermost: dict[str, int] = {}
        for form in sorted(forms, key=lambda form: (not self._is_current(form), form.depth)):
            self.at, raw = form.first, self.text.lines[form.first - 1]
            seat = self.text.seat or form.seat
            sheet = self.sheets.get(seat)
            has_orders = seat in outermost or (sheet is not None and sheet.is_sent)
            is_below_end = sheet is not None and sheet.is_ended
            if has_orders and (is_below_end or form.depth > outermost.get(seat, 1) or not self._is_current(form)):
                for number in form.orders:
                    self.ignore(number, self.text.lines[number - 1], EARLIER)
                continue
            outermost.setdefault(seat, form.depth)
            if sheet is not None:
                sheet.is_ended = False
            self._address(Part(form.first, raw, form.head, Remark()), GameHeader(form.game, form.turn))
            at = max(raw.casefold().rfind(form.seat), 0)
            self._open(Part(form.first, raw, f"{' ' * at}{form.seat}", Remark()), form.seat)
            self.orders += self.current is not None and self.current.is_refused
            known = len(sheet.instructions) if sheet is not None else 0
            self._fold(self._classify(form.orders.items(), {}))
            if sheet is not None and 0 < known < len(sheet.instructions):
                first = sheet.instructions[known]
                sheet.check_only = [*sheet.instructions, *sheet.check_only]
                sheet.instructions, sheet.is_closed = [], True
                self._report(Part(first.line, first.written, "", Remark()), problems.two_places(first), sheet.seat)

    def _is_current(self, form: Form) -> bool:
        to, seat = self.to, form.seat
        if seat not in to.seats or self.text.seat not in (None, seat) or form.game.casefold() != to.game.casefold():
            return False
        return form.turn is None or to.turns.counts(form.turn, seat)
