"""Drives: tiles, danger, stops, blank spaces, cities, lines, breakdowns (GR-D, GR-H3, GR-H4)."""

from __future__ import annotations

import pytest

from adjudicator.core.frozen import change
from adjudicator.games.great_race.card_events import CardsDrawn
from adjudicator.games.great_race.driving import BlindTileLaid, DriveEnded, LineTaken, SpaceEntered
from adjudicator.games.great_race.orders import Drive


def test_gr_d1_each_tile_costs_fuel_and_parts_and_a_risk_zone_one_more(race):
    drive = race(tiles="E2 stones E3 ruts")
    told = drive.do("red", "DRIVE E2 E3 losing engine")
    assert [(event.fuel, event.engine, event.chassis) for event in told.of(SpaceEntered)] == [(1, 1, 0), (3, 1, 0)]
    assert drive.gauges("red") == (6, 4, 6)


def test_gr_d1_the_path_joins_and_is_no_longer_than_the_engine(race):
    drive = race(red={"mechanics": 1, "engine": 2}, tiles="E2 road E3 track D3 track")
    problem = drive.refuse("red", drive.order("DRIVE E2 D3"))
    assert (problem.code, problem.part) == ("great-race/no-way", "space:1")
    assert "E3" in problem.suggestions
    assert drive.refused("red", "DRIVE E2 E3 D3") == ("too-far", "GR-D1")


def test_gr_d1_what_cannot_be_paid_cannot_be_entered(race):
    drive = race(red={"mechanics": 1, "fuel": 2}, tiles="E2 sand D2 steppe E3 steppe")
    assert drive.refused("red", "DRIVE E2") == ("cannot-pay", "GR-D1")
    assert drive.refused("red", "DRIVE D2 E3") == ("cannot-pay", "GR-D1")
    drive.do("red", "DRIVE D2")


def test_gr_d1_an_exact_split_adds_up(race):
    drive = race(tiles="E2 stones D3 pass D2 road")
    assert drive.refused("red", "DRIVE E2 losing engine 1 chassis 1") == ("does-not-add-up", "GR-D1")
    drive.do("red", "DRIVE D2 D3 losing engine 1 chassis 1")
    assert drive.gauges("red") == (7, 5, 5)


def test_gr_d1_the_engine_at_the_start_decides_how_far(race):
    drive = race(red={"mechanics": 1, "engine": 3}, tiles="E2 stones F2 road G2 road")
    told = drive.do("red", "DRIVE E2 F2 G2 losing engine")
    assert len(told.of(SpaceEntered)) == 3
    assert drive.crew("red").engine == 2


def test_gr_d2_danger_costs_two_parts_unless_it_is_cancelled(race):
    danger = race(red={"mechanics": 4, "escort": 1, "hand": "ranger"}, tiles="E2 bandits D2 bandits D1 bandits")
    danger.do("red", "DRIVE E2 using escort")
    assert (danger.gauges("red"), danger.crew("red").active.escort) == ((9, 6, 6), 0)
    danger.do("blue", "PASS")
    danger.do("red", "DRIVE D2 using ranger at D2")
    assert danger.crew("red").hand == ()
    danger.do("red", "DRIVE D1")
    assert danger.gauges("red") == (7, 6, 4)


def test_gr_d2_help_that_is_not_there_is_refused(race):
    danger = race(tiles="E2 bandits")
    assert danger.refused("red", "DRIVE E2 using escort") == ("no-escort", "GR-A3")
    assert danger.refused("red", "DRIVE E2 using ranger") == ("not-in-hand", "GR-K1")
    helped = race(red={"mechanics": 1, "escort": 1}, tiles="E2 bandits")
    assert helped.refused("red", "DRIVE E2 using escort at D2") == ("not-on-the-way", "GR-D2")


def test_gr_d2_a_stop_ends_the_drive_unless_a_caravan_cancels_it(race):
    stop = race(red={"mechanics": 2, "hand": "caravan"}, tiles="E2 village E3 road")
    assert stop.refused("red", "DRIVE E2 E3") == ("stops-there", "GR-D2")
    stop.do("red", "DRIVE E2 E3 using caravan")
    assert stop.crew("red").space == "E3"
    assert stop.state.discards == ("caravan",)


def test_gr_d3_a_blank_space_is_driven_blind(race):
    blind = race()
    told = blind.do("red", "DRIVE E2 E3 losing chassis using nothing", "stones", "sand")
    assert [event.tile for event in told.of(BlindTileLaid)] == ["stones", "sand"]
    assert blind.gauges("red") == (10 - 1 - 4, 6, 5)


