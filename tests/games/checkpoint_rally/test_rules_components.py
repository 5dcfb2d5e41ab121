"""What the parts of the game mean in play (CR-C1 to CR-C7)."""

import re

import pytest

from adjudicator.games.checkpoint_rally.components import BorderOrder
from adjudicator.games.checkpoint_rally.orders import Move, Place, Take
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Frame

ALL_CELLS = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]


# --- CR-C1: the board ------------------------------------------------------------------------------------------------


def test_cr_c1_the_board_has_five_by_five_cells(scene):
    """5 × 5 cells, columns A–E, rows 1–5: a tile may be laid on each of the 25, but for the two that carry cars."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    placed = {order.cell for order in rally.legal("red", Place)}
    assert placed == set(ALL_CELLS) - {"C3", "A1"}


def test_cr_c1_there_is_nothing_beyond_the_board(scene):
    """There is no column F and no row 6 or 0."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    for cell in ("F1", "A6", "A0", "C33", "3C", ""):
        for order in (Place("GM1", cell, 0), Move((cell,)), Move(("C2", cell))):
            assert rally.why_not("red", order) == ("unknown-cell", "CR-C1"), order


def test_cr_c1_columns_go_west_to_east_and_rows_north_to_south(scene, tile):
    """From the centre C3, C2 lies north, D3 east, C4 south and B3 west: A1 is the north-west corner."""
    board = {"C3": "H1", "C2": "HC1", "D3": "HC2", "C4": "HC3", "B3": "HC4", "A1": "HC5"}
    for exits, cell in (("N", "C2"), ("E", "D3"), ("S", "C4"), ("W", "B3")):
        rally = scene(board, extra=[tile("H1", exits, "cccc")], red={"cell": "C3"}, blue={"cell": "A1"})
        assert {order.path[0] for order in rally.legal("red", Move)} == {cell}, exits


# --- CR-C2: tiles ----------------------------------------------------------------------------------------------------


def test_cr_c2_rot_turns_the_road_clockwise(scene, tile):
    """``rot`` turns a tile clockwise from its printed orientation: a bend from north to east leads east and south at 90."""
    for rot, cells in ((0, {"C2", "D3"}), (90, {"D3", "C4"}), (180, {"C4", "B3"}), (270, {"B3", "C2"})):
        board = {"C3": ("H1", rot), "C2": "HC1", "D3": "HC2", "C4": "HC3", "B3": "HC4", "A1": "HC5"}
        rally = scene(board, extra=[tile("H1", "NE", "cccc")], red={"cell": "C3"}, blue={"cell": "A1"})
        assert {order.path[0] for order in rally.legal("red", Move)} == cells, rot


def test_cr_c2_rot_turns_the_terrain_clockwise(scene, tile):
    """City printed at the north stands at the east at 90, at the south at 180, at the west at 270 degrees."""
    touched = {0: "C2", 90: "D3", 180: "C4", 270: "B3"}
    for neighbour in touched.values():
        board = {neighbour: "HC1", "A1": "HC2", "E5": "HC3"}
        seats = {"red": {"cell": "A1", "hand": "U1"}, "blue": {"cell": "E5"}}
        rally = scene(board, extra=[tile("U1", "NS", "cmmm")], **seats)
        minutes = {rot: rally.minutes("red", Place("U1", "C3", rot)) for rot in touched}
        assert minutes == {rot: 3 if cell == neighbour else 4 for rot, cell in touched.items()}, neighbour


def test_cr_c2_a_tile_lies_square(scene):
    """A tile is turned by 0, 90, 180 or 270 degrees and nothing else; what is suggested is one of these."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    for rot in (1, 45, 100, -90, 360, 450):
        problem = rally.refuse("red", Place("GM1", "C2", rot))
        assert (problem.code, problem.rule) == ("checkpoint-rally/bad-rotation", "CR-C2"), rot
        assert problem.suggestions, rot
        assert set(problem.suggestions) <= {"rot 0", "rot 90", "rot 180", "rot 270"}, rot


def test_cr_c2_a_digit_lost_or_doubled_in_a_rotation_is_understood(scene):
    """27 is more likely 270 with a digit lost than anything else."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    meant = {27: 270, 18: 180, 9: 90, 900: 90, 2700: 270}
    first = {rot: rally.refuse("red", Place("GM1", "C2", rot)).suggestions[0] for rot in meant}
    assert first == {written: f"rot {rot}" for written, rot in meant.items()}


