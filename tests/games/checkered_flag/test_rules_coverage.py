"""No rule without a test, no citation without a rule."""

import re
from pathlib import Path

import adjudicator.games.checkered_flag

RULES = {f"CF-{rule}" for rule in ("C1", "C2", "C3", "S1", "G1", "M1", "D1", "D2", "X1", "B1", "B2", "V1")}
"""Every number of the rules."""

HERE = Path(__file__).parent
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_rules_*.py")))


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_cf_b1_…`` is about CF-B1."""
    named = {f"CF-{letter.upper()}{number}" for letter, number in re.findall(r"def test_cf_([a-z])(\d+)_", TESTS)}
    assert named == RULES


def test_every_golden_case_has_a_test():
    """Five cases in the rules, five tests."""
    assert sorted(re.findall(r"def test_cf_golden_(\d)_", TESTS)) == list("12345")


def test_every_rule_cited_by_the_game_exists():
    """Events, refusals and docstrings cite rules that exist."""
    folder = Path(adjudicator.games.checkered_flag.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    assert set(re.findall(r"CF-[A-Z]\d+", source)) == RULES
