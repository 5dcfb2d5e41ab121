"""Ambiguous routes (RR-L2): all shortest ways counted, and Black Spots that really leave one."""

from dataclasses import replace
from itertools import pairwise
from math import comb

import pytest

from adjudicator.games.rally_round.components import Colour, Control, Rally, Side, Square, Timing
from adjudicator.games.rally_round.network import Network, network_of
from adjudicator.games.rally_round.office.routes import MOST_WAYS, ambiguities, settled
from adjudicator.games.rally_round.route import flaws_of, legs_of


def town(size):
    """Return a town of ``size`` × ``size`` crossroads, and a rally from its north-west to its south-east."""
    names = {(x, y): f"{x}.{y}" for x in range(1, size + 1) for y in range(1, size + 1)}
    squares = {name: Square(id=name, x=x, y=y, colour=Colour.RED) for (x, y), name in names.items()}
    links = {
        name: tuple(names[at] for at in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)) if at in names)
        for (x, y), name in names.items()
    }
    finish = Control(square=f"{size}.{size}", side=Side.NORTH, section=Timing.ROAD)
    return Network(squares, links, {}, {}), Rally(id="town", name="Town", controls=(Control(square="1.1"), finish))


@pytest.mark.parametrize("size", [2, 3, 5, 12])
def test_rr_l2_all_shortest_ways_are_counted_however_many(size):
    network, rally = town(size)
    # Into the last square from the north: all ways over size - 1 columns and size - 2 rows to the square before it.
    ways = comb(2 * size - 3, size - 1)
    found = list(ambiguities(network, rally))
    assert [one.ways for one in found] == ([ways] if ways > 1 else [])


@pytest.mark.parametrize("size", [3, 5, 8])
def test_rr_l2_the_black_spots_leave_one_way_of_the_same_length(size):
    network, rally = town(size)
    (found,) = ambiguities(network, rally)
    assert found.remedies
    for choice in found.remedies:
        (leg,) = legs_of(network, replace(rally, black_spots=choice.squares))
        assert leg.ways.number == 1
        assert leg.distance == found.distance
        assert choice.through in leg.ways.first
        assert not {*choice.squares} & {*leg.ways.first}


def test_rr_l2_all_ambiguities_are_settled_together(world):
    lanes = ["C1 C2 D2 E2 E1", "C1 C3 D3 E3 E1", "I1 I2 J2 K2 K1", "I1 I3 J3 K3 K1"]
    components = world.parts("..." + "." * 12, lanes=lanes)
    network = network_of(components)
    rally = world.rally("A1", "G1 W", "O1 W road", black_spots="D1 J1")
    assert [one.ways for one in ambiguities(network, rally)] == [2, 2]
    spots = settled(network, rally)
    assert len(spots) == 2
    assert list(flaws_of(network, replace(rally, black_spots=(*rally.black_spots, *spots)))) == []


def test_rr_l2_what_is_unambiguous_needs_no_black_spot():
    network, rally = town(2)
    assert settled(network, rally) == ()


def test_rr_l2_more_black_spots_than_anybody_would_place_are_not_offered():
    network, rally = town(40)
    (found,) = ambiguities(network, rally)
    assert (found.remedies, found.ways) == ((), min(MOST_WAYS, comb(77, 39)))
    assert settled(network, rally) is None


def test_the_ways_of_a_leg_go_from_square_to_square(world):
    network, rally = town(4)
    for way in legs_of(network, rally)[0].ways:
        assert all(there in network.links[here] for here, there in pairwise(way))
