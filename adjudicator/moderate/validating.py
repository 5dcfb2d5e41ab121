"""What is wrong with an order in every position, found out once in a run: a hundred mails may have the same mistake."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import AnyRuleset


def validating_once(rules: AnyRuleset) -> AnyRuleset:
    """Return ``rules`` that remember what is wrong with orders whatever the position, for one config.

    Each sheet is looked at again in every trial of what may stand of several mails, and what is wrong costs most: names
    that look like the one that there is not are searched for.
    """
    known: dict[Any, Problem] = {}

    def validate(config: Any, order: Any) -> Problem | None:
        try:
            problem = known.get(order)
        except TypeError:  # an order that cannot be told apart by its hash
            return rules.validate(config, order)
        if problem is None:
            problem = rules.validate(config, order)
            if problem is not None:
                known[order] = problem
        return problem

    return replace(rules, validate=validate)
