"""Show the progress of long work on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def progress(what: str, total: int | None = None, *, is_shown: bool = True) -> Iterator[Callable[[], None]]:
    """Show a bar for work on a number of things, ``total`` of them if known; call the yielded function after each.

    Without a terminal on standard error, or unless it ``is_shown``, nothing appears.
    """
    if not is_shown or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    count = "{task.completed:,.0f}" + (" of {task.total:,.0f}" if total else "")
    columns = (TextColumn(f"{what} {count}"), BarColumn(), TimeElapsedColumn())
    # The streams are not redirected, so the output goes to standard output unchanged.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


def with_progress(items: Iterable[T], what: str, total: int | None = None, *, is_quiet: bool = True) -> Iterator[T]:
    """Yield ``items`` with a bar, unless the terminal shows a line for each of them because it is not ``is_quiet``."""
    with progress(what, total, is_shown=is_quiet or not sys.stdout.isatty()) as advance:
        for item in items:
            yield item
            advance()
