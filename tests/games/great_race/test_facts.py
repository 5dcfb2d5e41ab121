"""What conditions may ask for, each from the own view alone."""

from __future__ import annotations

import pytest

TILES = "E2 ravine D2 village F1 road E3 steppe"


@pytest.fixture
def table(race):
    return race(
        red={"mechanics": 2, "scouts": 1, "escort": 1, "funding": 1, "hand": "ranger trail-hunter", "chassis": 1},
        blue={"mechanics": 1, "hand": "toolbox", "space": "F1", "cash": 35},
        tiles=TILES,
        round=3,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("round", 3),
        ("stage", "convoy"),
        ("fuel", 10),
        ("engine", 6),
        ("chassis", 1),
        ("cash", 80),
        ("cards", 2),
        ("excess", 1),
        ("space", "Algiers"),
        ("lane", 1),
        ("scouts", 1),
        ("mechanics", 2),
        ("escorts", 1),
        ("funding", 1),
        ("hand", ("ranger", "trail_hunter")),
        ("drawn", ()),
        ("offered", ()),
        ("bag", 56),
        ("arrived", 0),
    ],
)
def test_facts_of_the_own_seat(table, name, value):
    assert table.fact("red", name) == value


def test_facts_of_another_seat_are_what_all_may_know(table):
    assert table.fact("red", "cash", "blue") == 35
    assert table.fact("red", "space", "blue") == "F1"
    assert table.fact("red", "cards", "blue") == 1
    assert table.fact(None, "hand") is None
    assert table.fact("red", "to_finish") == table.config.roads.to_finish["Algiers"]


@pytest.mark.parametrize(
    ("name", "space", "value"),
    [
        ("tile", "E2", "ravine"),
        ("tile", "k9", None),
        ("tile", "nowhere", None),
        ("fuel_cost", "E2", 1),
        ("fuel_cost", "E3", 3),
        ("parts_cost", "E2", 3),
        ("danger", "E2", "yes"),
        ("danger", "D2", "no"),
        ("stop", "D2", "yes"),
    ],
)
def test_facts_of_a_space(table, name, space, value):
    assert table.fact("red", name, space) == value


def test_what_was_drawn_is_known_to_who_drew_it(race):
    table = race(red={"scouts": 1, "mechanics": 1, "hand": "trail-hunter", "fuel": 2})
    table.do("red", "SCOUT tiles", "sand", "pass")
    assert table.fact("red", "drawn") == ("sand", "pass")
    assert table.fact("blue", "drawn") == ()
    hunting = race(red={"mechanics": 1, "hand": "trail-hunter jerrycan", "fuel": 2})
    hunting.do("red", "PLAY Trail hunter", "ranger", "toolbox", "spare-parts")
    assert hunting.fact("red", "drawn") == ("ranger", "toolbox", "spare_parts")
    hunting.do("red", "KEEP Ranger, Toolbox")
    hunting.do("red", "DRIVE E2", "sand")
    assert hunting.fact("blue", "drawn") == ("sand",)
