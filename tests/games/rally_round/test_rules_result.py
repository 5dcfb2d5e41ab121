"""Penalties and the result (RR-P, RR-R), sealed sheets (RR-H6, RR-H7), by the numbers of the rules."""

from adjudicator.games.rally_round.result import ranked

FAULT = 1800


def place(*sheets, squares=(12, 12, 12)):
    return ranked([(name, totals) for name, totals in sheets], squares)


def test_rr_r1_least_penalties_win():
    assert place(("a", (60, 60, 120)), ("b", (0, 0, 60)), ("c", (0, 0, 90))) == [["b"], ["c"], ["a"]]


def test_rr_r1_a_tie_goes_to_who_did_more_of_the_rally_on_the_lesser_penalty():
    assert place(("a", (60, 60, 60)), ("b", (0, 60, 60))) == [["b"], ["a"]]
    assert place(("a", (60, 0, 60)), ("b", (0, 60, 60)), squares=(12, 13, 12)) == [["a"], ["b"]]


def test_rr_r1_equal_to_the_last_is_shared():
    assert place(("a", (60, 60)), ("b", (60, 60)), ("c", (0, 90)), squares=(12, 12)) == [["a", "b"], ["c"]]
    assert place(("a", (60, 0, 60)), ("b", (0, 60, 60)), squares=(12, 12, 12)) == [["a", "b"]]


def test_rr_h6_ties_among_three_are_settled_one_place_at_a_time():
    sheets = (("a", (0, 60, 90)), ("b", (30, 30, 90)), ("c", (60, 90, 90)))
    assert place(*sheets, squares=(12, 14, 10)) == [["b"], ["a"], ["c"]]


def test_rr_p1_a_road_section_costs_a_mark_a_minute_late_and_two_early(road):
    late = road("." * 13).take("TC2: 10 10 10 10 10 20 20 20 10")
    assert late.why == [(300, "RR-P1")]
    early = road("." * 13, kit=()).take("TC2: 10 20 30 30 30")
    assert early.why == [(60, "RR-P1")]


def test_rr_p1_early_counts_twice(road, with_card, world):
    drive = road("." * 13, kit=with_card(world.effect("start", 60, 60, 60))).take("TC2: 60 60")
    assert drive.why == [(240, "RR-P1")]


def test_rr_p2_nothing_is_early_on_stages_and_selectives(road, with_card, world):
    kit = with_card(world.effect("start", 60, 60, 60), world.effect("accelerate", 40, 40, 40))
    assert road("." * 13, kit=kit, timing="stage").take("SSF2: 60 100").why == []
    assert road("." * 13, kit=kit, timing="selective").take("STC2: 60 100").why == []
    assert road("." * 13, timing="selective").take("STC2: 10 20 30 30 30").why == [(60, "RR-P2")]


def test_rr_p3_a_regularity_counts_each_second_late_or_early(road):
    controls = ("A1", "M1 W regularity 25")
    assert road("." * 13, controls=controls).take("RTC2: 10 20 30 40 40").why == [(18, "RR-P3")]
    assert road("." * 13, controls=controls).take("RTC2: 10 20 30 30 30").why == [(12, "RR-P3")]


def test_rr_p4_a_mark_is_a_minute_and_penalties_read_as_minutes_and_seconds(road):
    drive = road("." * 13, controls=("A1", "F1 W", "M1 W road")).take("TC3: 10 20 30 40 40")
    assert drive.crew().penalty == 2 * FAULT + 60
    (standing,) = drive.session.rules.standings(drive.session.config, drive.session.game.state)
    assert (standing.score, standing.note) == (3660, "finished, 2 faults of 30 marks")


def test_rr_p5_a_missed_turn_counts_a_minute(road):
    drive = road("." * 13).take("TC2: 10\nTURN ROUND\nTC2: 10 20 30 30 20")
    assert drive.told[-1] == "red reaches TC2 in 7:00, target 4:00 (RR-T1)"


def test_rr_p6_the_excess_through_a_quiet_zone_counts_on_selectives_too(road, with_card, world):
    kit = with_card(world.effect("start", 100, 100, 100))
    for timing in ("road", "selective", "regularity 24"):
        drive = road(".q" + "." * 11, kit=kit, controls=("A1", f"M1 W {timing}")).take("SPEED 50")
        assert drive.why == [(FAULT, "RR-F10")]


def test_rr_p7_a_sheet_is_kept_as_it_was_driven(road):
    drive = road("." * 13).take("TC2: 10 20 30 30 30")
    (line,) = drive.crew().lines
    assert (line.speeds, line.time, line.penalty) == ((10, 20, 30, 30, 30), 300, 60)


