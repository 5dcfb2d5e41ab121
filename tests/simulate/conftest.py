"""Plans that are quickly played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.simulate.plan import Plan


@pytest.fixture
def plan() -> Callable[..., Plan]:
    """Return the maker of a plan for a few short games; arguments change it."""

    def make(**changes: Any) -> Plan:
        return Plan(**{"ruleset": "checkpoint-rally", "games": 3, "players": 2, "most_orders": 12, **changes})

    return make
