"""What a script consists of, each part with the line it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, SheetWord
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.ruleset import AnyRuleset

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
"""The words that lines before the first turn begin with."""
ONCE: Final = ("script", "rules", "id", "promise", "components", "position", "seed")
"""Those of them that stand in a script at most once."""
MOST_HEADINGS: Final = 500
"""Lines that may stand before the first turn: seats and options are compared with each other."""


CORRECTIONS: Final = ("undo", "amend", "seat", "reveal", "nmr", "holiday", "because")
"""The words that lines of a correction begin with, which is a turn of its own."""


@frozen
class Item:
    """A line that is no order: its number from 1, the line as written, its first word, and what stands behind that word.

    ``column`` (from 1) is where ``value`` begins.
    """

    line: int
    text: str
    word: str
    value: str
    column: int

    def diagnostic(self, source: str, code: str, message: str, suggestions: tuple[str, ...] = ()) -> Diagnostic:
        """Return what is wrong with this line of the script ``source``, the caret under its value or else its word."""
        problem = Problem(code, message, suggestions=suggestions)
        if self.value:
            return Diagnostic(problem, line=self.line, text=self.text, source=source).at(
                self.column, len(self.value), self.text
            )
        start = len(self.text) - len(self.text.lstrip())
        return Diagnostic(problem, line=self.line, source=source).at(start + 1, max(1, len(self.word)), self.text)


@frozen
class Line:
    """One order of a script: its ``seat``, what it says, the line as written, and the ``minutes`` written behind it.

    The text of ``instruction`` is the line without the minutes, each character where it was.
    """

    seat: Seat
    instruction: Instruction
    text: str
    minutes: int | None = None


@dataclass(slots=True)
class Block:
    """The orders of one adjudication, number ``turn``, which begins on line ``line``; or the lines of a correction.

    ``words`` are those for chance that players sent with their orders.
    """

    turn: int
    line: int
    text: str
    lines: list[Line] = field(default_factory=list)
    correction: list[Item] = field(default_factory=list)
    words: list[tuple[Seat, SheetWord]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done in it."""
        return not (self.lines or self.correction or self.words)


def bad_turn(due: int) -> Problem:
    """Return what is wrong with a turn of another number than the one that is ``due``."""
    message = f"the turns of a script are numbered from 1 on: this one is turn {due}"
    return Problem("script/bad-turn", message, suggestions=(f"turn {due}",))


@frozen
class Claim:
    """What was written down at the end of the game: ``winner`` with the seats, or a seat's final ``minutes``."""

    item: Item
    seats: tuple[Seat, ...]
    minutes: int | None = None


@dataclass(slots=True)
class Script:
    """A script as read; ``rules`` is ``None`` if it does not say by which rules. ``diagnostics``: all that is wrong.

    ``seats`` are those named, in order.
    """

    source: str
    rules: AnyRuleset | None = None
    headings: list[Item] = field(default_factory=list)
    seats: tuple[Seat, ...] = ()
    blocks: list[Block] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def all(self, word: str) -> list[Item]:
        """Return the heading lines that begin with ``word``."""
        return [item for item in self.headings if item.word == word]

    def one(self, word: str) -> Item | None:
        """Return the first heading line that begins with ``word``, ``None`` if there is none."""
        return next((item for item in self.headings if item.word == word), None)
