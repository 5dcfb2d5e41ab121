"""No rule without a test, no citation without a rule."""

import subprocess
import sys
from pathlib import Path

import rulebook

import adjudicator.games.great_race

RULES = {
    *(f"GR-C{n}" for n in range(1, 5)),
    *(f"GR-S{n}" for n in range(1, 3)),
    "GR-B1",
    "GR-L1",
    "GR-V1",
    *(f"GR-N{n}" for n in range(1, 4)),
    *(f"GR-A{n}" for n in range(1, 5)),
    *(f"GR-D{n}" for n in range(1, 7)),
    *(f"GR-K{n}" for n in range(1, 5)),
    *(f"GR-F{n}" for n in range(1, 3)),
    *(f"GR-H{n}" for n in range(1, 10)),
}
"""Every number of the rules."""

HERE = Path(__file__).parent


def test_every_rule_has_a_test_by_its_number():
    """A test that is named ``test_gr_d3_…`` is about GR-D3."""
    assert rulebook.tested(HERE, "GR") == RULES


def test_every_golden_case_has_a_test():
    """Five cases in the rules, five tests."""
    assert rulebook.golden(HERE, "GR") == list("12345")


def test_every_rule_cited_by_the_game_exists():
    """Events, refusals and docstrings cite rules that exist."""
    assert rulebook.cited(adjudicator.games.great_race, "GR") <= RULES


def test_the_list_of_events_is_whole_whichever_module_is_loaded_first():
    """A program of its own: here all are loaded already."""
    code = "from adjudicator.games.great_race.rules import RULESET; print(*[e.__name__ for e in RULESET.events])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"CardsOffered", "RaceBegun", "DriveBegun"} <= set(done.stdout.split())
