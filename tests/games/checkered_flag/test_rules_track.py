"""CF-C: the track, the wheels, the gears."""

from dataclasses import replace
from itertools import groupby, product

import pytest

from adjudicator.core.chance import CommittedChance
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, Width
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.games.checkered_flag.state import drive_of


def danger_of(components):
    """Return the danger positions: those that lie in a curve."""
    return {number for zone in components.zones for curve in zone.curves for number in range(curve.first, curve.last + 1)}


def test_cf_c1_the_house_track_has_what_the_rulebook_asks_for(house):
    """Straights and danger zones, two of them with two curves; wide positions and narrow ones."""
    assert 40 <= len(house.track) <= 60
    assert sorted(len(zone.curves) for zone in house.zones) == [1, 1, 1, 2, 2]
    narrow = {spot.number for spot in house.track if spot.width is Width.NARROW}
    danger = danger_of(house)
    assert narrow & danger
    assert any(number + 1 in danger for number in narrow - danger)
    assert not {1, len(house.track)} & danger


def test_cf_c1_the_house_track_leaves_room_between_its_zones(house):
    """A car can shift down between two danger zones: there are four straight positions or more."""
    danger = danger_of(house)
    runs = [(is_danger, len(list(spots))) for is_danger, spots in groupby(house.track, lambda spot: spot.number in danger)]
    assert [is_danger for is_danger, _ in runs] == [False, True] * 5 + [False]
    assert all(count >= 4 for is_danger, count in runs if not is_danger)


def test_cf_c1_two_cars_stand_side_by_side_on_a_wide_position(scene):
    race = scene(red={"position": 2, "gear": 1}, blue={"position": 4, "gear": 1})
    race.do("red", Shift(1), 2, 3)
    assert race.at("red") == race.at("blue") == 4


def test_cf_c1_positions_count_from_the_line_in_every_lap(scene):
    config = scene(laps=3).config
    assert [config.position_at(driven) for driven in (0, 1, 30, 31, 60, 61, 90)] == [0, 1, 30, 1, 30, 1, 30]
    assert [config.lap_at(driven) for driven in (0, 1, 30, 31, 60, 61, 90)] == [1, 1, 1, 2, 2, 3, 3]


def test_cf_c1_contiguous_danger_positions_are_one_zone(scene):
    race = scene(red={"position": 11, "gear": 3}, spun=(6, 3))
    config = race.config
    assert [stop.zone.name for stop in drive_of(config, race.state).stops if stop.zone] == ["Zone B"]
    assert config.section_at(14).zone is config.section_at(15).zone
    assert (config.section_at(14).number, config.section_at(15).number) == (1, 2)
    assert config.section_at(12) is None


def test_cf_c2_each_face_of_a_wheel_comes_up(scene, parts):
    race, chance = scene(), CommittedChance(b"0" * 32, {})
    at_the_start = replace(race.state, turn=None)
    told = [event for _ in range(300) for event in RULESET.proceed(race.config, at_the_start, chance)]
    assert {(event.a, event.b) for event in told if event.kind == "start-spun"} == set(product(range(1, 7), repeat=2))


def test_cf_c2_the_wheels_are_component_data(scene, parts):
    """A set of its own may have other wheels; A and B are told apart."""
    race = scene(parts=parts(wheel_a=(2, 2, 4), wheel_b=(7,)), red={"gear": 1})
    told = race.do("red", Shift(1), 4, 7)
    assert [(event.a, event.b, event.spaces) for event in told if event.kind == "wheels-spun"] == [(4, 7, 4)]
    outcome = race.send("blue", Shift(1), draws=("7", "7"))
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["core/impossible-outcome"]


def test_cf_c3_there_are_four_gears():
    assert GEAR_LETTERS == ("N", "1", "2", "3")


@pytest.mark.parametrize("gear", [4, 5, 12, 100])
def test_cf_c3_there_is_no_other_gear(scene, gear):
    race = scene(red={"gear": 3})
    for plan in (None, Go(), Brake(), Brake(2)):
        assert race.wrong("red", Shift(gear, plan)) == ("no-such-gear", "CF-C3")
    assert race.refuse("red", Shift(gear)).suggestions == ("GEAR N", "GEAR 1", "GEAR 2", "GEAR 3")
