"""CF-S: the start, and whose turn it is."""

import pytest

from adjudicator.games.checkered_flag.events import RaceStarted, StartSpun, StartTied, TurnPassed
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift


@pytest.mark.parametrize(("outcomes", "first"), [("6 5 5 5", "red"), ("1 1 1 2", "blue"), ("6 1 2 6", "blue")])
def test_cf_s1_the_higher_total_goes_first(begun, outcomes, first):
    race = begun(outcomes)
    assert race.due() == [(first, "gear")]
    spins = [event for event in race.game.journal[0].entry.events if isinstance(event, StartSpun)]
    assert [(event.seat, f"{event.a} {event.b}") for event in spins] == [("red", outcomes[:3]), ("blue", outcomes[4:])]


def test_cf_s1_equal_totals_are_spun_again(begun):
    race = begun("3 4 5 2 6 6 6 6 1 2 1 1")
    assert [type(event) for event in race.game.journal[0].entry.events] == [
        *(StartSpun, StartSpun, StartTied) * 2,
        *(StartSpun, StartSpun, RaceStarted),
    ]
    assert [event.total for event in race.game.journal[0].entry.events if isinstance(event, StartTied)] == [7, 12]
    assert race.due() == [("red", "gear")]


def test_cf_s1_cars_start_at_the_line_in_neutral(begun):
    race = begun("6 6 1 1")
    assert [(racer.driven, racer.gear, racer.lost) for racer in race.state.racers] == [(0, 0, 0)] * 2


def test_cf_s1_turns_alternate(begun):
    race = begun("6 6 1 1")
    for seat in ("red", "blue", "red", "blue"):
        assert race.due() == [(seat, "gear")]
        told = race.do(seat, Shift(1), 1, 2)
        assert [event.seat for event in told.of(TurnPassed)] == ["blue" if seat == "red" else "red"]


@pytest.mark.parametrize("order", [Shift(0), Shift(1), Brake(2), Brake(), Go()])
def test_cf_s1_the_other_seat_waits(scene, order):
    assert scene().wrong("blue", order) == ("not-your-turn", "CF-S1")


def test_cf_s1_a_position_without_a_turn_is_spun_for(scene):
    race = scene(red={"position": 4, "gear": 2}, turn=None, outcomes="1 1 2 2")
    assert race.due() == [("blue", "gear")]
    assert race.at("red") == 4
