"""Charts as text and as pictures: regions that touch each other, marks, passages, walls, lanes; and panels of gauges."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import (
    Badge,
    Chart,
    Drawing,
    Gauge,
    Icon,
    Lane,
    Legend,
    Mark,
    Panel,
    Panels,
    Passage,
    Region,
    Stroke,
)
from adjudicator.core.scene import Sign
from adjudicator.reports.scene_text import description_lines
from adjudicator.reports.drawing import drawing_text
from adjudicator.reports.picture import picture

SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = (Badge(seat, Sign.PIECE, seat) for seat in ("red", "blue"))
LEGEND = Legend(
    (("t", "tile"), ("c", "city")),
    (("sea line", Stroke.DOTTED),),
    ((Sign.PIECE, "vehicle"),),
    ((Icon.DROP, "fuel"), (Icon.NUT, "parts"), (Icon.BOLT, "danger"), (Icon.STOP, "stop"), (Icon.CARD, "cards")),
    hatched="risk zone",
    ringed="start",
    closed="no way",
)
CHART = Chart(
    "Map",
    (
        Region(3, 1, "Home", "city", (Mark(Icon.CARD, 2),), is_ringed=True),
        Region(2, 2, "A2", "tile", (Mark(Icon.DROP, 3), Mark(Icon.NUT, 1)), (RED,)),
        Region(4, 2, "B2", "tile", (Mark(Icon.BOLT), Mark(Icon.STOP)), (RED, BLUE), is_hatched=True),
        Region(3, 3, "B3", is_hatched=True),
        Region(5, 3, "Harbour", "city", (Mark(Icon.CARD, 1),)),
    ),
    (("Home", "A2"), ("Home", "B2"), ("A2", "B2"), ("A2", "B3"), ("B2", "B3"), ("B2", "Harbour")),
    (Passage(("Home", "Harbour"), "sea line", "40 F"),),
    (Lane("1", 1), Lane("2", 2, (BLUE, RED)), Lane("3", 3)),
)


def across(chart: Chart) -> Chart:
    """Return ``chart`` turned: columns in the place of rows."""
    return replace(chart, regions=tuple(replace(region, x=region.y, y=region.x) for region in chart.regions), is_across=True)


def lines(*shapes: Chart | Panels | Legend) -> list[str]:
    return drawing_text(Drawing(shapes)).splitlines()


def root_of(*shapes: Chart | Panels | Legend) -> ElementTree.Element:
    found = picture(Drawing(shapes), "x")
    assert found is not None
    return ElementTree.fromstring(found)


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
    assert lines(Chart("Map", (Region(1, 1, "A1", "tile", marks),), ())) == ["Map", "     A1", f"     {written}"]


def test_a_chart_that_is_too_wide_for_a_mail_comes_in_parts_and_nothing_is_lost() -> None:
    wide = replace(across(CHART), regions=(*across(CHART).regions, *(Region(x, 1, f"X{x}") for x in range(4, 21))))
    text = drawing_text(Drawing((wide,)), width=70)
    assert max(map(len, text.splitlines())) <= 70
    assert all(text.count(f"X{x}\n") + text.count(f"X{x} ") == 1 for x in range(4, 21))
    assert text.count("Home ") == 2 and text.count("sea line") == 1  # the region, and the passage in words
    assert sum(not line.strip() for line in text.splitlines()) == 2  # below the lanes, and between the parts


def test_a_region_at_the_edge_is_told_in_short_before_a_chart_is_cut() -> None:
    edge = Chart(
        "", (Region(1, 1, "A1"), Region(13, 1, "G1", "tile", (Mark(Icon.DROP, 2), Mark(Icon.NUT, 1), Mark(Icon.STOP)))), ()
    )
    assert drawing_text(Drawing((edge,)), width=44).splitlines() == ["   A1" + " " * 34 + "G1", "   ·" + " " * 35 + "2~1*■"]
    assert drawing_text(Drawing((edge,)), width=43).splitlines() == ["   A1" + " " * 34 + "G1", "   ·" + " " * 35 + "21■"]


def test_a_chart_is_told_in_sentences_with_the_meanings_of_the_legend() -> None:
    assert description_lines(Drawing((CHART, LEGEND))) == (
        "Map: 5 regions.",
        "Sea line from Home to Harbour: 40 F.",
        "On lane 2: blue (vehicle) and red (vehicle).",
        "Home: city, cards 2, start.",
        "A2: tile, fuel 3, parts 1, red (vehicle).",
        "B2: tile, danger, stop, risk zone, red (vehicle), blue (vehicle).",
        "Harbour: city, cards 1.",
        "Empty, risk zone: B3.",
    )


def test_an_empty_chart_is_drawn_as_well() -> None:
    assert lines(Chart("Map", (), ())) == ["Map"]
    root_of(Chart("Map", (), ()), LEGEND)


def test_the_legend_explains_every_sign() -> None:
    assert lines(LEGEND) == [
        "t tile   c city",
        "∙∙ sea line",
        "▲ vehicle   ~ fuel   * parts   ! danger   ■ stop   + cards   ▒ risk zone   ◎ start",
    ]
    assert {"fuel", "parts", "danger", "stop", "cards", "risk zone", "start", "no way"} <= set(told(root_of(CHART, LEGEND)))


@pytest.mark.parametrize("chart", [CHART, across(CHART)], ids=["rows", "columns"])
def test_a_picture_has_every_region_passage_wall_and_lane(chart: Chart) -> None:
    root = root_of(chart)
    assert {"Home", "A2", "B2", "B3", "Harbour", "40 F", "1", "2", "3", "!"} <= set(told(root))
    hatched = [shape for shape in root.iter(f"{SVG}polygon") if shape.get("fill") == "url(#hatches)"]
    ringed = [shape for shape in root.iter(f"{SVG}polygon") if shape.get("stroke-width") == "4"]
    walls = [shape for shape in root.iter(f"{SVG}polyline") if shape.get("stroke-width") == "6"]
    assert (len(hatched), len(ringed), len(walls)) == (2, 1, 1)
    assert len((walls[0].get("points") or "").split()) == 2
    assert sum(circle.get("r") == "8" for circle in root.iter(f"{SVG}circle")) == 5 + 2  # the legend names two seats


def test_ways_between_regions_that_do_not_touch_are_lines() -> None:
    far = replace(CHART, ways=(*CHART.ways, ("Home", "B3"), ("Home", "Nowhere")))
    assert len(list(root_of(far).iter(f"{SVG}line"))) == len(list(root_of(CHART).iter(f"{SVG}line"))) + 1


def test_a_passage_to_nowhere_is_left_out() -> None:
    lost = replace(CHART, passages=(Passage(("Home", "Nowhere"), "sea line", "99 F"),))
    assert "99 F" not in told(root_of(lost))


@pytest.mark.parametrize("chart", [CHART, across(CHART)], ids=["rows", "columns"])
def test_everything_fits_on_the_paper(chart: Chart) -> None:
    root = root_of(chart)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for polygon in root.iter(f"{SVG}polygon"):
        for point in (polygon.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width and 0 <= y <= height


PANELS = Panels(
    "Crews",
    (
        Panel("red", "red", (Gauge("fuel", 3, 10),), (("hand", "a very long list of cards, which needs a second line"),)),
        Panel("blue", "blue", (Gauge("fuel", 0, 10),), (("hand", "1 card"),)),
    ),
)


def test_panels_are_a_table_in_text() -> None:
    assert lines(PANELS) == [
        "Crews",
        "        fuel  hand",
        "  red   3/10  a very long list of cards, which needs a second line",
        "  blue  0/10  1 card",
    ]
    assert lines(Panels("Crews", ())) == ["Crews"]


def test_panels_are_drawn_with_a_cell_for_each_level_and_broken_lines() -> None:
    root = root_of(PANELS)
    cells = [box.get("fill") for box in root.iter(f"{SVG}rect") if box.get("stroke-width") == "0.8"]
    assert (cells.count("#3a3a3a"), cells.count("#ffffff")) == (3, 17)
    assert {"red", "blue", "fuel", "3/10", "0/10", "1 card"} <= set(told(root))
    assert "a very long list of cards, which needs a second line" not in told(root)
    root_of(Panels("Crews", ()))


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", 'a"b', "a&b", "x\x1b[31m"])
def test_names_are_never_markup(hostile: str) -> None:
    badge = Badge(hostile, Sign.PIECE, hostile)
    chart = Chart(
        hostile,
        (Region(1, 1, hostile, hostile, (Mark(Icon.DROP, 1),), (badge,)), Region(3, 1, "B1")),
        ((hostile, "B1"),),
        (Passage((hostile, "B1"), hostile, hostile),),
        (Lane(hostile, 1, (badge,)),),
    )
    panels = Panels(hostile, (Panel(hostile, hostile, (Gauge(hostile, 1, 2),), ((hostile, hostile),)),))
    root = root_of(chart, panels, LEGEND)
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {
        *("svg", "g", "rect", "text", "line", "polyline", "polygon", "circle", "path", "defs", "pattern")
    }
    assert "\x1b" not in "\n".join(lines(chart, panels))
