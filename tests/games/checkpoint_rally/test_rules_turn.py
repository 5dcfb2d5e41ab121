"""Whose turn it is, the steps of a turn, and the stack (CR-T1 to CR-T3)."""

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkpoint_rally.events import RowCleared, RowFilled, StackRanOut, StackRenewed, TilesDrawn
from adjudicator.games.checkpoint_rally.orders import DrawTwo, Keep, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET

BOARD = {"C3": "HC1", "D3": "HC2", "C2": "GC1", "A1": "UC1"}


@pytest.fixture
def two(scene):
    """Make a position for red, about to act, and blue, a little later; fields of red and of the table may be changed."""

    def make(*, blue_at=20, board=BOARD, blue=None, **given):
        config = {name: given.pop(name) for name in ("row", "discard", "stack", "options") if name in given}
        return scene(board, red={"cell": "C3", **given}, blue={"cell": "A1", "minutes": blue_at, **(blue or {})}, **config)

    return make


def drawn(told):
    """List the draws into a hand: whose, how many, by which rule."""
    return [(event.seat, len(event.tiles), event.rule) for event in told.of(TilesDrawn)]


# --- CR-T1: who acts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clocks", "first"), [((5, 7, 9), "red"), ((9, 7, 5), "green"), ((8, 7, 9), "blue"), ((31, 30, 59), "blue")]
)
def test_cr_t1_the_least_minutes_spent_acts(scene, clocks, first):
    """The player who has used the least amount of time is next, on whatever lap of the dial the markers are."""
    red, blue, green = ({"cell": "C3", "minutes": minutes} for minutes in clocks)
    rally = scene({"C3": "HC1"}, red=red, blue=blue, green=green)
    assert rally.due() == [(first, "action")]
    assert all(
        rally.wrong(seat, DrawTwo()) == ("not-your-turn", "CR-T1") for seat in ("red", "blue", "green") if seat != first
    )


@pytest.mark.parametrize("order", ["red blue green", "green red blue", "blue green red"])
def test_cr_t1_among_equals_the_top_of_the_stack_acts(scene, order):
    """If two or more players are tied, the next to go is the one with the time marker on top of the stack."""
    spot = {"cell": "C3", "minutes": 5}
    rally = scene({"C3": "HC1"}, order=order, red=spot, blue=spot, green=spot)
    assert rally.due() == [(order.split()[0], "action")]


def test_cr_t1_a_marker_that_arrives_goes_on_top(two):
    """If another player's marker is already on the same spot, put yours on top: red arrives at blue's 7 and goes on."""
    rally = two(minutes=5, blue_at=7)
    rally.do("red", DrawTwo(), "UM1", "UM2")
    assert rally.racer("red").minutes == rally.racer("blue").minutes == 7
    assert rally.due() == [("red", "action")]


def test_cr_t1_the_last_to_arrive_of_three_is_on_top(scene):
    """Each arrival goes on top of all that lie there: green, then red; below them blue, who was there first."""
    at = {"cell": "C3"}
    rally = scene({"C3": "HC1"}, red={**at, "minutes": 6}, blue={**at, "minutes": 7}, green={**at, "minutes": 5})
    rally.do("green", DrawTwo(), "UM1", "UM2")
    rally.do("red", Refresh(), "UM3", "UM4", "UM5")
    assert rally.state.order == ("red", "green", "blue")
    rally.do("red", Refresh(), "UC1", "UC2", "UC3")
    assert rally.due() == [("green", "action")]
    rally.do("green", DrawTwo(), "UG1", "UG2")
    rally.do("green", Keep(("UM1", "UM2", "UG1")))
    assert rally.due() == [("blue", "action")]


def test_cr_t1_a_marker_that_passes_goes_behind(two):
    """As soon as the other has less time, it is the other's turn."""
    rally = two(minutes=6, blue_at=7)
    rally.do("red", DrawTwo(), "UM1", "UM2")
    assert rally.due() == [("blue", "action")]


def test_cr_t1_several_actions_in_a_row(two):
    """You may be able to take several actions in a row."""
    rally = two(minutes=0, blue_at=5)
    for moment in (2, 4, 6):
        assert rally.due() == [("red", "action")]
        rally.do("red", Move(("D3",) if moment != 4 else ("C3",)))
        assert rally.racer("red").minutes == moment
    assert rally.due() == [("blue", "action")]


