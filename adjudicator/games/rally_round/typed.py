"""What organisers type, word by word, and what cannot be read of it with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adjudicator.game import frozen


@frozen
class Misread:
    """What cannot be read: in line ``line`` (from 1) at ``column`` (from 1) so many characters (``width``), and ``why``.

    ``code`` is a stable word for it, ``suggestions`` are what might stand there.
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
    """A line cannot be read: a stable ``code``, why, the ``word`` to blame (``None``: all), what might stand there."""

    def __init__(self, code: str, why: str, word: Word | None = None, suggestions: Sequence[str] = ()) -> None:
        """Keep what is told."""
        super().__init__(why)
        self.code, self.word, self.suggestions = code, word, tuple(suggestions)


@frozen
class Place:
    """Where an entry stands in a text: ``line`` and ``column`` from 1, and how many characters it has (``width``)."""

    line: int
    column: int
    width: int


def words_of(line: str) -> list[Word]:
    """Return the words of ``line``."""
    return [Word(found[0], found.start() + 1) for found in re.finditer(r"\S+", line)]


def misread(number: int, error: WrongError, at: Word) -> Misread:
    """Return what is wrong in the line of that ``number`` (from 1), ``at`` being the word to blame."""
    return Misread(number, str(error), at.column, len(at.text), error.code, error.suggestions)
