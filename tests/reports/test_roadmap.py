"""Maps as text and as pictures: spots where they lie, the marked route, signs, names and pieces."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Badge, Drawing, Legend, Roadmap, Spot
from adjudicator.core.scene import Sign
from adjudicator.reports.drawing import drawing_text
from adjudicator.reports.picture import picture
from adjudicator.reports.picture_roadmap import STEP
from adjudicator.reports.picture_sections import section_drawing, section_names
from adjudicator.scenes.labels import Box, placed_names

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

SECTIONS = Roadmap(
    "Map",
    tuple(Spot(x, 1, f"{chr(64 + x)}1", "red") for x in range(1, 17)),
    (),
    sections=(("TC2", ("A1", "B1", "C1")), ("STC3", tuple(f"{letter}1" for letter in "CDEFGHIJKLMNO"))),
)

CAPITALS = "  capital letters: the marked route"


def lines(roadmap: Roadmap) -> list[str]:
    return drawing_text(Drawing((roadmap,))).splitlines()


def on_the_map(root: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    """Return the elements of the map itself, which is the first group: the others are those of the legend."""
    (first, *_) = root.findall(f"{SVG}g")
    return list(first.iter(f"{SVG}{tag}"))


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
    assert lines(wide) == ["Map", "  too wide for text, 98 columns: see the picture"]


def test_an_empty_map_is_drawn_as_well() -> None:
    assert lines(Roadmap("Map", (), ()))[0] == "Map"
    root_of(Roadmap("Map", (), ()), LEGEND)


def test_a_picture_has_every_spot_road_and_hidden_track() -> None:
    root = root_of(MAP, LEGEND)
    told = [text.text for text in root.iter(f"{SVG}text")]
    assert {"B5", "C5", "E5", "C7", "TC1", "Harbour", "~", "→"} <= set(told)
    ends = {tuple(float(line.get(name, 0)) for name in ("x1", "y1", "x2", "y2")) for line in on_the_map(root, "line")}
    assert ends == {
        (46.0, 0.0, 138.0, 0.0),  # the hidden track, from C5 to E5
        (0.0, 0.0, 23.0, 0.0), (46.0, 0.0, 23.0, 0.0),  # B5 to C5, each half as its own spot has it
        (46.0, 0.0, 46.0, 46.0), (46.0, 92.0, 46.0, 46.0),  # C5 to C7
    }  # fmt: skip
    (route,) = root.iter(f"{SVG}polyline")
    assert len((route.get("points") or "").split()) == 2


def test_grounds_called_like_a_colour_have_it_and_cars_stand_on_the_map() -> None:
    root = root_of(MAP, LEGEND)
    fills = {rect.get("fill") for rect in root.iter(f"{SVG}rect")}
    assert "#e0897a" in fills
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


KINDS = ("red", "orange", "yellow", "white")


def test_kinds_of_road_are_told_apart_without_their_colours() -> None:
    """By how light they are, by the line around their spots, by the line between them."""
    key = Legend(tuple((kind[0], kind) for kind in KINDS))
    looks = []
    for kind in KINDS:
        pair = Roadmap("Map", (Spot(1, 1, "A1", kind), Spot(2, 1, "B1", kind)), (("A1", "B1"),))
        root = root_of(pair, key)
        rect, lines_drawn = on_the_map(root, "rect")[0], on_the_map(root, "line")
        red, green, blue = (int(rect.get("fill", "")[at : at + 2], 16) for at in (1, 3, 5))
        light = 0.299 * red + 0.587 * green + 0.114 * blue
        around = rect.get("stroke-width"), rect.get("stroke-dasharray")
        between = tuple((line.get("stroke-width"), line.get("stroke-dasharray")) for line in lines_drawn)
        looks.append((light, around, between))
    lights = [light for light, _, _ in looks]
    assert all(after - before > 20 for before, after in pairwise(lights[:3]))
    assert lights[3] > lights[2]
    assert len({around for _, around, _ in looks}) == len({between for _, _, between in looks}) == len(KINDS)


def test_the_signs_are_explained_beside_a_map_only() -> None:
    key = Legend(spot_signs=(("GW", "Give Way"),))
    assert "Give Way" in {text.text for text in root_of(MAP, key).iter(f"{SVG}text")}
    assert "Give Way" not in drawing_text(Drawing((MAP, key)))


def test_names_lie_over_no_square_no_road_and_no_other_name() -> None:
    spots = tuple(Spot(x, y, f"{chr(64 + x)}{y}", "red", name="Long Name Abbas") for x in (1, 4, 7) for y in (1, 3, 5))
    middles = {spot.label: ((spot.x - 1) * STEP, (spot.y - 1) * STEP) for spot in spots}
    squares = [Box(x - 18, y - 18, x + 18, y + 18) for x, y in middles.values()]
    roads = [Box(x - 5, 0, x + 5, 5 * STEP) for x in (0, 3 * STEP, 6 * STEP)]
    placed = placed_names({spot.label: spot.name for spot in spots}, middles, 18, (*squares, *roads), 10)
    boxes = [*(one.box for one in placed), *squares]
    assert [one.overlap(other) for one, other in combinations(boxes, 2) if one.overlap(other)] == []
    assert [one.box.overlap(road) for one in placed for road in roads if one.box.overlap(road)] == []


def test_a_section_is_cut_out_with_what_lies_around_it_and_shown_as_wide_as_a_phone() -> None:
    parts = section_drawing(Drawing((SECTIONS, LEGEND)), "tc2")
    assert parts is not None
    first, legend = parts.shapes
    assert isinstance(first, Roadmap)
    assert ([spot.label for spot in first.spots], first.title, legend) == (["A1", "B1", "C1", "D1"], "To TC2", LEGEND)
    found = picture(parts, "x", width=400)
    assert found is not None
    assert ElementTree.fromstring(found).get("width") == "400"


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        ("2", ["To TC2"]),
        ("stc3", ["To STC3, part 1 of 2", "To STC3, part 2 of 2"]),
        ("all", ["To TC2", "To STC3, part 1 of 2", "To STC3, part 2 of 2"]),
    ],
)
def test_a_wide_section_has_parts_that_overlap(wanted: str, titles: list[str]) -> None:
    parts = section_drawing(Drawing((SECTIONS,)), wanted)
    assert parts is not None
    maps = [shape for shape in parts.shapes if isinstance(shape, Roadmap)]
    assert [one.title for one in maps] == titles
    assert all(max(spot.x for spot in one.spots) - min(spot.x for spot in one.spots) <= 9 for one in maps)
    if len(maps) == 2:
        assert {"C1", "I1"} <= {spot.label for spot in maps[0].spots}
        assert {"I1", "O1"} <= {spot.label for spot in maps[1].spots}


def test_a_section_that_is_not_there_is_none() -> None:
    assert section_drawing(Drawing((SECTIONS,)), "TC9") is None
    assert section_names(Drawing((SECTIONS,))) == ("TC2", "STC3")


def test_everything_fits_on_the_paper() -> None:
    root = root_of(MAP, LEGEND)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= width
        assert float(rect.get("y", 0)) + float(rect.get("height", 0)) <= height
