"""What a car meets on its way (RR-F), by the numbers of the rules."""

import pytest

from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

PCS = ("A1", "F1 W", "M1 W road")
MINUTE, FAULT = 60, 1800


def test_rr_f1_a_pc_is_visited_by_ending_a_move_on_it(road):
    drive = road("." * 13, controls=PCS).take("TC3: 10 20 20")
    assert "red comes to PC2 (RR-F1)" in drive.told
    assert drive.why == []
    assert drive.crew().speed == 0


def test_rr_f1_leaving_a_pc_needs_a_starting_speed(road):
    drive = road("." * 13, controls=PCS).take("TC3: 10 20 20 / 20")
    assert drive.told[-1] == "red misses 1 turn (RR-M4)"


def test_rr_f1_driving_over_a_pc_costs_30_marks(road):
    drive = road("." * 13, controls=PCS).take("TC3: 10 20 30")
    assert drive.why == [(FAULT, "RR-F1")]
    assert drive.at == "G1"
    assert drive.crew().speed == 30


def test_rr_f1_on_a_stage_a_pc_is_driven_over(road):
    drive = road("." * 13, controls=("A1", "F1 W", "M1 W stage")).take("SSF3: 10 20 30")
    assert drive.why == []
    assert drive.crew().met == 1


def test_rr_f1_a_stage_move_that_ends_on_a_pc_has_not_stopped(road):
    drive = road("." * 13, controls=("A1", "F1 W", "M1 W stage")).take("SSF3: 10 20 20 30")
    assert drive.crew().speed == 30


def test_rr_f1_a_pc_never_met_costs_its_30_marks_at_the_tc(road):
    drive = road("." * 13, controls=PCS, lanes=["D1 D2 D3 E3 F3 G3 H3 H2 H1"])
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via Lane 1\nSPEED 40\nSPEED 40")
    assert drive.at == "K1"
    assert drive.crew().met == 0
    drive.take("SPEED 30")
    assert drive.why[:2] == [(FAULT, "RR-F1"), (FAULT, "RR-F2")]


def test_rr_f1_a_card_passes_pcs_without_a_stop(road, with_card, world):
    drive = road("." * 13, controls=PCS, kit=with_card(world.effect("passage"))).take("TC3: 10 20 30")
    assert drive.why == []


def test_rr_f2_a_road_section_ends_exactly_on_the_tc(road):
    drive = road("." * 13).take("TC2: 10 20 30 30 30")
    assert drive.told[-1] == "red reaches TC2 in 5:00, target 4:00 (RR-T1)"
    assert drive.why == [(MINUTE, "RR-P1")]


def test_rr_f2_a_speed_that_would_carry_past_costs_30_marks(road):
    drive = road("." * 13).take("TC2: 10 20 30 40 40")
    assert drive.why == [(FAULT, "RR-F2"), (MINUTE, "RR-P1")]


def test_rr_f3_flying_finish(road):
    drive = road("." * 13, timing="stage").take("SSF2: 10 20 30 40 40")
    assert drive.told[-1] == "red reaches SSF2 in 4:30, target 2:00 (RR-T3)"
    assert drive.why == [(150, "RR-P2")]


def test_rr_f3_constraints_beyond_the_tc_are_ignored(road):
    drive = road("." * 12 + "." + "b" + "." * 3, controls=("A1", "M1 W stage")).take("SSF2: 10 20 30 40 50")
    assert drive.told[-1].startswith("red reaches SSF2 in 4:24")


def test_rr_f4_the_wrong_way_into_a_pc_costs_30_marks_once(road):
    drive = road("." * 13, controls=PCS, lanes=["D1 D2 D3 E3 F3 G3 H3 H2 H1"])
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via Lane 1\nSPEED 40\nSPEED 30 via G1")
    assert drive.at == "F1"
    assert drive.why == [(FAULT, "RR-F4")]


def test_rr_f4_the_wrong_way_into_a_tc_still_ends_the_section(road):
    drive = road("." * 14, controls=("A1", "M1 E road"), lanes=["D1 D2 E2 F2 G2 H2 I2 J2 K2 L2 M2 N2 N1"])
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via G1\nSPEED 30 via J1\nSPEED 30 via L1")
    assert drive.why[0] == (FAULT, "RR-F4")
    assert len(drive.crew().lines) == 1


