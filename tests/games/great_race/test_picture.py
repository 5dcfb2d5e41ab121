"""Maps as text and as pictures: regions that touch each other, marks, passages, walls, lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path as File
from xml.etree import ElementTree

import pytest
from portion import portion

from adjudicator.core.drawing import Drawing
from adjudicator.core.ids import MODERATOR
from adjudicator.games.great_race.chart import Chart, Icon, Lane, Mark, Passage, Region
from adjudicator.games.great_race.components import LineKind
from adjudicator.games.great_race.picture import HATCHES, chart_scene, legend
from adjudicator.present import position_of
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.reports.drawings.scene_text import description_lines
from adjudicator.reports.pictures.picture import boards_of, picture
from adjudicator.scenes import Box, Element, Frame, Group, Path, Text, text_width
from adjudicator.session import open_session
from adjudicator.store.load import load_game

RECORDED = sorted((File(__file__).parents[2] / "recorded/great-race").glob("*.json"))
SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = "red", "blue"
LEGEND = legend()
CHART = Chart(
    "Map",
    (
        Region(3, 1, "Home", "city", (Mark(Icon.CARD, 2),), is_ringed=True),
        Region(2, 2, "A2", "terrain tile", (Mark(Icon.DROP, 3), Mark(Icon.NUT, 1)), (RED,)),
        Region(4, 2, "B2", "terrain tile", (Mark(Icon.BOLT), Mark(Icon.STOP)), (RED, BLUE), is_hatched=True),
        Region(3, 3, "B3", is_hatched=True),
        Region(5, 3, "Harbour", "city", (Mark(Icon.CARD, 1),)),
    ),
    (("Home", "A2"), ("Home", "B2"), ("A2", "B2"), ("A2", "B3"), ("B2", "B3"), ("B2", "Harbour")),
    (Passage(("Home", "Harbour"), LineKind.SEA, "40 F"),),
    (Lane("1", 1), Lane("2", 2, (BLUE, RED)), Lane("3", 3)),
)


def across(chart: Chart) -> Chart:
    """Return ``chart`` turned: columns in the place of rows."""
    return replace(chart, regions=tuple(replace(region, x=region.y, y=region.x) for region in chart.regions), is_across=True)


def lines(chart: Chart) -> list[str]:
    return drawing_text(Drawing((chart_scene(chart),))).splitlines()


def root_of(chart: Chart) -> ElementTree.Element:
    found = picture(Drawing((chart_scene(chart), LEGEND)), "x")
    assert found is not None
    return ElementTree.fromstring(found)


def paths_of(chart: Chart) -> list[Path]:
    """Return all paths of the map, also those in groups."""

    def inside(parts: tuple[object, ...]) -> list[Path]:
        found = [part for part in parts if isinstance(part, Path)]
        return found + [path for part in parts if isinstance(part, Group) for path in inside(part.parts)]

    return inside(chart_scene(chart).parts)


def told(root: ElementTree.Element) -> list[str | None]:
    return [text.text for text in root.iter(f"{SVG}text")]


def test_regions_stand_where_they_lie_with_their_lanes_and_all_else_in_words() -> None:
    assert lines(CHART) == [
        "Map",
        "  1     Home",
        "        ◎2+",
        "  2  A2▲r  B2▲2",
        "     3~1*  ▒!■",
        "  3     B3    Harbo",
        "        ▒·    1+",
        "  sea line Home – Harbour: 40 F",
        "  no way between B3 and Harbour",
        "  lane 2: blue, red",
    ]


def test_a_chart_across_has_its_lanes_above() -> None:
    assert lines(across(CHART))[:9] == [
        "Map",
        "     1     2     3",
        "",
        "           A2▲r",
        "     Home  3~1*  B3",
        "     ◎2+   B2▲2  ▒·",
        "           ▒!■   Harbo",
        "                 1+",
        "  sea line Home – Harbour: 40 F",
    ]


@pytest.mark.parametrize(
    ("marks", "written"),
    [
        ((), "0"),
        ((Mark(Icon.DROP, 2), Mark(Icon.NUT, 1), Mark(Icon.STOP)), "2~1*■"),
        ((Mark(Icon.DROP, 2), Mark(Icon.NUT, 1), Mark(Icon.BOLT), Mark(Icon.STOP)), "21!■"),
        ((Mark(Icon.DROP, 100), Mark(Icon.NUT, 100)), "10010"),
    ],
)
def test_marks_are_written_in_short_where_there_is_no_room(marks: tuple[Mark, ...], written: str) -> None:
    assert lines(Chart("Map", (Region(1, 1, "A1", "terrain tile", marks),), ())) == ["Map", "     A1", f"     {written}"]


def test_a_chart_that_is_too_wide_for_a_mail_comes_in_parts_and_nothing_is_lost() -> None:
    wide = replace(across(CHART), regions=(*across(CHART).regions, *(Region(x, 1, f"X{x}") for x in range(4, 21))))
    text = drawing_text(Drawing((chart_scene(wide),)), width=70)
    assert max(map(len, text.splitlines())) <= 70
    assert all(text.count(f"X{x}\n") + text.count(f"X{x} ") == 1 for x in range(4, 21))
    assert text.count("Home ") == 2 and text.count("sea line") == 1  # the region, and the passage in words
    assert sum(not line.strip() for line in text.splitlines()) == 2  # below the lanes, and between the parts


def test_a_region_at_the_edge_is_told_in_short_before_a_chart_is_cut() -> None:
    marks = (Mark(Icon.DROP, 2), Mark(Icon.NUT, 1), Mark(Icon.STOP))
    edge = Chart("", (Region(1, 1, "A1"), Region(13, 1, "G1", "terrain tile", marks)), ())
    drawing = Drawing((chart_scene(edge),))
    assert drawing_text(drawing, width=44).splitlines() == ["   A1" + " " * 34 + "G1", "   ·" + " " * 35 + "2~1*■"]
    assert drawing_text(drawing, width=43).splitlines() == ["   A1" + " " * 34 + "G1", "   ·" + " " * 35 + "21■"]


def test_a_chart_is_told_in_sentences_with_the_meanings_of_the_legend() -> None:
    assert description_lines(Drawing((chart_scene(CHART), LEGEND))) == (
        "Map: 5 regions.",
        "Sea line from Home to Harbour: 40 F.",
        "On lane 2: blue (vehicle) and red (vehicle).",
        "Home: city, cards 2, start and finish.",
        "A2: terrain tile, fuel 3, parts 1, red (vehicle).",
        "B2: terrain tile, danger, stop, risk zone, red (vehicle), blue (vehicle).",
        "Harbour: city, cards 1.",
        "Empty, risk zone: B3.",
    )


def test_an_empty_chart_is_drawn_as_well() -> None:
    assert lines(Chart("Map", (), ())) == ["Map"]
    root_of(Chart("Map", (), ()))


def test_the_legend_explains_every_sign() -> None:
    assert drawing_text(Drawing((LEGEND,))).splitlines() == [
        "t terrain tile   c city",
        "∙∙ sea line   ══ air line",
        "▲ vehicle   ~ fuel   * parts   ! danger   ■ stop   + cards   ▒ risk zone   ◎ start and finish",
    ]
    words = {"fuel", "parts", "danger", "stop", "cards", "risk zone", "start and finish", "no way"}
    assert words <= set(told(root_of(CHART)))


@pytest.mark.parametrize("chart", [CHART, across(CHART)], ids=["rows", "columns"])
def test_a_picture_has_every_region_passage_wall_and_lane(chart: Chart) -> None:
    root = root_of(chart)
    assert {"Home", "A2", "B2", "B3", "Harbour", "40 F", "1", "2", "3", "!"} <= set(told(root))
    paths = paths_of(chart)
    hatched = [path for path in paths if path.fill == HATCHES]
    ringed = [path for path in paths if path.stroke_width == 4]
    walls = [path for path in paths if path.stroke_width == 6]
    assert (len(hatched), len(ringed), len(walls)) == (2, 1, 1)
    assert walls[0].way.count("L") == 1
    found = found_in(chart_scene(chart))
    assert [(one.token.seat, one.name) for one in found if one.token] == [
        ("red", "A2"), ("red", "B2"), ("blue", "B2"), ("blue", "lane 2"), ("red", "lane 2")
    ]  # fmt: skip
    assert {"Home", "A2", "B2", "B3", "Harbour", "the sea line from Home to Harbour"} <= {one.name for one in found}


def test_ways_between_regions_that_do_not_touch_are_lines() -> None:
    far = replace(CHART, ways=(*CHART.ways, ("Home", "B3"), ("Home", "Nowhere")))
    assert len(paths_of(far)) == len(paths_of(CHART)) + 1


def test_a_passage_to_nowhere_is_left_out() -> None:
    lost = replace(CHART, passages=(Passage(("Home", "Nowhere"), LineKind.SEA, "99 F"),))
    assert "99 F" not in told(root_of(lost))


@pytest.mark.parametrize("chart", [CHART, across(CHART)], ids=["rows", "columns"])
def test_everything_fits_on_the_paper(chart: Chart) -> None:
    scene = chart_scene(chart)
    for one in found_in(scene):
        assert one.frame.width / 2 <= one.frame.x <= scene.width - one.frame.width / 2
        assert one.frame.height / 2 <= one.frame.y <= scene.height - one.frame.height / 2


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b", "x\x1b[31m"])
def test_names_are_never_markup(hostile: str) -> None:
    regions = (Region(1, 1, hostile, hostile, (Mark(Icon.DROP, 1),), (hostile,)), Region(3, 1, "B1"))
    passage = Passage((hostile, "B1"), LineKind.AIR, hostile)
    chart = Chart(hostile, regions, ((hostile, "B1"),), (passage,), (Lane(hostile, 1, (hostile,)),))
    tags = {child.tag.removeprefix(SVG) for child in root_of(chart).iter()}
    assert tags <= {"svg", "g", "rect", "text", "path", "defs", "pattern"}
    assert "\x1b" not in "\n".join(lines(chart))


@pytest.mark.parametrize("chart", [CHART, across(CHART)], ids=["rows", "columns"])
def test_prices_cover_no_mark_no_name_and_no_vehicle(chart: Chart) -> None:
    """Every region has four marks' worth of contents and vehicles, so that little room is left."""
    marks = (Mark(Icon.DROP, 3), Mark(Icon.BOLT), Mark(Icon.STOP))
    full = replace(chart, regions=tuple(replace(one, marks=one.marks or marks, vehicles=(RED,)) for one in chart.regions))
    found = found_in(chart_scene(full))
    prices = [box_of(one.frame) for one in found if one.name.startswith("the ")]
    regions = [one.frame for one in found if one.name in {region.label for region in chart.regions} and one.token is None]
    words = [Box(at.x - 28, at.y - 22, at.x + 28, at.y + 9) for at in regions]
    vehicles = [box_of(one.frame) for one in found if one.token and not one.token.field]
    assert len(prices) == 1 and len(words) == 5 and len(vehicles) == 5
    assert not [price for price in prices for other in (*words, *vehicles) if price.overlap(other) > 4]


