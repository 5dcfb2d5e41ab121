"""What the attacks share: how large they are, and what they counted, printed at the end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from attack import Attack

_FOUGHT = pytest.StashKey[list[Attack]]()


@pytest.fixture
def attack(request: pytest.FixtureRequest) -> Attack:
    """Return the attack of this test: a short one has the size it names, a long one its share of that."""
    is_long = request.node.get_closest_marker("soak") is not None
    share = float(request.config.getoption("--soak-size")) if is_long else 1.0
    seed, first = (int(request.config.getoption(name)) for name in ("--soak-seed", "--soak-round"))
    fought = Attack(request.node.name, seed, share, first, is_long=is_long)
    request.config.stash.setdefault(_FOUGHT, []).append(fought)
    return fought


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what each long attack counted."""
    fought = [one for one in config.stash.get(_FOUGHT, []) if one.counts]
    if fought:
        terminalreporter.section("attacks")
        for one in fought:
            terminalreporter.write_line(one.told)
