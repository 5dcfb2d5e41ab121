"""Panels of seats: a cell for each level, broken lines, and places for marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.scenes import Element, Gauge, Group, Panel, Path, Text, panel_scenes

LONG = "a very long list of cards, which needs a second line"
PANELS = (
    Panel("red", "red", (Gauge("fuel", 3, 10),), (("hand", LONG),)),
    Panel("blue", "blue", (Gauge("fuel", 0, 10),), (("hand", "1 card"),)),
)


def elements(parts: Iterable[Element]) -> Iterator[Element]:
    """Yield ``parts`` and everything in groups among them."""
    for part in parts:
        yield part
        if isinstance(part, Group):
            yield from elements(part.parts)


def test_panels_are_drawn_with_a_cell_for_each_level_and_broken_lines() -> None:
    lines = [part for scene in panel_scenes(PANELS) for part in elements(scene.parts)]
    cells = [part.fill for part in lines if isinstance(part, Path) and part.stroke_width == 0.8]
    assert (cells.count("#3a3a3a"), cells.count("#ffffff")) == (3, 17)
    told = {part.text for part in lines if isinstance(part, Text)}
    assert {"fuel", "3/10", "0/10", "1 card"} <= told
    assert LONG not in told


def test_panels_have_one_size_and_two_fit_side_by_side_on_a_phone() -> None:
    red, blue = panel_scenes(PANELS)
    assert (red.width, red.height) == (blue.width, blue.height)
    assert red.height > 60
    assert 2 * red.width <= 326
    assert red.is_beside and blue.is_beside


def test_each_line_is_a_place_with_what_it_says() -> None:
    found = {one.name: one.holds for scene in panel_scenes(PANELS) for one in found_in(scene)}
    assert found["red's fuel"] == Gauge("fuel", 3, 10)
    assert found["blue's hand"] == ("hand", "1 card")


def test_no_panels_take_no_room() -> None:
    assert panel_scenes(()) == ()
