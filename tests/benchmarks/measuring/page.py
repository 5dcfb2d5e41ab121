"""The tables as text, and the page that keeps the latest of them."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from measuring.clock import Measured, Spread

PAGE = Path(__file__).parents[3] / "docs" / "benchmarks.md"
SPREAD = "Each ratio is the median of all rounds, with the range of the middle half in brackets unless it is a single value."
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"


@dataclass(frozen=True)
class Table:
    """A table with its ``title`` and what its numbers are."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Return the table as Markdown, its columns as wide as what is in them."""
        wide = [max(len(row[at]) for row in (self.head, *self.rows)) for at in range(len(self.head))]
        rule = ["-" * wide[0], *("-" * (width - 1) + ":" for width in wide[1:])]
        lines = "\n".join(
            "| " + " | ".join(cell.ljust(wide[0]) if at == 0 else cell.rjust(wide[at]) for at, cell in enumerate(row)) + " |"
            for row in (self.head, tuple(rule), *self.rows)
        )
        return f"### {self.title}\n\n{self.note}\n\n{lines}\n"


def told(found: Spread) -> str:
    """Return a ratio with its spread, if it has one: `1.06 (1.02–1.11)`."""
    digits = 2 if found.high < 9.995 else 1 if found.high < 99.95 else 0
    middle, low, high = (f"{value:.{digits}f}" for value in (found.middle, found.low, found.high))
    return middle if low == middle == high else f"{middle} ({low}–{high})"


def rates(title: str, note: str, unit: str, measured: Iterable[Measured]) -> Table:
    """Return a table of how many units a second there are, and how many while each yardstick does one of its own."""
    rows = []
    names: Sequence[str] = ()
    for each in measured:
        names = tuple(each.beside)
        rows.append((each.work.name, f"{each.rate.middle:,.0f}", *(told(each.as_fast_as(name)) for name in names)))
    return Table(title, note, ("", f"{unit}/s", *(f"× {name}" for name in names)), tuple(rows))


def costs(title: str, note: str, measured: Iterable[Measured]) -> Table:
    """Return a table of how long works take, and how many times as long as the yardsticks."""
    rows = []
    names: Sequence[str] = ()
    for each in measured:
        names = tuple(each.beside)
        seconds = sorted(each.seconds)[len(each.seconds) // 2]
        rows.append((each.work.name, f"{1000 * seconds:.1f}", *(told(each.times(name)) for name in names)))
    return Table(title, note, ("", "ms of CPU", *(f"× {name}" for name in names)), tuple(rows))


def matrix(title: str, note: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[Spread]]]) -> Table:
    """Return a table of ratios."""
    return Table(title, note, ("", *columns), tuple((name, *map(told, cells)) for name, cells in rows))


def machine() -> str:
    """Return when and with what was measured, in words that fit many machines."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    cores = os.cpu_count() or 1
    return f"{date.today():%Y-%m-%d}, {python}, {platform.system()} on {platform.machine()} with {cores} cores"


def write(tables: Iterable[Table], command: str, path: Path = PAGE) -> None:
    """Put ``tables`` into the page, in the place of those that it has; the ``command`` that made them is told."""
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    made = "\n".join((f"Measured {machine()}, by `{command}`. {SPREAD}\n", *(table.text() for table in tables)))
    path.write_text(f"{before}{BEGIN}{made}{END}{after}", "utf-8")
