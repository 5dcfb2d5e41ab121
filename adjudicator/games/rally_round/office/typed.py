"""Split text that organisers type into words, and describe unreadable parts with their places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.game import frozen


@frozen
class Misread:
    """An unreadable part: in line ``line`` (from 1) at ``column`` (from 1) so many characters (``width``), and ``why``.

    ``code`` is a stable word for it, ``suggestions`` are possible corrections.
    """

    line: int
    why: str
    column: int = 1
    width: int = 1
    code: str = "row"
    suggestions: tuple[str, ...] = ()


@frozen
class Word:
    """A word of a line, and the ``column`` of its first character, from 1."""

    text: str
    column: int


class WrongError(ValueError):
    """A line is unreadable: a stable ``code``, why, the ``word`` to blame (``None``: all), possible corrections."""

    def __init__(self, code: str, why: str, word: Word | None = None, suggestions: Sequence[str] = ()) -> None:
        """Store the details."""
        super().__init__(why)
        self.code, self.word, self.suggestions = code, word, tuple(suggestions)


@frozen
class Place:
    """The place of an entry in a text: ``line`` and ``column`` from 1, and how many characters it has (``width``)."""

    line: int
    column: int
    width: int


def words_of(line: str) -> list[Word]:
    """Return the words of ``line``."""
    return [Word(found[0], found.start() + 1) for found in re.finditer(r"\S+", line)]


def misread(number: int, error: WrongError, at: Word) -> Misread:
    """Return the problem in the line of that ``number`` (from 1); ``at`` is the word to blame."""
    return Misread(number, str(error), at.column, len(at.text), error.code, error.suggestions)


def lines_of(text: str) -> list[str]:
    """Return the lines of ``text``, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def diagnostics(
    what: str, name: str, lines: Sequence[str], wrong: Sequence[Misread], rules: Mapping[str, str]
) -> tuple[Diagnostic, ...]:
    """Return the unreadable parts of the file ``name``, a text about ``what``, each with the rule for its code."""
    return tuple(
        Diagnostic(
            Problem(f"{what}/{one.code}", one.why, rules.get(one.code, ""), suggestions=one.suggestions),
            line=one.line,
            source=name,
        ).at(one.column, one.width, lines[one.line - 1])
        for one in wrong[:MOST_PROBLEMS]
    )
