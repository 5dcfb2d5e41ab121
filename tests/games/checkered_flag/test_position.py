"""Explicit positions and amendments: what cannot be so is refused, with every reason."""

from dataclasses import replace

import pytest

from adjudicator.core.chance import RecordedChance
from adjudicator.core.problem import SetupError
from adjudicator.core.step import go_on
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.games.checkered_flag.state import Position, SeatAt, Spun


def reasons(scene, **fields):
    with pytest.raises(SetupError) as caught:
        scene(**fields)
    assert {problem.code for problem in caught.value.problems} == {"checkered-flag/impossible-position"}
    return [problem.message for problem in caught.value.problems]


def test_a_position_is_taken_as_it_is_given(scene):
    race = scene(red={"position": 4, "lap": 2, "gear": 3}, blue={"position": 7, "lost": 1}, turn="blue", laps=2)
    red, blue = race.state.racers
    assert (red.driven, red.gear, red.lost) == (34, 3, 0)
    # Blue lost its turn by itself.
    assert (blue.driven, blue.gear, blue.lost) == (7, 0, 0)
    assert race.due() == [("red", "gear")]


@pytest.mark.parametrize(("lost", "gear"), [(1, 2), (2, 3)])
def test_the_marker_of_a_crashed_car_follows_from_the_turns_it_loses(scene, lost, gear):
    assert scene(blue={"position": 7, "lost": lost}).racer("blue").gear == gear
    assert scene(blue={"position": 7, "lost": lost, "gear": gear}).racer("blue").gear == gear


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"turn": "green"}, "there is no seat green in this game"),
        ({"red": {"position": 31}}, "red: there is no position 31 on a track of 30"),
        ({"red": {"position": 3, "lap": 2}}, "red: there is no lap 2 in a race of 1"),
        ({"red": {"lap": 2}, "laps": 2}, "red: a car is at the line only at the start of lap 1"),
        ({"red": {"lost": 1, "gear": 3}}, "red: with 1 turn to lose the marker lies beside box 2, not 3"),
        ({"red": {"lost": 2, "gear": 0}}, "red: with 2 turns to lose the marker lies beside box 3, not N"),
        ({"red": {"position": 21}, "blue": {"position": 21}}, "position 21 is narrow: there is room for one car"),
        (
            {"red": {"position": 21}, "blue": {"position": 21, "lap": 2}, "laps": 2},
            "position 21 is narrow: there is room for one car",
        ),
        (
            {"red": {"position": 5}, "spun": (1, 1)},
            "spun wheels belong to the seat that has the turn, with its car in gear",
        ),
        (
            {"red": {"position": 5, "gear": 2}, "spun": (1, 1), "turn": None},
            "spun wheels belong to the seat that has the turn, with its car in gear",
        ),
        (
            {"red": {"position": 5, "lost": 1}, "spun": (1, 1)},
            "spun wheels belong to the seat that has the turn, with its car in gear",
        ),
        (
            {"red": {"position": 8, "gear": 2}, "spun": (2, 1)},
            "with 2 and 1 spun there is no danger zone before which red could stop",
        ),
    ],
)
def test_what_cannot_be_is_refused(scene, fields, message):
    assert reasons(scene, **fields) == [message]


def test_everything_wrong_is_told_at_once(scene):
    assert len(reasons(scene, red={"position": 31}, blue={"lap": 3}, spun=(1, 1))) == 4


def test_the_seats_must_be_those_of_the_game(scene):
    config = scene().config
    position = Position(seats=(SeatAt(seat="red"), SeatAt(seat="green")))
    with pytest.raises(SetupError, match="the position is for the seats red, green, the game for red, blue"):
        RULESET.initial(replace(config, position=position))


def test_the_order_of_the_seats_in_the_file_makes_no_difference(scene):
    config = scene().config
    position = Position(seats=(SeatAt(seat="blue", position=3), SeatAt(seat="red", position=4)), turn="red")
    state = RULESET.initial(replace(config, position=position))
    assert [(racer.seat, racer.driven) for racer in state.racers] == [("red", 4), ("blue", 3)]


