"""The game at a table (RR-L, RR-K1, RR-M5, RR-O1, RR-H4, RR-H7, RR-V1), by the numbers of the rules."""

import sys
from pathlib import Path

import pytest
from play import begin

from adjudicator.core.problem import SetupError
from adjudicator.corrections.correct import amend
from adjudicator.game import change
from adjudicator.games.rally_round.components import Control, Side, SquareId
from adjudicator.games.rally_round.laying import places, wrong_marker
from adjudicator.games.rally_round.positions import impossible
from adjudicator.games.rally_round.state import course

sys.path.insert(0, str(Path(__file__).parent))

from tables import KITS, due, laid, on

LOOP = ["H1 H2 H3 I3 J3 K3 K2 K1"]


def test_rr_h7_cars_are_drawn_for_the_order_of_starting(at_table):
    drive = at_table()
    assert sorted(drive.session.game.state.order) == ["blue", "red"]
    assert due(drive) == drive.session.game.state.order[0]


def test_rr_h7_a_table_has_room_for_six(world):
    with pytest.raises(SetupError, match="room for 6"):
        begin("rally-round", "s0 s1 s2 s3 s4 s5 s6", options={"mode": "table"})


def test_rr_l1_start_and_finish_are_different_chequered_squares(at_table):
    drive = at_table()
    assert drive.give("START at B1", due(drive)) == ["not-chequered"]
    laid(drive, "START at A1")
    assert drive.give("FINISH at A1", due(drive)) == ["not-chequered"]
    laid(drive, "FINISH at Z1")
    assert drive.session.game.state.finish == "Z1"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("PLACE TC at K1 from W", "wrong-marker", "K1 is 10 squares"),
        ("PLACE PC at C1 from W", "wrong-marker", "C1 is 2 squares"),
        ("PLACE TC at M1 from N", "wrong-side", "cars can enter"),
        ("PLACE TC at M1 from E", "wrong-marker", "no way is"),
        ("PLACE BLACKSPOT at M1", "wrong-marker", "no way would"),
        ("PLACE TC7 at M1 from W", "wrong-number", "the next control is number 2"),
        ("PLACE TC at Q9 from W", "no-such-square", "the map has"),
        ("PLACE PC at M1 from W road", "no-section", "only a TC ends a section"),
        ("PLACE TC at M1 from W stage", "other-rally", "only a stage"),
        ("PLACE TC at M1 from W regularity", "no-such-speed", "a regularity section"),
        ("SPEED 10", "other-stage", "the rally is at another stage: give an order such as"),
    ],
)
def test_rr_l3_a_wrong_marker_is_refused_by_option(at_table, line, code, words):
    drive = laid(at_table(wrong_marker="reject"), "START at A1", "FINISH at Z1")
    assert drive.give(line, due(drive)) == [code]
    assert drive.diagnostics[0].problem.message.startswith(words)


@pytest.mark.parametrize(
    ("kind", "line", "control"),
    [
        ("road", "PLACE TC2 at M1 from W", "TC2"),
        ("road", "PLACE STC2 at M1 from W", "STC2"),
        ("road", "place stc at M1 from W", "STC2"),
        ("road", "PLACE STC2 at M1 from W selective", "STC2"),
        ("road", "PLACE TC2 at M1 from W selective", "STC2"),
        ("road", "PLACE RTC2 at M1 from W regularity 24", "RTC2"),
        ("road", "PLACE RTC2 at M1 from W at 24 mph", "RTC2"),
        ("road", "PLACE RTC 2 at M1 from the west 24", "RTC2"),
        ("road", "PLACE TC2 at M1 from W regularity 24", "RTC2"),
        ("stage", "PLACE SSF2 at M1 from W", "SSF2"),
        ("stage", "PLACE TC2 at M1 from W", "SSF2"),
        ("stage", "PLACE TC2 at M1 from W stage", "SSF2"),
    ],
)
def test_rr_c4_the_letters_of_a_control_name_the_kind_of_its_section(at_table, kind, line, control):
    drive = laid(at_table(kind=kind), "START at A1", "FINISH at Z1", line)
    assert drive.told == [words for words in drive.told if control in words]
    (placed,) = [event for event in drive.events if hasattr(event, "section")]
    assert (placed.name, placed.speed) == (control, 24 if control == "RTC2" else None)


