"""Graphs: the fewest steps from a place, and the cheapest ways."""

from adjudicator.core import graph

ROUND = {"a": "bd", "b": "ac", "c": "bd", "d": "ca", "island": ""}


def test_steps_are_the_fewest_to_every_place_in_reach_near_ones_first():
    assert list(graph.Graph(ROUND).steps("a").items()) == [("a", 0), ("b", 1), ("d", 1), ("c", 2)]


def test_steps_enter_open_places_only_and_begin_anywhere():
    assert graph.Graph(ROUND).steps("a", lambda place: place in "cd") == {"a": 0, "d": 1, "c": 2}


def test_a_way_to_a_place_that_does_not_exist_leads_nowhere():
    assert graph.Graph({"a": "bx", "b": "a"}).steps("a") == {"a": 0, "b": 1}


def test_cheapest_ways_are_those_to_each_place_by_cost_with_their_value():
    costs = {"ab": 5, "ad": 1, "dc": 1, "cb": 1}

    def onward(way, value):
        here = way[-1] if way else "a"
        for other in ROUND[here]:
            if here + other in costs:
                yield costs[here + other], other, value + here + other

    ways = list(graph.cheapest_ways("a", "", onward))
    assert ways == [(("d",), "ad"), (("d", "c"), "addc"), (("d", "c", "b"), "addccb")]


def test_of_ways_of_one_cost_the_shorter_comes_first():
    ways = graph.cheapest_ways("a", 0, lambda way, value: ((0, other, 0) for other in ROUND[way[-1] if way else "a"]))
    assert [way for way, _ in ways] == [("b",), ("d",), ("b", "c")]


def test_the_cheapest_way_is_found_or_none():
    steps = {"a": [("b", 1), ("c", 5)], "b": [("c", 1)], "c": [("d", 1)], "d": [], "e": []}
    assert graph.cheapest_way("a", "d", lambda here: steps[here]) == ("a", "b", "c", "d")
    assert graph.cheapest_way("a", "a", lambda here: steps[here]) == ("a",)
    assert graph.cheapest_way("a", "e", lambda here: steps[here]) == ()