@pytest.mark.parametrize("top", ["red", "blue"])
def test_cr_t1_an_action_of_no_minutes_leaves_the_marker(scene, top):
    """A marker that does not move does not come to lie on top: it stays where it is in the stack."""
    spot = {"cell": "C3", "minutes": 5}
    rally = scene({"C3": "HC1"}, order=f"{top} {'blue' if top == 'red' else 'red'}", red=spot, blue=spot)
    for seat in ("red", "blue"):
        state = RULESET.evolve(rally.config, rally.state, Spent(seat=seat, before=5, after=5, why=()))
        assert state.order == rally.state.order


def test_cr_t1_after_a_free_action_below_another_marker_the_stack_is_as_before(scene):
    """In a last chance a marker may act from below a finished car: a free tile does not bring it to the top."""
    rally = scene(
        {"C3": "HC1", "C2": "HC2", "A1": "UC1"},
        order="red blue",
        red={"place": 1, "map": "E1", "marked": "E1", "minutes": 20},
        blue={"cell": "A1", "minutes": 20, "hand": "HC3"},
    )
    assert rally.do("blue", Place("HC3", "C3", 0)).minutes == 0
    assert rally.state.order == ("red", "blue")


def test_cr_t1_a_free_action_is_followed_by_another_of_the_same_seat(two):
    """A GPS update takes no time, so the marker is still the last."""
    rally = two(row="UM1 UM2 UM3", minutes=5, blue_at=5)
    rally.do("red", Take("UM1"), "UM4")
    assert rally.due() == [("red", "action")]


# --- CR-T2: the steps of a turn --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "draws"),
    [
        (DrawTwo(), "UM4 UM5"),
        (Refresh(), "UM4 UM5 UC5"),
        (Place("GM1", "B2", 0), ""),
        (Move(("D3",)), ""),
    ],
)
def test_cr_t2_each_action_is_one_turn(two, order, draws):
    """On your turn you may take one of the actions: after each the clocks say who is next."""
    rally = two(hand="GM1", row="UM1 UM2 UM3", minutes=5, blue_at=5)
    rally.do("red", order, *draws.split())
    assert rally.due() == [("blue", "action")]


@pytest.mark.parametrize(
    ("before", "lines"),
    [(12, 0), (13, 1), (14, 1), (15, 0), (27, 0), (28, 1), (30, 0), (58, 1)],
)
def test_cr_t2_a_tile_for_each_draw_line_passed(two, before, lines):
    """Between 14 and 15 and between 29 and 30, on every lap: 2 minutes from here cross so many lines."""
    rally = two(minutes=before, blue_at=99)
    told = rally.do("red", Move(("D3",)), *["UM1"][:lines])
    assert told.minutes == 2
    assert drawn(told) == [("red", 1, "CR-T2")] * lines


@pytest.mark.parametrize("before", [13, 14, 15, 29, 30, 59])
def test_cr_t2_the_lines_are_between_14_and_15_and_between_29_and_30(two, before):
    """A single minute crosses a line only from 14 to 15 and from 29 to 30 on the dial, on every lap."""
    rally = two(minutes=before, blue_at=99)
    is_line = before % 30 in (14, 29)
    told = rally.do("red", Refresh(), "UM1", "UM2", "UM3", *["UM4"] * is_line)
    assert rally.racer("red").minutes == before + 1
    assert drawn(told) == [("red", 1, "CR-T2")] * is_line


@pytest.mark.parametrize(("cost", "lines"), [(15, 1), (16, 2), (30, 2), (31, 3)])
def test_cr_t2_one_action_may_cross_several_draw_lines(two, cost, lines):
    """For every 15 minutes spent: from 14 over 15 to 31 are two lines, so two tiles; a slow car shows it."""
    rally = two(minutes=14, blue_at=99, drives=(cost, 1, 1))
    told = rally.do("red", Move(("D3",)), *["UM1", "UM2", "UM3"][:lines])
    assert rally.racer("red").minutes == 14 + cost
    assert drawn(told) == [("red", lines, "CR-T2")]


