"""Problems of orders as values: players' mistakes are never exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from adjudicator.core.values import Value, replace

X = TypeVar("X")

Place = tuple[int, int]
"""The part of a line that an order takes, from index to index; a line that holds nothing else needs none."""


def written_at(line: str, place: Place | None) -> str:
    """Return what ``line`` says at ``place``, with blanks for all that is before it: the columns remain."""
    return line if place is None else " " * place[0] + line[slice(*place)]


class Problem(Value):
    """A mistake in one order, with a ``message`` that a player understands.

    ``code`` is stable and begins with its owner's name (``checkpoint-rally/cell-occupied``). ``part`` names the wrong part
    of the order as ``NAME`` or ``NAME:INDEX`` (``cell:1`` is the second cell), in a set-up the wrong choice (``id``,
    ``seat:0``, ``option:laps``); empty means the whole. ``rule`` is the id of the broken rule, empty for a mistake that
    breaks no rule of a game (a spelling mistake). ``near`` is what may be meant: orders or parts of them, or, with the name
    that was ``written``, all known names.
    """

    code: str
    message: str
    rule: str = ""
    part: str = ""
    near: tuple[str, ...] = ()
    written: str | None = None

    @property
    def suggestions(self) -> tuple[str, ...]:
        """What may be meant: those of ``near`` that look like the ``written`` name, which are found when they are shown."""
        return self.near if self.written is None else _suggested(self.written, self.near)


class Violation(Value):
    """A mistake in a file: its ``path`` (``$.journal[3].entry``), and a ``message`` that explains it."""

    path: str
    message: str

    def __str__(self) -> str:
        """Return place and message on one line."""
        return f"{self.place}: {self.message}" if self.place else self.message

    @property
    def place(self) -> str:
        """Return the path as people read it, ``journal[3].entry``; empty for the file as a whole."""
        return self.path.removeprefix("$").removeprefix(".")


class Diagnostic(Value):
    """A problem with its place in a turn file.

    ``line`` counts from 1 in the turn file ``source``; 0 means the file as a whole. ``order`` is the single order on an
    ``OR``/``IF`` line that has the problem. The text layer, which alone knows the text, fills in ``column`` (from 1) and
    ``width`` (characters). ``text`` is that line as written, ``place`` the part of it with the problem. ``fault`` is the
    exception of this program or the ruleset, if that is the problem. Show it only to the moderator, since its message may
    contain anything.
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
"""How many problems of one sheet or text are explained at most, since each explanation takes time."""
FAULT: Final = Problem(
    "core/fault",
    "internal error on this line, which is not your fault: the program ignored the line; please word the order differently",
)
"""The problem of a line on which this program or the ruleset fails; it does not delay other players' orders."""


class AdjudicatorError(Exception):
    """The base of all errors to expect: a file, a set-up or a request cannot be used. Other exceptions are bugs.

    ``kind`` is a stable word for programs, ``exit_code`` that of a command that fails for this reason.
    """

    kind: ClassVar[str] = "misuse"
    exit_code: ClassVar[int] = 2


class EngineFaultError(Exception):
    """Report a bug, never a player's mistake: ``ruleset`` (empty: the program itself) breaks a promise."""

    def __init__(self, words: str, ruleset: str = "") -> None:
        """Say in ``words`` what is broken, and in which ``ruleset``."""
        super().__init__(words)
        self.ruleset = ruleset


class SetupError(AdjudicatorError):
    """Report that a game cannot be set up as asked; ``problems`` lists every reason."""

    kind = "setup"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep ``problems``, at least one."""
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class Flaw(NamedTuple):
    """A reason why something is impossible: a ``message``, its ``rule``, and a ``code`` if it has its own.

    ``near`` and ``written`` are those of a ``Problem``.
    """

    message: str
    rule: str = ""
    code: str = ""
    near: Collection[str] = ()
    part: str = ""
    written: str | None = None

    @classmethod
    def where(cls, *found: tuple[object, str, str]) -> Iterator[Flaw]:
        """Yield a flaw for each triple of condition, message and rule in ``found`` whose condition is true."""
        return (cls(message, rule) for is_so, message, rule in found if is_so)

    @classmethod
    def repeated(cls, what: str, names: Iterable[object], rule: str = "") -> Iterator[Flaw]:
        """Yield a flaw for each of ``names`` that a component set has more than once (``what``: ``the tile``)."""
        for name, times in several(names):
            yield cls(f"the component set has {what} {name} {times} times", rule)


def several(names: Iterable[X]) -> Iterator[tuple[X, int]]:
    """Yield each of ``names`` that occurs more than once, with the number of times."""
    return ((name, times) for name, times in Counter(names).items() if times > 1)


_ALIKE: Final = 0.5
"""The least similarity of two names for a suggestion: twice the number of matching letters, divided by all letters."""


def in_any_case(written: str, known: Iterable[str]) -> str | None:
    """Return which of ``known`` is ``written``: itself, else the only one that differs just in case, else ``None``."""
    names = tuple(known)
    if written in names:
        return written
    alike = [name for name in names if name.casefold() == written.casefold()]
    return alike[0] if len(alike) == 1 else None


def suggest(written: str, known: Iterable[str], most: int = 3, alike: float = _ALIKE) -> tuple[str, ...]:
    """Return up to ``most`` of ``known`` that look like ``written``, the most similar first, ties by name.

    ``alike`` is the least similarity of a suggestion, up to 1, which means the same letters.
    """
    from difflib import SequenceMatcher  # most commands make no suggestions

    wanted = written.casefold()
    length, letters, without = len(wanted), Counter(wanted), dict.fromkeys(map(ord, wanted))
    close: list[tuple[float, str, str]] = []
    names = tuple(known)
    # Comparing takes long: leave out the names that have too few letters in common.
    for name, (other, size) in zip(names, _folded(names), strict=True):
        both = length + size
        if 2 * (size - len(other.translate(without))) >= alike * both:
            common = sum([min(times, other.count(letter)) for letter, times in letters.items()])
            if 2 * common >= alike * both:
                close.append((-2 * common / both, name, other))
    best: list[tuple[float, str]] = []
    for bound, name, other in sorted(close):
        if len(best) == most and bound > best[-1][0]:
            break  # none of the others can be more similar
        score = -SequenceMatcher(None, wanted, other).ratio()
        if score <= -alike:
            best = sorted([*best, (score, name)])[:most]
    return tuple(name for _, name in best)


@lru_cache(maxsize=8)
def _folded(names: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return each of ``names`` case-folded, and its length: many wrong lines are compared with the same names."""
    return [(other, len(other)) for other in map(str.casefold, names)]


_suggested: Final = lru_cache(maxsize=256)(suggest)
"""A cache: the same wrong name may stand in many mails."""


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """Return a question for a message, `` (did you mean “red”?)``, with the one of ``known`` most similar; else nothing."""
    similar = suggest(written, known, 1)
    return f" (did you mean “{similar[0]}”?)" if similar else ""


class CorrectionError(AdjudicatorError):
    """Report that a correction is impossible; the message says why."""
