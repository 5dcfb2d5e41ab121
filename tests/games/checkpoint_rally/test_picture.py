"""The board as a picture: every tile, ground, road and marker, and the tiles beside it."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.core.scene import Sign
from adjudicator.games.checkpoint_rally.components import Road, Terrain
from adjudicator.games.checkpoint_rally.picture import WIDTH, grid_scene, legend, shelf_scene
from adjudicator.games.checkpoint_rally.squares import Edge, Grid, Marker, Square
from adjudicator.games.checkpoint_rally.tiles import SIDE, tokens
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.reports.pictures.picture import picture
from adjudicator.scenes import dial_scene

SVG = "{http://www.w3.org/2000/svg}"
CITY, MOUNTAINS, GRASSLAND, DESERT = Terrain
EDGES = (Edge(CITY, Road.HIGHWAY), Edge(DESERT), Edge(CITY, Road.GRAVEL), Edge(DESERT, Road.URBAN))
MARKERS = (Marker("red", Sign.PIECE), Marker("blue", Sign.MARK), Marker("red", Sign.GOAL))
BOARD = Grid(
    ("A", "B"),
    ("1",),
    (Square(EDGES, "H3", "90°", MARKERS), Square()),
    ((CITY, DESERT), (CITY,), (DESERT, CITY), (CITY,)),
)
LEGEND = legend(has_signs=True)


def root_of(*scenes: object) -> ElementTree.Element:
    drawn = picture(Drawing((*scenes, LEGEND)), "a game")
    assert drawn is not None
    return ElementTree.fromstring(drawn)


def texts(root: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def defined(root: ElementTree.Element) -> set[str]:
    names = [found.get("id", "") for found in root.iter() if found.get("id")]
    assert len(names) == len(set(names))
    return set(names)


def used(root: ElementTree.Element) -> list[str]:
    return [found.get("href", "")[1:] for found in root.iter(f"{SVG}use")]


def test_a_board_shows_tiles_grounds_roads_and_what_stands_there() -> None:
    root = root_of(grid_scene(BOARD))
    assert {"a game", "A", "B", "1", "H3", "90°", "R", "car", "checkpoint marked", "highway"} <= set(texts(root))
    assert {"city (c)", "desert (d)"} <= set(texts(root))
    assert {"city-n", "desert-e", "city-s", "desert-w"} <= set(used(root)) <= defined(root)
    assert "B1" in texts(root), "a free place says what one writes to lay something there"


def test_ids_name_what_orders_name() -> None:
    """`PLACE H3 at A1`: a click on the tile, on its square or on a car finds the orders that name it."""
    ids = {
        one.get("data-id") for one in root_of(grid_scene(BOARD), shelf_scene("Faces", "row", (Square(EDGES, "U7"),))).iter()
    }
    assert {"H3", "A1", "B1", "red", "U7"} <= ids


def roads_of(square: Square) -> list[str]:
    """Return the paths of the ways of the roads on ``square``, one for each stroke and set of exits."""
    root = root_of(grid_scene(Grid(("A",), ("1",), (square,))))
    named = {found.get("id"): found for found in root.iter(f"{SVG}g")}
    return [named[link][0].get("d", "") for link in used(root) if re.fullmatch(r"(double|single|dotted)\d+", link)]


EXITS = ("M50 0", "M100 50", "M50 100", "M0 50")


@pytest.mark.parametrize("exits", [0b0001, 0b0010, 0b0011, 0b1100, 0b0101, 0b1110, 0b1111])
def test_roads_flow_from_edge_to_edge(exits: int) -> None:
    sides = [side for side in range(4) if exits >> side & 1]
    (way,) = roads_of(Square(tuple(Edge(CITY, Road.HIGHWAY if side in sides else None) for side in range(4))))
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
    root = root_of(grid_scene(BOARD))
    shapes = {found.get("id"): [path.get("d") for path in found] for found in root.iter(f"{SVG}g") if found.get("id")}
    figures = [tuple(shapes[terrain]) for terrain in Terrain]
    assert len({*figures}) == len(Terrain)


def test_what_lies_beside_a_board_is_drawn_beside_it() -> None:
    shelves = (
        shelf_scene("Faces", "row", (Square(EDGES, "T1"), Square(EDGES, "T2"))),
        shelf_scene("Faces", "hand of red", ()),
    )
    root = root_of(grid_scene(BOARD), dial_scene("dial", "Clock", 12, {12: ("red", "blue"), 3: ()}), *shelves)
    assert {"Clock", "12", "5", "10", "row", "Faces", "hand of red", "T1", "T2"} <= set(texts(root))
    alone, beside = (float(one.get("width", 0)) for one in (root_of(grid_scene(BOARD)), root))
    assert beside > alone + 300
    reds, blues = (
        [
            tuple(map(float, re.findall(r"[-\d.]+", one.get("transform") or "")))
            for one in root.iter(f"{SVG}g")
            if one.get("data-id") == seat
        ]
        for seat in ("red", "blue")
    )
    stacked = [(y, v) for x, y in reds for u, v in blues if x == u and 5 < v - y < 20]
    assert len(stacked) == 1, "both are on the figure at the top, and the top of the stack lies outermost"


@pytest.mark.parametrize("many", [1, 3, 5])
def test_a_shelf_keeps_its_width_and_tells_where_each_square_lies(many: int) -> None:
    squares = tuple(Square(EDGES, f"T{at}") for at in range(many))
    shelf = shelf_scene("Faces", "hand", squares)
    assert shelf.width == WIDTH <= 334
    found = found_in(shelf)
    assert [one.name for one in found] == [f"{square.label} (hand)" for square in squares]
    assert {one.id for one in found} == {square.label for square in squares}
    assert all(0 < one.frame.x < shelf.width and 0 < one.frame.y < shelf.height for one in found)
    assert len({(one.frame.x, one.frame.y) for one in found}) == many


def test_more_pieces_than_there_is_room_for_stand_closer() -> None:
    many = tuple(Marker(f"s{at}", sign) for at in range(9) for sign in (Sign.PIECE, Sign.MARK))
    for count in (1, 2, 4, 8, 18):
        standing = [*tokens("A1", Square(EDGES, "T", markers=many[:count]), (0, 0))]
        assert {Marker(one.seat, one.sign) for one in standing} == {*many[:count]}
        for sign in (Sign.PIECE, Sign.MARK):
            places = [(one.x, one.y) for one in standing if one.sign is sign]
            assert len({*places}) == len(places)
            assert all(0 < x < SIDE and 0 < y < SIDE for x, y in places)


def test_squares_apart_do_not_touch_and_one_without_a_tile_is_not_drawn() -> None:
    tile = Square(EDGES, "T")
    root = root_of(grid_scene(Grid(("", ""), ("", ""), (tile, tile, tile, Square()), is_apart=True)))
    moved = [one.get("transform", "") for one in root.iter(f"{SVG}g") if any(inner.get("data-id") == "T" for inner in one)]
    places = {tuple(map(int, re.findall(r"\d+", place))) for place in moved}
    assert len(moved) == 3
    assert {x - min(places)[0] for x, _ in places} == {y - min(places)[1] for _, y in places} == {0, 116}


@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_cars_are_on_the_road_also_in_a_bend(many: int) -> None:
    """A bend from the north to the east lies in that corner, beside the middle of its tile."""
    bend = (Edge(CITY, Road.HIGHWAY), Edge(CITY, Road.HIGHWAY), Edge(CITY), Edge(CITY))
    cars = tuple(Marker(f"s{at}", Sign.PIECE) for at in range(many))
    places = [(one.x, one.y) for one in tokens("A1", Square(bend, "T", markers=cars), (0, 0))]
    assert all(x >= 50 and y <= 50 and x - y > 20 for x, y in places)
    straight = (Edge(CITY, Road.URBAN), Edge(CITY), Edge(CITY, Road.URBAN), Edge(CITY))
    assert {one.x for one in tokens("A1", Square(straight, "T", markers=cars), (0, 0))} == {50}


@pytest.mark.parametrize("label", ["U1", "H12", "H100"])
def test_the_plate_of_a_tile_covers_no_end_of_a_road(label: str) -> None:
    root = root_of(grid_scene(Grid(("A",), ("1",), (Square(EDGES, label, "270°"),))))
    plates = [one.get("d", "") for one in root.iter(f"{SVG}path") if one.get("fill-opacity")]
    wide, high = (float(re.findall(rf"{step}([0-9.]+)", plates[0])[0]) for step in "hv")
    assert len(plates) == 1 and 1.5 + wide + 6 <= 41 and 1.5 + high + 6 <= 41


def test_clocks_on_neighbouring_figures_cover_nothing_of_each_other() -> None:
    stacks = {3: ("red", "blue"), 4: ("green", "yellow"), 5: ("cyan", "purple")}
    clocks = [one.frame for one in found_in(dial_scene("dial", "Dial", 30, stacks)) if one.token]
    assert len(clocks) == 6
    assert all(hypot(one.x - other.x, one.y - other.y) >= 15 for one, other in combinations(clocks, 2))
