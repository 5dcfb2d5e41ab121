"""Boards and tracks as pictures: well formed whatever names say, the same each time, and nothing left out."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import (
    Badge,
    Drawing,
    Edge,
    Fields,
    Grid,
    Legend,
    Sign,
    Space,
    Square,
    Stroke,
    Track,
)
from adjudicator.reports.picture import picture
from adjudicator.reports.picture_colors import ground_ink, seat_ink
from adjudicator.reports.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"
EDGES = (Edge("city", "highway"), Edge("desert"), Edge("city", "gravel"), Edge("desert", "urban"))
BADGES = (Badge("red", Sign.PIECE, "red"), Badge("blue", Sign.MARK, "blue"), Badge("red", Sign.GOAL, "red"), "free")
BOARD = Grid(
    ("A", "B"),
    ("1",),
    (Square(EDGES, "H3", "90°", BADGES), Square()),
    (("city", "desert"), ("city",), ("desert", "city"), ("city",)),
)
TRACK = Track("Lap", tuple(Space(str(n), "danger" if n % 3 == 0 else "", "2", 1 + n % 2) for n in range(20)), "/")
LEGEND = Legend(
    (("c", "city"), ("d", "desert"), ("!", "danger"), ("/", "narrow")),
    (("highway", Stroke.DOUBLE), ("gravel", Stroke.DOTTED), ("urban", Stroke.SINGLE)),
    ((Sign.PIECE, "car"), (Sign.MARK, "marked"), (Sign.GOAL, "to visit")),
)


def root_of(drawing: Drawing, title: str = "a game") -> ElementTree.Element:
    drawn = picture(drawing, title)
    assert drawn is not None
    return ElementTree.fromstring(drawn)


def texts(root: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def test_a_board_shows_tiles_grounds_roads_and_what_stands_there() -> None:
    root = root_of(Drawing((BOARD, LEGEND)))
    assert {"a game", "A", "B", "1", "H3 90°", "R", "free", "car", "marked", "to visit", "highway", "city"} <= set(
        texts(root)
    )
    assert len(list(root.iter(f"{SVG}polygon"))) == 4
    assert any(line.get("stroke-dasharray") for line in root.iter(f"{SVG}line"))


def test_squares_apart_do_not_touch_and_one_without_a_tile_is_not_drawn() -> None:
    tile = Square(EDGES)
    root = root_of(Drawing((Grid(("", ""), ("", ""), (tile, tile, tile, Square()), is_apart=True), LEGEND)))
    moved = [found.get("transform", "") for found in root.iter(f"{SVG}g") if found.findall(f"{SVG}polygon")]
    places = {tuple(map(int, re.findall(r"\d+", place))) for place in moved}
    assert len(moved) == len(list(root.iter(f"{SVG}polygon"))) / 4 == 3
    assert {x - min(places)[0] for x, _ in places} == {y - min(places)[1] for _, y in places} == {0, 116}


def test_a_track_has_every_space_in_its_order_to_and_fro() -> None:
    root = root_of(Drawing((TRACK, LEGEND)))
    assert [f"{n} (2)" for n in range(20)] == [text for text in texts(root) if text.endswith("(2)")]
    line = next(root.iter(f"{SVG}polyline"))
    points = [tuple(map(float, point.split(","))) for point in (line.get("points") or "").split()]
    assert len(points) == 20
    # From one space to the next it is one step, sideways or down.
    assert {abs(x - u) + abs(y - v) > 0 and (x == u or y == v) for (x, y), (u, v) in pairwise(points)} == {True}


def test_everything_fits_on_the_paper() -> None:
    for drawing in (Drawing((BOARD, LEGEND)), Drawing((TRACK, LEGEND)), Drawing((BOARD, TRACK))):
        root = root_of(drawing)
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        for group in root.findall(f"{SVG}g"):
            x, y = map(float, (group.get("transform") or "")[len("translate(") : -1].split())
            assert 0 <= x < width
            assert 0 <= y < height


def test_names_are_never_markup(hostile: str) -> None:
    seat = Badge(hostile, Sign.PIECE, hostile)
    square = Square((Edge(hostile, hostile),) * 4, hostile, hostile, (seat, hostile))
    board = Grid((hostile,), (hostile,), (square,), ((hostile,),) * 4)
    track = Track(hostile, (Space(hostile, hostile, hostile, 2, (seat,)),), hostile)
    root = root_of(
        Drawing((board, track, Legend(((hostile, hostile),), ((hostile, Stroke.SINGLE),), ((Sign.PIECE, hostile),)))),
        hostile,
    )
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {
        "svg",
        "g",
        "rect",
        "text",
        "line",
        "polygon",
        "polyline",
        "circle",
        "path",
    }


def test_the_same_drawing_gives_the_same_picture() -> None:
    assert picture(Drawing((BOARD, LEGEND)), "x") == picture(Drawing((BOARD, LEGEND)), "x")
    assert picture(Drawing((BOARD, LEGEND)), "x") != picture(Drawing((replace(BOARD, rows=("2",)), LEGEND)), "x")


def test_without_a_board_there_is_no_picture() -> None:
    assert picture(Drawing((Fields("Tiles", ()), LEGEND)), "x") is None


@pytest.mark.parametrize("seats", [("ann", "bob"), tuple(f"s{n}" for n in range(12))])
def test_seats_have_colours_of_their_own_as_long_as_there_are_any(seats: tuple[str, ...]) -> None:
    inks = [seat_ink(seat, seats) for seat in seats]
    assert len(set(inks)) == min(len(seats), 8)
    assert seat_ink("Red", seats) == seat_ink("red", ())
    assert ground_ink("nowhere", seats) == "#ffffff"


def reach(root: ElementTree.Element) -> list[tuple[float, str]]:
    """Return how far to the right each text comes, as far as that can be told without its letters."""
    found = []
    for group in [root, *root.findall(f"{SVG}g")]:
        moved = float((group.get("transform") or "translate(0 0)")[len("translate(") : -1].split()[0])
        for text in group.findall(f"{SVG}text") if group is root else group.iter(f"{SVG}text"):
            width = text_width(text.text or "", float(text.get("font-size", 11)), is_bold=text.get("font-weight") == "bold")
            if text.get("text-anchor") == "start":
                found.append((moved + float(text.get("x", 0)) + width, text.text or ""))
    return found


LONG = "the-long-name-of-a-game-that-somebody-has-called-like-this-" + "W" * 60


@pytest.mark.parametrize("title", ["a game", "word " * 60, LONG, f"x · {LONG} · components {LONG}"])
@pytest.mark.parametrize("board", [BOARD, TRACK])
def test_titles_and_legends_are_never_cut_off(title: str, board: Grid | Track) -> None:
    legend = Legend(((("l", LONG), *LEGEND.entries)), ((LONG, Stroke.SINGLE), *LEGEND.roads), ((Sign.PIECE, LONG),))
    root = root_of(Drawing((board, legend)), title)
    assert max(right for right, _ in reach(root)) <= float(root.get("width", 0))
    told = [text for text in texts(root) if text]
    assert "".join(title.split()) in "".join("".join(told).split())
    assert {LONG, "city", "gravel"} <= set(told)
    bottom = max(float((group.get("transform") or "")[:-1].split()[1]) for group in root.findall(f"{SVG}g"))
    assert bottom < float(root.get("height", 0))


def test_the_legend_tells_whose_piece_is_which() -> None:
    seats = ("red", "blue", "ann-the-first", "ann-the-second")
    plain = root_of(Drawing((BOARD, LEGEND)))
    whole = ElementTree.fromstring(picture(Drawing((BOARD, LEGEND)), "x", seats) or "")
    assert {"red", "blue"} <= set(texts(plain))
    assert set(seats) <= set(texts(whole))
