"""Reports of fixed games, as they are: what changes in them is seen before players see it.

When a form of report, a drawing or a message has changed on purpose, write them anew and read the difference::

    python tests/reports/test_snapshots.py
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.reporting import report_for
from adjudicator.reports.data.report import Report
from adjudicator.reports.pages.forms import FORMS
from adjudicator.rulesets import metas
from adjudicator.session import open_session
from adjudicator.store.load import load_game

RECORDED = Path(__file__).parents[1] / "data" / "games"
EXPECTED = Path(__file__).parent / "expected"
GAMES = {
    "checkered-flag": ("checkered-flag/recorded-001.json", 12),
    "checkpoint-charlie": ("checkpoint-charlie/recorded-003.json", 30),
    "checkpoint-rally": ("checkpoint-rally/recorded-001.json", 24),
    "great-race": ("great-race/recorded-001.json", 40),
    "rally-round": ("rally-round/recorded-002.json", 20),
}
"""The file of a game, and the entry after which it is told of."""
SHOWN = ("txt", "md")


def told(name: str) -> Report:
    """Return the report to the first seat of the game after its entry, with what the last turns brought."""
    file, last = GAMES[name]
    session = open_session(load_game(str(RECORDED / file)))
    journal = session.game.journal[: last + 1]
    state = session.timeline.state_after(last)
    session = session.with_game(replace(session.game, journal=journal, state=state, pending=(), set_aside=()))
    return report_for(session, session.seats[0], last - 4)


def test_every_ruleset_is_here() -> None:
    assert {name for name, _ in metas()} == set(GAMES)


@pytest.mark.parametrize("form", SHOWN)
@pytest.mark.parametrize("name", GAMES)
def test_a_report_is_as_it_was(name: str, form: str) -> None:
    expected = (EXPECTED / f"{name}.{form}").read_bytes()
    assert FORMS[form](told(name)).decode() == expected.decode()


if __name__ == "__main__":
    for each in GAMES:
        for form in SHOWN:
            (EXPECTED / f"{each}.{form}").write_bytes(FORMS[form](told(each)))