def box_of(frame: Frame) -> Box:
    """Return a frame without the edge of its mark."""
    wide, high = frame.width / 2 - 2, frame.height / 2 - 2
    return Box(frame.x - wide, frame.y - high, frame.x + wide, frame.y + high)


def test_all_cities_have_letters_of_one_size() -> None:
    long = replace(CHART, regions=(*CHART.regions, Region(8, 8, "A-Very-Long-City", "city", (Mark(Icon.CARD, 1),))))
    cities = {region.label for region in long.regions if region.ground == "city"}
    sizes = {one.get("font-size") for one in root_of(long).iter(f"{SVG}text") if one.text in cities}
    assert sizes == {"9"}


def test_vehicles_in_a_city_are_side_by_side() -> None:
    seats = ("red", "blue", "green", "yellow")
    city = Chart("Map", (Region(1, 1, "Home", "city", (Mark(Icon.CARD, 2),), seats),), ())
    places = [one.frame for one in found_in(chart_scene(city)) if one.token]
    assert len({at.y for at in places}) == 1
    assert all(there.x - here.x >= 16 for here, there in pairwise(places))


def groups_in(parts: tuple[Element, ...]) -> Iterator[Group]:
    for part in parts:
        if isinstance(part, Group):
            yield part
            yield from groups_in(part.parts)