def two(world, **options):
    components = world.parts("." * 13)
    drive = world.Drive(components, world.rally("A1", "M1 W road"), seats=("red", "blue"), **options)
    return drive.kit(seat="red").kit(seat="blue")


def shown(drive, viewer):
    from adjudicator.present import log_of

    rows = log_of(drive.session, drive.session.game.journal, viewer)
    return [row.order for row in rows], [row.min for row in rows]


def test_rr_h6_sheets_are_sealed_until_all_have_finished(world):
    drive = two(world).take("TC2: 10 20 30 30 30")
    rules, config = drive.session.rules, drive.session.config
    seen = rules.view(config, drive.session.game.state, "blue").state
    assert seen.crews[0].speeds is None
    assert seen.crews[0].lines == (None,)
    orders, costs = shown(drive, "blue")
    assert orders[-1] == "SPEED (sealed)"
    assert costs[-1] == 0
    assert {standing.score for standing in rules.standings(config, drive.session.game.state)} == {0}
    drive.take("TC2: 10 20 30 30 30", "blue")
    seen = rules.view(config, drive.session.game.state, "blue").state
    assert seen.crews[0].penalty == 60
    places = rules.standings(config, drive.session.game.state)
    assert [(standing.place, standing.score) for standing in places] == [(1, 60), (1, 60)]


def test_rr_h6_sheets_may_be_open(world):
    drive = two(world, sheets="open").take("TC2: 10 20 30 30 30")
    orders, costs = shown(drive, "blue")
    assert orders[-1] == "TC2: 10 20 30 30 30"
    assert costs[-1] == 60


def test_rr_r1_who_is_out_is_placed_after_those_that_finished(world):
    components = world.parts("." * 13, lanes=["D1 D2 D3 E3 F3 F2 F1"])
    drive = world.Drive(components, world.rally("A1", "M1 W road", black_spots="E3"), seats=("red", "blue"))
    drive.kit(seat="red").kit(seat="blue")
    drive.take("SPEED 10\nSPEED 20\nSPEED 30 via E3").take("TC2: 10 10 10 10 10 10 10 10 10 10 10 10", "blue")
    standings = drive.session.rules.standings(drive.session.config, drive.session.game.state)
    assert [(standing.seat, standing.place, standing.note) for standing in standings] == [
        ("blue", 1, "finished"),
        ("red", 2, "disqualified"),
    ]


def test_rr_r1_a_crew_that_sends_nothing_more_is_retired_by_the_moderator(world):
    from adjudicator.corrections.correct import amend

    drive = two(world).take("TC2: 10 20 30 30 30")
    session = amend(drive.session, ["crews[1].out=retired"], "no sheet came")
    assert session.rules.is_over(session.config, session.game.state)


def test_rr_h7_each_competitor_has_a_pack_of_its_own_in_the_printed_order(world):
    cards = [world.hazard("H1", world.effect("waterproof")), world.hazard("H2", world.effect("stop"))]
    components = world.parts(".!" + "." * 11, hazards=cards)
    drive = world.Drive(components, world.rally("A1", "M1 W road"), seats=("red", "blue"))
    drive.kit(seat="red").kit(seat="blue").take("SPEED 10").take("SPEED 10", "blue")
    assert drive.crew("red").held == drive.crew("blue").held == ("H1",)


def test_rr_m5_crews_drive_by_themselves_in_any_order(world):
    drive = two(world).take("TC2: 10 20", "blue").take("TC2: 30", "blue").take("TC2: 10")
    assert (drive.crew("red").speeds, drive.crew("blue").speeds) == ((10,), (10, 20, 30))


def test_rr_h4_no_other_car_is_in_the_way(world):
    drive = two(world).take("TC2: 10 20").take("TC2: 10 20", "blue")
    assert drive.crew("red").trail == drive.crew("blue").trail


def test_rr_h8_a_rally_is_one_part_and_over_with_its_last_section(world):
    drive = two(world).take("TC2: 10 20 30 30 30").take("TC2: 10 20 30 30 30", "blue")
    assert drive.session.rules.is_over(drive.session.config, drive.session.game.state)
    assert drive.give("SPEED 10", "blue") == ["game-over"]


def test_rr_r1_who_has_finished_orders_nothing_more(world):
    drive = two(world).take("TC2: 10 20 30 30 30")
    assert drive.give("SPEED 10") == ["rally-over"]