def test_gr_d3_a_blind_tile_too_dear_sends_the_vehicle_back_and_stays(race):
    blind = race(red={"mechanics": 1, "fuel": 2})
    told = blind.do("red", "DRIVE E2 F2 using nothing", "sand")
    assert "goes back to Algiers" in told.one(DriveEnded).words
    assert blind.gauges("red") == (2, 6, 6)
    assert blind.crew("red").space == "Algiers"
    assert blind.state.tiles == {"E2": "sand"}
    assert blind.state.markers == ("red", "blue")


def test_gr_d3_help_is_asked_for_where_nothing_was_said_and_there_is_a_hand(race):
    blind = race(red={"mechanics": 1, "fuel": 2, "hand": "jerrycan"})
    blind.do("red", "DRIVE E2", "sand")
    assert blind.due() == [("red", "pay")]
    assert blind.refused("red", "PASS") == ("pay-first", "GR-D3")
    assert blind.refused("red", "PAY") == ("cannot-pay", "GR-D1")
    blind.do("red", "PAY using jerrycan")
    assert (blind.crew("red").fuel, blind.crew("red").space) == (0, "E2")


def test_gr_d3_the_split_of_a_blind_tile_is_asked_for(race):
    blind = race(red={"mechanics": 1})
    blind.do("red", "DRIVE E2", "pass")
    assert blind.due() == [("red", "pay")]
    assert blind.refused("red", "PAY engine 2 chassis 1") == ("does-not-add-up", "GR-D1")
    assert blind.refused("red", "BACK") == ("must-pay", "GR-H3")
    assert blind.words("red") == ["PAY"]
    blind.do("red", "PAY engine 2 chassis 0")
    assert blind.gauges("red") == (8, 4, 6)


def test_gr_d3_an_exact_split_of_what_is_not_known_is_refused(race):
    assert race().refused("red", "DRIVE E2 losing engine 1 chassis 1") == ("not-known-yet", "GR-D3")


def test_gr_d4_a_city_costs_one_fuel_gives_its_cards_and_ends_the_drive(race):
    city = race(red={"mechanics": 2, "space": "I3"}, tiles="I3 track J3 track")
    assert city.refused("red", "DRIVE Cairo J3") == ("city-ends-drive", "GR-D4")
    told = city.do("red", "DRIVE Cairo", "jerrycan", "ranger")
    assert told.one(CardsDrawn).cards == ("jerrycan", "ranger")
    assert city.crew("red").fuel == 9
    empty = race(red={"mechanics": 1, "space": "I3", "fuel": 0}, tiles="I3 track")
    assert empty.refused("red", "DRIVE Cairo") == ("cannot-pay", "GR-D4")


def test_gr_d5_a_line_costs_its_price_and_one_fuel(race):
    sea = race(red={"mechanics": 1, "cash": 50})
    assert sea.refused("red", "DRIVE air Cairo") == ("no-line", "GR-D5")
    assert sea.says_no("red", "DRIVE E2 using transport 1").code == "great-race/no-line"
    assert sea.cost("red", sea.order("DRIVE sea Cairo")) == -40
    told = sea.do("red", "DRIVE sea Cairo", "jerrycan", "ranger")
    assert told.one(LineTaken).tell(sea.config) == "red travels by sea to Cairo"
    assert (sea.crew("red").cash, sea.crew("red").fuel, sea.crew("red").space) == (10, 9, "Cairo")
    poor = race(red={"mechanics": 1, "cash": 30})
    assert poor.refused("red", "DRIVE sea Cairo") == ("too-dear", "GR-D5")


def test_gr_d5_a_line_goes_by_sea_or_by_air(race):
    assert race().says_no("red", Drive("Cairo", line="rail")).code == "great-race/unknown-line"


def test_gr_d5_two_transport_cards_on_a_cheap_line_give_no_change(race):
    sea = race(red={"mechanics": 1, "cash": 0, "hand": "transport transport"})
    told = sea.do("red", "DRIVE sea Cairo using transport 2", "jerrycan", "ranger")
    assert told.one(LineTaken).tell(sea.config) == "red travels by sea to Cairo, with 2 Transport cards"
    assert sea.crew("red").cash == 0
    assert sea.state.discards == ("transport", "transport")


def test_gr_d5_the_ends_of_a_line_are_joined(race):
    scouting = race(red={"scouts": 1})
    scouting.do("red", "SCOUT tiles first H2 then I3", "sand", "track")
    assert scouting.state.tiles["H2"] == "sand"


def test_gr_d6_an_engine_at_nought_stops_at_once(race):
    broken = race(red={"mechanics": 3, "engine": 2, "chassis": 0, "hand": ""}, tiles="E2 pass E3 road")
    assert broken.refused("red", "DRIVE E2 E3") == ("breaks-down", "GR-D6")
    told = broken.do("red", "DRIVE E2")
    assert told.one(DriveEnded).rule == "GR-D6"
    broken.do("blue", "PASS")
    assert broken.refused("red", "DRIVE E3") == ("broken-down", "GR-D6")
    broken.do("red", "REPAIR buy 1")
    assert broken.crew("red").engine == 1


