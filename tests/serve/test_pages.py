"""The pages of a club for its members: log in, see what is due, send orders, use commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.club import begin
from tests.drivers.serve import Served, serve_club


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Served]:
    """Serve the race of Red and Blue."""
    with serve_club(begin("race", tmp_path)) as served:
        yield served


def test_a_player_logs_in_by_a_link_and_sends_orders(race: Served) -> None:
    red = race.login("red")
    assert "Your orders are due" in red.get("/me").text
    answer = red.fill("/g/race/red/orders", "/g/race/red/orders", text="GEAR 1")
    assert answer.status == 200
    assert "Your orders in this mail count" in answer.said or "no mistake" in answer.said
    race.club.round()
    assert race.club.journal("race") == ["red GEAR 1"]
