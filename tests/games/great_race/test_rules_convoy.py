"""Sequences: fuel, repairs, funding, escorts, scouts, passing, the end of a round (GR-V, GR-A, GR-N)."""

from __future__ import annotations

from adjudicator.core.event import Spent
from adjudicator.games.great_race.card_events import TileRemoved, TilesReturned
from adjudicator.games.great_race.events import OrderChanged, SequenceBegun
from adjudicator.games.great_race.state import BAG, Assistants


def test_gr_v1_fuel_costs_ten_in_a_city_and_twenty_outside(race):
    city = race(red={"mechanics": 1, "fuel": 2})
    assert city.cost("red", city.order("BUY fuel 3")) == -30
    city.do("red", "BUY fuel 3")
    assert (city.crew("red").fuel, city.crew("red").cash) == (5, 50)
    outside = race(red={"mechanics": 1, "fuel": 2, "space": "E2"}, tiles="E2 track")
    assert outside.refused("red", "BUY fuel 5") == ("too-dear", "GR-V1")
    outside.do("red", "BUY fuel 4")
    assert outside.crew("red").cash == 0
    assert outside.says_no("red", "BUY fuel 0").code == "great-race/nothing-bought"


def test_gr_v1_fuel_is_bought_before_cards_and_one_assistant_ends_the_sequence(race):
    played = race(red={"mechanics": 2, "funding": 1, "fuel": 2, "hand": "financial"})
    played.do("red", "PLAY Financial")
    assert played.refused("red", "BUY fuel 1") == ("too-late-to-buy", "GR-V1")
    told = played.do("red", "FUND")
    assert told.one(SequenceBegun).seat == "blue"
    assert played.says_no("red", "PASS").code == "great-race/not-due"
    played.do("blue", "PASS")
    played.do("red", "BUY fuel 1")
    assert played.says_no("blue", "PASS").code == "great-race/passed-already"


def test_gr_v1_passing_removes_all_but_the_escort_and_is_final(race):
    passed = race(red={"mechanics": 2, "escort": 1}, blue={"mechanics": 2}, tiles="E2 road")
    passed.do("red", "PASS")
    assert passed.crew("red").active == Assistants(escort=1)
    told = passed.do("blue", "DRIVE E2")
    assert [event.seat for event in told.of(SequenceBegun)] == ["blue"]
    assert passed.due() == [("blue", "turn")]


def test_gr_v1_who_has_played_out_is_asked_no_more(race):
    last = race(red={"funding": 1}, blue={"mechanics": 1}, green={})
    told = last.do("red", "FUND")
    assert last.due() == [("blue", "turn")]
    assert told.one(SequenceBegun).seat == "blue"
    assert last.refused("blue", "FUND") == ("no-assistant", "GR-V1")


def test_gr_v1_players_can_look_ahead_to_their_own_sequence(race):
    ahead = race(blue={"mechanics": 1}, green={"has_passed": True}, tiles="E2 road")
    assert ahead.refused("red", "LAY sand at E3") == ("not-in-a-sequence", "GR-V1")
    then = ahead.rules.position_if_due(ahead.config, ahead.state, "blue")
    assert "DRIVE E2" in [ahead.rules.language.text(order) for order in ahead.rules.legal(ahead.config, then, "blue")]
    assert ahead.rules.position_if_due(ahead.config, ahead.state, "green") is None


def test_gr_a1_scouts_lay_two_tiles_on_an_unbroken_path(race):
    scouting = race(red={"scouts": 2}, tiles="D1 track")
    assert scouting.refused("red", "SCOUT tiles first E3 then D4") == ("no-path", "GR-A1")
    scouting.do("red", "SCOUT tiles", "sand", "pass")
    assert scouting.due() == [("red", "lay")]
    assert scouting.view("blue").state.pending.tiles == (None, None)
    assert scouting.refused("red", "LAY dunes at E2") == ("not-drawn", "GR-A1")
    assert scouting.refused("red", "LAY sand at E3") == ("no-path", "GR-A1")
    assert scouting.refused("red", "PASS") == ("lay-first", "GR-A1")
    scouting.do("red", "LAY sand at E2")
    scouting.do("red", "LAY pass at E3")
    assert scouting.state.tiles == {"D1": "track", "E2": "sand", "E3": "pass"}


def test_gr_a1_a_danger_counts_as_its_two_parts_where_the_cheap_tile_is_said_to_go(race):
    ahead = race(red={"scouts": 1, "escort": 1, "hand": "ranger"})
    ahead.do("red", "SCOUT tiles cheap E2 then D2", "bandits", "sand")
    assert ahead.state.tiles == {"E2": "sand", "D2": "bandits"}