def test_gr_h3_danger_counts_in_the_ability_to_pay(race):
    weak = race(red={"mechanics": 1, "engine": 1, "chassis": 0, "hand": "", "escort": 1}, tiles="E2 bandits")
    assert weak.refused("red", "DRIVE E2") == ("cannot-pay", "GR-H3")
    assert "DRIVE E2 using escort" in weak.words("red")
    weak.do("red", "DRIVE E2 using escort")
    assert weak.gauges("red") == (9, 1, 0)


def test_gr_h3_help_may_be_declined_and_the_vehicle_goes_back(race):
    blind = race(red={"mechanics": 1, "engine": 1, "chassis": 1, "hand": "ranger", "escort": 0})
    blind.do("red", "DRIVE E2", "ravine")
    assert {"PAY using ranger", "BACK"} <= set(blind.words("red"))
    blind.do("red", "BACK")
    assert blind.crew("red").space == "Algiers"
    assert blind.crew("red").hand == ("ranger",)


def test_gr_h3_standing_answers_hold_for_blind_tiles(race):
    blind = race(red={"mechanics": 3, "hand": "ranger"})
    blind.do("red", "REACT tiles with ranger only if parts > 2")
    blind.do("red", "DRIVE E2 losing chassis", "bandits")
    assert blind.crew("red").chassis == 4
    blind.do("blue", "PASS")
    blind.do("red", "DRIVE D2 losing chassis", "ravine")
    assert blind.gauges("red")[1:] == (6, 3)
    assert blind.crew("red").hand == ()


def test_gr_h4_an_escort_given_up_does_not_end_the_sequence(race):
    escort = race(red={"mechanics": 1, "escort": 2, "hand": "driver"}, tiles="E2 bandits")
    escort.do("red", "PLAY Driver E2 using escort")
    assert escort.due() == [("red", "turn")]
    assert escort.crew("red").active.escort == 1


def test_gr_h4_the_last_assistant_given_up_on_the_way_ends_the_sequence(race):
    escort = race(red={"escort": 1, "hand": "driver"}, tiles="E2 bandits")
    escort.do("red", "PLAY Driver E2 using escort")
    assert escort.due() == [("blue", "turn")]
    assert escort.crew("red").active.total == 0


def test_gr_h6_parts_are_not_bought_on_the_way(race):
    assert race(red={"mechanics": 1}, tiles="E2 road").words("red").count("DRIVE E2") == 1


def test_gr_h7_vehicles_share_a_space(race):
    shared = race(blue={"mechanics": 1, "space": "E2"}, tiles="E2 road")
    shared.do("red", "DRIVE E2")
    assert shared.crew("red").space == shared.crew("blue").space == "E2"


def test_gr_h8_a_city_asks_no_surcharge_and_gives_cards_at_every_entry(race):
    again = race(red={"mechanics": 3, "space": "E3"}, tiles="E3 road")
    again.do("red", "DRIVE Tamanrasset", "jerrycan")
    again.do("blue", "PASS")
    again.do("red", "DRIVE E3")
    assert again.crew("red").fuel == 10 - 1 - 1
    assert again.crew("red").hand == ("jerrycan",)


def test_gr_d1_a_known_tile_too_dear_after_a_blind_one_ends_the_drive_before_it(race):
    """The blind tile is paid for, so the vehicle does not go back."""
    drive = race(red={"mechanics": 1, "fuel": 2}, tiles="F2 sand")
    told = drive.do("red", "DRIVE E2 F2 losing chassis using nothing", "stones")
    assert told.one(DriveEnded).words.endswith("it stops at E2")
    assert told.one(DriveEnded).rule == "GR-D1"
    assert (drive.crew("red").space, drive.gauges("red")) == ("E2", (1, 6, 5))


def test_gr_d3_a_tile_just_drawn_is_paid_for_only_with_help_that_is_there(race):
    blind = race(red={"mechanics": 1, "fuel": 2, "hand": "jerrycan"})
    blind.do("red", "DRIVE E2", "sand")
    assert blind.refused("red", "PAY using ranger") == ("not-in-hand", "GR-K1")
    assert blind.refused("red", "PAY using escort") == ("no-escort", "GR-A3")


def test_gr_d5_a_set_without_transport_cards_has_no_help_on_lines(race, house):
    parts = change(house, cards=tuple(card for card in house.cards if card.id != "transport"))
    problem = race(parts=parts).says_no("red", "DRIVE sea Cairo using transport 1")
    assert (problem.code, problem.part) == ("great-race/unknown-card", "using")