def amended(race, state):
    return RULESET.validated_amendment(race.config, state)


def with_red(race, **changes):
    return race.state.with_racer("red", **changes)


@pytest.mark.parametrize(("lost", "gear"), [(1, 2), (2, 3)])
def test_an_amended_crash_moves_the_marker(scene, lost, gear):
    race = scene(red={"position": 5, "gear": 1})
    assert amended(race, with_red(race, lost=lost)).racer("red").gear == gear


def test_an_amended_place_stays(scene):
    race = scene(red={"position": 5, "gear": 1})
    assert amended(race, with_red(race, driven=9, gear=2)) == with_red(race, driven=9, gear=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"racers": ()}, "cannot be amended"),
        ({"turn": "green"}, "no seat green"),
        ({"spun": Spun(1, 1)}, "with 1 and 1 spun there is no danger zone before which red could stop"),
    ],
)
def test_an_amendment_that_cannot_be_is_refused(scene, changes, message):
    race = scene(red={"position": 2, "gear": 2})
    with pytest.raises(SetupError) as caught:
        amended(race, replace(race.state, **changes))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.code == "checkered-flag/impossible-amendment"


def test_who_is_amended_beyond_the_finish_has_won(scene):
    """Nothing else says that a race is over: it cannot be amended into contradicting itself."""
    race = scene(red={"position": 2, "gear": 1})
    won = amended(race, with_red(race, driven=31))
    assert won == with_red(race, driven=31)
    assert RULESET.is_over(race.config, won)
    assert RULESET.awaiting(race.config, won) == ()
    assert RULESET.eliminated(race.config, won, "blue").message == "the race is over: blue has lost the race to red"
    back = amended(race, won.with_racer("red", driven=30))
    assert not RULESET.is_over(race.config, back)
    assert [decision.seat for decision in RULESET.awaiting(race.config, back)] == ["red"]


def test_both_are_not_amended_beyond_the_finish(scene):
    race = scene(red={"position": 2, "gear": 1})
    with pytest.raises(SetupError, match="both cars are beyond the finish line, which comes after 30 spaces"):
        amended(race, with_red(race, driven=31).with_racer("blue", driven=32))


def test_a_turn_that_is_taken_away_is_spun_for(scene):
    race = scene(red={"position": 2, "gear": 1})
    nobody = amended(race, replace(race.state, turn=None))
    taken = go_on(RULESET, race.config, nobody, RecordedChance(("1", "1", "2", "2"), 0))
    assert taken.state == replace(race.state, turn="blue")


def test_after_the_end_nothing_is_spun_for(scene):
    race = scene(red={"position": 2, "gear": 1})
    over = amended(race, replace(with_red(race, driven=31, lost=1), turn=None))
    assert go_on(RULESET, race.config, over, RecordedChance((), 0)).events == ()


def test_two_cars_are_not_amended_onto_one_space(scene):
    race = scene(red={"position": 2, "gear": 1}, blue={"position": 21, "gear": 1})
    with pytest.raises(SetupError, match="position 21 is narrow"):
        amended(race, with_red(race, driven=21))


def test_a_winner_is_not_amended_beyond_what_a_spin_reaches(scene):
    race = scene(red={"position": 2, "gear": 1})
    assert amended(race, with_red(race, driven=42)) == with_red(race, driven=42)
    with pytest.raises(SetupError, match="red: 43 spaces are more than any spin leads beyond the finish line"):
        amended(race, with_red(race, driven=43))


def test_wheels_are_not_amended_to_what_they_do_not_have(scene):
    race = scene(red={"position": 5, "gear": 3})
    with pytest.raises(SetupError, match="wheel A has no 9; wheel B has no 8"):
        amended(race, replace(race.state, spun=Spun(9, 8)))


def test_nothing_spun_is_left_after_the_end(scene):
    race = scene(red={"position": 5, "gear": 3})
    with pytest.raises(SetupError, match="after the race no spin needs a decision"):
        amended(race, replace(with_red(race, driven=31), spun=Spun(1, 1)))
