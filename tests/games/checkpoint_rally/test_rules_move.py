"""Driving and checkpoints (CR-M1, CR-K1)."""

import pytest

from adjudicator.games.checkpoint_rally.events import CarDriven, CheckpointMarked
from adjudicator.games.checkpoint_rally.orders import Move, Place

CROSS = {"C3": "HC1", "C2": "HM1", "D3": "GM1", "C4": "UM1", "B3": "HM2", "C1": "GC1", "A1": "UC5"}
"""Crossings in the centre, on its four sides, and on C1."""


@pytest.fixture
def drive(scene):
    """Make a position with red (2 minutes on highway, 4 on gravel, 5 on urban roads) on C3 and blue far away."""

    def make(board=CROSS, *, extra=(), blue=None, **red):
        red = {"cell": "C3", "drives": (2, 4, 5), **red}
        return scene(board, extra=extra, red=red, blue={"cell": "A1", "minutes": 99, **(blue or {})})

    return make


# --- CR-M1 -----------------------------------------------------------------------------------------------------------


def test_cr_m1_one_step(drive):
    """Move it from the tile it currently occupies to another tile next to it."""
    rally = drive()
    (driven,) = rally.do("red", Move(("C2",))).of(CarDriven)
    assert (driven.came_from, driven.cell) == ("C3", "C2")
    assert rally.racer("red").cell == "C2"


def test_cr_m1_two_steps_are_one_action(drive):
    """Moving two tiles is only one action."""
    rally = drive()
    told = rally.do("red", Move(("C2", "C1")))
    assert [(step.came_from, step.cell) for step in told.of(CarDriven)] == [("C3", "C2"), ("C2", "C1")]
    assert rally.racer("red").cell == "C1"


@pytest.mark.parametrize(
    ("path", "minutes"), [("C2", 2), ("D3", 4), ("C4", 5), ("C2 C1", 2 + 4), ("D3 C3", 4 + 2), ("C4 C3", 5 + 2)]
)
def test_cr_m1_each_tile_entered_costs_the_time_for_its_road(drive, path, minutes):
    """You must spend the time for each tile you move into or through; the tile left costs nothing."""
    rally = drive()
    told = rally.do("red", Move(tuple(path.split())))
    assert told.minutes == rally.racer("red").minutes == minutes
    assert [rule for _, _, rule in told.why] == ["CR-M1"] * len(path.split())


def test_cr_m1_exactly_what_the_roads_allow(drive):
    """From the centre: the four neighbours, back from each, and on from C2 to C1."""
    paths = {("C2",), ("D3",), ("C4",), ("B3",), ("C2", "C3"), ("D3", "C3"), ("C4", "C3"), ("B3", "C3"), ("C2", "C1")}
    assert {order.path for order in drive().legal("red", Move)} == paths


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("C1", "not-adjacent"),
        ("D2", "not-adjacent"),
        ("B2", "not-adjacent"),
        ("C3", "not-adjacent"),
        ("C2 D3", "not-adjacent"),
        ("C2 C2", "not-adjacent"),
        ("C2 B2", "no-tile"),
        ("C2 C3 C4", "three-steps"),
    ],
)
def test_cr_m1_one_or_two_steps_to_orthogonal_neighbours(drive, path, code):
    """Orthogonally adjacent, on a tile, one or two steps; a path that is wrong at its end is refused as a whole."""
    assert drive().why_not("red", Move(tuple(path.split()))) == (code, "CR-M1")


def test_cr_m1_a_move_goes_somewhere(drive):
    """One or two tiles: no step at all is not a move."""
    assert not drive().allows("red", Move(()))


@pytest.mark.parametrize(("here", "there"), [("E1", "A2"), ("A2", "E1"), ("A1", "E1"), ("C1", "C5")])
def test_cr_m1_the_board_has_edges(scene, here, there):
    """The end of one row does not touch the beginning of the next, nor one edge the opposite one."""
    rally = scene({here: "HC1", there: "HC2"}, red={"cell": here}, blue={"cell": here, "minutes": 9})
    assert rally.why_not("red", Move((there,))) == ("not-adjacent", "CR-M1")


@pytest.mark.parametrize(("rot", "allowed"), [(0, True), (90, False)])
@pytest.mark.parametrize("straight", ["C3", "C2"])
def test_cr_m1_both_tiles_need_an_exit_on_the_shared_side(drive, tile, straight, rot, allowed):
    """Only along connecting roads: a straight road connects with the crossing above or below it at 0 and 180 degrees."""
    other = "C2" if straight == "C3" else "C3"
    board = {straight: ("H1", rot), other: "HC1", "A1": "UC5"}
    rally = drive(board, extra=[tile("H1", "NS", "cccc")])
    if allowed:
        rally.do("red", Move(("C2",)))
    else:
        assert rally.why_not("red", Move(("C2",))) == ("no-road", "CR-M1")


