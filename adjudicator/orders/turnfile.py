"""A turn file: headers, sheets, orders, and the debris of mail around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from adjudicator.core.ids import Seat
from adjudicator.core.near import nearest
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Finding, Problem
from adjudicator.orders.build import GameHeader, OrderLine, ParsedLine, TurnHeader
from adjudicator.orders.clean import MOST_LINES, NotTextError, clean, decode, is_quoted, is_signature_mark, lines_of
from adjudicator.orders.grammar import AnyRuleset
from adjudicator.orders.line import Unreadable, reader


@dataclass(frozen=True, slots=True)
class Addressee:
    """Which game a turn file must be for: its id, the number of the adjudication that is due, and its seats."""

    game: str
    turn: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line that was passed over as debris of a mail program, and why."""

    line: int
    text: str
    why: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class TurnFile:
    """What turn files say: a sheet for each seat that sent one, everything unreadable, every line passed over."""

    sheets: tuple[Sheet, ...]
    findings: tuple[Finding, ...]
    ignored: tuple[Ignored, ...]


@dataclass(slots=True)
class _SheetDraft:
    """A sheet while it is read. It is closed by its first unreadable line: what follows that is not to be trusted."""

    seat: str
    line: int
    source: str
    is_refused: bool = False
    is_closed: bool = False
    instructions: list[Instruction] = field(default_factory=list)


def read_turn_files(rules: AnyRuleset, addressee: Addressee, files: Iterable[tuple[str, bytes]]) -> TurnFile:
    """Return what ``files`` (name, bytes) say together. Nothing is raised for what is in them: problems are findings."""
    reading = _Reading(rules, addressee)
    for source, data in files:
        reading.read_file(source, data)
    return reading.result()


class _Reading:
    """Reads turn files line by line, keeping track of headers and sheets."""

    def __init__(self, rules: AnyRuleset, addressee: Addressee) -> None:
        self._read = reader(rules).read
        self._addressee = addressee
        self._drafts: dict[str, _SheetDraft] = {}
        self._findings: list[Finding] = []
        self._ignored: list[Ignored] = []
        self._source = ""
        self._draft: _SheetDraft | None = None
        self._is_right_game = self._is_right_turn = True

    def result(self) -> TurnFile:
        sheets = tuple(
            Sheet(Seat(draft.seat), tuple(draft.instructions)) for draft in self._drafts.values() if draft.instructions
        )
        return TurnFile(sheets, tuple(self._findings), tuple(self._ignored))

    def read_file(self, source: str, data: bytes) -> None:
        self._source, self._draft = source, None
        self._is_right_game = self._is_right_turn = True
        try:
            lines = lines_of(decode(data))
        except NotTextError as error:
            self._find(Problem("orders/not-text", str(error)))
            return
        if len(lines) > MOST_LINES:
            message = f"the file has {len(lines):,} lines; orders may have {MOST_LINES:,}"
            self._find(Problem("orders/too-many-lines", message))
            return
        count = sum(1 for number, raw, line in self._content(lines) if self._take(number, raw, line))
        if not count:
            self._find(Problem("orders/empty", "there are no orders in this file"))

    def _content(self, lines: list[str]) -> Iterator[tuple[int, str, str]]:
        """Yield number, raw and cleaned text of each line that is not blank, quoted, or part of a signature."""
        in_signature = False
        for number, raw in enumerate(lines, 1):
            if is_quoted(raw):
                self._ignored.append(Ignored(number, raw, "quoted from an earlier mail", self._source))
                continue
            in_signature = in_signature or is_signature_mark(raw)
            line = clean(raw)
            if not line or line.isspace():
                continue
            if in_signature and not self._is_header(line):
                self._ignored.append(Ignored(number, raw, "part of a signature", self._source))
                continue
            in_signature = False
            yield number, raw, line

    def _is_header(self, line: str) -> bool:
        parsed = self._read(line)
        if isinstance(parsed, OrderLine):
            return parsed.seat in self._addressee.seats
        return isinstance(parsed, (GameHeader, TurnHeader))

    def _take(self, number: int, raw: str, line: str) -> bool:
        """Take one line; return whether it was more than a header."""
        parsed: ParsedLine | Unreadable = self._read(line)
        match parsed:
            case GameHeader(game=game):
                self._take_game_header(number, raw, game)
                return False
            case TurnHeader(turn=turn):
                self._take_turn_header(number, raw, turn)
                return False
            case OrderLine(seat=seat):
                if seat is not None:
                    self._open(number, raw, seat)
                if parsed.expression is not None:
                    self._add(number, raw, parsed)
                return True
            case Unreadable():
                self._add_unreadable(number, raw, parsed)
                return True

    def _take_game_header(self, number: int, raw: str, game: str) -> None:
        self._is_right_game, self._is_right_turn, self._draft = game == self._addressee.game, True, None
        if not self._is_right_game:
            message = f"this is for the game “{game}”, the game file is “{self._addressee.game}”: its sheets are refused"
            self._find(Problem("orders/wrong-game", message, suggestions=(f"game {self._addressee.game}",)), number, raw, game)

    def _take_turn_header(self, number: int, raw: str, turn: int) -> None:
        due = self._addressee.turn
        self._is_right_turn, self._draft = turn == due, None
        if not self._is_right_turn:
            stale = "has been adjudicated already" if turn < due else "has not come yet"
            message = f"turn {turn} {stale}, turn {due} is due: its sheets are refused"
            self._find(Problem("orders/wrong-turn", message, suggestions=(f"turn {due}",)), number, raw, str(turn))

    def _open(self, number: int, raw: str, seat: str) -> None:
        draft = _SheetDraft(seat, number, self._source, is_refused=not (self._is_right_game and self._is_right_turn))
        self._draft = draft
        earlier = self._drafts.get(seat)
        if seat not in self._addressee.seats:
            draft.is_refused = True
            seats = ", ".join(self._addressee.seats)
            near = nearest(seat, self._addressee.seats)
            self._find(Problem("orders/unknown-seat", f"no seat “{seat}” in this game: {seats}", "", "", near), number, raw, seat)
        elif draft.is_refused:
            return
        elif earlier is not None:
            draft.is_refused = True
            where = f"line {earlier.line}" if earlier.source == self._source else f"{earlier.source}, line {earlier.line}"
            message = f"{seat} has a sheet already ({where}): this second one is refused"
            self._find(Problem("orders/second-sheet", message), number, raw, seat)
        else:
            self._drafts[seat] = draft

    def _add(self, number: int, raw: str, parsed: OrderLine) -> None:
        draft = self._draft
        if draft is None:
            seats = " or ".join(f"`{seat}:`" for seat in self._addressee.seats)
            message = f"whose order is this? A sheet begins with its seat: {seats}"
            self._find(Problem("orders/no-seat", message), number, raw, raw.strip())
        elif not draft.is_refused and not draft.is_closed:
            draft.instructions.append(Instruction(parsed.expression, parsed.draws, number, raw, self._source))

    def _add_unreadable(self, number: int, raw: str, unreadable: Unreadable) -> None:
        seat = ""
        if self._draft is not None:
            self._draft.is_closed, seat = True, self._draft.seat
        self._findings.append(unreadable.finding(number, raw, self._source, seat))

    def _find(self, problem: Problem, number: int = 0, raw: str = "", about: str = "") -> None:
        column = raw.casefold().find(about.casefold()) + 1 if about else 0
        self._findings.append(Finding(problem, "", number, None, column, len(about), raw, self._source))
