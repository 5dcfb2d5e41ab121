"""A set or a board that somebody transcribed: everything that is wrong is told at once, by space, with its rule (GR-C)."""

import json
from copy import deepcopy
from importlib.resources import files

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player, Setup
from adjudicator.files import typed
from adjudicator.games.great_race.components import Components
from adjudicator.games.great_race.flaws import unfit

HOUSE = json.loads((files("adjudicator.games.great_race") / "data" / "house.json").read_text(encoding="utf-8"))
HOUSE_SET = typed.read(Components, json.dumps(HOUSE))


def flaws(document, players=2, **options):
    """Return the flaws of a component set, given as a file has it, as (message, rule, suggestions)."""
    components = typed.read(Components, json.dumps(document))
    seats = tuple(Player(Seat(seat)) for seat in ("red", "blue", "green", "black")[:players])
    setup = Setup(seats, {"board": "first", "start": "first", **options}, components)
    return [(flaw.message, flaw.rule, flaw.suggestions) for flaw in unfit(setup)]


@pytest.fixture
def parts():
    """The house set with the board of Africa alone, to be spoilt."""
    document = deepcopy(HOUSE)
    document["boards"] = document["boards"][:1]
    return document


@pytest.fixture
def space(parts):
    """Give a space of the board by its id."""
    return lambda name: next(space for space in parts["boards"][0]["spaces"] if space["id"] == name)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gr_c1_nothing_is_wrong_with_the_house_set(players):
    assert flaws(HOUSE, players) == []


@pytest.mark.parametrize(("board", "start"), [("africa", "Cape-Town"), ("asia", "peking"), ("first", "ALGIERS")])
def test_gr_s1_board_and_start_are_chosen_in_any_case(board, start):
    assert flaws(HOUSE, board=board, start=start) == []


def test_gr_c1_an_unknown_board_is_told_with_those_there_are():
    assert flaws(HOUSE, board="afrika") == [
        ("the component set has no board “afrika”, only africa and asia", "GR-C1", ("africa", "asia"))
    ]


def test_gr_s1_a_race_begins_in_a_purple_city():
    message = "on the board Africa a race begins in Algiers or Cape-Town, not in “Cairo”"
    assert flaws(HOUSE, start="Cairo") == [(message, "GR-S1", ("Algiers", "Cape-Town"))]


@pytest.mark.parametrize(
    ("option", "code", "rule"), [("board", "unknown-board", "GR-C1"), ("start", "unknown-start", "GR-S1")]
)
def test_a_wrong_choice_is_told_at_its_option(option, code, rule):
    setup = Setup((Player(Seat("red")), Player(Seat("blue"))), {"board": "first", "start": "first", option: "no"}, HOUSE_SET)
    assert [(flaw.code, flaw.rule, flaw.part) for flaw in unfit(setup)] == [(code, rule, f"option:{option}")]


def test_gr_c1_an_unknown_neighbour_is_told_with_what_it_may_have_been(parts, space):
    space("B3")["next"].append("Tamanraset")
    told = "africa, B3: “next” names Tamanraset, but there is no such space"
    assert flaws(parts) == [(told, "GR-C1", ("Tamanrasset",))]


def test_gr_c1_a_link_one_way_is_told_with_both_ends(parts, space):
    space("B3")["next"].remove("C3")
    told = "africa, C3: “next” names B3, but not the other way round: add C3 to “next” of B3, or remove B3 here"
    assert flaws(parts) == [(told, "GR-C1", ())]


def test_gr_c1_two_spaces_with_one_id(parts, space):
    parts["boards"][0]["spaces"].append({**space("B3"), "id": "b3", "x": 40, "next": []})
    assert ("africa, b3: 2 spaces have this id (capitals make no difference)", "GR-C1", ()) in flaws(parts)


def test_gr_c1_two_spaces_in_one_place(parts, space):
    space("B3").update(x=space("C3")["x"])
    assert flaws(parts) == [("africa, B3: C3 has the same place, x 5 y 3", "GR-C1", ())]


@pytest.mark.parametrize("written", ["K 4", "4K", "K4,", "Zürich", "-K4", "K4-"])
def test_gr_c1_an_id_is_a_word_that_orders_can_hold(parts, space, written):
    for other in space("B3")["next"]:
        space(other)["next"][space(other)["next"].index("B3")] = written
    space("B3")["id"] = written
    told = "an id has letters and digits, begins with a letter, and may join parts with “-”"
    assert flaws(parts) == [(f"africa, {written}: {told}", "GR-C1", ())]


def test_gr_c1_a_city_without_cards(parts, space):
    space("Dakar").update(cards=0)
    assert flaws(parts) == [("africa, Dakar: a city gives at least 1 card (cards)", "GR-C1", ())]


