"""Check the orders of a sheet for mistakes in every position, before any of them is tried."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from adjudicator.core.messages import Dropped, Messages
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import validate_expression

_NOT_RECORDED: Final = Problem(
    "core/chance-not-recorded",
    "leave out the outcomes in brackets: the adjudicator draws them; only games with recorded chance take them",
    part="draws",
)
_TOO_MANY: Final = Problem(
    "core/too-many-problems", f"checking stopped here: this sheet has more than {MOST_PROBLEMS} problems"
)


def valid_orders(rules: AnyRuleset, sheet: Sheet, messages: Messages, *, is_recorded: bool) -> deque[Instruction]:
    """Return the orders of ``sheet`` up to the first that is illegal in every position.

    ``messages`` receives the problems, up to a limit; ``is_recorded`` says that orders may have outcomes beside them.
    """
    good: deque[Instruction] = deque()
    wrong = 0
    for number, instruction in enumerate((*sheet.instructions, *sheet.check_only)):
        if not _is_right(rules, instruction):
            found = _wrong(rules, instruction, is_recorded=is_recorded)
            wrong += _report(messages, sheet, instruction, found, MOST_PROBLEMS - wrong)
        if wrong > MOST_PROBLEMS:
            messages.diagnostics.append(Diagnostic(_TOO_MANY, sheet.seat, instruction.line, source=instruction.source))
            break
        if not wrong and number < len(sheet.instructions):
            good.append(instruction)
    if len(good) < len(sheet.instructions):
        messages.dropped.append(Dropped(sheet.seat, sheet.instructions[len(good) :]))
    return good


def _is_right(rules: AnyRuleset, instruction: Instruction) -> bool:
    """Return whether ``instruction`` is a single order without outcomes, like nearly all, and certainly not wrong."""
    if instruction.draws or isinstance(instruction.expression, (FirstOf, When)):
        return False
    try:
        return rules.wrong(instruction.expression) is None
    except Exception:  # `_report` meets it again and reports it
        return False


def _report(
    messages: Messages, sheet: Sheet, instruction: Instruction, wrong: Iterator[tuple[Any, Problem]], room: int
) -> int:
    """Report the problems in ``wrong`` of ``instruction``, at most ``room``; return their number."""
    found = 0
    try:
        for found, (order, problem) in enumerate(wrong, 1):
            if found > room:
                break
            messages.report(sheet.seat, instruction, order, problem)
    except Exception as fault:
        messages.report_fault(sheet.seat, instruction, fault)
        return found + 1
    return found


def _wrong(rules: AnyRuleset, instruction: Instruction, *, is_recorded: bool) -> Iterator[tuple[Any, Problem]]:
    yield from validate_expression(rules, instruction.expression)
    if instruction.draws and not is_recorded:
        yield None, _NOT_RECORDED
