"""Define the parts of a script, each with its line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.order import Instruction
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Seat, Value, Whole

HEADINGS: Final = (
    "script",
    "rules",
    "id",
    "seat",
    "option",
    "entropy",
    "promise",
    "components",
    "position",
    "seed",
    "recorded",
)
"""The first words of lines before the first turn."""
ONCE: Final = ("script", "rules", "id", "promise", "components", "position", "seed")
"""Headings that a script may have only once."""
MOST_HEADINGS: Final = 500
"""The limit of lines before the first turn, since seats and options are compared with each other."""


CORRECTIONS: Final = ("undo", "amend", "seat", "reveal", "nmr", "holiday", "because")
"""The first words of lines in a correction, which is a separate turn."""


class Item(Value):
    """A line that is not an order: its number from 1, the line as written, its first word, and the rest.

    ``column`` (from 1) is where ``value`` begins.
    """

    line: int
    text: str
    word: str
    value: str
    column: int

    def diagnostic(self, source: str, code: str, message: str) -> Diagnostic:
        """Return a problem of this line of the script ``source``."""
        return self.located(source, Problem(code, message))

    def located(self, source: str, problem: Problem) -> Diagnostic:
        """Return the ``problem`` of this line of the script ``source``, with the caret under its value or else its word."""
        if self.value:
            return Diagnostic(problem, line=self.line, text=self.text, source=source).at(
                self.column, len(self.value), self.text
            )
        start = len(self.text) - len(self.text.lstrip())
        return Diagnostic(problem, line=self.line, source=source).at(start + 1, max(1, len(self.word)), self.text)


class BadLineError(Exception):
    """Report why a line of a script cannot be carried out, in ``diagnostic``."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the ``diagnostic``."""
        super().__init__(diagnostic.problem.message)
        self.diagnostic = diagnostic


class Line(Value):
    """One order of a script: its ``seat``, what it says, the line as written, and the ``minutes`` at its end.

    The text of ``instruction`` is the line with spaces instead of the minutes.
    """

    seat: Seat
    instruction: Instruction
    text: str
    minutes: Whole | None = None


@dataclass(slots=True)
class Block:
    """The orders of one adjudication, number ``turn``, which begins on line ``line``; or the lines of a correction."""

    turn: int
    line: int
    text: str
    lines: list[Line] = field(default_factory=list)
    correction: list[Item] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether it has neither orders nor a correction."""
        return not (self.lines or self.correction)

    def located(self, source: str, problem: Problem) -> Diagnostic:
        """Return the ``problem`` of this turn of the script ``source``, at its first line."""
        return Diagnostic(problem, line=self.line, source=source).at(1, max(1, len(self.text)), self.text)


def bad_turn(due: int) -> Problem:
    """Return the problem of a turn whose number is not ``due``."""
    message = f"turns are numbered from 1 without gaps: write `turn {due}`"
    return Problem("script/bad-turn", message, near=(f"turn {due}",))


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

    source: str
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
