"""What is made of a ruleset is made once."""

from __future__ import annotations

from adjudicator.core.rules import AnyRuleset
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.rulesets import ruleset


def test_it_is_made_once_for_each_ruleset_and_its_languages() -> None:
    made: list[AnyRuleset] = []
    number = per_ruleset(lambda rules: made.append(rules) or len(made))
    rules = ruleset("checkpoint-rally")
    spoken = rules_with_languages(rules, ("de",))
    assert [number(one) for one in (rules, spoken, rules, spoken)] == [1, 2, 1, 2]


def test_a_ruleset_that_is_loaded_anew_gets_its_own() -> None:
    number = per_ruleset(id)
    rules = ruleset("checkpoint-rally")
    anew = rules.changed()
    assert number(rules) == id(rules)
    assert number(anew) == id(anew)
