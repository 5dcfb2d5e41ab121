"""How much is done, counted in calls of functions, which are the same on every machine."""

from __future__ import annotations

import gc
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
    """Return how many functions are called in ``run``, those that are written in C counted too.

    No garbage is collected meanwhile: whoever listens to that, such as hypothesis, would be counted too.
    """
    counted = 0

    def profile(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

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
