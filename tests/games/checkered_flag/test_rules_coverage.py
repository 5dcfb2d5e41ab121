"""No rule without a test, no citation without a rule."""

from pathlib import Path

import rulebook

import adjudicator.games.checkered_flag

RULES = {f"CF-{rule}" for rule in ("C1", "C2", "C3", "S1", "G1", "M1", "D1", "D2", "X1", "B1", "B2", "V1")}
"""Every number of the rules."""

HERE = Path(__file__).parent


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_cf_b1_…`` is about CF-B1."""
    assert rulebook.tested(HERE, "CF") == RULES


def test_every_golden_case_has_a_test():
    """Five cases in the rules, five tests."""
    assert rulebook.golden(HERE, "CF") == list("12345")


def test_every_rule_cited_by_the_game_exists():
    """Events, refusals and docstrings cite rules that exist."""
    assert rulebook.cited(adjudicator.games.checkered_flag, "CF") == RULES