def test_gr_a1_where_the_tiles_go_can_be_said_ahead(race):
    ahead = race(red={"scouts": 5})
    ahead.do("red", "SCOUT tiles first E2 then E3", "sand", "track")
    assert ahead.state.tiles == {"E2": "sand", "E3": "track"}
    ahead.do("blue", "PASS")
    ahead.do("red", "SCOUT tiles cheap D2 then D3", "dunes", "road")
    assert ahead.state.tiles["D2"] == "road"
    ahead.do("red", "SCOUT tiles dear F2 then F3", "road", "dunes")
    assert ahead.state.tiles["F2"] == "dunes"
    ahead.do("red", "SCOUT tiles G2 G3", "sand", "sand")
    assert ahead.state.tiles["G3"] == "sand"


def test_gr_a1_spaces_said_ahead_are_blank_different_and_no_more_than_tiles(race):
    ahead = race(red={"scouts": 1}, tiles="D1 track")
    for words, code in (
        ("SCOUT tiles first D1 then E2", "tile-there"),
        ("SCOUT tiles first Cairo then E2", "city"),
        ("SCOUT tiles first E2 then E2", "space-twice"),
        ("SCOUT tiles first E2 then E3 then F3", "too-many-spaces"),
        ("SCOUT tiles first F9 then E2", "no-path"),
    ):
        assert ahead.refused("red", words) == (code, "GR-A1"), words
    assert ahead.says_no("red", "SCOUT tiles first Q99 then E2").code == "great-race/unknown-space"
    assert ahead.says_no("red", "LAY lava at E2").code == "great-race/unknown-tile"


def test_gr_a1_or_the_top_card(race):
    card = race(red={"scouts": 1})
    card.do("red", "SCOUT card", "caravan")
    assert card.crew("red").hand == ("caravan",)
    assert card.view("blue").state.crew("red").hand == (None,)


def test_gr_a2_the_points_of_a_repair_add_up_and_are_spread_freely(race):
    repair = race(red={"mechanics": 3, "engine": 2, "chassis": 4, "hand": "spare-parts spare-parts toolbox"})
    assert repair.refused("red", "REPAIR engine 2 chassis 2 using parts 2 buy 1") == ("does-not-add-up", "GR-A2")
    assert repair.refused("red", "REPAIR using parts 3") == ("not-in-hand", "GR-K1")
    assert repair.refused("red", "REPAIR buy 5") == ("too-dear", "GR-A2")
    assert repair.cost("red", repair.order("REPAIR buy 2")) == -40
    assert repair.cost("red", repair.order("REPAIR buy 4")) == -80  # all its francs
    repair.do("red", "REPAIR engine 2 chassis 1 using parts 2 buy 1")
    assert repair.gauges("red") == (10, 4, 5)
    assert repair.crew("red").cash == 60
    repair.do("blue", "PASS")
    repair.do("red", "REPAIR using toolbox 1")
    assert repair.gauges("red") == (10, 6, 6)


def test_gr_a3_an_escort_removes_a_tile_beside_the_vehicle_for_good(race):
    escort = race(red={"escort": 2}, blue={"mechanics": 1, "space": "F1"}, tiles="E2 sand F1 track E3 sand")
    assert escort.refused("red", "ESCORT remove D1") == ("no-tile-there", "GR-A3")
    assert escort.refused("red", "ESCORT remove F1") == ("vehicle-there", "GR-A3")
    assert escort.refused("red", "ESCORT remove E3") == ("not-beside", "GR-A3")
    told = escort.do("red", "ESCORT remove E2")
    assert told.one(TileRemoved).tile == "sand"
    assert escort.state.removed == ("sand",)
    assert len(BAG.left(escort.config, escort.state)) == 57


def test_gr_a4_funding_gives_ten_to_a_hundred_and_ten(race):
    for many, francs in ((1, 10), (2, 20), (3, 40), (4, 70), (5, 110)):
        funding = race(red={"funding": many})
        assert funding.cost("red", funding.order("FUND")) == francs
        assert funding.do("red", "FUND").one(Spent).after == 80 + francs
        assert funding.crew("red").active.total == 0


def test_gr_n1_the_furthest_is_first_in_the_next_round(race):
    told = race(red={"funding": 1}, blue={"space": "E3"}, green={"space": "D2"}, tiles="E3 sand D2 sand").do(
        "red", "FUND", "jerrycan jerrycan ranger ranger"
    )
    assert told.one(OrderChanged).order == ("blue", "green", "red")