def signs_in(parts: tuple[Element, ...]) -> Iterator[tuple[str, Box]]:
    """Yield the label and the marks of each region with their rectangles, by the label."""
    for one in groups_in(parts):
        label, marks = one.parts[:1], one.parts[1:]
        if one.id and one.frame is None and isinstance(label[0], Text):
            half = text_width(label[0].text, label[0].size, is_bold=True) / 2
            x, y = label[0].x, label[0].y
            yield one.id, Box(x - half, y - 0.73 * label[0].size, x + half, y)
            yield from (
                (f"{one.id} mark", Box(at.x - 7, at.y - 8, at.x + 7, at.y + 8)) for at in marks if isinstance(at, Group)
            )


def curves_in(parts: tuple[Element, ...]) -> Iterator[list[Box]]:
    """Yield the points of each line, as small as a line is wide."""
    paths = (part for one in groups_in(parts) for part in one.parts if isinstance(part, Path))
    ways = (path.way for path in paths if "Q" in path.way and path.stroke == "#ffffff" and path.stroke_width == 7)
    for way in ways:
        x1, y1, x2, y2, x3, y3 = map(float, re.findall(r"-?[0-9.]+", way))
        points = []
        for at in (n / 200 for n in range(201)):
            x, y = (
                (1 - at) ** 2 * one + 2 * at * (1 - at) * two + at**2 * three
                for one, two, three in ((x1, x2, x3), (y1, y2, y3))
            )
            points.append(Box(x - 2, y - 2, x + 2, y + 2))
        yield points


@pytest.mark.parametrize("path", portion(RECORDED, 6), ids=lambda path: path.stem)
def test_lines_cross_no_label_and_their_prices_cover_no_label_and_no_sign(path: File) -> None:
    """The label of a city can lie on its own lines."""
    scene = boards_of(position_of(open_session(load_game(path)), MODERATOR).drawing)[0]
    drawn = (*scene.parts, *scene.over)
    signs, prices = [*signs_in(drawn)], {one.name: one for one in groups_in(drawn) if one.name}
    for points, (name, price) in zip(curves_in(drawn), prices.items(), strict=True):
        ends = re.fullmatch("the .* line from (.*) to (.*)", name).groups()
        labels = [(label, box) for label, box in signs if not label.endswith(" mark") and label not in ends]
        assert not [label for label, box in labels for point in points if point.overlap(box)], name
        assert price.frame is not None
        assert not [label for label, box in signs if box_of(price.frame).overlap(box) > 2], name
