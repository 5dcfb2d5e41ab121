"""CPU time of works, each between two runs of its yardsticks: what slows the machine down slows down both."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any


@dataclass(frozen=True)
class Work:
    """Something to do: ``run`` does ``units`` of it, such as orders; ``times`` it is run each time it is measured."""

    name: str
    run: Callable[[], Any]
    units: float
    times: int = 1


@dataclass(frozen=True)
class Spread:
    """Values of all rounds: the ``middle`` one, and those between which half of them lie."""

    middle: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """Return the median of ``values`` and their first and third quartile."""
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(median(values), low, high)


@dataclass
class Measured:
    """Seconds of CPU for a unit of ``work``, round by round, and for a unit of each yardstick around it, by its name."""

    work: Work
    seconds: list[float]
    beside: dict[str, list[float]]

    @property
    def rate(self) -> Spread:
        """Units a second of CPU."""
        return spread([1 / each for each in self.seconds])

    def times(self, yardstick: str) -> Spread:
        """How many times as long as a unit of the ``yardstick`` one of the work takes."""
        return spread([own / other for own, other in zip(self.seconds, self.beside[yardstick], strict=True)])

    def as_fast_as(self, yardstick: str) -> Spread:
        """How many units are done while the ``yardstick`` does one."""
        return spread([other / own for own, other in zip(self.seconds, self.beside[yardstick], strict=True)])


def cpu() -> float:
    """Return the seconds of CPU that this process and those it has waited for have taken so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(works: Sequence[Work], yardsticks: Sequence[Work], rounds: int) -> Iterator[Measured]:
    """Run ``works`` in turn, ``rounds`` times, with the ``yardsticks`` before and after each; yield what they took."""
    measured = [Measured(work, [], {yardstick.name: [] for yardstick in yardsticks}) for work in works]
    for _ in range(rounds):
        before = [_seconds(yardstick) for yardstick in yardsticks]
        for each in measured:
            each.seconds.append(_seconds(each.work))
            after = [_seconds(yardstick) for yardstick in yardsticks]
            for yardstick, first, second in zip(yardsticks, before, after, strict=True):
                each.beside[yardstick.name].append((first + second) / 2)
            before = after
    yield from measured


def _seconds(work: Work) -> float:
    gc.collect()
    begun = cpu()
    for _ in range(work.times):
        work.run()
    # A clock that has not moved on would make a ratio of nothing.
    return max(cpu() - begun, 1e-9) / work.times / work.units
