"""How long it takes to lay a route: a section of the house map, and one of a map of 10,000 squares (CPU time)."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from adjudicator.games.rally_round.components import Colour, Components, Control, Rally, Road, Side, Square, Timing
from adjudicator.games.rally_round.network import flaws_of, network_of
from adjudicator.games.rally_round.office.routes import ambiguities
from adjudicator.games.rally_round.route import legs_of, sections_of
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.store.components import shipped

pytestmark = pytest.mark.benchmark
SIZE = 100
GOAL_HOUSE, GOAL_BIG = 0.05, 1.0
"""Seconds of CPU for a section."""


def house() -> Components:
    found: Components = shipped(RULESET)[0]
    return found


def big() -> Components:
    """Return a map of 10,000 squares, roads north to south in every column and across in every third row."""
    numbers = range(1, SIZE + 1)
    squares = tuple(Square(id=f"{x}.{y}", x=x, y=y, colour=Colour.RED) for y in numbers for x in numbers)
    columns = (Road(f"Column {x}", tuple(f"{x}.{y}" for y in numbers)) for x in numbers)
    rows = (Road(f"Row {y}", tuple(f"{x}.{y}" for x in numbers)) for y in numbers[::3])
    made = house()
    return Components(
        id="big",
        version=1,
        name="Big",
        note="",
        squares=squares,
        roads=(*columns, *rows),
        kit=made.kit,
        hazards=made.hazards,
    )


def controls(*places: tuple[str, Side]) -> Rally:
    posts = (Control(square=square, side=side, section=Timing.ROAD) for square, side in places)
    return Rally(id="long", name="Long", controls=(Control(square="1.1"), *posts))


@pytest.mark.benchmark(group="a section of a route", timer=process_time)
def test_a_section_of_the_house_map(benchmark: Any) -> None:
    components = house()
    network, rally = network_of(components), components.rallies[0]
    sections = benchmark(lambda: sections_of(legs_of(network, rally)))
    assert len(sections) == 9
    benchmark.extra_info["a section"] = (
        f"{benchmark.stats['mean'] / len(sections) * 1000:.2f} ms, goal {GOAL_HOUSE * 1000} ms"
    )


@pytest.mark.benchmark(group="a section of a route", timer=process_time)
def test_a_section_of_10_000_squares(benchmark: Any) -> None:
    network = network_of(big())
    rally = controls(("90.2", Side.NORTH), ("2.99", Side.NORTH), ("99.99", Side.NORTH))
    legs = benchmark(lambda: legs_of(network, rally))
    assert [bool(leg.ways) for leg in legs] == [True, True, True]
    benchmark.extra_info["a section"] = f"{benchmark.stats['mean'] / len(legs) * 1000:.0f} ms, goal {GOAL_BIG * 1000} ms"


@pytest.mark.benchmark(group="a section of a route", timer=process_time)
def test_the_ambiguities_of_10_000_squares(benchmark: Any) -> None:
    network = network_of(big())
    rally = controls(("90.2", Side.NORTH), ("2.99", Side.NORTH), ("99.99", Side.NORTH))
    found = benchmark.pedantic(lambda: list(ambiguities(network, rally)), rounds=2)
    assert [one.leg.end.name for one in found] == ["TC3", "TC4"]
    benchmark.extra_info["a section"] = f"{benchmark.stats['mean'] / 3 * 1000:.0f} ms, goal {GOAL_BIG * 1000} ms"


@pytest.mark.benchmark(group="a map", timer=process_time)
def test_the_flaws_of_a_map_of_10_000_squares(benchmark: Any) -> None:
    components = big()
    assert benchmark.pedantic(lambda: list(flaws_of(components)), rounds=2) == []
