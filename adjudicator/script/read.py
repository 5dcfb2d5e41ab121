"""Read the text of a script into headings, turns and the result, with all its problems at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from adjudicator.core.order import Instruction
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, EngineFaultError, Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.timeline import ValidTurns
from adjudicator.core.values import LONGEST_NOTE, Seat, Value, Whole
from adjudicator.orders import problems
from adjudicator.orders.explain import explain
from adjudicator.orders.grammar import Grammar, OrderLine, TurnHeader, WithdrawalLine, grammar_of
from adjudicator.orders.problems import UNEXPLAINED, LineProblem
from adjudicator.orders.submission import MOST_BYTES, MOST_LINES, Addressee, NotTextError, clean, decode, lines_of
from adjudicator.rulesets import UnknownRuleset, UnusableRuleset, ruleset

_ONCE: Final = ("script", "rules", "id", "promise", "components", "position", "seed")
_HEADINGS: Final = ("script", "rules", "id", "seat", "option", "entropy", *_ONCE[3:], "recorded")
_CORRECTIONS: Final = ("undo", "amend", "seat", "reveal", "nmr", "holiday", "because")
_ALONE: Final = "a correction needs a separate turn without orders: write a line like `turn 7` before it"
_PAIRS: Final = ("option", "entropy")
_SECRET: Final = "[0-9A-Fa-f]{64}"
_FORMS: Final = {
    "option": (r"[^=\s]+\s*=\s*\S.*", "write `option` like `option map=upper`"),
    "entropy": (r"[^=\s]+\s*=\s*\S.*", "write `entropy` like `entropy red=horse`"),
    "rules": ("[1-9][0-9]{0,5}", "write the version of the rules as a number, as in `rules 1`"),
    "promise": (_SECRET, "a promise is a hash of 64 hexadecimal digits (0-9, a-f)"),
    "seed": (_SECRET, "a seed is 32 bytes as 64 hexadecimal digits (0-9, a-f)"),
}
"""The pattern of the value of a heading, and what to write instead of others."""
BAD_QUOTE: Final = "a text that begins with a quotation mark is a JSON string and must end with one, on the same line"
_MOST_HEADINGS: Final = 500
"""The limit of lines before the first turn, since seats and options are compared with each other."""
_WORD: Final = re.compile(r"\s*(?:(note|comment)\s*:?(?=\s|$)|([A-Za-z]+)(?![\w:]))\s*(.*)", re.IGNORECASE)
_COMMENT: Final = re.compile(r"(?:^|\s)[#;]")
_MINUTES: Final = re.compile(r"\{ *(-?[0-9]{1,6}) *\} *$")
_BRACES: Final = re.compile(r"\{[^}]*\}?|\}")
_BEHIND_TURN: Final = " .:,"
_NOTES: Final = ("note", "comment")


class Item(Value):
    """A line that is not an order: its number from 1, the line as written, its first word, and the rest.

    ``column`` (from 1) is where ``value`` begins.
    """

    line: int
    text: str
    word: str
    value: str
    column: int

    @property
    def name(self) -> str:
        """The part of the value before `=`."""
        return self.value.partition("=")[0].strip()

    @property
    def named(self) -> str:
        """The part of the value after `=`."""
        return self.value.partition("=")[2].strip()

    def wrong(self, code: str, message: str) -> Diagnostic:
        """Return a problem of this line with a ``code`` of scripts."""
        return self.at(Problem(f"script/{code}", message))

    def at(self, problem: Problem) -> Diagnostic:
        """Return the ``problem`` of this line, with the caret under its value or else its word."""
        if self.value:
            return Diagnostic(problem, line=self.line).at(self.column, len(self.value), self.text)
        start = len(self.text) - len(self.text.lstrip())
        return Diagnostic(problem, line=self.line).at(start + 1, max(1, len(self.word)), self.text)


class BadLinesError(Exception):
    """Report in ``diagnostics`` why lines of a script cannot be carried out."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        """Keep the ``diagnostics``, at least one."""
        super().__init__("; ".join(one.problem.message for one in diagnostics))
        self.diagnostics = diagnostics


class Line(Value):
    """One order of a script: its ``seat``, what it says, and the ``minutes`` at the end of its line."""

    seat: Seat
    instruction: Instruction
    minutes: Whole | None = None


@dataclass(slots=True)
class Block:
    """The orders of one adjudication, number ``turn``, which begins on line ``line``; or the lines of a correction.

    ``comment`` is the moderator's on the orders.
    """

    turn: int
    line: int
    text: str
    lines: list[Line] = field(default_factory=list)
    correction: list[Item] = field(default_factory=list)
    comment: str = ""

    def at(self, problem: Problem) -> Diagnostic:
        """Return the ``problem`` of this turn, at its first line."""
        return Diagnostic(problem, line=self.line).at(1, max(1, len(self.text)), self.text)


class Claim(Value):
    """A result written at the end of the game: ``winner`` with the seats, or a seat's final ``minutes``."""

    item: Item
    seats: tuple[Seat, ...]
    minutes: int | None = None


