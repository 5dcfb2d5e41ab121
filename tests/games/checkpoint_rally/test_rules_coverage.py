"""No rule without a test, no citation without a rule."""

import re
from pathlib import Path

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
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_rules_*.py")))


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_cr_p3_…`` is about CR-P3."""
    named = {f"CR-{letter.upper()}{number}" for letter, number in re.findall(r"def test_cr_([a-z])(\d+)_", TESTS)}
    assert named == RULES


def test_every_golden_case_of_the_rulebook_has_a_test():
    """Five examples in the rulebook, five tests."""
    assert sorted(re.findall(r"def test_cr_golden_(\d)_", TESTS)) == list("12345")


def test_every_rule_cited_by_the_game_is_on_the_fact_sheet():
    """Events, refusals and docstrings cite rules that exist."""
    folder = Path(adjudicator.games.checkpoint_rally.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    assert set(re.findall(r"CR-[A-Z]\d+", source)) <= RULES
