"""Arrows of moved pieces follow the road: along the shortest way, beside the middles of the places."""

from __future__ import annotations

import pytest

from adjudicator.core.scene import Frame, Road
from adjudicator.reports.drawings.changes import Change
from adjudicator.reports.drawings.scene_parts import Badge
from adjudicator.reports.drawings.seat_key import Key
from adjudicator.reports.pictures.marks import marked
from adjudicator.reports.pictures.road_ways import road_between
from adjudicator.reports.pictures.sketch import Part, Point, scene_part
from adjudicator.scenes import Scene, Sign, Token, group

SPOTS = {"A": (0, 0), "B": (50, 0), "C": (50, 50), "D": (50, 100), "E": (0, 100)}
STEPS = (("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"))


def part_of(*cars: tuple[str, str], road: Road | None) -> Part:
    places = [group((), id=name, frame=Frame(x, y, 40, 40)) for name, (x, y) in SPOTS.items()]
    tokens = [Token(seat, *SPOTS[at], at, seat, seat) for seat, at in cars]
    return scene_part(Scene("map", "Map", (*places, *tokens), 100, 140, road=road), Key(("red",), ("red",)))


@pytest.mark.parametrize(
    ("origin", "place", "beside", "points"),
    [
        ("A", "D", 0, ((50, 0), (50, 50))),
        ("A", "C", 10, ((40, 10),)),
        ("A", "E", 0, ((50, 0), (50, 50), (50, 100))),
        ("D", "A", 0, ()),
        ("A", "Nowhere", 0, ()),
    ],
)
def test_the_way_leads_along_the_steps(origin: str, place: str, beside: float, points: tuple[Point, ...]) -> None:
    found = road_between(part_of(road=Road(STEPS, beside)), origin, place)
    assert [(round(x), round(y)) for x, y in found] == [*points]


def test_without_a_road_there_is_no_way() -> None:
    assert road_between(part_of(road=None), "A", "D") == ()


def test_an_arrow_bends_with_its_road() -> None:
    change = Change("E", Badge("red", Sign.PIECE, "red"), "A")
    for road, is_followed in ((Road(STEPS), True), (None, False)):
        drawn = "".join(marked(part_of(("red", "E"), road=road), part_of(("red", "A"), road=road), [change]).drawn)
        assert ("L50.0 0.0L50.0 50.0L50.0 100.0L" in drawn) == is_followed
        assert ("Q" in drawn) != is_followed
