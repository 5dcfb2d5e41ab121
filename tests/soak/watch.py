"""A watch over single steps: one that never ends fails the attack, and does not hold it up for ever."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PATIENCE: Final = 300
"""Seconds: far more than anything takes that ends at all."""


class NeverEndsError(BaseException):
    """A step does not end; nothing that only catches exceptions may catch this."""


@contextmanager
def in_time(what: str) -> Iterator[None]:
    """Raise ``NeverEndsError`` if the block has not ended after ``PATIENCE`` seconds."""

    def stop(_number: int, _frame: object) -> None:
        raise NeverEndsError(what)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
