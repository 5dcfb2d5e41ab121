"""CPU time of works between two runs of their yardsticks, and the tables that say it."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any


@dataclass(frozen=True)
class Work:
    """Something to do: ``run`` does ``units`` of it, such as orders; ``times`` it is run each time it is measured."""

    name: str
    run: Callable[[], Any]
    units: float = 1
    times: int = 1

    def seconds(self) -> float:
        """Return the seconds of CPU for a unit, here and in processes that it waits for."""
        gc.collect()
        begun = _cpu()
        for _ in range(self.times):
            self.run()
        return max(_cpu() - begun, 1e-9) / self.times / self.units  # a clock that has not moved is no zero


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@dataclass
class Measured:
    """The seconds for a unit of ``work``, round by round, and for a unit of each yardstick around it, by its name."""

    work: Work
    seconds: list[float] = field(default_factory=list)
    beside: dict[str, list[float]] = field(default_factory=dict)

    def times(self, yardstick: str) -> str:
        """Return how many times as long as a unit of the ``yardstick`` one of the work takes."""
        return spread([own / other for own, other in zip(self.seconds, self.beside[yardstick], strict=True)])

    def as_fast_as(self, yardstick: str) -> str:
        """Return how many units are done while the ``yardstick`` does one."""
        return spread([other / own for own, other in zip(self.seconds, self.beside[yardstick], strict=True)])


def measure(works: Sequence[Work], yardsticks: Sequence[Work], rounds: int) -> list[Measured]:
    """Run ``works`` in turn, ``rounds`` times, with the ``yardsticks`` before and after each: both feel a busy machine."""
    found = [Measured(work, [], {one.name: [] for one in yardsticks}) for work in works]
    for _ in range(rounds):
        before = [one.seconds() for one in yardsticks]
        for each in found:
            each.seconds.append(each.work.seconds())
            after = [one.seconds() for one in yardsticks]
            for yardstick, first, second in zip(yardsticks, before, after, strict=True):
                each.beside[yardstick.name].append((first + second) / 2)
            before = after
    return found


def spread(values: Sequence[float]) -> str:
    """Return the median of ``values`` and, in brackets, the range of their middle half: `1.06 (1.02–1.11)`."""
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    digits = 2 if high < 9.995 else 1 if high < 99.95 else 0
    shown = [f"{value:,.{digits}f}" for value in (median(values), low, high)]
    return shown[0] if len({*shown}) == 1 else f"{shown[0]} ({shown[1]}–{shown[2]})"


def table(title: str, note: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown, its columns as wide as what is in them."""
    whole = [["", *head], *map(list, rows)]
    wide = [max(len(row[at]) for row in whole) for at in range(len(head) + 1)]
    whole.insert(1, ["-" * wide[0], *("-" * (width - 1) + ":" for width in wide[1:])])
    lines = []
    for row in whole:
        cells = (
            cell.rjust(width) if at else cell.ljust(width) for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        )
        lines.append(f"| {' | '.join(cells)} |")
    return f"## {title}\n\n{note}\n\n" + "\n".join(lines) + "\n"