def test_gr_h8_a_city_in_a_risk_zone(parts, space):
    space("Dakar").update(risk=True)
    assert flaws(parts) == [("africa, Dakar: a city cannot be a risk zone: it costs no more to enter", "GR-H8", ())]


def test_gr_c1_a_terrain_space_with_cards_and_purple(parts, space):
    space("B3").update(cards=2, purple=True)
    assert flaws(parts) == [
        ("africa, B3: only a city gives cards", "GR-C1", ()),
        ("africa, B3: only a city is purple", "GR-C1", ()),
        ("africa: exactly two cities must be purple, not 3: Algiers, B3 and Cape-Town", "GR-C1", ()),
    ]


@pytest.mark.parametrize(
    ("cities", "told"),
    [((), "none"), (("Algiers",), "1: Algiers"), (("Algiers", "Cairo", "Cape-Town"), "3: Algiers, Cairo and Cape-Town")],
)
def test_gr_c1_the_purple_cities_are_exactly_two(parts, space, cities, told):
    for city in ("Algiers", "Cairo", "Cape-Town"):
        space(city)["purple"] = city in cities
    assert [(words.partition("not ")[2], *more) for words, *more in flaws(parts) if more[0] == "GR-C1"] == [
        (told, "GR-C1", ())
    ]


def test_gr_s1_the_purple_cities_lie_opposite_each_other(parts, space):
    space("Cape-Town").update(purple=False)
    space("Khartoum").update(purple=True)
    told = "africa: the purple cities must be in the first and the last lane (1 and 16), not in 1 and 5"
    assert flaws(parts) == [(told, "GR-S1", ())]


def test_gr_s1_no_way_from_start_to_finish(parts):
    """Everything south of the equator is cut off, and the lines that lead there are taken out."""
    board = parts["boards"][0]
    south = {space["id"] for space in board["spaces"] if space["lane"] > 9}
    for space in board["spaces"]:
        space["next"] = [other for other in space["next"] if (other in south) is (space["id"] in south)]
    board["lines"] = [line for line in board["lines"] if (line["ends"][0] in south) is (line["ends"][1] in south)]
    found = flaws(parts)
    assert found[0] == ("africa: there is no way from Algiers to Cape-Town", "GR-S1", ())
    assert [flaw[:2] for flaw in found[1:]] == [
        ("africa: no way leads from Algiers to F10, Matadi, H10, I10, J10, Mombasa, G11, H11 and 25 others", "GR-C1")
    ]


def test_gr_c1_a_space_that_nothing_leads_to(parts, space):
    for other in space("B3")["next"]:
        space(other)["next"].remove("B3")
    space("B3")["next"] = []
    assert flaws(parts) == [
        ("africa, B3: it has no neighbour and no line, so no vehicle can reach it", "GR-C1", ()),
        ("africa: no way leads from Algiers to B3", "GR-C1", ()),
    ]


def test_gr_d5_an_island_that_a_line_leads_to_is_no_flaw(parts, space):
    for other in space("Dakar")["next"]:
        space(other)["next"].remove("Dakar")
    space("Dakar")["next"] = []
    assert flaws(parts) == []


def test_gr_c1_a_space_beside_itself_and_one_that_is_named_twice(parts, space):
    space("B3")["next"] += ["B3", "C3"]
    assert flaws(parts) == [
        ("africa, B3: C3 is named 2 times in “next”", "GR-C1", ()),
        ("africa, B3: it cannot lie beside itself", "GR-C1", ()),
    ]


def test_gr_d5_lines_lead_from_city_to_city(parts):
    parts["boards"][0]["lines"] = [
        {"kind": "sea", "ends": ["Cairo", "J3"], "price": 20},
        {"kind": "sea", "ends": ["Dacar", "Lagos"], "price": 20},
        {"kind": "air", "ends": ["Lagos", "Lagos"], "price": 20},
        {"kind": "sea", "ends": ["Lagos", "Dakar"], "price": 20},
        {"kind": "sea", "ends": ["Dakar", "Lagos"], "price": 30},
        {"kind": "air", "ends": ["Dakar", "Lagos"], "price": 30},
    ]
    assert flaws(parts) == [
        ("africa, sea line Cairo–J3: J3 is not a city", "GR-D5", ()),
        ("africa, sea line Dacar–Lagos: there is no space Dacar", "GR-D5", ("Dakar", "Cairo")),
        ("africa, air line Lagos–Lagos: both ends are the same city", "GR-D5", ()),
        ("africa: there are 2 sea lines between Dakar and Lagos", "GR-D5", ()),
    ]


def test_gr_d5_a_line_that_ends_beside_a_city_suggests_it(parts):
    parts["boards"][0]["lines"] = [{"kind": "sea", "ends": ["Dakar", "K9"], "price": 20}]
    assert flaws(parts) == [("africa, sea line Dakar–K9: K9 is not a city", "GR-D5", ("Mombasa",))]