def test_rr_l2_no_marker_goes_on_the_route(at_table):
    drive = laid(at_table(wrong_marker="reject"), "START at A1", "FINISH at Z1", "PLACE TC2 at M1 from W")
    assert drive.give("PLACE BLACKSPOT at F1", due(drive)) == ["wrong-marker"]
    assert drive.diagnostics[0].problem.message == "F1 is on the route already"


def test_rr_l4_of_ways_that_no_black_spot_can_tell_apart_the_first_is_the_route(at_table):
    """The second leg needs both squares of one of the ways, so a Black Spot on any of them leaves no way to the finish."""
    lanes = ["H1 H3 K3 K1", "O1 O5 I5 I1", "J1 J4 J5 J6 Z6 Z5 Z4 Z1"]
    drive = laid(at_table(lanes=lanes, wrong_marker="reject"), "START at A1", "FINISH at Z1", "PLACE TC2 at N1 from W")
    assert "there are 2 ways of 13 squares" in question(drive)
    laid(drive, "PLACE TC3 at Z1 from S")
    assert question(drive).startswith("choose a kit")
    sections = course(drive.session.config, drive.session.game.state).sections
    assert [section.distance for section in sections] == [13, 12]


def test_rr_l4_the_finish_can_be_near_if_no_other_control_is_legal(at_table):
    """After the only PC that is left, the finish comes too early for any other time control."""
    drive = laid(at_table(on_house_map=True, wrong_marker="reject"), "START at A4", "FINISH at K3", "PLACE PC at O31 from E")
    config, markers = drive.session.config, drive.session.game.state.markers
    ends = [order for order in places(config) if order.square == "K3" and wrong_marker(config, markers, order) is None]
    assert ends and all(order.what == "tc" for order in ends)


def question(drive):
    (decision,) = drive.session.rules.awaiting(drive.session.config, drive.session.game.state)
    return decision.ask


def test_rr_l4_the_route_is_complete_with_the_finish_and_unambiguous(at_table):
    lanes = ["H1 H2 I2 J2 K2 K1", "G1 G3 H3 I3 J3 K3 L3 L1"]
    drive = at_table(lanes=lanes, wrong_marker="reject")
    laid(drive, "START at A1", "FINISH at Z1", "PLACE BLACKSPOT at I1", "PLACE TC2 at N1 from W")
    laid(drive, "PLACE TC3 at Z1 from W regularity 24")
    assert drive.give("PLACE PC at T1 from W", due(drive)) == ["wrong-marker"]
    laid(drive, "PASS", "PLACE BLACKSPOT at I3")
    assert [decision.kind for decision in drive.session.rules.awaiting(drive.session.config, drive.session.game.state)] == [
        "kit"
    ]