def test_gr_d5_only_lines_cost_francs(race):
    drive = race(tiles="E2 road")
    assert not drive.cost("red", drive.order("DRIVE E2"))


def test_gr_d6_a_broken_down_crew_is_offered_no_drive(race):
    broken = race(red={"mechanics": 1, "engine": 0}, tiles="E2 road")
    assert [words for words in broken.words("red") if words.startswith("DRIVE")] == []
    assert "REPAIR buy 1" in broken.words("red")


def test_gr_h9_where_the_last_tile_of_the_bag_was_drawn_on_the_way_the_drive_stops(race, house):
    every = [tile.id for tile in house.tiles for _ in range(tile.count)]
    every.remove("stones")
    drive = race(removed=" ".join(every))
    told = drive.do("red", "DRIVE E2 E3 losing chassis using nothing", "stones")
    assert told.one(DriveEnded).words == "stops: no tile is left for E3"
    assert told.one(DriveEnded).rule == "GR-H9"
    assert drive.crew("red").space == "E2"


@pytest.mark.parametrize(
    ("using", "gauges", "escorts", "hand"),
    [
        ("", (7, 6, 2), 1, "ranger"),
        (" using escort", (7, 6, 4), 0, "ranger"),
        (" using escort at E3", (7, 6, 4), 0, "ranger"),
        (" using ranger", (7, 6, 4), 1, ""),
        (" using escort, ranger", (7, 6, 6), 0, ""),
        (" using escort, ranger at E2", (7, 6, 4), 0, "ranger"),
        (" using escort at E3, ranger at E2", (7, 6, 6), 0, ""),
    ],
)
def test_gr_d2_help_is_used_where_the_order_says_and_an_escort_before_a_ranger(race, using, gauges, escorts, hand):
    danger = race(red={"mechanics": 1, "escort": 1, "hand": "ranger"}, tiles="E2 bandits E3 bandits")
    danger.do("red", f"DRIVE E2 E3{using}")
    assert danger.gauges("red") == gauges
    assert (danger.crew("red").active.escort, " ".join(danger.crew("red").hand)) == (escorts, hand)


def test_gr_k3_as_many_jerrycans_are_used_on_the_way_as_the_tiles_need(race):
    cans = race(red={"mechanics": 1, "fuel": 2, "hand": "jerrycan jerrycan jerrycan"}, tiles="E2 track F2 sand")
    assert cans.refused("red", "DRIVE E2 F2") == ("cannot-pay", "GR-D1")
    assert cans.refused("red", "DRIVE E2 F2 using jerrycan at E2") == ("cannot-pay", "GR-D1")
    cans.do("red", "DRIVE E2 F2 using jerrycan at F2")
    assert (cans.crew("red").fuel, cans.crew("red").hand) == (0, ("jerrycan",))
    few = race(red={"mechanics": 1, "fuel": 1, "hand": "jerrycan"}, tiles="E2 sand")
    assert few.refused("red", "DRIVE E2 using jerrycan") == ("cannot-pay", "GR-D1")


def test_gr_k3_a_jerrycan_pays_for_a_city(race):
    city = race(red={"mechanics": 1, "fuel": 0, "space": "I3", "hand": "jerrycan"}, tiles="I3 track")
    city.do("red", "DRIVE Cairo using jerrycan", "ranger", "toolbox")
    assert (city.crew("red").fuel, city.crew("red").hand) == (0, ("ranger", "toolbox"))


def test_gr_d1_a_mix_of_gauges_is_lost_over_the_whole_way_the_chassis_first(race):
    mixed = race(tiles="E2 stones F2 pass")
    told = mixed.do("red", "DRIVE E2 F2 losing engine 1 chassis 2")
    assert [(event.engine, event.chassis) for event in told.of(SpaceEntered)] == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("engine", "chassis", "losing", "left"),
    [
        (2, 3, "losing engine", (1, 2)),
        (3, 1, "losing engine", (1, 1)),
        (3, 1, "losing chassis", (2, 0)),
        (2, 0, "losing engine", (0, 0)),
        (1, 2, "losing engine", (1, 0)),
        (1, 1, "losing engine", (0, 0)),
        (1, 5, "", (1, 3)),
    ],
)
def test_gr_d1_the_engine_loses_its_last_part_only_if_the_chassis_has_none(race, engine, chassis, losing, left):
    worn = race(red={"mechanics": 1, "engine": engine, "chassis": chassis}, tiles="E2 pass")
    worn.do("red", f"DRIVE E2 {losing}".strip())
    assert worn.gauges("red")[1:] == left
