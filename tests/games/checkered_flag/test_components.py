"""Component sets that cannot be played with are refused, with every reason."""

from dataclasses import replace

import pytest

from adjudicator.core.options import fill_options
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkered_flag.components import Curve, Zone
from adjudicator.games.checkered_flag.rules import RULESET


def configure(components):
    options = fill_options(RULESET.meta, ("red", "blue"), {})
    return RULESET.configure(Setup((Player("red"), Player("blue")), options, components), RULESET.meta.version)


def reasons(components, *rules):
    """Return why ``components`` are refused, by ``rules`` (CF-C1 alone unless told)."""
    with pytest.raises(SetupError) as caught:
        configure(components)
    assert {problem.code for problem in caught.value.problems} == {"checkered-flag/unfit-set"}
    assert [problem.rule for problem in caught.value.problems] == list(rules or ["CF-C1"])
    return [problem.message for problem in caught.value.problems]


def test_the_shipped_set_is_fit(house):
    config = configure(house)
    assert config.length == config.distance == 54


def test_the_laps_make_the_distance(house):
    options = fill_options(RULESET.meta, ("red", "blue"), {"laps": "3"})
    assert RULESET.configure(Setup((Player("red"), Player("blue")), options, house), RULESET.meta.version).distance == 162


def test_positions_are_counted_in_order(parts):
    components = parts()
    track = (*components.track[:4], components.track[6], *components.track[5:])
    (reason,) = reasons(replace(components, track=track))
    assert reason == "the track counts its positions 1, 2, … in order; 7 is out of order"


def test_a_zone_has_one_id(parts):
    components = parts()
    first, second, third = components.zones
    assert reasons(replace(components, zones=(first, replace(second, id="a"), third))) == [
        "the component set has the zone a 2 times"
    ]


def test_wheels_of_one_number_never_choose_who_goes_first(parts):
    assert reasons(parts(wheel_a=(3, 3), wheel_b=(2,)), "CF-C2") == [
        "two wheels with one number each would spin for the first turn forever"
    ]
    assert configure(parts(wheel_a=(3, 3), wheel_b=(2, 3)))


@pytest.mark.parametrize(("first", "last"), [(7, 6), (29, 31), (31, 31)])
def test_a_curve_lies_on_the_track(parts, first, last):
    components = parts()
    bad = Zone("x", "Nowhere", (Curve(first, last),))
    assert reasons(replace(components, zones=(*components.zones, bad)), "CF-D1") == [
        f"a curve cannot go from {first} to {last} on a track of 30 positions"
    ]


def test_danger_is_what_lies_in_a_curve(parts):
    """The ground is written down once, by the zones: everything else is straight."""
    components = parts()
    config = configure(components)
    assert [at for at in range(31) if config.section_at(at)] == [6, 7, 8, *range(13, 18), 24, 25, 26]
    config = configure(replace(components, zones=components.zones[1:]))
    assert not any(config.section_at(at) for at in (6, 7, 8))


def test_danger_is_in_one_curve(parts):
    components = parts()
    zones = components.zones
    twice = replace(zones[0], curves=(Curve(6, 7), Curve(7, 8)))
    assert reasons(replace(components, zones=(twice, *zones[1:])), "CF-D1") == [
        "the curves of Zone A do not follow each other"
    ]


def test_a_position_is_in_one_zone(parts):
    components = parts()
    first, *others = components.zones
    double = Zone("x", "Zone X", first.curves)
    assert reasons(replace(components, zones=(first, double, *others))) == [
        "Zone A and Zone X overlap: contiguous danger positions are one zone"
    ]


def test_a_zone_has_a_name_of_its_own_on_one_line(parts):
    components = parts()
    first, second, third = components.zones
    zones = (replace(first, name="Zone B"), second, replace(third, name="Zone\nD"))
    assert reasons(replace(components, zones=zones), "CF-C1", "CF-C1") == [
        "the component set has the zone name Zone B 2 times",
        "the name of zone d is not one line of plain text",
    ]


def test_the_curves_of_a_zone_follow_each_other(parts):
    components = parts()
    first, second, third = components.zones
    swapped = replace(second, curves=tuple(reversed(second.curves)))
    assert reasons(replace(components, zones=(first, swapped, third)), "CF-D1") == [
        "the curves of Zone B do not follow each other"
    ]


def test_curves_of_a_zone_need_not_touch(parts):
    """What lies between them is danger of the zone, and of no curve."""
    components = parts()
    first, second, third = components.zones
    apart = replace(second, curves=(Curve(13, 13), Curve(16, 17)))
    config = configure(replace(components, zones=(first, apart, third)))
    sections = {at: config.section_at(at) for at in range(12, 19)}
    assert {at: section.number for at, section in sections.items() if section} == {13: 1, 14: 0, 15: 0, 16: 2, 17: 2}
    assert {section.zone for section in sections.values() if section} == {apart}


def test_nothing_else_lies_between_the_curves_of_a_zone(parts):
    components = parts()
    first, second, third = components.zones
    across = replace(second, curves=(Curve(13, 17), Curve(28, 29)))
    assert reasons(replace(components, zones=(first, across, third))) == [
        "Zone B and Zone D overlap: contiguous danger positions are one zone"
    ]
    beside = replace(first, curves=(Curve(6, 6), Curve(12, 12)))
    assert reasons(replace(components, zones=(beside, second, third))) == [
        "Zone A and Zone B touch: contiguous danger positions are one zone"
    ]


def test_zones_do_not_touch(parts):
    components = parts()
    first, second, third = components.zones
    halves = (replace(second, curves=second.curves[:1]), Zone("c", "Zone C", second.curves[1:]))
    assert reasons(replace(components, zones=(first, *halves, third))) == [
        "Zone B and Zone C touch: contiguous danger positions are one zone"
    ]


def test_no_zone_runs_across_the_line(parts):
    assert reasons(parts("aa" + "." * 20 + "bb")) == [
        "danger on both sides of the line would be one zone from one lap into the next"
    ]
    assert configure(parts("aa" + "." * 20)).section_at(1)
    assert configure(parts("." * 20 + "aa")).section_at(22)


def test_everything_wrong_is_told_at_once(parts):
    components = parts(wheel_a=(1,), wheel_b=(1,))
    first, second, third = components.zones
    zones = (replace(first, curves=(Curve(5, 7), Curve(9, 9))), replace(second, id="a", curves=(Curve(8, 9),)), third)
    track = tuple(replace(spot, number=40) if spot.number == 7 else spot for spot in components.track)
    rules = ("CF-C2", "CF-C1", "CF-C1", "CF-C1")
    told = reasons(replace(components, track=track, zones=zones), *rules)
    assert ["wheels" in told[0], "40" in told[1], "the zone a" in told[2]] == [True, True, True]
    assert told[3:] == ["Zone A and Zone B overlap: contiguous danger positions are one zone"]
