"""All shortest ways, and Black Spots that leave one of them (RR-L2), compared with a slow search."""

import random
from itertools import combinations, islice, pairwise
from math import comb

import pytest
from counted import calls
from play import begin

from adjudicator.core.graph import Graph
from adjudicator.games.rally_round import laying
from adjudicator.games.rally_round.components import Colour, Control, Rally, Side, Square, Timing
from adjudicator.games.rally_round.markers import Markers, laid_course, useful_spots
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.office.routes import ambiguities
from adjudicator.games.rally_round.route import legs_of
from adjudicator.games.rally_round.spots import few_spots
from adjudicator.games.rally_round.ways import NONE, first_way, reach


def scattered(seed):
    """Return a small map of squares linked at random, and the generator it came from."""
    chosen = random.Random(seed)
    squares = [f"s{number}" for number in range(chosen.randint(4, 11))]
    links = dict.fromkeys(squares, ())
    for one, other in combinations(squares, 2):
        if chosen.random() < 0.35:
            links[one] += (other,)
            links[other] += (one,)
    return links, squares, chosen


def town(size):
    """Return crossroads in rows and columns, and a rally from corner to corner."""
    names = {(x, y): f"{x}.{y}" for x in range(1, size + 1) for y in range(1, size + 1)}
    squares = {name: Square(id=name, x=x, y=y, colour=Colour.RED) for (x, y), name in names.items()}
    links = {
        name: tuple(names[at] for at in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)) if at in names)
        for (x, y), name in names.items()
    }
    finish = Control(square=f"{size}.{size}", side=Side.NORTH, section=Timing.ROAD)
    return Network(squares, links, {}, {}), Rally(id="town", name="Town", controls=(Control(square="1.1"), finish))


def slowly(links, start, goal):
    """Return all shortest ways, one square after the other."""
    ways = [(start,)]
    for _ in links:
        found = [way for way in ways if way[-1] == goal]
        if found:
            return found
        ways = [(*way, other) for way in ways for other in links[way[-1]] if other not in way]
    return []


@pytest.mark.parametrize("seed", range(60))
def test_rr_l2_all_shortest_ways_are_found_counted_and_told_apart(seed):
    links, squares, _ = scattered(seed)
    slow = slowly(links, squares[0], squares[-1])
    ways = reach(Graph(links), squares[0]).ways(squares[-1])
    assert sorted(ways) == sorted(slow)
    assert (ways.number, bool(ways)) == (len(slow), bool(slow))
    assert ways.common == (frozenset.intersection(*map(frozenset, slow)) if slow else frozenset())
    assert ways.distance == (len(slow[0]) - 1 if slow else 0)
    assert first_way(Graph(links), squares[0], squares[-1:]) == min(slow, default=None)


@pytest.mark.parametrize("seed", range(120))
def test_rr_l2_black_spots_leave_a_way_alone_wherever_some_can(seed):
    links, squares, chosen = scattered(seed)
    ways = reach(Graph(links), squares[0]).ways(squares[-1])
    for kept in list(ways)[:4]:
        barred = {square for square in squares if chosen.random() < 0.15}
        others = [{*way} for way in ways if way != kept]
        free = [square for square in ways.squares if square not in {*kept, *barred}]
        enough = (spots for size in range(len(free) + 1) for spots in combinations(free, size))
        least = next((spots for spots in enough if all(way & {*spots} for way in others)), None)
        found = few_spots(ways, kept, barred)
        assert (found is None) is (least is None)
        if found is not None and least is not None:
            assert len(least) <= len(found) <= 2 * len(least)
            assert all(way & {*found} for way in others)
            assert {*found} <= {*free}
            assert not any(all(way & ({*found} - {spot}) for way in others) for spot in found)


def test_no_way_is_no_way():
    assert (list(NONE), NONE.number, NONE.distance, NONE.common, bool(NONE)) == ([], 0, 0, frozenset(), False)


def test_more_ways_than_anybody_can_list_are_counted_and_the_first_are_there():
    network, rally = town(60)
    (leg,) = legs_of(network, rally)
    assert leg.ways.number == comb(117, 59)
    for way in islice(leg.ways, 4):
        assert all(there in network.links[here] for here, there in pairwise(way))


@pytest.mark.parametrize("look", [lambda *town: list(legs_of(*town)), lambda *town: list(ambiguities(*town))])
def test_a_map_four_times_as_large_takes_four_times_as_long(look):
    small, large = town(15), town(30)
    look(*small)
    assert calls(lambda: look(*large)) < 1.3 * 4 * calls(lambda: look(*small))


@pytest.mark.parametrize("seed", range(12))
def test_rr_l4_any_route_of_legal_markers_can_be_completed(seed):
    """The finish stays in reach, and Black Spots leave fewer ways until one is left, or none of them is legal."""
    chosen = random.Random(seed)
    config = begin("rally-round", "red", options={"mode": "table"}, secret=f"{seed:064x}").config
    start, finish = chosen.sample(config.chequered, 2)
    markers = Markers((Control(square=start),), (), finish)
    orders = list(laying.places(config))
    for _ in range(chosen.choice((2, 5, 12))):
        legal = (one for one in chosen.sample(orders, len(orders)) if laying.wrong_marker(config, markers, one) is None)
        markers = placed(config, markers, next(one for one in legal if one.square != finish or not any(markers.black_spots)))
        if markers.is_closed:
            break
    while not markers.is_closed:
        ends = (one for one in orders if one.square == finish and laying.wrong_marker(config, markers, one) is None)
        others = (one for one in chosen.sample(orders, len(orders)) if laying.wrong_marker(config, markers, one) is None)
        markers = placed(config, markers, next(ends, None) or next(others))
    while not laid_course(config, markers).sections:
        markers = markers._replace(black_spots=(*markers.black_spots, next(useful_spots(config, markers))))
    assert laid_course(config, markers).sections[-1].end.square == finish


def placed(config, markers, order):
    if order.what == "blackspot":
        return markers._replace(black_spots=(*markers.black_spots, order.square))
    return markers._replace(controls=(*markers.controls, laying.control_of(config, order)))