@dataclass(slots=True)
class Script:
    """A script as read, with all its problems as ``diagnostics``; ``rules`` is ``None`` if it does not name them.

    ``seats`` are in the order of the script.
    """

    rules: AnyRules | None = None
    headings: list[Item] = field(default_factory=list)
    seats: tuple[Seat, ...] = ()
    blocks: list[Block] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def all(self, word: str) -> list[Item]:
        """Return the heading lines that begin with ``word``."""
        return [item for item in self.headings if item.word == word]

    def one(self, word: str) -> Item | None:
        """Return the first heading line that begins with ``word``, or ``None``."""
        return next((item for item in self.headings if item.word == word), None)


def unquote(written: str) -> str | None:
    """Return the text that is ``written``, unquoted or as a JSON string; ``None`` if that does not end."""
    text: Any = written
    if written.startswith('"'):
        with suppress(ValueError, RecursionError):
            text = None
            text = json.loads(written)
    return text if isinstance(text, str) and not re.search("[\ud800-\udfff]", text) else None


def is_script(data: bytes) -> bool:
    """Return whether ``data`` is a script: its first line with content begins with ``script``."""
    if data.startswith(b"{"):  # a game file, which may be long
        return False
    try:
        lines = lines_of(decode(data[:MOST_BYTES]))
    except NotTextError:
        return False
    item = next(filter(None, (item_of(number, raw) for number, raw in enumerate(lines, 1))), None)
    return item is not None and item.word == "script"


def item_of(number: int, raw: str) -> Item | None:
    """Return line ``number`` as its first word and the rest; ``None`` for a comment or an empty line."""
    start = _COMMENT.search(raw)
    text = (raw[: start.start()] if start else raw).replace("\u00a0", " ").rstrip()
    if not text.strip():
        return None
    match = _WORD.match(text)
    if match is None:
        return Item(number, raw, "", text.strip(), len(text) - len(text.lstrip()) + 1)
    return Item(number, raw, (match[1] or match[2]).lower(), match[3], match.start(3) + 1)


def read_script(data: bytes) -> Script:
    """Read the script with the bytes ``data``, with all its problems."""
    script = Script()
    try:
        lines = lines_of(decode(data))
        if len(lines) > MOST_LINES:
            message = f"the script has {len(lines):,} lines; it may have {MOST_LINES:,}"
            raise NotTextError(message, "orders/too-many-lines")
    except NotTextError as error:
        script.diagnostics.append(Diagnostic(Problem(error.code, str(error))))
        return script
    _Reading(script).run(lines)
    found = script.diagnostics
    if len(found) > MOST_PROBLEMS:
        message = f"another {len(found) - MOST_PROBLEMS:,} problems of this script are not listed"
        found[MOST_PROBLEMS:] = [Diagnostic(Problem("orders/too-many-problems", message))]
    return script


