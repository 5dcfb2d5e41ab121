"""The components as shipped: the house set read as plain JSON, and what the rulebook says of it (GR-C, GR-S2, GR-A4).

The rulebook shows neither the boards nor the tiles, so nothing here can be compared with the published ones. What is tested
is what it does say, and what makes the house set good to play.
"""

from collections import Counter
from importlib.resources import files

import pytest

from adjudicator.core import graph
from adjudicator.files import typed
from adjudicator.games.great_race.components import Components, Course
from adjudicator.games.great_race.roads import other_end, roads_of

HOUSE_TEXT = (files("adjudicator.games.great_race") / "data" / "house.json").read_text(encoding="utf-8")
HOUSE = typed.read(Components, HOUSE_TEXT)

each_board = pytest.mark.parametrize("board", HOUSE.boards, ids=lambda board: board.id)


def spaces_of(board):
    return {space.id: space for space in board.spaces}


def by_land(spaces):
    return graph.Graph({name: space.next for name, space in spaces.items()})


def test_gr_c1_the_set_says_that_it_is_a_house_set():
    """The file must not pretend to be a transcription."""
    assert (HOUSE.id, HOUSE.version, HOUSE.name) == ("house", 2, "House set")
    assert "designed for this program" in HOUSE.note and "transcription" in HOUSE.note


def test_the_file_repeats_no_default_and_reads_line_by_line():
    """Each space, tile, card and line is one line of the file, so that a transcriber can go down a list."""
    lines = HOUSE_TEXT.splitlines()
    assert not [line for line in lines if '"risk": false' in line or '"danger": false' in line]
    assert sum(line.startswith('    {"id"') for line in lines) == sum(len(board.spaces) for board in HOUSE.boards)


def test_gr_c2_there_are_60_tiles():
    assert sum(tile.count for tile in HOUSE.tiles) == 60


def test_gr_c2_tiles_cost_up_to_3_fuel_and_2_parts_some_with_danger_and_stop():
    assert {tile.fuel for tile in HOUSE.tiles} == {0, 1, 2, 3}
    assert {tile.parts for tile in HOUSE.tiles} == {0, 1, 2}
    marked = Counter({"danger": 0, "stop": 0})
    for tile in HOUSE.tiles:
        marked += Counter({"danger": tile.danger * tile.count, "stop": tile.stop * tile.count})
    assert (marked["danger"], marked["stop"]) == (11, 10)


def test_gr_c2_no_two_kinds_of_tile_are_the_same():
    """Otherwise they would be one kind."""
    assert len({(tile.fuel, tile.parts, tile.danger, tile.stop) for tile in HOUSE.tiles}) == len(HOUSE.tiles)
    assert len({tile.name for tile in HOUSE.tiles}) == len(HOUSE.tiles)


def test_gr_c2_every_tile_can_be_paid_with_full_gauges_even_in_a_risk_zone():
    """A tile that nobody can ever enter would close a space for good."""
    for tile in HOUSE.tiles:
        assert tile.fuel + HOUSE.surcharge <= HOUSE.gauges.fuel
        assert tile.parts + tile.danger * HOUSE.danger < HOUSE.gauges.engine + HOUSE.gauges.chassis


def test_gr_c3_the_cards_are_those_of_the_rulebook():
    assert {card.id.value: card.count for card in HOUSE.cards} == {
        "tracker": 2,
        "financial": 2,
        "transport": 2,
        "mechanic": 3,
        "ranger": 3,
        "driver": 3,
        "cartographer": 3,
        "saboteur": 3,
        "trail-hunter": 2,
        "cheater": 2,
        "jerrycan": 8,
        "refuelling": 2,
        "spare-parts": 6,
        "toolbox": 2,
        "caravan": 2,
    }
    assert sum(card.count for card in HOUSE.cards) == 45


def test_gr_k1_the_amounts_of_the_cards_are_those_of_the_rulebook():
    amounts = {card.id.value: card.amount for card in HOUSE.cards if card.amount}
    assert amounts == {
        "financial": 30,
        "transport": 50,
        "cartographer": 3,
        "saboteur": 2,
        "trail-hunter": 3,
        "jerrycan": 1,
        "refuelling": 5,
        "spare-parts": 1,
        "toolbox": 3,
    }


def test_gr_s2_cash_and_bonus_by_turn_order():
    told = {purse.players: (purse.cash, purse.bonus) for purse in HOUSE.purses}
    assert told == {
        2: ((80, 70), (20, 0)),
        3: ((80, 80, 70), (20, 10, 0)),
        4: ((80, 80, 80, 70), (20, 10, 0, 0)),
    }


