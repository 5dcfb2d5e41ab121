"""Finishing the race, last chances, and who wins (CR-F1 to CR-F3)."""

import pytest

from adjudicator.games.checkpoint_rally.events import (
    CarDriven,
    CarFinished,
    CheckpointMarked,
    GameEnded,
    LastChanceBegun,
    LastChanceEnded,
    TilesDrawn,
)
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Move, Place, Refresh, Take
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Stage

BOARD = {"C3": "HC1", "D3": "HC2", "C2": "GC1", "C1": "GC2", "E3": "HC3", "A1": "UC5"}
DONE = {"map": "E1", "marked": "E1"}
"""The map of a seat that has finished; its place and minutes go with it."""


@pytest.fixture
def last_mile(scene):
    """Make a position with red on C3, one highway tile of 2 minutes from its last checkpoint, D3 (gravel: 4 minutes)."""

    def make(*, minutes=20, goal="D3", seats=None, blue_at=40, drives=(2, 4, 5), **red):
        others = seats or {"blue": {"cell": "A1", "minutes": blue_at}}
        red = {"cell": "C3", "map": goal, "minutes": minutes, "drives": drives, **red}
        return scene(BOARD, red=red, **others)

    return make


@pytest.fixture
def after(scene):
    """Make a position after red has finished at ``finished``; the others by their minutes, or with all their fields."""

    def make(finished, *, options=None, order=None, acting=None, row="", discard="", stack=None, version=0, **others):
        red = {"place": 1, "minutes": finished, **DONE}
        fields = {
            seat: {"cell": "C3", **(given if isinstance(given, dict) else {"minutes": given})}
            for seat, given in others.items()
        }
        over = {seat: given for seat, given in fields.items() if given.get("place")}
        for given in over.values():
            given.pop("cell")
        config = {"order": order, "acting": acting, "row": row, "discard": discard, "stack": stack, "options": options}
        return scene(BOARD, red=red, version=version, **fields, **config)

    return make


def chances(told):
    """List what the events say about last chances: +seat begins, -seat ends."""
    signs = {LastChanceBegun: "+", LastChanceEnded: "-"}
    return [signs[type(event)] + event.seat for event in told if type(event) in signs]


# --- CR-F1: the last checkpoint --------------------------------------------------------------------------------------


def test_cr_f1_time_as_normal_less_the_bonus(last_mile):
    """Calculate the time spent as normal, subtract the bonus: 20 + 2 − 2 for the first of two."""
    rally = last_mile()
    told = rally.do("red", Move(("D3",)))
    assert [(amount, rule) for amount, _, rule in told.why] == [(2, "CR-M1"), (-2, "CR-F1")]
    assert rally.racer("red").minutes == 20


def test_cr_f1_the_token_is_placed_and_the_car_leaves_the_board(last_mile):
    """Place the checkpoint token on the map tile, remove your car from the board."""
    rally = last_mile()
    told = rally.do("red", Move(("D3",)))
    assert [event.cell for event in told.of(CheckpointMarked)] == ["D3"]
    assert [event.place for event in told.of(CarFinished)] == [1]
    assert (rally.racer("red").marked, rally.racer("red").cell, rally.racer("red").place) == (("D3",), None, 1)


def test_cr_f1_no_more_turns(last_mile):
    """The car on the stopwatch indicates that you have finished and do not get to take any more turns."""
    rally = last_mile(minutes=5, blue_at=40)
    rally.do("red", Move(("D3",)))
    assert rally.due() == [("blue", "action")]
    assert rally.wrong("red", DrawTwo()) == rally.why_not("red", DrawTwo()) == ("finished", "CR-F1")
    assert list(RULESET.legal(rally.config, rally.state, "red")) == []


def test_cr_f1_a_finish_on_the_first_step_ends_the_move(last_mile):
    """Ruling: a second step after it is neither driven nor charged: E3 would cost 2 more."""
    rally = last_mile()
    assert rally.minutes("red", Move(("D3", "E3"))) == 0
    told = rally.do("red", Move(("D3", "E3")))
    assert [event.cell for event in told.of(CarDriven)] == ["D3"]
    assert told.minutes == 2 - 2


