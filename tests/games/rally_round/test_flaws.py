"""Flaws of component sets and of marked rallies: each with its rule and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.rally_round.components import (
    Colour,
    Does,
    Effect,
    Feature,
    HazardCard,
    Kind,
    KitCard,
    Rally,
    Side,
    Square,
    SquareId,
    Track,
)
from adjudicator.games.rally_round.config import unfit
from adjudicator.games.rally_round.network import flaws_of, network_of
from adjudicator.games.rally_round.route import cautions, legs_of, sections_of
from adjudicator.games.rally_round.route import flaws_of as flaws_of_rally
from adjudicator.games.rally_round.rules import RULESET
from adjudicator.games.rally_round.state import Position
from adjudicator.store.components import shipped

HOUSE, _ = shipped(RULESET)


def told(flaws):
    return [f"{flaw.message} ({flaw.rule})" for flaw in flaws]


# Maps --------------------------------------------------------------------------------------------------------------------


def altered(made, square, **fields):
    """Return the set ``made`` with other fields of one square."""
    squares = tuple(replace(one, **fields) if one.id == square else one for one in made.squares)
    return replace(made, squares=squares)


@pytest.mark.parametrize(
    ("square", "fields", "flaws"),
    [
        ("B1", {}, []),
        ("B1", {"limit": 30}, ["B1: only a bend has a sign with a limit (RR-C2)"]),
        ("B1", {"feature": Feature.BEND, "limit": 30}, []),
        ("B1", {"feature": Feature.ROUGH}, ["B1: rough sections must be white, this one is red (RR-C2)"]),
        ("B1", {"feature": Feature.ROUGH, "colour": Colour.WHITE}, []),
        (
            "B1",
            {"feature": Feature.CHEQUERED, "colour": Colour.YELLOW},
            ["B1: chequered squares must be red, this one is yellow (RR-C1)"],
        ),
        ("B1", {"feature": Feature.GIVE_WAY}, ["B1: the give-way needs the side that it points to (toward) (RR-C2)"]),
        (
            "B1",
            {"feature": Feature.GIVE_WAY, "toward": Side.NORTH},
            ["B1: the give-way points N, where no road leaves (RR-C2)"],
        ),
        ("B1", {"feature": Feature.GIVE_WAY, "toward": Side.EAST}, []),
        ("B1", {"feature": Feature.FORD, "toward": Side.EAST}, ["B1: the ford points nowhere (toward) (RR-C2)"]),
        ("B1", {"toward": Side.EAST}, ["B1: a square without a feature points nowhere (toward) (RR-C2)"]),
        ("B1", {"feature": Feature.GRADIENT, "toward": Side.WEST}, []),
        (
            "B1",
            {"feature": Feature.STEEP, "toward": Side.WEST},
            ["B1: the road forks or ends where a car would roll down (RR-F9)"],
        ),
        ("C1", {"feature": Feature.STEEP, "toward": Side.WEST}, []),
        (
            "C1",
            {"feature": Feature.STEEP, "toward": Side.EAST},
            ["C1: the road forks or ends where a car would roll down (RR-F9)"],
        ),
        ("C1", {"feature": Feature.GRADIENT, "toward": Side.EAST}, []),
        ("D1", {"feature": Feature.STEEP, "toward": Side.SOUTH}, []),
        ("D2", {"x": 4, "y": 1}, ["D2 has the same place as D1: column x 4, row y 1 (RR-C1)"]),
        ("D2", {"place": "Main Road"}, ["the component set has the name main road 2 times (RR-C1)"]),
        ("D2", {"place": "Path 1"}, ["the component set has the name path 1 2 times (RR-C1)"]),
    ],
)
def test_a_map_has_each_flaw_with_its_rule(world, square, fields, flaws):
    made = world.parts("." * 8, lanes=["D1 D2 D3"], tracks=["A1 F1"])
    assert told(flaws_of(altered(made, square, **fields))) == flaws


def test_rr_c1_roads_and_tracks_lead_over_squares_of_the_map(world):
    made = world.parts("." * 8)
    lost = replace(made.roads[0], name="Lost Lane", squares=(SquareId("A1"), SquareId("Q7"), SquareId("Q8")))
    track = Track(SquareId("HT1"), "Lost Path", (SquareId("A1"), SquareId("Q9")))
    assert told(flaws_of(replace(made, roads=(*made.roads, lost), tracks=(track,)))) == [
        "Lost Lane goes over Q7, which is not on the map (RR-C1)",
        "Lost Lane goes over Q8, which is not on the map (RR-C1)",
        "Lost Path ends at Q9, which is not on the map (RR-C2)",
    ]
    track = Track(SquareId("B1"), "Path", (SquareId("A1"), SquareId("D1")))
    assert told(flaws_of(replace(made, tracks=(track,)))) == ["the component set has the square B1 2 times (RR-C1)"]


def test_rr_c1_two_roads_never_leave_a_square_on_one_side(world):
    made = world.parts("." * 8, lanes=["C1 D2"])
    made = altered(made, "D2", x=6, y=2)
    assert told(flaws_of(made)) == ["C1: two roads leave on the side E (RR-C1)"]


@pytest.mark.parametrize(
    ("number", "words"), [(1, "X1"), (8, "X1, X2, X3, X4, X5, X6, X7, X8"), (9, "X1, X2, X3, X4, X5, X6, X7, X8 and others")]
)
def test_rr_c1_every_square_is_in_reach_of_the_first(world, number, words):
    made = world.parts("." * 8)
    lonely = [Square(id=SquareId(f"X{x}"), x=x, y=9, colour=Colour.RED) for x in range(1, number + 1)]
    found = told(flaws_of(replace(made, squares=(*made.squares, *lonely))))
    assert found == [f"no road leads from A1 to {words} (RR-C1)"]


# Cards -------------------------------------------------------------------------------------------------------------------


def setup(components, players=0, position=None, **options):
    seats = tuple(Player(Seat(f"s{number}"), "") for number in range(players))
    named = {"mode": "internet", "rally": "first", **options}
    return Setup(players=seats, options=named, components=components, position=position)


def effect(does, *mph, turns=0):
    red, yellow, white = mph or (0, 0, 0)
    return Effect(does=does, red=red, yellow=yellow, white=white, turns=turns)


ONE_OR_OTHER = "X1: a card is either an advantage or a setback, and a kit card is an advantage (RR-C3)"
MISS = "X1: “miss” needs a number of turns, and no other effect has one (RR-C3)"


@pytest.mark.parametrize(
    ("effects", "flaws"),
    [
        ([effect(Does.START, 20, 10, 10)], []),
        ([effect(Does.BRIDGE, 0, 0, 10)], []),
        ([effect(Does.BEND, 0, 10, 0)], []),
        ([effect(Does.WATERPROOF), effect(Does.UNOVERTAKEN)], []),
        ([effect(Does.MISS, turns=2)], []),
        ([effect(Does.MISS, turns=2), effect(Does.STOP)], []),
        ([effect(Does.START)], ["X1: “start” needs mph by colour (RR-C3)"]),
        ([effect(Does.STOP, 0, 10, 0)], ["X1: “stop” has no mph by colour (RR-C3)"]),
        ([effect(Does.MISS)], [MISS]),
        ([effect(Does.STOP, turns=1)], [MISS]),
        ([effect(Does.ROUGH, 10, 10, 15)], ["X1: speeds must be multiples of 10 mph (RR-C3)"]),
        ([effect(Does.ROUGH, 10, 15, 10)], ["X1: speeds must be multiples of 10 mph (RR-C3)"]),
        ([effect(Does.WATERPROOF), effect(Does.STOP)], [ONE_OR_OTHER]),
    ],
)
def test_rr_c3_a_hazard_card_has_each_flaw_with_its_rule(effects, flaws):
    hazards = (*HOUSE.hazards, HazardCard(id="X1", name="Odd", effects=tuple(effects)))
    assert told(unfit(setup(replace(HOUSE, hazards=hazards)))) == flaws


def test_rr_c3_a_kit_card_is_an_advantage_and_each_card_has_its_own_name():
    card = KitCard(id="X1", kind=Kind.DRIVER, name="Odd", effects=(effect(Does.STOP),))
    assert told(unfit(setup(replace(HOUSE, kit=(*HOUSE.kit, card))))) == [ONE_OR_OTHER]
    twice = replace(card, id="H1", effects=(effect(Does.WATERPROOF),))
    assert told(unfit(setup(replace(HOUSE, kit=(*HOUSE.kit, twice))))) == [
        "the component set has the card H1 2 times (RR-C3)"
    ]
    twice = replace(HOUSE, rallies=HOUSE.rallies * 2)
    assert told(unfit(setup(twice))) == [f"the component set has the rally {HOUSE.rallies[0].id} 2 times (RR-C4)"]
    none = replace(HOUSE, kit=tuple(card for card in HOUSE.kit if card.kind is not Kind.ACCEL))
    assert told(unfit(setup(none))) == ["the component set has no accel card (RR-C3)"]


# Set-ups -----------------------------------------------------------------------------------------------------------------


def test_rr_c4_a_rally_that_the_set_does_not_have_is_the_wrong_choice_of_an_option():
    (flaw,) = unfit(setup(HOUSE, rally="dakar"))
    known = HOUSE.rallies[0].id
    assert told([flaw]) == [f"the component set has no rally “dakar”, only {known} (RR-C4)"]
    assert flaw.part == "option:rally"
    assert told(unfit(setup(HOUSE, rally=known))) == []
    none = replace(HOUSE, rallies=())
    assert told(unfit(setup(none))) == ["the component set has no rally: give your own with new --setup (RR-C4)"]
    assert told(unfit(setup(none, position=Position(rally=HOUSE.rallies[0])))) == []
    assert told(unfit(setup(none, mode="table", players=2))) == []


def test_the_flaws_of_a_set_come_before_those_of_its_rally(world):
    made = altered(world.parts("." * 13), "B1", limit=30)
    position = Position(rally=world.rally("A1", "Q9 W road"))
    assert [flaw.rule for flaw in unfit(setup(made, position=position))] == ["RR-C2"]
    made = world.parts("." * 13)
    assert [flaw.rule for flaw in unfit(setup(made, position=position))] == ["RR-C4"]


def test_a_table_has_each_flaw_with_its_rule(world):
    assert told(unfit(setup(HOUSE, 6, mode="table"))) == []
    # One card of each kind but two drivers, and one chequered square.
    driver = replace(world.STANDARD[0], id="D2")
    made = replace(world.parts("#" + "." * 12), kit=(*world.STANDARD, driver))
    position = Position(rally=world.rally("A1", "M1 W road"))
    few = [f"the component set has too few {kind} cards for 2 crews (RR-K1)" for kind in Kind if kind is not Kind.DRIVER]
    ends = "a rally at a table needs two chequered squares, for start and finish (RR-L1)"
    laid = "at a table the players lay the route: the position must not have a rally (RR-L1)"
    assert told(unfit(setup(made, 2, mode="table", position=position))) == [*few, ends, laid]
    assert told(unfit(setup(made, 1, mode="table", position=Position()))) == [ends]
    assert told(unfit(setup(HOUSE, 7, mode="table")))[0] == "a table has room for 6 crews, not 7 (RR-H7)"


# Rallies -----------------------------------------------------------------------------------------------------------------

REGULARITY = "a regularity section needs a speed from 20 to 30 mph, and no other section has one (RR-T4)"


@pytest.mark.parametrize(
    ("controls", "spots", "flaws"),
    [
        (("A1", "F1 W", "M1 W road"), "", []),
        (("A1", "M1 W regularity 24"), "", []),
        (("A1", "Q9 W road"), "", ["TC2: the map has no square Q9 (RR-C4)"]),
        (("A1", "M1 N road"), "", ["cars can enter TC2 at M1 from W, not from N (RR-C4)"]),
        (("A1", "M1 road"), "", ["cars can enter TC2 at M1 from W: say from which side (RR-C4)"]),
        (("A1", "M1 W regularity"), "", [f"RTC2: {REGULARITY}"]),
        (("A1", "M1 W road 24"), "", [f"TC2: {REGULARITY}"]),
        (("A1", "F1 W 24", "M1 W road"), "", [f"PC2: {REGULARITY}"]),
        (("A1 E", "M1 W road"), "", ["TC1 is the start: it ends no section and has no side (RR-C4)"]),
        (("A1 road", "M1 W road"), "", ["TC1 is the start: it ends no section and has no side (RR-C4)"]),
        (("A1", "M1 W"), "", ["PC2 is the last control, so it must be a time control (RR-C4)"]),
        (("A1", "M1 W road", "A1 E road"), "", ["two controls are on A1 (RR-C4)"]),
        (("A1", "M1 W road"), "Q9", ["the map has no square Q9 for a Black Spot (RR-C4)"]),
        (
            ("A1", "M1 W road"),
            "M1",
            ["the Black Spot on M1 is on the route (RR-L2)", "no way leads from TC1 to TC2 at M1 from W (RR-L2)"],
        ),
        (("A1", "D1 W", "M1 W road"), "E2", []),
        (
            ("A1", "D1 W", "M1 W road"),
            "D1",
            ["the Black Spot on D1 is on the route (RR-L2)", "no way leads from TC1 to PC2 at D1 from W (RR-L2)"],
        ),
        (("A1", "F1 W road", "C1 E road"), "", ["no way leads from TC2 to TC3 at C1 from E (RR-L2)"]),
    ],
)
def test_a_rally_has_each_flaw_with_its_rule(world, controls, spots, flaws):
    network = network_of(world.parts("." * 13, lanes=["D1 D2 E2"]))
    assert told(flaws_of_rally(network, world.rally(*controls, black_spots=spots))) == flaws


def test_rr_l2_an_ambiguity_says_how_to_settle_it(world):
    network = network_of(world.parts("..." + "." * 10, lanes=["C1 C2 D2 E2 E1", "C1 C3 D3 E3 E1"]))
    marked = world.rally("A1", "M1 W road", black_spots="D1")
    assert told(flaws_of_rally(network, marked)) == [
        "from TC1 to TC2 there are 2 ways of 14 squares: a Black Spot on C2 for the way over C3 or on C3 for the way over C2"
        " would settle it (RR-L2)"
    ]
    assert told(flaws_of_rally(network, marked, is_certain=False)) == []
    unfinished = Rally(id="x", name="X", controls=world.rally("A1", "F1 W").controls)
    assert told(flaws_of_rally(network, unfinished, is_complete=False)) == []


def test_what_can_be_driven_but_may_not_be_meant_is_told_in_full(world):
    made = world.parts("#...q" + "." * 20 + "#", "rrroyy" + "y" * 20)
    network = network_of(made)

    def cautioned(*controls):
        marked = world.rally(*controls)
        return list(cautions(network, marked, sections_of(legs_of(network, marked))))

    few = "the rally has {} time controls: 5 at least for all that the game has (RR-L4)"
    assert cautioned("A1", "C1 W", "F1 W", "H1 W", "K1 W selective") == [
        "the rally finishes at K1, which is not chequered (RR-L1)",
        "STC5 is 10 squares from TC1: 12 at least (RR-L3)",
        "PC2 is 2 squares from the control before: 3 at least (RR-L3)",
        "PC4 is 2 squares from the control before: 3 at least (RR-L3)",
        "the selective to STC5 uses red or orange road: B1, C1, D1 (RR-T6)",
        "the selective to STC5 passes a Quiet Zone: E1 (RR-T6)",
        few.format(2),
    ]
    assert cautioned("A1", "M1 W road", "Z1 W selective") == [few.format(3)]
    assert cautioned("B1", "N1 W road", "Z1 W road") == [
        "the rally starts at B1, which is not chequered (RR-L1)",
        few.format(3),
    ]


@pytest.mark.parametrize("limit", [0, 5, 45, 110, 200])
def test_the_sign_of_a_bend_is_a_multiple_of_10_since_version_3(limit):
    square = next(square.id for square in HOUSE.squares if square.feature is Feature.BEND)
    for mode in ({}, {"mode": "table", "players": 2}):
        made = setup(altered(HOUSE, square, limit=limit), **mode)
        words = f"{square}: the sign of this bend says {limit} mph: write a multiple of 10, from 10 to 100 (RR-C2)"
        assert told(unfit(made)) == [words]
        assert [told(unfit(made, version)) for version in (1, 2)] == [[], []]
    assert told(unfit(setup(altered(HOUSE, square, limit=10)))) == []
