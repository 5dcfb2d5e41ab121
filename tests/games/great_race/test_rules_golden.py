"""The worked cases of the rules, one test each."""

from __future__ import annotations

from adjudicator.core.frozen import change
from adjudicator.games.great_race.driving import BlindTileLaid, DriveEnded, SpaceEntered
from adjudicator.games.great_race.events import PrestigeCounted


def test_gr_golden_1_a_funding_of_three_brings_forty_francs(race):
    for assistants, francs in ((1, 10), (2, 20), (3, 40), (4, 70), (5, 110)):
        funding = race(red={"funding": assistants, "cash": 0})
        funding.do("red", "FUND")
        assert funding.crew("red").cash == francs, assistants


def test_gr_golden_2_two_transport_cards_on_a_line_of_fifty_francs_give_no_change(race, house):
    first = house.boards[0]
    line, *others = first.lines
    boards = (change(first, lines=(change(line, price=50), *others)), *house.boards[1:])
    sea = race(parts=change(house, boards=boards), red={"mechanics": 1, "cash": 30, "hand": "transport transport"})
    sea.do("red", f"DRIVE sea {line.ends[1]} using transport 2", "jerrycan", "ranger")
    assert sea.crew("red").cash == 30
    assert sea.crew("red").space == line.ends[1]
    assert sea.state.discards == ("transport", "transport")


def test_gr_golden_3_an_engine_of_three_that_drops_to_two_drives_three_spaces_still(race):
    drive = race(red={"mechanics": 1, "engine": 3, "chassis": 6}, tiles="E2 stones F2 road G2 road H2 track")
    assert drive.refused("red", "DRIVE E2 F2 G2 H2 losing engine") == ("too-far", "GR-D1")
    told = drive.do("red", "DRIVE E2 F2 G2 losing engine")
    assert [event.space for event in told.of(SpaceEntered)] == ["E2", "F2", "G2"]
    assert drive.gauges("red")[1:] == (2, 6)


def test_gr_golden_4_a_blind_tile_too_dear_sends_the_vehicle_back_and_nothing_is_paid(race):
    blind = race(red={"mechanics": 1, "fuel": 2}, tiles="E2 road")
    told = blind.do("red", "DRIVE E2 F2 using nothing", "dunes")
    assert told.one(BlindTileLaid).space == "F2"
    assert "goes back to E2 and pays nothing" in told.one(DriveEnded).words
    assert blind.gauges("red") == (2, 6, 6)
    assert blind.crew("red").space == "E2"
    assert blind.state.tiles["F2"] == "dunes"


def test_gr_golden_5_prestige_of_seven_and_eight_and_the_second_to_arrive_wins(race):
    last = race(
        red={"mechanics": 1, "space": "H15", "engine": 1, "chassis": 1, "cash": 40},
        blue={"mechanics": 1, "space": "G15", "engine": 2, "chassis": 2, "cash": 99},
        tiles="H15 road G15 road",
    )
    last.do("red", "DRIVE Cape-Town")
    told = last.do("blue", "DRIVE Cape-Town")
    counted = {event.seat: (event.points, event.levels, event.francs) for event in told.of(PrestigeCounted)}
    assert counted == {"red": (5, 2, 0), "blue": (3, 4, 1)}
    assert last.rules.standings(last.config, last.state)[0].seat == "blue"
