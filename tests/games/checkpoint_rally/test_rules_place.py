"""Laying a tile: where it may lie and what it costs (CR-P1 to CR-P5)."""

import pytest

from adjudicator.games.checkpoint_rally.events import TilePlaced
from adjudicator.games.checkpoint_rally.orders import Discard, Place
from adjudicator.games.checkpoint_rally.rules import RULESET

FAR = {"A1": "UD5", "E5": "UD4"}
"""Where the cars stand in positions that are about a tile: in corners, on urban roads in the desert."""
SIDES = {"N": "C2", "E": "D3", "S": "C4", "W": "B3"}


@pytest.fixture
def lay(scene):
    """Make a position in which red holds ``hand`` and ``board`` lies around C3, far from both cars."""

    def make(hand, board, *, extra=(), borders=(), **red):
        return scene(
            {**FAR, **board},
            extra=extra,
            borders=borders,
            red={"cell": "A1", "hand": hand, **red},
            blue={"cell": "E5", "minutes": 99},
        )

    return make


def bonuses(rally, order):
    """List the parts of the cost after the four minutes, as (what, rule)."""
    why = RULESET.cost_if_legal(rally.config, rally.state, "red", order)
    assert (why[0].amount, why[0].rule) == (4, "CR-P1")
    return sorted((part.what, part.rule) for part in why[1:] if part.amount == -1)


# --- golden cases ----------------------------------------------------------------------------------------------------


def test_cr_golden_1_a_new_tile_between_neighbours(lay, tile):
    """When placing the middle tile you get: Highway (left), mountain (left), grassland (top).

    For a total of 3 bonus minutes. Total time spent; 4 - 3 = 1 minute.
    """
    extra = [
        tile("H1", "EW", "gccm"),  # the new one: highway east-west, grassland at the top, mountains at the left
        tile("H2", "EW", "cmcc"),  # to the left: its highway and its mountains touch the new tile
        tile("G3", "EW", "ccgd"),  # above: grassland touches, no road does
        tile("U4", "NS", "dddd"),  # to the right: nothing matches
    ]
    rally = lay("H1", {"B3": "H2", "C2": "G3", "D3": "U4"}, extra=extra)
    assert bonuses(rally, Place("H1", "C3", 0)) == [
        ("grassland N", "CR-P3"),
        ("highway W", "CR-P2"),
        ("mountains W", "CR-P3"),
    ]
    assert rally.do("red", Place("H1", "C3", 0)).minutes == 4 - 3


def test_cr_golden_2_a_replaced_tile_matches_each_type_once(lay, tile):
    """The tile with 3 sides of grassland, replaced by one with two sides of grassland, gives only 1 bonus minute for it.

    The mountain terrain gives 1 bonus minute, as the orientation of the tile sides is ignored. Lastly, 1 minute bonus is
    given for the matching road type (highway) on both tiles: a total of 3 minutes.
    """
    extra = [tile("H1", "NS", "gggm"), tile("H2", "NE", "mgdg")]
    rally = lay("H2", {"C3": "H1"}, extra=extra)
    assert [rule for _, rule in bonuses(rally, Place("H2", "C3", 0))] == ["CR-P4"] * 3
    for rot in (0, 90, 180, 270):
        assert rally.minutes("red", Place("H2", "C3", rot)) == 4 - 3


# --- CR-P1 -----------------------------------------------------------------------------------------------------------


def test_cr_p1_a_tile_costs_four_minutes_where_nothing_matches(lay):
    """Placing a tile takes 4 minutes, minus any matching bonuses."""
    rally = lay("HC1", {})
    told = rally.do("red", Place("HC1", "C3", 0))
    assert told.why == [(4, "place a tile", "CR-P1")]
    assert rally.racer("red").minutes == 4


def test_cr_p1_the_tile_lies_where_and_how_it_was_laid(lay):
    """It leaves the hand and lies on the cell, turned as written."""
    rally = lay("HC1 HC2", {})
    (placed,) = rally.do("red", Place("HC1", "C3", 270)).of(TilePlaced)
    assert (placed.tile, placed.cell, placed.rot, placed.replaced) == ("HC1", "C3", 270, None)
    laid = rally.state.board[12]
    assert (laid.tile, laid.rot) == ("HC1", 270)
    assert rally.racer("red").hand == ("HC2",)


