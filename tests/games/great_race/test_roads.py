"""A board as a graph: neighbours, what is connected, where a tile can go, lanes of progress (GR-A1, GR-C1, GR-D5)."""

import json
from importlib.resources import files

import pytest

from adjudicator.files import typed
from adjudicator.games.great_race.components import Board, Components, LineKind, SpaceId
from adjudicator.games.great_race.roads import other_end, roads_of

HOUSE = typed.read(Components, (files("adjudicator.games.great_race") / "data" / "house.json").read_text(encoding="utf-8"))


def space(name, lane, *beside, **more):
    """Return a space of a small board, as a file has it."""
    return {"id": name, "kind": "terrain", "lane": lane, "x": lane, "y": 1, "next": list(beside), **more}


def city(name, lane, *beside, **more):
    return space(name, lane, *beside, kind="city", cards=1, **more)


def board(*spaces, lines=()):
    document = {"id": "small", "name": "Small", "course": "west-east", "spaces": spaces, "lines": list(lines)}
    return typed.read(Board, json.dumps(document))


@pytest.fixture
def small():
    """West – A1 – Town – B1 – East, with B2 beside B1 alone, and a sea line between Town and East."""
    return board(
        city("West", 1, "A1", purple=True),
        space("A1", 2, "West", "Town"),
        city("Town", 3, "A1", "B1"),
        space("B1", 4, "Town", "B2", "East"),
        space("B2", 4, "B1"),
        city("East", 5, "B1", purple=True),
        lines=[{"kind": "sea", "ends": ["Town", "East"], "price": 50}],
    )


def test_gr_s1_the_other_purple_city_is_the_finish(small):
    assert (roads_of(small, "West").finish, roads_of(small, "East").finish) == ("East", "West")


@pytest.mark.parametrize(("start", "lanes"), [("West", [1, 2, 3, 4, 4, 5]), ("East", [5, 4, 3, 2, 2, 1])])
def test_gr_n1_lanes_count_from_the_start_in_either_direction(small, start, lanes):
    roads = roads_of(small, start)
    assert [roads.lane(space) for space in roads.spaces] == lanes


def test_gr_a1_an_unbroken_path_leads_over_tiles_and_cities(small):
    roads = roads_of(small, "West")
    assert roads.connected("West", ()) == {"West": 0}
    assert roads.connected("West", {"B1"}) == {"West": 0}
    assert roads.connected("West", {"A1"}) == {"West": 0, "A1": 1, "Town": 2, "East": 3}
    assert roads.connected("A1", {"A1", "B1"}) == {"A1": 0, "West": 1, "Town": 1, "B1": 2, "East": 2}


def test_gr_d5_the_ends_of_a_line_are_connected_only_if_one_is(small):
    roads = roads_of(small, "East")
    assert roads.connected("East", ()) == {"East": 0, "Town": 1}
    assert roads.connected("East", {"A1"}) == {"East": 0, "Town": 1, "A1": 2, "West": 3}


def test_gr_a1_a_tile_goes_on_an_empty_space_beside_the_path(small):
    roads = roads_of(small, "West")
    assert roads.free("West", ()) == ("A1",)
    assert roads.free("West", {"A1"}) == ("B1",)
    assert roads.free("West", {"A1", "B1"}) == ("B2",)
    assert roads.free("West", {"A1", "B1", "B2"}) == ()


def test_gr_d5_a_line_is_found_from_both_ends_by_its_kind(small):
    roads = roads_of(small, "West")
    line = roads.line(LineKind.SEA, SpaceId("East"), SpaceId("Town"))
    assert line is not None and line.price == 50
    assert roads.line(LineKind.SEA, SpaceId("Town"), SpaceId("East")) is line
    assert roads.line(LineKind.AIR, SpaceId("Town"), SpaceId("East")) is None
    assert roads.line(LineKind.SEA, SpaceId("Town"), SpaceId("West")) is None
    assert (other_end(line, SpaceId("Town")), other_end(line, SpaceId("East"))) == ("East", "Town")


def test_the_way_to_the_finish_is_counted_over_land_and_lines(small):
    assert roads_of(small, "West").to_finish == {"East": 0, "B1": 1, "Town": 1, "B2": 2, "A1": 2, "West": 3}


@pytest.mark.parametrize("played", HOUSE.boards, ids=lambda board: board.id)
def test_every_space_of_a_house_board_knows_how_far_it_is(played):
    for start in played.purple:
        roads = roads_of(played, start)
        assert roads.to_finish.keys() == roads.spaces.keys()
        assert roads.lane(start) == 1 and roads.lane(roads.finish) == played.lanes