def bad_turn(due: int) -> Problem:
    """Return the problem of a turn whose number is not ``due``."""
    return Problem("script/bad-turn", f"turns are numbered from 1 without gaps: write `turn {due}`", near=(f"turn {due}",))


class _Reading:
    """Reads a script line by line: headings, then turns with their orders, then the result."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.grammar: Grammar | None = None
        self.seat: Seat | None = None
        self.note: tuple[str, Item] | None = None  # of the order below
        self.holders: dict[Seat, str] = {}
        self.names: Mapping[str, Seat] = {}

    def run(self, lines: list[str]) -> None:
        script, is_heading = self.script, True
        for item in filter(None, (item_of(number, raw) for number, raw in enumerate(lines, 1))):
            if is_heading and self.turn_on(item) is not None:
                is_heading = False
                self.check_headings()
            if is_heading:
                script.diagnostics.extend(self.take_heading(item))
            else:
                try:
                    self.take(item)
                except Exception as bug:  # of the ruleset, nearly always; only the line helps to find it
                    words = f"line {item.line} (`{clean(item.text).strip()[:80]}`): {type(bug).__name__}: {bug}"
                    raise EngineFaultError(words) from bug
        self.end_note()
        if is_heading:
            self.check_headings()
        if not script.diagnostics:  # no adjudication has the number of a turn without content
            for block in script.blocks:
                if not (block.lines or block.correction):
                    message = f"turn {block.turn} has no orders: remove it, and renumber the turns that follow"
                    script.diagnostics.append(block.at(Problem("script/empty-turn", message)))

    def take_heading(self, item: Item) -> Iterator[Diagnostic]:
        script, word = self.script, item.word
        if word not in _HEADINGS:
            if not word or item.value.startswith(":") or item.value.split(":")[0].lower() in script.seats:
                yield item.wrong("misplaced", "orders belong under a turn: write `turn 1` before the first one")
                return
            message = f"a line before the first turn begins with one of: {', '.join(_HEADINGS)}"
            yield item.at(Problem("script/unknown-word", message, near=_HEADINGS, written=word))
            return
        if len(script.headings) >= _MOST_HEADINGS:
            if len(script.headings) == _MOST_HEADINGS:
                message = f"a script may have {_MOST_HEADINGS} headings; the program ignores this one and all that follow"
                yield item.wrong("too-many-headings", message)
                script.headings.append(item)
            return
        earlier = script.all(word)
        script.headings.append(item)
        if word == "script" and not earlier:
            try:
                script.rules = ruleset(item.value)
                self.grammar = grammar_of(script.rules)
            except (UnknownRuleset, UnusableRuleset) as error:
                yield item.wrong("unknown-ruleset", str(error))
        if word == "seat":
            script.seats += (Seat(item.name.lower()),)
        pattern, form = _FORMS.get(word, ("", ""))
        same = next((one for one in earlier if word in _ONCE or (word in _PAIRS and one.name == item.name)), None)
        if same is not None and word in _ONCE:
            yield item.wrong("twice", f"duplicate `{word}`: line {same.line} has one")
        elif not item.value and word != "recorded":
            yield item.wrong("bad-value", f"write a value after `{word}`")
        elif pattern and not re.fullmatch(pattern, item.value):
            yield item.wrong("bad-value", form)
        elif word in ("seat", *_PAIRS) and unquote(item.named) is None:
            yield item.wrong("bad-value", BAD_QUOTE)
        elif same is not None:
            yield item.wrong("twice", f"duplicate `{word} {item.name}`: line {same.line} has one")

    def check_headings(self) -> None:
        script, found = self.script, self.script.diagnostics
        at = script.headings[0]  # `script`: by this, the text is known as one
        for word, example in (("id", "id rally-042"), ("seat", "seat red=Ann")):
            if not script.all(word):
                found.append(at.wrong("missing", f"write `{word}` before the first turn, as in `{example}`"))
        seed, recorded = script.one("seed"), script.one("recorded")
        if seed is not None and recorded is not None:
            message = "write `seed` or `recorded`, not both: outcomes follow from a secret, or are written down"
            found.append(max(seed, recorded, key=lambda item: item.line).wrong("bad-value", message))
        elif seed is None and recorded is None:
            message = "the source of chance is missing: write `seed` with 64 hexadecimal digits, or `recorded`"
            found.append(at.wrong("missing", message))
        elif recorded is not None:
            message = "this game has recorded outcomes: words and a promise need a secret (`seed`)"
            found.extend(item.wrong("bad-value", message) for word in ("entropy", "promise") for item in script.all(word))
        self.note_players(script.all("seat"))

    def note_players(self, items: list[Item]) -> None:
        """Note who plays the seats in ``items``: orders may stand under the names of players."""
        self.holders.update((Seat(item.name.lower()), unquote(item.named) or "") for item in items)
        self.names = Addressee("", ValidTurns(0, 0, {}), self.script.seats, self.holders).seats_by_name()

    def turn_on(self, item: Item) -> str | None:
        """Return the number of a turn as written, if ``item`` begins one."""
        if item.word == "turn":
            return item.value.rstrip(_BEHIND_TURN)
        parsed = self.grammar and self.grammar.parse(clean(item.text).rstrip(_BEHIND_TURN))
        return str(parsed.turn) if isinstance(parsed, TurnHeader) else None

    def take(self, item: Item) -> None:
        script, found, word = self.script, self.script.diagnostics, item.word
        turn = self.turn_on(item)
        if turn is not None:
            self.end_note()
            self.seat = None
            due = script.blocks[-1].turn + 1 if script.blocks else 1
            number = int(turn) if turn.isascii() and turn.isdecimal() and len(turn) <= 6 else due
            if script.claims:
                found.append(item.wrong("misplaced", "no turn can follow the result"))
            elif turn != str(number) or number not in (due, due - 1):  # the last one again: for skipped orders
                found.append(item.at(bad_turn(due)))
            # Report this once: later turns count from the number written here.
            script.blocks.append(Block(number, item.line, item.text))
        elif self.grammar is None:
            return
        elif word in _NOTES and word not in self.names and not script.claims:
            found.extend(self.note_problems(item))
        elif word in ("winner", "minutes", *self.grammar.rules.meta.unit[:2]):
            found.extend(self.claim_problems(item))
        elif script.claims:
            found.append(item.wrong("misplaced", "only lines of the result may follow the result"))
        elif word in _CORRECTIONS and self.seat is None:
            script.blocks[-1].correction.append(item)
            if word == "seat":
                self.note_players([item])
        elif script.blocks[-1].correction:
            found.append(item.wrong("misplaced", _ALONE))
        else:
            self.take_order(self.grammar, item)

    def note_problems(self, item: Item) -> Iterator[Diagnostic]:
        """Keep a player's note for the order below, or the moderator's comment on the turn; yield what is wrong with it."""
        block, said = self.script.blocks[-1], unquote(item.value)
        if said is None:
            yield item.wrong("bad-value", BAD_QUOTE)
        elif not 1 <= len(said) <= LONGEST_NOTE or not said.isprintable():
            yield item.wrong("bad-value", f"a {item.word} is one line of 1 to {LONGEST_NOTE} characters")
        elif (block.comment if item.word == "comment" else self.note) or block.correction:
            yield item.wrong("twice" if not block.correction else "misplaced", f"there is no place for another {item.word}")
        elif item.word == "comment":
            block.comment = said
        else:
            self.note = said, item

    def end_note(self) -> None:
        """Report a note below which no order is in its turn."""
        if self.note is not None:
            self.script.diagnostics.append(self.note[1].wrong("misplaced", "write a note above its order, in the same turn"))
        self.note = None

    def claim_problems(self, item: Item) -> Iterator[Diagnostic]:
        script, words = self.script, item.value.replace(",", " ").lower().split()
        minutes = None
        if item.word != "winner":
            if len(words) != 2 or not re.fullmatch(r"-?[0-9]{1,6}", words[1]):
                example = f"{item.word} {script.seats[0] if script.seats else 'red'} 50"
                yield item.wrong("bad-value", f"a clock at the end is written like `{example}`")
                return
            minutes = int(words.pop())
        unknown = next((word for word in words if word not in self.names), "")
        if unknown or not words:
            named = f"no seat “{unknown}” in this game" if unknown else "who has won?"
            message = f"{named}: {', '.join(script.seats)}"
            yield item.at(Problem("orders/unknown-seat", message, near=script.seats, written=unknown))
            return
        claim = Claim(item, tuple(self.names[word] for word in words), minutes)
        said = {None if one.minutes is None else one.seats for one in script.claims}
        if (None if minutes is None else claim.seats) in said:
            yield item.wrong("twice", "an earlier line says this already")
            return
        script.claims.append(claim)

    def take_order(self, grammar: Grammar, item: Item) -> None:
        """Take a line of a sheet: an order, the seat of the orders below, or both."""
        script, line = self.script, clean(item.text)
        match = _MINUTES.search(line)
        minutes = int(match[1]) if match else None
        line = line[: match.start()].rstrip(" ") if match else line
        head = line[: line.find(":") + 1]
        seat = self.names.get(head.strip(" ,:").casefold())
        if seat is not None:
            self.seat = seat
            if not isinstance(grammar.parse(head), OrderLine):  # a name of two words, or with other letters
                line = " " * len(head) + line[len(head) :]
        parsed = grammar.parse(line) if line.strip() or seat is None else OrderLine(None, None, ())
        has_head = seat is not None or (isinstance(parsed, OrderLine) and parsed.seat is not None)
        place = (len(head) if has_head else 0, len(line))

        def report(problem: LineProblem) -> None:
            script.diagnostics.append(problem.diagnostic(item.line, item.text, "", self.seat or "", place))

        if braces := _BRACES.search(line):
            message = "write minutes as a whole number in braces at the end of the line, like {3}"
            report(LineProblem(Problem("script/bad-minutes", message), braces.start() + 1, len(braces[0])))
            return
        if isinstance(parsed, OrderLine):
            if parsed.seat is not None and parsed.seat not in self.names:
                self.seat = Seat(parsed.seat)
                report(problems.unknown_seat(line, parsed.seat, script.seats))
            elif parsed.expression is not None and self.seat is None:
                report(problems.no_seat(line, script.seats))
            elif parsed.expression is not None and self.seat in script.seats:  # an unknown seat was reported before
                note, self.note = self.note[0] if self.note else "", None
                instruction = Instruction(parsed.expression, parsed.draws, item.line, item.text, place=place, note=note)
                script.blocks[-1].lines.append(Line(self.seat, instruction, minutes))
        elif isinstance(parsed, WithdrawalLine):
            message = "a script has no pending orders to withdraw: leave out orders that were not carried out"
            report(problems.at_whole(line, Problem("script/withdrawal", message)))
        elif item.word in _CORRECTIONS:
            script.diagnostics.append(item.wrong("misplaced", _ALONE))
        elif item.word in _HEADINGS:
            script.diagnostics.append(item.wrong("misplaced", "this line belongs before the first turn"))
        elif len(script.diagnostics) >= MOST_PROBLEMS:
            report(UNEXPLAINED)
        else:
            named = problems.head_of(line)
            if named is not None and not named.has_colon and named.seat in script.seats:
                report(problems.missing_colon(grammar, line))
            elif named is not None and named.has_colon and named.seat not in self.names:
                report(problems.unknown_seat(line, named.seat, script.seats))
            else:
                report(explain(grammar, line))