def test_cr_p1_any_empty_space_will_do(lay):
    """On any empty space: also one that touches nothing and is far from the own car."""
    rally = lay("HC1", {})
    empty = {f"{column}{row}" for column in "ABCDE" for row in "12345"} - {"A1", "E5"}
    assert {order.cell for order in rally.legal("red", Place)} == empty


def test_cr_p1_in_any_rotation(lay):
    """Roads need not meet: every rotation is legal."""
    rally = lay("HC1", {"C2": "GM1"})
    assert {order.rot for order in rally.legal("red", Place) if order.cell == "C3"} == {0, 90, 180, 270}


def test_cr_p1_on_an_already_placed_tile(lay):
    """On a space with an already placed tile."""
    rally = lay("HC1", {"C3": "GM1"})
    (placed,) = rally.do("red", Place("HC1", "C3", 0)).of(TilePlaced)
    assert placed.replaced == "GM1"


@pytest.mark.parametrize("cell", ["A1", "E5"])
def test_cr_p1_not_under_a_car(lay, cell):
    """The space must not contain a car, neither your own, nor other players'."""
    assert lay("HC1", {}).why_not("red", Place("HC1", cell, 0)) == ("car-on-cell", "CR-P1")


def test_cr_p1_not_under_a_car_even_with_a_gps_update(lay):
    """The update saves the replaced tile, it does not lift a car."""
    assert lay("HC1", {}).why_not("red", Place("HC1", "E5", 0, gps=True)) == ("car-on-cell", "CR-P1")


def test_cr_p1_where_a_car_has_left_a_tile_may_be_laid(scene):
    """A car that has finished stands on no space."""
    rally = scene(
        {"C3": "GM1", "A1": "UD1"},
        red={"cell": "A1", "hand": "HC1", "minutes": 30},
        blue={"place": 1, "map": "C3", "marked": "C3", "minutes": 30},
    )
    assert rally.allows("red", Place("HC1", "C3", 0))


def test_cr_p1_a_tile_with_checkpoint_tokens_may_be_replaced(lay):
    """Only a car protects a tile: a checkpoint stays marked on whatever tile lies there."""
    rally = lay("HC1", {"C3": "GM1"}, map="C3 C4", marked="C3")
    rally.do("red", Place("HC1", "C3", 0))
    assert rally.racer("red").marked == ("C3",)


@pytest.mark.parametrize("tile_id", ["HC2", "UD5", "GM1", "UG1", "UC1"])
def test_cr_p1_only_a_tile_of_the_own_hand(scene, tile_id):
    """Not one of the stack, the board, the row, another's hand or the discard pile."""
    rally = scene(
        FAR,
        row="GM1",
        discard="UC1",
        red={"cell": "A1", "hand": "HC1"},
        blue={"cell": "E5", "minutes": 9, "hand": "UG1"},
    )
    assert rally.why_not("red", Place(tile_id, "C3", 0)) == ("not-in-hand", "CR-P1")


def test_cr_p1_the_refusal_of_a_tile_tells_nothing_about_where_it_is(scene):
    """Whether the tile is in the stack or in another's hand is a secret."""
    rally = scene(FAR, red={"cell": "A1", "hand": "HC1"}, blue={"cell": "E5", "minutes": 9, "hand": "UG1"})
    in_hand, in_stack = (rally.refuse("red", Place(tile, "C3", 0)) for tile in ("UG1", "UG2"))
    assert in_hand.message.replace("UG1", "UG2") == in_stack.message
    assert (in_hand.code, in_hand.part, in_hand.suggestions) == (in_stack.code, in_stack.part, in_stack.suggestions)


@pytest.mark.parametrize("matching", [0, 1, 2, 4])
def test_cr_p1_never_under_nought(lay, matching):
    """The time spent can never be less than zero: each neighbour that matches road and terrain takes two minutes off."""
    board = dict(zip(SIDES.values(), ("HC1", "HC2", "HC3", "HC4")[:matching], strict=False))
    rally = lay("HC5", board)
    told = rally.do("red", Place("HC5", "C3", 0))
    assert told.minutes == max(0, 4 - 2 * matching)
    assert sum(amount for amount, _, _ in told.why) == told.minutes


