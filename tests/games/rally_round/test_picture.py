"""Maps as text and as pictures: spots where they lie, the marked route, signs, names and pieces."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.games.rally_round.components import Colour
from adjudicator.games.rally_round.picture import STEP, legend, map_scene
from adjudicator.games.rally_round.roadmap import Roadmap, Spot
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.reports.pictures.picture import picture
from adjudicator.reports.pictures.sections import focus_drawing, section_drawing, section_names
from adjudicator.scenes import Group, Path, Scene
from adjudicator.scenes.labels import Box, placed_names

SVG = "{http://www.w3.org/2000/svg}"
LEGEND = legend((("GW", "Give Way"),))
RED, WHITE = Colour.RED, Colour.WHITE
MAP = Roadmap(
    "Map",
    (
        Spot(2, 5, "B5", RED, "TC1"),
        Spot(3, 5, "C5", RED, "", "Harbour"),
        Spot(5, 5, "E5", WHITE, "~"),
        Spot(3, 7, "C7", WHITE, "→"),
    ),
    (("B5", "C5"), ("C5", "C7")),
    (("C5", "E5", ""),),
    (("C7", ("red",)),),
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
    return drawing_text(Drawing((map_scene(roadmap),))).splitlines()


def paths_of(roadmap: Roadmap) -> list[Path]:
    """Return the paths of the map itself, those of its squares excluded."""
    (first, *_) = map_scene(roadmap).parts
    return [part for part in first.parts if isinstance(part, Path)]


def root_of(roadmap: Roadmap) -> ElementTree.Element:
    found = picture(Drawing((map_scene(roadmap), LEGEND)), "x")
    assert found is not None
    return ElementTree.fromstring(found)


def test_spots_stand_where_they_lie_those_of_the_route_with_a_capital_letter() -> None:
    spots = tuple(replace(spot, label=f"spot {spot.label}") for spot in MAP.spots)
    nameless = replace(MAP, spots=spots, route=("spot B5", "spot C5"), cars=(("spot C7", ("red",)),))
    assert lines(nameless) == ["Map", "  RT R     w~", "", "     w→▲", CAPITALS]


def test_columns_and_rows_stand_around_a_map_whose_labels_name_them() -> None:
    heads = "    B  C     E"
    assert lines(MAP) == ["Map", heads, "  5 RT R     w~", "", "  7    w→▲", heads, CAPITALS]


@pytest.mark.parametrize("label", ["E6", "D5", "E", "5", "E5b", "É5"])
def test_labels_that_do_not_tell_where_their_spots_lie_are_no_headings(label: str) -> None:
    odd = replace(MAP, spots=(*MAP.spots, Spot(6, 5, "F5", WHITE), Spot(5, 6, label, WHITE)))
    if label == "E6":
        assert lines(odd)[1].split() == ["B", "C", "E", "F"]
    else:
        assert lines(odd)[1] == "  RT R     w~ w"


def test_a_map_that_is_too_wide_for_a_mail_says_so() -> None:
    wide = replace(MAP, spots=(*MAP.spots, Spot(99, 5, "X", RED)))
    assert lines(wide) == ["Map", "  too wide for text, 98 columns: see the picture"]


def test_an_empty_map_is_drawn_as_well() -> None:
    assert lines(Roadmap("Map", (), ()))[0] == "Map"
    root_of(Roadmap("Map", (), ()))


def test_a_picture_has_every_spot_road_and_hidden_track() -> None:
    root = root_of(MAP)
    told = [text.text for text in root.iter(f"{SVG}text")]
    assert {"B5", "C5", "E5", "C7", "TC1", "Harbour", "~", "→"} <= set(told)
    ways = {path.way for path in paths_of(MAP) if path.stroke not in ("", "#ffffff")}
    assert {"M52 0L156 0", "M0 0L26 0", "M52 0L26 0", "M52 0L52 52", "M52 104L52 52"} <= ways
    assert "M0 0L52 0" in ways, "the route"
    named = {one.name: one.id for one in found_in(map_scene(replace(MAP, tracks=(("C5", "E5", "HT1"),))))}
    assert named["the track from C5 to E5"] == "HT1"
    assert named["B5"] == "B5"


def test_squares_have_the_colour_of_their_road_and_cars_stand_on_the_map() -> None:
    assert "#e0897a" in {path.get("fill") for path in root_of(MAP).iter(f"{SVG}path")}
    assert [(one.token.seat, one.name) for one in found_in(map_scene(MAP)) if one.token] == [("red", "C7")]


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b"])
def test_names_are_never_markup(hostile: str) -> None:
    root = root_of(Roadmap(hostile, (Spot(1, 1, hostile, RED, hostile, hostile),), (), cars=((hostile, (hostile,)),)))
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {"svg", "g", "rect", "text", "path"}


def test_kinds_of_road_are_told_apart_without_their_colours() -> None:
    """By how light they are, by the line around their spots, by the line between them."""
    looks = []
    for kind in Colour:
        pair = Roadmap("Map", (Spot(1, 1, "A1", kind), Spot(2, 1, "B1", kind)), (("A1", "B1"),))
        (first,) = map_scene(pair).parts
        spot = next(part for part in first.parts if isinstance(part, Group)).parts[0]
        red, green, blue = (int(spot.fill[at : at + 2], 16) for at in (1, 3, 5))
        light = 0.299 * red + 0.587 * green + 0.114 * blue
        between = tuple((path.stroke_width, path.stroke_dasharray) for path in paths_of(pair))
        looks.append((light, (spot.stroke_width, spot.stroke_dasharray), between))
    lights = [light for light, _, _ in looks]
    assert all(after - before > 20 for before, after in pairwise(lights[:3]))
    assert lights[3] > lights[2]
    assert len({around for _, around, _ in looks}) == len({between for _, _, between in looks}) == len(Colour)


def test_the_signs_are_explained_beside_a_map_only() -> None:
    assert "Give Way" in {text.text for text in root_of(MAP).iter(f"{SVG}text")}
    assert "Give Way" not in drawing_text(Drawing((map_scene(MAP), LEGEND)))


def test_names_lie_over_no_square_no_road_and_no_other_name() -> None:
    spots = tuple(Spot(x, y, f"{chr(64 + x)}{y}", RED, name="Long Name Abbas") for x in (1, 4, 7) for y in (1, 3, 5))
    middles = {spot.label: ((spot.x - 1) * STEP, (spot.y - 1) * STEP) for spot in spots}
    squares = [Box(x - 18, y - 18, x + 18, y + 18) for x, y in middles.values()]
    roads = [Box(x - 5, 0, x + 5, 5 * STEP) for x in (0, 3 * STEP, 6 * STEP)]
    placed = placed_names({spot.label: spot.name for spot in spots}, middles, 18, (*squares, *roads), 10)
    boxes = [*(one.box for one in placed), *squares]
    assert [one.overlap(other) for one, other in combinations(boxes, 2) if one.overlap(other)] == []
    assert [one.box.overlap(road) for one in placed for road in roads if one.box.overlap(road)] == []


def test_a_section_is_cut_out_with_what_lies_around_it_and_shown_as_wide_as_a_phone() -> None:
    parts = section_drawing(Drawing((map_scene(SECTIONS), LEGEND)), "tc2")
    assert parts is not None
    first, legend = parts.shapes
    assert [one.id for one in found_in(first)] == ["A1", "B1", "C1", "D1"]
    assert (first.title, legend) == ("To TC2", LEGEND)
    found = picture(parts, "x", width=400)
    assert found is not None
    assert ElementTree.fromstring(found).get("width") == "400"


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        ("2", ["To TC2"]),
        ("stc3", [f"To STC3, part {at} of 3" for at in (1, 2, 3)]),
        ("all", ["To TC2", *(f"To STC3, part {at} of 3" for at in (1, 2, 3))]),
    ],
)
def test_a_wide_section_has_parts_that_overlap(wanted: str, titles: list[str]) -> None:
    parts = section_drawing(Drawing((map_scene(SECTIONS),)), wanted)
    assert parts is not None
    assert [one.title for one in parts.shapes] == titles
    maps = [[one.id for one in found_in(shape)] for shape in parts.shapes]
    assert all(len(ids) <= 10 for ids in maps)
    if len(maps) == 3:
        assert [{"C1", "G1"} <= {*maps[0]}, {"G1", "K1"} <= {*maps[1]}, {"K1", "O1"} <= {*maps[2]}] == [True] * 3


def test_a_long_section_has_parts_of_the_same_size_and_begins_with_the_car() -> None:
    """No part is higher than a window, and the parts behind the car of the reader are last."""
    spots = tuple(Spot(1, row, f"A{row}", RED) for row in range(1, 31))
    labels = tuple(spot.label for spot in spots)
    long = Roadmap("Map", spots, tuple(pairwise(labels)), sections=(("TC1", labels),), current="TC1", here="A22")
    found = [shape for shape in section_drawing(Drawing((map_scene(long),)), "TC1").shapes if isinstance(shape, Scene)]
    assert [one.title for one in found] == [f"To TC1, part {part} of 3" for part in (3, 1, 2)]
    assert max(one.height for one in found) - min(one.height for one in found) <= 2 * STEP
    assert all(one.height <= 14 * STEP for one in found)


def test_the_focus_is_around_the_car_and_the_next_squares_of_its_section() -> None:
    scene = map_scene(replace(SECTIONS, current="STC3", here="E1"))
    assert scene.focus is not None and scene.focus.name == "STC3"
    part = focus_drawing(Drawing((scene,)))
    assert part is not None and part.shapes == section_drawing(Drawing((scene,)), "STC3").shapes
    at = {one.name: one.frame for one in found_in(scene)}
    frame = scene.focus.frame
    assert frame.x - frame.width / 2 < at["E1"].x < at["I1"].x < frame.x + frame.width / 2
    assert focus_drawing(Drawing((map_scene(SECTIONS),))) is None


@pytest.mark.parametrize("many", [1, 3, 4, 6, 9])
def test_cars_on_a_square_are_side_by_side(many: int) -> None:
    seats = tuple(f"s{at}" for at in range(many))
    scene = map_scene(replace(MAP, cars=(("C5", seats),)))
    places = [(one.frame.x, one.frame.y) for one in found_in(scene) if one.token]
    assert len({*places}) == many
    if many <= 6:
        assert min((hypot(a - c, b - d) for (a, b), (c, d) in combinations(places, 2)), default=16) >= 16


def test_all_letters_of_a_map_are_readable() -> None:
    sizes = {float(text.get("font-size", 0)) for text in root_of(MAP).iter(f"{SVG}text")}
    assert min(sizes) >= 9


def test_a_section_that_is_not_there_is_none() -> None:
    assert section_drawing(Drawing((map_scene(SECTIONS),)), "TC9") is None
    assert section_names(Drawing((map_scene(SECTIONS),))) == ("TC2", "STC3")


def test_everything_fits_on_the_paper() -> None:
    scene = map_scene(MAP)
    for one in found_in(scene):
        assert 0 <= one.frame.x - one.frame.width / 2 <= scene.width - one.frame.width
        assert 0 <= one.frame.y - one.frame.height / 2 <= scene.height - one.frame.height