def test_rr_k1_kits_are_picked_in_reverse_order_of_starting_one_card_at_a_time(at_table):
    drive = laid(at_table(), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    first, last = drive.session.game.state.order
    assert due(drive) == last
    laid(drive, "PICK D1")
    assert due(drive) == first
    assert drive.give("PICK D1", first) == ["card-taken"]
    laid(drive, "PICK D2")
    assert due(drive) == last


def test_rr_k1_the_cards_that_a_crew_can_pick_and_those_it_has_are_explained_to_it(at_table):
    """Not before kits are due, and none that another crew has taken."""
    drive = laid(at_table(), "START at A1", "FINISH at Z1")
    first, last = drive.session.game.state.order
    assert explained(drive, last) == []
    laid(drive, "PLACE TC2 at Z1 from W", "PICK D1")
    assert "D1" not in explained(drive, first) and "D2" in explained(drive, first)
    assert "D1" in explained(drive, last) and "D2" not in explained(drive, last)
    assert explained(drive, None) == []


def explained(drive, seat):
    rules, config = drive.session.rules, drive.session.config
    return [name for name, _ in rules.choices(config, rules.view(config, drive.session.game.state, seat))]


def test_rr_k1_a_kit_named_at_once_is_picked_turn_by_turn(at_table):
    drive = laid(at_table(), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    first, last = drive.session.game.state.order
    drive.take("KIT D1 N1 E1 S1 A1 B1", last)
    drive.take("KIT D2 N2 E2 S2 A2 B2", first)
    assert drive.crew(last).has_kit() and drive.crew(first).has_kit()


def test_rr_k1_kits_may_be_dealt(at_table):
    drive = laid(at_table(kit="deal"), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    assert all(drive.crew(seat).has_kit() for seat in ("red", "blue"))
    assert not {*drive.crew("red").kit} & {*drive.crew("blue").kit}


def test_rr_m5_in_minute_t_the_first_t_crews_move(at_table):
    drive = laid(at_table(kit="deal"), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    first, second = drive.session.game.state.order
    assert (due(drive), drive.session.game.state.minute) == (first, 1)
    drive.take("SPEED 10", first)
    assert (due(drive), drive.session.game.state.minute) == (first, 2)
    drive.take("SPEED 10", first)
    assert (due(drive), drive.session.game.state.minute) == (second, 2)


def test_rr_m5_the_furthest_along_the_route_moves_first_and_who_is_off_it_last(at_table):
    drive = at_table(crews={"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}, queue=("red",))
    drive.take("SPEED 10")
    assert drive.session.game.state.queue == ("blue", "red")
    drive = at_table(lanes=LOOP, crews={"red": on("G1 H1 H2", 10), "blue": on("A1 B1", 10)}, queue=("red",))
    drive.take("SPEED 10")
    assert drive.session.game.state.queue == ("blue", "red")


def test_rr_m5_on_one_control_first_in_first_out(at_table):
    drive = at_table(
        tcs=("M1", "Z1"),
        crews={"red": on("J1 K1", 20, (10, 20)), "blue": on("J1 K1 L1", 10)},
        queue=("blue", "red"),
    )
    drive.take("SPEED 10", "blue").take("SPEED 20", "red")
    assert drive.session.game.state.queue == ("blue", "red")


def test_rr_o1_a_move_that_would_end_on_a_taken_square_ends_ahead_or_behind(at_table):
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 20)}
    drive = at_table(crews=crews, queue=("red",)).take("SPEED 20")
    assert drive.at == "F1"
    assert drive.crew().speed == 20
    assert "red cannot stop on a taken square: the move ends on F1 (RR-O1)" in drive.told
    drive = at_table(crews=crews, queue=("red",)).take("SPEED 20 behind")
    assert drive.at == "D1"


def test_rr_o1_a_feature_with_a_car_on_it_is_ignored_by_who_overtakes(at_table):
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20)}
    main = "#...b" + "." * 20 + "#"
    drive = at_table(main, crews=crews, queue=("red",)).take("SPEED 50")
    assert drive.at == "H1"
    assert drive.crew().lost == 0


def test_rr_o1_a_card_against_it_holds_the_mover_behind(at_table, world):
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20)}
    drive = at_table(crews=crews, queue=("red",), effects=(world.effect("unovertaken"),)).take("SPEED 50")
    assert drive.at == "D1"
    assert drive.crew().speed == 50
    assert "red cannot overtake blue, and stays behind on D1 (RR-O1)" in drive.told


def test_rr_o1_who_holds_the_card_may_let_others_pass(at_table, world):
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20)}
    drive = at_table(crews=crews, queue=("blue", "red"), effects=(world.effect("unovertaken"),))
    assert drive.give("BLOCK always", "blue") == ["nothing-to-block"]
    assert drive.give("BLOCK sometimes", "blue") != []
    drive.take("BLOCK never\nSPEED 10", "blue").take("SPEED 50")
    assert drive.at == "H1"