def test_gr_n1_a_lane_that_jumps_is_told_at_the_space_that_is_to_blame_with_the_lane_it_may_be(parts, space):
    space("C3").update(lane=13)
    ((message, rule, suggestions),) = flaws(parts)
    assert message.startswith("africa, C3: it is in lane 13, but its neighbour is B3 in lane 3, ")
    assert (rule, suggestions) == ("GR-N1", ("lane 3",))


def test_gr_n1_a_jump_between_two_that_lie_well_otherwise_is_told_once(parts, space):
    space("B3")["next"].append("B5")
    space("B5")["next"].append("B3")
    assert flaws(parts) == [("africa, B5: it is in lane 5, but its neighbour is B3 in lane 3", "GR-N1", ())]


def test_gr_c1_no_lane_is_left_out(parts):
    for space in parts["boards"][0]["spaces"]:
        if space["lane"] > 8:
            space["lane"] += 1
    found = flaws(parts)
    assert ("africa: no space is in lane 9, though there are 17", "GR-C1", ()) in found
    assert {rule for _, rule, _ in found} == {"GR-C1", "GR-N1"}


def test_flaws_of_all_boards_and_all_spaces_are_told_at_once(parts, space):
    space("B3")["next"].append("K99")
    space("Dakar").update(cards=0)
    parts["boards"].append(deepcopy(HOUSE["boards"][1]))
    parts["boards"][1]["lines"][0]["price"] = 10
    parts["boards"][1]["spaces"][0]["risk"] = True
    parts["boards"][1]["id"] = "Africa"
    assert [(message.partition(": ")[0], rule) for message, rule, _ in flaws(parts)] == [
        ("the component set has the board africa 2 times", "GR-C1"),
        ("africa, B3", "GR-C1"),
        ("africa, Dakar", "GR-C1"),
        ("Africa, Paris", "GR-H8"),
    ]


def test_gr_c2_tiles_and_cards_are_told_apart(parts):
    parts["tiles"] += [{**parts["tiles"][0], "id": "TRACK"}, {**parts["tiles"][0], "id": "2nd"}]
    parts["cards"] = parts["cards"][:-1] + parts["cards"][:1]
    assert [flaw[:2] for flaw in flaws(parts)] == [
        ("the component set has the tile track 2 times", "GR-C2"),
        ("the component set has the card tracker 2 times", "GR-C3"),
        ("tile 2nd: an id has letters and digits, begins with a letter, and may join parts with “-”", "GR-C2"),
    ]


def test_gr_c3_cards_have_an_amount_where_they_need_one(parts):
    amounts = {card["id"]: card for card in parts["cards"]}
    del amounts["financial"]["amount"]
    amounts["caravan"]["amount"] = 1
    assert flaws(parts) == [
        ("card financial: it needs an amount", "GR-C3", ()),
        ("card caravan: it has no amount", "GR-C3", ()),
    ]


def test_gr_s2_cash_and_bonus_are_there_for_the_players(parts):
    parts["purses"] = [parts["purses"][0], {"players": 3, "cash": [80, 80], "bonus": [20, 10, 0, 0]}, parts["purses"][0]]
    assert flaws(parts, players=4) == [
        ("the component set has a table of cash and bonus for 2 players 2 times", "GR-S2", ()),
        ("no table of cash and bonus is for 4 players", "GR-S2", ()),
        ("cash for 3 players has 2 amounts", "GR-S2", ()),
        ("bonus for 3 players has 4 amounts", "GR-N3", ()),
    ]


def test_gr_a4_funding_has_an_amount_for_each_number_of_assistants(parts):
    parts["funding"] = [10, 20]
    assert flaws(parts) == [("funding has 2 amounts for 5 assistants", "GR-A4", ())]


def test_gr_b1_the_cards_are_enough_for_a_bivouac(parts):
    parts["cards"] = [{"id": "jerrycan", "name": "Jerrycan", "count": 4, "amount": 1}]
    assert flaws(parts, players=3) == []
    assert flaws(parts, players=4) == [("4 players need at least 5 cards for the bivouac, the set has 4", "GR-B1", ())]


def test_a_board_full_of_unknown_names_is_refused_quickly(parts):
    """Suggestions are looked up for the first names only: 4,800 unknown ones would cost minutes otherwise."""
    parts["boards"][0]["lines"] = []
    parts["boards"][0]["spaces"] = [
        {
            "id": f"Terra-{at}",
            "kind": "terrain",
            "lane": 1,
            "x": at % 20 + 1,
            "y": at // 20 + 1,
            "next": [f"Terror-{at}-{n}" for n in range(12)],
        }
        for at in range(400)
    ]
    found = flaws(parts)
    assert len(found) > 4_800
    assert sum(bool(suggestions) for _, _, suggestions in found) <= 20