def test_gr_a4_funding_prices_and_prestige_are_those_of_the_rulebook():
    prices = HOUSE.prices
    assert HOUSE.assistants == 5
    assert HOUSE.funding == (10, 20, 40, 70, 110)
    assert (prices.fuel_in_city, prices.fuel_outside, prices.part_in_city, prices.part_outside) == (10, 20, 20, 40)
    assert (HOUSE.surcharge, HOUSE.city_fuel, HOUSE.danger) == (1, 1, 2)
    assert (HOUSE.prestige.arrivals, HOUSE.prestige.francs) == ((5, 3, 1), 50)


def test_gr_c1_there_are_two_boards_one_each_way():
    assert [(board.id, board.course) for board in HOUSE.boards] == [
        ("africa", Course.NORTH_SOUTH),
        ("asia", Course.WEST_EAST),
    ]


@each_board
def test_gr_c1_a_board_has_room_for_a_race(board):
    cities = [space for space in board.spaces if space.is_city]
    assert 60 <= len(board.spaces) <= 120
    assert 8 <= len(cities) <= 14
    assert {space.cards for space in cities} == {1, 2, 3}
    assert 8 <= sum(space.risk for space in board.spaces) <= len(board.spaces) // 3
    assert {line.kind.value for line in board.lines} == {"sea", "air"}
    assert all(20 <= line.price <= 80 for line in board.lines)


@each_board
def test_gr_c1_lanes_lead_from_one_purple_city_to_the_other(board):
    spaces = spaces_of(board)
    assert [spaces[city].lane for city in board.purple] == [1, board.lanes]
    assert 12 <= board.lanes <= 16


@each_board
def test_gr_c1_the_lanes_are_the_rows_or_the_columns_of_the_map(board):
    across = {(space.y if board.course is Course.NORTH_SOUTH else space.x) - space.lane for space in board.spaces}
    assert across == {0}


@each_board
def test_gr_c1_what_lies_side_by_side_is_drawn_side_by_side(board):
    """Neighbours are neighbours of one grid of hexagons, so that the map shows every way, and no other."""
    spaces = spaces_of(board)
    near = {(2, 0), (1, 1)} if board.course is Course.NORTH_SOUTH else {(0, 2), (1, 1)}
    for space in board.spaces:
        assert {(abs(spaces[other].x - space.x), abs(spaces[other].y - space.y)) for other in space.next} <= near


@each_board
def test_gr_c1_no_space_is_a_trap(board):
    """From every space two ways lead on, and the race is open even without lines and without any one space."""
    spaces = spaces_of(board)
    assert min(len(space.next) for space in board.spaces) >= 2
    start, finish = board.purple
    for closed in spaces.keys() - {start, finish}:
        reached = by_land(spaces).steps(start, lambda space, closed=closed: space != closed)
        assert len(reached) == len(spaces) - 1


@each_board
def test_gr_d5_a_chain_of_lines_never_leads_all_the_way(board):
    """Otherwise a race would be bought and not driven."""
    roads = roads_of(board, board.purple[0])
    for city in board.purple:
        lines = {here: [other_end(line, here) for line in lines] for here, lines in roads.lines.items()}
        reached = graph.Graph(lines).steps(city)
        assert max(abs(roads.spaces[other].lane - roads.spaces[city].lane) for other in reached) <= board.lanes // 2


@each_board
def test_gr_d5_the_cheaper_a_line_the_shorter(board):
    """A lane that is saved costs at least 15 francs."""
    spaces = spaces_of(board)
    for line in board.lines:
        here, there = (spaces[end] for end in line.ends)
        assert line.price >= 15 * abs(here.lane - there.lane)


@each_board
def test_gr_c1_the_shortest_way_leads_through_risk_zones(board):
    """There is a price for going straight: whoever goes round all risk zones goes further, or by way of a city."""
    spaces = spaces_of(board)
    start, finish = board.purple
    straight = by_land(spaces).steps(start)[finish]
    safe = by_land(spaces).steps(start, lambda space: not spaces[space].risk)[finish]
    assert board.lanes - 1 <= straight <= safe <= straight + 6


@each_board
def test_gr_s2_what_a_line_from_the_start_costs_every_player_has(board):
    """With 80 francs for the first and 70 for the last, a line for 80 decided two races in three before they began."""
    least = min(min(purse.cash) for purse in HOUSE.purses)
    assert all(line.price <= least for line in board.lines if set(line.ends) & set(board.purple))