def test_cr_m1_the_second_step_needs_a_road_as_well(drive, tile):
    """C2 is a straight road from south to north: it leads to C1 and not to D2."""
    board = {**CROSS, "C2": "H1", "D2": "HC2"}
    rally = drive(board, extra=[tile("H1", "NS", "cccc")])
    assert rally.why_not("red", Move(("C2", "D2"))) == ("no-road", "CR-M1")
    assert rally.allows("red", Move(("C2", "C1")))


def test_cr_m1_the_road_types_need_not_be_equal(drive):
    """Ruling: "same type" is about the bonus; from a highway one may drive on to a gravel road."""
    assert drive().allows("red", Move(("D3",)))


def test_cr_m1_several_cars_may_share_a_tile(drive):
    """Ruling: a tile with a car may be entered, and driven through."""
    rally = drive(blue={"cell": "C2"})
    assert rally.allows("red", Move(("C2", "C1")))
    rally.do("red", Move(("C2",)))
    assert rally.racer("red").cell == rally.racer("blue").cell == "C2"


def test_cr_golden_5_in_and_out_through_one_side(drive):
    """You are allowed to race in and out of the checkpoint tile through the same side of that tile.

    Even in the same move action. This counts as a two tile movement action.
    """
    rally = drive(map="D3 A5")
    told = rally.do("red", Move(("D3", "C3")))
    assert [event.cell for event in told.of(CheckpointMarked)] == ["D3"]
    assert rally.racer("red").cell == "C3"
    assert told.minutes == 4 + 2


def test_cr_m1_without_a_car_on_the_board_nobody_drives(scene):
    """The car enters the board with its start tile."""
    rally = scene({"C3": "HC1"}, red={"hand": "HC2"}, blue={"cell": "C3"})
    assert rally.legal("red", Move) == []
    assert rally.why_not("red", Move(("C3",)))[0] == "start-first"


def test_cr_m1_a_refusal_suggests_where_the_roads_lead(drive, tile):
    """Whoever errs is told the cells that can be reached."""
    rally = drive({**CROSS, "C3": "H1"}, extra=[tile("H1", "NS", "cccc")])
    assert set(rally.refuse("red", Move(("D3",))).suggestions) == {"C2", "C4"}


# --- CR-K1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "marked"), [("C2", "C2"), ("C2 C1", "C2"), ("D3 C3", ""), ("C4", "")])
def test_cr_k1_ending_on_or_driving_through_marks(drive, path, marked):
    """Place a token when your car ends its movement on one of your checkpoint tiles, or drives through one."""
    rally = drive(map="C2 A5")
    told = rally.do("red", Move(tuple(path.split())))
    assert [event.cell for event in told.of(CheckpointMarked)] == marked.split()
    assert rally.racer("red").marked == tuple(marked.split())


def test_cr_k1_both_steps_may_mark(drive):
    """Each at once, in the order driven."""
    rally = drive(map="C1 C2 A5")
    told = rally.do("red", Move(("C2", "C1")))
    assert [type(event) for event in told[:4]] == [CarDriven, CheckpointMarked] * 2
    assert rally.racer("red").marked == ("C2", "C1")


def test_cr_k1_checkpoints_come_in_any_order(drive):
    """You may race through the checkpoints in any order."""
    rally = drive(map="A5 C4 C2")
    rally.do("red", Move(("C2", "C3")))
    rally.do("red", Move(("C4",)))
    assert rally.racer("red").marked == ("C2", "C4")


def test_cr_k1_a_checkpoint_is_marked_once(drive):
    """A second visit puts no second token there."""
    rally = drive(map="C2 A5", marked="C2")
    told = rally.do("red", Move(("C2", "C1")))
    assert told.of(CheckpointMarked) == []
    assert rally.racer("red").marked == ("C2",)


def test_cr_k1_anothers_checkpoints_do_not_count(drive):
    """Each player has a map of his own."""
    rally = drive(map="A5", blue={"map": "C2 E5"})
    assert rally.do("red", Move(("C2",))).of(CheckpointMarked) == []
    assert rally.racer("blue").marked == ()


def test_cr_k1_several_players_may_mark_the_same_cell(drive):
    """Every player has tokens of his own colour."""
    rally = drive(map="C2 A5", blue={"map": "C2 E5", "cell": "C2", "marked": "C2"})
    rally.do("red", Move(("C2",)))
    assert rally.racer("red").marked == rally.racer("blue").marked == ("C2",)


def test_cr_k1_only_entering_marks(scene):
    """A tile laid on a checkpoint marks nothing: the car must get there."""
    rally = scene({"C3": "HC1"}, red={"cell": "C3", "hand": "HC2", "map": "C2 A5"}, blue={"cell": "C3", "minutes": 99})
    assert rally.do("red", Place("HC2", "C2", 0)).of(CheckpointMarked) == []


def test_cr_k1_tokens_are_open(drive):
    """Tokens lie on the board for all to see, the map they belong to does not."""
    rally = drive(map="C2 A5")
    rally.do("red", Move(("C2",)))
    seen = rally.view(None).state.racer("red")
    assert (seen.marked, seen.card, rally.fact(None, "left", "red")) == (("C2",), None, None)
