"""Report the bugs that a line of orders reveals: whose they are and where, for the moderator and the developers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from adjudicator.core.values import replace

if TYPE_CHECKING:
    from adjudicator.cli.files import Opened
    from adjudicator.core.problem import Diagnostic
    from adjudicator.library.results import Result
    from adjudicator.results import LineFault

_MOST: Final = 5
"""The number of bugs to report."""
_FRAMES: Final = 3


def whose(error: Exception) -> str:
    """Return whose bug it is: that of a ruleset, if the traceback shows one, or this program's."""
    from adjudicator.library.rulesets import whose_bug

    return f"this is {whose_bug(error)}, not a mistake of yours"


def refuse_forgery(opened: Opened, result: Result) -> None:
    """Raise ``Untrusted`` if the rules failed on an order because the game is forged.

    Rules may fail in any way on a forged position; then the line is not the cause.
    """
    from adjudicator.cli.failures import forgery_in

    if any(diagnostic.fault is not None for diagnostic in result.details.diagnostics):
        forgery = forgery_in(opened)
        if forgery is not None:
            raise forgery


def without_faults(result: Result) -> Result:
    """Return ``result`` without the bugs of its problems: their texts may contain secrets of other players."""
    found = tuple(replace(one, fault=None) for one in result.details.diagnostics)
    return replace(result, details=replace(result.details, diagnostics=found))


def faults_of(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first few of ``diagnostics`` that a bug has caused."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.fault is not None][:_MOST]


def fault_text(diagnostic: Diagnostic) -> str:
    """Return whose bug made a line fail, its place, and what to do."""
    error = diagnostic.fault
    assert error is not None
    lines = [
        f"adjudicator: {diagnostic.source}:{diagnostic.line}: {whose(error)}: {type(error).__name__}: {error}",
        *(f"  in {place}" for place in _places(error)[-_FRAMES:]),
        "Only this line was left out. Please report the bug with the line; `check --json` prints all details.",
    ]
    if os.environ.get("ADJUDICATOR_DEBUG"):
        lines.append(_trace(error))
    return "\n".join(lines)


def fault(diagnostic: Diagnostic) -> LineFault:
    """Return the same for programs, with the whole traceback."""
    from adjudicator.results import LineFault

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
    """Return file, line and function of each step of the traceback, the outermost first."""
    from traceback import extract_tb

    return [f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})" for frame in extract_tb(error.__traceback__)]


def _trace(error: Exception) -> str:
    from traceback import format_exception

    return "".join(format_exception(error))