@pytest.mark.parametrize("path", ["D3 D4", "D3 C2", "D3 C9", "D3 E3 D3"])
def test_cr_f1_but_the_order_is_judged_as_written(last_mile, path):
    """Ruling: a second step that would not be legal makes the whole order illegal."""
    rally = last_mile()
    assert not rally.allows("red", Move(tuple(path.split())))
    rally.refuse("red", Move(tuple(path.split())))


def test_cr_f1_a_finish_on_the_second_step_costs_both(last_mile):
    """Through D3 to E3: 2 + 2 − 2."""
    rally = last_mile(goal="E3")
    told = rally.do("red", Move(("D3", "E3")))
    assert (told.minutes, len(told.of(CarDriven))) == (2, 2)


def test_cr_f1_two_checkpoints_in_one_move_finish(last_mile):
    """Marked on both steps, finished on the second."""
    rally = last_mile(goal="D3 E3")
    told = rally.do("red", Move(("D3", "E3")))
    assert rally.racer("red").marked == ("D3", "E3")
    assert [event.place for event in told.of(CarFinished)] == [1]


def test_cr_f1_a_checkpoint_that_is_not_the_last_gives_no_bonus(last_mile):
    """Only the last checkpoint finishes."""
    rally = last_mile(goal="D3 E3")
    told = rally.do("red", Move(("D3",)))
    assert told.minutes == 2
    assert rally.racer("red").place is None


@pytest.mark.parametrize("minutes", [13, 14, 28, 29])
def test_cr_f1_no_tile_is_drawn_any_more(last_mile, minutes):
    """Ruling: a draw line passed by the finishing move draws nothing (a gravel car shows it: 4 minutes, bonus 2)."""
    rally = last_mile(minutes=minutes, drives=(4, 2, 5))
    told = rally.do("red", Move(("D3",)))
    assert rally.racer("red").minutes == minutes + 2
    assert told.of(TilesDrawn) == []


def test_cr_f1_the_result_may_be_lower_than_the_clock_before(last_mile):
    """20 + 2 − 4 for the first of four."""
    seats = {seat: {"cell": "A1", "minutes": 40} for seat in ("blue", "green", "yellow")}
    rally = last_mile(seats=seats)
    assert rally.do("red", Move(("D3",))).minutes == -2
    assert rally.racer("red").minutes == 18