def test_cr_c2_what_is_wrong_first_is_told(scene):
    """An unknown tile, off the board, askew: the order is about that tile, so the tile is named."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    assert rally.why_not("red", Place("X1", "F6", 45))[0] == "unknown-tile"
    assert rally.why_not("red", Place("GM1", "F6", 45))[0] == "unknown-cell"


def test_cr_c2_an_unknown_tile_is_refused_with_what_it_may_have_been(scene):
    """A tile that is not in the set is nobody's; a name near it is suggested."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1"})
    problem = rally.refuse("red", Place("GM9", "C2", 0))
    assert (problem.code, problem.rule, problem.part) == ("checkpoint-rally/unknown-tile", "CR-C2", "tile")
    assert "GM1" in problem.suggestions
    assert rally.why_not("red", Take("X1")) == ("unknown-tile", "CR-C2")


# --- CR-C3: border pieces --------------------------------------------------------------------------------------------


BORDER_CASES = [
    (border_order, side, along, cells.split()[along])
    for border_order, sides in (
        (BorderOrder.CLOCKWISE, ("A1 B1 C1 D1 E1", "E1 E2 E3 E4 E5", "E5 D5 C5 B5 A5", "A5 A4 A3 A2 A1")),
        (BorderOrder.COMPASS, ("A1 B1 C1 D1 E1", "E1 E2 E3 E4 E5", "A5 B5 C5 D5 E5", "A1 A2 A3 A4 A5")),
    )
    for side, cells in enumerate(sides)
    for along in ((0, 3) if side == 2 else (3,))
]
"""The cell before a corner tells the direction of a side, and a corner whose it is."""


@pytest.mark.parametrize(("border_order", "side", "along", "cell"), BORDER_CASES)
def test_cr_c3_terrains_lie_in_the_order_of_the_set(scene, border_order, side, along, cell):
    """Clockwise: west to east, north to south, east to west, south to north. By the compass: west to east, north to south.

    What is drawn around the board is what counts for the cost.
    """
    fronts = ["ddddd"] * 4
    fronts[side] = "".join("c" if n == along else "d" for n in range(5))
    seats = {"red": {"cell": "C3", "hand": "UC1"}, "blue": {"cell": "C4"}}
    rally = scene({"C3": "HM1", "C4": "HM2"}, borders=fronts, border_order=border_order, **seats)
    cheap = {order.cell for order in rally.legal("red", Place) if rally.minutes("red", order) < 4}
    assert cheap == {cell}
    _, *borders = RULESET.draw(rally.config, rally.view("red")).shapes[0].sentences[:5]
    frame = [re.findall(r"[A-E1-5] (\w+)", border.partition(":")[2]) for border in borders]
    drawn = {(at, place) for at, names in enumerate(frame) for place, name in enumerate(names) if name == "city"}
    assert drawn == {(side, "ABCDE".index(cell[0]) if side in (0, 2) else int(cell[1]) - 1)}


@pytest.mark.parametrize("side", range(4))
def test_cr_c3_a_piece_is_the_same_strip_on_every_side(scene, side):
    """Border pieces are rigid: from the middle of the board one reads the same terrains from left to right on every side."""
    lying = tuple(Frame(f"P{(n - side) % 4 + 1}", "front") for n in range(4))
    seats = {"red": {"cell": "C3", "hand": "UC1 UM1 UG1"}, "blue": {"cell": "C4"}}
    rally = scene({"C3": "HM1", "C4": "HM2"}, borders=("cmmgd", "ddddd", "ddddd", "ddddd"), border=lying, **seats)
    cells = ("A1 B1 C1 D1 E1", "E1 E2 E3 E4 E5", "E5 D5 C5 B5 A5", "A5 A4 A3 A2 A1")[side].split()
    own = [(order.tile, order.cell) for order in rally.legal("red", Place) if rally.minutes("red", order) < 4]
    expected = [("UC1", cells[0]), ("UM1", cells[1]), ("UM1", cells[2]), ("UG1", cells[3])]
    # Tiles beside the two on the board are cheaper as well, for their mountains.
    assert {one for one in own if one[1] in cells} == set(expected)


