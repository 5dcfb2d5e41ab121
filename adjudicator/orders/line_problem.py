"""Describe the problem with one line, and its place."""

from __future__ import annotations

from typing import Final

from adjudicator.core.problem import FAULT, Diagnostic, Place, Problem
from adjudicator.core.values import Value


class LineProblem(Value):
    """A problem with a line, and its place (``column`` from 1, ``width`` in characters).

    ``fault`` is the exception that reading the line raised, if that is the problem.
    """

    problem: Problem
    column: int = 1
    width: int = 1
    fault: Exception | None = None

    def diagnostic(self, line: int, text: str, source: str, seat: str = "", place: Place | None = None) -> Diagnostic:
        """Return the diagnostic for line number ``line`` (from 1) with this ``text`` in the turn file ``source``."""
        return Diagnostic(self.problem, seat, line, None, self.column, self.width, text, source, self.fault, place)


UNEXPLAINED: Final = LineProblem(Problem("orders/unreadable", "this cannot be read"))
"""The problem with an unreadable line, without the reason, which takes time to find."""


def fault_problem(line: str, fault: Exception) -> LineProblem:
    """Return the problem with a ``line`` on which the program fails with ``fault``."""
    first = len(line) - len(line.lstrip())
    return LineProblem(FAULT, first + 1, max(1, len(line) - first), fault)