@pytest.fixture
def asked(at_table, world):
    """Red comes up at 50 mph behind blue, who holds the card and is to be asked."""
    crews = {"red": on("A1 B1 C1", 50), "blue": on("A1 B1 C1 D1 E1", 20)}

    def begin(text="SPEED 50", **changes):
        with_blue = {**crews, "blue": {**crews["blue"], "is_asking": True}, **changes}
        drive = at_table(crews=with_blue, queue=("red",), effects=(world.effect("unovertaken"),))
        return drive.take(text) if text else drive

    return begin


def test_rr_o1_who_is_to_be_asked_is_asked_when_it_happens(asked):
    drive = asked()
    assert (drive.at, drive.told) == ("C1", ["red announces 50 mph, and blue must say whether it blocks (RR-O1)"])
    (due,) = drive.session.rules.awaiting(drive.session.config, drive.session.game.state)
    assert (due.seat, due.kind) == ("blue", "block")
    assert due.ask == "say whether red may overtake at 50 mph: BLOCK yes, or BLOCK no"
    assert drive.give("SPEED 20", "blue") == ["answer-first"]
    assert drive.give("BLOCK ask", "blue") == ["answer-first"]
    blocked = drive.take("BLOCK yes", "blue")
    assert blocked.told[:2] == ["blue blocks (RR-O1)", "red drives 50 mph: to D1 (RR-M1)"]
    assert (blocked.at, blocked.crew().speed, blocked.crew("blue").is_asking) == ("D1", 50, True)


def test_rr_o1_who_is_asked_may_give_way_once_or_for_good(asked):
    once = asked().take("BLOCK no", "blue")
    assert (once.at, once.crew("blue").is_asking) == ("H1", True)
    for_good = asked().take("BLOCK never", "blue")
    assert (for_good.at, for_good.crew("blue").is_asking, for_good.crew("blue").is_blocking) == ("H1", False, False)
    always = asked().take("BLOCK always", "blue")
    assert (always.at, always.crew("blue").is_asking, always.crew("blue").is_blocking) == ("D1", False, True)


def test_rr_o1_nobody_is_asked_where_it_makes_no_difference(asked):
    assert asked("SPEED 10").crew("blue").is_asking  # the move ends before blue
    assert asked(None).take("SPEED 90").told[0] == "90 mph is illegal for red, who may go 40 to 60 mph here (RR-M4)"
    assert asked(None).give("BLOCK yes", "red") == ["nothing-asked"]


def test_rr_o1_the_rest_of_a_line_goes_on_after_the_answer(asked):
    drive = asked("SPEED 50 50")
    assert drive.session.game.pending
    drive.take("BLOCK no\nSPEED 20", "blue")
    assert drive.crew().speeds[-2:] == (50, 50)


def test_rr_o1_several_are_asked_one_after_the_other(at_table, world):
    crews = {
        "red": on("A1 B1 C1", 60),
        "blue": on("A1 B1 C1 D1 E1", 20, is_asking=True),
        "green": on("A1 B1 C1 D1 E1 F1 G1", 20, is_asking=True),
    }
    drive = at_table(crews=crews, queue=("red",), effects=(world.effect("unovertaken"),)).take("SPEED 60")
    drive.take("BLOCK no", "blue")
    assert drive.told[-1] == "red announces 60 mph, and green must say whether it blocks (RR-O1)"
    assert drive.take("BLOCK yes", "green").at == "F1"


def test_rr_o1_a_question_ends_with_the_crew_that_was_asked(asked):
    session = amend(asked().session, ["crews[blue].out=retired"], "moved away")
    assert session.game.state.announced is None
    assert session.rules.awaiting(session.config, session.game.state)[0].seat == "red"


def test_rr_h4_cars_off_the_road_are_in_nobody_s_way_but_others_that_miss_turns_are(at_table):
    off = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 0, (50,), lost=1, is_off=True)}
    assert at_table(crews=off, queue=("red",)).take("SPEED 20").at == "E1"
    flooded = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 0, (50,), lost=1)}
    assert at_table(crews=flooded, queue=("red",)).take("SPEED 20").at == "F1"


