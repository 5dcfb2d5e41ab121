"""Read the text of a script into its parts and find all its problems at once, without raising errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.core.order import Instruction
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.core.values import Seat
from adjudicator.orders import problems
from adjudicator.orders.build import OrderLine, TurnHeader, WithdrawalLine
from adjudicator.orders.clean import MOST_LINES, NotTextError, clean, decode, lines_of
from adjudicator.orders.line_problem import UNEXPLAINED, LineProblem
from adjudicator.orders.parser import LineReader, reader
from adjudicator.rulesets import UnknownRuleset, UnusableRuleset, ruleset
from adjudicator.script.claims import read_claim
from adjudicator.script.headings import misplaced_line, read_heading, validate_headings
from adjudicator.script.parts import CORRECTIONS, HEADINGS, Block, Item, Line, Script, bad_turn

_ALONE: Final = "a correction needs a separate turn without orders: write a line like `turn 7` before it"
_WORD: Final = re.compile(r"\s*([A-Za-z]+)(?![\w:])\s*(.*)")
_COMMENT: Final = re.compile(r"(?:^|\s)[#;]")
_MINUTES: Final = re.compile(r"\{ *(-?[0-9]{1,6}) *\} *$")
_BRACES: Final = re.compile(r"\{[^}]*\}?|\}")


def is_script(data: bytes) -> bool:
    """Return whether ``data`` is a script: its first line with content begins with ``script``."""
    try:
        lines = lines_of(decode(data[:4096]))
    except NotTextError:
        return False
    item = next((found for number, raw in enumerate(lines, 1) if (found := item_of(number, raw)) is not None), None)
    return item is not None and item.word == "script"


def read_script(source: str, data: bytes) -> Script:
    """Read the script ``source`` with the bytes ``data``, with all its problems."""
    script = Script(source)
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        script.diagnostics.append(Diagnostic(Problem(error.code, str(error)), source=source))
        return script
    if len(lines) > MOST_LINES:
        problem = Problem("orders/too-many-lines", f"the script has {len(lines):,} lines; it may have {MOST_LINES:,}")
        script.diagnostics.append(Diagnostic(problem, source=source))
        return script
    _Reading(script).run(lines)
    hidden = len(script.diagnostics) - MOST_PROBLEMS
    if hidden > 0:
        problem = Problem("orders/too-many-problems", f"another {hidden:,} problems of this script are not listed")
        script.diagnostics[MOST_PROBLEMS:] = [Diagnostic(problem, source=source)]
    return script


def item_of(number: int, raw: str) -> Item | None:
    """Return line ``number`` as its first word and the rest; ``None`` for a comment or an empty line."""
    start = _COMMENT.search(raw)
    text = (raw[: start.start()] if start else raw).replace("\u00a0", " ").rstrip()
    if not text.strip():
        return None
    match = _WORD.match(text)
    if match is None:
        return Item(number, raw, "", text.strip(), len(text) - len(text.lstrip()) + 1)
    return Item(number, raw, match[1].lower(), match[2], match.start(2) + 1)


class _Reading:
    """Reads a script line by line: headings, then turns with their orders, then the result."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._reader: LineReader | None = None
        self._seat: Seat | None = None

    def run(self, lines: list[str]) -> None:
        numbered = ((number, raw, item_of(number, raw)) for number, raw in enumerate(lines, 1))
        is_heading = True
        for number, raw, item in numbered:
            if item is None:
                continue
            if is_heading and item.word == "turn":
                is_heading = False
                self._begin_turns()
            if is_heading:
                self._script.diagnostics.extend(read_heading(self._script, item))
            else:
                self._take(number, raw, item)
        if is_heading:
            self._begin_turns()
        if not self._script.diagnostics:
            self._script.diagnostics.extend(_empty_turns(self._script))

    def _begin_turns(self) -> None:
        """Check the headings, which are complete now, and get the language of the orders."""
        script = self._script
        script.diagnostics.extend(validate_headings(script))
        item = script.one("script")
        if item is None:
            return
        try:
            script.rules = ruleset(item.value)
        except (UnknownRuleset, UnusableRuleset) as error:
            script.diagnostics.append(item.diagnostic(script.source, "script/unknown-ruleset", str(error)))
            return
        self._reader = reader(script.rules)

    def _take(self, number: int, raw: str, item: Item) -> None:
        if item.word == "turn":
            self._begin_turn(item)
        elif self._reader is None:
            return
        elif item.word in ("winner", "minutes", *self._reader.rules.meta.unit[:2]):
            self._script.diagnostics.extend(read_claim(self._script, item))
        elif self._script.claims:
            self._script.diagnostics.append(
                misplaced_line(self._script, item, "only lines of the result may follow the result")
            )
        elif item.word in CORRECTIONS and self._seat is None:
            self._script.blocks[-1].correction.append(item)
        elif self._script.blocks[-1].correction:
            self._script.diagnostics.append(misplaced_line(self._script, item, _ALONE))
        else:
            self._take_order(self._reader, number, raw, item)

    def _begin_turn(self, item: Item) -> None:
        script, self._seat = self._script, None
        due = script.blocks[-1].turn + 1 if script.blocks else 1
        number = int(item.value) if item.value.isascii() and item.value.isdecimal() and len(item.value) <= 6 else due
        if script.claims:
            script.diagnostics.append(misplaced_line(script, item, "no turn can follow the result"))
        elif item.value != str(number) or number not in (due, due - 1):  # the last one again: for skipped orders
            script.diagnostics.append(item.located(script.source, bad_turn(due)))
        # Report this once: later turns count from the number written here.
        script.blocks.append(Block(number, item.line, item.text))

    def _take_order(self, reader: LineReader, number: int, raw: str, item: Item) -> None:
        text, minutes = without_minutes(raw)
        if "{" in text or "}" in text:
            self._report(_bad_minutes(text), number, raw)
            return
        line = clean(text)
        parsed = reader.parse(line)
        if isinstance(parsed, OrderLine):
            if parsed.seat is not None and not self._open(number, raw, line, Seat(parsed.seat)):
                return
            if parsed.expression is not None:
                self._add(number, raw, text, parsed, minutes)
        elif isinstance(parsed, TurnHeader):  # `turn: 3`, `turn=3`
            self._report(
                problems.at_whole(line, Problem("script/bad-turn", "a turn begins with a line like `turn 3`")), number, raw
            )
        elif isinstance(parsed, WithdrawalLine):
            message = "a script has no pending orders to withdraw: leave out orders that were not carried out"
            self._report(problems.at_whole(line, Problem("script/withdrawal", message)), number, raw)
        elif item.word in CORRECTIONS:
            self._script.diagnostics.append(misplaced_line(self._script, item, _ALONE))
        elif item.word in HEADINGS:
            self._script.diagnostics.append(misplaced_line(self._script, item, "this line belongs before the first turn"))
        else:
            is_told = len(self._script.diagnostics) < MOST_PROBLEMS
            self._report(self._unreadable(reader, line) if is_told else UNEXPLAINED, number, raw)

    def _open(self, number: int, raw: str, line: str, seat: Seat) -> bool:
        """Assign the following orders to ``seat``; return whether it exists."""
        self._seat = seat
        if seat in self._script.seats:
            return True
        self._report(problems.unknown_seat(line, seat, self._script.seats), number, raw)
        return False

    def _add(self, number: int, raw: str, text: str, parsed: OrderLine, minutes: int | None) -> None:
        if self._seat is None:
            self._report(problems.no_seat(clean(text), self._script.seats), number, raw)
        elif self._seat in self._script.seats:  # an unknown seat was reported before
            instruction = Instruction(parsed.expression, parsed.draws, number, text, self._script.source)
            self._script.blocks[-1].lines.append(Line(self._seat, instruction, raw, minutes))

    def _unreadable(self, reader: LineReader, line: str) -> LineProblem:
        head = problems.head_of(line)
        if head is not None and not head.has_colon and head.seat in self._script.seats:
            return problems.missing_colon(reader, line, head)
        if head is not None and head.has_colon and head.seat not in self._script.seats:
            return problems.unknown_seat(line, head.seat, self._script.seats)
        return problems.unreadable(reader, line, "")

    def _report(self, problem: LineProblem, number: int, raw: str) -> None:
        self._script.diagnostics.append(problem.diagnostic(number, raw, self._script.source, self._seat or ""))


def _empty_turns(script: Script) -> Iterator[Diagnostic]:
    """Yield problems of turns without content: no adjudication has their number."""
    for block in script.blocks:
        if block.is_empty:
            problem = Problem(
                "script/empty-turn", f"turn {block.turn} has no orders: remove it, and renumber the turns that follow"
            )
            yield block.located(script.source, problem)


def without_minutes(raw: str) -> tuple[str, int | None]:
    """Return the line with spaces instead of the minutes at its end, and the minutes."""
    match = _MINUTES.search(clean(raw))
    if match is None:
        return raw, None
    start, end = match.span()
    return raw[:start] + " " * (end - start) + raw[end:], int(match[1])


def _bad_minutes(text: str) -> LineProblem:
    start, end = next(match.span() for match in _BRACES.finditer(text))
    problem = Problem("script/bad-minutes", "write minutes as a whole number in braces at the end of the line, like {3}")
    return LineProblem(problem, start + 1, end - start)
