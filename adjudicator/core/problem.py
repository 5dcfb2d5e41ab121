"""What is wrong with an order, as a value: players' mistakes are never exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

from adjudicator.core.frozen import frozen

X = TypeVar("X")

Place = tuple[int, int]
"""The part of a line that an order takes, from index to index; a line that holds nothing else needs none."""


def written_at(line: str, place: Place | None) -> str:
    """Return what ``line`` says at ``place``, with blanks for all that is before it: the columns remain."""
    return line if place is None else " " * place[0] + line[slice(*place)]


@frozen
class Problem:
    """Say what is wrong with one order, in words a player understands.

    ``code`` is stable and carries the owner's name (``checkpoint-rally/cell-occupied``). ``part`` names the part of
    the order that is to blame as ``NAME`` or ``NAME:INDEX`` (``cell:1`` is the second cell), empty for the whole.
    ``rule`` is the rule id behind it, empty where no rule of a game is (a spelling mistake).
    """

    code: str
    message: str
    rule: str = ""
    part: str = ""
    suggestions: tuple[str, ...] = ()


@frozen
class Diagnostic:
    """A problem with its place in a turn file.

    ``line`` counts from 1 in the turn file ``source``; 0 means the file as a whole. ``order`` is the single order, of
    those on an ``OR``/``IF`` line, that the problem is about. ``column`` (from 1) and ``width`` (characters) are filled
    in by the text layer, which alone knows the text. ``text`` is that line as written, ``place`` the part of it that the
    problem is about. ``fault`` is the exception that the program or the ruleset raised, if that is the problem: it is for
    the moderator alone, since its words may hold anything.
    """

    problem: Problem
    seat: str = ""
    line: int = 0
    order: Any = None
    column: int = 0
    width: int = 0
    text: str = ""
    source: str = ""
    fault: Exception | None = None
    place: Place | None = None

    @property
    def written(self) -> str:
        """The part of the line that the problem is about, in its columns."""
        return written_at(self.text, self.place)

    def at(self, column: int, width: int, text: str) -> Diagnostic:
        """Return the same diagnostic with its place: ``column`` from 1, ``width`` in characters, ``text`` the whole line."""
        return replace(self, column=column, width=width, text=text)


MOST_PROBLEMS: Final = 100
"""Problems of one sheet or text that are told one by one: what each costs to explain is paid so many times at most."""
FAULT: Final = Problem(
    "core/fault",
    "the program failed over this, and that is its own fault: the line was left out, please send it again in other words",
)
"""The problem with a line over which this program or the ruleset fails: nobody else's orders wait for the repair."""


class SetupError(Exception):
    """A game cannot be set up as asked; ``problems`` lists every reason."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep ``problems``, at least one."""
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class Flaw(NamedTuple):
    """Why something cannot be: a ``message`` in words, the ``rule`` that says so, and its own ``code`` if it has one.

    ``suggestions`` are what could stand in the place of what is wrong.
    """

    message: str
    rule: str = ""
    code: str = ""
    suggestions: tuple[str, ...] = ()


def repeated(what: str, names: Iterable[object], rule: str = "") -> Iterator[Flaw]:
    """Yield each of ``names`` that a component set may have only once and has more often (``what``: ``the tile``)."""
    for name, times in several(names):
        yield Flaw(f"the component set has {what} {name} {times} times", rule)


def several(names: Iterable[X]) -> Iterator[tuple[X, int]]:
    """Yield each of ``names`` that is there more than once, with how often."""
    return ((name, times) for name, times in Counter(names).items() if times > 1)


def flaws(*found: tuple[object, str, str]) -> Iterator[Flaw]:
    """Yield the flaws of which each is ``found`` if its first value is true; then come its message and its rule."""
    return (Flaw(message, rule) for is_so, message, rule in found if is_so)


def in_one_place(
    what: str, names: Iterable[object], known: Container[Any], rule: str = "", asked: Container[Any] | None = None
) -> Iterator[Flaw]:
    """Yield each of ``names``, one for each place where it is, that the game does not have or that is in several places.

    ``what`` says what they are (``tile``), ``known`` are those of the game; with ``asked`` the others are not looked at.
    """
    for name, times in Counter(names).items():
        if asked is not None and name not in asked:
            continue
        if name not in known:
            yield Flaw(f"there is no {what} {name} in this game", rule)
        elif times > 1:
            yield Flaw(f"{what} {name} is in {times} places", rule)
