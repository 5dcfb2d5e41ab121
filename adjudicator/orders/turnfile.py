"""A turn file: headers, sheets, orders, and the boilerplate of mail around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader
from adjudicator.orders.clean import MOST_LINES, NotTextError, clean, comment_start, content, decode, lines_of
from adjudicator.orders.parser import UNEXPLAINED, LineProblem, reader

MOST_PROBLEMS: Final = 100
"""Problems of a turn file that are told one by one; more than that are counted."""


@frozen
class Addressee:
    """Which game a turn file must be for: its id, the adjudication that is due, its seats and who holds them."""

    game: str
    turn: int
    seats: tuple[Seat, ...]
    holders: Mapping[Seat, str] = field(default_factory=dict)


@frozen
class Ignored:
    """A line that was passed over as boilerplate of a mail program, and why."""

    line: int
    text: str
    why: str
    source: str = ""


@frozen
class TurnFile:
    """What turn files say: a sheet for each seat that sent one, everything unreadable, every line passed over."""

    sheets: tuple[Sheet, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]


def read_turn_files(rules: AnyRuleset, addressee: Addressee, files: Iterable[tuple[str, bytes]]) -> TurnFile:
    """Return what ``files`` (name, bytes) say together. Nothing is raised for what is in them: problems are diagnostics.

    Codes: those of `explain`, and ``orders/`` with ``empty``, ``line-too-long``, ``missing-colon``, ``no-seat``,
    ``not-text``, ``second-sheet``, ``too-deep``, ``too-large``, ``too-many-lines``, ``too-many-problems``,
    ``unknown-seat``, ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    reading = _Reading(rules, addressee)
    for source, data in files:
        reading.read_file(source, data)
    return reading.result()


@dataclass(slots=True)
class _SheetDraft:
    """A sheet while it is read. It is closed by its first unreadable line: what follows is not applied (``unheard``)."""

    seat: str
    line: int
    source: str
    is_refused: bool = False
    is_closed: bool = False
    instructions: list[Instruction] = field(default_factory=list)
    unheard: list[Instruction] = field(default_factory=list)


