"""Bugs that a line of orders has brought to light: whose they are and where, for the moderator and whoever mends them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from adjudicator.cli.files import Opened
    from adjudicator.core.problem import Diagnostic
    from adjudicator.moderate.adjudicate import Adjudicated
    from adjudicator.outputs.orders import LineFault

_MOST: Final = 5
"""Bugs that are told: one is enough to begin with."""
_FRAMES: Final = 3


def whose(error: Exception) -> str:
    """Say in whose work the bug is: that of a ruleset, as far as can be told, or this program's."""
    from adjudicator import rulesets

    return f"this is {rulesets.whose(error)}, not a mistake of yours"


def refuse_forgery(opened: Opened, result: Adjudicated) -> None:
    """Raise ``Untrusted`` if something failed over the orders, and the game is one that no orders have come to.

    Rules may fail in any way over a forged position, and then it is not the line that is to blame.
    """
    from adjudicator.cli.failures import forgery_in

    if any(diagnostic.fault is not None for diagnostic in result.diagnostics):
        forgery = forgery_in(opened)
        if forgery is not None:
            raise forgery


def without_faults(result: Adjudicated) -> Adjudicated:
    """Return ``result`` without the bugs behind its problems: in their words may stand what no player is to know."""
    return replace(result, diagnostics=tuple(replace(found, fault=None) for found in result.diagnostics))


def faults_of(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of ``diagnostics`` behind which a bug stands, the first few."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.fault is not None][:_MOST]


def fault_text(diagnostic: Diagnostic) -> str:
    """Return whose bug made a line fail, where it is, and what to do about it."""
    error = diagnostic.fault
    assert error is not None
    lines = [
        f"adjudicator: {diagnostic.source}:{diagnostic.line}: {whose(error)}: {type(error).__name__}: {error}",
        *(f"  in {place}" for place in _places(error)[-_FRAMES:]),
        "Only this line was left out. Please report it with the line; `check --json` gives all of where it happened.",
    ]
    if os.environ.get("ADJUDICATOR_DEBUG"):
        lines.append(_trace(error))
    return "\n".join(lines)


def fault(diagnostic: Diagnostic) -> LineFault:
    """Return the same for machines, with the whole way to the bug."""
    from adjudicator.outputs.orders import LineFault

    error = diagnostic.fault
    assert error is not None
    return LineFault(
        source=diagnostic.source,
        line=diagnostic.line,
        seat=diagnostic.seat,
        message=f"{whose(error)}: {type(error).__name__}: {error}",
        traceback=_trace(error),
    )


def _places(error: Exception) -> list[str]:
    """Return file, line and function of each step to the bug, the outermost first."""
    from traceback import extract_tb

    return [f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})" for frame in extract_tb(error.__traceback__)]


def _trace(error: Exception) -> str:
    from traceback import format_exception

    return "".join(format_exception(error))
