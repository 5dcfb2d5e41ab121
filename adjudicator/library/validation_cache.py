"""Cache, during a run, which orders are illegal in every position: a hundred mails may have the same mistake."""

from __future__ import annotations

from typing import Any

from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRuleset, changed


def with_validation_cache(rules: AnyRuleset) -> AnyRuleset:
    """Return ``rules`` that cache the problems that orders have in every position.

    An adjudication may check each sheet several times to find out which of several mails count. Mistakes take the most
    time, since the rules search for similar names.
    """
    known: dict[Any, Problem] = {}

    def wrong(order: Any) -> Problem | None:
        try:
            problem = known.get(order)
        except TypeError:  # an order without a hash
            return rules.wrong(order)
        if problem is None:
            problem = rules.wrong(order)
            if problem is not None:
                known[order] = problem
        return problem

    return changed(rules, wrong=wrong)