class _Reading:
    """Reads turn files line by line, keeping track of headers and sheets."""

    def __init__(self, rules: AnyRuleset, addressee: Addressee) -> None:
        self._reader = reader(rules)
        self._addressee = addressee
        self._drafts: dict[str, _SheetDraft] = {}
        self._diagnostics: list[Diagnostic] = []
        self._ignored: list[Ignored] = []
        self._begin("")

    def _begin(self, source: str) -> None:
        self._source = source
        self._draft: _SheetDraft | None = None
        self._is_right_game = self._is_right_turn = True
        self._orders = self._problems = 0

    @property
    def _is_addressed(self) -> bool:
        return self._is_right_game and self._is_right_turn

    def result(self) -> TurnFile:
        sheets = tuple(
            Sheet(Seat(draft.seat), tuple(draft.instructions), unheard=tuple(draft.unheard))
            for draft in self._drafts.values()
            if draft.instructions or draft.unheard
        )
        return TurnFile(sheets, tuple(self._diagnostics), tuple(self._ignored))

    def read_file(self, source: str, data: bytes) -> None:
        self._begin(source)
        passed_over = len(self._ignored)
        try:
            lines = lines_of(decode(data))
        except NotTextError as error:
            self._report_file(Problem(error.code, str(error)))
            return
        if len(lines) > MOST_LINES:
            message = f"the file has {len(lines):,} lines; orders may have {MOST_LINES:,}"
            self._report_file(Problem("orders/too-many-lines", message))
            return
        for number, raw, line in content(lines, self._is_header, self._ignore):
            self._take(number, raw, line)
        if not self._orders:
            self._report_file(problems.empty(len(self._ignored) - passed_over))
        if self._problems > MOST_PROBLEMS:
            message = f"{self._problems - MOST_PROBLEMS:,} more problems of this file are not listed"
            self._report_file(Problem("orders/too-many-problems", message))

    def _is_header(self, line: str) -> bool:
        head = problems.head_of(line)
        if head is not None and head.has_colon:
            return head.seat in self._addressee.seats
        return isinstance(self._reader.skim(line), (GameHeader, TurnHeader))

    def _take(self, number: int, raw: str, line: str) -> None:
        parsed = self._reader.skim(line)
        if isinstance(parsed, OrderLine):
            if parsed.seat is not None:
                self._open(number, raw, line, parsed.seat)
            if parsed.expression is not None:
                self._add(number, raw, line, parsed)
        elif isinstance(parsed, GameHeader):
            self._take_game(number, raw, line, parsed)
        elif isinstance(parsed, TurnHeader):
            self._take_turn(number, raw, line, parsed.turn)
        else:
            self._take_unreadable(number, raw, line)
        if ";" in raw:
            self._look_behind_semicolon(number, raw)

    def _take_game(self, number: int, raw: str, line: str, header: GameHeader) -> None:
        due = self._addressee.game
        self._is_right_game, self._is_right_turn, self._draft = header.game.casefold() == due.casefold(), True, None
        if not self._is_right_game:
            self._report(problems.wrong_game(self._reader, line, header.game, due), number, raw)
        elif header.turn is not None:
            self._take_turn(number, raw, line, header.turn)

    def _take_turn(self, number: int, raw: str, line: str, turn: int) -> None:
        self._is_right_turn, self._draft = turn == self._addressee.turn, None
        if self._is_right_game and not self._is_right_turn:
            self._report(problems.wrong_turn(self._reader, line, turn, self._addressee.turn), number, raw)

    def _open(self, number: int, raw: str, line: str, seat: str) -> None:
        """Begin the sheet of ``seat``; it is refused if it is not for this game and turn, or not the only one."""
        draft = self._draft = _SheetDraft(seat, number, self._source, is_refused=True)
        if not self._is_addressed:
            return
        earlier = self._drafts.get(seat)
        if seat not in self._addressee.seats:
            self._report(problems.unknown_seat(line, seat, self._addressee.seats), number, raw)
        elif earlier is not None:
            where = f"line {earlier.line}" if earlier.source == self._source else f"{earlier.source}, line {earlier.line}"
            self._report(problems.second_sheet(line, seat, where), number, raw, seat)
        else:
            draft.is_refused = False
            self._drafts[seat] = draft

    def _add(self, number: int, raw: str, line: str, parsed: OrderLine) -> None:
        self._orders += 1
        draft = self._draft
        if draft is None:
            # Said once: the lines that follow belong to the same nobody.
            self._draft = _SheetDraft("", number, self._source, is_refused=True)
            if self._is_addressed:
                self._report(problems.no_seat(line, self._addressee.seats), number, raw)
        elif not draft.is_refused:
            orders = draft.unheard if draft.is_closed else draft.instructions
            orders.append(Instruction(parsed.expression, parsed.draws, number, raw, self._source))

    def _take_unreadable(self, number: int, raw: str, line: str) -> None:
        """Report a line that cannot be read, unless it is for another game or turn, and close the sheet it is in."""
        self._orders += 1
        head = problems.head_of(line)
        seat = head.seat if head else ""
        if seat in ("game", "turn"):
            self._take_bad_header(number, raw, line, seat)
        elif not self._is_addressed:
            return
        elif head and head.has_colon:
            self._open(number, raw, line, seat)
            if seat in self._drafts and self._draft is self._drafts[seat]:
                self._close(number, raw, line)
        elif head and seat in self._addressee.seats:
            self._draft = _SheetDraft(seat, number, self._source, is_refused=True)
            self._report(problems.missing_colon(self._reader, line, head), number, raw, seat)
        elif self._is_signed(line):
            self._orders -= 1
            self._ignore(number, raw, "the name of the player")
        else:
            self._close(number, raw, line)

    def _is_signed(self, line: str) -> bool:
        """Return whether ``line`` is the name, or the first word of it, of who holds the seat whose sheet this is."""
        draft = self._draft
        holder = self._addressee.holders.get(Seat(draft.seat), "") if draft and draft.instructions else ""
        name = line.strip(" -–—~.,!").casefold()
        return bool(name) and name in (holder.casefold(), *holder.casefold().split()[:1])

    def _take_bad_header(self, number: int, raw: str, line: str, word: str) -> None:
        """Refuse what follows: a header is a safeguard, and this one did not say against what."""
        self._is_right_game = self._is_right_game and word != "game"
        self._is_right_turn = self._is_right_turn and word != "turn"
        self._draft = None
        self._explain(number, raw, line, "; the sheets that follow are refused")

    def _close(self, number: int, raw: str, line: str) -> None:
        """Report an unreadable line, and let nothing after it into the sheet it stands in."""
        draft = self._draft
        if draft is not None and not draft.is_refused:
            last = draft.instructions[-1] if draft.instructions and not draft.is_closed else None
            draft.is_closed = True
            wrapped = problems.wrapped(self._reader, line, last) if last and last.line == number - 1 else None
            if wrapped is not None:
                draft.instructions.pop()
                self._report(wrapped, number, raw, draft.seat)
                return
        self._explain(number, raw, line)

    def _explain(self, number: int, raw: str, line: str, consequence: str = "") -> None:
        """Report why ``line`` cannot be read, if that will be told at all."""
        is_told = self._problems < MOST_PROBLEMS
        problem = problems.unreadable(self._reader, line, consequence) if is_told else UNEXPLAINED
        seat = "" if self._draft is None else self._draft.seat
        self._report(problem, number, raw, seat if seat in self._addressee.seats else "")

    def _look_behind_semicolon(self, number: int, raw: str) -> None:
        """Tell the moderator of a comment that could have been meant as a second order."""
        start = comment_start(raw)
        parsed = self._reader.skim(clean(raw[start + 1 :]))
        if raw[:start].strip() and raw[start] == ";" and isinstance(parsed, OrderLine) and parsed.expression is not None:
            self._ignore(number, raw, "a comment stands behind `;`, though this one reads like an order")

    def _ignore(self, number: int, raw: str, why: str) -> None:
        self._ignored.append(Ignored(number, raw, why, self._source))

    def _report(self, problem: LineProblem, number: int, raw: str, seat: str = "") -> None:
        self._problems += 1
        if self._problems <= MOST_PROBLEMS:
            self._diagnostics.append(problem.diagnostic(number, raw, self._source, seat))

    def _report_file(self, problem: Problem) -> None:
        self._diagnostics.append(Diagnostic(problem, source=self._source))