def test_rr_f5_a_give_way_asks_for_a_stop_before_the_major_road(road):
    drive = road("....g" + "." * 8).take("TC2: 10 20 20 20")
    assert drive.why == [(FAULT, "RR-F5")]
    drive = road("....g" + "." * 8).take("TC2: 10 20 10")
    assert drive.at == "E1"
    assert drive.crew().speed == 0


def test_rr_f5_leaving_the_major_road_costs_nothing(road):
    drive = road("....G" + "." * 8).take("TC2: 10 20 20 20")
    assert drive.why == []
    drive = road("....G" + "." * 8).take("TC2: 10 20 10")
    assert drive.crew().speed == 10


def test_rr_f5_not_on_stages_and_not_with_a_card(road, with_card, world):
    assert road("....g" + "." * 8, timing="stage").take("SSF2: 10 20 20 20").why == []
    assert road("....g" + "." * 8, kit=with_card(world.effect("give-way"))).take("TC2: 10 20 20 20").why == []


def test_rr_f6_a_black_spot_disqualifies(road):
    drive = road("." * 13, lanes=["D1 D2 D3 E3 F3 F2 F1"], black_spots="E3").take("SPEED 10\nSPEED 20\nSPEED 30 via E3")
    assert drive.told[-1].startswith("red passes the Black Spot on E3 without a card for it")
    assert drive.crew().out == "disqualified"


def test_rr_f6_with_a_card_a_black_spot_is_passed(road, with_card, world):
    kit = with_card(world.effect("black-spot"))
    drive = road("." * 13, lanes=["D1 D2 D3 E3 F3 F2 F1"], black_spots="E3", kit=kit)
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via E3")
    assert drive.at == "E3" or drive.at == "D3"
    assert drive.crew().out is None


def test_rr_f6_a_hidden_track_needs_its_card(road, with_card, world):
    drive = road("." * 20, tracks=["C1 P1"], timing="stage").take("SPEED 10\nSPEED 20 via HT1")
    assert drive.told[-1].startswith("red uses the hidden track HT1 without a card for it")
    drive = road("." * 20, tracks=["C1 P1"], timing="stage", kit=with_card(world.effect("hidden-track")))
    drive.take("SPEED 10\nSPEED 20 via Path 1")
    assert drive.at == "HT1"
    drive.take("SPEED 20")
    assert drive.at == "Q1"


def test_rr_f7_a_move_that_ends_in_a_ford_floods_the_engine(road):
    drive = road("...f" + "." * 9).take("TC2: 10 20 0 0 10")
    assert drive.told[2:5] == [
        "red stops in the ford on D1: the engine is flooded (RR-F7)",
        "red misses 2 turns (RR-F7)",
        "red drives 10 mph: to E1 (RR-M1)",
    ]
    assert drive.crew().speeds == (10, 20, 0, 0, 10)


def test_rr_f7_waterproofed_or_driven_through_a_ford_does_nothing(road, with_card, world):
    assert road("...f" + "." * 9, kit=with_card(world.effect("waterproof"))).take("TC2: 10 20 20").crew().speed == 20
    assert road("..f" + "." * 10).take("TC2: 10 20 20").crew().speed == 20


def test_rr_f8_a_hazard_square_draws_the_next_card_in_order(road, world):
    cards = [
        world.hazard("H1", world.effect("stop")),
        world.hazard("H2", world.effect("miss", turns=2)),
        world.hazard("H3", world.effect("waterproof")),
    ]
    drive = road(".!!.!" + "." * 15, hazards=cards, timing="stage").take("SPEED 10")
    assert drive.told[1:] == [
        "red draws H1, Card H1: a setback (RR-F8)",
        "red stops on B1 and next needs a Starting Speed (RR-F8)",
    ]
    drive.take("SPEED 10")
    assert drive.told[1:] == ["red draws H2, Card H2: a setback (RR-F8)", "red misses 2 turns (RR-F8)"]
    drive.take("SPEED 10\nSPEED 10")
    assert drive.crew().held == ("H3",)
    assert drive.crew().returned == ("H1", "H2")


