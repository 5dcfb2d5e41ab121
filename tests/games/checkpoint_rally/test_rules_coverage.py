"""No rule without a test, no citation without a rule."""

from pathlib import Path

import rulebook

import adjudicator.games.checkpoint_rally

RULES = {
    *(f"CR-C{n}" for n in range(1, 8)),
    *(f"CR-S{n}" for n in range(1, 7)),
    *(f"CR-T{n}" for n in range(1, 4)),
    "CR-D1",
    *(f"CR-P{n}" for n in range(1, 6)),
    "CR-M1",
    "CR-R1",
    "CR-G1",
    "CR-K1",
    *(f"CR-F{n}" for n in range(1, 4)),
}
"""Every number of the fact sheet."""

HERE = Path(__file__).parent


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_cr_p3_…`` is about CR-P3."""
    assert rulebook.tested(HERE, "CR") == RULES


def test_every_golden_case_of_the_rulebook_has_a_test():
    """Five examples in the rulebook, five tests."""
    assert rulebook.golden(HERE, "CR") == list("12345")


def test_every_rule_cited_by_the_game_is_on_the_fact_sheet():
    """Events, refusals and docstrings cite rules that exist."""
    assert rulebook.cited(adjudicator.games.checkpoint_rally, "CR") <= RULES
