"""The order of play: phases that ask seats or go on without them, and questions with the orders that answer them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, NamedTuple

from adjudicator.core.chance import Chance
from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem
from adjudicator.core.remember import remember_last


class Question(NamedTuple):
    """A question to a seat: its ``kind``, its ``rule``, its ``words``, and the classes of the ``orders`` that answer it.

    ``refusal`` is the problem of an order that does not answer it. A question that ``interrupts`` a seat lets the other
    orders of its sheet wait.
    """

    kind: str
    rule: str
    words: Callable[[Any, Any, Seat], str]
    orders: tuple[type[Any], ...]
    refusal: Problem
    interrupts: bool = False


Asked = Mapping[Seat, Question]
"""The seats that must answer, in the order in which they act, each with its question."""
NOBODY_ASKED: Final[Asked] = {}


def _asks_nobody(config: Any, state: Any) -> Asked:
    return NOBODY_ASKED


def _nothing_follows(config: Any, state: Any, chance: Chance) -> Generator[Any, Any, Any]:
    yield from ()


class Phase(NamedTuple):
    """A row of the order of play: the ``rule`` that describes it, and ``when`` the game is in this phase.

    It ``asks`` seats; while it asks nobody, the events that ``follow`` come next.
    """

    rule: str
    when: Callable[[Any, Any], bool]
    asks: Callable[[Any, Any], Asked] = _asks_nobody
    follow: Callable[[Any, Any, Chance], Generator[Any, Any, Any]] = _nothing_follows


class OrderOfPlay:
    """The phases of a game as its rulebook lists them: in each position the first applies whose ``when`` is true."""

    def __init__(self, *phases: Phase) -> None:
        """Hold ``phases``; where none applies, nobody is asked and nothing follows."""
        self.phases = phases
        self.asked: Callable[[Any, Any], Asked] = remember_last(self._asked())

    def phase(self, config: Any, state: Any) -> Phase | None:
        """Return the phase of the position ``state``."""
        return next((phase for phase in self.phases if phase.when(config, state)), None)

    def _asked(self) -> Callable[[Any, Any], Asked]:
        def asked(config: Any, state: Any) -> Asked:
            """Return the seats that must answer in ``state``, in the order in which they act, each with its question."""
            phase = self.phase(config, state)
            return NOBODY_ASKED if phase is None else phase.asks(config, state)

        return asked

    def follow(self, config: Any, state: Any, chance: Chance) -> Generator[Any, Any, Any]:
        """Return the events that come next without an order: none while a seat is asked."""
        phase = None if self.asked(config, state) else self.phase(config, state)
        return (_nothing_follows if phase is None else phase.follow)(config, state, chance)
