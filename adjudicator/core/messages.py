"""Collect the messages of an adjudication: problems with their orders, notes, and dropped orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.order import Instruction
from adjudicator.core.phrases import count
from adjudicator.core.problem import FAULT, Diagnostic, Problem
from adjudicator.core.step import EngineFaultError
from adjudicator.core.values import Seat, Value, replace


class Dropped(Value):
    """The dropped orders of ``seat``: after a refused one (``is_refused``), or because the seat or the game is finished."""

    seat: Seat
    instructions: tuple[Instruction, ...]
    is_refused: bool = True


class Messages:
    """The messages of an adjudication: ``diagnostics``, ``notes`` (seat, words), and ``dropped`` orders."""

    def __init__(self, ruleset: str, *, contain_faults: bool) -> None:
        """Begin without messages. ``ruleset`` is the id of the rules; `adjudicate` explains ``contain_faults``."""
        self._ruleset, self._contain_faults = ruleset, contain_faults
        self.diagnostics: list[Diagnostic] = []
        self.notes: list[tuple[Seat, str]] = []
        self.dropped: list[Dropped] = []

    def report(self, seat: Seat, instruction: Instruction, order: Any, problem: Problem) -> None:
        """Report that ``order``, of ``instruction``, has a ``problem``."""
        self.diagnostics.append(
            Diagnostic(
                *(problem, seat, instruction.line, order),
                text=instruction.text,
                source=instruction.source,
                place=instruction.place,
            )
        )

    def report_fault(self, seat: Seat, instruction: Instruction, fault: Exception | SystemExit) -> None:
        """Report that program or ruleset fail on ``instruction``; raise the ``fault`` unless faults are contained."""
        if not isinstance(fault, Exception):
            words = f"the ruleset {self._ruleset} tried to end the program"
            fault = EngineFaultError(words, self._ruleset).with_traceback(fault.__traceback__)
        if not self._contain_faults:
            raise fault
        self.report(seat, instruction, None, FAULT)
        self.diagnostics[-1] = replace(self.diagnostics[-1], fault=fault)

    def report_refused(self, seat: Seat, left: Sequence[Instruction], refusals: Iterable[tuple[Any, Problem]]) -> None:
        """Report why the first order of ``left`` was refused; the orders after it in its sheet are dropped, too."""
        for order, problem in refusals:
            self.report(seat, left[0], order, problem)
        if len(left) > 1:
            orders = count(len(left) - 1, "order")
            self.notes.append((seat, f"{orders} after line {left[0].line} not applied; please send new ones"))
        self.dropped.append(Dropped(seat, tuple(left)))


def outcome_problem(impossible: ImpossibleOutcomeError) -> Problem:
    """Return the problem of a recorded outcome, for the order beside which it is written."""
    if impossible.purpose == "nothing":
        message = f"nothing was drawn for “{impossible.outcome}”: too many outcomes are written in brackets"
    elif impossible.outcome is None:
        message = f"an outcome is missing in brackets: {impossible.purpose}"
    else:
        message = f"“{impossible.outcome}” cannot be the outcome of: {impossible.purpose}"
    part = "draws" if impossible.outcome is None else f"draw={impossible.outcome}"
    return Problem("core/impossible-outcome", message, part=part, near=impossible.among[:6])