def test_gr_n2_in_one_lane_whose_marker_came_first_is_first(race):
    level = race(red={"mechanics": 1}, blue={"space": "E2"}, tiles="D2 track E2 track", markers=("red", "blue"))
    told = level.do("red", "DRIVE D2", "jerrycan jerrycan ranger")
    assert level.state.markers == ("blue", "red")
    assert (told.one(OrderChanged).order, told.one(OrderChanged).rule) == (("blue", "red"), "GR-N2")
    still = race(
        red={"mechanics": 1, "space": "D2"}, blue={"space": "E2"}, tiles="D2 track E2 track", markers=("red", "blue")
    )
    still.do("red", "DRIVE E2", "jerrycan jerrycan ranger")
    assert still.state.markers == ("red", "blue")


def test_gr_n3_the_bonus_goes_by_the_new_order(race):
    bonus = race(red={"funding": 1}, blue={"space": "E3"}, green={"space": "D2"}, tiles="E3 sand D2 sand")
    bonus.do("red", "FUND", "jerrycan jerrycan ranger ranger")
    assert [bonus.crew(seat).cash for seat in ("red", "blue", "green")] == [90, 100, 80]


def test_gr_h5_with_only_escorts_left_one_removes_a_tile_or_passes(race):
    escort = race(red={"escort": 1, "hand": "financial"}, tiles="E2 sand")
    assert {"ESCORT remove E2", "PASS", "PLAY Financial"} <= set(escort.words("red"))
    assert not {"FUND", "SCOUT card"} & set(escort.words("red"))


def test_gr_h5_a_jerrycan_does_not_close_the_buying_of_fuel(race):
    can = race(red={"mechanics": 1, "fuel": 2, "hand": "jerrycan"})
    can.do("red", "PLAY Jerrycan")
    can.do("red", "BUY fuel 1")
    assert can.crew("red").fuel == 4


def test_gr_h6_a_repair_uses_at_least_one_point(race):
    repair = race(red={"mechanics": 1, "engine": 5, "chassis": 6, "hand": "toolbox spare-parts"})
    assert repair.refused("red", "REPAIR engine 0 chassis 0") == ("nothing-to-repair-with", "GR-H6")
    assert repair.refused("red", "REPAIR using toolbox 1 buy 1") == ("no-room", "GR-S2")
    repair.do("red", "REPAIR using toolbox 1")
    assert repair.gauges("red") == (10, 6, 6)
    full = race(red={"mechanics": 1, "hand": "spare-parts"})
    assert full.refused("red", "REPAIR using parts 1") == ("no-room", "GR-H6")


def test_gr_h8_cards_are_laid_out_once_a_round(race):
    over = race(red={"funding": 1}, blue={})
    over.do("red", "FUND", "jerrycan jerrycan ranger")
    assert len(over.state.offered) == 3
    assert over.state.round == 2


def test_gr_h9_with_an_empty_bag_nobody_scouts_tiles(race, house):
    removed = " ".join(" ".join([tile.id] * tile.count) for tile in house.tiles)
    empty = race(red={"scouts": 1, "mechanics": 1, "hand": "cartographer"}, removed=removed)
    assert empty.refused("red", "SCOUT tiles") == ("bag-empty", "GR-H9")
    assert empty.refused("red", "PLAY Cartographer") == ("bag-empty", "GR-H9")
    assert empty.refused("red", "DRIVE E2") == ("bag-empty", "GR-H9")


def test_gr_h9_without_a_free_space_tiles_go_back(race, narrow):
    scouting = race(parts=narrow, red={"scouts": 1, "mechanics": 1}, blue={})
    told = scouting.do("red", "SCOUT tiles", "sand", "track")
    assert scouting.due() == [("red", "lay")]
    told = scouting.do("red", "LAY sand at E2")
    back = told.one(TilesReturned)
    assert back.tiles == ("track",)
    assert back.tell(scouting.config) == "no free space is left: red returns 1 tile to the bag"
    assert len(BAG.left(scouting.config, scouting.state)) == 59
    full = race(parts=narrow, red={"scouts": 1}, tiles="E2 sand")
    assert full.refused("red", "SCOUT tiles E2") == ("no-free-space", "GR-H9")


def test_gr_h9_an_empty_deck_is_shuffled_anew(race, house):
    discards = " ".join(" ".join([card.id] * card.count) for card in house.cards)
    empty = race(red={"scouts": 1}, discards=discards)
    told = empty.do("red", "SCOUT card", "ranger")
    assert told.kinds[:3] == ["assistant-played", "deck-shuffled", "cards-drawn"]
    assert empty.state.discards == ()
