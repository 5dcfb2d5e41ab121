"""The order of play: phases that ask seats, or go on without an order; and questions with the orders that answer them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

from adjudicator.core.chance import Chance
from adjudicator.core.problem import Problem
from adjudicator.core.remember import remember_last
from adjudicator.core.values import Seat


class Question(NamedTuple):
    """A question to a seat: its ``kind``, its ``rule``, its ``words``, and the classes of the ``orders`` that answer it.

    ``refusal`` is the problem of an order that does not answer it, or a function that returns it. A question that
    ``interrupts`` a seat lets the other orders of its sheet wait.
    """

    kind: str
    rule: str
    words: Callable[[Any, Any, Seat], str]
    orders: tuple[type[Any], ...]
    refusal: Problem | Callable[[Any, Any, Seat], Problem]
    interrupts: bool = False

    def refuse(self, config: Any, state: Any, seat: Seat) -> Problem:
        """Return the refusal of an order of ``seat`` that does not answer this question."""
        return self.refusal if isinstance(self.refusal, Problem) else self.refusal(config, state, seat)


Asked = Mapping[Seat, Question]
"""The seats that must answer, in the order in which they act, each with its question."""


class _AtStage:
    def __init__(self, stage: Any) -> None:
        self.stage = stage

    def __call__(self, _config: Any, state: Any) -> bool:
        return state.stage is self.stage


def at_stage(stage: Any) -> Callable[[Any, Any], bool]:
    """Return a condition for a ``Phase``: the game is at ``stage``, the value of ``stage`` in its state."""
    return _AtStage(stage)


def _ask_no_seat(config: Any, state: Any) -> Asked:
    return {}


def _do_nothing(config: Any, state: Any, chance: Chance) -> Generator[Any, Any, Any]:
    yield from ()


class Phase(NamedTuple):
    """A row of the order of play: the ``rule`` that describes it, and ``when`` the game is in this phase.

    It ``asks`` seats; once it asks no seat, the events that ``follow`` come next.
    """

    rule: str
    when: Callable[[Any, Any], bool]
    asks: Callable[[Any, Any], Asked] = _ask_no_seat
    follow: Callable[[Any, Any, Chance], Generator[Any, Any, Any]] = _do_nothing


class OrderOfPlay:
    """The phases of a game in the order of its rulebook: in each position the first phase applies whose ``when`` is true."""

    def __init__(self, *phases: Phase, not_due: tuple[str, str] = ("not-due", "")) -> None:
        """Hold ``phases``; where none applies, the game asks no seat and nothing follows.

        ``not_due`` are the code and the rule of the refusal of an order if its seat is not asked.
        """
        self.not_due = not_due
        self._elsewhere = tuple(phase for phase in phases if not isinstance(phase.when, _AtStage))
        stages = {phase.when.stage for phase in phases if isinstance(phase.when, _AtStage)}
        self._at = {stage: tuple(one for one in phases if getattr(one.when, "stage", stage) is stage) for stage in stages}
        self._now = remember_last(self._find)

    def _find(self, config: Any, state: Any) -> tuple[Phase | None, Asked]:
        # The engine asks after every event, so phases of other stages are not tried.
        for phase in self._at.get(getattr(state, "stage", None), self._elsewhere):
            if phase.when(config, state):
                return phase, phase.asks(config, state)
        return None, {}

    def asked(self, config: Any, state: Any) -> Asked:
        """Return the seats that must answer in ``state``, in the order in which they act, each with its question."""
        return self._now(config, state)[1]

    def follow(self, config: Any, state: Any, chance: Chance) -> Generator[Any, Any, Any]:
        """Return the events that come next without an order: none while a seat is asked."""
        phase, asked = self._now(config, state)
        return (_do_nothing if asked or phase is None else phase.follow)(config, state, chance)
