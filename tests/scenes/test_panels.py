"""Panels of seats: a cell for each level, broken lines, and places for marks."""

from __future__ import annotations

from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.scenes import Gauge, Panel, Path, Scene, Text, panels_parts

LONG = "a very long list of cards, which needs a second line"
PANELS = (
    Panel("red", "red", (Gauge("fuel", 3, 10),), (("hand", LONG),)),
    Panel("blue", "blue", (Gauge("fuel", 0, 10),), (("hand", "1 card"),)),
)


def test_panels_are_drawn_with_a_cell_for_each_level_and_broken_lines() -> None:
    panels, width, height = panels_parts(PANELS)
    lines = [part for panel in panels for line in panel.parts if hasattr(line, "parts") for part in line.parts]
    cells = [part.fill for part in lines if isinstance(part, Path) and part.stroke_width == 0.8]
    assert (cells.count("#3a3a3a"), cells.count("#ffffff")) == (3, 17)
    told = {part.text for part in lines if isinstance(part, Text)}
    assert {"fuel", "3/10", "0/10", "1 card"} <= told
    assert LONG not in told
    assert width > 300
    assert height > 60


def test_each_line_is_a_place_with_what_it_says() -> None:
    panels, width, height = panels_parts(PANELS)
    found = {one.name: one.holds for one in found_in(Scene("crews", "", panels, width, height))}
    assert found["red's fuel"] == Gauge("fuel", 3, 10)
    assert found["blue's hand"] == ("hand", "1 card")


def test_no_panels_take_no_room() -> None:
    assert panels_parts(()) == ((), 0, 0)
