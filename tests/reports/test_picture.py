"""Boards and tracks as pictures: well formed whatever names say, the same each time, and nothing left out."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import (
    Badge,
    Dial,
    Drawing,
    Edge,
    Fields,
    Grid,
    Legend,
    Shelf,
    Space,
    Square,
    Stack,
    Stroke,
    Texture,
    Track,
)
from adjudicator.core.scene import Sign
from adjudicator.reports.legend import key_of
from adjudicator.reports.picture import picture
from adjudicator.reports.picture_shelf import WIDTH, shelf_parts
from adjudicator.reports.picture_tile import SIDE, tile_badges
from adjudicator.scenes.colors import ground_ink, seat_ink
from adjudicator.scenes.letters import text_width

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
    assert {"a game", "A", "B", "1", "H3", "90°", "R", "free", "car", "marked", "to visit", "highway"} <= set(texts(root))
    assert {"city", "desert"} <= set(texts(root))
    links = [use.get("href", "") for use in root.iter(f"{SVG}use")]
    assert [link for link in links if len(link) == 3] == ["#n0", "#e1", "#s0", "#w1"]
    assert used(root) <= defined(root)
    assert "B1" in texts(root), "a free place says what one writes to lay something there"


def defined(root: ElementTree.Element) -> set[str]:
    names = [found.get("id", "") for found in root.iter() if found.get("id")]
    assert len(names) == len(set(names))
    return set(names)


def used(root: ElementTree.Element) -> set[str]:
    links = {found.get("href", "") for found in root.iter() if found.get("href") is not None}
    assert all(link.startswith("#") for link in links)
    return {link[1:] for link in links}


def roads_of(square: Square) -> list[str]:
    """Return the paths of the ways of the roads on ``square``, one for each stroke and set of exits."""
    root = root_of(Drawing((Grid(("A",), ("1",), (square,)), LEGEND)))
    named = {found.get("id"): found for found in root.iter(f"{SVG}g")}
    links = [use.get("href", "")[1:] for use in root.iter(f"{SVG}use")]
    return [named[link][0].get("d", "") for link in links if link[:4] in ("doub", "sing", "dott")]


EXITS = ("M50 0", "M100 50", "M50 100", "M0 50")


@pytest.mark.parametrize("exits", range(1, 16))
def test_roads_flow_from_edge_to_edge(exits: int) -> None:
    sides = [side for side in range(4) if exits >> side & 1]
    (way,) = roads_of(Square(tuple(Edge("city", "highway" if side in sides else "") for side in range(4))))
    ends = [EXITS[side][1:] for side in sides]
    starts = re.findall(r"M([\d.]+ [\d.]+)", way)
    finishes = re.findall(r"[LC ]([\d.]+ [\d.]+)(?=M|$)", way)
    assert set(starts + finishes) == set(ends) | ({"50 50"} if len(ends) == 1 else set())
    # Each way leaves at a right angle to the edge, so that it goes on in the next square without a kink.
    for x, y, u, v in re.findall(r"M([\d.]+) ([\d.]+)[LC]([\d.]+) ([\d.]+)", way):
        assert (x == u) if y in ("0", "100") else (y == v)
    if len(sides) > 1:
        assert way.count("M") == len(sides) * (len(sides) - 1) / 2, "each exit is joined with each other"


def test_roads_of_several_kinds_on_one_square_meet_in_its_middle() -> None:
    ways = roads_of(Square(EDGES))
    assert sorted(ways) == ["M0 50L50 50", "M50 0L50 50", "M50 100L50 50"]


def test_grounds_look_different_without_colour_and_letters() -> None:
    textured = replace(LEGEND, textures=(("city", Texture.TOWN), ("desert", Texture.SAND)))
    root = root_of(Drawing((BOARD, textured)))
    assert {"town", "sand"} <= used(root) <= defined(root)
    shapes = {found.get("id"): [path.get("d") for path in found] for found in root.iter(f"{SVG}g") if found.get("id")}
    assert shapes["town"] != shapes["sand"]
    assert "peaks" not in shapes, "what is nowhere on the board is not in its picture"
    assert {"city (c)", "desert (d)", "danger"} <= set(texts(root))


def test_what_lies_beside_a_board_is_drawn_beside_it() -> None:
    shelf = Shelf("Faces", (("row", (Square(EDGES, "T1"), Square(EDGES, "T2"))), ("hand of red", (Square(label="3"),))))
    dial = Dial("Clock", 12, (Stack(12, (Badge("red", Sign.PIECE, "red"), Badge("blue", Sign.PIECE, "blue"))), Stack(3, ())))
    root = root_of(Drawing((BOARD, LEGEND, dial, shelf)))
    assert {"Clock", "12", "5", "10", "row", "Faces", "hand of red", "T1", "T2", "3"} <= set(texts(root))
    alone, beside = (float(one.get("width", 0)) for one in (root_of(Drawing((BOARD, LEGEND))), root))
    assert beside > alone + 300
    reds, blues = (
        [(float(one.get("x", 0)), float(one.get("y", 0))) for one in root.iter(f"{SVG}text") if one.text == letter]
        for letter in "RB"
    )
    stacked = [(y, v) for x, y in reds for u, v in blues if x == u and 5 < v - y < 20]
    assert len(stacked) == 1, "both are on the figure at the top, and the top of the stack lies outermost"


@pytest.mark.parametrize("rows", [1, 3, 5])
def test_a_shelf_keeps_its_width_and_tells_where_each_square_lies(rows: int) -> None:
    squares = tuple(Square(EDGES, f"T{at}", badges=(Badge("red", Sign.PIECE, "red"),)) for at in range(5))
    shelf = Shelf("Faces", tuple((f"hand {row}", squares) for row in range(rows)))
    part = shelf_parts(shelf, key_of(Drawing((shelf, LEGEND))), ["city", "desert"])
    assert part.width == WIDTH
    assert len({(one.place, one.badge) for one in part.anchors}) == len(part.anchors) == 10 * rows
    assert all(0 < one.x < part.width and 0 < one.y < part.height for one in part.anchors)
    assert len({(one.x, one.y) for one in part.anchors if one.badge is None}) == 5 * rows


def test_more_pieces_than_there_is_room_for_stand_closer() -> None:
    many = tuple(Badge(f"s{at}", sign, f"s{at}") for at in range(9) for sign in (Sign.PIECE, Sign.MARK))
    for count in (1, 2, 4, 8, 18):
        standing = [*tile_badges("A1", many[:count], (0, 0))]
        assert {anchor.badge for anchor in standing} == {*many[:count]}
        for sign in (Sign.PIECE, Sign.MARK):
            places = [(one.x, one.y) for one in standing if one.badge and one.badge.sign is sign]
            assert len({*places}) == len(places)
            assert all(0 < x < SIDE and 0 < y < SIDE for x, y in places)


def test_squares_apart_do_not_touch_and_one_without_a_tile_is_not_drawn() -> None:
    tile = Square(EDGES)
    root = root_of(Drawing((Grid(("", ""), ("", ""), (tile, tile, tile, Square()), is_apart=True), LEGEND)))
    moved = [found.get("transform", "") for found in root.iter(f"{SVG}g") if found.findall(f"{SVG}use[@href='#n0']")]
    places = {tuple(map(int, re.findall(r"\d+", place))) for place in moved}
    assert len(moved) == 3
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
        "defs",
        "use",
    }
    assert used(root) <= defined(root)


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