def test_cr_p1_a_free_tile_is_still_an_action_and_told_in_parts(lay):
    """Eight bonuses and what is under nought: `why` adds up to 0."""
    rally = lay("HC5", dict(zip(SIDES.values(), ("HC1", "HC2", "HC3", "HC4"), strict=True)))
    why = rally.do("red", Place("HC5", "C3", 0)).why
    assert [amount for amount, _, _ in why] == [4, *[-1] * 8, 4]


# --- CR-P2 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "cell"), SIDES.items())
def test_cr_p2_a_connecting_road_of_the_same_type(lay, side, cell):
    """For each connecting road of the same type on adjacent tiles, subtract 1 minute."""
    rally = lay("HC1", {cell: "HM1"})
    assert bonuses(rally, Place("HC1", "C3", 0)) == [(f"highway {side}", "CR-P2")]


def test_cr_p2_each_connecting_road_counts(lay):
    """Three neighbours with roads of the type: three minutes off."""
    rally = lay("GC1", {"C2": "GM1", "D3": "GM2", "C4": "GM3"})
    assert bonuses(rally, Place("GC1", "C3", 0)) == [("gravel E", "CR-P2"), ("gravel N", "CR-P2"), ("gravel S", "CR-P2")]


@pytest.mark.parametrize("neighbour", ["GM1", "UM1"])
def test_cr_p2_a_road_of_another_type_gives_nothing(lay, neighbour):
    """A highway that meets a gravel road connects, but is not of the same type."""
    assert lay("HC1", {"C2": neighbour}).minutes("red", Place("HC1", "C3", 0)) == 4


@pytest.mark.parametrize(("rot", "minutes"), [(0, 3), (90, 4), (180, 3)])
def test_cr_p2_the_new_tile_must_have_an_exit_there(lay, tile, rot, minutes):
    """A straight highway under a crossing connects only when it is laid north to south."""
    rally = lay("H1", {"C2": "HM1"}, extra=[tile("H1", "NS", "cccc")])
    assert rally.minutes("red", Place("H1", "C3", rot)) == minutes


@pytest.mark.parametrize(("rot", "minutes"), [(0, 3), (90, 4), (180, 3)])
def test_cr_p2_the_neighbour_must_have_an_exit_there(lay, tile, rot, minutes):
    """The same with the straight highway on the board."""
    rally = lay("HM1", {"C2": ("H1", rot)}, extra=[tile("H1", "NS", "cccc")])
    assert rally.minutes("red", Place("HM1", "C3", 0)) == minutes


def test_cr_p2_the_two_exits_must_be_on_the_shared_side(lay, tile):
    """Both lead south: the upper one meets the lower one, but not the other way round."""
    extra = [tile("H1", "SE", "cccc"), tile("H2", "SE", "mmmm")]
    assert lay("H2", {"C2": "H1"}, extra=extra).minutes("red", Place("H2", "C3", 0)) == 4
    assert lay("H2", {"C2": "H1"}, extra=extra).minutes("red", Place("H2", "C3", 90)) == 4
    assert lay("H2", {"C2": "H1"}, extra=extra).minutes("red", Place("H2", "C3", 180)) == 3


# --- CR-P3 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "side", "cell"),
    [(terrain, *side) for terrain, side in zip(("city", "mountains", "grassland", "desert"), SIDES.items(), strict=True)],
)
def test_cr_p3_a_terrain_side_that_touches_the_same_type(lay, terrain, side, cell):
    """For each terrain side that touches the same type on adjacent tiles, subtract 1 minute."""
    letter = terrain[0].upper()
    rally = lay(f"H{letter}1", {cell: f"G{letter}1"})
    assert bonuses(rally, Place(f"H{letter}1", "C3", 0)) == [(f"{terrain} {side}", "CR-P3")]


def test_cr_p3_only_the_touching_sides_count(lay, tile):
    """City lies all around the neighbour but for the side that touches."""
    rally = lay("HC1", {"C2": "G1"}, extra=[tile("G1", "NS", "ccdc")])
    assert rally.minutes("red", Place("HC1", "C3", 0)) == 4