@pytest.mark.parametrize(
    ("order", "draws"),
    [
        (Refresh(), "UM4 UM5 UC5"),
        (Place("GM1", "B2", 0), ""),
        (Move(("D3",)), ""),
        (DrawTwo(), "UM4 UM5"),
    ],
)
def test_cr_t2_every_kind_of_action_may_cross_a_draw_line(two, order, draws):
    """The tile for the line comes last, after what the action itself draws."""
    rally = two(hand="GM1", row="UM1 UM2 UM3", minutes=14)
    told = rally.do("red", order, *draws.split(), "UD1")
    assert drawn(told)[-1] == ("red", 1, "CR-T2")
    assert "UD1" in rally.racer("red").hand


def test_cr_t2_the_marker_moves_before_the_tile_is_drawn(two):
    """Perform your action; move your time marker; draw any tiles for passing a draw tile icon."""
    rally = two(minutes=14)
    told = rally.do("red", DrawTwo(), "UM4", "UM5", "UM1")
    assert [type(event) for event in told] == [TilesDrawn, Spent, TilesDrawn]


def test_cr_t2_a_tile_drawn_is_seen_by_its_seat_alone(two):
    """Keep the tiles in your hand hidden from your opponents: others see how many were drawn."""
    rally = two(minutes=5)
    (event,) = rally.do("red", DrawTwo(), "UM4", "UM5").of(TilesDrawn)
    assert RULESET.redact(rally.config, event, "red").tiles == ("UM4", "UM5")
    for viewer in ("blue", None):
        assert RULESET.redact(rally.config, event, viewer).tiles == (None, None)


def test_cr_t2_the_dial_shows_thirty_for_nought(two):
    """A dial of 30 minutes that goes round and round; where it begins it shows 30."""
    shown = {minutes: two(minutes=minutes, blue_at=99).fact("red", "dial") for minutes in (0, 1, 29, 30, 31, 60, 61)}
    assert shown == {0: 30, 1: 1, 29: 29, 30: 30, 31: 1, 60: 30, 61: 1}


# The tests of the discard stand in test_rules_discard.py.


# --- CR-T3: the stack runs out ---------------------------------------------------------------------------------------


def test_cr_t3_the_discard_pile_becomes_the_new_stack(two):
    """If you run out of tiles in the draw stack, the discard pile forms a new stack to draw from."""
    rally = two(stack="", discard="UM1 UM2 UM3")
    told = rally.do("red", DrawTwo(), "UM2", "UM3")
    assert [set(event.tiles) for event in told.of(StackRenewed)] == [{"UM1", "UM2", "UM3"}]
    assert rally.racer("red").hand == ("UM2", "UM3")
    assert (rally.stack, rally.state.discard) == (("UM1",), ())


def test_cr_t3_also_in_the_middle_of_a_draw(two):
    """One tile is left: it is drawn, then the stack is renewed, then the second tile comes out of the new stack."""
    rally = two(stack="UD1", discard="UM1 UM2 UM3")
    told = rally.do("red", DrawTwo(), "UD1", "UM2")
    assert len(told.of(StackRenewed)) == 1
    assert rally.racer("red").hand == ("UM2", "UD1")
    assert (set(rally.stack), rally.state.discard) == ({"UM1", "UM3"}, ())


def test_cr_t3_what_was_drawn_just_before_the_renewal_cannot_be_drawn_again(two):
    """The first tile is in the hand when the new stack is formed."""
    rally = two(stack="UD1", discard="UM1 UM2 UM3")
    outcome = rally.send("red", DrawTwo(), draws=("UD1", "UD1"))
    assert [diagnostic.problem.code for diagnostic in outcome.diagnostics] == ["core/impossible-outcome"]
    assert rally.racer("red").hand == ()


def test_cr_t3_the_old_stack_is_used_up_first(two):
    """While a tile is left in the stack, none comes out of the discard pile."""
    rally = two(stack="UD1", discard="UM1 UM2 UM3")
    assert rally.send("red", DrawTwo(), draws=("UM1", "UD1")).diagnostics


def test_cr_t3_the_stack_is_not_renewed_before_a_tile_is_needed(two):
    """The last tile is drawn: the discard pile lies as it did, until somebody needs a tile."""
    rally = two(stack="UD1 UD2", discard="UM1 UM2")
    told = rally.do("red", DrawTwo(), "UD1", "UD2")
    assert not told.of(StackRenewed)
    assert (rally.stack, rally.state.discard) == ((), ("UM1", "UM2"))


