"""Which branch of an order is taken: the first legal alternative, the side of a condition that holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.conditions import Context, condition_text, costed_orders, evaluate, validate_condition
from adjudicator.core.frozen import frozen
from adjudicator.core.order import Expression, FirstOf, When, conditions, leaves
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Ruleset

_LONGEST_NOTE: Final = 1_000


@frozen
class Choice:
    """The order taken (``None``: none), the notes that say why, and each alternative refused with its problem."""

    order: Any
    notes: tuple[str, ...] = ()
    refusals: tuple[tuple[Any, Problem], ...] = ()


def choose(
    expression: Expression,
    check: Callable[[Any], Problem | None],
    context: Callable[[], Context],
    order_text: Callable[[Any], str],
) -> Choice:
    """Return what ``expression`` comes to: ``check`` tells legality, ``context`` what conditions are evaluated in."""
    if isinstance(expression, FirstOf):
        return _choose_first(expression, check, context, order_text)
    if isinstance(expression, When):
        return _choose_side(expression, check, context, order_text)
    problem = check(expression)
    return Choice(expression) if problem is None else Choice(None, (), ((expression, problem),))


def validate_expression(
    rules: Ruleset[Any, Any, Any], config: Any, expression: Expression
) -> tuple[tuple[Any, Problem], ...]:
    """Return what is wrong with ``expression`` in every position: single orders with their problem, conditions too."""
    if not isinstance(expression, (FirstOf, When)):
        problem = rules.validate(config, expression)
        return () if problem is None else ((expression, problem),)
    asked = tuple(conditions(expression))
    orders = [*leaves(expression), *(order for condition in asked for order in costed_orders(condition))]
    found = [(order, rules.validate(config, order)) for order in dict.fromkeys(orders)]
    wrong: list[tuple[Any, Problem]] = [(order, problem) for order, problem in found if problem is not None]
    names = rules.names(config) if asked else ()
    for condition in asked:
        wrong.extend((None, problem) for problem in validate_condition(condition, rules.fact_names, names))
    return tuple(wrong)


def _choose_first(
    expression: FirstOf,
    check: Callable[[Any], Problem | None],
    context: Callable[[], Context],
    order_text: Callable[[Any], str],
) -> Choice:
    notes: list[str] = []
    refusals: list[tuple[Any, Problem]] = []
    for option in expression.options:
        choice = choose(option, check, context, order_text)
        notes.extend(choice.notes)
        if choice.order is not None:
            return Choice(choice.order, tuple(notes))
        notes.extend(_refusal_note(order_text(order), problem) for order, problem in choice.refusals)
        refusals.extend(choice.refusals)
    return Choice(None, () if refusals else tuple(notes), tuple(refusals))


def _refusal_note(words: str, problem: Problem) -> str:
    rule = f" ({problem.rule})" if problem.rule else ""
    return _short(f"{words}: not possible, {problem.message}{rule}")


def gist(note: str) -> str:
    """Return what a note decides without the words that explain it: those may be put better by a later version."""
    asked, _, answer = note.partition(": ")
    return f"{asked}: {answer.split(' ')[0]}"


def _short(note: str) -> str:
    """Cut a note to what the journal holds: it is for reading, the order itself is on record."""
    return note if len(note) <= _LONGEST_NOTE else f"{note[: _LONGEST_NOTE - 1]}…"


def _choose_side(
    expression: When,
    check: Callable[[Any], Problem | None],
    context: Callable[[], Context],
    order_text: Callable[[Any], str],
) -> Choice:
    evaluation = evaluate(expression.condition, context())
    asked = condition_text(expression.condition, order_text)
    because = f" ({'; '.join(evaluation.because)})" if evaluation.because else ""
    note = _short(f"IF {asked}: {'yes' if evaluation.holds else 'no'}{because}")
    side = expression.then if evaluation.holds else expression.otherwise
    if side is None:
        return Choice(None, (note,))
    choice = choose(side, check, context, order_text)
    return Choice(choice.order, (note, *choice.notes), choice.refusals)