def test_rr_f8_used_cards_go_under_the_pack(road, world):
    cards = [world.hazard("H1", world.effect("waterproof")), world.hazard("H2", world.effect("stop"))]
    drive = road(".!.!!!" + "." * 14, hazards=cards, timing="stage").take("SPEED 10\nSPEED 10 using H1\nSPEED 10")
    assert drive.crew().returned == ("H1", "H2")
    drive.take("SPEED 10")
    assert drive.crew().held == ("H1",)
    drive.take("SPEED 10")
    assert drive.crew().returned == ("H2",)


def test_rr_f9_a_gradient_rolls_the_car_and_keeps_its_speed(road):
    drive = road("...>" + "." * 9).take("TC2: 10 20")
    assert drive.told[-1] == "red rolls down: to E1 (RR-F9)"
    assert drive.at == "E1"
    assert drive.crew().speed == 20
    assert road("...<" + "." * 9).take("TC2: 10 20").at == "C1"
    assert road("...}" + "." * 9).take("TC2: 10 20").at == "F1"
    assert road("...{" + "." * 9).take("TC2: 10 20").at == "B1"


def test_rr_f9_rolling_back_into_the_control_just_left_costs_30_marks(road):
    drive = road(".<" + "." * 11).take("SPEED 10")
    assert drive.why == [(FAULT, "RR-F9")]
    assert drive.at == "A1"
    drive.take("SPEED 10")
    assert drive.why == []


def test_rr_f9_rolling_back_over_a_pc_costs_30_marks(road):
    drive = road("......<" + "." * 6, controls=PCS).take("TC3: 10 20 20 / 10")
    assert drive.why == [(FAULT, "RR-F9")]


def test_rr_h3_a_roll_into_the_tc_ends_the_section_and_counts_a_minute(road):
    drive = road("." * 11 + ">.", timing="stage").take("SSF2: 10 20 30 30 20")
    assert drive.told[-1] == "red reaches SSF2 in 5:00, target 2:00 (RR-T3)"


def test_rr_h3_a_roll_over_a_pc_costs_30_marks_and_one_onto_it_visits_it(road):
    drive = road("...}" + "." * 9, controls=("A1", "E1 W", "M1 W road")).take("TC3: 10 20")
    assert drive.why == [(FAULT, "RR-F1")]
    drive = road("...>" + "." * 9, controls=("A1", "E1 W", "M1 W road")).take("TC3: 10 20")
    assert drive.why == []
    assert drive.crew().speed == 0


def test_rr_h3_a_roll_over_a_give_way_costs_30_marks_and_one_onto_it_stops(road):
    assert road("...}g" + "." * 8).take("TC2: 10 20").why == [(FAULT, "RR-F5")]
    drive = road("...>g" + "." * 8).take("TC2: 10 20")
    assert drive.why == []
    assert drive.crew().speed == 0


def test_rr_h3_a_roll_meets_no_ford_and_no_hazard(road, world):
    drive = road("...>f" + "." * 8).take("TC2: 10 20")
    assert drive.crew().speeds == (10, 20)
    drive = road("...>!" + "." * 8, hazards=[world.hazard("H1", world.effect("stop"))]).take("TC2: 10 20")
    assert drive.crew().drawn == 0


@pytest.mark.parametrize(("colour", "limit"), [("r", 40), ("o", 40), ("y", 30), ("w", 20)])
def test_rr_f10_faster_through_a_quiet_zone_the_move_stands_and_costs_30_marks(road, with_card, world, colour, limit):
    kit = with_card(world.effect("start", 100, 100, 100))
    main = ".q" + "." * 18
    drive = road(main, colour * 20, kit=kit, timing="selective").take(f"SPEED {limit}")
    assert drive.why == []
    drive = road(main, colour * 20, kit=kit, timing="selective").take(f"SPEED {limit + 10}")
    assert drive.why == [(FAULT, "RR-F10")]
    assert len(drive.crew().trail) == limit // 10 + 2
    assert road(main, colour * 20, kit=kit, timing="stage").take(f"SPEED {limit + 10}").why == []