def test_cr_c3_a_set_that_does_not_say_is_read_by_the_compass(house):
    """As sets of version 1 were written: a set that was written then goes on meaning what it meant."""
    fields = {name: getattr(house, name) for name in ("id", "version", "name", "note", "tiles", "borders", "cards", "cars")}
    assert type(house)(**fields).border_order is BorderOrder.COMPASS
    assert house.border_order is BorderOrder.CLOCKWISE


def test_cr_c3_version_1_reads_a_set_in_the_order_it_says(scene):
    """The set says how it is written, not the version of the rules: also in a game that was begun by version 1."""
    for border_order, cell in ((BorderOrder.CLOCKWISE, "E5"), (BorderOrder.COMPASS, "A5")):
        seats = {"red": {"cell": "C3", "hand": "UC1"}, "blue": {"cell": "C4"}}
        borders = ("ddddd", "ddddd", "cdddd", "ddddd")
        rally = scene({"C3": "HM1", "C4": "HM2"}, borders=borders, border_order=border_order, version=1, **seats)
        assert {order.cell for order in rally.legal("red", Place) if rally.minutes("red", order) < 4} == {cell}


def test_cr_c3_a_piece_counts_where_it_lies_and_with_the_side_that_is_up(scene):
    """Pieces are double-sided: grassland and mountains are printed here, but do not lie at the east or face down."""
    rally = scene(
        {"C3": "HM1", "C4": "HM2"},
        borders=("mmmmm", "ggggg", "ccccc", "ddddd"),
        border=(Frame("P4", "front"), Frame("P3", "front"), Frame("P2", "back"), Frame("P1", "front")),
        red={"cell": "C3", "hand": "UG1 UC1 UD1"},
        blue={"cell": "C4"},
    )
    cheap = {(order.tile, order.cell) for order in rally.legal("red", Place) if rally.minutes("red", order) < 4}
    east = {("UC1", f"E{row}") for row in range(1, 6)}
    north_and_south = {("UD1", f"{column}{row}") for column in "ABCDE" for row in (1, 5)}
    assert cheap == east | north_and_south


# --- CR-C4: checkpoint cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "option", "half"),
    [(2, "auto", "upper"), (3, "auto", "lower"), (4, "auto", "lower"), (2, "lower", "lower"), (4, "upper", "upper")],
)
def test_cr_c4_the_half_of_the_card_goes_by_the_players(start, house, players, option, half):
    """2 players race the upper map, 4 the lower; 3 choose (the lower by default); an option for all."""
    rally = start(players, 1, house, map=option)
    cards = {card.id: getattr(card, half) for card in house.cards}
    for racer in rally.state.racers:
        assert rally.fact(racer.seat, "left") == cards[racer.card]


def test_cr_c4_a_map_has_at_most_four_checkpoints_and_tokens(scene):
    """There are four tokens a player: a map of four is finished with the fourth."""
    board = {"C3": "HC1", "D3": "HC2", "A1": "HC3"}
    red = {"cell": "C3", "map": "A5 B5 C5 D3", "marked": "A5 B5 C5"}
    rally = scene(board, red=red, blue={"cell": "A1"})
    rally.do("red", Move(("D3",)))
    assert rally.racer("red").place == 1


# --- CR-C5: cars -----------------------------------------------------------------------------------------------------


def test_cr_c5_a_car_needs_its_minutes_by_road_type(scene):
    """A car needs 2, 4 or 5 minutes for a tile, by the road type of that tile."""
    board, drives = {"C3": "HC1", "C2": "HM1", "D3": "GM1", "C4": "UM1", "A1": "HC2"}, (5, 2, 4)
    rally = scene(board, red={"cell": "C3", "drives": drives}, blue={"cell": "A1", "minutes": 9})
    assert tuple(rally.minutes("red", Move((cell,))) for cell in ("C2", "D3", "C4")) == drives