def test_rr_h4_cars_that_went_off_at_one_square_drive_on_from_there(at_table):
    """Both stand there when they have missed their turns: nothing is wrong with that, also for who amends."""
    both = {name: on("A1 B1 C1 D1 E1", 0, (50,), lost=1, is_off=True) for name in ("red", "blue")}
    drive = at_table(crews=both, minute=3, queue=("red", "blue"))
    assert [crew.lost for crew in drive.session.game.state.crews] == [0, 0]
    amend(drive.session, ["crews[red].penalty=1800"], "a fault was overlooked")
    drive.take("SPEED 10", due(drive))
    assert sorted(crew.trail[-1] for crew in drive.session.game.state.crews) == ["E1", "F1"]


def test_rr_h4_cars_that_went_off_at_one_square_stay_there_while_they_cannot_overtake(at_table, world):
    """Green lets nobody overtake: red and blue drive on from one square, and no farther. Amendments know that."""
    both = {name: on("A1 B1 C1 D1 E1", 0, (50, 0)) for name in ("red", "blue")}
    crews = {**both, "green": on("A1 B1 C1 D1 E1 F1", 10)}
    drive = at_table(crews=crews, minute=3, queue=("red", "blue", "green"), effects=(world.effect("unovertaken"),))
    drive.take("SPEED 10").take("SPEED 10", "blue")
    assert "blue cannot overtake green, and stays behind on E1 (RR-O1)" in drive.told
    assert [(crew.trail[-1], crew.speed) for crew in drive.session.game.state.crews[:2]] == [("E1", 10)] * 2
    amend(drive.session, ["crews[red].penalty=1800"], "a fault was overlooked")
    drive.take("SPEED 20", "green").take("SPEED 20", "green").take("SPEED 20", due(drive))
    assert sorted(crew.trail[-1] for crew in drive.session.game.state.crews) == ["E1", "G1", "J1"]


def test_rr_o1_two_cars_that_never_missed_a_turn_cannot_stand_on_one_square(at_table):
    with pytest.raises(SetupError, match="2 cars are on"):
        at_table(crews={name: on("A1 B1 C1 D1 E1", 50, (50,)) for name in ("red", "blue")}, minute=3)


def test_rr_h4_a_roll_onto_a_taken_square_ends_before_it(at_table):
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1 F1", 20)}
    drive = at_table("#...>." + "." * 19 + "#", crews=crews, queue=("red",)).take("SPEED 20")
    assert drive.at == "E1"


def test_rr_p5_turns_are_missed_minute_by_minute(at_table):
    crews = {"red": on("A1 B1", 50), "blue": on("A1 B1 C1 D1 E1 F1 G1", 20)}
    drive = at_table("#..b" + "." * 21 + "#", crews=crews).take("SPEED 60").take("SPEED 20", "blue")
    assert (drive.crew().lost, drive.crew().is_off, drive.crew().speed) == (2, True, 0)
    drive.take("SPEED 20", "blue")
    assert drive.crew().lost == 1
    drive.take("SPEED 20", "blue")
    assert drive.crew().speeds == (50, 60, 0, 0)
    assert drive.crew().is_off is True
    drive.take("SPEED 10", "red" if due(drive) == "red" else "blue").take("SPEED 10")
    assert drive.crew().is_off is False


