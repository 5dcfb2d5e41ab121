"""A report, `legal` and the order form say what the cards do that a player holds or can choose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.reports.data.legal import choices_named

D1 = "Smooth through bends (driver): take bends faster by 20 mph on red, 10 mph on yellow"


@pytest.fixture
def rally(run: Callable[..., Result], tmp_path: Path) -> Callable[..., str]:
    """Return what runs a command on a rally of two crews that have no kit yet, and gives what it prints on one line."""
    game = tmp_path / "rally.json"
    run("new", "rally-round", "--seat", "red=Ann", "--seat", "blue=Bob", "-o", game, code=0)
    return lambda command, *arguments: " ".join(run(command, game, *arguments, code=0).stdout.split())


def test_legal_says_what_each_card_does_that_can_be_picked(rally: Callable[..., str]) -> None:
    text = rally("legal", "--as", "red")
    assert f"D1 {D1}" in text
    assert "B6 Hand brake turns (decel): slow down by up to 30 mph on red" in text


def test_the_report_says_it_in_the_list_of_orders_and_in_the_form(rally: Callable[..., str]) -> None:
    text = rally("report", "--as", "red")
    assert "What your cards do D1 Smooth through bends" in text
    form = text.split("Order form")[1]
    assert "# PICK D1 # D1: Smooth through bends (driver): take bends faster" in form
    assert "D2:" not in form


def test_bystanders_and_the_moderator_are_not_told_what_a_seat_could_pick(rally: Callable[..., str]) -> None:
    for arguments in ((), ("--as", "moderator")):
        assert "your cards" not in rally("report", *arguments)


def test_a_card_is_named_by_its_whole_name() -> None:
    choices = (("Driver", "drive"), ("D1", "bends"), ("Trail hunter", "draw"))
    assert choices_named(choices, ["PLAY Driver K4", "SPEED 30 via D10"]) == [("Driver", "drive")]
    assert choices_named(choices, ["DISCARD Caravan, Trail hunter"]) == [("Trail hunter", "draw")]
    assert choices_named(choices, ["PICK D1", "PICK D2"]) == [("D1", "bends")]
    assert choices_named(choices, ["BUY D1X"]) == []
