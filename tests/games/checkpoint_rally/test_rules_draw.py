"""Drawing, refreshing the row, and GPS updates for a tile of the row (CR-D1, CR-R1, CR-G1)."""

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkpoint_rally.events import RowCleared, RowFilled, TilesDrawn, TileTaken
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET

BOARD = {"C3": "HC1", "A1": "UC5"}


@pytest.fixture
def race(scene):
    """Make a position with a row of three, red to act and blue much later."""

    def make(blue_at=99, **red):
        return scene(
            BOARD, row="UM1 UM2 UM3", red={"cell": "C3", **red}, blue={"cell": "A1", "minutes": blue_at, "hand": "UG1"}
        )

    return make


# --- CR-D1 -----------------------------------------------------------------------------------------------------------


def test_cr_d1_two_tiles_for_two_minutes(race):
    """Draw two map tiles from the top of the stack. Time spent: 2 minutes."""
    rally = race(hand="GM1")
    told = rally.do("red", DrawTwo(), "UC1", "UC2")
    assert rally.racer("red").hand == ("GM1", "UC1", "UC2")
    assert [(amount, rule) for amount, _, rule in told.why] == [(2, "CR-D1")]
    assert (rally.racer("red").minutes, len(rally.stack)) == (2, 60 - 2 - 3 - 2 - 2)


@pytest.mark.parametrize("tile_id", ["UM1", "HC1", "GM1"])
def test_cr_d1_tiles_come_out_of_the_stack(race, tile_id):
    """Not out of the row, a hand or the board."""
    rally = race(hand="GM1")
    assert rally.send("red", DrawTwo(), draws=("UC1", tile_id)).diagnostics
    assert rally.racer("red").hand == ("GM1",)


def test_cr_d1_the_row_stays(race):
    """The row is another place to take from."""
    rally = race()
    rally.do("red", DrawTwo(), "UC1", "UC2")
    assert rally.state.row == ("UM1", "UM2", "UM3")


def test_cr_golden_3_a_draw_across_a_draw_line(race):
    """You have 3 map tiles. You draw two, which moves your time marker 2 minutes, across a Draw Map Tile line.

    You draw another, which brings your hand up to 6. You must now discard three before the next action is taken (by you
    or another player).
    """
    rally = race(blue_at=14, minutes=13, hand="GM1 GM2 GM3")
    told = rally.do("red", DrawTwo(), "UC1", "UC2", "UC3")
    assert [(len(event.tiles), event.rule) for event in told.of(TilesDrawn)] == [(2, "CR-D1"), (1, "CR-T2")]
    assert len(rally.racer("red").hand) == 6
    assert rally.due() == [("red", "discard")]
    assert rally.wrong("blue", DrawTwo()) == ("not-your-turn", "CR-T1")
    assert rally.why_not("red", DrawTwo()) == ("discard-first", "CR-T2")
    rally.do("red", Discard(("GM1", "GM2", "UC3")))
    assert len(rally.racer("red").hand) == 3
    assert rally.due() == [("blue", "action")]


# --- CR-R1 -----------------------------------------------------------------------------------------------------------


def test_cr_r1_the_row_is_replaced_for_one_minute(race):
    """Discard the three face-up map tiles from the row. Draw three new tiles. Time spent: 1 minute."""
    rally = race()
    told = rally.do("red", Refresh(), "UC1", "UC2", "UC3")
    assert [type(event) for event in told] == [RowCleared, RowFilled, Spent]
    assert set(rally.state.row) == {"UC1", "UC2", "UC3"}
    assert set(rally.state.discard) == {"UM1", "UM2", "UM3"}
    assert [(amount, rule) for amount, _, rule in told.why] == [(1, "CR-R1")]


def test_cr_r1_the_new_tiles_come_out_of_the_stack(race):
    """The tiles just discarded cannot come back while the stack has others."""
    assert race().send("red", Refresh(), draws=("UC1", "UC2", "UM1")).diagnostics


def test_cr_r1_the_hand_stays(race):
    """Refreshing is for the row alone."""
    rally = race(hand="GM1")
    rally.do("red", Refresh(), "UC1", "UC2", "UC3")
    assert rally.racer("red").hand == ("GM1",)


# --- CR-G1 -----------------------------------------------------------------------------------------------------------


def test_cr_g1_a_tile_of_the_row_for_an_update(race):
    """Spend one GPS update to take one of the face-up map tiles in the row. Draw a new tile from the stack to replace it."""
    rally = race(hand="GM1")
    told = rally.do("red", Take("UM2"), "UC1")
    assert rally.racer("red").hand == ("GM1", "UM2")
    assert set(rally.state.row) == {"UM1", "UM3", "UC1"}
    assert rally.racer("red").gps == 1
    assert [type(event) for event in told] == [TileTaken, RowFilled]


def test_cr_g1_it_takes_no_time(race):
    """Time spent: 0 minutes; no draw line is passed, wherever the marker is."""
    rally = race(minutes=14)
    assert rally.minutes("red", Take("UM2")) == 0
    told = rally.do("red", Take("UM2"), "UC1")
    assert (told.minutes, rally.racer("red").minutes) == (0, 14)
    assert not told.of(TilesDrawn)


def test_cr_g1_it_is_the_turns_action(race):
    """It is one of the actions of a turn: the discard follows before anything else."""
    rally = race(hand="GM1 GM2 GM3")
    rally.do("red", Take("UM2"), "UC1")
    assert rally.due() == [("red", "discard")]


def test_cr_g1_everybody_sees_which_tile_is_taken(race):
    """The row lies face-up."""
    rally = race()
    (taken,) = rally.do("red", Take("UM2"), "UC1").of(TileTaken)
    assert RULESET.redact(rally.config, taken, "blue") == taken


@pytest.mark.parametrize("tile_id", ["UC1", "UG1", "HC1", "GM1"])
def test_cr_g1_only_a_tile_of_the_row(race, tile_id):
    """Not one of the stack, the board or a hand."""
    assert race(hand="GM1").why_not("red", Take(tile_id)) == ("not-in-row", "CR-G1")


def test_cr_g1_not_without_an_update(race):
    """When both are spent, the row is out of reach."""
    rally = race(gps=0)
    assert rally.why_not("red", Take("UM1")) == ("gps-spent", "CR-C6")
    assert rally.legal("red", Take) == []


def test_cr_g1_updates_are_the_seats_own(race):
    """Blue has two left whatever red has spent."""
    rally = race(gps=1)
    rally.do("red", Take("UM1"), "UC1")
    assert (rally.racer("red").gps, rally.racer("blue").gps) == (0, 2)