def test_cr_p3_each_side_counts_also_of_one_type(lay):
    """Unlike with a replaced tile every side counts: four neighbours of city are four minutes off."""
    board = dict(zip(SIDES.values(), ("GC1", "GC2", "UC1", "UC2"), strict=True))
    rally = lay("HC1", board)
    assert [what for what, _ in bonuses(rally, Place("HC1", "C3", 0))] == ["city E", "city N", "city S", "city W"]


def test_cr_p3_tiles_that_touch_only_at_a_corner_do_not_count(lay):
    """Adjacent is orthogonally adjacent."""
    rally = lay("HC1", {"B2": "HC2", "D2": "HC3", "B4": "HC4", "D4": "HC5"})
    assert rally.minutes("red", Place("HC1", "C3", 0)) == 4


def test_cr_p3_border_counts_as_neighbour_for_terrain(lay):
    """Ruling: the border frame counts as a neighbour for terrain."""
    rally = lay("HC1", {}, borders=("ddcdd", "ddddd", "ddddd", "ddddd"))
    assert bonuses(rally, Place("HC1", "C1", 0)) == [("city N", "CR-P3")]


def test_cr_p3_a_corner_touches_two_border_pieces(lay):
    """In E1 the north piece ends and the east piece begins."""
    rally = lay("HC1", {}, borders=("ddddc", "cdddd", "ddddd", "ddddd"))
    assert bonuses(rally, Place("HC1", "E1", 0)) == [("city E", "CR-P3"), ("city N", "CR-P3")]


def test_cr_p3_the_border_has_no_roads(lay):
    """A road that leads off the board connects with nothing."""
    rally = lay("HC1", {})
    assert rally.minutes("red", Place("HC1", "C1", 0)) == 4


def test_cr_p3_the_border_does_not_count_inside_the_board(lay):
    """Row 2 does not touch the north piece."""
    rally = lay("HC1", {}, borders=("ccccc",) * 4)
    assert rally.minutes("red", Place("HC1", "C2", 0)) == 4


# --- CR-P4 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("cccc", "cccc", ["city"]),
        ("ccmm", "mmcc", ["city", "mountains"]),
        ("cmgd", "dgmc", ["city", "desert", "grassland", "mountains"]),
        ("cccm", "mggg", ["mountains"]),
        ("ccmm", "ggdd", []),
    ],
)
def test_cr_p4_each_terrain_type_on_both_tiles_counts_once(lay, tile, old, new, expected):
    """For each type of matching terrain on a tile you replace (regardless of orientation), subtract 1 minute."""
    rally = lay("H1", {"C3": "G1"}, extra=[tile("H1", "NS", new), tile("G1", "NS", old)])
    for rot in (0, 90, 180, 270):
        assert bonuses(rally, Place("H1", "C3", rot)) == [(f"{terrain} as before", "CR-P4") for terrain in expected]


@pytest.mark.parametrize(("old", "minutes"), [("HM1", 3), ("GM1", 4), ("UM1", 4)])
def test_cr_p4_the_same_road_type_counts_one(lay, old, minutes):
    """And 1 for the same road type."""
    assert lay("HC1", {"C3": old}).minutes("red", Place("HC1", "C3", 0)) == minutes


def test_cr_p4_the_road_counts_whatever_its_exits(lay, tile):
    """Types are compared, not shapes: a straight and a bend of the same road type."""
    rally = lay("H1", {"C3": "H2"}, extra=[tile("H1", "NS", "cccc"), tile("H2", "NE", "mmmm")])
    assert bonuses(rally, Place("H1", "C3", 90)) == [("highway as before", "CR-P4")]


def test_cr_p4_adds_up_with_p2_and_p3(lay, tile):
    """A road and a terrain with the north neighbour, a terrain with the tile below: 4 − 3."""
    extra = [tile("H1", "NS", "cmmm"), tile("U1", "NS", "mddd")]
    rally = lay("H1", {"C2": "HC1", "C3": "U1"}, extra=extra)
    rules = [rule for _, rule in bonuses(rally, Place("H1", "C3", 0))]
    assert sorted(rules) == ["CR-P2", "CR-P3", "CR-P4"]
    assert rally.minutes("red", Place("H1", "C3", 0)) == 1


