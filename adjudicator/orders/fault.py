"""What is wrong with one line, before anybody knows in which file it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from adjudicator.core.problem import Finding, Problem


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line, and where (``column`` from 1, ``width`` in characters)."""

    problem: Problem
    column: int = 1
    width: int = 1

    def finding(self, line: int, text: str, source: str, seat: str = "") -> Finding:
        """Return the finding for line number ``line`` (from 1) with this ``text`` in the turn file ``source``."""
        return Finding(self.problem, seat, line, None, self.column, self.width, text, source)


UNEXPLAINED: Final = Fault(Problem("orders/unreadable", "this cannot be read"))
"""What ``skim`` gives for a line that is not in the language: it does not say why."""
