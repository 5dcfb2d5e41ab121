"""Maps as text and as pictures: spots where they lie, the marked route, signs, names and pieces."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Badge, Drawing, Legend, Roadmap, Sign, Spot
from adjudicator.reports.drawing import drawing_text
from adjudicator.reports.picture import picture

SVG = "{http://www.w3.org/2000/svg}"
LEGEND = Legend((("r", "red"), ("w", "white")), signs=((Sign.PIECE, "car"),))
MAP = Roadmap(
    "Map",
    (
        Spot(2, 5, "B5", "red", "TC1"),
        Spot(3, 5, "C5", "red", "", "Harbour"),
        Spot(5, 5, "E5", "white", "~"),
        Spot(3, 7, "C7", "white", "→", badges=(Badge("red", Sign.PIECE, "red"),)),
    ),
    (("B5", "C5"), ("C5", "C7")),
    (("C5", "E5"),),
    ("B5", "C5"),
)

CAPITALS = "  capital letters: the marked route"


def lines(roadmap: Roadmap) -> list[str]:
    return drawing_text(Drawing((roadmap,))).splitlines()


def root_of(*shapes: Roadmap | Legend) -> ElementTree.Element:
    found = picture(Drawing(shapes), "x")
    assert found is not None
    return ElementTree.fromstring(found)


def test_spots_stand_where_they_lie_those_of_the_route_with_a_capital_letter() -> None:
    nameless = replace(
        MAP, spots=tuple(replace(spot, label=f"spot {spot.label}") for spot in MAP.spots), route=("spot B5", "spot C5")
    )
    assert lines(nameless) == ["Map", "  RT R     w~", "", "     w→▲", CAPITALS]


def test_columns_and_rows_stand_around_a_map_whose_labels_name_them() -> None:
    heads = "    B  C     E"
    assert lines(MAP) == ["Map", heads, "  5 RT R     w~", "", "  7    w→▲", heads, CAPITALS]


@pytest.mark.parametrize("label", ["E6", "D5", "E", "5", "E5b", "É5"])
def test_labels_that_do_not_tell_where_their_spots_lie_are_no_headings(label: str) -> None:
    odd = replace(MAP, spots=(*MAP.spots, Spot(6, 5, "F5"), Spot(5, 6, label)))
    if label == "E6":
        assert lines(odd)[1].split() == ["B", "C", "E", "F"]
    else:
        assert lines(odd)[1] == "  RT R     w~ ·"


def test_a_map_that_is_too_wide_for_a_mail_says_so() -> None:
    wide = replace(MAP, spots=(*MAP.spots, Spot(99, 5, "X", "red")))
    assert lines(wide) == ["Map", "  98 columns wide: its picture shows it"]


def test_an_empty_map_is_drawn_as_well() -> None:
    assert lines(Roadmap("Map", (), ()))[0] == "Map"
    root_of(Roadmap("Map", (), ()), LEGEND)


def test_a_picture_has_every_spot_road_and_hidden_track() -> None:
    root = root_of(MAP, LEGEND)
    told = [text.text for text in root.iter(f"{SVG}text")]
    assert {"B5", "C5", "E5", "C7", "TC1", "Harbour", "~", "→"} <= set(told)
    lines_drawn = list(root.iter(f"{SVG}line"))
    assert len(lines_drawn) == 3
    assert sum(line.get("stroke-dasharray") is not None for line in lines_drawn) == 1
    (route,) = root.iter(f"{SVG}polyline")
    assert len((route.get("points") or "").split()) == 2


def test_grounds_called_like_a_colour_have_it_and_cars_stand_on_the_map() -> None:
    root = root_of(MAP, LEGEND)
    fills = {rect.get("fill") for rect in root.iter(f"{SVG}rect")}
    assert "#f0a79c" in fills
    assert any(circle.get("r") == "8" for circle in root.iter(f"{SVG}circle"))


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b"])
def test_names_are_never_markup(hostile: str) -> None:
    root = root_of(Roadmap(hostile, (Spot(1, 1, hostile, hostile, hostile, hostile, (hostile,)),), ()), LEGEND)
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {
        "svg",
        "g",
        "rect",
        "text",
        "line",
        "polyline",
        "circle",
    }


def test_everything_fits_on_the_paper() -> None:
    root = root_of(MAP, LEGEND)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= width
        assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= height
