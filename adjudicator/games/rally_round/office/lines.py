"""Read texts that organisers type, line by line, and report every unreadable part with its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem, suggest
from adjudicator.games.rally_round.components import PREFIXES, Timing
from adjudicator.orders.clean import NotTextError, decode, lines_of

KINDS: Final[dict[str, Timing | None]] = {**{prefix: timing for timing, prefix in PREFIXES.items()}, "PC": None}
"""The timing of the sections that end at each kind of control; none at a passage control."""


class Word(NamedTuple):
    """A word of a line, and the ``column`` of its first character, from 1."""

    text: str
    column: int

    @property
    def low(self) -> str:
        """The word in small letters."""
        return self.text.lower()


class WrongError(ValueError):
    """A line is unreadable: a stable ``code``, why, the ``word`` to blame (``None``: all), possible corrections."""

    def __init__(self, code: str, why: str, word: Word | None = None, suggestions: Sequence[str] = ()) -> None:
        """Store the details."""
        super().__init__(why)
        self.code, self.word, self.suggestions = code, word, tuple(suggestions)


class LineReader:
    """Reads the text in the file ``name`` line by line; ``wrong`` are its unreadable parts.

    ``what`` begins the code of each problem, ``rules`` gives the rule for some of the codes.
    """

    what = ""
    rules: ClassVar[Mapping[str, str]] = {}

    def __init__(self, name: str) -> None:
        """Begin empty."""
        self.name, self.number, self.lines, self.wrong = name, 0, list[str](), list[Diagnostic]()

    def take(self, words: list[Word], line: str) -> None:
        """Read a ``line`` without its comment; it has at least one of the ``words``. Raises ``WrongError``."""
        raise NotImplementedError

    def end(self) -> None:
        """Finish the text."""

    def read(self, data: bytes) -> None:
        """Read the text in the bytes ``data``."""
        try:
            text = decode(data)
        except NotTextError as error:
            self.wrong.append(Diagnostic(Problem(error.code, str(error)), source=self.name))
            return
        self.lines = lines_of(text)
        for number, written in enumerate(self.lines, 1):
            self.number, line = number, written.partition("#")[0]
            words = words_of(line)
            try:
                if words:
                    self.take(words, line)
            except WrongError as error:
                self.report(error, error.word or Word(line.strip(), words[0].column))
        self.end()
        self.wrong.sort(key=lambda one: (one.line, one.column))
        if len(self.wrong) > MOST_PROBLEMS:
            words_ = f"and {len(self.wrong) - MOST_PROBLEMS:,} more lines that cannot be read"
            self.wrong[MOST_PROBLEMS:] = [Diagnostic(Problem(f"{self.what}/more", words_), source=self.name)]

    def report(self, error: WrongError, at: Word, number: int = 0) -> None:
        """Record an ``error`` at a word of the present line, or of the line with that ``number``."""
        number = number or self.number
        rule = self.rules.get(error.code, "")
        problem = Problem(f"{self.what}/{error.code}", str(error), rule, near=error.suggestions)
        place = Diagnostic(problem, line=number, source=self.name)
        self.wrong.append(place.at(at.column, len(at.text), self.lines[number - 1]))


def words_of(text: str, pattern: str = r"\S+", column: int = 1) -> list[Word]:
    """Return the words of ``text``, whose first character is in that ``column``."""
    return [Word(found[0], column + found.start()) for found in re.finditer(pattern, text)]


def said(words: Sequence[Word], most: int | None = None) -> str:
    """Return ``words`` as they were typed, with single spaces, and at most so many characters."""
    return " ".join(word.text for word in words)[:most]


def kinds_like(letters: str) -> tuple[str, ...]:
    """Return the kinds of controls that a misspelt one such as ``CT`` may mean."""
    return tuple(kind for kind in KINDS if sorted(kind) == sorted(letters)) or suggest(letters, KINDS, 1)