def test_cr_c5_each_car_has_its_own_data_sheet(scene):
    """Two cars on the same tile need different times for the same road."""
    board = {"C3": "HC1", "C2": "UM1"}
    rally = scene(board, red={"cell": "C3", "drives": (2, 4, 5)}, blue={"cell": "C3", "drives": (5, 4, 2)})
    assert rally.do("red", Move(("C2",))).minutes == 5
    assert rally.do("blue", Move(("C2",))).minutes == 2


# --- CR-C6: GPS updates, row, discard pile ---------------------------------------------------------------------------


def test_cr_c6_each_player_has_two_gps_updates(start, house):
    """2 GPS updates a player."""
    assert [racer.gps for racer in start(4, 1, house).state.racers] == [2, 2, 2, 2]


def test_cr_c6_two_gps_updates_may_be_used_and_not_a_third(scene):
    """When you have used a GPS update, flip it to the "Spent" side."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, row="GM1 GM2 GM3", red={"cell": "C3"}, blue={"cell": "A1", "minutes": 9})
    rally.do("red", Take("GM1"), "GM4")
    rally.do("red", Take("GM2"), "GM5")
    assert rally.racer("red").gps == 0
    assert rally.why_not("red", Take("GM3")) == ("gps-spent", "CR-C6")


def test_cr_c6_the_discard_pile_and_the_row_are_open_to_all(scene):
    """Tiles in the discard pile are placed face-up and may be inspected; so is the row."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, row="GM1 GM2 GM3", discard="UC1 UC2", red={"cell": "C3"}, blue={"cell": "A1"})
    for viewer in ("red", "blue", None):
        assert rally.view(viewer).state.discard == ("UC1", "UC2"), viewer
        assert rally.view(viewer).state.row == ("GM1", "GM2", "GM3"), viewer


def test_cr_c6_hands_and_cards_and_the_stack_are_not(scene):
    """Hands are kept hidden; one's own hand and checkpoint map may always be looked at."""
    rally = scene({"C3": "HC1", "A1": "HC2"}, red={"cell": "C3", "hand": "GM1"}, blue={"cell": "A1", "hand": "UC1"})
    seen = rally.view("red").state
    assert (seen.racer("red").hand, seen.racer("red").card, rally.fact("red", "left")) == (("GM1",), "Kred", ("A1", "A5"))
    assert (seen.racer("blue").hand, seen.racer("blue").card, rally.fact("red", "left", "blue")) == ((None,), None, None)
    assert rally.fact("red", "stack") == 60 - 4
    assert "GM1" in str(seen)
    assert "UC1" not in str(seen)
    assert [(racer.hand, racer.card) for racer in rally.view(None).state.racers] == [((None,), None), ((None,), None)]


# --- CR-C7: bonus ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "place", "bonus"),
    [(2, 1, 2), (2, 2, 0), (3, 1, 3), (3, 2, 1), (3, 3, 0), (4, 1, 4), (4, 2, 2), (4, 3, 1), (4, 4, 0)],
)
def test_cr_c7_the_bonus_goes_by_players_and_place(scene, players, place, bonus):
    """2 players 2, 0; 3 players 3, 1, 0; 4 players 4, 2, 1, 0 minutes for the n-th to finish."""
    done = {
        seat: {"place": n, "minutes": 40, "map": "E1", "marked": "E1"}
        for n, seat in enumerate(("blue", "green", "yellow")[: place - 1], 1)
    }
    waiting = {seat: {"cell": "A1", "minutes": 30} for seat in ("blue", "green", "yellow")[place - 1 : players - 1]}
    red = {"cell": "C3", "map": "D3", "minutes": 20, "drives": (5, 4, 2)}
    rally = scene({"C3": "HC1", "D3": "HC2", "A1": "HC3"}, red=red, **done, **waiting)
    assert rally.minutes("red", Move(("D3",))) == 5 - bonus
    told = rally.do("red", Move(("D3",)))
    assert told.minutes == 5 - bonus
    assert [(amount, rule) for amount, _, rule in told.why] == [(5, "CR-M1"), (-bonus, "CR-F1")][: 1 + (bonus > 0)]
    assert (rally.racer("red").place, rally.racer("red").minutes) == (place, 25 - bonus)


def test_the_ruleset_is_called_by_its_prefix():
    """Rule ids of this game begin with CR."""
    assert RULESET.meta.prefix == "CR"
