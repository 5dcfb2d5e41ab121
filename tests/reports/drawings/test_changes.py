"""What is new since a reader was told last: found in two drawings of any game, told in words, marked in pictures."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from boards import Space, lap, space

from adjudicator.core.drawing import Columns, Drawing, Fields
from adjudicator.core.frozen import change
from adjudicator.core.scene import Scene, Sign
from adjudicator.reports.drawings.changes import Change, Earlier, change_lines, changes_between
from adjudicator.reports.drawings.scene_parts import Badge, found_in
from adjudicator.reports.pictures.picture import picture
from adjudicator.reports.pictures.tables import tables_picture
from adjudicator.scenes import Gauge, Panel, panel_scenes

SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = Badge("red", Sign.PIECE, "red"), Badge("blue", Sign.PIECE, "blue")


def panels(level: int, hand: str) -> Scene:
    (scene,) = panel_scenes((Panel("red", "red", (Gauge("fuel", level, 5),), (("hand", hand),)),))
    return scene


def both(*spaces: Space) -> Scene:
    """Return ``spaces`` in which the tokens on lanes move between lanes only."""
    board = lap(*spaces)
    lanes = (change(one, field="lanes") if getattr(one, "at", "").startswith("lane") else one for one in board.parts)
    return change(board, parts=tuple(lanes))


CASES: dict[str, tuple[Any, Any, tuple[Change, ...]]] = {
    "a tile was laid, and the piece went there": (
        lap(space("A1", "red", holds="T1"), space("B1")),
        lap(space("A1", holds="T1"), space("B1", "red", holds="T2")),
        (Change("B1"), Change("B1", RED, "A1")),
    ),
    "a tile was turned, another taken away": (
        lap(space("A1", holds=("T1", 0)), space("B1", holds="T2")),
        lap(space("A1", holds=("T1", 90)), space("B1")),
        (Change("A1"), Change("B1")),
    ),
    "a piece came onto the board": (
        lap(space("1"), space("2")),
        lap(space("1", "blue"), space("2")),
        (Change("1", BLUE),),
    ),
    "two passed each other": (
        lap(space("1", "red"), space("2", "blue")),
        lap(space("1", "blue"), space("2", "red")),
        (Change("1", BLUE, "2"), Change("2", RED, "1")),
    ),
    "a track became narrow": (
        lap(space("1", holds=2)),
        lap(space("1", holds=1)),
        (Change("1"),),
    ),
    "a marker lies on a map, a track was found": (
        lap(space("S1"), space("S2", holds="ford")),
        lap(space("S1", holds="!"), space("S2", holds="ford"), space("the track from S1 to S2")),
        (Change("S1"), Change("the track from S1 to S2")),
    ),
    "a line was opened, markers of lanes are none of the pieces on the board": (
        both(space("A", "red", holds=3), space("lane 1", "red"), space("lane 2")),
        both(space("A", "red", holds=1), space("lane 1"), space("lane 2", "red"), space("the ferry from A to B")),
        (Change("A"), Change("the ferry from A to B"), Change("lane 2", RED, "lane 1")),
    ),
    "a gauge fell, a card was drawn": (
        panels(5, "2 cards"),
        panels(3, "3 cards"),
        (Change("red's fuel"), Change("red's hand")),
    ),
    "a row of a table says something else": (
        Columns("Seats", ("seat", "points", "at"), (("red", "1", "A"), ("blue", "2", "B"))),
        Columns("Seats", ("seat", "points", "at"), (("red", "1", "C"), ("blue", "2", "B"), ("green", "0", "A"))),
        (Change("red's at"), Change("green")),
    ),
    "there are fewer matches": (
        Fields("Matches", (("left", "||"),)),
        Fields("Matches", (("left", "|"),)),
        (Change("left"),),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_new_is_found(case: tuple[Any, Any, tuple[Change, ...]]) -> None:
    before, now, found = case
    assert changes_between(before, now) == found
    assert changes_between(now, now) == changes_between(before, before) == ()


def drawn(now: Drawing, earlier: Earlier | None) -> str:
    found = picture(now, "x", ("red", "blue"), earlier=earlier) or tables_picture(now, "x", earlier)
    assert found is not None
    return found


def marks(svg: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg)
    return [mark for group in root.iter(f"{SVG}g") if group.get("class") == "new" for mark in group]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_everything_new_is_marked_and_nothing_without_an_earlier_drawing(
    case: tuple[Any, Any, tuple[Change, ...]],
) -> None:
    before, now, found = Drawing((case[0],)), Drawing((case[1],)), case[2]
    assert drawn(now, None) == drawn(now, Earlier(now, 7)), "nothing is new"
    svg = drawn(now, Earlier(before, 7))
    # Each mark is dark on white, but a bar, which is one; an arrow has tip and way, and a ghost if nothing is there now.
    moved = sum(bool(change.origin) for change in found)
    assert len(found) + 4 * moved <= len(marks(svg)) <= 2 * len(found) + 6 * moved
    said = re.findall(r">((?:New|Moved) since turn \d+)<", svg)
    assert said == ["New since turn 7"] * (len(found) > moved) + ["Moved since turn 7"] * bool(moved)
    assert drawn(now, Earlier(before, 7)) == svg


def test_marks_are_where_the_things_are() -> None:
    before, now, _ = CASES["two passed each other"]
    svg = drawn(Drawing((now,)), Earlier(Drawing((before,)), 1))
    rings = [one for one in marks(svg) if one.get("r") == "10.5"]
    assert len(rings) == 4
    places = {(one.frame.x, one.frame.y) for one in found_in(now) if one.token}
    assert {(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in rings} == places


def test_changes_are_told_in_sentences() -> None:
    before, now, _ = CASES["a tile was laid, and the piece went there"]
    told = change_lines(Drawing((now,)), Earlier(Drawing((before,)), 12))
    assert told == ("Moved since turn 12: red from A1 to B1.", "New since turn 12: B1.")
    assert change_lines(Drawing((now,)), Earlier(Drawing((now,)), 12)) == change_lines(Drawing((now,)), None) == ()


def test_a_board_that_was_not_there_is_not_new_all_over() -> None:
    board = Drawing((lap(space("A1", "red", holds="T1")),))
    assert drawn(board, Earlier(Drawing((Fields("", ()),)), 3)) == drawn(board, None)


def test_boards_are_compared_with_those_of_their_name() -> None:
    one, other = lap(space("1", "red"), title="One"), lap(space("1"), title="Other")
    assert change_lines(Drawing((one, other)), Earlier(Drawing((other, one)), 3)) == ()


def test_names_are_never_markup(hostile: str) -> None:
    then = lap(space(hostile), space("2", hostile), title=hostile)
    now = lap(space(hostile, hostile), title=hostile)
    svg = drawn(Drawing((now,)), Earlier(Drawing((then,)), 1))
    assert marks(svg)
    assert all(line.isprintable() for line in change_lines(Drawing((now,)), Earlier(Drawing((then,)), 1)))
