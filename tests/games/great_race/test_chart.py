"""A board drawn: what lies on each space, lines with prices, vehicles, lanes with stacks; and the box (GR-C, GR-N)."""

from importlib.resources import files

import pytest

from adjudicator.core.drawing import Columns, Drawing
from adjudicator.core.scene import Scene
from adjudicator.files import typed
from adjudicator.games.great_race.board import boxed
from adjudicator.games.great_race.chart import Icon, Mark, chart_of
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.picture import chart_scene, legend
from adjudicator.games.great_race.roads import roads_of
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.pictures.picture import picture

HOUSE = typed.read(Components, (files("adjudicator.games.great_race") / "data" / "house.json").read_text(encoding="utf-8"))
AFRICA, ASIA = HOUSE.boards
TILES = {tile.id: tile for tile in HOUSE.tiles}
each_board = pytest.mark.parametrize("board", HOUSE.boards, ids=lambda board: board.id)


def region(chart, label):
    return next(region for region in chart.regions if region.label == label)


def drawn(board=AFRICA, start=0, tiles=(), vehicles=(), markers=()):
    laid = {space: TILES[tile] for space, tile in dict(tiles).items()}
    return chart_of(board, roads_of(board, board.purple[start]), laid, dict(vehicles), markers)


def test_gr_c1_a_city_shows_its_cards_and_a_purple_one_a_ring():
    chart = drawn()
    dakar, algiers = region(chart, "Dakar"), region(chart, "Algiers")
    assert (dakar.ground, dakar.marks, dakar.is_ringed) == ("city", (Mark(Icon.CARD, 3),), False)
    assert (algiers.ground, algiers.marks, algiers.is_ringed) == ("city", (Mark(Icon.CARD, 1),), True)


def test_gr_c1_a_risk_zone_is_hatched_with_and_without_a_tile():
    chart = drawn(tiles={"D3": "track"})
    assert [(region(chart, label).is_hatched, region(chart, label).ground) for label in ("D3", "E3", "C3")] == [
        (True, "terrain tile"),
        (True, ""),
        (False, ""),
    ]


@pytest.mark.parametrize(
    ("tile", "marks"),
    [
        ("road", ()),
        ("dunes", (Mark(Icon.DROP, 3), Mark(Icon.NUT, 1))),
        ("storm", (Mark(Icon.DROP, 2), Mark(Icon.BOLT), Mark(Icon.STOP))),
        ("village", (Mark(Icon.STOP),)),
    ],
)
def test_gr_c2_a_tile_shows_what_it_costs_and_its_signs(tile, marks):
    assert region(drawn(tiles={"C3": tile}), "C3").marks == marks


@each_board
def test_every_link_is_drawn_once_and_every_line_with_its_price(board):
    chart = drawn(board)
    assert len({frozenset(way) for way in chart.ways}) == len(chart.ways) == sum(len(s.next) for s in board.spaces) // 2
    assert [(passage.ends, passage.kind, passage.text) for passage in chart.passages] == [
        (line.ends, line.kind, f"{line.price} F") for line in board.lines
    ]


def test_gr_n2_the_marker_that_came_first_lies_lowest_in_its_lane():
    where = {"red": "C3", "blue": "D3", "green": "Dakar"}
    chart = drawn(vehicles=where, markers=("green", "blue", "red"))
    stacks = {lane.label: [*lane.markers] for lane in chart.lanes if lane.markers}
    assert stacks == {"3": ["blue", "red"], "6": ["green"]}
    assert region(chart, "C3").vehicles == ("red",)


@each_board
@pytest.mark.parametrize("start", [0, 1])
def test_gr_n1_lanes_are_counted_from_the_start_and_lie_where_their_spaces_do(board, start):
    chart = drawn(board, start)
    numbers = [int(lane.label) for lane in chart.lanes]
    assert numbers == (sorted(numbers) if start == 0 else sorted(numbers, reverse=True))
    assert [lane.at for lane in chart.lanes] == list(range(1, board.lanes + 1))


@each_board
def test_the_board_fits_into_a_mail_and_on_a_page(board):
    text = drawing_text(Drawing((chart_scene(drawn(board)),)))
    assert max(map(len, text.splitlines())) <= 110
    assert "wide: its picture shows it" not in text
    assert picture(Drawing((chart_scene(drawn(board)), legend())), board.name) is not None


def test_the_box_shows_boards_tiles_cards_and_tables():
    shapes = boxed(HOUSE).shapes
    assert [shape.title for shape in shapes if isinstance(shape, Scene)] == ["Map: Africa", "Map: Asia"]
    tables = {shape.title.partition(" (")[0]: shape.rows for shape in shapes if isinstance(shape, Columns)}
    assert len(tables["Terrain tiles"]) == len(HOUSE.tiles) and len(tables["Resource cards"]) == 15
    assert ("Dakar", "6", "3", "", "sea to Lagos, 40 F") in tables["Cities: Africa"]
    assert ("Algiers", "1", "1", "start or finish", "sea to Cairo, 40 F; air to Khartoum, 70 F") in tables["Cities: Africa"]
    text = drawing_text(boxed(HOUSE))
    for told in ("10 F in a city, 20 F outside", "1: 10 F, 2: 20 F, 3: 40 F, 4: 70 F, 5: 110 F", "80, 80, 80, 70"):
        assert told in text