@pytest.mark.parametrize(
    ("sign", "colour", "limit"),
    [("h", "r", 50), ("h", "y", 40), ("h", "w", 30), ("b", "r", 40), ("b", "y", 30), ("b", "w", 20), ("r", "w", 20)],
)
def test_rr_f11_faster_over_a_bridge_a_bend_or_rough_the_car_goes_off(road, with_card, world, sign, colour, limit):
    kit = with_card(world.effect("start", 100, 100, 100))
    main = f"..{sign}{'.' * 17}"
    assert road(main, colour * 20, kit=kit, timing="stage").take(f"SPEED {limit}").crew().speeds == (limit,)
    drive = road(main, colour * 20, kit=kit, timing="stage").take(f"SPEED {limit + 20}")
    assert drive.at == "C1"
    assert drive.crew().speeds == (limit + 20, 0, 0)
    assert drive.crew().speed == 0
    drive.take("SPEED 10")
    assert drive.at == "D1"


def test_rr_f11_the_sign_of_a_bend_goes_before_its_colour(road, with_card, world):
    kit = with_card(world.effect("start", 100, 100, 100))
    drive = road("..b" + "." * 17, kit=kit, timing="stage", limits={"C1": 20}).take("SPEED 30")
    assert drive.told[1] == "red goes off the road at C1: 30 mph, the limit is 20 (RR-F11)"


@pytest.mark.parametrize("version", [1, 2])
def test_rr_f11_a_sign_that_is_no_multiple_of_10_costs_a_turn_at_least(road, with_card, world, version):
    """Only games from before version 3 have such a sign; a file with an event of 0 turns could not be loaded."""
    kit = with_card(world.effect("start", 100, 100, 100))
    begin = {"kit": kit, "timing": "stage", "limits": {"C1": 45}, "version": version}
    for speed, missed in ((50, 1), (60, 1), (70, 2)):
        drive = road("..b" + "." * 17, **begin).take(f"SPEED {speed}")
        assert drive.crew().speeds == (speed, *(0,) * missed)
        assert load_game(dump_game(drive.session.game)).journal == drive.session.game.journal


def test_rr_f11_cards_raise_the_limit_and_the_excess_is_measured_above_it(road, with_card, world):
    kit = with_card(world.effect("start", 100, 100, 100), world.effect("bend", 20, 20, 20))
    assert road("..b" + "." * 17, kit=kit, timing="stage").take("SPEED 60").crew().speeds == (60,)
    assert road("..b" + "." * 17, kit=kit, timing="stage").take("SPEED 70").crew().speeds == (70, 0)


def test_rr_f11_of_several_limits_exceeded_in_one_move_only_the_first_counts(road, with_card, world):
    kit = with_card(world.effect("start", 100, 100, 100))
    drive = road(".qb" + "." * 17, kit=kit, timing="selective").take("SPEED 50")
    assert drive.why == [(FAULT, "RR-F10")]
    assert drive.at == "F1"


def test_rr_f12_over_100_mph_the_move_is_lost(road, with_card, world):
    kit = with_card(world.effect("start", 150, 150, 150))
    drive = road("." * 20, kit=kit, timing="stage").take("SPEED 120")
    assert drive.told == [
        "red drives 120 mph (RR-M1)",
        "red goes off the road at A1: 120 mph, the limit is 100 (RR-F12)",
        "red misses 2 turns (RR-F12)",
    ]
    assert (drive.at, drive.crew().speeds) == ("A1", (120, 0, 0))


def test_rr_f12_an_illegal_change_of_speed_goes_first(road):
    assert road("." * 20, timing="stage").take("SPEED 120").crew().speeds == (0,)


def test_rr_l3_a_feature_under_a_marker_is_void(road):
    drive = road("....." + "f" + "." * 7, controls=PCS).take("TC3: 10 20 20")
    assert drive.crew().speeds == (10, 20, 20)


def test_rr_h2_a_later_control_passed_early_is_no_visit(road):
    controls = ("A1", "F1 W", "J1 W", "Z1 W road")
    drive = road("." * 26, controls=controls, lanes=["D1 D2 D3 E3 F3 G3 H3 H2 H1"])
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via Lane 1\nSPEED 40\nSPEED 30")
    assert drive.at == "J1"
    assert drive.crew().met == 0


def test_rr_h5_the_missed_turn_of_an_illegal_speed_is_the_current_one_on_the_same_square(road):
    drive = road("." * 13).take("TC2: 10 50")
    assert drive.at == "B1"
    assert drive.crew().speeds == (10, 0)


