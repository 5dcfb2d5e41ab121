"""No rule without a test, no citation without a rule, no rule of the page without a fact."""

from pathlib import Path

import rulebook

import adjudicator.games.rally_round

NUMBERS = {"C": 4, "T": 6, "L": 4, "K": 1, "M": 6, "F": 12, "P": 7, "O": 1, "R": 1, "V": 1, "H": 9}
RULES = {f"RR-{letter}{number}" for letter, most in NUMBERS.items() for number in range(1, most + 1)}

HERE = Path(__file__).parent


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_rr_f1_…`` is about RR-F1."""
    assert rulebook.tested(HERE, "RR") == RULES


def test_every_golden_case_has_a_test():
    assert set(rulebook.golden(HERE, "RR")) == set("1234")


def test_every_rule_cited_by_the_game_exists():
    """Events, refusals and docstrings cite rules that exist."""
    assert rulebook.cited(adjudicator.games.rally_round, "RR") <= RULES