def test_cr_p4_nothing_on_an_empty_space(lay):
    """Only a tile that is replaced can match."""
    assert bonuses(lay("HC1", {}), Place("HC1", "C3", 0)) == []


# --- CR-P5 -----------------------------------------------------------------------------------------------------------


def test_cr_p5_the_replaced_tile_goes_to_the_discard_pile(lay):
    """The replaced tile is put into the discard pile."""
    rally = lay("HC1", {"C3": "GM1"})
    rally.do("red", Place("HC1", "C3", 0))
    assert (rally.state.discard, rally.racer("red").hand, rally.racer("red").gps) == (("GM1",), (), 2)


def test_cr_p5_or_into_the_hand_for_a_gps_update(lay):
    """Unless you use a GPS update, in which case you may put the map tile into your hand."""
    rally = lay("HC1", {"C3": "GM1"})
    (placed,) = rally.do("red", Place("HC1", "C3", 0, gps=True)).of(TilePlaced)
    assert placed.is_kept
    assert (rally.state.discard, rally.racer("red").hand, rally.racer("red").gps) == ((), ("GM1",), 1)


@pytest.mark.parametrize(("gps", "cells"), [(2, {"C3", "D4"}), (1, {"C3", "D4"}), (0, set())])
def test_cr_p5_a_tile_may_be_kept_wherever_one_is_replaced(lay, gps, cells):
    """Among the legal orders: on every tile without a car, in every rotation, as long as an update is left."""
    rally = lay("HC1", {"C3": "GM1", "D4": "GM2"}, gps=gps)
    kept = {order for order in rally.legal("red", Place) if order.gps}
    assert kept == {Place("HC1", cell, rot, gps=True) for cell in cells for rot in (0, 90, 180, 270)}


def test_cr_p5_a_gps_update_takes_no_time(lay):
    """Using a GPS update does not take time on the stopwatch: the tile costs what it costs."""
    rally = lay("HC1", {"C3": "HC2", "C2": "GM1"})
    costs = {gps: rally.minutes("red", Place("HC1", "C3", 0, gps=gps)) for gps in (False, True)}
    assert costs == {False: 2, True: 2}


def test_cr_p5_a_full_hand_stays_full(lay):
    """One tile out, one in: nothing to discard."""
    rally = lay("HC1 HC2 HC3", {"C3": "GM1"})
    rally.do("red", Place("HC1", "C3", 0, gps=True))
    assert set(rally.racer("red").hand) == {"HC2", "HC3", "GM1"}
    assert rally.due() == [("red", "action")]


def test_cr_p5_the_last_update_and_none_after_it(lay):
    """With one update left it can be done once."""
    rally = lay("HC1 HC2", {"C3": "GM1"}, gps=1)
    rally.do("red", Place("HC1", "C3", 0, gps=True))
    assert rally.why_not("red", Place("HC2", "C3", 0, gps=True)) == ("gps-spent", "CR-C6")
    assert rally.allows("red", Place("HC2", "C3", 0))


def test_cr_p5_on_an_empty_space_there_is_nothing_to_keep(lay):
    """The update is for a tile that is replaced."""
    rally = lay("HC1", {})
    assert rally.why_not("red", Place("HC1", "C3", 0, gps=True)) == ("nothing-to-keep", "CR-P5")


def test_cr_p5_the_tile_kept_may_be_laid_again(lay):
    """It is a tile of the hand like any other."""
    rally = lay("HC1", {"C3": "GM1"})
    rally.do("red", Place("HC1", "C3", 0, gps=True))
    rally.do("red", Place("GM1", "B2", 0))
    assert rally.racer("red").hand == ()


def test_cr_p5_the_tile_for_a_draw_line_joins_the_tile_kept(lay):
    """Both come into the hand in one turn, and the hand limit is checked last."""
    rally = lay("HC1 HC2 HC3", {"C3": "GM1"}, minutes=14)
    rally.do("red", Place("HC1", "C3", 0, gps=True), "UC1")
    assert rally.due() == [("red", "discard")]
    rally.do("red", Discard(("GM1",)))
    assert rally.state.discard == ("GM1",)
