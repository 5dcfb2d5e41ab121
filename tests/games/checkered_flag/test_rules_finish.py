"""CF-V: laps and the finish."""

import pytest

from adjudicator.core.event import Spent
from adjudicator.games.checkered_flag.events import CarDriven, GameEnded, LineCrossed
from adjudicator.games.checkered_flag.orders import Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET


@pytest.mark.parametrize(("a", "is_won"), [(1, False), (2, False), (3, True), (6, True)])
def test_cf_v1_a_car_must_move_beyond_the_last_position(scene, a, is_won):
    race = scene(red={"position": 28, "gear": 2})
    told = race.do("red", Shift(2), a, 1)
    assert race.is_over() is is_won
    assert [event.winner for event in told.of(GameEnded)] == (["red"] if is_won else [])
    assert len(told.of(LineCrossed)) == is_won
    assert len(told.of(CarDriven)) == (not is_won)


def test_cf_v1_the_first_across_wins_at_once(scene):
    race = scene(red={"position": 30, "gear": 1}, blue={"position": 30, "gear": 3})
    told = race.do("red", Shift(1), 1, 1)
    assert told.kinds[-2:] == ["line-crossed", "game-ended"]
    assert race.due() == []
    assert race.state.winner(race.config) == "red"
    assert race.places() == [(1, "red", 31, "first across the finish line"), (2, "blue", 30, "on the track")]


def test_cf_v1_all_spaces_of_the_last_move_are_counted(scene):
    race = scene(red={"position": 30, "gear": 3})
    (spent,) = race.do("red", Shift(3), 6, 5).of(Spent)
    assert (spent.before, spent.after) == (30, 41)


@pytest.mark.parametrize(("seat", "words"), [("red", "red has won the race"), ("blue", "blue has lost")])
def test_cf_v1_nobody_moves_after_the_finish(scene, seat, words):
    race = scene(red={"position": 30, "gear": 1})
    race.do("red", Shift(1), 1, 1)
    for order in (Shift(1), Go()):
        assert race.wrong(seat, order) == ("race-over", "CF-V1")
    assert RULESET.refusal(race.config, race.state, seat, Shift(1)).message.startswith(f"the race is over: {words}")
    assert race.refuse(seat, Shift(1)).code == "core/game-over"
    assert race.legal(seat) == []


def test_cf_v1_one_may_win_while_the_other_is_crashed(scene):
    race = scene(red={"position": 30, "gear": 1}, blue={"position": 30, "lost": 2})
    race.do("red", Shift(1), 1, 1)
    assert race.places()[1] == (2, "blue", 30, "on the track, crashed")


@pytest.mark.parametrize("laps", [1, 2, 9])
def test_cf_v1_the_race_goes_on_for_all_its_laps(scene, laps):
    race = scene(red={"position": 29, "lap": laps, "gear": 2}, blue={"gear": 1}, laps=laps)
    race.do("red", Shift(2), 1, 1)
    assert race.at("red") == 30
    assert not race.is_over()
    race.do("blue", Shift(1), 1, 1)
    race.do("red", Shift(2), 1, 1)
    assert race.is_over()


def test_cf_v1_the_line_is_crossed_lap_by_lap(scene):
    race = scene(red={"position": 28, "gear": 2}, blue={"gear": 1}, laps=2)
    told = race.do("red", Shift(2, Go()), 5, 1)
    assert [(event.came_from, event.position, event.lap) for event in told.of(CarDriven)] == [(28, 3, 2)]
    assert race.told(told.of(CarDriven)) == ["red drives from 28 over the line to 3 of lap 2 (CF-M1)"]


def test_cf_v1_curves_before_the_line_are_checked_on_the_last_move(scene):
    track = "a" * 20 + ".." + "b" * 3 + "."
    race = scene(track, red={"position": 22, "gear": 3})
    told = race.do("red", Shift(3, Go()), 6, 6, 6)
    assert [event.zone for event in told if event.kind == "curve-checked"] == ["b"]
    assert race.is_over()


def test_cf_v1_standings_go_by_spaces(scene):
    race = scene(red={"position": 3, "gear": 2}, blue={"position": 1, "lap": 2, "lost": 1}, laps=2)
    assert race.places() == [
        (1, "blue", 31, "position 1 of lap 2, crashed, 1 turn to lose"),
        (2, "red", 3, "position 3 of lap 1, second gear"),
    ]
    race = scene(red={"position": 3, "gear": 2}, blue={"position": 3, "lost": 2})
    assert race.places() == [
        (1, "red", 3, "position 3, second gear"),
        (1, "blue", 3, "position 3, crashed, 2 turns to lose"),
    ]
    assert scene().places()[0][3] == "at the starting line, neutral"