def test_rr_f8_the_pack_is_shuffled_and_shared(at_table, world):
    crews = {"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}
    cards = [world.hazard(f"H{n}", world.effect("stop")) for n in range(1, 4)]
    drive = at_table("#.!.!" + "." * 20 + "#", crews=crews, hazards=cards, queue=("red", "blue"))
    drive.take("SPEED 10").take("SPEED 10", "blue")
    assert len(drive.session.game.state.returned) == 2
    assert drive.crew().drawn == 0


def test_rr_v1_the_next_part_starts_at_the_finish_with_markers_removed(at_table):
    crews = {"red": on("X1 Y1", 10), "blue": on("W1 X1", 20, (10, 20))}
    lanes = ["Z1 Z2 Z3 Y3 X3 W3 V3 U3 T3 S3 R3 Q3 P3 O3 N3 M3 M2 M1"]
    drive = at_table(crews=crews, lanes=lanes, parts="2", queue=("red", "blue"))
    drive.take("SPEED 10").take("SPEED 20", "blue")
    state = drive.session.game.state
    assert (state.part, state.finish, state.black_spots) == (2, None, ())
    assert [control.square for control in state.controls] == ["Z1"]
    assert drive.crew().trail == ("Z1",)
    assert len(drive.crew().totals) == 1
    assert drive.crew().kit == KITS["red"]
    assert not drive.session.rules.is_over(drive.session.config, state)


def test_rr_v1_a_lone_player_chooses_a_crew_after_seeing_the_kits(at_table):
    drive = laid(at_table(solo="competitive"), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    assert drive.give("CHOOSE green", due(drive)) == ["no-such-crew"]
    laid(drive, "CHOOSE blue")
    standings = drive.session.rules.standings(drive.session.config, drive.session.game.state)
    assert any("the player's own crew" in standing.note for standing in standings)


def test_rr_l4_by_internet_there_is_nothing_to_lay(road):
    assert road("." * 13).give("PASS") == ["not-at-a-table"]
    assert road("." * 13).give("SPEED 10 behind") == ["alone"]


def test_rr_m5_only_the_crew_that_is_to_move_orders_anything(at_table):
    drive = at_table(crews={"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}, queue=("red",))
    assert drive.give("SPEED 10\nTURN ROUND", "blue") in ([], ["not-due"])
    assert drive.crew("blue").speeds == (10,)


def test_rr_m4_illegal_speeds_may_be_refused_at_a_table_too(at_table):
    crews = {"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}
    assert at_table(crews=crews, queue=("red",), **{"illegal-speed": "reject"}).give("SPEED 90") == ["illegal-speed"]


def test_rr_r1_a_rally_at_a_table_ends_with_open_sheets(at_table):
    crews = {"red": on("X1 Y1", 10), "blue": on("W1 X1", 20, (10, 20))}
    drive = at_table(crews=crews, queue=("red", "blue")).take("SPEED 10").take("SPEED 20", "blue")
    assert drive.session.rules.is_over(drive.session.config, drive.session.game.state)
    assert [event.kind for event in drive.events][-2:] == ["sheet-opened", "sheet-opened"]


def test_rr_o1_conditions_are_read_beside_the_orders_of_a_table(at_table, world):
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 20)}
    drive = at_table(crews=crews, queue=("red",)).take("IF turns > 99 THEN TURN ROUND ELSE SPEED 20 behind")
    assert drive.at == "D1"


def test_rr_r1_a_crew_at_a_table_is_retired_by_the_moderator_in_its_turn(at_table):
    drive = at_table(crews={"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}, queue=("red", "blue"))
    session = amend(drive.session, ["crews[red].out=retired"], "moved away")
    assert session.game.state.queue == ("blue",)
    drive.session = session
    drive.take("SPEED 10", "blue")
    assert due(drive) == "blue"


def test_rr_v1_a_rally_of_several_parts_is_over_when_nobody_is_left(at_table):
    drive = at_table(crews={"red": on("A1 B1", 10), "blue": on("A1 B1 C1 D1", 10)}, queue=("red", "blue"), parts="3")
    session = amend(drive.session, ["crews[red].out=retired", "crews[blue].out=retired"], "snow")
    assert session.rules.is_over(session.config, session.game.state)


def test_rr_l2_an_unfinished_route_may_be_ambiguous_and_end_with_a_pc_but_has_ways(at_table):
    drive = laid(at_table(lanes=["H1 H3 K3 K1"]), "START at A1", "FINISH at Z1")
    config, state = drive.session.config, drive.session.game.state

    def flaws(square, side):
        control = Control(square=SquareId(square), side=side)
        return [flaw.message for flaw in impossible(config, change(state, controls=(*state.controls, control)))]

    assert flaws("N1", Side.WEST) == []
    assert flaws("N1", Side.EAST) == ["no way leads from TC1 to PC2 at N1 from E"]
