"""Alternatives and conditions: which order is taken, what the log is told, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adjudicator.core.conditions import Compare, Comparison, Context, CostOf, FactOf, Number
from adjudicator.core.order import FirstOf, When
from adjudicator.core.problem import Problem
from adjudicator.core.step import Choice, choose, validate_expression

GOOD, OTHER, BAD, WORSE = "good", "other", "bad", "worse"
PROBLEMS = {BAD: Problem("x/bad", "it is bad", "X-1"), WORSE: Problem("x/worse", "it is worse")}
YES = Compare(FactOf("stack"), Comparison.EQUAL, Number(9))
NO = Compare(FactOf("stack"), Comparison.LESS, Number(9))
SAID_YES = "IF stack = 9: yes (stack is 9)"
SAID_NO = "IF stack < 9: no (stack is 9)"
NOT_BAD = "BAD: not possible, it is bad (X-1)"


def taken(expression: Any) -> Choice:
    return choose(expression, PROBLEMS.get, lambda: Context({"stack": 9}, lambda _: None), str.upper)


def refused(*orders: str) -> tuple[tuple[str, Problem], ...]:
    return tuple((order, PROBLEMS[order]) for order in orders)


@pytest.mark.parametrize(
    ("expression", "choice"),
    [
        (GOOD, Choice(GOOD)),
        (BAD, Choice(None, (), refused(BAD))),
        (FirstOf((GOOD, OTHER)), Choice(GOOD)),
        (FirstOf((BAD, GOOD)), Choice(GOOD, (NOT_BAD,))),
        (FirstOf((BAD, WORSE, GOOD)), Choice(GOOD, (NOT_BAD, "WORSE: not possible, it is worse"))),
        (FirstOf((BAD, WORSE)), Choice(None, (), refused(BAD, WORSE))),
        (FirstOf((FirstOf((BAD, WORSE)), GOOD)), Choice(GOOD, (NOT_BAD, "WORSE: not possible, it is worse"))),
        (When(YES, GOOD), Choice(GOOD, (SAID_YES,))),
        (When(NO, GOOD), Choice(None, (SAID_NO,))),
        (When(NO, GOOD, OTHER), Choice(OTHER, (SAID_NO,))),
        (When(YES, BAD, GOOD), Choice(None, (SAID_YES,), refused(BAD))),
        (When(NO, GOOD, BAD), Choice(None, (SAID_NO,), refused(BAD))),
        (When(YES, When(NO, GOOD, OTHER)), Choice(OTHER, (SAID_YES, SAID_NO))),
        (When(YES, FirstOf((BAD, GOOD))), Choice(GOOD, (SAID_YES, NOT_BAD))),
        (FirstOf((When(NO, GOOD), OTHER)), Choice(OTHER, (SAID_NO,))),
        (FirstOf((When(YES, BAD), OTHER)), Choice(OTHER, (SAID_YES, NOT_BAD))),
        (FirstOf((When(NO, GOOD), When(NO, OTHER))), Choice(None, (SAID_NO, SAID_NO))),
        (FirstOf((When(NO, GOOD), BAD)), Choice(None, (), refused(BAD))),
    ],
)
def test_choices(expression: Any, choice: Choice) -> None:
    assert taken(expression) == choice


def test_conditions_are_judged_only_where_there_are_some() -> None:
    def unasked() -> Context:
        raise AssertionError("no condition, no facts")

    assert choose(FirstOf((BAD, GOOD)), PROBLEMS.get, unasked, str).order == GOOD


def test_later_alternatives_are_not_looked_at() -> None:
    asked: list[str] = []
    choose(FirstOf((BAD, GOOD, OTHER)), lambda order: asked.append(order) or PROBLEMS.get(order), lambda: None, str)
    assert asked == [BAD, GOOD]


RULES: Any = SimpleNamespace(
    validate=lambda _config, order: PROBLEMS.get(order), fact_names={"stack": ""}, names=lambda _config: ()
)


@pytest.mark.parametrize(
    ("expression", "wrong"),
    [
        (GOOD, []),
        (BAD, [(BAD, "x/bad")]),
        (FirstOf((BAD, GOOD, WORSE)), [(BAD, "x/bad"), (WORSE, "x/worse")]),
        (FirstOf((BAD, BAD)), [(BAD, "x/bad")]),
        (When(NO, BAD, WORSE), [(BAD, "x/bad"), (WORSE, "x/worse")]),
        (When(Compare(CostOf(BAD), Comparison.LESS, Number(1)), GOOD), [(BAD, "x/bad")]),
        (When(Compare(FactOf("stakc"), Comparison.LESS, Number(1)), GOOD), [(None, "orders/unknown-fact")]),
        (
            FirstOf((When(Compare(FactOf("stakc"), Comparison.LESS, CostOf(WORSE)), BAD), GOOD)),
            [(BAD, "x/bad"), (WORSE, "x/worse"), (None, "orders/unknown-fact")],
        ),
    ],
)
def test_everything_that_no_position_can_change_is_told_at_once(expression: Any, wrong: list[Any]) -> None:
    assert [(order, problem.code) for order, problem in validate_expression(RULES, None, expression)] == wrong
