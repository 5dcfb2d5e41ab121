"""The parts of a line with their places: a tree of words and of the rules that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from adjudicator.orders.stepper import Maker, Match, Stepper, UnreadableError

Span = tuple[int, int]
"""The index of the first character, and the index after the last."""


class Word(NamedTuple):
    """A word, number or sign on a line: the ``kind`` of its terminal, its ``text`` in English, and its ``span``."""

    kind: str
    text: str
    span: Span


class Part:
    """The part of a line that the rule ``name`` matches, with the words and parts in it; ``None`` for each one left out.

    ``span`` is its place, (0, 0) if it has no words. ``around`` is its place with the brackets that a rule removed.
    """

    __slots__ = ("around", "children", "name", "span")

    def __init__(self, name: str, children: list[Any]) -> None:
        """Make a part that has no place yet."""
        self.name, self.children = name, children
        self.span = 0, 0
        self.around: Span | None = None

    def words(self) -> Iterator[Word]:
        """Yield the words in the part, in reading order, without keywords and signs."""
        for child in self.children:
            if isinstance(child, Word):
                yield child
            elif isinstance(child, Part):
                yield from child.words()

    def named(self, name: str, but_not_in: str = "") -> list[Part]:
        """Return the parts in this one, and itself, that the rule ``name`` matches, in reading order."""
        found = [self] if self.name == name else []
        if self.name != but_not_in:
            for child in self.children:
                if isinstance(child, Part):
                    found += child.named(name, but_not_in)
        return found


def part_reader(stepper: Stepper, seen: Callable[[Word], object] | None = None) -> Callable[[str], Part | None]:
    """Return a function that returns the parts of a line, or ``None`` if the line cannot be read.

    It calls ``seen`` with each word of the line, also with the keywords and signs that the parts leave out.
    """
    makers = [_with_place(make) for make in stepper.makers(lambda name: partial(Part, name))]

    def word(kind: str, found: Match) -> Word:
        made = Word(kind, stepper.text(kind, found), found.span())
        if seen is not None:
            seen(made)
        return made

    def parts(line: str) -> Part | None:
        try:
            found = stepper.read(line, makers, word)
        except UnreadableError:
            return None
        return found if isinstance(found, Part) else None

    return parts


def _with_place(make: Maker) -> Maker:
    """Return ``make`` so that a part gets the place of all its words, also of those that it leaves out."""

    def make_with_place(children: list[Any]) -> Any:
        made = make(children)
        placed = [span for child in children if child is not None and (span := _around(child)) is not None]
        if isinstance(made, Part) and placed:
            around = placed[0][0], placed[-1][1]
            made.span = around if made.around is None else made.span
            made.around = around
        return made

    return make_with_place


def _around(child: Part | Word) -> Span | None:
    return child.span if isinstance(child, Word) else child.around