def test_rr_h5_up_to_the_speed_of_the_card_and_none_after_a_give_way_of_a_stage(road, with_card, world):
    road("." * 13, kit=with_card(world.effect("start", 40, 40, 40))).take("SPEED 30")
    drive = road("....g" + "." * 8, timing="stage").take("SSF2: 10 20 10")
    assert drive.at == "E1"
    assert drive.crew().speed == 10


def test_rr_f8_only_a_card_that_is_kept_is_used(road, world):
    cards = [world.hazard("H1", world.effect("waterproof"))]
    drive = road("." * 13, hazards=cards)
    assert drive.give("SPEED 10 using H1") == ["card-not-held"]


def test_rr_m6_in_a_dead_end_a_car_must_turn_round(road):
    drive = road("." * 20, lanes=["D1 D2 D3"], timing="stage").take("SPEED 10\nSPEED 20\nSPEED 20 via D3")
    assert drive.at == "D3"
    assert drive.give("SPEED 20") == ["dead-end"]
    drive.take("TURN ROUND\nSPEED 10\nSPEED 20")
    assert drive.at == "E1"


@pytest.mark.parametrize(("colour", "most"), [("r", 50), ("o", 50), ("y", 50), ("w", 60)])
def test_rr_f11_cards_raise_the_limit_by_the_colour_of_the_square(road, with_card, world, colour, most):
    """A bend of 40, 30 and 20 mph with 10, 20 and 40 mph more."""
    kit = with_card(world.effect("start", 100, 100, 100), world.effect("bend", 10, 20, 40))
    for speed, missed in ((most, ()), (most + 10, (0,))):
        drive = road("..b" + "." * 17, f"rr{colour}" + "r" * 17, kit=kit, timing="stage").take(f"SPEED {speed}")
        assert drive.crew().speeds == (speed, *missed)


LANE = "D1 D2 D3 E3 F3 G3 H3 H2 H1"
ROUND = "SPEED 10\nSPEED 20\nSPEED 30 via Lane 1\nSPEED 40"


@pytest.mark.parametrize(
    ("main", "controls", "orders", "told", "faulted"),
    [
        ("." * 13, PCS, "TC3: 10 20 30", "red: not stopped at PC2, 30 marks (RR-F1)", ("PC2",)),
        ("." * 13, PCS, f"{ROUND}\nSPEED 30 via G1", "red: PC2 entered the wrong way, 30 marks (RR-F4)", ("PC2",)),
        ("." * 13, PCS, f"{ROUND}\nSPEED 40\nSPEED 30", "red: PC2 never visited, 30 marks (RR-F1)", ()),
        ("." * 13, PCS, "TC3: 10 20 20 / 10 20 30 20", "red: carried past TC3, 30 marks (RR-F2)", ()),
        (".<" + "." * 11, PCS, "TC3: 10", "red: rolled back into TC1, 30 marks (RR-F9)", ("TC1",)),
        ("......<" + "." * 6, PCS, "TC3: 10 20 20 / 10", "red: rolled back into PC2, 30 marks (RR-F9)", ("PC2",)),
        ("..g" + "." * 10, PCS, "TC3: 10 20", "red: not stopped at the Give Way on C1, 30 marks (RR-F5)", ()),
    ],
)
def test_rr_p4_a_fault_says_what_happened_and_which_control_counts_as_missed(road, main, controls, orders, told, faulted):
    drive = road(main, controls=controls, lanes=[LANE]).take(orders)
    assert told in drive.told
    assert drive.crew().faulted == faulted


def test_rr_f4_a_control_costs_its_30_marks_once(road):
    """The car comes to PC2 the wrong way, turns round, and rolls back into it from the hill behind it."""
    drive = road("......<" + "." * 6, controls=PCS, lanes=[LANE]).take(f"{ROUND}\nSPEED 30 via F1")
    assert (drive.at, drive.crew().faulted) == ("F1", ("PC2",))
    drive.take("TURN ROUND\nSPEED 10")
    assert (drive.at, drive.crew().faulted, drive.crew().penalty) == ("F1", ("PC2",), FAULT)