@pytest.mark.parametrize(("minutes", "after"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_cr_f1_the_clock_never_falls_below_nought(last_mile, minutes, after):
    """Minutes + 2 − 4, but never below 0, and `why` adds up to what was really taken off."""
    seats = {seat: {"cell": "A1", "minutes": 40} for seat in ("blue", "green", "yellow")}
    rally = last_mile(minutes=minutes, seats=seats)
    told = rally.do("red", Move(("D3",)))
    assert rally.racer("red").minutes == after
    assert sum(amount for amount, _, _ in told.why) == after - minutes
    assert [rule for _, _, rule in told.why[:2]] == ["CR-M1", "CR-F1"]
    assert {rule for _, _, rule in told.why[1:]} == {"CR-F1"}


def test_cr_f1_the_cost_told_beforehand_has_the_bonus_in_it(last_mile):
    """``cost of`` a finishing move is what will be charged."""
    rally = last_mile()
    assert rally.minutes("red", Move(("D3",))) == 0
    assert rally.minutes("red", Move(("C2",))) == 4


def test_cr_f1_the_tile_of_a_car_that_left_may_be_replaced(last_mile):
    """Its car is on the stopwatch, no longer on D3."""
    rally = last_mile(seats={"blue": {"cell": "A1", "minutes": 40, "hand": "HC4"}})
    rally.do("red", Move(("D3",)))
    assert rally.allows("blue", Place("HC4", "D3", 0))


def test_cr_f1_checkpoints_marked_earlier_count(last_mile):
    """The last of three."""
    rally = last_mile(goal="A5 D3 E5", marked="E5 A5")
    assert rally.do("red", Move(("D3",))).of(CarFinished)


def test_cr_golden_4_the_second_of_four(after):
    """If you finish second in a 4 player game, then you subtract 2 minutes from your time on the stopwatch."""
    rally = after(30, blue={"minutes": 20, "map": "D3", "drives": (5, 4, 2)}, green=40, yellow=40)
    told = rally.do("blue", Move(("D3",)))
    assert [event.place for event in told.of(CarFinished)] == [2]
    assert rally.racer("blue").minutes == 20 + 5 - 2


# --- CR-F2: the last chance ------------------------------------------------------------------------------------------


def test_cr_f2_the_first_finisher_gives_every_other_a_chance(last_mile):
    """The first player to visit all checkpoints triggers the game end; the others have one chance."""
    seats = {"blue": {"cell": "A1", "minutes": 30}, "green": {"cell": "A1", "minutes": 25}}
    rally = last_mile(seats=seats)
    told = rally.do("red", Move(("D3",)))
    assert chances(told) == ["+green"]
    assert rally.due() == [("green", "action")]
    assert not rally.is_over()


@pytest.mark.parametrize(("order", "first"), [("red blue green", "blue"), ("red green blue", "green")])
def test_cr_f2_chances_are_taken_in_the_order_of_t1(after, order, first):
    """Least time first, among equals the top of the stack."""
    assert after(20, blue=25, green=25, order=order).due() == [(first, "action")]


def test_cr_f2_several_actions_are_one_chance(after):
    """You may take several actions as your "one chance": until somebody else's turn comes."""
    rally = after(60, blue=20, green=25)
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == []
    assert rally.due() == [("blue", "action")]
    assert chances(rally.do("blue", Move(("C2",)))) == ["-blue", "+green"]
    assert rally.due() == [("green", "action")]


def test_cr_f2_it_ends_when_it_would_be_the_turn_of_another_with_a_chance(after):
    """As soon as it is another player's turn (your time marker passes theirs), you do not get another action."""
    rally = after(60, blue=20, green=21)
    (ended,) = rally.do("blue", DrawTwo(), "UM1", "UM2").of(LastChanceEnded)
    assert (ended.seat, ended.passed) == ("blue", "green")
    assert not rally.racer("blue").has_chance
    assert rally.wrong("blue", DrawTwo()) == rally.why_not("blue", DrawTwo()) == ("chance-over", "CR-F2")


def test_cr_f2_a_marker_reached_is_not_passed(after):
    """On a tie, blue's marker lies on top: blue has not passed and plays on."""
    rally = after(60, blue=20, green=22)
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_a_marker_on_top_is_not_passed(after):
    """Also where the other marker lies on top and the own does not move: not passed, play on."""
    rally = after(60, blue=22, green=22, order="green blue red", acting="blue", row="UM1 UM2 UM3")
    assert chances(rally.do("blue", Take("UM1"), "UM4")) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_actions_of_no_time_go_on(after):
    """Two GPS updates and a free tile take the chance nowhere."""
    rally = after(20, blue={"minutes": 20, "gps": 2}, green=20, row="UM1 UM2 UM3")
    for tile in ("UM1", "UM2"):
        assert chances(rally.do("blue", Take(tile), "UG" + tile[-1])) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_at_least_one_action_each(after):
    """A marker that is already behind a finished car has its chance all the same: one action."""
    rally = after(20, blue=45, green=50)
    assert rally.due() == [("blue", "action")]
    assert chances(rally.do("blue", Refresh(), "UM1", "UM2", "UM3")) == ["-blue", "+green"]
    told = rally.do("green", Refresh(), "UC1", "UC2", "UC3")
    assert chances(told) == ["-green"]
    assert told.of(GameEnded)


def test_cr_f2_that_one_action_may_finish(after):
    """Behind the finished car nobody can win from there, but the race can be finished: 45 + 2, second of two."""
    rally = after(20, blue={"minutes": 45, "map": "D3"})
    told = rally.do("blue", Move(("D3",)))
    assert [event.place for event in told.of(CarFinished)] == [2]
    assert told.of(LastChanceEnded) == []
    assert told.of(GameEnded)


LITERAL = {"last-chance": "any-marker"}
BEYOND = [(None, 20), (LITERAL, 20), (LITERAL, 60)]
"""Blue's marker, at 45, lies beyond a finished car; or, where every marker counts, only beyond green's, at 30."""


def beyond(after, options, finished, version=0, **fields):
    """Make a position with blue in its chance beyond a marker that counts; green's chance is over."""
    green = {"minutes": 30, "has_chance": False}
    blue = {"minutes": 45, "hand": "UC1 UC2 UC3", **fields}
    return after(finished, blue=blue, green=green, row="UM1 UM2 UM3", options=options, version=version)


@pytest.mark.parametrize(("options", "finished"), BEYOND)
def test_cr_f2_a_tile_taken_never_ends_the_chance(after, options, finished):
    """An action of 0 minutes moves no marker: with a marker that is beyond already the chance goes on."""
    rally = beyond(after, options, finished, hand="")
    assert chances(rally.do("blue", Take("UM1"), "UM4")) == []
    assert rally.due() == [("blue", "action")]
    assert rally.do("blue", Take("UM2"), "UM5").of(LastChanceEnded) == []
    assert chances(rally.do("blue", Refresh(), "UD1", "UD2", "UD3")) == ["-blue"]


@pytest.mark.parametrize(("options", "finished"), BEYOND)
def test_cr_f2_a_tile_placed_for_nothing_never_ends_the_chance(after, options, finished):
    """A placement that costs 0 minutes moves no marker either, with ``gps`` or without; the next one takes a minute."""
    rally = beyond(after, options, finished, hand="HC4 HC5")
    for free in (Place("HC4", "D3", 0), Place("HC5", "D3", 0, gps=True)):
        told = rally.do("blue", free)
        assert (told.minutes, chances(told)) == (0, [])
        assert rally.due() == [("blue", "action")]
    told = rally.do("blue", Place("HC4", "D2", 0))
    assert (told.minutes, chances(told)) == (1, ["-blue"])


@pytest.mark.parametrize(("options", "finished"), BEYOND)
@pytest.mark.parametrize(("free", "draws"), [(Take("UM1"), ("UM4",)), (Place("HC4", "D3", 0), ())], ids=["take", "place"])
def test_cr_f2_with_version_1_an_action_of_no_time_ended_it(after, options, finished, free, draws):
    """So it was decided: the own marker lies beyond after the action, so the chance is over."""
    rally = beyond(after, options, finished, hand="HC4", version=1)
    told = rally.do("blue", free, *draws)
    assert (told.minutes, chances(told)) == (0, ["-blue"])
    assert rally.is_over()


@pytest.mark.parametrize("version", [1, 2])
def test_cr_f2_in_no_version_does_it_end_before_a_marker_is_beyond(after, version):
    """Two GPS updates on the minute of a finished car: not passed, in version 1 neither."""
    rally = after(45, blue={"minutes": 45, "hand": "HC4"}, row="UM1 UM2 UM3", version=version)
    assert chances(rally.do("blue", Take("UM1"), "UM4")) == []
    assert chances(rally.do("blue", Place("HC4", "D3", 0))) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_a_chance_of_actions_of_no_time_comes_to_an_end(after):
    """Seven are the most in a row: three tiles of the hand, and two taken for the GPS updates and placed. Then time runs."""
    rally = after(20, blue={"minutes": 45, "hand": "HC4 HC5 GC3"}, row="GC4 GC5 UM1")
    free = (
        Place("HC4", "D3", 0),
        Place("HC5", "D3", 0),
        Place("GC3", "C2", 0),
        *(Take("GC4"), Place("GC4", "C2", 0)),
        *(Take("GC5"), Place("GC5", "C2", 0)),
    )
    for order, draws in zip(free, ((), (), (), ("UM2",), (), ("UM3",), ()), strict=True):
        told = rally.do("blue", order, *draws)
        assert (told.minutes, chances(told)) == (0, [])
    assert (rally.racer("blue").hand, rally.racer("blue").gps) == ((), 0)
    assert min(rally.minutes("blue", order) for order in rally.legal("blue")) == 1
    assert chances(rally.do("blue", Refresh(), "UD1", "UD2", "UD3")) == ["-blue"]


def test_cr_f2_it_ends_beyond_a_finished_car(after):
    """Ruling: when the own marker lies beyond a finished car; without it a two-player game need not end."""
    rally = after(22, blue=20)
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == []  # on the same minute is not beyond
    assert rally.due() == [("blue", "action")]
    (ended,) = rally.do("blue", Refresh(), "UC1", "UC2", "UC3").of(LastChanceEnded)
    assert (ended.seat, ended.passed) == ("blue", "red")
    assert rally.is_over()


def test_cr_f2_beyond_any_finished_car(after):
    """Also beyond the second to finish, whose time is the lesser."""
    rally = after(40, green={"place": 2, "minutes": 21, **DONE}, blue=20)
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == ["-blue"]


def test_cr_f2_before_the_finished_car_with_nobody_else_it_goes_on(after):
    """A long run: nobody else has a chance, and the finished car is far."""
    rally = after(40, blue={"minutes": 20, "drives": (2, 4, 5)})
    for minutes in range(22, 28, 2):
        rally.do("blue", Move(("D3",) if minutes % 4 == 2 else ("C3",)))
        assert rally.racer("blue").minutes == minutes
        assert rally.due() == [("blue", "action")]


def test_cr_f2_a_chance_that_is_over_does_not_come_back(after):
    """Green's marker is the last, but green has had its chance."""
    rally = after(40, blue=20, green={"minutes": 18, "has_chance": False})
    assert rally.due() == [("blue", "action")]
    assert rally.why_not("green", DrawTwo()) == ("chance-over", "CR-F2")


def test_cr_f2_markers_of_those_whose_chance_is_over_do_not_count(after):
    """Ruling: blue passes green, whose chance is over, and plays on."""
    rally = after(40, blue=20, green={"minutes": 21, "has_chance": False})
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_with_the_option_any_marker_they_count(after):
    """``last-chance=any-marker`` takes the rulebook's parenthesis literally: your time marker passes theirs."""
    rally = after(40, blue=20, green={"minutes": 21, "has_chance": False}, options={"last-chance": "any-marker"})
    (ended,) = rally.do("blue", DrawTwo(), "UM1", "UM2").of(LastChanceEnded)
    assert (ended.seat, ended.passed) == ("blue", "green")
    assert rally.is_over()


def test_cr_f2_with_any_marker_a_tie_is_still_not_passed(after):
    """Reached is not passed."""
    rally = after(40, blue=20, green={"minutes": 22, "has_chance": False}, options={"last-chance": "any-marker"})
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == []


def test_cr_f2_with_any_marker_those_with_a_chance_count_as_well(after):
    """The option adds markers, it takes none away."""
    rally = after(40, blue=20, green=21, options={"last-chance": "any-marker"})
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == ["-blue", "+green"]


def test_cr_f2_finishing_in_a_last_chance(after):
    """All players who finish their checkpoints follow the same steps; the next chance begins."""
    rally = after(40, blue={"minutes": 20, "map": "D3", "drives": (2, 4, 5)}, green=30)
    told = rally.do("blue", Move(("D3",)))
    assert rally.racer("blue").minutes == 20 + 2 - 1
    assert [event.place for event in told.of(CarFinished)] == [2]
    assert chances(told) == ["+green"]


def test_cr_f2_a_draw_line_in_a_last_chance_draws(after):
    """Turns of a last chance have all the steps of a turn, the discard too, also when the chance has just ended."""
    rally = after(60, blue={"minutes": 29, "hand": "UG1 UG2 UG3"}, green=29, order="blue green red")
    told = rally.do("blue", Refresh(), "UC1", "UC2", "UC3", "UC4")
    assert len(told.of(TilesDrawn)) == 1
    assert chances(told) == ["-blue"]
    assert rally.due() == [("blue", "discard")]
    assert rally.wrong("blue", DrawTwo()) == ("discard-first", "CR-T2")
    assert chances(rally.do("blue", Discard(("UC4",)))) == ["+green"]
    assert rally.due() == [("green", "action")]


def test_cr_f2_a_discard_within_the_chance_does_not_end_it(after):
    """The discard is part of the turn."""
    rally = after(60, blue={"minutes": 20, "hand": "UG1 UG2 UG3"}, green=25)
    rally.do("blue", DrawTwo(), "UC1", "UC2")
    assert rally.due() == [("blue", "discard")]
    assert chances(rally.do("blue", Discard(("UC1", "UC2")))) == []
    assert rally.due() == [("blue", "action")]


def test_cr_f2_no_discard_once_the_game_is_over(after):
    """None is asked once the game is over (CR-T2): the last chance ends with six tiles in the hand."""
    rally = after(20, blue={"minutes": 44, "hand": "UG1 UG2 UG3"})
    told = rally.do("blue", DrawTwo(), "UC1", "UC2", "UC3")
    assert told.of(GameEnded)
    assert rally.due() == []
    assert len(rally.racer("blue").hand) == 6
    assert list(RULESET.legal(rally.config, rally.state, "blue")) == []


def test_cr_f2_who_is_not_asked_again_is_told_why(after):
    """``eliminated`` says why a seat is never asked again, also the one whose surplus nobody asks for any more."""
    rally = after(20, blue={"minutes": 44, "hand": "UG1 UG2 UG3"})
    assert RULESET.eliminated(rally.config, rally.state, "red").rule == "CR-F1"
    assert RULESET.eliminated(rally.config, rally.state, "blue") is None
    rally.do("blue", DrawTwo(), "UC1", "UC2", "UC3")
    assert rally.is_over()
    assert RULESET.eliminated(rally.config, rally.state, "blue").rule == "CR-F2"


def test_cr_f2_the_game_ends_with_the_last_chance(after):
    """Every seat has finished or had its chance: nobody is asked for anything."""
    rally = after(20, blue=30)
    told = rally.do("blue", DrawTwo(), "UM1", "UM2")
    assert [event.winner for event in told.of(GameEnded)] == ["red"]
    assert (rally.state.stage, rally.due()) == (Stage.OVER, [])


def test_cr_f2_the_whole_end_of_a_game_of_four(scene):
    """Red finishes at 20 + 5 − 4 = 21, the others are at 20.

    Blue passes green and yellow at once; green reaches red without passing it, but passes yellow; yellow reaches red,
    plays on, and ends beyond.
    """
    others = {seat: {"cell": "A1", "minutes": 20} for seat in ("blue", "green", "yellow")}
    red = {"cell": "C3", "map": "D3", "minutes": 20, "drives": (5, 4, 2)}
    rally = scene(BOARD, red=red, order="red blue green yellow", **others)
    assert chances(rally.do("red", Move(("D3",)))) == ["+blue"]
    assert rally.racer("red").minutes == 21
    assert chances(rally.do("blue", DrawTwo(), "UM1", "UM2")) == ["-blue", "+green"]
    assert chances(rally.do("green", Refresh(), "UG1", "UG2", "UG3")) == ["-green", "+yellow"]
    assert chances(rally.do("yellow", Refresh(), "UC1", "UC2", "UC3")) == []
    told = rally.do("yellow", Refresh(), "UM3", "UM4", "UM5")
    assert chances(told) == ["-yellow"]
    assert [event.winner for event in told.of(GameEnded)] == ["red"]


def test_cr_f2_when_everybody_finishes_the_game_is_over(after):
    """No chance is left to take."""
    rally = after(40, blue={"minutes": 20, "map": "D3"})
    told = rally.do("blue", Move(("D3",)))
    assert told.of(GameEnded)
    assert rally.is_over()


def test_cr_f2_before_anybody_finishes_there_is_no_last_chance(last_mile):
    """An unbroken run is for the end of the game alone: markers that pass just change turns."""
    rally = last_mile(goal="D3 A5", minutes=20, blue_at=21)
    told = rally.do("red", Move(("D3",)))
    assert chances(told) == []
    assert rally.due() == [("blue", "action")]
    assert RULESET.awaiting(rally.config, rally.state)[0].rule == "CR-T1"


# --- CR-F3: who wins -------------------------------------------------------------------------------------------------


def test_cr_f3_the_least_time_among_finishers_wins(after):
    """The winner has completed all checkpoints using the least amount of time: not always who finished first."""
    rally = after(40, blue={"minutes": 20, "map": "D3"})
    told = rally.do("blue", Move(("D3",)))
    assert [event.winner for event in told.of(GameEnded)] == ["blue"]
    assert rally.places() == [(1, "blue"), (2, "red")]


def test_cr_f3_a_tie_goes_to_who_finished_first(after):
    """If two or more are tied, the winner is the player who finished visiting the checkpoints first."""
    rally = after(22, blue={"minutes": 20, "map": "D3"})
    told = rally.do("blue", Move(("D3",)))
    assert rally.racer("blue").minutes == rally.racer("red").minutes == 22
    assert [event.winner for event in told.of(GameEnded)] == ["red"]
    assert rally.places() == [(1, "red"), (2, "blue")]


def test_cr_f3_the_order_of_seats_does_not_break_a_tie(scene):
    """Blue finished first, red sits first."""
    rally = scene(BOARD, red={"minutes": 20, "map": "D3", "cell": "C3"}, blue={"place": 1, "minutes": 22, **DONE})
    told = rally.do("red", Move(("D3",)))
    assert [event.winner for event in told.of(GameEnded)] == ["blue"]
    assert rally.places() == [(1, "blue"), (2, "red")]


def test_cr_f3_who_has_not_finished_cannot_win(after):
    """Less time does not help without the last checkpoint; red's bad time wins."""
    rally = after(100, blue={"minutes": 20, "place": None, "has_chance": False})
    assert rally.places() == [(1, "red"), (2, "blue")]


def test_cr_f3_the_others_by_checkpoints_then_time(after):
    """Not classified: more checkpoints first, among equals less time."""
    far = "A5 B5 D5"
    rally = after(
        30,
        blue={"minutes": 31, "map": far, "marked": "A5", "has_chance": False},
        green={"minutes": 33, "map": far, "marked": "A5 B5", "has_chance": False},
        yellow={"minutes": 32, "map": far, "marked": "A5", "has_chance": False},
    )
    assert rally.places() == [(1, "red"), (2, "green"), (3, "blue"), (4, "yellow")]
    notes = {standing.seat: standing for standing in RULESET.standings(rally.config, rally.state)}
    assert [notes[seat].note for seat in ("green", "blue")] == [
        "not classified, 2 checkpoints",
        "not classified, 1 checkpoint",
    ]
    assert "not classified" in notes["yellow"].note
    assert "not classified" not in notes["red"].note
    assert all(standing.is_final for standing in notes.values())


def test_cr_f3_level_on_both_is_level(after):
    """The same checkpoints and the same time share a place; the place after them is left out."""
    far = {"map": "A5 B5", "marked": "A5", "has_chance": False}
    rally = after(30, blue={"minutes": 31, **far}, green={"minutes": 31, **far}, yellow={"minutes": 32, **far})
    assert rally.places() == [(1, "red"), (2, "blue"), (2, "green"), (4, "yellow")]


def test_cr_f3_the_score_is_the_minutes(after):
    """What is compared is time."""
    rally = after(30, blue=31)
    assert {standing.seat: standing.score for standing in RULESET.standings(rally.config, rally.state)} == {
        "red": 30,
        "blue": 31,
    }


def test_cr_f3_before_the_end_the_standings_are_not_final(last_mile):
    """Who leads may still lose."""
    rally = last_mile(goal="D3 E3", seats={"blue": {"cell": "A1", "minutes": 40, "map": "A5 E5", "marked": "A5"}})
    standings = RULESET.standings(rally.config, rally.state)
    assert [(standing.place, standing.seat) for standing in standings] == [(1, "blue"), (2, "red")]
    assert not any(standing.is_final or "not classified" in standing.note for standing in standings)


def test_cr_f3_standings_do_not_tell_how_long_a_secret_map_is(scene):
    """In a set whose maps differ in length, standings (read by all) must not give away which card a rival holds."""
    rallies = [
        scene(BOARD, red={"cell": "C3", "map": goals}, blue={"cell": "C3", "minutes": 9}) for goals in ("A5 B5", "A5 B5 D5")
    ]
    first, second = (RULESET.standings(rally.config, rally.state) for rally in rallies)
    assert first == second
