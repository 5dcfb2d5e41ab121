"""How much is done, counted in calls of functions, which are the same on every machine."""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def work(run: Callable[[], Any]) -> int:
    """Return how many functions are called in ``run``, as ``calls``, and how many lines of Python it executes."""
    counted = 0

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal counted
        counted += event == "line"
        return trace

    def traced() -> None:
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            run()
        finally:
            sys.settrace(before)

    return calls(traced) + counted


def calls(run: Callable[[], Any]) -> int:
    """Return how many functions are called in ``run``, those that are written in C counted too."""
    return _counted(run, lambda _frame, event: event in ("call", "c_call"))


def letters_handed(run: Callable[[], Any]) -> int:
    """Return how many letters the functions that are called in ``run`` get in all: of each text that is an argument, all."""

    def letters(frame: FrameType, event: str) -> int:
        if event != "call" or frame.f_code.co_flags & inspect.CO_GENERATOR:  # a generator is called for each value
            return 0
        return sum(len(value) for value in frame.f_locals.values() if isinstance(value, str))

    return _counted(run, letters)


def _counted(run: Callable[[], Any], cost: Callable[[FrameType, str], int]) -> int:
    """Return the sum of ``cost`` over what ``run`` does.

    No garbage is collected meanwhile: whoever listens to that, such as hypothesis, would be counted too.
    """
    counted = 0

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += cost(frame, event)

    collects = gc.isenabled()
    gc.disable()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
        if collects:
            gc.enable()
    return counted
