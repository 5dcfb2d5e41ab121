"""Collect the problems and the ignored lines of one text."""

from __future__ import annotations

from typing import Final

from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.core.width import quoted
from adjudicator.orders import problems
from adjudicator.orders.line_problem import UNEXPLAINED, LineProblem
from adjudicator.orders.parser import LineReader
from adjudicator.orders.submission import Submission
from adjudicator.results import Ignored

MOST_IGNORED: Final = 1_000
"""The most ignored lines of one text that a report lists; it only counts the rest."""
_OF_HEADERS: Final = ("/wrong-game", "/wrong-turn")


class Findings:
    """Collects the problems and the ignored lines of one text.

    ``flawed`` are the seats whose sheets have a problem; ``ignored_lines`` counts all ignored lines, ``last_ignored`` is the
    number of the last one.
    """

    def __init__(self, reader: LineReader, text: Submission) -> None:
        """Explain lines of ``text`` with ``reader``."""
        self._reader = reader
        self._text, self._source = text, text.source
        self._problems = self._unlisted = self.ignored_lines = self.last_ignored = 0
        self.diagnostics: list[Diagnostic] = []
        self.flawed: set[str] = set()
        self.ignored: list[Ignored] = []

    def ignore(self, number: int, raw: str, why: str) -> None:
        """Keep why the line ``number`` is ignored."""
        self.ignored_lines += bool(number)
        self.last_ignored = number
        if len(self.ignored) < MOST_IGNORED:
            self.ignored.append(Ignored(source=self._source, line=number, reason=why, text=quoted(raw)))
        else:
            self._unlisted += 1

    def forget_remark(self, number: int) -> None:
        """Forget the remark on line ``number``: it was the head of a sheet."""
        if self.ignored and self.ignored[-1].line == number and self.ignored[-1].is_remark:
            del self.ignored[-1]

    def report(self, problem: LineProblem, number: int, raw: str, seat: str = "", *, is_flaw: bool = True) -> None:
        """Keep the problem with line ``number`` in the sheet of ``seat``; if it ``is_flaw``, the sheet has a mistake."""
        self._problems += 1
        if is_flaw:
            self.flawed.add(seat)
        if self._problems <= MOST_PROBLEMS:
            line, place = self._text.written(number, raw)
            self.diagnostics.append(problem.diagnostic(number, line, self._source, seat, place))

    def report_whole(self, problem: Problem, seat: str = "", fault: Exception | None = None) -> None:
        """Keep a problem with the whole text; ``fault`` is the exception that its reading raised, if any."""
        self.flawed.add(seat)
        self.diagnostics.append(Diagnostic(problem, seat, source=self._source, fault=fault))

    def forget_lines(self) -> None:
        """Forget the problems with single lines except headers: the text holds no orders."""
        self._problems = 0
        self.diagnostics = [found for found in self.diagnostics if found.problem.code.endswith(_OF_HEADERS)]

    def report_rest(self) -> None:
        """Report how many problems and ignored lines are not listed."""
        if self._unlisted:
            lines = "1 more line" if self._unlisted == 1 else f"{self._unlisted:,} more lines"
            reason = f"{lines} of this text not listed here"
            self.ignored.append(Ignored(source=self._source, line=0, reason=reason, text=""))
        if self._problems > MOST_PROBLEMS:
            message = f"{self._problems - MOST_PROBLEMS:,} more problems of this file are not listed"
            self.report_whole(Problem("orders/too-many-problems", message))

    def explain(self, number: int, raw: str, line: str, seat: str = "", consequence: str = "") -> None:
        """Keep why ``line`` cannot be read, unless too many problems are listed already."""
        is_listed = self._problems < MOST_PROBLEMS
        problem = problems.unreadable(self._reader, line, consequence) if is_listed else UNEXPLAINED
        self.report(problem, number, raw, seat)
