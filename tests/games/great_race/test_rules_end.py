"""The last round and prestige (GR-F)."""

from __future__ import annotations

from adjudicator.core.event import Spent
from adjudicator.games.great_race.driving import SeatArrived
from adjudicator.games.great_race.events import PrestigeCounted, RaceEnded
from adjudicator.games.great_race.state import Assistants

NEAR = "H15 road G15 road"


def test_gr_f1_who_arrives_drops_cards_and_assistants_and_the_others_play_out(race):
    last = race(red={"mechanics": 2, "space": "H15", "hand": "ranger"}, blue={"funding": 1, "space": "G15"}, tiles=NEAR)
    told = last.do("red", "DRIVE Cape-Town")
    assert told.one(SeatArrived).place == 1
    assert last.crew("red").active == Assistants()
    assert last.state.discards == ("ranger",)
    assert last.says_no("red", "PASS").code == "great-race/arrived"
    assert last.due() == [("blue", "turn")]


def test_gr_f1_no_maintenance_and_no_bonus_follow(race):
    last = race(red={"mechanics": 1, "space": "H15"}, blue={"funding": 1, "space": "G15"}, tiles=NEAR)
    last.do("red", "DRIVE Cape-Town")
    told = last.do("blue", "FUND")
    assert told.one(RaceEnded)
    assert len(told.of(Spent)) == 1
    assert last.is_over()


def test_gr_f1_only_those_in_the_city_can_win(race):
    last = race(
        red={"mechanics": 1, "space": "H15", "engine": 1, "chassis": 0, "cash": 0},
        blue={"space": "G15", "cash": 900},
        tiles=NEAR,
    )
    last.do("red", "DRIVE Cape-Town")
    standings = last.rules.standings(last.config, last.state)
    assert [(one.place, one.seat) for one in standings] == [(1, "red"), (2, "blue")]


def test_gr_f2_prestige_is_the_rulebook_s_example(race):
    """Blue first: 5 + 2 + 0 = 7; orange second: 3 + 4 + 1 = 8, orange wins."""
    last = race(
        red={"mechanics": 1, "space": "H15", "engine": 1, "chassis": 1, "cash": 10},
        blue={"mechanics": 1, "space": "G15", "engine": 2, "chassis": 2, "cash": 50},
        tiles=NEAR,
    )
    last.do("red", "DRIVE Cape-Town")
    told = last.do("blue", "DRIVE Cape-Town")
    points = {event.seat: (event.points, event.levels, event.francs) for event in told.of(PrestigeCounted)}
    assert points == {"red": (5, 2, 0), "blue": (3, 4, 1)}
    standings = last.rules.standings(last.config, last.state)
    assert [one.seat for one in standings] == ["blue", "red"]
    assert all(one.is_final for one in standings)


def test_gr_f2_in_a_tie_the_earlier_arrival_wins(race):
    last = race(
        red={"mechanics": 1, "space": "H15", "engine": 1, "chassis": 1, "cash": 10},
        blue={"mechanics": 1, "space": "G15", "engine": 2, "chassis": 2, "cash": 10},
        tiles=NEAR,
    )
    last.do("red", "DRIVE Cape-Town")
    last.do("blue", "DRIVE Cape-Town")
    assert [(one.place, one.seat) for one in last.rules.standings(last.config, last.state)] == [(1, "red"), (2, "blue")]


def removed_but(house, tile):
    """Return all tiles of the bag but one of ``tile``, in words."""
    return " ".join(" ".join([one.id] * (one.count - (one.id == tile))) for one in house.tiles)


def test_gr_h9_a_race_in_which_nobody_can_arrive_any_more_is_over(race, house):
    stuck = race(red={"funding": 1}, blue={"space": "E2"}, tiles="E2 sand", removed=removed_but(house, "sand"))
    told = stuck.do("red", "FUND")
    assert [event.place for event in told.of(PrestigeCounted)] == [0, 0]
    assert stuck.is_over()
    standings = stuck.rules.standings(stuck.config, stuck.state)
    assert [(one.place, one.seat) for one in standings] == [(2, "blue"), (3, "red")]  # nobody has won


def test_gr_h9_a_race_goes_on_as_long_as_somebody_can_arrive(race, house):
    near = race(red={"funding": 1}, blue={"space": "G15"}, tiles="G15 sand", removed=removed_but(house, "sand"))
    told = near.do("red", "FUND", "jerrycan jerrycan ranger")
    assert not told.of(RaceEnded)


def test_gr_f1_the_first_arrival_alone_announces_the_last_round(race):
    last = race(red={"mechanics": 1, "space": "H15"}, blue={"mechanics": 1, "space": "H15"}, tiles=NEAR)
    arrivals = [last.do(seat, "DRIVE Cape-Town").one(SeatArrived).tell(last.config) for seat in ("red", "blue")]
    assert arrivals == ["red has reached the finish, first; this is the last round", "blue has reached the finish, second"]


def test_gr_f1_who_has_arrived_gives_no_more_orders_while_others_play_out(race):
    last = race(red={"mechanics": 2, "space": "H15"}, blue={"funding": 1, "space": "G15"}, tiles=NEAR)
    last.do("red", "DRIVE Cape-Town")
    assert last.wrong("red", last.order("PASS")) == ("arrived", "GR-F1")