def test_cr_t3_a_refreshed_row_may_come_back(two):
    """The discard pile as it then is: the row went there a moment ago."""
    rally = two(stack="UD1", row="UM1 UM2 UM3")
    told = rally.do("red", Refresh(), "UD1", "UM3", "UM1")
    assert [type(event) for event in told] == [RowCleared, StackRenewed, RowFilled, Spent]
    assert (rally.state.row, rally.stack, rally.state.discard) == (("UD1", "UM3", "UM1"), ("UM2",), ())


def test_cr_t3_a_replaced_tile_may_come_back_for_the_draw_line(two):
    """The discard pile as it then is: the tile just replaced is the only one there."""
    rally = two(stack="", hand="GM1", minutes=14)
    told = rally.do("red", Place("GM1", "C2", 0), "GC1")
    assert [event.tiles for event in told.of(StackRenewed)] == [("GC1",)]
    assert rally.racer("red").hand == ("GC1",)


def test_cr_t3_a_stack_may_be_renewed_for_the_draw_line(two):
    """The action takes the last two tiles, the draw line the first of the new stack."""
    rally = two(stack="UD1 UD2", discard="UM1 UM2", minutes=13)
    rally.do("red", DrawTwo(), "UD1", "UD2", "UM2")
    assert rally.racer("red").hand == ("UM2", "UD1", "UD2")


def test_cr_t3_a_taken_tile_is_replaced_from_the_new_stack(two):
    """A tile is needed for the row."""
    rally = two(stack="", discard="UD1 UD2", row="UM1 UM2 UM3")
    rally.do("red", Take("UM2"), "UD2")
    assert set(rally.state.row) == {"UM1", "UD2", "UM3"}
    assert rally.stack == ("UD1",)


@pytest.mark.parametrize(("stack", "missing"), [("", 2), ("UD1", 1)])
def test_cr_t3_with_both_empty_there_is_what_there_is(two, stack, missing):
    """Both empty: draw what there is, log it; the action costs its time all the same."""
    rally = two(stack=stack)
    told = rally.do("red", DrawTwo(), *stack.split())
    assert [event.missing for event in told.of(StackRanOut)] == [missing]
    assert rally.racer("red").hand == tuple(stack.split())
    assert told.minutes == 2
    assert not any(event.tiles == () for event in told.of(TilesDrawn))


def test_cr_t3_both_may_run_out_after_a_renewal(two):
    """The discard pile of one tile is not enough for two."""
    rally = two(stack="", discard="UD1")
    told = rally.do("red", DrawTwo(), "UD1")
    assert [type(event) for event in told] == [StackRenewed, StackRanOut, TilesDrawn, Spent]
    assert [event.missing for event in told.of(StackRanOut)] == [1]


def test_cr_t3_a_draw_line_without_tiles_gives_none(two):
    """Nothing is drawn, and nothing need be discarded."""
    rally = two(stack="", minutes=14, hand="GM1 GM2 GM3")
    told = rally.do("red", Move(("D3",)))
    assert [event.missing for event in told.of(StackRanOut)] == [1]
    assert rally.due() == [("red", "action")]


def test_cr_t3_a_row_that_cannot_be_filled_stays_short(two):
    """Taking out of a row of three with nothing to replace it leaves two, and they may be taken as well."""
    rally = two(stack="", row="UM1 UM2 UM3")
    told = rally.do("red", Take("UM2"))
    assert [event.missing for event in told.of(StackRanOut)] == [1]
    assert told.of(RowFilled) == []
    assert rally.state.row == ("UM1", "UM3")
    rally.do("red", Take("UM1"))
    assert rally.state.row == ("UM3",)


def test_cr_t3_an_empty_row_may_be_refreshed(two):
    """Discard the row (there is none) and fill it with what the stack has; it costs its minute."""
    rally = two(stack="UD1 UD2")
    told = rally.do("red", Refresh(), "UD1", "UD2")
    assert rally.state.row == ("UD1", "UD2")
    assert (told.minutes, [event.missing for event in told.of(StackRanOut)]) == (1, [1])
    assert not told.of(RowCleared)


def test_cr_t3_the_new_stack_is_told_to_all(two):
    """The discard pile was open: everybody knows what the new stack holds."""
    rally = two(stack="", discard="UM1 UM2 UM3")
    (event,) = rally.do("red", DrawTwo(), "UM2", "UM3").of(StackRenewed)
    assert RULESET.redact(rally.config, event, None) == event
